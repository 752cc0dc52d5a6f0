//! The stage's layouts: one is looked at, and its fixtures are arranged by hand; nothing else of the project changes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod small_rig;
#[path = "support/stand.rs"]
mod stand;
mod support;
#[path = "support/waiting.rs"]
mod waiting;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::console::{Console, ConsoleOptions};
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::id::{FixtureId, LayoutId, SceneId};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::project::Project;
use glowdeck::model::references::Key as Reference;
use glowdeck::render::lamp_map::LampMap;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::show::snapshot::StageMap;
use stand::{Stand, send, settle};
use std::sync::Arc;
use waiting::snapshot_when;

/// A layout that holds the ring and the strip of the small rig, far apart.
const WALL: LayoutId = LayoutId(7);

/// The small rig with a second layout; its topology holds a matrix, a ring around that, and a strip below both.
fn two_layouts() -> Project {
    let mut project = small_rig::small_rig();
    let placements = vec![Placement::at(FixtureId(2), [5.0, 0.0, 0.0]), Placement::at(FixtureId(3), [0.0, 3.0, 0.0])];
    project.layouts.put(Layout { id: WALL, name: "Wall".into(), placements, frame: None });
    project
}

/// The window with a project whose lamps stand where the patcher would place them.
fn stand(project: Project) -> Stand {
    let mut stand = Stand::sized(1600.0, 900.0);
    stand.console.follow_patch();
    send(&mut stand, Command::Load { project: Box::new(project), path: None });
    stand.window.run_steps(3);
    stand
}

fn arranging(project: Project) -> Stand {
    let mut stand = stand(project);
    stand.click("Arrange fixtures");
    settle(&mut stand);
    stand
}

fn map(stand: &Stand) -> Arc<StageMap> {
    Arc::clone(&stand.console.handles.snapshots.latest().unwrap().stage_map)
}

fn project(stand: &mut Stand) -> Project {
    settle(stand);
    stand.console.show.project.clone()
}

fn placement(stand: &mut Stand, layout: LayoutId, fixture: u32) -> Placement {
    let project = project(stand);
    let layout = project.layouts.get(layout).unwrap();
    *layout.placements.iter().find(|placement| placement.fixture == FixtureId(fixture)).unwrap()
}

fn topology(stand: &Stand) -> LayoutId {
    stand.console.show.project.settings.topology
}

/// The way from metres to the screen, as all lamps are fitted into the pane.
struct Way {
    pane: Rect,
    scale: f32,
    centre: [f32; 2],
}

impl Way {
    fn of(stand: &Stand) -> Self {
        let map = map(stand);
        let mut pane = stand.window.get_by_label("Stage").rect();
        if stand.window.query_by_label_contains("Snap to").is_some() {
            // Both bars of arranging have their room, whether they are there or not.
            pane.max.y -= 112.0;
        }
        let [width, height] = [0, 1].map(|axis| map.max[axis] - map.min[axis]);
        let scale = (pane.width() * 0.88 / width).min(pane.height() * 0.88 / height);
        Self { pane, scale, centre: [0, 1].map(|axis| (map.max[axis] + map.min[axis]) / 2.0) }
    }

    fn at(&self, [x, y]: [f32; 2]) -> Pos2 {
        self.pane.center() + vec2(x - self.centre[0], self.centre[1] - y) * self.scale
    }
}

/// Drags from a place of the stage by so many metres, in several steps.
fn drag(stand: &mut Stand, way: &Way, from: [f32; 2], by: [f32; 2]) {
    stand.press(way.at(from));
    for step in 1..=4 {
        let share = step as f32 / 4.0;
        stand.window.hover_at(way.at([from[0] + by[0] * share, from[1] + by[1] * share]));
        stand.sent();
    }
    stand.window.drop_at(way.at([from[0] + by[0], from[1] + by[1]]));
    settle(stand);
}

