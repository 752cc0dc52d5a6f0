//! The picture: draws a frame's plan into the lamp texture, packs it and reads the bytes back.
//!
//! On the render thread, which owns the context. Knows nothing of projects: it takes a lamp map, a score and a plan.

use super::canvas::{Canvas, Lamps, our_program};
use super::compose::{FramePlan, ScenePass};
use super::economy::{Drawing, Economy, Pace};
use super::endless::Question;
use super::gather::{PACKED_ROW, ROW};
use super::held::Way;
use super::lamp_map::LampMap;
use super::meter::Meter;
use super::programs::{BLOCK_BINDING, BLOCK_BYTES, Programs, SAMPLERS, SceneProgram};
use super::renderer::Patched;
use super::score::{Score, ScoredScene};
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, Program, UniformBuffer};
use crate::gl::query::AnyTexel;
use crate::gl::texture::{Format, Size, Target, Texture};
use crate::model::palette::GRADIENT_STOPS;
use crate::show::snapshot::SceneCost;
use std::ops::Range;

/// Rows of stops that the palette texture starts with.
const PALETTE_ROWS: usize = 64;

/// All that is needed to draw frames.
pub struct Picture {
    lamps: Option<Lamps>,
    palette: Texture,
    numbers: UniformBuffer,
    /// Whether an effect ran out of turns, and the numbers of the draw that asks.
    endless: (AnyTexel, UniformBuffer),
    meter: Meter,
    economy: Economy,
    encode: Program,
    /// Dropped last: everything above is freed in its context.
    gpu: Gpu,
}

