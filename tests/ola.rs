//! A foreign node's view: what OLA, an independent implementation of Art-Net and sACN, holds while the program plays a
//! project is what `glowdeck render` says of that project.
//!
//! `ola_node.sh` starts OLA and the program headless, in network namespaces of their own. Needs Linux, permission to
//! make namespaces, and OLA; where one is missing the test says so loudly and checks nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

#[path = "support/still.rs"]
mod still;

use std::process::Command;
use still::{project, rendered, said, values};

fn check(test: &str, network: &str, protocol: &str, port: u16) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    std::fs::write(&path, project(protocol, 60, &[port])).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ola_node.sh");
    let mut command = Command::new(script);
    command.arg(network).arg(env!("CARGO_BIN_EXE_glowdeck")).args(["--headless", "--no-discovery"]).arg(&path);
    let Some(said) = said(test, &command.output().unwrap()) else { return };
    let values = values(&said);
    let expected = rendered(&path, folder.path()).remove(0);
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
