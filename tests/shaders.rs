//! Shaders that fail, misbehave or meet: the others go on, the last good version runs, the author reads their own line.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::gl::gpu::Gpu;
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::effect::{Blend, Effect, Modulated, Selection, ShaderRef};
use glowdeck::model::id::{EffectId, FixtureId, LayoutId, SceneId, ShaderId};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::scene::{SceneBlend, ScenePalette};
use glowdeck::offline::Offline;
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::shading::fuse::{Dialect, Part, Recipe, fuse};
use glowdeck::shading::library::{BUILT_INS, read_built_in};
use glowdeck::show::Show;
use glowdeck::show::command::Command;
use glowdeck::show::live::Moment;
use glowdeck::units::Level;
use small_rig::{add_scene, built_in, small_rig};
use std::sync::Arc;
use std::time::{Duration, Instant};

const DIALECTS: [Dialect; 2] = [Dialect::Core330, Dialect::Es300];

fn first_lamp(project: &Project, dialect: Dialect) -> [u8; 3] {
    let mut offline = Offline::new(project.clone(), Some(dialect)).unwrap();
    assert_eq!(offline.notices, [], "{dialect:?}");
    offline.frame(0.0).unwrap()[..3].try_into().unwrap()
}

fn edited(offline: &mut Offline, effect: &Effect, source: &str) {
    let ShaderRef::Project(id) = effect.shader else { panic!("a shader of the project") };
    let shader = Shader { id, name: "mine".into(), source: source.into(), file: None, library: None };
    let edit = Edit::Put(Entry::Shader(Arc::new(shader)));
    offline.show().apply(Command::Edit { edit, gesture: None }, Moment::default());
    offline.follow().unwrap();
}

/// Puts a shader into the project and gives an effect of it.
fn own_shader(project: &mut Project, id: u32, source: &str) -> Effect {
    let shader = ShaderId(id);
    project.shaders.put(Shader {
        id: shader,
        name: format!("own {id}"),
        source: source.into(),
        file: None,
        library: None,
    });
    Effect::new(EffectId(id), ShaderRef::Project(shader))
}

const GOOD: &str = "vec4 effect(Lamp lamp) {\n    return vec4(0.5);\n}\n";

#[test]
fn a_broken_edit_names_the_authors_line_and_the_last_good_version_runs_on() {
    for dialect in DIALECTS {
        let mut project = small_rig();
        let effect = own_shader(&mut project, 1, GOOD);
        add_scene(&mut project, 1, vec![effect.clone()]);
        let mut offline = Offline::new(project, Some(dialect)).unwrap();
        let before = offline.frame(0.0).unwrap().to_vec();
        assert!(before[0] > 0);
        edited(&mut offline, &effect, "vec4 effect(Lamp lamp) {\n\n    return vec4(colour, 1.0);\n}\n");
        let notice = offline.notices.pop().unwrap().to_string();
        assert!(notice.contains("mine failed at line 3"), "{notice}");
        assert!(notice.contains("colour") && notice.contains("last good version keeps running"), "{notice}");
        assert_eq!(offline.frame(0.0).unwrap(), before);
        edited(&mut offline, &effect, "vec4 effect(Lamp lamp) { return vec4(1.0); }");
        assert_eq!(offline.frame(0.0).unwrap()[0], 255, "a mended shader takes over");
    }
}

#[test]
fn a_shader_that_never_compiled_leaves_the_other_effects_of_its_scene_lit() {
    let mut project = small_rig();
    let broken = own_shader(&mut project, 9, "vec4 effect(Lamp lamp) { return vec3(1.0); }");
    add_scene(&mut project, 1, vec![broken, built_in(1, "solid")]);
    let mut offline = Offline::new(project, None).unwrap();
    let notice = offline.notices.pop().unwrap().to_string();
    assert!(notice.contains("line 1") && notice.contains("stay dark"), "{notice}");
    assert_eq!(offline.frame(0.0).unwrap()[0], 255);
}

#[test]
fn not_a_number_and_infinity_light_nothing_and_dim_nobody() {
    for dialect in DIALECTS {
        for value in ["0.0 / lamp.uv.x * 0.0", "log(-1.0 - lamp.uv.x)", "-1.0 / 0.0", "-5.0"] {
            let mut project = small_rig();
            let source = format!("vec4 effect(Lamp lamp) {{ float x = {value}; return vec4(x, x, x, 1.0); }}");
            let odd = own_shader(&mut project, 9, &source);
            add_scene(&mut project, 1, vec![odd]);
            add_scene(&mut project, 2, vec![Effect { opacity: Modulated::from(0.5), ..built_in(1, "solid") }]);
            let mut offline = Offline::new(project, Some(dialect)).unwrap();
            let bytes = offline.frame(0.0).unwrap();
            assert!(bytes[..300].chunks(3).all(|lamp| lamp[0] == 128), "{value} on {dialect:?}: {:?}", &bytes[..9]);
        }
    }
}

