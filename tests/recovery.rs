//! What fails costs a moment: the same scenes go on at the same beat, and nodes never go dark.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

#[path = "support/waiting.rs"]
mod waiting;

use glowdeck::console::{Console, ConsoleOptions};
use glowdeck::model::device::{Device, RateLimit, Refresh, Route};
use glowdeck::model::id::{DeviceId, RouteId, SceneId};
use glowdeck::model::project::Project;
use glowdeck::notice::Severity;
use glowdeck::output::receiver::Receiver;
use glowdeck::show::command::{Command, Fault, LiveCommand};
use glowdeck::show::snapshot::{PlayState, Snapshot};
use glowdeck::units::{Level, PortAddress};
use small_rig::{add_scene, built_in, small_rig};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use waiting::snapshot_when;

const PATIENCE: Duration = Duration::from_secs(30);

/// Two scenes, of which the second is off, to a node that is sent every frame.
fn project(node: SocketAddr) -> Project {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    add_scene(&mut project, 2, vec![built_in(2, "solid")]);
    let mut off = (**project.scene(SceneId(2)).unwrap()).clone();
    off.active = false;
    project.scenes.put(off);
    let device = Device {
        rate: RateLimit::RenderRate,
        refresh: Refresh::EveryFrame,
        ..Device::artnet(DeviceId(1), "node", node)
    };
    project.devices.put(device);
    let (device, port) = (DeviceId(1), PortAddress::default());
    project.routes.put(Route { id: RouteId(1), universe: 0, count: 1, device, port, merge: None });
    project
}

fn playing(snapshot: &Snapshot) -> Vec<SceneId> {
    snapshot.scenes.iter().filter(|scene| scene.state == PlayState::On).map(|scene| scene.id).collect()
}

fn check(fault: Fault) {
    let receiver = Receiver::start("127.0.0.1:0".parse().unwrap(), 1).unwrap();
    let options = ConsoleOptions {
        interface: None,
        project: project(receiver.address()),
        path: None,
        quarantined: Vec::new(),
        fps: Some(100.0),
        dialect: None,
        discovery: None,
    };
    let console = Console::start(options).unwrap();
    assert!(console.commands.send(LiveCommand::Toggle(SceneId(1))));
    assert!(console.commands.send(LiveCommand::Toggle(SceneId(2))));
    assert!(console.commands.send(LiveCommand::Master(Level::new(0.5))));
    snapshot_when(&console, "the second scene alone", |snapshot| {
        playing(snapshot) == [SceneId(2)] && snapshot.number > 20
    });
    wait_for_light(&receiver);
    let before = snapshot_when(&console, "any", |_| true);
    let failed = Instant::now();
    assert!(console.commands.send(Command::Inject(fault)));
    let told = console.notices.iter().find(|notice| notice.severity == Severity::Error).unwrap();
    assert!(told.text.contains("starts again") && told.text.contains("hold the last frame"), "{told}");
    let after = snapshot_when(&console, "frames after the fault", |snapshot| snapshot.number > before.number + 5);
    assert!(failed.elapsed() < Duration::from_secs(5), "a restart takes a moment, not {:?}", failed.elapsed());
    assert_eq!(playing(&after), [SceneId(2)]);
    assert_eq!(after.master, Level::new(0.5));
    let beats = after.clock.beat.0 - before.clock.beat.0;
    let bound = failed.elapsed().as_secs_f64() * 2.0 + 0.5;
    assert!(beats > 0.0 && beats < bound, "{beats} beats later, {bound} at most");
    wait_for_light(&receiver);
    assert_eq!(receiver.counts().sequence_gaps, 0, "the senders went on");
    assert!(console.stop());
}

/// Waits until twenty more packets came and the last of them has light.
fn wait_for_light(receiver: &Receiver) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let before = receiver.counts().packets;
        let (_, more) = receiver.wait_for(PATIENCE, |counts| counts.packets > before + 20);
        if more && receiver.latest(0).is_some_and(|data| data[0] > 0) {
            return;
        }
        assert!(Instant::now() < deadline, "no light");
    }
}

#[test]
fn a_panic_of_the_render_thread_costs_a_moment() {
    check(Fault::Panic);
}

#[test]
fn a_lost_context_costs_a_moment() {
    check(Fault::ContextLoss);
}
