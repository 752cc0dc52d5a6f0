//! The pad: a point of the layout, set with one hand across and up at once, and shown as it moves.
//!
//! Functions of the ui thread that draw, then say what was done. A click or a drag goes where the pointer is, ten times
//! finer with Shift; a double click resets; arrows step. Deliberately absent: the exact numbers, which stand beside it
//! as bars of [`super::value`].

use super::unit::Unit;
use super::{fields, theme, widgets};
use egui::accesskit::Role;
use egui::{
    CursorIcon, Event, EventFilter, Key, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};
use std::ops::RangeInclusive;

/// Length of a side, points.
pub const SIDE: f32 = 104.0;
/// Room around what can be reached, so that a mark at the edge is whole, points.
const MARGIN: f32 = 8.0;
/// What is reached.
const REACH: RangeInclusive<f64> = 0.0..=1.0;

/// A point that is set, 0..=1 over the layout's frame.
#[derive(Clone, Copy, Debug)]
pub struct Pad<'a> {
    /// Read aloud, and found by tests.
    pub label: &'a str,
    /// What it does.
    pub about: &'a str,
    /// What a double click puts back.
    pub usual: [f64; 2],
}

/// Shows the pad, returns where the point was set to and the drag that this belongs to. `now` is where it has been
/// moved to by what moves it.
pub fn pad_ui(ui: &mut Ui, pad: &Pad<'_>, at: [f64; 2], now: Option<[f64; 2]>) -> Option<([f64; 2], Option<u64>)> {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(SIDE), Sense::click_and_drag());
    let response = response.on_hover_cursor(CursorIcon::Crosshair);
    let field = rect.shrink(MARGIN);
    let set = dragged(ui, &response, field, at)
        .or_else(|| clicked(ui, &response, field, pad.usual))
        .or_else(|| stepped(ui, &response, at, pad.usual));
    let set = set.map(|(point, gesture)| (point.map(|side| Unit::Share.rounded(side, &REACH)), gesture));
    let shown = set.map_or(at, |(point, _)| point);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, ui.is_enabled(), pad.label));
    let place = |[x, y]: [f64; 2]| format!("{} across, {} up", Unit::Share.write(x), Unit::Share.write(y));
    let moved = now.map_or(String::new(), |now| format!("; now {}", place(now)));
    let words = format!("{}{moved}", place(shown));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(words));
    if ui.is_rect_visible(rect) {
        draw(ui, rect, field, shown, now, &response);
    }
    widgets::focus_ring(ui, &response);
    if !pad.about.is_empty() {
        response.on_hover_text(pad.about);
    }
    set.filter(|(point, _)| *point != at)
}

/// Which point is under the pointer.
fn point_at(field: Rect, pointer: Pos2) -> [f64; 2] {
    let way = (pointer - field.min) / field.size();
    [f64::from(way.x), f64::from(1.0 - way.y)]
}

fn place_of(field: Rect, point: [f64; 2]) -> Pos2 {
    let [x, y] = within(point).map(|side| side as f32);
    pos2(field.left() + x * field.width(), field.bottom() - y * field.height())
}

fn within(point: [f64; 2]) -> [f64; 2] {
    point.map(|side| side.clamp(*REACH.start(), *REACH.end()))
}

/// A drag keeps where it would be outside, so that it comes back where the pointer does.
fn dragged(ui: &Ui, response: &Response, field: Rect, at: [f64; 2]) -> Option<([f64; 2], Option<u64>)> {
    let gesture = fields::gesture(ui, response);
    if !response.dragged() {
        return None;
    }
    let fine = ui.input(|input| input.modifiers.shift);
    let held = response.id.with("held");
    let known: Option<[f64; 2]> = ui.data(|data| data.get_temp(held)).filter(|_| !response.drag_started());
    let point = match (known, response.interact_pointer_pos()) {
        (None, Some(pointer)) if !fine => point_at(field, pointer),
        (known, _) => {
            let way = response.drag_delta() / field.size() * if fine { 0.1 } else { 1.0 };
            let [x, y] = known.unwrap_or(at);
            [x + f64::from(way.x), y - f64::from(way.y)]
        }
    };
    ui.data_mut(|data| data.insert_temp(held, point));
    Some((within(point), gesture))
}

