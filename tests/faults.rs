//! What goes wrong with a network while a show plays: links that go, addresses that change, nodes that cannot be reached.
//!
//! Real cables (veth pairs) between two namespaces. How long the light stays away is measured at the node:
//! `cargo test --test faults -- --nocapture` prints it. Every wait has a predicate and an end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

#[path = "support/cable.rs"]
mod cable;
#[path = "support/output_rig.rs"]
mod output_rig;

use cable::{Moving, Node, RESUMED, SOON, Spaces, median, run};
use glowdeck::model::device::{Protocol, SACN_PORT, Sacn};
use glowdeck::notice::Notice;
use glowdeck::output::discovery::nodes::Found;
use glowdeck::output::discovery::packets::{POLL, PollReply};
use glowdeck::output::discovery::{Discovery, DiscoveryLinks, DiscoveryOptions};
use glowdeck::sync::LatestSlot;
use output_rig::{Rig, pattern};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often each fault is made.
const ROUNDS: usize = 5;
/// A device that no fault concerns may wait so long for a packet on a busy machine; a frame is 23 ms.
const UNDISTURBED: Duration = Duration::from_millis(300);
/// Packets of the other device, by which a fault is timed: about a second.
const A_WHILE: usize = 44;

/// A show with a device behind each of two cables.
struct Stage {
    rig: Rig,
    node: Node,
    other: Node,
}

impl Stage {
    /// The first device is still and leaves by `near1`; the second moves, and leaves as it is routed.
    fn set(spaces: &Spaces) -> Self {
        spaces.lay_cable(1);
        let node = Node::listen(spaces, 1);
        let address = node.address;
        Self::with(spaces, node, Protocol::ArtNet { address })
    }

    fn with(spaces: &Spaces, node: Node, protocol: Protocol) -> Self {
        spaces.lay_cable(2);
        let other = Node::listen(spaces, 2);
        let mut rig = Rig::start();
        rig.add_speaking(1, protocol, 3, |device| device.interface = Some("near1".into()));
        rig.add(2, other.address, 4, |_| ());
        rig.publish_project();
        rig.publish_frame(4, pattern(1));
        let start = Instant::now() - Duration::from_secs(1);
        node.wait_for(start, 1);
        other.wait_for(start, 4);
        Self { rig, node, other }
    }

    /// What the operator was told so far.
    fn told(&self) -> Vec<String> {
        self.rig.notices.try_iter().map(|Notice { text, .. }| text).collect()
    }

    /// Makes a fault and ends it, again and again, while the show moves or stands still. Checks how long after its end
    /// the light is back, and that the other device did not notice. Returns what was told.
    fn check(self, what: &str, moves: bool, fault: impl Fn(), end: impl Fn()) -> Vec<String> {
        // Universe 3 is the other device's alone, so that something moves there while the first stands still.
        let moving = moves.then(|| Moving::start(&self.rig, 4));
        let (mut away, mut undisturbed) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            fault();
            self.wait_a_while(moves);
            let returned = Instant::now();
            end();
            let (back, _) = self.node.wait_for(returned, 3);
            away.push(back - returned);
            undisturbed.push(self.other.longest_gap(begin));
        }
        let show = if moves { "moving" } else { "still" };
        let usual = median(&format!("{what}, {show}: light after"), away.clone());
        median(&format!("{what}, {show}: gap of another device"), undisturbed.clone());
        // Linux asks for a node's hardware address again only after a second, where the first question was lost.
        assert!(usual < RESUMED && away.iter().all(|gap| *gap < RESUMED * 2), "{away:?}");
        let expected = if moves { UNDISTURBED } else { Duration::from_millis(1100) };
        assert!(undisturbed.iter().all(|gap| *gap < expected), "{undisturbed:?}");
        drop(moving);
        let told = self.told();
        self.rig.output.stop();
        told
    }

    /// Long enough for the planner to look.
    fn wait_a_while(&self, moves: bool) {
        // A show that stands still repeats its four packets and a sync about every 0.9 s.
        self.other.wait_for(Instant::now(), if moves { A_WHILE * 5 } else { 10 });
    }
}

/// One sentence when it goes and one when it is back; what the sockets say of the device comes at most twice besides.
fn check_told(told: &[String], gone: &str) {
    let of = |text: &str| told.iter().filter(|line| line.contains(text)).count();
    assert_eq!(of(gone), 1, "{told:#?}");
    assert_eq!(of("near1 is back with the address 10.77.1.1; node 1 is sent everything again."), 1, "{told:#?}");
    assert!(told.len() <= 4 && of("node 2") == 0, "{told:#?}");
}

