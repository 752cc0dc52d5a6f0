//! Numbers that move: base x curve x trigger, from commands to the numbers of a frame, its bytes and snapshots.
//!
//! Time is simulated; only the snapshots come from a show that runs.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

#[path = "support/waiting.rs"]
mod waiting;

use glowdeck::console::{Console, ConsoleOptions};
use glowdeck::model::curve::Curve;
use glowdeck::model::edit::{Edit, Entry, SceneField};
use glowdeck::model::effect::{Effect, Modulated, ParamValue, ShaderRef};
use glowdeck::model::id::{CurveId, EffectId, PaletteId, SceneId, ShaderId, TriggerId};
use glowdeck::model::palette::{Colour, Palette};
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::scene::Scene;
use glowdeck::model::trigger::Trigger;
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::shading::ShaderText;
use glowdeck::shading::fuse::{SCENE_SLOTS, param_places};
use glowdeck::show::Show;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::units::Level;
use small_rig::{add_scene, built_in, small_rig};
use std::sync::Arc;
use std::time::{Duration, Instant};
use waiting::snapshot_when;

const SCENE: SceneId = SceneId(1);
const TRIGGER: TriggerId = TriggerId(5);
const CURVE: CurveId = CurveId(2);

/// Attack 1 s, hold 2 s, release 4 s, threshold 0.5.
fn slow() -> Trigger {
    let threshold = Level::new(0.5);
    Trigger { threshold, attack_secs: 1.0, hold_secs: 2.0, release_secs: 4.0, ..Trigger::kick(TRIGGER, "Slow") }
}

/// A show with its renderer, on a clock of its own.
struct Stand {
    show: Show,
    renderer: Renderer,
    began: Instant,
}

impl Stand {
    fn new(project: Project) -> Self {
        let mut renderer = Renderer::new(None).unwrap();
        renderer.set_patch(Patched::compile(&project)).unwrap();
        assert_eq!(renderer.follow(&project, |_| true), []);
        let began = Instant::now();
        Self { show: Show::new(project, None, began), renderer, began }
    }

    fn at(&self, secs: f64) -> Instant {
        self.began + Duration::from_secs_f64(secs)
    }

    fn send(&mut self, command: impl Into<Command>, secs: f64) {
        let now = self.show.moment(self.at(secs));
        self.show.apply(command.into(), now);
    }

    fn edit(&mut self, edit: Edit, secs: f64) {
        self.send(Command::Edit { edit, gesture: None }, secs);
        self.renderer.follow(&self.show.project, |_| true);
    }

    /// Feeds the trigger at `secs`.
    fn hear(&mut self, level: f32, secs: f64) {
        self.send(LiveCommand::TriggerInput { id: TRIGGER, level: Level::new(level), at: self.at(secs) }, secs);
    }

    /// Whether the picture changed, and the first byte of the first lamp.
    fn draw(&mut self, secs: f64) -> (bool, u8) {
        let now = self.show.moment(self.at(secs));
        let changed = self.renderer.draw(&self.show, now).unwrap();
        let mut bytes = vec![0; self.renderer.universes() * 512];
        self.renderer.read(now, &mut bytes);
        (changed, bytes[0])
    }
}

/// A scene of plain white light.
fn white() -> Project {
    let mut project = small_rig();
    let shader = ShaderId(1);
    let source = "vec4 effect(Lamp lamp) {\n    return vec4(1.0);\n}\n".into();
    project.shaders.put(Shader { id: shader, name: "white".into(), source, file: None, library: None });
    add_scene(&mut project, SCENE.0, vec![Effect::new(EffectId(1), ShaderRef::Project(shader))]);
    project
}

fn near(found: &[f32], expected: &[f32]) -> bool {
    found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5)
}

