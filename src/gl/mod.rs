//! GL: a context without a window, and safe wrappers for what rendering needs of it.
//!
//! On the thread that made the context. Knows no model; the unsafe code of the program lives here.

pub mod context;
pub mod counted;
pub mod gpu;
pub mod query;
pub mod stage_painter;
mod stage_shaders;
pub mod texture;

use thiserror::Error;

/// Why there is no GL to render with.
#[derive(Debug, Error)]
pub enum GlError {
    /// No driver gave a context.
    #[error("no OpenGL 3.3 or OpenGL ES 3.0 here ({reason}); install a GL driver (Mesa: libegl1 and libgl1-mesa-dri)")]
    NoContext {
        /// What the last attempt said.
        reason: String,
    },
    /// The driver cannot render to half-float textures.
    #[error(
        "the GL driver `{renderer}` cannot render to half-float textures (EXT_color_buffer_half_float); use a newer one"
    )]
    NoHalfFloat {
        /// Its name.
        renderer: String,
    },
    /// The driver refused an object.
    #[error("the GL driver refused a {what}: {reason}")]
    Refused {
        /// Kind of object.
        what: &'static str,
        /// Its words.
        reason: String,
    },
}

/// Why the stage cannot be drawn.
#[derive(Debug, Error)]
pub enum StageError {
    /// The driver has no room for another object.
    #[error("the graphics driver gave no {what}: {cause}")]
    Object {
        /// What was asked for.
        what: &'static str,
        /// The driver's words.
        cause: String,
    },
    /// The driver does not take a shader of the stage.
    #[error("the graphics driver refuses the stage's {name} shader: {log}")]
    Shader {
        /// Which one.
        name: &'static str,
        /// The driver's words.
        log: String,
    },
    /// Neither half floats nor bytes can be drawn into.
    #[error("the graphics driver cannot draw into a texture")]
    Target,
}
