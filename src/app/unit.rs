//! Units: how numbers of a project are written and read on the screen.
//!
//! Pure. Deliberately absent: the widget, which is in [`super::value`].

use std::ops::RangeInclusive;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nothing in particular.
    Plain,
    /// Whole things.
    Whole,
    /// A share, 0..=1, written in per cent.
    Share,
    /// Per cent, 0..=100.
    Percent,
    /// Degrees of an angle.
    Degrees,
    /// Beats.
    Beats,
    /// Whole turns.
    Turns,
    /// The exponent of 2 of a speed, written as the speed itself: 1/8× to 8×.
    Speed,
}

impl Unit {
    /// As it is written.
    pub fn write(self, value: f64) -> String {
        match self {
            Self::Plain => tidy(value, 3),
            Self::Whole => tidy(value, 0),
            Self::Share => format!("{} %", tidy(value * 100.0, 1)),
            Self::Percent => format!("{} %", tidy(value, 1)),
            Self::Degrees => format!("{}°", tidy(value, 1)),
            Self::Beats if value == 1.0 => "1 beat".into(),
            Self::Beats => format!("{} beats", tidy(value, 3)),
            Self::Turns => format!("{} turns", tidy(value, 3)),
            Self::Speed if value < 0.0 => format!("1/{}×", tidy((-value).exp2(), 2)),
            Self::Speed => format!("{}×", tidy(value.exp2(), 2)),
        }
    }

    /// What somebody typed: with or without the unit, with a comma or a point, also as a fraction.
    pub fn read(self, text: &str) -> Option<f64> {
        let text = text.trim().trim_end_matches(|c: char| c.is_alphabetic() || " %°×".contains(c)).replace(',', ".");
        let value: f64 = match text.split_once('/') {
            Some((above, below)) => above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?,
            None => text.parse().ok()?,
        };
        let value = match self {
            Self::Share => value / 100.0,
            Self::Speed => value.log2(),
            Self::Whole => value.round(),
            _ => value,
        };
        value.is_finite().then_some(value)
    }

    /// One step of the arrow keys, of a slider over this range.
    pub fn step(self, range: &RangeInclusive<f64>) -> f64 {
        match self {
            Self::Whole | Self::Speed => 1.0,
            Self::Beats => 0.25,
            _ => (range.end() - range.start()) / 100.0,
        }
    }

    /// The nearest value that a drag over this range stops at, so that files hold no endless digits.
    pub fn rounded(self, value: f64, range: &RangeInclusive<f64>) -> f64 {
        let width = (range.end() - range.start()).abs().max(1e-6);
        let grain = match self {
            Self::Whole => 1.0,
            _ => 10_f64.powf(width.log10().floor() - 3.0),
        };
        // Multiplying by the reciprocal keeps a tenth a tenth.
        (value / grain).round() / grain.recip()
    }
}

/// So many digits after the point at most, and no zeros at the end.
fn tidy(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for (unit, value, text) in [
            (Unit::Plain, 0.125, "0.125"),
            (Unit::Plain, -0.0001, "0"),
            (Unit::Whole, 3.0, "3"),
            (Unit::Share, 0.5, "50 %"),
            (Unit::Percent, 12.5, "12.5 %"),
            (Unit::Degrees, -90.0, "-90°"),
            (Unit::Beats, 1.0, "1 beat"),
            (Unit::Beats, 0.5, "0.5 beats"),
            (Unit::Turns, 0.25, "0.25 turns"),
            (Unit::Speed, 3.0, "8×"),
            (Unit::Speed, -3.0, "1/8×"),
            (Unit::Speed, 0.0, "1×"),
        ] {
            assert_eq!(unit.write(value), text);
            assert!((unit.read(text).unwrap() - value).abs() < 2e-4, "{text}");
        }
    }

    #[test]
    fn entries_may_lack_the_unit_and_nonsense_is_none() {
        assert_eq!(Unit::Share.read("25"), Some(0.25));
        assert_eq!(Unit::Plain.read(" 1,5 "), Some(1.5));
        assert_eq!(Unit::Beats.read("1/4"), Some(0.25));
        assert_eq!(Unit::Speed.read("4"), Some(2.0));
        for bad in ["", "x", "1/0", "--1", "inf", "NaN", "1/2/3"] {
            assert_eq!(Unit::Plain.read(bad), None, "{bad}");
        }
        assert_eq!(Unit::Speed.read("0"), None);
        assert_eq!(Unit::Speed.read("-2"), None);
    }

    #[test]
    fn a_drag_stops_at_round_numbers() {
        assert_eq!(Unit::Share.rounded(0.123_456, &(0.0..=1.0)), 0.123);
        assert_eq!(Unit::Percent.rounded(12.345_6, &(0.0..=100.0)), 12.3);
        assert_eq!(Unit::Whole.rounded(2.6, &(1.0..=9.0)), 3.0);
    }
}
