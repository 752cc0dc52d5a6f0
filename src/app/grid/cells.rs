//! Cells by keyboard, and empty ones by pointer too: a click adds a scene.
//!
//! Runs on the ui thread. Arrows walk over the cells, Enter and Space toggle, F flashes while it is held, Delete
//! deletes, Ctrl C, V and D copy, paste and double. Deliberately absent: presses on tiles.

use super::super::action::Action;
use super::super::gallery::{Search, gallery_ui};
use super::super::logic::Focus;
use super::super::scenes::{after, borrow, free_cell, new_scene, twin_scene};
use super::super::shortcuts::deeds::Deed;
use super::super::shortcuts::shortcut::Shortcut;
use super::super::tile::tile_id;
use super::super::{theme, widgets};
use super::{Means, View};
use crate::model::edit::{Edit, Entry};
use crate::model::project::Project;
use crate::model::references::Key as Thing;
use crate::model::scene::{Cell, Scene};
use crate::show::command::{Command, LiveCommand};
use egui::accesskit::Role;
use egui::{
    CursorIcon, Event, EventFilter, Id, Key, Popup, PopupCloseBehavior, Rect, Response, Sense, Stroke, Ui, WidgetInfo,
};
use std::sync::Arc;

/// Puts a scene into the project and works at it.
pub(super) fn put(scene: Scene) -> [Action; 2] {
    put_after(None, scene)
}

fn put_after(before: Option<Edit>, scene: Scene) -> [Action; 2] {
    let focus = Action::Focus(Focus { scene: Some(scene.id), effect: None });
    let edit = after(before, Edit::Put(Entry::Scene(scene.into())));
    [Command::Edit { edit, gesture: None }.into(), focus]
}

/// The same scene once more in the next free cell, if there is one.
pub(super) fn double(project: &Project, scene: &Scene) -> Option<[Action; 2]> {
    Some(put(twin_scene(project, scene, free_cell(project, scene.cell)?)))
}

/// Takes a scene out.
pub(super) fn delete(scene: &Scene) -> Action {
    Command::Edit { edit: Edit::Remove(Thing::Scene(scene.id)), gesture: None }.into()
}

fn id_of(ui: &Ui, project: &Project, cell: Cell) -> Id {
    let scene = project.scene_at(cell);
    scene.map_or_else(|| ui.scope_id().with(("cell", cell)), |scene| tile_id(ui, scene.id))
}

