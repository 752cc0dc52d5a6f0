//! The score: everything that can sound, looked up once so that composing a frame only evaluates numbers.
//!
//! Pure; made anew when the project, a shader or the lamp map changes. Holds no live state and no GL.

use super::lamp_map::LampMap;
use super::shaders::{GoodShader, ShaderVersion, Shaders};
use crate::model::curve::Curve;
use crate::model::effect::{Blend, Effect, Modulated, ParamValue};
use crate::model::palette::{GRADIENT_STOPS, Palette};
use crate::model::project::Project;
use crate::model::scene::{Scene, SceneBlend, ScenePalette};
use crate::shading::ShaderText;
use crate::shading::fuse::{ParamPlace, Part, SCENE_SLOTS, param_places};
use crate::shading::header::{Param, ParamKind};
use crate::shading::isolate::INPUTS;
use crate::show::triggers::{TriggerPlace, Triggers};
use std::ops::Range;
use std::sync::Arc;

/// What makes two scenes' programs the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramKey {
    /// Shader, blend mode and whether the selection is the effect's own; in order.
    pub parts: Vec<(ShaderVersion, Blend, bool)>,
    /// How the scene meets others; a driver compiles anew for each.
    pub blend: SceneBlend,
}

impl ProgramKey {
    /// Whether the scene lies over others and must say how much of them it covers.
    pub fn covers(&self) -> bool {
        self.blend == SceneBlend::Over
    }
}

/// A number that is looked up: what it is now, or how it moves.
#[derive(Clone, Debug)]
pub struct Moving {
    base: f32,
    curve: Option<Arc<Curve>>,
    trigger: Option<TriggerPlace>,
}

impl Moving {
    fn look_up(number: Modulated, project: &Project) -> Self {
        Self {
            base: if number.base.is_finite() { number.base } else { 0.0 },
            curve: number.curve.and_then(|id| project.curves.get(id)).cloned(),
            trigger: number.trigger.and_then(|id| TriggerPlace::find(&project.triggers, id)),
        }
    }

    /// base x curve(beat) x level of the trigger at a second of the show.
    pub fn at(&self, beat: f64, triggers: &Triggers, secs: f64) -> f32 {
        let curve = self.curve.as_ref().map_or(1.0, |curve| curve.at(beat) as f32);
        self.base * curve * self.trigger.map_or(1.0, |place| triggers.level(place, secs))
    }
}

/// A parameter ready to be written into its place.
#[derive(Clone, Debug)]
pub struct ScoredParam {
    /// Where its numbers go, from the effect's first slot.
    pub place: ParamPlace,
    /// What it takes.
    pub kind: ParamKind,
    /// What it is.
    pub value: ScoredValue,
}

/// A parameter's value.
#[derive(Clone, Debug)]
pub enum ScoredValue {
    /// A number that may move, in the units of the screen.
    Number(Moving),
    /// The components of a point, at least one of which moves.
    Point(Box<[Moving; 2]>),
    /// Numbers that stay; as many as the kind is wide.
    Fixed([f32; 3]),
}

/// An effect that can sound.
#[derive(Clone, Debug)]
pub struct ScoredEffect {
    /// Seed of its random numbers.
    pub seed: u32,
    /// Header and source.
    pub text: Arc<ShaderText>,
    /// How it meets the effects before it.
    pub blend: Blend,
    /// Whether it lights other lamps than its scene.
    pub own_selection: bool,
    /// Layer of the input textures.
    pub layer: usize,
    /// First slot, from the scene's first.
    pub slot: usize,
    /// Its share.
    pub opacity: Moving,
    /// Turn of the palette's hues.
    pub colour_shift: Moving,
    /// Beats ahead of the scene.
    pub beat_offset: f64,
    /// 2^n.
    pub speed: f64,
    /// What drives progress.
    pub progress: Option<Arc<Curve>>,
    /// Whether it reads the palette's gradient.
    pub gradient: bool,
    /// Which of [`INPUTS`] it reads; a number that is not read must not make a still picture look changed.
    pub reads: [bool; INPUTS.len()],
    /// In the order of the header.
    pub params: Vec<ScoredParam>,
}

