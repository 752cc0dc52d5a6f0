//! sACN and DDP packet for packet under simulated time: who is sent what when, down to the bytes.
//!
//! No socket and no clock. What all protocols have in common is in `packets.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/wire_rig.rs"]
mod wire_rig;

use glowdeck::model::device::{Ddp, DdpPixels, Device, Protocol, RateLimit, Refresh, Route, Sacn};
use glowdeck::output::ddp;
use glowdeck::output::lane::Lane;
use glowdeck::output::sacn::{self, Data, Packet};
use glowdeck::output::schedule::RETRY_AFTER;
use glowdeck::units::{PortAddress, UNIVERSE_CHANNELS};
use proptest::prelude::*;
use std::time::Duration;
use wire_rig::{CID, Datagram, Rig, ms};

fn sacn(change: impl FnOnce(&mut Sacn)) -> Protocol {
    let mut sacn = Sacn::default();
    change(&mut sacn);
    Protocol::Sacn(sacn)
}

fn data(datagram: &Datagram) -> Option<Data<'_>> {
    match sacn::parse(&datagram.bytes) {
        Ok(Packet::Data(data)) => Some(data),
        _ => None,
    }
}

/// `data U #S L` for a universe with sequence and level, `sync U #S`, `page P/L [first..]`; `end` where terminated.
fn told(datagrams: &[Datagram]) -> Vec<String> {
    let one = |datagram: &Datagram| match sacn::parse(&datagram.bytes).unwrap() {
        Packet::Data(data) => {
            let kind = if data.terminated { "end" } else { "data" };
            format!("{kind} {} #{} {}", data.universe, data.sequence, data.slots[511])
        }
        Packet::Sync { universe, sequence, .. } => format!("sync {universe} #{sequence}"),
        Packet::Discovery(page) => format!("page {}/{} {:?}", page.page, page.last_page, page.universes().next()),
        Packet::Other => "other".to_owned(),
    };
    datagrams.iter().map(one).collect()
}

#[test]
fn a_frame_is_its_universes_then_the_sync_then_discovery_each_to_its_group() {
    let protocol = sacn(|sacn| (sacn.first_universe, sacn.sync_universe, sacn.priority) = (300, Some(7962), 120));
    let mut rig = Rig::new(protocol, &[(0, 2, 0), (2, 1, 9)], |_| ());
    let sent = rig.frame(&[5, 6, 7]);
    assert_eq!(told(&sent), ["data 300 #1 5", "data 301 #1 6", "data 309 #1 7", "sync 7962 #1", "page 0/0 Some(300)"]);
    let groups: Vec<String> = sent.iter().map(|datagram| datagram.to.to_string()).collect();
    let expected = ["239.255.1.44:5568", "239.255.1.45:5568", "239.255.1.53:5568", "239.255.31.26:5568"];
    assert_eq!(groups[..4], expected);
    assert_eq!(groups[4], "239.255.250.214:5568");
    let first = data(&sent[0]).unwrap();
    assert_eq!(
        (first.priority, first.sync_universe, first.cid, first.source),
        (120, Some(7962), CID, &b"Glowdeck"[..])
    );
    rig.now += ms(30);
    // Unchanged universes go out again at once, three times; the sync counts on.
    assert_eq!(told(&rig.frame(&[5, 6, 8]))[3], "sync 7962 #2");
}

#[test]
fn unicast_sends_everything_to_the_node() {
    let address = "10.0.0.7:5569".parse().unwrap();
    let protocol = sacn(|sacn| (sacn.address, sacn.sync_universe) = (Some(address), Some(9)));
    let mut rig = Rig::new(protocol, &[(0, 2, 0)], |_| ());
    let sent = rig.frame(&[5, 6]);
    assert_eq!(told(&sent), ["data 1 #1 5", "data 2 #1 6", "sync 9 #1", "page 0/0 Some(1)"]);
    assert!(sent.iter().all(|datagram| std::net::SocketAddr::from(datagram.to) == address));
}

