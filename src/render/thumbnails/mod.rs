//! Thumbnails: what is watched as it looks alone, drawn a little at a time when the frame is out.
//!
//! On the render thread. `turns` says whose turn it is and for how long, `canvas` draws. Scenes are drawn by the
//! programs they sound with; a scene without one keeps its last picture. Deliberately absent: compiling anything.

pub mod canvas;
mod turns;

use super::compose::{FramePlan, compose_alone};
use super::lamp_samples::Samples;
use super::programs::Programs;
use super::score::{ProgramKey, Score, ScoredScene};
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix};
use crate::model::effect::{Effect, Selection, ShaderRef};
use crate::model::id::{EffectId, SceneId};
use crate::model::layout::Frame;
use crate::model::scene::{Cell, Scene};
use crate::show::Show;
use crate::show::live::Moment;
use crate::show::thumbnail::{HEIGHT, LampPlaces, Thumbnail, ThumbnailKey, WIDTH};
use canvas::{Canvas, Inputs};
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
    places: Option<Arc<LampPlaces>>,
    drawn: Option<(ProgramKey, FramePlan)>,
}

/// A thumbnail that is being drawn.
struct Job {
    key: ThumbnailKey,
    program: ProgramKey,
    plan: FramePlan,
    /// Rows that there are, and that are done.
    height: usize,
    rows: usize,
}

/// Lamps of a rig, also as programs read them.
struct Lamps {
    samples: Arc<Samples>,
    inputs: Inputs,
}

