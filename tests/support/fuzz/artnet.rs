//! The decoders of Art-Net and what holds for them; the crate `artnet_protocol` is asked where it is right.
//!
//! It is not where it ignores the length field of ArtDmx and the protocol version, asks for 14 bytes of every packet and
//! for 239 of an ArtPollReply, and takes every number for one of a clock.

use super::Target;
use artnet_protocol::{ArtCommand, ArtTalkToMe, Timecode};
use glowdeck::output::artnet::{self, DMX_HEADER, Packet, ParseError};
use glowdeck::output::discovery::packets::{self, LEAST_REPLY, Message, PollReply, REPLY_PACKET, clean_name};
use glowdeck::output::time_code::{TimeCode, TimeCodeRate};
use glowdeck::units::PortAddress;
use std::net::Ipv4Addr;

/// The oracle asks for so many bytes of every packet.
const ORACLE_LEAST: usize = 14;

pub const DMX: Target = Target {
    name: "art_dmx",
    seeds: || {
        let mut short = dmx(0x7fff, 9, &[1, 2]);
        short[13] = 3;
        vec![dmx(0, 0, &[7; 512]), dmx(0x1234, 255, &[255; 24]), short]
    },
    check: check_dmx,
    repair: |bytes| {
        if let Some(length) = bytes.len().checked_sub(DMX_HEADER) {
            bytes[16..18].copy_from_slice(&(length as u16).to_be_bytes());
        }
    },
    edges: &[10, DMX_HEADER, 20, 530],
};

pub const SYNC: Target = Target {
    name: "art_sync",
    seeds: || vec![artnet::SYNC.to_vec()],
    check: check_sync,
    repair: |_| (),
    edges: &[0, 10, 14],
};

pub const TIME_CODE: Target = Target {
    name: "art_time_code",
    seeds: || {
        let code = |rate, frames| TimeCode { stream: 0, hours: 23, minutes: 59, seconds: 59, frames, rate };
        let rates = [
            code(TimeCodeRate::Film, 23),
            code(TimeCodeRate::Ebu, 24),
            code(TimeCodeRate::DropFrame, 29),
            code(TimeCodeRate::Smpte, 0),
        ];
        rates.map(|code| code.write().to_vec()).to_vec()
    },
    check: check_time_code,
    repair: |_| (),
    edges: &[10, 14, 19],
};

pub const POLL: Target = Target {
    name: "art_poll",
    seeds: || vec![packets::POLL.to_vec(), [packets::POLL.as_slice(), &[0; 8]].concat()],
    check: check_poll,
    repair: |_| (),
    edges: &[10, 12, 13, 14],
};

pub const POLL_REPLY: Target = Target {
    name: "art_poll_reply",
    seeds: || {
        let mut node = PollReply::of_console(Ipv4Addr::new(2, 0, 0, 9));
        (node.style, node.num_ports, node.bind_index) = (0, 4, 2);
        (node.port_types, node.sw_out, node.good_output) = ([0x80; 4], [0, 1, 2, 15], [0x88; 4]);
        let whole = PollReply::of_console(Ipv4Addr::LOCALHOST).write().to_vec();
        vec![whole, node.write().to_vec(), node.write()[..LEAST_REPLY].to_vec()]
    },
    check: check_reply,
    repair: |_| (),
    edges: &[LEAST_REPLY, 212, 213, 228, REPLY_PACKET],
};

fn dmx(port: u16, sequence: u8, data: &[u8]) -> Vec<u8> {
    let mut packet = artnet::dmx_packet(PortAddress::new(port).unwrap()).to_vec();
    packet[12] = sequence;
    packet[16..18].copy_from_slice(&(data.len() as u16).to_be_bytes());
    packet.truncate(DMX_HEADER);
    packet.extend_from_slice(data);
    packet
}

fn error_name(error: ParseError) -> &'static str {
    match error {
        ParseError::NotArtNet => "no Art-Net",
        ParseError::Short { .. } => "short",
        ParseError::OldProtocol { .. } => "old protocol",
        ParseError::Length { .. } => "length",
        ParseError::TimeCode => "no clock",
        ParseError::Port { .. } => "port",
    }
}

fn check_dmx(bytes: &[u8]) -> &'static str {
    let parsed = artnet::parse(bytes);
    let oracle = ArtCommand::from_buffer(bytes);
    match (parsed, oracle) {
        (Ok(Packet::Dmx(ours)), oracle) => {
            let Ok(ArtCommand::Output(theirs)) = oracle else { panic!("the oracle reads no ArtDmx: {oracle:?}") };
            assert_eq!((theirs.sequence, u16::from(theirs.port_address)), (ours.sequence, ours.port.raw()));
            assert!(theirs.data.as_ref().starts_with(ours.data));
            assert!(ours.data.len() % 2 == 0 && (2..=512).contains(&ours.data.len()));
            let mut again = dmx(ours.port.raw(), ours.sequence, ours.data);
            assert_eq!(artnet::parse(&again), Ok(Packet::Dmx(ours)));
            // The version may be newer, and the physical port is not read.
            again[10..12].copy_from_slice(&bytes[10..12]);
            again[13] = bytes[13];
            assert!(bytes.starts_with(&again));
            "dmx"
        }
        (Ok(other), oracle) => {
            assert!(!matches!(oracle, Ok(ArtCommand::Output(_))), "{other:?}");
            "other"
        }
        (Err(error), Ok(ArtCommand::Output(theirs))) => {
            // What the oracle lets pass.
            let length = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
            match error {
                ParseError::OldProtocol { .. } => assert!(theirs.version < [0, 14]),
                ParseError::Length { slots } => {
                    assert!(slots == length && (slots % 2 == 1 || !(2..=512).contains(&slots)));
                }
                ParseError::Short { .. } => assert!(bytes.len() < DMX_HEADER + length),
                _ => panic!("the oracle reads what is refused: {error}"),
            }
            error_name(error)
        }
        (Err(error), _) => error_name(error),
    }
}

