//! The picture: draws a frame's plan into the lamp texture, packs it and reads the bytes back.
//!
//! On the render thread, which owns the context. Knows nothing of projects: it takes a lamp map, a score and a plan.

use super::compose::{FramePlan, ScenePass};
use super::endless::Question;
use super::gather::{PACKED_ROW, ROW};
use super::inputs::{InputShape, PALETTE_ROWS, SAMPLERS};
use super::lamp_map::LampMap;
use super::pack::PackPass;
use super::programs::{BLOCK_BINDING, BLOCK_BYTES, Programs, SceneProgram};
use super::renderer::Patched;
use super::score::Score;
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, Program, UniformBuffer};
use crate::gl::query::AnyTexel;
use crate::gl::texture::{Format, Size, Target, Texture};
use crate::model::palette::GRADIENT_STOPS;
use crate::model::scene::SceneBlend;

/// Everything on the GPU that depends on the lamp map.
struct Lamps {
    count: usize,
    rows: usize,
    target: Target,
    inputs: [Option<Texture>; SAMPLERS.len()],
    pack: PackPass,
    universes: usize,
    /// Made when somebody first looks.
    preview: Option<Target>,
}

/// All that is needed to draw frames.
pub struct Picture {
    lamps: Option<Lamps>,
    palette: Texture,
    numbers: UniformBuffer,
    /// Whether an effect ran out of turns, and the numbers of the draw that asks.
    endless: (AnyTexel, UniformBuffer),
    encode: Program,
    /// Dropped last: everything above is freed in its context.
    gpu: Gpu,
}

pub(super) fn our_program(gpu: &Gpu, code: &str) -> Result<Program, GlError> {
    let source = format!("{}{code}", gpu.dialect().preamble());
    gpu.program(&source).map_err(|reason| GlError::Refused { what: "program", reason })
}

impl From<SceneBlend> for Mix {
    fn from(blend: SceneBlend) -> Self {
        match blend {
            SceneBlend::Add => Self::Add,
            SceneBlend::Max => Self::Max,
            SceneBlend::Over => Self::Over,
        }
    }
}

/// Linear light to sRGB bytes, for screens (IEC 61966-2-1).
const ENCODE: &str = "uniform sampler2D glow_lamps;\nlayout(location = 0) out vec4 glow_colour;\n\
    void main() {\n    vec3 c = clamp(texelFetch(glow_lamps, ivec2(gl_FragCoord.xy), 0).rgb, 0.0, 1.0);\n    \
    vec3 high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;\n    \
    glow_colour = vec4(mix(high, c * 12.92, lessThanEqual(c, vec3(0.0031308))), 1.0);\n}\n";

impl Picture {
    /// Nothing to draw yet.
    ///
    /// # Errors
    /// When the driver refuses what every picture needs.
    pub fn new(gpu: Gpu) -> Result<Self, GlError> {
        let encode = our_program(&gpu, ENCODE)?;
        encode.set_sampler("glow_lamps", 0);
        Ok(Self {
            lamps: None,
            palette: Texture::new(&gpu, Format::Rgba32F, Size::flat(GRADIENT_STOPS, PALETTE_ROWS), None)?,
            numbers: gpu.uniform_buffer()?,
            endless: (AnyTexel::new(&gpu)?, gpu.uniform_buffer()?),
            encode,
            gpu,
        })
    }

    /// The context it draws with.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Slots that starts of blocks must keep.
    pub fn alignment(&self) -> usize {
        self.gpu.block_alignment.div_ceil(16)
    }

