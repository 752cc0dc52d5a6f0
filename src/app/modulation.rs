//! Modulation: what a value is multiplied by, a curve over beats and the level of a trigger, and where it is now.
//!
//! Functions of the ui thread; they read the snapshot. While a value that is on the screen moves, the window is
//! painted thirty times a second; one that stands still asks for nothing. Deliberately absent: editing curves.

use super::value::{HEIGHTS, Motion, Value, bar_ui};
use super::{theme, widgets};
use crate::model::curve::Curve;
use crate::model::effect::Modulated;
use crate::model::project::Project;
use crate::show::snapshot::Snapshot;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, CursorIcon, Popup, PopupCloseBehavior, Pos2, Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};
use std::f32::consts::TAU;
use std::time::Duration;

/// Room of the button that opens the pickers, points.
const BUTTON: f32 = 32.0;
/// Width of the pickers, points.
const PICKER: f32 = 264.0;
/// Between two paints of a value that moves.
const FRAME: Duration = Duration::from_millis(33);
/// Points of a curve that is drawn small.
const PLOT: usize = 48;

/// The show at the beat of what is shown.
#[derive(Clone, Copy)]
pub struct Moves<'a> {
    /// Curves, triggers, levels.
    pub snapshot: &'a Snapshot,
    /// The beat of the scene or the effect.
    pub beat: f64,
}

impl Moves<'_> {
    fn project(&self) -> &Project {
        &self.snapshot.project
    }

    /// base x curve(beat) x level of the trigger.
    pub fn now(&self, number: Modulated) -> f64 {
        let curve = number.curve.and_then(|id| self.project().curves.get(id)).map_or(1.0, |curve| curve.at(self.beat));
        let trigger = number.trigger.and_then(|id| self.snapshot.trigger(id));
        f64::from(number.base) * curve * trigger.map_or(1.0, |trigger| f64::from(trigger.level.get()))
    }

    /// By what it is moved, in words.
    fn by(&self, number: Modulated) -> String {
        let curve = number.curve.and_then(|id| self.project().curves.get(id)).map(|curve| curve.name.as_str());
        let trigger =
            number.trigger.and_then(|id| self.project().triggers.get(id)).map(|trigger| trigger.name.as_str());
        curve.into_iter().chain(trigger).map(|name| format!("× {name}")).collect::<Vec<_>>().join(" ")
    }

    /// Whether it moves by itself; a trigger that nobody feeds stands.
    fn moves(&self, number: Modulated) -> bool {
        let fed = |id| self.snapshot.trigger(id).is_some_and(|trigger| trigger.input.is_some());
        number.curve.is_some() || number.trigger.is_some_and(fed)
    }
}

/// Shows a value that may move, returns what it was set to and the drag that this belongs to.
pub fn modulated_ui(
    ui: &mut Ui,
    value: &Value<'_>,
    at: Modulated,
    moves: Moves<'_>,
) -> Option<(Modulated, Option<u64>)> {
    let still = at.is_still();
    let size = vec2(ui.available_width(), HEIGHTS[usize::from(!still)]);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let (bar, button) = rect.split_left_right_at_x(rect.right() - BUTTON);
    let by = moves.by(at);
    let motion = (!still).then(|| Motion { now: moves.now(at), by: &by });
    if ui.is_rect_visible(rect) && moves.moves(at) {
        ui.ctx().request_repaint_after(FRAME);
    }
    let set = bar_ui(ui, bar, value, f64::from(at.base), motion);
    let set = set.map(|(base, gesture)| (Modulated { base: base as f32, ..at }, gesture));
    let picked = pick_ui(ui, button, value, at, moves);
    set.or(picked.map(|picked| (picked, None)))
}

/// The button that opens the pickers.
fn pick_ui(ui: &mut Ui, rect: Rect, value: &Value<'_>, at: Modulated, moves: Moves<'_>) -> Option<Modulated> {
    let id = ui.make_persistent_id((value.label, "moves"));
    let response = ui.interact(rect, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    let by = moves.by(at);
    response.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, !at.is_still(), format!("What moves {}", value.label))
    });
    if ui.is_rect_visible(rect) {
        let ink = match (at.is_still(), response.hovered()) {
            (false, _) => theme::CYAN,
            (true, true) => theme::TEXT,
            (true, false) => theme::TEXT_FAINT,
        };
        let room = Rect::from_center_size(rect.center(), vec2(16.0, 10.0));
        let wave = |share: f32| room.center().y - (share * TAU).sin() * room.height() / 2.0;
        let points = (0..=16).map(|step| step as f32 / 16.0).map(|s| pos2(room.left() + s * room.width(), wave(s)));
        ui.painter().add(Shape::line(points.collect(), Stroke::new(1.5, ink)));
        if !at.is_still() {
            // Said by a shape too: something rides on the wave.
            ui.painter().circle_filled(pos2(room.left() + room.width() / 4.0, wave(0.25)), 3.0, ink);
        }
        widgets::focus_ring(ui, &response);
    }
    let shown = Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .width(PICKER)
        .show(|ui| pickers_ui(ui, at, moves));
    let about = if by.is_empty() { "Move it by a curve or a trigger".to_owned() } else { by };
    response.on_hover_text(about);
    shown.and_then(|shown| shown.inner)
}

