//! Loops without end: they light nothing where they are, everything else goes on, and the operator reads whose it was.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::model::effect::{Effect, Modulated, ShaderRef};
use glowdeck::model::id::{EffectId, ShaderId};
use glowdeck::model::project::{Project, Shader};
use glowdeck::offline::Offline;
use glowdeck::shading::fuse::Dialect;
use small_rig::{add_scene, built_in, small_rig};
use std::time::{Duration, Instant};

const DIALECTS: [Dialect; 2] = [Dialect::Core330, Dialect::Es300];
const LAMPS: usize = 104;

/// Some loops that never end.
const ENDLESS: [(&str, &str); 9] = [
    ("", "while (true) {}"),
    ("", "for (;;) {}"),
    ("", "do x += 1.0; while (x > -1.0);"),
    ("", "for (int i = 0; i < turns; i++) x += 1.0e-9;"),
    ("", "for (int i = 0; i < 8; i--) x += 1.0;"),
    ("", "for (;;) for (int i = 0; i < 100; i++) x += float(i);"),
    ("", "while (true) { if (x > -1.0) continue; break; }"),
    ("#define FOR_EVER while (true)", "FOR_EVER x += 1.0;"),
    ("float f(float y) {\n    while (y > -1.0) y += 1.0;\n    return y;\n}", "x = f(x);"),
];

fn own_shader(project: &mut Project, id: u32, head: &str, body: &str) -> Effect {
    let source = format!(
        "// param: turns int 1..1000000000 = 1000000000\n{head}\n\
         vec4 effect(Lamp lamp) {{\n    float x = lamp.uv.x;\n    {body}\n    return vec4(1.0, x, x, 1.0);\n}}\n"
    );
    let shader = ShaderId(id);
    project.shaders.put(Shader { id: shader, name: format!("own {id}"), source, file: None, library: None });
    Effect::new(EffectId(id), ShaderRef::Project(shader))
}

fn half(id: u32) -> Effect {
    Effect { opacity: Modulated::from(0.5), ..built_in(id, "solid") }
}

fn reds(bytes: &[u8]) -> Vec<u8> {
    bytes[..LAMPS * 3].chunks(3).map(|lamp| lamp[0]).collect()
}

/// Plays some seconds of a show, long enough that every effect was asked about.
fn notices(offline: &mut Offline, from: u32) -> Vec<String> {
    for frame in from..from + 20 {
        offline.frame(f64::from(frame) / 4.0).unwrap();
    }
    offline.notices.drain(..).map(|notice| notice.text).collect()
}

#[test]
fn a_loop_without_end_lights_nothing_and_the_other_effects_and_scenes_go_on() {
    for dialect in DIALECTS {
        for (head, body) in ENDLESS {
            let mut project = small_rig();
            let endless = own_shader(&mut project, 9, head, body);
            add_scene(&mut project, 1, vec![endless]);
            add_scene(&mut project, 2, vec![half(1)]);
            let mut offline = Offline::new(project, Some(dialect)).unwrap();
            let started = Instant::now();
            assert_eq!(reds(offline.frame(0.0).unwrap()), [128; LAMPS], "{body} on {dialect:?}");
            assert!(started.elapsed() < Duration::from_secs(20), "{body} on {dialect:?}: {:?}", started.elapsed());
        }
    }
}

#[test]
fn the_operator_reads_whose_loop_it_was_once_and_again_after_an_edit() {
    for dialect in DIALECTS {
        let mut project = small_rig();
        let endless = own_shader(&mut project, 9, "", "while (lamp.index == 7) {}");
        let fine = own_shader(&mut project, 8, "", "for (int i = 0; i < min(turns, 2000); i++) x += 1.0e-9;");
        add_scene(&mut project, 1, vec![half(1), fine, endless]);
        let mut offline = Offline::new(project, Some(dialect)).unwrap();
        let expected = "Effect own 9 of scene Scene 1 loops without end; it gives no light there.";
        assert_eq!(notices(&mut offline, 0), [expected], "{dialect:?}");
        assert_eq!(notices(&mut offline, 20), [""; 0], "{dialect:?}");
        offline.follow().unwrap();
        assert_eq!(notices(&mut offline, 40), [expected], "{dialect:?}");
    }
}

#[test]
fn asking_changes_no_light() {
    let mut project = small_rig();
    let endless = own_shader(&mut project, 9, "", "while (lamp.index % 2 == 1) {}");
    add_scene(&mut project, 1, vec![half(1), endless]);
    let mut offline = Offline::new(project, None).unwrap();
    let before = offline.frame(0.0).unwrap().to_vec();
    assert!(reds(&before).contains(&128) && reds(&before).contains(&255), "dark only where it loops");
    let picture = offline.stage_png().unwrap();
    assert_eq!(notices(&mut offline, 1).len(), 1);
    assert_eq!(offline.frame(9.0).unwrap(), before);
    assert_eq!(offline.stage_png().unwrap(), picture);
}

#[test]
fn loops_that_end_in_time_keep_their_light() {
    for dialect in DIALECTS {
        for (turns, lit) in [(4000, 255), (5000, 0)] {
            let mut project = small_rig();
            let body = format!("for (int i = 0; i < min(turns, {turns}); i++) x += 1.0e-9;");
            let long = own_shader(&mut project, 9, "", &body);
            add_scene(&mut project, 1, vec![long]);
            let mut offline = Offline::new(project, Some(dialect)).unwrap();
            assert_eq!(reds(offline.frame(0.0).unwrap()), [lit; LAMPS], "{turns} on {dialect:?}");
        }
    }
}

#[test]
fn a_guard_moves_no_line() {
    for dialect in DIALECTS {
        let mut project = small_rig();
        let broken = own_shader(&mut project, 9, "", "while (true) {\n}\n for (;;) {}\n    x = colour;");
        add_scene(&mut project, 1, vec![broken]);
        let offline = Offline::new(project, Some(dialect)).unwrap();
        let notice = offline.notices[0].to_string();
        assert!(notice.contains("own 9 failed at line 8") && notice.contains("colour"), "{notice}");
    }
}
