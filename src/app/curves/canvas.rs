//! The canvas of a curve: its points and the handles of its segments, dragged by hand or moved by arrow keys.
//!
//! Runs on the ui thread; says what the curve should become. Deliberately absent: what the changes are, which
//! [`super::shape`] knows.

use super::shape::{self, GRID};
use crate::app::widgets::arrows;
use crate::app::{fields, theme, widgets};
use crate::model::curve::Curve;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, CursorIcon, Key, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

/// What a finger hits of a point or handle, points.
const TOUCH: f32 = 32.0;
/// A double click that follows the click which added a point does not remove it, seconds.
const JUST_ADDED: f64 = 0.6;

/// What is held and chosen.
#[derive(Debug)]
pub struct Hand {
    /// The point that is worked at.
    pub point: Option<usize>,
    /// Whether beats snap to the grid.
    pub snap: bool,
    /// The curve before the drag, and where on the point it was taken.
    before: Option<(Curve, Vec2)>,
    added: f64,
}

impl Hand {
    /// Holds nothing.
    pub fn new(snap: bool) -> Self {
        Self { point: None, snap, before: None, added: f64::NEG_INFINITY }
    }
}

/// A changed curve, and the drag that changed it.
pub type Change = Option<(Curve, Option<u64>)>;

/// Where beats and heights are on the screen.
#[derive(Clone, Copy)]
struct Plot {
    rect: Rect,
    length: f64,
}

impl Plot {
    fn at(&self, beat: f64, y: f64) -> Pos2 {
        let part = vec2((beat / self.length) as f32, 1.0 - y as f32);
        self.rect.min + part * self.rect.size()
    }

    fn read(&self, place: Pos2) -> (f64, f64) {
        let part = (place - self.rect.min) / self.rect.size();
        (f64::from(part.x) * self.length, 1.0 - f64::from(part.y))
    }
}

/// Shows the curve in the rest of the room. `playhead` is the beat that plays.
pub fn canvas_ui(ui: &mut Ui, size: Vec2, curve: &Curve, hand: &mut Hand, playhead: f64) -> Change {
    let (rect, canvas) = ui.allocate_exact_size(size, Sense::drag());
    let canvas = canvas.on_hover_cursor(CursorIcon::Crosshair);
    canvas.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, format!("Curve {}", curve.name)));
    let inner = Rect::from_min_max(rect.min + vec2(14.0, 14.0), rect.max - vec2(14.0, 26.0));
    let plot = Plot { rect: inner, length: curve.length.max(1e-3) };
    ui.painter().rect_filled(rect, theme::RADIUS, theme::STAGE);
    draw_grid(ui.painter(), plot, hand.snap);
    let line = Stroke::new(2.0, theme::TEXT);
    ui.painter().add(Shape::line(trace(curve, plot.rect), line));
    draw_playhead(ui.painter(), plot, curve, playhead);
    widgets::focus_ring(ui, &canvas);
    let mut change = add_ui(ui, &canvas, plot, curve, hand);
    for index in 0..curve.points.len().saturating_sub(1) {
        change = change.or(handle_ui(ui, plot, curve, index, hand));
    }
    for index in 0..curve.points.len() {
        change = change.or(point_ui(ui, plot, curve, index, hand));
    }
    change
}

/// The curve as a line over a rectangle.
pub fn trace(curve: &Curve, rect: Rect) -> Vec<Pos2> {
    let steps = (rect.width() / 2.0).clamp(8.0, 1000.0) as usize;
    let length = curve.length.max(1e-3);
    let even = (0..=steps).map(|step| step as f64 / steps as f64 * length);
    // Both sides of a point, so that corners and jumps are where they are.
    let sharp = curve.points.iter().flat_map(|point| [point.beat - 1e-6, point.beat + 1e-6]);
    let mut beats: Vec<f64> = even.chain(sharp).map(|beat| beat.clamp(0.0, length * (1.0 - 1e-9))).collect();
    beats.sort_by(f64::total_cmp);
    let plot = Plot { rect, length };
    beats.into_iter().map(|beat| plot.at(beat, curve.at(beat))).collect()
}

fn draw_grid(painter: &Painter, plot: Plot, fine: bool) {
    let rect = plot.rect;
    let faint = Stroke::new(1.0, theme::SURFACE);
    let step = if fine && plot.length <= 8.0 { GRID } else { 1.0 };
    // Labels and lines that stay apart, however long it is.
    let room = f64::from(rect.width()) / plot.length;
    let whole = [1.0, 2.0, 4.0, 8.0, 16.0].into_iter().find(|beats| beats * room >= 28.0).unwrap_or(32.0);
    let lines = (plot.length / step).floor() as usize;
    for line in (0..=lines).take(1024) {
        let beat = line as f64 * step;
        let x = plot.at(beat, 0.0).x;
        let main = beat.rem_euclid(whole) == 0.0;
        if main || step * room >= 6.0 {
            let stroke = if main { Stroke::new(1.0, theme::RAIL) } else { faint };
            painter.vline(x, rect.y_range(), stroke);
        }
        if main {
            let at = pos2(x, rect.bottom() + 6.0);
            painter.text(at, Align2::CENTER_TOP, format!("{beat}"), theme::small(), theme::TEXT_FAINT);
        }
    }
    for y in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let ink = if y == 0.0 || y == 1.0 { theme::RAIL } else { theme::SURFACE };
        painter.hline(rect.x_range(), plot.at(0.0, y).y, Stroke::new(1.0, ink));
    }
}

