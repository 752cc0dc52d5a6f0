//! Playing a project: with a window, or headless until a signal.

use super::{Failure, GlFlavour, PlayArgs, start_log};
use crate::app::{self, WindowOptions};
use crate::console::{Console, ConsoleOptions};
use crate::notice::{Notice, Severity};
use crate::output::discovery::DiscoveryOptions;
use crate::storage::load::{Loaded, load, load_text};
use crossbeam_channel::{Receiver, bounded, select};
use std::path::Path;
use std::time::Duration;

/// The project that opens when none is named.
const DEMO: &str = include_str!("../../projects/demo.ron");

/// How soon a headless show notices that its render thread has ended.
const LOOK_AROUND: Duration = Duration::from_secs(1);

pub(super) fn play(args: PlayArgs) -> Result<(), Failure> {
    start_log(args.common.log_level);
    let path = args.project;
    let Loaded { project, problems, quarantined } = match &path {
        Some(path) => load(path)?,
        None => load_text(DEMO, Path::new("demo.ron"))?,
    };
    let options = ConsoleOptions {
        project,
        path,
        quarantined,
        fps: (args.fps > 0.0).then_some(args.fps),
        dialect: args.common.gl.map(GlFlavour::dialect),
        discovery: Some(DiscoveryOptions { asks: !args.no_discovery, ..DiscoveryOptions::default() }),
    };
    let console = Console::start(options)?;
    for problem in problems {
        console.tell(Notice::warning("project", problem.to_string()));
    }
    let shown = match args.headless {
        true => until_signal(&console),
        false => window(&console, args.fullscreen),
    };
    // The light is put out in order, whatever became of the window.
    let well = console.stop();
    shown?;
    if well { Ok(()) } else { Err(Failure::Panicked) }
}

fn window(console: &Console, fullscreen: bool) -> Result<(), Failure> {
    app::run(console.handles(catch_signals()?), WindowOptions { fullscreen })?;
    Ok(())
}

fn until_signal(console: &Console) -> Result<(), Failure> {
    let signal = catch_signals()?;
    eprintln!("glowdeck: playing on {}; Ctrl+C ends the show", console.renderer());
    loop {
        select! {
            recv(signal) -> _ => return Ok(()),
            recv(console.notices) -> notice => match notice {
                Ok(notice) if notice.severity > Severity::Info => eprintln!("glowdeck: {notice}"),
                Ok(_) => {}
                Err(_) => return Ok(()),
            },
            default(LOOK_AROUND) => {}
        }
        if !console.running() {
            return Err(Failure::Panicked);
        }
    }
}

/// From now on Ctrl+C and SIGTERM come through the queue instead of ending the process.
fn catch_signals() -> Result<Receiver<()>, Failure> {
    let (stop, signal) = bounded(1);
    ctrlc::set_handler(move || {
        // A second signal finds the first one waiting, which is enough.
        let _ = stop.try_send(());
    })?;
    Ok(signal)
}
