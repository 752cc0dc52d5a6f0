//! Thumbnails: a scene or an effect alone, small, as it would light a matrix.
//!
//! Plain values that travel from the render thread to the interface, on any thread. Deliberately absent: how they are
//! drawn, and where an interface keeps them.

use crate::model::effect::{Selection, ShaderRef};
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
    /// The same on the real lamps of a layout that the project's scenes use; on the topology without one.
    Lamps(ShaderRef, Option<Selection>),
}

/// Where the lamps of a picture are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LampPlaces {
    /// 0..=1 over the layout's frame, x right, y up. As many as are drawn.
    pub positions: Vec<[f32; 2]>,
    /// The layout's frame, metres.
    pub size: [f32; 2],
    /// How many lamps the layout has; of a huge one not all are drawn.
    pub of: usize,
}

/// A thumbnail as it was drawn last.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// Of what.
    pub key: ThumbnailKey,
    /// RGBA, sRGB, opaque, top row first, [`WIDTH`] x [`HEIGHT`] x 4 bytes; of lamps, four bytes each in the order of
    /// their places. The same `Arc` while it looks the same.
    pub pixels: Arc<[u8]>,
    /// Where the lamps are, for a picture of lamps.
    pub lamps: Option<Arc<LampPlaces>>,
}
