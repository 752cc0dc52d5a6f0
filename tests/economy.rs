//! Scenes that are held: what stays the same is drawn once, what costs too much is drawn in steps, and the light is the
//! same but for its rate.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod small_rig;

use glowdeck::bench::rig_project::{Workload, rig_project};
use glowdeck::gl::gpu::Gpu;
use glowdeck::model::effect::{Effect, Modulated, ShaderRef};
use glowdeck::model::id::{EffectId, SceneId, ShaderId};
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::scene::SceneBlend;
use glowdeck::render::economy::Pace;
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::shading::fuse::Dialect;
use glowdeck::show::Show;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::show::live::Moment;
use glowdeck::units::Level;
use small_rig::{add_scene, built_in};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

type Kind = fn() -> Gpu;

/// Contexts, and the code for GPUs.
const KINDS: [(&str, Kind); 3] = [
    ("GL", || Gpu::new(Some(Dialect::Core330)).unwrap()),
    ("GL ES", || Gpu::new(Some(Dialect::Es300)).unwrap()),
    ("as by a GPU", || Gpu::new(Some(Dialect::Es300)).unwrap().as_if_hardware()),
];

/// Rows of lamps of the rig: a universe of its own on each eighth of a row.
const ROWS: usize = 8;
/// So little that every scene whose cost is known is throttled to a row a frame.
const NOTHING: Option<f64> = Some(1.0e-12);

fn rig() -> Project {
    rig_project(8 * ROWS as u16, 0, Workload::Ring, IpAddr::V4(Ipv4Addr::LOCALHOST))
}

/// An effect that moves with the beat, different everywhere.
fn moving(project: &mut Project, id: u32) -> Effect {
    own(project, id, "vec4(fract(lamp.uv + beat / 16.0), lamp.uv.x, 0.5)")
}

/// An effect that stays as it is, different everywhere, by a gradient.
fn still(project: &mut Project, id: u32) -> Effect {
    own(project, id, "vec4(gradient(lamp.uv.x), 1.0)")
}

fn own(project: &mut Project, id: u32, light: &str) -> Effect {
    let source = format!("vec4 effect(Lamp lamp) {{ return {light}; }}");
    project.shaders.put(Shader { id: ShaderId(id), name: format!("own {id}"), source, file: None, library: None });
    Effect { opacity: Modulated::from(0.5), ..Effect::new(EffectId(id), ShaderRef::Project(ShaderId(id))) }
}

struct Stage {
    renderer: Renderer,
    show: Show,
}

impl Stage {
    fn new(project: Project, kind: Kind) -> Self {
        let mut renderer = Renderer::on(kind()).unwrap();
        renderer.set_patch(Patched::compile(&project)).unwrap();
        assert_eq!(renderer.follow(&project, |_| true), []);
        Self { renderer, show: Show::new(project, None, Instant::now()) }
    }

    fn bytes(&mut self, now: Moment) -> Vec<u8> {
        let mut bytes = vec![0; self.renderer.universes() * 512];
        self.renderer.read(now, &mut bytes);
        bytes
    }

    /// A frame with every pass drawn as a whole.
    fn plain(&mut self, number: u32) -> Vec<u8> {
        let now = moment(number);
        self.renderer.draw(&self.show, now).unwrap();
        self.bytes(now)
    }

    /// A frame as the frame loop draws it.
    fn live(&mut self, number: u32, allowed: Option<f64>) -> Vec<u8> {
        let now = moment(number);
        self.renderer.draw_live(&self.show, now, Pace { secs: now.secs, allowed, late: false }).unwrap();
        self.bytes(now)
    }
}

fn moment(number: u32) -> Moment {
    let secs = f64::from(number) / 8.0;
    Moment { secs, beat: secs * 2.0 }
}

#[track_caller]
fn assert_near(found: &[u8], expected: &[u8]) {
    let far = found.iter().zip(expected).position(|(a, b)| a.abs_diff(*b) > 1);
    assert_eq!(far.map(|at| (at, found[at], expected[at])), None);
    assert!(expected.iter().any(|byte| *byte > 0), "there is light to compare");
}

