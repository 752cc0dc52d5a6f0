//! sACN byte for byte, written and read; and every decoder against whatever a network can bring.
//!
//! No socket and no clock: bytes are compared with vectors written by hand from the specification.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use glowdeck::model::device::DdpPixels;
use glowdeck::output::cid::Cid;
use glowdeck::output::sacn::{self, Data, Packet, ParseError};
use glowdeck::output::{artnet, ddp};
use proptest::prelude::*;

const CID: [u8; 16] = [0xc1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xdc];

/// The start of every packet: preamble, postamble, `ASC-E1.17`, then flags and length, the root vector and the CID.
fn root(length: u16, vector: u8) -> Vec<u8> {
    let mut bytes = vec![0, 0x10, 0, 0, 0x41, 0x53, 0x43, 0x2d, 0x45, 0x31, 0x2e, 0x31, 0x37, 0, 0, 0];
    bytes.extend((0x7000 | length).to_be_bytes());
    bytes.extend([0, 0, 0, vector]);
    bytes.extend(CID);
    bytes
}

fn name() -> Vec<u8> {
    let mut name = b"Glowdeck".to_vec();
    name.resize(64, 0);
    name
}

#[test]
fn a_data_packet_is_these_638_bytes() {
    let mut packet = sacn::data_packet(Cid(CID), 0x1234, 150, 0x0708);
    sacn::advance_sequence(&mut packet);
    packet[126..129].copy_from_slice(&[0xff, 0x80, 1]);
    let mut expected = root(622, 4);
    expected.extend([0x72, 0x58, 0, 0, 0, 2]); // framing: 600 bytes, data
    expected.extend(name());
    expected.extend([150, 0x07, 0x08, 1, 0, 0x12, 0x34]); // priority, sync address, sequence, options, universe
    expected.extend([0x72, 0x0b, 2, 0xa1, 0, 0, 0, 1, 0x02, 0x01, 0]); // DMP: 523 bytes, 513 values, start code 0
    expected.extend([0xff, 0x80, 1]);
    expected.resize(638, 0);
    assert_eq!(packet[..], expected);
    sacn::terminate(&mut packet);
    expected[112] = 0x40;
    assert_eq!(packet[..], expected);
}

#[test]
fn a_synchronization_packet_is_these_49_bytes() {
    let mut packet = sacn::sync_packet(Cid(CID), 0x1234);
    sacn::advance_sync_sequence(&mut packet);
    let mut expected = root(33, 8);
    expected.extend([0x70, 0x0b, 0, 0, 0, 1, 1, 0x12, 0x34, 0, 0]);
    assert_eq!(packet[..], expected);
}

#[test]
fn a_discovery_of_513_universes_is_these_two_pages() {
    let universes: Vec<u16> = (300..813).collect();
    let pages = sacn::discovery_packets(Cid(CID), &universes);
    let mut expected = root(1128, 8);
    expected.extend([0x74, 0x52, 0, 0, 0, 2]); // framing: 1106 bytes
    expected.extend(name());
    expected.extend([0; 4]);
    expected.extend([0x74, 0x08, 0, 0, 0, 1, 0, 1]); // list: 1032 bytes, page 0 of 0 and 1
    expected.extend((300..812_u16).flat_map(u16::to_be_bytes));
    assert_eq!(pages[0], expected);
    let mut expected = root(106, 8);
    expected.extend([0x70, 0x54, 0, 0, 0, 2]);
    expected.extend(name());
    expected.extend([0, 0, 0, 0, 0x70, 0x0a, 0, 0, 0, 1, 1, 1, 0x03, 0x2c]);
    assert_eq!(pages[1], expected);
    assert_eq!(pages.len(), 2);
    assert!(sacn::discovery_packets(Cid(CID), &[]).is_empty());
    assert_eq!(sacn::discovery_packets(Cid(CID), &universes[..512]).len(), 1);
}

#[test]
fn a_universe_has_the_group_of_its_number() {
    assert_eq!(sacn::group(0x1234), "239.255.18.52:5568".parse().unwrap());
    assert_eq!(sacn::group(sacn::DISCOVERY_UNIVERSE), "239.255.250.214:5568".parse().unwrap());
}

#[test]
fn fields_that_cannot_be_are_refused() {
    let check = |change: &dyn Fn(&mut Vec<u8>), expected: Result<usize, ParseError>| {
        let mut bytes = sacn::data_packet(Cid(CID), 7, 100, 0).to_vec();
        change(&mut bytes);
        let slots = sacn::parse(&bytes).map(|packet| match packet {
            Packet::Data(data) => data.slots.len(),
            other => panic!("{other:?}"),
        });
        assert_eq!(slots, expected);
    };
    let field = |field| Err(ParseError::Field { field });
    check(&|_| (), Ok(512));
    check(&|bytes| bytes.extend([9; 30]), Ok(512));
    check(&|bytes| bytes[123..125].copy_from_slice(&[0, 4]), Ok(3));
    check(&|bytes| bytes[4] = b'a', Err(ParseError::NotSacn));
    check(&|bytes| bytes.truncate(637), Err(ParseError::Short));
    check(&|bytes| bytes.truncate(16), Err(ParseError::Short));
    check(&|bytes| bytes[16] = 0x62, field("the flags of a layer"));
    check(&|bytes| bytes[115..117].copy_from_slice(&[0x7f, 0xff]), Err(ParseError::Short));
    check(&|bytes| bytes[118] = 0xa2, field("the DMP layer"));
    for count in [[0, 0], [2, 2], [0xff, 0xff]] {
        check(&|bytes| bytes[123..125].copy_from_slice(&count), field("the number of slots"));
    }
    check(&|bytes| bytes[108] = 201, field("the priority"));
    for universe in [0_u16, 64_000, u16::MAX] {
        check(&|bytes| bytes[113..115].copy_from_slice(&universe.to_be_bytes()), field("the universe"));
    }
    check(&|bytes| bytes[109..111].copy_from_slice(&[0xff, 0]), field("the synchronization universe"));
}

