//! The patch: chains with their ports, the fixtures on them, and the layouts that place them.
//!
//! Runs on the ui thread; reads the snapshot and returns edits. Deliberately absent: kinds of fixtures, which
//! `definitions` shows, and where universes go, which `devices` shows.

use super::action::Action;
use super::fields;
use crate::show::snapshot::Snapshot;
use egui::Ui;

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {}

/// Shows the panel. `first` is the number that the first universe has on the screen.
pub fn patch_ui(ui: &mut Ui, snapshot: &Snapshot, _: &mut View, first: u16) -> Vec<Action> {
    for chain in snapshot.project.chains.iter() {
        let port = chain.port().map(|port| format!(" from universe {}", port.universe + first)).unwrap_or_default();
        fields::hint(ui, &format!("{}{port}: {} fixtures", chain.name, chain.links.len()));
    }
    Vec::new()
}
