//! The decoder of what a DMX interface on USB says, and what holds for it.

use super::Target;
use glowdeck::output::enttec::{self, Decoder, MAX_DATA, Message};

pub const ENTTEC: Target = Target {
    name: "enttec",
    seeds: || {
        let parameters = enttec::message(enttec::GET_PARAMETERS, &[4, 1, 9, 1, 40]);
        let frame = enttec::message(enttec::SEND_DMX, &[0, 255, 128]);
        let longest = enttec::message(5, &[0x7e; MAX_DATA]);
        let noisy = [&[0x7e, 6, 255, 255, 0xe7][..], &parameters, &[0x7e], &frame].concat();
        vec![parameters.clone(), [parameters, frame].concat(), longest, noisy]
    },
    check,
    repair: |bytes| {
        if let Some(length) = bytes.len().checked_sub(5) {
            bytes[0] = 0x7e;
            bytes[2..4].copy_from_slice(&(length.min(MAX_DATA) as u16).to_le_bytes());
            if let Some(end) = bytes.last_mut() {
                *end = 0xe7;
            }
        }
    },
    edges: &[0, 4, 5, MAX_DATA + 5],
};

fn decoded<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Message> {
    let (mut decoder, mut messages) = (Decoder::default(), Vec::new());
    pieces.for_each(|piece| decoder.take(piece, |message| messages.push(message)));
    messages
}

fn check(bytes: &[u8]) -> &'static str {
    let whole = decoded([bytes].into_iter());
    // However the bytes come in, the same is said.
    let size = bytes.first().map_or(1, |byte| usize::from(byte % 7) + 1);
    assert_eq!(whole, decoded(bytes.chunks(size)));
    // What was read stands there, one message after the other.
    let mut rest = bytes;
    for message in &whole {
        let written = enttec::message(message.label, &message.data);
        let at = rest.windows(written.len()).position(|window| window == written).expect("it was sent");
        rest = &rest[at + written.len()..];
    }
    match whole.len() {
        0 => "nothing",
        1 => "one",
        _ => "several",
    }
}