fn click(stand: &mut Stand, at: Pos2) {
    stand.press(at);
    stand.window.drop_at(at);
    settle(stand);
}

fn near(found: [f32; 3], expected: [f32; 3]) {
    assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 2e-3), "{found:?}, not {expected:?}");
}

fn pick(stand: &mut Stand, choice: &str, item: &str) {
    stand.click(choice);
    stand.window.run_steps(2);
    stand.click(item);
    settle(stand);
}

#[test]
fn the_picker_shows_another_layout_and_falls_back_when_that_is_gone() {
    let mut stand = stand(two_layouts());
    pick(&mut stand, "Layout: Topology", "Wall");
    assert_eq!(stand.console.layout, Some(WALL));
    let shown = map(&stand);
    assert_eq!((shown.layout, shown.fixtures.len()), (Some(WALL), 2));
    assert!(!project(&mut stand).layouts.is_empty() && !stand.console.show.dirty(), "it is no edit");
    stand.window.get_by_label("Layout: Wall");
    let edit = Edit::Remove(Reference::Layout(WALL));
    send(&mut stand, Command::Edit { edit, gesture: None });
    stand.window.run_steps(2);
    settle(&mut stand);
    assert_eq!(stand.console.layout, None);
    assert_eq!(map(&stand).layout, Some(topology(&stand)));
    assert!(stand.window.query_by_label_contains("Layout: ").is_none(), "there is nothing to choose from");
}

#[test]
fn lamps_that_a_layout_does_not_hold_are_nowhere_and_cannot_be_picked() {
    let mut stand = stand(two_layouts());
    pick(&mut stand, "Layout: Topology", "Wall");
    let shown = map(&stand);
    assert!(shown.positions[..64].iter().all(|[x, y]| x.is_nan() && y.is_nan()), "the matrix");
    assert!(shown.positions[64..].iter().all(|[x, y]| x.is_finite() && y.is_finite()));
    let strip = shown.positions[64 + 24];
    let way = Way::of(&stand);
    click(&mut stand, way.at(strip));
    stand.window.get_by_label("Blink this fixture");
    click(&mut stand, way.at([0.0, 0.0]));
    assert!(stand.window.query_by_label("Blink this fixture").is_none());
}

#[test]
fn a_fixture_is_dragged_live_in_one_step_of_undo_and_other_layouts_stay() {
    let mut stand = arranging(two_layouts());
    let before = project(&mut stand);
    let way = Way::of(&stand);
    let strip = [0.05, -0.8];
    stand.press(way.at(strip));
    stand.window.hover_at(way.at([0.25, -0.7]));
    stand.sent();
    assert_ne!(project(&mut stand), before, "the rig follows while the hand moves");
    stand.window.hover_at(way.at([0.35, -0.6]));
    stand.sent();
    stand.window.drop_at(way.at([0.35, -0.6]));
    let id = topology(&stand);
    near(placement(&mut stand, id, 3).position, [0.3, -0.6, 0.0]);
    let after = project(&mut stand);
    assert_eq!(after.layouts.get(WALL), before.layouts.get(WALL));
    assert_eq!(Project { layouts: before.layouts.clone(), ..after }, before, "and nothing else changed");
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(project(&mut stand), before);
}

#[test]
fn a_second_layout_is_arranged_and_leaves_the_topology_alone() {
    let mut stand = arranging(two_layouts());
    let before = project(&mut stand);
    pick(&mut stand, "Layout: Topology", "Wall");
    let way = Way::of(&stand);
    drag(&mut stand, &way, [0.05, 3.0], [0.5, -0.25]);
    near(placement(&mut stand, WALL, 3).position, [0.5, 2.75, 0.0]);
    let id = topology(&stand);
    assert_eq!(project(&mut stand).layouts.get(id), before.layouts.get(id));
}

