//! Thumbnails: a scene or an effect alone, small, as it would light a matrix.
//!
//! Plain values that travel from the render thread to the interface, on any thread. Deliberately absent: how they are
//! drawn, and where an interface keeps them.

use crate::model::effect::ShaderRef;
use crate::model::id::SceneId;
use std::sync::Arc;

/// Pixels of a row.
pub const WIDTH: usize = 96;
/// Rows.
pub const HEIGHT: usize = 54;

/// What a thumbnail shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThumbnailKey {
    /// A scene at full weight: faders, fades, master and blackout are ignored.
    Scene(SceneId),
    /// An effect with the defaults of its header, in the project's palette.
    Effect(ShaderRef),
}

/// A thumbnail as it was drawn last.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// Of what.
    pub key: ThumbnailKey,
    /// RGBA, sRGB, opaque, top row first, [`WIDTH`] x [`HEIGHT`] x 4 bytes. The same `Arc` while it looks the same.
    pub pixels: Arc<[u8]>,
}
