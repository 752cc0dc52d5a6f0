//! sACN (ANSI E1.31) on the wire: the bytes of data, synchronization and universe discovery, written and read.
//!
//! Plain functions over byte slices, for any thread. Offsets and vectors of these packets appear nowhere else.
//! Deliberately absent: sockets, and the decision when a packet is sent.

use super::cid::Cid;
use crate::units::UNIVERSE_CHANNELS;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::ops::RangeInclusive;

/// The port of sACN.
pub const PORT: u16 = crate::model::device::SACN_PORT;

/// Bytes of a data packet before its slots.
pub const DATA_HEADER: usize = 126;

/// Bytes of a data packet as this program sends it: always all 512 slots, so that packets are of equal size.
pub const DATA_PACKET: usize = DATA_HEADER + UNIVERSE_CHANNELS;

/// Bytes of a synchronization packet.
pub const SYNC_PACKET: usize = 49;

/// Universes on one page of a discovery.
pub const PAGE_UNIVERSES: usize = 512;

/// Where discovery goes.
pub const DISCOVERY_UNIVERSE: u16 = 64_214;

/// What nodes call this program.
const SOURCE_NAME: &[u8] = b"Glowdeck";

/// Preamble size, postamble size, and the name of the protocol below.
const PREAMBLE: [u8; 16] = [0, 0x10, 0, 0, b'A', b'S', b'C', b'-', b'E', b'1', b'.', b'1', b'7', 0, 0, 0];

const UNIVERSES: RangeInclusive<u16> = 1..=crate::model::device::Sacn::MAX_UNIVERSE;

const ROOT_DATA: u32 = 4;
const ROOT_EXTENDED: u32 = 8;
const FRAMING_DATA: u32 = 2;
const FRAMING_SYNC: u32 = 1;
const FRAMING_DISCOVERY: u32 = 2;
const LIST_UNIVERSES: u32 = 1;
/// Set property; type of addresses and data; first address 0, two bytes; steps of 1, two bytes.
const DMP: [u8; 6] = [2, 0xa1, 0, 0, 0, 1];

const AT_ROOT: usize = 16;
const AT_CID: usize = 22;
const AT_FRAMING: usize = 38;
const AT_NAME: usize = 44;
const AT_PRIORITY: usize = 108;
const AT_SYNC_ADDRESS: usize = 109;
const AT_SEQUENCE: usize = 111;
const AT_OPTIONS: usize = 112;
const AT_UNIVERSE: usize = 113;
const AT_DMP: usize = 115;
const AT_COUNT: usize = 123;
const AT_START_CODE: usize = 125;

const AT_SYNC_SEQUENCE: usize = 44;
const AT_SYNC_UNIVERSE: usize = 45;

const AT_LIST: usize = 112;
const AT_PAGE: usize = 118;
const AT_LAST_PAGE: usize = 119;
const AT_UNIVERSES: usize = 120;

const PREVIEW: u8 = 0x80;
const TERMINATED: u8 = 0x40;
const FORCE_SYNC: u8 = 0x20;

/// The multicast group of a universe.
pub fn group(universe: u16) -> SocketAddrV4 {
    let [high, low] = universe.to_be_bytes();
    SocketAddrV4::new(Ipv4Addr::new(239, 255, high, low), PORT)
}