#[test]
fn too_much_light_is_full_and_never_wraps() {
    let mut project = small_rig();
    for id in 1..6 {
        let bright = own_shader(&mut project, id, "vec4 effect(Lamp lamp) { return vec4(1.0e30, 0.4, 1.0, 1.0); }");
        add_scene(&mut project, id, vec![bright]);
    }
    for dialect in DIALECTS {
        assert_eq!(first_lamp(&project, dialect), [255; 3]);
    }
}

#[test]
fn the_same_names_in_two_shaders_of_a_scene_do_not_meet() {
    let source = |level: &str| {
        format!(
            "// param: scale percent = 50\nconst float K = {level};\nfloat f() {{ return K * scale; }}\n\
             vec4 effect(Lamp lamp) {{ return vec4(f(), 0.0, 0.0, 1.0); }}"
        )
    };
    let mut project = small_rig();
    let effects = vec![own_shader(&mut project, 1, &source("0.4")), own_shader(&mut project, 2, &source("0.8"))];
    add_scene(&mut project, 1, effects);
    for dialect in DIALECTS {
        assert_eq!(first_lamp(&project, dialect), [153, 0, 0]);
    }
}

#[test]
fn blend_modes_within_a_scene() {
    let colour = |r: f32, g: f32, b: f32, a: f32| {
        format!("vec4 effect(Lamp lamp) {{ return vec4({r:?}, {g:?}, {b:?}, {a:?}); }}")
    };
    // Worked out by hand: 0.6, 0.4, 0 below; 0.4, 0, 1 at half coverage above.
    for (blend, expected) in [
        (Blend::Add, [204, 102, 128]),
        (Blend::Max, [153, 102, 128]),
        (Blend::Multiply, [107, 51, 0]),
        (Blend::Over, [128, 51, 128]),
        (Blend::Mask, [77, 51, 0]),
    ] {
        let mut project = small_rig();
        let below = own_shader(&mut project, 1, &colour(0.6, 0.4, 0.0, 1.0));
        let above = own_shader(&mut project, 2, &colour(0.4, 0.0, 1.0, 0.5));
        add_scene(&mut project, 1, vec![below, Effect { blend, ..above }]);
        for dialect in DIALECTS {
            let found = first_lamp(&project, dialect);
            let close = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(close, "{blend:?}: {found:?}, expected {expected:?}");
        }
    }
}

#[test]
fn a_scene_can_lie_over_others() {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    let grey = own_shader(&mut project, 2, "vec4 effect(Lamp lamp) { return vec4(0.2, 0.2, 0.2, 1.0); }");
    add_scene(&mut project, 2, vec![grey]);
    let mut over = (**project.scene(SceneId(2)).unwrap()).clone();
    over.blend = SceneBlend::Over;
    project.scenes.put(over);
    assert_eq!(first_lamp(&project, Dialect::Core330), [51, 51, 51]);
}

#[test]
fn a_selection_lights_only_the_fixtures_of_its_layout() {
    let mut project = small_rig();
    let ring_only = Layout {
        id: LayoutId(2),
        name: "Ring".into(),
        placements: vec![Placement::at(FixtureId(2), [0.0; 3])],
        frame: None,
    };
    project.layouts.put(ring_only);
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    let mut scene = (**project.scene(SceneId(1)).unwrap()).clone();
    scene.selection = Some(Selection { layout: LayoutId(2), modes: vec![] });
    scene.palette = ScenePalette::None;
    project.scenes.put(scene.clone());
    let lit = |project: &Project| {
        let mut offline = Offline::new(project.clone(), None).unwrap();
        let bytes = offline.frame(0.0).unwrap();
        bytes[..312].chunks(3).map(|lamp| lamp[0]).collect::<Vec<_>>()
    };
    let expected: Vec<u8> = (0..104).map(|lamp| if (64..88).contains(&lamp) { 255 } else { 0 }).collect();
    assert_eq!(lit(&project), expected);
    // The same, chosen by the effect instead of its scene.
    let own = scene.selection.take();
    scene.effects[0].selection = own;
    project.scenes.put(scene);
    assert_eq!(lit(&project), expected);
}

