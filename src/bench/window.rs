//! `glowdeck bench window`: how evenly frames come while nobody looks, beside a window, and while that window is driven.
//!
//! The window runs on the main thread, as it must; the measurement on a thread `measure`, beside a whole console and a
//! counting receiver. The window is the real one, driven from outside by xdotool, so it needs an X display: `xvfb-run -s
//! "-screen 0 1440x900x24" glowdeck bench window`. Deliberately absent: any word to the window that a hand could not say.

use super::rig::{RigError, snapshot_when, tell_faults};
use super::rig_project::{Workload, rig_project};
use crate::app::{self, NoWindow, WindowOptions};
use crate::console::{Console, ConsoleOptions};
use crate::model::device::ARTNET_PORT;
use crate::output::receiver::Receiver;
use crate::shading::fuse::Dialect;
use crate::show::command::Command;
use crate::sync::spawn_named;
use crate::units::MAX_UNIVERSES;
use clap::Args;
use serde::Serialize;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Before each row: programs compile, the window opens.
const SETTLE: Duration = Duration::from_secs(2);
/// A console that shows no frame for so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct WindowBenchOptions {
    /// Universes of the rig
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..=MAX_UNIVERSES as i64))]
    pub universes: u16,
    /// Effects, five to a scene
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=2560))]
    pub effects: u16,
    /// Frames a second
    #[arg(long, default_value_t = 44.0)]
    pub fps: f64,
    /// How long each row is measured
    #[arg(long, default_value_t = 10.0, value_parser = super::seconds)]
    pub seconds: f64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Why the bench did not run.
#[derive(Debug, Error)]
pub enum WindowBenchError {
    /// The console, the receiver or a thread.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// There is no display.
    #[error(transparent)]
    Window(#[from] NoWindow),
    /// Nothing drives the window.
    #[error("xdotool does not run ({0}); tools/setup --tests installs it")]
    Script(io::Error),
}

/// One row.
#[derive(Debug, Serialize)]
struct Row {
    window: &'static str,
    fps: f64,
    interval_error_p99_ms: f64,
    longest_gap_ms: f64,
    packets_s: f64,
    sequence_gaps: u64,
}

/// Measures the three and prints them.
///
/// # Errors
/// When the console, the receiver, the window or xdotool cannot be started, or a part failed.
pub fn run(options: &WindowBenchOptions, dialect: Option<Dialect>) -> Result<(), WindowBenchError> {
    process::Command::new("xdotool").arg("version").output().map_err(WindowBenchError::Script)?;
    // An address of loopback that no other run has.
    let address = IpAddr::from([127, 64 + (process::id() % 128) as u8, 0, 2]);
    let refused = |error| RigError::Receiver(Box::new((address, error)));
    let receiver = Receiver::start(SocketAddr::new(address, ARTNET_PORT), options.universes.into()).map_err(refused)?;
    let project = rig_project(options.universes, options.effects.into(), Workload::Mixed, address);
    let (path, quarantined, discovery, fps) = (None, Vec::new(), None, Some(options.fps));
    let console =
        Console::start(ConsoleOptions { project, path, quarantined, fps, dialect, discovery, interface: None });
    let console = console.map_err(RigError::Console)?;
    if !options.json {
        println!("{:>8} {:>6} {:>7} {:>7} {:>9} {:>5}", "window", "fps", "p99 ms", "gap ms", "packets/s", "gaps");
    }
    let measured = measure(options, &console, &receiver);
    tell_faults(&console);
    let well = console.stop();
    measured?;
    if well { Ok(()) } else { Err(RigError::Panicked.into()) }
}

fn measure(options: &WindowBenchOptions, console: &Console, receiver: &Receiver) -> Result<(), WindowBenchError> {
    row("none", options, console, receiver)?.print(options.json);
    let (close, closed) = crossbeam_channel::bounded(1);
    std::thread::scope(|scope| {
        let beside = scope.spawn(move || {
            let rows = beside_window(options, console, receiver);
            // The window may be closed already.
            let _ = close.try_send(());
            rows
        });
        let shown = app::run(console.handles(closed), WindowOptions::default());
        let rows = beside.join().unwrap_or(Err(RigError::Panicked.into()));
        shown?;
        rows
    })
}

fn beside_window(options: &WindowBenchOptions, console: &Console, receiver: &Receiver) -> Result<(), WindowBenchError> {
    row("open", options, console, receiver)?.print(options.json);
    let stop = Arc::<AtomicBool>::default();
    let stopped = Arc::clone(&stop);
    let hand = spawn_named("hand", move || drive(&stopped)).map_err(RigError::Socket)?;
    let driven = row("driven", options, console, receiver);
    stop.store(true, Ordering::SeqCst);
    let well = hand.join().map_err(|_| RigError::Panicked)?;
    driven?.print(options.json);
    well.map_err(WindowBenchError::Script)
}

/// Moves the mouse over everything sixty times a second, clicks a tile twice and drags and turns the wheel on the stage,
/// again and again.
fn drive(stop: &AtomicBool) -> io::Result<()> {
    let mut script: Vec<String> = Vec::new();
    let mut say = |words: &str| script.extend(words.split(' ').map(str::to_owned));
    for step in 0..60 {
        let (x, y) = (40 + step * 23, 100 + (step * 131) % 700);
        say(&format!("mousemove {x} {y} sleep 0.016"));
        match step {
            10 | 30 => say("mousemove 60 150 click 1"),
            20 => say("mousemove 1000 400 mousedown 1"),
            29 => say("mouseup 1"),
            40 | 42 => say("mousemove 1000 400 click 4 click 4"),
            50 | 52 => say("mousemove 1000 400 click 5 click 5"),
            _ => {}
        }
    }
    while !stop.load(Ordering::SeqCst) {
        process::Command::new("xdotool").args(&script).output()?;
    }
    Ok(())
}

fn row(
    window: &'static str,
    options: &WindowBenchOptions,
    console: &Console,
    receiver: &Receiver,
) -> Result<Row, RigError> {
    let stuck = || RigError::Stuck { universes: options.universes };
    let settled = Instant::now() + SETTLE;
    let first = snapshot_when(console, settled + PATIENCE, |_| Instant::now() >= settled).ok_or_else(stuck)?;
    let _ = console.commands.send(Command::ResetStats);
    // The command takes effect at the start of the next frame, or of the one after it.
    let reset = snapshot_when(console, Instant::now() + PATIENCE, |snapshot| snapshot.number > first.number + 1);
    let reset = reset.ok_or_else(stuck)?;
    let (begin, before) = (Instant::now(), receiver.counts());
    let end = begin + Duration::from_secs_f64(options.seconds);
    let last = snapshot_when(console, end + PATIENCE, |_| Instant::now() >= end).ok_or_else(stuck)?;
    let (secs, after) = (begin.elapsed().as_secs_f64(), receiver.counts());
    Ok(Row {
        window,
        fps: (last.number - reset.number) as f64 / secs,
        interval_error_p99_ms: f64::from(last.render.interval_error_p99_ms),
        longest_gap_ms: f64::from(last.render.longest_gap_ever_ms),
        packets_s: (after.packets - before.packets) as f64 / secs,
        sequence_gaps: after.sequence_gaps - before.sequence_gaps,
    })
}

impl Row {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        let Self { window, fps, interval_error_p99_ms, longest_gap_ms, packets_s, sequence_gaps } = self;
        println!(
            "{window:>8} {fps:>6.1} {interval_error_p99_ms:>7.2} {longest_gap_ms:>7.1} {packets_s:>9.0} {sequence_gaps:>5}"
        );
    }
}