#[test]
fn a_link_that_is_switched_off_and_on_again() {
    for moves in [true, false] {
        run(&format!("switched{}", u8::from(moves)), |spaces| {
            let stage = Stage::set(spaces);
            let set = |state| spaces.here(&["link", "set", "near1", state]);
            let told = stage.check("interface down and up", moves, || set("down"), || set("up"));
            check_told(&told, "near1 is down; node 1 is sent nothing until it is back.");
        });
    }
}

#[test]
fn a_cable_that_is_pulled_and_plugged_in_again() {
    for moves in [true, false] {
        run(&format!("pulled{}", u8::from(moves)), |spaces| {
            let stage = Stage::set(spaces);
            let set = |state| spaces.there(&["link", "set", "far1", state]);
            let told = stage.check("cable pulled", moves, || set("down"), || set("up"));
            check_told(&told, "near1 is down; node 1 is sent nothing until it is back.");
        });
    }
}

#[test]
fn an_adapter_that_is_taken_out_and_put_in_again() {
    run("adapter", |spaces| {
        let stage = Stage::set(spaces);
        let take_out = || spaces.here(&["link", "del", "near1"]);
        let told = stage.check("adapter taken out", false, take_out, || spaces.lay_cable(1));
        check_told(&told, "near1 is not there or has no address; node 1 is sent nothing until it is back.");
    });
}

#[test]
fn an_address_that_changes_is_sent_from_at_once() {
    run("dhcp", |spaces| {
        let stage = Stage::set(spaces);
        // Else the second address of a network goes with the first.
        std::fs::write("/proc/sys/net/ipv4/conf/all/promote_secondaries", "1").unwrap();
        let (old, new) = (Ipv4Addr::new(10, 77, 1, 1), Ipv4Addr::new(10, 77, 1, 9));
        let mut away = Vec::new();
        for (from, to) in [(old, new), (new, old)].into_iter().cycle().take(ROUNDS) {
            let begin = Instant::now();
            // As a DHCP client does it: the new address first, then the old one goes.
            spaces.here(&["addr", "add", &format!("{to}/24"), "dev", "near1"]);
            spaces.here(&["addr", "del", &format!("{from}/24"), "dev", "near1"]);
            away.push(stage.node.wait_from(to, begin, 3) - begin);
        }
        median("address changed, still: light after", away.clone());
        assert!(away.iter().all(|gap| *gap < RESUMED), "{away:?}");
        let told = stage.told();
        let changed = "near1 has now the address 10.77.1.9; node 1 is sent everything again.";
        assert!(told.iter().filter(|line| *line == changed).count() == 1 && told.len() <= 4, "{told:#?}");
        stage.rig.output.stop();
    });
}

#[test]
fn multicast_comes_back_with_its_interface() {
    run("multicast", |spaces| {
        spaces.lay_cable(1);
        let joined = || {
            let group = Ipv4Addr::new(239, 255, 0, 2);
            let socket = UdpSocket::bind((group, SACN_PORT)).unwrap();
            socket.join_multicast_v4(&group, &Ipv4Addr::new(10, 77, 1, 2)).unwrap();
            socket
        };
        let node = Node::over(spaces.open_there(joined));
        let stage = Stage::with(spaces, node, Protocol::Sacn(Sacn::default()));
        let set = |state| spaces.here(&["link", "set", "near1", state]);
        let told = stage.check("interface of multicast down and up", true, || set("down"), || set("up"));
        check_told(&told, "near1 is down; node 1 is sent nothing until it is back.");
    });
}

/// Plays a moving show until all of these devices had a while; the longest gap of any of them, after `begin`.
fn undisturbed(what: &str, others: &[&Node], begin: Instant, universes: usize) {
    let a_while = 3 * A_WHILE * (universes + 1);
    others.iter().for_each(|node| drop(node.wait_for(begin, a_while)));
    let gaps: Vec<_> = others.iter().map(|node| node.longest_gap(begin)).collect();
    median(&format!("{what}: longest gap of other devices"), gaps.clone());
    assert!(gaps.iter().all(|gap| *gap < UNDISTURBED), "{gaps:?}");
}

#[test]
fn nodes_that_cannot_be_reached_delay_no_other() {
    run("unreachable", |spaces| {
        spaces.lay_cable(1);
        spaces.lay_cable(2);
        let others = [Node::listen(spaces, 1), Node::listen(spaces, 2)];
        let mut rig = Rig::start();
        // No route leads there; the port is closed; nobody has the address, with and without a named interface.
        let lost = ["198.51.100.1:6454", "10.77.1.2:9", "10.77.1.99:6454", "10.77.1.98:6454"];
        for (id, address) in (1..).zip(lost) {
            let address: SocketAddr = address.parse().unwrap();
            rig.add(id, address, 40, |device| device.interface = (id == 4).then(|| "near1".into()));
        }
        for (id, node) in (5..).zip(&others) {
            rig.add(id, node.address, 4, |_| ());
        }
        rig.publish_project();
        let moving = Moving::start(&rig, 40);
        let begin = others[0].wait_for(Instant::now(), 1).0;
        undisturbed("unreachable nodes", &[&others[0], &others[1]], begin, 4);
        drop(moving);
        rig.output.stop();
        let told: Vec<String> = rig.notices.try_iter().map(|notice| notice.text).collect();
        let of_first =
            told.iter().filter(|line| line.starts_with("Packets to node 1 (198.51.100.1:6454) cannot be sent"));
        assert!(told.len() <= 4 && of_first.count() == 1, "{told:#?}");
    });
}

