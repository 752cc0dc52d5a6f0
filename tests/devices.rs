//! The panel of devices: what is entered in it, and what blinks.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glowdeck::model::device::{
    Ddp, DdpPixels, Device, Enttec, Incoming, Merge, MergeRule, Mk2Api, Protocol, Route, Sacn,
};
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::model::project::Project;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::show::test_pattern::{Pattern, Target, TestPattern};
use glowdeck::units::PortAddress;
use stand::{Stand, settle};

/// The window with the panel open and two devices, the second of which is sent universes 4 and 5.
fn stand() -> Stand {
    let mut stand = Stand::sized(1440.0, 2400.0);
    for (id, name) in [(1, "Left"), (2, "Right")] {
        let device = Device::artnet(DeviceId(id), name, format!("2.0.0.{id}:6454").parse().unwrap());
        put(&mut stand, Entry::Device(device.into()));
    }
    let (device, port) = (DeviceId(2), PortAddress::default());
    put(&mut stand, Entry::Route(Route { id: RouteId(1), universe: 4, count: 2, device, port, merge: None }.into()));
    stand.key(Modifiers::NONE, Key::F2);
    stand.click("Devices panel");
    settle(&mut stand);
    stand
}

fn put(stand: &mut Stand, entry: Entry) {
    let edit = Command::Edit { edit: Edit::Put(entry), gesture: None };
    assert!(stand.console.handles.commands.send(edit));
    settle(stand);
}

fn project(stand: &mut Stand) -> Project {
    settle(stand);
    stand.console.show.project.clone()
}

fn device(stand: &mut Stand, id: u32) -> Device {
    Device::clone(project(stand).devices.get(DeviceId(id)).unwrap())
}

/// Chooses a device in the list.
fn choose(stand: &mut Stand, name: &str) {
    stand.window.get_by_label_contains(&format!("Device {name}, ")).click();
    settle(stand);
}

/// Types into a field and leaves it.
fn enter(stand: &mut Stand, label: &str, text: &str, with: Key) {
    stand.window.get_by_role_and_label(Role::TextInput, label).focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.get_by_role_and_label(Role::TextInput, label).type_text(text);
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, with);
    settle(stand);
}

#[test]
fn a_lamp_under_the_pointer_blinks_its_device_until_the_pointer_leaves() {
    let mut stand = stand();
    let lamp = stand.middle("Blink Right");
    stand.window.hover_at(lamp);
    stand.window.run_steps(2);
    let blink = TestPattern { target: Target::Device(DeviceId(2)), pattern: Pattern::Identify };
    assert_eq!(stand.live(), [LiveCommand::Test(Some(blink))]);
    settle(&mut stand);
    stand.window.hover_at(egui::pos2(5.0, 5.0));
    stand.window.run_steps(2);
    assert_eq!(stand.live(), [LiveCommand::Test(None)]);
}

#[test]
fn a_pattern_chosen_by_hand_outlasts_a_pointer_that_passes_over_a_lamp() {
    let mut stand = stand();
    choose(&mut stand, "Right");
    stand.click("Pattern Count");
    let test = TestPattern { target: Target::Device(DeviceId(2)), pattern: Pattern::Count };
    assert_eq!(stand.live(), [LiveCommand::Test(Some(test))]);
    settle(&mut stand);
    for place in [stand.middle("Blink Left"), egui::pos2(5.0, 5.0)] {
        stand.window.hover_at(place);
        stand.window.run_steps(2);
        assert_eq!(stand.live(), []);
    }
    stand.click("Pattern Count");
    assert_eq!(stand.live(), [LiveCommand::Test(None)], "a click on the lit pad ends it");
}

#[test]
fn a_route_has_a_lamp_of_its_own() {
    let mut stand = stand();
    choose(&mut stand, "Right");
    let lamp = stand.middle("Blink route 1");
    stand.window.hover_at(lamp);
    stand.window.run_steps(2);
    let blink = TestPattern { target: Target::Route(RouteId(1)), pattern: Pattern::Identify };
    assert_eq!(stand.live(), [LiveCommand::Test(Some(blink))]);
}

#[test]
fn an_address_is_taken_on_enter_with_or_without_its_port_and_nonsense_changes_nothing() {
    let mut stand = stand();
    choose(&mut stand, "Left");
    let address = |stand: &mut Stand| match device(stand, 1).protocol {
        Protocol::ArtNet { address } => address.to_string(),
        other => panic!("{other:?}"),
    };
    enter(&mut stand, "Address", "2.0.0.77", Key::Enter);
    assert_eq!(address(&mut stand), "2.0.0.77:6454");
    enter(&mut stand, "Address", "10.1.1.1:7000", Key::Enter);
    assert_eq!(address(&mut stand), "10.1.1.1:7000");
    enter(&mut stand, "Address", "somewhere", Key::Enter);
    assert_eq!(address(&mut stand), "10.1.1.1:7000");
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(address(&mut stand), "2.0.0.77:6454", "each entry is a step of undo");
}

#[test]
fn a_device_is_added_given_a_route_and_deleted_with_it() {
    let mut stand = stand();
    let before = project(&mut stand);
    stand.click("Add…");
    stand.window.step();
    stand.click("sACN node");
    let added = device(&mut stand, 3);
    assert!(matches!(added.protocol, Protocol::Sacn(_)), "{added:?}");
    stand.click("Add a route to sACN node 3");
    let routed = project(&mut stand);
    let route = routed.routes.get(RouteId(2)).unwrap();
    assert_eq!((route.universe, route.count, route.device, route.port.raw()), (6, 1, DeviceId(3), 0));
    stand.click("Delete sACN node 3");
    assert_eq!(project(&mut stand), before);
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(project(&mut stand), routed, "undo brings both back");
}

