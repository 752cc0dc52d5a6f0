//! Thumbnails: what is watched as it looks alone, drawn a little at a time when the frame is out.
//!
//! On the render thread. `turns` says whose turn it is and for how long, `canvas` draws. Scenes are drawn by the
//! programs they sound with; a scene without one keeps its last picture. Deliberately absent: compiling anything.

pub mod canvas;
mod turns;

use super::compose::{FramePlan, compose_alone};
use super::programs::Programs;
use super::score::{ProgramKey, Score, ScoredScene};
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix};
use crate::model::effect::{Effect, ShaderRef};
use crate::model::id::{EffectId, SceneId};
use crate::model::layout::Frame;
use crate::model::scene::{Cell, Scene};
use crate::show::Show;
use crate::show::live::Moment;
use crate::show::thumbnail::{HEIGHT, Thumbnail, ThumbnailKey, WIDTH};
use canvas::Canvas;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use turns::{Step, Turns};

/// Seconds between two pictures of what sounds, and of what does not and should not draw the eye.
const PERIODS: [f64; 2] = [1.0 / 15.0, 0.2];

/// Everything that thumbnails are made from, at one moment.
pub struct Subjects<'a> {
    /// Draws.
    pub gpu: &'a Gpu,
    /// What the topology stretches over.
    pub frame: Frame,
    /// All programs.
    pub programs: &'a Programs,
    /// All scenes.
    pub score: &'a Score,
    /// Effects that are watched, each as a scene.
    pub previews: &'a [(ShaderRef, ScoredScene)],
    /// The project and how it is played.
    pub show: &'a Show,
    /// When.
    pub now: Moment,
}

/// What one thumbnail looked like last.
#[derive(Default)]
struct Slot {
    pixels: Option<Arc<[u8]>>,
    drawn: Option<(ProgramKey, FramePlan)>,
}

/// A thumbnail that is being drawn.
struct Job {
    key: ThumbnailKey,
    program: ProgramKey,
    plan: FramePlan,
    /// Rows that are done.
    rows: usize,
}

/// All thumbnails that are watched.
#[derive(Default)]
pub struct Thumbnails {
    turns: Turns,
    slots: BTreeMap<ThumbnailKey, Slot>,
    job: Option<Job>,
    /// Made when somebody first looks, and for another frame.
    canvas: Option<(Frame, Canvas)>,
    /// Plans that are used again.
    spare: FramePlan,
    scratch: Vec<u8>,
    published: Arc<Vec<Thumbnail>>,
    changed: bool,
}

impl Thumbnails {
    /// From now on these are drawn, and no others.
    pub fn watch(&mut self, keys: &[ThumbnailKey]) {
        let mut known = std::mem::take(&mut self.slots);
        self.slots = keys.iter().map(|key| (key.clone(), known.remove(key).unwrap_or_default())).collect();
        self.turns.watch(keys);
        self.job = self.job.take().filter(|job| self.slots.contains_key(&job.key));
        self.changed = true;
        self.publish();
    }

    /// What is watched as it was drawn last, in the order of the keys.
    pub fn published(&self) -> &Arc<Vec<Thumbnail>> {
        &self.published
    }

