//! sACN and DDP over real sockets: frames in at one end, exact datagrams at the other.
//!
//! Every wait has a predicate and an end. Ports are chosen by the system.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/output_rig.rs"]
mod output_rig;

use glowdeck::model::device::{Ddp, DdpPixels, Protocol, RateLimit, Sacn};
use glowdeck::output::Output;
use glowdeck::output::cid::Cid;
use glowdeck::output::ddp;
use glowdeck::output::sacn::{self, Packet};
use glowdeck::units::UNIVERSE_CHANNELS;
use output_rig::{Rig, collect, expected, pattern};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

fn socket() -> UdpSocket {
    UdpSocket::bind(("127.0.0.1", 0)).unwrap()
}

fn address(socket: &UdpSocket) -> SocketAddr {
    socket.local_addr().unwrap()
}

/// Stops the output and meanwhile receives this many datagrams: a socket's queue holds fewer.
fn stop(output: Output, socket: &UdpSocket, enough: usize) -> Vec<Vec<u8>> {
    std::thread::scope(|scope| {
        scope.spawn(move || output.stop());
        collect(socket, enough)
    })
}

fn nothing_more(socket: &UdpSocket) {
    socket.set_nonblocking(true).unwrap();
    assert!(socket.recv(&mut [0; 2048]).is_err(), "and nothing more");
}

/// The datagrams of one sACN show of 40 universes from the first frame to the end, checked.
fn sacn_show(offload: bool, burst: u8) -> Vec<Vec<u8>> {
    const UNIVERSES: u16 = 40;
    let socket = socket();
    let protocol = Protocol::Sacn(Sacn {
        address: Some(address(&socket)),
        first_universe: 101,
        sync_universe: Some(7000),
        ..Sacn::default()
    });
    let mut rig = Rig::start();
    rig.add_speaking(1, protocol, UNIVERSES, |device| {
        // Slow enough that the end comes before the first repeat.
        (device.offload, device.burst, device.rate) = (offload, burst, RateLimit::Fps(1.0));
    });
    rig.publish_project();
    rig.publish_frame(UNIVERSES.into(), pattern(3));
    let mut datagrams = collect(&socket, usize::from(UNIVERSES) + 2);
    // Black with its sync and the end with its sync, three times each.
    datagrams.extend(stop(rig.output, &socket, 6 * (usize::from(UNIVERSES) + 1)));
    nothing_more(&socket);
    assert!(rig.notices.try_iter().next().is_none(), "nothing went wrong, nothing is said");
    datagrams
}

#[test]
fn an_sacn_show_arrives_byte_for_byte_from_first_frame_to_end() {
    let cid = Cid::of_this_machine();
    let packet = |universe: usize, sequence: u8, slots: &[u8], ends: bool| {
        let mut packet = sacn::data_packet(cid, 101 + universe as u16, 100, 7000);
        packet[111] = sequence;
        packet[112] = if ends { 0x40 } else { 0 };
        packet[126..].copy_from_slice(slots);
        packet.to_vec()
    };
    let sync = |sequence: u8| {
        let mut packet = sacn::sync_packet(cid, 7000);
        packet[44] = sequence;
        packet.to_vec()
    };
    let mut wanted: Vec<_> = (0..40).map(|universe| packet(universe, 1, &expected(universe, 3), false)).collect();
    wanted.push(sync(1));
    wanted.extend(sacn::discovery_packets(cid, &(101..141).collect::<Vec<_>>()));
    for round in 2..8 {
        wanted.extend((0..40).map(|universe| packet(universe, round, &[0; UNIVERSE_CHANNELS], round > 4)));
        wanted.push(sync(round));
    }
    for (offload, burst) in [(true, 16), (true, 64), (false, 16)] {
        assert!(sacn_show(offload, burst) == wanted, "offload {offload}, burst {burst}");
    }
}

