//! The list of nodes beside the project's devices: what it says, and what a click on it makes of the project.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

mod support;

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::Window;
use glowdeck::app::files::Dialogs;
use glowdeck::model::device::{Device, Protocol, RateLimit, Route};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::model::project::Project;
use glowdeck::output::discovery::nodes::{Found, FoundNode};
use glowdeck::output::discovery::roll::{Roll, Standing, add_edit, ports_text};
use glowdeck::show::command::Command;
use glowdeck::units::PortAddress;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::Console;

fn ports(raw: impl IntoIterator<Item = u16>) -> Vec<PortAddress> {
    raw.into_iter().map(|raw| PortAddress::new(raw).unwrap()).collect()
}

fn node(host: u8, name: &str, takes: impl IntoIterator<Item = u16>) -> FoundNode {
    FoundNode {
        address: Ipv4Addr::new(2, 0, 0, host),
        name: name.into(),
        about: String::new(),
        firmware: 0x0207,
        here: true,
        controller: false,
        takes: ports(takes),
        merges: Vec::new(),
        rate: RateLimit::Fps(44.0),
        pages: 1,
    }
}

/// The demo with a device for each of these hosts, which is sent universes 0 to 3 at port-addresses 0 to 3.
fn project(hosts: &[u8]) -> Project {
    let mut project = support::demo();
    for (id, host) in (1..).zip(hosts) {
        let address = format!("2.0.0.{host}:6454").parse().unwrap();
        project.devices.put(Device::artnet(DeviceId(id), format!("Device {host}"), address));
        let (device, port) = (DeviceId(id), PortAddress::default());
        project.routes.put(Route { id: RouteId(id), universe: 0, count: 4, device, port, merge: None });
    }
    project
}

fn standings(project: &Project, nodes: Vec<FoundNode>) -> Vec<(String, Standing)> {
    let roll = Roll::call(project, &Found { nodes });
    roll.lines.into_iter().map(|line| (line.name, line.standing)).collect()
}

#[test]
fn every_device_and_every_node_has_one_line_and_what_needs_a_hand_is_first() {
    let mut project = project(&[1, 2, 3]);
    let local = Device::artnet(DeviceId(9), "Here", "127.0.0.1:6454".parse().unwrap());
    project.devices.put(local);
    let gone = |node: FoundNode| FoundNode { here: false, ..node };
    let console = FoundNode { controller: true, ..node(8, "Desk", []) };
    let nodes =
        vec![node(1, "one", 0..4), gone(node(2, "two", 0..4)), node(7, "new", 0..4), console, gone(node(9, "old", []))];
    let expected = [
        ("Device 2", Standing::Missing),
        ("Device 3", Standing::Silent),
        ("new", Standing::NotPatched),
        ("Device 1", Standing::Here),
        ("Here", Standing::Unasked),
        ("Desk", Standing::Console),
        ("old", Standing::Left),
    ];
    assert_eq!(standings(&project, nodes), expected.map(|(name, standing)| (name.to_owned(), standing)));
}

#[test]
fn universes_that_the_node_does_not_take_are_named() {
    let check = |takes: std::ops::Range<u16>, here, unclaimed: &[u16]| {
        let nodes = vec![FoundNode { here, ..node(1, "one", takes) }];
        let roll = Roll::call(&project(&[1]), &Found { nodes });
        assert_eq!(roll.lines[0].unclaimed, ports(unclaimed.iter().copied()));
        assert_eq!(roll.lines[0].sent, ports(0..4));
    };
    check(0..16, true, &[]);
    check(0..3, true, &[3]);
    check(0..0, true, &[0, 1, 2, 3]);
    check(0..0, false, &[]);
}

#[test]
fn a_node_becomes_a_device_with_a_route_for_each_run_of_its_universes_and_undo_takes_both_away() {
    let before = project(&[1]);
    let mut changed = before.clone();
    let fast = FoundNode { rate: RateLimit::Fps(120.0), ..node(7, "Wall", [4, 5, 6, 9, 8191, 8192]) };
    let inverse = add_edit(&before, &fast).apply(&mut changed).unwrap();
    let device = changed.devices.get(DeviceId(2)).unwrap();
    assert_eq!((device.name.as_str(), device.rate), ("Wall", RateLimit::Fps(120.0)));
    assert_eq!(device.protocol, Protocol::ArtNet { address: "2.0.0.7:6454".parse().unwrap() });
    let routes: Vec<_> = changed.routes.iter().filter(|route| route.device == device.id).collect();
    let routes: Vec<_> = routes.iter().map(|route| (route.universe, route.count, route.port.raw())).collect();
    // The patch has 8192 universes; there is no universe 8192 to send.
    assert_eq!(routes, [(4, 3, 4), (9, 1, 9), (8191, 1, 8191)]);
    inverse.apply(&mut changed).unwrap();
    assert_eq!(changed, before);
}

#[test]
fn a_node_without_a_name_is_called_by_its_address() {
    let nodes = vec![node(7, "", 0..1), FoundNode { about: "Longer".into(), ..node(8, "", 0..1) }];
    let names: Vec<_> = standings(&support::demo(), nodes).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["2.0.0.7", "Longer"]);
}

