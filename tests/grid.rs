//! Arranging the grid: drags, the bin, menus, empty cells and keys, and that none of it disturbs playing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::edit::{Edit, SceneField};
use glowdeck::model::effect::ShaderRef;
use glowdeck::model::id::SceneId;
use glowdeck::model::project::Project;
use glowdeck::model::scene::{Cell, Grid, Launch, QuickLine};
use glowdeck::show::command::{Command, LiveCommand};
use stand::{Stand, settle};

/// Plasma is scene 1 at the first cell, Slow fire scene 2 beside it, Breathing scene 6 after a gap at column 5.
const PLASMA: SceneId = SceneId(1);
const FIRE: SceneId = SceneId(2);

fn project(stand: &mut Stand) -> Project {
    settle(stand);
    stand.console.show.project.clone()
}

fn cell(stand: &mut Stand, scene: SceneId) -> Cell {
    project(stand).scene(scene).unwrap().cell
}

fn at(column: u8, row: u8) -> Cell {
    Cell { column, row }
}

/// Goes from one place to another with the button down, and comes to rest there.
fn carry(stand: &mut Stand, from: Pos2, to: Pos2) {
    stand.press(from);
    for step in 1..=4 {
        stand.window.hover_at(from + (to - from) * step as f32 / 4.0);
        stand.window.step();
    }
}

fn drop_at(stand: &mut Stand, at: Pos2) {
    stand.window.drop_at(at);
    stand.window.step();
}

fn focus(stand: &mut Stand, label: &str) {
    stand.window.get_by_label(label).focus();
    stand.window.run_steps(2);
    settle(stand);
}

#[test]
fn a_tile_is_dragged_to_an_empty_cell_or_changes_places_and_does_not_play() {
    let mut stand = Stand::new();
    let (plasma, empty) = (stand.middle("Scene Plasma"), stand.middle("Empty cell, column 6, row 1"));
    carry(&mut stand, plasma, empty);
    drop_at(&mut stand, empty);
    let sent = stand.sent();
    assert!(
        matches!(&sent[..], [Command::Edit { edit: Edit::Move(PLASMA, cell), .. }] if *cell == at(5, 0)),
        "{sent:?}"
    );
    settle(&mut stand);
    let (plasma, fire) = (stand.middle("Scene Plasma"), stand.middle("Scene Slow fire"));
    carry(&mut stand, fire, plasma);
    drop_at(&mut stand, plasma);
    assert_eq!(stand.live(), []);
    assert_eq!((cell(&mut stand, FIRE), cell(&mut stand, PLASMA)), (at(5, 0), at(1, 0)));
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!((cell(&mut stand, FIRE), cell(&mut stand, PLASMA)), (at(1, 0), at(5, 0)));
}

#[test]
fn a_drag_that_comes_home_leaves_the_grid_or_is_escaped_changes_nothing() {
    let mut stand = Stand::new();
    let (plasma, fire) = (stand.middle("Scene Plasma"), stand.middle("Scene Slow fire"));
    carry(&mut stand, plasma, fire);
    stand.window.hover_at(plasma);
    stand.window.step();
    drop_at(&mut stand, plasma);
    carry(&mut stand, plasma, fire);
    let stage = stand.middle("Stage");
    stand.window.hover_at(stage);
    stand.window.step();
    drop_at(&mut stand, stage);
    carry(&mut stand, plasma, fire);
    stand.key(Modifiers::NONE, Key::Escape);
    drop_at(&mut stand, fire);
    assert!(stand.sent().is_empty());
}

#[test]
fn a_hasty_press_that_slips_within_its_tile_still_toggles() {
    let mut stand = Stand::new();
    let tile = stand.middle("Scene Comet");
    carry(&mut stand, tile, tile + vec2(12.0, 0.0));
    assert!(stand.window.query_by_label("Bin").is_none());
    drop_at(&mut stand, tile + vec2(12.0, 0.0));
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(3))]);
}

#[test]
fn a_tile_that_flashes_is_not_dragged() {
    let mut stand = Stand::new();
    let (tile, other) = (stand.middle("Scene Plasma"), stand.middle("Scene Slow fire"));
    stand.press(tile);
    stand.wait(0.4);
    assert_eq!(stand.live(), [LiveCommand::Flash(PLASMA, true)]);
    stand.window.hover_at(other);
    stand.window.run_steps(2);
    assert!(stand.window.query_by_label("Bin").is_none());
    drop_at(&mut stand, other);
    assert_eq!(stand.live(), [LiveCommand::Flash(PLASMA, false)]);
    assert_eq!(cell(&mut stand, PLASMA), at(0, 0));
}