/// A link of 1 Mbit/s with a long queue gets 40.
fn check_full(named: bool) {
    run(&format!("full{}", u8::from(named)), |spaces| {
        spaces.lay_cable(1);
        spaces.lay_cable(2);
        let shape =
            ["tc", "qdisc", "add", "dev", "near1", "root", "tbf", "rate", "1mbit", "burst", "10kb", "limit", "100mb"];
        assert!(spaces.try_here(&shape), "tc is missing or the kernel has no tbf");
        let slow = Node::listen(spaces, 1);
        let others = [Node::listen(spaces, 2), Node::listen(spaces, 2)];
        let mut rig = Rig::start();
        rig.add(1, slow.address, 200, |device| device.interface = named.then(|| "near1".into()));
        for (id, node) in (2..).zip(&others) {
            // Large ones, so that each sender has one.
            rig.add(id, node.address, 20, |_| ());
        }
        rig.publish_project();
        let moving = Moving::start(&rig, 200);
        let notice = rig.notices.recv_timeout(SOON).unwrap();
        assert!(notice.text.starts_with("Packets to node 1 "), "{notice}");
        undisturbed(&format!("full queue, named {named}"), &[&others[0], &others[1]], Instant::now(), 20);
        drop(moving);
        rig.output.stop();
        let told: Vec<String> = rig.notices.try_iter().map(|notice| notice.text).collect();
        assert!(told.len() <= 1, "{told:#?}");
    });
}

#[test]
fn a_queue_that_is_full_delays_no_device_of_another_interface() {
    check_full(true);
}

#[test]
fn a_queue_that_is_full_delays_no_device_of_the_same_sockets() {
    check_full(false);
}

/// Datagrams that are nearly what discovery reads: a reply with one byte changed, cut off at any length.
fn garbage() -> impl Iterator<Item = Vec<u8>> {
    let reply = PollReply::of_console(Ipv4Addr::new(10, 77, 1, 2)).write();
    (0..20_000_usize).map(move |number| {
        let mut bytes = reply.to_vec();
        let at = number * 31 % bytes.len();
        bytes[at] ^= (number / 7) as u8;
        bytes.truncate(if number % 3 == 0 { number % reply.len() } else { reply.len() });
        bytes
    })
}

#[test]
fn a_node_that_answers_garbage_disturbs_nobody() {
    run("garbage", |spaces| {
        spaces.lay_cable(1);
        spaces.lay_cable(2);
        let (garbler, other) = (spaces.socket_there(1, 6454), Node::listen(spaces, 2));
        garbler.set_read_timeout(Some(SOON)).unwrap();
        let mut rig = Rig::start();
        rig.add(1, garbler.local_addr().unwrap(), 4, |_| ());
        rig.add(2, other.address, 4, |_| ());
        rig.publish_project();
        let (notices, told) = crossbeam_channel::bounded(64);
        let found = Arc::<LatestSlot<Found>>::default();
        let links =
            DiscoveryLinks { projects: Arc::clone(&rig.projects), found: Arc::clone(&found), notices, dmx: None };
        let discovery = Discovery::start(DiscoveryOptions::default(), links).unwrap();
        let moving = Moving::start(&rig, 4);
        let begin = other.wait_for(Instant::now(), 1).0;
        let mut datagram = [0; 600];
        let asker = std::iter::repeat_with(|| garbler.recv_from(&mut datagram).unwrap()).find_map(|(length, from)| {
            // The light of the show comes here too.
            (length == POLL.len()).then_some(from)
        });
        garbage().for_each(|bytes| drop(garbler.send_to(&bytes, asker.unwrap())));
        undisturbed("garbage to polls", &[&other], begin, 4);
        let found = found.latest().unwrap_or_default();
        assert!(found.nodes.len() <= 1, "one address is one node: {}", found.nodes.len());
        drop((moving, discovery));
        rig.output.stop();
        let told: Vec<String> = told.try_iter().chain(rig.notices.try_iter()).map(|notice| notice.text).collect();
        assert!(told.len() <= 2, "{told:#?}");
    });
}