/// Datagrams to mutate: one of each kind of every protocol that is read.
fn originals() -> Vec<Vec<u8>> {
    let mut originals = sacn::discovery_packets(Cid(CID), &(1..=520).collect::<Vec<_>>());
    originals.push(sacn::data_packet(Cid(CID), 7, 100, 9).to_vec());
    originals.push(sacn::sync_packet(Cid(CID), 9).to_vec());
    originals.push(artnet::dmx_packet(Default::default()).to_vec());
    originals.push([&ddp::header(DdpPixels::Rgbw, 1440, 40)[..], &[7; 40]].concat());
    originals
}

/// A quarter of a million inputs, mutated where it hurts, from a generator of its own: proptest's would take minutes.
#[test]
fn no_input_makes_a_decoder_panic_or_read_past_its_end() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % end
    };
    let originals = originals();
    let mut bytes = Vec::new();
    let mut known = [0_usize; 4];
    for round in 0..250_000 {
        bytes.clear();
        if round % 5 == 0 {
            bytes.extend((0..random(700)).map(|_| random(256) as u8));
        } else {
            bytes.extend(&originals[random(originals.len())]);
            for _ in 0..random(4) {
                // Most fields are in front.
                let at = if random(2) == 0 { random(bytes.len().min(130)) } else { random(bytes.len()) };
                bytes[at] = [0, 1, 0x70, 0x72, 0xff, random(256) as u8][random(6)];
            }
            if random(4) == 0 {
                bytes.truncate(random(bytes.len() + 1));
            }
        }
        let inside = |part: &[u8]| part.is_empty() || bytes.as_ptr_range().contains(&part.as_ptr());
        match sacn::parse(&bytes) {
            Ok(Packet::Data(data)) => {
                assert!(data.slots.len() <= 512 && data.priority <= 200 && (1..=63_999).contains(&data.universe));
                assert!(inside(data.slots) && inside(data.source) && data.source.len() <= 64);
                known[0] += 1;
            }
            Ok(Packet::Discovery(page)) => {
                assert!(page.page <= page.last_page && page.universes().count() <= 512);
                known[1] += 1;
            }
            Ok(Packet::Sync { universe, .. }) => {
                assert!((1..=63_999).contains(&universe));
                known[2] += 1;
            }
            Ok(Packet::Other) | Err(_) => {}
        }
        if let Ok(data) = ddp::parse(&bytes) {
            assert!(inside(data.data) && data.sequence <= ddp::MAX_SEQUENCE);
            known[3] += 1;
        }
        let _ = artnet::parse(&bytes);
    }
    assert!(known.iter().all(|count| *count > 5_000), "the mutations are too wild to test anything: {known:?}");
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        cid: [u8; 16],
        universe in 1..=63_999_u16,
        priority in 0..=200_u8,
        sync in prop::option::of(1..=63_999_u16),
        sequence in 0..600_usize,
        slots in any::<[u8; 32]>(),
        terminated: bool,
    ) {
        let mut packet = sacn::data_packet(Cid(cid), universe, priority, sync.unwrap_or(0));
        (0..sequence).for_each(|_| sacn::advance_sequence(&mut packet));
        packet[126..158].copy_from_slice(&slots);
        if terminated {
            sacn::terminate(&mut packet);
        }
        let expected = Data {
            cid: Cid(cid),
            source: b"Glowdeck",
            priority,
            sync_universe: sync,
            sequence: sequence as u8,
            preview: false,
            terminated,
            force_sync: false,
            universe,
            start_code: 0,
            slots: &[&slots[..], &[0; 480]].concat(),
        };
        prop_assert_eq!(sacn::parse(&packet), Ok(Packet::Data(expected)));
        let mut packet = sacn::sync_packet(Cid(cid), universe);
        (0..sequence).for_each(|_| sacn::advance_sync_sequence(&mut packet));
        let sequence = sequence as u8;
        prop_assert_eq!(sacn::parse(&packet), Ok(Packet::Sync { cid: Cid(cid), sequence, universe }));
    }

    #[test]
    fn discovery_lists_every_universe_once(universes in prop::collection::btree_set(1..=63_999_u16, 0..2_000)) {
        let universes: Vec<u16> = universes.into_iter().collect();
        let pages = sacn::discovery_packets(Cid(CID), &universes);
        let mut listed = Vec::new();
        for (number, page) in pages.iter().enumerate() {
            let Ok(Packet::Discovery(page)) = sacn::parse(page) else { panic!("no discovery") };
            prop_assert_eq!((usize::from(page.page), usize::from(page.last_page)), (number, pages.len() - 1));
            listed.extend(page.universes());
        }
        prop_assert_eq!(listed, universes);
    }
}
