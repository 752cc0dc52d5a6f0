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

/// Where a packet lies and what it is.
#[derive(Clone, Debug)]
struct Entry {
    bytes: Range<usize>,
    /// What the node knows it by, rising: port-address, sACN universe, byte offset.
    key: u32,
    pieces: Range<usize>,
}

/// Data that a packet takes from one patch universe.
#[derive(Clone, Debug)]
struct Piece {
    universe: u16,
    /// Channels of the universe, from 0.
    channels: Range<usize>,
    /// Where they go in the packet.
    at: usize,
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
        let at = self.bytes.len();
        self.bytes.extend_from_slice(packet);
        self.pieces.push(Piece { universe, channels: 0..UNIVERSE_CHANNELS, at: self.header });
        let pieces = self.pieces.len() - 1..self.pieces.len();
        self.entries.push(Entry { bytes: at..self.bytes.len(), key, pieces });
    }

    /// DDP packets for universes that follow each other without a gap.
    fn add_run(&mut self, run: &[(u16, PortAddress)], pixels: DdpPixels, channels: usize) {
        let start = run.first().map_or(0, |(_, port)| usize::from(port.raw()) * channels);
        let total = run.len() * channels;
        for from in (0..total).step_by(ddp::MAX_DATA) {
            let to = total.min(from + ddp::MAX_DATA);
            let first_piece = self.pieces.len();
            for index in from / channels..to.div_ceil(channels) {
                let at = index * channels;
                let (begin, end) = (from.max(at), to.min(at + channels));
                let piece =
                    Piece { universe: run[index].0, channels: begin - at..end - at, at: self.header + begin - from };
                self.pieces.push(piece);
            }
            let (offset, at) = ((start + from) as u32, self.bytes.len());
            self.bytes.extend_from_slice(&ddp::header(pixels, offset, (to - from) as u16));
            self.bytes.resize(at + self.header + to - from, 0);
            let pieces = first_piece..self.pieces.len();
            self.entries.push(Entry { bytes: at..self.bytes.len(), key: offset, pieces });
        }
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
        self.entries.get(index).map_or(&[], |entry| &self.bytes[entry.bytes.clone()])
    }

    /// Packets that lie one after the other.
    pub fn run(&self, first: usize, count: usize) -> &[u8] {
        let last = first + count.saturating_sub(1);
        match (self.entries.get(first), self.entries.get(last)) {
            (Some(first), Some(last)) => &self.bytes[first.bytes.start..last.bytes.end],
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
    pub fn take(&mut self, index: usize, frame: &LampFrame) -> bool {
        let Some(entry) = self.entries.get(index) else { return false };
        let packet = &mut self.bytes[entry.bytes.clone()];
        let mut changed = false;
        for piece in &self.pieces[entry.pieces.clone()] {
            let wanted = frame.universe(usize::from(piece.universe)).unwrap_or(&[0; UNIVERSE_CHANNELS]);
            let wanted = &wanted[piece.channels.clone()];
            let data = &mut packet[piece.at..piece.at + wanted.len()];
            if data != wanted {
                data.copy_from_slice(wanted);
                changed = true;
            }
        }
        changed
    }

    /// Makes all data zero.
    pub fn blacken(&mut self) {
        for entry in &self.entries {
            self.bytes[entry.bytes.start + self.header..entry.bytes.end].fill(0);
        }
    }

    /// Gives a packet the number that it goes out with, where every packet counts for itself.
    pub fn number(&mut self, index: usize) {
        let Some(entry) = self.entries.get(index) else { return };
        let packet = &mut self.bytes[entry.bytes.clone()];
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
                    ddp::stamp(&mut self.bytes[entry.bytes.clone()], self.sequence, place == due.len());
                }
            }
        }
    }

    /// Marks every packet as the last of its stream. Returns whether the protocol knows such an end.
    pub fn terminate(&mut self) -> bool {
        let ends = matches!(self.format, Format::Sacn(_));
        for entry in self.entries.iter().filter(|_| ends) {
            sacn::terminate(&mut self.bytes[entry.bytes.clone()]);
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
            let (packet, old_packet) = (&mut self.bytes[entry.bytes.clone()], old.packet(before));
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
            let at = only.bytes.len();
            only.bytes.extend_from_slice(&self.bytes[entry.bytes.clone()]);
            only.entries.push(Entry { bytes: at..only.bytes.len(), key: entry.key, pieces: 0..0 });
        }
        only
    }

    /// Whether one of the packets has this key.
    pub fn has(&self, key: u32) -> bool {
        self.entries.binary_search_by_key(&key, |entry| entry.key).is_ok()
    }
}
