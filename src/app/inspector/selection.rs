//! The selection picker: a layout, then a mode for each kind of fixture in it.
//!
//! Runs on the ui thread. Deliberately absent: layouts and modes themselves.

use super::super::fields::{choice, hint};
use super::Subject;
use crate::model::effect::Selection;
use crate::model::id::{DefinitionId, LayoutId, ModeId};
use crate::model::project::Project;
use egui::Ui;
use std::collections::BTreeSet;

/// Shows the picker, returns another selection. `without` says what is lit where none is chosen.
pub(super) fn selection_ui(
    ui: &mut Ui,
    project: &Project,
    current: Option<&Selection>,
    without: &str,
) -> Option<Option<Selection>> {
    let layouts = project.layouts.iter().map(|layout| (Some(layout.id), layout.name.as_str()));
    let all: Vec<(Option<LayoutId>, &str)> = [(None, without)].into_iter().chain(layouts).collect();
    if let Some(layout) = choice(ui, "Lamps", current.map(|selection| selection.layout), &all) {
        return Some(layout.map(|layout| carried(project, current, layout)));
    }
    let current = current?;
    let definitions = definitions(project, current.layout);
    let mut changed = None;
    for id in &definitions {
        let Some(definition) = project.definitions.get(*id).filter(|definition| !definition.modes.is_empty()) else {
            continue;
        };
        let modes = definition.modes.iter().map(|mode| (Some(mode.id), mode.name.as_str()));
        let all: Vec<(Option<ModeId>, &str)> = [(None, "Pixel by pixel")].into_iter().chain(modes).collect();
        let mode = current.modes.iter().find(|(of, _)| of == id).map(|(_, mode)| *mode);
        let chosen = ui.push_id(id.0, |ui| choice(ui, &definition.name, mode, &all)).inner;
        if let Some(mode) = chosen {
            changed = Some(Some(with_mode(current, *id, mode)));
        }
    }
    if definitions.is_empty() {
        hint(ui, "No fixture is in this layout.");
    }
    changed
}

/// The kinds of fixtures in a layout, in the order of their ids.
fn definitions(project: &Project, layout: LayoutId) -> BTreeSet<DefinitionId> {
    let placed = project.layouts.get(layout).into_iter().flat_map(|layout| &layout.placements);
    placed.filter_map(|placement| Some(project.fixtures.get(placement.fixture)?.definition)).collect()
}

/// Another layout with the modes that still make sense.
fn carried(project: &Project, current: Option<&Selection>, layout: LayoutId) -> Selection {
    let there = definitions(project, layout);
    let modes = current.into_iter().flat_map(|selection| selection.modes.iter().copied());
    Selection { layout, modes: modes.filter(|(definition, _)| there.contains(definition)).collect() }
}

fn with_mode(current: &Selection, definition: DefinitionId, mode: Option<ModeId>) -> Selection {
    let mut modes: Vec<_> = current.modes.iter().copied().filter(|(of, _)| *of != definition).collect();
    modes.extend(mode.map(|mode| (definition, mode)));
    modes.sort();
    Selection { layout: current.layout, modes }
}

/// A selection in a line.
pub(super) fn told(subject: &Subject<'_>, selection: Option<&Selection>) -> String {
    let layout = selection.and_then(|selection| subject.snapshot.project.layouts.get(selection.layout));
    layout.map_or_else(|| "all lamps".into(), |layout| layout.name.clone())
}
