//! The gradient of a palette: sixteen stops that are chosen, marked and moved, as a strip and as cells.
//!
//! The ways to change it are functions of values; the strip runs on the ui thread. Deliberately absent: picking a
//! stop's colour.

use super::wheel::ink;
use crate::app::widgets::arrows;
use crate::app::{fields, theme, widgets};
use crate::model::palette::{Colour, GRADIENT_STOPS};
use egui::accesskit::Role;
use egui::{
    Color32, CursorIcon, Id, Mesh, Painter, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

/// Colours at equal distances.
pub type Stops = [Colour; GRADIENT_STOPS];
/// Which stops the others are blended between.
pub type Marks = [bool; GRADIENT_STOPS];

/// Height of the strip, of the cells and of the marks, points.
const HEIGHTS: [f32; 3] = [20.0, 32.0, 28.0];
/// Steps between two stops as they are drawn: light between them is linear, the screen is not.
const FINE: usize = 4;

/// What was done with the strip.
pub enum Touch {
    /// Work at this stop.
    Choose(usize),
    /// Mark this stop, or take its mark.
    Mark(usize),
    /// The stop that is worked at goes from its place to another, in this drag.
    Move {
        /// Where it was when the drag began.
        from: usize,
        /// Where it is now.
        to: usize,
        /// Whether the drag begins.
        begins: bool,
        /// All moves of one drag.
        gesture: Option<u64>,
    },
}

/// Draws the strip as its light runs.
pub fn draw_strip(painter: &Painter, rect: Rect, stops: &Stops) {
    let columns = (GRADIENT_STOPS - 1) * FINE;
    let mut mesh = Mesh::default();
    for column in 0..=columns {
        let (stop, share) = (column / FINE, (column % FINE) as f32 / FINE as f32);
        let (low, high) = (stops[stop].to_linear(), stops[(stop + 1).min(GRADIENT_STOPS - 1)].to_linear());
        let linear = std::array::from_fn(|i| low[i] + (high[i] - low[i]) * share);
        let colour = ink(Colour::from_linear(linear));
        let x = rect.left() + rect.width() * column as f32 / columns as f32;
        mesh.colored_vertex(pos2(x, rect.top()), colour);
        mesh.colored_vertex(pos2(x, rect.bottom()), colour);
        if column > 0 {
            let first = 2 * column as u32;
            mesh.add_triangle(first - 2, first - 1, first);
            mesh.add_triangle(first - 1, first, first + 1);
        }
    }
    painter.add(mesh);
}

/// Shows strip, cells and marks.
pub fn strip_ui(ui: &mut Ui, stops: &Stops, marks: &Marks, chosen: Option<usize>) -> Option<Touch> {
    let size = vec2(ui.available_width(), HEIGHTS.iter().sum::<f32>());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), HEIGHTS[0]));
    draw_strip(ui.painter(), strip.shrink2(vec2(1.0, 0.0)), stops);
    let mut touch = None;
    for stop in 0..GRADIENT_STOPS {
        let width = rect.width() / GRADIENT_STOPS as f32;
        let left = rect.left() + width * stop as f32;
        let column = Rect::from_min_max(pos2(left, rect.top()), pos2(left + width, rect.bottom()));
        touch = touch.or(stop_ui(ui, rect, column, (stop, stops[stop]), chosen == Some(stop)));
        touch = touch.or(mark_ui(ui, column, stop, marks[stop]));
    }
    touch
}

fn stop_ui(ui: &Ui, whole: Rect, column: Rect, (stop, colour): (usize, Colour), chosen: bool) -> Option<Touch> {
    let area = Rect::from_min_size(column.min, vec2(column.width(), HEIGHTS[0] + HEIGHTS[1]));
    let id = ui.scope_id().with(("stop", stop));
    let response = ui.interact(area, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::Grab);
    let label = format!("Stop {}, {colour}", stop + 1);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &label));
    let cell = Rect::from_min_max(pos2(column.left(), column.top() + HEIGHTS[0] + 2.0), area.max);
    let cell = cell.shrink2(vec2(1.0, 0.0));
    ui.painter().rect_filled(cell, theme::RADIUS_SMALL, ink(colour));
    if chosen {
        let seen = Rect::from_min_max(pos2(cell.left(), column.top()), cell.max);
        ui.painter().rect_stroke(seen, theme::RADIUS_SMALL, Stroke::new(2.0, theme::TEXT), StrokeKind::Inside);
        ui.painter().rect_stroke(seen.shrink(2.0), 0.0, Stroke::new(1.0, theme::GROUND), StrokeKind::Inside);
    }
    widgets::focus_ring(ui, &response);
    if response.clicked() || response.gained_focus() {
        return Some(Touch::Choose(stop));
    }
    let way = arrows(ui, &response).x;
    if way != 0.0 {
        let to = (stop as f32 + way).clamp(0.0, (GRADIENT_STOPS - 1) as f32) as usize;
        ui.memory_mut(|memory| memory.request_focus(ui.scope_id().with(("stop", to))));
        return Some(Touch::Move { from: stop, to, begins: true, gesture: None });
    }
    dragged(ui, whole, stop, &response, id)
}

fn dragged(ui: &Ui, whole: Rect, stop: usize, response: &Response, id: Id) -> Option<Touch> {
    let at = response.interact_pointer_pos().filter(|_| response.dragged())?;
    let part = (at.x - whole.left()) / whole.width() * GRADIENT_STOPS as f32;
    let to = part.clamp(0.0, (GRADIENT_STOPS - 1) as f32) as usize;
    let begins = response.drag_started();
    let was: usize = if begins { stop } else { ui.data(|data| data.get_temp(id)).unwrap_or(stop) };
    ui.data_mut(|data| data.insert_temp(id, to));
    let gesture = fields::gesture(ui, response);
    (begins || to != was).then_some(Touch::Move { from: stop, to, begins, gesture })
}

