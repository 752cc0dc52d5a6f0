//! Benches that a user can run: `glowdeck bench ...`. They build what they measure in memory and print a table.

mod live_edits;
pub mod output;
mod process;
mod profile;
pub mod rig;
pub mod rig_project;
pub mod storm;
pub mod window;

/// A duration on the command line.
fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|secs| (0.1..=3600.0).contains(secs)).ok_or("a number from 0.1 to 3600".into())
}

/// One JSON object on a line of its own.
fn print_json(row: &impl serde::Serialize) {
    match serde_json::to_string(row) {
        Ok(line) => println!("{line}"),
        Err(error) => eprintln!("glowdeck: a row could not be written as JSON: {error}"),
    }
}
