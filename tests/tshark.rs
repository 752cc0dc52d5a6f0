//! A foreign dissector's view of our packets: the fields that tshark reads out of them.
//!
//! A capture file is written by hand, so nothing needs a network or a privilege. tshark 4 reads Art-Net and
//! sACN data; sACN's synchronization and discovery, and DDP, it takes for plain UDP. Where tshark is missing the test says
//! so loudly and checks nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use glowdeck::output::cid::Cid;
use glowdeck::output::discovery::packets::{POLL, PollReply};
use glowdeck::output::{artnet, sacn};
use glowdeck::units::PortAddress;
use std::net::Ipv4Addr;
use std::process::Command;

/// A capture of IPv4 datagrams (link type 228), each from port 50000 to `port`.
fn capture(datagrams: &[(u16, &[u8])]) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 65_535, 228] {
        file.extend(word.to_le_bytes());
    }
    for (port, payload) in datagrams {
        let length = 28 + payload.len() as u32;
        for word in [0, 0, length, length] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend([0x45, 0]);
        file.extend((length as u16).to_be_bytes());
        file.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        for field in [50_000, *port, length as u16 - 20, 0] {
            file.extend(field.to_be_bytes());
        }
        file.extend(*payload);
    }
    file
}

/// What tshark says each field holds, a line a datagram; `None` where there is no tshark.
fn dissected(datagrams: &[(u16, &[u8])], fields: &[&str]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("packets.pcap");
    std::fs::write(&path, capture(datagrams)).unwrap();
    let mut tshark = Command::new("tshark");
    tshark.arg("-r").arg(&path).args(["-T", "fields", "-E", "separator=/s"]);
    // sACN is told from other UDP, and read to its slots, only when asked for.
    tshark.args(["--enable-heuristic", "acn", "-o", "acn.dmx_enable:TRUE"]);
    for field in fields {
        tshark.args(["-e", field]);
    }
    let output = match tshark.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Past the test harness's capture, so that nobody takes a skipped test for a passed one.
            std::fs::write("/dev/stderr", "\n*** SKIPPED: tshark is not installed. Nothing was checked. ***\n").ok();
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(said.lines().map(|line| line.trim().to_owned()).collect())
}

fn check(datagrams: &[(u16, &[u8])], fields: &[&str], expected: &[&str]) {
    if let Some(lines) = dissected(datagrams, fields) {
        assert_eq!(lines, expected);
    }
}

#[test]
fn sacn_data_has_the_fields_that_were_meant() {
    let cid = Cid(*b"\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef");
    let mut first = sacn::data_packet(cid, 0x1234, 150, 0x0708);
    sacn::advance_sequence(&mut first);
    let mut last = first;
    sacn::advance_sequence(&mut last);
    sacn::terminate(&mut last);
    let fields = [
        "acn.cid",
        "acn.dmx.source_name",
        "acn.dmx.priority",
        // The sync address: tshark names the field as an older edition did.
        "acn.dmx.reserved",
        "acn.dmx.seq_number",
        "acn.dmx.option_p",
        "acn.dmx.option_s",
        "acn.dmx.universe",
        "acn.dmx.start_code2",
        "acn.dmx.first_property_address",
        "acn.dmx.increment",
        "acn.dmx.count",
        "acn.pdu.length",
    ];
    let expected = [
        "01234567-89ab-cdef-0123-456789abcdef Glowdeck 150 1800 1 0 0 4660 0 0 1 513 622,600,523",
        "01234567-89ab-cdef-0123-456789abcdef Glowdeck 150 1800 2 0 1 4660 0 0 1 513 622,600,523",
    ];
    check(&[(5568, &first), (5568, &last)], &fields, &expected);
}

#[test]
fn art_net_has_the_fields_that_were_meant() {
    let mut packet = artnet::dmx_packet(PortAddress::new(0x1234).unwrap());
    artnet::advance_sequence(&mut packet);
    let fields = ["artnet.header.opcode", "artnet.output.sequence", "artnet.output.universe", "artnet.output.length"];
    check(&[(6454, &packet), (6454, &artnet::SYNC)], &fields, &["0x5000 1 4660 512", "0x5200"]);
}

#[test]
fn discovery_has_the_fields_that_were_meant() {
    let reply = PollReply::of_console(Ipv4Addr::new(10, 1, 2, 3)).write();
    let fields = [
        "artnet.header.opcode",
        "artnet.poll.talktome_reply_change",
        "artnet.poll.talktome_targeted",
        "artnet.poll_reply.ip_address",
        "artnet.poll_reply.port_nr",
        "artnet.poll_reply.num_ports",
        "artnet.poll_reply.short_name",
    ];
    check(&[(6454, &POLL), (6454, &reply)], &fields, &["0x2000 1 0", "0x2100   10.1.2.3 6454 0 Glowdeck"]);
}