fn put(packet: &mut [u8], at: usize, bytes: &[u8]) {
    packet[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Flags and length of the layer that starts here and ends with the packet.
fn put_length(packet: &mut [u8], at: usize) {
    let length = 0x7000 | (packet.len() - at) as u16;
    put(packet, at, &length.to_be_bytes());
}

/// The root layer, and length and vector of the framing layer.
fn put_layers(packet: &mut [u8], cid: Cid, root: u32, framing: u32) {
    put(packet, 0, &PREAMBLE);
    put_length(packet, AT_ROOT);
    put(packet, AT_ROOT + 2, &root.to_be_bytes());
    put(packet, AT_CID, &cid.0);
    put_length(packet, AT_FRAMING);
    put(packet, AT_FRAMING + 2, &framing.to_be_bytes());
}

/// A whole data packet of zeros with sequence 0, to be kept and refilled. `sync_universe` is 0 where no
/// synchronization follows.
pub fn data_packet(cid: Cid, universe: u16, priority: u8, sync_universe: u16) -> [u8; DATA_PACKET] {
    let mut packet = [0; DATA_PACKET];
    put_layers(&mut packet, cid, ROOT_DATA, FRAMING_DATA);
    put(&mut packet, AT_NAME, SOURCE_NAME);
    packet[AT_PRIORITY] = priority;
    put(&mut packet, AT_SYNC_ADDRESS, &sync_universe.to_be_bytes());
    put(&mut packet, AT_UNIVERSE, &universe.to_be_bytes());
    put_length(&mut packet, AT_DMP);
    put(&mut packet, AT_DMP + 2, &DMP);
    put(&mut packet, AT_COUNT, &(1 + UNIVERSE_CHANNELS as u16).to_be_bytes());
    packet
}

/// Gives a packet from [`data_packet`] its next sequence number, 0..=255 in a circle.
pub fn advance_sequence(packet: &mut [u8]) {
    packet[AT_SEQUENCE] = packet[AT_SEQUENCE].wrapping_add(1);
}

/// Carries the count of `old` on in a packet for the same universe.
pub fn continue_sequence(packet: &mut [u8], old: &[u8]) {
    packet[AT_SEQUENCE] = old[AT_SEQUENCE];
}

/// Marks a packet from [`data_packet`] as one of the last: the source sends this universe no more.
pub fn terminate(packet: &mut [u8]) {
    packet[AT_OPTIONS] |= TERMINATED;
}

/// A synchronization packet with sequence 0, to be kept.
pub fn sync_packet(cid: Cid, universe: u16) -> [u8; SYNC_PACKET] {
    let mut packet = [0; SYNC_PACKET];
    put_layers(&mut packet, cid, ROOT_EXTENDED, FRAMING_SYNC);
    put(&mut packet, AT_SYNC_UNIVERSE, &universe.to_be_bytes());
    packet
}

/// Gives a packet from [`sync_packet`] its next sequence number.
pub fn advance_sync_sequence(packet: &mut [u8]) {
    packet[AT_SYNC_SEQUENCE] = packet[AT_SYNC_SEQUENCE].wrapping_add(1);
}

/// Carries the count of `old` on.
pub fn continue_sync_sequence(packet: &mut [u8], old: &[u8]) {
    packet[AT_SYNC_SEQUENCE] = old[AT_SYNC_SEQUENCE];
}

/// The discovery of these universes, which rise: a packet a page, none without universes.
pub fn discovery_packets(cid: Cid, universes: &[u16]) -> Vec<Vec<u8>> {
    let pages = universes.chunks(PAGE_UNIVERSES);
    let last = pages.len().saturating_sub(1) as u8;
    let page = |(page, universes): (usize, &[u16])| {
        let mut packet = vec![0; AT_UNIVERSES + 2 * universes.len()];
        put_layers(&mut packet, cid, ROOT_EXTENDED, FRAMING_DISCOVERY);
        put(&mut packet, AT_NAME, SOURCE_NAME);
        put_length(&mut packet, AT_LIST);
        put(&mut packet, AT_LIST + 2, &LIST_UNIVERSES.to_be_bytes());
        (packet[AT_PAGE], packet[AT_LAST_PAGE]) = (page as u8, last);
        for (place, universe) in packet[AT_UNIVERSES..].chunks_exact_mut(2).zip(universes) {
            place.copy_from_slice(&universe.to_be_bytes());
        }
        packet
    };
    pages.enumerate().map(page).collect()
}

/// Data of one universe as it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// Who sends.
    pub cid: Cid,
    /// The source's own name up to its first 0; should be UTF-8.
    pub source: &'a [u8],
    /// 0..=200.
    pub priority: u8,
    /// The universe whose synchronization completes the frame, `None` without one.
    pub sync_universe: Option<u16>,
    /// 0..=255.
    pub sequence: u8,
    /// Not meant for live output.
    pub preview: bool,
    /// The source ends this universe; the slots mean nothing.
    pub terminated: bool,
    /// Whether to go on without synchronization when it fails to come.
    pub force_sync: bool,
    /// 1..=63999.
    pub universe: u16,
    /// 0 for levels.
    pub start_code: u8,
    /// As many slots as the packet says, 0..=512.
    pub slots: &'a [u8],
}

/// A page of what a source sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discovery<'a> {
    /// Who sends.
    pub cid: Cid,
    /// The source's own name up to its first 0.
    pub source: &'a [u8],
    /// Which page this is, from 0.
    pub page: u8,
    /// Which page is the last.
    pub last_page: u8,
    list: &'a [u8],
}

impl Discovery<'_> {
    /// The universes on this page, as the source lists them.
    pub fn universes(&self) -> impl Iterator<Item = u16> {
        self.list.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
    }
}

/// A packet that [`parse`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Data of one universe.
    Data(Data<'a>),
    /// The frame on a synchronization universe is complete.
    Sync {
        /// Who sends.
        cid: Cid,
        /// 0..=255.
        sequence: u8,
        /// 1..=63999.
        universe: u16,
    },
    /// What a source sends.
    Discovery(Discovery<'a>),
    /// Of the same family, but nothing that is read here.
    Other,
}

/// Why bytes are no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// It does not start as a packet of this family does.
    #[error("not an sACN packet")]
    NotSacn,
    /// The datagram, or a layer of it, ends before its content does.
    #[error("the packet ends too early")]
    Short,
    /// A field holds what it must not.
    #[error("{field} is not what it may be")]
    Field {
        /// Which one.
        field: &'static str,
    },
}