/// A palette in linear light.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPalette {
    /// Primary and secondary.
    pub colours: [[f32; 3]; 2],
    /// The gradient's stops.
    pub gradient: [[f32; 3]; GRADIENT_STOPS],
}

/// A scene that can sound.
#[derive(Clone, Debug)]
pub struct ScoredScene {
    /// As it is in the project.
    pub scene: Arc<Scene>,
    /// Its program.
    pub key: ProgramKey,
    /// Whether it is but one effect of a scene whose own program is not ready.
    pub bridge: bool,
    /// Layer of the input textures.
    pub layer: usize,
    /// Rows of the lamp texture that any of its effects lights.
    pub rows: Range<usize>,
    /// Slots of its block.
    pub slots: usize,
    /// What its effects see.
    pub palette: LinearPalette,
    /// What its fader is multiplied by.
    pub opacity: Moving,
    /// In the order they are mixed.
    pub effects: Vec<ScoredEffect>,
}

/// All scenes that can sound, in the order they are mixed: by rows of the grid.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Scenes with at least one effect.
    pub scenes: Vec<ScoredScene>,
}

impl Score {
    /// Looks everything up. Muted effects, effects without a good shader, and selections that the map was not
    /// compiled for are left out.
    pub fn new(project: &Project, shaders: &Shaders, map: &LampMap) -> Self {
        let mut scenes: Vec<_> =
            project.scenes.iter().filter_map(|scene| ScoredScene::new(scene, project, shaders, map)).collect();
        scenes.sort_by_key(|scored| (scored.scene.cell.row, scored.scene.cell.column));
        Self { scenes }
    }
}

impl ScoredScene {
    /// Looks a scene up; `None` when nothing of it can sound on this map.
    pub fn new(scene: &Arc<Scene>, project: &Project, shaders: &Shaders, map: &LampMap) -> Option<Self> {
        let layer = map.layer_of(scene.selection.as_ref())?;
        let mut slot = SCENE_SLOTS;
        let mut effects = Vec::with_capacity(scene.effects.len());
        let mut parts = Vec::with_capacity(scene.effects.len());
        let mut rows = map.layers[layer].rows.clone();
        for effect in scene.effects.iter().filter(|effect| !effect.muted) {
            let own = effect.selection.as_ref().filter(|own| Some(*own) != scene.selection.as_ref());
            let good = shaders.good(&effect.shader);
            let effect_layer = own.map_or(Some(layer), |own| map.layer_of(Some(own)));
            let (Some(good), Some(effect_layer)) = (good, effect_layer) else { continue };
            let scored = scored(effect, slot, project, good);
            slot += param_places(&scored.text.header).1;
            rows = union(rows, &map.layers[effect_layer].rows);
            parts.push((good.version, scored.blend, own.is_some()));
            effects.push(ScoredEffect { layer: effect_layer, own_selection: own.is_some(), ..scored });
        }
        let key = ProgramKey { parts, blend: scene.blend };
        let palette = palette_of(scene, project);
        let (curve, trigger) = (scene.opacity_curve, scene.opacity_trigger);
        let opacity = Moving::look_up(Modulated { base: 1.0, curve, trigger }, project);
        let scene = Arc::clone(scene);
        let lit = !effects.is_empty();
        lit.then_some(Self { scene, key, bridge: false, layer, rows, slots: slot, palette, opacity, effects })
    }

    /// Its effects as parts of a program.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.effects.iter().map(ScoredEffect::part)
    }
}

impl ScoredEffect {
    /// As a part of a program.
    pub fn part(&self) -> Part<'_> {
        Part { text: &self.text, blend: self.blend, own_selection: self.own_selection }
    }
}

