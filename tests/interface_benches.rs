//! The benches of the interface, small: each opens a real window on a display of its own and tells all of its figures.
//! Needs Xvfb; `tools/setup --tests` installs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Output, Stdio};

/// Ends the display when the test ends, however it does.
struct Display(Child, String);

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Display {
    /// A display that nobody else has.
    fn new() -> Self {
        let arguments = ["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"];
        let server = Command::new("Xvfb").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut server = server.expect("Xvfb; tools/setup --tests installs it");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self(server, format!(":{}", number.trim()))
    }

    /// The rows that a bench tells.
    fn bench(&self, arguments: &[&str]) -> Vec<Value> {
        let output = bench(arguments, Some(&self.1));
        let (rows, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {told}");
        rows.lines().map(|row| serde_json::from_str(row).unwrap_or_else(|error| panic!("{error}: {row}"))).collect()
    }
}

fn bench(arguments: &[&str], display: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
    command.arg("bench").args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.env_remove("WAYLAND_SOCKET").envs(display.map(|display| ("DISPLAY", display))).output().unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("no {field} in {row}"))
}

#[test]
fn without_a_display_each_says_so_in_one_line() {
    for which in ["startup", "ui", "session"] {
        let output = bench(&[which, "--json"], None);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), told.lines().count()), (Some(9), 1), "{told}");
        assert!(told.contains("xvfb-run") && told.contains(which), "{told}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn startup_tells_every_step_of_the_console_and_of_the_bare_window() {
    let display = Display::new();
    let rows = display.bench(&["startup", "--starts", "1", "--rest", "0.5", "--json"]);
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    let (first, control) = (number(row, "first_frame_ms"), number(row, "control_first_frame_ms"));
    assert!((1.0..60_000.0).contains(&control) && (1.0..60_000.0).contains(&first), "{row}");
    for (steps, total) in [("steps", first), ("control_steps", control)] {
        let step = |field| number(&row[steps], field);
        let times = ["main_ms", "opened_ms", "made_ms", "first_frame_ms", "first_show_ms"].map(step);
        assert!(times[0] > 0.0 && times.is_sorted(), "{steps} in {row}");
        assert_eq!(step("first_frame_ms"), total, "{row}");
    }
    let console = number(&row["steps"], "console_ms");
    assert!(console > number(&row["steps"], "main_ms") && console < first, "{row}");
    let (rss, bare) = (number(row, "rss_mib"), number(row, "control_rss_mib"));
    assert!(bare > 10.0 && rss > bare && rss < bare + 400.0, "{row}");
}

#[test]
fn ui_tells_what_frames_cost_and_at_rest_paints_nothing() {
    let display = Display::new();
    let size = ["--scenes", "4", "--playing", "1", "--fixtures", "40", "--seconds", "2"];
    let rows = display.bench(&[&["ui", "--json"], size.as_slice()].concat());
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((number(row, "lamps"), number(row, "playing")), (400.0, 1.0));
    assert!(number(row, "frames") >= 120.0, "every step of the script is a frame: {row}");
    let shares = ["frame_cpu_ms_p50", "frame_cpu_ms_p95", "frame_cpu_ms_p99"].map(|field| number(row, field));
    assert!(shares[0] > 0.01 && shares.is_sorted() && shares[2] < 1_000.0, "{row}");
    let parts = row["parts"].as_array().unwrap();
    match cfg!(feature = "measure") {
        true => assert!(number(row, "allocations_frame_p50") > 1.0 && parts.len() > 6, "{row}"),
        false => assert!(row["allocations_frame_p50"].is_null() && parts.is_empty(), "{row}"),
    }
    // A machine that is busy has late frames, whose figures are shown at most twice a second.
    assert!(number(row, "idle_passes_s") <= 2.0, "{row}");
    assert!((0.0..50.0).contains(&number(row, "idle_cpu_percent")), "{row}");
    assert!(number(row, "output_gap_ms") > 1.0 && number(row, "control_output_gap_ms") > 1.0, "{row}");
}

#[test]
fn a_session_leaves_nothing_behind_from_lap_to_lap() {
    let display = Display::new();
    let size = ["--laps", "3", "--scenes", "3", "--edits", "2", "--loads", "1", "--fixtures", "40"];
    let rows = display.bench(&[&["session", "--json"], size.as_slice()].concat());
    assert_eq!(rows.iter().map(|row| number(row, "lap")).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    let [_, second, third] = rows.as_slice() else { panic!("{rows:?}") };
    for field in ["textures", "gl_objects"] {
        assert!(number(second, field) > 4.0 && number(second, field) == number(third, field), "{field} in {rows:?}");
    }
    let (before, after) = (number(second, "rss_mib"), number(third, "rss_mib"));
    assert!(before > 10.0 && after < before * 1.1, "{rows:?}");
    assert!(number(third, "passes") > number(second, "passes") + 30.0, "panels were opened: {rows:?}");
}
