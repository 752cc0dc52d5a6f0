//! The menu of a tile: what can be done with a scene where it lies.
//!
//! Runs on the ui thread. Opened by the secondary button, the menu key or Shift F10.

use super::super::action::Action;
use super::super::inspector::{LAUNCHES, tags_ui};
use super::super::{fields, theme};
use super::{View, cells};
use crate::model::edit::{Edit, SceneField};
use crate::model::project::Project;
use crate::model::scene::Scene;
use crate::show::command::Command;
use egui::containers::menu::menu_style;
use egui::{Align, Button, Key, Layout, Popup, PopupCloseBehavior, PopupKind, Response, RichText, SetOpenCommand, Ui};
use std::sync::Arc;

/// Width of the menu, points.
const WIDTH: f32 = 264.0;

/// Shows the menu of a tile while it is open.
pub(super) fn tile_menu_ui(
    body: &Response,
    scene: &Arc<Scene>,
    project: &Project,
    view: &mut View,
    wishes: &mut Vec<Action>,
) {
    let asked = |input: &egui::InputState| {
        input.key_pressed(Key::Menu) || (input.modifiers.shift && input.key_pressed(Key::F10))
    };
    let opened = body.secondary_clicked() || (body.has_focus() && body.ctx.input(asked));
    let popup = Popup::from_response(body)
        .kind(PopupKind::Menu)
        .layout(Layout::top_down_justified(Align::Min))
        .style(menu_style)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .open_memory(opened.then_some(SetOpenCommand::Toggle));
    popup.show(|ui| {
        ui.set_width(WIDTH);
        wishes.extend(items_ui(ui, scene, project, view));
    });
}

fn items_ui(ui: &mut Ui, scene: &Arc<Scene>, project: &Project, view: &mut View) -> Vec<Action> {
    let mut wishes = Vec::new();
    let edit = |field| Command::Edit { edit: Edit::Scene(scene.id, field), gesture: None }.into();
    if item(ui, "Edit", "", true) {
        wishes.push(Action::Inspect(scene.id));
    }
    let named = |text: &str| match text.trim() {
        "" => Err("A scene needs a name".to_owned()),
        text => Ok(text.to_owned()),
    };
    wishes.extend(fields::text(ui, "Rename", &scene.name, named).map(|name| edit(SceneField::Name(name))));
    wishes.extend(tags_ui(ui, scene.tag).map(|tag| edit(SceneField::Tag(tag))));
    fields::heading(ui, "Starts");
    for (launch, name) in LAUNCHES {
        if ui.radio(scene.launch == launch, name).clicked() && scene.launch != launch {
            wishes.push(edit(SceneField::Launch(launch)));
        }
    }
    ui.separator();
    if item(ui, "Copy", "Ctrl+C", true) {
        view.copied = Some(Arc::clone(scene));
        ui.ctx().copy_text(scene.name.clone());
    }
    let twin = cells::double(project, scene);
    if item(ui, "Duplicate", "Ctrl+D", twin.is_some()) {
        wishes.extend(twin.into_iter().flatten());
    }
    if item(ui, "Delete", "Del", true) {
        wishes.push(cells::delete(scene));
    }
    wishes
}

/// An item that closes the menu.
fn item(ui: &mut Ui, text: &str, keys: &str, enabled: bool) -> bool {
    let keys = RichText::new(keys).font(theme::small()).color(theme::TEXT_FAINT);
    let clicked = ui.add_enabled(enabled, Button::new(text).shortcut_text(keys)).clicked();
    if clicked {
        ui.close();
    }
    clicked
}
