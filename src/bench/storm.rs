//! `glowdeck bench storm`: a show plays while the ports that we listen at are flooded from thousands of addresses.
//!
//! Runs on the main thread, beside a whole console and a counting receiver; the flood comes from a thread `storm`. All
//! on loopback, so that no network has to bear it. Deliberately absent: anything that judges the figures; a test does.

use super::process::rss_mib;
use super::rig::RigError;
use super::rig_project::{Workload, rig_project};
use crate::console::{Console, ConsoleOptions};
use crate::model::device::ARTNET_PORT;
use crate::output::artnet;
use crate::output::discovery::packets::{POLL, PollReply};
use crate::output::discovery::poller::Network;
use crate::output::discovery::{DiscoveryOptions, Networks};
use crate::output::receiver::Receiver;
use crate::shading::fuse::Dialect;
use crate::sync::spawn_named;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Addresses that the flood comes from: eight times as many as the table of nodes has room for.
const SOURCES: u64 = 8192;
/// Datagrams from an address before the next one's turn.
const IN_A_ROW: u64 = 8;
/// Rows of the table.
const ROWS: u32 = 10;
/// Before the first row: programs compile, the table of nodes fills.
const WARM_UP: Duration = Duration::from_secs(2);
/// Universes and effects of the show.
const UNIVERSES: u16 = 32;
const EFFECTS: usize = 5;
const FPS: f64 = 44.0;

/// How to flood.
#[derive(Clone, Debug, Args)]
pub struct StormOptions {
    /// How long
    #[arg(long, default_value_t = 60.0, value_parser = super::seconds)]
    pub seconds: f64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// One row: what happened since the one before.
#[derive(Debug, Serialize)]
struct Row {
    secs: f64,
    rss_mib: f64,
    /// Datagrams thrown at discovery, a second.
    flood_s: f64,
    frames: u64,
    packets: u64,
    /// The longest time in which no packet of the show came.
    longest_gap_ms: f64,
    nodes: usize,
    notices: usize,
    log_lines: u64,
}

/// Floods and prints a row for each tenth of the time.
///
/// # Errors
/// When the console or the receiver cannot be started, or a part of it failed.
pub fn run(options: &StormOptions, dialect: Option<Dialect>) -> Result<(), RigError> {
    let log = LogLines::default();
    // The lines of the log are counted, not shown.
    let writer = log.clone();
    let _ =
        tracing_subscriber::fmt().with_max_level(tracing::Level::INFO).with_writer(move || writer.clone()).try_init();
    // A network of loopback that no other run has: discovery listens at its first address, the show goes to its second.
    let net = 64 + (std::process::id() % 128) as u8;
    let ours = Ipv4Addr::new(127, net, 0, 1);
    let network = Network { address: ours, broadcast: Ipv4Addr::new(127, net, 255, 255), prefix_bits: 16 };
    let address = IpAddr::from([127, net, 0, 2]);
    let refused = |error| RigError::Receiver(Box::new((address, error)));
    let receiver = Receiver::start(SocketAddr::new(address, ARTNET_PORT), UNIVERSES.into()).map_err(refused)?;
    let project = rig_project(UNIVERSES, EFFECTS, Workload::Ring, address);
    let discovery = Some(DiscoveryOptions { networks: Networks::Fixed(vec![network]), port: ARTNET_PORT, asks: true });
    let (path, quarantined, fps) = (None, Vec::new(), Some(FPS));
    let console =
        Console::start(ConsoleOptions { project, path, quarantined, fps, dialect, discovery, interface: None })?;
    let (stop, thrown) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
    let (stopped, count) = (Arc::clone(&stop), Arc::clone(&thrown));
    let storm = spawn_named("storm", move || flood(ours, &stopped, &count)).map_err(RigError::Socket)?;
    watch(options, &Stage { console: &console, receiver: &receiver, thrown: &thrown, log: &log });
    stop.store(true, Ordering::SeqCst);
    let well = storm.join().is_ok();
    if console.stop() && well { Ok(()) } else { Err(RigError::Panicked) }
}

struct Stage<'a> {
    console: &'a Console,
    receiver: &'a Receiver,
    thrown: &'a AtomicU64,
    log: &'a LogLines,
}

