//! Quantities with their unit in the type: beats, tempo, levels, addresses.
//!
//! Plain values for every thread. No arithmetic on shows or frames lives here.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Channels of one DMX512 universe.
pub const UNIVERSE_CHANNELS: usize = 512;

/// The most patch universes one show may drive.
pub const MAX_UNIVERSES: usize = 8192;

/// Musical time in beats from the downbeat; 64 bits hold a month to the microbeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Beats(pub f64);

/// Tempo in beats a minute, always within [`Bpm::MIN`] and [`Bpm::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Bpm(f64);

impl Bpm {
    /// The slowest tempo.
    pub const MIN: f64 = 20.0;
    /// The fastest tempo.
    pub const MAX: f64 = 999.0;

    /// Clamps to the range; anything that is not a number becomes 120.
    pub fn new(bpm: f64) -> Self {
        if bpm.is_nan() { Self::default() } else { Self(bpm.clamp(Self::MIN, Self::MAX)) }
    }

    /// Beats a minute.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Beats a second.
    pub fn beats_per_sec(self) -> f64 {
        self.0 / 60.0
    }
}

impl Default for Bpm {
    fn default() -> Self {
        Self(120.0)
    }
}

/// A fader position, 0..=1; values from outside are clamped, NaN becomes 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Level(f32);

impl Level {
    /// Closed.
    pub const ZERO: Self = Self(0.0);
    /// Fully open.
    pub const FULL: Self = Self(1.0);

    /// Clamps to 0..=1.
    pub fn new(level: f32) -> Self {
        if level.is_nan() { Self::ZERO } else { Self(level.clamp(0.0, 1.0)) }
    }

    /// 0..=1.
    pub fn get(self) -> f32 {
        self.0
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

/// An Art-Net port-address: net (7 bits), sub-net (4 bits) and universe (4 bits) as one 15-bit number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortAddress(u16);

impl PortAddress {
    /// The highest port-address.
    pub const MAX: u16 = 0x7fff;

    /// `None` above 32767.
    pub fn new(raw: u16) -> Option<Self> {
        (raw <= Self::MAX).then_some(Self(raw))
    }

    /// The absolute 15-bit number.
    pub fn raw(self) -> u16 {
        self.0
    }

    /// Net, sub-net and universe, as nodes show them.
    pub fn parts(self) -> (u8, u8, u8) {
        let [net, low] = self.0.to_be_bytes();
        (net, low >> 4, low & 15)
    }
}

impl fmt::Display for PortAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (net, subnet, universe) = self.parts();
        write!(f, "{net}:{subnet}:{universe}")
    }
}

/// A channel of a universe, counted from 1 as the field does: 1..=512.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DmxAddress(u16);

impl DmxAddress {
    /// The first channel.
    pub const FIRST: Self = Self(1);

    /// `None` outside 1..=512.
    pub fn new(channel: u16) -> Option<Self> {
        (1..=UNIVERSE_CHANNELS as u16).contains(&channel).then_some(Self(channel))
    }

    /// The channel from a 0-based offset; `None` from 512 up.
    pub fn from_offset(offset: usize) -> Option<Self> {
        u16::try_from(offset).ok().and_then(|offset| Self::new(offset + 1))
    }

    /// 1..=512.
    pub fn get(self) -> u16 {
        self.0
    }

    /// The 0-based place within a universe's data.
    pub fn offset(self) -> usize {
        usize::from(self.0) - 1
    }
}

/// A lamp's place in the lamp texture: patch order, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LampIndex(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tempo_and_levels_from_outside_are_clamped_at_the_door() {
        assert_eq!(Bpm::new(1.0).get(), 20.0);
        assert_eq!(Bpm::new(f64::INFINITY).get(), 999.0);
        assert_eq!(Bpm::new(f64::NAN).get(), 120.0);
        assert_eq!(Level::new(f32::NAN), Level::ZERO);
        assert_eq!(Level::new(7.0), Level::FULL);
    }

    #[test]
    fn a_port_address_shows_net_subnet_universe() {
        assert_eq!(PortAddress::new(0x1234).map(|a| a.to_string()), Some("18:3:4".into()));
        assert_eq!(PortAddress::new(0x8000), None);
    }

    #[test]
    fn dmx_addresses_count_from_one() {
        assert_eq!(DmxAddress::new(0), None);
        assert_eq!(DmxAddress::new(513), None);
        assert_eq!(DmxAddress::from_offset(511).map(DmxAddress::get), Some(512));
        assert_eq!(DmxAddress::from_offset(512), None);
    }
}
