//! Programs, buffers and draws: the few GL calls that rendering needs, safe to use on the context's thread.
#![expect(unsafe_code, reason = "every GL call is unsafe")]

use super::GlError;
use super::context::GlContext;
use super::counted::Counted;
use super::texture::{Format, Target};
use crate::shading::fuse::{Dialect, FULL_TARGET_VERTEX, Recipe};
use glow::HasContext as _;
use std::ops::Range;
use std::rc::Rc;

/// A context with the state that all draws share.
pub struct Gpu {
    context: GlContext,
    vertices: glow::VertexArray,
    /// Distance that starts of uniform ranges must keep, bytes.
    pub block_alignment: usize,
    _counted: Counted,
}

/// How a draw meets what is in the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Replaces it.
    Replace,
    /// Adds.
    Add,
    /// The greater of each component.
    Max,
    /// Covers it by its alpha; its colour is multiplied by alpha already.
    Over,
}

/// A linked program.
pub struct Program {
    gl: Rc<glow::Context>,
    raw: glow::Program,
    _counted: Counted,
}

/// Numbers for programs' blocks.
pub struct UniformBuffer {
    gl: Rc<glow::Context>,
    raw: glow::Buffer,
    _counted: Counted,
}

impl Gpu {
    /// Prepares a context for drawing.
    ///
    /// # Errors
    /// When there is no context or it refuses a vertex array.
    pub fn new(dialect: Option<Dialect>) -> Result<Self, GlError> {
        let context = GlContext::create(dialect)?;
        let gl = &context.gl;
        // SAFETY: the context is current.
        let (vertices, alignment) = unsafe {
            let vertices = gl.create_vertex_array();
            let vertices = vertices.map_err(|reason| GlError::Refused { what: "vertex array", reason })?;
            // A core context draws nothing without a bound vertex array, even where no vertex is read.
            gl.bind_vertex_array(Some(vertices));
            gl.disable(glow::DITHER);
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            (vertices, gl.get_parameter_i32(glow::UNIFORM_BUFFER_OFFSET_ALIGNMENT))
        };
        Ok(Self { vertices, block_alignment: alignment.max(16) as usize, context, _counted: Counted::object() })
    }

    /// Takes the ways that are for a GPU, whatever draws: so that they can be tested where there is none.
    #[must_use]
    pub fn as_if_hardware(mut self) -> Self {
        self.context.software = false;
        self
    }

    pub(super) fn gl(&self) -> &Rc<glow::Context> {
        &self.context.gl
    }

    /// Which GLSL the context takes.
    pub fn dialect(&self) -> Dialect {
        self.context.dialect
    }

    /// How scenes' programs are written for it.
    pub fn recipe(&self) -> Recipe {
        Recipe { dialect: self.context.dialect, software: self.context.software }
    }

    /// The driver's own name for what draws.
    pub fn renderer(&self) -> &str {
        &self.context.renderer
    }

    /// Whether the CPU draws.
    pub fn software(&self) -> bool {
        self.context.software
    }

    /// Compiles a fragment shader that covers its whole target.
    ///
    /// # Errors
    /// The driver's log.
    pub fn program(&self, fragment: &str) -> Result<Program, String> {
        self.program_from(&format!("{}{FULL_TARGET_VERTEX}}}\n", self.dialect().preamble()), fragment)
    }