/// The program that turns light into bytes for a screen; it reads unit 0.
///
/// # Errors
/// When the driver refuses it.
pub fn encode_program(gpu: &Gpu) -> Result<Program, GlError> {
    let encode = our_program(gpu, ENCODE)?;
    encode.set_sampler("glow_lamps", 0);
    Ok(encode)
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
        let encode = encode_program(&gpu)?;
        Ok(Self {
            lamps: None,
            palette: Texture::new(&gpu, Format::Rgba32F, Size::flat(GRADIENT_STOPS, PALETTE_ROWS), None)?,
            numbers: gpu.uniform_buffer()?,
            endless: (AnyTexel::new(&gpu)?, gpu.uniform_buffer()?),
            meter: Meter::new(&gpu)?,
            economy: Economy::new(&gpu)?,
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
        self.lamps = Some(Lamps::new(&self.gpu, patched)?);
        self.economy.clear();
        self.meter.clear();
        Ok(())
    }

    /// Uploads the inputs that programs read and that are not there yet.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn prepare_inputs(&mut self, map: &LampMap, score: &Score, programs: &Programs) -> Result<(), GlError> {
        let Some(lamps) = &mut self.lamps else { return Ok(()) };
        let reads = |scene: &ScoredScene, sampler: usize| programs.get(&scene.key).is_some_and(|p| p.reads[sampler]);
        for sampler in 0..SAMPLERS.len() {
            if score.scenes.iter().any(|scene| reads(scene, sampler)) {
                lamps.prepare_input(&self.gpu, sampler, map)?;
            }
        }
        Ok(())
    }

    /// Draws a program that is new here once, so that its first frame is not late: a driver finishes its code then.
    /// Nothing is lit; what is in the target is not defined afterwards.
    pub fn try_out(&self, program: &SceneProgram, mix: Mix) {
        let Some(canvas) = self.canvas() else { return };
        // Without what it reads the driver would make other code. The palette is always there.
        let unread = |(input, reads): (&Option<Texture>, &bool)| *reads && input.is_none();
        if canvas.lamps.inputs.iter().zip(&program.reads).take(SAMPLERS.len() - 1).any(unread) {
            return;
        }
        let (_, numbers) = &self.endless;
        numbers.upload(&[0; BLOCK_BYTES]);
        numbers.bind(BLOCK_BINDING, 0..BLOCK_BYTES);
        canvas.begin(true);
        canvas.bind_inputs();
        self.gpu.draw(&program.program, mix, ROW, 0..1);
    }

    /// Draws the lamps of a frame, every pass as a whole. `drawn` is called after each.
    ///
    /// # Errors
    /// When the driver has no room for a larger palette.
    pub fn draw(&mut self, drawing: Drawing<'_>, mut drawn: impl FnMut(&Gpu, usize)) -> Result<(), GlError> {
        self.upload(drawing.plan)?;
        let Some(canvas) = self.canvas() else { return Ok(()) };
        let replaces = replaces(canvas, drawing);
        canvas.bind_inputs();
        canvas.begin(replaces);
        for (number, pass) in drawing.plan.passes.iter().enumerate() {
            if let Some(program) = drawing.program(pass) {
                let mix = if replaces && number == 0 { Mix::Replace } else { Mix::from(pass.blend) };
                canvas.draw(program, &pass.slots, &pass.rows, mix);
            }
            drawn(&self.gpu, number);
        }
        Ok(())
    }

    /// Draws the lamps of a frame so that the show keeps its pace: see [`Economy`].
    ///
    /// # Errors
    /// When the driver has no room for a larger palette.
    pub fn draw_live(&mut self, drawing: Drawing<'_>, pace: Pace) -> Result<(), GlError> {
        let scenes: Vec<&ScoredScene> = drawing.plan.passes.iter().map(|pass| drawing.scored(pass)).collect();
        self.meter.begin(&scenes, pace.secs, pace.late);
        if pace.allowed.is_some() {
            self.probe(drawing)?;
        }
        let Some(lamps) = &self.lamps else { return Ok(()) };
        let costs = drawing.plan.passes.iter().map(|pass| self.meter.cost(drawing.scored(pass)));
        self.economy.decide(&self.gpu, drawing, costs, pace.allowed, lamps.rows);
        let numbers = std::mem::take(&mut self.economy.numbers);
        let uploaded = self.upload(&numbers);
        self.economy.numbers = numbers;
        uploaded?;
        self.draw_decided(drawing);
        Ok(())
    }

    fn draw_decided(&mut self, drawing: Drawing<'_>) {
        let Self { lamps: Some(lamps), gpu, palette, numbers, meter, economy, .. } = self else { return };
        let canvas = Canvas { gpu, lamps, palette, numbers };
        canvas.bind_inputs();
        for job in &economy.jobs {
            let pass = &drawing.plan.passes[job.pass];
            let scored = drawing.scored(pass);
            let (target, program) = (economy.held().target(scored, job.into_shown), drawing.program(pass));
            let (Some(target), Some(program)) = (target, program) else { continue };
            gpu.resume(target);
            let draw = || canvas.draw(program, &job.slots, &job.rows, Mix::Replace);
            meter.draw(gpu, scored, share(&job.rows, pass), draw);
        }
        let replaces = replaces(canvas, drawing) && economy.ways.first() != Some(&Way::Silent);
        canvas.begin(replaces);
        for (number, (pass, way)) in drawing.plan.passes.iter().zip(&economy.ways).enumerate() {
            let (scored, Some(program)) = (drawing.scored(pass), drawing.program(pass)) else { continue };
            let mix = if replaces && number == 0 { Mix::Replace } else { Mix::from(pass.blend) };
            match (way, economy.held().target(scored, true)) {
                (Way::Direct, _) => {
                    meter.draw(gpu, scored, 1.0, || canvas.draw(program, &pass.slots, &pass.rows, mix));
                }
                (Way::Held, Some(held)) => {
                    canvas.mix_in(&economy.mix, &held.texture, &pass.slots, &pass.rows, mix);
                }
                _ => {}
            }
        }
    }

    /// Measures passes of which nothing is known on a few rows, before they are drawn as a whole: so that one that
    /// takes a second does not take it even once. The light stays as it is.
    fn probe(&mut self, drawing: Drawing<'_>) -> Result<(), GlError> {
        let unknown = |meter: &Meter, pass: &ScenePass| meter.cost(drawing.scored(pass)).is_none();
        if !drawing.plan.passes.iter().any(|pass| unknown(&self.meter, pass)) {
            return Ok(());
        }
        self.upload(drawing.plan)?;
        let Self { lamps: Some(lamps), gpu, palette, endless: (_, numbers), meter, .. } = self else { return Ok(()) };
        let canvas = Canvas { gpu, lamps, palette, numbers };
        canvas.bind_inputs();
        gpu.resume(&lamps.target);
        for pass in &drawing.plan.passes {
            let (true, Some(program)) = (unknown(meter, pass), drawing.program(pass)) else { continue };
            let slots = upload_silent(numbers, drawing.plan, pass, 0.0);
            let middle = (pass.rows.start + pass.rows.end) / 2;
            meter.probe(gpu, drawing.scored(pass), pass.rows.len(), |rows| {
                canvas.draw(program, &slots, &(middle..middle + rows), Mix::from(pass.blend));
            });
        }
        Ok(())
    }

    /// What the scenes of the last frame cost.
    pub fn scene_costs(&self, drawing: Drawing<'_>) -> Vec<SceneCost> {
        self.economy.scene_costs(drawing)
    }

    /// Nothing is drawn in this frame: the picture is as it was.
    pub fn rest(&mut self) {
        self.economy.rest();
    }

    /// See [`Economy::drawn`].
    pub fn drawn_passes(&self) -> usize {
        self.economy.drawn()
    }

    /// Whether anything is half drawn, so that the picture goes on even if no number changes.
    pub fn is_busy(&self) -> bool {
        self.economy.held().is_busy()
    }

    fn canvas(&self) -> Option<Canvas<'_>> {
        let Self { lamps, gpu, palette, numbers, .. } = self;
        Some(Canvas { gpu, lamps: lamps.as_ref()?, palette, numbers })
    }

    /// Asks whether an effect of what was drawn ran out of turns. The light stays as it is: the draw adds nothing,
    /// by any blend.
    pub fn ask_endless(&self, question: &Question, drawing: Drawing<'_>) {
        let pass = &drawing.plan.passes[question.pass];
        let (Some(canvas), Some(program)) = (self.canvas(), drawing.program(pass)) else { return };
        let (query, numbers) = &self.endless;
        let canvas = Canvas { numbers, ..canvas };
        let slots = upload_silent(numbers, drawing.plan, pass, question.part as f32);
        self.gpu.resume(&canvas.lamps.target);
        canvas.bind_inputs();
        query.ask(|| canvas.draw(program, &slots, &question.rows, Mix::from(pass.blend)));
    }

    /// The answer, once it is there. Only after a question.
    pub fn endless_answer(&self) -> Option<bool> {
        self.endless.0.answer()
    }

    fn upload(&mut self, plan: &FramePlan) -> Result<(), GlError> {
        let rows = plan.palette.len();
        if rows > self.palette.size.height {
            let size = Size::flat(GRADIENT_STOPS, rows.next_power_of_two());
            self.palette = Texture::new(&self.gpu, Format::Rgba32F, size, None)?;
        }
        if rows > 0 {
            self.palette.upload_rows(rows, bytemuck::cast_slice(&plan.palette));
        }
        if !plan.slots.is_empty() {
            self.numbers.upload(bytemuck::cast_slice(&plan.slots));
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

/// Whether the first pass replaces the whole lamp texture, which need not be cleared then. Worth it on a processor.
fn replaces(canvas: Canvas<'_>, drawing: Drawing<'_>) -> bool {
    let first = drawing.plan.passes.first().filter(|first| first.rows == (0..canvas.lamps.rows));
    let program = first.and_then(|first| drawing.program(first));
    canvas.gpu.software() && program.is_some_and(|program| program.replaces)
}

/// Which share of a pass's rows these are.
fn share(rows: &Range<usize>, pass: &ScenePass) -> f64 {
    rows.len() as f64 / pass.rows.len().max(1) as f64
}

/// Uploads a pass's block without any weight and with the number of a part whose endless loops are asked for.
fn upload_silent(numbers: &UniformBuffer, plan: &FramePlan, pass: &ScenePass, part: f32) -> Range<usize> {
    let mut slots = plan.slots[pass.slots.clone()].to_vec();
    (slots[0][0], slots[0][2]) = (0.0, part);
    numbers.upload(bytemuck::cast_slice(&slots));
    0..slots.len()
}