#[test]
fn without_sync_no_packet_waits_for_one() {
    for (universe, on) in [(None, true), (Some(9), false)] {
        let mut rig = Rig::new(sacn(|sacn| sacn.sync_universe = universe), &[(0, 1, 0)], |device| device.sync = on);
        let sent = rig.frame(&[1]);
        assert_eq!(told(&sent), ["data 1 #1 1", "page 0/0 Some(1)"]);
        assert_eq!(data(&sent[0]).unwrap().sync_universe, None);
    }
}

/// When data went out.
fn data_times(datagrams: &[Datagram]) -> Vec<u128> {
    datagrams.iter().filter(|datagram| data(datagram).is_some()).map(|datagram| datagram.at.as_millis()).collect()
}

#[test]
fn what_no_longer_changes_is_repeated_three_times_and_then_kept_alive() {
    // Frames go on, and none changes anything.
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 1, 0)], |device| device.rate = RateLimit::RenderRate);
    for _ in 0..150 {
        rig.frame(&[1]);
        rig.pass(ms(20));
    }
    assert_eq!(data_times(&rig.sent), [0, 20, 40, 60, 860, 1660, 2460]);
    // No frame comes any more; a rate limit below the usual pause holds.
    for (rate, expected) in
        [(RateLimit::RenderRate, [0, 25, 50, 75, 975]), (RateLimit::Fps(10.0), [0, 100, 200, 300, 1200])]
    {
        let mut rig = Rig::new(sacn(|_| ()), &[(0, 1, 0)], |device| device.rate = rate);
        rig.frame(&[1]);
        rig.pass(ms(1300));
        assert_eq!(data_times(&rig.sent), expected, "{rate:?}");
    }
}

#[test]
fn what_never_arrived_is_no_repeat() {
    // Black, which changes nothing in a packet of zeros, and refused at first.
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 1, 0)], |device| device.rate = RateLimit::RenderRate);
    rig.frame(&[0]);
    rig.lane.schedule.failed(0, rig.now);
    rig.pass(ms(900));
    assert_eq!(data_times(&rig.sent), [0, 20, 45, 70, 95]);
}

#[test]
fn a_change_starts_the_repeats_anew_and_only_for_its_universe() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 2, 0)], |device| device.rate = RateLimit::RenderRate);
    rig.frame(&[1, 1]);
    rig.pass(ms(200));
    rig.sent.clear();
    for levels in [[2, 1], [2, 1], [3, 1], [3, 1], [3, 1], [3, 1], [3, 1]] {
        rig.frame(&levels);
        rig.now += ms(10);
    }
    let sent = told(&rig.sent);
    let levels: Vec<_> = sent.iter().map(|line| line.rsplit_once(' ').unwrap().1).collect();
    assert_eq!(levels, ["2", "2", "3", "3", "3", "3"]);
    assert!(sent.iter().all(|line| line.starts_with("data 1 ")));
}

#[test]
fn every_universe_counts_for_itself_from_0_to_255() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 2, 0)], |device| device.rate = RateLimit::RenderRate);
    for step in 0..600_u16 {
        // The second changes half as often, and is repeated in between.
        rig.frame(&[step as u8, (step / 8) as u8]);
        rig.now += ms(10);
    }
    for universe in [1, 2] {
        let sequences = rig.sent.iter().filter_map(data).filter(|data| data.universe == universe);
        let sequences: Vec<_> = sequences.map(|data| data.sequence).collect();
        assert!(sequences.len() > 257, "it goes round");
        assert!(sequences.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1)));
    }
}

#[test]
fn discovery_tells_all_pages_every_ten_seconds() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 1100, 4)], |_| ());
    rig.frame(&[1]);
    rig.pass(Duration::from_secs(35));
    let pages: Vec<_> = rig.sent.iter().filter(|datagram| data(datagram).is_none()).collect();
    let times: Vec<_> = pages.iter().map(|page| page.at.as_millis()).collect();
    assert_eq!(times, [[0; 3], [10_000; 3], [20_000; 3], [30_000; 3]].concat());
    let numbers: Vec<_> = pages.iter().map(|page| (page.bytes[118], page.bytes[119], page.bytes.len())).collect();
    assert_eq!(numbers[3..6], [(0, 2, 1144), (1, 2, 1144), (2, 2, 120 + 2 * 76)]);
}

