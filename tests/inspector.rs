//! The inspector: what is set in it reaches the show, by pointer and by keyboard, one step of undo a drag.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/inspecting.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod inspecting;
#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::edit::{Edit, EffectField, Entry};
use glowdeck::model::effect::{Modulated, ParamValue, Selection};
use glowdeck::model::fixture::{Fixture, FixtureDefinition, Grouping, Mode, Pixels};
use glowdeck::model::id::{CurveId, DefinitionId, EffectId, FixtureId, LayoutId, ModeId, PaletteId, TriggerId};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::light::LightResponse;
use glowdeck::model::references::Key as Thing;
use glowdeck::model::scene::{Launch, SceneBlend, ScenePalette};
use glowdeck::model::supply::Current;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::units::Level;
use inspecting::*;
use stand::{Stand, send, settle};

#[test]
fn without_a_scene_it_says_what_to_do_and_a_deleted_one_can_be_brought_back() {
    let mut stand = Stand::sized(1600.0, 2000.0);
    // Before a hand has touched anything it shows what sounds; here nothing does.
    for scene in stand.console.show.project.scenes.iter().map(|scene| scene.id).collect::<Vec<_>>() {
        send(&mut stand, LiveCommand::Activate(scene, false).into());
    }
    for _ in 0..200 {
        settle(&mut stand);
    }
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    stand.window.get_by_label("No scene is chosen.");
    choose(&mut stand, "Plasma");
    stand.window.get_by_role_and_label(Role::TextInput, "Scene name");
    edit(&mut stand, Edit::Remove(Thing::Scene(SCENE)));
    stand.window.get_by_label("This scene is gone.");
    stand.key(Modifiers::COMMAND, Key::Z);
    settle(&mut stand);
    stand.window.get_by_role_and_label(Role::TextInput, "Scene name");
}