fn draw_playhead(painter: &Painter, plot: Plot, curve: &Curve, playhead: f64) {
    let beat = playhead.rem_euclid(plot.length);
    let at = plot.at(beat, curve.at(beat));
    painter.vline(at.x, plot.rect.y_range(), Stroke::new(1.0, theme::CYAN.gamma_multiply(0.6)));
    painter.circle_filled(at, 4.0, theme::CYAN);
}

/// A press on nothing adds a point, which goes along with the hand.
fn add_ui(ui: &Ui, canvas: &Response, plot: Plot, curve: &Curve, hand: &mut Hand) -> Change {
    if canvas.drag_started() {
        hand.before = Some((curve.clone(), Vec2::ZERO));
        hand.added = ui.input(|input| input.time);
    }
    let at = canvas.interact_pointer_pos().filter(|_| canvas.dragged())?;
    let (before, _) = hand.before.as_ref()?;
    let (beat, y) = plot.read(at);
    let (changed, index) = shape::added(before, shape::snapped(beat, hand.snap), y);
    hand.point = Some(index);
    let gesture = fields::gesture(ui, canvas);
    (changed != *curve).then_some((changed, gesture))
}

fn point_ui(ui: &Ui, plot: Plot, curve: &Curve, index: usize, hand: &mut Hand) -> Change {
    let point = curve.points[index];
    let centre = plot.at(point.beat, point.y);
    let area = Rect::from_center_size(centre, Vec2::splat(TOUCH));
    let response = ui.interact(area, ui.scope_id().with(("point", index)), Sense::drag());
    let response = response.on_hover_and_drag_cursor(CursorIcon::Grab);
    let label = format!(
        "Point {} of {}, beat {:.2}, height {:.0} %",
        index + 1,
        curve.points.len(),
        point.beat,
        point.y * 100.0
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let chosen = hand.point == Some(index);
    let (radius, fill) = match (chosen, response.hovered() || response.dragged()) {
        (true, _) => (6.0, theme::TEXT),
        (false, true) => (6.0, theme::RAIL),
        _ => (5.0, theme::GROUND),
    };
    ui.painter().circle(centre, radius, fill, Stroke::new(2.0, theme::TEXT));
    widgets::focus_ring(ui, &response);
    if response.drag_started() || response.gained_focus() {
        hand.point = Some(index);
    }
    let double = ui.input(|input| {
        let fresh = input.time - hand.added < JUST_ADDED;
        !fresh && input.pointer.button_double_clicked(PointerButton::Primary)
    });
    let delete = ui.input(|input| input.key_pressed(Key::Delete) || input.key_pressed(Key::Backspace));
    if (double && response.hovered()) || (delete && response.has_focus()) {
        hand.point = None;
        return shape::removed(curve, index).map(|curve| (curve, None));
    }
    let keys = arrows(ui, &response);
    if keys != Vec2::ZERO {
        let step = vec2(if hand.snap { GRID as f32 } else { 0.05 }, 0.01) * keys;
        let changed = shape::moved(curve, index, point.beat + f64::from(step.x), point.y + f64::from(step.y));
        return (changed != *curve).then_some((changed, None));
    }
    let (at, before) = dragged(&response, curve, centre, hand)?;
    let (beat, y) = plot.read(at);
    let changed = shape::moved(&before, index, shape::snapped(beat, hand.snap), y);
    let gesture = fields::gesture(ui, &response);
    (changed != *curve).then_some((changed, gesture))
}

/// Where the dragged thing should be, and the curve before the drag.
fn dragged(response: &Response, curve: &Curve, centre: Pos2, hand: &mut Hand) -> Option<(Pos2, Curve)> {
    let at = response.interact_pointer_pos().filter(|_| response.dragged())?;
    if response.drag_started() {
        hand.before = Some((curve.clone(), centre - at));
    }
    hand.before.as_ref().map(|(before, offset)| (at + *offset, before.clone()))
}

fn handle_ui(ui: &Ui, plot: Plot, curve: &Curve, index: usize, hand: &mut Hand) -> Change {
    let (beat, y) = shape::handle(curve, index)?;
    let centre = plot.at(beat, y);
    let [start, end] = [index, index + 1].map(|point| plot.at(curve.points[point].beat, 0.0).x);
    if end - start < TOUCH {
        return None;
    }
    let area = Rect::from_center_size(centre, Vec2::splat(TOUCH));
    let response = ui.interact(area, ui.scope_id().with(("handle", index)), Sense::drag());
    let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeVertical);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Bend of segment {}", index + 1)));
    let lit = response.hovered() || response.dragged();
    let ink = if lit { theme::TEXT } else { theme::TEXT_FAINT };
    let corners = [vec2(0.0, -5.0), vec2(5.0, 0.0), vec2(0.0, 5.0), vec2(-5.0, 0.0)].map(|corner| centre + corner);
    let fill = if curve.points[index].control.is_some() { ink } else { Color32::TRANSPARENT };
    ui.painter().add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::new(1.5, ink)));
    widgets::focus_ring(ui, &response);
    let keys = arrows(ui, &response) / 100.0;
    if keys != Vec2::ZERO {
        let changed = shape::bent(curve, index, beat + f64::from(keys.x) * curve.length, y + f64::from(keys.y));
        return (changed != *curve).then_some((changed, None));
    }
    let (at, before) = dragged(&response, curve, centre, hand)?;
    let (beat, y) = plot.read(at);
    let gesture = fields::gesture(ui, &response);
    let moved = response.total_drag_delta().is_some_and(|way| way != Vec2::ZERO);
    let changed = if moved { shape::bent(&before, index, beat, y) } else { before };
    (changed != *curve).then_some((changed, gesture))
}
