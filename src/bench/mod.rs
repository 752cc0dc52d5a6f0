//! Benches that a user can run: `glowdeck bench ...`. They build what they measure in memory and print a table.

pub mod rig_project;