    /// Takes another lamp map. The old one stays when the driver refuses.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn set_map(&mut self, patched: &Patched) -> Result<(), GlError> {
        let Patched { map, gather, runs, layout, .. } = patched;
        let (format, size) = InputShape::of(map).texture(0);
        let layout = Texture::new(&self.gpu, format, size, Some(bytemuck::cast_slice(layout)))?;
        let mut inputs: [Option<Texture>; SAMPLERS.len()] = Default::default();
        inputs[0] = Some(layout);
        let target = Target::new(&self.gpu, Format::Rgba16F, ROW, map.rows())?;
        self.lamps = Some(Lamps {
            count: map.lamps,
            rows: map.rows(),
            inputs,
            pack: PackPass::new(&self.gpu, gather, runs, &target)?,
            target,
            universes: map.universes,
            preview: None,
        });
        Ok(())
    }

    /// Uploads the inputs that programs read and that are not there yet.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn prepare_inputs(&mut self, map: &LampMap, score: &Score, programs: &Programs) -> Result<(), GlError> {
        let Some(lamps) = &mut self.lamps else { return Ok(()) };
        let read = |sampler: usize| {
            score.scenes.iter().any(|scene| programs.get(&scene.key).is_some_and(|program| program.reads[sampler]))
        };
        for (sampler, input) in lamps.inputs.iter_mut().enumerate() {
            if input.is_none() && read(sampler) {
                *input = input_texture(&self.gpu, sampler, map)?;
            }
        }
        Ok(())
    }

    /// Draws the lamps of a plan. `drawn` is called after each of its passes.
    ///
    /// # Errors
    /// When the driver has no room for a larger palette.
    pub fn draw(
        &mut self,
        plan: &FramePlan,
        score: &Score,
        programs: &Programs,
        mut drawn: impl FnMut(&Gpu, usize),
    ) -> Result<(), GlError> {
        self.upload_palette(plan)?;
        let Some(lamps) = &self.lamps else { return Ok(()) };
        if !plan.slots.is_empty() {
            self.numbers.upload(bytemuck::cast_slice(&plan.slots));
        }
        let program = |pass: &ScenePass| programs.get(&score.scenes[pass.scene].key);
        let replaces = plan.passes.first().is_some_and(|first| {
            first.rows == (0..lamps.rows) && program(first).is_some_and(|program| program.replaces)
        });
        // What is replaced as a whole need not be cleared.
        if replaces {
            self.gpu.resume(&lamps.target)
        } else {
            self.gpu.begin(&lamps.target)
        }
        self.bind_inputs(lamps);
        for (number, pass) in plan.passes.iter().enumerate() {
            if let Some(program) = program(pass) {
                let mix = if replaces && number == 0 { Mix::Replace } else { Mix::from(pass.blend) };
                self.draw_scene(pass, program, mix, lamps);
            }
            drawn(&self.gpu, number);
        }
        Ok(())
    }

    /// Draws a program that is new here once, so that its first frame is not late: a driver finishes its code then.
    /// Nothing is lit; what is in the target is not defined afterwards.
    pub fn try_out(&self, program: &SceneProgram, mix: Mix) {
        let Some(lamps) = &self.lamps else { return };
        let (_, numbers) = &self.endless;
        numbers.upload(&[0; BLOCK_BYTES]);
        numbers.bind(BLOCK_BINDING, 0..BLOCK_BYTES);
        self.gpu.resume(&lamps.target);
        self.bind_inputs(lamps);
        self.gpu.draw(&program.program, mix, ROW, 0..1);
    }

    fn bind_inputs(&self, lamps: &Lamps) {
        for (unit, texture) in (0..).zip(&lamps.inputs) {
            if let Some(texture) = texture {
                texture.bind(unit);
            }
        }
        self.palette.bind(SAMPLERS.len() as u32 - 1);
    }

    /// Asks whether an effect of what was drawn ran out of turns. The light stays as it is: the draw adds nothing,
    /// by any blend.
    pub fn ask_endless(&self, question: &Question, plan: &FramePlan, score: &Score, programs: &Programs) {
        let pass = &plan.passes[question.pass];
        let (Some(lamps), Some(program)) = (&self.lamps, programs.get(&score.scenes[pass.scene].key)) else { return };
        let mut slots = plan.slots[pass.slots.clone()].to_vec();
        slots[0][0] = 0.0;
        slots[0][2] = question.part as f32;
        let (query, numbers) = &self.endless;
        numbers.upload(bytemuck::cast_slice(&slots));
        numbers.bind(BLOCK_BINDING, 0..slots.len() * 16);
        self.gpu.resume(&lamps.target);
        self.bind_inputs(lamps);
        let rows = question.rows.start..question.rows.end.min(lamps.rows);
        query.ask(|| self.gpu.draw(&program.program, Mix::from(pass.blend), ROW, rows));
    }

    /// The answer, once it is there. Only after a question.
    pub fn endless_answer(&self) -> Option<bool> {
        self.endless.0.answer()
    }

    fn draw_scene(&self, pass: &ScenePass, program: &SceneProgram, mix: Mix, lamps: &Lamps) {
        self.numbers.bind(BLOCK_BINDING, pass.slots.start * 16..pass.slots.end * 16);
        let rows = pass.rows.start..pass.rows.end.min(lamps.rows);
        self.gpu.draw(&program.program, mix, ROW, rows);
    }

    fn upload_palette(&mut self, plan: &FramePlan) -> Result<(), GlError> {
        let rows = plan.palette.len();
        if rows > self.palette.size.height {
            let size = Size::flat(GRADIENT_STOPS, rows.next_power_of_two());
            self.palette = Texture::new(&self.gpu, Format::Rgba32F, size, None)?;
        }
        if rows > 0 {
            self.palette.upload_rows(rows, bytemuck::cast_slice(&plan.palette));
        }
        Ok(())
    }

    /// Bytes that [`Self::pack`] needs room for: whole rows of the packed texture.
    pub fn packed_bytes(&self) -> usize {
        self.lamps.as_ref().map_or(0, |lamps| lamps.pack.rows() * PACKED_ROW * 4)
    }

    /// Universes of the frame.
    pub fn universes(&self) -> usize {
        self.lamps.as_ref().map_or(0, |lamps| lamps.universes)
    }

    /// Packs what was drawn and reads the bytes of the frame of this number. `packed` is called between the two.
    pub fn pack(&mut self, frame: u32, out: &mut [u8], packed: impl FnOnce(&Gpu)) {
        if let Some(lamps) = &mut self.lamps {
            lamps.pack.run(&self.gpu, &lamps.target, frame, out, packed);
        }
    }

    /// Reads what was drawn as sRGB, four bytes a lamp, whole rows.
    ///
    /// # Errors
    /// When the driver refuses the target.
    pub fn preview(&mut self, out: &mut Vec<u8>) -> Result<(), GlError> {
        let Some(lamps) = &mut self.lamps else { return Ok(()) };
        if lamps.preview.is_none() {
            lamps.preview = Some(Target::new(&self.gpu, Format::Rgba8, ROW, lamps.rows)?);
        }
        let Some(preview) = &lamps.preview else { return Ok(()) };
        out.resize(lamps.rows * ROW * 4, 0);
        self.gpu.begin(preview);
        lamps.target.texture.bind(0);
        self.gpu.draw(&self.encode, Mix::Replace, ROW, 0..lamps.rows);
        self.gpu.read_rows(preview, 0, out);
        out.truncate(lamps.count * 4);
        Ok(())
    }
}

fn input_texture(gpu: &Gpu, sampler: usize, map: &LampMap) -> Result<Option<Texture>, GlError> {
    let (format, size) = InputShape::of(map).texture(sampler);
    let texture = |texels: &[u8]| Texture::new(gpu, format, size, Some(texels)).map(Some);
    match SAMPLERS[sampler] {
        "glow_groups" => texture(bytemuck::cast_slice(&map.group_texels())),
        "glow_frames" => texture(bytemuck::cast_slice(&map.frame_texels())),
        "glow_fixtures" => texture(bytemuck::cast_slice(&map.fixture_texels())),
        "glow_chains" => texture(bytemuck::cast_slice(&map.chain_texels())),
        _ => Ok(None),
    }
}
