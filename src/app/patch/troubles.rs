//! What is wrong with the patch, in words that lead to the thing, with a pad where there is one obvious cure.
//!
//! Runs on the ui thread. Deliberately absent: finding it, which the model does.

use super::super::fields;
use super::super::widgets::{focus_ring, line_ground};
use super::super::{icons, theme};
use super::chain::{show_chain, show_panel, small_pad};
use super::{Chosen, Page, View, refused_ui, title_ui};
use crate::app::workspace::Panel;
use crate::model::id::FixtureId;
use crate::model::patching::{Cure, Trouble, cure, cured};
use crate::model::project::Project;
use crate::model::validate::runs;
use crate::units::MAX_UNIVERSES;
use egui::accesskit::Role;
use egui::{Align2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

/// Problems that are shown; the rest is counted, and shown once these are gone.
const SHOWN: usize = 50;
/// Names in a line; the rest is counted.
const NAMED: usize = 4;
/// Height of a problem, points.
const LINE: f32 = 40.0;

pub(super) fn troubles_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View) {
    title_ui(ui, "Problems");
    refused_ui(ui, view);
    // Taken out, so that a problem can lead elsewhere.
    let Some(sums) = view.sums.take() else { return };
    if sums.troubles.is_empty() {
        fields::hint(
            ui,
            "Nothing is wrong: no addresses overlap, every universe has a route, every fixture has its place.",
        );
    }
    for (place, trouble) in sums.troubles.iter().take(SHOWN).enumerate() {
        let words = words(&page.snapshot.project, trouble, page.first);
        ui.push_id(place, |ui| {
            if line_ui(ui, &words) {
                lead(page, view, trouble);
            }
            let remedy = cure(trouble, |id| sums.homes.get(&id).copied());
            let Some(remedy) = remedy else { return };
            if small_pad(ui, &format!("{}: {words}", remedy_words(&remedy)), remedy_words(&remedy), true, theme::TEXT) {
                page.attempt(view, cured(&page.snapshot.project, &remedy), None);
            }
        });
        ui.add_space(theme::HALF);
    }
    if let Some(more) = sums.troubles.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        fields::hint(ui, &format!("And {more} more, shown once these are gone."));
    }
    view.sums = Some(sums);
}

fn remedy_words(cure: &Cure) -> &'static str {
    match cure {
        Cure::Assign(_) => "Assign addresses anew",
        Cure::Free(_) => "Move the chain to the first free universe",
        Cure::Place(_) => "Place them below the others",
    }
}

/// What is wrong, with universes counted as on the screen.
fn words(project: &Project, trouble: &Trouble, first: u16) -> String {
    let name = |id: &FixtureId| project.fixtures.get(*id).map_or("", |fixture| fixture.name.as_str());
    let names = |ids: &[FixtureId]| {
        let named = ids.iter().take(NAMED).map(name).collect::<Vec<_>>().join(", ");
        match ids.len().saturating_sub(NAMED) {
            0 => named,
            more => format!("{named} and {more} more"),
        }
    };
    match trouble {
        Trouble::Overlap { fixture, other, at } => {
            let (one, two, universe) = (name(fixture), name(other), at.universe + first);
            format!("{one} overlaps {two} from universe {universe}, channel {} on", at.channel.get())
        }
        Trouble::PastEnd(id) => {
            let chain = project.chains.get(*id).map_or("", |chain| chain.name.as_str());
            format!("{chain} runs past universe {}, the last one", MAX_UNIVERSES - 1 + usize::from(first))
        }
        Trouble::Unrouted(universes) => {
            let shown = runs(universes.iter().map(|universe| universe + first));
            format!("Without a route, so sent to nobody: universe {shown}")
        }
        Trouble::Unchained(ids) => format!("On no chain, so dark: {}", names(ids)),
        Trouble::Unplaced(ids) => format!("Not in the topology: {}", names(ids)),
    }
}

/// Shows the thing that it is about.
fn lead(page: &mut Page<'_>, view: &mut View, trouble: &Trouble) {
    let project = &page.snapshot.project;
    match trouble {
        Trouble::Overlap { fixture, .. } => view.lead_to(project, *fixture),
        Trouble::PastEnd(chain) => show_chain(view, *chain),
        Trouble::Unrouted(_) => show_panel(page, Panel::Devices),
        Trouble::Unchained(_) => view.choose(Chosen::Loose),
        Trouble::Unplaced(ids) => {
            view.choose(Chosen::Layout(project.settings.topology));
            (view.opened, view.layout) = (ids.first().copied(), None);
        }
    }
}

/// A problem; whether it was clicked.
fn line_ui(ui: &mut Ui, words: &str) -> bool {
    let width = ui.available_width().max(0.0);
    let left = 4.0 * theme::STEP;
    let galley = ui.painter().layout(words.to_owned(), theme::small(), theme::TEXT_QUIET, (width - left).max(1.0));
    let (rect, response) =
        ui.allocate_exact_size(vec2(width, LINE.max(galley.size().y + 2.0 * theme::STEP)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words));
    line_ground(ui.painter(), &response, false);
    let mark = pos2(rect.left() + 2.0 * theme::STEP, rect.center().y);
    ui.painter().text(mark, Align2::CENTER_CENTER, icons::WARNING, theme::small(), theme::RED);
    let text = Rect::from_min_max(pos2(rect.left() + left, rect.top()), rect.max);
    let at = pos2(text.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().with_clip_rect(text.intersect(ui.clip_rect())).galley(at, galley, theme::TEXT_QUIET);
    focus_ring(ui, &response);
    response.clicked()
}
