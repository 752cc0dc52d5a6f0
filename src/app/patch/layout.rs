//! A layout: which fixtures are in it, what effects stretch over, and which scenes light it.
//!
//! Runs on the ui thread. Deliberately absent: where its fixtures are, which the page of a fixture shows.

use super::super::widgets::{elided, focus_ring, line_ground};
use super::super::{fields, icons, theme};
use super::chain::small_pad;
use super::sums::{counted, kind_words};
use super::{Chosen, NARROW, Page, View, a_name, refused_ui};
use crate::model::fixture::Fixture;
use crate::model::id::{FixtureId, LayoutId};
use crate::model::layout::{Frame, Layout};
use crate::model::patching::{add_layout, make_topology, remove_layout, rename_layout, set_frame, set_placed, span_of};
use crate::model::project::Project;
use egui::accesskit::Role;
use egui::{Align2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};
use std::collections::HashSet;
use std::sync::Arc;

/// Height of a fixture, and the way to the next one, points.
const ROW: f32 = 40.0;
const PITCH: f32 = ROW + 2.0;
/// Width of the box to tick and of the pad that opens, points.
const SIDE: f32 = 36.0;
/// Names of scenes that are said; the rest is counted.
const NAMED: usize = 4;

pub(super) fn layout_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, layout: &Arc<Layout>) {
    ui.push_id(layout.id.0, |ui| {
        if !view.placed.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, layout)) {
            let placed = layout.placements.iter().map(|placement| placement.fixture).collect();
            view.placed = Some((Arc::clone(layout), placed));
        }
        form_ui(ui, page, view, layout);
        frame_ui(ui, page, layout);
        fixtures_ui(ui, page, view, layout);
    });
}

fn form_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, layout: &Layout) {
    let project = &page.snapshot.project;
    let topology = layout.id == project.settings.topology;
    if let Some(name) = fields::text(ui, "Name", &layout.name, a_name) {
        page.edit(rename_layout(layout, name), None);
    }
    let users = scenes_of(project, layout.id);
    let lit = match (users.is_empty(), topology) {
        (true, true) => {
            "The topology: it holds all fixtures, the stage shows it, and scenes light it that say nothing else."
                .to_owned()
        }
        (true, false) => "No scene lights it yet: the inspector chooses it under Lamps.".to_owned(),
        (false, true) => format!("The topology: it holds all fixtures. Chosen by {users}."),
        (false, false) => format!("Lit by {users}."),
    };
    fields::hint(ui, &lit);
    refused_ui(ui, view);
    ui.horizontal_wrapped(|ui| {
        if small_pad(ui, &format!("Duplicate {}", layout.name), "Duplicate", true, theme::TEXT_QUIET) {
            let (id, edit) = add_layout(project, Some(layout.id));
            page.edit(edit, None);
            view.choose(Chosen::Layout(id));
        }
        if topology {
            return;
        }
        if small_pad(ui, "Make it the topology", "Make it the topology", true, theme::TEXT_QUIET) {
            page.attempt(view, make_topology(project, layout.id), None);
        }
        if small_pad(ui, &format!("Delete {}", layout.name), "Delete", true, theme::RED) {
            page.attempt(view, remove_layout(project, layout.id), None);
        }
    });
}

/// The scenes that choose a layout, in words.
pub(super) fn scenes_of(project: &Project, id: LayoutId) -> String {
    let chooses = |selection: Option<&crate::model::effect::Selection>| selection.is_some_and(|of| of.layout == id);
    let lights = |scene: &&Arc<crate::model::scene::Scene>| {
        let effects = scene.effects.iter().any(|effect| chooses(effect.selection.as_ref()));
        effects || chooses(scene.selection.as_ref())
    };
    let scenes: Vec<&str> = project.scenes.iter().filter(lights).map(|scene| scene.name.as_str()).collect();
    let named = scenes[..scenes.len().min(NAMED)].join(", ");
    match scenes.len() {
        0 => String::new(),
        1 => format!("scene {named}"),
        count if count > NAMED => format!("scenes {named} and {} more", count - NAMED),
        _ => format!("scenes {named}"),
    }
}

/// What effects stretch over.
fn frame_ui(ui: &mut Ui, page: &mut Page<'_>, layout: &Layout) {
    let project = &page.snapshot.project;
    fields::heading(ui, "Frame that effects stretch over");
    let kinds = [(false, "Around all its lamps"), (true, "A box")];
    if let Some(boxed) = fields::choice(ui, "Frame", layout.frame.is_some(), &kinds) {
        page.edit(set_frame(layout, boxed.then(|| span_of(project, layout))), None);
    }
    let Some(frame) = layout.frame else { return };
    for (axis, label) in ["X", "Y", "Z"].into_iter().enumerate() {
        let mut changed = None;
        let (from, to) = (frame.min[axis], frame.max[axis]);
        let far = 1000.0_f32.max(from.abs()).max(to.abs());
        let labels = [format!("{label} from"), format!("{label} to")];
        let (low, high) = match ui.available_width() < NARROW {
            true => (
                fields::number(ui, &labels[0], from, -far..=to, " m"),
                fields::number(ui, &labels[1], to, from..=far, " m"),
            ),
            false => fields::row(ui, &format!("{label} from, to"), |ui| {
                ui.spacing_mut().item_spacing.x = theme::STEP;
                let low = fields::bare_number(ui, &labels[0], from, -far..=to, " m");
                (low, fields::bare_number(ui, &labels[1], to, from..=far, " m"))
            }),
        };
        if let Some((from, gesture)) = low {
            changed = Some((from, to, gesture));
        }
        if let Some((to, gesture)) = high {
            changed = Some((from, to, gesture));
        }
        if let Some((from, to, gesture)) = changed {
            let Frame { mut min, mut max } = frame;
            (min[axis], max[axis]) = (from, to);
            page.edit(set_frame(layout, Some(Frame { min, max })), gesture);
        }
    }
}

