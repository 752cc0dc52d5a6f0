//! The bytes of ArtPoll and ArtPollReply against the specification and the crate `artnet_protocol`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/poll_replies.rs"]
mod poll_replies;

use artnet_protocol::{ArtCommand, PollReply as OracleReply};
use glowdeck::output::discovery::packets::{LEAST_REPLY, Message, POLL, PollReply, read};
use poll_replies::{parsed, reply};
use proptest::prelude::*;
use std::net::Ipv4Addr;

const PORT: u16 = 6454;

#[test]
fn an_art_poll_is_these_14_bytes() {
    let expected = [0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00, 0x00, 0x20, 0x00, 0x0e, 0x02, 0x10];
    assert_eq!(POLL, expected);
    assert!(matches!(ArtCommand::from_buffer(&POLL), Ok(ArtCommand::Poll(_))));
}

#[test]
fn polls_of_12_bytes_and_more_are_read() {
    let check = |bytes: &[u8], expected| assert_eq!(read(bytes), expected, "{bytes:?}");
    check(&POLL[..11], None);
    check(&POLL[..12], Some(Message::Poll { targeted: false }));
    check(&POLL, Some(Message::Poll { targeted: false }));
    let mut long = [POLL.as_slice(), &[0; 8]].concat();
    check(&long, Some(Message::Poll { targeted: false }));
    long[12] = 0x22;
    check(&long, Some(Message::Poll { targeted: true }));
    long[0] = b'a';
    check(&long, None);
}

#[test]
fn a_reply_of_198_bytes_is_read_and_what_is_missing_is_zero() {
    let mut whole = reply("short", 0x1234, 7);
    (whole.style, whole.refresh_rate, whole.mac) = (1, 200, [1, 2, 3, 4, 5, 6]);
    let bytes = whole.write();
    assert_eq!(parsed(&bytes), whole);
    let short = parsed(&bytes[..LEAST_REPLY]);
    let expected = PollReply {
        style: 0,
        mac: [0; 6],
        bind_ip: Ipv4Addr::UNSPECIFIED,
        bind_index: 0,
        status2: 0,
        refresh_rate: 0,
        ..whole.clone()
    };
    assert_eq!(short, expected);
    assert_eq!(parsed(&bytes[..212]).bind_index, 7);
    assert_eq!(read(&bytes[..LEAST_REPLY - 1]), None);
    assert_eq!(parsed(&[bytes.as_slice(), &[9; 300]].concat()), whole);
}

#[test]
fn the_oracle_reads_our_reply_as_a_controller_without_ports() {
    let ours = PollReply::of_console(Ipv4Addr::new(10, 1, 2, 3)).write();
    let Ok(ArtCommand::PollReply(oracle)) = ArtCommand::from_buffer(&ours) else { panic!() };
    assert_eq!((oracle.address, oracle.port), (Ipv4Addr::new(10, 1, 2, 3), PORT));
    assert_eq!((oracle.style, oracle.num_ports, oracle.bind_index), (1, [0, 0], 1));
    assert_eq!((oracle.bind_ip, oracle.status_2 & 8), ([10, 1, 2, 3], 8));
    assert!(oracle.short_name.starts_with(b"Glowdeck\0") && oracle.long_name.starts_with(b"Glowdeck "));
    assert!(oracle.node_report.starts_with(b"#0001 [0000] "));
}

proptest! {
    #[test]
    fn what_the_oracle_writes_is_read(
        ip: [u8; 4], port: u16, version: [u8; 2], port_address: [u8; 2], oem: [u8; 2], esta_code: u16,
        short_name: [u8; 18], num_ports: [u8; 2], ports: [[u8; 4]; 5], mac: [u8; 6], binding: [u8; 4],
        singles: [u8; 4],
    ) {
        let [port_types, good_input, good_output, swin, swout] = ports;
        let [status_1, style, bind_index, status_2] = singles;
        let oracle = OracleReply {
            address: ip.into(), port, version, port_address, oem, status_1, esta_code, short_name, num_ports,
            port_types, good_input, good_output, swin, swout, style, mac, bind_ip: binding, bind_index, status_2,
            ..OracleReply::default()
        };
        let (long_name, report) = (oracle.long_name, oracle.node_report);
        let bytes = ArtCommand::PollReply(Box::new(oracle)).write_to_buffer().expect("the oracle writes");
        let read = parsed(&bytes);
        prop_assert_eq!((read.ip, read.port, read.firmware), (Ipv4Addr::from(ip), port, u16::from_be_bytes(version)));
        prop_assert_eq!(([read.net, read.sub_net], read.oem), (port_address, u16::from_be_bytes(oem)));
        prop_assert_eq!((read.status, read.esta, read.short_name), (status_1, esta_code, short_name));
        prop_assert_eq!((read.long_name, read.report), (long_name, report));
        prop_assert_eq!((read.num_ports, read.port_types), (u16::from_be_bytes(num_ports), port_types));
        prop_assert_eq!((read.good_input, read.good_output), (good_input, good_output));
        prop_assert_eq!((read.sw_in, read.sw_out, read.style), (swin, swout, style));
        prop_assert_eq!((read.mac, read.bind_ip.octets(), read.bind_index), (mac, binding, bind_index));
        prop_assert_eq!(read.status2, status_2);
        prop_assert_eq!(&read.write()[..213], &bytes[..213]);
    }
}
