//! The key that plays a scene: the next one that is pressed becomes it.
//!
//! Runs on the ui thread. Deliberately absent: playing by keys, which [`super::super::shortcuts`] does.

use super::super::action::Action;
use super::super::fields::{hint, row};
use super::super::shortcuts::{is_taken, pressed};
use super::super::theme;
use super::super::widgets::{PadLook, pad};
use super::Subject;
use crate::model::edit::SceneField;
use crate::model::id::SceneId;
use egui::{Id, Key, Ui, vec2};

pub(super) fn key_ui(ui: &mut Ui, subject: &Subject<'_>, capturing: &mut Option<SceneId>, wishes: &mut Vec<Action>) {
    let scene = subject.scene;
    let waiting = *capturing == Some(scene.id);
    let refused = Id::unique("the refused key of a scene");
    let known: Option<(SceneId, Option<String>)> = ui.data(|data| data.get_temp(refused));
    let mut told = known.filter(|(of, _)| *of == scene.id).and_then(|(_, told)| told);
    if waiting {
        for key in pressed(ui.ctx()).into_iter().filter(|key| !key.command && !key.alt).map(|key| key.key) {
            *capturing = None;
            told = is_taken(subject.keys, key).filter(|_| key != Key::Escape);
            if key != Key::Escape && told.is_none() {
                wishes.push(subject.scene_edit(SceneField::Key(Some(key.name().to_owned())), None));
            }
            ui.data_mut(|data| data.insert_temp(refused, (scene.id, told.clone())));
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
        hint(ui, "Keys that are the console's own stay its own. Escape leaves it as it is.");
    } else if let Some(told) = told {
        hint(ui, &format!("{told} The scene's key stays as it was."));
    } else if let Some(other) = subject.snapshot.project.scenes.iter().find(same).filter(|_| scene.key.is_some()) {
        hint(ui, &format!("{} has the same key; both are played.", other.name));
    }
}
