//! The panel of fixture definitions: what is entered in it, what is refused, and that each entry is a step of undo.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod small_rig;
#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::definitions::{View, definitions_ui};
use glowdeck::app::theme;
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::effect::Selection;
use glowdeck::model::fixture::{Channel, FixtureDefinition, Grouping, MAX_LAMPS, Mode, Pixels};
use glowdeck::model::id::{ChainId, DefinitionId, ModeId};
use glowdeck::model::patch::Chain;
use glowdeck::model::project::Project;
use glowdeck::model::scene::Scene;
use glowdeck::render::gather::Gather;
use glowdeck::render::lamp_map::LampMap;
use glowdeck::show::command::Command;
use stand::{Stand, send, settle};
use std::sync::Arc;
use std::time::Instant;
use support::Console;

/// The window with the panel open over a matrix, a ring and a strip, kinds 1 to 3, which are on one chain.
fn stand() -> Stand {
    stand_with(small_rig::small_rig())
}

fn stand_with(project: Project) -> Stand {
    let mut stand = Stand::sized(1600.0, 3000.0);
    send(&mut stand, Command::Load { project: Box::new(project), path: None });
    stand.choose("View", "Fixtures");
    settle(&mut stand);
    stand
}

fn put(stand: &mut Stand, entry: Entry) {
    send(stand, Command::Edit { edit: Edit::Put(entry), gesture: None });
}

fn project(stand: &mut Stand) -> Project {
    settle(stand);
    stand.console.show.project.clone()
}

fn definition(stand: &mut Stand, id: u32) -> FixtureDefinition {
    FixtureDefinition::clone(project(stand).definitions.get(DefinitionId(id)).unwrap())
}

/// Chooses a kind in the list.
fn choose(stand: &mut Stand, name: &str) {
    stand.window.get_by_label_contains(&format!("Kind {name}, ")).click();
    settle(stand);
}

fn pick(stand: &mut Stand, choice: &str, item: &str) {
    stand.click(choice);
    stand.window.run_steps(2);
    stand.click(item);
    settle(stand);
}

