//! The portable sockets on loopback, with lanes and batches as a sender has them, checked packet by packet.

use super::*;
use crate::frame::FramePool;
use crate::model::device::{RateLimit, Refresh};
use crate::model::id::DeviceId;
use crate::output::artnet::DMX_PACKET;
use crate::output::batch::Batcher;
use crate::output::interfaces::Leaving;
use crate::output::lane::Lane;
use crate::output::plan::{Destination, Format, Multicast};
use crate::output::receiver::Receiver;
use crate::output::stats::Counters;
use crate::units::{PortAddress, UNIVERSE_CHANNELS};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(10);
const UNIVERSES: u16 = 150;
const OFFLOAD: Path = Path::Offload { from: Ipv4Addr::UNSPECIFIED, segment: DMX_PACKET as u16 };

/// The sockets, whose system refuses some segmented messages, as quinn-udp hands it on: nothing is sent again for us.
struct Refusing {
    sockets: Sockets,
    refusals: usize,
    segmented: usize,
}

impl Wire for Refusing {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
        if matches!(path, Path::Offload { .. }) {
            if self.refusals > 0 {
                self.refusals -= 1;
                // Some went out before the card said no.
                let sent = self.sockets.send(path, &messages[..messages.len() / 2], pieces);
                assert!(sent.error.is_none());
                return Sent { messages: sent.messages, error: Some(io::Error::from_raw_os_error(5)) };
            }
            self.segmented += messages.len();
        }
        self.sockets.send(path, messages, pieces)
    }

    fn wait_for_room(&mut self, path: Path) -> bool {
        self.sockets.wait_for_room(path)
    }
}

fn lane(id: u32, to: SocketAddr, burst: usize) -> Lane {
    let SocketAddr::V4(address) = to else { panic!("IPv4") };
    let destination = Destination {
        device: DeviceId(id),
        name: format!("node {id}"),
        address,
        leaving: Leaving::AsRouted,
        broadcast: false,
        rate: RateLimit::RenderRate,
        refresh: Refresh::Changed,
        sync: true,
        offload: true,
        burst,
        format: Format::ArtNet,
        universes: (0..UNIVERSES).filter_map(|u| Some((u, PortAddress::new(u)?))).collect(),
    };
    Lane::new(Arc::new(destination), Arc::<Counters>::default())
}

fn level(universe: usize, slot: usize, frame: u64) -> u8 {
    (universe * 7 + slot) as u8 ^ frame as u8
}

/// Three frames to a receiver; returns the notices of the lane and how many messages were segmented.
fn deliver(sockets: Sockets, refusals: usize, burst: usize) -> (Vec<String>, usize) {
    let receiver = Receiver::start(([127, 0, 0, 1], 0).into(), UNIVERSES.into()).unwrap();
    let mut wire = Refusing { sockets, refusals, segmented: 0 };
    let mut lanes = [lane(1, receiver.address(), burst)];
    assert_eq!(lanes[0].path, OFFLOAD);
    let (mut batcher, mut pool, mut told) = (Batcher::default(), FramePool::default(), Vec::new());
    for number in 1..=3_u64 {
        let now = Instant::now();
        let frame = pool.fill(UNIVERSES.into(), number, now, |bytes| {
            for (index, byte) in bytes.iter_mut().enumerate() {
                // The last frame is another one in every third universe only: packets that are not neighbours.
                let (universe, slot) = (index / UNIVERSE_CHANNELS, index % UNIVERSE_CHANNELS);
                let frame = if number == 3 && universe % 3 > 0 { 2 } else { number };
                *byte = level(universe, slot, frame);
            }
        });
        lanes[0].schedule.prepare(now, Some(&frame));
        batcher.flush(&mut lanes, &mut wire, now);
        told.extend(lanes[0].take_notice(now).map(|notice| notice.text));
        let wanted = [150, 300, 350][number as usize - 1];
        let (counts, arrived) = receiver.wait_for(SOON, |counts| counts.packets >= wanted && counts.syncs >= number);
        assert!(arrived && counts.packets == wanted, "frame {number}: {counts:?}");
        for universe in 0..usize::from(UNIVERSES) {
            let held = if number == 3 && universe % 3 > 0 { 2 } else { number };
            let expected = std::array::from_fn(|slot| level(universe, slot, held));
            assert_eq!(receiver.latest(universe), Some(expected), "universe {universe} of frame {number}");
        }
    }
    let counts = receiver.counts();
    assert_eq!((counts.bad_packets, counts.sequence_gaps, counts.syncs), (0, 0, 3));
    (told, wire.segmented)
}

#[test]
fn every_packet_arrives_intact_with_offload() {
    for burst in [1, 16, 64] {
        let (told, segmented) = deliver(Sockets::open().unwrap(), 0, burst);
        assert!(told.is_empty(), "{told:?}");
        assert!(segmented >= 350_usize.div_ceil(burst), "{segmented} messages were segmented");
    }
}

#[test]
fn every_packet_arrives_where_the_system_knows_no_offload() {
    let mut sockets = Sockets::open().unwrap();
    sockets.any.state = None;
    assert!(deliver(sockets, 0, 16).0.is_empty(), "which is nothing to tell");
}

