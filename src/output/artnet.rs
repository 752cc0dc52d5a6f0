//! Art-Net on the wire: the bytes of ArtDmx and ArtSync, written and read.
//!
//! Plain functions over byte slices, for any thread. Offsets and opcodes of these packets appear nowhere else; those of
//! ArtTimeCode are in [`time_code`], those of discovery in [`crate::output::discovery::packets`].
//! Deliberately absent: sockets, and the decision when a packet is sent.

use super::time_code::{self, TimeCode};
use crate::units::{PortAddress, UNIVERSE_CHANNELS};

/// Bytes of an ArtDmx packet before its data.
pub const DMX_HEADER: usize = 18;

/// Bytes of an ArtDmx packet as this program sends it: always all 512 slots, so that packets are of equal size.
pub const DMX_PACKET: usize = DMX_HEADER + UNIVERSE_CHANNELS;

/// Bytes of an ArtSync packet.
pub const SYNC_PACKET: usize = 14;

pub(super) const ID: &[u8; 8] = b"Art-Net\0";
const OP_DMX: u16 = 0x5000;
const OP_SYNC: u16 = 0x5200;
pub(super) const PROTOCOL: [u8; 2] = [0, 14];

const AT_OPCODE: usize = 8;
const AT_PROTOCOL: usize = 10;
const AT_SEQUENCE: usize = 12;
const AT_ADDRESS: usize = 14;
const AT_LENGTH: usize = 16;

/// An ArtSync: opcode, protocol version and two auxiliary bytes of 0.
pub const SYNC: [u8; SYNC_PACKET] =
    [b'A', b'r', b't', b'-', b'N', b'e', b't', 0, OP_SYNC as u8, (OP_SYNC >> 8) as u8, PROTOCOL[0], PROTOCOL[1], 0, 0];

/// A whole ArtDmx packet of zeros with sequence 0, to be kept and refilled.
pub fn dmx_packet(port: PortAddress) -> [u8; DMX_PACKET] {
    let mut packet = [0; DMX_PACKET];
    packet[..ID.len()].copy_from_slice(ID);
    packet[AT_OPCODE..AT_PROTOCOL].copy_from_slice(&OP_DMX.to_le_bytes());
    packet[AT_PROTOCOL..AT_SEQUENCE].copy_from_slice(&PROTOCOL);
    packet[AT_ADDRESS..AT_LENGTH].copy_from_slice(&port.raw().to_le_bytes());
    packet[AT_LENGTH..DMX_HEADER].copy_from_slice(&(UNIVERSE_CHANNELS as u16).to_be_bytes());
    packet
}

/// The data of a packet from [`dmx_packet`].
pub fn dmx_data_mut(packet: &mut [u8]) -> &mut [u8] {
    &mut packet[DMX_HEADER..]
}

/// Gives a packet from [`dmx_packet`] its next sequence number: 1..=255, then 1 again; 0 would switch it off.
pub fn advance_sequence(packet: &mut [u8]) {
    packet[AT_SEQUENCE] = next_sequence(packet[AT_SEQUENCE]);
}

/// Carries the count of `old` on in a packet for the same universe.
pub fn continue_sequence(packet: &mut [u8], old: &[u8]) {
    packet[AT_SEQUENCE] = old[AT_SEQUENCE];
}

/// The number that follows in the circle 1..=255.
pub fn next_sequence(sequence: u8) -> u8 {
    sequence.checked_add(1).unwrap_or(1)
}

/// An ArtDmx as it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dmx<'a> {
    /// 1..=255, or 0 from a sender that does not count.
    pub sequence: u8,
    /// The universe it is for.
    pub port: PortAddress,
    /// As many slots as the length field says, 2..=512 and even.
    pub data: &'a [u8],
}

/// A packet that [`parse`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Data of one universe.
    Dmx(Dmx<'a>),
    /// The frame is complete.
    Sync,
    /// The moment that somebody's time code is at.
    TimeCode(TimeCode),
    /// Art-Net, but nothing that is read here; the opcode.
    Other(u16),
}

/// Why bytes are no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// It does not start with the Art-Net id and an opcode.
    #[error("not an Art-Net packet")]
    NotArtNet,
    /// The datagram ends before its content does.
    #[error("the packet ends after {bytes} bytes")]
    Short {
        /// Bytes received.
        bytes: usize,
    },
    /// A packet for protocol versions before 14.
    #[error("protocol version {version} is older than 14")]
    OldProtocol {
        /// What the packet says.
        version: u16,
    },
    /// The length field is odd, below 2 or above 512.
    #[error("an ArtDmx of {slots} slots")]
    Length {
        /// What the packet says.
        slots: usize,
    },
    /// An ArtTimeCode of an unknown type, or with a number that no clock shows.
    #[error("no time code that a clock could show")]
    TimeCode,
    /// The net is above 127.
    #[error("port-address {raw:#06x} has more than 15 bits")]
    Port {
        /// What the packet says.
        raw: u16,
    },
}

