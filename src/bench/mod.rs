//! Benches that a user can run: `glowdeck bench ...`. They build what they measure in memory and print a table.

mod display;
mod hand;
mod live_edits;
pub mod output;
pub(crate) mod process;
mod profile;
pub mod rig;
pub mod rig_project;
mod scratch;
pub mod session;
pub mod stall;
pub mod startup;
pub mod storm;
pub mod ui;
mod ui_project;
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

/// What so large a share of the values does not exceed; 0 of none.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        for (share, expected) in [(0.0, 1.0), (0.5, 51.0), (0.99, 99.0), (1.0, 100.0)] {
            assert_eq!(percentile(values.clone(), share), expected);
        }
        assert_eq!(percentile(vec![7.0], 0.5), 7.0);
        assert_eq!(percentile(Vec::new(), 0.5), 0.0);
    }
}
