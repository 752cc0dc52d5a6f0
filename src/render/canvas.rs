//! The canvas: the lamp texture and what passes read when they are drawn into it.
//!
//! On the render thread. Knows no frame and no scene.

use super::gather::ROW;
use super::lamp_map::{LampMap, input_rows};
use super::pack::PackPass;
use super::programs::{BLOCK_BINDING, SAMPLERS, SceneProgram};
use super::renderer::Patched;
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, Program, UniformBuffer};
use crate::gl::texture::{Format, Size, Target, Texture};
use crate::model::scene::SceneBlend;
use crate::shading::fuse::FULL_TARGET_VERTEX;
use std::ops::Range;

/// The texture unit of a held scene, behind the inputs.
const HELD_UNIT: u32 = SAMPLERS.len() as u32;

/// Everything on the GPU that depends on the lamp map.
pub struct Lamps {
    /// How many.
    pub count: usize,
    /// Rows of the lamp texture.
    pub rows: usize,
    /// The lamp texture.
    pub target: Target,
    /// What programs read, as far as any does.
    pub inputs: [Option<Texture>; SAMPLERS.len()],
    /// From lamps to bytes.
    pub pack: PackPass,
    /// Universes of the frame.
    pub universes: usize,
    /// Made when somebody first looks.
    pub preview: Option<Target>,
}

/// What draws need.
#[derive(Clone, Copy)]
pub struct Canvas<'a> {
    /// The context.
    pub gpu: &'a Gpu,
    /// The lamp texture and its inputs.
    pub lamps: &'a Lamps,
    /// Gradients.
    pub palette: &'a Texture,
    /// Blocks.
    pub numbers: &'a UniformBuffer,
}

impl Lamps {
    /// The lamps of a map, with no inputs but their places.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn new(gpu: &Gpu, patched: &Patched) -> Result<Self, GlError> {
        let Patched { map, gather, runs, layout, .. } = patched;
        let size = Size { width: ROW, height: map.rows(), layers: Some(map.layers.len()) };
        let layout = Texture::new(gpu, Format::Rg32F, size, Some(bytemuck::cast_slice(layout)))?;
        let mut inputs: [Option<Texture>; SAMPLERS.len()] = Default::default();
        inputs[0] = Some(layout);
        let target = Target::new(gpu, Format::Rgba16F, ROW, map.rows())?;
        Ok(Self {
            count: map.lamps,
            rows: map.rows(),
            inputs,
            pack: PackPass::new(gpu, gather, runs, &target)?,
            target,
            universes: map.universes,
            preview: None,
        })
    }

    /// Uploads an input unless it is there.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn prepare_input(&mut self, gpu: &Gpu, sampler: usize, map: &LampMap) -> Result<(), GlError> {
        if self.inputs[sampler].is_none() {
            self.inputs[sampler] = input_texture(gpu, sampler, map)?;
        }
        Ok(())
    }
}

impl Canvas<'_> {
    /// Binds what programs read.
    pub fn bind_inputs(&self) {
        for (unit, texture) in (0..).zip(&self.lamps.inputs) {
            if let Some(texture) = texture {
                texture.bind(unit);
            }
        }
        self.palette.bind(SAMPLERS.len() as u32 - 1);
    }

    /// Draws that follow go into the lamp texture, which is cleared unless all of it is `replaced`.
    pub fn begin(&self, replaced: bool) {
        if replaced { self.gpu.resume(&self.lamps.target) } else { self.gpu.begin(&self.lamps.target) }
    }

    /// Draws rows of a scene's program with the block in these slots.
    pub fn draw(&self, program: &SceneProgram, slots: &Range<usize>, rows: &Range<usize>, mix: Mix) {
        self.numbers.bind(BLOCK_BINDING, slots.start * 16..slots.end * 16);
        self.gpu.draw(&program.program, mix, ROW, rows.start..rows.end.min(self.lamps.rows));
    }

    /// Mixes in rows of a held scene, by the weight in the first of these slots.
    pub fn mix_in(&self, program: &Program, held: &Texture, slots: &Range<usize>, rows: &Range<usize>, mix: Mix) {
        held.bind(HELD_UNIT);
        self.numbers.bind(BLOCK_BINDING, slots.start * 16..(slots.start + 1) * 16);
        self.gpu.draw(program, mix, ROW, rows.start..rows.end.min(self.lamps.rows));
    }
}

/// Links the program that [`Canvas::mix_in`] draws with.
///
/// # Errors
/// When the driver refuses it.
pub fn mix_program(gpu: &Gpu) -> Result<Program, GlError> {
    let recipe = gpu.recipe();
    let preamble = recipe.dialect.preamble();
    let block = "layout(std140) uniform GlowBlock { vec4 glow_block[1]; };\n";
    // See `shading::prelude` for why a processor samples.
    let texel = match recipe.software {
        true => "texture(glow_held, gl_FragCoord.xy / vec2(textureSize(glow_held, 0)))",
        false => "texelFetch(glow_held, ivec2(gl_FragCoord.xy), 0)",
    };
    let vertex = format!(
        "{preamble}{block}flat out float glow_weight;\n{FULL_TARGET_VERTEX}    glow_weight = glow_block[0].x;\n}}\n"
    );
    let fragment = format!(
        "{preamble}flat in float glow_weight;\nuniform sampler2D glow_held;\n\
         layout(location = 0) out vec4 glow_light;\nvoid main() {{\n    glow_light = {texel} * glow_weight;\n}}\n"
    );
    let refused = |reason| GlError::Refused { what: "program", reason };
    let program = gpu.program_from(&vertex, &fragment).map_err(refused)?;
    program.set_sampler("glow_held", HELD_UNIT);
    program.set_block("GlowBlock", BLOCK_BINDING);
    Ok(program)
}

/// Links a program of ours that covers its target.
///
/// # Errors
/// When the driver refuses it.
pub fn our_program(gpu: &Gpu, code: &str) -> Result<Program, GlError> {
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

fn input_texture(gpu: &Gpu, sampler: usize, map: &LampMap) -> Result<Option<Texture>, GlError> {
    let rows = map.rows();
    let layered = Size { width: ROW, height: rows, layers: Some(map.layers.len()) };
    let flat = Size::flat(ROW, rows);
    let texture = |format, size, texels: &[u8]| Texture::new(gpu, format, size, Some(texels)).map(Some);
    match SAMPLERS[sampler] {
        "glow_groups" => texture(Format::Rgba32F, layered, bytemuck::cast_slice(&map.group_texels())),
        "glow_frames" => {
            let size = Size::flat(2, input_rows(map.layers.len()));
            texture(Format::Rgba32F, size, bytemuck::cast_slice(&map.frame_texels()))
        }
        "glow_fixtures" => texture(Format::Rgba32F, flat, bytemuck::cast_slice(&map.fixture_texels())),
        "glow_chains" => texture(Format::Rgba32F, flat, bytemuck::cast_slice(&map.chain_texels())),
        _ => Ok(None),
    }
}
