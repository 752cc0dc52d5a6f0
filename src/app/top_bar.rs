//! The top bar: name and menu, tempo with its four lights, master and blackout.
//!
//! Runs on the ui thread; reads the snapshot and returns the wish. Taps count from the press, not from the release.

use super::action::Action;
use super::settings::Settings;
use super::widgets::{FaderArea, PadLook, draw_cap, draw_rail, fader, focus_ring, pad, pressed_now};
use super::{icons, menu, theme};
use crate::show::command::LiveCommand;
use crate::show::snapshot::Snapshot;
use crate::units::{Beats, Bpm};
use egui::accesskit::Role;
use egui::{
    Align, Align2, Color32, CornerRadius, DragValue, Id, Layout, Rect, Response, Sense, TextStyle, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

/// Height of the bar, points.
pub const HEIGHT: f32 = 64.0;
/// How long blackout must be held before it closes, seconds: a stray touch does nothing.
pub const GUARD_SECS: f64 = 0.3;
/// Narrower windows get one menu button and the short form of everything.
const COMPACT: f32 = 1200.0;
/// How long the lights of the beat run on in a silent show, seconds.
const LIGHTS_SECS: f64 = 5.0;
/// Beats that a nudge shifts.
pub const NUDGE: f64 = 1.0 / 16.0;

/// Shows the bar, returns what was asked for.
pub fn top_bar_ui(ui: &mut Ui, snapshot: &Snapshot, settings: &Settings) -> Option<Action> {
    let compact = ui.available_width() < COMPACT;
    let mut done = None;
    let mut want = |action: Option<Action>| done = done.take().or(action);
    ui.spacing_mut().item_spacing.x = theme::STEP;
    ui.horizontal_centered(|ui| {
        wordmark(ui, compact);
        want(menu::menu_ui(ui, snapshot, settings, compact));
        ui.add_space(theme::STEP);
        want(tempo_ui(ui, snapshot));
        lights_ui(ui, snapshot);
        ui.add_space(theme::HALF);
        want(tempo_pads(ui, compact));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let size = vec2(if compact { 104.0 } else { 136.0 }, theme::TOUCH);
            let calm = settings.preferences.reduced_motion;
            want(blackout_ui(ui, snapshot.blackout, size, calm).map(Action::from));
            ui.add_space(2.0 * theme::STEP);
            want(master_ui(ui, snapshot, theme::TOUCH).map(Action::from));
        });
    });
    done
}

/// The name with its mark: three lamps, the first of them lit.
fn wordmark(ui: &mut Ui, compact: bool) {
    let width = if compact { 28.0 } else { 116.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TOUCH), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Glowdeck"));
    let painter = ui.painter();
    let middle = rect.center().y;
    for (lamp, colour) in
        [theme::AMBER, theme::mixed(theme::BAR, theme::AMBER, 0.55), theme::RAIL].into_iter().enumerate()
    {
        let centre = pos2(rect.left() + 4.0 + lamp as f32 * 8.0, middle + 4.0 - lamp as f32 * 4.0);
        painter.circle_filled(centre, 3.5, colour);
    }
    if !compact {
        let place = pos2(rect.left() + 34.0, middle);
        painter.text(place, Align2::LEFT_CENTER, "Glowdeck", theme::strong(theme::BODY), theme::TEXT);
    }
}

/// The tempo as a large number: drag it, or click it and type.
fn tempo_ui(ui: &mut Ui, snapshot: &Snapshot) -> Option<Action> {
    let mut bpm = snapshot.clock.bpm.get();
    let response = ui
        .scope(|ui| {
            ui.style_mut().drag_value_text_style = TextStyle::Heading;
            ui.style_mut().text_styles.insert(TextStyle::Button, theme::strong(theme::DISPLAY));
            ui.spacing_mut().button_padding = vec2(theme::HALF, 0.0);
            ui.spacing_mut().interact_size = vec2(88.0, theme::TOUCH);
            let widgets = &mut ui.visuals_mut().widgets;
            for look in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                look.fg_stroke.color = theme::TEXT;
            }
            let value = DragValue::new(&mut bpm).range(Bpm::MIN..=Bpm::MAX).speed(0.1).fixed_decimals(1);
            ui.add(value.update_while_editing(false)).accessible_name("Tempo")
        })
        .inner;
    let (rect, _) = ui.allocate_exact_size(vec2(28.0, theme::TOUCH), Sense::hover());
    let place = pos2(rect.left() - theme::HALF, rect.center().y + 5.0);
    ui.painter().text(place, Align2::LEFT_CENTER, "BPM", theme::small(), theme::TEXT_FAINT);
    response.changed().then(|| LiveCommand::Bpm(Bpm::new(bpm)).into())
}