#[test]
fn a_refused_discovery_is_tried_again_after_a_second() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 1, 0)], |_| ());
    assert_eq!(rig.frame(&[1]).len(), 2);
    rig.lane.schedule.failed(1, rig.now);
    let again = rig.pass(ms(1500));
    let page = again.iter().find(|datagram| data(datagram).is_none()).unwrap();
    assert_eq!(page.at.as_millis(), 1000);
}

/// What a farewell sends until it is over, and when.
fn rounds(rig: &Rig, mut farewell: Lane) -> Vec<(u128, Vec<String>)> {
    let mut rounds = Vec::new();
    let mut now = rig.now;
    while !farewell.schedule.is_over() {
        farewell.schedule.prepare(now, None);
        let schedule = &farewell.schedule;
        let datagrams = (0..schedule.items()).map(|place| schedule.datagram(schedule.item(place)));
        let at = now - rig.start;
        let sent: Vec<_> = datagrams.map(|(bytes, to)| Datagram { at, to, bytes: bytes.to_vec() }).collect();
        rounds.push((at.as_millis(), told(&sent)));
        now = schedule.next_due().unwrap_or(now);
    }
    rounds
}

#[test]
fn a_universe_that_leaves_the_routes_is_ended_three_times() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 3, 0)], |_| ());
    rig.frame(&[1, 2, 3]);
    let farewell = rig.replan(|project| {
        let mut route = Route::clone(project.routes.iter().next().unwrap());
        (route.universe, route.count, route.port) = (1, 1, PortAddress::new(1).unwrap());
        project.routes.put(route);
    });
    let round = |number: u8| vec![format!("end 1 #{number} 1"), format!("end 3 #{number} 3")];
    assert_eq!(rounds(&rig, farewell.unwrap()), [(0, round(2)), (25, round(3)), (50, round(4))]);
    // The one that stays counts on and is not sent anew.
    assert!(rig.poll().iter().all(|datagram| data(datagram).is_none()));
    assert_eq!(told(&rig.pass(ms(30)))[0], "data 2 #2 2");
}

#[test]
fn only_streams_that_nobody_goes_on_with_end() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 2, 0)], |_| ());
    rig.frame(&[1, 2]);
    assert!(rig.lane.farewell(None, &[1, 2].into()).is_none(), "another device multicasts them");
    let left = rig.lane.farewell(None, &[2].into()).unwrap();
    assert_eq!(rounds(&rig, left)[0].1, ["end 1 #2 1"]);
    assert_eq!(rounds(&rig, rig.lane.farewell(None, &Default::default()).unwrap())[2].1.len(), 2);
    // A node that moves is told at its old address; one that is only renamed goes on.
    let address = |last| Some(std::net::SocketAddr::from(([10, 0, 0, last], 5568)));
    let unicast = |last| sacn(|sacn| sacn.address = address(last));
    let mut rig = Rig::new(unicast(1), &[(0, 1, 0)], |_| ());
    rig.frame(&[1]);
    let change = |rig: &mut Rig, protocol: Protocol, name: &str| {
        rig.replan(|project| {
            let mut device = Device::clone(project.devices.iter().next().unwrap());
            (device.protocol, device.name) = (protocol, name.into());
            project.devices.put(device);
        })
    };
    assert!(change(&mut rig, unicast(1), "other name").is_none());
    let mut moved = change(&mut rig, unicast(2), "node").unwrap();
    moved.schedule.prepare(rig.now, None);
    assert_eq!(Some(moved.schedule.datagram(moved.schedule.item(0)).1.into()), address(1));
    assert_eq!(told(&rig.frame(&[1]))[0], "data 1 #2 1", "the new node is sent everything at once");
    let artnet = Protocol::ArtNet { address: address(2).unwrap() };
    assert!(change(&mut rig, artnet.clone(), "node").is_some(), "and the end when it speaks Art-Net");
    assert!(change(&mut rig, sacn(|_| ()), "node").is_none(), "which knows no end itself");
}

