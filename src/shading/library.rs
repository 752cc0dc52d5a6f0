//! The built-in effects and the GLSL every effect can use, compiled into the binary.

use super::{ShaderError, ShaderText};

/// Functions and constants that every effect can use.
pub const COMMON: &str = include_str!("../../shaders/common.glsl");

macro_rules! built_ins {
    ($($name:literal),+ $(,)?) => {
        /// Name and source of each built-in effect. The names are part of project files and never change.
        pub const BUILT_INS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../shaders/", $name, ".frag")))),+];
    };
}

built_ins! {
    "aurora", "blocks", "breathing", "chase", "checker", "comet", "fire", "flower", "gradient", "kaleidoscope",
    "lightning", "noise", "opposing_lines", "plane", "plasma", "radial_pulse", "rain", "rainbow", "random_circles",
    "ring", "ripples", "rotating_square", "scanner", "solid", "sparkle", "sphere", "spiral", "stripes", "strobe",
    "twinkle", "wave", "wipe", "zigzag",
}

/// The source of a built-in effect.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_INS.iter().find(|(other, _)| *other == name).map(|(_, source)| *source)
}

/// Reads a built-in effect.
///
/// # Errors
/// When there is none of this name.
pub fn read_built_in(name: &str) -> Result<ShaderText, ShaderError> {
    let message = || format!("there is no built-in effect `{name}`");
    ShaderText::read(built_in(name).ok_or_else(|| ShaderError { line: 0, message: message() })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_has_a_title_a_description_and_described_parameters() {
        for (name, source) in BUILT_INS {
            let header = ShaderText::read(source).unwrap_or_else(|error| panic!("{name}: {error}")).header;
            assert!(!header.title.is_empty() && header.about.len() > 20, "{name}");
            assert!(header.params.iter().all(|param| !param.about.is_empty()), "{name}");
        }
    }
}
