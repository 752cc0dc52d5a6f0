//! The whole output over real sockets on loopback: frames published at one end, checked packets at the other.
//!
//! Every wait has a predicate and an end. Ports are chosen by the system.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/output_rig.rs"]
mod output_rig;

use glowdeck::model::device::{ExitPolicy, Refresh, Route};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::output::receiver::Receiver;
use glowdeck::units::{PortAddress, UNIVERSE_CHANNELS};
use output_rig::{Rig, SOON, collect, expected, pattern};
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn loopback() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

fn check_delivery(offload: bool, burst: u8) {
    const UNIVERSES: usize = 150;
    let receiver = Receiver::start(loopback(), UNIVERSES).expect("a receiver");
    let mut rig = Rig::start();
    rig.add(1, receiver.address(), UNIVERSES as u16, |device| {
        (device.offload, device.burst) = (offload, burst);
    });
    rig.publish_project();
    for (seed, so_many) in [(1, 150), (2, 300), (3, 450)] {
        rig.publish_frame(UNIVERSES, pattern(seed));
        let (counts, arrived) =
            receiver.wait_for(SOON, |counts| counts.packets >= so_many && counts.syncs >= so_many / 150);
        assert!(arrived, "{counts:?}");
        for universe in 0..UNIVERSES {
            assert_eq!(receiver.latest(universe), Some(expected(universe, seed)), "universe {universe}");
        }
    }
    // One universe in three changes: packets that are not neighbours in the buffer.
    rig.publish_frame(UNIVERSES, |bytes| {
        pattern(3)(bytes);
        bytes.chunks_mut(UNIVERSE_CHANNELS).step_by(3).for_each(|universe| universe.fill(9));
    });
    let (counts, arrived) = receiver.wait_for(SOON, |counts| counts.packets >= 500 && counts.syncs >= 4);
    assert!(arrived, "{counts:?}");
    assert_eq!(receiver.latest(3), Some([9; UNIVERSE_CHANNELS]));
    assert_eq!(receiver.latest(4), Some(expected(4, 3)));
    let counts = receiver.counts();
    assert_eq!((counts.bad_packets, counts.sequence_gaps), (0, 0));
    let stats = rig.wait_for_stats(|stats| stats.devices.first().is_some_and(|device| device.packets >= 504));
    assert_eq!((stats.devices[0].name.as_str(), stats.devices[0].errors), ("node 1", 0));
    rig.output.stop();
    assert!(rig.notices.try_iter().next().is_none(), "nothing went wrong, nothing is said");
}

#[test]
fn published_frames_arrive_with_offload() {
    check_delivery(true, 16);
    check_delivery(true, 64);
}

#[test]
fn published_frames_arrive_without_offload() {
    check_delivery(false, 16);
}

fn first_frames(offload: bool) -> Vec<Vec<u8>> {
    let socket = UdpSocket::bind(loopback()).expect("a socket");
    let mut rig = Rig::start();
    rig.project.settings =
        Arc::new(glowdeck::model::project::Settings { exit: ExitPolicy::Hold, ..(*rig.project.settings).clone() });
    let address = socket.local_addr().expect("an address");
    rig.add(1, address, 20, |device| (device.offload, device.burst) = (offload, 8));
    rig.publish_project();
    rig.publish_frame(20, pattern(1));
    let mut datagrams = collect(&socket, 21);
    rig.publish_frame(20, |bytes| {
        pattern(1)(bytes);
        bytes[4 * UNIVERSE_CHANNELS] ^= 1;
        bytes[9 * UNIVERSE_CHANNELS] ^= 1;
    });
    datagrams.extend(collect(&socket, 3));
    rig.output.stop();
    socket.set_nonblocking(true).expect("non-blocking");
    assert!(socket.recv(&mut [0; 2048]).is_err(), "hold sends nothing more at the end");
    datagrams
}

#[test]
fn offload_changes_no_packet() {
    let (with, without) = (first_frames(true), first_frames(false));
    assert_eq!(with.len(), 24);
    assert_eq!(with, without);
    let lengths: Vec<_> = with.iter().map(Vec::len).collect();
    assert_eq!(lengths, [vec![530; 20], vec![14], vec![530; 2], vec![14]].concat());
}

#[test]
fn the_end_is_three_times_black_each_with_its_sync() {
    let socket = UdpSocket::bind(loopback()).expect("a socket");
    let mut rig = Rig::start();
    rig.add(1, socket.local_addr().expect("an address"), 2, |_| ());
    rig.publish_project();
    rig.publish_frame(2, pattern(1));
    assert_eq!(collect(&socket, 3).len(), 3);
    rig.output.stop();
    let end = collect(&socket, 9);
    for (round, sequence) in end.chunks(3).zip(2..) {
        for (universe, packet) in round[..2].iter().enumerate() {
            assert_eq!((packet[12], usize::from(packet[14])), (sequence, universe));
            assert_eq!(packet[18..], [0; UNIVERSE_CHANNELS]);
        }
        assert_eq!(round[2], glowdeck::output::artnet::SYNC);
    }
    socket.set_nonblocking(true).expect("non-blocking");
    assert!(socket.recv(&mut [0; 2048]).is_err(), "and nothing more");
}

