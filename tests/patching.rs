//! The panel of the patch: a rig built from nothing, moved about, taken back, and what is wrong with it cured.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glowdeck::model::id::{ChainId, DefinitionId, FixtureId, LayoutId};
use glowdeck::model::patch::PatchAddress;
use glowdeck::model::patching::{add_chain, add_fixtures, add_layout, first_kind, set_port};
use glowdeck::model::project::Project;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::show::test_pattern::{Pattern, Target, TestPattern};
use glowdeck::units::DmxAddress;
use stand::{Stand, enter, send, settle};

/// The window with the panel in front and this project.
fn stand(project: Project) -> Stand {
    let mut stand = Stand::sized(1440.0, 2000.0);
    send(&mut stand, Command::Load { project: Box::new(project), path: None });
    stand.choose("View", "Patch");
    settle(&mut stand);
    stand
}

/// Two chains of three strips each: 1 to 3 from universe 0 on, 4 to 6 from universe 2 on.
fn rig() -> Project {
    let mut project = Project::empty("rig");
    let (kind, edit) = first_kind(&project);
    edit.apply(&mut project).unwrap();
    for _ in 0..2 {
        let (chain, edit) = add_chain(&project);
        edit.apply(&mut project).unwrap();
        let (_, edit) = add_fixtures(&project, Some(chain), kind, 3, None).unwrap();
        edit.apply(&mut project).unwrap();
    }
    project
}

fn project(stand: &mut Stand) -> Project {
    settle(stand);
    stand.console.show.project.clone()
}

/// `fixture@universe.channel` of a chain.
fn told(stand: &mut Stand, chain: u32) -> Vec<String> {
    let project = project(stand);
    let links = &project.chains.get(ChainId(chain)).unwrap().links;
    links
        .iter()
        .map(|link| format!("{}@{}.{}", link.fixture.0, link.start.universe, link.start.channel.get()))
        .collect()
}

fn click(stand: &mut Stand, label: &str) {
    stand.click(label);
    settle(stand);
}

/// Clicks what begins with these words.
fn click_on(stand: &mut Stand, words: &str) {
    stand.window.get_by_label_contains(words).click();
    stand.window.step();
    settle(stand);
}

fn row(stand: &mut Stand, name: &str, modifiers: Modifiers) {
    let label = format!("Fixture {name}, ");
    stand.window.get_by_label_contains(&label).click_modifiers(modifiers);
    stand.window.step();
    settle(stand);
}