fn check_sync(bytes: &[u8]) -> &'static str {
    let oracle = matches!(ArtCommand::from_buffer(bytes), Ok(ArtCommand::Sync));
    match artnet::parse(bytes) {
        Ok(Packet::Sync) => {
            assert!(oracle || bytes.len() < ORACLE_LEAST);
            assert!(bytes.starts_with(&artnet::SYNC[..10]));
            "sync"
        }
        parsed => {
            assert!(!oracle, "the oracle reads an ArtSync");
            parsed.map_or_else(error_name, |_| "other")
        }
    }
}

fn check_time_code(bytes: &[u8]) -> &'static str {
    let oracle = ArtCommand::from_buffer(bytes);
    match artnet::parse(bytes) {
        Ok(Packet::TimeCode(ours)) => {
            let Ok(ArtCommand::OpTimeCode(theirs)) = oracle else { panic!("the oracle reads no time code") };
            let fields = [theirs.stream_id, theirs.hours, theirs.minutes, theirs.seconds, theirs.frames];
            assert_eq!(fields, [ours.stream, ours.hours, ours.minutes, ours.seconds, ours.frames]);
            assert_eq!(theirs.frame_type as u8, ours.rate as u8);
            assert!(is_shown(&theirs));
            let again = ours.write();
            assert_eq!(artnet::parse(&again), Ok(Packet::TimeCode(ours)));
            assert_eq!((&again[..10], &again[13..]), (&bytes[..10], &bytes[13..19]));
            "time code"
        }
        Ok(_) => "other",
        Err(error) => {
            if let Ok(ArtCommand::OpTimeCode(theirs)) = oracle {
                assert!(theirs.version < [0, 14] || !is_shown(&theirs), "the oracle reads what is refused: {error}");
            }
            error_name(error)
        }
    }
}

/// Whether a clock could show it.
fn is_shown(code: &Timecode) -> bool {
    let frames = [24, 25, 30, 30][code.frame_type as usize];
    code.hours < 24 && code.minutes < 60 && code.seconds < 60 && code.frames < frames
}

fn check_poll(bytes: &[u8]) -> &'static str {
    let oracle = ArtCommand::from_buffer(bytes);
    match packets::read(bytes) {
        Some(Message::Poll { targeted }) => {
            if bytes.len() >= ORACLE_LEAST {
                let Ok(ArtCommand::Poll(theirs)) = oracle else { panic!("the oracle reads no ArtPoll: {oracle:?}") };
                let changes = theirs.talk_to_me.contains(ArtTalkToMe::EMIT_CHANGES);
                assert_eq!(changes, bytes[12] & 2 != 0);
            }
            assert_eq!(targeted, bytes.get(12).is_some_and(|flags| flags & 0x20 != 0));
            if targeted { "targeted poll" } else { "poll" }
        }
        Some(Message::Reply(_)) => "reply",
        None => {
            assert!(!matches!(oracle, Ok(ArtCommand::Poll(_))), "the oracle reads an ArtPoll");
            "nothing"
        }
    }
}

fn check_reply(bytes: &[u8]) -> &'static str {
    let oracle = ArtCommand::from_buffer(bytes);
    let Some(Message::Reply(ours)) = packets::read(bytes) else {
        assert!(!matches!(oracle, Ok(ArtCommand::PollReply(_))), "the oracle reads an ArtPollReply");
        return "nothing";
    };
    if let Ok(ArtCommand::PollReply(theirs)) = oracle {
        assert_eq!((theirs.address, theirs.port), (ours.ip, ours.port));
        assert_eq!((theirs.port_address, theirs.num_ports), ([ours.net, ours.sub_net], ours.num_ports.to_be_bytes()));
        assert_eq!((theirs.short_name, theirs.long_name), (ours.short_name, ours.long_name));
        assert_eq!((theirs.port_types, theirs.swout), (ours.port_types, ours.sw_out));
        assert_eq!(
            (theirs.good_output, theirs.good_input, theirs.swin),
            (ours.good_output, ours.good_input, ours.sw_in)
        );
        assert_eq!((theirs.style, theirs.mac, theirs.bind_index), (ours.style, ours.mac, ours.bind_index));
        assert_eq!((theirs.bind_ip, theirs.status_2), (ours.bind_ip.octets(), ours.status2));
    } else {
        assert!(bytes.len() < REPLY_PACKET, "the oracle reads no ArtPollReply: {oracle:?}");
    }
    assert_eq!(packets::read(&ours.write()), Some(Message::Reply(ours.clone())));
    let outputs: Vec<PortAddress> = ours.outputs().collect();
    assert!(outputs.len() <= packets::PORTS && ours.merging().all(|port| outputs.contains(&port)));
    let name = clean_name(&ours.long_name);
    assert!(!name.contains(char::is_control) && name.trim() == name && name.len() <= 64);
    match (bytes.len() < REPLY_PACKET, outputs.is_empty()) {
        (true, _) => "short reply",
        (false, true) => "reply without outputs",
        (false, false) => "reply with outputs",
    }
}
