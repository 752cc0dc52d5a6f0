//! A show that stands still, for receivers made by others: as a project, and as `glowdeck render` says of it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::Path;
use std::process::{Command, Output};

/// What a script exits with where it cannot run.
const SKIPPED: i32 = 77;

/// Another colour on every lamp, and none that moves.
const SHADER: &str = "vec4 effect(Lamp lamp) { return vec4(0.02 + 0.9 * chance(lamp.index, 3), \
    0.1 + mod(float(lamp.index) / 80.0, 0.9), chance(lamp.index, 7), 1.0); }";

/// The hello project, still, with so many lamps, its universes sent to these ports of a device that speaks this.
pub fn project(protocol: &str, lamps: usize, ports: &[u16]) -> String {
    let hello = include_str!("../../projects/hello.ron");
    let shaders = format!("shaders: [(id: 1, name: \"Still\", source: {SHADER:?})],\n    definitions: [");
    let route = |(universe, port): (usize, &u16)| {
        format!("(id: {}, universe: {universe}, count: 1, device: 1, port: {port}),", universe + 1)
    };
    let routes: String = ports.iter().enumerate().map(route).collect();
    let mut still = hello.to_owned();
    for (from, to) in [
        ("definitions: [", shaders.as_str()),
        ("BuiltIn(\"rainbow\")", "Project(1)"),
        ("Strip(count: 60,", &format!("Strip(count: {lamps},")),
        ("ArtNet(address: \"127.0.0.1:6454\")", protocol),
        ("(id: 1, universe: 0, count: 1, device: 1, port: 0),", &routes),
    ] {
        assert!(still.contains(from), "the hello project has changed: {from}");
        still = still.replacen(from, to, 1);
    }
    still
}

/// What `glowdeck render` says of each universe.
pub fn rendered(project: &Path, folder: &Path) -> Vec<Vec<u8>> {
    let mut render = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
    let output = render.arg("render").arg(project).arg("--out").arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.join("frame-0000.txt")).unwrap();
    let bytes = |universe: &str| {
        let bytes = universe.lines().skip(1).flat_map(|line| line.split_whitespace().skip(1));
        bytes.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
    };
    text.split("universe ").skip(1).map(bytes).collect()
}

/// What a script printed; `None` where it could not run, which is said past the test harness's capture, so that nobody
/// takes a skipped test for a passed one.
pub fn said(test: &str, output: &Output) -> Option<String> {
    let complaint = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(SKIPPED) {
        let line = format!("\n*** SKIPPED: {test}: {}. Nothing was checked. ***\n", complaint.trim());
        std::fs::write("/dev/stderr", line).ok();
        return None;
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{complaint} {said}");
    Some(said)
}

/// The values of a line `dmx 1 2 3 ...`.
pub fn values(line: &str) -> Vec<u8> {
    let values = line.trim().strip_prefix("dmx ").unwrap_or_else(|| panic!("no values: {line}"));
    values.split(' ').map(|value| value.parse().unwrap()).collect()
}
