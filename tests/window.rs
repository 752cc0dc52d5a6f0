//! The real window on a display of its own: the demo opens, a scene is clicked, and what is seen and what is sent both
//! change.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/screen.rs"]
mod screen;

use screen::{PATIENCE, Picture, Running, Screen, start};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

const WIDTH: usize = 1440;
const HEIGHT: usize = 900;
/// On the grid's first tile, in the window's default layout.
const FIRST_TILE: (usize, usize) = (60, 150);

/// How many pixels of the screen's right half, where the stage is, are clearly lit.
fn lit_on_stage(picture: &Picture) -> usize {
    let stage = (120..HEIGHT - 60).flat_map(|y| picture.row(y, WIDTH * 6 / 10..WIDTH));
    stage.filter(|pixel| pixel.iter().any(|level| *level > 120)).count()
}

/// Reads packets until one has light, or not, as asked for.
fn wait_for_light(node: &UdpSocket, wanted: bool) {
    let deadline = Instant::now() + PATIENCE;
    let mut packet = [0; 1024];
    loop {
        let length = node.recv(&mut packet).expect("packets keep coming");
        let is_data = packet[8..10] == [0x00, 0x50];
        if is_data && packet[18..length].iter().any(|byte| *byte != 0) == wanted {
            return;
        }
        assert!(Instant::now() < deadline, "light was never {wanted}");
    }
}

/// Reads until the program has ended and nothing comes any more; its status, and the last data it sent. What is not
/// read in time the system drops, so nobody may wait for the end first.
fn read_to_the_end(node: &UdpSocket, program: &mut Running) -> (ExitStatus, Vec<u8>) {
    node.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let deadline = Instant::now() + PATIENCE;
    let mut packet = [0; 1024];
    let mut last = Vec::new();
    loop {
        let ended = program.0.try_wait().unwrap();
        match (node.recv(&mut packet), ended) {
            (Ok(length), _) if packet[8..10] == [0x00, 0x50] => last = packet[18..length].to_vec(),
            (Err(_), Some(status)) => return (status, last),
            _ => assert!(Instant::now() < deadline, "the program did not end"),
        }
    }
}

#[test]
fn a_click_on_a_scene_changes_the_picture_and_the_bytes() {
    let screen = Screen::new([WIDTH, HEIGHT]);
    let node = UdpSocket::bind("127.0.0.1:0").unwrap();
    node.set_read_timeout(Some(PATIENCE)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.ron");
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("projects/demo.ron");
    // The demo with nothing playing, so that every light comes from the click.
    let text = std::fs::read_to_string(demo).unwrap().replace("active: true", "active: false");
    std::fs::write(&path, text.replace("127.0.0.1:6454", &node.local_addr().unwrap().to_string())).unwrap();
    let mut glowdeck = screen.glowdeck();
    let mut window = start(glowdeck.arg(&path).arg("--no-discovery").arg("--data-dir").arg(folder.path()));
    wait_for_light(&node, false);
    // The tiles are there when the quick line's gold digits are.
    let gold = |pixel: &[u8]| pixel[0] > 180 && (100..190).contains(&pixel[1]) && pixel[2] < 110;
    let shows_tiles = |picture: &Picture| picture.all().filter(|pixel| gold(pixel)).count() > 100;
    let before = screen.shot_when("its tiles", shows_tiles);
    assert_eq!(lit_on_stage(&before), 0, "nothing plays");
    let (x, y) = FIRST_TILE;
    screen.run("xdotool", &["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    wait_for_light(&node, true);
    screen.shot_when("lit lamps on the stage", |picture| lit_on_stage(picture) > 200);
    // Ctrl+C closes the window in order: the nodes are left black.
    let status = Command::new("bash").arg("-c").arg(format!("kill -INT {}", window.0.id())).status().unwrap();
    assert!(status.success());
    let (ended, last) = read_to_the_end(&node, &mut window);
    assert!(ended.success());
    assert!(last.len() == 512 && last.iter().all(|byte| *byte == 0), "the node was left with light");
}
