//! Composing: the score, the live state and a moment become the numbers of one frame. Pure.
//!
//! Allocates nothing once a plan is warm. Silent scenes are left out.

use super::score::{LinearPalette, Moving, Score, ScoredEffect, ScoredParam, ScoredScene, ScoredValue};
use crate::model::palette::GRADIENT_STOPS;
use crate::model::scene::SceneBlend;
use crate::shading::header::ParamKind;
use crate::show::live::{Live, Moment};
use crate::show::triggers::Triggers;
use crate::units::Bpm;
use std::ops::Range;

/// `beat` in a shader starts over after so many beats, so that 32-bit float still tells 1/2048 of a beat.
pub const BEAT_WRAP: f64 = 4096.0;
/// `seconds` in a shader starts over after an hour.
pub const SECONDS_WRAP: f64 = 3600.0;
/// Beats in a bar, and in a progress without a curve.
const BAR: f64 = 4.0;

/// One scene of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePass {
    /// Its place in the score.
    pub scene: usize,
    /// Its slots in the plan.
    pub slots: Range<usize>,
    /// Rows of the lamp texture to draw.
    pub rows: Range<usize>,
    /// How it meets the scenes before it.
    pub blend: SceneBlend,
}

/// The numbers of one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FramePlan {
    /// In the order they are drawn.
    pub passes: Vec<ScenePass>,
    /// All blocks. Each starts at a multiple of the alignment.
    pub slots: Vec<[f32; 4]>,
    /// A row of stops for each effect that reads a gradient.
    pub palette: Vec<[[f32; 4]; GRADIENT_STOPS]>,
}

/// What all numbers of a frame have in common.
struct Now<'a> {
    secs: f64,
    bpm: Bpm,
    triggers: &'a Triggers,
}

/// Writes the plan of a moment. Blocks start at multiples of `alignment` slots.
pub fn compose(score: &Score, live: &Live, now: Moment, bpm: Bpm, alignment: usize, plan: &mut FramePlan) {
    plan.passes.clear();
    plan.slots.clear();
    plan.palette.clear();
    let frame = Now { secs: now.secs, bpm, triggers: &live.triggers };
    for (index, scored) in score.scenes.iter().enumerate() {
        let weight = live.weight(&scored.scene, now);
        if weight <= 0.0 || scored.rows.is_empty() {
            continue;
        }
        let beat = live.scene_beat(&scored.scene, now.beat);
        let weight = weight * scored.opacity.at(beat, frame.triggers, frame.secs);
        if weight <= 0.0 {
            continue;
        }
        let start = plan.slots.len().next_multiple_of(alignment.max(1));
        plan.slots.resize(start + scored.slots, [0.0; 4]);
        plan.slots[start] = [weight, scored.layer as f32, 0.0, 0.0];
        for effect in &scored.effects {
            write_effect(effect, scored, beat, &frame, start, plan);
        }
        let (rows, blend) = (scored.rows.clone(), scored.key.blend);
        plan.passes.push(ScenePass { scene: index, slots: start..start + scored.slots, rows, blend });
    }
}

/// Writes the plan of one scene at full weight, all of its effects on layer 0, at its own beat.
pub fn compose_alone(scored: &ScoredScene, live: &Live, now: Moment, bpm: Bpm, plan: &mut FramePlan) {
    let beat = live.scene_beat(&scored.scene, now.beat);
    let frame = Now { secs: now.secs, bpm, triggers: &live.triggers };
    plan.passes.clear();
    plan.palette.clear();
    plan.slots.clear();
    plan.slots.resize(scored.slots, [0.0; 4]);
    plan.slots[0][0] = 1.0;
    for effect in &scored.effects {
        write_effect(effect, scored, beat, &frame, 0, plan);
        plan.slots[effect.slot + 2][2] = 0.0;
    }
}

