//! The keys of scenes: read from the project, changed in the inspector.
//!
//! Runs on the ui thread.

use super::super::action::Action;
use super::super::fields::hint;
use super::super::shortcuts::is_taken;
use super::super::shortcuts::keymap::Keymap;
use super::super::theme;
use super::super::widgets::{focus_ring, line_ground};
use crate::show::snapshot::Snapshot;
use egui::accesskit::Role;
use egui::{Align2, CursorIcon, Key, Sense, Ui, WidgetInfo, pos2, vec2};

/// Shows the section: which key plays which scene.
pub(super) fn scene_keys_ui(ui: &mut Ui, snapshot: &Snapshot, keys: &Keymap) -> Vec<Action> {
    let mut wishes = Vec::new();
    let mut none = true;
    for scene in snapshot.project.scenes.iter() {
        let Some(name) = &scene.key else { continue };
        none = false;
        let key = Key::from_name(name);
        let shown = key.map_or_else(|| name.clone(), |key| key.symbol_or_name().to_owned());
        // A project of another machine may have keys that do something here.
        let why = match key {
            Some(key) => is_taken(keys, key).map(|why| format!("{why} It does not play this scene.")),
            None => Some(format!("{name} is no key of this program.")),
        };
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::click());
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Edit {}, key {shown}", scene.name)));
        if ui.is_rect_visible(rect) {
            line_ground(ui.painter(), &response, false);
            let (left, middle) = (rect.left() + theme::STEP, rect.center().y);
            let strong = theme::strong(theme::SMALL);
            ui.painter().text(pos2(left, middle), Align2::LEFT_CENTER, &shown, strong, theme::TEXT);
            let place = pos2(left + 88.0, middle);
            let name = ui.painter().text(place, Align2::LEFT_CENTER, &scene.name, theme::body(), theme::TEXT_QUIET);
            if let Some(why) = &why {
                let place = pos2(name.right() + 2.0 * theme::STEP, middle);
                ui.painter().text(place, Align2::LEFT_CENTER, why, theme::small(), theme::TEXT);
            }
            focus_ring(ui, &response);
        }
        if response.clicked() {
            wishes.push(Action::Inspect(scene.id));
        }
    }
    if none {
        hint(ui, "No scene has a key. One is set in the inspector, under Key.");
    }
    wishes
}
