//! Triggers: what an audio band must do so that numbers move, and the shape they move in.
//!
//! Plain values. The envelope as it is played lives in `show::triggers`; the sound is listened to elsewhere.

use super::id::{Item, TriggerId};
use crate::units::Level;
use std::ops::RangeInclusive;

/// A gate on a band of the sound, and the envelope it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// Stable id.
    pub id: TriggerId,
    /// What the operator calls it.
    pub name: String,
    /// Lower end of the band, [`Trigger::BAND_HZ`].
    pub low_hz: f32,
    /// Upper end of the band, not below the lower one.
    pub high_hz: f32,
    /// The band's level from which on the gate is open.
    pub threshold: Level,
    /// From nothing to the top, [`Trigger::TIMES_SECS`].
    pub attack_secs: f64,
    /// The least time at the top.
    pub hold_secs: f64,
    /// From the top to nothing.
    pub release_secs: f64,
}

impl Trigger {
    /// What can be heard.
    pub const BAND_HZ: RangeInclusive<f64> = 20.0..=20_000.0;
    /// How long each part of an envelope may take.
    pub const TIMES_SECS: RangeInclusive<f64> = 0.0..=60.0;

    /// A trigger for the bass drum.
    pub fn kick(id: TriggerId, name: impl Into<String>) -> Self {
        Self {
            id,
            name: name.into(),
            low_hz: 20.0,
            high_hz: 150.0,
            threshold: Level::new(0.5),
            attack_secs: 0.01,
            hold_secs: 0.1,
            release_secs: 0.3,
        }
    }

    /// The same with every number in its range: what is not a number becomes what [`Trigger::kick`] has, and the ends
    /// of a band that stands upside down change places.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let usual = Self::kick(self.id, "");
        self.low_hz = bound(self.low_hz.into(), Self::BAND_HZ, usual.low_hz.into()) as f32;
        self.high_hz = bound(self.high_hz.into(), Self::BAND_HZ, usual.high_hz.into()) as f32;
        self.attack_secs = bound(self.attack_secs, Self::TIMES_SECS, usual.attack_secs);
        self.hold_secs = bound(self.hold_secs, Self::TIMES_SECS, usual.hold_secs);
        self.release_secs = bound(self.release_secs, Self::TIMES_SECS, usual.release_secs);
        if self.low_hz > self.high_hz {
            std::mem::swap(&mut self.low_hz, &mut self.high_hz);
        }
        self
    }
}

fn bound(value: f64, range: RangeInclusive<f64>, usual: f64) -> f64 {
    if value.is_nan() { usual } else { value.clamp(*range.start(), *range.end()) }
}

impl Item for Trigger {
    type Id = TriggerId;

    fn id(&self) -> TriggerId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_from_outside_are_brought_into_their_range() {
        let usual = Trigger::kick(TriggerId(1), "Kick");
        assert_eq!(usual.clone().bounded(), usual);
        let wild = Trigger {
            low_hz: f32::INFINITY,
            high_hz: -3.0,
            attack_secs: f64::NAN,
            hold_secs: -1.0,
            release_secs: 1e9,
            ..usual.clone()
        };
        let tame = Trigger {
            low_hz: 20.0,
            high_hz: 20_000.0,
            attack_secs: usual.attack_secs,
            hold_secs: 0.0,
            release_secs: 60.0,
            ..usual
        };
        assert_eq!(wild.bounded(), tame);
    }
}
