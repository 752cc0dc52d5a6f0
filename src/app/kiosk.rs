//! The kiosk: the show on a touch screen without a keyboard. Tiles, stage, tempo, master and blackout, nothing that
//! edits the project; a number pad for the tempo, and a lock.
//!
//! Runs on the ui thread; reads the snapshot and returns wishes. Deliberately absent: panels that are docked, file
//! dialogs, and menus that a finger would miss.

use super::action::Action;
use super::grid::{self, TileSize, grid_ui};
use super::settings::Settings;
use super::stage::{Means, stage_ui};
use super::widgets::{PadLook, pad};
use super::{desk::Views, icons, logic::Focus, notices, theme, top_bar};
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use crate::units::{Beats, Bpm};
use egui::accesskit::Role;
use egui::{
    Align, Align2, Area, CornerRadius, Frame, Id, Layout, Margin, Order, Panel, Rect, Sense, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

/// What a finger hits is at least so large, points.
pub const FINGER: f32 = 48.0;
/// Height of the bar, points.
const BAR: f32 = 80.0;
/// How long the lock is held until it opens, seconds.
pub const UNLOCK_SECS: f64 = 1.0;
/// Screens narrower than this have no stage, points.
const WITH_STAGE: f32 = 900.0;
/// Where less is left than this, beside the tempo, nudging has no buttons, points.
const WITH_NUDGES: f32 = 460.0;
/// Share of the width that the tiles take beside the stage.
const TILES: f32 = 0.62;

/// What the kiosk keeps.
#[derive(Debug, Default)]
pub struct Kiosk {
    /// Whether touches are taken for nothing.
    locked: bool,
    /// Since when the lock is held, in seconds of egui.
    held: Option<f64>,
    /// What was typed on the number pad, while it is open.
    typed: Option<String>,
}

/// Shows the kiosk.
pub fn kiosk_ui(
    ui: &mut Ui,
    snapshot: &Snapshot,
    settings: &Settings,
    views: &mut Views,
    kiosk: &mut Kiosk,
) -> Vec<Action> {
    let mut wishes = Vec::new();
    let bar = Panel::top("kiosk").exact_size(BAR).show_separator_line(false).resizable(false);
    let frame = Frame::new().fill(theme::BAR).inner_margin(Margin::symmetric(16, 0));
    wishes.extend(bar.frame(frame).show(ui, |ui| bar_ui(ui, snapshot, settings, kiosk)).inner);
    egui::CentralPanel::no_frame().show(ui, |ui| {
        let room = ui.max_rect();
        let wide = has_stage(room.width());
        let (tiles, stage) = room.split_left_right_at_fraction(if wide { TILES } else { 1.0 });
        let mut child = ui.new_child(UiBuilder::new().id_salt("grid").max_rect(tiles.shrink(theme::HALF)));
        let Views { pictures, inspector, grid, .. } = &mut *views;
        let headers = &mut inspector.headers;
        let (size, focus) = (TileSize::default(), Focus::default());
        let means = grid::Means { snapshot, size, focus, pictures, headers, keys: &settings.keys, playing_only: true };
        wishes.extend(grid_ui(&mut child, means, grid).into_iter().filter(is_played));
        if wide {
            let mut child = ui.new_child(UiBuilder::new().id_salt("stage").max_rect(stage));
            child.set_clip_rect(stage);
            let means = Means { first: settings.preferences.first_universe(), arranges: false };
            stage_ui(&mut child, snapshot, &mut views.stage, means);
        }
    });
    if kiosk.typed.is_some() {
        wishes.extend(number_pad_ui(ui, kiosk));
    }
    if kiosk.locked {
        lock_ui(ui, kiosk);
    }
    wishes
}

/// Whether the screen shows the stage.
pub fn has_stage(width: f32) -> bool {
    width >= WITH_STAGE
}

/// Nothing that is done here changes the project.
pub fn is_played(action: &Action) -> bool {
    matches!(action, Action::Tap | Action::Fullscreen | Action::Send(Command::Live(_)))
}

fn bar_ui(ui: &mut Ui, snapshot: &Snapshot, settings: &Settings, kiosk: &mut Kiosk) -> Vec<Action> {
    let mut wishes = Vec::new();
    ui.spacing_mut().item_spacing.x = theme::STEP;
    ui.horizontal_centered(|ui| {
        let size = vec2(120.0, 56.0);
        let bpm = format!("{:.1}", snapshot.clock.bpm.get());
        let look =
            PadLook { font: theme::strong(theme::DISPLAY), colour: theme::TEXT, ..PadLook::quiet("Tempo", &bpm) };
        if pad(ui, size, &look).clicked() {
            kiosk.typed = Some(String::new());
        }
        if ui.available_width() > 760.0 {
            top_bar::lights_ui(ui, snapshot, false);
        }
        let tap = PadLook { colour: theme::TEXT, ..PadLook::quiet("Tap the tempo", "TAP") };
        let tapped = pad(ui, vec2(72.0, 56.0), &tap);
        if super::widgets::pressed_now(ui, &tapped) {
            wishes.push(Action::Tap);
        }
        ui.spacing_mut().item_spacing.x = theme::HALF;
        // A very small screen keeps what a show cannot do without.
        let nudges = ui.available_width() > WITH_NUDGES;
        for (label, text, command) in [
            ("Nudge later", icons::LEFT, LiveCommand::Nudge(Beats(-top_bar::NUDGE))),
            ("Nudge earlier", icons::RIGHT, LiveCommand::Nudge(Beats(top_bar::NUDGE))),
        ]
        .into_iter()
        .filter(|_| nudges)
        {
            if pad(ui, vec2(FINGER, 56.0), &PadLook::quiet(label, text)).clicked() {
                wishes.push(command.into());
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::STEP;
            let calm = settings.preferences.reduced_motion;
            wishes.extend(
                top_bar::blackout_ui(ui, snapshot.blackout, vec2(136.0, 56.0), (calm, &settings.keys))
                    .map(Action::from),
            );
            if pad(ui, vec2(72.0, 56.0), &PadLook::quiet("Lock the screen", "Lock")).clicked() {
                kiosk.locked = true;
            }
            ui.add_space(theme::STEP);
            wishes.extend(top_bar::master_ui(ui, snapshot, 56.0).map(Action::from));
        });
    });
    wishes
}

/// Digits as large as fingers; a tempo that is none is not taken.
fn number_pad_ui(ui: &Ui, kiosk: &mut Kiosk) -> Option<Action> {
    let typed = kiosk.typed.clone().unwrap_or_default();
    let (mut next, mut done) = (Some(typed.clone()), None);
    let corner = ui.ctx().content_rect().left_top() + vec2(16.0, BAR + theme::STEP);
    Area::new(Id::unique("pad")).order(Order::Foreground).fixed_pos(corner).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).inner_margin(2.0 * theme::STEP).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(theme::STEP, theme::STEP);
            let (rect, response) = ui.allocate_exact_size(vec2(208.0, FINGER), Sense::hover());
            let shown = if typed.is_empty() { "Beats a minute" } else { &typed };
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, shown));
            let (font, ink) = match typed.is_empty() {
                true => (theme::body(), theme::TEXT_FAINT),
                false => (theme::strong(theme::DISPLAY), theme::TEXT),
            };
            ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, shown, font, ink);
            for row in [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], [".", "0", "⌫"]] {
                ui.horizontal(|ui| {
                    for key in row {
                        let label = if key == "⌫" { "Delete a digit" } else { key };
                        let text = if key == "⌫" { icons::RUB_OUT } else { key };
                        let look = PadLook { colour: theme::TEXT, ..PadLook::quiet(label, text) };
                        if pad(ui, vec2(64.0, 56.0), &look).clicked() {
                            next = Some(after(&typed, key));
                        }
                    }
                });
            }
            ui.horizontal(|ui| {
                if pad(ui, vec2(100.0, 56.0), &PadLook::quiet("Close the number pad", "Cancel")).clicked() {
                    next = None;
                }
                let tempo = typed.parse().ok().filter(|bpm| (Bpm::MIN..=Bpm::MAX).contains(bpm));
                let colour = if tempo.is_some() { theme::TEXT } else { theme::TEXT_FAINT };
                let look = PadLook { colour, ..PadLook::quiet("Set the tempo", "Set") };
                if let Some(bpm) = tempo.filter(|_| pad(ui, vec2(100.0, 56.0), &look).clicked()) {
                    (next, done) = (None, Some(LiveCommand::Bpm(Bpm::new(bpm)).into()));
                } else if tempo.is_none() {
                    pad(ui, vec2(100.0, 56.0), &look);
                }
            });
        });
    });
    kiosk.typed = next;
    done
}

