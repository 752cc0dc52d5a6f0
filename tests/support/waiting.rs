//! Waiting for what a running console shows.

use glowdeck::console::Console;
use glowdeck::show::snapshot::Snapshot;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A show that has not got there by then never will.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first snapshot that serves.
pub fn snapshot_when(console: &Console, what: &str, serves: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
    let deadline = Instant::now() + PATIENCE;
    let mut seen = 0;
    loop {
        seen = console.snapshots.wait_past(seen, Duration::from_millis(100));
        if let Some(snapshot) = console.snapshots.latest().filter(|snapshot| serves(snapshot)) {
            return snapshot;
        }
        assert!(Instant::now() < deadline, "it never came: {what}");
    }
}
