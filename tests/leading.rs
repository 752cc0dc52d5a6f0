//! What leads through the window: the command search, the settings, and the hints of the first minutes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::device::{Device, Route};
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::id::{DeviceId, RouteId, SceneId};
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::units::PortAddress;
use stand::Stand;

#[test]
fn the_command_search_finds_a_scene_and_plays_it_on_enter() {
    let mut stand = Stand::new();
    stand.key(Modifiers::COMMAND, Key::K);
    stand.window.run_steps(2);
    stand.window.get_by_label("Search commands").type_text("comet");
    stand.window.run_steps(2);
    stand.window.get_by_label("Play Comet");
    stand.key(Modifiers::NONE, Key::Enter);
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(3))]);
    assert!(stand.window.query_by_label("Search commands").is_none(), "it is over");
}

#[test]
fn the_command_search_is_left_by_escape_and_moved_through_by_arrows() {
    let mut stand = Stand::new();
    stand.key(Modifiers::COMMAND, Key::K);
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Escape);
    stand.window.step();
    assert!(stand.window.query_by_label("Search commands").is_none());
    stand.key(Modifiers::COMMAND, Key::K);
    stand.window.run_steps(2);
    stand.window.get_by_label("Search commands").type_text("tempo");
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::ArrowDown);
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    assert!(matches!(stand.live()[..], [LiveCommand::Half | LiveCommand::Double]));
}

#[test]
fn the_project_ends_as_it_is_chosen_in_the_settings() {
    let mut stand = Stand::new();
    stand.key(Modifiers::COMMAND, Key::Comma);
    stand.window.run_steps(3);
    stand.click("Ends with: Black");
    stand.window.run_steps(2);
    stand.click("The last light");
    stand.sent();
    stand.sent();
    assert_eq!(stand.console.show.project.settings.exit, glowdeck::model::device::ExitPolicy::Hold);
}

#[test]
fn three_hints_lead_from_the_demo_to_ones_own_node() {
    let mut stand = Stand::new();
    let hint = |stand: &Stand| {
        let shown =
            ["1 of 3", "2 of 3", "3 of 3"].into_iter().filter(|hint| stand.window.query_by_label(hint).is_some());
        shown.collect::<Vec<_>>()
    };
    assert_eq!(hint(&stand), ["1 of 3"]);
    stand.click("Scene Comet");
    stand.sent();
    stand.sent();
    assert_eq!(hint(&stand), ["2 of 3"]);
    stand.click("Show nodes");
    stand.window.run_steps(3);
    assert_eq!(hint(&stand), ["3 of 3"]);
    let device = Device::artnet(DeviceId(9), "Mine", "2.0.0.9:6454".parse().unwrap());
    let route =
        Route { id: RouteId(9), universe: 0, count: 1, device: DeviceId(9), port: PortAddress::default(), merge: None };
    let edits = vec![Edit::Put(Entry::Device(device.into())), Edit::Put(Entry::Route(route.into()))];
    assert!(stand.console.handles.commands.send(Command::Edit { edit: Edit::Batch(edits), gesture: None }));
    (0..3).for_each(|_| drop(stand.sent()));
    assert!(hint(&stand).is_empty(), "a node of one's own is lit");
}

#[test]
fn hints_are_waved_away_for_good() {
    let mut stand = Stand::new();
    stand.click("No more hints");
    stand.window.run_steps(2);
    assert!(stand.window.query_by_label("1 of 3").is_none());
    stand.click("Scene Comet");
    stand.sent();
    assert!(stand.window.query_by_label("2 of 3").is_none());
}
