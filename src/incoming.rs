//! What arrives from other consoles: datagrams on their way to the bridge, and the levels that the bridge makes of them.
//!
//! `output` and `input` receive datagrams, `input` makes levels, `render` merges these into frames; this is where they
//! meet. Plain values. Deliberately absent: what the bytes of a datagram mean.

use crate::model::device::Incoming;
use crate::units::UNIVERSE_CHANNELS;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;

/// Bytes of the longest datagram that anything is read from: a full page of an sACN discovery.
pub const MOST_BYTES: usize = 1144;

/// A datagram that another sender sent, cut off at [`MOST_BYTES`].
#[derive(Clone)]
pub struct Datagram {
    /// Where it came from; never an address of this computer in Art-Net, never this source in sACN.
    pub from: Ipv4Addr,
    length: u16,
    bytes: [u8; MOST_BYTES],
}

impl Datagram {
    /// Takes what was received.
    pub fn new(from: Ipv4Addr, received: &[u8]) -> Self {
        let length = received.len().min(MOST_BYTES);
        let mut bytes = [0; MOST_BYTES];
        bytes[..length].copy_from_slice(&received[..length]);
        Self { from, length: length as u16, bytes }
    }

    /// What was received.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// One level a channel.
pub type Levels = [u8; UNIVERSE_CHANNELS];

/// The levels of all universes that other consoles send and that are merged into the show's. A universe that nobody
/// sends, or no more, is not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IncomingLight {
    /// Levels by universe.
    pub universes: BTreeMap<Incoming, Arc<Levels>>,
}