#[test]
fn two_routes_to_one_universe_are_told_at_the_second() {
    let mut stand = stand();
    choose(&mut stand, "Right");
    assert!(stand.window.query_by_label_contains("leads to the same universe already").is_none());
    let (device, port) = (DeviceId(2), PortAddress::new(1).unwrap());
    put(&mut stand, Entry::Route(Route { id: RouteId(2), universe: 0, count: 1, device, port, merge: None }.into()));
    stand.window.get_by_label("Route 1 leads to the same universe already; that one is sent.");
}

#[test]
fn a_device_leaves_by_the_interface_that_is_chosen() {
    let mut stand = stand();
    choose(&mut stand, "Left");
    stand.click("Leaves by: As the system routes them");
    stand.window.run_steps(2);
    stand.click("lo");
    assert_eq!(device(&mut stand, 1).interface.as_deref(), Some("lo"));
    stand.click("Leaves by: lo");
    stand.window.run_steps(2);
    stand.click("As the system routes them");
    assert_eq!(device(&mut stand, 1).interface, None);
}

#[test]
fn a_dmx_interface_on_usb_is_added_and_given_its_port() {
    let mut stand = stand();
    stand.click("Add…");
    stand.window.step();
    stand.click("DMX on USB");
    settle(&mut stand);
    enter(&mut stand, "Port", "EN123456", Key::Enter);
    let Protocol::Enttec(enttec) = device(&mut stand, 3).protocol else { panic!() };
    assert_eq!(enttec.port, "EN123456");
    assert!(stand.window.query_by_label("Leaves by: As the system routes them").is_none(), "it is on no network");
}

#[test]
fn another_console_is_merged_into_a_route_by_the_rule_that_is_chosen() {
    let mut stand = stand();
    choose(&mut stand, "Right");
    stand.click("Merged into route 1: nothing");
    stand.window.run_steps(2);
    stand.click("sACN");
    settle(&mut stand);
    stand.click("Rule of route 1: the higher wins");
    stand.window.run_steps(2);
    stand.click("the latest wins");
    let merge = project(&mut stand).routes.get(RouteId(1)).unwrap().merge;
    assert_eq!(merge, Some(Merge { from: Incoming::Sacn(5), rule: MergeRule::Ltp }));
    stand.click("Merged into route 1: sACN");
    stand.window.run_steps(2);
    stand.click("nothing");
    assert_eq!(project(&mut stand).routes.get(RouteId(1)).unwrap().merge, None);
}

#[test]
fn the_panel_says_how_data_and_sync_travel() {
    let mut stand = stand();
    choose(&mut stand, "Left");
    let said = stand.window.get_by_role_and_label(Role::CheckBox, "Sync").accesskit_node().description();
    assert_eq!(said.as_deref(), Some("ArtSync after each frame; it goes by unicast, as the data does"));
    stand.window.get_by_role_and_label(Role::CheckBox, "Sync").click();
    assert!(!device(&mut stand, 1).sync, "and it is left out where that is wanted");
}

#[test]
fn the_second_line_of_a_dmx_interface_is_given_whole_or_not_at_all() {
    let mut stand = stand();
    let protocol = Protocol::Enttec(Enttec::default());
    put(&mut stand, Entry::Device(Device::new(DeviceId(3), "Dongle", protocol).into()));
    choose(&mut stand, "Dongle");
    let mk2 = |stand: &mut Stand| match device(stand, 3).protocol {
        Protocol::Enttec(enttec) => enttec.mk2,
        other => panic!("{other:?}"),
    };
    for half in ["C0DE", "C0DE 200", "C0DE 3 201", "C0DE 200 200", "nokey 200 201"] {
        enter(&mut stand, "Second line", half, Key::Enter);
        assert_eq!(mk2(&mut stand), None, "{half}");
    }
    enter(&mut stand, "Second line", "0xC0DE1234 200 201", Key::Enter);
    assert_eq!(mk2(&mut stand), Some(Mk2Api { key: 0xC0DE_1234, assign: 200, send: 201 }));
    enter(&mut stand, "Second line", " ", Key::Enter);
    assert_eq!(mk2(&mut stand), None);
}

#[test]
fn channels_of_ddp_and_hops_of_multicast_are_entered() {
    let mut stand = stand();
    let address = "2.0.0.3:4048".parse().unwrap();
    let ddp = Ddp { address, pixels: DdpPixels::Rgb, channels: None };
    put(&mut stand, Entry::Device(Device::new(DeviceId(3), "Wall", Protocol::Ddp(ddp)).into()));
    put(&mut stand, Entry::Device(Device::new(DeviceId(4), "Roof", Protocol::Sacn(Sacn::default())).into()));
    choose(&mut stand, "Wall");
    for (text, channels) in [("480", Some(480)), ("0", Some(480)), ("600", Some(480)), (" ", None)] {
        enter(&mut stand, "Channels", text, Key::Enter);
        assert_eq!(device(&mut stand, 3).protocol, Protocol::Ddp(Ddp { channels, ..ddp }), "{text}");
    }
    choose(&mut stand, "Roof");
    stand.window.get_by_role_and_label(Role::SpinButton, "Hops").click();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(egui::Event::Text("4".into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    settle(&mut stand);
    assert_eq!(device(&mut stand, 4).protocol, Protocol::Sacn(Sacn { ttl: 4, ..Sacn::default() }));
}
