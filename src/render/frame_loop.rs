//! The frame loop: commands in, frames and snapshots out, at its own pace.
//!
//! Runs on the render thread, which owns the show. Never reads or writes files, never sends packets, never waits for
//! anybody. Commands come in at frame boundaries; frames, snapshots and notices go out, and whoever is slow misses
//! some.

use super::economy::Pace;
use super::kept::Kept;
use super::patcher::{self, Made, Patcher};
use super::renderer::Renderer;
use super::stage_view::StageView;
use super::stats::FrameStats;
use super::thread::RenderError;
use super::throttle::StepsTold;
use crate::frame::{FramePool, LampFrame};
use crate::model::device::ExitPolicy;
use crate::notice::Notice;
use crate::show::Outcome;
use crate::show::command::Fault;
use crate::show::live::Moment;
use crate::show::snapshot::{ClockView, PowerView, RenderStats, SceneCost, SceneView, Snapshot, StageMap};
use crate::show::triggers::TriggerView;
use crate::timing::pacing::Lead;
use crate::units::UNIVERSE_CHANNELS;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Snapshots are not published more often; no screen shows more.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(8);
/// What all scenes together may take of a frame; the rest is for packing, reading back and everybody else.
const DRAW_SHARE: f64 = 0.7;
/// What the scene that a show ends with gets for its programs, where it was not playing.
const LEAVING: Duration = Duration::from_millis(500);

/// Why the loop ended.
pub enum Ending {
    /// It was asked to.
    Quit,
    /// The driver has lost the context.
    ContextLost,
}

/// Everything that is made of the show, and the show.
pub struct FrameLoop {
    kept: Kept,
    renderer: Renderer,
    patcher: Patcher,
    pool: FramePool,
    last: Option<Arc<LampFrame>>,
    stats: FrameStats,
    renderer_name: Arc<str>,
    /// The revision that was last followed.
    followed: Option<u64>,
    /// Whether shaders are previewed that were not when the project was last followed.
    new_previews: bool,
    ending: Option<Ending>,
    stage: StageView,
    last_snapshot: Option<Instant>,
    scenes: Arc<Vec<SceneView>>,
    costs: Arc<Vec<SceneCost>>,
    throttled: StepsTold,
    /// How long it took to draw the last frame and to read it back.
    took: Duration,
    lead: Lead,
    triggers: Arc<Vec<TriggerView>>,
    power: Arc<PowerView>,
}

impl FrameLoop {
    /// Makes everything anew for a show.
    ///
    /// # Errors
    /// When there is no GL or no thread to be had; the show comes back.
    pub fn new(kept: Kept) -> Result<Self, Box<(Kept, RenderError)>> {
        let made = Self::make(&kept);
        let (mut renderer, patcher, map) = match made {
            Ok(made) => made,
            Err(error) => return Err(Box::new((kept, error))),
        };
        let now = Instant::now();
        let renderer_name: Arc<str> = renderer.renderer_name().into();
        tracing::info!(renderer = %renderer_name, "rendering");
        let new_previews = renderer.watch_thumbnails(&kept.thumbnails);
        let stats = FrameStats::new(now, kept.pacer.interval());
        Ok(Self {
            kept,
            renderer,
            patcher,
            pool: FramePool::default(),
            last: None,
            stats,
            renderer_name,
            followed: None,
            new_previews,
            ending: None,
            stage: StageView::new(map, now),
            last_snapshot: None,
            scenes: Arc::default(),
            costs: Arc::default(),
            throttled: StepsTold::default(),
            took: Duration::ZERO,
            lead: Lead::default(),
            triggers: Arc::default(),
            power: Arc::default(),
        })
    }

    fn make(kept: &Kept) -> Result<(Renderer, Patcher, Arc<StageMap>), RenderError> {
        let mut renderer = Renderer::new(kept.dialect)?;
        let patched = patcher::compile(&kept.show.project, kept.layout);
        let map = Arc::clone(&patched.stage);
        renderer.set_patch(patched)?;
        renderer.compile_elsewhere()?;
        Ok((renderer, Patcher::start()?, map))
    }

    /// The driver's own name for what draws.
    pub fn renderer_name(&self) -> &str {
        &self.renderer_name
    }

    /// Throws away what was made of the show and returns the show.
    pub fn into_kept(self) -> Kept {
        let Self { kept, renderer, patcher, .. } = self;
        // What is left of a panic may panic again when it is freed.
        let _ = catch_unwind(AssertUnwindSafe(move || drop((renderer, patcher))));
        kept
    }

