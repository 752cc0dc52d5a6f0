//! Fields of a form: a label, a control, and what was entered once it is certain.
//!
//! Functions of the ui thread. What is typed is a draft until Enter or until the field is left; what makes no sense
//! stays a draft, with a line that says why. Deliberately absent: what an entry does.

use super::theme;
use egui::accesskit::Role;
use egui::emath::Numeric;
use egui::{Align, ComboBox, DragValue, Id, Layout, Response, RichText, TextEdit, Ui, WidgetInfo, vec2};
use std::ops::RangeInclusive;

/// Width of the labels, points.
const LABEL: f32 = 112.0;

/// The most that a list of choices takes before it scrolls, points.
const LIST: f32 = 360.0;

/// A heading over some fields.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(theme::STEP);
    ui.label(RichText::new(text).font(theme::strong(theme::SMALL)).color(theme::TEXT_QUIET));
}

/// A quiet line of help.
pub fn hint(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::small()).color(theme::TEXT_FAINT));
}

/// One line of a form: the label on the left, the control in the rest.
pub fn row<R>(ui: &mut Ui, label: &str, control: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.set_min_height(4.0 * theme::STEP);
        // A long word must not push the form wider than its panel.
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
        let size = vec2(LABEL.min(ui.available_width() * 0.4), 4.0 * theme::STEP);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(size.x);
            ui.add(egui::Label::new(RichText::new(label).font(theme::small()).color(theme::TEXT_QUIET)).truncate());
        });
        control(ui)
    })
    .inner
}

/// Text that is taken on Enter or when the field is left. `parse` says what is wrong with it.
pub fn text<T>(ui: &mut Ui, label: &str, shown: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
    let (entered, fault) = row(ui, label, |ui| bare_text(ui, label, shown, parse));
    if let Some(fault) = fault {
        ui.label(RichText::new(fault).font(theme::small()).color(theme::RED));
    }
    entered
}

/// The same without its label on the left, over the whole width; what is wrong comes back beside what was entered.
pub fn bare_text<T>(
    ui: &mut Ui,
    label: &str,
    shown: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> (Option<T>, Option<String>) {
    let id = ui.make_persistent_id(label);
    let mut draft: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| shown.to_owned());
    let mut fault = None;
    let mut entered = None;
    let width = ui.available_width().max(64.0);
    let edit = TextEdit::singleline(&mut draft).id(id.with("edit")).desired_width(width).margin(vec2(8.0, 7.0));
    let response = ui.add(edit.text_color(theme::TEXT));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, label));
    let parsed = (draft != shown).then(|| parse(&draft));
    if response.lost_focus() {
        if let Some(Ok(value)) = parsed {
            entered = Some(value);
        }
        // Taken or not, the field shows what holds from here on.
        ui.data_mut(|data| data.remove::<String>(id));
    } else if response.has_focus() {
        fault = parsed.and_then(Result::err);
        ui.data_mut(|data| data.insert_temp(id, draft));
    }
    (entered, fault)
}

/// A number that is dragged or typed, and the gesture of the drag, if it is one.
pub fn number<N: Numeric>(
    ui: &mut Ui,
    label: &str,
    value: N,
    range: RangeInclusive<N>,
    suffix: &str,
) -> Option<(N, Option<u64>)> {
    row(ui, label, |ui| bare_number(ui, label, value, range, suffix))
}

/// The same without its label on the left.
pub fn bare_number<N: Numeric>(
    ui: &mut Ui,
    label: &str,
    value: N,
    range: RangeInclusive<N>,
    suffix: &str,
) -> Option<(N, Option<u64>)> {
    let way = range.end().to_f64() - range.start().to_f64();
    // A drag across a screen goes through a small range; fine with Shift, which the control knows itself.
    let speed = if N::INTEGRAL { (way / 400.0).clamp(0.05, 1.0) } else { way / 400.0 };
    paced_number(ui, label, value, range, (suffix, speed))
}

