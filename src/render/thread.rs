//! The render thread: owns the show and turns it into frames, at its own pace.
//!
//! Never reads or writes files, never sends packets, never waits for anybody. Commands come in at frame
//! boundaries; frames, snapshots and notices go out, and whoever is slow misses some.

use super::patcher::Patcher;
use super::renderer::{Patched, Renderer};
use super::stats::FrameStats;
use crate::frame::{FramePool, LampFrame};
use crate::gl::GlError;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::shading::fuse::Dialect;
use crate::show::command::Command;
use crate::show::live::Moment;
use crate::show::snapshot::{ClockView, RenderStats, SceneView, Snapshot, StageFrame, StageMap};
use crate::show::{Outcome, Show};
use crate::storage::FileRequest;
use crate::sync::{LatestSlot, spawn_named};
use crate::timing::pacing::Pacer;
use crate::units::UNIVERSE_CHANNELS;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Snapshots are not published more often; no screen shows more.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(8);
/// Reading the stage back takes at most a tenth of the time.
const PREVIEW_SHARE: u32 = 10;
/// Screens show at most so many pictures of the stage.
const PREVIEW_INTERVAL: Duration = Duration::from_millis(15);

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
    /// The driver's own name for what draws.
    pub renderer: String,
}

impl RenderThread {
    /// Starts the thread and waits until it can draw.
    ///
    /// # Errors
    /// When there is no GL or no thread to be had.
    pub fn start(options: RenderOptions, links: RenderLinks) -> Result<Self, RenderError> {
        let (ready, started) = bounded(1);
        let thread = spawn_named("render", move || match RenderLoop::new(options, links) {
            Ok(mut frames) => {
                let _ = ready.send(Ok(frames.renderer.renderer_name().to_owned()));
                frames.run();
            }
            Err(error) => {
                let _ = ready.send(Err(error));
            }
        })?;
        let renderer = started.recv().map_err(|_| RenderError::Ended)??;
        Ok(Self { thread, renderer })
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

struct RenderLoop {
    links: RenderLinks,
    show: Show,
    renderer: Renderer,
    patcher: Patcher,
    pool: FramePool,
    last: Option<Arc<LampFrame>>,
    pacer: Pacer,
    stats: FrameStats,
    renderer_name: Arc<str>,
    /// The revision that was last followed.
    followed: Option<u64>,
    frame: u64,
    running: bool,
    stage: StageView,
    last_snapshot: Option<Instant>,
    scenes: Arc<Vec<SceneView>>,
}

/// The lamps as the interface sees them.
struct StageView {
    watched: bool,
    map: Arc<StageMap>,
    frame: Option<Arc<StageFrame>>,
    scratch: Vec<u8>,
    next: Instant,
    /// Whether the picture has changed since it was read back.
    stale: bool,
}

impl RenderLoop {
    fn new(options: RenderOptions, links: RenderLinks) -> Result<Self, RenderError> {
        let began = Instant::now();
        let mut renderer = Renderer::new(options.dialect)?;
        let patched = Patched::compile(&options.project);
        let map = Arc::clone(&patched.stage);
        renderer.set_patch(patched)?;
        renderer.compile_elsewhere()?;
        let name: Arc<str> = renderer.renderer_name().into();
        tracing::info!(renderer = %name, "rendering");
        Ok(Self {
            links,
            show: Show::new(options.project, options.path, began),
            renderer,
            patcher: Patcher::start()?,
            pool: FramePool::default(),
            last: None,
            pacer: Pacer::new(options.fps, Instant::now()),
            stats: FrameStats::new(Instant::now()),
            renderer_name: name,
            followed: None,
            frame: 0,
            running: true,
            stage: StageView { watched: false, map, frame: None, scratch: Vec::new(), next: began, stale: true },
            last_snapshot: None,
            scenes: Arc::default(),
        })
    }

    fn run(&mut self) {
        while self.running {
            let now = self.show.moment(Instant::now());
            self.drain_commands(now);
            self.follow_project();
            self.show.advance(now);
            let changed = self.draw(now);
            self.publish_frame(changed);
            self.look_at_stage(changed);
            self.publish_snapshot(now);
            self.pace();
        }
    }

    fn drain_commands(&mut self, now: Moment) {
        // What arrives meanwhile waits for the next frame, so that a flood cannot hold this one up.
        for _ in 0..self.links.commands.len() {
            let Ok(command) = self.links.commands.try_recv() else { return };
            match self.show.apply(command, now) {
                Outcome::Done => {}
                Outcome::Tell(notice) => self.tell(notice),
                Outcome::Save(request) => {
                    if self.links.files.try_send(FileRequest::Save(request)).is_err() {
                        self.tell(Notice::error("storage", "The project was not saved, storage is busy; save again."));
                    }
                }
                Outcome::WatchStage(watched) => self.stage.watched = watched,
                Outcome::ResetStats => self.stats = FrameStats::new(Instant::now()),
                Outcome::Quit => self.running = false,
            }
        }
    }

    fn tell(&self, notice: Notice) {
        tracing::info!(%notice);
        // A full queue drops the notice, never the frame.
        let _ = self.links.notices.try_send(notice);
    }

    fn follow_project(&mut self) {
        let patched = self.patcher.finished();
        let changed = self.followed != Some(self.show.revision());
        if changed {
            self.followed = Some(self.show.revision());
            self.links.projects.publish(Arc::new(self.show.project.clone()));
            if !self.renderer.map().is_some_and(|map| map.same_patch(&self.show.project)) {
                self.patcher.request(&self.show.project);
            }
        }
        let repatched = patched.is_some();
        if let Some(patched) = patched {
            let map = Arc::clone(&patched.stage);
            match self.renderer.set_patch(patched) {
                Ok(()) => {
                    self.stage.map = map;
                    self.stage.frame = None;
                }
                Err(error) => self.tell(Notice::error("render", format!("{error}; the old patch keeps running."))),
            }
        }
        let mut notices = self.renderer.take_compiled(&self.show.project);
        if changed || repatched {
            notices.extend(self.renderer.follow(&self.show.project));
        }
        notices.into_iter().for_each(|notice| self.tell(notice));
    }

    /// Whether the picture has changed.
    fn draw(&mut self, now: Moment) -> bool {
        self.renderer.draw(&self.show, now).unwrap_or_else(|error| {
            self.tell(Notice::error("render", format!("{error}; the last picture stays.")).keyed("draw"));
            true
        })
    }

    fn publish_frame(&mut self, changed: bool) {
        self.frame += 1;
        let Self { renderer, pool, last, .. } = self;
        let same = last.take().filter(|last| !changed && last.universes() == renderer.universes());
        // A still picture is a new frame all the same: some devices want every one.
        let frame = pool.fill(renderer.universes(), self.frame, Instant::now(), |bytes| match same {
            Some(same) => bytes.copy_from_slice(&same.bytes),
            None => renderer.read(bytes),
        });
        self.last = Some(Arc::clone(&frame));
        debug_assert_eq!(frame.bytes.len(), self.renderer.universes() * UNIVERSE_CHANNELS);
        self.links.frames.publish(frame);
        self.stats.frame(Instant::now());
    }

    fn look_at_stage(&mut self, changed: bool) {
        let started = Instant::now();
        self.stage.stale |= changed;
        if !self.stage.watched {
            self.stage.frame = None;
            return;
        }
        if started < self.stage.next || (!self.stage.stale && self.stage.frame.is_some()) {
            return;
        }
        self.stage.stale = false;
        let stage = &mut self.stage;
        if let Err(error) = self.renderer.preview(&mut stage.scratch) {
            let notice = Notice::warning("render", format!("{error}; the stage is not shown, the light goes on."));
            return self.tell(notice.keyed("preview"));
        }
        if stage.frame.as_ref().is_none_or(|frame| frame.colours != stage.scratch) {
            stage.frame = Some(Arc::new(StageFrame { colours: stage.scratch.clone() }));
        }
        stage.next = started + PREVIEW_INTERVAL.max(started.elapsed() * PREVIEW_SHARE);
    }

    fn publish_snapshot(&mut self, now: Moment) {
        let instant = Instant::now();
        if self.last_snapshot.is_some_and(|last| instant.duration_since(last) < SNAPSHOT_INTERVAL) {
            return;
        }
        self.last_snapshot = Some(instant);
        let scenes = self.show.live.views(now.beat);
        if *self.scenes != scenes {
            self.scenes = Arc::new(scenes);
        }
        self.links.snapshots.publish(Arc::new(self.snapshot(now)));
    }

    fn snapshot(&self, now: Moment) -> Snapshot {
        Snapshot {
            number: self.frame,
            project: self.show.project.clone(),
            path: self.show.path().cloned(),
            dirty: self.show.dirty(),
            undo: self.show.history().undo_title(),
            redo: self.show.history().redo_title(),
            scenes: Arc::clone(&self.scenes),
            master: self.show.live.master,
            blackout: self.show.live.blackout(),
            clock: ClockView { beat: crate::units::Beats(now.beat), bpm: self.show.clock.bpm() },
            render: RenderStats {
                fps: self.stats.fps(),
                longest_gap_ms: self.stats.longest_gap().as_secs_f32() * 1e3,
                lamps: self.renderer.map().map_or(0, |map| map.lamps),
                universes: self.renderer.universes(),
                renderer: Arc::clone(&self.renderer_name),
            },
            stage_map: Arc::clone(&self.stage.map),
            stage: self.stage.frame.clone(),
        }
    }

    fn pace(&mut self) {
        let now = Instant::now();
        let due = self.pacer.next_after(now);
        if due > now {
            std::thread::sleep(due - now);
        }
    }
}