#[test]
fn the_name_and_the_colour_are_set() {
    let mut stand = stand();
    stand.click("Colour tag violet");
    stand.window.get_by_role_and_label(Role::TextInput, "Scene name").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(Event::Text("Molten".into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    let scene = scene(&mut stand);
    assert_eq!((scene.name.as_str(), scene.tag), ("Molten", 7));
}

#[test]
fn faders_are_played_and_their_curve_and_trigger_are_edited() {
    let mut stand = stand();
    enter(&mut stand, "Scene dimmer", "40", Key::Enter);
    enter(&mut stand, "Scene opacity", "25 %", Key::Enter);
    let views = stand.console.show.live.views(0.0);
    assert_eq!((views[0].opacity, views[0].dimmer), (Level::new(0.25), Level::new(0.4)));
    stand.click("What moves Scene opacity");
    stand.window.run_steps(2);
    stand.click("Curve Tent");
    settle(&mut stand);
    stand.click("Trigger Kick");
    let set = scene(&mut stand);
    assert_eq!((set.opacity_curve, set.opacity_trigger), (Some(CurveId(1)), Some(TriggerId(1))));
    stand.click("No curve");
    assert_eq!(scene(&mut stand).opacity_curve, None);
}

#[test]
fn the_timing_and_the_light_of_a_scene_are_set() {
    let mut stand = stand();
    stand.click("Timing");
    settle(&mut stand);
    pick(&mut stand, "Starts", "On the bar");
    enter(&mut stand, "Fade in", "2", Key::Enter);
    enter(&mut stand, "Fade out", "300", Key::Enter);
    enter(&mut stand, "Scene beat offset", "-1/4", Key::Enter);
    stand.click("Light");
    settle(&mut stand);
    pick(&mut stand, "Meets scenes", "Over");
    pick(&mut stand, "Palette", "lagoon");
    stand.window.get_by_role_and_label(Role::CheckBox, "Ignores master").click();
    let set = scene(&mut stand);
    assert_eq!((set.launch, set.fade_in, set.fade_out, set.beat_offset), (Launch::Bar, 2.0, 300.0, -0.25));
    assert_eq!((set.blend, set.palette), (SceneBlend::Over, ScenePalette::Own(PaletteId(2))));
    assert!(set.ignores_master);
    pick(&mut stand, "Palette", "White on black");
    assert_eq!(scene(&mut stand).palette, ScenePalette::None);
}

#[test]
fn a_selection_is_a_layout_and_a_mode_for_each_kind_of_fixture_in_it() {
    let mut stand = stand();
    let definition = |id, name: &str, modes| FixtureDefinition {
        id: DefinitionId(id),
        name: name.into(),
        pixels: Pixels::Strip { count: 4, length: 1.0 },
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes,
    };
    let mode = |id, name: &str| Mode { id: ModeId(id), name: name.into(), grouping: Grouping::Whole };
    put(&mut stand, Entry::Definition(definition(1, "Bar", vec![mode(1, "Whole bar")]).into()));
    put(&mut stand, Entry::Definition(definition(2, "Dot", vec![mode(1, "Whole dot")]).into()));
    let fixture = Fixture { id: FixtureId(1), name: "One".into(), definition: DefinitionId(1) };
    put(&mut stand, Entry::Fixture(fixture.into()));
    let placements = vec![Placement::at(FixtureId(1), [0.0; 3])];
    let layout = Layout { id: LayoutId(2), name: "Bars".into(), placements, frame: None };
    put(&mut stand, Entry::Layout(layout.into()));
    stand.click("Light");
    settle(&mut stand);
    pick(&mut stand, "Lamps", "Bars");
    assert_eq!(scene(&mut stand).selection, Some(Selection { layout: LayoutId(2), modes: vec![] }));
    assert!(stand.window.query_by_label_contains("Dot: ").is_none(), "no dot is in this layout");
    pick(&mut stand, "Bar", "Whole bar");
    let modes = vec![(DefinitionId(1), ModeId(1))];
    assert_eq!(scene(&mut stand).selection, Some(Selection { layout: LayoutId(2), modes }));
    pick(&mut stand, "Bar", "Pixel by pixel");
    assert_eq!(scene(&mut stand).selection, Some(Selection { layout: LayoutId(2), modes: vec![] }));
    stand.click("Light");
    settle(&mut stand);
    stand.click("Lamps of the effect");
    settle(&mut stand);
    pick(&mut stand, "Lamps", "Bars");
    assert_eq!(effect(&mut stand, 1).selection, Some(Selection { layout: LayoutId(2), modes: vec![] }));
    pick(&mut stand, "Lamps", "As the scene");
    assert_eq!(effect(&mut stand, 1).selection, None);
}

#[test]
fn the_next_key_becomes_the_scenes_and_does_nothing_else() {
    let mut stand = stand();
    stand.click("Key");
    settle(&mut stand);
    stand.click("Set the scene's key");
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::T);
    assert_eq!(stand.live(), [], "no tap");
    assert_eq!(scene(&mut stand).key, None, "the console's own keys stay so");
    stand.click("Set the scene's key");
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::Q);
    assert_eq!(scene(&mut stand).key.as_deref(), Some("Q"));
    stand.click("Clear the scene's key");
    assert_eq!(scene(&mut stand).key, None);
}

#[test]
fn it_is_usable_in_a_small_window() {
    let mut stand = Stand::sized(1280.0, 720.0);
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    choose(&mut stand, "Plasma");
    let screen = egui::Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0));
    for label in ["Scene opacity", "Scene dimmer", "Add an effect", "Timing", "Light"] {
        let rect = stand.window.get_by_label(label).rect();
        assert!(screen.contains_rect(rect) && rect.height() >= 30.0 && rect.right() < 300.0, "{label}: {rect:?}");
    }
    stand.click("Light");
    settle(&mut stand);
    let add = stand.window.get_by_label("Add an effect").rect();
    assert!(add.right() < 290.0, "long words push nothing out of the panel: {add:?}");
    let live = stand.window.get_by_role_and_label(Role::Slider, "Scene opacity").rect();
    drag(&mut stand, live.left_center() + vec2(20.0, 0.0), vec2(-live.width() / 2.0, 0.0));
    assert!(stand.console.show.live.views(0.0)[0].opacity.get() < 0.6);
    assert!(!stand.sent().iter().any(|command| matches!(command, Command::Live(LiveCommand::Toggle(_)))));
}

/// Where the first effect's `centre` is, and where it would be drawn.
fn centre(stand: &mut Stand) -> Option<[f32; 2]> {
    match param(stand, "centre") {
        Some(ParamValue::Point(x, y)) => Some([x.base, y.base]),
        _ => None,
    }
}

