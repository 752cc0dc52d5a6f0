//! A GL context of its own, without a window or a display, through EGL.
//!
//! Runs on the thread that will draw, which is the only one that may use it. Devices with hardware come first, then
//! software. Deliberately absent: Windows without ANGLE and macOS, which need a context of their own kind here.
#![expect(unsafe_code, reason = "EGL is reached through unsafe functions")]

use super::GlError;
use crate::shading::fuse::Dialect;
use glow::HasContext as _;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, Robustness, Version};
use glutin::prelude::*;
use std::rc::Rc;

/// A context that is current on this thread for as long as it lives.
pub struct GlContext {
    /// The functions. Objects made from it keep a share, so that they can be freed.
    pub gl: Rc<glow::Context>,
    /// Which GLSL it takes.
    pub dialect: Dialect,
    /// The driver's own name for what draws.
    pub renderer: String,
    /// Whether the CPU draws.
    pub software: bool,
    /// Held so that the context lives; it is freed when the thread drops it.
    _current: PossiblyCurrentContext,
}

impl GlContext {
    /// Makes a context current on this thread: of the dialect that is asked for, else desktop GL, else GL ES.
    ///
    /// # Errors
    /// When no driver gives one.
    pub fn create(dialect: Option<Dialect>) -> Result<Self, GlError> {
        let mut devices: Vec<Device> = Device::query_devices().map_err(no_context)?.collect();
        devices.sort_by_key(is_software);
        let mut reason = String::from("EGL lists no device");
        for device in &devices {
            for wanted in [Dialect::Core330, Dialect::Es300] {
                if dialect.is_some_and(|dialect| dialect != wanted) {
                    continue;
                }
                // Only a context that asks for it is told when the hardware was reset. A CPU is never reset, and its
                // robust shaders would be slower.
                let robust = !is_software(device);
                let made = Self::on_device(device, wanted, robust);
                match if robust { made.or_else(|_| Self::on_device(device, wanted, false)) } else { made } {
                    Ok(context) => return Ok(context),
                    Err(error) => reason = error.to_string(),
                }
            }
        }
        Err(GlError::NoContext { reason })
    }

    fn on_device(device: &Device, dialect: Dialect, robust: bool) -> Result<Self, GlError> {
        // SAFETY: no raw display is passed that could become invalid.
        let display = unsafe { Display::with_device(device, None) }.map_err(no_context)?;
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        // SAFETY: the template refers to no native window.
        let config = unsafe { display.find_configs(template) }.map_err(no_context)?.next();
        let config = config.ok_or_else(|| no_context("no configuration"))?;
        // SAFETY: the attributes refer to no native window, and display and config are of this device.
        let context = unsafe { display.create_context(&config, &attributes(dialect, robust)) }.map_err(no_context)?;
        let current = context.make_current_surfaceless().map_err(no_context)?;
        // SAFETY: the functions are loaded from the display whose context is current on this thread.
        let gl = unsafe { glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name)) };
        // SAFETY: the context is current.
        let renderer = unsafe { gl.get_parameter_string(glow::RENDERER) };
        let half_float = dialect == Dialect::Core330
            || ["GL_EXT_color_buffer_float", "GL_EXT_color_buffer_half_float"]
                .iter()
                .any(|name| gl.supported_extensions().contains(*name))
            || (gl.version().major, gl.version().minor) >= (3, 2);
        if !half_float {
            return Err(GlError::NoHalfFloat { renderer });
        }
        let software = ["llvmpipe", "softpipe", "SwiftShader"].iter().any(|name| renderer.contains(name));
        Ok(Self { gl: Rc::new(gl), dialect, renderer, software, _current: current })
    }
}

fn is_software(device: &Device) -> bool {
    device.extensions().contains("EGL_MESA_device_software")
}

fn attributes(dialect: Dialect, robust: bool) -> ContextAttributes {
    let robustness = if robust { Robustness::RobustLoseContextOnReset } else { Robustness::NotRobust };
    let builder = ContextAttributesBuilder::new().with_robustness(robustness);
    match dialect {
        Dialect::Core330 => builder
            .with_profile(GlProfile::Core)
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(None),
        Dialect::Es300 => builder.with_context_api(ContextApi::Gles(Some(Version::new(3, 0)))).build(None),
    }
}

fn no_context(reason: impl ToString) -> GlError {
    GlError::NoContext { reason: reason.to_string() }
}
