//! Inputs: the textures that scenes' programs read, their names, formats and extents.
//!
//! Pure. The picture fills them from a lamp map; the compiler thread has empty ones of the same kind.

use super::gather::ROW;
use super::lamp_map::LampMap;
use crate::gl::texture::{Format, Size};
use crate::model::palette::GRADIENT_STOPS;

/// Input textures by sampler name, in the order of their texture units.
pub const SAMPLERS: [&str; 6] =
    ["glow_layout", "glow_groups", "glow_frames", "glow_fixtures", "glow_chains", "glow_palette"];

/// Rows of stops that the palette texture starts with; it grows to powers of two.
pub const PALETTE_ROWS: usize = 64;

/// What the inputs' extents depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputShape {
    /// Rows of the lamp texture.
    pub rows: usize,
    /// Layers of the lamp map.
    pub layers: usize,
}

impl InputShape {
    /// The inputs of a lamp map.
    pub fn of(map: &LampMap) -> Self {
        Self { rows: map.rows(), layers: map.layers.len() }
    }

    /// The least shape for which a software driver has the same code: it compiles anew for textures whose sides are
    /// powers of two, and for those whose are not.
    #[must_use]
    pub fn least(self) -> Self {
        let least = |side: usize| if side.is_power_of_two() { 1 } else { 3 };
        Self { rows: least(self.rows), layers: least(self.layers) }
    }

    /// Format and extent of the texture that a sampler reads.
    pub fn texture(self, sampler: usize) -> (Format, Size) {
        let Self { rows, layers } = self;
        let layered = Size { width: ROW, height: rows, layers: Some(layers) };
        match SAMPLERS[sampler] {
            "glow_layout" => (Format::Rg32F, layered),
            "glow_groups" => (Format::Rgba32F, layered),
            "glow_frames" => (Format::Rgba32F, Size::flat(2, layers)),
            "glow_palette" => (Format::Rgba32F, Size::flat(GRADIENT_STOPS, PALETTE_ROWS)),
            _ => (Format::Rgba32F, Size::flat(ROW, rows)),
        }
    }
}