#[test]
fn universes_are_told_as_nodes_show_them_and_as_numbers() {
    let check = |raw: &[u16], expected| assert_eq!(ports_text(&ports(raw.iter().copied()), 0), expected);
    check(&[], "");
    check(&[0x1234], "18:3:4 (4660)");
    assert_eq!(ports_text(&ports([0, 1]), 1), "0:0:0 to 0:0:1 (1 to 2)", "counted from 1");
    check(&[0, 1, 2, 3, 256, 32767], "0:0:0 to 0:0:3 (0 to 3), 1:0:0 (256), 127:15:15 (32767)");
}

/// The window with a console behind it, in simulated time.
struct Stand {
    window: Harness<'static, Window>,
    console: Console,
    now: Instant,
}

impl Stand {
    fn new(project: Project, nodes: Option<Vec<FoundNode>>) -> Self {
        Self::sized(project, nodes, 1280.0, 720.0)
    }

    fn sized(project: Project, nodes: Option<Vec<FoundNode>>, width: f32, height: f32) -> Self {
        let now = Instant::now();
        let console = Console::new(project, support::sculpture(), now);
        let handles = console.handles.clone();
        let window = Harness::builder()
            .with_size(vec2(width, height))
            .with_step_dt(0.05)
            .build_eframe(|cc| Window::new(cc, handles, Dialogs::default()));
        let mut stand = Self { window, console, now };
        if let Some(nodes) = nodes {
            stand.console.found.publish(Arc::new(Found { nodes }));
        }
        stand.step();
        stand.step();
        stand
    }

    fn step(&mut self) -> Vec<Command> {
        self.now += Duration::from_millis(50);
        let sent = self.console.step(self.now);
        self.window.step();
        sent
    }

    fn click(&mut self, label: &str) {
        self.window.get_by_label(label).click();
        self.window.step();
        self.step();
        self.step();
    }

    fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.window.key_press_modifiers(modifiers, key);
        self.window.step();
        self.step();
        self.step();
    }

    fn shows(&self, label: &str) -> bool {
        self.window.query_by_label(label).is_some()
    }
}

#[test]
fn the_status_bar_says_who_answers_and_opens_the_list() {
    let gone = FoundNode { here: false, ..node(2, "two", 0..4) };
    let mut stand = Stand::new(project(&[1, 2]), Some(vec![node(1, "one", 0..4), gone, node(7, "Wall", 0..4)]));
    stand.click("Nodes: 1 ok, 1 missing, 1 not patched");
    assert!(stand.shows("Device 1, OK, 2.0.0.1, 0:0:0 to 0:0:3 (0 to 3)"));
    assert!(stand.shows("Device 2, Missing, 2.0.0.2, 0:0:0 to 0:0:3 (0 to 3)"));
    assert!(stand.shows("Wall, Not patched, 2.0.0.7, 0:0:0 to 0:0:3 (0 to 3)"));
    stand.click("Close Nodes");
    assert!(!stand.shows("Device 1, OK, 2.0.0.1, 0:0:0 to 0:0:3 (0 to 3)"));
}

#[test]
fn add_makes_a_device_in_one_step_that_undo_takes_back() {
    let mut stand = Stand::new(support::demo(), Some(vec![node(7, "Wall", 0..8)]));
    let before = stand.console.show.project.clone();
    stand.key(Modifiers::NONE, Key::N);
    stand.click("Add Wall");
    let project = &stand.console.show.project;
    assert_eq!((project.devices.len(), project.routes.len()), (1, 1));
    let route = project.routes.iter().next().unwrap();
    assert_eq!((route.universe, route.count, route.port.raw()), (0, 8, 0));
    assert!(stand.shows("Wall, OK, 2.0.0.7, 0:0:0 to 0:0:7 (0 to 7)"), "the list follows the project at once");
    assert!(!stand.shows("Add Wall"));
    assert!(stand.shows("Nodes: 1 ok"));
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(stand.console.show.project, before);
    assert!(stand.shows("Add Wall"));
}

#[test]
fn a_node_that_comes_while_the_list_is_open_appears_in_it() {
    let mut stand = Stand::new(support::demo(), Some(vec![]));
    stand.key(Modifiers::NONE, Key::N);
    stand.window.get_by_label_contains("Nobody has answered yet");
    stand.console.found.publish(Arc::new(Found { nodes: vec![node(7, "Wall", 0..1)] }));
    stand.step();
    stand.step();
    assert!(stand.shows("Add Wall"));
}

#[test]
fn where_nobody_is_asked_nothing_is_said_of_nodes() {
    let mut stand = Stand::new(project(&[1]), None);
    assert!(stand.window.query_by_label_contains("Nodes: ").is_none());
    stand.key(Modifiers::NONE, Key::N);
    stand.window.get_by_label_contains("--no-discovery");
}

#[test]
fn a_long_list_stays_in_a_small_window_and_its_buttons_are_reached() {
    let nodes: Vec<_> = (1..=40).map(|host| node(host, &format!("Node {host}"), 0..4)).collect();
    let mut stand = Stand::sized(support::demo(), Some(nodes), 960.0, 540.0);
    stand.key(Modifiers::NONE, Key::N);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(960.0, 540.0));
    for label in ["Add Node 1", "Add Node 2", "Close Nodes"] {
        let rect = stand.window.get_by_label(label).rect();
        assert!(screen.contains_rect(rect), "{label}: {rect:?}");
        assert!(label == "Close Nodes" || rect.height() >= 44.0, "a finger hits it: {rect:?}");
    }
    let rows = ["Add Node 1", "Add Node 2"].map(|label| stand.window.get_by_label(label).rect());
    assert!(!rows[0].intersects(rows[1]));
}
