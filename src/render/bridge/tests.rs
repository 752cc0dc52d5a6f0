//! Bridges against the programs they stand in for, drawn and packed by the same picture.

use super::*;
use crate::bench::rig_project::{Workload, rig_project};
use crate::gl::gpu::Gpu;
use crate::model::effect::{Effect, Modulated, ShaderRef};
use crate::model::id::{EffectId, SceneId, ShaderId};
use crate::model::project::{Project, Shader};
use crate::model::scene::{Cell, Scene};
use crate::render::compose::{FramePlan, compose};
use crate::render::economy::Drawing;
use crate::render::picture::Picture;
use crate::render::programs::{Means, Programs};
use crate::render::renderer::Patched;
use crate::render::shaders::Shaders;
use crate::show::live::{Live, Moment};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};

/// Light that differs from lamp to lamp and between effects, with coverage that does so too.
fn shader(id: u32) -> Shader {
    let source = format!(
        "vec4 effect(Lamp lamp) {{\n    float x = fract(lamp.uv.x * 7.0 + {id}.0 * 0.37);\n    \
         return vec4(x, 0.5 - 0.4 * x, 0.1 * {id}.0, 0.3 + 0.5 * x);\n}}\n"
    );
    Shader { id: ShaderId(id), name: format!("own {id}"), source, file: None, library: None }
}

/// A scene of one effect below, and one of these effects above it.
fn project(below: f32, blend: SceneBlend, effects: &[Blend]) -> Project {
    let mut project = rig_project(2, 0, Workload::Ring, IpAddr::V4(Ipv4Addr::LOCALHOST));
    let effect = |id: u32, blend, opacity: f32| {
        let opacity = Modulated::from(opacity);
        Effect { blend, opacity, ..Effect::new(EffectId(id), ShaderRef::Project(ShaderId(id))) }
    };
    let upper = (2..).zip(effects).map(|(id, blend)| effect(id, *blend, 0.5)).collect();
    let scenes = [(SceneBlend::Add, vec![effect(1, Blend::Add, below)]), (blend, upper)];
    for (number, (blend, effects)) in (0..).zip(scenes) {
        effects.iter().for_each(|effect| drop(project.shaders.put(shader(effect.id.0))));
        let cell = Cell { column: number, row: 0 };
        let scene = Scene::new(SceneId(u32::from(number) + 1), cell, format!("Scene {number}"));
        project.scenes.put(Scene { active: true, blend, effects, ..scene });
    }
    project
}

fn bytes(project: &Project, bridged: bool) -> Vec<u8> {
    let patched = Patched::compile(project);
    let mut picture = Picture::new(Gpu::new(None).unwrap()).unwrap();
    picture.set_map(&patched).unwrap();
    let mut shaders = Shaders::default();
    assert_eq!(shaders.follow(project, &BTreeSet::new(), picture.gpu(), None, true), []);
    let mut score = Score::new(project, &shaders, &patched.map);
    if bridged {
        score = score.settled(&Score::default(), |key| key.parts.len() == 1);
    }
    let mut programs = Programs::default();
    let means = Means { gpu: picture.gpu(), compiler: None };
    assert_eq!(programs.follow(&score, &Score::default(), &[], means, |_| true, |_| false), []);
    picture.prepare_inputs(&patched.map, &score, &programs).unwrap();
    let mut plan = FramePlan::default();
    let (live, bpm) = (Live::starting(project), project.settings.bpm);
    compose(&score, &live, Moment::default(), bpm, picture.alignment(), &mut plan);
    picture.draw(Drawing { plan: &plan, score: &score, programs: &programs }, |_, _| {}).unwrap();
    let mut out = vec![0; picture.packed_bytes()];
    picture.pack(0, &mut out, |_| {});
    out
}

#[track_caller]
fn check(below: f32, blend: SceneBlend, effects: &[Blend], holds: impl Fn(u8, u8) -> bool) {
    let project = project(below, blend, effects);
    let (whole, bridged) = (bytes(&project, false), bytes(&project, true));
    let lit = bridged.iter().filter(|byte| **byte > 0).count();
    let wrong = whole.iter().zip(&bridged).find(|(whole, bridged)| !holds(**whole, **bridged));
    assert_eq!(wrong, None, "{blend:?} of {effects:?} over {below}");
    assert!(lit > 500 || effects.len() == 2 && below == 0.0, "{blend:?} of {effects:?} over {below}: dark");
}

const SAME: fn(u8, u8) -> bool = |whole, bridged| whole.abs_diff(bridged) <= 1;
const NOT_BRIGHTER: fn(u8, u8) -> bool = |whole, bridged| bridged <= whole.saturating_add(1);

#[test]
fn what_adds_takes_the_maximum_or_lies_over_all_is_the_same_byte_for_byte() {
    use Blend::{Add, Max, Over};
    for below in [0.0, 0.4] {
        check(below, SceneBlend::Add, &[Add, Add, Add], SAME);
        check(below, SceneBlend::Add, &[Max, Add], SAME);
        check(below, SceneBlend::Max, &[Max, Max, Max], SAME);
        check(below, SceneBlend::Over, &[Over, Over, Over], SAME);
    }
    check(0.0, SceneBlend::Add, &[Add, Max, Max], SAME);
}

#[test]
fn what_only_the_scenes_own_program_can_mix_is_never_brighter() {
    use Blend::{Add, Mask, Max, Multiply};
    for (blend, effects) in [
        (SceneBlend::Add, [Add, Max, Add]),
        (SceneBlend::Max, [Add, Add, Max]),
        (SceneBlend::Add, [Add, Mask, Add]),
        (SceneBlend::Add, [Add, Add, Multiply]),
    ] {
        check(0.4, blend, &effects, NOT_BRIGHTER);
    }
}

#[test]
fn a_scene_goes_on_as_it_was_before_it_is_bridged_and_a_bridge_never_serves_as_what_it_was() {
    let project = project(0.4, SceneBlend::Add, &[Blend::Add, Blend::Add]);
    let picture = Picture::new(Gpu::new(None).unwrap()).unwrap();
    let mut shaders = Shaders::default();
    shaders.follow(&project, &BTreeSet::new(), picture.gpu(), None, true);
    let score = Score::new(&project, &shaders, &Patched::compile(&project).map);
    let sizes = |score: &Score| score.scenes.iter().map(|scene| scene.effects.len()).collect::<Vec<_>>();
    let bridged = score.clone().settled(&Score::default(), |key| key.parts.len() == 1);
    assert_eq!(sizes(&bridged), [1, 1, 1]);
    assert_eq!(bridged.scenes.iter().map(|scene| scene.bridge).collect::<Vec<_>>(), [false, true, true]);
    let again = score.clone().settled(&bridged, |key| *key != score.scenes[1].key && *key != bridged.scenes[1].key);
    assert_eq!(sizes(&again), [1, 1], "what is ready now, not what was lit before");
    let mut edited = score.clone();
    let first = edited.scenes[1].key.parts[0];
    edited.scenes[1].key.parts.push(first);
    let kept = edited.settled(&score, |key| key.parts.len() < 3);
    assert_eq!(sizes(&kept), [1, 2]);
    assert!(score.clone().settled(&bridged, |_| true).scenes.iter().all(|scene| !scene.bridge));
}