/// Reads a datagram. Never panics, whatever the bytes; bytes after the root layer are ignored.
///
/// # Errors
/// When it is no sACN packet, or its fields contradict each other.
pub fn parse(bytes: &[u8]) -> Result<Packet<'_>, ParseError> {
    if !bytes.starts_with(&PREAMBLE) {
        return Err(ParseError::NotSacn);
    }
    let root = layer(bytes, AT_ROOT)?;
    let cid = Cid(*root.get(AT_CID..).and_then(<[u8]>::first_chunk).ok_or(ParseError::Short)?);
    let vector = u32_at(root, AT_ROOT + 2)?;
    if ![ROOT_DATA, ROOT_EXTENDED].contains(&vector) {
        return Ok(Packet::Other);
    }
    let framing = layer(root, AT_FRAMING)?;
    match (vector, u32_at(framing, AT_FRAMING + 2)?) {
        (ROOT_DATA, FRAMING_DATA) => parse_data(framing, cid).map(Packet::Data),
        (ROOT_EXTENDED, FRAMING_SYNC) => {
            let universe = universe(u16_at(framing, AT_SYNC_UNIVERSE)?, "the synchronization universe")?;
            let sequence = u8_at(framing, AT_SYNC_SEQUENCE)?;
            // Two reserved bytes end the packet.
            if framing.len() < SYNC_PACKET {
                Err(ParseError::Short)
            } else {
                Ok(Packet::Sync { cid, sequence, universe })
            }
        }
        (ROOT_EXTENDED, FRAMING_DISCOVERY) => parse_discovery(framing, cid).map(Packet::Discovery),
        _ => Ok(Packet::Other),
    }
}

fn parse_data(framing: &[u8], cid: Cid) -> Result<Data<'_>, ParseError> {
    let dmp = layer(framing, AT_DMP)?;
    if dmp.get(AT_DMP + 2..AT_COUNT).ok_or(ParseError::Short)? != DMP {
        return Err(ParseError::Field { field: "the DMP layer" });
    }
    let count = usize::from(u16_at(dmp, AT_COUNT)?);
    if !(1..=1 + UNIVERSE_CHANNELS).contains(&count) {
        return Err(ParseError::Field { field: "the number of slots" });
    }
    let values = dmp.get(AT_START_CODE..AT_START_CODE + count).ok_or(ParseError::Short)?;
    let (start_code, slots) = values.split_first().ok_or(ParseError::Short)?;
    let priority = u8_at(framing, AT_PRIORITY)?;
    if priority > crate::model::device::Sacn::MAX_PRIORITY {
        return Err(ParseError::Field { field: "the priority" });
    }
    let options = u8_at(framing, AT_OPTIONS)?;
    let sync_universe = match u16_at(framing, AT_SYNC_ADDRESS)? {
        0 => None,
        address => Some(universe(address, "the synchronization universe")?),
    };
    Ok(Data {
        cid,
        source: name(framing)?,
        priority,
        sync_universe,
        sequence: u8_at(framing, AT_SEQUENCE)?,
        preview: options & PREVIEW != 0,
        terminated: options & TERMINATED != 0,
        force_sync: options & FORCE_SYNC != 0,
        universe: universe(u16_at(framing, AT_UNIVERSE)?, "the universe")?,
        start_code: *start_code,
        slots,
    })
}

fn parse_discovery(framing: &[u8], cid: Cid) -> Result<Discovery<'_>, ParseError> {
    let list = layer(framing, AT_LIST)?;
    let (page, last_page) = (u8_at(list, AT_PAGE)?, u8_at(list, AT_LAST_PAGE)?);
    let source = name(framing)?;
    let universes = list.get(AT_UNIVERSES..).ok_or(ParseError::Short)?;
    let sound = universes.len() % 2 == 0 && universes.len() <= 2 * PAGE_UNIVERSES;
    if u32_at(list, AT_LIST + 2)? != LIST_UNIVERSES || !sound || page > last_page {
        return Err(ParseError::Field { field: "the universe list" });
    }
    Ok(Discovery { cid, source, page, last_page, list: universes })
}

/// Everything up to the end of the layer that starts at `at` and says its length there.
fn layer(bytes: &[u8], at: usize) -> Result<&[u8], ParseError> {
    let word = u16_at(bytes, at)?;
    if word & 0xf000 != 0x7000 {
        return Err(ParseError::Field { field: "the flags of a layer" });
    }
    bytes.get(..at + usize::from(word & 0x0fff)).ok_or(ParseError::Short)
}

fn name(framing: &[u8]) -> Result<&[u8], ParseError> {
    let field = framing.get(AT_NAME..AT_PRIORITY).ok_or(ParseError::Short)?;
    Ok(field.split(|byte| *byte == 0).next().unwrap_or_default())
}

fn universe(raw: u16, field: &'static str) -> Result<u16, ParseError> {
    if UNIVERSES.contains(&raw) { Ok(raw) } else { Err(ParseError::Field { field }) }
}

fn u8_at(bytes: &[u8], at: usize) -> Result<u8, ParseError> {
    bytes.get(at).copied().ok_or(ParseError::Short)
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, ParseError> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(ParseError::Short)?;
    Ok(u16::from_be_bytes(*word))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, ParseError> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(ParseError::Short)?;
    Ok(u32::from_be_bytes(*word))
}