/// Whether the lights of the beat rest: nothing sounds, and neither hand nor tempo has moved for a while. Until then the
/// next beat is painted, though nothing else moves.
fn lights_rest(ui: &Ui, snapshot: &Snapshot) -> bool {
    if snapshot.sounds() {
        return false;
    }
    let id = Id::unique("lights of the beat");
    let (now, touched) = ui.input(|input| (input.time, !input.events.is_empty()));
    let bpm = snapshot.clock.bpm.get();
    let (moved, before) = ui.data(|data| data.get_temp::<(f64, f64)>(id)).unwrap_or((now, bpm));
    let moved = if touched || bpm != before { now } else { moved };
    ui.data_mut(|data| data.insert_temp(id, (moved, bpm)));
    let rests = now - moved >= LIGHTS_SECS;
    if !rests {
        let secs = (1.0 - snapshot.clock.beat.0.rem_euclid(1.0)) / snapshot.clock.bpm.beats_per_sec();
        ui.ctx().request_repaint_after_secs(secs.max(0.01) as f32);
    }
    rests
}

/// Four lights, the downbeat the widest.
pub fn lights_ui(ui: &mut Ui, snapshot: &Snapshot) {
    let beat = snapshot.beat_of_bar();
    let rests = lights_rest(ui, snapshot);
    let widths = [32.0, 20.0, 20.0, 20.0];
    let total: f32 = widths.iter().sum::<f32>() + 3.0 * 6.0;
    let (rect, response) = ui.allocate_exact_size(vec2(total, theme::TOUCH), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Meter, true, "Beat"));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_numeric_value(beat as f64 + 1.0));
    let mut left = rect.left();
    for (light, width) in widths.into_iter().enumerate() {
        let lamp = Rect::from_min_size(pos2(left, rect.center().y - 7.0), vec2(width, 14.0));
        if light == beat && !rests {
            ui.painter().rect_filled(lamp.expand(3.0), CornerRadius::same(7), theme::CYAN.gamma_multiply(0.16));
            ui.painter().rect_filled(lamp, CornerRadius::same(4), theme::CYAN);
        } else {
            ui.painter().rect_filled(lamp, CornerRadius::same(4), theme::mixed(theme::BAR, theme::CYAN, 0.16));
        }
        left += width + 6.0;
    }
}

fn tempo_pads(ui: &mut Ui, compact: bool) -> Option<Action> {
    let mut done = None;
    let wide = if compact { 56.0 } else { 76.0 };
    let tap = PadLook { colour: theme::TEXT, ..PadLook::quiet("Tap the tempo", "TAP") };
    let response = pad(ui, vec2(wide, theme::TOUCH), &tap).on_hover_text("Tap the tempo (T)");
    if pressed_now(ui, &response) || clicked_without_pointer(ui, &response) {
        done = Some(Action::Tap);
    }
    ui.spacing_mut().item_spacing.x = 2.0;
    let small = vec2(if compact { 32.0 } else { 40.0 }, theme::TOUCH);
    for (label, text, command) in [
        ("Half tempo", "½", LiveCommand::Half),
        ("Double tempo", "×2", LiveCommand::Double),
        ("Nudge later", icons::LEFT, LiveCommand::Nudge(Beats(-NUDGE))),
        ("Nudge earlier", icons::RIGHT, LiveCommand::Nudge(Beats(NUDGE))),
    ] {
        if pad(ui, small, &PadLook::quiet(label, text)).on_hover_text(label).clicked() {
            done = Some(command.into());
        }
    }
    done
}

