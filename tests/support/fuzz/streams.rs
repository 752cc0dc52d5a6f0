//! The decoders of sACN and DDP and what holds for them.

use super::Target;
use glowdeck::model::device::DdpPixels;
use glowdeck::output::cid::Cid;
use glowdeck::output::ddp;
use glowdeck::output::sacn::{self, Packet, ParseError};
use glowdeck::units::UNIVERSE_CHANNELS;

const CID: Cid = Cid([0xc1; 16]);

pub const SACN_DATA: Target = Target {
    name: "sacn_data",
    seeds: || {
        let mut first = sacn::data_packet(CID, 1, 100, 0).to_vec();
        first[126..].fill(9);
        let mut last = sacn::data_packet(CID, 63_999, 200, 7_000).to_vec();
        (last[111], last[112]) = (255, 0xe0);
        let mut short = first[..130].to_vec();
        repair_sacn(&mut short);
        vec![first, last, short]
    },
    check: check_data,
    repair: repair_sacn,
    edges: &[16, 38, 115, 126, 638],
};

pub const SACN_SYNC: Target = Target {
    name: "sacn_sync",
    seeds: || vec![sacn::sync_packet(CID, 1).to_vec(), sacn::sync_packet(CID, 63_999).to_vec()],
    check: check_sync,
    repair: |bytes| repair_layers(bytes, &[16, 38]),
    edges: &[16, 38, 45, 47, 49],
};

pub const SACN_DISCOVERY: Target = Target {
    name: "sacn_discovery",
    seeds: || {
        let full: Vec<u16> = (1..=513).collect();
        [sacn::discovery_packets(CID, &full), sacn::discovery_packets(CID, &[1, 2, 63_999])].concat()
    },
    check: check_discovery,
    repair: |bytes| repair_layers(bytes, &[16, 38, 112]),
    edges: &[112, 120, 122, 1144],
};

pub const DDP: Target = Target {
    name: "ddp",
    seeds: || {
        let packet = |pixels, offset, data: &[u8]| {
            let mut packet = [&ddp::header(pixels, offset, data.len() as u16)[..], data].concat();
            ddp::stamp(&mut packet, 15, true);
            packet
        };
        let mut timed = packet(DdpPixels::Rgb, 0, &[1, 2, 3]);
        timed[0] |= 0x10;
        timed.splice(10..10, [0; 4]);
        vec![packet(DdpPixels::Rgb, 0, &[7; 1440]), packet(DdpPixels::Rgbw, u32::MAX, &[1, 2, 3, 4]), timed]
    },
    check: check_ddp,
    repair: |bytes| {
        let header = if bytes.first().is_some_and(|flags| flags & 0x10 != 0) { 14 } else { 10 };
        if let Some(length) = bytes.len().checked_sub(header) {
            bytes[8..10].copy_from_slice(&(length as u16).to_be_bytes());
        }
    },
    edges: &[0, 10, 14, 1450],
};

fn repair_layers(bytes: &mut [u8], layers: &[usize]) {
    for at in layers {
        let length = bytes.len().saturating_sub(*at);
        if length >= 2 {
            bytes[*at..at + 2].copy_from_slice(&(0x7000 | length as u16).to_be_bytes());
        }
    }
}

fn repair_sacn(bytes: &mut [u8]) {
    repair_layers(bytes, &[16, 38, 115]);
    if let Some(count) = bytes.len().checked_sub(125) {
        bytes[123..125].copy_from_slice(&(count as u16).to_be_bytes());
    }
}

