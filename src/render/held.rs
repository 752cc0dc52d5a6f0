//! Held scenes: light of a scene that is kept in a texture of its own and mixed from there.
//!
//! A scene whose numbers stay the same is drawn once. A scene that is throttled is drawn in steps, some rows a frame,
//! into a second texture that takes over when it is whole, so that nothing is ever seen half drawn. Decides what to
//! draw where; `picture` draws it.

use super::compose::{FramePlan, ScenePass};
use super::meter::{PassId, pass_id};
use super::score::{ProgramKey, ScoredScene};
use crate::gl::GlError;
use crate::gl::gpu::Gpu;
use crate::gl::texture::{Format, Target};
use crate::model::palette::GRADIENT_STOPS;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes that scenes may take which are held only because they are still.
const STILL_ROOM: usize = 64 << 20;
/// A texture that has not been used for so many frames is freed.
const UNUSED_FRAMES: u64 = 300;

/// Everything that a pass's light depends on besides its program and its weight.
#[derive(Clone, Debug, Default, PartialEq)]
struct Inputs {
    /// Its block, at full weight; rows of the palette are counted from its own first.
    slots: Vec<[f32; 4]>,
    palette: Vec<[[f32; 4]; GRADIENT_STOPS]>,
}

impl Inputs {
    fn read(&mut self, pass: &ScenePass, scored: &ScoredScene, plan: &FramePlan) {
        self.slots.clear();
        self.slots.extend_from_slice(&plan.slots[pass.slots.clone()]);
        self.slots[0][0] = 1.0;
        self.palette.clear();
        for effect in scored.effects.iter().filter(|effect| effect.gradient) {
            let row = &mut self.slots[effect.slot + 2][1];
            let stops = plan.palette.get(*row as usize).copied().unwrap_or_default();
            *row = self.palette.len() as f32;
            self.palette.push(stops);
        }
    }

    /// Adds its numbers to those of a frame; where its block lies.
    fn write(&self, scored: &ScoredScene, alignment: usize, plan: &mut FramePlan) -> Range<usize> {
        let start = plan.slots.len().next_multiple_of(alignment.max(1));
        plan.slots.resize(start, [0.0; 4]);
        plan.slots.extend_from_slice(&self.slots);
        for effect in scored.effects.iter().filter(|effect| effect.gradient) {
            plan.slots[start + effect.slot + 2][1] += plan.palette.len() as f32;
        }
        plan.palette.extend_from_slice(&self.palette);
        start..plan.slots.len()
    }
}

/// How a pass gets into the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is drawn there.
    Direct,
    /// It is mixed from its texture.
    Held,
    /// Not yet.
    Silent,
}

/// Rows to draw into a pass's texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Which pass of the plan.
    pub pass: usize,
    /// Rows of the lamps.
    pub rows: Range<usize>,
    /// Its block.
    pub slots: Range<usize>,
    /// Whether it is the texture that is shown.
    pub into_shown: bool,
}

/// Rows that are drawn one step after the other.
struct Cycle {
    inputs: Inputs,
    next: usize,
    step: usize,
}

/// The textures of a pass.
struct Layer {
    key: ProgramKey,
    /// What the front shows; `None` before it is whole.
    shown: Option<Inputs>,
    front: Target,
    back: Option<Target>,
    cycle: Option<Cycle>,
}

/// A pass that sounds.
#[derive(Default)]
struct Track {
    /// Of the last frame.
    inputs: Inputs,
    layer: Option<Layer>,
    /// The last frame in which it was decided, and the last in which it was lit.
    used: u64,
    lit: Option<u64>,
}

/// All passes that sound.
#[derive(Default)]
pub struct Held {
    tracks: HashMap<PassId, Track>,
    frame: u64,
    /// Bytes that are left for still scenes.
    room: usize,
    /// Reused for the inputs of the pass in hand.
    now: Inputs,
}

/// A pass and how it may be drawn.
pub struct Step<'a> {
    /// Its place in the plan.
    pub number: usize,
    /// What it is.
    pub scored: &'a ScoredScene,
    /// In how many steps it is drawn.
    pub steps: usize,
    /// Blocks start at multiples of so many slots.
    pub alignment: usize,
    /// Rows of the lamp texture, each so wide.
    pub size: (usize, usize),
}

impl Held {
    /// Frees everything: the lamps are others.
    pub fn clear(&mut self) {
        self.tracks.clear();
    }

    /// Starts a frame; frees what has not been used for long.
    pub fn begin(&mut self) {
        self.frame += 1;
        let frame = self.frame;
        self.tracks.retain(|_, track| frame - track.used < UNUSED_FRAMES);
        let layers = self.tracks.values().filter_map(|track| track.layer.as_ref());
        self.room = STILL_ROOM.saturating_sub(layers.map(Layer::bytes).sum());
    }

    /// Whether anything is half drawn, so that the picture goes on even if no number changes.
    pub fn is_busy(&self) -> bool {
        let busy = |track: &Track| track.used == self.frame && track.layer.as_ref().is_some_and(|l| l.cycle.is_some());
        self.tracks.values().any(busy)
    }