/// Reads a datagram. Never panics, whatever the bytes; bytes after the content are ignored.
///
/// # Errors
/// When it is no Art-Net packet, or one whose fields contradict each other.
pub fn parse(bytes: &[u8]) -> Result<Packet<'_>, ParseError> {
    let opcode = match bytes.get(..AT_PROTOCOL) {
        Some(start) if start.starts_with(ID) => u16::from_le_bytes([start[AT_OPCODE], start[AT_OPCODE + 1]]),
        _ => return Err(ParseError::NotArtNet),
    };
    match opcode {
        OP_DMX => parse_dmx(bytes).map(Packet::Dmx),
        OP_SYNC => Ok(Packet::Sync),
        time_code::OPCODE => time_code::parse(bytes).map(Packet::TimeCode),
        other => Ok(Packet::Other(other)),
    }
}

fn parse_dmx(bytes: &[u8]) -> Result<Dmx<'_>, ParseError> {
    let short = ParseError::Short { bytes: bytes.len() };
    let (header, data) = bytes.split_at_checked(DMX_HEADER).ok_or(short)?;
    let version = u16::from_be_bytes([header[AT_PROTOCOL], header[AT_PROTOCOL + 1]]);
    if version < u16::from_be_bytes(PROTOCOL) {
        return Err(ParseError::OldProtocol { version });
    }
    let slots = usize::from(u16::from_be_bytes([header[AT_LENGTH], header[AT_LENGTH + 1]]));
    if !(2..=UNIVERSE_CHANNELS).contains(&slots) || slots % 2 != 0 {
        return Err(ParseError::Length { slots });
    }
    let raw = u16::from_le_bytes([header[AT_ADDRESS], header[AT_ADDRESS + 1]]);
    let port = PortAddress::new(raw).ok_or(ParseError::Port { raw })?;
    Ok(Dmx { sequence: header[AT_SEQUENCE], port, data: data.get(..slots).ok_or(short)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet() -> [u8; DMX_PACKET] {
        dmx_packet(PortAddress::new(0x1234).unwrap())
    }

    fn check(change: impl FnOnce(&mut Vec<u8>), expected: Result<usize, ParseError>) {
        let mut bytes = packet().to_vec();
        change(&mut bytes);
        let slots = parse(&bytes).map(|packet| match packet {
            Packet::Dmx(dmx) => dmx.data.len(),
            other => panic!("{other:?}"),
        });
        assert_eq!(slots, expected);
    }

    #[test]
    fn the_length_field_decides_how_much_is_data() {
        check(|_| (), Ok(512));
        check(|bytes| bytes[16..18].copy_from_slice(&[0, 2]), Ok(2));
        check(|bytes| bytes.push(9), Ok(512));
    }

    #[test]
    fn lengths_that_cannot_be_are_refused() {
        for slots in [0u16, 1, 3, 511, 513, 514, 0xffff] {
            let length = ParseError::Length { slots: usize::from(slots) };
            check(|bytes| bytes[16..18].copy_from_slice(&slots.to_be_bytes()), Err(length));
        }
        check(|bytes| bytes.truncate(529), Err(ParseError::Short { bytes: 529 }));
        check(|bytes| bytes.truncate(17), Err(ParseError::Short { bytes: 17 }));
        check(|bytes| bytes.truncate(9), Err(ParseError::NotArtNet));
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        check(|bytes| bytes[7] = b'!', Err(ParseError::NotArtNet));
        check(|bytes| bytes[11] = 13, Err(ParseError::OldProtocol { version: 13 }));
        check(|bytes| bytes[15] = 0x80, Err(ParseError::Port { raw: 0x8034 }));
        assert_eq!(parse(b"Art-Net\0\x00\x20\0\x0e"), Ok(Packet::Other(0x2000)));
        assert_eq!(parse(&SYNC), Ok(Packet::Sync));
    }

    #[test]
    fn the_sequence_counts_in_a_circle_without_zero() {
        let mut packet = packet();
        let mut seen = Vec::new();
        for _ in 0..256 {
            advance_sequence(&mut packet);
            seen.push(packet[12]);
        }
        let expected: Vec<u8> = (1..=255).chain([1]).collect();
        assert_eq!(seen, expected);
    }
}