#[test]
fn the_bin_is_there_during_a_drag_and_deletes_what_undo_brings_back() {
    let mut stand = Stand::new();
    assert!(stand.window.query_by_label("Bin").is_none());
    let (tile, other) = (stand.middle("Scene Plasma"), stand.middle("Scene Slow fire"));
    carry(&mut stand, tile, other);
    stand.window.run_steps(2);
    let bin = stand.window.get_by_label("Bin").rect();
    assert!(bin.height() >= 44.0);
    stand.window.hover_at(bin.center());
    stand.window.run_steps(2);
    drop_at(&mut stand, bin.center());
    assert!(project(&mut stand).scene(PLASMA).is_none());
    assert!(stand.window.query_by_label("Bin").is_none());
    stand.key(Modifiers::COMMAND, Key::Z);
    assert!(project(&mut stand).scene(PLASMA).is_some());
}

#[test]
fn an_empty_cell_adds_a_scene_from_the_gallery() {
    let mut stand = Stand::new();
    stand.click("Empty cell, column 6, row 1");
    settle(&mut stand);
    stand.window.event(Event::Text("strobe".into()));
    settle(&mut stand);
    stand.click("Effect Strobe");
    let project = project(&mut stand);
    let scene = project.scene_at(at(5, 0)).unwrap();
    assert_eq!((scene.name.as_str(), scene.id, scene.effects.len()), ("Strobe", SceneId(27), 1));
    assert_eq!(scene.effects[0].shader, ShaderRef::BuiltIn("strobe".into()));
    assert!(stand.window.query_by_label("Search effects").is_none());
    assert_eq!(stand.live(), [], "it does not play by itself");
}

