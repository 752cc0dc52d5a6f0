//! A short storm of datagrams: memory, words and light stay as they are. `glowdeck bench storm --seconds 600` is the long one.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

use serde_json::Value;
use std::process::Command;

/// The table of nodes may fill meanwhile, and no more: kept without a bound, this flood takes more.
const GROWTH_MIB: f64 = 5.0;

#[test]
fn a_flood_of_datagrams_costs_neither_memory_nor_light_nor_words() {
    let mut storm = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
    let output = storm.args(["bench", "storm", "--seconds", "5", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 11);
    let column = |name: &str| rows.iter().map(|row| row[name].as_f64().unwrap()).collect::<Vec<f64>>();
    let sum = |name: &str| column(name).iter().sum::<f64>();
    let memory = column("rss_mib");
    assert!(memory[0] > 1.0 && memory[10] - memory[0] < GROWTH_MIB, "{text}");
    // Half a second a row: a storm, and many times as many senders as are kept.
    assert!(sum("flood_s") / 11.0 > 5_000.0, "{text}");
    assert!(column("nodes")[10] > 100.0 && column("nodes")[10] <= 1_100.0, "{text}");
    assert!(column("longest_gap_ms").iter().all(|gap| *gap < 500.0), "{text}");
    assert!(sum("packets") > 5.0 * 20.0 * 32.0, "{text}");
    assert!(sum("notices") <= 4.0 && sum("log_lines") <= 4.0, "{text}");
}
