//! What a new fixture definition begins as: a short list of what people own.
//!
//! Pure values. Deliberately absent: products of one maker, which a project's own definitions describe better.

use crate::model::fixture::{Channel, FixtureDefinition, Grouping, Mode, Pixels};
use crate::model::id::{DefinitionId, ModeId};
use crate::model::light::LightResponse;
use crate::model::supply::Current;

/// A name, and what it makes.
type Start = (&'static str, fn() -> FixtureDefinition);

/// The starts.
pub const STARTS: [Start; 6] = [
    ("RGB strip, 60 a metre", || strip("RGB strip", FixtureDefinition::rgb())),
    ("RGBW strip, 60 a metre", || strip("RGBW strip", channels(super::channels::RGBW))),
    ("Ring of 24", || made("Ring", Pixels::Ring { count: 24, radius: 0.1, start: 90.0 }, FixtureDefinition::rgb())),
    ("Matrix 16 × 16, serpentine", || {
        let pixels = Pixels::Grid { columns: 16, rows: 16, pitch: 0.01, serpentine: true };
        let rows = Mode { id: ModeId(1), name: "Rows".into(), grouping: Grouping::Every(16) };
        FixtureDefinition { modes: vec![rows], ..made("Matrix", pixels, FixtureDefinition::rgb()) }
    }),
    ("RGBW par with a dimmer", || {
        let mut all = vec![Channel::Constant(255)];
        all.extend(super::channels::RGBW);
        made("Par", Pixels::Strip { count: 1, length: 0.0 }, all)
    }),
    ("RGB strip, 16 bit", || strip("RGB strip, 16 bit", channels(super::channels::RGB_16))),
];

fn channels(of: &[Channel]) -> Vec<Channel> {
    of.to_vec()
}

/// A metre of strip. From the first to the last of its pixels it is a pitch less than a metre.
fn strip(name: &str, channels: Vec<Channel>) -> FixtureDefinition {
    made(name, Pixels::Strip { count: 60, length: 0.983 }, channels)
}

fn made(name: &str, pixels: Pixels, channels: Vec<Channel>) -> FixtureDefinition {
    FixtureDefinition {
        id: DefinitionId(0),
        name: name.into(),
        pixels,
        channels,
        light: LightResponse::default(),
        current: Current::default(),
        modes: Vec::new(),
    }
}
