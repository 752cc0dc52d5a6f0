//! Queries: what the GPU counts while it draws, asked for without waiting.
#![expect(unsafe_code, reason = "every GL call is unsafe")]

use super::GlError;
use super::gpu::Gpu;
use glow::HasContext as _;
use std::rc::Rc;

/// Tells whether draws left any texel.
pub struct AnyTexel {
    gl: Rc<glow::Context>,
    raw: glow::Query,
}

impl AnyTexel {
    /// A query that has not been asked yet.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn new(gpu: &Gpu) -> Result<Self, GlError> {
        // SAFETY: the context is current.
        let raw = unsafe { gpu.gl().create_query() };
        let raw = raw.map_err(|reason| GlError::Refused { what: "query", reason })?;
        Ok(Self { gl: Rc::clone(gpu.gl()), raw })
    }

    /// Asks about what `draw` draws. An earlier answer is lost.
    pub fn ask(&self, draw: impl FnOnce()) {
        // SAFETY: the context is current and the query is alive; `end_query` follows on every path but a panic, after
        // which the context is thrown away.
        unsafe { self.gl.begin_query(glow::ANY_SAMPLES_PASSED, self.raw) };
        draw();
        // SAFETY: as above; the query was begun.
        unsafe { self.gl.end_query(glow::ANY_SAMPLES_PASSED) };
    }

    /// The answer, once the GPU has got there.
    pub fn answer(&self) -> Option<bool> {
        // SAFETY: the context is current and the query was asked; the result is read only when it is there.
        unsafe {
            let ready = self.gl.get_query_parameter_u32(self.raw, glow::QUERY_RESULT_AVAILABLE) != 0;
            ready.then(|| self.gl.get_query_parameter_u32(self.raw, glow::QUERY_RESULT) != 0)
        }
    }
}

impl Drop for AnyTexel {
    fn drop(&mut self) {
        // SAFETY: the context is current on the only thread that can hold this, and the query is ours.
        unsafe { self.gl.delete_query(self.raw) };
    }
}
