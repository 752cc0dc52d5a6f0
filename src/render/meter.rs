//! The meter: what it costs to draw each scene, measured one scene at a time and a few times a second.
//!
//! On the render thread. A GPU times its own work and is asked a frame later. A software driver's timer counts whole
//! batches of draws, so there the draw is waited for, on the clock.

use super::score::{ProgramKey, ScoredScene};
use crate::gl::GlError;
use crate::gl::gpu::Gpu;
use crate::gl::query::Timer;
use crate::model::id::SceneId;
use std::collections::HashMap;
use std::time::Instant;

/// Seconds between two measurements.
const INTERVAL: f64 = 0.05;
/// Seconds between two frames in which all are measured because frames come late.
const ALL_INTERVAL: f64 = 0.25;
/// The least of so many measurements counts: others had the processor in the rest.
const SAMPLES: usize = 3;

/// A pass of which nothing is known is measured on this part of its rows.
const PROBE_PARTS: usize = 32;

/// A scene, and the first effect of what is drawn of it: a scene may be drawn in several passes.
pub type PassId = (SceneId, u32);

/// Which pass this is.
pub fn pass_id(scored: &ScoredScene) -> PassId {
    (scored.scene.id, scored.effects.first().map_or(0, |effect| effect.seed))
}

/// What each pass costs.
pub struct Meter {
    /// Of a GPU; and what it is timing, with the share of its rows.
    timer: Option<Timer>,
    timed: Option<(PassId, f64)>,
    costs: HashMap<PassId, Cost>,
    due: f64,
    chosen: Option<PassId>,
    /// Whether all passes are measured in this frame.
    all: bool,
    last_all: f64,
    round: u64,
}

struct Cost {
    key: ProgramKey,
    samples: [Option<f64>; SAMPLES],
    round: u64,
}

impl Meter {
    /// Nothing known yet.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn new(gpu: &Gpu) -> Result<Self, GlError> {
        let timer = if gpu.software() { None } else { Timer::new(gpu)? };
        let costs = HashMap::new();
        Ok(Self {
            timer,
            timed: None,
            costs,
            due: 0.0,
            chosen: None,
            all: false,
            last_all: f64::NEG_INFINITY,
            round: 0,
        })
    }

    /// Forgets everything: the lamps are others.
    pub fn clear(&mut self) {
        self.costs.clear();
        self.timed = None;
    }

    /// Starts a frame with these passes at a time in seconds. After a frame that came `late` all are measured.
    pub fn begin(&mut self, passes: &[&ScoredScene], secs: f64, late: bool) {
        // Only what was asked has an answer.
        if let (Some((id, share)), Some(timer)) = (self.timed, &self.timer)
            && let Some(took) = timer.secs()
        {
            self.timed = None;
            self.sample(id, took / share);
        }
        self.round += 1;
        self.all = late && self.timer.is_none() && !(self.last_all..self.last_all + ALL_INTERVAL).contains(&secs);
        if self.all {
            self.last_all = secs;
        }
        self.chosen = None;
        if (self.due - INTERVAL..self.due).contains(&secs) {
            return;
        }
        self.due = secs + INTERVAL;
        let ids: Vec<PassId> = passes.iter().map(|scored| pass_id(scored)).collect();
        self.costs.retain(|id, _| ids.contains(id));
        for (scored, id) in passes.iter().zip(&ids) {
            let known = self.costs.get(id).is_some_and(|cost| cost.key == scored.key);
            if !known {
                self.costs.insert(*id, Cost { key: scored.key.clone(), samples: [None; SAMPLES], round: 0 });
            }
        }
        self.chosen = ids.into_iter().min_by_key(|id| self.costs.get(id).map(|cost| cost.round));
    }

    /// What a pass costs, seconds for all its rows.
    pub fn cost(&self, scored: &ScoredScene) -> Option<f64> {
        let cost = self.costs.get(&pass_id(scored)).filter(|cost| cost.key == scored.key)?;
        cost.samples.iter().flatten().copied().reduce(f64::min)
    }

    /// Draws this share of a pass's rows, and measures it where it is its turn.
    pub fn draw(&mut self, gpu: &Gpu, scored: &ScoredScene, share: f64, draw: impl FnOnce()) {
        let id = pass_id(scored);
        let measured = share > 0.0 && (self.all || self.chosen == Some(id));
        match &self.timer {
            Some(timer) if measured && self.timed.is_none() => {
                timer.time(draw);
                self.timed = Some((id, share));
            }
            None if measured => {
                let took = on_the_clock(gpu, draw);
                self.sample(id, took / share);
            }
            _ => draw(),
        }
    }

    /// Measures a pass that nothing is known of by drawing some of its `rows`, waited for. `draw` draws so many.
    pub fn probe(&mut self, gpu: &Gpu, scored: &ScoredScene, rows: usize, draw: impl Fn(usize)) {
        // A program's first draw is no measure: some drivers compile at it.
        draw(1);
        let some = rows.div_ceil(PROBE_PARTS).max(2);
        // The lesser of two: others had the processor in the rest.
        let twice = |rows| on_the_clock(gpu, || draw(rows)).min(on_the_clock(gpu, || draw(rows)));
        let (one, more) = (twice(1), twice(some));
        // What a draw costs without any row is not taken times the rows.
        let row = (more - one).max(0.0) / (some - 1) as f64;
        let fresh = Cost { key: scored.key.clone(), samples: [None; SAMPLES], round: self.round };
        self.costs.insert(pass_id(scored), fresh);
        self.sample(pass_id(scored), one + row * rows.saturating_sub(1) as f64);
    }

    fn sample(&mut self, id: PassId, secs: f64) {
        if let Some(cost) = self.costs.get_mut(&id) {
            cost.samples.rotate_right(1);
            cost.samples[0] = Some(secs);
            cost.round = self.round;
        }
    }
}

/// Seconds that a draw takes when nothing else is being drawn.
fn on_the_clock(gpu: &Gpu, draw: impl FnOnce()) -> f64 {
    gpu.finish();
    let start = Instant::now();
    draw();
    gpu.finish();
    start.elapsed().as_secs_f64()
}
