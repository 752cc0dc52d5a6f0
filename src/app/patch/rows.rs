//! Fixtures as lines: selected, moved, opened; of a chain, or of those on none.
//!
//! Runs on the ui thread. A click selects one, with Shift up to it, with Ctrl besides; the grip drags them. Arrows
//! select, Alt with arrows moves, Ctrl D doubles, Ctrl A takes all, Delete deletes. Only lines that are seen are drawn,
//! and the one that the keyboard or a drag is at.

use super::super::blink::{BLINK, blink_ui};
use super::super::widgets::{elided, focus_ring, line_ground};
use super::super::{icons, theme};
use super::sums::{kind_of, range_words};
use super::{Page, View};
use crate::model::id::FixtureId;
use crate::model::patch::Chain;
use crate::model::patching::{Place, duplicate_fixtures, move_fixtures, remove_fixtures, step_fixtures};
use crate::show::test_pattern::Target;
use egui::accesskit::Role;
use egui::{
    Align, Align2, CursorIcon, EventFilter, Id, Key, Modifiers, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};
use std::ops::Range;

/// Height of a line, and the way to the next one, points.
const ROW: f32 = 44.0;
const PITCH: f32 = ROW + 2.0;
/// Width of the grip and of the pad that opens, points.
const SIDE: f32 = 36.0;
/// How near the edge of what is seen a drag must be to scroll, points, and how fast, points a frame.
const EDGE: f32 = 32.0;
const PACE: f32 = 12.0;

/// What is done with all that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Duplicate,
    Delete,
    Up,
    Down,
    Off,
}

/// Whose fixtures are shown.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    /// Those of a chain, in their order.
    Chain(&'a Chain),
    /// Those on none.
    Loose(&'a [FixtureId]),
}

impl Rows<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Chain(chain) => chain.links.len(),
            Self::Loose(ids) => ids.len(),
        }
    }

    fn id(&self, place: usize) -> Option<FixtureId> {
        match self {
            Self::Chain(chain) => chain.links.get(place).map(|link| link.fixture),
            Self::Loose(ids) => ids.get(place).copied(),
        }
    }

    fn place_of(&self, id: FixtureId) -> Option<usize> {
        (0..self.len()).find(|place| self.id(*place) == Some(id))
    }

    fn between(&self, range: Range<usize>) -> impl Iterator<Item = FixtureId> {
        range.filter_map(|place| self.id(place))
    }

    /// Where its data is.
    fn words(&self, page: &Page<'_>, place: usize, id: FixtureId) -> String {
        match self {
            Self::Loose(_) => "on no chain".to_owned(),
            Self::Chain(chain) => {
                let link = chain.links.get(place).zip(kind_of(&page.snapshot.project, id));
                link.map_or_else(String::new, |(link, kind)| range_words(chain, link.start, kind, page.first))
            }
        }
    }
}

/// Does something with all that is selected.
pub(super) fn perform(page: &mut Page<'_>, view: &mut View, deed: Deed) {
    let project = &page.snapshot.project;
    let ids: Vec<FixtureId> = view.selected.iter().copied().collect();
    if ids.is_empty() {
        return;
    }
    let edit = match deed {
        Deed::Duplicate => match duplicate_fixtures(project, &ids) {
            Ok((new, edit)) => {
                view.cursor = new.first().copied();
                view.select(new);
                Ok(Some(edit))
            }
            Err(error) => Err(error),
        },
        Deed::Delete => {
            let next = next_of(view, &ids);
            let edit = remove_fixtures(project, &ids);
            view.cursor = next;
            view.select(next);
            edit.map(Some)
        }
        Deed::Up | Deed::Down => step_fixtures(project, &ids, deed == Deed::Up),
        Deed::Off => move_fixtures(project, &ids, Place::Off, None),
    };
    if let Some(edit) = edit.transpose() {
        page.attempt(view, edit, None);
    }
}

/// What the keyboard is at once these are gone is nothing that is gone.
fn next_of(view: &View, gone: &[FixtureId]) -> Option<FixtureId> {
    view.cursor.filter(|id| !gone.contains(id))
}