    /// The texture of a pass that is mixed from there, or else the one that is being drawn.
    pub fn target(&self, scored: &ScoredScene, shown: bool) -> Option<&Target> {
        let layer = self.tracks.get(&pass_id(scored))?.layer.as_ref()?;
        if shown { Some(&layer.front) } else { layer.back.as_ref() }
    }

    /// Decides a pass of a frame. Numbers of what is to be drawn are added to the plan.
    ///
    /// # Errors
    /// When the driver has no room for a texture; the pass should be drawn directly then.
    pub fn decide(&mut self, gpu: &Gpu, step: &Step<'_>, plan: &mut FramePlan) -> Result<(Way, Option<Job>), GlError> {
        let decided = self.decide_way(gpu, step, plan);
        if let (Ok((Way::Direct | Way::Held, _)) | Err(_), Some(track)) =
            (&decided, self.tracks.get_mut(&pass_id(step.scored)))
        {
            track.lit = Some(self.frame);
        }
        decided
    }

    fn decide_way(&mut self, gpu: &Gpu, step: &Step<'_>, plan: &mut FramePlan) -> Result<(Way, Option<Job>), GlError> {
        let Step { number, scored, steps, .. } = step;
        let pass = plan.passes[*number].clone();
        self.now.read(&pass, scored, plan);
        let track = self.tracks.entry(pass_id(scored)).or_default();
        track.used = self.frame;
        let still = track.inputs == self.now;
        if !still {
            track.inputs.clone_from(&self.now);
        }
        if track.layer.as_ref().is_some_and(|layer| layer.key != scored.key) {
            track.layer = None;
        }
        let whole = |layer: &Layer| layer.shown.as_ref() == Some(&self.now);
        if (still || *steps > 1) && track.layer.as_ref().is_some_and(whole) {
            if let Some(layer) = &mut track.layer {
                layer.cycle = None;
            }
            return Ok((Way::Held, None));
        }
        let bytes = step.size.0 * step.size.1 * Format::Rgba16F.bytes();
        if *steps == 1 && (!still || (track.layer.is_none() && bytes > self.room)) {
            if let Some(layer) = &mut track.layer {
                layer.cycle = None;
            }
            return Ok((Way::Direct, None));
        }
        let was_lit = track.lit.is_some_and(|lit| lit + 1 == self.frame);
        let layer = match &mut track.layer {
            Some(layer) => layer,
            none => {
                self.room = self.room.saturating_sub(bytes);
                none.insert(Layer::new(gpu, step)?)
            }
        };
        // What was lit a frame ago must not go dark while its first steps are drawn.
        if *steps == 1 || (layer.shown.is_none() && was_lit) {
            return Ok((Way::Held, Some(layer.draw_whole(step, &pass, &self.now, plan))));
        }
        layer.advance(gpu, step, &pass, &self.now, plan)
    }
}

impl Layer {
    fn bytes(&self) -> usize {
        let texels = |target: &Target| target.texture.size.width * target.texture.size.height;
        (texels(&self.front) + self.back.as_ref().map_or(0, texels)) * Format::Rgba16F.bytes()
    }

    fn new(gpu: &Gpu, step: &Step<'_>) -> Result<Self, GlError> {
        let front = Target::new(gpu, Format::Rgba16F, step.size.1, step.size.0)?;
        Ok(Self { key: step.scored.key.clone(), shown: None, front, back: None, cycle: None })
    }

    fn draw_whole(&mut self, step: &Step<'_>, pass: &ScenePass, now: &Inputs, plan: &mut FramePlan) -> Job {
        self.cycle = None;
        self.shown = Some(now.clone());
        let rows = pass.rows.start..pass.rows.end.min(step.size.0);
        let slots = now.write(step.scored, step.alignment, plan);
        Job { pass: step.number, rows, slots, into_shown: true }
    }

    /// The next rows to draw.
    fn advance(
        &mut self,
        gpu: &Gpu,
        step: &Step<'_>,
        pass: &ScenePass,
        now: &Inputs,
        plan: &mut FramePlan,
    ) -> Result<(Way, Option<Job>), GlError> {
        let Step { number, scored, steps, alignment, size } = step;
        let rows = pass.rows.start..pass.rows.end.min(size.0);
        if self.back.is_none() {
            self.back = Some(Target::new(gpu, Format::Rgba16F, size.1, size.0)?);
        }
        let height = rows.len().div_ceil(*steps).max(1);
        let start = || Cycle { inputs: now.clone(), next: rows.start, step: height };
        let cycle = self.cycle.get_or_insert_with(start);
        // A scene that got dearer on the way is not let go on at the old pace.
        cycle.step = cycle.step.min(height);
        let drawn = cycle.next..(cycle.next + cycle.step).min(rows.end);
        cycle.next = drawn.end;
        let slots = cycle.inputs.write(scored, *alignment, plan);
        let mut job = Job { pass: *number, rows: drawn, slots, into_shown: false };
        if job.rows.end >= rows.end
            && let (Some(done), Some(back)) = (self.cycle.take(), &mut self.back)
        {
            std::mem::swap(&mut self.front, back);
            self.shown = Some(done.inputs);
            job.into_shown = true;
        }
        Ok((if self.shown.is_some() { Way::Held } else { Way::Silent }, Some(job)))
    }
}
