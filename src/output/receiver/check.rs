//! What a receiver thinks of a datagram: good, bad, or out of sequence.
//!
//! Pure; locked by the receiver a batch at a time. Deliberately absent: sockets.

use super::ReceiverCounts;
use crate::output::artnet::{self, Dmx, Packet};
use crate::units::UNIVERSE_CHANNELS;
use std::net::SocketAddr;

/// Sources whose sequence numbers are followed; a bench has one, a test a handful.
const MAX_SOURCES: usize = 16;

/// Counts and checks datagrams.
pub struct Checker {
    counts: ReceiverCounts,
    universes: usize,
    /// Universe-major, 512 bytes each.
    data: Vec<u8>,
    seen: Vec<bool>,
    /// For each source the last sequence number of each universe, 0 before the first.
    sources: Vec<(SocketAddr, Vec<u8>)>,
    /// The source of the datagram before, most likely that of the next one too.
    source: usize,
}

impl Checker {
    /// For port-addresses 0..`universes`.
    pub fn new(universes: usize) -> Self {
        let (data, seen) = (vec![0; universes * UNIVERSE_CHANNELS], vec![false; universes]);
        Self { counts: ReceiverCounts::default(), universes, data, seen, sources: Vec::new(), source: 0 }
    }

    /// What was taken so far.
    pub fn counts(&self) -> ReceiverCounts {
        self.counts
    }

    /// A universe's data as last taken.
    pub fn latest(&self, universe: usize) -> Option<[u8; UNIVERSE_CHANNELS]> {
        self.seen.get(universe).filter(|seen| **seen)?;
        self.data.get(universe * UNIVERSE_CHANNELS..)?.first_chunk().copied()
    }

    /// Looks at one datagram.
    pub fn take(&mut self, source: SocketAddr, bytes: &[u8]) {
        match artnet::parse(bytes) {
            Ok(Packet::Dmx(dmx)) if self.is_expected(&dmx, bytes) => self.take_dmx(source, &dmx, bytes.len()),
            Ok(Packet::Sync) => self.counts.syncs += 1,
            _ => self.counts.bad_packets += 1,
        }
    }

    /// Stricter than a node: exactly what this program sends.
    fn is_expected(&self, dmx: &Dmx<'_>, bytes: &[u8]) -> bool {
        let whole = bytes.len() == artnet::DMX_PACKET && dmx.data.len() == UNIVERSE_CHANNELS;
        whole && dmx.sequence != 0 && usize::from(dmx.port.raw()) < self.universes
    }

    fn take_dmx(&mut self, source: SocketAddr, dmx: &Dmx<'_>, bytes: usize) {
        let universe = usize::from(dmx.port.raw());
        self.counts.packets += 1;
        self.counts.bytes += bytes as u64;
        if let Some(last) = self.last_sequence(source, universe) {
            let follows = *last == 0 || artnet::next_sequence(*last) == dmx.sequence;
            *last = dmx.sequence;
            self.counts.sequence_gaps += u64::from(!follows);
        }
        self.data[universe * UNIVERSE_CHANNELS..][..UNIVERSE_CHANNELS].copy_from_slice(dmx.data);
        self.seen[universe] = true;
    }

    fn last_sequence(&mut self, source: SocketAddr, universe: usize) -> Option<&mut u8> {
        if self.sources.get(self.source).is_none_or(|(known, _)| *known != source) {
            let known = self.sources.iter().position(|(known, _)| *known == source);
            self.source = match known {
                Some(index) => index,
                None if self.sources.len() < MAX_SOURCES => {
                    self.sources.push((source, vec![0; self.universes]));
                    self.sources.len() - 1
                }
                None => return None,
            };
        }
        self.sources[self.source].1.get_mut(universe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::PortAddress;

    fn packet(universe: u16, sequence: u8, level: u8) -> Vec<u8> {
        let mut packet = artnet::dmx_packet(PortAddress::new(universe).unwrap());
        packet[12] = sequence;
        artnet::dmx_data_mut(&mut packet).fill(level);
        packet.to_vec()
    }

    fn source(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    #[test]
    fn a_gap_is_counted_per_universe_and_source() {
        let mut checker = Checker::new(2);
        for (from, universe, sequence) in [(1, 0, 254), (2, 0, 7), (1, 1, 9), (1, 0, 255), (2, 0, 8), (1, 0, 1)] {
            checker.take(source(from), &packet(universe, sequence, 0));
        }
        assert_eq!((checker.counts().packets, checker.counts().sequence_gaps), (6, 0));
        checker.take(source(1), &packet(0, 3, 0));
        checker.take(source(2), &packet(0, 8, 0));
        assert_eq!(checker.counts().sequence_gaps, 2);
    }

    #[test]
    fn what_this_program_never_sends_is_bad() {
        let mut checker = Checker::new(2);
        let mut short = packet(0, 1, 0);
        short[16..18].copy_from_slice(&[1, 0]);
        let two_at_once = [packet(0, 1, 0), packet(0, 2, 0)].concat();
        for bytes in [&packet(2, 1, 0)[..], &packet(0, 0, 0), &short, &two_at_once, b"", b"Art-Net\0\0\x20"] {
            checker.take(source(1), bytes);
        }
        checker.take(source(1), &artnet::SYNC);
        let expected = ReceiverCounts { bad_packets: 6, syncs: 1, ..Default::default() };
        assert_eq!(checker.counts(), expected);
    }

    #[test]
    fn the_latest_data_is_kept_for_each_universe() {
        let mut checker = Checker::new(3);
        for (universe, level) in [(0, 1), (2, 5), (0, 9)] {
            checker.take(source(1), &packet(universe, 1, level));
        }
        let levels: Vec<_> = (0..4).map(|u| checker.latest(u).map(|data| data[511])).collect();
        assert_eq!(levels, [Some(9), None, Some(5), None]);
    }
}
