//! The program as a user starts it: what goes wrong is one line that says what to do, with an exit code of its own,
//! and a show that ends leaves its nodes black.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn glowdeck() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").stdin(Stdio::null());
    command
}

fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("projects").join(name)
}

fn hello() -> String {
    std::fs::read_to_string(project("hello.ron")).unwrap()
}

/// Runs to the end; the error is one line, and has these words.
fn check_failure(output: &Output, code: i32, words: &[&str]) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "`{word}` is missing in {error}");
    }
}

#[test]
fn a_project_that_cannot_be_read_is_one_line_and_a_code_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let broken = write("broken.ron", &hello().as_bytes()[..300]);
    let newer = write("newer.ron", hello().replacen("version: 1", "version: 7", 1).as_bytes());
    let noise = write("noise.ron", &[0xff, 0xfe, 0x00, 0x80]);
    let deep = write(
        "deep.ron",
        hello().replacen("gradient: [", &format!("gradient: [{}", "[".repeat(100_000)), 1).as_bytes(),
    );
    let missing = folder.path().join("missing.ron");
    // Opening a pipe would wait for somebody to write into it.
    let pipe = folder.path().join("pipe.ron");
    assert!(Command::new("bash").args(["-c", "mkfifo \"$0\""]).arg(&pipe).status().unwrap().success());
    let cases: [(&Path, i32, &[&str]); 7] = [
        (&pipe, 3, &["pipe.ron", "a pipe"]),
        (folder.path(), 3, &["a folder"]),
        (&deep, 4, &["deep.ron:10:", "nested too deep"]),
        (&missing, 3, &["missing.ron", "does not exist"]),
        (&broken, 4, &["broken.ron:10:", "correct it"]),
        (&noise, 4, &["not text"]),
        (&newer, 5, &["version 7", "update Glowdeck"]),
    ];
    for (path, code, words) in cases {
        for tool in [&["check"][..], &["--headless"][..]] {
            check_failure(&glowdeck().args(tool).arg(path).output().unwrap(), code, words);
        }
    }
}

#[test]
fn an_unknown_field_is_named_and_the_rest_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.ron");
    std::fs::write(&path, hello().replacen("name: \"Chase\",", "name: \"Chase\", colour: 7,", 1)).unwrap();
    let output = glowdeck().arg("check").arg(&path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{text}");
    assert!(text.contains("colour") && text.contains("60 lamps"), "{text}");
    assert!(text.contains("lo (loopback): 88 packets/s, 0.2 Mbit/s to 1 device at full rate"), "{text}");
    let out = folder.path().join("out");
    let output = glowdeck().arg("render").arg(&path).arg("--out").arg(&out).output().unwrap();
    assert!(output.status.success());
    assert!(std::fs::read_to_string(out.join("frame-0000.txt")).unwrap().contains("ff"));
}

#[test]
fn no_gl_no_window_and_no_room_for_files_say_what_to_do() {
    // EGL's loader takes its drivers from this list; there is none in it.
    let no_gl = |arguments: &[&str]| {
        let mut command = glowdeck();
        command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null").args(arguments).output().unwrap()
    };
    check_failure(&no_gl(&["--headless"]), 6, &["OpenGL", "install a GL driver"]);
    check_failure(&no_gl(&["render", "projects/hello.ron", "--out", "/tmp"]), 6, &["OpenGL"]);
    check_failure(&glowdeck().output().unwrap(), 9, &["window", "--headless"]);
    let output = glowdeck().args(["render", "projects/hello.ron", "--out", "/dev/null/x"]).output().unwrap();
    check_failure(&output, 8, &["/dev/null/x", "folder"]);
}

