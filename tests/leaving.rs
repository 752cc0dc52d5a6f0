//! What nodes are left with when a show ends: a scene, if the project says so, whatever was playing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::console::{Console, ConsoleOptions};
use glowdeck::model::device::{Device, ExitPolicy, Route};
use glowdeck::model::id::{DeviceId, RouteId, SceneId};
use glowdeck::model::project::Project;
use glowdeck::model::scene::Scene;
use glowdeck::show::command::LiveCommand;
use glowdeck::storage::format::to_text;
use glowdeck::storage::load::load_text;
use glowdeck::units::{Level, PortAddress};
use small_rig::{add_scene, built_in, small_rig};
use std::net::UdpSocket;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Head of an ArtDmx packet.
const HEAD: usize = 18;

/// A white scene that plays, and one that is off and dim; the show ends with `exit`.
fn project(socket: &UdpSocket, exit: ExitPolicy) -> Project {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    add_scene(&mut project, 2, vec![built_in(2, "solid")]);
    let dim = Scene { active: false, opacity: Level::new(0.25), ..Scene::clone(project.scene(SceneId(2)).unwrap()) };
    project.scenes.put(dim);
    project.devices.put(Device { sync: false, ..Device::artnet(DeviceId(1), "node", socket.local_addr().unwrap()) });
    let (device, port) = (DeviceId(1), PortAddress::default());
    project.routes.put(Route { id: RouteId(1), universe: 0, count: 1, device, port, merge: None });
    Arc::make_mut(&mut project.settings).exit = exit;
    project
}

/// The first channel of every packet of a short show that ends with `exit`, played by `play`.
fn show(exit: ExitPolicy, play: impl Fn(&Console)) -> Vec<u8> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let options = ConsoleOptions {
        interface: None,
        project: project(&socket, exit),
        path: None,
        quarantined: Vec::new(),
        fps: Some(40.0),
        dialect: None,
        discovery: None,
    };
    let console = Console::start(options).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut packet = [0; 1024];
    let mut levels = Vec::new();
    while levels.last() != Some(&255) {
        socket.recv(&mut packet).expect("the show plays");
        levels.push(packet[HEAD]);
    }
    play(&console);
    assert!(console.stop());
    socket.set_nonblocking(true).unwrap();
    while socket.recv(&mut packet).is_ok() {
        levels.push(packet[HEAD]);
    }
    levels
}

#[test]
fn a_show_ends_with_its_scene_three_times_and_with_nothing_after_it() {
    for blackout in [false, true] {
        let levels = show(ExitPolicy::Scene(SceneId(2)), |console| {
            // Neither a master that is down nor blackout is what the project says it ends with.
            assert!(console.commands.send(LiveCommand::Master(Level::new(0.5))));
            assert!(console.commands.send(LiveCommand::Blackout(blackout)));
        });
        assert_eq!(levels[levels.len() - 3..], [64; 3], "{levels:?}");
    }
}

#[test]
fn black_and_hold_are_what_they_say() {
    let levels = show(ExitPolicy::Black, |_| ());
    assert_eq!(levels[levels.len() - 3..], [0; 3], "{levels:?}");
    let levels = show(ExitPolicy::Hold, |_| ());
    assert_eq!(levels.last(), Some(&255), "{levels:?}");
}

#[test]
fn a_scene_to_end_with_is_kept_in_the_file_and_one_that_is_missing_ends_black() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let read = |exit| {
        let text = to_text(&project(&socket, exit), &[]).unwrap();
        load_text(&text, Path::new("leaving.ron")).unwrap()
    };
    let loaded = read(ExitPolicy::Scene(SceneId(2)));
    assert_eq!(loaded.project.settings.exit, ExitPolicy::Scene(SceneId(2)));
    let repaired = read(ExitPolicy::Scene(SceneId(9)));
    assert_eq!(repaired.project.settings.exit, ExitPolicy::Black);
    assert!(repaired.problems.iter().any(|problem| problem.to_string().contains("to end with")));
}