/// The second click of two takes back what the first did, in the same step of undo.
fn clicked(ui: &Ui, response: &Response, field: Rect, usual: [f64; 2]) -> Option<([f64; 2], Option<u64>)> {
    let own = response.id.with("click");
    if response.double_clicked() {
        return Some((usual, ui.data(|data| data.get_temp(own))));
    }
    let pointer = response.interact_pointer_pos().filter(|_| response.clicked())?;
    let gesture = fields::next_gesture(ui);
    ui.data_mut(|data| data.insert_temp(own, gesture));
    Some((within(point_at(field, pointer)), Some(gesture)))
}

/// Arrows, and Delete for what is usual; a key that is held is one step of undo.
fn stepped(ui: &Ui, response: &Response, at: [f64; 2], usual: [f64; 2]) -> Option<([f64; 2], Option<u64>)> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let mut set = None;
    let mut held = true;
    for event in ui.input(|input| input.events.clone()) {
        let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { continue };
        let step = Unit::Share.step(&REACH) * if modifiers.shift { 0.1 } else { 1.0 };
        let [x, y] = set.unwrap_or(at);
        set = Some(match key {
            Key::ArrowRight => within([x + step, y]),
            Key::ArrowLeft => within([x - step, y]),
            Key::ArrowUp => within([x, y + step]),
            Key::ArrowDown => within([x, y - step]),
            Key::Delete | Key::Backspace => usual,
            _ => continue,
        });
        held &= repeat;
    }
    set.map(|set| (set, Some(fields::key_gesture(ui, response, held))))
}

fn draw(ui: &Ui, rect: Rect, field: Rect, at: [f64; 2], now: Option<[f64; 2]>, response: &Response) {
    let painter = ui.painter();
    let busy = response.hovered() || response.dragged();
    painter.rect_filled(rect, theme::RADIUS, if busy { theme::RAISED } else { theme::SURFACE });
    painter.rect_stroke(field, theme::RADIUS_SMALL, Stroke::new(1.0, theme::RAIL), StrokeKind::Middle);
    let middle = field.center();
    let faint = Stroke::new(1.0, theme::mixed(theme::SURFACE, theme::RAIL, 0.7));
    painter.hline(field.x_range(), middle.y, faint);
    painter.vline(middle.x, field.y_range(), faint);
    let base = place_of(field, at);
    let ink = if busy { theme::TEXT } else { theme::TEXT_QUIET };
    let cross = Stroke::new(1.0, theme::mixed(theme::SURFACE, ink, 0.45));
    painter.hline(field.x_range(), base.y, cross);
    painter.vline(base.x, field.y_range(), cross);
    if let Some(now) = now {
        let now = place_of(field, now);
        painter.line_segment([base, now], Stroke::new(1.5, theme::mixed(theme::SURFACE, theme::CYAN, 0.6)));
        painter.circle_filled(now, 4.0, theme::CYAN);
    }
    // What was typed beyond the edge is an open ring at the edge.
    if within(at) == at {
        painter.circle_filled(base, 5.0, theme::TEXT);
    }
    painter.circle_stroke(base, 5.0, Stroke::new(1.5, theme::TEXT));
    painter.circle_stroke(base, 7.0, Stroke::new(1.5, theme::GROUND));
}

/// The pad on the left and what `numbers` shows in the rest; below it where there is no room.
pub fn beside<R>(
    ui: &mut Ui,
    pad: impl FnOnce(&mut Ui) -> Option<R>,
    numbers: impl FnOnce(&mut Ui) -> Option<R>,
) -> Option<R> {
    /// Numbers narrower than this cannot be read, points.
    const NUMBERS: f32 = 116.0;
    let rest = ui.available_width() - SIDE - theme::STEP;
    if rest < NUMBERS {
        return ui
            .vertical(|ui| {
                let set = pad(ui);
                numbers(ui).or(set)
            })
            .inner;
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = theme::STEP;
        let set = pad(ui);
        let numbers = ui.allocate_ui_with_layout(vec2(rest, SIDE), egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_width(rest);
            numbers(ui)
        });
        numbers.inner.or(set)
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_found_where_it_is_drawn_and_up_is_up() {
        let field = Rect::from_min_size(pos2(10.0, 20.0), Vec2::splat(80.0));
        for point in [[0.0, 0.0], [1.0, 1.0], [0.25, 0.75]] {
            assert_eq!(point_at(field, place_of(field, point)), point);
        }
        assert!(place_of(field, [0.5, 1.0]).y < place_of(field, [0.5, 0.0]).y);
        assert_eq!(place_of(field, [-3.0, 1024.0]), field.left_top(), "what lies outside is at the edge");
    }
}
