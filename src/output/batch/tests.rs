//! Batches over a wire that only remembers, and refuses what a test tells it to refuse.

use super::*;
use crate::frame::LampFrame;
use crate::model::device::{RateLimit, Refresh};
use crate::model::id::DeviceId;
use crate::output::artnet::DMX_PACKET;
use crate::output::cid::Cid;
use crate::output::interfaces::Leaving;
use crate::output::plan::{Destination, Format, Stream};
use crate::units::{PortAddress, UNIVERSE_CHANNELS};
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;

/// What a message was refused with, and how often.
struct Refusal {
    port: u16,
    path: Path,
    kind: i32,
    times: usize,
}

#[derive(Default)]
struct FakeWire {
    /// Node, way and bytes of each message that went out.
    sent: Vec<(u16, Path, Vec<u8>)>,
    refusals: VecDeque<Refusal>,
    waits: usize,
}

impl Wire for FakeWire {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> super::super::wire::Sent {
        assert!(messages.len() <= MAX_MESSAGES);
        for (index, message) in messages.iter().enumerate() {
            let port = message.to.port();
            let refused = self.refusals.iter_mut().find(|r| r.port == port && r.path == path && r.times > 0);
            if let Some(refusal) = refused {
                // Like the kernel: why is said only of a first message.
                let error = (index == 0).then(|| io::Error::from_raw_os_error(refusal.kind));
                refusal.times -= usize::from(index == 0);
                return super::super::wire::Sent { messages: index, error };
            }
            let bytes = pieces[message.pieces.clone()].iter().flat_map(|piece| piece.iter().copied()).collect();
            self.sent.push((port, path, bytes));
        }
        super::super::wire::Sent { messages: messages.len(), error: None }
    }

    fn wait_for_room(&mut self, _path: Path) -> bool {
        self.waits += 1;
        true
    }
}

fn lane(port: u16, universes: u16, offload: bool, burst: usize) -> Lane {
    let universes = (0..universes).filter_map(|u| Some((u, PortAddress::new(u)?))).collect();
    let mut lane = lane_of(port, burst, Format::ArtNet, universes);
    lane.path = if offload { OFFLOAD } else { PLAIN };
    lane
}

fn lane_of(port: u16, burst: usize, format: Format, universes: Vec<(u16, PortAddress)>) -> Lane {
    let destination = Destination {
        device: DeviceId(u32::from(port)),
        name: format!("node {port}"),
        address: SocketAddrV4::new(Ipv4Addr::LOCALHOST, port),
        leaving: Leaving::AsRouted,
        broadcast: false,
        rate: RateLimit::RenderRate,
        refresh: Refresh::Changed,
        sync: true,
        offload: true,
        burst,
        format,
        universes,
    };
    Lane::new(Arc::new(destination), Arc::default())
}

fn prepare(lanes: &mut [Lane], now: Instant, number: u64, universes: &[u8]) {
    let bytes = universes.iter().flat_map(|level| [*level; UNIVERSE_CHANNELS]).collect();
    let frame = LampFrame { bytes, number, stamp: now };
    for lane in lanes {
        lane.schedule.prepare(now, Some(&frame));
    }
}

/// Who got how many bytes, in order.
fn order(wire: &FakeWire) -> Vec<(u16, usize)> {
    wire.sent.iter().map(|(port, _, bytes)| (*port, bytes.len())).collect()
}

const P: usize = DMX_PACKET;
const OFFLOAD: Path = Path::Offload { from: Ipv4Addr::UNSPECIFIED, segment: P as u16 };
const PLAIN: Path = Path::Plain { from: Ipv4Addr::UNSPECIFIED };
const EIO: i32 = 5;
const EAGAIN: i32 = 11;
const ENETUNREACH: i32 = 101;

