//! Benches that a user can run: `glowdeck bench ...`. They build what they measure in memory and print a table.

mod live_edits;
mod process;
pub mod rig;
pub mod rig_project;
