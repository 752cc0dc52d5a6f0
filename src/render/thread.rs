//! The render thread: starts, keeps frames coming whatever fails, and ends.
//!
//! A panic or a lost GL context costs a moment: everything that was made of the show is thrown away and made anew,
//! the show itself goes on at its beat, and the senders hold the last frame meanwhile.

use super::frame_loop::{Ending, FrameLoop};
use super::kept::Kept;
use crate::frame::LampFrame;
use crate::gl::GlError;
use crate::incoming::IncomingLight;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::shading::fuse::Dialect;
use crate::show::Show;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use crate::storage::FileRequest;
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How soon rendering that failed at its start is tried again.
const RETRY: Duration = Duration::from_millis(300);

/// What the thread starts with.
pub struct RenderOptions {
    /// The document.
    pub project: Project,
    /// Where it came from.
    pub path: Option<PathBuf>,
    /// Frames a second; without a limit as many as there can be.
    pub fps: Option<f64>,
    /// Desktop GL or GL ES; whatever there is without one.
    pub dialect: Option<Dialect>,
}

/// Everything the thread talks to.
#[derive(Clone)]
pub struct RenderLinks {
    /// From everybody.
    pub commands: Receiver<Command>,
    /// To the senders.
    pub frames: Arc<LatestSlot<LampFrame>>,
    /// To the senders: the project when it changed.
    pub projects: Arc<LatestSlot<Project>>,
    /// From the bridge: what other consoles send.
    pub incoming: Arc<LatestSlot<IncomingLight>>,
    /// To the interface.
    pub snapshots: Arc<LatestSlot<Snapshot>>,
    /// To the interface.
    pub notices: Sender<Notice>,
    /// To the storage thread.
    pub files: Sender<FileRequest>,
}

/// Why the thread did not start.
#[derive(Debug, Error)]
pub enum RenderError {
    /// There is no GL that serves.
    #[error(transparent)]
    Gl(#[from] GlError),
    /// The system has no room for another thread.
    #[error("a thread could not be started ({0}); close other programs and start again")]
    Thread(#[from] std::io::Error),
    /// The thread ended before it was ready.
    #[error("the render thread ended while it started; see the log")]
    Ended,
}

/// The running thread. It ends with [`Command::Quit`].
pub struct RenderThread {
    thread: JoinHandle<()>,
    started: Receiver<Result<String, RenderError>>,
    renderer: OnceLock<String>,
}

impl RenderThread {
    /// Starts the thread, which then makes its context; [`Self::ready`] waits for that.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn start(options: RenderOptions, links: RenderLinks) -> Result<Self, RenderError> {
        let (ready, started) = bounded(1);
        let thread = spawn_named("render", move || {
            let RenderOptions { project, path, fps, dialect } = options;
            let show = Show::new(project, path, Instant::now());
            match FrameLoop::new(Kept::new(show, links, fps, dialect)) {
                Ok(frames) => {
                    let _ = ready.send(Ok(frames.renderer_name().to_owned()));
                    supervise(frames);
                }
                Err(failed) => {
                    let _ = ready.send(Err(failed.1));
                }
            }
        })?;
        Ok(Self { thread, started, renderer: OnceLock::new() })
    }

    /// Waits until it can draw.
    ///
    /// # Errors
    /// When there is no GL to be had: the thread has ended.
    pub fn ready(&self) -> Result<(), RenderError> {
        if self.renderer.get().is_none() {
            let renderer = self.started.recv().map_err(|_| RenderError::Ended)??;
            // Somebody else who waited has set the same.
            let _ = self.renderer.set(renderer);
        }
        Ok(())
    }

    /// The driver's own name for what draws; empty before it is ready.
    pub fn renderer(&self) -> &str {
        self.renderer.get().map_or("", String::as_str)
    }

    /// Whether the thread has not ended.
    pub fn running(&self) -> bool {
        !self.thread.is_finished()
    }

    /// Waits for the end. `false` when the thread panicked.
    pub fn join(self) -> bool {
        self.thread.join().is_ok()
    }
}

/// Runs frames until the show ends.
fn supervise(mut frames: FrameLoop) {
    loop {
        let started = Instant::now();
        let ended = catch_unwind(AssertUnwindSafe(|| frames.run()));
        let reason = match ended {
            Ok(Ending::Quit) => return,
            Ok(Ending::ContextLost) => "the GL context was lost",
            Err(_) => "a part of it failed",
        };
        let mut kept = frames.into_kept();
        let text = format!("Rendering starts again, {reason}; nodes hold the last frame for a moment.");
        kept.tell(Notice::error("render", text).keyed("restart"));
        // What fails again at once must not take the processor from the senders.
        if started.elapsed() < RETRY {
            std::thread::sleep(RETRY);
        }
        frames = loop {
            match FrameLoop::new(kept) {
                Ok(frames) => break frames,
                Err(failed) => {
                    let error;
                    (kept, error) = *failed;
                    let text = format!("{error}; nodes hold the last frame, rendering is tried again.");
                    kept.tell(Notice::error("render", text).keyed("restart"));
                }
            }
            if kept.asked_to_quit() {
                return;
            }
            std::thread::sleep(RETRY);
        };
    }
}
