//! The real window on a display of its own: the demo opens, a scene is clicked, and what is seen and what is sent both
//! change. Needs Xvfb, xdotool and ImageMagick; `tools/setup --tests` installs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use std::io::{BufRead as _, BufReader};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const WIDTH: usize = 1440;
const HEIGHT: usize = 900;
/// Bytes of a pixel.
const DEPTH: usize = 3;
/// On the grid's first tile, in the window's default layout.
const FIRST_TILE: (usize, usize) = (60, 150);
const PATIENCE: Duration = Duration::from_secs(40);

/// Ends a program when the test ends, however it does.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Running {
    let name = command.get_program().to_owned();
    let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn();
    Running(child.unwrap_or_else(|error| panic!("{name:?}: {error}; tools/setup --tests installs what is missing")))
}

/// A display that nobody else has, and its name.
fn display() -> (Running, String) {
    let screen = format!("{WIDTH}x{HEIGHT}x24");
    let arguments = ["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"];
    let mut server = start(Command::new("Xvfb").args(arguments).stdout(Stdio::piped()));
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    (server, format!(":{}", number.trim()))
}

fn on(display: &str, program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(arguments).env("DISPLAY", display).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}; tools/setup --tests installs it"));
    output.stdout
}

/// The display's pixels, RGB.
fn screenshot(display: &str) -> Vec<u8> {
    let file = on(display, "import", &["-window", "root", "png24:-"]);
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width as usize, info.height as usize), (WIDTH, HEIGHT));
    assert_eq!(pixels.len(), WIDTH * HEIGHT * DEPTH);
    pixels
}

/// How many pixels of the screen's right half, where the stage is, are clearly lit.
fn lit_on_stage(pixels: &[u8]) -> usize {
    let rows = pixels.chunks_exact(WIDTH * DEPTH);
    let stage = rows.skip(120).take(HEIGHT - 180).flat_map(|row| row[(WIDTH * 6 / 10) * DEPTH..].chunks_exact(DEPTH));
    stage.filter(|pixel| pixel.iter().any(|level| *level > 120)).count()
}

/// Takes screenshots until one serves.
fn screenshot_when(display: &str, what: &str, serves: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let pixels = screenshot(display);
        if serves(&pixels) {
            return pixels;
        }
        assert!(Instant::now() < deadline, "the window never showed {what}");
    }
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
    let (_server, display) = display();
    let node = UdpSocket::bind("127.0.0.1:0").unwrap();
    node.set_read_timeout(Some(PATIENCE)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.ron");
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("projects/demo.ron");
    // The demo with nothing playing, so that every light comes from the click.
    let text = std::fs::read_to_string(demo).unwrap().replace("active: true", "active: false");
    std::fs::write(&path, text.replace("127.0.0.1:6454", &node.local_addr().unwrap().to_string())).unwrap();
    let mut glowdeck = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
    glowdeck
        .arg(&path)
        .arg("--no-discovery")
        .arg("--data-dir")
        .arg(folder.path())
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    let mut window = start(&mut glowdeck);
    wait_for_light(&node, false);
    // The tiles are there when the quick line's gold digits are.
    let gold = |pixel: &[u8]| pixel[0] > 180 && (100..190).contains(&pixel[1]) && pixel[2] < 110;
    let shows_tiles = |pixels: &[u8]| pixels.chunks_exact(DEPTH).filter(|pixel| gold(pixel)).count() > 100;
    let before = screenshot_when(&display, "its tiles", shows_tiles);
    assert_eq!(lit_on_stage(&before), 0, "nothing plays");
    let (x, y) = FIRST_TILE;
    on(&display, "xdotool", &["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    wait_for_light(&node, true);
    screenshot_when(&display, "lit lamps on the stage", |pixels| lit_on_stage(pixels) > 200);
    // Ctrl+C closes the window in order: the nodes are left black.
    let status = Command::new("bash").arg("-c").arg(format!("kill -INT {}", window.0.id())).status().unwrap();
    assert!(status.success());
    let (ended, last) = read_to_the_end(&node, &mut window);
    assert!(ended.success());
    assert!(last.len() == 512 && last.iter().all(|byte| *byte == 0), "the node was left with light");
}
