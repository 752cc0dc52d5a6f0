//! Discovery without sockets: the table and the asking under simulated time, and a quarter of a million odd datagrams.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/poll_replies.rs"]
mod poll_replies;

use glowdeck::model::device::RateLimit;
use glowdeck::output::discovery::nodes::{Found, Heard, MOST_NODES, MOST_PAGES, Nodes, REMEMBERED};
use glowdeck::output::discovery::packets::{LEAST_REPLY, Message, POLL, PollReply, read};
use glowdeck::output::discovery::poller::{Network, Poller, Transmit};
use poll_replies::{parsed, reply};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::{Duration, Instant};

const PORT: u16 = 6454;

/// Half noise, half replies and polls with bytes changed and ends cut off; all of them also into the table.
#[test]
fn a_quarter_of_a_million_odd_datagrams_panic_nothing_and_fill_nothing() {
    let start = Instant::now();
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::XorShift);
    let mut poller = Poller::new(PORT, 1, start);
    let home = Network { address: [10, 0, 0, 1].into(), broadcast: [10, 255, 255, 255].into(), prefix_bits: 8 };
    let (mut read_some, mut told) = ([0_u32; 2], 0);
    for number in 0..250_000_u64 {
        let now = start + Duration::from_micros(100 * number);
        if poller.poll_due(now) {
            poller.ask(now, vec![home], BTreeMap::new());
        }
        let mut bytes = [0_u8; 320];
        rng.fill_bytes(&mut bytes);
        let [low, high, kind, changes, ..] = bytes;
        let length = usize::from(u16::from_le_bytes([low, high])) % bytes.len();
        match kind % 4 {
            0 => {}
            1 => bytes[..10].copy_from_slice(&POLL[..10]),
            2 => bytes[..10].copy_from_slice(&reply("", 0, 0).write()[..10]),
            _ => {
                let (noise, whole) = (bytes, reply("node", 0x0120, kind).write());
                bytes[..whole.len()].copy_from_slice(&whole);
                for place in noise[4..].iter().take(usize::from(changes % 16)) {
                    bytes[usize::from(*place)] ^= noise[usize::from(*place) + 8];
                }
            }
        }
        match read(&bytes[..length]) {
            Some(Message::Poll { .. }) => read_some[0] += 1,
            Some(Message::Reply(reply)) => {
                read_some[1] += 1;
                assert!(reply.outputs().count() <= 4);
            }
            None => {}
        }
        let from = SocketAddrV4::new(Ipv4Addr::from_bits(0x0a00_0000 | number as u32), PORT);
        told += u32::from(poller.handle(now, from, &bytes[..length]) == Heard::NoRoom);
        while poller.transmit(now).is_some() {}
    }
    assert!(read_some.iter().all(|count| *count > 20_000), "{read_some:?}");
    let found = poller.take_changed().unwrap();
    assert!(found.nodes.len() <= MOST_NODES, "{}", found.nodes.len());
    assert_eq!(told, 1, "that there is no room is told once");
    let shown = |text: &str| text.chars().all(|c| !c.is_control());
    assert!(found.nodes.iter().all(|node| shown(&node.name) && shown(&node.about)));
}

fn only(found: &Found) -> &glowdeck::output::discovery::nodes::FoundNode {
    assert_eq!(found.nodes.len(), 1, "{found:?}");
    &found.nodes[0]
}

const NODE: Ipv4Addr = Ipv4Addr::new(2, 0, 0, 10);

/// A moment of the simulated time.
fn at(start: Instant, secs: u64) -> Instant {
    start + Duration::from_secs(secs)
}

