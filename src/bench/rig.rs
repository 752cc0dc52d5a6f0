//! `glowdeck bench rig`: renders and sends rigs of growing size and counts what arrives.
//!
//! Runs on the main thread, beside a whole console and a counting receiver, as a show would run.

use super::live_edits;
use super::process::{cpu_secs, peak_rss_mib, reset_peak_rss};
use super::profile;
use super::rig_project::{Workload, rig_project};
use crate::console::{Console, ConsoleError, ConsoleOptions};
use crate::gl::GlError;
use crate::model::device::ARTNET_PORT;
use crate::notice::Severity;
use crate::output::receiver::{Receiver, ReceiverCounts};
use crate::shading::fuse::Dialect;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use crate::show::thumbnail::ThumbnailKey;
use crate::units::MAX_UNIVERSES;
use clap::Args;
use serde::Serialize;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// Frames before the measurement starts: programs compile at the first.
const WARM_UP_FRAMES: u64 = 10;
/// Time before the measurement starts.
const WARM_UP: Duration = Duration::from_secs(1);
/// Time between two edits.
const EDIT_INTERVAL: Duration = Duration::from_millis(250);
/// A rig that shows no frame for so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct RigOptions {
    /// Universes of each rig
    #[arg(long, value_delimiter = ',', default_values_t = [32, 64, 128, 192, 256, 512, 1024, 2048, 4096, 8192],
        value_parser = clap::value_parser!(u16).range(1..=MAX_UNIVERSES as i64))]
    pub universes: Vec<u16>,
    /// Effects, five to a scene, all active
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=2560))]
    pub effects: u16,
    /// How long each rig is measured
    #[arg(long, default_value_t = 5.0, value_parser = super::seconds)]
    pub seconds: f64,
    /// Frames a second; as many as there can be without
    #[arg(long)]
    pub fps: Option<f64>,
    /// Where to send and count
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// Which shaders run
    #[arg(long, value_enum, default_value_t = Workload::Ring)]
    pub workload: Workload,
    /// Listen, but read nothing: what arrives is not counted
    #[arg(long)]
    pub unread: bool,
    /// Measure each rig once more while, four times a second, a shader is edited and scenes of never-seen effects come
    #[arg(long)]
    pub live_edits: bool,
    /// Watch the thumbnails of all scenes meanwhile
    #[arg(long)]
    pub thumbnails: bool,
    /// Measure no rates but what each stage of a frame takes
    #[arg(long, conflicts_with_all = ["live_edits", "fps"])]
    pub profile: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Why the bench did not run.
