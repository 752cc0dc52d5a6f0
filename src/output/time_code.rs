//! ArtTimeCode on the wire: the bytes, written and read.
//!
//! Plain functions over byte slices, for any thread. Offsets of this packet appear nowhere else. Deliberately absent:
//! the clock that follows one, and the decision when a packet is sent.

use super::artnet::{ID, PROTOCOL, ParseError};

/// Bytes of an ArtTimeCode packet.
pub const PACKET: usize = 19;

pub(super) const OPCODE: u16 = 0x9700;

const AT_OPCODE: usize = 8;
const AT_PROTOCOL: usize = 10;
const AT_STREAM: usize = 13;
const AT_FRAMES: usize = 14;

/// How many frames make a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeCodeRate {
    /// 24, of film.
    Film,
    /// 25, of EBU.
    Ebu,
    /// 29.97: numbers count 30 a second, and two are left out in nine of ten minutes.
    DropFrame,
    /// 30, of SMPTE.
    Smpte,
}

impl TimeCodeRate {
    const ALL: [Self; 4] = [Self::Film, Self::Ebu, Self::DropFrame, Self::Smpte];

    /// How many numbers of frames a second has.
    pub fn frames(self) -> u8 {
        match self {
            Self::Film => 24,
            Self::Ebu => 25,
            Self::DropFrame | Self::Smpte => 30,
        }
    }
}

/// A moment as a time code counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeCode {
    /// Which of several time codes; 0 is the main one.
    pub stream: u8,
    /// 0..=23.
    pub hours: u8,
    /// 0..=59.
    pub minutes: u8,
    /// 0..=59.
    pub seconds: u8,
    /// Below [`TimeCodeRate::frames`].
    pub frames: u8,
    /// How many frames make a second.
    pub rate: TimeCodeRate,
}

impl TimeCode {
    /// The packet.
    pub fn write(&self) -> [u8; PACKET] {
        let mut packet = [0; PACKET];
        packet[..ID.len()].copy_from_slice(ID);
        packet[AT_OPCODE..AT_PROTOCOL].copy_from_slice(&OPCODE.to_le_bytes());
        packet[AT_PROTOCOL..AT_PROTOCOL + PROTOCOL.len()].copy_from_slice(&PROTOCOL);
        let Self { stream, hours, minutes, seconds, frames, rate } = *self;
        packet[AT_STREAM..].copy_from_slice(&[stream, frames, seconds, minutes, hours, rate as u8]);
        packet
    }
}

/// Reads a packet whose id and opcode are those of an ArtTimeCode. A number that a drop-frame code leaves out is read
/// all the same.
///
/// # Errors
/// When it ends early, or counts what no clock counts.
pub(super) fn parse(bytes: &[u8]) -> Result<TimeCode, ParseError> {
    let packet: &[u8; PACKET] = bytes.first_chunk().ok_or(ParseError::Short { bytes: bytes.len() })?;
    let version = u16::from_be_bytes([packet[AT_PROTOCOL], packet[AT_PROTOCOL + 1]]);
    if version < u16::from_be_bytes(PROTOCOL) {
        return Err(ParseError::OldProtocol { version });
    }
    let [frames, seconds, minutes, hours, kind] = std::array::from_fn(|field| packet[AT_FRAMES + field]);
    let rate = *TimeCodeRate::ALL.get(usize::from(kind)).ok_or(ParseError::TimeCode)?;
    if hours > 23 || minutes > 59 || seconds > 59 || frames >= rate.frames() {
        return Err(ParseError::TimeCode);
    }
    Ok(TimeCode { stream: packet[AT_STREAM], hours, minutes, seconds, frames, rate })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::artnet::{self, Packet};

    const CODE: TimeCode =
        TimeCode { stream: 2, hours: 23, minutes: 58, seconds: 57, frames: 24, rate: TimeCodeRate::DropFrame };

    #[test]
    fn an_art_time_code_is_these_19_bytes() {
        let expected = [
            0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00, // Art-Net\0
            0x00, 0x97, 0x00, 0x0e, // opcode low byte first, protocol 14 high byte first
            0x00, 0x02, // filler, stream
            24, 57, 58, 23, 2, // frames, seconds, minutes, hours, type
        ];
        assert_eq!(CODE.write(), expected);
        assert_eq!(artnet::parse(&expected), Ok(Packet::TimeCode(CODE)));
    }

    #[test]
    fn what_no_clock_counts_is_refused() {
        let check = |at: usize, value: u8, expected: Result<(), ParseError>| {
            let mut bytes = CODE.write();
            bytes[at] = value;
            assert_eq!(artnet::parse(&bytes).map(|_| ()), expected, "{value} at {at}");
        };
        for (at, most) in [(15, 59), (16, 59), (17, 23), (18, 3)] {
            check(at, most, Ok(()));
            check(at, most + 1, Err(ParseError::TimeCode));
        }
        check(11, 13, Err(ParseError::OldProtocol { version: 13 }));
        assert_eq!(artnet::parse(&CODE.write()[..18]), Err(ParseError::Short { bytes: 18 }));
    }

    #[test]
    fn each_rate_has_its_number_of_frames() {
        for (kind, frames) in [(0, 24), (1, 25), (2, 30), (3, 30)] {
            let mut bytes = CODE.write();
            (bytes[14], bytes[18]) = (frames - 1, kind);
            let Ok(Packet::TimeCode(code)) = artnet::parse(&bytes) else { panic!("{kind} is a type") };
            assert_eq!((code.rate as u8, code.rate.frames()), (kind, frames));
            bytes[14] = frames;
            assert_eq!(artnet::parse(&bytes), Err(ParseError::TimeCode));
        }
    }
}