/// The master fader, of this height.
pub fn master_ui(ui: &mut Ui, snapshot: &Snapshot, height: f32) -> Option<LiveCommand> {
    let width = (ui.available_width() - theme::STEP).clamp(96.0, 280.0);
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let rail = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 14.0), pos2(rect.right(), rect.bottom() - 8.0));
    let area = FaderArea { label: "Master", touch: rect, travel: rail.width() };
    let (response, shown, moved) = fader(ui, ui.scope_id().with("master"), &area, snapshot.master);
    let painter = ui.painter();
    let line = rect.top() + 11.0;
    let percent = format!("{:.0} %", shown.get() * 100.0);
    painter.text(pos2(rect.left(), line), Align2::LEFT_CENTER, "MASTER", theme::small(), theme::TEXT_FAINT);
    painter.text(pos2(rect.right(), line), Align2::RIGHT_CENTER, percent, theme::strong(theme::BODY), theme::TEXT);
    draw_rail(ui, rail, shown, theme::AMBER);
    draw_cap(ui, rail, shown, theme::TEXT);
    focus_ring(ui, &response);
    moved.map(LiveCommand::Master)
}

/// A press on blackout that has not ended.
#[derive(Clone, Copy, Debug)]
struct Guard {
    since: f64,
    fired: bool,
}

/// Closes when it was held long enough, opens at a click. While it is closed it blinks, unless that is too much motion.
pub fn blackout_ui(ui: &mut Ui, blackout: bool, size: Vec2, calm: bool) -> Option<LiveCommand> {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let response = response.on_hover_text(if blackout { "Open again (B)" } else { "Hold to close (B)" });
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, blackout, "Blackout"));
    let now = ui.input(|input| input.time);
    let mut guard: Option<Guard> = ui.data(|data| data.get_temp(response.id)).flatten();
    let mut done = None;
    if pressed_now(ui, &response) {
        guard = Some(Guard { since: now, fired: false });
    }
    if let Some(held) = guard.as_mut().filter(|held| !held.fired && !blackout && response.is_pointer_button_down_on()) {
        if now - held.since >= GUARD_SECS {
            held.fired = true;
            done = Some(LiveCommand::Blackout(true));
        }
        ui.ctx().request_repaint();
    }
    let by_pointer = response.clicked() && guard.is_some_and(|held| !held.fired) && blackout;
    if by_pointer || clicked_without_pointer(ui, &response) {
        done = Some(LiveCommand::Blackout(!blackout));
    }
    let share =
        guard.filter(|held| !held.fired && !blackout).map_or(0.0, |held| ((now - held.since) / GUARD_SECS) as f32);
    if !response.is_pointer_button_down_on() {
        guard = None;
    }
    let lit = !blackout || calm || blinks_on(ui, now);
    draw_blackout(ui, rect, &response, (blackout, lit), share.clamp(0.0, 1.0));
    ui.data_mut(|data| data.insert_temp::<Option<Guard>>(response.id, guard));
    done
}

/// Twice a second on and off; wakes the window for the next change.
fn blinks_on(ui: &Ui, now: f64) -> bool {
    let phase = (now * 2.0).fract();
    let left = if phase < 0.5 { 0.5 - phase } else { 1.0 - phase };
    ui.ctx().request_repaint_after_secs((left / 2.0) as f32);
    phase < 0.5
}

fn draw_blackout(ui: &Ui, rect: Rect, response: &Response, (blackout, lit): (bool, bool), share: f32) {
    let painter = ui.painter();
    let hovered = response.hovered() || response.is_pointer_button_down_on();
    let ground = match (blackout, hovered) {
        (true, _) if lit => theme::RED,
        (true, _) => theme::mixed(theme::RED_GROUND, theme::RED, 0.35),
        (false, true) => theme::mixed(theme::RED_GROUND, theme::RED, 0.15),
        (false, false) => theme::RED_GROUND,
    };
    painter.rect_filled(rect, theme::RADIUS, ground);
    if share > 0.0 {
        let closed = Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
        painter.rect_filled(closed, theme::RADIUS, theme::RED);
    }
    let ink = if blackout || share > 0.5 { Color32::BLACK } else { theme::mixed(theme::RED, Color32::WHITE, 0.35) };
    painter.text(rect.center(), Align2::CENTER_CENTER, "BLACKOUT", theme::strong(theme::BODY), ink);
    focus_ring(ui, response);
}

/// Whether a click came from the keyboard or a screen reader, which have no press to hold.
fn clicked_without_pointer(ui: &Ui, response: &Response) -> bool {
    response.clicked() && !ui.input(|input| input.pointer.any_released())
}
