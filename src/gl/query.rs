//! Queries: what the GPU counts while it draws, asked for without waiting.
#![expect(unsafe_code, reason = "every GL call is unsafe")]

use super::GlError;
use super::counted::Counted;
use super::gpu::Gpu;
use crate::shading::fuse::Dialect;
use glow::HasContext as _;
use std::rc::Rc;

/// Tells how long draws took.
pub struct Timer {
    gl: Rc<glow::Context>,
    raw: glow::Query,
    /// A software driver draws tile after tile, all draws of a batch in each, and would time the whole batch.
    alone: bool,
    _counted: Counted,
}

impl Timer {
    /// A timer that has not run yet. `None` where the driver has none.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, GlError> {
        let gl = Rc::clone(gpu.gl());
        if gpu.dialect() == Dialect::Es300 && !gl.supported_extensions().contains("GL_EXT_disjoint_timer_query") {
            return Ok(None);
        }
        // SAFETY: the context is current.
        let raw = unsafe { gl.create_query() };
        let raw = raw.map_err(|reason| GlError::Refused { what: "query", reason })?;
        Ok(Some(Self { gl, raw, alone: gpu.software(), _counted: Counted::object() }))
    }

    /// Times what `draw` draws. An earlier time is lost.
    pub fn time(&self, draw: impl FnOnce()) {
        self.part();
        // SAFETY: the context is current and the query is alive; `end_query` follows on every path but a panic, after
        // which the context is thrown away.
        unsafe { self.gl.begin_query(glow::TIME_ELAPSED, self.raw) };
        draw();
        // SAFETY: as above; the query was begun.
        unsafe { self.gl.end_query(glow::TIME_ELAPSED) };
        self.part();
    }

    /// Ends the batch of draws.
    fn part(&self) {
        if self.alone {
            // SAFETY: the context is current.
            unsafe { self.gl.flush() };
        }
    }

    /// How long it took, seconds, once the GPU has got there.
    pub fn secs(&self) -> Option<f64> {
        // SAFETY: the context is current and the query was asked; the result is read only when it is there.
        let nanos = unsafe {
            let ready = self.gl.get_query_parameter_u32(self.raw, glow::QUERY_RESULT_AVAILABLE) != 0;
            ready.then(|| self.gl.get_query_parameter_u32(self.raw, glow::QUERY_RESULT))
        };
        nanos.map(|nanos| f64::from(nanos) * 1e-9)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: the context is current on the only thread that can hold this, and the query is ours.
        unsafe { self.gl.delete_query(self.raw) };
    }
}

/// Tells whether draws left any texel.
pub struct AnyTexel {
    gl: Rc<glow::Context>,
    raw: glow::Query,
    _counted: Counted,
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
        Ok(Self { gl: Rc::clone(gpu.gl()), raw, _counted: Counted::object() })
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