#[test]
fn what_was_refused_goes_out_packet_by_packet_and_is_told_once() {
    let (told, segmented) = deliver(Sockets::open().unwrap(), 1, 16);
    assert_eq!(segmented, 0, "and is not tried again");
    assert!(told.len() == 1 && told[0].starts_with("Offload to node 1 ("), "{told:?}");
    assert!(told[0].ends_with("its packets go out one by one."), "{told:?}");
}

/// A message that Linux itself refuses: more packets than it splits a message into.
#[test]
fn a_system_that_refuses_is_told_of_and_the_same_message_goes_out_split() {
    const PACKETS: usize = 150;
    let node = UdpSocket::bind("127.0.0.1:0").unwrap();
    node.set_read_timeout(Some(SOON)).unwrap();
    let SocketAddr::V4(to) = node.local_addr().unwrap() else { panic!("IPv4") };
    let bytes: Vec<u8> = (0..PACKETS).flat_map(|packet| [packet as u8; 20]).collect();
    let transmit =
        Transmit { destination: to.into(), ecn: None, contents: &bytes, segment_size: Some(20), src_ip: None };
    let mut sockets = Sockets::open().unwrap();
    let state = sockets.any.state.as_ref().unwrap();
    assert!(state.max_gso_segments() > 1);
    let error = state.try_send(UdpSockRef::from(&sockets.any.offload), &transmit).unwrap_err();
    assert!(is_offload_refusal(&error), "{error}");
    // In two pieces, which are no whole packets.
    let pieces = [IoSlice::new(&bytes[..30]), IoSlice::new(&bytes[30..])];
    let sent = sockets.send(
        Path::Offload { from: Ipv4Addr::UNSPECIFIED, segment: 20 },
        &[Message { to, pieces: 0..2 }],
        &pieces,
    );
    assert_eq!((sent.messages, sent.error.map(|error| error.to_string())), (1, None));
    for packet in 0..PACKETS {
        let mut received = [0; 64];
        let length = node.recv(&mut received).unwrap();
        assert_eq!(received[..length], [packet as u8; 20]);
    }
}

#[test]
fn a_way_that_is_shut_is_no_refusal_of_offload() {
    for kind in [io::ErrorKind::WouldBlock, io::ErrorKind::NetworkUnreachable, io::ErrorKind::PermissionDenied] {
        assert!(!is_offload_refusal(&kind.into()), "{kind}");
    }
    for code in [5, 22, 90, 95] {
        assert!(is_offload_refusal(&io::Error::from_raw_os_error(code)), "{code}");
    }
}

#[test]
fn broadcast_and_multicast_are_as_asked() {
    let mut sockets = Sockets::open().unwrap();
    let pieces = [IoSlice::new(&[0; DMX_PACKET])];
    let to = "255.255.255.255:6454".parse().unwrap();
    for path in [Path::Plain { from: Ipv4Addr::UNSPECIFIED }, OFFLOAD] {
        let sent = sockets.send(path, &[Message { to, pieces: 0..1 }], &pieces);
        assert!(sent.messages == 0 && sent.error.is_some_and(|error| error.kind() == io::ErrorKind::PermissionDenied));
    }
    sockets.allow_broadcast(true).unwrap();
    for path in [Path::Plain { from: Ipv4Addr::UNSPECIFIED }, OFFLOAD] {
        // There may be no network to send it to, which is another matter.
        let sent = sockets.send(path, &[Message { to, pieces: 0..1 }], &pieces);
        assert!(sent.error.is_none_or(|error| error.kind() != io::ErrorKind::PermissionDenied));
    }
    let chosen = Path::Multicast(Multicast { interface: Ipv4Addr::LOCALHOST, ttl: 3 });
    let sent = sockets.send(chosen, &[Message { to, pieces: 0..1 }], &pieces);
    assert!(sent.messages == 0 && sent.error.is_some_and(|error| error.to_string().contains("needs Linux")));
}

#[test]
fn packets_leave_from_the_address_that_is_asked_for_and_from_no_other() {
    let node = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    node.set_read_timeout(Some(SOON)).unwrap();
    let SocketAddr::V4(to) = node.local_addr().unwrap() else { panic!("IPv4") };
    let address = Ipv4Addr::new(127, 0, 0, 5);
    let mut sockets = Sockets::open().unwrap();
    sockets.follow([Source { interface: "lo".into(), index: None, address }]);
    let (bytes, message) = ([7; 40], [Message { to, pieces: 0..1 }]);
    let pieces = [IoSlice::new(&bytes)];
    for path in [Path::Plain { from: address }, Path::Offload { from: address, segment: 20 }] {
        assert_eq!(sockets.send(path, &message, &pieces).messages, 1);
        assert_eq!(node.recv_from(&mut [0; 64]).unwrap().1.ip(), address);
    }
    let other = Path::Plain { from: Ipv4Addr::new(127, 0, 0, 6) };
    let error = sockets.send(other, &message, &pieces).error.unwrap();
    assert_eq!(error.kind(), io::ErrorKind::AddrNotAvailable, "nobody asked for that one");
}