#[test]
fn a_drag_snaps_to_the_grid_that_is_chosen() {
    let mut stand = arranging(two_layouts());
    pick(&mut stand, "Snap to: No grid", "Grid of 10 cm");
    let way = Way::of(&stand);
    drag(&mut stand, &way, [0.05, -0.8], [0.234, 0.123]);
    let id = topology(&stand);
    assert_eq!(placement(&mut stand, id, 3).position, [0.2, -0.7, 0.0]);
}

#[test]
fn a_rubber_band_chooses_what_lies_in_it_and_all_of_that_moves() {
    let mut stand = arranging(two_layouts());
    pick(&mut stand, "Layout: Topology", "Wall");
    let way = Way::of(&stand);
    // From the empty middle over both.
    drag(&mut stand, &way, [2.0, -0.65], [3.7, 1.3]);
    stand.window.get_by_label("Blink this fixture");
    drag(&mut stand, &way, [1.5, 1.0], [-2.4, 2.3]);
    stand.window.event(egui::Event::ModifiersChanged(Modifiers::SHIFT));
    drag(&mut stand, &way, [2.0, -0.65], [3.7, 1.3]);
    stand.window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    stand.window.get_by_label("2 fixtures chosen");
    drag(&mut stand, &way, [0.05, 3.0], [0.0, -1.0]);
    near(placement(&mut stand, WALL, 2).position, [5.0, -1.0, 0.0]);
    near(placement(&mut stand, WALL, 3).position, [0.0, 2.0, 0.0]);
}

#[test]
fn arrows_nudge_and_q_and_e_turn_and_play_nothing() {
    let mut project = two_layouts();
    small_rig::add_scene(&mut project, 1, vec![]);
    let mut scene = (**project.scenes.get(SceneId(1)).unwrap()).clone();
    scene.key = Some("Q".into());
    project.scenes.put(scene);
    let mut stand = arranging(project);
    let id = topology(&stand);
    let way = Way::of(&stand);
    click(&mut stand, way.at([0.05, -0.8]));
    stand.key(Modifiers::NONE, Key::ArrowRight);
    stand.key(Modifiers::NONE, Key::ArrowRight);
    stand.key(Modifiers::SHIFT, Key::ArrowUp);
    near(placement(&mut stand, id, 3).position, [0.02, -0.7, 0.0]);
    stand.key(Modifiers::NONE, Key::Q);
    stand.key(Modifiers::NONE, Key::Q);
    stand.key(Modifiers::SHIFT, Key::E);
    assert_eq!(stand.live(), [], "Q is the scene's elsewhere");
    assert_eq!(placement(&mut stand, id, 3).angle, 9.0);
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(placement(&mut stand, id, 3).angle, 10.0, "each press is a step of undo");
    stand.key(Modifiers::NONE, Key::Escape);
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::ArrowRight);
    near(placement(&mut stand, id, 3).position, [0.02, -0.7, 0.0]);
    assert!(stand.window.query_by_label("x of the fixture").is_none(), "nothing is chosen any more");
    stand.key(Modifiers::NONE, Key::Q);
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(1))]);
}

#[test]
fn one_fixture_is_placed_by_number_and_turned_by_a_finger() {
    let mut stand = arranging(two_layouts());
    let id = topology(&stand);
    let way = Way::of(&stand);
    click(&mut stand, way.at([0.05, -0.8]));
    for (label, text) in [("x of the fixture", "1.25"), ("Angle of the fixture", "30"), ("Scale of the fixture", "0.5")]
    {
        stand.window.get_by_role_and_label(Role::SpinButton, label).click();
        stand.window.run_steps(2);
        stand.key(Modifiers::COMMAND, Key::A);
        stand.window.event(egui::Event::Text(text.into()));
        stand.window.step();
        stand.key(Modifiers::NONE, Key::Enter);
        settle(&mut stand);
    }
    stand.click("Turn to the right");
    let placed = placement(&mut stand, id, 3);
    assert_eq!((placed.position, placed.angle, placed.scale), ([1.25, -0.8, 0.0], 25.0, 0.5));
}