#[test]
fn every_number_of_a_scene_and_its_effects_is_the_product_of_base_curve_and_trigger() {
    const SOURCE: &str = "// title: Own\n// param: size float 0..10 = 1\n// param: centre point = (0.5, 0.5)\n\
        vec4 effect(Lamp lamp) {\n    return vec4(primary * size, centre.x);\n}\n";
    let mut project = small_rig();
    project.triggers.put(slow());
    // Half way up at beat 1.
    project.curves.put(Curve::triangle(CURVE, "Swell"));
    let red = Colour([255, 0, 0]);
    project.palettes.put(Palette { primary: red, ..Palette::clone(project.palettes.get(PaletteId(1)).unwrap()) });
    project.shaders.put(Shader {
        id: ShaderId(1),
        name: "own".into(),
        source: SOURCE.into(),
        file: None,
        library: None,
    });
    let moving = |base| Modulated { base, curve: Some(CURVE), trigger: Some(TRIGGER) };
    let mut effect = Effect::new(EffectId(1), ShaderRef::Project(ShaderId(1)));
    effect.opacity = moving(0.8);
    effect.colour_shift = moving(4.0 / 3.0);
    effect.params.insert("size".into(), ParamValue::Number(moving(8.0)));
    let (x, y) = (Modulated { trigger: None, ..moving(0.6) }, Modulated { curve: None, ..moving(0.8) });
    effect.params.insert("centre".into(), ParamValue::Point(x, y));
    add_scene(&mut project, SCENE.0, vec![effect]);
    let scene = Scene::clone(project.scene(SCENE).unwrap());
    let (opacity_curve, opacity_trigger) = (Some(CURVE), Some(TRIGGER));
    project.scenes.put(Scene { opacity: Level::new(0.5), opacity_curve, opacity_trigger, ..scene });

    let mut stand = Stand::new(project);
    let numbers = |stand: &mut Stand, secs: f64| {
        let now = stand.show.moment(stand.at(secs));
        let plan = stand.renderer.plan(&stand.show, now);
        let block = &plan.slots[plan.passes[0].slots.clone()];
        let effect = &block[SCENE_SLOTS..];
        let places = param_places(&ShaderText::read(SOURCE).unwrap().header).0;
        let param = |place: usize| effect[places[place].slot][places[place].component..].to_vec();
        let [red, green, ..] = effect[3];
        let (size, centre) = (param(0)[0], param(1));
        [block[0][0], effect[2][0], red, green, size, centre[0], centre[1]]
    };
    // 0.5 s is beat 1. Without sound, the curve alone: two thirds of a turn make red blue.
    let found = numbers(&mut stand, 0.5);
    assert!(near(&found, &[0.25, 0.4, 0.0, 0.0, 4.0, 0.3, 0.8]), "{found:?}");
    stand.hear(1.0, 0.0);
    let found = numbers(&mut stand, 0.5);
    assert!(near(&found, &[0.125, 0.2, 0.0, 1.0, 2.0, 0.3, 0.4]), "{found:?}");
}

#[test]
fn a_scene_follows_the_sound_and_an_undo_lets_it_go() {
    let mut stand = Stand::new(white());
    stand.edit(Edit::Put(Entry::Trigger(slow().into())), 0.0);
    stand.edit(Edit::Scene(SCENE, SceneField::OpacityTrigger(Some(TRIGGER))), 0.0);
    assert_eq!(stand.draw(1.0), (true, 255), "nobody listens, so it is lit");
    stand.hear(0.3, 2.0);
    assert_eq!(stand.draw(2.0), (true, 0), "too quiet");
    stand.hear(0.6, 10.0);
    assert_eq!(stand.draw(10.25), (true, 64));
    stand.hear(f32::NAN, 10.5);
    assert_eq!(stand.draw(11.0), (true, 255), "the attack is finished");
    assert_eq!(stand.draw(12.9), (false, 255), "and held");
    assert_eq!(stand.draw(15.0), (true, 128));
    assert_eq!(stand.draw(17.5), (true, 0));
    stand.send(LiveCommand::SoundLost, 18.0);
    assert_eq!(stand.draw(18.0), (true, 255), "a lost device does not leave it dark");
    stand.hear(0.0, 19.0);
    assert_eq!(stand.draw(19.0), (true, 0));
    stand.send(LiveCommand::Opacity(SCENE, Level::new(0.5)), 19.0);
    stand.send(Command::Undo, 20.0);
    stand.renderer.follow(&stand.show.project, |_| true);
    assert_eq!(stand.draw(20.0), (true, 128), "the fader stays the base");
}