#[test]
fn another_priority_is_sent_at_once() {
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 1, 0)], |_| ());
    rig.frame(&[4]);
    rig.pass(ms(300));
    rig.replan(|project| {
        let mut device = Device::clone(project.devices.iter().next().unwrap());
        device.protocol = sacn(|sacn| sacn.priority = 150);
        project.devices.put(device);
    });
    let sent = rig.poll();
    assert_eq!((data(&sent[0]).unwrap().priority, &told(&sent)[0][..]), (150, "data 1 #5 4"));
}

#[test]
fn the_end_is_black_and_then_terminated() {
    let mut rig = Rig::new(sacn(|sacn| sacn.sync_universe = Some(9)), &[(0, 2, 0)], |_| ());
    rig.frame(&[1, 2]);
    rig.lane.schedule.prepare_black(rig.now);
    assert_eq!(told(&rig.take()), ["data 1 #2 0", "data 2 #2 0", "sync 9 #2"]);
    for number in 3..6 {
        assert!(rig.lane.schedule.prepare_end(rig.now));
        assert_eq!(
            told(&rig.take()),
            [format!("end 1 #{number} 0"), format!("end 2 #{number} 0"), format!("sync 9 #{number}")]
        );
    }
    let mut rig = Rig::new(sacn(|_| ()), &[(0, 2, 0)], |_| ());
    assert!(!rig.lane.schedule.prepare_end(rig.now), "what never began does not end");
    assert!(rig.lane.farewell(None, &Default::default()).is_none());
    let mut rig = Rig::new(Protocol::ArtNet { address: "10.0.0.1:6454".parse().unwrap() }, &[(0, 2, 0)], |_| ());
    rig.frame(&[1, 2]);
    assert!(!rig.lane.schedule.prepare_end(rig.now));
    assert_eq!(rig.take(), []);
}

fn ddp(pixels: DdpPixels, channels: Option<u16>) -> Protocol {
    Protocol::Ddp(Ddp { address: "10.0.0.9:4048".parse().unwrap(), pixels, channels })
}

/// Another byte at every place.
fn pattern(universes: usize) -> Vec<u8> {
    let byte = |index: usize| (index / UNIVERSE_CHANNELS * 31 + index % UNIVERSE_CHANNELS * 7) as u8;
    (0..universes * UNIVERSE_CHANNELS).map(byte).collect()
}