#[test]
fn nothing_moves_while_fixtures_are_only_looked_at() {
    let mut stand = stand(two_layouts());
    let before = project(&mut stand);
    let way = Way::of(&stand);
    click(&mut stand, way.at([0.05, -0.8]));
    drag(&mut stand, &way, [0.05, -0.8], [0.3, 0.3]);
    stand.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(project(&mut stand), before);
    stand.window.get_by_label("Fit the stage");
}

#[test]
fn a_kiosk_arranges_nothing() {
    let stand = Stand::shaped(1280.0, 720.0, |window, _| window.as_kiosk(true));
    stand.window.get_by_label("Stage");
    assert!(stand.window.query_by_label("Arrange fixtures").is_none());
}

#[test]
fn what_is_seen_stays_where_it_is_while_something_is_moved_outwards() {
    let mut stand = arranging(two_layouts());
    let way = Way::of(&stand);
    drag(&mut stand, &way, [0.05, -0.8], [0.4, 0.0]);
    stand.window.run_steps(3);
    // The lamps' box is another now, and the matrix is still taken where it was.
    drag(&mut stand, &way, [0.05, 0.05], [0.1, 0.0]);
    let id = topology(&stand);
    near(placement(&mut stand, id, 1).position, [0.1, 0.0, 0.0]);
}

#[test]
fn the_running_show_places_the_lamps_in_the_layout_that_is_asked_for() {
    let project = two_layouts();
    let id = project.settings.topology;
    let expected = LampMap::stage_of(&project, Some(WALL));
    let options = ConsoleOptions {
        project,
        path: None,
        quarantined: vec![],
        fps: Some(100.0),
        dialect: None,
        discovery: None,
        interface: None,
    };
    let console = Console::start(options).unwrap();
    assert!(console.commands.send(Command::WatchStage(true)));
    assert!(console.commands.send(Command::WatchLayout(Some(WALL))));
    let shown =
        snapshot_when(&console, "the wall", |shown| shown.stage_map.layout == Some(WALL) && shown.stage.is_some());
    assert_eq!(shown.stage_map.fixtures, expected.fixtures);
    assert_eq!(shown.stage_map.positions.len(), 64 + 24 + 16);
    assert!(shown.stage.as_ref().unwrap().colours.len() >= 4 * shown.stage_map.positions.len(), "the same texels");
    // A moved fixture is seen there too, and a layout that goes leaves the topology.
    let mut moved = Layout::clone(shown.project.layouts.get(WALL).unwrap());
    moved.placements[1].position = [0.0, 9.0, 0.0];
    let put = Edit::Put(Entry::Layout(moved.into()));
    assert!(console.commands.send(Command::Edit { edit: put, gesture: None }));
    let high = |map: &StageMap| map.layout == Some(WALL) && (map.max[1] - 9.0).abs() < 1e-4;
    snapshot_when(&console, "the moved strip", |shown| high(&shown.stage_map));
    let edit = Edit::Remove(Reference::Layout(WALL));
    assert!(console.commands.send(Command::Edit { edit, gesture: None }));
    snapshot_when(&console, "the topology", |shown| shown.stage_map.layout == Some(id));
}

#[test]
fn the_panel_is_whole_in_any_room() {
    for (width, height) in [(330.0, 220.0), (640.0, 360.0), (1280.0, 720.0)] {
        let mut stand = Stand::sized(width, height);
        stand.console.follow_patch();
        send(&mut stand, Command::Load { project: Box::new(two_layouts()), path: None });
        stand.window.run_steps(2);
        let Some(pad) = stand.window.query_by_label("Arrange fixtures") else { continue };
        pad.click();
        stand.window.run_steps(2);
        let at = stand.window.get_by_label("Stage").rect().center();
        click(&mut stand, at);
        let far = pos2(width - 2.0, height / 2.0);
        click(&mut stand, far);
    }
}
