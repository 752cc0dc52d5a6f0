//! The light response and the power model from project to bytes, through a whole renderer.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod small_rig;

use glowdeck::model::effect::{Effect, ShaderRef};
use glowdeck::model::fixture::FixtureDefinition;
use glowdeck::model::id::{ChainId, EffectId, ShaderId};
use glowdeck::model::light::LightResponse;
use glowdeck::model::patch::Chain;
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::supply::Current;
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::show::Show;
use glowdeck::show::live::Moment;
use small_rig::{add_scene, small_rig};
use std::time::Instant;

/// The small rig with a scene of this shader, its fixtures changed.
fn rig(source: &str, change: impl Fn(&mut FixtureDefinition)) -> Project {
    let mut project = small_rig();
    let shader = ShaderId(1);
    project.shaders.put(Shader { id: shader, name: "own".into(), source: source.into(), file: None, library: None });
    add_scene(&mut project, 1, vec![Effect::new(EffectId(1), ShaderRef::Project(shader))]);
    let definitions: Vec<_> = project.definitions.iter().cloned().collect();
    for definition in definitions {
        let mut definition = FixtureDefinition::clone(&definition);
        change(&mut definition);
        project.definitions.put(definition);
    }
    project
}

fn started(project: Project) -> (Renderer, Show) {
    let mut renderer = Renderer::new(None).unwrap();
    renderer.set_patch(Patched::compile(&project)).unwrap();
    assert_eq!(renderer.follow(&project, |_| true), []);
    (renderer, Show::new(project, None, Instant::now()))
}

/// Whether the picture changed, and its bytes.
fn frame(renderer: &mut Renderer, show: &Show, secs: f64) -> (bool, Vec<u8>) {
    let now = Moment { secs, beat: secs * 2.0 };
    let changed = renderer.draw(show, now).unwrap();
    let mut bytes = vec![0; renderer.universes() * 512];
    renderer.read(now, &mut bytes);
    (changed, bytes)
}

#[test]
fn dither_moves_with_the_picture_and_a_still_one_stays_as_it_is() {
    let dither = |definition: &mut FixtureDefinition| {
        definition.light = LightResponse { dither: true, ..LightResponse::default() };
    };
    let still = "vec4 effect(Lamp lamp) {\n    return vec4(0.3, 0.3, 0.3, 1.0);\n}\n";
    let (mut renderer, show) = started(rig(still, dither));
    let (changed, first) = frame(&mut renderer, &show, 0.0);
    assert!(changed);
    assert_eq!(frame(&mut renderer, &show, 0.1), (false, first.clone()));
    let lit: Vec<u8> = first.into_iter().filter(|byte| *byte > 0).collect();
    assert!(lit.contains(&76) && lit.contains(&77) && lit.iter().all(|byte| (76..=77).contains(byte)), "{lit:?}");
    // Too little a change to see, but a change.
    let moving = "vec4 effect(Lamp lamp) {\n    return vec4(vec3(0.3 + 1.0e-6 * seconds), 1.0);\n}\n";
    let (mut renderer, show) = started(rig(moving, dither));
    let (_, first) = frame(&mut renderer, &show, 0.0);
    let (changed, second) = frame(&mut renderer, &show, 0.1);
    assert!(changed && first != second, "bytes alternate while the picture moves");
}

#[test]
fn a_port_over_its_cap_is_held_down_in_the_first_frame_and_the_renderer_says_so() {
    let white = "vec4 effect(Lamp lamp) {\n    return vec4(1.0);\n}\n";
    let current =
        |definition: &mut FixtureDefinition| definition.current = Current { milliamps: vec![20.0], idle: 1.0 };
    let mut project = rig(white, current);
    let chain = Chain { cap_ma: Some(1664.0), ..Chain::clone(project.chains.get(ChainId(1)).unwrap()) };
    project.chains.put(chain);
    let (mut renderer, show) = started(project);
    let (_, bytes) = frame(&mut renderer, &show, 0.0);
    // 104 lamps draw 104 mA in the dark and 6240 mA for white, of which a quarter is left.
    assert_eq!(bytes[..3], [63, 63, 63]);
    let power = renderer.power();
    let (chain, load) = power.ports[0];
    assert_eq!((chain, load.cap_ma, load.scale), (ChainId(1), Some(1664.0), 0.25));
    assert!((load.milliamps - 1664.0).abs() < 0.1, "{load:?}");
    assert!(!frame(&mut renderer, &show, 0.1).0, "what is held down and still needs no new frame");
}