#[test]
fn every_built_in_effect_compiles_alone_and_with_all_others() {
    let texts: Vec<_> = BUILT_INS.iter().map(|(name, _)| read_built_in(name).unwrap()).collect();
    for dialect in DIALECTS {
        let gpu = Gpu::new(Some(dialect)).unwrap();
        for software in [false, true] {
            let recipe = Recipe { dialect, software };
            let parts = || texts.iter().map(|text| Part { text, blend: Blend::Add, own_selection: true });
            for part in parts() {
                let sources = fuse(&[part], true, recipe);
                gpu.program_from(&sources.vertex, &sources.fragment).map(drop).unwrap();
            }
            let sources = fuse(&parts().collect::<Vec<_>>(), false, recipe);
            gpu.program_from(&sources.vertex, &sources.fragment).map(drop).unwrap();
        }
    }
}

#[test]
fn every_lamp_input_says_what_it_should() {
    // One red byte a lamp carries the number that is asked for; the ring's lamps are 64..88 of 104.
    let asked = [
        ("float(lamp.index)", 5),
        ("float(lamp.count)", 24),
        ("float(lamp.fixture)", 1),
        ("float(lamp.fixtures)", 3),
        ("float(lamp.chain_index)", 69),
        ("float(lamp.chain_count)", 104),
        ("float(lamp.group)", 5),
        ("float(lamp.groups)", 24),
        ("lamp.position.z * 100.0", 50),
        ("lamp.size.x * 100.0", 150),
        // A quarter of a turn and a bit: x = 0.6 cos(165 deg), y = 0.6 sin(165 deg).
        ("-lamp.metres.x * 100.0", 58),
        ("lamp.metres.y * 100.0", 16),
        ("lamp.local.y * 100.0", 63),
        ("lamp.uv.x * 100.0", 11),
    ];
    for dialect in DIALECTS {
        for (code, expected) in asked {
            let mut project = small_rig();
            let source = format!("vec4 effect(Lamp lamp) {{ return vec4({code} / 255.0, 0.0, 0.0, 1.0); }}");
            let effect = own_shader(&mut project, 1, &source);
            add_scene(&mut project, 1, vec![Effect { id: EffectId(1), ..effect }]);
            let mut offline = Offline::new(project, Some(dialect)).unwrap();
            assert_eq!(offline.frame(0.0).unwrap()[69 * 3], expected, "{code} on {dialect:?}");
        }
    }
}

#[test]
fn while_the_compiler_works_a_scene_goes_on_as_it_was_and_then_changes() {
    let mut project = small_rig();
    let effect = own_shader(&mut project, 1, GOOD);
    add_scene(&mut project, 1, vec![effect]);
    let mut renderer = Renderer::new(None).unwrap();
    renderer.compile_elsewhere().unwrap();
    renderer.set_patch(Patched::compile(&project)).unwrap();
    assert_eq!(renderer.follow(&project, |_| true), []);
    let mut show = Show::new(project, None, Instant::now());
    let first_lamp = |renderer: &mut Renderer, show: &Show| {
        let mut bytes = vec![0; renderer.universes() * 512];
        renderer.draw(show, Moment::default()).unwrap();
        renderer.read(Moment::default(), &mut bytes);
        bytes[0]
    };
    assert_eq!(first_lamp(&mut renderer, &show), 64, "what a show starts with is lit at once");
    own_shader(&mut show.project, 1, "vec4 effect(Lamp lamp) { return vec4(1.0); }");
    assert_eq!(renderer.follow(&show.project, |_| false), []);
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        assert_eq!(renderer.take_compiled(&show.project), []);
        match first_lamp(&mut renderer, &show) {
            255 => break,
            level => assert_eq!(level, 64, "neither dark nor half changed"),
        }
        assert!(Instant::now() < deadline, "the new shader never came");
    }
}

#[test]
fn a_still_picture_is_not_drawn_again_until_something_changes() {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    add_scene(&mut project, 2, vec![Effect { muted: true, ..built_in(2, "rainbow") }, built_in(3, "solid")]);
    let mut renderer = Renderer::new(None).unwrap();
    renderer.set_patch(Patched::compile(&project)).unwrap();
    renderer.follow(&project, |_| true);
    let mut show = Show::new(project, None, Instant::now());
    let mut draw = |show: &Show, secs: f64| renderer.draw(show, Moment { secs, beat: secs * 2.0 }).unwrap();
    assert!(draw(&show, 0.0));
    assert!(!draw(&show, 0.7), "solid light does not move");
    show.live.master = Level::new(0.5);
    assert!(draw(&show, 0.8));
    assert!(!draw(&show, 0.9));
}