#[test]
fn sacn_multicast_leaves_by_the_interface_that_was_named() {
    let group = Ipv4Addr::new(239, 255, 0, 7);
    // The port is that of the standard, so another program may have it: then there is nothing to be seen here.
    let Ok(socket) = UdpSocket::bind((group, sacn::PORT)) else { return eprintln!("port 5568 is in use") };
    socket.join_multicast_v4(&group, &Ipv4Addr::LOCALHOST).unwrap();
    let mut rig = Rig::start();
    let sacn = Sacn { first_universe: 6, ..Sacn::default() };
    rig.add_speaking(1, Protocol::Sacn(sacn), 3, |device| device.interface = Some("127.0.0.1".to_owned()));
    rig.publish_project();
    rig.publish_frame(3, pattern(9));
    let datagram = &collect(&socket, 1)[0];
    let Ok(Packet::Data(data)) = sacn::parse(datagram) else { panic!("{datagram:?}") };
    assert_eq!((data.universe, data.slots), (7, &expected(1, 9)[..]));
    rig.output.stop();
}

/// Universes of the frame that leave when the routes do.
#[test]
fn universes_that_leave_the_routes_are_ended_while_the_show_goes_on() {
    let socket = socket();
    let protocol = Protocol::Sacn(Sacn { address: Some(address(&socket)), ..Sacn::default() });
    let mut rig = Rig::start();
    rig.add_speaking(1, protocol.clone(), 3, |device| device.rate = RateLimit::Fps(1.0));
    rig.publish_project();
    rig.publish_frame(3, pattern(1));
    collect(&socket, 4);
    rig.add_speaking(1, protocol, 1, |device| device.rate = RateLimit::Fps(1.0));
    rig.publish_project();
    let ended = collect(&socket, 6).into_iter().map(|datagram| match sacn::parse(&datagram) {
        Ok(Packet::Data(data)) => (data.universe, data.sequence, data.terminated),
        other => panic!("{other:?}"),
    });
    let ended: Vec<_> = ended.collect();
    assert_eq!(ended, [2, 3, 4].map(|number| [(2, number, true), (3, number, true)]).concat());
    rig.output.stop();
}

fn ddp_frames(offload: bool, universes: u16) -> Vec<Vec<u8>> {
    let socket = socket();
    let mut rig = Rig::start();
    let protocol = Protocol::Ddp(Ddp { address: address(&socket), pixels: DdpPixels::Rgb, channels: None });
    rig.add_speaking(1, protocol, universes, |device| (device.offload, device.burst) = (offload, 64));
    rig.publish_project();
    let packets = (usize::from(universes) * 510).div_ceil(1440);
    let mut datagrams = Vec::new();
    for seed in [1, 2] {
        rig.publish_frame(universes.into(), pattern(seed));
        datagrams.extend(collect(&socket, packets));
    }
    datagrams.extend(stop(rig.output, &socket, 3 * packets));
    nothing_more(&socket);
    assert!(rig.notices.try_iter().next().is_none(), "nothing went wrong, nothing is said");
    datagrams
}

#[test]
fn ddp_frames_arrive_byte_for_byte_and_end_black() {
    // 64 full packets are more than one datagram of the kernel's holds.
    for universes in [1, 3, 200] {
        let strips = [Some(1), Some(2), None, None, None].map(|seed| {
            let universe = |universe| seed.map_or([0; UNIVERSE_CHANNELS], |seed| expected(universe, seed));
            (0..usize::from(universes)).flat_map(|u| universe(u)[..510].to_vec()).collect::<Vec<u8>>()
        });
        let mut sequence = 0;
        let mut wanted = Vec::new();
        for strip in &strips {
            let packets = strip.len().div_ceil(1440);
            for (index, data) in strip.chunks(1440).enumerate() {
                let mut packet = ddp::header(DdpPixels::Rgb, index as u32 * 1440, data.len() as u16).to_vec();
                packet.extend(data);
                sequence = sequence % 15 + 1;
                ddp::stamp(&mut packet, sequence, index + 1 == packets);
                wanted.push(packet);
            }
        }
        for offload in [true, false] {
            assert!(ddp_frames(offload, universes) == wanted, "{universes} universes, offload {offload}");
        }
    }
}
