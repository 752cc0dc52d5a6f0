//! The value: one bar for every number that is set: dragged, typed, stepped by keys, and shown as it moves.
//!
//! Functions of the ui thread that draw, then say what was done. A drag goes on from where the value stands, ten times
//! finer with Shift; a double click resets. Deliberately absent: what a value means, and what moves it, which
//! [`super::modulation`] picks.

use super::unit::Unit;
use super::{fields, theme, widgets};
use egui::accesskit::Role;
use egui::text_selection::CCursorRange;
use egui::{
    Align2, CornerRadius, CursorIcon, Event, EventFilter, Id, Key, Rect, Response, Sense, Stroke, TextEdit, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use std::ops::RangeInclusive;

/// Height of a bar, and of one that says what moves it, points.
pub const HEIGHTS: [f32; 2] = [32.0, 44.0];
/// Room of the number, points.
const NUMBER: f32 = 76.0;

/// A number that is set.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// Read aloud, and found by tests.
    pub label: &'a str,
    /// Written on it.
    pub text: &'a str,
    /// What it does, where that is not plain.
    pub about: &'a str,
    /// What a drag reaches.
    pub slider: RangeInclusive<f64>,
    /// What may be typed.
    pub limits: RangeInclusive<f64>,
    /// What a double click puts back.
    pub usual: f64,
    /// What it counts.
    pub unit: Unit,
}

impl<'a> Value<'a> {
    /// A number of which all that may be typed is reached by a drag.
    pub fn new(label: &'a str, text: &'a str, range: RangeInclusive<f64>, usual: f64, unit: Unit) -> Self {
        Self { label, text, about: "", slider: range.clone(), limits: range, usual, unit }
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(*self.limits.start(), *self.limits.end())
    }

    fn share(&self, value: f64) -> f32 {
        let (start, end) = (*self.slider.start(), *self.slider.end());
        ((value - start) / (end - start).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0) as f32
    }
}

/// What moves a value just now.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Where it is.
    pub now: f64,
    /// By what, in words.
    pub by: &'a str,
}

/// Shows the bar over the whole width, returns what it was set to and the drag that this belongs to.
pub fn value_ui(ui: &mut Ui, value: &Value<'_>, at: f64, motion: Option<Motion<'_>>) -> Option<(f64, Option<u64>)> {
    let size = vec2(ui.available_width(), HEIGHTS[usize::from(motion.is_some())]);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    bar_ui(ui, rect, value, at, motion)
}

/// The same in a given place.
pub fn bar_ui(
    ui: &mut Ui,
    rect: Rect,
    value: &Value<'_>,
    at: f64,
    motion: Option<Motion<'_>>,
) -> Option<(f64, Option<u64>)> {
    let id = ui.make_persistent_id(value.label);
    let response = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::ResizeHorizontal);
    let mut set = dragged(ui, &response, value, at).or_else(|| stepped(ui, &response, value, at));
    if response.double_clicked() && at != value.usual {
        set = Some((value.usual, None));
    }
    let shown = set.map_or(at, |(set, _)| set);
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), shown, value.label));
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_min_numeric_value(*value.slider.start());
        node.set_max_numeric_value(*value.slider.end());
        node.set_value(value.unit.write(shown));
    });
    if ui.is_rect_visible(rect) {
        draw(ui, rect, value, shown, motion, &response);
    }
    let opened = response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let typed = number_ui(ui, rect, id, value, shown, opened);
    widgets::focus_ring(ui, &response);
    if !value.about.is_empty() {
        response.on_hover_text(value.about);
    }
    typed.map(|typed| (typed, None)).or(set).filter(|(set, _)| *set != at)
}

/// A drag keeps what lies between two steps of its own, so that a slow one arrives too.
fn dragged(ui: &Ui, response: &Response, value: &Value<'_>, at: f64) -> Option<(f64, Option<u64>)> {
    let gesture = fields::gesture(ui, response);
    if response.drag_started() {
        ui.data_mut(|data| data.insert_temp(response.id, at));
    }
    if !response.dragged() {
        return None;
    }
    let fine = if ui.input(|input| input.modifiers.shift) { 0.1 } else { 1.0 };
    let way = f64::from(response.drag_delta().x / response.rect.width().max(1.0)) * fine;
    let (start, end) = (*value.slider.start(), *value.slider.end());
    let held = ui.data(|data| data.get_temp(response.id)).unwrap_or(at) + way * (end - start);
    // A value that was typed beyond the slider's ends stays there until it is dragged back.
    let held = held.clamp(start.min(at), end.max(at));
    ui.data_mut(|data| data.insert_temp(response.id, held));
    Some((value.clamp(value.unit.rounded(held, &value.slider)), gesture))
}

/// Arrows, Home and End; a key that is held is one step of undo.
fn stepped(ui: &Ui, response: &Response, value: &Value<'_>, at: f64) -> Option<(f64, Option<u64>)> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let mut set = None;
    let mut held = true;
    for event in ui.input(|input| input.events.clone()) {
        let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { continue };
        let step = value.unit.step(&value.slider) * if modifiers.shift { 0.1 } else { 1.0 };
        let from = set.unwrap_or(at);
        let to = match key {
            Key::ArrowRight | Key::ArrowUp => from + step,
            Key::ArrowLeft | Key::ArrowDown => from - step,
            Key::Home => *value.slider.start(),
            Key::End => *value.slider.end(),
            Key::Delete | Key::Backspace => value.usual,
            _ => continue,
        };
        let grain = 1e-6;
        let to = if value.unit == Unit::Whole { to.round() } else { (to / grain).round() * grain };
        set = Some(value.clamp(to));
        held &= repeat;
    }
    set.map(|set| (set, Some(fields::key_gesture(ui, response, held))))
}

