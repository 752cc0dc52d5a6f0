//! All packets of one destination, whatever it speaks: headers written once, data as it was last sent.
//!
//! Pure; owned by a schedule. The packets lie one after the other in one buffer, because the kernel takes neighbours
//! as one piece of memory. Allocates when built, never after. Deliberately absent: when a packet is sent.
//!
//! Art-Net and sACN packets hold a patch universe each. DDP knows no universes: the device's are laid end to end as
//! one run of bytes (port `p` starts at byte `p` times the channels of a universe), and the run is cut into packets of
//! 1440 bytes, wherever a universe ends. Universes that nobody routes leave a gap in the offsets, and the packet before
//! the gap is shorter.

use super::plan::{Destination, Format};
use super::{artnet, ddp, sacn};
use crate::frame::LampFrame;
use crate::model::device::DdpPixels;
use crate::units::{PortAddress, UNIVERSE_CHANNELS};
use std::net::SocketAddrV4;
use std::ops::Range;

/// The channels of a piece that is all of a universe.
const WHOLE: u16 = UNIVERSE_CHANNELS as u16;

/// Where a packet lies and what it is. Small, because a frame goes through thousands.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    bytes: u16,
    /// How many pieces it is made of, from the first on.
    pieces: u16,
    first_piece: u32,
    /// What the node knows it by, rising: port-address, sACN universe, byte offset.
    key: u32,
}

impl Entry {
    fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.bytes)
    }
}

/// Data that a packet takes from one patch universe.
#[derive(Clone, Copy, Debug)]
struct Piece {
    universe: u16,
    /// The first channel, from 0, and how many.
    channel: u16,
    channels: u16,
    /// Where they go in the packet.
    at: u16,
}

/// The packets of a destination, numbered from 0 in the order of their keys, and what follows them.
pub struct Packets {
    format: Format,
    address: SocketAddrV4,
    header: usize,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    pieces: Vec<Piece>,
    sync: Vec<u8>,
    pages: Vec<Vec<u8>>,
    /// Of the packet that was numbered last, where they are numbered together.
    sequence: u8,
}

impl Packets {
    /// Zeros for every packet.
    pub fn new(destination: &Destination) -> Self {
        let mut packets = Self {
            format: destination.format.clone(),
            address: destination.address,
            header: match destination.format {
                Format::ArtNet => artnet::DMX_HEADER,
                Format::Sacn(_) => sacn::DATA_HEADER,
                Format::Ddp { .. } => ddp::HEADER,
            },
            bytes: Vec::new(),
            entries: Vec::new(),
            pieces: Vec::new(),
            sync: Vec::new(),
            pages: Vec::new(),
            sequence: 0,
        };
        packets.fill(destination);
        packets
    }

    fn fill(&mut self, destination: &Destination) {
        let universes = &destination.universes;
        match &destination.format {
            Format::ArtNet => {
                universes.iter().for_each(|(universe, port)| {
                    self.add_universe(&artnet::dmx_packet(*port), port.raw().into(), *universe);
                });
                if destination.sync {
                    self.sync = artnet::SYNC.to_vec();
                }
            }
            Format::Sacn(stream) => {
                let sync_universe = stream.sync_universe.filter(|_| destination.sync);
                for (universe, port) in universes {
                    // The plan has left out what is past the last universe.
                    let Some(number) = stream.first_universe.checked_add(port.raw()) else { continue };
                    let sync = sync_universe.unwrap_or(0);
                    let packet = sacn::data_packet(stream.cid, number, stream.priority, sync);
                    self.add_universe(&packet, number.into(), *universe);
                }
                self.sync = sync_universe.map_or_else(Vec::new, |u| sacn::sync_packet(stream.cid, u).to_vec());
                self.pages = sacn::discovery_packets(stream.cid, &stream.announced);
            }
            Format::Ddp { pixels, channels } => {
                for run in universes.chunk_by(|(_, before), (_, port)| before.raw() + 1 == port.raw()) {
                    self.add_run(run, *pixels, *channels);
                }
            }
        }
    }

    fn add_universe(&mut self, packet: &[u8], key: u32, universe: u16) {
        let first_piece = self.pieces.len();
        let (channels, at) = (WHOLE, self.header as u16);
        self.pieces.push(Piece { universe, channel: 0, channels, at });
        self.add_packet(key, first_piece, packet, &[]);
    }