    /// Compiles both shaders of a program whose vertex shader covers the whole target.
    ///
    /// # Errors
    /// The driver's log.
    pub fn program_from(&self, vertex: &str, fragment: &str) -> Result<Program, String> {
        let gl = self.gl();
        // SAFETY: the context is current; `program` and each shader are freed on every path.
        unsafe {
            let program = Program { gl: Rc::clone(gl), raw: gl.create_program()?, _counted: Counted::object() };
            for (kind, source) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, source);
                gl.compile_shader(shader);
                let compiled = gl.get_shader_compile_status(shader);
                let log = if compiled { String::new() } else { gl.get_shader_info_log(shader) };
                gl.attach_shader(program.raw, shader);
                gl.delete_shader(shader);
                if !compiled {
                    return Err(log);
                }
            }
            gl.link_program(program.raw);
            if !gl.get_program_link_status(program.raw) {
                return Err(gl.get_program_info_log(program.raw));
            }
            Ok(program)
        }
    }

    /// Clears a target to nothing. Draws that follow go into it.
    pub fn begin(&self, target: &Target) {
        self.resume(target);
        // SAFETY: the context is current and the target is alive.
        unsafe {
            let gl = self.gl();
            gl.disable(glow::SCISSOR_TEST);
            gl.clear_color(0.0, 0.0, 0.0, 0.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
        }
    }

    /// Draws that follow go into a target over what is there.
    pub fn resume(&self, target: &Target) {
        let (width, height) = (target.texture.size.width as i32, target.texture.size.height as i32);
        // SAFETY: the context is current and the target is alive.
        unsafe {
            let gl = self.gl();
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer()));
            gl.viewport(0, 0, width, height);
        }
    }

    /// Draws a program over rows of the target that [`Self::begin`] or [`Self::resume`] named, `width` texels wide.
    pub fn draw(&self, program: &Program, mix: Mix, width: usize, rows: Range<usize>) {
        // SAFETY: the context is current, the program is alive, and no vertex data is read.
        unsafe {
            let gl = self.gl();
            match mix {
                Mix::Replace => gl.disable(glow::BLEND),
                Mix::Add | Mix::Max | Mix::Over => gl.enable(glow::BLEND),
            }
            gl.blend_equation(if mix == Mix::Max { glow::MAX } else { glow::FUNC_ADD });
            gl.blend_func(glow::ONE, if mix == Mix::Over { glow::ONE_MINUS_SRC_ALPHA } else { glow::ONE });
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(0, rows.start as i32, width as i32, rows.len() as i32);
            gl.use_program(Some(program.raw));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
        }
    }

    /// Reads rows of a target of bytes from `first` on, as many whole ones as `out` holds.
    pub fn read_rows(&self, target: &Target, first: usize, out: &mut [u8]) {
        let size = target.texture.size;
        let rows = (out.len() / (size.width * 4)).min(size.height.saturating_sub(first));
        let out = &mut out[..rows * size.width * 4];
        if rows == 0 || target.texture.format() != Format::Rgba8 {
            return;
        }
        // SAFETY: the context is current, the region is inside the target, `out` is as long as the region.
        unsafe {
            let gl = self.gl();
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer()));
            let pixels = glow::PixelPackData::Slice(Some(out));
            gl.read_pixels(0, first as i32, size.width as i32, rows as i32, glow::RGBA, glow::UNSIGNED_BYTE, pixels);
        }
    }

    /// Whether [`Self::read_halves`] reads this target. Desktop GL always does, GL ES where the driver says so.
    pub fn reads_halves(&self, target: &Target) -> bool {
        if target.texture.format() != Format::Rgba16F || self.dialect() == Dialect::Core330 {
            return target.texture.format() == Format::Rgba16F;
        }
        // SAFETY: the context is current and the target is alive.
        unsafe {
            let gl = self.gl();
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer()));
            gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_FORMAT) == glow::RGBA as i32
                && gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_TYPE) == glow::HALF_FLOAT as i32
        }
    }

    /// Reads rows of a target of half floats. `out` is at least as many texels long; nothing is read else.
    pub fn read_halves(&self, target: &Target, rows: Range<usize>, out: &mut [[u16; 4]]) {
        let size = target.texture.size;
        let out = out.get_mut(..rows.len() * size.width);
        let (true, Some(out)) = (rows.end <= size.height && target.texture.format() == Format::Rgba16F, out) else {
            return;
        };
        // SAFETY: the context is current, the region is inside the target, `out` is as long as the region.
        unsafe {
            let gl = self.gl();
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer()));
            let pixels = glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(out)));
            let (first, width, rows) = (rows.start as i32, size.width as i32, rows.len() as i32);
            gl.read_pixels(0, first, width, rows, glow::RGBA, glow::HALF_FLOAT, pixels);
        }
    }

    /// A buffer for programs' blocks.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn uniform_buffer(&self) -> Result<UniformBuffer, GlError> {
        // SAFETY: the context is current.
        let raw = unsafe { self.gl().create_buffer() };
        let raw = raw.map_err(|reason| GlError::Refused { what: "buffer", reason })?;
        Ok(UniformBuffer { gl: Rc::clone(self.gl()), raw, _counted: Counted::object() })
    }

    /// Whether the driver has lost the context (KHR_robustness, GL_CONTEXT_LOST).
    pub fn lost(&self) -> bool {
        const CONTEXT_LOST: u32 = 0x0507;
        // SAFETY: the context is current.
        unsafe { self.gl().get_error() == CONTEXT_LOST }
    }

    /// Waits until everything is drawn; only for measuring.
    pub fn finish(&self) {
        // SAFETY: the context is current.
        unsafe { self.gl().finish() };
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: the context is still current, it is dropped after this.
        unsafe { self.gl().delete_vertex_array(self.vertices) };
    }
}