    /// Makes frames until the show ends or the context is lost.
    pub fn run(&mut self) -> Ending {
        loop {
            let now = self.kept.show.moment(Instant::now());
            self.drain_commands(now);
            if let Some(ending) = self.ending.take() {
                if matches!(ending, Ending::Quit) {
                    self.leave();
                }
                return ending;
            }
            self.follow_project();
            self.kept.show.advance(now);
            let started = Instant::now();
            let changed = self.draw(now);
            let merged = self.follow_incoming(now);
            self.publish_frame(now, changed || merged, started);
            if changed && self.renderer.context_lost() {
                return Ending::ContextLost;
            }
            let seen = self.stage.look(&mut self.renderer, self.kept.watched, changed);
            seen.into_iter().for_each(|notice| self.kept.tell(notice));
            let endless = self.renderer.find_endless(&self.kept.show.project, now.secs);
            endless.into_iter().for_each(|notice| self.kept.tell(notice));
            self.draw_thumbnails(now);
            self.publish_snapshot(now);
            self.pace();
        }
    }

    /// Makes the frames that the show ends with, where that is to be a scene. One that did not play yet gets the time
    /// that its programs may take.
    fn leave(&mut self) {
        let ExitPolicy::Scene(id) = self.kept.show.project.settings.exit else { return };
        let ready = self.kept.show.live.is_playing(id);
        self.kept.show.live.leave_with(id);
        self.followed = None;
        let until = Instant::now() + if ready { Duration::ZERO } else { LEAVING };
        loop {
            let started = Instant::now();
            let now = self.kept.show.moment(started);
            self.follow_project();
            self.kept.show.advance(now);
            // Whole, whatever it costs: nothing comes after the last one.
            if let Err(error) = self.renderer.draw(&self.kept.show, now) {
                self.kept.tell(Notice::error("render", format!("{error}; the last picture stays.")));
            }
            self.publish_frame(now, true, started);
            if started >= until {
                return;
            }
            self.pace();
        }
    }

    fn drain_commands(&mut self, now: Moment) {
        // What arrives meanwhile waits for the next frame, so that a flood cannot hold this one up.
        for _ in 0..self.kept.links.commands.len() {
            let Ok(command) = self.kept.links.commands.try_recv() else { return };
            let outcome = self.kept.show.apply(command, now);
            match self.kept.obey(outcome) {
                Some(Outcome::WatchLayout(layout)) => self.patcher.look(&self.kept.show.project, layout),
                Some(Outcome::WatchThumbnails(keys)) => self.new_previews |= self.renderer.watch_thumbnails(&keys),
                Some(Outcome::Pace(_) | Outcome::ResetStats) => {
                    // It is measured from here on how well frames keep to the pace.
                    self.stats = FrameStats::new(Instant::now(), self.kept.pacer.interval());
                }
                Some(Outcome::Inject(Fault::ContextLoss)) => self.ending = Some(Ending::ContextLost),
                Some(Outcome::Inject(Fault::Panic)) => panic!("injected"),
                Some(Outcome::Quit) => self.ending = Some(Ending::Quit),
                Some(Outcome::Done | Outcome::Tell(_) | Outcome::Save(_) | Outcome::WatchStage(_)) | None => {}
            }
        }
    }

    fn follow_project(&mut self) {
        let (patched, stage) = match self.patcher.finished() {
            Some(Made::Patch(patched)) => (Some(*patched), None),
            Some(Made::Stage(of, stage)) => {
                (None, self.renderer.map().filter(|map| map.same_patch(&of)).map(|_| stage))
            }
            None => (None, None),
        };
        stage.into_iter().for_each(|map| self.stage.set_map(map));
        let changed = self.followed != Some(self.kept.show.revision());
        if changed {
            self.followed = Some(self.kept.show.revision());
            self.throttled = StepsTold::default();
            self.kept.links.projects.publish(Arc::new(self.kept.show.project.clone()));
            self.renderer.merging.follow_project(&self.kept.show.project);
            if !self.renderer.map().is_some_and(|map| map.same_patch(&self.kept.show.project)) {
                self.patcher.request(&self.kept.show.project, self.kept.layout);
            }
        }
        let repatched = patched.is_some();
        if let Some(patched) = patched {
            let map = Arc::clone(&patched.stage);
            match self.renderer.set_patch(patched) {
                Ok(()) => self.stage.set_map(map),
                Err(error) => self.kept.tell(Notice::error("render", format!("{error}; the old patch keeps running."))),
            }
        }
        let mut notices = self.renderer.take_compiled(&self.kept.show.project);
        if changed || repatched || std::mem::take(&mut self.new_previews) {
            let live = &self.kept.show.live;
            notices.extend(self.renderer.follow(&self.kept.show.project, |scene| live.is_playing(scene)));
        }
        notices.into_iter().for_each(|notice| self.kept.tell(notice));
    }

