//! A foreign node's view: what OLA, an independent implementation of Art-Net and sACN, holds while the program plays a
//! project is what `glowdeck render` says of that project.
//!
//! `ola_node.sh` starts OLA and the program headless, in network namespaces of their own. Needs Linux, permission to
//! make namespaces, and OLA; where one is missing the test says so loudly and checks nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

/// What the script exits with where it cannot run.
const SKIPPED: i32 = 77;

/// Another colour on every lamp, and none that moves.
const SHADER: &str = "vec4 effect(Lamp lamp) { return vec4(0.02 + 0.9 * chance(lamp.index, 3), \
    float(lamp.index) / 80.0 + 0.1, chance(lamp.index, 7), 1.0); }";

/// The hello project, still, sent to a device that speaks this, on this port.
fn project(protocol: &str, port: u16) -> String {
    let hello = include_str!("../projects/hello.ron");
    let shaders = format!("shaders: [(id: 1, name: \"Still\", source: {SHADER:?})],\n    definitions: [");
    let still = hello
        .replacen("definitions: [", &shaders, 1)
        .replacen("BuiltIn(\"rainbow\")", "Project(1)", 1)
        .replacen("ArtNet(address: \"127.0.0.1:6454\")", protocol, 1)
        .replacen("count: 1, device: 1, port: 0", &format!("count: 1, device: 1, port: {port}"), 1);
    let fits = still.contains("Project(1)") && still.contains(protocol) && still.contains(&format!("port: {port}"));
    assert!(fits, "the hello project has changed");
    still
}

/// What `glowdeck render` says of the first universe.
fn rendered(project: &Path, folder: &Path) -> Vec<u8> {
    let mut render = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
    let output = render.arg("render").arg(project).arg("--out").arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.join("frame-0000.txt")).unwrap();
    let lines = text.strip_prefix("universe 0\n").unwrap().lines();
    let bytes = lines.flat_map(|line| line.split_whitespace().skip(1));
    bytes.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn check(test: &str, network: &str, protocol: &str, port: u16) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    std::fs::write(&path, project(protocol, port)).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ola_node.sh");
    let mut command = Command::new(script);
    let output =
        command.arg(network).arg(env!("CARGO_BIN_EXE_glowdeck")).args(["--headless", "--no-discovery"]).arg(&path);
    let output = output.output().unwrap();
    let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(SKIPPED) {
        // Past the test harness's capture, so that nobody takes a skipped test for a passed one.
        let line = format!("\n*** SKIPPED: {test}: {}. Nothing was checked. ***\n", complaint.trim());
        std::fs::write("/dev/stderr", line).ok();
        return;
    }
    assert!(output.status.success(), "{complaint}");
    let values = said.trim().strip_prefix("dmx ").unwrap_or_else(|| panic!("no values: {said} {complaint}"));
    let values: Vec<u8> = values.split(' ').map(|value| value.parse().unwrap()).collect();
    let expected = rendered(&path, folder.path());
    assert_eq!(expected.iter().filter(|byte| **byte > 0).count(), 180, "every channel of the strip has light");
    assert_eq!(values[..expected.len()], expected);
    assert!(values.len() == 512 && values[expected.len()..].iter().all(|value| *value == 0));
}

/// Port-address 1, which OLA takes for its universe 1.
#[test]
fn ola_holds_what_was_rendered_by_art_net() {
    check("ola_holds_what_was_rendered_by_art_net", "artnet", "ArtNet(address: \"127.0.0.1:6454\")", 1);
}

/// Port 0, which is sACN universe 1.
#[test]
fn ola_holds_what_was_rendered_by_sacn_multicast() {
    check("ola_holds_what_was_rendered_by_sacn_multicast", "sacn", "Sacn(interface: \"to-ola\")", 0);
}

#[test]
fn ola_holds_what_was_rendered_by_sacn_unicast() {
    check("ola_holds_what_was_rendered_by_sacn_unicast", "sacn", "Sacn(address: \"10.77.0.2:5568\")", 0);
}