/// Types a number into the field of this name.
fn number(stand: &mut Stand, label: &str, text: &str) {
    stand.window.get_by_role_and_label(Role::SpinButton, label).click();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(egui::Event::Text(text.into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    settle(stand);
}

/// Types over what is in the field of this name, and leaves it.
fn enter(stand: &mut Stand, role: Role, label: &str, text: &str) {
    stand.window.get_by_role_and_label(role, label).focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.get_by_role_and_label(role, label).type_text(text);
    stand.window.run_steps(2);
    stand.window.get_by_role_and_label(Role::ListItem, "Mode Individual, Pixel by pixel; always there").focus();
    settle(stand);
}

fn undo(stand: &mut Stand) {
    stand.key(Modifiers::COMMAND, Key::Z);
    settle(stand);
}

#[test]
fn a_kind_is_added_from_a_start_in_one_step_and_worked_at() {
    let mut stand = stand();
    let before = project(&mut stand);
    stand.click("Add…");
    stand.window.run_steps(2);
    stand.click("RGBW par with a dimmer");
    let par = definition(&mut stand, 4);
    assert_eq!((par.name.as_str(), par.pixels.count()), ("Par", 1));
    assert_eq!(par.channels[..2], [Channel::Constant(255), Channel::Red]);
    stand.window.get_by_label("Drawing of Par, 1 pixels");
    undo(&mut stand);
    assert_eq!(project(&mut stand), before);
}

#[test]
fn shape_and_count_are_changed_by_choice_and_number() {
    let mut stand = stand();
    choose(&mut stand, "Shape 3");
    number(&mut stand, "Pixels", "12");
    number(&mut stand, "Length", "2.5");
    assert_eq!(definition(&mut stand, 3).pixels, Pixels::Strip { count: 12, length: 2.5 });
    pick(&mut stand, "Shape: Strip", "Ring");
    assert_eq!(definition(&mut stand, 3).pixels, Pixels::Ring { count: 12, radius: 1.25, start: 90.0 });
    undo(&mut stand);
    assert_eq!(definition(&mut stand, 3).pixels, Pixels::Strip { count: 12, length: 2.5 });
    undo(&mut stand);
    undo(&mut stand);
    assert_eq!(definition(&mut stand, 3).pixels.count(), 16, "each entry is a step of undo");
}

#[test]
fn a_corner_is_dragged_on_the_drawing_in_one_step() {
    let mut stand = stand();
    choose(&mut stand, "Shape 3");
    pick(&mut stand, "Shape: Strip", "Line with corners");
    let before = project(&mut stand);
    let corner = stand.window.get_by_label_contains("Corner 2 at 75.0 cm").rect().center();
    stand.press(corner);
    for step in 1..=4 {
        stand.window.hover_at(corner + vec2(0.0, -10.0 * step as f32));
        stand.sent();
    }
    stand.window.drop_at(corner + vec2(0.0, -40.0));
    let Pixels::Polyline { corners, .. } = definition(&mut stand, 3).pixels else { panic!() };
    assert!(corners[1][1] > 0.01 && (corners[1][0] - 0.75).abs() < 0.02, "{corners:?}");
    assert!((corners[1][1] * 100.0 - (corners[1][1] * 100.0).round()).abs() < 1e-3, "it snaps: {corners:?}");
    undo(&mut stand);
    assert_eq!(project(&mut stand), before);
    number(&mut stand, "Corner 1 z", "0.5");
    let Pixels::Polyline { corners, .. } = definition(&mut stand, 3).pixels else { panic!() };
    assert_eq!(corners[0], [-0.75, 0.0, 0.5]);
}

/// What feeds the first bytes of the frame.
fn fed(project: &Project) -> Vec<u32> {
    Gather::build(&LampMap::compile(project)).entries[..6].to_vec()
}

#[test]
fn the_order_of_channels_is_what_the_bytes_of_a_pixel_mean() {
    let mut stand = stand();
    choose(&mut stand, "Shape 1");
    let rgb = fed(&project(&mut stand));
    stand.click("Channels GRB");
    let grb = fed(&project(&mut stand));
    assert_eq!([grb[0], grb[1], grb[2]], [rgb[1], rgb[0], rgb[2]]);
    stand.click("Move channel 1 down");
    assert_eq!(fed(&project(&mut stand)), rgb, "by hand it is RGB again");
    pick(&mut stand, "Channel 3: Blue", "Always a value");
    number(&mut stand, "Value of channel 3", "77");
    stand.click("Add a channel");
    let channels = definition(&mut stand, 1).channels;
    assert_eq!(channels, [Channel::Red, Channel::Green, Channel::Constant(77), Channel::Blue]);
    pick(&mut stand, "Channel 1: Red", "Red 16 bit");
    assert_eq!(definition(&mut stand, 1).channels[..3], [Channel::Red, Channel::RedFine, Channel::Green]);
    stand.click("Remove channel 1");
    assert_eq!(definition(&mut stand, 1).channels[0], Channel::Green, "both bytes go");
    undo(&mut stand);
    assert_eq!(definition(&mut stand, 1).channels[1], Channel::RedFine);
}

#[test]
fn modes_are_added_grouped_and_removed_and_bad_groups_are_told_and_not_taken() {
    let mut stand = stand();
    choose(&mut stand, "Shape 3");
    stand.click("Add a mode");
    settle(&mut stand);
    enter(&mut stand, Role::TextInput, "Name of the mode", "Halves");
    pick(&mut stand, "Grouping: All pixels as one", "Groups by hand");
    let text = Role::MultilineTextInput;
    enter(&mut stand, text, "Groups of the mode", "0-7\n8-15");
    let halves = vec![(0..8).collect::<Vec<u32>>(), (8..16).collect()];
    let mode = Mode { id: ModeId(1), name: "Halves".into(), grouping: Grouping::Groups(halves) };
    assert_eq!(definition(&mut stand, 3).modes, std::slice::from_ref(&mode));
    enter(&mut stand, text, "Groups of the mode", "0-7\n7-15");
    stand.window.get_by_label("Line 2: pixel 7 is in line 1 already.");
    assert_eq!(definition(&mut stand, 3).modes, std::slice::from_ref(&mode), "nothing changes until it makes sense");
    enter(&mut stand, text, "Groups of the mode", "0-7\n8-16");
    stand.window.get_by_label("Line 2: there is no pixel 16, the last one is 15.");
    enter(&mut stand, text, "Groups of the mode", "0");
    assert_eq!(definition(&mut stand, 3).modes[0].grouping, Grouping::Groups(vec![vec![0]]));
    undo(&mut stand);
    assert_eq!(definition(&mut stand, 3).modes, [mode]);
    pick(&mut stand, "Grouping: Groups by hand", "Runs of pixels");
    number(&mut stand, "Pixels of a run", "4");
    assert_eq!(definition(&mut stand, 3).modes[0].grouping, Grouping::Every(4));
    stand.click("Remove mode Halves");
    assert_eq!(definition(&mut stand, 3).modes, []);
}

#[test]
fn a_mode_that_a_scene_uses_is_not_removed_and_the_scene_is_named() {
    let mut project = small_rig::small_rig();
    small_rig::add_scene(&mut project, 1, vec![]);
    let mut kind = FixtureDefinition::clone(project.definitions.get(DefinitionId(3)).unwrap());
    kind.modes = vec![Mode { id: ModeId(7), name: "Bars".into(), grouping: Grouping::Every(4) }];
    project.definitions.put(kind);
    let layout = project.settings.topology;
    let scene = Scene::clone(project.scenes.iter().next().unwrap());
    let selection = Some(Selection { layout, modes: vec![(DefinitionId(3), ModeId(7))] });
    project.scenes.put(Scene { selection, ..scene });
    let mut stand = stand_with(project);
    choose(&mut stand, "Shape 3");
    stand.click("Mode Bars, Runs of 4");
    settle(&mut stand);
    stand.click("Remove mode Bars");
    settle(&mut stand);
    stand.window.get_by_label("Not removed: scene `Scene 1` uses it. Change that first.");
    assert_eq!(definition(&mut stand, 3).modes.len(), 1);
}

#[test]
fn a_kind_in_use_is_not_deleted_and_what_uses_it_is_named() {
    let mut stand = stand();
    choose(&mut stand, "Shape 2");
    let before = project(&mut stand);
    stand.click("Delete Shape 2");
    settle(&mut stand);
    stand.window.get_by_label("Not deleted: fixture `Shape 2` uses it. Change that first.");
    assert_eq!(project(&mut stand), before);
    stand.click("Duplicate Shape 2");
    settle(&mut stand);
    assert_eq!(definition(&mut stand, 4).name, "Shape 4");
    stand.click("Delete Shape 4");
    assert_eq!(project(&mut stand), before, "a copy that nothing uses goes");
}

#[test]
fn addresses_stay_until_they_are_assigned_anew_in_one_step() {
    let mut stand = stand();
    choose(&mut stand, "Shape 1");
    let starts = |project: &Project| -> Vec<usize> {
        let chain = project.chains.get(ChainId(1)).unwrap();
        chain.links.iter().map(|link| link.start.byte()).collect()
    };
    let before = starts(&project(&mut stand));
    stand.click("Channels RGBW");
    let wider = project(&mut stand);
    assert_eq!(starts(&wider), before, "addresses are stored facts");
    stand.window.get_by_label("Fixtures of chain Chain overlap.");
    stand.click("Assign addresses anew");
    assert_eq!(starts(&project(&mut stand)), [0, 64 * 4, 64 * 4 + 24 * 3]);
    assert!(stand.window.query_by_label("Assign addresses anew").is_none());
    undo(&mut stand);
    assert_eq!(project(&mut stand), wider);
}

#[test]
fn chains_that_run_into_each_other_or_off_the_end_are_named() {
    let mut project = small_rig::small_rig();
    let chain = Chain::clone(project.chains.get(ChainId(1)).unwrap());
    let (mut links, mut last) = (chain.links.clone(), chain.links.clone());
    links.pop();
    project.chains.put(Chain { links, ..chain.clone() });
    last.drain(..2);
    last[0].start.universe = 8191;
    project.chains.put(Chain { id: ChainId(2), name: "Tail".into(), links: last, ..chain });
    // No edit lets it come to that, see below.
    let kind = FixtureDefinition::clone(project.definitions.get(DefinitionId(3)).unwrap());
    let mut long = kind.pixels.clone();
    let (Pixels::Strip { count, .. } | Pixels::Ring { count, .. } | Pixels::Polyline { count, .. }) = &mut long else {
        panic!("{kind:?}")
    };
    *count = 400;
    project.definitions.put(FixtureDefinition { pixels: long, ..kind });
    let mut stand = stand_with(project);
    choose(&mut stand, "Shape 3");
    stand.window.get_by_label("Chain Tail runs past universe 8191, the last one.");
    stand.window.get_by_label_contains("Chain Tail does not fit from its port on.");
    assert!(stand.window.query_by_label("Assign addresses anew").is_none(), "it would change nothing");
    number(&mut stand, "Pixels", "16");
    number(&mut stand, "Pixels", "400");
    let refused = "chain `Tail` would run past universe 8191, the last one; nothing was changed";
    assert!(stand.window.query_all_by_label_contains(refused).next().is_some());
    assert_eq!(definition(&mut stand, 3).pixels.count(), 16);
    let mut moved = Chain::clone(stand.console.show.project.chains.get(ChainId(2)).unwrap());
    moved.links[0].start.universe = 0;
    put(&mut stand, Entry::Chain(moved.into()));
    number(&mut stand, "Pixels", "17");
    assert!(stand.window.query_by_label_contains("overlaps chain").is_none(), "it stands behind the other");
    choose(&mut stand, "Shape 2");
    number(&mut stand, "Pixels", "30");
    stand.window.get_by_label("Chain Chain overlaps chain Tail.");
}

#[test]
fn no_count_makes_more_lamps_than_a_project_may_have() {
    let mut project = small_rig::small_rig();
    let kind = FixtureDefinition::clone(project.definitions.get(DefinitionId(1)).unwrap());
    let pixels = Pixels::Strip { count: 1_000_000, length: 1.0 };
    project.definitions.put(FixtureDefinition { pixels, ..kind });
    let mut stand = stand_with(project);
    choose(&mut stand, "Shape 3");
    number(&mut stand, "Pixels", "999999");
    let most = MAX_LAMPS - 1_000_000 - 24;
    assert_eq!(definition(&mut stand, 3).pixels.count(), most);
    stand.window.get_by_label_contains("At most 399\u{2009}976 pixels");
}

#[test]
fn light_and_current_are_entered_whole() {
    let mut stand = stand();
    choose(&mut stand, "Shape 1");
    number(&mut stand, "Gain", "50");
    pick(&mut stand, "Response: Linear: plain PWM drivers", "Gamma: the node raises to a power");
    number(&mut stand, "Gamma", "2.8");
    pick(&mut stand, "White point by: Red, green and blue", "Colour temperature");
    number(&mut stand, "White at", "3200");
    pick(&mut stand, "A channel draws: Not known", "The same for all channels");
    number(&mut stand, "At full", "12");
    number(&mut stand, "A dark pixel", "1");
    let kind = definition(&mut stand, 1);
    assert_eq!(kind.light.gain, 0.5);
    assert_eq!(format!("{:?} {:?}", kind.light.response, kind.light.white_point), "Gamma(2.8) Kelvin(3200.0)");
    assert_eq!((kind.current.milliamps.clone(), kind.current.idle), (vec![12.0], 1.0));
    pick(&mut stand, "A channel draws: The same for all channels", "Each channel its own");
    number(&mut stand, "Blue, channel 3", "15");
    stand.click("Channels BRG");
    assert_eq!(definition(&mut stand, 1).current.milliamps, [15.0, 12.0, 12.0], "what it draws goes with its channel");
}

#[test]
fn the_panel_fits_where_there_is_little_room() {
    let console = Console::new(small_rig::small_rig(), support::sculpture(), Instant::now());
    let snapshot = console.handles.snapshots.latest().unwrap();
    for (width, height) in [(8.0, 8.0), (120.0, 60.0), (300.0, 200.0), (640.0, 90.0), (700.0, 300.0), (1400.0, 800.0)] {
        let (snapshot, mut view) = (Arc::clone(&snapshot), View::default());
        let mut window = Harness::builder().with_size(vec2(width, height)).build_ui(move |ui| {
            theme::install(ui.ctx());
            definitions_ui(ui, &snapshot, &mut view);
        });
        window.run_steps(3);
        window.get_by_label_contains("Kind Shape 3, ").click();
        window.run_steps(3);
    }
}