/// The same for a range that is much wider than what is usual in it: `speed` is what a point of a drag changes.
pub fn paced_number<N: Numeric>(
    ui: &mut Ui,
    label: &str,
    mut value: N,
    range: RangeInclusive<N>,
    (suffix, speed): (&str, f64),
) -> Option<(N, Option<u64>)> {
    ui.scope(|ui| {
        lift(ui);
        let drag = DragValue::new(&mut value).range(range).speed(speed).suffix(suffix).update_while_editing(false);
        let response = ui.add_sized(vec2(88.0, 4.0 * theme::STEP), drag).accessible_name(label);
        response.changed().then(|| (value, gesture(ui, &response)))
    })
    .inner
}

/// What can be entered lies a step above its ground, and its text is what is read first.
fn lift(ui: &mut Ui) {
    let inactive = &mut ui.visuals_mut().widgets.inactive;
    inactive.weak_bg_fill = theme::SURFACE;
    inactive.fg_stroke.color = theme::TEXT;
}

/// A choice of few.
pub fn choice<T: PartialEq + Copy>(ui: &mut Ui, label: &str, current: T, all: &[(T, &str)]) -> Option<T> {
    row(ui, label, |ui| bare_choice(ui, label, current, all))
}

/// The same without its label on the left.
pub fn bare_choice<T: PartialEq + Copy>(ui: &mut Ui, label: &str, current: T, all: &[(T, &str)]) -> Option<T> {
    ui.scope(|ui| {
        let mut chosen = current;
        let name = all.iter().find(|(value, _)| *value == current).map_or("", |(_, name)| name);
        lift(ui);
        let width = ui.available_width().clamp(88.0, 240.0);
        let shown = ComboBox::from_id_salt(label).selected_text(name).width(width).height(LIST).show_ui(ui, |ui| {
            for (value, name) in all {
                ui.selectable_value(&mut chosen, *value, *name);
            }
        });
        shown.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{label}: {name}")));
        (chosen != current).then_some(chosen)
    })
    .inner
}

/// On or off, with the words that say which.
pub fn switch(ui: &mut Ui, label: &str, on: bool, words: &str) -> Option<bool> {
    row(ui, label, |ui| {
        let mut now = on;
        let response = ui.checkbox(&mut now, RichText::new(words).font(theme::small()).color(theme::TEXT_QUIET));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, label));
        // Read aloud after the label.
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(words));
        response.on_hover_text(words);
        (now != on).then_some(now)
    })
}

/// The number of the drag that this control is in: all its edits are one step of undo. None between drags.
pub fn gesture(ui: &Ui, response: &Response) -> Option<u64> {
    if !response.dragged() && !response.drag_stopped() {
        return None;
    }
    let own = response.id.with("gesture");
    if response.drag_started() || ui.data(|data| data.get_temp::<u64>(own)).is_none() {
        let next = next_gesture(ui);
        ui.data_mut(|data| data.insert_temp(own, next));
    }
    let number = ui.data(|data| data.get_temp(own));
    if response.drag_stopped() {
        ui.data_mut(|data| data.remove::<u64>(own));
    }
    number
}

/// A number that no gesture has had.
pub fn next_gesture(ui: &Ui) -> u64 {
    let counter = Id::unique("gestures");
    let next = ui.data(|data| data.get_temp::<u64>(counter)).unwrap_or(0) + 1;
    ui.data_mut(|data| data.insert_temp(counter, next));
    next
}

/// The same for keys: all the steps of a key that is held are one.
pub fn key_gesture(ui: &Ui, response: &Response, held: bool) -> u64 {
    let own = response.id.with("keys");
    let known = ui.data(|data| data.get_temp::<u64>(own)).filter(|_| held);
    let number = known.unwrap_or_else(|| next_gesture(ui));
    ui.data_mut(|data| data.insert_temp(own, number));
    number
}

/// The same for controls that only say that they changed: all that happens until the pointer is let go is one.
pub fn press_gesture(ui: &Ui, id: Id) -> Option<u64> {
    let pressed = ui.input(|input| (input.pointer.any_down(), input.pointer.any_pressed()));
    let (true, new) = pressed else { return None };
    let own = id.with("press");
    let known = ui.data(|data| data.get_temp::<u64>(own)).filter(|_| !new);
    let number = known.unwrap_or_else(|| next_gesture(ui));
    ui.data_mut(|data| data.insert_temp(own, number));
    Some(number)
}
