//! The light response of a kind of fixture: white point, gain, curve, cap and dither, between wanted light and bytes.
//!
//! Belongs to the fixture definition, not to the device: it describes LEDs and their drivers, and two devices may be
//! sent the same patch universe. Pure values; the arithmetic with them is in `drive`.

use serde::{Deserialize, Serialize};

/// What full white looks like on red, green and blue LEDs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum WhitePoint {
    /// How much of each full red, green and blue get: linear, 0..=1.
    Rgb(f32, f32, f32),
    /// The white of a black body at so many kelvins, [`KELVINS`].
    Kelvin(f32),
}

/// Temperatures that [`WhitePoint::Kelvin`] and white LEDs may have: where the approximation below holds.
pub const KELVINS: std::ops::RangeInclusive<f64> = 1667.0..=25_000.0;

/// Exponents that [`Response::Gamma`] may have.
pub const GAMMAS: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// From the level of a channel to the number that is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// As it is: light in proportion to the number, which plain PWM drivers give.
    #[default]
    Linear,
    /// For a node that raises what it receives to this power: sends `level^(1 / gamma)`.
    Gamma(f32),
}

/// Temperatures of a pair of white LEDs, kelvins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhitePair {
    /// The warm one.
    pub warm: f32,
    /// The cool one.
    pub cool: f32,
}

/// How lamps are driven for a wanted light. The default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LightResponse {
    /// What full white looks like. White and amber LEDs have colours of their own and are not changed by it; the
    /// shares of warm and cool white follow its temperature.
    #[serde(skip_serializing_if = "is_neutral")]
    pub white_point: WhitePoint,
    /// Temperatures of its warm and cool white LEDs.
    #[serde(skip_serializing_if = "is_usual")]
    pub whites: WhitePair,
    /// Every channel's level times this, 0..=1.
    #[serde(skip_serializing_if = "is_full")]
    pub gain: f32,
    /// The level that no channel exceeds, 0..=1. A brighter colour gets darker as a whole and keeps its hue.
    #[serde(skip_serializing_if = "is_full")]
    pub cap: f32,
    /// From levels to numbers.
    #[serde(skip_serializing_if = "is_linear")]
    pub response: Response,
    /// Whether channels of 8 bits alternate between two numbers to show levels in between. Only while the picture
    /// changes: a still one is sent as it is, without flicker.
    #[serde(skip_serializing_if = "is_off")]
    pub dither: bool,
}

impl Default for WhitePair {
    /// What strips of warm and cool white are sold as.
    fn default() -> Self {
        Self { warm: 2700.0, cool: 6500.0 }
    }
}

impl Default for WhitePoint {
    fn default() -> Self {
        Self::Rgb(1.0, 1.0, 1.0)
    }
}

impl Default for LightResponse {
    fn default() -> Self {
        Self {
            white_point: WhitePoint::default(),
            whites: WhitePair::default(),
            gain: 1.0,
            cap: 1.0,
            response: Response::Linear,
            dither: false,
        }
    }
}

impl Response {
    /// The power that a level is raised to.
    pub fn exponent(self) -> f32 {
        match self {
            Self::Linear => 1.0,
            Self::Gamma(gamma) => 1.0 / gamma,
        }
    }
}

impl WhitePoint {
    /// Factors of full red, green and blue: linear, the greatest is 1 for a temperature.
    pub fn factors(self) -> [f32; 3] {
        match self {
            Self::Rgb(r, g, b) => [r, g, b],
            Self::Kelvin(kelvins) => {
                let [x, y] = planckian(f64::from(kelvins));
                let rgb = rgb_from_xyz([x / y, 1.0, (1.0 - x - y) / y]).map(|c| c.max(0.0));
                let most = rgb.into_iter().fold(0.0, f64::max);
                rgb.map(|c| (c / most) as f32)
            }
        }
    }

    /// Its correlated colour temperature, kelvins. 6504 for equal factors, which are the white of sRGB.
    pub fn kelvins(self) -> f32 {
        match self {
            Self::Kelvin(kelvins) => kelvins,
            Self::Rgb(r, g, b) => {
                let [x, y, z] = xyz_from_rgb([r, g, b].map(f64::from));
                let sum = x + y + z;
                if sum <= 0.0 {
                    return Self::default().kelvins();
                }
                // C. S. McCamy, Color Research & Application 17 (1992), 142.
                let n = (x / sum - 0.3320) / (0.1858 - y / sum);
                let kelvins = 449.0 * n.powi(3) + 3525.0 * n.powi(2) + 6823.3 * n + 5520.33;
                if kelvins.is_finite() { kelvins.clamp(*KELVINS.start(), *KELVINS.end()) as f32 } else { 6504.0 }
            }
        }
    }
}

