//! The effects of a scene in the order they are mixed: chosen, added, moved, muted, doubled, deleted.
//!
//! Runs on the ui thread. A drag shows where the effect would go; keys do the same: arrows choose, Alt with arrows
//! moves, Ctrl M mutes, Ctrl D doubles, Delete deletes. Deliberately absent: an effect's values.

use super::super::action::Action;
use super::super::gallery::{draw_picture, gallery_ui};
use super::super::logic::Focus;
use super::super::pictures::Pictures;
use super::super::scenes::{after, borrow, new_effect, twin_effect};
use super::super::unit::Unit;
use super::super::{fields, icons, theme, widgets};
use super::effect::BLENDS;
use super::{Subject, View};
use crate::model::edit::{Edit, EffectField, SceneField};
use crate::model::effect::Effect;
use crate::model::id::EffectId;
use crate::show::command::Command;
use egui::accesskit::Role;
use egui::{
    Align2, Button, CornerRadius, CursorIcon, EventFilter, Id, Key, Modifiers, Popup, PopupCloseBehavior, Rect,
    Response, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

/// Height of an effect in the list, and the way to the next one, points.
const ROW: f32 = 44.0;
const PITCH: f32 = ROW + 2.0;
/// Width of its picture, points.
const PICTURE: f32 = 64.0;
/// A list narrower than this has pictures half as wide, points.
const NARROW: f32 = 232.0;

/// What was done to the list.
enum Deed {
    Choose(EffectId),
    Mute(EffectId, bool),
    /// To a place among the others, from 0.
    Move(EffectId, usize),
    Twin(EffectId),
    Delete(EffectId),
}

pub(super) fn effects_ui(
    ui: &mut Ui,
    subject: &Subject<'_>,
    chosen: Option<EffectId>,
    pictures: &mut Pictures,
    view: &mut View,
    wishes: &mut Vec<Action>,
) {
    let scene = subject.scene;
    add_ui(ui, subject, pictures, view, wishes);
    if scene.effects.is_empty() {
        fields::hint(ui, "A scene without effects gives no light. Add one.");
    }
    let size = vec2(ui.available_width(), PITCH * scene.effects.len() as f32);
    let (list, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut deed = None;
    for (place, effect) in scene.effects.iter().enumerate() {
        let top = list.top() + PITCH * place as f32;
        let rect = Rect::from_min_size(pos2(list.left(), top), vec2(list.width(), ROW));
        let title = view.headers.title(&subject.snapshot.project, &effect.shader);
        let row = Row { effect, title: &title, place, chosen: chosen == Some(effect.id), list };
        deed = row_ui(ui, rect, &row, scene.effects.len(), pictures).or(deed);
    }
    if let Some(deed) = deed {
        wishes.extend(perform(ui, subject, deed));
    }
}

/// The heading, and the button that opens the gallery.
fn add_ui(ui: &mut Ui, subject: &Subject<'_>, pictures: &mut Pictures, view: &mut View, wishes: &mut Vec<Action>) {
    ui.add_space(theme::HALF);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0 * theme::STEP), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(1.0, theme::SURFACE));
    let font = theme::strong(theme::SMALL);
    let place = pos2(rect.left(), rect.center().y);
    ui.painter().text(place, Align2::LEFT_CENTER, "Effects", font, theme::TEXT_QUIET);
    let button = Rect::from_min_max(pos2(rect.right() - 104.0, rect.top() + 2.0), rect.max);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(button));
    let look = widgets::PadLook { font: theme::small(), ..widgets::PadLook::quiet("Add an effect", "Add effect…") };
    let response = widgets::pad(&mut child, button.size(), &look);
    let popup = Popup::from_toggle_button_response(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let project = &subject.snapshot.project;
    let shown = popup.show(|ui| {
        let taken = gallery_ui(ui, project, &mut view.headers, pictures, &mut view.search);
        if taken.is_some() {
            ui.close();
        }
        taken
    });
    if shown.is_none() {
        view.search = Default::default();
    }
    if let Some(shader) = shown.and_then(|shown| shown.inner) {
        let (shader, before) = borrow(project, shader);
        let effect = new_effect(project, shader);
        let focus = Focus { scene: Some(subject.scene.id), effect: Some(effect.id) };
        let mut effects = subject.scene.effects.clone();
        effects.push(effect);
        let edit = after(before, Edit::Scene(subject.scene.id, SceneField::Effects(effects)));
        wishes.push(Command::Edit { edit, gesture: None }.into());
        wishes.push(Action::Focus(focus));
    }
}

/// An effect in the list.
struct Row<'a> {
    effect: &'a Effect,
    title: &'a str,
    place: usize,
    chosen: bool,
    /// The whole list.
    list: Rect,
}

