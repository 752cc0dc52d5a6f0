//! Pads and faders: the two things a hand finds on this console besides the tiles.
//!
//! Functions of the ui thread that draw, then say what was done. Deliberately absent: what it means.

use super::theme;
use crate::units::Level;
use egui::accesskit::Role;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, CornerRadius, CursorIcon, EventFilter, FontId, Key, Painter, Pos2, Rect, Response, Sense, Stroke,
    StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

/// How a pad looks while nobody touches it.
pub struct PadLook<'a> {
    /// Read aloud, and found by tests.
    pub label: &'a str,
    /// Written on it.
    pub text: &'a str,
    /// In this type.
    pub font: FontId,
    /// In this colour.
    pub colour: Color32,
    /// On this ground.
    pub fill: Color32,
}

impl<'a> PadLook<'a> {
    /// A pad of the top bar.
    pub fn quiet(label: &'a str, text: &'a str) -> Self {
        Self { label, text, font: theme::strong(theme::BODY), colour: theme::TEXT_QUIET, fill: theme::SURFACE }
    }
}

/// A button as large as a finger.
pub fn pad(ui: &mut Ui, size: Vec2, look: &PadLook<'_>) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), look.label));
    if ui.is_rect_visible(rect) {
        let pressed = response.is_pointer_button_down_on();
        let (fill, colour) = match (pressed, response.hovered()) {
            (true, _) => (theme::RAIL, theme::TEXT),
            (_, true) => (theme::mixed(look.fill, Color32::WHITE, 0.06), theme::TEXT),
            _ => (look.fill, look.colour),
        };
        ui.painter().rect_filled(rect, theme::RADIUS, fill);
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, look.text, look.font.clone(), colour);
        focus_ring(ui, &response);
    }
    response
}

/// The ground of a line in a list: it is chosen, under the pointer, or neither.
pub fn line_ground(painter: &Painter, response: &Response, chosen: bool) {
    let rect = response.rect;
    let fill = match (chosen, response.hovered()) {
        (true, _) => theme::SURFACE,
        (false, true) => theme::BAR,
        _ => theme::GROUND,
    };
    painter.rect_filled(rect, theme::RADIUS, fill);
    if chosen {
        let mark = Rect::from_min_size(rect.min, Vec2::new(3.0, rect.height()));
        painter.rect_filled(mark, CornerRadius::same(2), theme::TEXT);
    }
}

/// Writes a line from its left middle on, which ends in dots where it would go on behind `right`; where it ends. Text that
/// is cut by a clip instead costs the window a draw call of its own.
pub fn elided(painter: &Painter, at: Pos2, right: f32, (text, font, ink): (&str, FontId, Color32)) -> f32 {
    let room = right - at.x;
    if room < 2.0 * theme::STEP {
        return at.x;
    }
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, ink);
    job.wrap = TextWrapping::truncate_at_width(room);
    let galley = painter.layout_job(job);
    let size = galley.size();
    painter.galley(pos2(at.x, at.y - size.y / 2.0), galley, ink);
    at.x + size.x
}

/// Shows where the keyboard is.
pub fn focus_ring(ui: &Ui, response: &Response) {
    if response.has_focus() {
        ui.painter().rect_stroke(response.rect, theme::RADIUS, theme::focus_stroke(), StrokeKind::Inside);
    }
}

/// Whether a finger or the mouse went down on it in this frame: what must not wait for the release.
pub fn pressed_now(ui: &Ui, response: &Response) -> bool {
    response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_pressed())
}

/// A fader's hit area: where it is and how it moves.
pub struct FaderArea<'a> {
    /// Read aloud, and found by tests.
    pub label: &'a str,
    /// What can be touched.
    pub touch: Rect,
    /// The length of the whole way, points.
    pub travel: f32,
}

/// A fader that is moved from where it stands and never jumps under the finger. Besides its response it gives the
/// place to draw (a drag runs ahead of what the show says) and the place it was moved to.
pub fn fader(ui: &Ui, id: egui::Id, area: &FaderArea<'_>, level: Level) -> (Response, Level, Option<Level>) {
    let response = ui.interact(area.touch, id, Sense::drag()).on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
    if response.drag_started() {
        ui.data_mut(|data| data.insert_temp(id, level.get()));
    }
    let moved = if response.dragged() {
        let start = ui.data(|data| data.get_temp(id)).unwrap_or(level.get());
        let way = response.total_drag_delta().map_or(0.0, |delta| delta.x) / area.travel.max(1.0);
        Some(Level::new(start + way))
    } else {
        stepped(ui, &response, level)
    };
    let shown = moved.unwrap_or(level);
    response.widget_info(|| WidgetInfo::slider(true, f64::from(shown.get() * 100.0), area.label));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(100.0);
    });
    (response, shown, moved.filter(|moved| *moved != level))
}

/// A fader that the keyboard has reached moves by arrows, in steps of 5 %.
fn stepped(ui: &Ui, response: &Response, level: Level) -> Option<Level> {
    if !response.has_focus() {
        return None;
    }
    let presses = |key| ui.input(|input| input.num_presses(key)) as f32;
    let up = presses(Key::ArrowRight) + presses(Key::ArrowUp);
    let way = up - presses(Key::ArrowLeft) - presses(Key::ArrowDown);
    (way != 0.0).then(|| Level::new(level.get() + way * 0.05))
}

/// Arrow keys that went down: to the right, and up. They stay with what the keyboard has reached, and
/// count ten times with Shift.
pub fn arrows(ui: &Ui, response: &Response) -> Vec2 {
    if !response.has_focus() {
        return Vec2::ZERO;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let presses = |key| ui.input(|input| input.num_presses(key)) as f32;
    let times = if ui.input(|input| input.modifiers.shift) { 10.0 } else { 1.0 };
    let way = [presses(Key::ArrowRight) - presses(Key::ArrowLeft), presses(Key::ArrowUp) - presses(Key::ArrowDown)];
    vec2(way[0], way[1]) * times
}

/// Draws the rail of a fader and how far it is open.
pub fn draw_rail(ui: &Ui, rail: Rect, level: Level, colour: Color32) {
    ui.painter().rect_filled(rail, theme::RADIUS_SMALL, theme::RAIL);
    draw_open(ui.painter(), rail, level, colour);
}

/// Draws how far a fader is open.
pub fn draw_open(painter: &Painter, rail: Rect, level: Level, colour: Color32) {
    let open = Rect::from_min_max(rail.min, pos2(rail.left() + rail.width() * level.get(), rail.bottom()));
    if open.width() > 0.5 {
        painter.rect_filled(open, theme::RADIUS_SMALL, colour);
    }
}

/// Draws the cap of a fader, where a hand would take it.
pub fn draw_cap(ui: &Ui, rail: Rect, level: Level, colour: Color32) {
    let x = rail.left() + rail.width() * level.get();
    let cap = Rect::from_center_size(pos2(x, rail.center().y), Vec2::new(6.0, rail.height() + 14.0));
    ui.painter().rect_filled(cap, theme::RADIUS_SMALL, colour);
    ui.painter().rect_stroke(cap, theme::RADIUS_SMALL, Stroke::new(2.0, theme::BAR), StrokeKind::Outside);
}