#[test]
fn ddp_lays_whole_pixels_end_to_end() {
    let mut rig = Rig::new(ddp(DdpPixels::Rgb, None), &[(0, 5, 0)], |_| ());
    let bytes = pattern(5);
    let sent = rig.frame_of(bytes.clone());
    let strip: Vec<u8> = bytes.chunks(UNIVERSE_CHANNELS).flat_map(|universe| universe[..510].to_vec()).collect();
    let packet = |header: [u8; 10], data: &[u8]| [&header[..], data].concat();
    let expected = [
        packet([0x40, 1, 0x0b, 1, 0, 0, 0, 0, 0x05, 0xa0], &strip[..1440]),
        packet([0x41, 2, 0x0b, 1, 0, 0, 0x05, 0xa0, 0x04, 0x56], &strip[1440..]),
    ];
    assert_eq!(sent.iter().map(|datagram| &datagram.bytes).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    assert!(sent.iter().all(|datagram| datagram.to == "10.0.0.9:4048".parse().unwrap()));
}

#[test]
fn rgbw_fills_its_universes() {
    let mut rig = Rig::new(ddp(DdpPixels::Rgbw, None), &[(1, 3, 0)], |_| ());
    let bytes = pattern(4);
    let sent = rig.frame_of(bytes.clone());
    assert_eq!(sent[0].bytes[..10], [0x40, 1, 0x1b, 1, 0, 0, 0, 0, 0x05, 0xa0]);
    assert_eq!(sent[1].bytes[..10], [0x41, 2, 0x1b, 1, 0, 0, 0x05, 0xa0, 0, 0x60]);
    let data: Vec<u8> = sent.iter().flat_map(|datagram| datagram.bytes[10..].to_vec()).collect();
    assert_eq!(data, bytes[UNIVERSE_CHANNELS..]);
}

#[test]
fn a_ddp_frame_goes_out_whole_and_is_kept_alive() {
    let mut rig = Rig::new(ddp(DdpPixels::Rgb, None), &[(0, 10, 0)], |device| device.rate = RateLimit::RenderRate);
    assert_eq!(rig.frame(&[1; 10]).len(), 4);
    rig.now += ms(20);
    assert_eq!(rig.frame(&[1; 10]), []);
    rig.now += ms(20);
    let sent = rig.frame(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    assert_eq!(sent.len(), 4, "one universe changed");
    let flags: Vec<_> = sent.iter().map(|datagram| (datagram.bytes[0], datagram.bytes[1])).collect();
    assert_eq!(flags, [(0x40, 5), (0x40, 6), (0x40, 7), (0x41, 8)]);
    assert_eq!(rig.pass(ms(895)), []);
    assert_eq!(rig.pass(ms(10)).len(), 4);
    // 15 is followed by 1.
    rig.frame(&[3; 10]);
    assert_eq!(rig.sent[12..].iter().map(|datagram| datagram.bytes[1]).collect::<Vec<_>>(), [13, 14, 15, 1]);
}

#[test]
fn a_ddp_frame_that_was_refused_in_part_goes_out_whole_with_its_push_last() {
    let mut rig = Rig::new(ddp(DdpPixels::Rgb, None), &[(0, 10, 0)], |_| ());
    rig.frame(&[1; 10]);
    rig.lane.schedule.failed(2, rig.now);
    let again = rig.pass(RETRY_AFTER + ms(10));
    let offsets: Vec<_> = again.iter().map(|datagram| ddp::parse(&datagram.bytes).unwrap()).collect();
    assert_eq!(offsets.iter().map(|data| data.offset / 1440).collect::<Vec<_>>(), [2, 3, 0, 1]);
    assert_eq!(offsets.iter().map(|data| data.push).collect::<Vec<_>>(), [false, false, false, true]);
}

proptest! {
    #[test]
    fn ddp_pixels_land_where_the_routes_put_them(
        routes in prop::collection::btree_map(0..12_u16, 0..20_u16, 1..8),
        channels in prop::option::of(1..=512_u16),
        rgbw: bool,
    ) {
        let pixels = if rgbw { DdpPixels::Rgbw } else { DdpPixels::Rgb };
        let width = usize::from(channels.unwrap_or(if rgbw { 512 } else { 510 }));
        let list: Vec<_> = routes.iter().map(|(port, universe)| (*universe, 1, *port)).collect();
        let mut rig = Rig::new(ddp(pixels, channels), &list, |device| device.refresh = Refresh::EveryFrame);
        let bytes = pattern(20);
        let sent = rig.frame_of(bytes.clone());
        let mut strip = vec![None; 12 * width];
        for (place, datagram) in sent.iter().enumerate() {
            let data = ddp::parse(&datagram.bytes).unwrap();
            prop_assert_eq!(datagram.bytes.len(), ddp::HEADER + data.data.len());
            prop_assert_eq!((data.push, data.pixels, data.id), (place + 1 == sent.len(), Some(pixels), 1));
            prop_assert_eq!(usize::from(data.sequence), place % 15 + 1);
            for (at, byte) in (data.offset as usize..).zip(data.data) {
                prop_assert_eq!(strip[at].replace(*byte), None, "byte {} twice", at);
            }
        }
        for port in 0..12_u16 {
            let got = &strip[usize::from(port) * width..][..width];
            let expected: Vec<_> = match routes.get(&port) {
                Some(universe) => {
                    bytes[usize::from(*universe) * 512..][..width].iter().map(|byte| Some(*byte)).collect()
                }
                None => vec![None; width],
            };
            prop_assert_eq!(got, expected);
        }
    }
}