#[derive(Debug, Error)]
pub enum RigError {
    /// The console did not start.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The receiver did not start.
    #[error("cannot count at {}:{ARTNET_PORT}: {}; end what uses this port or choose another --address", .0.0, .0.1)]
    Receiver(Box<(IpAddr, io::Error)>),
    /// No frame came.
    #[error("the rig of {universes} universes showed no frame within a minute; run it with fewer")]
    Stuck {
        /// Its size.
        universes: u16,
    },
    /// There is no GL that serves.
    #[error(transparent)]
    Gl(#[from] GlError),
    /// The system has no socket left.
    #[error("no socket to send from ({0}); close other programs and start again")]
    Socket(io::Error),
    /// A thread panicked.
    #[error("a part of Glowdeck failed while it ran; the log above says which")]
    Panicked,
}

/// Who listens at the port.
enum Counter {
    /// A receiver that checks every packet.
    Counting(Receiver),
    /// A socket that is never read, so that the system drops what comes.
    Nobody(#[expect(dead_code, reason = "held for its port")] UdpSocket),
}

impl Counter {
    fn counts(&self) -> ReceiverCounts {
        match self {
            Self::Counting(receiver) => receiver.counts(),
            Self::Nobody(_) => ReceiverCounts::default(),
        }
    }
}

/// One row.
#[derive(Debug, Serialize)]
struct Row {
    universes: u16,
    lamps: usize,
    effects: u16,
    workload: &'static str,
    renderer: String,
    render_fps: f64,
    longest_gap_ms: f64,
    /// With `--fps`, else 0.
    interval_error_p99_ms: f64,
    mbit_s: f64,
    packets_s: f64,
    wire_ratio: f64,
    peak_rss_mib: f64,
    bad_packets: u64,
    sequence_gaps: u64,
    cpu_ms_frame: f64,
    /// With `--live-edits`, else 0.
    edits_longest_gap_ms: f64,
}

/// Measures every rig and prints it.
///
/// # Errors
/// When a rig cannot be run; those before it were printed.
pub fn run(options: &RigOptions, dialect: Option<Dialect>) -> Result<(), RigError> {
    if options.profile {
        let address = SocketAddr::new(options.address, ARTNET_PORT);
        // Held for its port and never read: a port that nobody has is answered, which costs the sender.
        let _unread =
            UdpSocket::bind(address).map_err(|error| RigError::Receiver(Box::new((options.address, error))))?;
        return options.universes.iter().try_for_each(|universes| profile::run(options, *universes, dialect));
    }
    if !options.json {
        println!(
            "{:>9} {:>8} {:>9} {:>8} {:>7} {:>8} {:>10} {:>6} {:>8} {:>4} {:>5} {:>8} {:>9}",
            "universes",
            "lamps",
            "fps",
            "gap ms",
            "p99 ms",
            "Mbit/s",
            "packets/s",
            "wire",
            "RSS MiB",
            "bad",
            "gaps",
            "CPU ms/f",
            "edits gap"
        );
    }
    for universes in &options.universes {
        let row = measure(options, *universes, dialect)?;
        row.print(options.json);
    }
    Ok(())
}

fn measure(options: &RigOptions, universes: u16, dialect: Option<Dialect>) -> Result<Row, RigError> {
    reset_peak_rss();
    let refused = |error| RigError::Receiver(Box::new((options.address, error)));
    let address = SocketAddr::new(options.address, ARTNET_PORT);
    let counter = match options.unread {
        true => Counter::Nobody(UdpSocket::bind(address).map_err(refused)?),
        false => Counter::Counting(Receiver::start(address, usize::from(universes)).map_err(refused)?),
    };
    let project = rig_project(universes, usize::from(options.effects), options.workload, options.address);
    let watched = project.scenes.iter().filter(|_| options.thumbnails).map(|scene| ThumbnailKey::Scene(scene.id));
    let watched = Command::WatchThumbnails(watched.collect());
    let (path, quarantined, discovery) = (None, Vec::new(), None);
    let console = Console::start(ConsoleOptions {
        project,
        path,
        quarantined,
        fps: options.fps,
        dialect,
        discovery,
        interface: None,
    })?;
    let _ = console.commands.send(watched);
    let measured = watch(options, universes, &console, &counter);
    tell_faults(&console);
    let well = console.stop();
    let (row, true) = (measured?, well) else { return Err(RigError::Panicked) };
    Ok(row)
}

fn watch(options: &RigOptions, universes: u16, console: &Console, counter: &Counter) -> Result<Row, RigError> {
    let started = Instant::now();
    let stuck = || RigError::Stuck { universes };
    let warm = |snapshot: &Snapshot| snapshot.number >= WARM_UP_FRAMES && started.elapsed() >= WARM_UP;
    let warmed = snapshot_when(console, started + PATIENCE, warm).ok_or_else(stuck)?;
    // The command takes effect at the start of the next frame, or of the one after it.
    let _ = console.commands.send(Command::ResetStats);
    let reset = |snapshot: &Snapshot| snapshot.number > warmed.number + 1;
    let first = snapshot_when(console, Instant::now() + PATIENCE, reset).ok_or_else(stuck)?;
    let (begin, cpu, before) = (Instant::now(), cpu_secs(), counter.counts());
    let end = begin + Duration::from_secs_f64(options.seconds);
    let last = snapshot_when(console, end + PATIENCE, |s| Instant::now() >= end && s.number > first.number);
    let last = last.ok_or_else(stuck)?;
    let (secs, cpu, after) = (begin.elapsed().as_secs_f64(), cpu_secs() - cpu, counter.counts());
    let frames = (last.number - first.number) as f64;
    let mut row = Row::new(options, universes, &last, frames, secs, cpu, (before, after));
    if options.live_edits {
        row.edits_longest_gap_ms = edit_live(options.seconds, console).ok_or_else(stuck)?;
    }
    Ok(row)
}

/// Edits the show for as long as it was measured; the longest gap between two frames meanwhile, milliseconds.
fn edit_live(seconds: f64, console: &Console) -> Option<f64> {
    let now = console.snapshots.latest()?;
    let _ = console.commands.send(Command::ResetStats);
    snapshot_when(console, Instant::now() + PATIENCE, |snapshot| snapshot.number > now.number + 1)?;
    let begin = Instant::now();
    let run = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis() as u64);
    let steps = (seconds / EDIT_INTERVAL.as_secs_f64()).ceil() as u32;
    for number in 0..steps {
        for command in live_edits::step(run, number) {
            let _ = console.commands.send(command);
        }
        let due = begin + EDIT_INTERVAL * (number + 1);
        snapshot_when(console, due + PATIENCE, |_| Instant::now() >= due)?;
    }
    console.snapshots.latest().map(|snapshot| f64::from(snapshot.render.longest_gap_ever_ms))
}

/// Waits for a snapshot that serves; `None` when the time is up.
pub(super) fn snapshot_when(
    console: &Console,
    deadline: Instant,
    serves: impl Fn(&Snapshot) -> bool,
) -> Option<Arc<Snapshot>> {
    let mut seen = 0;
    loop {
        let left = deadline.checked_duration_since(Instant::now())?;
        seen = console.snapshots.wait_past(seen, left);
        if let Some(snapshot) = console.snapshots.latest().filter(|snapshot| serves(snapshot)) {
            return Some(snapshot);
        }
    }
}

/// Prints what the operator would be told.
pub(super) fn tell_faults(console: &Console) {
    for notice in console.notices.try_iter().filter(|notice| notice.severity > Severity::Info) {
        eprintln!("glowdeck: {notice}");
    }
}

impl Row {
    fn new(
        options: &RigOptions,
        universes: u16,
        last: &Snapshot,
        frames: f64,
        secs: f64,
        cpu: f64,
        (before, after): (ReceiverCounts, ReceiverCounts),
    ) -> Self {
        let packets = (after.packets - before.packets) as f64;
        Self {
            universes,
            lamps: last.render.lamps,
            effects: options.effects,
            workload: options.workload.name(),
            renderer: last.render.renderer.to_string(),
            render_fps: frames / secs,
            longest_gap_ms: f64::from(last.render.longest_gap_ever_ms),
            interval_error_p99_ms: f64::from(last.render.interval_error_p99_ms),
            mbit_s: (after.bytes - before.bytes) as f64 * 8e-6 / secs,
            packets_s: packets / secs,
            wire_ratio: packets / (frames * f64::from(universes)),
            peak_rss_mib: peak_rss_mib(),
            bad_packets: after.bad_packets - before.bad_packets,
            sequence_gaps: after.sequence_gaps - before.sequence_gaps,
            cpu_ms_frame: cpu * 1e3 / frames,
            edits_longest_gap_ms: 0.0,
        }
    }

    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        println!(
            "{:>9} {:>8} {:>9.1} {:>8.1} {:>7.2} {:>8.1} {:>10.0} {:>6.3} {:>8.0} {:>4} {:>5} {:>8.2} {:>9.1}",
            self.universes,
            self.lamps,
            self.render_fps,
            self.longest_gap_ms,
            self.interval_error_p99_ms,
            self.mbit_s,
            self.packets_s,
            self.wire_ratio,
            self.peak_rss_mib,
            self.bad_packets,
            self.sequence_gaps,
            self.cpu_ms_frame,
            self.edits_longest_gap_ms
        );
    }
}