fn id_of(ui: &Ui, effect: EffectId) -> Id {
    ui.make_persistent_id(("effect", effect))
}

fn row_ui(ui: &mut Ui, rect: Rect, row: &Row<'_>, count: usize, pictures: &mut Pictures) -> Option<Deed> {
    let effect = row.effect;
    let response = ui.interact(rect, id_of(ui, effect.id), Sense::click_and_drag());
    let blend = BLENDS.iter().find(|(blend, _)| *blend == effect.blend).map_or("", |(_, name)| name);
    let opacity = Unit::Share.write(f64::from(effect.opacity.base));
    let below = if effect.muted { "Muted".to_owned() } else { format!("{blend}, {opacity}") };
    response.widget_info(|| {
        let label = format!("Effect {}: {}, {below}", row.place + 1, row.title);
        WidgetInfo::selected(Role::ListItem, true, row.chosen, label)
    });
    draw_row(ui, rect, row, &below, &response, pictures);
    let mute = Rect::from_min_size(pos2(rect.right() - 64.0, rect.top() + 6.0), vec2(32.0, 32.0));
    let muted = mute_ui(ui, mute, row);
    let menu = Rect::from_min_size(pos2(rect.right() - 32.0, rect.top() + 6.0), vec2(32.0, 32.0));
    let picked = menu_ui(ui, menu, row, count);
    widgets::focus_ring(ui, &response);
    let clicked = response.clicked().then_some(Deed::Choose(effect.id));
    muted.or(picked).or_else(|| drag(ui, row, &response, count)).or_else(|| keys(ui, row, &response, count)).or(clicked)
}

fn draw_row(ui: &Ui, rect: Rect, row: &Row<'_>, below: &str, response: &Response, pictures: &mut Pictures) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter();
    let fill = match (row.chosen, response.hovered() || response.dragged()) {
        (true, _) => theme::SURFACE,
        (false, true) => theme::BAR,
        (false, false) => theme::GROUND,
    };
    painter.rect_filled(rect, theme::RADIUS, fill);
    if row.chosen {
        let mark = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        painter.rect_filled(mark, CornerRadius::same(2), theme::TEXT);
    }
    let picture = Rect::from_min_size(
        rect.min + vec2(theme::STEP, 4.0),
        vec2(if rect.width() < NARROW { PICTURE / 2.0 } else { PICTURE }, ROW - 8.0),
    );
    draw_picture(ui, picture, &row.effect.shader, pictures, if row.effect.muted { 0.25 } else { 0.9 });
    let left = picture.right() + theme::STEP;
    let right = rect.right() - 64.0;
    let ink = if row.effect.muted { theme::TEXT_FAINT } else { theme::TEXT };
    widgets::elided(painter, pos2(left, rect.top() + 15.0), right, (row.title, theme::strong(theme::SMALL), ink));
    widgets::elided(painter, pos2(left, rect.top() + 31.0), right, (below, theme::small(), theme::TEXT_QUIET));
}

fn mute_ui(ui: &Ui, rect: Rect, row: &Row<'_>) -> Option<Deed> {
    let id = id_of(ui, row.effect.id).with("mute");
    let response = ui.interact(rect, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    let muted = row.effect.muted;
    response
        .widget_info(|| WidgetInfo::selected(Role::CheckBox, true, muted, format!("Mute effect {}", row.place + 1)));
    let (fill, ink) = match (muted, response.hovered()) {
        (true, _) => (Some(theme::RAIL), theme::TEXT),
        (false, true) => (Some(theme::RAISED), theme::TEXT),
        (false, false) => (None, theme::TEXT_FAINT),
    };
    let pad = rect.shrink(3.0);
    if let Some(fill) = fill {
        ui.painter().rect_filled(pad, theme::RADIUS, fill);
    }
    let icon = if muted { icons::UNSEEN } else { icons::SEEN };
    ui.painter().text(pad.center(), Align2::CENTER_CENTER, icon, theme::body(), ink);
    widgets::focus_ring(ui, &response);
    let clicked = response.clicked();
    response.on_hover_text(if muted { "Let it sound again" } else { "Mute it: it stays, but gives no light" });
    clicked.then_some(Deed::Mute(row.effect.id, !muted))
}

fn menu_ui(ui: &Ui, rect: Rect, row: &Row<'_>, count: usize) -> Option<Deed> {
    let (id, place) = (row.effect.id, row.place);
    let response = ui.interact(rect, id_of(ui, id).with("menu"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("More about effect {}", place + 1)));
    let ink = if response.hovered() { theme::TEXT } else { theme::TEXT_FAINT };
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, icons::MORE, theme::body(), ink);
    widgets::focus_ring(ui, &response);
    let shown = Popup::menu(&response).show(|ui| {
        ui.set_min_width(200.0);
        let items = [
            ("Duplicate", "Ctrl+D", true, Deed::Twin(id)),
            ("Move up", "Alt+Up", place > 0, Deed::Move(id, place.saturating_sub(1))),
            ("Move down", "Alt+Down", place + 1 < count, Deed::Move(id, place + 1)),
            ("Delete", "Del", true, Deed::Delete(id)),
        ];
        let mut done = None;
        for (text, keys, enabled, deed) in items {
            let keys = RichText::new(keys).font(theme::small()).color(theme::TEXT_FAINT);
            let item = ui.add_enabled(enabled, Button::new(text).shortcut_text(keys));
            if item.accessible_name(format!("{text} effect {}", place + 1)).clicked() {
                done = Some(deed);
            }
        }
        done
    });
    shown.and_then(|shown| shown.inner)
}