#[test]
fn replies_of_one_address_are_one_node_with_all_its_universes() {
    let mut nodes = Nodes::default();
    // In the order in which they happen to come; a node of 16 ports sends four.
    for (page, expected) in [(3, Heard::New), (1, Heard::Changed), (4, Heard::Changed), (2, Heard::Changed)] {
        let name = if page == 1 { "Sixteen" } else { "page" };
        assert_eq!(nodes.hear(NODE, reply(name, 0x0200 + u16::from(page - 1) * 4, page)), expected);
    }
    let mut again = reply("Sixteen", 0x0200, 1);
    again.report[5] = b'7';
    assert_eq!(nodes.hear(NODE, again), Heard::Same, "a counter in the report is no news");
    let found = nodes.found();
    let node = only(&found);
    assert_eq!((node.name.as_str(), node.pages, node.here), ("Sixteen", 4, true));
    assert_eq!(node.takes.iter().map(|port| port.raw()).collect::<Vec<_>>(), (0x0200..0x0210).collect::<Vec<_>>());
    assert_eq!(nodes.hear(Ipv4Addr::new(2, 0, 0, 11), reply("other", 0, 1)), Heard::New);
    assert_eq!(nodes.found().nodes.len(), 2);
}

#[test]
fn several_replies_without_a_bind_index_are_several_pages() {
    let start = Instant::now();
    let mut nodes = Nodes::default();
    for universe in [0, 4, 8, 12] {
        let bytes = reply("old", universe, 9).write();
        nodes.hear(NODE, parsed(&bytes[..LEAST_REPLY]));
    }
    assert_eq!(nodes.found().nodes[0].takes.len(), 16);
    assert_eq!(nodes.hear(NODE, parsed(&reply("old", 8, 0).write())), Heard::Same);
    // Set to another universe at its panel, its old page goes.
    for round in 0..4 {
        nodes.ask(at(start, round * 3));
        nodes.hear(NODE, reply("old", 0x40, 0));
    }
    assert_eq!(only(&nodes.found()).takes.iter().map(|port| port.raw()).collect::<Vec<_>>(), [64, 65, 66, 67]);
}

#[test]
fn pages_are_bounded_too_and_told_once() {
    let mut nodes = Nodes::default();
    let mut heard = |host: u32, universe| nodes.hear(Ipv4Addr::from_bits(0x0a00_0000 + host), reply("x", universe, 0));
    for number in 0..MOST_PAGES {
        assert_ne!(heard(number as u32 % 2, number as u16), Heard::NoRoom, "{number}");
    }
    assert_eq!(heard(0, 0x7ff0), Heard::NoRoom);
    assert_eq!((heard(0, 0x7ff1), heard(0, 4)), (Heard::Same, Heard::Same));
    assert_eq!(heard(2, 0), Heard::New, "one page of another node still has room");
    assert_eq!(nodes.found().nodes.iter().map(|node| node.pages).sum::<usize>(), MOST_PAGES + 1);
}

#[test]
fn a_node_leaves_after_two_polls_without_an_answer_and_comes_back() {
    let start = Instant::now();
    let mut nodes = Nodes::default();
    nodes.hear(NODE, reply("wall", 0, 1));
    assert!(nodes.answered(NODE));
    assert!(!nodes.ask(start), "asked");
    assert!(!nodes.answered(NODE));
    assert!(!nodes.ask(at(start, 3)), "one poll or its answer may be lost");
    assert!(only(&nodes.found()).here);
    assert!(nodes.ask(at(start, 6)), "two may not");
    assert!(!only(&nodes.found()).here);
    assert!(!nodes.ask(at(start, 9)));
    assert_eq!(nodes.hear(NODE, reply("wall", 0, 1)), Heard::Back);
    assert!(only(&nodes.found()).here);
    for round in 4..100 {
        assert!(!nodes.ask(at(start, round * 3)));
        assert_eq!(nodes.hear(NODE, reply("wall", 0, 1)), Heard::Same);
    }
}

#[test]
fn a_page_that_is_sent_no_more_is_dropped() {
    let start = Instant::now();
    let mut nodes = Nodes::default();
    nodes.hear(NODE, reply("wall", 0, 1));
    nodes.hear(NODE, reply("wall", 4, 2));
    for round in 0..4 {
        nodes.ask(at(start, round * 3));
        nodes.hear(NODE, reply("wall", 0, 1));
    }
    assert_eq!((only(&nodes.found()).pages, only(&nodes.found()).takes.len()), (1, 4));
}