fn watch(options: &StormOptions, stage: &Stage<'_>) {
    if !options.json {
        let [a, b, c, d, e] = ["secs", "RSS MiB", "flood/s", "frames", "packets"];
        println!("{a:>7} {b:>8} {c:>9} {d:>7} {e:>9} {:>7} {:>6} {:>7} {:>4}", "gap ms", "nodes", "notices", "log");
    }
    let begin = Instant::now() + WARM_UP;
    stage.row(begin, begin);
    let mut from = begin;
    for number in 0..=ROWS {
        // The first row is how it begins.
        let until = begin + Duration::from_secs_f64(options.seconds * f64::from(number) / f64::from(ROWS));
        let row = stage.row(begin, until.max(from + Duration::from_millis(1)));
        from = until;
        row.print(options.json);
    }
}

impl Stage<'_> {
    /// Waits for the moment and meanwhile for each packet.
    fn row(&self, begin: Instant, until: Instant) -> Row {
        let (start, thrown, lines) =
            (Instant::now(), self.thrown.load(Ordering::Relaxed), self.log.0.load(Ordering::Relaxed));
        let frames = || self.console.snapshots.latest().map_or(0, |snapshot| snapshot.number);
        let (first_frame, first) = (frames(), self.receiver.counts().packets);
        let (mut last, mut longest, mut packets) = (start, Duration::ZERO, first);
        while Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            packets = self.receiver.wait_for(left, |counts| counts.packets > packets).0.packets;
            let now = Instant::now();
            longest = longest.max(now - last);
            last = now;
        }
        let secs = start.elapsed().as_secs_f64().max(1e-3);
        let found = self.console.found.latest();
        Row {
            secs: Instant::now().saturating_duration_since(begin).as_secs_f64(),
            rss_mib: rss_mib(),
            flood_s: (self.thrown.load(Ordering::Relaxed) - thrown) as f64 / secs,
            frames: frames() - first_frame,
            packets: packets - first,
            longest_gap_ms: longest.as_secs_f64() * 1e3,
            nodes: found.map_or(0, |found| found.nodes.len()),
            notices: self.console.notices.try_iter().count(),
            log_lines: self.log.0.load(Ordering::Relaxed) - lines,
        }
    }
}

impl Row {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        println!(
            "{:>7.1} {:>8.1} {:>9.0} {:>7} {:>9} {:>7.1} {:>6} {:>7} {:>4}",
            self.secs,
            self.rss_mib,
            self.flood_s,
            self.frames,
            self.packets,
            self.longest_gap_ms,
            self.nodes,
            self.notices,
            self.log_lines
        );
    }
}

/// Throws datagrams from one address after the other, as fast as the system takes them.
fn flood(ours: Ipv4Addr, stop: &AtomicBool, thrown: &AtomicU64) {
    let [first, net, ..] = ours.octets();
    let mut number = 0;
    while !stop.load(Ordering::SeqCst) {
        let source = number / IN_A_ROW % SOURCES;
        let from = Ipv4Addr::new(first, net, 1 + (source >> 8) as u8, source as u8);
        // The network's own address and its broadcast may be refused; the next one is not.
        let socket = UdpSocket::bind((from, 0));
        for _ in 0..IN_A_ROW {
            number += 1;
            if let Ok(socket) = &socket {
                let _ = socket.send_to(&datagram(number), (ours, ARTNET_PORT));
            }
        }
        thrown.fetch_add(IN_A_ROW, Ordering::Relaxed);
    }
}

/// What comes as the datagram of this number: polls, replies that never say the same, light, a reply with a wrong byte
/// or a missing end, and noise.
fn datagram(number: u64) -> Vec<u8> {
    let dice = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mut reply = PollReply::of_console(Ipv4Addr::from((dice >> 32) as u32));
    (reply.bind_index, reply.style, reply.num_ports, reply.port_types) = (dice as u8, 0, 4, [0x80; 4]);
    (reply.net, reply.sub_net, reply.firmware) = (dice as u8 >> 1, (dice >> 8) as u8, (dice >> 16) as u16);
    reply.short_name = std::array::from_fn(|at| (dice >> (at % 8 * 8)) as u8);
    let mut bytes = reply.write().to_vec();
    match number % 6 {
        0 => return POLL.to_vec(),
        1 | 2 => {}
        3 => {
            let at = dice as usize % bytes.len();
            bytes[at] ^= (dice >> 40) as u8;
            bytes.truncate((dice >> 20) as usize % (bytes.len() + 1));
        }
        4 => {
            bytes.resize(artnet::DMX_PACKET, dice as u8);
            bytes[..12].copy_from_slice(b"Art-Net\0\0\x50\0\x0e");
        }
        _ => bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte = (dice >> (at % 57)) as u8),
    }
    bytes
}

/// Counts the lines that would have been logged.
#[derive(Clone, Default)]
struct LogLines(Arc<AtomicU64>);

impl Write for LogLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.fetch_add(bytes.iter().filter(|byte| **byte == b'\n').count() as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