fn pad(stand: &Stand) -> egui::Rect {
    stand.window.get_by_role_and_label(Role::Canvas, "Centre on the pad").rect()
}

#[test]
fn a_drag_on_the_pad_sets_both_sides_of_a_point_in_one_step_of_undo() {
    let mut stand = stand();
    let room = pad(&stand);
    assert!(room.width() >= 96.0 && room.height() >= 96.0);
    drag(&mut stand, room.center() + vec2(3.0, 3.0), room.max - room.center() + vec2(40.0, -3.0));
    assert_eq!(centre(&mut stand), Some([1.0, 0.0]), "beyond the corner is the corner");
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(centre(&mut stand), None, "one step");
    let half = room.shrink(8.0).width() / 4.0;
    drag(&mut stand, room.center(), vec2(half, -half));
    let [x, y] = centre(&mut stand).unwrap();
    assert!((x - 0.75).abs() < 0.02 && (y - 0.75).abs() < 0.02, "right and up: {x} {y}");
    let shown = stand.window.get_by_role_and_label(Role::Canvas, "Centre on the pad").value().unwrap();
    assert!(shown.starts_with("7") && shown.ends_with(" up"), "{shown}");
}

#[test]
fn the_pad_is_fine_with_shift_steps_by_arrows_and_goes_back_by_a_double_click() {
    let mut stand = stand();
    let room = pad(&stand);
    stand.window.event(Event::ModifiersChanged(Modifiers::SHIFT));
    let way = vec2(room.shrink(8.0).width() / 2.0, 0.0);
    drag(&mut stand, room.center() + vec2(-30.0, 20.0), way);
    stand.window.event(Event::ModifiersChanged(Modifiers::NONE));
    let [x, y] = centre(&mut stand).unwrap();
    assert!((0.51..0.56).contains(&x) && y == 0.5, "a tenth of the way from where it was: {x} {y}");
    enter(&mut stand, "Centre across", "20", Key::Enter);
    stand.window.get_by_role_and_label(Role::Canvas, "Centre on the pad").focus();
    stand.window.run_steps(2);
    for (with, key) in
        [(Modifiers::NONE, Key::ArrowUp), (Modifiers::NONE, Key::ArrowRight), (Modifiers::SHIFT, Key::ArrowLeft)]
    {
        stand.key(with, key);
        settle(&mut stand);
    }
    let [x, y] = centre(&mut stand).unwrap();
    assert!((x - 0.209).abs() < 1e-4 && (y - 0.51).abs() < 1e-4, "{x} {y}");
    let at = room.center() + vec2(20.0, 20.0);
    for _ in 0..2 {
        stand.press(at);
        stand.window.drop_at(at);
        stand.window.step();
    }
    assert_eq!(centre(&mut stand), None, "the header's own");
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(centre(&mut stand).map(|[x, _]| (x * 1e3).round()), Some(209.0), "both clicks are one step");
    stand.window.get_by_role_and_label(Role::Canvas, "Centre on the pad").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(centre(&mut stand), None);
}

#[test]
fn the_pad_says_where_a_curve_has_moved_the_point_to() {
    let mut stand = stand();
    let moved = Modulated { base: 0.8, curve: Some(CurveId(1)), trigger: None };
    let field = EffectField::Param("centre".into(), Some(ParamValue::Point(moved, 0.5.into())));
    edit(&mut stand, Edit::Effect(SCENE, EffectId(1), field));
    let says = |stand: &Stand| {
        stand.window.get_by_role_and_label(Role::Canvas, "Centre on the pad").value().unwrap_or_default()
    };
    let first = says(&stand);
    assert!(first.starts_with("80 % across, 50 % up; now "), "{first}");
    (0..4).for_each(|_| drop(stand.sent()));
    assert_ne!(says(&stand), first, "it goes with the beat");
    let from = pad(&stand).center();
    drag(&mut stand, from, vec2(10.0, 0.0));
    let Some(ParamValue::Point(x, _)) = param(&mut stand, "centre") else { panic!() };
    assert_eq!(x.curve, Some(CurveId(1)), "what moves it stays");
}