fn write_effect(
    effect: &ScoredEffect,
    scene: &ScoredScene,
    scene_beat: f64,
    now: &Now<'_>,
    block: usize,
    plan: &mut FramePlan,
) {
    let beat = scene_beat + effect.beat_offset;
    let shift = effect.colour_shift.at(beat, now.triggers, now.secs);
    let LinearPalette { colours, gradient } = &scene.palette;
    let row = plan.palette.len();
    if effect.gradient {
        plan.palette.push(gradient.map(|stop| with_alpha(shifted(stop, shift))));
    }
    let slots = &mut plan.slots[block + effect.slot..block + scene.slots];
    let run = beat * effect.speed;
    let progress = effect.progress.as_ref().map_or_else(|| (run / BAR).rem_euclid(1.0), |curve| curve.at(run));
    let bar = (beat / BAR).rem_euclid(1.0);
    let numbers = [
        progress,
        beat.rem_euclid(BEAT_WRAP),
        bar,
        now.secs.rem_euclid(SECONDS_WRAP),
        now.bpm.get(),
        effect.speed,
        random(effect.seed, 0),
        random(effect.seed, beat.floor() as i64 as u32),
    ];
    for (place, number) in numbers.into_iter().enumerate().filter(|(place, _)| effect.reads[*place]) {
        slots[place / 4][place % 4] = number as f32;
    }
    let opacity = effect.opacity.at(beat, now.triggers, now.secs).clamp(0.0, 1.0);
    slots[2] = [opacity, row as f32, effect.layer as f32, 0.0];
    slots[3] = with_alpha(shifted(colours[0], shift));
    slots[4] = with_alpha(shifted(colours[1], shift));
    for param in &effect.params {
        write_param(param, beat, now, slots);
    }
}

fn write_param(param: &ScoredParam, beat: f64, now: &Now<'_>, slots: &mut [[f32; 4]]) {
    let numbers = match &param.value {
        ScoredValue::Fixed(numbers) => *numbers,
        ScoredValue::Number(moving) => [number(moving, &param.kind, beat, now), 0.0, 0.0],
        ScoredValue::Point(components) => {
            let [x, y] = components.each_ref().map(|moving| moving.at(beat, now.triggers, now.secs));
            [x, y, 0.0]
        }
    };
    let place = param.place;
    let width = param.kind.width();
    slots[place.slot][place.component..place.component + width].copy_from_slice(&numbers[..width]);
}

/// From the units of the screen to the shader's, within the declared range.
fn number(moving: &Moving, kind: &ParamKind, beat: f64, now: &Now<'_>) -> f32 {
    let value = moving.at(beat, now.triggers, now.secs);
    match kind {
        ParamKind::Float { min, max, .. } => value.clamp(*min, *max),
        ParamKind::Int { min, max, .. } => value.round().clamp(*min as f32, *max as f32),
        ParamKind::Percent { .. } => value.clamp(0.0, 100.0) / 100.0,
        ParamKind::Degrees { .. } => value.to_radians(),
        _ => value,
    }
}

fn with_alpha([r, g, b]: [f32; 3]) -> [f32; 4] {
    [r, g, b, 1.0]
}

/// Turns the hue of a linear colour by so many turns and keeps its greatest and least component.
fn shifted(colour: [f32; 3], turns: f32) -> [f32; 3] {
    let [r, g, b] = colour;
    let (max, min) = (r.max(g).max(b), r.min(g).min(b));
    let range = max - min;
    if turns == 0.0 || range <= 0.0 || !turns.is_finite() {
        return colour;
    }
    let hue = match max {
        max if max == r => (g - b) / range,
        max if max == g => (b - r) / range + 2.0,
        _ => (r - g) / range + 4.0,
    };
    let hue = hue + turns * 6.0;
    [5.0, 3.0, 1.0].map(|offset| {
        let k = (offset + hue).rem_euclid(6.0);
        max - range * k.min(4.0 - k).clamp(0.0, 1.0)
    })
}

/// 0..1, the same for the same arguments.
fn random(seed: u32, step: u32) -> f64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9) ^ step.wrapping_mul(0x85eb_ca6b);
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    f64::from((x ^ x >> 16) >> 8) / 16_777_216.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: [f32; 3], b: [f32; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
    }

    #[test]
    fn a_third_of_a_turn_makes_red_green_and_a_whole_one_changes_nothing() {
        assert!(near(shifted([1.0, 0.0, 0.0], 1.0 / 3.0), [0.0, 1.0, 0.0]));
        assert!(near(shifted([0.0, 1.0, 0.0], 1.0 / 3.0), [0.0, 0.0, 1.0]));
        assert!(near(shifted([0.2, 0.7, 0.4], 1.0), [0.2, 0.7, 0.4]));
        assert!(near(shifted([0.2, 0.7, 0.4], -0.25), shifted([0.2, 0.7, 0.4], 0.75)));
        assert!(near(shifted([0.5; 3], 0.3), [0.5; 3]));
    }

    #[test]
    fn random_numbers_differ_by_effect_and_beat_and_stay_below_one() {
        assert_ne!(random(1, 1), random(1, 2));
        assert_ne!(random(1, 1), random(2, 1));
        assert!((0..1000).all(|step| (0.0..1.0).contains(&random(7, step))));
    }
}
