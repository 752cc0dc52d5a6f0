//! Layouts: fixtures with positions of their own. The topology is the layout that holds all fixtures.

use super::id::{FixtureId, Item, LayoutId};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Farther from the origin than any installation, metres.
pub const FAR: f64 = 100_000.0;

/// Angles that a fixture may be turned by, degrees.
pub const ANGLES: RangeInclusive<f64> = -36_000.0..=36_000.0;

/// Scales that a fixture may have. Both ends are exact in single precision.
pub const SCALES: RangeInclusive<f64> = 0.000_976_562_5..=1024.0;

/// Where a fixture is in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Which one.
    pub fixture: FixtureId,
    /// Its origin, in metres.
    pub position: [f32; 3],
    /// Counter-clockwise about the z axis, in degrees.
    #[serde(default)]
    pub angle: f32,
    /// 1 is life size.
    #[serde(default = "life_size")]
    pub scale: f32,
}

fn life_size() -> f32 {
    1.0
}

impl Placement {
    /// A fixture at a position, upright and life size.
    pub fn at(fixture: FixtureId, position: [f32; 3]) -> Self {
        Self { fixture, position, angle: 0.0, scale: 1.0 }
    }

    /// A point of the fixture in the layout: scaled, turned, moved. Metres.
    pub fn layout_from_fixture(&self, point: [f32; 3]) -> [f32; 3] {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let [x, y, z] = point.map(|axis| axis * self.scale);
        let [px, py, pz] = self.position;
        [px + x * cos - y * sin, py + x * sin + y * cos, pz + z]
    }
}

/// The box that effects stretch over, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Lowest corner.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
}

impl Frame {
    /// The smallest box around the points; a unit box around none.
    pub fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Self {
        let empty = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };
        let frame = points.into_iter().fold(empty, |frame, point| Self {
            min: std::array::from_fn(|axis| frame.min[axis].min(point[axis])),
            max: std::array::from_fn(|axis| frame.max[axis].max(point[axis])),
        });
        if frame.min[0] <= frame.max[0] { frame } else { Self { min: [0.0; 3], max: [1.0; 3] } }
    }

    /// Size of the box, metres; a side without extent counts as nothing.
    pub fn size(&self) -> [f32; 3] {
        std::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }

    /// A point as 0..=1 over the box; 0.5 along a side without extent.
    pub fn unit_from_metres(&self, point: [f32; 3]) -> [f32; 3] {
        let size = self.size();
        std::array::from_fn(|axis| if size[axis] > 1e-6 { (point[axis] - self.min[axis]) / size[axis] } else { 0.5 })
    }
}

/// A subset of the fixtures with their own positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Stable id.
    pub id: LayoutId,
    /// What the operator calls it.
    pub name: String,
    /// Each fixture at most once.
    pub placements: Vec<Placement>,
    /// The box that effects stretch over; the smallest one around all lamps without one.
    pub frame: Option<Frame>,
}

impl Item for Layout {
    type Id = LayoutId;

    fn id(&self) -> LayoutId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_scales_turns_and_moves() {
        let placement = Placement { fixture: FixtureId(1), position: [10.0, 0.0, 1.0], angle: 90.0, scale: 2.0 };
        let [x, y, z] = placement.layout_from_fixture([1.0, 0.0, 0.5]);
        assert!((x - 10.0).abs() < 1e-5 && (y - 2.0).abs() < 1e-5 && (z - 2.0).abs() < 1e-5);
    }

    #[test]
    fn a_flat_frame_has_its_lamps_in_the_middle() {
        let frame = Frame::around([[0.0, 5.0, 0.0], [2.0, 5.0, 0.0]]);
        assert_eq!(frame.unit_from_metres([2.0, 5.0, 0.0]), [1.0, 0.5, 0.5]);
        assert_eq!(Frame::around([]).size(), [1.0; 3]);
    }
}
