//! Messages of the Enttec DMX USB Pro as bytes: written whole, and read from a stream that may hold anything.
//!
//! After Enttec's "DMX USB Pro Widget API Specification 1.44": `7E`, a label, the length of the data low byte first, the
//! data, `E7`. The data of a DMX message are the start code and 24 to 512 channels. The interface repeats what it was
//! sent last on its DMX line by itself.
//!
//! The second line of a Pro Mk2 wants an API key first, and messages whose labels go with the key. Enttec gives both to
//! developers who ask, and its example code leaves them open; so they are a device's setting
//! ([`Mk2Api`]) and none stand here. Known for certain: the key goes in label 13, low byte first; the assignment is one
//! byte a port, 1 for DMX; a message for the second line has the form of one for the first.
//!
//! Pure, for any thread. Deliberately absent: serial ports, and when anything is sent.

use crate::model::device::Mk2Api;
use crate::units::UNIVERSE_CHANNELS;

const START: u8 = 0x7E;
const END: u8 = 0xE7;
/// "Get Widget Parameters"; the only request during which an interface goes on sending its line.
pub const GET_PARAMETERS: u8 = 3;
/// "Output Only Send DMX Packet".
pub const SEND_DMX: u8 = 6;
/// "Set API Key" of a Pro Mk2.
const SET_API_KEY: u8 = 13;
/// What a port of a Pro Mk2 is assigned to.
const PORT_IS_DMX: u8 = 1;
/// Bytes around the data.
const AROUND: usize = 5;
/// The most data of a message, by the specification.
pub const MAX_DATA: usize = 600;
/// Bytes before the channels of a DMX message: delimiter, label, length, start code.
const DMX_HEADER: usize = 5;
/// Bytes of a DMX message.
pub const DMX_MESSAGE: usize = DMX_HEADER + UNIVERSE_CHANNELS + 1;

/// A message. Data past [`MAX_DATA`] are left out.
pub fn message(label: u8, data: &[u8]) -> Vec<u8> {
    let data = &data[..data.len().min(MAX_DATA)];
    let [low, high, ..] = data.len().to_le_bytes();
    let mut bytes = Vec::with_capacity(data.len() + AROUND);
    bytes.extend([START, label, low, high]);
    bytes.extend(data);
    bytes.push(END);
    bytes
}

/// A DMX message whose channels are all 0.
pub fn dark(label: u8) -> [u8; DMX_MESSAGE] {
    let mut bytes = [0; DMX_MESSAGE];
    let [low, high, ..] = (UNIVERSE_CHANNELS + 1).to_le_bytes();
    bytes[..4].copy_from_slice(&[START, label, low, high]);
    bytes[DMX_MESSAGE - 1] = END;
    bytes
}

/// The channels of a DMX message.
pub fn channels(message: &mut [u8; DMX_MESSAGE]) -> &mut [u8] {
    &mut message[DMX_HEADER..DMX_MESSAGE - 1]
}

/// Asks what is there, without settings of its own in the answer.
pub fn get_parameters() -> Vec<u8> {
    message(GET_PARAMETERS, &[0, 0])
}

/// Opens the second line of a Pro Mk2: to be followed by [`assign_ports`] a moment later.
pub fn set_api_key(api: Mk2Api) -> Vec<u8> {
    message(SET_API_KEY, &api.key.to_le_bytes())
}

/// Makes both ports of a Pro Mk2 DMX lines.
pub fn assign_ports(api: Mk2Api) -> Vec<u8> {
    message(api.assign, &[PORT_IS_DMX; 2])
}

/// A message that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is.
    pub label: u8,
    /// What it says; at most [`MAX_DATA`] bytes.
    pub data: Vec<u8>,
}

/// Finds messages in a stream of bytes. What is no message is skipped, and nothing that comes makes it keep more than
/// one message. A message that follows garbage is found however the garbage looks: what turns out to be no message
/// gives back all its bytes but the first.
#[derive(Debug, Default)]
pub struct Decoder {
    kept: Vec<u8>,
}

/// What the bytes from a start on are.
enum Reading {
    Unfinished,
    NoMessage,
    Message { label: u8, bytes: usize },
}

impl Decoder {
    /// Takes bytes as they came, and hands over the messages that they complete.
    pub fn take(&mut self, mut bytes: &[u8], mut found: impl FnMut(Message)) {
        while !bytes.is_empty() {
            let room = (MAX_DATA + AROUND - self.kept.len()).min(bytes.len());
            self.kept.extend_from_slice(&bytes[..room]);
            bytes = &bytes[room..];
            let read = self.read(&mut found);
            self.kept.drain(..read);
        }
    }