/// A row that is dragged shows the gap it would go to.
fn drag(ui: &Ui, row: &Row<'_>, response: &Response, count: usize) -> Option<Deed> {
    if !response.dragged() && !response.drag_stopped() {
        return None;
    }
    let pointer = ui.input(|input| input.pointer.interact_pos())?;
    let gap = ((pointer.y - row.list.top()) / PITCH).round().clamp(0.0, count as f32) as usize;
    if response.dragged() {
        let y = row.list.top() + PITCH * gap as f32 - 1.0;
        ui.painter().hline(row.list.x_range(), y, Stroke::new(2.0, theme::TEXT));
        ui.painter().rect_stroke(response.rect, theme::RADIUS, Stroke::new(1.0, theme::RAIL), StrokeKind::Inside);
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        return None;
    }
    // Taken out, what comes after it moves up.
    let place = if gap > row.place { gap - 1 } else { gap };
    (place != row.place).then_some(Deed::Move(row.effect.id, place))
}

fn keys(ui: &Ui, row: &Row<'_>, response: &Response, count: usize) -> Option<Deed> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let (id, place) = (row.effect.id, row.place);
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    if pressed(Modifiers::ALT, Key::ArrowUp) {
        return (place > 0).then(|| Deed::Move(id, place - 1));
    }
    if pressed(Modifiers::ALT, Key::ArrowDown) {
        return (place + 1 < count).then_some(Deed::Move(id, place + 1));
    }
    if pressed(Modifiers::COMMAND, Key::D) {
        return Some(Deed::Twin(id));
    }
    if pressed(Modifiers::NONE, Key::Delete) {
        return Some(Deed::Delete(id));
    }
    if pressed(Modifiers::COMMAND, Key::M) {
        return Some(Deed::Mute(id, !row.effect.muted));
    }
    let direction = match (pressed(Modifiers::NONE, Key::ArrowUp), pressed(Modifiers::NONE, Key::ArrowDown)) {
        (true, false) => egui::FocusDirection::Up,
        (false, true) => egui::FocusDirection::Down,
        _ => return None,
    };
    ui.memory_mut(|memory| memory.move_focus(direction));
    None
}

/// A deed as wishes.
fn perform(ui: &Ui, subject: &Subject<'_>, deed: Deed) -> Vec<Action> {
    let scene = subject.scene;
    let focus = |effect| Action::Focus(Focus { scene: Some(scene.id), effect: Some(effect) });
    let mut effects = scene.effects.clone();
    let place_of = |id| scene.effects.iter().position(|effect| effect.id == id);
    let changed = match deed {
        Deed::Choose(id) => return vec![focus(id)],
        Deed::Mute(id, muted) => return vec![subject.effect_edit(id, EffectField::Muted(muted), None)],
        Deed::Move(id, to) => {
            let Some(place) = place_of(id) else { return Vec::new() };
            let effect = effects.remove(place);
            effects.insert(to.min(effects.len()), effect);
            id
        }
        Deed::Twin(id) => {
            let Some(place) = place_of(id) else { return Vec::new() };
            let twin = twin_effect(&subject.snapshot.project, &effects[place]);
            let id = twin.id;
            effects.insert(place + 1, twin);
            id
        }
        Deed::Delete(id) => {
            effects.retain(|effect| effect.id != id);
            let Some(next) = place_of(id).and_then(|place| effects.get(place).or(effects.last())) else {
                return vec![subject.scene_edit(SceneField::Effects(effects), None)];
            };
            ui.memory_mut(|memory| memory.request_focus(id_of(ui, next.id)));
            next.id
        }
    };
    vec![subject.scene_edit(SceneField::Effects(effects), None), focus(changed)]
}
