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
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::effect::Selection;
use glowdeck::model::fixture::{Fixture, FixtureDefinition, Grouping, Mode, Pixels};
use glowdeck::model::id::{CurveId, DefinitionId, FixtureId, LayoutId, ModeId, PaletteId, TriggerId};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::light::LightResponse;
use glowdeck::model::references::Key as Thing;
use glowdeck::model::scene::{Launch, SceneBlend, ScenePalette};
use glowdeck::model::supply::Current;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::units::Level;
use inspecting::*;
use stand::{Stand, settle};

#[test]
fn without_a_scene_it_says_what_to_do_and_a_deleted_one_can_be_brought_back() {
    let mut stand = Stand::sized(1600.0, 2000.0);
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