    /// Reads what there is; returns how many bytes are done with. What stays is shorter than the longest message.
    fn read(&self, found: &mut impl FnMut(Message)) -> usize {
        let mut at = 0;
        loop {
            let Some(start) = self.kept[at..].iter().position(|byte| *byte == START) else { return self.kept.len() };
            at += start;
            match reading(&self.kept[at..]) {
                Reading::Unfinished => return at,
                Reading::NoMessage => at += 1,
                Reading::Message { label, bytes } => {
                    found(Message { label, data: self.kept[at + 4..at + bytes - 1].to_vec() });
                    at += bytes;
                }
            }
        }
    }
}

fn reading(bytes: &[u8]) -> Reading {
    let [_, label, low, high, rest @ ..] = bytes else { return Reading::Unfinished };
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    if length > MAX_DATA {
        return Reading::NoMessage;
    }
    match rest.get(length) {
        None => Reading::Unfinished,
        Some(&END) => Reading::Message { label: *label, bytes: length + AROUND },
        Some(_) => Reading::NoMessage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn decoded<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Message> {
        let (mut decoder, mut messages) = (Decoder::default(), Vec::new());
        for piece in pieces {
            decoder.take(piece, |message| messages.push(message));
            assert!(decoder.kept.len() < MAX_DATA + AROUND);
        }
        messages
    }

    #[test]
    fn messages_are_the_bytes_of_the_specification() {
        let mut bytes = dark(SEND_DMX);
        channels(&mut bytes)[0] = 255;
        channels(&mut bytes)[511] = 7;
        assert_eq!(bytes.len(), 518);
        assert_eq!(bytes[..7], [0x7E, 6, 0x01, 0x02, 0, 255, 0], "513 bytes of data: the start code counts");
        assert_eq!(bytes[516..], [7, 0xE7]);
        assert_eq!(message(SEND_DMX, &bytes[4..517]), bytes);
        assert_eq!(get_parameters(), [0x7E, 3, 2, 0, 0, 0, 0xE7]);
        let api = Mk2Api { key: 0x1122_3344, assign: 100, send: 101 };
        assert_eq!(set_api_key(api), [0x7E, 13, 4, 0, 0x44, 0x33, 0x22, 0x11, 0xE7]);
        assert_eq!(assign_ports(api), [0x7E, 100, 2, 0, 1, 1, 0xE7]);
    }

    #[test]
    fn a_start_that_was_none_swallows_no_message() {
        let wanted = message(GET_PARAMETERS, &[1, 2, 3]);
        for garbage in
            [&[START][..], &[START, START], &[START, 6, 1, 2], &[START, 6, 0xFF, 0xFF], &[END, START, 9, 2, 0]]
        {
            let stream = [garbage, &wanted, &dark(SEND_DMX), &dark(SEND_DMX)].concat();
            let found = decoded([&stream[..]]);
            assert!(found.contains(&Message { label: GET_PARAMETERS, data: vec![1, 2, 3] }), "{garbage:?}: {found:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_however_it_is_cut_up(
            sent in vec((any::<u8>(), vec(any::<u8>(), 0..=MAX_DATA)), 1..5),
            cuts in vec(1..700_usize, 1..40),
        ) {
            let stream: Vec<u8> = sent.iter().flat_map(|(label, data)| message(*label, data)).collect();
            let (mut pieces, mut rest) = (Vec::new(), &stream[..]);
            for cut in cuts.iter().cycle() {
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                pieces.push(piece);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            let expected: Vec<_> = sent.into_iter().map(|(label, data)| Message { label, data }).collect();
            prop_assert_eq!(decoded(pieces), expected);
        }

        #[test]
        fn after_any_garbage_messages_are_found_again(
            garbage in vec(prop_oneof![4 => any::<u8>(), 1 => Just(START), 1 => Just(END)], 0..2000),
            data in vec(any::<u8>(), 0..=MAX_DATA),
        ) {
            // A start in the garbage may claim what follows; not more of it than one message holds, though.
            let quiet = vec![0; MAX_DATA + AROUND];
            let stream = [garbage, quiet, message(SEND_DMX, &data)].concat();
            let found = decoded(stream.chunks(64));
            prop_assert_eq!(found.last(), Some(&Message { label: SEND_DMX, data }));
        }
    }
}
