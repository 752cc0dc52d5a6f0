//! The patch: chains with their ports, the fixtures on them, and the layouts that place them.
//!
//! Runs on the ui thread; reads the snapshot and returns edits. Deliberately absent: kinds of fixtures, which
//! `definitions` shows, and where universes go, which `devices` shows.

mod chain;
mod fixture;
mod layout;
mod list;
mod rows;
mod sums;
mod troubles;

use super::action::Action;
use super::blink::follow_blink;
use super::{fields, icons, shelf, theme};
use crate::model::edit::Edit;
use crate::model::id::{ChainId, DefinitionId, FixtureId, LayoutId};
use crate::model::layout::Layout;
use crate::model::patch::PatchAddress;
use crate::model::patching::{PatchError, Place};
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use crate::show::test_pattern::Target;
use egui::{Rect, RichText, ScrollArea, Ui, pos2, vec2};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use sums::Sums;

/// Panels narrower than this have the list above, points.
const SIDE_BY_SIDE: f32 = 600.0;
/// Bounds of the width of the list, points, and its share of the panel.
const LIST: [f32; 2] = [200.0, 320.0];
const LIST_SHARE: f32 = 0.34;
/// Pages narrower than this have one control in a line, points.
const NARROW: f32 = 360.0;

/// What the right side is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Chosen {
    /// Nothing was chosen yet.
    #[default]
    Nothing,
    Chain(ChainId),
    /// The fixtures on no chain.
    Loose,
    Layout(LayoutId),
    Troubles,
}

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {
    chosen: Chosen,
    /// The fixtures that are worked at together.
    selected: BTreeSet<FixtureId>,
    /// Where a range begins.
    anchor: Option<FixtureId>,
    /// The fixture that the keyboard or a drag is at: its line is there also where it is not seen.
    cursor: Option<FixtureId>,
    /// Whether that line is to be scrolled to.
    reveal: bool,
    /// The fixture whose fields are shown.
    opened: Option<FixtureId>,
    /// The layout whose placements are shown with a fixture.
    layout: Option<LayoutId>,
    /// Where an empty chain is to start.
    port: Option<(ChainId, PatchAddress)>,
    /// What is added next, and how many.
    kind: Option<DefinitionId>,
    count: Option<u32>,
    /// Why the last wish could not be met.
    refused: Option<String>,
    /// Whether the selected fixtures are being dragged, and where they would go.
    drags: bool,
    goal: Option<Place>,
    hovered: Option<Target>,
    blinking: Option<Target>,
    sums: Option<Sums>,
    /// Fixtures of the layout that is shown.
    placed: Option<(Arc<Layout>, HashSet<FixtureId>)>,
    /// The fixture that stage and patch both know of.
    shared: Option<FixtureId>,
    /// What the patch itself made of it.
    own: Option<FixtureId>,
}

impl View {
    fn choose(&mut self, chosen: Chosen) {
        if self.chosen != chosen {
            self.selected.clear();
        }
        (self.chosen, self.opened, self.refused) = (chosen, None, None);
    }

    fn select(&mut self, fixtures: impl IntoIterator<Item = FixtureId>) {
        self.selected = fixtures.into_iter().collect();
        (self.anchor, self.refused) = (self.selected.first().copied(), None);
    }

    /// Where a chain is to start that has no fixtures yet.
    fn port_of(&self, place: Place) -> Option<PatchAddress> {
        self.port.filter(|(chain, _)| matches!(place, Place::Chain(id, _) if id == *chain)).map(|(_, port)| port)
    }

    /// Takes over what was clicked on the stage, and says what the stage should show as chosen.
    fn share(&mut self, project: &crate::model::project::Project, stage: Option<FixtureId>) -> Option<FixtureId> {
        if stage != self.shared {
            self.shared = stage;
            if let Some(id) = stage {
                self.lead_to(project, id);
            }
            self.own = self.alone();
        } else if self.alone() != self.own {
            self.own = self.alone();
            self.shared = self.own;
        }
        self.shared
    }

    /// The one fixture that is worked at.
    fn alone(&self) -> Option<FixtureId> {
        let selected = if self.selected.len() == 1 { self.selected.first().copied() } else { None };
        self.opened.or(selected)
    }

    /// Shows a fixture where it is in the patch.
    fn lead_to(&mut self, project: &crate::model::project::Project, id: FixtureId) {
        let home = crate::model::patching::home_of(project, id);
        self.choose(home.map_or(Chosen::Loose, |(chain, _)| Chosen::Chain(chain)));
        self.select([id]);
        (self.cursor, self.reveal) = (Some(id), true);
    }

    /// Derives anew what comes from the patch; forgets what is gone.
    fn refresh(&mut self, snapshot: &Snapshot) {
        let project = &snapshot.project;
        if self.sums.as_ref().is_some_and(|sums| sums.hold_for(project)) {
            return;
        }
        let sums = self.sums.insert(Sums::of(project));
        self.selected.retain(|id| project.fixtures.contains(*id));
        self.opened = self.opened.filter(|id| project.fixtures.contains(*id));
        self.cursor = self.cursor.filter(|id| project.fixtures.contains(*id));
        self.layout = self.layout.filter(|id| project.layouts.contains(*id));
        let there = match self.chosen {
            Chosen::Nothing => false,
            Chosen::Chain(id) => project.chains.contains(id),
            Chosen::Loose => !sums.loose.is_empty(),
            Chosen::Layout(id) => project.layouts.contains(id),
            Chosen::Troubles => true,
        };
        if !there {
            let first = sums.chains.first().map(|chain| Chosen::Chain(chain.id));
            let loose = (!sums.loose.is_empty()).then_some(Chosen::Loose);
            self.chosen = first.or(loose).unwrap_or_default();
        }
    }
}

