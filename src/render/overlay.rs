//! The overlay: a test pattern in the bytes of the lamps that it is for.
//!
//! On the render thread, between packing and the power model, so that caps hold for patterns too. Which bytes they are
//! is worked out once a pattern and patch.

use super::lamp_map::{LampMap, MappedFixture};
use crate::model::fixture::{Channel, Emitter, FixtureDefinition};
use crate::model::patch::Straddle;
use crate::show::test_pattern::{Target, TestLamp, TestPattern};
use crate::units::UNIVERSE_CHANNELS;
use std::ops::Range;

/// Pixels that follow each other on a data line.
struct Spot {
    channels: Vec<Channel>,
    byte: usize,
    straddle: Straddle,
    pixels: u32,
    /// Pixels before it on its chain, and all of that.
    before: u32,
    chain_pixels: u32,
    has_white: bool,
    /// The first lamp of the stage; `None` for universes that nothing is patched to.
    lamp: Option<usize>,
}

/// A pattern and where it goes.
#[derive(Default)]
pub struct Overlay {
    test: Option<TestPattern>,
    spots: Vec<Spot>,
    /// Bytes that may be written.
    bytes: Vec<Range<usize>>,
    /// The time of the bytes that were written last.
    secs: f64,
}

impl Overlay {
    /// Takes the pattern that is to be shown. Whether the bytes change by that.
    pub fn follow(&mut self, test: Option<TestPattern>, map: Option<&LampMap>) -> bool {
        if test == self.test {
            return self.test.is_some_and(|test| !test.pattern.is_still());
        }
        *self = Self { test, ..Self::default() };
        if let (Some(TestPattern { target, .. }), Some(map)) = (test, map) {
            self.bytes = bytes_of(target, map);
            self.spots = spots_of(target, map);
        }
        true
    }

    /// Works everything out anew: the lamps are others.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Writes the pattern of a time, seconds, into the bytes of all universes.
    pub fn paint(&mut self, out: &mut [u8], secs: f64) {
        self.secs = secs;
        let Some(TestPattern { pattern, .. }) = self.test else { return };
        self.each_lamp(|spot, start, _, lamp| {
            for (byte, channel) in (start..).zip(&spot.channels) {
                let level = pattern.byte(*channel, lamp, secs).filter(|_| self.covers(byte));
                if let (Some(level), Some(out)) = (level, out.get_mut(byte)) {
                    *out = level;
                }
            }
        });
    }

    /// Lays what was painted last over the picture of the stage, sRGB, four bytes a lamp.
    pub fn paint_stage(&self, colours: &mut [u8]) {
        let Some(TestPattern { pattern, .. }) = self.test else { return };
        self.each_lamp(|spot, start, place, lamp| {
            let Some(out) = place.and_then(|place| colours.get_mut(4 * place..4 * place + 3)) else { return };
            if !self.covers(start) {
                return;
            }
            out.fill(0);
            for channel in &spot.channels {
                let level = pattern.byte(*channel, lamp, self.secs).unwrap_or(0);
                let place = match channel.emitter() {
                    Some((Emitter::Red, false)) => 0..1,
                    Some((Emitter::Green, false)) => 1..2,
                    Some((Emitter::Blue, false)) => 2..3,
                    Some((Emitter::White | Emitter::WarmWhite | Emitter::CoolWhite, false)) => 0..3,
                    _ => continue,
                };
                out[place].iter_mut().for_each(|out| *out = level.max(*out));
            }
        });
    }

    fn covers(&self, byte: usize) -> bool {
        self.bytes.iter().any(|bytes| bytes.contains(&byte))
    }