/// All fixtures, with a tick where they are in it.
fn fixtures_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, layout: &Layout) {
    let project = &page.snapshot.project;
    let topology = layout.id == project.settings.topology;
    fields::heading(
        ui,
        &format!("{} of {} in it", counted(layout.placements.len() as u64, "fixture"), project.fixtures.len()),
    );
    if project.fixtures.is_empty() {
        fields::hint(ui, "There are no fixtures yet. Add them to a chain; then they can be chosen here.");
    }
    if !topology {
        ui.horizontal_wrapped(|ui| {
            let all = || project.fixtures.iter().map(|fixture| fixture.id).collect::<Vec<FixtureId>>();
            let missing = layout.placements.len() < project.fixtures.len();
            if small_pad(ui, "Put all in", "All in", missing, theme::TEXT_QUIET) {
                page.attempt(view, set_placed(project, layout.id, &all(), true), None);
            }
            if small_pad(ui, "Take all out", "All out", !layout.placements.is_empty(), theme::TEXT_QUIET) {
                page.attempt(view, set_placed(project, layout.id, &all(), false), None);
            }
        });
    }
    let placed = view.placed.take();
    let count = project.fixtures.len();
    let (list, _) = ui.allocate_exact_size(vec2(ui.available_width().max(0.0), PITCH * count as f32), Sense::hover());
    let clip = ui.clip_rect();
    let line = |y: f32| ((y - list.top()) / PITCH).floor().clamp(0.0, count as f32) as usize;
    let seen = line(clip.top())..(line(clip.bottom()) + 1).min(count);
    for (place, fixture) in project.fixtures.iter().enumerate().skip(seen.start).take(seen.len()) {
        let rect = Rect::from_min_size(pos2(list.left(), list.top() + PITCH * place as f32), vec2(list.width(), ROW));
        let inside = placed.as_ref().is_some_and(|(_, placed): &(_, HashSet<_>)| placed.contains(&fixture.id));
        if let Some(wanted) = fixture_ui(ui, rect, project, view, (fixture, inside, topology)) {
            page.attempt(view, set_placed(project, layout.id, &[fixture.id], wanted), None);
        }
    }
    view.placed = placed;
}

/// A fixture; whether it should be in the layout from here on.
fn fixture_ui(
    ui: &Ui,
    rect: Rect,
    project: &Project,
    view: &mut View,
    (fixture, inside, fixed): (&Fixture, bool, bool),
) -> Option<bool> {
    let id = ui.make_persistent_id(("placed", fixture.id));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(Role::CheckBox, !fixed, inside, format!("{} in the layout", fixture.name))
    });
    let painter = ui.painter();
    line_ground(painter, &response, false);
    let (icon, ink) = match (inside, fixed) {
        (true, false) => (icons::CHECK, theme::TEXT),
        (true, true) => (icons::CHECK, theme::TEXT_FAINT),
        (false, _) => ("", theme::TEXT_FAINT),
    };
    let tick = Rect::from_center_size(pos2(rect.left() + SIDE / 2.0, rect.center().y), vec2(18.0, 18.0));
    painter.rect_filled(tick, theme::RADIUS_SMALL, if fixed { theme::BAR } else { theme::RAIL });
    painter.text(tick.center(), Align2::CENTER_CENTER, icon, theme::small(), ink);
    let right = (rect.right() - SIDE).max(rect.left());
    let at = pos2(rect.left() + SIDE, rect.center().y);
    let ink = if inside { theme::TEXT } else { theme::TEXT_QUIET };
    let end = elided(painter, at, right, (&fixture.name, theme::strong(theme::SMALL), ink));
    let kind = kind_words(project, fixture.definition);
    elided(painter, pos2(end + theme::STEP, at.y), right, (kind, theme::small(), theme::TEXT_FAINT));
    focus_ring(ui, &response);
    let open = Rect::from_min_max(pos2(right, rect.top()), rect.max);
    let opened = ui.interact(open, id.with("open"), Sense::click());
    opened.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open {}", fixture.name)));
    let ink = if opened.hovered() { theme::TEXT } else { theme::TEXT_FAINT };
    painter.text(open.center(), Align2::CENTER_CENTER, icons::RIGHT, theme::body(), ink);
    focus_ring(ui, &opened);
    if opened.clicked() {
        view.opened = Some(fixture.id);
    }
    (response.clicked() && !fixed).then_some(!inside)
}
