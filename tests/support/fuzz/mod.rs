//! What a fuzzing run of the decoders needs: the decoders with their promises, and what is done to packets.

pub mod artnet;
pub mod corpus;
pub mod mutate;
pub mod serial;
pub mod streams;

/// A decoder with what holds for it whatever it is given.
pub struct Target {
    /// Also the name of its corpus in `tests/fuzz`.
    pub name: &'static str,
    /// Valid packets to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Decodes, holds the decoder to its promises, and says what came out in a word.
    pub check: fn(&[u8]) -> &'static str,
    /// Makes the lengths that a packet says fit again what it has, so that a change gets past the first look.
    pub repair: fn(&mut [u8]),
    /// Lengths at which something begins or ends.
    pub edges: &'static [usize],
}

/// All decoders.
pub const TARGETS: &[Target] = &[
    artnet::DMX,
    artnet::SYNC,
    artnet::TIME_CODE,
    artnet::POLL,
    artnet::POLL_REPLY,
    streams::SACN_DATA,
    streams::SACN_SYNC,
    streams::SACN_DISCOVERY,
    streams::DDP,
    serial::ENTTEC,
];
