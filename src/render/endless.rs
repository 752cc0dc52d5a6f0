//! Endless loops: which effects ran out of turns at the loop guard, asked of the GPU a few times a second.
//!
//! On the render thread. Each question draws one scene over a few rows once more, after the frame is out: it lights
//! nothing and leaves only texels where the effect in question ran out. Whether any was left is answered later,
//! without waiting. This decides what to ask and what to tell; `picture` draws.

use super::compose::FramePlan;
use super::score::Score;
use crate::model::id::SceneId;
use crate::model::project::Project;
use crate::notice::Notice;
use std::collections::BTreeSet;
use std::ops::Range;

/// Seconds between two questions.
const INTERVAL: f64 = 0.25;
/// Rows of the lamp texture that a question looks at, so that it costs little: 21 760 lamps.
const ROWS: usize = 16;

/// An effect of a scene; its number is [`super::score::ScoredEffect::seed`].
type EffectPlace = (SceneId, u32);

/// Where to look for an effect that ran out of turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The scene's place among the passes of the plan.
    pub pass: usize,
    /// The effect's place in the scene's program, from 1.
    pub part: usize,
    /// Rows of the lamp texture.
    pub rows: Range<usize>,
    effect: EffectPlace,
}

/// Asks about one effect and window after the other.
#[derive(Default)]
pub struct EndlessLoops {
    turn: usize,
    /// Time of the last question.
    last: Option<f64>,
    asked: Option<EffectPlace>,
    told: BTreeSet<EffectPlace>,
}

impl EndlessLoops {
    /// Tells again what it finds, after a change.
    pub fn forget(&mut self) {
        *self = Self { turn: self.turn, last: self.last, ..Self::default() };
    }

    /// Whether an answer is still out.
    pub fn waits(&self) -> bool {
        self.asked.is_some()
    }

    /// What to ask now, in seconds of the show's time. Counts as asked.
    pub fn question(&mut self, plan: &FramePlan, score: &Score, secs: f64) -> Option<Question> {
        if self.last.is_some_and(|last| secs < last + INTERVAL) {
            return None;
        }
        self.last = Some(secs);
        let told = &self.told;
        let questions = || questions(plan, score).filter(move |question| !told.contains(&question.effect));
        let question = questions().nth(self.turn.checked_rem(questions().count())?)?;
        self.turn = self.turn.wrapping_add(1);
        self.asked = Some(question.effect);
        Some(question)
    }

    /// Takes the answer to the last question. What to tell, if the effect ran out of turns.
    pub fn answered(&mut self, endless: bool, project: &Project) -> Option<Notice> {
        let place = self.asked.take().filter(|_| endless)?;
        self.told.insert(place);
        let (scene, effect) = place;
        let scene = project.scene(scene)?;
        let effect = scene.effects.iter().find(|other| other.id.0 == effect)?;
        let name = project.shader_name(&effect.shader);
        let text = format!("Effect {name} of scene {} loops without end; it gives no light there.", scene.name);
        Some(Notice::error("shader", text).keyed(format!("endless {} {}", scene.id.0, effect.id.0)))
    }
}

fn questions<'a>(plan: &'a FramePlan, score: &'a Score) -> impl Iterator<Item = Question> + 'a {
    plan.passes.iter().enumerate().flat_map(move |(pass, drawn)| {
        let scene = &score.scenes[drawn.scene];
        let guarded = (1..).zip(&scene.effects).filter(|(_, effect)| effect.text.isolated.guarded());
        guarded.flat_map(move |(part, effect)| {
            let effect = (scene.scene.id, effect.seed);
            let rows = drawn.rows.clone();
            rows.clone().step_by(ROWS).map(move |start| {
                let rows = start..rows.end.min(start + ROWS);
                Question { pass, part, rows, effect }
            })
        })
    })
}
