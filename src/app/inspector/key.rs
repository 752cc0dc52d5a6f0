//! The key that plays a scene: the next one that is pressed becomes it.
//!
//! Runs on the ui thread. Deliberately absent: playing by keys, which [`super::super::shortcuts`] does.

use super::super::action::Action;
use super::super::fields::{hint, row};
use super::super::shortcuts::is_taken;
use super::super::theme;
use super::super::widgets::{PadLook, pad};
use super::Subject;
use crate::model::edit::SceneField;
use crate::model::id::SceneId;
use egui::{Event, Key, Ui, vec2};

pub(super) fn key_ui(ui: &mut Ui, subject: &Subject<'_>, capturing: &mut Option<SceneId>, wishes: &mut Vec<Action>) {
    let scene = subject.scene;
    let waiting = *capturing == Some(scene.id);
    if waiting {
        for key in pressed(ui) {
            *capturing = None;
            if key != Key::Escape && !is_taken(key) {
                wishes.push(subject.scene_edit(SceneField::Key(Some(key.name().to_owned())), None));
            }
        }
    }
    row(ui, "Plays it", |ui| {
        let text = match &scene.key {
            _ if waiting => "Press a key",
            Some(key) => key.as_str(),
            None => "No key",
        };
        let colour = if waiting { theme::CYAN } else { theme::TEXT };
        let look = PadLook { colour, ..PadLook::quiet("Set the scene's key", text) };
        if pad(ui, vec2(104.0, 4.0 * theme::STEP), &look).clicked() && !waiting {
            *capturing = Some(scene.id);
        }
        let look = PadLook::quiet("Clear the scene's key", "Clear");
        let clear = scene.key.is_some() && !waiting;
        if clear && pad(ui, vec2(64.0, 4.0 * theme::STEP), &look).clicked() {
            wishes.push(subject.scene_edit(SceneField::Key(None), None));
        }
    });
    let same = |other: &&std::sync::Arc<crate::model::scene::Scene>| other.id != scene.id && other.key == scene.key;
    if waiting {
        hint(ui, "T, B, N, F and ? are the console's own. Escape leaves it as it is.");
    } else if let Some(other) = subject.snapshot.project.scenes.iter().find(same).filter(|_| scene.key.is_some()) {
        hint(ui, &format!("{} has the same key; both are played.", other.name));
    }
}

/// Keys that went down in this frame.
fn pressed(ui: &Ui) -> Vec<Key> {
    let down = |event: &Event| match event {
        Event::Key { key, pressed: true, repeat: false, modifiers, .. } if !modifiers.command && !modifiers.alt => {
            Some(*key)
        }
        _ => None,
    };
    ui.input(|input| input.events.iter().filter_map(down).collect())
}