impl Program {
    /// Whether the program reads this uniform; the driver leaves out what has no effect.
    pub fn reads(&self, uniform: &str) -> bool {
        // SAFETY: the context is current and the program is alive.
        unsafe { self.gl.get_uniform_location(self.raw, uniform).is_some() }
    }

    /// Says which texture unit a sampler reads; one that is not read is passed over.
    pub fn set_sampler(&self, uniform: &str, unit: u32) {
        self.set_int(uniform, unit as i32);
    }

    /// Sets a whole number; one that is not read is passed over.
    pub fn set_int(&self, uniform: &str, value: i32) {
        // SAFETY: the context is current and the program is alive.
        unsafe {
            let location = self.gl.get_uniform_location(self.raw, uniform);
            self.gl.use_program(Some(self.raw));
            self.gl.uniform_1_i32(location.as_ref(), value);
        }
    }

    /// Says which binding a block reads; one that is not read is passed over.
    pub fn set_block(&self, block: &str, binding: u32) {
        // SAFETY: the context is current and the program is alive.
        unsafe {
            if let Some(index) = self.gl.get_uniform_block_index(self.raw, block) {
                self.gl.uniform_block_binding(self.raw, index, binding);
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the context is current on the only thread that can hold this, and the program is ours.
        unsafe { self.gl.delete_program(self.raw) };
    }
}

impl UniformBuffer {
    /// Replaces the contents.
    pub fn upload(&self, bytes: &[u8]) {
        // SAFETY: the context is current and the buffer is alive.
        unsafe {
            self.gl.bind_buffer(glow::UNIFORM_BUFFER, Some(self.raw));
            self.gl.buffer_data_u8_slice(glow::UNIFORM_BUFFER, bytes, glow::STREAM_DRAW);
        }
    }

    /// Lets a binding see a range, which lies inside what was uploaded and starts at a multiple of the alignment.
    pub fn bind(&self, binding: u32, range: Range<usize>) {
        // SAFETY: the context is current and the buffer is alive; GL checks the range itself.
        unsafe {
            let (start, length) = (range.start as i32, range.len() as i32);
            self.gl.bind_buffer_range(glow::UNIFORM_BUFFER, binding, Some(self.raw), start, length);
        }
    }
}

impl Drop for UniformBuffer {
    fn drop(&mut self) {
        // SAFETY: the context is current on the only thread that can hold this, and the buffer is ours.
        unsafe { self.gl.delete_buffer(self.raw) };
    }
}