#[test]
fn devices_take_turns_of_their_own_burst_and_sync_comes_last() {
    let now = Instant::now();
    let mut lanes = [lane(1, 5, true, 2), lane(2, 3, true, 16)];
    let mut wire = FakeWire::default();
    prepare(&mut lanes, now, 1, &[1; 5]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    assert_eq!(order(&wire), [(2, 3 * P), (2, 14), (1, 2 * P), (1, 2 * P), (1, P), (1, 14)]);
    assert_eq!(lanes[0].counters.read(DeviceId(1), "").packets, 6);
    assert_eq!(lanes[0].counters.read(DeviceId(1), "").bytes, 5 * P as u64 + 14);
}

#[test]
fn packets_that_are_not_neighbours_share_a_message_and_keep_their_bytes() {
    let now = Instant::now();
    let mut lanes = [lane(1, 6, true, 16)];
    let mut wire = FakeWire::default();
    prepare(&mut lanes, now, 1, &[1; 6]);
    prepare(&mut lanes, now, 2, &[2, 1, 2, 2, 1, 2]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    let (_, _, bytes) = &wire.sent[0];
    let universes: Vec<_> = bytes.chunks(P).map(|packet| (packet[14], packet[18], packet[529])).collect();
    assert_eq!(universes, [(0, 2, 2), (2, 2, 2), (3, 2, 2), (5, 2, 2)]);
}

#[test]
fn more_packets_than_a_batch_holds_all_go_out() {
    let now = Instant::now();
    let mut lanes: Vec<_> = (0..100).map(|port| lane(port, 7, port % 2 == 0, 3)).collect();
    lanes.push(lane(100, 8000, true, 64));
    let mut wire = FakeWire::default();
    prepare(&mut lanes, now, 1, &[1; 8000]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    for lane in &lanes {
        let port = lane.destination.address.port();
        let bytes: usize = order(&wire).iter().filter(|(to, _)| *to == port).map(|(_, bytes)| bytes).sum();
        assert_eq!(bytes, lane.destination.universes.len() * P + 14);
    }
}

#[test]
fn refused_offload_is_sent_again_packet_by_packet_and_told_once() {
    let now = Instant::now();
    let mut lanes = [lane(1, 3, true, 16), lane(2, 2, true, 16)];
    let mut wire = FakeWire::default();
    wire.refusals.push_back(Refusal { port: 1, path: OFFLOAD, kind: EIO, times: usize::MAX });
    let mut batcher = Batcher::default();
    for number in 1..3 {
        prepare(&mut lanes, now, number, &[number as u8; 3]);
        batcher.flush(&mut lanes, &mut wire, now);
    }
    let of_first: Vec<_> = order(&wire).into_iter().filter(|(port, _)| *port == 1).map(|(_, bytes)| bytes).collect();
    assert_eq!(of_first, [P, P, P, 14, P, P, P, 14]);
    assert!(wire.sent.iter().all(|(port, path, _)| (*port == 2) == (*path == OFFLOAD)));
    assert!(lanes[0].take_notice(now).unwrap().text.contains("one by one"));
    assert_eq!(lanes[0].take_notice(now), None);
    assert_eq!(lanes[0].counters.read(DeviceId(1), "").errors, 0);
}

#[test]
fn a_dead_device_does_not_keep_others_from_their_packets() {
    let now = Instant::now();
    let mut lanes = [lane(1, 40, false, 16), lane(2, 2, false, 16)];
    let mut wire = FakeWire::default();
    wire.refusals.push_back(Refusal { port: 1, path: PLAIN, kind: ENETUNREACH, times: usize::MAX });
    prepare(&mut lanes, now, 1, &[1; 40]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    assert_eq!(order(&wire), [(2, P), (2, P), (2, 14)]);
    assert_eq!(lanes[0].counters.read(DeviceId(1), "").errors, 41);
    assert_eq!(wire.waits, 0);
}

#[test]
fn a_device_in_trouble_is_told_of_once_a_minute_and_then_that_it_is_well() {
    let start = Instant::now();
    let mut lanes = [lane(1, 1, false, 16)];
    let mut wire = FakeWire::default();
    wire.refusals.push_back(Refusal { port: 1, path: PLAIN, kind: ENETUNREACH, times: 100 });
    let mut batcher = Batcher::default();
    let mut told = Vec::new();
    for second in 0..110 {
        let now = start + std::time::Duration::from_secs(second);
        prepare(&mut lanes, now, second, &[second as u8]);
        batcher.flush(&mut lanes, &mut wire, now);
        told.extend(lanes[0].take_notice(now).map(|notice| (second, notice.severity)));
    }
    use crate::notice::Severity::{Info, Warning};
    assert_eq!(told, [(0, Warning), (60, Warning), (100, Info)]);
}

#[test]
fn a_full_queue_is_waited_for_a_few_times_and_loses_nothing() {
    let now = Instant::now();
    let mut lanes = [lane(1, 4, false, 16)];
    let mut wire = FakeWire::default();
    wire.refusals.push_back(Refusal { port: 1, path: PLAIN, kind: EAGAIN, times: 2 });
    prepare(&mut lanes, now, 1, &[1; 4]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    assert_eq!((order(&wire).len(), wire.waits), (5, 2));
}

#[test]
fn a_queue_that_stays_full_is_left_to_the_schedule() {
    let now = Instant::now();
    let mut lanes = [lane(1, 4, true, 16), lane(2, 4, true, 16)];
    let mut wire = FakeWire::default();
    for port in [1, 2] {
        wire.refusals.push_back(Refusal { port, path: OFFLOAD, kind: EAGAIN, times: usize::MAX });
    }
    prepare(&mut lanes, now, 1, &[1; 4]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    assert_eq!(wire.waits, MAX_FRUITLESS_WAITS);
    let retry = Some(now + crate::output::schedule::RETRY_AFTER);
    assert!(lanes.iter().all(|lane| lane.schedule.next_due() == retry));
    assert!(lanes.iter().all(|lane| lane.counters.read(DeviceId(1), "").errors == 5));
}

#[test]
fn a_page_of_discovery_is_never_cut_into_segments() {
    let now = Instant::now();
    let stream = Stream {
        cid: Cid([7; 16]),
        first_universe: 1,
        priority: 100,
        sync_universe: Some(9),
        multicast: None,
        announced: (1..=300).collect(),
    };
    let mut lanes = [lane_of(1, 16, Format::Sacn(stream), vec![(0, PortAddress::default())])];
    let mut wire = FakeWire::default();
    prepare(&mut lanes, now, 1, &[1]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    let offload = Path::Offload { from: Ipv4Addr::UNSPECIFIED, segment: 638 };
    let sent: Vec<_> = wire.sent.iter().map(|(_, path, bytes)| (*path, bytes.len())).collect();
    assert_eq!(sent, [(offload, 638), (offload, 49), (PLAIN, 720)]);
    assert_eq!(lanes[0].counters.read(DeviceId(1), "").bytes, 638 + 49 + 720);
}

#[test]
fn a_segmented_message_ends_with_its_first_short_packet() {
    let now = Instant::now();
    let format = Format::Ddp { pixels: crate::model::device::DdpPixels::Rgb, channels: 510 };
    // Three universes fill one packet and begin another; then there is a gap, and twice one universe.
    let ports = [0, 1, 2, 5, 7].into_iter().filter_map(PortAddress::new);
    let mut lanes = [lane_of(1, 16, format, (0..).zip(ports).collect())];
    let mut wire = FakeWire::default();
    prepare(&mut lanes, now, 1, &[1; 5]);
    Batcher::default().flush(&mut lanes, &mut wire, now);
    assert_eq!(order(&wire), [(1, 1450 + 10 + 90), (1, 520), (1, 520)]);
}