/// What stands on the pad after a key.
fn after(typed: &str, key: &str) -> String {
    let mut next = typed.to_owned();
    match key {
        "⌫" => drop(next.pop()),
        "." if next.contains('.') => {}
        _ if next.len() < 6 => next.push_str(key),
        _ => {}
    }
    next
}

/// Lies over everything and takes every touch; a long one in the middle opens it.
fn lock_ui(ui: &Ui, kiosk: &mut Kiosk) {
    let screen = ui.ctx().content_rect();
    let now = ui.input(|input| input.time);
    let area = Area::new(Id::unique("lock")).order(Order::Foreground).fixed_pos(screen.min);
    area.show(ui.ctx(), |ui| {
        let (whole, _) = ui.allocate_exact_size(screen.size(), Sense::click_and_drag());
        ui.painter().rect_filled(whole, CornerRadius::ZERO, theme::GROUND.gamma_multiply(0.55));
        let button = Rect::from_center_size(screen.center_bottom() - vec2(0.0, 88.0), vec2(280.0, 72.0));
        let response = ui.interact(button, Id::unique("unlock"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Hold to unlock"));
        kiosk.held = match (response.is_pointer_button_down_on(), kiosk.held) {
            (true, since) => Some(since.unwrap_or(now)),
            (false, _) => None,
        };
        let share = kiosk.held.map_or(0.0, |since| ((now - since) / UNLOCK_SECS).clamp(0.0, 1.0) as f32);
        ui.painter().rect_filled(button, theme::RADIUS, theme::SURFACE);
        let filled = Rect::from_min_max(button.min, pos2(button.left() + button.width() * share, button.bottom()));
        ui.painter().rect_filled(filled, theme::RADIUS, theme::RAIL);
        let text = "Locked. Hold to unlock";
        ui.painter().text(button.center(), Align2::CENTER_CENTER, text, theme::strong(theme::BODY), theme::TEXT);
        if share >= 1.0 {
            (kiosk.locked, kiosk.held) = (false, None);
        }
        if kiosk.held.is_some() {
            ui.ctx().request_repaint();
        }
    });
}

/// Notices lie above the lower edge, as there is no status bar.
pub fn notices_ui(ui: &Ui, toasts: &notices::Toasts) -> Option<Action> {
    notices::notices_ui(ui, toasts, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_a_number_of_six_signs_at_most() {
        let typed = |keys: &[&str]| keys.iter().fold(String::new(), |typed, key| after(&typed, key));
        assert_eq!(typed(&["1", "2", "8"]), "128");
        assert_eq!(typed(&["1", ".", ".", "5"]), "1.5");
        assert_eq!(typed(&["1", "2", "⌫"]), "1");
        assert_eq!(typed(&["⌫"]), "");
        assert_eq!(typed(&["9"; 9]).len(), 6);
    }
}
