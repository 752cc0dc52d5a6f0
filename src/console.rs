//! The console: wires the queues, starts the threads in order and ends them in the opposite one.
//!
//! Runs on the main thread. Holds no state of the show; headless and window are the same console.

use crate::app::Handles;
use crate::incoming::IncomingLight;
use crate::input::bridge::heard::Heard;
use crate::input::bridge::{Bridge, BridgeLinks};
use crate::model::library::UserLibrary;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::output::discovery::nodes::Found;
use crate::output::discovery::{Discovery, DiscoveryLinks, DiscoveryOptions};
use crate::output::stats::OutputStats;
use crate::output::{Output, UsualInterface};
use crate::render::thread::{RenderError, RenderLinks, RenderOptions, RenderThread};
use crate::shading::fuse::Dialect;
use crate::show::command::{Command, CommandSender, command_queue};
use crate::show::snapshot::Snapshot;
use crate::storage::format::Quarantined;
use crate::storage::{self, FileRequest};
use crate::sync::LatestSlot;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;

/// Notices that may wait to be read.
const NOTICE_QUEUE: usize = 256;
/// Requests that may wait for storage.
const FILE_QUEUE: usize = 16;

/// What a console starts with.
pub struct ConsoleOptions {
    /// The document.
    pub project: Project,
    /// Where it came from.
    pub path: Option<PathBuf>,
    /// What could not be read of it, so that a save loses nothing.
    pub quarantined: Vec<Quarantined>,
    /// Frames a second; without a limit as many as there can be.
    pub fps: Option<f64>,
    /// The interface for devices that name none.
    pub interface: UsualInterface,
    /// Desktop GL or GL ES; whatever there is without one.
    pub dialect: Option<Dialect>,
    /// How nodes are looked for, and whether the port of Art-Net is listened to at all: not without.
    pub discovery: Option<DiscoveryOptions>,
}

/// Why a console did not start.
#[derive(Debug, Error)]
pub enum ConsoleError {
    /// Nothing can be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Nothing can be sent.
    #[error("the output could not be started ({0}); close other programs and start again")]
    Output(std::io::Error),
    /// Nothing can be saved.
    #[error("a thread could not be started ({0}); close other programs and start again")]
    Thread(std::io::Error),
}

/// A running console.
pub struct Console {
    /// To the show.
    pub commands: CommandSender,
    /// From the show.
    pub snapshots: Arc<LatestSlot<Snapshot>>,
    /// From the senders.
    pub stats: Arc<LatestSlot<OutputStats>>,
    /// From discovery; nothing ever comes where it is off.
    pub found: Arc<LatestSlot<Found>>,
    /// Who sends light that is heard, when that changes.
    pub heard: Arc<LatestSlot<Heard>>,
    /// The user's library of shaders, as it was read last.
    pub library: Arc<LatestSlot<UserLibrary>>,
    /// From everybody.
    pub notices: Receiver<Notice>,
    files: Sender<FileRequest>,
    tell: Sender<Notice>,
    render: RenderThread,
    output: Output,
    discovery: Option<Discovery>,
    bridge: Bridge,
    storage: JoinHandle<()>,
    /// Threads that look at shaders' files, what tells them to end, and what is dropped for that.
    looking: Vec<JoinHandle<()>>,
    stop: Receiver<()>,
    stop_looking: Sender<()>,
}

impl Console {
    /// Starts storage, output and rendering, and waits until there can be light.
    ///
    /// # Errors
    /// When one of them does not start; what had started ends again.
    pub fn start(options: ConsoleOptions) -> Result<Self, ConsoleError> {
        let console = Self::begin(options)?;
        console.ready()?;
        Ok(console)
    }

    /// Waits until there can be light.
    ///
    /// # Errors
    /// When there is no GL to be had; there will be no light.
    pub fn ready(&self) -> Result<(), ConsoleError> {
        Ok(self.render.ready()?)
    }

