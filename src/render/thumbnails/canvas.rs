//! The canvas: a matrix of lamps in the proportions of a screen, or some of a rig's own lamps, drawn on by the scenes'
//! own programs.
//!
//! On the render thread. Its inputs are of the same kinds as a lamp map's, so that the driver compiles nothing anew.
//! Deliberately absent: whose turn it is.

use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, Program, UniformBuffer};
use crate::gl::texture::{Format, Size, Target, Texture};
use crate::model::layout::Frame;
use crate::model::palette::GRADIENT_STOPS;
use crate::render::compose::FramePlan;
use crate::render::lamp_map::{OUTSIDE, input_rows};
use crate::render::lamp_samples::Samples;
use crate::render::picture::encode_program;
use crate::render::programs::{BLOCK_BINDING, SAMPLERS, SceneProgram};
use crate::show::thumbnail::{HEIGHT, WIDTH};
use std::ops::Range;

/// Lamps along a side of what counts as one pixel of a fixture, so that single sparkles can be seen.
const GRAIN: usize = 3;
/// Rows of stops that the palette texture starts with.
const PALETTE_ROWS: usize = 8;

/// What programs read of the lamps of a picture, in the order of their texture units, but for the palette.
pub struct Inputs([Texture; SAMPLERS.len() - 1]);

/// What pictures are drawn on, whatever their lamps.
pub struct Canvas {
    palette: Texture,
    numbers: UniformBuffer,
    /// Slots of the plan that was begun.
    filled: usize,
    light: Target,
    bytes: Target,
    encode: Program,
}

impl Inputs {
    /// A matrix about as large as this frame.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn matrix(gpu: &Gpu, frame: &Frame) -> Result<Self, GlError> {
        let layout: Vec<[f32; 2]> = lamps(|x, y| [x, y]);
        let groups = strips(|column, _| [0.5, column, COLUMNS, 0.0]);
        let fixtures = strips(|column, _| [(column + 0.5) / COLUMNS, 0.5, column, COLUMNS]);
        let chains = strips(|column, strip| [strip, column, COLUMNS, 0.0]);
        Self::with(gpu, &layout, [&groups, &frame_texels(frame), &fixtures, &chains])
    }

    /// Lamps of a rig, row by row in the order of their samples.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn of_lamps(gpu: &Gpu, samples: &Samples) -> Result<Self, GlError> {
        let mut layout = samples.layout.clone();
        layout.resize(WIDTH * HEIGHT, OUTSIDE);
        let mut frame = samples.frame.to_vec();
        frame.resize(2 * input_rows(1), [0.0; 4]);
        let [groups, fixtures, chains] = [&samples.groups, &samples.fixtures, &samples.chains].map(|texels| {
            let mut texels = texels.clone();
            texels.resize(WIDTH * HEIGHT, [0.0; 4]);
            texels
        });
        Self::with(gpu, &layout, [&groups, &frame, &fixtures, &chains])
    }

    fn with(
        gpu: &Gpu,
        layout: &[[f32; 2]],
        [groups, frame, fixtures, chains]: [&[[f32; 4]]; 4],
    ) -> Result<Self, GlError> {
        let flat = Size::flat(WIDTH, HEIGHT);
        let layered = Size { layers: Some(1), ..flat };
        let floats = |size, texels: &[[f32; 4]]| Texture::new(gpu, Format::Rgba32F, size, Some(cast(texels)));
        Ok(Self([
            Texture::new(gpu, Format::Rg32F, layered, Some(bytemuck::cast_slice(layout)))?,
            floats(layered, groups)?,
            floats(Size::flat(2, input_rows(1)), frame)?,
            floats(flat, fixtures)?,
            floats(flat, chains)?,
        ]))
    }
}

