//! `bench output`: how many packets a second the senders deliver, beside what bare loops deliver in the same run.
//!
//! Frames are made up beforehand, so that only sending is measured. Everything is counted at one receiver that checks
//! every packet, and all three ways keep to the same rule: at most two frames on their way.

use super::process::thread_cpu_secs;
use crate::frame::LampFrame;
use crate::model::device::{Device, ExitPolicy, RateLimit, Refresh, Route};
use crate::model::id::{DeviceId, RouteId};
use crate::model::project::Project;
use crate::output::artnet::{self, DMX_PACKET};
use crate::output::receiver::{Receiver, ReceiverCounts};
use crate::output::wire::{MAX_MESSAGES, Message, Path, Sockets, Wire, is_passing};
use crate::output::{Output, SENDERS};
use crate::sync::{LatestSlot, spawn_named};
use crate::units::{MAX_UNIVERSES, PortAddress, UNIVERSE_CHANNELS};
use clap::Args;
use serde::Serialize;
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Before measuring starts.
const WARM_UP: Duration = Duration::from_millis(300);
/// A frame that has not arrived after so long is lost.
const PATIENCE: Duration = Duration::from_millis(200);
/// Frames that are made up: neighbours differ in every byte.
const FRAMES: u64 = 4;
/// Packets in a segmented message.
const BURST: usize = 64;

/// How the bare loop hands over its messages.
const OFFLOAD: Path = Path::Offload { from: Ipv4Addr::UNSPECIFIED, segment: DMX_PACKET as u16 };

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct OutputOptions {
    /// Universes of a frame
    #[arg(long, value_delimiter = ',', default_values_t = [256, 1024, 2048, 4096, 8192],
        value_parser = clap::value_parser!(u16).range(1..=MAX_UNIVERSES as i64))]
    pub universes: Vec<u16>,
    /// Devices that share them evenly, each at a loopback address of its own
    #[arg(long, value_delimiter = ',', default_values_t = [1, 64],
        value_parser = clap::value_parser!(u8).range(1..=250))]
    pub destinations: Vec<u8>,
    /// How long each way is measured
    #[arg(long, default_value_t = 3.0, value_parser = super::seconds)]
    pub seconds: f64,
    /// Frames a second, for the senders only; as many as they take without
    #[arg(long)]
    pub fps: Option<f64>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Why the bench did not run.