    /// Starts storage, output and rendering. The render thread makes its context meanwhile, and a window can open.
    ///
    /// # Errors
    /// When one of them does not start; what had started ends again.
    pub fn begin(options: ConsoleOptions) -> Result<Self, ConsoleError> {
        let (commands, received) = command_queue();
        let (tell, notices) = bounded(NOTICE_QUEUE);
        let (files, requests) = bounded(FILE_QUEUE);
        let (frames, projects) = (Arc::default(), Arc::default());
        let incoming = Arc::<LatestSlot<IncomingLight>>::default();
        let (snapshots, stats) = (Arc::default(), Arc::default());
        let (found, heard) = (Arc::<LatestSlot<Found>>::default(), Arc::<LatestSlot<Heard>>::default());
        let links = RenderLinks {
            commands: received,
            frames: Arc::clone(&frames),
            projects: Arc::clone(&projects),
            incoming: Arc::clone(&incoming),
            snapshots: Arc::clone(&snapshots),
            notices: tell.clone(),
            files: files.clone(),
        };
        let ConsoleOptions { project, path, quarantined, fps, interface, dialect, discovery } = options;
        let kept = path.clone().map(|path| (path, quarantined));
        let (routes, names) = (Arc::clone(&projects), Arc::clone(&found));
        let (notices_to, others) = (tell.clone(), Arc::clone(&heard));
        let bridged = BridgeLinks { projects: routes, found: names, incoming, heard: others, notices: notices_to };
        let bridge = Bridge::start(bridged).map_err(ConsoleError::Thread)?;
        let asks = DiscoveryLinks {
            projects: Arc::clone(&projects),
            found: Arc::clone(&found),
            notices: tell.clone(),
            dmx: Some(bridge.door()),
        };
        let output = Output::start(frames, projects, Arc::clone(&stats), tell.clone()).map_err(ConsoleError::Output)?;
        output.usual_interface().publish(Arc::new(interface));
        let storage =
            storage::thread::start(requests, commands.clone(), tell.clone(), kept).map_err(ConsoleError::Thread)?;
        let (stop_looking, stop) = bounded(0);
        let (shown, door) = (Arc::clone(&snapshots), commands.clone());
        let shader_files = storage::shader_files::watch(shown, door, tell.clone(), stop.clone());
        let looking = vec![shader_files.map_err(ConsoleError::Thread)?];
        let discovery = discovery.map(|options| Discovery::start(options, asks)).transpose();
        let discovery = discovery.map_err(ConsoleError::Thread)?;
        let render = RenderThread::start(RenderOptions { project, path, fps, dialect }, links)?;
        Ok(Self {
            commands,
            snapshots,
            stats,
            found,
            heard,
            library: Arc::default(),
            notices,
            files,
            tell,
            render,
            output,
            discovery,
            bridge,
            storage,
            looking,
            stop,
            stop_looking,
        })
    }

    /// Lists the user's shaders in this folder from now on, for a window.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn list_library(&mut self, folder: PathBuf) -> Result<(), ConsoleError> {
        let (library, tell) = (Arc::clone(&self.library), self.tell.clone());
        let shelf = storage::shader_library::watch(folder, library, tell, self.stop.clone());
        self.looking.push(shelf.map_err(ConsoleError::Thread)?);
        Ok(())
    }

    /// The driver's own name for what draws.
    pub fn renderer(&self) -> &str {
        self.render.renderer()
    }

    /// Whether the show goes on.
    pub fn running(&self) -> bool {
        self.render.running()
    }

    /// What a window needs; `close` asks it to close.
    pub fn handles(&self, close: Receiver<()>) -> Handles {
        Handles {
            commands: self.commands.clone(),
            snapshots: Arc::clone(&self.snapshots),
            output: Arc::clone(&self.stats),
            found: Arc::clone(&self.found),
            heard: Arc::clone(&self.heard),
            library: Arc::clone(&self.library),
            notices: self.notices.clone(),
            files: self.files.clone(),
            usual_interface: Arc::clone(self.output.usual_interface()),
            close,
        }
    }

    /// A way to tell the operator something.
    pub fn tell(&self, notice: Notice) {
        // A full queue drops the notice; whoever reads it is far behind.
        let _ = self.tell.try_send(notice);
    }

    /// Ends everything: nobody is asked any more, no more frames, then the exit policy, then what was to be saved. `false` when a thread had
    /// panicked.
    pub fn stop(self) -> bool {
        // The queue is emptied with every frame, so a full one has room in a moment.
        let mut seen = 0;
        while !self.commands.send(Command::Quit) && self.render.running() {
            seen = self.snapshots.wait_past(seen, Duration::from_millis(100));
        }
        drop(self.discovery);
        drop(self.bridge);
        let mut well = self.render.join();
        self.output.stop();
        // The storage thread takes what was asked before; it never waits for us.
        let _ = self.files.send(FileRequest::Stop);
        well &= self.storage.join().is_ok();
        drop(self.stop_looking);
        self.looking.into_iter().fold(well, |well, thread| well & thread.join().is_ok())
    }
}