#[test]
fn who_left_is_forgotten_unless_the_project_names_it() {
    let start = Instant::now();
    let mut nodes = Nodes::default();
    let other = Ipv4Addr::new(2, 0, 0, 11);
    nodes.name(BTreeSet::from([other]));
    nodes.hear(NODE, reply("visitor", 0, 1));
    nodes.hear(other, reply("wall", 0, 1));
    for secs in [0, 3, 6] {
        nodes.ask(at(start, secs));
    }
    assert_eq!(nodes.found().nodes.len(), 2);
    assert!(nodes.ask(at(start, 6) + REMEMBERED));
    assert_eq!(only(&nodes.found()).address, other);
}

#[test]
fn a_crowd_is_bounded_told_once_and_leaves_room_for_devices() {
    let mut nodes = Nodes::default();
    nodes.name(BTreeSet::from([NODE]));
    let address = |number: usize| Ipv4Addr::from_bits(0x0a00_0000 + number as u32);
    for number in 0..=MOST_NODES {
        assert_eq!(nodes.hear(address(number), reply("x", 0, 1)), Heard::New, "{number}");
    }
    assert_eq!(nodes.hear(address(5_000), reply("x", 0, 1)), Heard::NoRoom);
    assert_eq!(nodes.hear(address(5_001), reply("x", 0, 1)), Heard::Same);
    assert_eq!(nodes.hear(NODE, reply("wall", 0, 1)), Heard::New);
    let start = Instant::now();
    for secs in [0, 3, 6] {
        nodes.ask(at(start, secs));
    }
    assert_eq!(nodes.hear(address(5_002), reply("x", 0, 1)), Heard::New, "one that left makes room");
    nodes.hear(address(5_003), reply("x", 0, 1));
    assert!(nodes.found().nodes.len() <= MOST_NODES + 2);
}

#[test]
fn the_slowest_page_says_the_rate() {
    let check = |rates: &[u16], expected| {
        let mut nodes = Nodes::default();
        for (page, refresh_rate) in (1..).zip(rates) {
            nodes.hear(NODE, PollReply { refresh_rate: *refresh_rate, ..reply("fast", 0, page) });
        }
        assert_eq!(only(&nodes.found()).rate, RateLimit::Fps(expected), "{rates:?}");
    };
    check(&[0], 44.0);
    check(&[30], 44.0);
    check(&[120], 120.0);
    check(&[200, 120], 120.0);
    check(&[200, 0], 44.0);
    check(&[65535], 1000.0);
}

/// All that goes out at a moment.
fn sent(poller: &mut Poller, now: Instant) -> Vec<Transmit> {
    std::iter::from_fn(|| poller.transmit(now)).collect()
}

fn networks() -> Vec<Network> {
    let network = |third: u8, prefix_bits| Network {
        address: [192, 168, third, 5].into(),
        broadcast: [192, 168, third, 255].into(),
        prefix_bits,
    };
    vec![network(1, 24), network(2, 24)]
}

#[test]
fn each_network_is_sent_one_poll_every_2500_to_3000_ms() {
    let start = Instant::now();
    let mut poller = Poller::new(PORT, 77, start);
    let mut twice = networks();
    twice.push(Network { address: [192, 168, 1, 6].into(), ..twice[0] });
    let (mut rounds, mut last) = (Vec::new(), None);
    for ms in 0..60_000 {
        let now = start + Duration::from_millis(ms);
        if poller.poll_due(now) {
            poller.ask(now, twice.clone(), BTreeMap::new());
            rounds.extend(last.replace(ms).map(|last| ms - last));
        }
        let polls = sent(&mut poller, now);
        if last == Some(ms) {
            let to: Vec<_> = polls.iter().map(|poll| poll.to.to_string()).collect();
            assert_eq!(to, ["192.168.1.255:6454", "192.168.2.255:6454"]);
            assert!(polls.iter().all(|poll| poll.bytes == POLL));
            assert_eq!(polls[1].from, Some([192, 168, 2, 5].into()));
        } else {
            assert!(polls.is_empty());
        }
    }
    assert!((20..=24).contains(&(rounds.len() + 1)), "{rounds:?}");
    assert!(rounds.iter().all(|gap| (2_500..=3_001).contains(gap)), "{rounds:?}");
    assert!(rounds.iter().any(|gap| *gap != rounds[0]), "consoles do not fall into step");
}

