//! How many packets a second one device is delivered over loopback: `cargo bench --bench output`.
//!
//! Counted at a receiver, never at the sender; it checks Art-Net, and only counts what is something else. Prints a line a method; what to trust is the ratio to the plain
//! loop, not the digits. Frames are published one ahead of what has arrived.
#![allow(clippy::expect_used, reason = "a bench that cannot start has nothing to say")]

use glowdeck::frame::{FramePool, LampFrame};
use glowdeck::model::device::{Ddp, DdpPixels, Device, Protocol, RateLimit, Refresh, Route, Sacn};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::model::project::Project;
use glowdeck::output::Output;
use glowdeck::output::receiver::{Receiver, ReceiverCounts};
use glowdeck::output::{artnet, ddp, sacn};
use glowdeck::sync::LatestSlot;
use glowdeck::units::{MAX_UNIVERSES, PortAddress};
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

const RUN: Duration = Duration::from_secs(4);

fn receiver() -> Receiver {
    Receiver::start(([127, 0, 0, 1], 0).into(), MAX_UNIVERSES).expect("a receiver")
}

fn report(method: &str, counts: ReceiverCounts, took: Duration) -> f64 {
    let rate = counts.packets as f64 / took.as_secs_f64();
    println!(
        "{method:<28} {rate:>10.0} packets/s {:>6.2} Gbit/s, {} gaps, {} bad",
        counts.bytes as f64 * 8e-9 / took.as_secs_f64(),
        counts.sequence_gaps,
        counts.bad_packets
    );
    rate
}

/// What everybody writes first: a packet a call, header and data copied each time.
fn plain_loop() -> f64 {
    let receiver = receiver();
    let socket = UdpSocket::bind(("127.0.0.1", 0)).expect("a socket");
    let mut packets: Vec<_> = (0..MAX_UNIVERSES as u16).filter_map(PortAddress::new).map(artnet::dmx_packet).collect();
    let start = Instant::now();
    let mut frames = 0_u64;
    while start.elapsed() < RUN {
        for packet in &mut packets {
            artnet::advance_sequence(packet);
            artnet::dmx_data_mut(packet).fill(frames as u8);
            socket.send_to(packet, receiver.address()).expect("loopback takes packets");
        }
        frames += 1;
        let ahead = (frames - 1) * MAX_UNIVERSES as u64;
        receiver.wait_for(Duration::from_millis(100), |counts| counts.packets >= ahead);
    }
    report("send_to loop", receiver.counts(), start.elapsed())
}

fn output(protocol: fn(SocketAddr) -> Protocol, offload: bool, burst: u8) -> f64 {
    let receiver = receiver();
    let protocol = protocol(receiver.address());
    let packets = match &protocol {
        Protocol::Ddp(ddp) => (MAX_UNIVERSES * ddp.universe_channels()).div_ceil(1440),
        _ => MAX_UNIVERSES,
    };
    let (frames, projects) = (Arc::<LatestSlot<LampFrame>>::default(), Arc::<LatestSlot<Project>>::default());
    let (notices, told) = crossbeam_channel::bounded(16);
    let output =
        Output::start(Arc::clone(&frames), Arc::clone(&projects), Arc::default(), notices).expect("the output starts");
    let kind = match protocol {
        Protocol::ArtNet { .. } => "Art-Net",
        Protocol::Sacn(_) => "sACN",
        Protocol::Ddp(_) => "DDP",
        Protocol::Enttec(_) => "USB",
    };
    let mut device = Device::new(DeviceId(1), "receiver", protocol);
    (device.rate, device.refresh) = (RateLimit::RenderRate, Refresh::EveryFrame);
    (device.offload, device.burst) = (offload, burst);
    let mut project = Project::empty("bench");
    project.devices.put(device);
    let (device, port) = (DeviceId(1), PortAddress::default());
    project.routes.put(Route { id: RouteId(1), universe: 0, count: MAX_UNIVERSES as u16, device, port, merge: None });
    projects.publish(Arc::new(project));
    let mut pool = FramePool::default();
    let start = Instant::now();
    let mut number = 0_u64;
    while start.elapsed() < RUN {
        number += 1;
        frames.publish(pool.fill(MAX_UNIVERSES, number, Instant::now(), |bytes| bytes.fill(number as u8)));
        let ahead = (number - 1) * packets as u64 + 1;
        receiver.wait_for(Duration::from_millis(100), |counts| counts.packets + counts.bad_packets >= ahead);
    }
    let mut counts = receiver.counts();
    if kind != "Art-Net" {
        let bytes = if kind == "DDP" { ddp::PACKET } else { sacn::DATA_PACKET } as u64;
        (counts.packets, counts.bytes, counts.bad_packets) = (counts.bad_packets, counts.bad_packets * bytes, 0);
    }
    let rate = report(&format!("{kind}, offload {offload}, burst {burst}"), counts, start.elapsed());
    output.stop();
    told.try_iter().for_each(|notice| println!("{notice}"));
    rate
}

fn artnet_at(address: SocketAddr) -> Protocol {
    Protocol::ArtNet { address }
}

fn sacn_at(address: SocketAddr) -> Protocol {
    Protocol::Sacn(Sacn { address: Some(address), ..Sacn::default() })
}

fn ddp_at(address: SocketAddr) -> Protocol {
    Protocol::Ddp(Ddp { address, pixels: DdpPixels::Rgb, channels: None })
}

fn main() {
    let plain = plain_loop();
    for (offload, burst) in [(false, 16), (true, 8), (true, 16), (true, 64)] {
        let rate = output(artnet_at, offload, burst);
        println!("{:>28} {:.2} times the send_to loop", "", rate / plain);
    }
    for protocol in [sacn_at, ddp_at] {
        for offload in [false, true] {
            let rate = output(protocol, offload, 16);
            println!("{:>28} {:.2} times the send_to loop of Art-Net", "", rate / plain);
        }
    }
}
