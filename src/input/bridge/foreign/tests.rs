//! Who is spoken of, when, and in which words.

use super::*;
use crate::model::device::{Merge, MergeRule, RateLimit, Sacn};
use crate::model::id::RouteId;
use crate::output::discovery::nodes::FoundNode;
use crate::units::PortAddress;

const OWN: Cid = Cid([1; 16]);

fn port(raw: u16) -> PortAddress {
    PortAddress::new(raw).unwrap()
}

/// Port-addresses 16 to 19 to `wall`, of which the last is merged; sACN universes 101 to 104 to `roof`, likewise;
/// sACN universe 201 to one node alone.
fn project() -> Project {
    let mut project = Project::empty("two consoles");
    let sacn = |first_universe, address| Protocol::Sacn(Sacn { first_universe, address, ..Sacn::default() });
    let protocols = [
        ("wall", Protocol::ArtNet { address: "2.0.0.1:6454".parse().unwrap() }),
        ("roof", sacn(101, None)),
        ("alone", sacn(201, Some("2.0.0.2:5568".parse().unwrap()))),
    ];
    for (id, (name, protocol)) in (1..).zip(protocols) {
        project.devices.put(Device::new(DeviceId(id), name, protocol));
    }
    let merge = |from| Some(Merge { from, rule: MergeRule::Htp });
    let routes = [
        (1, 3, 16, None),
        (1, 1, 19, merge(Incoming::ArtNet(port(19)))),
        (2, 3, 0, None),
        (2, 1, 3, merge(Incoming::Sacn(104))),
        (3, 1, 0, None),
    ];
    for (id, (device, count, to, merge)) in (1..).zip(routes) {
        let (device, port) = (DeviceId(device), port(to));
        project.routes.put(Route { id: RouteId(id), universe: id as u16, count, device, port, merge });
    }
    project
}

fn foreign() -> Foreign {
    let mut foreign = Foreign::new(OWN);
    foreign.follow(&project());
    foreign
}

fn found() -> Found {
    let node = FoundNode {
        address: Ipv4Addr::new(2, 0, 0, 5),
        name: "Desk".into(),
        about: String::new(),
        firmware: 1,
        here: true,
        controller: true,
        takes: Vec::new(),
        merges: Vec::new(),
        rate: RateLimit::default(),
        pages: 1,
    };
    Found { nodes: vec![node] }
}

fn dmx(foreign: &mut Foreign, now: Instant, host: u8, raw: u16) -> Option<String> {
    let dmx = artnet::Dmx { sequence: 0, port: port(raw), data: &[0, 0] };
    foreign.hear_dmx(now, Ipv4Addr::new(2, 0, 0, host), &dmx, &found()).map(|notice| notice.text)
}

fn data(cid: Cid, universe: u16, priority: u8) -> [u8; sacn::DATA_PACKET] {
    let mut packet = sacn::data_packet(cid, universe, priority, 0);
    packet[44..52].copy_from_slice(b"Desk\0\0\0\0");
    packet
}

fn sacn_data(foreign: &mut Foreign, now: Instant, packet: &[u8]) -> Option<String> {
    let Ok(sacn::Packet::Data(data)) = sacn::parse(packet) else { panic!("no data") };
    foreign.hear_sacn(now, Ipv4Addr::new(2, 0, 0, 5), &data).map(|notice| notice.text)
}

#[test]
fn a_sender_of_our_port_is_named_with_what_happens_now() {
    let (mut foreign, now) = (foreign(), Instant::now());
    let expected = "`Desk` (2.0.0.5) also sends Art-Net universe 0:1:2 (18), which this show sends to `wall`: lamps may \
                    flicker between the two. This show goes on sending; end one of the two, or merge the other in the \
                    route.";
    assert_eq!(dmx(&mut foreign, now, 5, 18).as_deref(), Some(expected));
    let stranger = dmx(&mut foreign, now, 6, 16).unwrap();
    assert!(stranger.starts_with("Somebody at 2.0.0.6 also sends Art-Net universe 0:1:0 (16)"), "{stranger}");
}

#[test]
fn what_we_do_not_send_and_what_is_merged_on_purpose_is_let_be() {
    let (mut foreign, now) = (foreign(), Instant::now());
    for raw in [15, 19, 20] {
        assert_eq!(dmx(&mut foreign, now, 5, raw), None, "{raw}");
    }
    for universe in [100, 104, 105, 201] {
        assert_eq!(sacn_data(&mut foreign, now, &data(Cid([2; 16]), universe, 100)), None, "{universe}");
    }
    assert_eq!(sacn_data(&mut foreign, now, &data(OWN, 101, 100)), None, "our own");
    let mut ended = data(Cid([2; 16]), 101, 100);
    sacn::terminate(&mut ended);
    assert_eq!(sacn_data(&mut foreign, now, &ended), None, "it ends anyway");
    foreign.follow(&Project::empty("nothing"));
    assert_eq!(dmx(&mut foreign, now, 5, 16), None);
}