fn mark_ui(ui: &Ui, column: Rect, stop: usize, marked: bool) -> Option<Touch> {
    let area = Rect::from_min_max(pos2(column.left(), column.bottom() - HEIGHTS[2]), column.max);
    let response = ui.interact(area, ui.scope_id().with(("mark", stop)), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    let label = format!("Mark stop {}", stop + 1);
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, marked, &label));
    let centre = pos2(area.center().x, area.top() + 13.0);
    if marked {
        let corners = [vec2(0.0, -7.0), vec2(7.0, 5.0), vec2(-7.0, 5.0)].map(|corner| centre + corner);
        ui.painter().add(Shape::convex_polygon(corners.to_vec(), theme::TEXT, Stroke::NONE));
    } else {
        let ink = if response.hovered() { theme::TEXT_QUIET } else { theme::RAIL };
        ui.painter().circle_filled(centre, 2.5, ink);
    }
    widgets::focus_ring(ui, &response);
    response.on_hover_text("Blend between marked stops").clicked().then_some(Touch::Mark(stop))
}

/// The stops between each two marked ones, spread evenly from the one to the other; the rest stays.
pub fn blended(stops: &Stops, marks: &Marks) -> Stops {
    let mut blended = *stops;
    let marked: Vec<usize> = (0..GRADIENT_STOPS).filter(|stop| marks[*stop]).collect();
    for pair in marked.windows(2) {
        let [first, last] = [pair[0], pair[1]];
        for (step, stop) in (1..).zip(&mut blended[first + 1..last]) {
            *stop = stops[first].mixed(stops[last], step as f32 / (last - first) as f32);
        }
    }
    blended
}

/// One thing taken to another place; those between make room.
pub fn moved<T: Copy>(all: &[T; GRADIENT_STOPS], from: usize, to: usize) -> [T; GRADIENT_STOPS] {
    let mut moved = *all;
    if from < to {
        moved[from..=to].rotate_left(1);
    } else {
        moved[to..=from].rotate_right(1);
    }
    moved
}

/// The colour and its mark taken to another place; everything between marks is blended anew.
pub fn slid(stops: &Stops, marks: &Marks, from: usize, to: usize) -> (Stops, Marks) {
    let (mut stops, mut marks) = (*stops, *marks);
    if from != to {
        stops[to] = stops[from];
        marks[to] = true;
        marks[from] = false;
    }
    // Without a mark at an end, what lies beyond the last one has its colour.
    let marked: Vec<usize> = (0..GRADIENT_STOPS).filter(|stop| marks[*stop]).collect();
    if let (Some(first), Some(last)) = (marked.first(), marked.last()) {
        let ends = [stops[*first], stops[*last]];
        stops[..*first].fill(ends[0]);
        stops[*last..].fill(ends[1]);
    }
    (blended(&stops, &marks), marks)
}

/// Room of the whole strip, points.
pub fn height() -> f32 {
    HEIGHTS.iter().sum()
}

/// A small picture of a palette for lists: its gradient, and its two colours at the end.
pub fn draw_picture(painter: &Painter, rect: Rect, palette: &crate::model::palette::Palette) {
    let side = rect.height();
    let strip = Rect::from_min_max(rect.min, pos2(rect.right() - 2.0 * (side + 2.0), rect.bottom()));
    draw_strip(painter, strip, &palette.gradient);
    for (place, colour) in [(1.0, palette.primary), (0.0, palette.secondary)] {
        let right = rect.right() - place * (side + 2.0);
        let square = Rect::from_min_size(pos2(right - side, rect.top()), Vec2::splat(side));
        painter.rect(
            square,
            theme::RADIUS_SMALL,
            ink(colour),
            Stroke::new(1.0, Color32::from_white_alpha(24)),
            StrokeKind::Inside,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(level: u8) -> Colour {
        Colour([level; 3])
    }

    fn marks(of: &[usize]) -> Marks {
        std::array::from_fn(|stop| of.contains(&stop))
    }

    #[test]
    fn only_what_lies_between_marks_is_blended() {
        let mut stops = [Colour([9, 8, 7]); GRADIENT_STOPS];
        (stops[4], stops[6]) = (Colour::BLACK, Colour::WHITE);
        let blended = blended(&stops, &marks(&[4, 6]));
        assert_eq!(blended[4..=6], [Colour::BLACK, grey(99), Colour::WHITE]);
        assert_eq!((blended[3], blended[7]), (stops[3], stops[7]));
    }

    #[test]
    fn a_stop_moves_and_those_between_make_room() {
        let numbers: [usize; GRADIENT_STOPS] = std::array::from_fn(|stop| stop);
        assert_eq!(moved(&numbers, 1, 3)[..5], [0, 2, 3, 1, 4]);
        assert_eq!(moved(&numbers, 3, 1)[..5], [0, 3, 1, 2, 4]);
        assert_eq!(moved(&numbers, 5, 5), numbers);
    }

    #[test]
    fn a_stop_that_slides_takes_its_mark_along_and_the_ends_stay_flat() {
        let mut stops = [grey(50); GRADIENT_STOPS];
        (stops[0], stops[15]) = (Colour::BLACK, Colour::WHITE);
        let (slid, now) = slid(&stops, &marks(&[0, 15]), 15, 2);
        assert_eq!(now, marks(&[0, 2]));
        assert_eq!(slid[..4], [Colour::BLACK, grey(99), Colour::WHITE, Colour::WHITE]);
        assert_eq!(slid[15], Colour::WHITE);
    }
}