#[test]
fn a_port_in_use_is_told_by_the_bench_and_free_again_it_counts() {
    // A loopback address of its own, so that nothing else on this machine has the port.
    let taken = UdpSocket::bind("127.0.0.77:6454").unwrap();
    let rig = |extra: &[&str]| {
        let mut command = glowdeck();
        command.args([
            "bench",
            "rig",
            "--universes",
            "4",
            "--seconds",
            "0.5",
            "--address",
            "127.0.0.77",
            "--fps",
            "50",
        ]);
        command.args(extra).output().unwrap()
    };
    check_failure(&rig(&[]), 7, &["127.0.0.77:6454", "--address"]);
    drop(taken);
    let output = rig(&["--json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let row: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    let number = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("no {field} in {text}"));
    assert_eq!((number("universes"), number("lamps"), number("effects")), (4.0, 680.0, 50.0));
    assert_eq!((number("bad_packets"), number("sequence_gaps")), (0.0, 0.0), "{text}");
    assert!(number("packets_s") > 100.0 && number("wire_ratio") > 0.9, "{text}");
    assert!(number("render_fps") < 60.0, "the limit holds: {text}");
    for field in ["longest_gap_ms", "interval_error_p99_ms", "mbit_s", "peak_rss_mib"] {
        assert!(number(field) > 0.0, "{field} in {text}");
    }
    assert_eq!(row["workload"], "ring");
    assert!(!row["renderer"].as_str().unwrap().is_empty());
}

#[test]
fn the_bench_of_the_senders_counts_what_arrives_beside_bare_loops() {
    let options = ["--universes", "32", "--destinations", "1,4", "--seconds", "0.3", "--json"];
    let output = glowdeck().args(["bench", "output"]).args(options).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2, "{text}");
    for (row, destinations) in rows.iter().zip([1, 4]) {
        assert_eq!((row["universes"].as_u64(), row["destinations"].as_u64()), (Some(32), Some(destinations)));
        for field in ["packets_s", "send_to_packets_s", "gso_packets_s", "cpu_us_packet"] {
            assert!(row[field].as_f64().unwrap() > 0.0, "{field} in {text}");
        }
        assert_eq!((row["bad_packets"].as_u64(), row["sequence_gaps"].as_u64()), (Some(0), Some(0)), "{text}");
    }
    let paced = ["--universes", "32", "--destinations", "1", "--seconds", "0.5", "--fps", "50", "--json"];
    let output = glowdeck().args(["bench", "output"]).args(paced).output().unwrap();
    let row: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // A sender that is held up skips a frame as a whole; nothing is lost on the way.
    assert_eq!((row["missing_packets"].as_u64().unwrap() % 32, row["sequence_gaps"].as_u64()), (0, Some(0)), "{row}");
    assert!((100.0..2000.0).contains(&row["packets_s"].as_f64().unwrap()), "{row}");
}

#[test]
fn the_profile_names_every_stage_of_a_frame() {
    let options = ["bench", "rig", "--profile", "--json", "--universes", "4", "--effects", "10", "--seconds", "0.2"];
    let output = glowdeck().args(options).args(["--address", "127.0.0.78"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let row: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    let stages: Vec<&str> =
        row["stages"].as_array().unwrap().iter().map(|stage| stage["stage"].as_str().unwrap()).collect();
    let expected = ["compose", "draw scene 1", "draw scene 2", "pack", "read back", "power", "copy", "send"];
    assert_eq!(stages, expected);
    assert!(row["stages"][1]["cpu_ms"].as_f64().unwrap() > 0.0 && row["frames"].as_u64().unwrap() > 0, "{text}");
}

/// Ends the program when the test ends, however it does.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn signal(child: &Running, name: &str) {
    // The shell's own kill: a bare system has no other.
    let status = Command::new("bash").arg("-c").arg(format!("kill {name} {}", child.0.id())).status().unwrap();
    assert!(status.success());
}

/// The next ArtDmx packet's data.
fn next_data(node: &UdpSocket) -> Vec<u8> {
    let mut packet = [0; 1024];
    loop {
        let length = match node.recv(&mut packet) {
            // A machine that was held up for a moment interrupts a wait that has a timeout.
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            received => received.expect("packets keep coming"),
        };
        if packet[8..10] == [0x00, 0x50] {
            return packet[18..length].to_vec();
        }
    }
}

fn headless_to(node: SocketAddr, folder: &Path) -> Running {
    let path = folder.join("show.ron");
    std::fs::write(&path, hello().replace("127.0.0.1:6454", &node.to_string())).unwrap();
    Running(glowdeck().args(["--headless", "--no-discovery"]).arg(&path).stderr(Stdio::piped()).spawn().unwrap())
}

#[test]
fn a_headless_show_sends_light_and_leaves_black_three_times() {
    for stop in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let node = UdpSocket::bind("127.0.0.1:0").unwrap();
        node.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut show = headless_to(node.local_addr().unwrap(), folder.path());
        let deadline = Instant::now() + Duration::from_secs(20);
        while next_data(&node)[..180].iter().all(|byte| *byte == 0) {
            assert!(Instant::now() < deadline, "no light");
        }
        signal(&show, stop);
        let status = show.0.wait().unwrap();
        assert!(status.success(), "{stop}: {status}");
        node.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let mut packet = [0; 1024];
        let mut left = Vec::new();
        while let Ok(length) = node.recv(&mut packet) {
            if packet[8..10] == [0x00, 0x50] {
                left.push(packet[18..length].iter().all(|byte| *byte == 0));
            }
        }
        assert!(left.len() >= 3 && left[left.len() - 3..] == [true; 3], "{stop}: {left:?}");
        let before = left.len().checked_sub(4).map(|place| left[place]);
        assert_ne!(before, Some(true), "{stop}: black three times and no more");
    }
}

#[test]
fn without_a_network_the_show_goes_on_and_says_so() {
    if !Command::new("unshare").args(["-n", "true"]).status().is_ok_and(|status| status.success()) {
        println!("SKIPPED, LOUDLY: no network namespace may be made here, so a show without a network was not tried");
        return;
    }
    // A new namespace has no network at all: even its loopback is down.
    let mut command = Command::new("unshare");
    command.args(["-n", env!("CARGO_BIN_EXE_glowdeck"), "--headless", "--no-discovery"]).arg(project("hello.ron"));
    let mut show = Running(command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(show.0.stderr.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.find(|line| line.contains("This computer")).expect("a notice that names the device");
    assert!(told.to_lowercase().contains("network"), "{told}");
    assert!(show.0.try_wait().unwrap().is_none(), "the show goes on");
    signal(&show, "-INT");
    assert!(show.0.wait().unwrap().success());
}