    /// Draws for as long as there is time: a tenth of it, or what is `left` until the next frame. `clock` tells
    /// seconds. Call it when the frame is out.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn draw(&mut self, of: &Subjects<'_>, left: Option<f64>, clock: impl Fn() -> f64) -> Result<(), GlError> {
        if self.slots.is_empty() {
            return Ok(());
        }
        let mut at = clock();
        self.turns.earn(of.now.secs, left);
        while self.turns.go_on() {
            let (key, step) = match self.step(of) {
                Ok(Some(done)) => done,
                Ok(None) => break,
                Err(error) => {
                    // Not again with every frame, but with the next wish.
                    self.slots.clear();
                    return Err(error);
                }
            };
            let began = std::mem::replace(&mut at, clock());
            self.turns.spend(&key, step, at - began);
        }
        self.publish();
        Ok(())
    }

    /// Does the next thing if there is time for it.
    fn step(&mut self, of: &Subjects<'_>) -> Result<Option<(ThumbnailKey, Step)>, GlError> {
        let Some(mut job) = self.job.take() else { return Ok(self.look(of)) };
        let key = job.key.clone();
        // What was edited meanwhile has another program.
        let Some(program) = of.programs.get(&job.program) else { return Ok(Some((key, Step::Look))) };
        let rows = self.turns.rows(&key, HEIGHT - job.rows);
        if (job.rows < HEIGHT && rows == 0) || (job.rows == HEIGHT && !self.turns.may_read()) {
            self.job = Some(job);
            return Ok(None);
        }
        if self.canvas.as_ref().is_none_or(|(frame, _)| *frame != of.frame) {
            self.canvas = Some((of.frame, Canvas::new(of.gpu, &of.frame)?));
            self.slots.values_mut().for_each(|slot| slot.drawn = None);
            job.rows = 0;
        }
        let Some((_, canvas)) = &mut self.canvas else { return Ok(None) };
        if job.rows == HEIGHT {
            self.scratch.resize(WIDTH * HEIGHT * 4, 0);
            canvas.read(of.gpu, &mut self.scratch);
            self.keep(job);
            return Ok(Some((key, Step::Read)));
        }
        if job.rows == 0 {
            canvas.begin(of.gpu, &job.plan)?;
        }
        let next = HEIGHT.min(job.rows + rows.max(1));
        canvas.draw(of.gpu, program, Mix::from(job.program.blend), &job.plan, job.rows..next);
        let drawn = next - job.rows;
        job.rows = next;
        self.job = Some(job);
        Ok(Some((key, Step::Draw(drawn))))
    }

    /// Begins the turn of whoever is next, if there is anything new to draw.
    fn look(&mut self, of: &Subjects<'_>) -> Option<(ThumbnailKey, Step)> {
        let key = self.turns.next(of.now.secs, |key| PERIODS[usize::from(!of.is_lively(key))])?.clone();
        self.turns.begin(&key, of.now.secs);
        let slot = self.slots.get_mut(&key)?;
        match of.scored(&key) {
            Some(scored) if of.programs.get(&scored.key).is_some() => {
                let mut plan = std::mem::take(&mut self.spare);
                compose_alone(scored, &of.show.live, of.now, of.show.clock.bpm(), &mut plan);
                if slot.drawn.as_ref().is_some_and(|(program, drawn)| *program == scored.key && *drawn == plan) {
                    self.spare = plan;
                } else {
                    self.job = Some(Job { key: key.clone(), program: scored.key.clone(), plan, rows: 0 });
                }
            }
            None if of.has_nothing_to_show(&key) => {
                self.changed |= slot.pixels.is_some();
                *slot = Slot::default();
            }
            // It keeps its last picture.
            _ => {}
        }
        Some((key, Step::Look))
    }

    fn keep(&mut self, job: Job) {
        let Some(slot) = self.slots.get_mut(&job.key) else { return };
        if slot.pixels.as_ref().is_none_or(|pixels| **pixels != *self.scratch) {
            slot.pixels = Some(self.scratch.as_slice().into());
            self.changed = true;
        }
        if let Some((_, plan)) = slot.drawn.replace((job.program, job.plan)) {
            self.spare = plan;
        }
    }

    fn publish(&mut self) {
        if std::mem::take(&mut self.changed) {
            let thumbnail = |(key, slot): (&ThumbnailKey, &Slot)| {
                Some(Thumbnail { key: key.clone(), pixels: Arc::clone(slot.pixels.as_ref()?) })
            };
            self.published = Arc::new(self.slots.iter().filter_map(thumbnail).collect());
        }
    }
}

impl Subjects<'_> {
    /// What is drawn for a key.
    fn scored(&self, key: &ThumbnailKey) -> Option<&ScoredScene> {
        match key {
            ThumbnailKey::Scene(id) => self.score.scenes.iter().find(|scored| !scored.bridge && scored.scene.id == *id),
            ThumbnailKey::Effect(shader) => {
                self.previews.iter().find(|(previewed, _)| previewed == shader).map(|(_, scored)| scored)
            }
        }
    }

    fn is_lively(&self, key: &ThumbnailKey) -> bool {
        match key {
            ThumbnailKey::Scene(id) => self.show.live.is_playing(*id),
            ThumbnailKey::Effect(_) => true,
        }
    }

    /// Whether it is dark because the project says so, not because something is not ready.
    fn has_nothing_to_show(&self, key: &ThumbnailKey) -> bool {
        let ThumbnailKey::Scene(id) = key else { return false };
        self.show.project.scene(*id).is_none_or(|scene| scene.effects.iter().all(|effect| effect.muted))
    }
}

/// The shaders whose effects are among these.
pub fn shaders_of(keys: &[ThumbnailKey]) -> BTreeSet<ShaderRef> {
    let shader = |key: &ThumbnailKey| if let ThumbnailKey::Effect(shader) = key { Some(shader.clone()) } else { None };
    keys.iter().filter_map(shader).collect()
}

/// An effect alone, with the defaults of its header.
pub fn preview_scene(shader: &ShaderRef) -> Arc<Scene> {
    let mut scene = Scene::new(SceneId(u32::MAX), Cell { column: 0, row: 0 }, format!("preview of {shader}"));
    scene.effects.push(Effect::new(EffectId(1), shader.clone()));
    Arc::new(scene)
}
