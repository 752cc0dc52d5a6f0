//! The command line: what can be asked for, and how failures are told and numbered.
//!
//! Runs on the main thread. Does nothing itself: it calls the console, the tools and the benches.

mod play;
mod tools;

use crate::app::NoWindow;
use crate::bench::output::{OutputBenchError, OutputOptions};
use crate::bench::rig::{RigError, RigOptions};
use crate::bench::session::SessionOptions;
use crate::bench::stall::StallError;
use crate::bench::startup::{StartupError, StartupOptions};
use crate::bench::storm::StormOptions;
use crate::bench::ui::UiOptions;
use crate::bench::window::{WindowBenchError, WindowBenchOptions};
use crate::console::ConsoleError;
use crate::gl::GlError;
use crate::offline::OfflineError;
use crate::render::thread::RenderError;
use crate::shading::fuse::Dialect;
use crate::storage::load::LoadError;
use crate::timing::pacing::DEFAULT_FPS;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use thiserror::Error;

/// A live console for spatial LED installations.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXIT_CODES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    tool: Option<Tool>,
    #[command(flatten)]
    play: PlayArgs,
}

const EXIT_CODES: &str = "Exit codes: 0 all well, 1 something failed while running, 2 wrong arguments, \
    3 no such project, 4 a broken project, 5 a project of a newer version, 6 no OpenGL, 7 a port in use or no network, \
    8 a file could not be written, 9 no window, 10 `check` found something.";

#[derive(Debug, Args)]
struct PlayArgs {
    /// The project to play; the demo without one
    project: Option<PathBuf>,
    /// No window: only the light, until Ctrl+C
    #[arg(long)]
    headless: bool,
    /// The window over the whole screen
    #[arg(long, conflicts_with = "headless")]
    fullscreen: bool,
    /// For a touch screen: the whole screen, targets for fingers, a lock, nothing that edits the project
    #[arg(long, conflicts_with = "headless")]
    kiosk: bool,
    /// Frames a second, 0 for as many as there can be; what was chosen on this machine without it, 60 at first
    #[arg(long, value_parser = frame_rate)]
    fps: Option<f64>,
    /// The interface that light leaves by for devices that name none; what was chosen on this machine without it
    #[arg(long, value_name = "NAME")]
    interface: Option<String>,
    /// The folder for settings of this machine and your shader library, instead of the desktop's own
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Do not ask who is on the network; devices are sent their light all the same
    #[arg(long)]
    no_discovery: bool,
    /// Write when the window came, for `bench startup`: when the process was created, nanoseconds of the system's clock
    #[arg(long, hide = true, conflicts_with = "headless")]
    milestones: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// What every way to start takes.
#[derive(Clone, Copy, Debug, Args)]
struct Common {
    /// The flavour of OpenGL to render with; whatever there is without one
    #[arg(long, value_enum)]
    gl: Option<GlFlavour>,
    /// How much is logged to stderr
    #[arg(long, value_enum, default_value_t = LogLevel::Warn)]
    log_level: LogLevel,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum GlFlavour {
    /// Desktop OpenGL 3.3 core
    Core,
    /// OpenGL ES 3.0 and up
    Es,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Look for what is wrong with a project, and print it
    Check {
        /// The project
        project: PathBuf,
    },
    /// Render frames of a project into files: lamp bytes as text, and pictures of the stage
    Render {
        /// The project
        project: PathBuf,
        /// How many frames
        #[arg(long, default_value_t = 1)]
        frames: usize,
        /// The folder to write them to
        #[arg(long)]
        out: PathBuf,
        /// Frames a second of the show's time
        #[arg(long, default_value_t = DEFAULT_FPS, value_parser = positive)]
        fps: f64,
        #[command(flatten)]
        common: Common,
    },
    /// List what this machine has
    #[command(subcommand)]
    List(List),
    /// Measure
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Debug, Subcommand)]
enum List {
    /// Network interfaces with their addresses and speed
    Interfaces,
    /// Art-Net nodes that answer within some seconds
    Nodes,
    /// Serial ports, and which of them are DMX interfaces
    Serial,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Render and send rigs of growing size, and count what arrives at port 6454
    Rig {
        #[command(flatten)]
        options: RigOptions,
        #[command(flatten)]
        common: Common,
    },
    /// Flood the ports that nodes answer at while a show plays, and watch the memory
    Storm {
        #[command(flatten)]
        options: StormOptions,
        /// Desktop GL or GL ES; whatever there is without
        #[arg(long, value_enum)]
        gl: Option<GlFlavour>,
    },
    /// Show and drive the real window while a rig plays, and watch the frames; needs an X display and xdotool
    Window {
        #[command(flatten)]
        options: WindowBenchOptions,
        #[command(flatten)]
        common: Common,
    },
    /// Start the console and a bare window in turn, and tell when each is on the screen and how large it is; needs a display
    Startup {
        #[command(flatten)]
        options: StartupOptions,
    },
    /// Scroll, drag and switch tabs by a script while a show plays, then rest, and tell what a frame costs; needs a display
    Ui {
        #[command(flatten)]
        options: UiOptions,
        #[command(flatten)]
        common: Common,
    },
    /// Launch scenes, open panels, edit shaders and read projects in laps, and tell what is left in memory; needs a display
    Session {
        #[command(flatten)]
        options: SessionOptions,
        #[command(flatten)]
        common: Common,
    },
    /// Send made-up frames as fast as the senders take them, beside bare loops, and count what arrives
    Output {
        #[command(flatten)]
        options: OutputOptions,
    },
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|fps: &f64| *fps > 0.0 && fps.is_finite()).ok_or("a number above 0".into())
}