#[test]
fn devices_that_cannot_be_reached_neither_delay_nor_lose_a_packet_of_others() {
    const UNIVERSES: usize = 40;
    let receiver = Receiver::start(loopback(), UNIVERSES).expect("a receiver");
    let closed = UdpSocket::bind(loopback()).and_then(|socket| socket.local_addr()).expect("a port that closes");
    let mut rig = Rig::start();
    rig.add(1, closed, UNIVERSES as u16, |_| ());
    // An address that the system refuses at once: broadcast is not switched on for a class E address.
    rig.add(2, SocketAddr::from(([240, 0, 0, 1], 6454)), UNIVERSES as u16, |_| ());
    rig.add(3, SocketAddr::from(([0, 0, 0, 0], 0)), UNIVERSES as u16, |_| ());
    rig.add(4, receiver.address(), UNIVERSES as u16, |_| ());
    rig.publish_project();
    for seed in 1..=50_u8 {
        let before = receiver.counts();
        rig.publish_frame(UNIVERSES, pattern(seed));
        let wanted = before.packets + UNIVERSES as u64;
        let (counts, arrived) = receiver.wait_for(Duration::from_secs(1), |counts| counts.packets >= wanted);
        assert!(arrived, "frame {seed}: {counts:?}");
    }
    let counts = receiver.counts();
    assert_eq!((counts.bad_packets, counts.sequence_gaps), (0, 0));
    let stats = rig.wait_for_stats(|stats| stats.devices.iter().any(|device| device.errors > 0));
    let errors: Vec<_> = stats.devices.iter().map(|device| device.errors > 0).collect();
    assert!(!errors[3], "{stats:?}");
    rig.output.stop();
    let told: Vec<_> = rig.notices.try_iter().map(|notice| notice.text).collect();
    let of_third = told.iter().filter(|text| text.starts_with("Packets to node 3 ")).count();
    assert_eq!(of_third, 1, "once, not once a frame: {told:#?}");
    assert!(!told.iter().any(|text| text.contains("node 4")), "{told:#?}");
}

#[test]
fn the_last_frame_is_repeated_when_no_newer_one_comes() {
    let receiver = Receiver::start(loopback(), 3).expect("a receiver");
    let mut rig = Rig::start();
    rig.add(1, receiver.address(), 3, |_| ());
    rig.publish_project();
    rig.publish_frame(3, pattern(1));
    assert!(receiver.wait_for(SOON, |counts| counts.packets == 3).1);
    let sent = Instant::now();
    let (counts, arrived) = receiver.wait_for(SOON, |counts| counts.packets == 6 && counts.syncs == 2);
    assert!(arrived, "{counts:?}");
    // Not before it is wanted; how late it is depends on the machine, simulated time checks that.
    assert!(sent.elapsed() > Duration::from_millis(700), "{:?}", sent.elapsed());
    rig.output.stop();
}

#[test]
fn a_new_plan_keeps_sequence_numbers_and_sends_only_what_is_new() {
    let receiver = Receiver::start(loopback(), 4).expect("a receiver");
    let mut rig = Rig::start();
    rig.add(1, receiver.address(), 2, |_| ());
    rig.publish_project();
    rig.publish_frame(4, pattern(1));
    assert!(receiver.wait_for(SOON, |counts| counts.packets == 2 && counts.syncs == 1).1);
    rig.add(1, receiver.address(), 4, |device| device.refresh = Refresh::EveryFrame);
    rig.publish_project();
    let (counts, arrived) = receiver.wait_for(SOON, |counts| counts.packets >= 4);
    assert!(arrived, "{counts:?}");
    for seed in 2..20 {
        let wanted = receiver.counts().packets + 4;
        rig.publish_frame(4, pattern(seed));
        assert!(receiver.wait_for(SOON, |counts| counts.packets >= wanted).1);
    }
    assert_eq!(receiver.counts().sequence_gaps, 0);
    rig.output.stop();
}

#[test]
fn routes_in_conflict_are_told() {
    let mut rig = Rig::start();
    rig.add(1, SocketAddr::from(([127, 0, 0, 1], 9)), 2, |_| ());
    let (device, port) = (DeviceId(1), PortAddress::default());
    rig.project.routes.put(Route { id: RouteId(7), universe: 5, count: 1, device, port, merge: None });
    rig.publish_project();
    let notice = rig.notices.recv_timeout(SOON).expect("a notice");
    assert!(notice.text.contains("#1 and #7"), "{notice}");
    rig.output.stop();
}

#[test]
fn a_port_in_use_is_said_in_words() {
    let first = Receiver::start(loopback(), 1).expect("a receiver");
    let error = Receiver::start(first.address(), 1).err().expect("the port is taken");
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    assert!(error.to_string().contains(&first.address().to_string()), "{error}");
}
