//! Fixture definitions: where a fixture's pixels are, what channels a pixel has, and how modes group pixels.

use super::id::{DefinitionId, FixtureId, Item, ModeId};
use super::light::LightResponse;
use super::supply::Current;
use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

/// What one DMX channel of a pixel carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Channel {
    /// Red, or its high byte where `RedFine` follows.
    Red,
    /// Green, or its high byte.
    Green,
    /// Blue, or its high byte.
    Blue,
    /// White, taken out of the colour in linear light; or its high byte.
    White,
    /// Low byte of red.
    RedFine,
    /// Low byte of green.
    GreenFine,
    /// Low byte of blue.
    BlueFine,
    /// Low byte of white.
    WhiteFine,
    /// Warm white, its share of the white that is taken out of the colour; or its high byte.
    WarmWhite,
    /// Low byte of warm white.
    WarmWhiteFine,
    /// Cool white, its share of the white that is taken out of the colour; or its high byte.
    CoolWhite,
    /// Low byte of cool white.
    CoolWhiteFine,
    /// Amber, taken out of red and green in linear light; or its high byte.
    Amber,
    /// Low byte of amber.
    AmberFine,
    /// Ultraviolet: a picture of red, green and blue says nothing about it, so it stays dark; or its high byte.
    Uv,
    /// Low byte of ultraviolet.
    UvFine,
    /// Always this value: a dimmer held open.
    Constant(u8),
}

/// What a channel drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Emitter {
    /// Red LEDs.
    Red,
    /// Green LEDs.
    Green,
    /// Blue LEDs.
    Blue,
    /// White LEDs of whatever colour temperature.
    White,
    /// Warm white LEDs.
    WarmWhite,
    /// Cool white LEDs.
    CoolWhite,
    /// Amber LEDs.
    Amber,
    /// Ultraviolet LEDs.
    Uv,
}

impl Channel {
    /// What it drives, and whether it is only the low byte of that. `None` for a constant.
    pub fn emitter(self) -> Option<(Emitter, bool)> {
        Some(match self {
            Self::Red => (Emitter::Red, false),
            Self::RedFine => (Emitter::Red, true),
            Self::Green => (Emitter::Green, false),
            Self::GreenFine => (Emitter::Green, true),
            Self::Blue => (Emitter::Blue, false),
            Self::BlueFine => (Emitter::Blue, true),
            Self::White => (Emitter::White, false),
            Self::WhiteFine => (Emitter::White, true),
            Self::WarmWhite => (Emitter::WarmWhite, false),
            Self::WarmWhiteFine => (Emitter::WarmWhite, true),
            Self::CoolWhite => (Emitter::CoolWhite, false),
            Self::CoolWhiteFine => (Emitter::CoolWhite, true),
            Self::Amber => (Emitter::Amber, false),
            Self::AmberFine => (Emitter::Amber, true),
            Self::Uv => (Emitter::Uv, false),
            Self::UvFine => (Emitter::Uv, true),
            Self::Constant(_) => return None,
        })
    }
}

/// Where the pixels of a fixture are, in metres around the fixture's own origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Pixels {
    /// A straight line along x, centred.
    Strip {
        /// How many.
        count: u32,
        /// From the first to the last pixel.
        length: f32,
    },
    /// A circle, counter-clockwise.
    Ring {
        /// How many.
        count: u32,
        /// From the centre to a pixel.
        radius: f32,
        /// Where the first pixel is, in degrees from the x axis.
        #[serde(default)]
        start: f32,
    },
    /// Rows from the top, each from the left; centred.
    Grid {
        /// Pixels in a row.
        columns: u32,
        /// How many rows.
        rows: u32,
        /// From one pixel to the next.
        pitch: f32,
        /// Whether every other row runs back.
        #[serde(default)]
        serpentine: bool,
    },
    /// Spread evenly along a line of straight pieces.
    Polyline {
        /// How many.
        count: u32,
        /// The line's corners.
        corners: Vec<[f32; 3]>,
    },
}

/// The most pixels one fixture may have.
pub const MAX_FIXTURE_PIXELS: u32 = 1 << 20;

/// The most lamps one project may have: 8192 universes of 170 RGB lamps, and a few.
pub const MAX_LAMPS: u32 = 1_400_000;