#[test]
fn an_sacn_source_is_named_with_whom_nodes_follow() {
    for (priority, outcome) in [
        (150, "nodes follow it, its priority is 150 and this show's 100"),
        (50, "nodes follow this show, whose priority is 100 and its 50"),
        (100, "both have priority 100, so nodes mix them or flicker"),
    ] {
        let text = sacn_data(&mut foreign(), Instant::now(), &data(Cid([2; 16]), 103, priority));
        let expected = format!(
            "`Desk` (2.0.0.5) also sends sACN universe 103, which this show sends to `roof`: {outcome}. This show goes \
             on sending."
        );
        assert_eq!(text, Some(expected));
    }
}

#[test]
fn a_source_that_lists_our_universe_is_named() {
    let mut foreign = foreign();
    let mut hear = |cid, universes: &[u16]| {
        let page = &sacn::discovery_packets(cid, universes)[0];
        let Ok(sacn::Packet::Discovery(list)) = sacn::parse(page) else { panic!("no list") };
        foreign.hear_list(Instant::now(), Ipv4Addr::new(2, 0, 0, 5), &list).map(|notice| notice.text)
    };
    assert_eq!(hear(OWN, &[101]), None);
    assert_eq!(hear(Cid([2; 16]), &[1, 104, 201]), None);
    let text = hear(Cid([2; 16]), &[1, 102]).unwrap();
    assert!(text.contains("also sends sACN universe 102") && text.contains("this show's is 100"), "{text}");
}

#[test]
fn each_sender_is_told_once_a_minute() {
    let (mut foreign, start) = (foreign(), Instant::now());
    let packet = data(Cid([2; 16]), 101, 100);
    let (mut of_dmx, mut of_sacn) = (0, 0);
    for tick in 0..6_000 {
        let now = start + Duration::from_millis(100 * tick);
        of_dmx += usize::from(dmx(&mut foreign, now, 5, 16 + (tick % 3) as u16).is_some());
        of_sacn += usize::from(sacn_data(&mut foreign, now, &packet).is_some());
    }
    assert_eq!((of_dmx, of_sacn), (10, 10), "in ten minutes");
}

#[test]
fn only_so_many_senders_are_remembered() {
    let (mut foreign, now) = (foreign(), Instant::now());
    let told = (0..=255).filter(|host| dmx(&mut foreign, now, *host, 16).is_some()).count();
    assert_eq!((told, foreign.told.0.len()), (MOST_SENDERS, MOST_SENDERS));
    assert!(dmx(&mut foreign, now + QUIET, 200, 16).is_some(), "a minute later there is room");
    assert_eq!(foreign.told.0.len(), 1);
}

#[test]
fn multicast_universes_are_those_without_an_address() {
    assert_eq!(multicast_universes(&project()), BTreeSet::from([101, 102, 103, 104]));
}

#[test]
fn who_is_heard_is_listed_until_it_was_silent_for_a_minute() {
    let (mut foreign, now) = (foreign(), Instant::now());
    dmx(&mut foreign, now, 5, 18);
    sacn_data(&mut foreign, now, &data(Cid([2; 16]), 102, 120));
    sacn_data(&mut foreign, now, &data(Cid([3; 16]), 104, 120));
    let heard = foreign.heard(now);
    let shown: Vec<_> = heard.iter().map(|sender| (sender.universe, sender.name.as_str(), sender.ours)).collect();
    let expected =
        [(Incoming::ArtNet(port(18)), "Desk", Some(DeviceId(1))), (Incoming::Sacn(102), "Desk", Some(DeviceId(2)))];
    assert_eq!(shown, expected, "and nobody who is merged on purpose");
    let later = now + Duration::from_secs(30);
    dmx(&mut foreign, later, 5, 17);
    let silent: Vec<_> = foreign.heard(later).iter().map(|sender| (sender.universe, sender.silent_since)).collect();
    assert_eq!(silent, [(Incoming::ArtNet(port(17)), None), (Incoming::Sacn(102), Some(now))]);
    assert_eq!(foreign.heard(now + QUIET).len(), 1);
    foreign.follow(&Project::empty("nothing"));
    assert!(foreign.heard(later).is_empty());
}
