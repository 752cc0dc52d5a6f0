//! From wanted light to the levels of a pixel's channels: the arithmetic of white and amber, white point, gain and cap.
//!
//! All in linear light, before the response curve. Pure; the pack pass does the same on the GPU with the numbers of
//! [`Drive::texels`], and its tests compare both with a reference of their own.
//!
//! - **White** is `min(r, g, b)`, all that the three have in common, and is taken out of them (users.md C31: before any
//!   gamma). Where there is plain white it gets all of it. Warm and cool white share it by the white point's
//!   temperature `t`: cool gets `(1/warm - 1/t) / (1/warm - 1/cool)`, within 0..=1, as chromaticities of mixed whites
//!   lie nearly evenly over reciprocal temperature (mired). A warm or a cool one alone gets all.
//! - **Amber** is the most amber light that red and green then hold, taken out of both. Amber LEDs shine at 590 nm;
//!   CIE 1931 puts that at x 0.575, y 0.424, in linear sRGB 1 : 0.2 : below zero. So `a = min(r, g / 0.2)`, and `r`
//!   loses `a`, `g` loses `0.2 a`: yellow and orange come mostly from amber, pure red and green never do.
//! - **Ultraviolet** cannot be seen, so no colour asks for it: always 0. `Constant` drives it by hand.

use super::fixture::{Channel, Emitter};
use super::light::LightResponse;

/// Green over red of the light of an amber LED.
pub const AMBER_GREEN: f32 = 0.2;

/// Ways of driving pixels that one patch may have, plain red, green and blue among them: five bits of the gather map.
pub const MAX_DRIVES: usize = 32;

/// The numbers by which a kind of pixel is driven. Two kinds with equal numbers are the same to the pack pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Factors of red, green and blue, and of what is taken out of them.
    gains: [f32; 4],
    /// Shares of white, warm white and cool white; and of amber, 0 or 1.
    shares: [f32; 4],
    exponent: f32,
    cap: f32,
    dither: bool,
}

/// Places of emitters in [`Drive::levels`].
pub const LEVELS: usize = 7;

impl Emitter {
    /// Its place in [`Drive::levels`]; `None` for what is always dark.
    pub fn place(self) -> Option<usize> {
        match self {
            Self::Red => Some(0),
            Self::Green => Some(1),
            Self::Blue => Some(2),
            Self::White => Some(3),
            Self::WarmWhite => Some(4),
            Self::CoolWhite => Some(5),
            Self::Amber => Some(6),
            Self::Uv => None,
        }
    }
}

impl Drive {
    /// Plain red, green and blue.
    pub const PLAIN: Self = Self { gains: [1.0; 4], shares: [0.0; 4], exponent: 1.0, cap: 1.0, dither: false };

    /// How pixels of these channels and this response are driven.
    pub fn new(channels: &[Channel], light: &LightResponse) -> Self {
        let [r, g, b] = light.white_point.factors().map(|factor| factor * light.gain);
        Self {
            gains: [r, g, b, light.gain],
            shares: shares(channels, light),
            exponent: light.response.exponent(),
            cap: light.cap,
            dither: light.dither,
        }
    }

    /// Levels by [`Emitter::place`], 0..=1, for linear red, green and blue. What is no number is dark.
    pub fn levels(&self, light: [f32; 3]) -> [f32; LEVELS] {
        let [r, g, b] = light.map(|c| if c > 0.0 { c.min(1.0) } else { 0.0 });
        let [plain, warm, cool, ambers] = self.shares;
        let white = if plain + warm + cool > 0.0 { r.min(g).min(b) } else { 0.0 };
        let [r, g, b] = [r - white, g - white, b - white];
        let amber = ambers * r.min(g / AMBER_GREEN);
        let [r, g] = [r - amber, (g - amber * AMBER_GREEN).max(0.0)];
        let [gain_r, gain_g, gain_b, gain] = self.gains;
        let [r, g, b, white, amber] = [r * gain_r, g * gain_g, b * gain_b, white * gain, amber * gain];
        let most = r.max(g).max(b).max(white).max(amber);
        let limit = if most > self.cap { self.cap / most } else { 1.0 };
        [r, g, b, white * plain, white * warm, white * cool, amber].map(|level| level * limit)
    }

    /// The number that is sent for a level, 0..=1: 1 and 0 stay exactly what they are.
    pub fn number(&self, level: f32) -> f32 {
        if self.exponent == 1.0 || level <= 0.0 || level >= 1.0 { level } else { level.powf(self.exponent) }
    }

    /// The share of full light that a number between 0 and 1 gives: what the node makes of it.
    pub fn light(&self, number: f32) -> f32 {
        if self.exponent == 1.0 { number } else { number.powf(1.0 / self.exponent) }
    }

    /// What a number is multiplied by for `scale` times the light.
    pub fn number_scale(&self, scale: f32) -> f32 {
        self.number(scale)
    }

    /// Whether white or amber is taken out of the colour.
    pub fn extracts(&self) -> bool {
        self.shares != [0.0; 4]
    }

    /// Whether there is a white point or a gain.
    pub fn is_balanced(&self) -> bool {
        self.gains != [1.0; 4]
    }

    /// Whether there is a cap.
    pub fn is_capped(&self) -> bool {
        self.cap < 1.0
    }

    /// Whether bytes are dithered.
    pub fn dithers(&self) -> bool {
        self.dither
    }