fn frame_rate(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|fps: &f64| *fps >= 0.0 && fps.is_finite()).ok_or("0 or a number above".into())
}

impl GlFlavour {
    fn dialect(self) -> Dialect {
        match self {
            Self::Core => Dialect::Core330,
            Self::Es => Dialect::Es300,
        }
    }
}

/// Why a run failed; each kind has an exit code of its own.
#[derive(Debug, Error)]
pub enum Failure {
    /// The project could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The console did not start.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// Frames could not be rendered into files.
    #[error(transparent)]
    Offline(#[from] OfflineError),
    /// The bench did not run.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// The bench of the senders did not run.
    #[error(transparent)]
    OutputBench(#[from] OutputBenchError),
    /// The window's bench did not run.
    #[error(transparent)]
    WindowBench(#[from] WindowBenchError),
    /// The bench of starting did not run.
    #[error(transparent)]
    Startup(#[from] StartupError),
    /// A bench of the interface did not run.
    #[error(transparent)]
    Stall(#[from] StallError),
    /// There is no window.
    #[error(transparent)]
    Window(#[from] NoWindow),
    /// Interfaces could not be listed.
    #[error("the network interfaces could not be listed: {0}")]
    Interfaces(std::io::Error),
    /// Serial ports could not be listed.
    #[error("the serial ports could not be listed: {0}")]
    SerialPorts(std::io::Error),
    /// Ctrl+C could not be caught.
    #[error("signals could not be caught ({0}); the exit policy would not be sent")]
    Signals(#[from] ctrlc::Error),
    /// A thread panicked.
    #[error("a part of Glowdeck failed while it ran; the log above says which, please report it")]
    Panicked,
    /// The linter found something, which was printed.
    #[error("see above")]
    Found,
}

impl Failure {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Panicked | Self::Signals(_) | Self::SerialPorts(_) => 1,
            Self::Load(LoadError::Missing { .. } | LoadError::Unreadable { .. }) => 3,
            Self::Load(LoadError::Newer { .. }) => 5,
            Self::Load(_) => 4,
            Self::Console(ConsoleError::Render(RenderError::Gl(_)))
            | Self::Rig(RigError::Gl(_) | RigError::Console(ConsoleError::Render(RenderError::Gl(_)))) => 6,
            Self::Offline(OfflineError::Gl(GlError::NoContext { .. } | GlError::NoHalfFloat { .. })) => 6,
            Self::Rig(RigError::Receiver(_)) | Self::OutputBench(_) | Self::Interfaces(_) => 7,
            Self::Console(ConsoleError::Output(_)) | Self::Rig(RigError::Console(ConsoleError::Output(_))) => 7,
            Self::Offline(OfflineError::Write { .. }) => 8,
            Self::Window(_) | Self::WindowBench(WindowBenchError::Window(_)) => 9,
            Self::Startup(StartupError::Display(_) | StartupError::Window(_)) => 9,
            Self::Stall(StallError::Display(_) | StallError::Window(_)) => 9,
            Self::Stall(StallError::Console(ConsoleError::Render(RenderError::Gl(_)))) => 6,
            Self::Found => 10,
            Self::Console(_)
            | Self::Offline(_)
            | Self::Rig(_)
            | Self::WindowBench(_)
            | Self::Startup(_)
            | Self::Stall(_) => 1,
        }
    }
}

/// Does what the arguments ask for. A failure is one line on stderr and an exit code.
pub fn run(cli: Cli) -> ExitCode {
    let result = match cli.tool {
        None => play::play(cli.play),
        Some(tool) => tools::run(tool),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::Found) {
                eprintln!("glowdeck: {}", one_line(&failure.to_string()));
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn start_log(level: LogLevel) {
    let level = match level {
        LogLevel::Error => tracing::Level::ERROR,
        LogLevel::Warn => tracing::Level::WARN,
        LogLevel::Info => tracing::Level::INFO,
        LogLevel::Debug => tracing::Level::DEBUG,
    };
    // A log that another part of the process has started already stays as it is.
    let _ = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).try_init();
}
