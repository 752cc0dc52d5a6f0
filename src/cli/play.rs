//! Playing a project: with a window, or headless until a signal.

use super::{Failure, GlFlavour, PlayArgs, start_log};
use crate::app::probe::Probe;
use crate::app::settings::{Settings, settings_path};
use crate::app::{self, WindowOptions};
use crate::bench::startup::Milestones;
use crate::console::{Console, ConsoleError, ConsoleOptions};
use crate::notice::{Notice, Severity};
use crate::output::discovery::DiscoveryOptions;
use crate::storage::load::{LoadError, Loaded, load, load_text};
use crate::storage::shader_library::library_folder;
use crossbeam_channel::{Receiver, Sender, bounded, select};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The project that opens when none is named.
const DEMO: &str = include_str!("../../projects/demo.ron");

/// How soon a headless show notices that its render thread has ended.
const LOOK_AROUND: Duration = Duration::from_secs(1);

pub(super) fn play(args: PlayArgs) -> Result<(), Failure> {
    start_log(args.common.log_level);
    let mut milestones = args.milestones.map(Milestones::new);
    let (shown, told) = window_options(&args);
    let (path, loaded, unread) = match args.project {
        Some(ref path) => (Some(path.clone()), load(path)?, None),
        None if args.headless => (None, demo()?, None),
        None => last_or_demo(&shown.settings)?,
    };
    let Loaded { project, problems, quarantined } = loaded;
    let options = ConsoleOptions {
        project,
        path,
        quarantined,
        fps: args.fps.map_or_else(|| shown.settings.running.fps(), |fps| (fps > 0.0).then_some(fps)),
        interface: args.interface.or_else(|| shown.settings.running.interface.clone()),
        dialect: args.common.gl.map(GlFlavour::dialect),
        discovery: Some(DiscoveryOptions { asks: !args.no_discovery, ..DiscoveryOptions::default() }),
    };
    let mut console = Console::begin(options)?;
    if let Some(folder) = library_folder(args.data_dir.as_deref()).filter(|_| !args.headless) {
        console.list_library(folder)?;
    }
    milestones.iter_mut().for_each(Milestones::console);
    told.into_iter().chain(unread).for_each(|notice| console.tell(notice));
    for problem in problems {
        console.tell(Notice::warning("project", problem.to_string()));
    }
    let ended = match args.headless {
        true => until_signal(&console),
        false => window(&console, shown, milestones),
    };
    // The light is put out in order, whatever became of the window.
    let well = console.stop();
    ended?;
    if well { Ok(()) } else { Err(Failure::Panicked) }
}

/// How the window opens, and what to tell of that.
fn window_options(args: &PlayArgs) -> (WindowOptions, Option<Notice>) {
    let settings_path = settings_path(args.data_dir.as_deref());
    let (settings, told) = settings_path.as_deref().map(Settings::read).unwrap_or_default();
    (WindowOptions { fullscreen: args.fullscreen, kiosk: args.kiosk, settings, settings_path }, told)
}

type Opened = (Option<PathBuf>, Loaded, Option<Notice>);

fn demo() -> Result<Loaded, LoadError> {
    load_text(DEMO, Path::new("demo.ron"))
}

/// The project that was worked at last, or the demo; one that cannot be read any more is told and not in the way.
fn last_or_demo(settings: &Settings) -> Result<Opened, Failure> {
    let Some(last) = settings.recent.first() else { return Ok((None, demo()?, None)) };
    match load(last) {
        Ok(loaded) => Ok((Some(last.clone()), loaded, None)),
        Err(error) => {
            let text = format!("The project of last time cannot be opened: {error}. The demo plays instead.");
            Ok((None, demo()?, Some(Notice::warning("project", text))))
        }
    }
}

/// Shows the window while the render thread still makes its context. Without one there is no light, and the window
/// closes again.
fn window(console: &Console, options: WindowOptions, milestones: Option<Milestones>) -> Result<(), Failure> {
    let probe = milestones.map(|milestones| Box::new(milestones) as Box<dyn Probe>);
    let (close, closed) = catch_signals()?;
    std::thread::scope(|scope| {
        let starting = std::thread::Builder::new().name("starting".into()).spawn_scoped(scope, move || {
            console.ready().inspect_err(|_| {
                // A full queue closes the window already.
                let _ = close.try_send(());
            })
        });
        let starting = starting.map_err(ConsoleError::Thread)?;
        let shown = app::run_watched(console.handles(closed), options, probe);
        // Why there is no light comes before why there is no window.
        starting.join().map_err(|_| Failure::Panicked)??;
        Ok(shown?)
    })
}

fn until_signal(console: &Console) -> Result<(), Failure> {
    console.ready()?;
    let (_, signal) = catch_signals()?;
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
fn catch_signals() -> Result<(Sender<()>, Receiver<()>), Failure> {
    let (stop, signal) = bounded(1);
    let close = stop.clone();
    ctrlc::set_handler(move || {
        // A second signal finds the first one waiting, which is enough.
        let _ = stop.try_send(());
    })?;
    Ok((close, signal))
}
