//! Counts the GL objects of this process, so that a leak shows: each object holds a count from when it is made until it
//! is freed.
//!
//! On every thread with a context; the counts are the only state that these share. Deliberately absent: egui's own
//! objects, which egui counts.

use std::sync::atomic::{AtomicUsize, Ordering};

static OBJECTS: AtomicUsize = AtomicUsize::new(0);
static TEXTURES: AtomicUsize = AtomicUsize::new(0);

/// How many GL objects there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlObjects {
    /// Textures, framebuffers, programs, buffers, vertex arrays and queries.
    pub objects: usize,
    /// Textures alone.
    pub textures: usize,
}

/// What there is now.
pub fn gl_objects() -> GlObjects {
    GlObjects { objects: OBJECTS.load(Ordering::Relaxed), textures: TEXTURES.load(Ordering::Relaxed) }
}

/// Held by a GL object for as long as it lives.
pub(super) struct Counted {
    is_texture: bool,
}

impl Counted {
    pub(super) fn texture() -> Self {
        Self::new(true)
    }

    pub(super) fn object() -> Self {
        Self::new(false)
    }

    fn new(is_texture: bool) -> Self {
        OBJECTS.fetch_add(1, Ordering::Relaxed);
        TEXTURES.fetch_add(usize::from(is_texture), Ordering::Relaxed);
        Self { is_texture }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        OBJECTS.fetch_sub(1, Ordering::Relaxed);
        TEXTURES.fetch_sub(usize::from(self.is_texture), Ordering::Relaxed);
    }
}
