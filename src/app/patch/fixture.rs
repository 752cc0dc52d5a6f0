//! A fixture: its name, its kind, where a layout has it, and what lights it.
//!
//! Runs on the ui thread. Each entry is an edit of its own; a drag is one step of undo.

use super::super::blink::patterns_ui;
use super::super::{fields, icons, theme};
use super::chain::small_pad;
use super::sums::range_words;
use super::{Page, View, a_name, refused_ui};
use crate::model::fixture::Fixture;
use crate::model::id::{DefinitionId, LayoutId};
use crate::model::layout::{Layout, Placement};
use crate::model::patching::{rename_fixture, set_kind, set_placed, set_placement};
use crate::model::project::Project;
use crate::show::test_pattern::Target;
use egui::Ui;

/// How far from the origin a hand places something, metres.
const FAR: f32 = 1000.0;

pub(super) fn fixture_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, fixture: &Fixture) {
    ui.push_id(fixture.id.0, |ui| {
        let project = &page.snapshot.project;
        let back = format!("{}\u{2002}Back to the list", icons::LEFT);
        if small_pad(ui, "Back to the list", &back, true, theme::TEXT_QUIET) {
            view.opened = None;
        }
        if let Some(name) = fields::text(ui, "Name", &fixture.name, a_name) {
            page.edit(rename_fixture(fixture, name), None);
        }
        let kinds: Vec<(DefinitionId, &str)> =
            project.definitions.iter().map(|kind| (kind.id, kind.name.as_str())).collect();
        if let Some(kind) = fields::choice(ui, "Kind", fixture.definition, &kinds) {
            page.attempt(view, set_kind(project, fixture.id, kind), None);
        }
        refused_ui(ui, view);
        fields::hint(ui, &where_words(page, view, fixture));
        place_ui(ui, page, view, fixture);
        fields::heading(ui, "Used by");
        for words in users(project, fixture) {
            fields::hint(ui, &words);
        }
        patterns_ui(ui, page.snapshot, Target::Fixture(fixture.id), &mut page.wishes);
        ui.add_space(2.0 * theme::STEP);
    });
}

/// Its chain and its channels.
fn where_words(page: &Page<'_>, view: &View, fixture: &Fixture) -> String {
    let project = &page.snapshot.project;
    let home = view.sums.as_ref().and_then(|sums| sums.homes.get(&fixture.id));
    let chain = home.and_then(|chain| project.chains.get(*chain));
    let kind = project.definitions.get(fixture.definition);
    let Some((chain, kind)) = chain.zip(kind) else { return "On no chain: it is sent nothing.".to_owned() };
    let link = chain.links.iter().find(|link| link.fixture == fixture.id);
    link.map_or_else(String::new, |link| {
        format!("On chain {}: {}.", chain.name, range_words(chain, link.start, kind, page.first))
    })
}

/// Where a layout has it.
fn place_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, fixture: &Fixture) {
    let project = &page.snapshot.project;
    fields::heading(ui, "Place");
    let layouts: Vec<(LayoutId, &str)> =
        project.layouts.iter().map(|layout| (layout.id, layout.name.as_str())).collect();
    let shown = view.layout.unwrap_or(project.settings.topology);
    if let Some(layout) = fields::choice(ui, "In layout", shown, &layouts) {
        view.layout = Some(layout);
    }
    let Some(layout) = project.layouts.get(shown) else { return };
    let Some(placement) = layout.placements.iter().find(|placement| placement.fixture == fixture.id) else {
        fields::hint(ui, "It is not in this layout.");
        if small_pad(ui, "Put it in", "Put it in", true, theme::TEXT) {
            page.attempt(view, set_placed(project, layout.id, &[fixture.id], true), None);
        }
        return;
    };
    if let Some((placement, gesture)) = numbers_ui(ui, placement) {
        page.edit(set_placement(layout, placement), gesture);
    }
    if layout.id != project.settings.topology && small_pad(ui, "Take it out", "Take it out", true, theme::TEXT_QUIET) {
        page.attempt(view, set_placed(project, layout.id, &[fixture.id], false), None);
    }
}

fn numbers_ui(ui: &mut Ui, placement: &Placement) -> Option<(Placement, Option<u64>)> {
    let mut changed = None;
    for (axis, label) in ["X", "Y", "Z"].into_iter().enumerate() {
        let reach = FAR.max(placement.position[axis].abs());
        if let Some((metres, gesture)) = fields::number(ui, label, placement.position[axis], -reach..=reach, " m") {
            let mut position = placement.position;
            position[axis] = metres;
            changed = Some((Placement { position, ..*placement }, gesture));
        }
    }
    let turn = 360.0_f32.max(placement.angle.abs());
    if let Some((angle, gesture)) = fields::number(ui, "Angle", placement.angle, -turn..=turn, "°") {
        changed = Some((Placement { angle, ..*placement }, gesture));
    }
    let scale = placement.scale;
    if let Some((scale, gesture)) = fields::number(ui, "Scale", scale, 0.01_f32.min(scale)..=100.0_f32.max(scale), "") {
        changed = Some((Placement { scale, ..*placement }, gesture));
    }
    changed
}

/// Layouts that have it, and scenes that light these alone.
fn users(project: &Project, fixture: &Fixture) -> Vec<String> {
    let placed = |layout: &Layout| layout.placements.iter().any(|placement| placement.fixture == fixture.id);
    let mut words = Vec::new();
    for layout in project.layouts.iter().filter(|layout| placed(layout)) {
        let users = super::layout::scenes_of(project, layout.id);
        words.push(match users.is_empty() {
            true => format!("Layout {}", layout.name),
            false => format!("Layout {}, and through it {users}", layout.name),
        });
    }
    if words.is_empty() {
        words.push("Nothing: it is in no layout.".to_owned());
    }
    words
}
