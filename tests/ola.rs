//! A foreign node's view: what OLA, an independent Art-Net implementation, holds after this program sent a frame.
//!
//! `ola_node.sh` starts OLA in a network namespace of its own and, beside it, this very test binary again, which
//! then is the sender. Needs Linux, permission to make namespaces, and OLA; where one is missing the test says so
//! loudly and checks nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

use glowdeck::frame::{FramePool, LampFrame};
use glowdeck::model::device::{Device, Route};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::model::project::Project;
use glowdeck::output::Output;
use glowdeck::sync::LatestSlot;
use glowdeck::units::PortAddress;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// Set where this binary runs as the sender.
const SENDER: &str = "GLOWDECK_OLA_SENDER";

/// What the script exits with where it cannot run.
const SKIPPED: i32 = 77;

/// The project that is sent: patch universe 0 goes to port-address 1, which OLA takes for its universe 1.
fn project() -> Project {
    let mut project = Project::empty("ola");
    project.devices.put(Device::artnet(DeviceId(1), "OLA", ([127, 0, 0, 1], 6454).into()));
    let (device, port) = (DeviceId(1), PortAddress::new(1).expect("15 bits"));
    project.routes.put(Route { id: RouteId(1), universe: 0, count: 1, device, port });
    project
}

/// The frame that is sent, universe-major.
fn frame() -> Arc<LampFrame> {
    FramePool::default().fill(1, 1, Instant::now(), |bytes| {
        for (slot, byte) in bytes.iter_mut().enumerate() {
            *byte = (slot * 37 % 251) as u8 + 4;
        }
    })
}

/// What OLA must hold then.
fn expected() -> Vec<u8> {
    frame().universe(0).expect("a universe").to_vec()
}

/// Runs only as the child of [`ola_holds_what_was_sent`]: sends the frame until it is killed.
#[test]
fn sender() {
    if std::env::var_os(SENDER).is_none() {
        return;
    }
    let (frames, projects) = (Arc::<LatestSlot<LampFrame>>::default(), Arc::<LatestSlot<Project>>::default());
    let (notices, told) = crossbeam_channel::unbounded();
    let output =
        Output::start(Arc::clone(&frames), Arc::clone(&projects), Arc::default(), notices).expect("the output starts");
    projects.publish(Arc::new(project()));
    frames.publish(frame());
    for notice in told {
        eprintln!("{notice}");
    }
    output.stop();
}

#[test]
fn ola_holds_what_was_sent() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ola_node.sh");
    let itself = std::env::current_exe().expect("a test binary");
    let mut node = Command::new(script);
    node.arg(itself).args(["--exact", "sender", "--nocapture"]).env(SENDER, "1");
    let output = node.output().expect("bash runs the script");
    let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(SKIPPED) {
        // Past the test harness's capture, so that nobody takes a skipped test for a passed one.
        let line = format!("\n*** SKIPPED: ola_holds_what_was_sent: {}. Nothing was checked. ***\n", complaint.trim());
        std::fs::write("/dev/stderr", line).ok();
        return;
    }
    assert!(output.status.success(), "{complaint}");
    let values = said.trim().strip_prefix("dmx ").unwrap_or_else(|| panic!("no values: {said} {complaint}"));
    let values: Vec<u8> = values.split(' ').map(|value| value.parse().expect("a byte")).collect();
    assert_eq!(values, expected());
}
