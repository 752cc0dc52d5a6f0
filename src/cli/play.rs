//! Playing a project: with a window, or headless until a signal.

use super::{Failure, GlFlavour, PlayArgs, start_log};
use crate::app::{self, WindowOptions};
use crate::console::{Console, ConsoleOptions};
use crate::model::project::Project;
use crate::notice::{Notice, Severity};
use crate::storage::load::{Loaded, load, load_text};
use crossbeam_channel::{bounded, select};
use std::path::{Path, PathBuf};

/// The project that opens when none is named.
const DEMO: &str = include_str!("../../projects/demo.ron");

pub(super) fn play(args: PlayArgs) -> Result<(), Failure> {
    start_log(args.common.log_level);
    let (project, path, problems) = opened(args.project)?;
    let options = ConsoleOptions {
        project,
        path,
        fps: (args.fps > 0.0).then_some(args.fps),
        dialect: args.common.gl.map(GlFlavour::dialect),
    };
    let console = Console::start(options)?;
    for problem in problems {
        console.tell(problem);
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

/// The project to play, where it is, and what was wrong with it.
fn opened(path: Option<PathBuf>) -> Result<(Project, Option<PathBuf>, Vec<Notice>), Failure> {
    let loaded = match &path {
        Some(path) => load(path)?,
        None => load_text(DEMO, Path::new("demo.ron"))?,
    };
    let Loaded { project, problems, .. } = loaded;
    let notices = problems.iter().map(|problem| Notice::warning("project", problem.to_string()));
    Ok((project, path, notices.collect()))
}

fn window(console: &Console, fullscreen: bool) -> Result<(), Failure> {
    app::run(console.handles(), WindowOptions { fullscreen })?;
    Ok(())
}

fn until_signal(console: &Console) -> Result<(), Failure> {
    let (stop, signal) = bounded(1);
    let stop = move || {
        // A second signal finds the first one waiting, which is enough.
        let _ = stop.try_send(());
    };
    ctrlc::set_handler(stop)?;
    eprintln!("glowdeck: playing on {}; Ctrl+C ends the show", console.renderer());
    loop {
        select! {
            recv(signal) -> _ => return Ok(()),
            recv(console.notices) -> notice => match notice {
                Ok(notice) if notice.severity > Severity::Info => eprintln!("glowdeck: {notice}"),
                Ok(_) => {}
                Err(_) => return Ok(()),
            },
        }
        if !console.running() {
            return Err(Failure::Panicked);
        }
    }
}