/// Types a number into a field.
fn number(stand: &mut Stand, label: &str, text: &str) {
    stand.window.get_by_role_and_label(Role::SpinButton, label).click();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(Event::Text(text.into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    settle(stand);
}

fn undo(stand: &mut Stand) {
    stand.key(Modifiers::COMMAND, Key::Z);
    settle(stand);
}

fn undo_title(stand: &mut Stand) -> String {
    settle(stand);
    stand.console.show.history().undo_title().unwrap().to_string()
}

#[test]
fn a_rig_is_built_from_nothing_and_each_thing_is_one_step_of_undo() {
    let mut stand = stand(Project::empty("new"));
    stand.window.get_by_label_contains("Nothing is patched yet");
    click(&mut stand, "Add the first chain");
    click(&mut stand, "Add a strip of 60 RGB pixels");
    number(&mut stand, "Universe", "3");
    number(&mut stand, "Count", "2");
    let before = project(&mut stand);
    click(&mut stand, "Add fixtures");
    assert_eq!(told(&mut stand, 1), ["1@3.1", "2@3.181"]);
    let built = project(&mut stand);
    assert_eq!(built.layouts.get(built.settings.topology).unwrap().placements.len(), 2, "they are on the stage");
    stand.window.get_by_label_contains("Fixture Strip 2, Strip of 60, universe 3, channels 181 to 360");
    stand.window.get_by_label_contains("Chain Chain 1, universe 3, 2 fixtures, 120 lamps");
    assert_eq!(undo_title(&mut stand), "add 2 fixtures");
    undo(&mut stand);
    assert_eq!(project(&mut stand), before);
    stand.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(project(&mut stand), built);
}

#[test]
fn a_port_moves_all_that_follows_and_none_past_the_end() {
    let mut stand = stand(rig());
    number(&mut stand, "Universe", "5");
    number(&mut stand, "Channel", "11");
    assert_eq!(told(&mut stand, 1), ["1@5.11", "2@5.191", "3@5.371"]);
    number(&mut stand, "Universe", "8191");
    assert_eq!(told(&mut stand, 1), ["1@5.11", "2@5.191", "3@5.371"]);
    stand.window.get_by_label_contains("`Chain 1` runs past universe 8191, the last one");
    number(&mut stand, "Universe", "8190");
    assert_eq!(told(&mut stand, 1)[0], "1@8190.11");
    assert!(stand.window.query_by_label_contains("runs past").is_none(), "it is said no more");
}

#[test]
fn fixtures_are_selected_moved_doubled_and_deleted() {
    let mut stand = stand(rig());
    let start = project(&mut stand);
    row(&mut stand, "Strip 3", Modifiers::NONE);
    click(&mut stand, "Move fixtures up");
    assert_eq!(told(&mut stand, 1), ["1@0.1", "3@0.181", "2@0.361"]);
    undo(&mut stand);
    assert_eq!(project(&mut stand), start);
    row(&mut stand, "Strip 1", Modifiers::NONE);
    row(&mut stand, "Strip 2", Modifiers::SHIFT);
    click(&mut stand, "Duplicate fixtures");
    assert_eq!(told(&mut stand, 1).len(), 5);
    stand.window.get_by_label_contains("Fixture Strip 8, ");
    undo(&mut stand);
    assert_eq!(project(&mut stand), start);
    row(&mut stand, "Strip 1", Modifiers::NONE);
    row(&mut stand, "Strip 3", Modifiers::COMMAND);
    click(&mut stand, "Delete fixtures");
    assert_eq!(told(&mut stand, 1), ["2@0.1"]);
    assert_eq!(undo_title(&mut stand), "delete 2 fixtures");
    undo(&mut stand);
    assert_eq!(project(&mut stand), start);
}

#[test]
fn the_keyboard_selects_moves_doubles_and_deletes() {
    let mut stand = stand(rig());
    row(&mut stand, "Strip 1", Modifiers::NONE);
    stand.key(Modifiers::NONE, Key::ArrowDown);
    stand.window.run_steps(2);
    stand.key(Modifiers::ALT, Key::ArrowDown);
    assert_eq!(told(&mut stand, 1), ["1@0.1", "3@0.181", "2@0.361"], "the second went down");
    stand.key(Modifiers::SHIFT, Key::ArrowUp);
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::D);
    assert_eq!(told(&mut stand, 1).len(), 5, "two more");
    undo(&mut stand);
    row(&mut stand, "Strip 3", Modifiers::NONE);
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(told(&mut stand, 1), ["1@0.1", "2@0.181"]);
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(told(&mut stand, 1), ["1@0.1"], "the keyboard went on at the next one");
}

/// Drags the grip of a fixture to a place.
fn drag(stand: &mut Stand, name: &str, to: impl FnOnce(&Stand) -> Pos2) {
    let grip = stand.middle(&format!("Move {name}"));
    let to = to(stand);
    stand.press(grip);
    for share in [0.3, 0.7, 1.0] {
        stand.window.hover_at(grip.lerp(to, share));
        stand.window.step();
    }
    stand.window.drop_at(to);
    stand.window.step();
    settle(stand);
}

#[test]
fn a_drag_reorders_and_a_drop_on_another_chain_moves_there() {
    let mut stand = stand(rig());
    drag(&mut stand, "Strip 1", |stand| {
        stand.window.get_by_label_contains("Fixture Strip 3, ").rect().center_bottom() - egui::vec2(0.0, 4.0)
    });
    assert_eq!(told(&mut stand, 1), ["2@0.1", "3@0.181", "1@0.361"]);
    drag(&mut stand, "Strip 3", |stand| stand.window.get_by_label_contains("Chain Chain 2, ").rect().center());
    assert_eq!(told(&mut stand, 1), ["2@0.1", "1@0.181"]);
    assert_eq!(told(&mut stand, 2), ["4@2.1", "5@2.181", "6@2.361", "3@3.31"]);
    assert_eq!(undo_title(&mut stand), "move fixture");
    undo(&mut stand);
    assert_eq!(told(&mut stand, 1), ["2@0.1", "3@0.181", "1@0.361"]);
}

#[test]
fn off_its_chain_a_fixture_is_told_and_comes_back_by_a_drag() {
    let mut stand = stand(rig());
    row(&mut stand, "Strip 2", Modifiers::NONE);
    click(&mut stand, "Take fixtures off the chain");
    assert_eq!(told(&mut stand, 1), ["1@0.1", "3@0.181"]);
    click_on(&mut stand, "On no chain, 1 fixture");
    drag(&mut stand, "Strip 2", |stand| stand.window.get_by_label_contains("Chain Chain 2, ").rect().center());
    assert_eq!(told(&mut stand, 2)[3], "2@3.31");
}

#[test]
fn addresses_that_overlap_are_told_led_to_and_cured() {
    let mut project_ = rig();
    let port = PatchAddress { universe: 0, channel: DmxAddress::new(100).unwrap() };
    set_port(&project_, ChainId(2), port).unwrap().apply(&mut project_).unwrap();
    let mut stand = stand(project_);
    stand.window.get_by_label_contains(
        "Chain Chain 2, universes 0 to 1 from channel 100, 3 fixtures, 180 lamps, addresses overlap",
    );
    click_on(&mut stand, "problems");
    click(&mut stand, "Strip 4 overlaps Strip 1 from universe 0, channel 100 on");
    stand.window.get_by_role_and_label(Role::TextInput, "Name");
    assert!(stand.window.query_by_label_contains("Fixture Strip 4, ").is_some(), "its chain is shown");
    click_on(&mut stand, "problems");
    click(
        &mut stand,
        "Move the chain to the first free universe: Strip 4 overlaps Strip 1 from universe 0, channel 100 on",
    );
    assert_eq!(told(&mut stand, 2), ["4@2.1", "5@2.181", "6@2.361"]);
    assert!(stand.window.query_by_label_contains(" overlaps ").is_none());
    stand.window.get_by_label_contains("Without a route, so sent to nobody: universe 0 to 3");
}

#[test]
fn a_gap_is_closed_by_assigning_anew() {
    let mut project_ = rig();
    let mut chain = project_.chains.get(ChainId(1)).unwrap().as_ref().clone();
    chain.links[1].start = PatchAddress { universe: 9, channel: DmxAddress::FIRST };
    project_.chains.put(chain);
    let mut stand = stand(project_);
    click(&mut stand, "Assign addresses anew");
    assert_eq!(told(&mut stand, 1), ["1@0.1", "2@0.181", "3@0.361"]);
    assert_eq!(undo_title(&mut stand), "assign addresses anew");
}

#[test]
fn a_fixture_gets_another_name_kind_and_place() {
    let mut project_ = rig();
    let (kind, edit) = first_kind(&project_);
    edit.apply(&mut project_).unwrap();
    let mut long = project_.definitions.get(kind).unwrap().as_ref().clone();
    (long.name, long.pixels) = ("Long".into(), glowdeck::model::fixture::Pixels::Strip { count: 100, length: 2.0 });
    project_.definitions.put(long);
    let mut stand = stand(project_);
    click(&mut stand, "Open Strip 1");
    enter(&mut stand, "Name", "Edge");
    stand.window.get_by_label("Kind: Strip of 60").click();
    stand.window.run_steps(2);
    click(&mut stand, "Long");
    assert_eq!(told(&mut stand, 1), ["1@0.1", "2@0.301", "3@0.481"]);
    number(&mut stand, "X", "2.5");
    number(&mut stand, "Angle", "90");
    let built = project(&mut stand);
    let fixture = built.fixtures.get(FixtureId(1)).unwrap();
    assert_eq!((fixture.name.as_str(), fixture.definition), ("Edge", DefinitionId(2)));
    let topology = built.layouts.get(built.settings.topology).unwrap();
    let placement = topology.placements.iter().find(|placement| placement.fixture == FixtureId(1)).unwrap();
    assert_eq!((placement.position[0], placement.angle), (2.5, 90.0));
    click(&mut stand, "Back to the list");
    stand.window.get_by_label_contains("Fixture Edge, Long, ");
}

#[test]
fn a_layout_is_filled_and_emptied_and_the_topology_holds_all() {
    let mut project_ = rig();
    let (layout, edit) = add_layout(&project_, None);
    edit.apply(&mut project_).unwrap();
    assert_eq!(layout, LayoutId(2));
    let mut stand = stand(project_);
    let placed = |stand: &mut Stand| {
        let project = project(stand);
        let layout = project.layouts.get(LayoutId(2)).unwrap();
        layout.placements.iter().map(|placement| placement.fixture.0).collect::<Vec<_>>()
    };
    click_on(&mut stand, "Layout Layout 1, ");
    click(&mut stand, "Strip 2 in the layout");
    click(&mut stand, "Strip 4 in the layout");
    assert_eq!(placed(&mut stand), [2, 4]);
    click(&mut stand, "Make it the topology");
    stand.window.get_by_label_contains("It lacks 4 of the fixtures");
    click(&mut stand, "Strip 2 in the layout");
    assert_eq!(placed(&mut stand), [4]);
    click(&mut stand, "Put all in");
    click(&mut stand, "Make it the topology");
    assert_eq!(project(&mut stand).settings.topology, LayoutId(2));
    let tick = stand.window.get_by_label("Strip 2 in the layout");
    assert!(tick.accesskit_node().is_disabled(), "nothing leaves the topology");
    undo(&mut stand);
    click_on(&mut stand, "Layout Layout 1, ");
    click(&mut stand, "Delete Layout 1");
    assert!(!project(&mut stand).layouts.contains(LayoutId(2)));
}

#[test]
fn a_lamp_blinks_its_fixture_or_its_chain() {
    let mut stand = stand(rig());
    for (label, target) in
        [("Blink Strip 2", Target::Fixture(FixtureId(2))), ("Blink Chain 2", Target::Chain(ChainId(2)))]
    {
        let lamp = stand.middle(label);
        stand.window.hover_at(lamp);
        stand.window.run_steps(2);
        let blink = TestPattern { target, pattern: Pattern::Identify };
        assert!(stand.live().contains(&LiveCommand::Test(Some(blink))), "{label}");
        settle(&mut stand);
    }
}

#[test]
fn of_very_many_fixtures_only_those_that_are_seen_are_drawn() {
    let mut project_ = rig();
    let (_, edit) = add_fixtures(&project_, Some(ChainId(1)), DefinitionId(1), 5000, None).unwrap();
    edit.apply(&mut project_).unwrap();
    let mut stand = stand(project_);
    let drawn = stand.window.query_all_by_label_contains("Fixture Strip ").count();
    assert!((10..100).contains(&drawn), "{drawn} lines");
    row(&mut stand, "Strip 3", Modifiers::NONE);
    (0..60).for_each(|_| {
        stand.key(Modifiers::NONE, Key::ArrowDown);
        stand.window.step();
    });
    let focused = stand.window.get_by(|node| node.is_focused());
    let label = focused.accesskit_node().label().unwrap();
    // The keyboard goes on where no line was drawn before.
    assert!(label.starts_with("Fixture Strip 66, "), "{label}");
    assert!(stand.window.query_by_label_contains("Fixture Strip 3, ").is_none());
}

#[test]
fn a_problem_leads_to_a_line_far_down() {
    let mut project_ = rig();
    let (_, edit) = add_fixtures(&project_, Some(ChainId(2)), DefinitionId(1), 900, None).unwrap();
    edit.apply(&mut project_).unwrap();
    let mut chain = project_.chains.get(ChainId(2)).unwrap().as_ref().clone();
    chain.links[800].start = PatchAddress { universe: 0, channel: DmxAddress::FIRST };
    project_.chains.put(chain);
    let mut stand = stand(project_);
    click_on(&mut stand, "problem");
    click(&mut stand, "Strip 804 overlaps Strip 1 from universe 0, channel 1 on");
    stand.window.run_steps(20);
    let line = stand.window.get_by_label_contains("Fixture Strip 804, ").rect();
    assert!(line.top() > 100.0 && line.bottom() < 2000.0, "{line:?}");
}

#[test]
fn no_room_is_too_small() {
    let mut project_ = rig();
    let (_, edit) = add_layout(&project_, None);
    edit.apply(&mut project_).unwrap();
    let mut stand = stand(project_);
    let pages = ["Chain Chain 1, ", "Layout Layout 1, ", "problem"];
    for page in pages {
        stand.window.set_size(egui::vec2(1440.0, 1000.0));
        stand.window.run_steps(2);
        click_on(&mut stand, page);
        for [width, height] in [[640.0, 360.0], [420.0, 200.0], [320.0, 120.0], [1600.0, 140.0]] {
            stand.window.set_size(egui::vec2(width, height));
            stand.window.run_steps(2);
        }
    }
}