impl Canvas {
    /// Nothing is drawn on it yet.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn new(gpu: &Gpu) -> Result<Self, GlError> {
        Ok(Self {
            palette: Texture::new(gpu, Format::Rgba32F, Size::flat(GRADIENT_STOPS, PALETTE_ROWS), None)?,
            numbers: gpu.uniform_buffer()?,
            filled: 0,
            light: Target::new(gpu, Format::Rgba16F, WIDTH, HEIGHT)?,
            bytes: Target::new(gpu, Format::Rgba8, WIDTH, HEIGHT)?,
            encode: encode_program(gpu)?,
        })
    }

    /// Begins with nothing lit.
    ///
    /// # Errors
    /// When the driver has no room for a larger palette.
    pub fn begin(&mut self, gpu: &Gpu, plan: &FramePlan) -> Result<(), GlError> {
        let rows = plan.palette.len();
        if rows > self.palette.size.height {
            let size = Size::flat(GRADIENT_STOPS, rows.next_power_of_two());
            self.palette = Texture::new(gpu, Format::Rgba32F, size, None)?;
        }
        if rows > 0 {
            self.palette.upload_rows(rows, bytemuck::cast_slice(&plan.palette));
        }
        self.numbers.upload(cast(&plan.slots));
        self.filled = plan.slots.len();
        gpu.begin(&self.light);
        Ok(())
    }

    /// Draws rows of what was begun, by a program that may replace or add.
    pub fn draw(&self, gpu: &Gpu, inputs: &Inputs, (program, mix): (&SceneProgram, Mix), rows: Range<usize>) {
        gpu.resume(&self.light);
        self.bind(inputs);
        self.numbers.bind(BLOCK_BINDING, 0..self.filled * 16);
        gpu.draw(&program.program, mix, WIDTH, rows);
        gpu.finish();
    }

    /// Lets programs read these lamps.
    pub fn bind(&self, inputs: &Inputs) {
        for (unit, texture) in (0..).zip(inputs.0.iter().chain([&self.palette])) {
            texture.bind(unit);
        }
    }

    /// Reads what was drawn: sRGB, top row first. `out` is `WIDTH * HEIGHT * 4` long.
    pub fn read(&self, gpu: &Gpu, out: &mut [u8]) {
        gpu.begin(&self.bytes);
        self.light.texture.bind(0);
        gpu.draw(&self.encode, Mix::Replace, WIDTH, 0..HEIGHT);
        gpu.read_rows(&self.bytes, 0, out);
    }
}

/// Pixels of a strip: each is a square of lamps.
const COLUMNS: f32 = (WIDTH / GRAIN) as f32;

fn cast(texels: &[[f32; 4]]) -> &[u8] {
    bytemuck::cast_slice(texels)
}

/// Calls `texel(x, y)` for every lamp, 0..=1, y up, in the order of the pixels: the top row first.
fn lamps<T>(texel: impl Fn(f32, f32) -> T) -> Vec<T> {
    let place = |texel: usize, last: usize| texel as f32 / last as f32;
    let lamps = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    lamps.map(|(column, row)| texel(place(column, WIDTH - 1), 1.0 - place(row, HEIGHT - 1))).collect()
}

/// Calls `texel(pixel, strip)` for every lamp. Every strip is a fixture and a chain of its own.
fn strips(texel: impl Fn(f32, f32) -> [f32; 4]) -> Vec<[f32; 4]> {
    let lamps = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column / GRAIN, row / GRAIN)));
    lamps.map(|(pixel, strip)| texel(pixel as f32, strip as f32)).collect()
}

/// Lowest corner; size and number of fixtures. The smallest frame of the right proportions around the given one.
fn frame_texels(frame: &Frame) -> Vec<[f32; 4]> {
    let [w, h, _] = frame.size();
    let ratio = WIDTH as f32 / HEIGHT as f32;
    let width = w.max(h * ratio).max(1e-3);
    let height = width / ratio;
    let middle: [f32; 3] = std::array::from_fn(|axis| (frame.min[axis] + frame.max[axis]) / 2.0);
    let low = [middle[0] - width / 2.0, middle[1] - height / 2.0, middle[2], 0.0];
    let mut texels = vec![low, [width, height, 0.0, (HEIGHT / GRAIN) as f32]];
    texels.resize(2 * input_rows(1), [0.0; 4]);
    texels
}