#[test]
fn a_still_picture_stays_still_while_a_trigger_is_fed_and_does_not_move() {
    let mut project = white();
    project.triggers.put(slow());
    let scene = Scene::clone(project.scene(SCENE).unwrap());
    project.scenes.put(Scene { opacity_trigger: Some(TRIGGER), ..scene });
    let mut stand = Stand::new(project);
    assert!(stand.draw(0.0).0);
    assert!(!stand.draw(0.5).0, "fed by nobody");
    stand.hear(0.9, 1.0);
    assert!(stand.draw(1.5).0);
    assert!(stand.draw(2.5).0);
    for step in 0..20 {
        let secs = 3.0 + f64::from(step) * 0.1;
        stand.hear(0.6 + step as f32 * 0.01, secs);
        assert!(!stand.draw(secs).0, "open, at the top, at {secs} s");
    }
    stand.hear(0.1, 6.0);
    assert!(stand.draw(8.0).0 && stand.draw(10.5).0);
    stand.hear(0.2, 11.0);
    assert!(!stand.draw(11.0).0, "closed, at the bottom");
}

#[test]
fn any_frame_rate_gives_the_same_light() {
    let sounds: Vec<(f64, f32)> = (0..200).map(|i| (f64::from(i) * 0.043, (i as f32 * 0.9).sin())).collect();
    let levels = |fps: f64| {
        let mut project = white();
        project.triggers.put(Trigger { attack_secs: 0.1, hold_secs: 0.05, release_secs: 0.4, ..slow() });
        let began = Instant::now();
        let mut show = Show::new(project, None, began);
        let mut waiting = sounds.iter().peekable();
        let mut levels = Vec::new();
        for frame in 0..(10.0 * fps) as usize {
            let now = show.moment(began + Duration::from_secs_f64(frame as f64 / fps));
            while let Some((secs, level)) = waiting.next_if(|(secs, _)| *secs <= now.secs) {
                let at = began + Duration::from_secs_f64(*secs);
                show.apply(LiveCommand::TriggerInput { id: TRIGGER, level: Level::new(*level), at }.into(), now);
            }
            if frame % (fps / 4.0) as usize == 0 {
                levels.push(show.live.triggers.views(now.secs).next().unwrap().level.get());
            }
        }
        levels
    };
    let (slow, fast) = (levels(8.0), levels(1000.0));
    assert!(near(&slow, &fast), "{slow:?} {fast:?}");
    assert!(slow.iter().any(|level| (0.1..0.9).contains(level)), "{slow:?}");
}

#[test]
fn snapshots_tell_where_triggers_are_and_share_it_while_none_moves() {
    let mut project = small_rig();
    add_scene(&mut project, SCENE.0, vec![built_in(1, "solid")]);
    project.triggers.put(Trigger { attack_secs: 0.0, ..slow() });
    let (path, quarantined, discovery) = (None, Vec::new(), None);
    let options =
        ConsoleOptions { project, path, quarantined, fps: Some(100.0), dialect: None, discovery, interface: None };
    let console = Console::start(options).unwrap();
    let silent = snapshot_when(&console, "first frames", |snapshot| snapshot.number > 2);
    let view = silent.trigger(TRIGGER).unwrap();
    assert_eq!((view.input, view.open, view.level), (None, false, Level::FULL));
    let later = snapshot_when(&console, "more frames", |snapshot| snapshot.number > silent.number + 5);
    assert!(Arc::ptr_eq(&silent.triggers, &later.triggers));
    let input = LiveCommand::TriggerInput { id: TRIGGER, level: Level::new(0.7), at: Instant::now() };
    assert!(console.commands.send(input));
    let heard = snapshot_when(&console, "the sound", |snapshot| snapshot.trigger(TRIGGER).unwrap().input.is_some());
    let view = heard.trigger(TRIGGER).unwrap();
    assert_eq!((view.input, view.open, view.level), (Some(Level::new(0.7)), true, Level::FULL));
    assert!(console.stop());
}
