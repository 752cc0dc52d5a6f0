//! `glowdeck bench startup`: from the creation of the process to the first frame on the screen, step by step, beside a
//! bare window of the same toolkit.
//!
//! Each start is a process of its own: the console as a user starts it with the demo, and the control. They are started
//! in turn, so that what else the machine does falls on both; medians are told. What a process writes of its steps is
//! made by [`Milestones`], on its ui thread. Needs a display. Deliberately absent: a start with nothing in the system's
//! cache, which a program cannot ask for.

use super::display::{NoDisplay, need_display};
use super::process::rss_mib_of;
use super::scratch::Scratch;
use crate::app::probe::{Probe, Seen, Wake, Wish};
use crate::app::{NoWindow, control};
use clap::Args;
use crossbeam_channel::{Receiver, bounded};
use serde::{Deserialize, Serialize};
use std::env;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// A window that is not there after so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct StartupOptions {
    /// Starts of each
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub starts: u16,
    /// How long each rests before its memory is read
    #[arg(long, default_value_t = 3.0, value_parser = super::seconds)]
    pub rest: f64,
    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Be the control: when the process was created, nanoseconds of the system's clock
    #[arg(long, hide = true)]
    pub control: Option<u64>,
}

/// Why the bench did not run.
#[derive(Debug, Error)]
pub enum StartupError {
    /// There is no display.
    #[error(transparent)]
    Display(#[from] NoDisplay),
    /// The control has no window.
    #[error(transparent)]
    Window(#[from] NoWindow),
    /// A process did not start.
    #[error("Glowdeck could not be started once more ({0}); nothing was measured")]
    Start(#[from] io::Error),
    /// It showed nothing.
    #[error("the {0} showed no window within a minute; start it alone to see why")]
    Silent(&'static str),
}

/// Milliseconds since the process was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Steps {
    /// The arguments are read.
    main_ms: f64,
    /// The console runs; the control has none.
    console_ms: f64,
    /// The system gave a window and a context.
    opened_ms: f64,
    /// The window's contents are made.
    made_ms: f64,
    /// The first frame is on the screen.
    first_frame_ms: f64,
    /// The first frame with the show in it is.
    first_show_ms: f64,
}

/// What is told.
#[derive(Debug, Serialize)]
struct Row {
    first_frame_ms: f64,
    control_first_frame_ms: f64,
    rss_mib: f64,
    control_rss_mib: f64,
    starts: u16,
    steps: Steps,
    control_steps: Steps,
}

/// Notes the steps of this process, and writes them as one line when the show is on the screen.
pub struct Milestones {
    created: SystemTime,
    steps: Steps,
    told: bool,
}

impl Milestones {
    /// The arguments are read. `created` is when the process was, nanoseconds of the system's clock.
    pub fn new(created: u64) -> Self {
        let created = UNIX_EPOCH + Duration::from_nanos(created);
        let mut milestones = Self { created, steps: Steps::default(), told: false };
        milestones.steps.main_ms = milestones.now();
        milestones
    }

    /// The console runs.
    pub fn console(&mut self) {
        self.steps.console_ms = self.now();
    }

    fn now(&self) -> f64 {
        SystemTime::now().duration_since(self.created).unwrap_or_default().as_secs_f64() * 1e3
    }
}

impl Probe for Milestones {
    fn opened(&mut self) {
        self.steps.opened_ms = self.now();
    }

    fn made(&mut self, _: Wake) {
        self.steps.made_ms = self.now();
    }

    fn pass(&mut self, seen: Seen) -> Wish {
        let first = seen.passes == 0;
        if seen.passes == 1 {
            self.steps.first_frame_ms = self.now();
        }
        if seen.show && !self.told {
            self.told = true;
            self.steps.first_show_ms = self.now();
            super::print_json(&self.steps);
        }
        // The pass after the first is there only to see that the first is on the screen.
        Wish { again: (first || !self.told).then_some(Duration::ZERO), ..Wish::default() }
    }
}

/// Measures both and prints it; or is the control.
///
/// # Errors
/// When there is no display, or one of them does not start.
pub fn run(options: &StartupOptions) -> Result<(), StartupError> {
    need_display("startup")?;
    if let Some(created) = options.control {
        return Ok(control::run(Box::new(Milestones::new(created)))?);
    }
    let folder = Scratch::new()?;
    let (mut shown, mut bare) = (Vec::new(), Vec::new());
    for start in 0..options.starts {
        shown.push(one(options, "console", &folder.0)?);
        bare.push(one(options, "control", &folder.0)?);
        if !options.json {
            let (console, control) = (shown[usize::from(start)].0, bare[usize::from(start)].0);
            eprintln!(
                "start {}: {:.0} ms, control {:.0} ms",
                start + 1,
                console.first_frame_ms,
                control.first_frame_ms
            );
        }
    }
    let row = Row {
        first_frame_ms: median(&shown, |start| start.0.first_frame_ms),
        control_first_frame_ms: median(&bare, |start| start.0.first_frame_ms),
        rss_mib: median(&shown, |start| start.1),
        control_rss_mib: median(&bare, |start| start.1),
        starts: options.starts,
        steps: medians(&shown),
        control_steps: medians(&bare),
    };
    row.print(options.json);
    Ok(())
}

type Start = (Steps, f64);

/// Starts one process, waits for its window, lets it rest and ends it.
fn one(options: &StartupOptions, which: &'static str, folder: &Path) -> Result<Start, StartupError> {
    let mut command = Command::new(env::current_exe()?);
    let created = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string();
    match which {
        "control" => command.args(["bench", "startup", "--control", &created]),
        _ => command.args(["--no-discovery", "--milestones", &created]).arg("--data-dir").arg(folder),
    };
    let mut running = Running(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?);
    let lines = lines(&mut running.0)?;
    let line = lines.recv_timeout(PATIENCE).map_err(|_| StartupError::Silent(which))?;
    let steps = serde_json::from_str(&line).map_err(|_| StartupError::Silent(which))?;
    // The process writes no more; the wait ends early only when it dies, and then there is no memory to read.
    let _ = lines.recv_timeout(Duration::from_secs_f64(options.rest));
    Ok((steps, rss_mib_of(running.0.id())))
}

/// What a process writes, so that it can be waited for.
fn lines(child: &mut Child) -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(4);
    if let Some(output) = child.stdout.take() {
        crate::sync::spawn_named("lines", move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
    }
    Ok(lines)
}

/// Ends a process however its measurement ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn median(starts: &[Start], of: impl Fn(&Start) -> f64) -> f64 {
    super::percentile(starts.iter().map(of).collect(), 0.5)
}

fn medians(starts: &[Start]) -> Steps {
    Steps {
        main_ms: median(starts, |start| start.0.main_ms),
        console_ms: median(starts, |start| start.0.console_ms),
        opened_ms: median(starts, |start| start.0.opened_ms),
        made_ms: median(starts, |start| start.0.made_ms),
        first_frame_ms: median(starts, |start| start.0.first_frame_ms),
        first_show_ms: median(starts, |start| start.0.first_show_ms),
    }
}

impl Row {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        println!(
            "{:>8} {:>8} {:>10} {:>10} {:>8} {:>11} {:>10} {:>8}",
            "", "main ms", "console ms", "window ms", "made ms", "1st frame ms", "1st show ms", "RSS MiB"
        );
        for (name, steps, rss) in
            [("glowdeck", self.steps, self.rss_mib), ("control", self.control_steps, self.control_rss_mib)]
        {
            println!(
                "{name:>8} {:>8.0} {:>10.0} {:>10.0} {:>8.0} {:>11.0} {:>10.0} {rss:>8.0}",
                steps.main_ms,
                steps.console_ms,
                steps.opened_ms,
                steps.made_ms,
                steps.first_frame_ms,
                steps.first_show_ms
            );
        }
    }
}