/// Chromaticity of a black body, CIE 1931 (B. Kim and others, US patent 7024034, 1667 to 25000 K).
fn planckian(kelvins: f64) -> [f64; 2] {
    let t = 1000.0 / kelvins;
    let cubic = |[a, b, c, d]: [f64; 4], v: f64| ((a * v + b) * v + c) * v + d;
    let x = if kelvins <= 4000.0 {
        cubic([-0.266_123_9, -0.234_358_9, 0.877_695_6, 0.179_910], t)
    } else {
        cubic([-3.025_846_9, 2.107_037_9, 0.222_634_7, 0.240_390], t)
    };
    let y = if kelvins <= 2222.0 {
        cubic([-1.106_381_4, -1.348_110_2, 2.185_558_32, -0.202_196_83], x)
    } else if kelvins <= 4000.0 {
        cubic([-0.954_947_6, -1.374_185_93, 2.091_370_15, -0.167_488_67], x)
    } else {
        cubic([3.081_758, -5.873_386_7, 3.751_129_97, -0.370_014_83], x)
    };
    [x, y]
}

/// IEC 61966-2-1, linear.
fn rgb_from_xyz([x, y, z]: [f64; 3]) -> [f64; 3] {
    [
        3.240_625_5 * x - 1.537_208 * y - 0.498_628_6 * z,
        -0.968_930_7 * x + 1.875_756_1 * y + 0.041_517_5 * z,
        0.055_710_1 * x - 0.204_021_1 * y + 1.056_995_9 * z,
    ]
}

fn xyz_from_rgb([r, g, b]: [f64; 3]) -> [f64; 3] {
    [
        0.412_4 * r + 0.357_6 * g + 0.180_5 * b,
        0.212_6 * r + 0.715_2 * g + 0.072_2 * b,
        0.019_3 * r + 0.119_2 * g + 0.950_5 * b,
    ]
}

fn is_neutral(white_point: &WhitePoint) -> bool {
    *white_point == WhitePoint::default()
}

fn is_usual(whites: &WhitePair) -> bool {
    *whites == WhitePair::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_full(level: &f32) -> bool {
    *level == 1.0
}

fn is_linear(curve: &Response) -> bool {
    *curve == Response::Linear
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_off(switch: &bool) -> bool {
    !*switch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daylight_is_near_neutral_and_candle_light_has_hardly_any_blue() {
        let near = |kelvins: f32, expected: [f32; 3]| {
            let found = WhitePoint::Kelvin(kelvins).factors();
            assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 0.03), "{kelvins} K: {found:?}");
        };
        // Linear values of the black body colours by Mitchell Charity (CIE 1931, sRGB).
        near(6500.0, [1.0, 0.95, 0.98]);
        near(4000.0, [1.0, 0.64, 0.37]);
        near(2700.0, [1.0, 0.40, 0.10]);
    }

    #[test]
    fn the_temperature_of_a_colour_comes_back() {
        assert!((WhitePoint::default().kelvins() - 6504.0).abs() < 10.0);
        for kelvins in [2500.0_f32, 3200.0, 4000.0, 5600.0, 8000.0] {
            let [r, g, b] = WhitePoint::Kelvin(kelvins).factors();
            let found = WhitePoint::Rgb(r, g, b).kelvins();
            assert!((found / kelvins - 1.0).abs() < 0.03, "{kelvins} became {found}");
        }
        assert!(WhitePoint::Rgb(0.0, 0.0, 0.0).kelvins().is_finite());
        assert!(WhitePoint::Rgb(0.0, 0.0, 1.0).kelvins().is_finite());
    }

    #[test]
    fn factors_are_finite_levels_at_every_temperature() {
        for step in 0..=1000 {
            let kelvins = KELVINS.start() + (KELVINS.end() - KELVINS.start()) * f64::from(step) / 1000.0;
            let factors = WhitePoint::Kelvin(kelvins as f32).factors();
            assert!(factors.iter().all(|f| (0.0..=1.0).contains(f)), "{kelvins}: {factors:?}");
        }
    }
}