impl Pixels {
    /// How many pixels there are.
    pub fn count(&self) -> u32 {
        match self {
            Self::Strip { count, .. } | Self::Ring { count, .. } | Self::Polyline { count, .. } => *count,
            Self::Grid { columns, rows, .. } => columns.saturating_mul(*rows),
        }
    }

    /// Positions in data order, metres. `len = count()`.
    pub fn positions(&self) -> Vec<[f32; 3]> {
        self.positions_of(0..self.count())
    }

    /// Positions of some pixels, which rise, metres: a drawing of a million pixels needs few of them.
    pub fn positions_of(&self, pixels: impl Iterator<Item = u32>) -> Vec<[f32; 3]> {
        match self {
            Self::Strip { count, length } => pixels.map(|i| [(along(i, *count) - 0.5) * length, 0.0, 0.0]).collect(),
            Self::Ring { count, radius, start } => pixels
                .map(|i| {
                    let angle = start.to_radians() + TAU * i as f32 / *count as f32;
                    [radius * angle.cos(), radius * angle.sin(), 0.0]
                })
                .collect(),
            Self::Grid { columns, rows, pitch, serpentine } => pixels
                .map(|pixel| {
                    let (row, i) = (pixel / columns, pixel % columns);
                    let column = if *serpentine && row % 2 == 1 { columns - 1 - i } else { i };
                    let x = (column as f32 - (*columns as f32 - 1.0) / 2.0) * pitch;
                    let y = ((*rows as f32 - 1.0) / 2.0 - row as f32) * pitch;
                    [x, y, 0.0]
                })
                .collect(),
            Self::Polyline { count, corners } => polyline(*count, corners, pixels),
        }
    }
}

/// 0..=1 from the first to the last of `count`; a single one sits in the middle.
fn along(index: u32, count: u32) -> f32 {
    if count > 1 { index as f32 / (count - 1) as f32 } else { 0.5 }
}

fn polyline(count: u32, corners: &[[f32; 3]], pixels: impl Iterator<Item = u32>) -> Vec<[f32; 3]> {
    let distance = |a: [f32; 3], b: [f32; 3]| (0..3).map(|i| (b[i] - a[i]).powi(2)).sum::<f32>().sqrt();
    let lengths: Vec<f32> = corners.windows(2).map(|pair| distance(pair[0], pair[1])).collect();
    let total: f32 = lengths.iter().sum();
    let mut piece = 0;
    let mut before = 0.0;
    pixels
        .map(|index| {
            let target = along(index, count) * total;
            while piece + 1 < lengths.len() && before + lengths[piece] < target {
                before += lengths[piece];
                piece += 1;
            }
            let (Some(from), Some(to)) = (corners.get(piece), corners.get(piece + 1)) else {
                return corners.first().copied().unwrap_or_default();
            };
            let share = if lengths[piece] > 0.0 { (target - before) / lengths[piece] } else { 0.0 };
            std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share)
        })
        .collect()
}

/// How a mode groups the pixels of a fixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Grouping {
    /// All pixels are one group.
    Whole,
    /// Runs of this many pixels.
    Every(u32),
    /// Lists of pixels by index; a pixel in none is a group of its own.
    Groups(Vec<Vec<u32>>),
}

/// A partition of the pixels into groups that share one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Stable id, unique within its definition.
    pub id: ModeId,
    /// What the operator calls it.
    pub name: String,
    /// Which pixels share a colour.
    pub grouping: Grouping,
}

impl Mode {
    /// The group of each pixel, counted from 0 without gaps in order of first pixels, and how many there are.
    pub fn groups(&self, pixels: u32) -> (Vec<u32>, u32) {
        let mut group = match &self.grouping {
            Grouping::Whole => vec![0; pixels as usize],
            Grouping::Every(run) => (0..pixels).map(|pixel| pixel / (*run).max(1)).collect(),
            Grouping::Groups(groups) => {
                let mut group: Vec<u32> = (0..pixels).map(|pixel| groups.len() as u32 + pixel).collect();
                for (index, members) in groups.iter().enumerate() {
                    for pixel in members {
                        if let Some(slot) = group.get_mut(*pixel as usize) {
                            *slot = index as u32;
                        }
                    }
                }
                group
            }
        };
        let mut numbers = std::collections::HashMap::new();
        for slot in &mut group {
            let next = numbers.len() as u32;
            *slot = *numbers.entry(*slot).or_insert(next);
        }
        (group, numbers.len() as u32)
    }
}