#[test]
fn the_menu_of_a_tile_renames_colours_times_doubles_and_deletes_it() {
    let mut stand = Stand::new();
    let open = |stand: &mut Stand, name: &str| {
        stand.window.get_by_label(&format!("Scene {name}")).click_secondary();
        stand.window.run_steps(2);
        settle(stand);
    };
    open(&mut stand, "Plasma");
    stand.click("Colour tag green");
    settle(&mut stand);
    stand.click("On the beat");
    settle(&mut stand);
    stand.window.get_by_role_and_label(Role::TextInput, "Rename").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(Event::Text("Molten".into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    let changed = project(&mut stand);
    let scene = changed.scene(PLASMA).unwrap();
    assert_eq!((scene.name.as_str(), scene.tag, scene.launch), ("Molten", 4, Launch::Beat));
    stand.window.get_by_label_contains("Duplicate").click();
    let doubled = project(&mut stand);
    let twin = doubled.scene(SceneId(27)).unwrap();
    assert_eq!((twin.name.as_str(), twin.cell, twin.active), ("Molten 2", at(5, 0), false));
    open(&mut stand, "Molten");
    stand.window.get_by_label_contains("Delete").click();
    assert!(project(&mut stand).scene(PLASMA).is_none());
}

#[test]
fn the_menu_key_opens_the_menu_and_edit_brings_the_inspector() {
    let mut stand = Stand::new();
    focus(&mut stand, "Scene Plasma");
    stand.key(Modifiers::NONE, Key::Menu);
    settle(&mut stand);
    assert!(stand.window.query_by_role_and_label(Role::TextInput, "Scene name").is_none());
    stand.click("Edit ");
    settle(&mut stand);
    stand.window.get_by_role_and_label(Role::TextInput, "Scene name");
}

#[test]
fn arrows_walk_over_the_cells_and_keys_play_them() {
    let mut stand = Stand::new();
    focus(&mut stand, "Scene Plasma");
    for (key, expected) in [
        (Key::ArrowRight, "Scene Slow fire"),
        (Key::ArrowDown, "Scene Scanner"),
        (Key::ArrowLeft, "Scene Opposing lines"),
        (Key::ArrowLeft, "Scene Opposing lines"),
        (Key::ArrowUp, "Scene Plasma"),
        (Key::ArrowUp, "Scene Plasma"),
    ] {
        stand.key(Modifiers::NONE, key);
        stand.window.step();
        assert!(stand.window.get_by_label(expected).is_focused(), "{expected} after {key:?}");
    }
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::Enter);
    stand.key(Modifiers::NONE, Key::Space);
    assert_eq!(stand.live(), [LiveCommand::Toggle(PLASMA); 2]);
    stand.window.key_down(Key::F);
    stand.window.run_steps(3);
    assert_eq!(stand.live(), [LiveCommand::Flash(PLASMA, true)]);
    stand.window.key_up(Key::F);
    stand.window.run_steps(2);
    assert_eq!(stand.live(), [LiveCommand::Flash(PLASMA, false)]);
}

#[test]
fn keys_copy_paste_double_and_delete() {
    let mut stand = Stand::new();
    focus(&mut stand, "Scene Plasma");
    stand.window.event(Event::Copy);
    stand.window.step();
    focus(&mut stand, "Empty cell, column 8, row 1");
    stand.window.event(Event::Paste("Plasma".into()));
    stand.window.step();
    assert_eq!(project(&mut stand).scene_at(at(7, 0)).unwrap().name, "Plasma 2");
    focus(&mut stand, "Scene Plasma");
    stand.key(Modifiers::COMMAND, Key::D);
    assert_eq!(project(&mut stand).scene_at(at(5, 0)).unwrap().name, "Plasma 3");
    stand.key(Modifiers::NONE, Key::Delete);
    assert!(project(&mut stand).scene(PLASMA).is_none());
    assert!(stand.window.get_by_label("Empty cell, column 1, row 1").is_focused(), "the keyboard stays there");
}

#[test]
fn the_grid_has_the_size_that_is_chosen_but_drops_no_scene() {
    let mut stand = Stand::sized(1280.0, 900.0);
    let open = |stand: &mut Stand| {
        stand.choose("View", "Grid and tiles");
        stand.window.run_steps(2);
    };
    let enter = |stand: &mut Stand, label: &str, text: &str| {
        stand.window.get_by_role_and_label(Role::SpinButton, label).focus();
        stand.window.run_steps(2);
        stand.key(Modifiers::COMMAND, Key::A);
        stand.window.event(Event::Text(text.into()));
        stand.window.step();
        stand.key(Modifiers::NONE, Key::Enter);
        stand.window.step();
    };
    open(&mut stand);
    enter(&mut stand, "Columns", "10");
    let grid = |stand: &mut Stand| project(stand).grid;
    assert_eq!(grid(&mut stand), Grid { columns: 10, rows: 6, quick: QuickLine::LastRow });
    enter(&mut stand, "Columns", "6");
    assert!(!stand.sent().iter().any(|command| matches!(command, Command::Edit { .. })), "the show is not asked");
    assert_eq!(grid(&mut stand).columns, 10);
    stand.window.get_by_label_contains("Breathing, Wipe, Level meter would lie outside");
    stand.window.get_by_label("Last column").click();
    assert_eq!(grid(&mut stand).quick, QuickLine::LastColumn);
    stand.window.get_by_label("Large").click();
    stand.window.step();
    settle(&mut stand);
    let tile = stand.window.get_by_label("Scene Plasma").rect();
    assert_eq!(tile.width(), 176.0);
}

#[test]
fn a_dimmer_is_told_on_the_tile() {
    let mut stand = Stand::new();
    let dimmer = LiveCommand::Dimmer(PLASMA, glowdeck::units::Level::new(0.4));
    assert!(stand.console.handles.commands.send(dimmer));
    settle(&mut stand);
    assert_eq!(stand.window.get_by_label("Scene Plasma").value().as_deref(), Some("on, dimmed to 40 %"));
}

#[test]
fn the_key_of_a_scene_plays_it_and_comes_before_the_quick_line() {
    let mut stand = Stand::new();
    for (scene, key) in [(PLASMA, "Q"), (FIRE, "1"), (SceneId(3), "Q")] {
        let field = SceneField::Key(Some(key.into()));
        assert!(stand.console.handles.commands.send(Command::Edit { edit: Edit::Scene(scene, field), gesture: None }));
    }
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::Q);
    stand.key(Modifiers::NONE, Key::Num1);
    stand.key(Modifiers::NONE, Key::Num2);
    stand.key(Modifiers::COMMAND, Key::Q);
    let toggled = [PLASMA, SceneId(3), FIRE, SceneId(20)].map(LiveCommand::Toggle);
    assert_eq!(stand.live(), toggled, "two that share a key are both played");
}