    /// Every lamp that is meant, with its first byte and its place on the stage.
    fn each_lamp(&self, mut each: impl FnMut(&Spot, usize, Option<usize>, TestLamp)) {
        for spot in &self.spots {
            let starts = spot.straddle.pixel_bytes(spot.byte, spot.channels.len(), spot.pixels);
            for (pixel, start) in starts.enumerate() {
                let number = u64::from(spot.before) + pixel as u64;
                let lamp = TestLamp { number, count: u64::from(spot.chain_pixels), has_white: spot.has_white };
                each(spot, start, spot.lamp.map(|first| first + pixel), lamp);
            }
        }
    }
}

/// The bytes that a target covers.
fn bytes_of(target: Target, map: &LampMap) -> Vec<Range<usize>> {
    let routes = |wanted: &dyn Fn(&crate::model::device::Route) -> bool| {
        let routes = map.project().routes.iter().filter(|route| wanted(route));
        let universes = |first: u16, count: u16| usize::from(first)..usize::from(first) + usize::from(count);
        let bytes = |universes: Range<usize>| universes.start * UNIVERSE_CHANNELS..universes.end * UNIVERSE_CHANNELS;
        routes.map(|route| bytes(universes(route.universe, route.count))).collect()
    };
    match target {
        Target::Route(id) => routes(&|route| route.id == id),
        Target::Device(id) => routes(&|route| route.device == id),
        Target::All | Target::Chain(_) | Target::Fixture(_) => {
            let everything = 0..map.universes * UNIVERSE_CHANNELS;
            Vec::from([everything])
        }
    }
}

fn spots_of(target: Target, map: &LampMap) -> Vec<Spot> {
    let project = map.project();
    let wanted = |fixture: &&MappedFixture| match target {
        Target::Fixture(id) => fixture.id == id,
        Target::Chain(id) => {
            project.chains.get(id).is_some_and(|chain| chain.links.iter().any(|link| link.fixture == fixture.id))
        }
        Target::All | Target::Route(_) | Target::Device(_) => true,
    };
    let mut spots: Vec<Spot> = map.fixtures.iter().filter(wanted).filter_map(spot).collect();
    if matches!(target, Target::All | Target::Route(_) | Target::Device(_)) {
        spots.extend(bare_universes(map));
    }
    spots
}

fn spot(fixture: &MappedFixture) -> Option<Spot> {
    let link = fixture.link?;
    let channels = fixture.definition.channels.clone();
    let white = [Emitter::White, Emitter::WarmWhite, Emitter::CoolWhite];
    let is_white = |channel: &Channel| channel.emitter().is_some_and(|(emitter, _)| white.contains(&emitter));
    Some(Spot {
        has_white: channels.iter().any(is_white),
        channels,
        byte: link.byte,
        straddle: link.straddle,
        pixels: fixture.pixels.len() as u32,
        before: link.before,
        chain_pixels: link.chain_pixels,
        lamp: Some(fixture.first),
    })
}

/// Universes that nothing is patched to yet, as 170 lamps of RGB each: a node that was just found can be tested.
fn bare_universes(map: &LampMap) -> impl Iterator<Item = Spot> {
    let mut patched = vec![false; map.universes];
    for spot in map.fixtures.iter().filter_map(spot) {
        for byte in spot.straddle.pixel_bytes(spot.byte, spot.channels.len(), spot.pixels) {
            let last = byte + spot.channels.len() - 1;
            for universe in byte / UNIVERSE_CHANNELS..=last / UNIVERSE_CHANNELS {
                patched.get_mut(universe).into_iter().for_each(|patched| *patched = true);
            }
        }
    }
    let lamps = (UNIVERSE_CHANNELS / 3) as u32;
    let spot = move |universe: usize| Spot {
        channels: FixtureDefinition::rgb(),
        byte: universe * UNIVERSE_CHANNELS,
        straddle: Straddle::WholePixels,
        pixels: lamps,
        before: 0,
        chain_pixels: lamps,
        has_white: false,
        lamp: None,
    };
    let bare = patched.into_iter().enumerate().filter(|(_, patched)| !patched);
    bare.map(move |(universe, _)| spot(universe))
}