#[test]
fn a_scene_that_stays_as_it_is_is_drawn_once_and_its_fader_still_works() {
    for (name, kind) in KINDS {
        for blend in [SceneBlend::Add, SceneBlend::Max, SceneBlend::Over] {
            let mut project = rig();
            let effects = vec![still(&mut project, 1), built_in(2, "solid"), still(&mut project, 3)];
            let moves = moving(&mut project, 4);
            add_scene(&mut project, 1, vec![moves]);
            add_scene(&mut project, 2, effects);
            let scene = project.scenes.get(SceneId(2)).unwrap();
            project.scenes.put(glowdeck::model::scene::Scene { blend, ..(**scene).clone() });
            let mut stage = Stage::new(project.clone(), kind);
            let mut plain = Stage::new(project, kind);
            let mut drawn = Vec::new();
            for number in 0..6 {
                if number == 3 {
                    let fader = Command::Live(LiveCommand::Opacity(SceneId(2), Level::new(0.6)));
                    for show in [&mut stage.show, &mut plain.show] {
                        show.apply(fader.clone(), moment(number));
                    }
                }
                assert_near(&stage.live(number, None), &plain.plain(number));
                drawn.push(stage.renderer.drawn_passes());
            }
            assert_eq!(drawn, [2, 2, 1, 1, 1, 1], "{blend:?} on {name}");
        }
    }
}

#[test]
fn a_scene_that_costs_too_much_is_shown_whole_and_late_never_half() {
    for (name, kind) in KINDS {
        let mut project = rig();
        let moves = moving(&mut project, 1);
        add_scene(&mut project, 1, vec![moves]);
        let mut stage = Stage::new(project.clone(), kind);
        let mut plain = Stage::new(project, kind);
        let frames: Vec<Vec<u8>> = (0..3 * ROWS as u32).map(|number| stage.live(number, NOTHING)).collect();
        for (number, bytes) in frames.iter().enumerate() {
            // Each whole picture took as many frames as there are rows, and shows the moment it was begun at.
            match (number + 1) / ROWS {
                0 => assert!(bytes.iter().all(|byte| *byte == 0), "frame {number} on {name}"),
                whole => assert_near(bytes, &plain.plain((whole - 1) as u32 * ROWS as u32)),
            }
        }
        let costs = stage.renderer.scene_costs();
        assert!(costs[0].id == SceneId(1) && costs[0].steps >= ROWS as u32 && costs[0].ms > 0.0, "{costs:?}");
    }
}

#[test]
fn a_scene_that_sounds_does_not_go_dark_when_it_is_throttled_and_catches_up_when_it_is_let_go() {
    for (_, kind) in KINDS {
        let mut project = rig();
        let moves = moving(&mut project, 1);
        add_scene(&mut project, 1, vec![moves]);
        let mut stage = Stage::new(project.clone(), kind);
        let mut plain = Stage::new(project, kind);
        for number in 0..4 {
            assert_near(&stage.live(number, Some(1.0e6)), &plain.plain(number));
        }
        assert_near(&stage.live(4, NOTHING), &plain.plain(4));
        assert_near(&stage.live(5, NOTHING), &plain.plain(4));
        assert_near(&stage.live(6, Some(1.0e6)), &plain.plain(6));
    }
}

#[test]
fn a_still_scene_in_steps_is_finished_although_no_number_changes() {
    let mut project = rig();
    let effect = still(&mut project, 1);
    add_scene(&mut project, 1, vec![effect]);
    let mut stage = Stage::new(project.clone(), KINDS[0].1);
    let mut plain = Stage::new(project, KINDS[0].1);
    let last = (0..ROWS as u32).map(|number| stage.live(number, NOTHING)).last().unwrap();
    assert_near(&last, &plain.plain(0));
    let now = moment(99);
    let pace = Pace { secs: now.secs, allowed: NOTHING, late: false };
    assert!(!stage.renderer.draw_live(&stage.show, now, pace).unwrap(), "then nothing is drawn any more");
}
