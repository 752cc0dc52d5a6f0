//! Chains: fixtures on one data line, with their addresses as stored facts.
//!
//! Addresses are assigned when a chain is edited and then kept: no later version computes them anew.

use super::fixture::FixtureDefinition;
use super::id::{ChainId, FixtureId, Item};
use crate::units::{DmxAddress, MAX_UNIVERSES, UNIVERSE_CHANNELS};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A channel of a patch universe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatchAddress {
    /// Patch universe, from 0.
    pub universe: u16,
    /// Channel of it.
    pub channel: DmxAddress,
}

impl PatchAddress {
    /// The channel's place in a frame's bytes.
    pub fn byte(self) -> usize {
        usize::from(self.universe) * UNIVERSE_CHANNELS + self.channel.offset()
    }

    /// The address of a frame's byte, `None` past the last universe.
    pub fn from_byte(byte: usize) -> Option<Self> {
        let universe = byte / UNIVERSE_CHANNELS;
        let channel = DmxAddress::from_offset(byte % UNIVERSE_CHANNELS)?;
        (universe < MAX_UNIVERSES).then_some(Self { universe: universe as u16, channel })
    }
}

/// What happens where a pixel would cross a universe's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Straddle {
    /// The pixel starts the next universe: 510 channels of RGB, 512 of RGBW.
    #[default]
    WholePixels,
    /// The pixel's channels go on in the next universe.
    Packed,
}

/// A fixture on a chain and where its first channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The fixture.
    pub fixture: FixtureId,
    /// Its first channel, a stored fact.
    pub start: PatchAddress,
}

/// Fixture after fixture on one data line. Its port is the address of the first link.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Stable id.
    pub id: ChainId,
    /// What the operator calls it.
    pub name: String,
    /// Whether pixels cross universes.
    pub straddle: Straddle,
    /// What its port can give, mA; as much as is asked for without.
    pub cap_ma: Option<f32>,
    /// In the order of the data.
    pub links: Vec<Link>,
}

impl Chain {
    /// Where the chain starts, `None` when it is empty.
    pub fn port(&self) -> Option<PatchAddress> {
        self.links.first().map(|link| link.start)
    }

    /// Gives every fixture its address, one after the other from `port`. `definition` knows each fixture's kind.
    /// `None` when the chain runs past the last universe or a fixture is unknown.
    #[must_use]
    pub fn assigned<'a>(
        self,
        port: PatchAddress,
        definition: impl Fn(FixtureId) -> Option<&'a FixtureDefinition>,
    ) -> Option<Self> {
        self.assigned_behind(0, port.byte(), definition)
    }

    /// The same for the links behind the first `kept`, which stay as they are: one after the other from `byte` on.
    #[must_use]
    pub fn assigned_behind<'a>(
        mut self,
        kept: usize,
        mut byte: usize,
        definition: impl Fn(FixtureId) -> Option<&'a FixtureDefinition>,
    ) -> Option<Self> {
        for link in self.links.iter_mut().skip(kept) {
            let definition = definition(link.fixture)?;
            let width = definition.channels.len();
            link.start = PatchAddress::from_byte(self.straddle.pixel_start(byte, width))?;
            byte = self.straddle.end(link.start.byte(), width, definition.pixels.count());
        }
        (byte <= MAX_UNIVERSES * UNIVERSE_CHANNELS).then_some(self)
    }
}

impl Straddle {
    /// The first byte of a pixel of `width` channels that would start at `byte`.
    pub fn pixel_start(self, byte: usize, width: usize) -> usize {
        let left = UNIVERSE_CHANNELS - byte % UNIVERSE_CHANNELS;
        match self {
            Self::WholePixels if width > left && width <= UNIVERSE_CHANNELS => byte + left,
            _ => byte,
        }
    }

    /// The first byte of each of `count` pixels of `width` channels from `start` on. A pixel wider than a universe
    /// always crosses.
    pub fn pixel_bytes(self, start: usize, width: usize, count: u32) -> impl Iterator<Item = usize> {
        let mut next = start;
        (0..count).map(move |_| {
            let byte = self.pixel_start(next, width);
            next = byte + width;
            byte
        })
    }

