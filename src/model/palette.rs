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

    /// The colour on the way to another, even to the eye: mixed in Oklab (B. Ottosson, 2020). `share` 0 is this one.
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let (from, to) = (oklab(self.to_linear()), oklab(other.to_linear()));
        Self::from_linear(linear_from_oklab(std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share)))
    }
}

fn product(rows: [[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    rows.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn oklab(linear: [f32; 3]) -> [f32; 3] {
    let cones = [
        [0.412_221_46, 0.536_332_55, 0.051_445_995],
        [0.211_903_5, 0.680_699_5, 0.107_396_96],
        [0.088_302_46, 0.281_718_85, 0.629_978_7],
    ];
    let lab = [
        [0.210_454_26, 0.793_617_8, -0.004_072_047],
        [1.977_998_5, -2.428_592_2, 0.450_593_7],
        [0.025_904_037, 0.782_771_77, -0.808_675_77],
    ];
    product(lab, product(cones, linear).map(f32::cbrt))
}

fn linear_from_oklab(lab: [f32; 3]) -> [f32; 3] {
    let cones =
        [[1.0, 0.396_337_78, 0.215_803_76], [1.0, -0.105_561_346, -0.063_854_17], [1.0, -0.089_484_18, -1.291_485_5]];
    let linear = [
        [4.076_741_7, -3.307_711_6, 0.230_969_94],
        [-1.268_438, 2.609_757_4, -0.341_319_4],
        [-0.004_196_086, -0.703_418_6, 1.707_614_7],
    ];
    product(linear, product(cones, lab).map(|cone| cone.powi(3)))
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
    fn a_mixed_colour_is_even_to_the_eye_and_its_ends_are_exact() {
        let (red, blue) = (Colour([255, 0, 0]), Colour([0, 0, 255]));
        assert_eq!((red.mixed(blue, 0.0), red.mixed(blue, 1.0)), (red, blue));
        // Half of Oklab's lightness is this grey, which encodes to 99 in sRGB.
        assert_eq!(Colour::BLACK.mixed(Colour::WHITE, 0.5), Colour([99; 3]));
        // CSS Color 4 gives sRGB red as oklab(0.62796 0.22486 0.12585).
        let lab = oklab(red.to_linear());
        assert!(
            lab.iter().zip([0.62796, 0.22486, 0.12585]).all(|(found, told)| (found - told).abs() < 2e-4),
            "{lab:?}"
        );
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