#[derive(Debug, Error)]
#[error("the bench has no socket or thread ({0}); close other programs and start again")]
pub struct OutputBenchError(#[from] io::Error);

/// One row.
#[derive(Debug, Serialize)]
struct Row {
    universes: u16,
    destinations: u8,
    packets_s: f64,
    send_to_packets_s: f64,
    gso_packets_s: f64,
    /// Of the sender threads.
    cpu_us_packet: f64,
    /// Packets of frames that were handed over and did not arrive: a sender skipped the frame for a newer one, which
    /// only happens without a rate, or they were lost, which shows as a gap.
    missing_packets: u64,
    bad_packets: u64,
    sequence_gaps: u64,
}

/// Measures every size and prints it.
///
/// # Errors
/// When the system has no socket or thread left; rows before that were printed.
pub fn run(options: &OutputOptions) -> Result<(), OutputBenchError> {
    if !options.json {
        let head = ["universes", "devices", "packets/s", "send_to", "GSO", "of GSO", "x send_to", "CPU us", "missing"];
        let [a, b, c, d, e, f, g, h, i] = head;
        println!("{a:>9} {b:>8} {c:>10} {d:>10} {e:>10} {f:>7} {g:>9} {h:>7} {i:>7} {:>4} {:>5}", "bad", "gaps");
    }
    for destinations in &options.destinations {
        for universes in options.universes.iter().filter(|universes| **universes >= u16::from(*destinations)) {
            let rig = Rig { universes: *universes, destinations: *destinations, seconds: options.seconds };
            rig.measure(options.fps)?.print(options.json);
        }
    }
    Ok(())
}

/// What is sent to whom.
#[derive(Clone, Copy)]
struct Rig {
    universes: u16,
    destinations: u8,
    seconds: f64,
}

/// What arrived between two moments.
struct Delivered {
    counts: ReceiverCounts,
    secs: f64,
}

impl Delivered {
    fn rate(&self) -> f64 {
        self.counts.packets as f64 / self.secs
    }
}

impl Rig {
    fn measure(self, fps: Option<f64>) -> Result<Row, OutputBenchError> {
        let send_to = self.control(Way::SendTo)?;
        let gso = self.control(Way::Gso)?;
        let (sent, cpu, handed_over) = self.output(fps)?;
        let ReceiverCounts { packets, bad_packets, sequence_gaps, .. } = sent.counts;
        Ok(Row {
            universes: self.universes,
            destinations: self.destinations,
            packets_s: sent.rate(),
            send_to_packets_s: send_to.rate(),
            gso_packets_s: gso.rate(),
            cpu_us_packet: cpu * 1e6 / packets.max(1) as f64,
            missing_packets: (handed_over * u64::from(self.universes)).saturating_sub(packets),
            bad_packets,
            sequence_gaps,
        })
    }

    fn receiver(self) -> Result<Receiver, OutputBenchError> {
        Ok(Receiver::start((Ipv4Addr::UNSPECIFIED, 0).into(), usize::from(self.universes))?)
    }

    /// The addresses of the devices and how many universes each takes from which on.
    fn shares(self, port: u16) -> Vec<(SocketAddrV4, u16, u16)> {
        let (universes, devices) = (self.universes, u16::from(self.destinations));
        let edge = |device: u16| (u32::from(universes) * u32::from(device) / u32::from(devices)) as u16;
        let share = |device: u16| {
            let address = Ipv4Addr::new(127, 0, 1, device as u8 + 1);
            (SocketAddrV4::new(address, port), edge(device), edge(device + 1) - edge(device))
        };
        (0..devices).map(share).collect()
    }

    /// The senders as a show has them. Also their CPU seconds, and how many frames were handed over.
    fn output(self, fps: Option<f64>) -> Result<(Delivered, f64, u64), OutputBenchError> {
        let receiver = self.receiver()?;
        let (frames, projects) = (Arc::<LatestSlot<LampFrame>>::default(), Arc::<LatestSlot<Project>>::default());
        let (notices, told) = crossbeam_channel::bounded(16);
        let output = Output::start(Arc::clone(&frames), Arc::clone(&projects), Arc::default(), notices)?;
        projects.publish(Arc::new(self.project(receiver.address().port())));
        let mut feeder = Feeder { rig: self, made: self.frames(), frames, number: 0, arrivals: Arrivals::default() };
        feeder.feed(&receiver, Instant::now() + WARM_UP, fps);
        feeder.settle(&receiver);
        let (before, cpu, first, start) = (receiver.counts(), sender_cpu(), feeder.number, Instant::now());
        feeder.feed(&receiver, start + Duration::from_secs_f64(self.seconds), fps);
        let secs = start.elapsed().as_secs_f64();
        feeder.settle(&receiver);
        let (after, cpu) = (receiver.counts(), sender_cpu() - cpu);
        output.stop();
        told.try_iter().for_each(|notice| eprintln!("glowdeck: {notice}"));
        Ok((Delivered { counts: difference(before, after), secs }, cpu, feeder.number - first))
    }

    fn frames(self) -> Vec<Arc<LampFrame>> {
        let bytes = |number: u64| vec![number as u8 + 1; usize::from(self.universes) * UNIVERSE_CHANNELS];
        let stamp = Instant::now();
        (0..FRAMES).map(|number| Arc::new(LampFrame { bytes: bytes(number), number, stamp })).collect()
    }

    fn project(self, port: u16) -> Project {
        let mut project = Project::empty("bench");
        for (id, (address, universe, count)) in (1..).zip(self.shares(port)) {
            let device = Device::artnet(DeviceId(id), format!("device {id}"), SocketAddr::V4(address));
            let (rate, refresh) = (RateLimit::RenderRate, Refresh::EveryFrame);
            project.devices.put(Device { rate, refresh, burst: BURST as u8, sync: false, ..device });
            let port = PortAddress::new(universe).unwrap_or_default();
            project.routes.put(Route { id: RouteId(id), universe, count, device: DeviceId(id), port, merge: None });
        }
        Arc::make_mut(&mut project.settings).exit = ExitPolicy::Hold;
        project
    }

    /// A bare loop on as many threads as there are senders, but no more than devices.
    fn control(self, way: Way) -> Result<Delivered, OutputBenchError> {
        let receiver = Arc::new(self.receiver()?);
        let shares = self.shares(receiver.address().port());
        let threads = SENDERS.min(shares.len());
        let stop = Arc::<AtomicBool>::default();
        let mut running = Vec::with_capacity(threads);
        for number in 0..threads {
            let shares: Vec<_> = shares.iter().copied().skip(number).step_by(threads).collect();
            let (receiver, stop, sockets) = (Arc::clone(&receiver), Arc::clone(&stop), Sockets::open()?);
            let plain = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
            let mut bare = Bare::new(&shares, plain, sockets);
            running.push(spawn_named(&format!("bare-{number}"), move || {
                let (mut sent, mut arrivals) = (0, Arrivals::default());
                while !stop.load(Ordering::Relaxed) {
                    bare.send(way);
                    sent += 1;
                    arrivals.wait(&receiver, (sent - 1) * u64::from(self.universes));
                }
            })?);
        }
        receiver.wait_for(WARM_UP, |_| false);
        let (before, start) = (receiver.counts(), Instant::now());
        receiver.wait_for(Duration::from_secs_f64(self.seconds), |_| false);
        let (after, secs) = (receiver.counts(), start.elapsed().as_secs_f64());
        stop.store(true, Ordering::Relaxed);
        running.into_iter().for_each(|thread| drop(thread.join()));
        Ok(Delivered { counts: difference(before, after), secs })
    }
}

/// Waits for packets; what does not come in time is lost and not waited for again.
#[derive(Default)]
struct Arrivals {
    lost: u64,
}

impl Arrivals {
    fn wait(&mut self, receiver: &Receiver, expected: u64) {
        let (counts, arrived) = receiver.wait_for(PATIENCE, |counts| counts.packets + self.lost >= expected);
        if !arrived {
            self.lost = expected.saturating_sub(counts.packets);
        }
    }
}

/// Hands frames to the senders.
struct Feeder {
    rig: Rig,
    made: Vec<Arc<LampFrame>>,
    frames: Arc<LatestSlot<LampFrame>>,
    number: u64,
    arrivals: Arrivals,
}

impl Feeder {
    /// Hands over a frame as soon as the one before is on its way, or at its time.
    fn feed(&mut self, receiver: &Receiver, end: Instant, fps: Option<f64>) {
        let start = Instant::now();
        let mut fed = 0_u64;
        while Instant::now() < end {
            self.frames.publish(Arc::clone(&self.made[(self.number % FRAMES) as usize]));
            self.number += 1;
            fed += 1;
            match fps.filter(|fps| *fps > 0.0) {
                Some(fps) => {
                    let due = start + Duration::from_secs_f64(fed as f64 / fps);
                    receiver.wait_for(due.saturating_duration_since(Instant::now()), |_| false);
                }
                None => {
                    self.arrivals.wait(receiver, (self.number - 1) * u64::from(self.rig.universes) + 1);
                }
            }
        }
    }

    /// Waits until everything has arrived.
    fn settle(&mut self, receiver: &Receiver) {
        self.arrivals.wait(receiver, self.number * u64::from(self.rig.universes));
    }
}

/// How a bare loop sends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A packet a system call.
    SendTo,
    /// Sixty-four packets a message, and as many messages a system call as fit.
    Gso,
}

