//! Fixture definitions: what kinds of fixtures there are, where their pixels are, and what their channels carry.
//!
//! Runs on the ui thread; reads the snapshot and returns edits. Deliberately absent: which fixtures exist, which
//! `patch` shows.

use super::action::Action;
use super::fields;
use crate::show::snapshot::Snapshot;
use egui::Ui;

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {}

/// Shows the panel.
pub fn definitions_ui(ui: &mut Ui, snapshot: &Snapshot, _: &mut View) -> Vec<Action> {
    for definition in snapshot.project.definitions.iter() {
        fields::hint(ui, &format!("{}: {} pixels", definition.name, definition.pixels.count()));
    }
    Vec::new()
}
