//! The bar over the code: what the compiler says, where the text is kept, and what can be done with it.
//!
//! Runs on the ui thread. Deliberately absent: the errors themselves, which stand at their lines.

use super::draft::Draft;
use super::{View, keep, put};
use crate::app::action::Action;
use crate::app::widgets::{PadLook, pad};
use crate::app::{fields, theme};
use crate::model::effect::ShaderRef;
use crate::model::project::Shader;
use crate::show::snapshot::{ShaderView, Snapshot, Verdict};
use egui::{Color32, RichText, Sense, Ui, vec2};

/// What the compiler says, where the text is kept, and what can be done with it.
pub fn bar_ui(ui: &mut Ui, snapshot: &Snapshot, said: Option<&ShaderView>, view: &mut View, wishes: &mut Vec<Action>) {
    let Some(draft) = &view.draft else { return };
    let (ink, words) = verdict(said, draft);
    let own = if let ShaderRef::Project(id) = draft.shader { snapshot.project.shaders.get(id) } else { None };
    let saved = own.and_then(|shader| view.saved_source(shader.id));
    let reverts = saved.filter(|saved| *saved != draft.text).map(str::to_owned);
    let mut reverted = None;
    ui.horizontal(|ui| {
        let buttons = 64.0 + 8.0 + if own.is_some() { 64.0 + 64.0 + 80.0 + 3.0 * 8.0 } else { 0.0 };
        let size = vec2((ui.available_width() - buttons).max(10.0), 4.0 * theme::STEP);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(size.x);
            let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 4.0, ink);
            let text = RichText::new(&words).font(theme::small()).color(theme::mixed(theme::TEXT_QUIET, ink, 0.4));
            ui.add(egui::Label::new(text).truncate()).on_hover_text(&words);
        });
        let size = vec2(64.0, 4.0 * theme::STEP);
        if let Some(own) = own {
            reverted = own_ui(ui, (own, snapshot.dirty), reverts, view, wishes);
        }
        let mut look = small("Help for inputs", "Inputs", true);
        if view.helps {
            look.fill = theme::RAIL;
        }
        if pad(ui, size, &look).clicked() {
            view.helps = !view.helps;
        }
    });
    if let (Some(source), Some(shader)) = (reverted, own) {
        wishes.push(put(Shader { source, ..Shader::clone(shader) }, None));
    }
    if let Some(own) = own {
        keep::keep_ui(ui, own, view, wishes);
    }
    let file = own.and_then(|shader| shader.file.as_deref());
    let told = view.told.clone().or_else(|| {
        file.map(|file| {
            format!("Read from {file} whenever that file changes; who writes last is heard, here or there.")
        })
    });
    if let Some(told) = told {
        fields::hint(ui, &told);
    }
}

fn small<'a>(label: &'a str, text: &'a str, on: bool) -> PadLook<'a> {
    let colour = if on { theme::TEXT } else { theme::TEXT_FAINT };
    PadLook { font: theme::small(), colour, ..PadLook::quiet(label, text) }
}

/// What can be done with a shader of the project's; the source that it goes back to.
fn own_ui(
    ui: &mut Ui,
    (own, dirty): (&Shader, bool),
    reverts: Option<String>,
    view: &mut View,
    wishes: &mut Vec<Action>,
) -> Option<String> {
    let wide = |width| vec2(width, 4.0 * theme::STEP);
    let look = small("Revert to what was saved", "Revert", reverts.is_some());
    let clicked = pad(ui, wide(64.0), &look).clicked();
    let help = "Saves the project, which holds its shaders";
    if pad(ui, wide(64.0), &small("Save to project", "Save", dirty)).on_hover_text(help).clicked() {
        wishes.push(Action::Save);
    }
    let mut look = small("Save to library", "To library…", true);
    if view.keeping.is_some() {
        look.fill = theme::RAIL;
    }
    let help = "Keeps a copy beside all projects, for others of them";
    if view.library.folder.is_some() && pad(ui, wide(80.0), &look).on_hover_text(help).clicked() {
        let name = || own.library.clone().unwrap_or_else(|| own.name.clone());
        view.keeping = if view.keeping.is_none() { Some(name()) } else { None };
    }
    reverts.filter(|_| clicked)
}

fn verdict(said: Option<&ShaderView>, draft: &Draft) -> (Color32, String) {
    let Some(said) = said else { return (theme::TEXT_FAINT, "Not tried yet".to_owned()) };
    let now = if said.runs { "The last good version runs" } else { "Dark until it is mended" };
    match &said.verdict {
        _ if *said.source != *draft.text || !draft.is_settled() => (theme::CYAN, "Trying…".to_owned()),
        Verdict::Trying => (theme::CYAN, "Trying…".to_owned()),
        Verdict::Good => (theme::GREEN, "Compiles, this is what runs".to_owned()),
        Verdict::Failed(_) => (theme::RED, now.to_owned()),
    }
}