/// All thumbnails that are watched.
#[derive(Default)]
pub struct Thumbnails {
    turns: Turns,
    slots: BTreeMap<ThumbnailKey, Slot>,
    job: Option<Job>,
    /// Made when somebody first looks.
    canvas: Option<Canvas>,
    /// Made when a matrix is first looked at, and for another frame.
    matrix: Option<(Frame, Inputs)>,
    /// Lamps of each layer of the map, and those that are watched as programs read them.
    samples: Vec<Arc<Samples>>,
    lamps: BTreeMap<Option<Selection>, Lamps>,
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
        let slots = &self.slots;
        self.lamps.retain(|of, _| slots.keys().any(|key| matches!(key, ThumbnailKey::Lamps(_, with) if with == of)));
        self.changed = true;
        self.publish();
    }

    /// From now on the rig has these lamps, some of each of its layers.
    pub fn follow_map(&mut self, samples: Vec<Arc<Samples>>) {
        self.samples = samples;
        self.lamps.clear();
        let of_lamps = |key: &ThumbnailKey| matches!(key, ThumbnailKey::Lamps(..));
        self.job = self.job.take().filter(|job| !of_lamps(&job.key));
        let mut slots = self.slots.iter_mut();
        slots.by_ref().filter(|(key, _)| of_lamps(key)).for_each(|(_, slot)| slot.drawn = None);
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
        let height = job.height;
        let rows = self.turns.rows(&key, height - job.rows);
        if (job.rows < height && rows == 0) || (job.rows == height && !self.turns.may_read()) {
            self.job = Some(job);
            return Ok(None);
        }
        if self.prepare(&key, of)? {
            job.rows = 0;
        }
        let Self { canvas: Some(canvas), matrix, lamps, scratch, .. } = self else { return Ok(None) };
        let inputs = match &key {
            ThumbnailKey::Lamps(_, selection) => lamps.get(selection).map(|lamps| &lamps.inputs),
            _ => matrix.as_ref().map(|(_, inputs)| inputs),
        };
        // The map has no such layout any more.
        let Some(inputs) = inputs else { return Ok(Some((key, Step::Look))) };
        if job.rows == height {
            scratch.resize(WIDTH * HEIGHT * 4, 0);
            canvas.read(of.gpu, scratch);
            self.keep(job);
            return Ok(Some((key, Step::Read)));
        }
        if job.rows == 0 {
            canvas.begin(of.gpu, &job.plan)?;
        }
        let next = height.min(job.rows + rows.max(1));
        canvas.draw(of.gpu, inputs, (program, Mix::from(job.program.blend)), job.rows..next);
        let drawn = next - job.rows;
        job.rows = next;
        self.job = Some(job);
        Ok(Some((key, Step::Draw(drawn))))
    }

    /// Makes what a thumbnail is drawn with, where there is nothing that fits; whether it did.
    fn prepare(&mut self, key: &ThumbnailKey, of: &Subjects<'_>) -> Result<bool, GlError> {
        if self.canvas.is_none() {
            self.canvas = Some(Canvas::new(of.gpu)?);
        }
        if let ThumbnailKey::Lamps(_, selection) = key {
            let samples = self.samples_of(selection).cloned();
            let Some(samples) = samples.filter(|_| !self.lamps.contains_key(selection)) else { return Ok(false) };
            let inputs = Inputs::of_lamps(of.gpu, &samples)?;
            self.lamps.insert(selection.clone(), Lamps { samples, inputs });
            return Ok(true);
        }
        if self.matrix.as_ref().is_some_and(|(frame, _)| *frame == of.frame) {
            return Ok(false);
        }
        self.matrix = Some((of.frame, Inputs::matrix(of.gpu, &of.frame)?));
        self.slots.values_mut().for_each(|slot| slot.drawn = None);
        Ok(true)
    }

    fn samples_of(&self, selection: &Option<Selection>) -> Option<&Arc<Samples>> {
        self.samples.iter().find(|samples| samples.selection == *selection)
    }

    /// Rows of a thumbnail; none of a layout that the map was not made for.
    fn height(&self, key: &ThumbnailKey) -> usize {
        match key {
            ThumbnailKey::Lamps(_, selection) => {
                self.samples_of(selection).map_or(0, |samples| samples.lamps.len().div_ceil(WIDTH))
            }
            _ => HEIGHT,
        }
    }

    /// Begins the turn of whoever is next, if there is anything new to draw.
    fn look(&mut self, of: &Subjects<'_>) -> Option<(ThumbnailKey, Step)> {
        let key = self.turns.next(of.now.secs, |key| PERIODS[usize::from(!of.is_lively(key))])?.clone();
        self.turns.begin(&key, of.now.secs);
        let height = self.height(&key);
        let slot = self.slots.get_mut(&key)?;
        match of.scored(&key) {
            Some(scored) if height > 0 && of.programs.get(&scored.key).is_some() => {
                let mut plan = std::mem::take(&mut self.spare);
                compose_alone(scored, &of.show.live, of.now, of.show.clock.bpm(), &mut plan);
                if slot.drawn.as_ref().is_some_and(|(program, drawn)| *program == scored.key && *drawn == plan) {
                    self.spare = plan;
                } else {
                    let program = scored.key.clone();
                    self.job = Some(Job { key: key.clone(), program, plan, height, rows: 0 });
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
        let places = match &job.key {
            ThumbnailKey::Lamps(_, selection) => {
                self.lamps.get(selection).map(|lamps| Arc::clone(&lamps.samples.places))
            }
            _ => None,
        };
        let length = places.as_ref().map_or(self.scratch.len(), |places| places.positions.len() * 4);
        let Some(slot) = self.slots.get_mut(&job.key) else { return };
        let pixels = &self.scratch[..length.min(self.scratch.len())];
        let moved = slot.places.as_ref().map(Arc::as_ptr) != places.as_ref().map(Arc::as_ptr);
        if moved || slot.pixels.as_ref().is_none_or(|known| **known != *pixels) {
            (slot.pixels, slot.places) = (Some(pixels.into()), places);
            self.changed = true;
        }
        if let Some((_, plan)) = slot.drawn.replace((job.program, job.plan)) {
            self.spare = plan;
        }
    }

    fn publish(&mut self) {
        if std::mem::take(&mut self.changed) {
            let thumbnail = |(key, slot): (&ThumbnailKey, &Slot)| {
                let (pixels, lamps) = (Arc::clone(slot.pixels.as_ref()?), slot.places.clone());
                Some(Thumbnail { key: key.clone(), pixels, lamps })
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
            ThumbnailKey::Effect(shader) | ThumbnailKey::Lamps(shader, _) => {
                self.previews.iter().find(|(previewed, _)| previewed == shader).map(|(_, scored)| scored)
            }
        }
    }

    fn is_lively(&self, key: &ThumbnailKey) -> bool {
        match key {
            ThumbnailKey::Scene(id) => self.show.live.is_playing(*id),
            ThumbnailKey::Effect(_) | ThumbnailKey::Lamps(..) => true,
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
    let shader = |key: &ThumbnailKey| match key {
        ThumbnailKey::Effect(shader) | ThumbnailKey::Lamps(shader, _) => Some(shader.clone()),
        ThumbnailKey::Scene(_) => None,
    };
    keys.iter().filter_map(shader).collect()
}

/// An effect alone, with the defaults of its header.
pub fn preview_scene(shader: &ShaderRef) -> Arc<Scene> {
    let mut scene = Scene::new(SceneId(u32::MAX), Cell { column: 0, row: 0 }, format!("preview of {shader}"));
    scene.effects.push(Effect::new(EffectId(1), shader.clone()));
    Arc::new(scene)
}
