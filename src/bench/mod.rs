//! Benches that a user can run: `glowdeck bench ...`. They build what they measure in memory and print a table.

mod live_edits;
pub mod output;
mod process;
mod profile;
pub mod rig;
pub mod rig_project;