pub(super) fn rows_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, rows: Rows<'_>) {
    let count = rows.len();
    let size = vec2(ui.available_width().max(0.0), PITCH * count as f32);
    let (list, _) = ui.allocate_exact_size(size, Sense::hover());
    let clip = ui.clip_rect();
    let line = |y: f32| ((y - list.top()) / PITCH).floor().clamp(0.0, count as f32) as usize;
    let seen = line(clip.top())..(line(clip.bottom()) + 1).min(count);
    let mut done = None;
    let gap = if view.drags { goal_of(ui, view, rows, list) } else { None };
    let cursor = view.cursor.and_then(|id| rows.place_of(id)).filter(|place| !seen.contains(place));
    for place in seen.chain(cursor) {
        let top = list.top() + PITCH * place as f32;
        let rect = Rect::from_min_size(pos2(list.left(), top), vec2(list.width(), ROW));
        if let Some(id) = rows.id(place) {
            if view.reveal && view.cursor == Some(id) {
                ui.scroll_to_rect(rect, Some(Align::Center));
                view.reveal = false;
            }
            done = row_ui(ui, page, view, (rows, place, id), rect).or(done);
        }
    }
    if let Some(y) = gap {
        ui.painter().hline(list.x_range(), y, Stroke::new(2.0, theme::TEXT));
    }
    if let Some(deed) = done {
        perform(page, view, deed);
    }
}

fn id_of(ui: &Ui, id: FixtureId) -> Id {
    ui.make_persistent_id(("fixture", id))
}

fn row_ui(
    ui: &mut Ui,
    page: &mut Page<'_>,
    view: &mut View,
    (rows, place, id): (Rows<'_>, usize, FixtureId),
    rect: Rect,
) -> Option<Deed> {
    let project = &page.snapshot.project;
    let name = project.fixtures.get(id).map_or("", |fixture| fixture.name.as_str()).to_owned();
    let kind = kind_of(project, id).map_or("", |kind| kind.name.as_str());
    let below = rows.words(page, place, id);
    let response = ui.interact(rect, id_of(ui, id), Sense::click());
    let selected = view.selected.contains(&id);
    response.widget_info(|| {
        WidgetInfo::selected(Role::ListItem, true, selected, format!("Fixture {name}, {kind}, {below}"))
    });
    if ui.is_rect_visible(rect) {
        draw_row(ui, &response, (&name, kind, &below), selected);
    }
    let grip = Rect::from_min_size(rect.min, vec2(SIDE.min(rect.width()), ROW));
    let dropped = grip_ui(ui, page, view, (id, &name), grip);
    let open = Rect::from_min_max(pos2((rect.right() - SIDE).max(rect.left()), rect.top()), rect.max);
    if open_ui(ui, open, id, &name) {
        view.opened = Some(id);
    }
    let lamp =
        Rect::from_min_max(pos2((open.left() - BLINK).max(rect.left()), rect.top()), pos2(open.left(), rect.bottom()));
    blink_ui(ui, lamp, Target::Fixture(id), &name, &mut view.hovered);
    focus_ring(ui, &response);
    if response.double_clicked() {
        view.opened = Some(id);
    } else if response.clicked() && !dropped {
        let modifiers = ui.input(|input| input.modifiers);
        select(view, rows, (id, place), modifiers);
        response.request_focus();
    }
    keys(ui, view, (rows, place), &response)
}

fn draw_row(ui: &Ui, response: &Response, (name, kind, below): (&str, &str, &str), selected: bool) {
    let rect = response.rect;
    let painter = ui.painter();
    line_ground(painter, response, selected);
    let left = rect.left() + SIDE;
    let right = (rect.right() - SIDE - BLINK).max(left);
    let ink = if selected { theme::TEXT } else { theme::TEXT_QUIET };
    let name = elided(ui.painter(), pos2(left, rect.top() + 15.0), right, (name, theme::strong(theme::SMALL), ink));
    let beside = pos2(name + theme::STEP, rect.top() + 15.0);
    elided(ui.painter(), beside, right, (kind, theme::small(), theme::TEXT_FAINT));
    elided(ui.painter(), pos2(left, rect.top() + 31.0), right, (below, theme::small(), theme::TEXT_FAINT));
}

/// The grip: a click selects besides, a drag moves all that is selected. Whether something was let go.
fn grip_ui(ui: &Ui, page: &mut Page<'_>, view: &mut View, (id, name): (FixtureId, &str), rect: Rect) -> bool {
    let response = ui.interact(rect, id_of(ui, id).with("grip"), Sense::click_and_drag());
    let response = response.on_hover_cursor(CursorIcon::Grab);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Move {name}")));
    let ink = if response.hovered() || response.dragged() { theme::TEXT } else { theme::TEXT_FAINT };
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, icons::GRIP, theme::body(), ink);
    focus_ring(ui, &response);
    if response.clicked() && !view.selected.remove(&id) {
        view.selected.insert(id);
    }
    if response.drag_started() {
        if !view.selected.contains(&id) {
            view.select([id]);
        }
        (view.drags, view.cursor) = (true, Some(id));
    }
    if response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if !response.drag_stopped() || !view.drags {
        return false;
    }
    view.drags = false;
    if let Some(goal) = view.goal {
        let ids: Vec<FixtureId> = view.selected.iter().copied().collect();
        if let Some(edit) = move_fixtures(&page.snapshot.project, &ids, goal, view.port_of(goal)).transpose() {
            page.attempt(view, edit, None);
        }
    }
    true
}

