//! The stage: what is said of the lamp under the pointer, and the fixture that a click chooses.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod small_rig;
#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::{Pos2, Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::device::{Device, Route};
use glowdeck::model::id::{ChainId, DeviceId, FixtureId, RouteId};
use glowdeck::render::lamp_map::LampMap;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::show::snapshot::StageMap;
use glowdeck::show::test_pattern::{Pattern, Target, TestPattern};
use glowdeck::units::PortAddress;
use stand::Stand;

/// The window with the small rig on its stage; its matrix is fixture 1.
fn stand() -> (Stand, StageMap) {
    let mut project = small_rig::small_rig();
    project.devices.put(Device::artnet(DeviceId(1), "Left", "2.0.0.1:6454".parse().unwrap()));
    let (device, port) = (DeviceId(1), PortAddress::new(7).unwrap());
    project.routes.put(Route { id: RouteId(1), universe: 0, count: 1, device, port, merge: None });
    let map = LampMap::compile(&project).stage_map();
    let mut stand = Stand::new();
    stand.console.show_map(map.clone());
    assert!(stand.console.handles.commands.send(Command::Load { project: Box::new(project), path: None }));
    (0..3).for_each(|_| drop(stand.sent()));
    (stand, map)
}

/// Where a lamp is on the screen: the lamps are fitted into the pane with a margin of 6 %.
fn place(stand: &Stand, map: &StageMap, lamp: usize) -> Pos2 {
    let pane: Rect = stand.window.get_by_label("Stage").rect();
    let [width, height] = [0, 1].map(|axis| map.max[axis] - map.min[axis]);
    let scale = (pane.width() * 0.88 / width).min(pane.height() * 0.88 / height);
    let [x, y] = map.positions[lamp];
    let centre = [0, 1].map(|axis| (map.max[axis] + map.min[axis]) / 2.0);
    pane.center() + egui::vec2((x - centre[0]) * scale, (centre[1] - y) * scale)
}

#[test]
fn the_lamp_under_the_pointer_is_named_with_its_universe_and_channel() {
    let (mut stand, map) = stand();
    let fixture = map.fixtures.iter().find(|fixture| fixture.id == FixtureId(1)).unwrap();
    let lamp = place(&stand, &map, fixture.lamps.start + 2);
    stand.window.hover_at(lamp);
    stand.window.run_steps(30);
    let address = fixture.address_of(2).unwrap();
    assert_eq!((address.universe, address.channel.get()), (0, 7));
    stand.window.get_by_label_contains("universe 0, channel 7");
    stand.window.get_by_label_contains("to Left as 7 (0:0:7)");
}

#[test]
fn a_click_chooses_a_fixture_that_can_be_blinked_and_let_go() {
    let (mut stand, map) = stand();
    let fixture = map.fixtures.iter().find(|fixture| fixture.id == FixtureId(2)).unwrap();
    let lamp = place(&stand, &map, fixture.lamps.start);
    stand.press(lamp);
    stand.window.drop_at(lamp);
    stand.window.run_steps(3);
    stand.click("Blink this fixture");
    let test = TestPattern { target: Target::Fixture(FixtureId(2)), pattern: Pattern::Identify };
    assert_eq!(stand.live(), [LiveCommand::Test(Some(test))]);
    (0..2).for_each(|_| drop(stand.sent()));
    stand.click("Test…");
    stand.window.run_steps(2);
    stand.click("Count on its chain");
    let test = TestPattern { target: Target::Chain(ChainId(1)), pattern: Pattern::Count };
    assert_eq!(stand.live(), [LiveCommand::Test(Some(test))]);
    (0..2).for_each(|_| drop(stand.sent()));
    stand.click("Let the fixture go");
    assert_eq!(stand.live(), [LiveCommand::Test(None)]);
    stand.window.run_steps(2);
    assert!(stand.window.query_by_label("Blink this fixture").is_none());
    let nowhere = pos2(stand.window.get_by_label("Stage").rect().left() + 4.0, lamp.y);
    stand.press(nowhere);
    stand.window.drop_at(nowhere);
    stand.window.run_steps(2);
    assert!(stand.window.query_by_label("Blink this fixture").is_none(), "beside all lamps nothing is chosen");
}