/// Packets that are sent over and over; only their sequence numbers change.
struct Bare {
    packets: Vec<u8>,
    /// Where each device's packets go, by number.
    runs: Vec<(SocketAddrV4, std::ops::Range<usize>)>,
    plain: UdpSocket,
    sockets: Sockets,
}

impl Bare {
    fn new(shares: &[(SocketAddrV4, u16, u16)], plain: UdpSocket, sockets: Sockets) -> Self {
        let (mut packets, mut runs, mut next) = (Vec::new(), Vec::new(), 0);
        for (address, first, count) in shares {
            let ports = (*first..first + count).filter_map(PortAddress::new);
            packets.extend(ports.flat_map(artnet::dmx_packet));
            runs.push((*address, next..next + usize::from(*count)));
            next += usize::from(*count);
        }
        Self { packets, runs, plain, sockets }
    }

    fn send(&mut self, way: Way) {
        for packet in self.packets.chunks_exact_mut(DMX_PACKET) {
            artnet::advance_sequence(packet);
        }
        if way == Way::SendTo {
            for (address, run) in &self.runs {
                let packets = &self.packets[run.start * DMX_PACKET..run.end * DMX_PACKET];
                packets.chunks_exact(DMX_PACKET).for_each(|packet| drop(self.plain.send_to(packet, address)));
            }
            return;
        }
        let bursts = self.runs.iter().flat_map(|(to, run)| {
            let packets = &self.packets[run.start * DMX_PACKET..run.end * DMX_PACKET];
            packets.chunks(BURST * DMX_PACKET).map(move |burst| (*to, IoSlice::new(burst)))
        });
        let (addresses, pieces): (Vec<_>, Vec<_>) = bursts.unzip();
        for (addresses, pieces) in addresses.chunks(MAX_MESSAGES).zip(pieces.chunks(MAX_MESSAGES)) {
            let message = |(index, to): (usize, &SocketAddrV4)| Message { to: *to, pieces: index..index + 1 };
            let messages: Vec<Message> = addresses.iter().enumerate().map(message).collect();
            send_all(&mut self.sockets, &messages, pieces);
        }
    }
}