fn open_ui(ui: &Ui, rect: Rect, id: FixtureId, name: &str) -> bool {
    let response = ui.interact(rect, id_of(ui, id).with("open"), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open {name}")));
    let ink = if response.hovered() { theme::TEXT } else { theme::TEXT_FAINT };
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, icons::RIGHT, theme::body(), ink);
    focus_ring(ui, &response);
    let clicked = response.clicked();
    response.on_hover_text("Its name, kind and place");
    clicked
}

fn select(view: &mut View, rows: Rows<'_>, (id, place): (FixtureId, usize), modifiers: Modifiers) {
    let anchor = view.anchor.and_then(|anchor| rows.place_of(anchor)).filter(|_| modifiers.shift);
    if let Some(anchor) = anchor {
        let kept = view.anchor;
        view.select(rows.between(anchor.min(place)..anchor.max(place) + 1));
        view.anchor = kept;
    } else if modifiers.command {
        if !view.selected.remove(&id) {
            view.selected.insert(id);
        }
        view.anchor = Some(id);
    } else {
        view.select([id]);
    }
    view.cursor = Some(id);
}

/// Finds where dragged fixtures would go, and where to show it; scrolls near the edge of what is seen.
fn goal_of(ui: &Ui, view: &mut View, rows: Rows<'_>, list: Rect) -> Option<f32> {
    let Rows::Chain(chain) = rows else { return None };
    let clip = ui.clip_rect();
    let at = ui.input(|input| input.pointer.interact_pos()).filter(|at| clip.contains(*at))?;
    let gap = ((at.y - list.top()) / PITCH).round().clamp(0.0, chain.links.len() as f32);
    view.goal = Some(Place::Chain(chain.id, gap as usize));
    let near = |edge: f32| (at.y - edge).abs() < EDGE;
    let way = match (near(clip.top()), near(clip.bottom())) {
        (true, false) => PACE,
        (false, true) => -PACE,
        _ => 0.0,
    };
    if way != 0.0 {
        ui.scroll_with_delta(vec2(0.0, way));
        ui.ctx().request_repaint();
    }
    Some(list.top() + PITCH * gap - 1.0)
}

fn keys(ui: &Ui, view: &mut View, (rows, place): (Rows<'_>, usize), response: &Response) -> Option<Deed> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (modifiers, key, deed) in [
        (Modifiers::ALT, Key::ArrowUp, Deed::Up),
        (Modifiers::ALT, Key::ArrowDown, Deed::Down),
        (Modifiers::COMMAND, Key::D, Deed::Duplicate),
        (Modifiers::NONE, Key::Delete, Deed::Delete),
    ] {
        if pressed(modifiers, key) {
            if deed == Deed::Delete {
                // The keyboard goes on at the next one that stays.
                let rest = (place..rows.len()).chain((0..place).rev()).filter_map(|place| rows.id(place));
                view.cursor = rest.into_iter().find(|id| !view.selected.contains(id));
                if let Some(id) = view.cursor {
                    ui.memory_mut(|memory| memory.request_focus(id_of(ui, id)));
                }
            }
            return Some(deed);
        }
    }
    if pressed(Modifiers::COMMAND, Key::A) {
        view.select(rows.between(0..rows.len()));
        return None;
    }
    for (modifiers, key, way) in [
        (Modifiers::SHIFT, Key::ArrowUp, -1),
        (Modifiers::SHIFT, Key::ArrowDown, 1),
        (Modifiers::NONE, Key::ArrowUp, -1),
        (Modifiers::NONE, Key::ArrowDown, 1),
    ] {
        if !pressed(modifiers, key) {
            continue;
        }
        let next = place.checked_add_signed(way).and_then(|next| rows.id(next).map(|id| (id, next)));
        if let Some((id, next)) = next {
            select(view, rows, (id, next), modifiers);
            ui.memory_mut(|memory| memory.request_focus(id_of(ui, id)));
            let way = PITCH * way as f32;
            ui.scroll_to_rect(response.rect.translate(vec2(0.0, way)), None);
        }
        break;
    }
    None
}
