//! DDP, the Distributed Display Protocol, on the wire: the bytes of pixel data, written and read.
//!
//! Plain functions over byte slices, for any thread. Offsets and flags of these packets appear nowhere else.
//! Deliberately absent: sockets, queries, and the decision when a packet is sent.

use crate::model::device::DdpPixels;

/// Bytes of a packet before its data, as this program sends it.
pub const HEADER: usize = 10;

/// The most data in a packet: 480 RGB or 360 RGBW pixels.
pub const MAX_DATA: usize = 1440;

/// Bytes of a full packet.
pub const PACKET: usize = HEADER + MAX_DATA;

/// The highest sequence number; the lowest is 1, and 0 means that nobody counts.
pub const MAX_SEQUENCE: u8 = 15;

const VERSION_MASK: u8 = 0xc0;
const VERSION_1: u8 = 0x40;
const TIME_CODE: u8 = 0x10;
const STORAGE: u8 = 0x08;
const REPLY: u8 = 0x04;
const QUERY: u8 = 0x02;
const PUSH: u8 = 0x01;
const TIME_CODE_BYTES: usize = 4;

const RGB8: u8 = 0x0b;
const RGBW8: u8 = 0x1b;
/// The node's own output.
const DISPLAY: u8 = 1;

const AT_FLAGS: usize = 0;
const AT_SEQUENCE: usize = 1;
const AT_TYPE: usize = 2;
const AT_ID: usize = 3;
const AT_OFFSET: usize = 4;
const AT_LENGTH: usize = 8;

/// The header of a packet with sequence 0 and without push, to be kept.
pub fn header(pixels: DdpPixels, offset: u32, length: u16) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[AT_FLAGS] = VERSION_1;
    header[AT_TYPE] = match pixels {
        DdpPixels::Rgb => RGB8,
        DdpPixels::Rgbw => RGBW8,
    };
    header[AT_ID] = DISPLAY;
    header[AT_OFFSET..AT_LENGTH].copy_from_slice(&offset.to_be_bytes());
    header[AT_LENGTH..].copy_from_slice(&length.to_be_bytes());
    header
}

/// The number that follows in the circle 1..=15.
pub fn next_sequence(sequence: u8) -> u8 {
    sequence % MAX_SEQUENCE + 1
}

/// Numbers a packet, and says whether what was sent is to be shown now.
pub fn stamp(packet: &mut [u8], sequence: u8, push: bool) {
    packet[AT_SEQUENCE] = sequence;
    packet[AT_FLAGS] = VERSION_1 | if push { PUSH } else { 0 };
}

/// Pixel data as it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// Whether all that was received is to be shown now.
    pub push: bool,
    /// 1..=15, or 0 from a sender that does not count.
    pub sequence: u8,
    /// What a pixel is; `None` where the sender leaves it to the node.
    pub pixels: Option<DdpPixels>,
    /// Which output of the node.
    pub id: u8,
    /// Where the data begins in the node's pixels, bytes.
    pub offset: u32,
    /// As much as the header says.
    pub data: &'a [u8],
}

/// Why bytes are no pixel data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Another version, or no DDP at all.
    #[error("not a DDP packet of version 1")]
    NotDdp,
    /// A question, an answer, or something to be stored.
    #[error("a DDP packet without pixels")]
    NoPixels,
    /// The datagram ends before its content does.
    #[error("the packet ends too early")]
    Short,
}

/// Reads a datagram. Never panics, whatever the bytes; bytes after the content are ignored.
///
/// # Errors
/// When it is no DDP packet with pixels.
pub fn parse(bytes: &[u8]) -> Result<Data<'_>, ParseError> {
    let header: &[u8; HEADER] = bytes.first_chunk().ok_or(ParseError::Short)?;
    let flags = header[AT_FLAGS];
    if flags & VERSION_MASK != VERSION_1 {
        return Err(ParseError::NotDdp);
    }
    if flags & (STORAGE | REPLY | QUERY) != 0 {
        return Err(ParseError::NoPixels);
    }
    let start = HEADER + if flags & TIME_CODE != 0 { TIME_CODE_BYTES } else { 0 };
    let length = usize::from(u16::from_be_bytes([header[AT_LENGTH], header[AT_LENGTH + 1]]));
    let offset = [header[AT_OFFSET], header[AT_OFFSET + 1], header[AT_OFFSET + 2], header[AT_OFFSET + 3]];
    Ok(Data {
        push: flags & PUSH != 0,
        sequence: header[AT_SEQUENCE] & MAX_SEQUENCE,
        pixels: match header[AT_TYPE] {
            RGB8 => Some(DdpPixels::Rgb),
            RGBW8 => Some(DdpPixels::Rgbw),
            _ => None,
        },
        id: header[AT_ID],
        offset: u32::from_be_bytes(offset),
        data: bytes.get(start..start + length).ok_or(ParseError::Short)?,
    })
}
