//! The list of shaders, and what is done with one as a whole: made one's own, named, doubled, deleted.
//!
//! Runs on the ui thread. Deliberately absent: the code.

use super::{View, put, source_of};
use crate::app::action::Action;
use crate::app::pictures::Pictures;
use crate::app::shelf::{self, Deed};
use crate::app::theme;
use crate::app::widgets::{PadLook, pad};
use crate::model::edit::{Edit, Entry, SceneField};
use crate::model::effect::{Effect, ShaderRef};
use crate::model::id::ShaderId;
use crate::model::project::{Project, Shader};
use crate::model::references::Key;
use crate::shading::header::Header;
use crate::shading::library::BUILT_INS;
use crate::show::command::Command;
use crate::show::thumbnail::ThumbnailKey;
use egui::{Painter, Rect, RichText, Ui, vec2};
use std::sync::Arc;

/// What a new shader says.
const NEW: &str = "// title: New effect
// about: One colour that breathes with the beat.
// param: depth percent = 60 | How far it goes down

vec4 effect(Lamp lamp) {
    float breath = 0.5 + 0.5 * cos(progress * TAU);
    return vec4(primary * (1.0 - depth * breath), 1.0);
}
";

/// Shows the project's shaders, those of the user's library, then Glowdeck's own.
pub fn list_ui(ui: &mut Ui, project: &Project, pictures: &mut Pictures, view: &mut View, wishes: &mut Vec<Action>) {
    let (new, chosen) = shelf::list_ui(ui, "Shaders", "Add a shader", |ui| {
        let mut clicked = None;
        let own = project.shaders.iter().map(|shader| (ShaderRef::Project(shader.id), shader.name.as_str(), "Shader"));
        let library = view.library.shaders.iter();
        let library = library.map(|shader| (ShaderRef::Library(Arc::clone(shader)), &*shader.name, "Library shader"));
        let built_in = BUILT_INS.iter().map(|(name, _)| (ShaderRef::BuiltIn((*name).into()), *name, "Built-in shader"));
        let mut last = "";
        for (shader, name, kind) in own.chain(library).chain(built_in) {
            if last != kind {
                let title = match kind {
                    "Shader" => "In the project",
                    "Library shader" => "Your library",
                    _ => "Built in",
                };
                let across = ui.layout().is_horizontal();
                ui.add_space(if across { theme::STEP } else { theme::HALF });
                ui.label(RichText::new(title).font(theme::small()).color(theme::TEXT_FAINT));
                ui.add_space(if across { theme::STEP } else { 0.0 });
                last = kind;
            }
            let picture = |painter: &Painter, rect: Rect| {
                if let Some(picture) = pictures.show(ThumbnailKey::Effect(shader.clone())) {
                    picture.paint(painter, rect, 1.0, &[(rect.top(), 1.0), (rect.bottom(), 1.0)]);
                }
            };
            let is_chosen = view.chosen() == Some(&shader);
            if shelf::item_ui(ui, &format!("{kind} {name}"), name, is_chosen, picture).clicked() {
                clicked = Some(shader.clone());
            }
        }
        clicked
    });
    if new {
        add(project, "New effect", NEW, view, wishes);
    }
    if let Some(shader) = chosen {
        view.choose(shader, project);
    }
}

/// Its name, and what can be done with it; a built-in one can be made one's own.
pub fn title_ui(ui: &mut Ui, project: &Project, shader: &ShaderRef, view: &mut View, wishes: &mut Vec<Action>) {
    let ShaderRef::Project(id) = shader else {
        return given_ui(ui, project, shader, view, wishes);
    };
    let Some(own) = project.shaders.get(*id) else { return };
    match shelf::title_ui(ui, "shader", &own.name, &project.users_of(Key::Shader(*id)), &mut view.refused) {
        Some(Deed::Rename(name)) => wishes.push(put(Shader { name, ..Shader::clone(own) }, None)),
        Some(Deed::Duplicate) => add(project, &own.name, &own.source, view, wishes),
        Some(Deed::Delete) => {
            wishes.push(Command::Edit { edit: Edit::Remove(Key::Shader(*id)), gesture: None }.into());
        }
        None => {}
    }
}

fn given_ui(ui: &mut Ui, project: &Project, shader: &ShaderRef, view: &mut View, wishes: &mut Vec<Action>) {
    let source = source_of(project, shader).unwrap_or_default();
    let header = Header::parse(source).unwrap_or_default();
    let title = if let ShaderRef::Library(shader) = shader { &*shader.name } else { header.title.as_str() };
    ui.horizontal(|ui| {
        let size = vec2((ui.available_width() - 112.0 - theme::STEP).max(64.0), 4.0 * theme::STEP);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(size.x);
            let name = RichText::new(title).font(theme::strong(theme::BODY)).color(theme::TEXT);
            ui.label(name);
            let about = RichText::new(&header.about).font(theme::small()).color(theme::TEXT_FAINT);
            ui.add(egui::Label::new(about).truncate()).on_hover_text(&header.about);
        });
        let look = PadLook {
            font: theme::strong(theme::SMALL),
            colour: theme::TEXT,
            ..PadLook::quiet("Make it mine", "Make it mine")
        };
        let help = "Copies it into the project, where it can be changed; the effect that you work at uses the copy";
        if pad(ui, vec2(112.0, 4.0 * theme::STEP), &look).on_hover_text(help).clicked() {
            make_mine(project, (shader, title, source), view, wishes);
        }
    });
}

/// Puts a copy into the project. An effect that is worked at and ran the original runs the copy, which looks the same.
fn make_mine(
    project: &Project,
    (original, name, source): (&ShaderRef, &str, &str),
    view: &mut View,
    wishes: &mut Vec<Action>,
) {
    let mut copy = own(project, name, source);
    if let ShaderRef::Library(shader) = original {
        copy.library = Some(shader.name.to_string());
    }
    let scene = view.focus.scene.and_then(|id| project.scenes.get(id));
    let runs = |effect: &Effect| Some(effect.id) == view.focus.effect && effect.shader == *original;
    let user = scene.filter(|scene| scene.effects.iter().any(runs));
    let moved = user.map(|scene| {
        let mut effects = scene.effects.clone();
        for effect in effects.iter_mut().filter(|effect| runs(effect)) {
            effect.shader = ShaderRef::Project(copy.id);
        }
        Edit::Scene(scene.id, SceneField::Effects(effects))
    });
    view.coming = Some(copy.id);
    let edits = [Edit::Put(Entry::Shader(copy.into()))].into_iter().chain(moved).collect();
    wishes.push(Command::Edit { edit: Edit::Batch(edits), gesture: None }.into());
}

/// Puts a shader in under an id and a name of its own, and works at it.
fn add(project: &Project, name: &str, source: &str, view: &mut View, wishes: &mut Vec<Action>) {
    let shader = own(project, name, source);
    view.coming = Some(shader.id);
    wishes.push(put(shader, None));
}

fn own(project: &Project, name: &str, source: &str) -> Shader {
    let id = ShaderId(project.shaders.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    let taken: Vec<&str> = project.shaders.iter().map(|shader| shader.name.as_str()).collect();
    let name = shelf::free_name(name, &taken);
    Shader { id, name, source: source.to_owned(), file: None, library: None }
}