/// One kind of lamp fixture.
#[derive(Clone, Debug, PartialEq)]
pub struct FixtureDefinition {
    /// Stable id.
    pub id: DefinitionId,
    /// What the operator calls it.
    pub name: String,
    /// Where its pixels are.
    pub pixels: Pixels,
    /// What each pixel's channels carry, in their order; never empty. Modes do not change it.
    pub channels: Vec<Channel>,
    /// How its lamps are driven for a wanted light.
    pub light: LightResponse,
    /// What a pixel draws.
    pub current: Current,
    /// Ways to light it besides pixel by pixel, which always exists.
    pub modes: Vec<Mode>,
}

impl FixtureDefinition {
    /// One of its modes.
    pub fn mode(&self, id: ModeId) -> Option<&Mode> {
        self.modes.iter().find(|mode| mode.id == id)
    }

    /// Red, green, blue: what most strips take.
    pub fn rgb() -> Vec<Channel> {
        vec![Channel::Red, Channel::Green, Channel::Blue]
    }
}

impl Item for FixtureDefinition {
    type Id = DefinitionId;

    fn id(&self) -> DefinitionId {
        self.id
    }
}

/// A fixture that exists: one piece of hardware. Where it hangs, a layout says; its addresses, a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// Stable id.
    pub id: FixtureId,
    /// What the operator calls it.
    pub name: String,
    /// What kind it is.
    pub definition: DefinitionId,
}

impl Item for Fixture {
    type Id = FixtureId;

    fn id(&self) -> FixtureId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pixels: Pixels, expected: &[[f32; 3]]) {
        let positions = pixels.positions();
        assert_eq!(positions.len(), expected.len());
        for (position, expected) in positions.iter().zip(expected) {
            for axis in 0..3 {
                assert!((position[axis] - expected[axis]).abs() < 1e-5, "{positions:?}");
            }
        }
    }

    #[test]
    fn generators_place_pixels_in_data_order() {
        let strip = Pixels::Strip { count: 3, length: 2.0 };
        check(strip, &[[-1.0, 0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0]]);
        let ring = Pixels::Ring { count: 4, radius: 1.0, start: 90.0 };
        check(ring, &[[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]);
        let grid = Pixels::Grid { columns: 2, rows: 2, pitch: 1.0, serpentine: true };
        check(grid, &[[-0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, -0.5, 0.0], [-0.5, -0.5, 0.0]]);
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 3.0]];
        let line = Pixels::Polyline { count: 5, corners };
        check(line, &[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, 2.0], [1.0, 0.0, 3.0]]);
    }

    #[test]
    fn some_pixels_are_where_they_are_among_all() {
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0, 2.0, 1.0]];
        for pixels in [
            Pixels::Strip { count: 21, length: 2.0 },
            Pixels::Ring { count: 21, radius: 1.0, start: 45.0 },
            Pixels::Grid { columns: 7, rows: 3, pitch: 0.1, serpentine: true },
            Pixels::Polyline { count: 21, corners },
        ] {
            let all = pixels.positions();
            let some: Vec<_> = all.iter().copied().step_by(4).collect();
            assert_eq!(pixels.positions_of((0..21).step_by(4)), some);
        }
    }

    #[test]
    fn odd_generators_place_something_finite() {
        check(Pixels::Strip { count: 1, length: 2.0 }, &[[0.0; 3]]);
        check(Pixels::Polyline { count: 2, corners: vec![] }, &[[0.0; 3]; 2]);
        check(Pixels::Polyline { count: 2, corners: vec![[1.0; 3]; 3] }, &[[1.0; 3]; 2]);
        check(Pixels::Grid { columns: 0, rows: 9, pitch: 1.0, serpentine: true }, &[]);
    }

    #[test]
    fn modes_group_pixels_without_gaps() {
        let mode = |grouping| Mode { id: ModeId(1), name: String::new(), grouping };
        assert_eq!(mode(Grouping::Whole).groups(3), (vec![0, 0, 0], 1));
        assert_eq!(mode(Grouping::Every(2)).groups(5), (vec![0, 0, 1, 1, 2], 3));
        assert_eq!(mode(Grouping::Every(0)).groups(2), (vec![0, 1], 2));
        let groups = Grouping::Groups(vec![vec![2, 3, 99], vec![], vec![0]]);
        assert_eq!(mode(groups).groups(5), (vec![0, 1, 2, 2, 3], 4));
    }
}