    /// The bytes of [`Self::pixel_bytes`] as runs without a gap, found without going through the pixels.
    pub fn runs(self, start: usize, width: usize, count: u32) -> impl Iterator<Item = Range<usize>> {
        let mut left = if width > 0 { count as usize } else { 0 };
        let mut next = start;
        let crosses = self == Self::Packed || width > UNIVERSE_CHANNELS;
        std::iter::from_fn(move || {
            let first = self.pixel_start(next, width);
            next = first;
            while left > 0 && self.pixel_start(next, width) == next {
                let fit = (UNIVERSE_CHANNELS - next % UNIVERSE_CHANNELS) / width;
                let taken = if crosses { left } else { left.min(fit) };
                left -= taken;
                next += taken * width;
            }
            (next > first).then_some(first..next)
        })
    }

    /// One behind the last byte of `count` pixels of `width` channels that start at `start`.
    pub fn end(self, start: usize, width: usize, count: u32) -> usize {
        self.runs(start, width, count).last().map_or(start, |run| run.end)
    }
}

impl Item for Chain {
    type Id = ChainId;

    fn id(&self) -> ChainId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(straddle: Straddle, start: usize, width: usize, count: u32) -> Vec<usize> {
        straddle.pixel_bytes(start, width, count).collect()
    }

    #[test]
    fn whole_pixels_of_rgb_use_510_channels_and_of_rgbw_512() {
        assert_eq!(starts(Straddle::WholePixels, 0, 3, 171)[170], 512);
        assert_eq!(starts(Straddle::WholePixels, 0, 4, 129)[128], 512);
        assert_eq!(starts(Straddle::WholePixels, 511, 3, 2), [512, 515]);
    }

    #[test]
    fn runs_fill_what_the_pixels_fill() {
        for straddle in [Straddle::WholePixels, Straddle::Packed] {
            for (start, width, count) in [
                (0, 3, 0),
                (0, 3, 171),
                (7, 3, 1000),
                (511, 3, 2),
                (0, 4, 256),
                (508, 4, 3),
                (100, 600, 2),
                (9, 512, 2),
            ] {
                let pixels = straddle.pixel_bytes(start, width, count).flat_map(|byte| byte..byte + width);
                let runs: Vec<usize> = straddle.runs(start, width, count).flatten().collect();
                assert_eq!(runs, pixels.collect::<Vec<_>>(), "{straddle:?} {start} {width} {count}");
            }
        }
    }

    #[test]
    fn packed_pixels_cross_the_border() {
        assert_eq!(starts(Straddle::Packed, 510, 3, 2), [510, 513]);
    }

    #[test]
    fn runs_are_the_bytes_of_the_pixels_without_a_gap() {
        for straddle in [Straddle::WholePixels, Straddle::Packed] {
            for (start, width, count) in [(0, 3, 400), (509, 3, 2), (7, 4, 300), (4, 4, 300), (9, 600, 3), (3, 1, 900)]
            {
                let bytes: Vec<usize> =
                    straddle.pixel_bytes(start, width, count).flat_map(|byte| byte..byte + width).collect();
                let runs: Vec<Range<usize>> = straddle.runs(start, width, count).collect();
                assert_eq!(runs.iter().cloned().flatten().collect::<Vec<_>>(), bytes, "{start} {width} {count}");
                assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start), "{runs:?}");
                assert_eq!(straddle.end(start, width, count), bytes[bytes.len() - 1] + 1);
            }
            assert_eq!((straddle.end(5, 3, 0), straddle.end(5, 0, 9)), (5, 5), "nothing takes no room");
        }
    }

    #[test]
    fn a_pixel_wider_than_a_universe_goes_on_in_the_next() {
        assert_eq!(starts(Straddle::WholePixels, 100, 600, 2), [100, 700]);
    }
}
