//! Textures and the framebuffers that draw into them. Freed when dropped, on the context's thread.
#![expect(unsafe_code, reason = "every GL call is unsafe")]

use super::GlError;
use super::counted::Counted;
use super::gpu::Gpu;
use glow::{HasContext as _, PixelUnpackData};
use std::rc::Rc;

/// What a texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Four half floats: light.
    Rgba16F,
    /// Two floats: positions.
    Rg32F,
    /// Four floats: inputs, palettes.
    Rgba32F,
    /// Four whole numbers of 32 bits: the gather map.
    Rgba32Ui,
    /// Four bytes: DMX, or colours for a screen.
    Rgba8,
}

impl Format {
    fn gl(self) -> (i32, u32, u32) {
        match self {
            Self::Rgba16F => (glow::RGBA16F as i32, glow::RGBA, glow::HALF_FLOAT),
            Self::Rg32F => (glow::RG32F as i32, glow::RG, glow::FLOAT),
            Self::Rgba32F => (glow::RGBA32F as i32, glow::RGBA, glow::FLOAT),
            Self::Rgba32Ui => (glow::RGBA32UI as i32, glow::RGBA_INTEGER, glow::UNSIGNED_INT),
            Self::Rgba8 => (glow::RGBA8 as i32, glow::RGBA, glow::UNSIGNED_BYTE),
        }
    }

    /// Bytes of a texel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Rgba16F | Self::Rg32F => 8,
            Self::Rgba32F | Self::Rgba32Ui => 16,
            Self::Rgba8 => 4,
        }
    }
}

/// Extent of a texture in texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Texels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Layers of an array; `None` for a plain texture.
    pub layers: Option<usize>,
}

impl Size {
    /// A plain texture.
    pub fn flat(width: usize, height: usize) -> Self {
        Self { width, height, layers: None }
    }
}

/// A texture that is read by texel, never filtered.
pub struct Texture {
    gl: Rc<glow::Context>,
    raw: glow::Texture,
    target: u32,
    format: Format,
    /// Its extent.
    pub size: Size,
    _counted: Counted,
}

impl Texture {
    /// A texture with these texels, or with none defined. `texels` holds exactly `size` texels of `format`.
    ///
    /// # Errors
    /// When the driver has no room or the data has another length.
    pub fn new(gpu: &Gpu, format: Format, size: Size, texels: Option<&[u8]>) -> Result<Self, GlError> {
        let refused = |reason: String| GlError::Refused { what: "texture", reason };
        let expected = size.width * size.height * size.layers.unwrap_or(1) * format.bytes();
        if texels.is_some_and(|texels| texels.len() != expected) {
            return Err(refused(format!("{expected} bytes of texels are needed")));
        }
        let gl = Rc::clone(gpu.gl());
        let target = if size.layers.is_some() { glow::TEXTURE_2D_ARRAY } else { glow::TEXTURE_2D };
        // SAFETY: the context is current on this thread; the data is as long as format and size say.
        unsafe {
            let raw = gl.create_texture().map_err(refused)?;
            let texture = Self { gl, raw, target, format, size, _counted: Counted::texture() };
            let gl = &texture.gl;
            gl.bind_texture(target, Some(raw));
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
                (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_MAX_LEVEL, 0),
            ] {
                gl.tex_parameter_i32(target, name, value as i32);
            }
            let (internal, layout, kind) = format.gl();
            let (width, height) = (size.width as i32, size.height as i32);
            let data = PixelUnpackData::Slice(texels);
            match size.layers {
                Some(layers) => {
                    gl.tex_image_3d(target, 0, internal, width, height, layers as i32, 0, layout, kind, data);
                }
                None => gl.tex_image_2d(target, 0, internal, width, height, 0, layout, kind, data),
            }
            match gl.get_error() {
                glow::NO_ERROR => Ok(texture),
                code => Err(refused(format!("error {code:#x} for {width} x {height} texels"))),
            }
        }
    }

    /// Replaces the first `rows` rows. `texels` holds at least so many; fewer are not sent.
    pub fn upload_rows(&self, rows: usize, texels: &[u8]) {
        let needed = rows * self.size.width * self.format.bytes();
        let (true, Some(texels), None) = (rows <= self.size.height, texels.get(..needed), self.size.layers) else {
            return;
        };
        let (_, layout, kind) = self.format.gl();
        // SAFETY: the context is current, the region is inside the texture, the data is as long as the region.
        unsafe {
            self.gl.bind_texture(self.target, Some(self.raw));
            let (width, height) = (self.size.width as i32, rows as i32);
            let data = PixelUnpackData::Slice(Some(texels));
            self.gl.tex_sub_image_2d(self.target, 0, 0, 0, width, height, layout, kind, data);
        }
    }

    /// Binds it for drawing.
    pub fn bind(&self, unit: u32) {
        // SAFETY: the context is current and the texture is alive.
        unsafe {
            self.gl.active_texture(glow::TEXTURE0 + unit);
            self.gl.bind_texture(self.target, Some(self.raw));
        }
    }

    /// What its texels are.
    pub fn format(&self) -> Format {
        self.format
    }

    pub(super) fn raw(&self) -> glow::Texture {
        self.raw
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        // SAFETY: the context is current on the only thread that can hold this, and the texture is ours.
        unsafe { self.gl.delete_texture(self.raw) };
    }
}

/// A texture that can be drawn into and read back.
pub struct Target {
    /// What is drawn into.
    pub texture: Texture,
    framebuffer: glow::Framebuffer,
    _counted: Counted,
}

impl Target {
    /// A target of this size.
    ///
    /// # Errors
    /// When the driver cannot draw into such a texture.
    pub fn new(gpu: &Gpu, format: Format, width: usize, height: usize) -> Result<Self, GlError> {
        let refused = |reason: String| GlError::Refused { what: "render target", reason };
        let texture = Texture::new(gpu, format, Size::flat(width, height), None)?;
        // SAFETY: the context is current and the texture is alive.
        unsafe {
            let gl = gpu.gl();
            let framebuffer = gl.create_framebuffer().map_err(refused)?;
            let target = Self { texture, framebuffer, _counted: Counted::object() };
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let (point, raw) = (glow::COLOR_ATTACHMENT0, Some(target.texture.raw()));
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, point, glow::TEXTURE_2D, raw, 0);
            match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
                glow::FRAMEBUFFER_COMPLETE => Ok(target),
                code => Err(refused(format!("status {code:#x} for {width} x {height} texels"))),
            }
        }
    }

    pub(super) fn framebuffer(&self) -> glow::Framebuffer {
        self.framebuffer
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // SAFETY: the context is current on the only thread that can hold this, and the framebuffer is ours.
        unsafe { self.texture.gl.delete_framebuffer(self.framebuffer) };
    }
}
