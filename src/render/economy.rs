//! Economy: how each pass of a frame gets into the picture so that the show keeps its rate.
//!
//! On the render thread. Brings the meter (what passes cost), the throttle (in how many steps they are drawn) and held
//! scenes together. Offline nothing of it is used: there every pass is drawn in every frame.

use super::canvas::mix_program;
use super::compose::{FramePlan, ScenePass};
use super::gather::ROW;
use super::held::{Held, Job, Step, Way};
use super::programs::{Programs, SceneProgram};
use super::score::{Score, ScoredScene};
use super::throttle::steps;
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Program};
use crate::show::snapshot::SceneCost;

/// A frame and what it is made of.
#[derive(Clone, Copy)]
pub struct Drawing<'a> {
    /// Its numbers.
    pub plan: &'a FramePlan,
    /// What can sound.
    pub score: &'a Score,
    /// Programs that are ready.
    pub programs: &'a Programs,
}

/// How fast a show must be drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// The moment, seconds.
    pub secs: f64,
    /// What all scenes together may take of a frame, seconds; without one nothing is throttled.
    pub allowed: Option<f64>,
    /// Whether the last frame took longer than it may.
    pub late: bool,
}

/// Decides how passes get into the picture.
pub struct Economy {
    /// Mixes a held scene: its texture by its weight.
    pub mix: Program,
    /// Of this frame, in the order of its passes.
    pub ways: Vec<Way>,
    /// What is drawn into textures of its own before.
    pub jobs: Vec<Job>,
    /// The frame's numbers, and those of the jobs.
    pub numbers: FramePlan,
    held: Held,
    costs: Vec<Option<f64>>,
    steps: Vec<usize>,
    before: Vec<usize>,
}

impl<'a> Drawing<'a> {
    /// The scene of a pass.
    pub fn scored(&self, pass: &ScenePass) -> &'a ScoredScene {
        &self.score.scenes[pass.scene]
    }

    /// Its program, when it is ready.
    pub fn program(&self, pass: &ScenePass) -> Option<&'a SceneProgram> {
        self.programs.get(&self.scored(pass).key)
    }
}

impl Economy {
    /// Nothing known yet.
    ///
    /// # Errors
    /// When the driver refuses the program.
    pub fn new(gpu: &Gpu) -> Result<Self, GlError> {
        Ok(Self {
            mix: mix_program(gpu)?,
            ways: Vec::new(),
            jobs: Vec::new(),
            numbers: FramePlan::default(),
            held: Held::default(),
            costs: Vec::new(),
            steps: Vec::new(),
            before: Vec::new(),
        })
    }

    /// Forgets everything: the lamps are others.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// Nothing is drawn in this frame.
    pub fn rest(&mut self) {
        self.jobs.clear();
        self.ways.clear();
    }

    /// Textures of scenes.
    pub fn held(&self) -> &Held {
        &self.held
    }

    /// Decides for every pass of a frame, by what each costs in seconds where that is known. `rows` are the lamp
    /// texture's.
    pub fn decide(
        &mut self,
        gpu: &Gpu,
        drawing: Drawing<'_>,
        costs: impl Iterator<Item = Option<f64>>,
        allowed: Option<f64>,
        rows: usize,
    ) {
        let Drawing { plan, .. } = drawing;
        self.numbers.clone_from(plan);
        self.ways.clear();
        self.jobs.clear();
        self.held.begin();
        self.costs.clear();
        self.costs.extend(costs);
        std::mem::swap(&mut self.steps, &mut self.before);
        steps(&self.costs, allowed.unwrap_or(f64::INFINITY), &self.before, &mut self.steps);
        for (number, pass) in plan.passes.iter().enumerate() {
            let holds = drawing.program(pass).is_some_and(|program| program.replaces);
            let alignment = gpu.block_alignment.div_ceil(16);
            let step =
                Step { number, scored: drawing.scored(pass), steps: self.steps[number], alignment, size: (rows, ROW) };
            // Without room, or before the program is ready for it, a scene is drawn as ever.
            let decided = if holds { self.held.decide(gpu, &step, &mut self.numbers).ok() } else { None };
            let (way, job) = decided.unwrap_or((Way::Direct, None));
            self.ways.push(way);
            self.jobs.extend(job);
        }
    }

    /// Passes of the last frame that were drawn, in whole or in part; the others were mixed from what was held.
    pub fn drawn(&self) -> usize {
        self.jobs.len() + self.ways.iter().filter(|way| **way == Way::Direct).count()
    }

    /// What the passes of the last frame cost, as far as it is known.
    pub fn scene_costs(&self, drawing: Drawing<'_>) -> Vec<SceneCost> {
        // A scene that stays as it is is not drawn, in however many steps.
        let in_steps = |number: usize, pass: &ScenePass| {
            self.jobs.iter().any(|job| job.pass == number && job.rows.len() < pass.rows.len())
        };
        let passes = drawing.plan.passes.iter().zip(&self.costs).zip(&self.steps).enumerate();
        let mut costs: Vec<SceneCost> = Vec::new();
        for (number, ((pass, secs), steps)) in passes {
            let Some(secs) = *secs else { continue };
            let steps = if in_steps(number, pass) { *steps as u32 } else { 1 };
            let (id, ms) = (drawing.scored(pass).scene.id, secs as f32 * 1e3);
            match costs.iter_mut().find(|cost| cost.id == id) {
                // A scene may be drawn in several passes.
                Some(cost) => (cost.ms, cost.steps) = (cost.ms + ms, cost.steps.max(steps)),
                None => costs.push(SceneCost { id, ms, steps }),
            }
        }
        costs.sort_by_key(|cost| cost.id);
        costs
    }
}