    /// Whether the picture has changed.
    fn draw(&mut self, now: Moment) -> bool {
        let interval = self.kept.pacer.interval();
        let late = interval.is_some_and(|interval| self.took > interval);
        let allowed = interval.map(|interval| interval.as_secs_f64() * DRAW_SHARE);
        let drawn = self.renderer.draw_live(&self.kept.show, now, Pace { secs: now.secs, allowed, late });
        drawn.unwrap_or_else(|error| {
            self.kept.tell(Notice::error("render", format!("{error}; the last picture stays.")).keyed("draw"));
            true
        })
    }

    /// Whether what other consoles send changes the frame, although the picture may be the same.
    fn follow_incoming(&mut self, now: Moment) -> bool {
        let Kept { links, show, .. } = &self.kept;
        let light = if self.renderer.merging.is_empty() { None } else { links.incoming.latest() };
        self.renderer.merging.follow(light, show.live.openness(now.secs))
    }

    /// `started` is when the frame was.
    fn publish_frame(&mut self, now: Moment, changed: bool, started: Instant) {
        self.kept.frame += 1;
        let Self { renderer, pool, last, .. } = self;
        let same = last.take().filter(|last| !changed && last.universes() == renderer.universes());
        // A still picture is a new frame all the same: some devices want every one.
        let frame = pool.fill(renderer.universes(), self.kept.frame, Instant::now(), |bytes| match same {
            Some(same) => bytes.copy_from_slice(&same.bytes),
            None => renderer.read(now, bytes),
        });
        self.last = Some(Arc::clone(&frame));
        debug_assert_eq!(frame.bytes.len(), self.renderer.universes() * UNIVERSE_CHANNELS);
        self.took = started.elapsed();
        let out = self.lead.after(self.took, self.kept.pacer.interval());
        // Frames come evenly, although some take longer to draw than others.
        std::thread::sleep(out.saturating_sub(self.took));
        self.kept.links.frames.publish(frame);
        self.stats.frame(Instant::now());
    }

    /// What is shown of scenes that may not even sound comes after everything else.
    fn draw_thumbnails(&mut self, now: Moment) {
        let started = Instant::now();
        let left = self.kept.pacer.left(started).map(|left| left.as_secs_f64());
        let clock = || started.elapsed().as_secs_f64();
        if let Err(error) = self.renderer.draw_thumbnails(&self.kept.show, now, left, clock) {
            let notice = Notice::warning("render", format!("{error}; thumbnails stay as they are, the light goes on."));
            self.kept.tell(notice.keyed("thumbnails"));
        }
    }

    fn publish_snapshot(&mut self, now: Moment) {
        let instant = Instant::now();
        if self.last_snapshot.is_some_and(|last| instant.duration_since(last) < SNAPSHOT_INTERVAL) {
            return;
        }
        self.last_snapshot = Some(instant);
        let scenes = self.kept.show.live.views(now.beat);
        if *self.scenes != scenes {
            self.scenes = Arc::new(scenes);
        }
        let triggers = self.kept.show.live.triggers.views(now.secs);
        if !triggers.eq(self.triggers.iter().copied()) {
            self.triggers = Arc::new(self.kept.show.live.triggers.views(now.secs).collect());
        }
        let costs = self.renderer.scene_costs();
        if *self.costs != costs {
            self.costs = Arc::new(costs);
        }
        let told = self.throttled.tell(&self.costs, &self.kept.show.project, now.secs);
        told.into_iter().for_each(|notice| self.kept.tell(notice));
        let power = self.renderer.power();
        if *self.power != power {
            self.power = Arc::new(power);
        }
        self.kept.links.snapshots.publish(Arc::new(self.snapshot(now)));
    }

    fn snapshot(&self, now: Moment) -> Snapshot {
        Snapshot {
            number: self.kept.frame,
            project: self.kept.show.project.clone(),
            path: self.kept.show.path().cloned(),
            dirty: self.kept.show.dirty(),
            undo: self.kept.show.history().undo_title(),
            redo: self.kept.show.history().redo_title(),
            scenes: Arc::clone(&self.scenes),
            triggers: Arc::clone(&self.triggers),
            master: self.kept.show.live.master,
            blackout: self.kept.show.live.blackout(),
            test: self.kept.show.live.test,
            shaders: Arc::clone(self.renderer.shaders.views()),
            clock: ClockView::of(&self.kept.show.clock, now.beat),
            render: RenderStats {
                lamps: self.renderer.map().map_or(0, |map| map.lamps),
                universes: self.renderer.universes(),
                renderer: Arc::clone(&self.renderer_name),
                ..self.stats.view()
            },
            costs: Arc::clone(&self.costs),
            power: Arc::clone(&self.power),
            stage_map: Arc::clone(self.stage.map()),
            stage: self.stage.frame().cloned(),
            thumbnails: Arc::clone(self.renderer.thumbnails()),
        }
    }

    fn pace(&mut self) {
        let now = Instant::now();
        let due = self.kept.pacer.next_after(now);
        if due > now {
            std::thread::sleep(due - now);
        }
    }
}