fn pickers_ui(ui: &mut Ui, at: Modulated, moves: Moves<'_>) -> Option<Modulated> {
    ui.set_width(PICKER);
    ui.spacing_mut().item_spacing.y = 2.0;
    let mut picked = None;
    let heading =
        |ui: &mut Ui, text| ui.label(RichText::new(text).font(theme::strong(theme::SMALL)).color(theme::TEXT));
    ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
        let beat = moves.beat;
        heading(ui, "Curve over beats");
        if line_ui(ui, "No curve", at.curve.is_none(), |_, _| {}) {
            picked = Some(Modulated { curve: None, ..at });
        }
        for curve in moves.project().curves.iter() {
            let label = format!("Curve {}", curve.name);
            if line_ui(ui, &label, at.curve == Some(curve.id), |ui, room| plot(ui, room, curve, beat)) {
                picked = Some(Modulated { curve: Some(curve.id), ..at });
            }
        }
        ui.add_space(theme::STEP);
        heading(ui, "Trigger of the sound");
        if line_ui(ui, "No trigger", at.trigger.is_none(), |_, _| {}) {
            picked = Some(Modulated { trigger: None, ..at });
        }
        for trigger in moves.project().triggers.iter() {
            let level = moves.snapshot.trigger(trigger.id).map_or(1.0, |view| view.level.get());
            let label = format!("Trigger {}", trigger.name);
            if line_ui(ui, &label, at.trigger == Some(trigger.id), |ui, room| meter(ui, room, level)) {
                picked = Some(Modulated { trigger: Some(trigger.id), ..at });
            }
        }
        if moves.project().triggers.is_empty() {
            super::fields::hint(ui, "This project has no triggers.");
        }
    });
    picked
}

/// Something to pick, with a picture of it on the right; whether it was clicked.
fn line_ui(ui: &mut Ui, label: &str, chosen: bool, picture: impl FnOnce(&Ui, Rect)) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0 * theme::STEP), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, label));
    if ui.is_rect_visible(rect) {
        let fill = match (chosen, response.hovered()) {
            (true, _) => theme::RAIL,
            (false, true) => theme::RAISED,
            (false, false) => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, theme::RADIUS, fill);
        let ink = if chosen { theme::TEXT } else { theme::TEXT_QUIET };
        let text = label.strip_prefix("Curve ").or(label.strip_prefix("Trigger ")).unwrap_or(label);
        let place = pos2(rect.left() + theme::STEP, rect.center().y);
        ui.painter().text(place, Align2::LEFT_CENTER, text, theme::small(), ink);
        let room = Rect::from_min_max(pos2(rect.right() - 96.0, rect.top()), rect.max);
        picture(ui, room.shrink2(vec2(theme::STEP, 6.0)));
        widgets::focus_ring(ui, &response);
    }
    response.clicked()
}

/// A curve, small, with the beat on it.
fn plot(ui: &Ui, room: Rect, curve: &Curve, beat: f64) {
    let at = |share: f32| {
        let height = curve.at(f64::from(share) * curve.length * 0.999_99) as f32;
        pos2(room.left() + share * room.width(), room.bottom() - height * room.height())
    };
    let points: Vec<Pos2> = (0..=PLOT).map(|step| at(step as f32 / PLOT as f32)).collect();
    ui.painter().add(Shape::line(points, Stroke::new(1.5, theme::TEXT_QUIET)));
    let now = (beat / curve.length.max(1e-6)).rem_euclid(1.0) as f32;
    ui.painter().circle_filled(at(now), 2.5, theme::CYAN);
    ui.ctx().request_repaint_after(FRAME);
}

/// A trigger's level.
fn meter(ui: &Ui, room: Rect, level: f32) {
    let rail = Rect::from_center_size(room.center(), vec2(room.width(), 4.0));
    widgets::draw_rail(ui, rail, crate::units::Level::new(level), theme::CYAN);
}