/// An empty cell: barely there, until the pointer or the keyboard is on it.
pub(super) fn empty_ui(
    ui: &mut Ui,
    rect: Rect,
    cell: Cell,
    means: &mut Means<'_>,
    view: &mut View,
    wishes: &mut Vec<Action>,
) {
    let project = &means.snapshot.project;
    let response = ui.interact(rect, id_of(ui, project, cell), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| {
        let place = format!("Empty cell, column {}, row {}", cell.column + 1, cell.row + 1);
        WidgetInfo::labeled(Role::Button, true, place)
    });
    let open = Popup::is_id_open(ui.ctx(), Popup::default_response_id(&response));
    let busy = (response.hovered() || response.has_focus() || open) && !view.hold.is_down();
    let fill = if busy { theme::HOLLOW } else { theme::mixed(theme::HOLLOW, theme::GROUND, 0.3) };
    ui.painter().rect_filled(rect, theme::RADIUS, fill);
    if busy {
        let ink = Stroke::new(1.5, if open { theme::TEXT } else { theme::TEXT_FAINT });
        let centre = rect.center();
        ui.painter().hline(centre.x - 7.0..=centre.x + 7.0, centre.y, ink);
        ui.painter().vline(centre.x, centre.y - 7.0..=centre.y + 7.0, ink);
    }
    if view.vacated.take_if(|vacated| *vacated == cell).is_some() {
        response.request_focus();
    }
    widgets::focus_ring(ui, &response);
    keys(ui, &response, (cell, None), means, view, wishes);
    if response.clicked() {
        view.search = Search::default();
    }
    let popup = Popup::from_toggle_button_response(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let taken = popup.accessible_name("Add a scene").show(|ui| {
        let taken = gallery_ui(ui, project, means.headers, means.pictures, &mut view.search);
        if taken.is_some() {
            ui.close();
        }
        taken
    });
    if let Some(shader) = taken.and_then(|shown| shown.inner) {
        let title = means.headers.title(project, &shader);
        let (shader, before) = borrow(project, shader);
        wishes.extend(put_after(before, new_scene(project, cell, &title, shader)));
    }
}

/// What keys ask for while a cell has the keyboard.
pub(super) fn keys(
    ui: &Ui,
    response: &Response,
    (cell, scene): (Cell, Option<&Arc<Scene>>),
    means: &Means<'_>,
    view: &mut View,
    wishes: &mut Vec<Action>,
) {
    if !response.has_focus() {
        return;
    }
    let project = &means.snapshot.project;
    if response.gained_focus() {
        ui.scroll_to_rect(response.rect, None);
        if let Some(scene) = scene.filter(|scene| means.focus.scene != Some(scene.id)) {
            wishes.push(Action::Focus(Focus { scene: Some(scene.id), effect: None }));
        }
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    // Whoever gets the keyboard by an arrow must not see the same arrow again in this frame.
    let events = ui.input_mut(|input| std::mem::take(&mut input.events));
    let flashes = means.keys.of(Deed::Flash);
    let (mine, others) = events.into_iter().partition::<Vec<_>, _>(|event| is_mine(event, &flashes));
    ui.input_mut(|input| input.events = others);
    for event in mine {
        match (event, scene) {
            (Event::Copy, Some(scene)) => {
                view.copied = Some(Arc::clone(scene));
                ui.ctx().copy_text(scene.name.clone());
            }
            (Event::Paste(_), _) => wishes.extend(paste(project, cell, view).into_iter().flatten()),
            (Event::Key { key, pressed: true, repeat, modifiers, .. }, scene) => match (key, scene) {
                (Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight, _) => {
                    let next = id_of(ui, project, neighbour(project, cell, key));
                    ui.memory_mut(|memory| memory.request_focus(next));
                }
                (Key::D, Some(scene)) if modifiers.command => {
                    wishes.extend(double(project, scene).into_iter().flatten());
                }
                (key, Some(scene)) if flashes.contains(&Shortcut::pressed(key, modifiers)) => {
                    if repeat || view.keyed.is_some() {
                        continue;
                    }
                    view.keyed = Some((scene.id, key));
                    wishes.push(LiveCommand::Flash(scene.id, true).into());
                }
                (Key::Delete, Some(scene)) => {
                    wishes.push(delete(scene));
                    view.vacated = Some(cell);
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// Whether a cell with the keyboard takes an event.
fn is_mine(event: &Event, flashes: &[Shortcut]) -> bool {
    const KEYS: [Key; 6] = [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight, Key::D, Key::Delete];
    match event {
        Event::Copy | Event::Paste(_) => true,
        Event::Key { key, pressed: true, modifiers, .. } => {
            (KEYS.contains(key) && !modifiers.alt) || flashes.contains(&Shortcut::pressed(*key, *modifiers))
        }
        _ => false,
    }
}

/// The copied scene once more: in this cell, or in the next free one.
fn paste(project: &Project, cell: Cell, view: &View) -> Option<[Action; 2]> {
    let scene = view.copied.as_ref()?;
    let free = project.scene_at(cell).is_none();
    let cell = if free { Some(cell) } else { free_cell(project, cell) };
    Some(put(twin_scene(project, scene, cell?)))
}

/// Ends the flash of a key that was let go, or that the window will not hear of; a hand that points elsewhere takes the
/// keyboard along.
pub(super) fn let_go(ui: &Ui, view: &mut View, wishes: &mut Vec<Action>) {
    if ui.input(|input| input.pointer.any_pressed()) {
        view.vacated = None;
    }
    let held = |key| ui.input(|input| input.key_down(key) && input.focused);
    if let Some((scene, _)) = view.keyed.take_if(|(_, key)| !held(*key)) {
        wishes.push(LiveCommand::Flash(scene, false).into());
    }
}

/// The cell next to one; at the edge there is none but itself.
fn neighbour(project: &Project, cell: Cell, key: Key) -> Cell {
    let grid = project.grid;
    let Cell { column, row } = cell;
    match key {
        Key::ArrowLeft => Cell { column: column.saturating_sub(1), row },
        Key::ArrowRight => Cell { column: (column + 1).min(grid.columns.saturating_sub(1)), row },
        Key::ArrowUp => Cell { column, row: row.saturating_sub(1) },
        _ => Cell { column, row: (row + 1).min(grid.rows.saturating_sub(1)) },
    }
}