#[test]
fn devices_elsewhere_and_those_that_do_not_answer_are_asked_one_by_one() {
    let start = Instant::now();
    let mut poller = Poller::new(PORT, 77, start);
    let near = Ipv4Addr::new(192, 168, 1, 20);
    let far = Ipv4Addr::new(10, 9, 8, 7);
    let all = Ipv4Addr::new(192, 168, 2, 255);
    let devices = BTreeMap::from([(near, PORT), (far, 7000), (all, PORT), (Ipv4Addr::BROADCAST, PORT)]);
    let round = |poller: &mut Poller, secs| {
        poller.ask(at(start, secs), networks(), devices.clone());
        let polls = sent(poller, at(start, secs)).split_off(2);
        polls.iter().map(|poll| (poll.to.to_string(), poll.from.is_some())).collect::<Vec<_>>()
    };
    let near_asked = ("192.168.1.20:6454".to_owned(), true);
    let far_asked = ("10.9.8.7:7000".to_owned(), false);
    assert_eq!(round(&mut poller, 0), [far_asked.clone(), near_asked]);
    for address in [near, far] {
        poller.handle(at(start, 1), SocketAddrV4::new(address, PORT), &reply("wall", 0, 1).write());
    }
    assert_eq!(round(&mut poller, 3), [far_asked], "a broadcast reaches the near one");
}

#[test]
fn who_asks_is_answered_once_within_a_second_and_many_who_ask_are_bounded() {
    let start = Instant::now();
    let mut poller = Poller::new(PORT, 77, start);
    poller.ask(start, networks(), BTreeMap::new());
    sent(&mut poller, start);
    let console = SocketAddrV4::new([192, 168, 2, 77].into(), PORT);
    for _ in 0..50 {
        poller.handle(start, console, &POLL);
    }
    assert!(poller.next_due() <= at(start, 1));
    let answers = sent(&mut poller, at(start, 1));
    assert_eq!(answers.len(), 1);
    assert_eq!((answers[0].to, answers[0].from), (console, Some([192, 168, 2, 5].into())));
    let said = parsed(&answers[0].bytes);
    assert!(said.is_controller() && said.ip == Ipv4Addr::new(192, 168, 2, 5));
    let own = [PORT, 51_000].map(|port| SocketAddrV4::new([192, 168, 1, 5].into(), port));
    poller.send_from(own.to_vec());
    for own in own {
        poller.handle(start, own, &POLL);
        poller.handle(start, own, &reply("echo", 0, 1).write());
    }
    let targeted = [&POLL[..12], &[0x20, 0, 0, 9, 0, 0]].concat();
    poller.handle(start, console, &targeted);
    assert!(sent(&mut poller, at(start, 2)).is_empty());
    for host in 0..2_000_u32 {
        poller.handle(start, SocketAddrV4::new(Ipv4Addr::from_bits(host), PORT), &POLL);
    }
    assert!(sent(&mut poller, at(start, 2)).len() <= 32);
    poller.take_changed().unwrap();
    assert!(poller.take_changed().is_none(), "polls and echoes are no nodes");
    poller.send_from(vec![own[1]]);
    poller.handle(start, own[0], &reply("OLA", 0, 1).write());
    assert_eq!(only(&poller.take_changed().unwrap()).name, "OLA", "a node on this computer, which has the port");
}