fn outcome(parsed: &Result<Packet<'_>, ParseError>) -> &'static str {
    match parsed {
        Ok(Packet::Data(data)) if data.terminated => "end",
        Ok(Packet::Data(data)) if data.preview => "preview",
        Ok(Packet::Data(data)) if data.start_code != 0 => "other start code",
        Ok(Packet::Data(data)) if data.slots.len() < UNIVERSE_CHANNELS => "short data",
        Ok(Packet::Data(_)) => "data",
        Ok(Packet::Sync { .. }) => "sync",
        Ok(Packet::Discovery(_)) => "discovery",
        Ok(Packet::Other) => "other",
        Err(ParseError::NotSacn) => "no sACN",
        Err(ParseError::Short) => "short",
        Err(ParseError::Field { field }) => field,
    }
}

fn universe_holds(universe: u16) -> bool {
    (1..=63_999).contains(&universe)
}

fn check_data(bytes: &[u8]) -> &'static str {
    let parsed = sacn::parse(bytes);
    if let Ok(Packet::Data(data)) = &parsed {
        assert!(universe_holds(data.universe) && data.sync_universe.is_none_or(universe_holds));
        assert!(data.priority <= 200 && data.slots.len() <= UNIVERSE_CHANNELS);
        assert!(data.source.len() <= 64 && !data.source.contains(&0));
        let mut again = sacn::data_packet(data.cid, data.universe, data.priority, data.sync_universe.unwrap_or(0));
        again[44..108].fill(0);
        again[44..44 + data.source.len()].copy_from_slice(data.source);
        again[111] = data.sequence;
        let flags = [(data.preview, 0x80), (data.terminated, 0x40), (data.force_sync, 0x20)];
        again[112] = flags.iter().map(|(set, flag)| if *set { *flag } else { 0 }).sum();
        again[125] = data.start_code;
        again[126..126 + data.slots.len()].copy_from_slice(data.slots);
        let Ok(Packet::Data(whole)) = sacn::parse(&again) else { panic!("what was read is not written as data") };
        assert!(whole.slots.starts_with(data.slots));
        assert_eq!(sacn::Data { slots: data.slots, ..whole }, *data);
    }
    outcome(&parsed)
}

fn check_sync(bytes: &[u8]) -> &'static str {
    let parsed = sacn::parse(bytes);
    if let Ok(Packet::Sync { cid, sequence, universe }) = parsed {
        assert!(universe_holds(universe));
        let mut again = sacn::sync_packet(cid, universe);
        again[44] = sequence;
        assert_eq!(sacn::parse(&again), parsed);
        assert_eq!(again[40..47], bytes[40..47]);
    }
    outcome(&parsed)
}

fn check_discovery(bytes: &[u8]) -> &'static str {
    let parsed = sacn::parse(bytes);
    if let Ok(Packet::Discovery(list)) = &parsed {
        let universes: Vec<u16> = list.universes().collect();
        assert!(universes.len() <= sacn::PAGE_UNIVERSES && list.page <= list.last_page);
        assert!(list.source.len() <= 64 && !list.source.contains(&0));
        if let Some(page) = sacn::discovery_packets(list.cid, &universes).first() {
            let Ok(Packet::Discovery(again)) = sacn::parse(page) else { panic!("what was read is not written") };
            assert!(again.cid == list.cid && again.universes().eq(universes));
        }
    }
    outcome(&parsed)
}

fn check_ddp(bytes: &[u8]) -> &'static str {
    match ddp::parse(bytes) {
        Ok(data) => {
            assert!(data.sequence <= ddp::MAX_SEQUENCE && data.data.len() <= bytes.len() - ddp::HEADER);
            let pixels = data.pixels.unwrap_or_default();
            let header = ddp::header(pixels, data.offset, data.data.len() as u16);
            let mut again = [&header[..], data.data].concat();
            ddp::stamp(&mut again, data.sequence, data.push);
            again[3] = data.id;
            assert_eq!(ddp::parse(&again), Ok(ddp::Data { pixels: Some(pixels), ..data }));
            let timed = bytes[0] & 0x10 != 0;
            assert!(bytes[if timed { 14 } else { 10 }..].starts_with(data.data));
            match (timed, data.pixels) {
                (true, _) => "with a time",
                (false, None) => "pixels of any kind",
                (false, Some(DdpPixels::Rgb)) => "rgb",
                (false, Some(DdpPixels::Rgbw)) => "rgbw",
            }
        }
        Err(ddp::ParseError::NotDdp) => "no DDP",
        Err(ddp::ParseError::NoPixels) => "no pixels",
        Err(ddp::ParseError::Short) => "short",
    }
}