/// What the parts of the panel read, and what they wish.
struct Page<'a> {
    snapshot: &'a Snapshot,
    /// The number of the first universe on the screen.
    first: u16,
    wishes: Vec<Action>,
}

impl Page<'_> {
    fn edit(&mut self, edit: Edit, gesture: Option<u64>) {
        self.wishes.push(Command::Edit { edit, gesture }.into());
    }

    /// Wishes for an edit that can be made, or says why it cannot.
    fn attempt(&mut self, view: &mut View, edit: Result<Edit, PatchError>, gesture: Option<u64>) {
        match edit {
            Ok(edit) => {
                view.refused = None;
                self.edit(edit, gesture);
            }
            Err(error) => view.refused = Some(error.told(self.first)),
        }
    }
}

/// Shows the panel. `stage` is the fixture that is chosen there; `first`, the number that the first universe has on the
/// screen.
pub fn patch_ui(
    ui: &mut Ui,
    snapshot: &Snapshot,
    (view, stage): (&mut View, &mut Option<FixtureId>),
    first: u16,
) -> Vec<Action> {
    view.refresh(snapshot);
    *stage = view.share(&snapshot.project, *stage);
    (view.hovered, view.goal) = (None, None);
    let mut page = Page { snapshot, first, wishes: Vec::new() };
    let [list, form] = rooms(ui);
    shelf::room_ui(ui, "list", list, |ui| list::list_ui(ui, &mut page, view));
    shelf::room_ui(ui, "form", form, |ui| {
        ScrollArea::vertical().id_salt("page").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = theme::HALF;
            page_ui(ui, &mut page, view);
            ui.add_space(2.0 * theme::STEP);
        });
    });
    if view.drags && !ui.input(|input| input.pointer.any_down()) {
        view.drags = false;
    }
    page.wishes.extend(follow_blink(snapshot, &mut view.blinking, view.hovered));
    page.wishes
}

/// The room of the list and that of what is chosen.
fn rooms(ui: &Ui) -> [Rect; 2] {
    let room = ui.max_rect().shrink2(vec2(theme::STEP + theme::HALF, theme::STEP));
    let gap = 2.0 * theme::STEP;
    if room.width() >= SIDE_BY_SIDE {
        let width = (room.width() * LIST_SHARE).clamp(LIST[0], LIST[1]);
        let list = Rect::from_min_max(room.min, pos2(room.left() + width, room.bottom()));
        return [list, Rect::from_min_max(pos2(list.right() + gap, room.top()), room.max)];
    }
    let height = room.height().max(0.0) * 0.4;
    let list = Rect::from_min_max(room.min, pos2(room.right(), room.top() + height));
    [list, Rect::from_min_max(pos2(room.left(), list.bottom() + theme::STEP), room.max)]
}

fn page_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View) {
    let project = &page.snapshot.project;
    if let Some(fixture) = view.opened.and_then(|id| project.fixtures.get(id)) {
        return fixture::fixture_ui(ui, page, view, fixture);
    }
    match view.chosen {
        Chosen::Chain(id) => match project.chains.get(id) {
            Some(chain) => chain::chain_ui(ui, page, view, chain),
            None => fields::hint(ui, "This chain is on its way."),
        },
        Chosen::Layout(id) => match project.layouts.get(id) {
            Some(layout) => layout::layout_ui(ui, page, view, layout),
            None => fields::hint(ui, "This layout is on its way."),
        },
        Chosen::Loose => chain::loose_ui(ui, page, view),
        Chosen::Troubles => troubles::troubles_ui(ui, page, view),
        Chosen::Nothing => chain::begin_ui(ui, page),
    }
}

/// Why the last wish could not be met.
fn refused_ui(ui: &mut Ui, view: &View) {
    if let Some(words) = &view.refused {
        let text = format!("{}\u{2002}{words}", icons::FAULT);
        ui.label(RichText::new(text).font(theme::small()).color(theme::RED));
    }
}

/// The title of a page.
fn title_ui(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::strong(theme::BODY)).color(theme::TEXT));
}

/// Text that must not be empty.
fn a_name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("It needs a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::patching::{add_chain, add_fixtures, first_kind};
    use crate::model::project::Project;

    #[test]
    fn stage_and_patch_know_of_one_fixture_and_either_can_let_it_go() {
        let mut project = Project::empty("rig");
        let (kind, edit) = first_kind(&project);
        edit.apply(&mut project).unwrap();
        let (chain, edit) = add_chain(&project);
        edit.apply(&mut project).unwrap();
        let (ids, edit) = add_fixtures(&project, Some(chain), kind, 3, None).unwrap();
        edit.apply(&mut project).unwrap();
        let mut view = View::default();
        assert_eq!(view.share(&project, Some(ids[1])), Some(ids[1]));
        assert_eq!(
            (view.chosen, view.alone()),
            (Chosen::Chain(chain), Some(ids[1])),
            "a click on the stage leads there"
        );
        view.select([ids[2]]);
        assert_eq!(view.share(&project, Some(ids[1])), Some(ids[2]), "a click in the list is seen on the stage");
        assert_eq!(view.share(&project, None), None, "let go on the stage it stays let go");
        assert_eq!(view.share(&project, None), None);
        assert_eq!(view.alone(), Some(ids[2]), "the list keeps what it had");
        view.select(ids.iter().copied());
        assert_eq!(view.share(&project, None), None, "of several the stage shows none");
    }
}
