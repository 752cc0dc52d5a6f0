//! Receivers from PyPI at the other end of a cable: aioartnet, a node with a page for every port, is found with all of
//! them, and it and the sACN receiver of the package `sacn` hold what was rendered.
//!
//! `peers.sh` starts them, and the program, in network namespaces of their own; every wait there has an end. Needs
//! Linux, permission to make namespaces, and what `tools/setup --tests` installs; where one is missing the test says so
//! loudly and checks nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

#[path = "support/still.rs"]
mod still;

use std::process::Command;
use still::{project, rendered, said, values};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers.sh");
const PROGRAM: &str = env!("CARGO_BIN_EXE_glowdeck");
/// Ports in three nets, at both ends of what there is.
const NODE: &str = "artnet 10.77.0.2 10.77.0.255 0:0:1 0:0:2 0:1:0 1:2:3 127:15:15";
const PORTS: [u16; 5] = [1, 2, 16, 0x123, 0x7FFF];
/// Lamps that fill four universes and some of a fifth.
const LAMPS: usize = 4 * 170 + 100;

#[test]
fn a_node_with_a_page_for_every_port_is_found_with_all_of_them() {
    let output = Command::new(SCRIPT).args(["found", NODE, PROGRAM, "list", "nodes"]).output().unwrap();
    let Some(said) = said("a_node_with_a_page_for_every_port_is_found_with_all_of_them", &output) else { return };
    let line = said.lines().find(|line| line.starts_with("10.77.0.2 ")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("aioartnet"), "{line}");
    let (_, ports) = line.split_once("takes ").unwrap();
    assert_eq!(ports, "0:0:1 to 0:0:2 (1 to 2), 0:1:0 (16), 1:2:3 (291), 127:15:15 (32767)");
}

/// The peer holds for each of these ports what was rendered for the universe that leads there.
fn check(test: &str, peer: &str, protocol: &str, ports: &[u16]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    std::fs::write(&path, project(protocol, LAMPS, ports)).unwrap();
    let mut command = Command::new(SCRIPT);
    command.args(["holds", peer, PROGRAM, "--headless", "--no-discovery"]).arg(&path);
    let Some(said) = said(test, &command.output().unwrap()) else { return };
    let held: Vec<_> = said.lines().map(values).collect();
    let expected = rendered(&path, folder.path());
    assert_eq!((held.len(), expected.len()), (ports.len(), ports.len()), "{said}");
    for (universe, (held, expected)) in held.iter().zip(&expected).enumerate() {
        assert!(expected.iter().filter(|byte| **byte > 0).count() > 250, "universe {universe} has light");
        assert_eq!(held[..expected.len()], expected[..], "universe {universe}");
        assert!(held.len() == 512 && held[expected.len()..].iter().all(|value| *value == 0));
    }
    assert_ne!(held[0][..300], held[4][..300], "no universe is taken for another");
}

#[test]
fn an_art_net_node_holds_what_was_rendered_at_every_port() {
    let test = "an_art_net_node_holds_what_was_rendered_at_every_port";
    check(test, NODE, "ArtNet(address: \"10.77.0.2:6454\")", &PORTS);
}

#[test]
fn an_sacn_receiver_holds_what_was_rendered_by_unicast() {
    let test = "an_sacn_receiver_holds_what_was_rendered_by_unicast";
    check(
        test,
        "sacn unicast 31233 31234 31235 31242 63999",
        "Sacn(address: \"10.77.0.2:5568\", first_universe: 31233)",
        &[0, 1, 2, 9, 32_766],
    );
}

#[test]
fn an_sacn_receiver_holds_what_was_rendered_by_multicast() {
    let test = "an_sacn_receiver_holds_what_was_rendered_by_multicast";
    check(test, "sacn multicast 1 2 3 10 257", "Sacn(interface: \"near\")", &[0, 1, 2, 9, 256]);
}
