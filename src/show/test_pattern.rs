//! Test patterns: light that says which lamps these are, in which order, and with which channel for which colour.
//!
//! Pure. A pattern takes the place of the show's light on its target and on nothing else; blackout still closes it.

use crate::model::fixture::{Channel, Emitter};
use crate::model::id::{ChainId, DeviceId, FixtureId, RouteId};

/// Whose lamps show a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Every universe of the patch.
    All,
    /// The universes that a route carries.
    Route(RouteId),
    /// The universes that a device is sent.
    Device(DeviceId),
    /// The fixtures of a chain.
    Chain(ChainId),
    /// One fixture.
    Fixture(FixtureId),
}

/// What they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Full and dark twice a second, to be found from afar.
    Identify,
    /// Red emitters full.
    Red,
    /// Green emitters full.
    Green,
    /// Blue emitters full.
    Blue,
    /// White emitters full; red, green and blue where there are none.
    White,
    /// A ruler: every tenth lamp of a chain green, every hundredth red, the others blue and dim.
    Count,
    /// One white lamp that runs along the chain, twenty lamps a second.
    Chase,
}

/// A pattern under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPattern {
    /// Where.
    pub target: Target,
    /// What.
    pub pattern: Pattern,
}

/// All patterns with their names, in the order in which somebody patches.
pub const PATTERNS: [(Pattern, &str); 7] = [
    (Pattern::Identify, "Identify"),
    (Pattern::Red, "Red"),
    (Pattern::Green, "Green"),
    (Pattern::Blue, "Blue"),
    (Pattern::White, "White"),
    (Pattern::Count, "Count"),
    (Pattern::Chase, "Chase"),
];

/// Blinks a second.
const BLINKS: f64 = 2.0;
/// Lamps a second.
const CHASE: f64 = 20.0;
/// Dim enough that the marks of the ruler stand out.
const DIM: u8 = 24;

/// The lamp of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct TestLamp {
    /// Its place on its chain, from 0.
    pub number: u64,
    /// Lamps on its chain.
    pub count: u64,
    /// Whether it has an emitter of white.
    pub has_white: bool,
}

impl Pattern {
    /// The byte of a channel of a lamp; `None` for one that keeps what it has.
    pub fn byte(self, channel: Channel, lamp: TestLamp, secs: f64) -> Option<u8> {
        let (emitter, is_low) = channel.emitter()?;
        let level = self.level(emitter, lamp, secs);
        // A low byte goes with its high one: 255, 255 is full, and a dim one need not be exact.
        Some(if is_low && level != 255 { 0 } else { level })
    }

    fn level(self, emitter: Emitter, lamp: TestLamp, secs: f64) -> u8 {
        use Emitter::{Blue, Green, Red};
        let full = |on: bool| if on { 255 } else { 0 };
        let white = match emitter {
            Emitter::White | Emitter::WarmWhite | Emitter::CoolWhite => lamp.has_white,
            Red | Green | Blue => !lamp.has_white,
            Emitter::Amber | Emitter::Uv => false,
        };
        match self {
            Self::Identify => full(white && (secs * BLINKS).rem_euclid(1.0) < 0.5),
            Self::Red => full(emitter == Red),
            Self::Green => full(emitter == Green),
            Self::Blue => full(emitter == Blue),
            Self::White => full(white),
            Self::Count => match (lamp.number + 1, emitter) {
                (number, Red) => full(number % 100 == 0),
                (number, Green) => full(number % 10 == 0 && number % 100 != 0),
                (number, Blue) if number % 10 != 0 => DIM,
                _ => 0,
            },
            Self::Chase => full(white && lamp.number == ((secs * CHASE) as u64) % lamp.count.max(1)),
        }
    }

    /// Whether it is the same at all times.
    pub fn is_still(self) -> bool {
        !matches!(self, Self::Identify | Self::Chase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(pattern: Pattern, channels: &[Channel], number: u64, secs: f64) -> Vec<Option<u8>> {
        let has_white = channels.contains(&Channel::White);
        let lamp = TestLamp { number, count: 50, has_white };
        channels.iter().map(|channel| pattern.byte(*channel, lamp, secs)).collect()
    }

    #[test]
    fn colours_find_their_channel_wherever_it_is_and_constants_stay() {
        use Channel::{Blue, Constant, Green, Red, RedFine, White};
        let grb = [Green, Red, Blue];
        assert_eq!(bytes(Pattern::Red, &grb, 0, 0.0), [Some(0), Some(255), Some(0)]);
        assert_eq!(bytes(Pattern::White, &grb, 0, 0.0), [Some(255); 3]);
        assert_eq!(bytes(Pattern::White, &[Red, White, Constant(7)], 0, 0.0), [Some(0), Some(255), None]);
        assert_eq!(bytes(Pattern::Red, &[Red, RedFine], 0, 0.0), [Some(255), Some(255)]);
    }

    #[test]
    fn a_ruler_marks_tens_and_hundreds_and_a_chase_runs_round() {
        let rgb = [Channel::Red, Channel::Green, Channel::Blue];
        let count = |number| bytes(Pattern::Count, &rgb, number, 0.0);
        assert_eq!(count(0), [Some(0), Some(0), Some(DIM)]);
        assert_eq!(count(9), [Some(0), Some(255), Some(0)]);
        assert_eq!(count(99), [Some(255), Some(0), Some(0)]);
        let lit =
            |secs| (0..50).filter(|lamp| bytes(Pattern::Chase, &rgb, *lamp, secs)[0] == Some(255)).collect::<Vec<_>>();
        assert_eq!((lit(0.0), lit(1.0), lit(2.55)), (vec![0], vec![20], vec![1]));
        assert_eq!(
            [0.1, 0.3, 0.6].map(|secs| bytes(Pattern::Identify, &rgb, 0, secs)[0]),
            [Some(255), Some(0), Some(255)]
        );
    }
}