/// The number at the end of the bar; a click or Enter opens it as a field.
fn number_ui(ui: &mut Ui, bar: Rect, id: Id, value: &Value<'_>, at: f64, opened: bool) -> Option<f64> {
    let room = Rect::from_min_max(pos2(bar.right() - NUMBER, bar.top()), pos2(bar.right(), bar.top() + HEIGHTS[0]));
    let draft_id = id.with("draft");
    let Some(mut draft) = ui.data(|data| data.get_temp::<String>(draft_id)) else {
        let response = ui.interact(room, id.with("number"), Sense::CLICK).on_hover_cursor(CursorIcon::Text);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Type {}", value.label)));
        if response.clicked() || opened {
            let text = value.unit.write(at);
            let edit = id.with("edit");
            ui.data_mut(|data| data.insert_temp(draft_id, text.clone()));
            let mut state = egui::text_edit::TextEditState::default();
            state.cursor.set_char_range(Some(CCursorRange::select_all_str(&text)));
            state.store(ui.ctx(), edit);
            ui.memory_mut(|memory| memory.request_focus(edit));
            ui.ctx().request_repaint();
        }
        return None;
    };
    let mut child = ui.new_child(UiBuilder::new().max_rect(room.shrink(2.0)));
    let wrong = value.unit.read(&draft).is_none();
    let edit = TextEdit::singleline(&mut draft).id(id.with("edit")).desired_width(room.width() - 20.0);
    let edit = edit.margin(vec2(8.0, 4.0)).text_color(if wrong { theme::RED } else { theme::TEXT });
    let response = child.put(room.shrink(2.0), edit.font(theme::small()));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, format!("Number of {}", value.label)));
    if response.lost_focus() || !response.has_focus() {
        ui.data_mut(|data| data.remove::<String>(draft_id));
        let left = ui.input(|input| input.key_pressed(Key::Escape));
        if !left && draft != value.unit.write(at) {
            return value.unit.read(&draft).map(|typed| value.clamp(typed));
        }
        return None;
    }
    ui.data_mut(|data| data.insert_temp(draft_id, draft));
    None
}

fn draw(ui: &Ui, rect: Rect, value: &Value<'_>, at: f64, motion: Option<Motion<'_>>, response: &Response) {
    let painter = ui.painter();
    let busy = response.hovered() || response.dragged();
    let ground = if busy { theme::RAISED } else { theme::SURFACE };
    painter.rect_filled(rect, theme::RADIUS, ground);
    let x_of = |value_at: f64| rect.left() + rect.width() * value.share(value_at);
    let between = |a: f32, b: f32| Rect::from_x_y_ranges(a.min(b)..=a.max(b), rect.y_range());
    // A range that goes both ways is filled from its zero.
    let zero = x_of(0.0_f64.clamp(*value.slider.start(), *value.slider.end()));
    let base = x_of(at);
    let fill = theme::mixed(ground, theme::RAIL, if busy { 1.0 } else { 0.8 });
    // Round where it reaches an end. A clip would cost a draw call.
    let part = between(zero, base);
    let round = |at_end: bool| if at_end { theme::RADIUS.nw } else { 0 };
    let (start, end) = (round(part.left() <= rect.left()), round(part.right() >= rect.right()));
    painter.rect_filled(part, CornerRadius { nw: start, sw: start, ne: end, se: end }, fill);
    let handle = base.clamp(rect.left() + 1.0, rect.right() - 1.0);
    let ink = if busy { theme::TEXT } else { theme::TEXT_FAINT };
    painter.vline(handle, rect.shrink(3.0).y_range(), Stroke::new(if busy { 2.0 } else { 1.0 }, ink));
    if let Some(motion) = motion {
        // Along the foot, where it crosses no words.
        let now = between(zero, x_of(motion.now).max(rect.left() + 2.0));
        let foot = Rect::from_min_max(pos2(rect.left() + 2.0, rect.bottom() - 3.0), rect.max - vec2(2.0, 0.0));
        painter.rect_filled(now.intersect(foot), 0.0, theme::CYAN);
    }
    let left = rect.left() + theme::STEP + 2.0;
    let right = rect.right() - theme::STEP - 2.0;
    let middle = rect.top() + HEIGHTS[0] / 2.0;
    let words_end = rect.right() - NUMBER;
    widgets::elided(painter, pos2(left, middle), words_end, (value.text, theme::small(), theme::TEXT));
    let typing = ui.data(|data| data.get_temp::<String>(response.id.with("draft"))).is_some();
    if !typing {
        let ink = if at == value.usual { theme::TEXT_QUIET } else { theme::TEXT };
        painter.text(pos2(right, middle), Align2::RIGHT_CENTER, value.unit.write(at), theme::small(), ink);
    }
    if let Some(Motion { now, by }) = motion {
        let below = rect.bottom() - 13.0;
        widgets::elided(painter, pos2(left, below), words_end, (by, theme::small(), theme::TEXT_QUIET));
        painter.text(pos2(right, below), Align2::RIGHT_CENTER, value.unit.write(now), theme::small(), theme::CYAN);
    }
}