    /// Whether numbers differ from levels.
    pub fn is_curved(&self) -> bool {
        self.exponent != 1.0
    }

    /// Gains; shares; exponent, cap, dither.
    pub fn texels(&self) -> [[f32; 4]; 3] {
        let dither = if self.dither { 1.0 } else { 0.0 };
        [self.gains, self.shares, [self.exponent, self.cap, dither, 0.0]]
    }
}

fn shares(channels: &[Channel], light: &LightResponse) -> [f32; 4] {
    let has = |channel: Channel| channels.contains(&channel);
    let amber = if has(Channel::Amber) { 1.0 } else { 0.0 };
    let [plain, warm, cool] = match (has(Channel::White), has(Channel::WarmWhite), has(Channel::CoolWhite)) {
        (true, ..) => [1.0, 0.0, 0.0],
        (_, true, false) => [0.0, 1.0, 0.0],
        (_, false, true) => [0.0, 0.0, 1.0],
        (_, false, false) => [0.0; 3],
        (_, true, true) => {
            let share = cool_share(light);
            [0.0, 1.0 - share, share]
        }
    };
    [plain, warm, cool, amber]
}

fn cool_share(light: &LightResponse) -> f32 {
    let mired = |kelvins: f32| 1.0 / kelvins;
    let (warm, cool) = (mired(light.whites.warm), mired(light.whites.cool));
    let share = (warm - mired(light.white_point.kelvins())) / (warm - cool);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::light::{Response, WhitePair, WhitePoint};

    fn check(channels: &[Channel], response: LightResponse, light: [f32; 3], expected: [f32; LEVELS]) {
        let found = Drive::new(channels, &response).levels(light);
        let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(near, "{channels:?} {response:?} {light:?}: {found:?}");
    }

    #[test]
    fn white_and_amber_are_taken_out_of_the_colour() {
        use Channel::*;
        let plain = LightResponse::default();
        check(&[Red], plain, [0.3, 0.5, 0.9], [0.3, 0.5, 0.9, 0.0, 0.0, 0.0, 0.0]);
        check(&[White], plain, [0.3, 0.5, 0.9], [0.0, 0.2, 0.6, 0.3, 0.0, 0.0, 0.0]);
        check(&[Amber], plain, [1.0, 1.0, 0.0], [0.0, 0.8, 0.0, 0.0, 0.0, 0.0, 1.0]);
        check(&[Amber], plain, [1.0, 0.1, 0.0], [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
        check(&[Amber], plain, [1.0, 0.0, 0.5], [1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]);
        check(&[White, Amber], plain, [1.0, 0.5, 0.5], [0.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0]);
        check(&[Uv], plain, [1.0; 3], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn warm_and_cool_white_share_by_reciprocal_temperature() {
        use Channel::*;
        let at = |white_point| LightResponse {
            white_point,
            whites: WhitePair { warm: 2000.0, cool: 6000.0 },
            ..LightResponse::default()
        };
        let white = |warm, cool| [0.0, 0.0, 0.0, 0.0, warm, cool, 0.0];
        check(&[WarmWhite, CoolWhite], at(WhitePoint::Kelvin(3000.0)), [1.0; 3], white(0.5, 0.5));
        check(&[WarmWhite, CoolWhite], at(WhitePoint::default()), [1.0; 3], white(0.0, 1.0));
        check(&[WarmWhite, CoolWhite], at(WhitePoint::Kelvin(1800.0)), [1.0; 3], white(1.0, 0.0));
        check(&[WarmWhite], at(WhitePoint::default()), [1.0; 3], white(1.0, 0.0));
        let equal =
            LightResponse { whites: WhitePair { warm: 3000.0, cool: 3000.0 }, ..at(WhitePoint::Kelvin(3000.0)) };
        check(&[WarmWhite, CoolWhite], equal, [1.0; 3], white(0.5, 0.5));
    }

    #[test]
    fn gain_white_point_and_cap_keep_the_hue() {
        let response = LightResponse {
            white_point: WhitePoint::Rgb(1.0, 0.5, 0.25),
            gain: 0.8,
            cap: 0.4,
            ..LightResponse::default()
        };
        check(&[Channel::Red], response, [1.0; 3], [0.4, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0]);
        check(&[Channel::Red], response, [0.25; 3], [0.2, 0.1, 0.05, 0.0, 0.0, 0.0, 0.0]);
        check(&[Channel::White], response, [1.0; 3], [0.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0]);
        check(&[Channel::Red], LightResponse { cap: 0.0, ..response }, [1.0; 3], [0.0; LEVELS]);
    }

    #[test]
    fn what_is_no_number_is_dark_and_what_is_too_much_is_full() {
        check(
            &[Channel::Red],
            LightResponse::default(),
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        );
    }

    #[test]
    fn the_curve_keeps_its_ends_and_the_node_undoes_it() {
        let drive = Drive::new(&[], &LightResponse { response: Response::Gamma(2.2), ..LightResponse::default() });
        assert_eq!([drive.number(0.0), drive.number(1.0)], [0.0, 1.0]);
        assert!((drive.number(0.5) - 0.7297).abs() < 1e-4);
        assert!((drive.light(drive.number(0.3)) - 0.3).abs() < 1e-6);
        assert!((drive.light(drive.number(0.3) * drive.number_scale(0.5)) - 0.15).abs() < 1e-6);
    }
}