fn union(a: Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a,
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

fn palette_of(scene: &Scene, project: &Project) -> LinearPalette {
    let id = match scene.palette {
        ScenePalette::Inherit => project.settings.palette,
        ScenePalette::None => None,
        ScenePalette::Own(id) => Some(id),
    };
    let neutral = Palette::neutral();
    let palette = id.and_then(|id| project.palettes.get(id)).map_or(&neutral, |palette| palette);
    LinearPalette {
        colours: [palette.primary.to_linear(), palette.secondary.to_linear()],
        gradient: palette.gradient.map(|stop| stop.to_linear()),
    }
}

/// The effect with its values looked up, on the topology's layer.
fn scored(effect: &Effect, slot: usize, project: &Project, good: &GoodShader) -> ScoredEffect {
    let (places, _) = param_places(&good.text.header);
    let params = good.text.header.params.iter().zip(places);
    let curve = |id| project.curves.get(id).cloned();
    ScoredEffect {
        seed: effect.id.0,
        text: Arc::clone(&good.text),
        blend: effect.blend,
        own_selection: false,
        layer: 0,
        slot,
        opacity: Moving::look_up(effect.opacity, project),
        colour_shift: Moving::look_up(effect.colour_shift, project),
        beat_offset: finite(effect.beat_offset),
        speed: finite(f64::from(effect.speed_exponent)).clamp(-8.0, 8.0).exp2(),
        progress: effect.progress.and_then(curve),
        gradient: good.text.isolated.uses("gradient"),
        reads: INPUTS.map(|(name, _)| good.text.isolated.uses(name)),
        params: params.map(|(param, place)| scored_param(param, place, effect, project)).collect(),
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn scored_param(param: &Param, place: ParamPlace, effect: &Effect, project: &Project) -> ScoredParam {
    let number = |base: f32| ScoredValue::Number(Moving { base, curve: None, trigger: None });
    let set = effect.params.get(&param.name);
    let value = match (&param.kind, set) {
        (
            ParamKind::Float { .. } | ParamKind::Int { .. } | ParamKind::Percent { .. } | ParamKind::Degrees { .. },
            Some(ParamValue::Number(value)),
        ) => ScoredValue::Number(Moving::look_up(*value, project)),
        (ParamKind::Float { default, .. } | ParamKind::Percent { default } | ParamKind::Degrees { default }, _) => {
            number(*default)
        }
        (ParamKind::Int { default, .. }, _) => number(*default as f32),
        (ParamKind::Bool { .. }, Some(ParamValue::Switch(on))) => switch(*on),
        (ParamKind::Bool { default }, _) => switch(*default),
        (ParamKind::Choice { names, default }, set) => {
            let chosen = match set {
                Some(ParamValue::Choice(name)) => names.iter().position(|other| other == name),
                _ => None,
            };
            ScoredValue::Fixed([chosen.unwrap_or(*default) as f32, 0.0, 0.0])
        }
        (ParamKind::Point { .. }, Some(ParamValue::Point(x, y))) if x.base.is_finite() && y.base.is_finite() => {
            match x.is_still() && y.is_still() {
                true => ScoredValue::Fixed([x.base, y.base, 0.0]),
                false => ScoredValue::Point([*x, *y].map(|number| Moving::look_up(number, project)).into()),
            }
        }
        (ParamKind::Point { default: [x, y] }, _) => ScoredValue::Fixed([*x, *y, 0.0]),
        (ParamKind::Colour { .. }, Some(ParamValue::Colour(colour))) => ScoredValue::Fixed(colour.to_linear()),
        (ParamKind::Colour { default }, _) => ScoredValue::Fixed(default.to_linear()),
    };
    ScoredParam { place, kind: param.kind.clone(), value }
}

fn switch(on: bool) -> ScoredValue {
    ScoredValue::Fixed([if on { 1.0 } else { 0.0 }, 0.0, 0.0])
}