    /// DDP packets for universes that follow each other without a gap.
    fn add_run(&mut self, run: &[(u16, PortAddress)], pixels: DdpPixels, channels: usize) {
        let first = run.first().map_or(0, |(_, port)| usize::from(port.raw()) * channels);
        let total = run.len() * channels;
        for from in (0..total).step_by(ddp::MAX_DATA) {
            let to = total.min(from + ddp::MAX_DATA);
            let first_piece = self.pieces.len();
            let touched = from / channels..to.div_ceil(channels);
            for (index, (universe, _)) in touched.clone().zip(&run[touched]) {
                let start = index * channels;
                let (begin, end) = (from.max(start), to.min(start + channels));
                let [channel, channels, at] =
                    [begin - start, end - begin, self.header + begin - from].map(|place| place as u16);
                self.pieces.push(Piece { universe: *universe, channel, channels, at });
            }
            let offset = (first + from) as u32;
            let header = ddp::header(pixels, offset, (to - from) as u16);
            self.add_packet(offset, first_piece, &header, &[0; ddp::MAX_DATA][..to - from]);
        }
    }

    /// A packet of the pieces since `first_piece`.
    fn add_packet(&mut self, key: u32, first_piece: usize, header: &[u8], data: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(header);
        self.bytes.extend_from_slice(data);
        let (bytes, pieces) = ((header.len() + data.len()) as u16, (self.pieces.len() - first_piece) as u16);
        self.entries.push(Entry { start, bytes, pieces, first_piece: first_piece as u32, key });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is ever sent.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All packets one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// One packet.
    pub fn packet(&self, index: usize) -> &[u8] {
        self.entries.get(index).map_or(&[], |entry| &self.bytes[entry.range()])
    }

    /// Packets that lie one after the other.
    pub fn run(&self, first: usize, count: usize) -> &[u8] {
        let last = first + count.saturating_sub(1);
        match (self.entries.get(first), self.entries.get(last)) {
            (Some(first), Some(last)) => &self.bytes[first.range().start..last.range().end],
            _ => &[],
        }
    }

    /// What follows the packets of a frame, if anything does.
    pub fn sync(&self) -> &[u8] {
        &self.sync
    }

    /// What tells others, from time to time, which universes are sent.
    pub fn pages(&self) -> &[Vec<u8>] {
        &self.pages
    }

    /// Where a packet goes.
    pub fn address(&self, index: usize) -> SocketAddrV4 {
        let key = self.entries.get(index).map_or(0, |entry| entry.key);
        self.group_or_address(key as u16)
    }

    /// Where the sync goes.
    pub fn sync_address(&self) -> SocketAddrV4 {
        let universe = match &self.format {
            Format::Sacn(stream) => stream.sync_universe.unwrap_or(0),
            _ => 0,
        };
        self.group_or_address(universe)
    }

    /// Where the pages go.
    pub fn page_address(&self) -> SocketAddrV4 {
        self.group_or_address(sacn::DISCOVERY_UNIVERSE)
    }

    fn group_or_address(&self, universe: u16) -> SocketAddrV4 {
        match &self.format {
            Format::Sacn(stream) if stream.multicast.is_some() => sacn::group(universe),
            _ => self.address,
        }
    }

    /// How often a packet that no longer changes is repeated at once.
    pub fn repeats(&self) -> u8 {
        if matches!(self.format, Format::Sacn(_)) { 3 } else { 0 }
    }

    /// Whether a node shows nothing until all of a frame is there, so that packets go out together or not at all.
    pub fn whole_frames(&self) -> bool {
        matches!(self.format, Format::Ddp { .. })
    }

    /// Puts a frame's data into a packet, zeros where the frame holds none. Returns whether that changed it.
    #[inline]
    pub fn take(&mut self, index: usize, frame: &LampFrame) -> bool {
        let Some(entry) = self.entries.get(index) else { return false };
        let packet = &mut self.bytes[entry.range()];
        let first = entry.first_piece as usize;
        match &self.pieces[first..first + usize::from(entry.pieces)] {
            // A universe of its own, where all lengths are known: most packets, and the fastest.
            [Piece { universe, channels: WHOLE, .. }] => match packet[self.header..].first_chunk_mut() {
                Some(data) => replace::<UNIVERSE_CHANNELS>(data, universe_of(frame, *universe)),
                None => false,
            },
            pieces => pieces.iter().fold(false, |changed, piece| {
                let Piece { universe, channel, channels, at } = *piece;
                let [channel, channels, at] = [channel, channels, at].map(usize::from);
                let wanted = &universe_of(frame, universe)[channel..channel + channels];
                let data = &mut packet[at..at + channels];
                let differs = data != wanted;
                data.copy_from_slice(wanted);
                changed | differs
            }),
        }
    }

    /// Makes all data zero.
    pub fn blacken(&mut self) {
        for entry in &self.entries {
            self.bytes[entry.range()][self.header..].fill(0);
        }
    }

    /// Gives a packet the number that it goes out with, where every packet counts for itself.
    #[inline]
    pub fn number(&mut self, index: usize) {
        let Some(entry) = self.entries.get(index) else { return };
        let packet = &mut self.bytes[entry.range()];
        match self.format {
            Format::ArtNet => artnet::advance_sequence(packet),
            Format::Sacn(_) => sacn::advance_sequence(packet),
            Format::Ddp { .. } => {}
        }
    }

    /// Finishes what goes out together, in this order: numbers where packets are numbered together, the push on the
    /// last one, and the number of the sync.
    pub fn seal(&mut self, due: &[u32]) {
        match self.format {
            Format::ArtNet => {}
            Format::Sacn(_) if self.sync.is_empty() || due.is_empty() => {}
            Format::Sacn(_) => sacn::advance_sync_sequence(&mut self.sync),
            Format::Ddp { .. } => {
                for (place, index) in (1..).zip(due) {
                    let Some(entry) = self.entries.get(*index as usize) else { continue };
                    self.sequence = ddp::next_sequence(self.sequence);
                    ddp::stamp(&mut self.bytes[entry.range()], self.sequence, place == due.len());
                }
            }
        }
    }

    /// Marks every packet as the last of its stream. Returns whether the protocol knows such an end.
    pub fn terminate(&mut self) -> bool {
        let ends = matches!(self.format, Format::Sacn(_));
        for entry in self.entries.iter().filter(|_| ends) {
            sacn::terminate(&mut self.bytes[entry.range()]);
        }
        ends
    }

    /// For each packet the one of `old` that the node knows as the same; numbers and data are carried over.
    pub fn carry_over(&mut self, old: &Self) -> Vec<Option<usize>> {
        if std::mem::discriminant(&self.format) != std::mem::discriminant(&old.format) {
            return vec![None; self.entries.len()];
        }
        self.sequence = old.sequence;
        if matches!(self.format, Format::Sacn(_)) && !self.sync.is_empty() && !old.sync.is_empty() {
            sacn::continue_sync_sequence(&mut self.sync, &old.sync);
        }
        let known = self.entries.iter().map(|entry| {
            let before = old.entries.binary_search_by_key(&entry.key, |old| old.key).ok()?;
            let (packet, old_packet) = (&mut self.bytes[entry.range()], old.packet(before));
            if packet.len() != old_packet.len() {
                return None;
            }
            packet[self.header..].copy_from_slice(&old_packet[self.header..]);
            match self.format {
                Format::ArtNet => artnet::continue_sequence(packet, old_packet),
                Format::Sacn(_) => sacn::continue_sequence(packet, old_packet),
                Format::Ddp { .. } => {}
            }
            Some(before)
        });
        known.collect()
    }

    /// Only the packets that `wanted` picks by their keys, without sync and pages.
    pub fn only(&self, wanted: impl Fn(u32) -> bool) -> Self {
        let mut only = Self {
            format: self.format.clone(),
            bytes: Vec::new(),
            entries: Vec::new(),
            pieces: Vec::new(),
            sync: Vec::new(),
            pages: Vec::new(),
            ..*self
        };
        for entry in self.entries.iter().filter(|entry| wanted(entry.key)) {
            only.add_packet(entry.key, 0, &self.bytes[entry.range()], &[]);
        }
        only
    }

    /// Whether one of the packets has this key.
    pub fn has(&self, key: u32) -> bool {
        self.entries.binary_search_by_key(&key, |entry| entry.key).is_ok()
    }
}

/// A patch universe of a frame, zeros where it holds none.
fn universe_of(frame: &LampFrame, universe: u16) -> &[u8; UNIVERSE_CHANNELS] {
    let bytes = frame.universe(usize::from(universe)).and_then(<[u8]>::first_chunk);
    bytes.unwrap_or(&[0; UNIVERSE_CHANNELS])
}

/// Returns whether that changed anything.
fn replace<const N: usize>(data: &mut [u8; N], wanted: &[u8; N]) -> bool {
    let differs = data != wanted;
    if differs {
        *data = *wanted;
    }
    differs
}