fn send_all(sockets: &mut Sockets, messages: &[Message], pieces: &[IoSlice<'_>]) {
    let mut from = 0;
    while from < messages.len() {
        let sent = sockets.send(OFFLOAD, &messages[from..], pieces);
        from += sent.messages;
        match sent.error {
            Some(error) if is_passing(&error) => {
                sockets.wait_for_room(OFFLOAD);
            }
            Some(_) => return,
            None => {}
        }
    }
}

fn difference(before: ReceiverCounts, after: ReceiverCounts) -> ReceiverCounts {
    ReceiverCounts {
        packets: after.packets - before.packets,
        bytes: after.bytes - before.bytes,
        bad_packets: after.bad_packets - before.bad_packets,
        sequence_gaps: after.sequence_gaps - before.sequence_gaps,
        syncs: after.syncs - before.syncs,
    }
}

/// CPU seconds of the sender threads.
fn sender_cpu() -> f64 {
    thread_cpu_secs("send-")
}

impl Row {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        println!(
            "{:>9} {:>8} {:>10.0} {:>10.0} {:>10.0} {:>6.0}% {:>9.1} {:>7.2} {:>7} {:>4} {:>5}",
            self.universes,
            self.destinations,
            self.packets_s,
            self.send_to_packets_s,
            self.gso_packets_s,
            self.packets_s / self.gso_packets_s * 100.0,
            self.packets_s / self.send_to_packets_s,
            self.cpu_us_packet,
            self.missing_packets,
            self.bad_packets,
            self.sequence_gaps
        );
    }
}
