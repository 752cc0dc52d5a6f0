//! Lamp bytes as text: readable, and the same for the same bytes.

use crate::units::UNIVERSE_CHANNELS;
use std::fmt::Write as _;

/// Bytes of a line: ten RGB lamps.
const LINE: usize = 30;

/// Each universe as a heading, then lines of the first channel's number and 30 bytes in hexadecimal. Lines of zeros at
/// a universe's end are left out.
pub fn frame_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    for (number, universe) in bytes.chunks(UNIVERSE_CHANNELS).enumerate() {
        let _ = writeln!(text, "universe {number}");
        let used = universe.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        for (line, channels) in universe[..used].chunks(LINE).enumerate() {
            let _ = write!(text, "{:>4}", line * LINE + 1);
            for byte in channels {
                let _ = write!(text, " {byte:02x}");
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_count_from_one_and_trailing_zeros_are_left_out() {
        let mut bytes = vec![0; 1024];
        bytes[0] = 255;
        bytes[31] = 1;
        let zeros = " 00".repeat(29);
        assert_eq!(frame_text(&bytes), format!("universe 0\n   1 ff{zeros}\n  31 00 01\nuniverse 1\n"));
    }
}
