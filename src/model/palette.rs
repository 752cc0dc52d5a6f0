//! Palettes: two named colours and a gradient, picked as sRGB and used in linear light.

use super::id::{Item, PaletteId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// Stops of a palette's gradient.
pub const GRADIENT_STOPS: usize = 16;

/// A colour as it is picked: sRGB, 8 bits a channel. Written `#rrggbb`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// Full white.
    pub const WHITE: Self = Self([255; 3]);
    /// No light.
    pub const BLACK: Self = Self([0; 3]);

    /// Linear RGB, 0..=1 (IEC 61966-2-1).
    pub fn to_linear(self) -> [f32; 3] {
        self.0.map(|channel| {
            let c = f32::from(channel) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The nearest sRGB colour; values are clamped to 0..=1 (IEC 61966-2-1).
    pub fn from_linear(linear: [f32; 3]) -> Self {
        Self(linear.map(|c| {
            let c = c.clamp(0.0, 1.0);
            let encoded = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (encoded * 255.0).round() as u8
        }))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || format!("`{text}` is no colour; write it as #rrggbb");
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
        let value = u32::from_str_radix(digits.ok_or_else(refused)?, 16).map_err(|_| refused())?;
        let [_, r, g, b] = value.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The colours that effects share.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// Stable id.
    pub id: PaletteId,
    /// What the operator calls it.
    pub name: String,
    /// The colour most effects use.
    pub primary: Colour,
    /// The colour of backgrounds and accents.
    pub secondary: Colour,
    /// Stops at equal distances, first at 0, last at 1.
    pub gradient: [Colour; GRADIENT_STOPS],
}

impl Palette {
    /// What a scene without a palette uses: white on black.
    pub fn neutral() -> Self {
        let gradient = std::array::from_fn(|stop| {
            let level = stop as f32 / (GRADIENT_STOPS - 1) as f32;
            Colour([(level * 255.0).round() as u8; 3])
        });
        Self { id: PaletteId(0), name: "none".into(), primary: Colour::WHITE, secondary: Colour::BLACK, gradient }
    }
}

impl Item for Palette {
    type Id = PaletteId;

    fn id(&self) -> PaletteId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_white_and_black_are_exact_in_linear_light() {
        assert_eq!(Colour::WHITE.to_linear(), [1.0; 3]);
        assert_eq!(Colour::BLACK.to_linear(), [0.0; 3]);
    }

    #[test]
    fn every_level_survives_the_way_to_linear_and_back() {
        for level in 0..=255 {
            let colour = Colour([level, 255 - level, level / 2]);
            assert_eq!(Colour::from_linear(colour.to_linear()), colour);
        }
    }

    #[test]
    fn colours_are_written_as_hex() {
        assert_eq!("#0a1Bff".parse(), Ok(Colour([10, 27, 255])));
        assert_eq!(Colour([10, 27, 255]).to_string(), "#0a1bff");
        for bad in ["", "#", "0a1bff", "#0a1bf", "#0a1bff0", "#gggggg", "#äöü"] {
            assert!(Colour::from_str(bad).is_err(), "{bad}");
        }
    }
}
