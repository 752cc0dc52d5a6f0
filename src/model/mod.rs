//! The document: what a project is made of, and every way it can change.
//!
//! Plain values for every thread. Knows no channel, GL, egui, file or socket.

pub mod curve;
pub mod device;
pub mod drive;
pub mod edit;
pub mod effect;
mod entry;
pub mod fixture;
pub mod fresh;
pub mod id;
pub mod layout;
pub mod library;
pub mod light;
pub mod palette;
pub mod patch;
pub mod patching;
pub mod problem;
pub mod project;
pub mod references;
mod refusals;
pub mod scene;
pub mod supply;
pub mod trigger;
pub mod validate;
