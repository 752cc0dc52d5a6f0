//! To and from the user's library: under which name a shader is kept there, and whether the library's is another.
//!
//! Runs on the ui thread. What is there under a name is replaced only when that was said, and only if it is still what
//! was seen. Deliberately absent: writing the file, which the storage thread does.

use super::{View, put};
use crate::app::action::Action;
use crate::app::widgets::{PadLook, pad};
use crate::app::{fields, theme};
use crate::model::library::name_of_file;
use crate::model::project::Shader;
use crate::shading::ShaderText;
use crate::storage::FileRequest;
use egui::accesskit::Role;
use egui::{Align, Key, Layout, RichText, TextEdit, Ui, WidgetInfo, vec2};
use std::sync::Arc;

/// Shows the question for a name while it is asked, else what the library has of the shader's name.
pub fn keep_ui(ui: &mut Ui, own: &Arc<Shader>, view: &mut View, wishes: &mut Vec<Action>) {
    if view.keeping.is_some() {
        ask_ui(ui, own, view, wishes);
        return;
    }
    let Some(there) = own.library.as_deref().and_then(|name| view.library.get(name)) else { return };
    if *there.source == own.source || view.draft.as_ref().is_none_or(|draft| !draft.is_settled()) {
        return;
    }
    ui.horizontal(|ui| {
        let text = format!("{} of your library says something else.", there.name);
        let size = vec2((ui.available_width() - 152.0 - theme::STEP).max(64.0), 4.0 * theme::STEP);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(size.x);
            let text = RichText::new(text).font(theme::small()).color(theme::TEXT_QUIET);
            ui.add(egui::Label::new(text).truncate());
        });
        let look = PadLook { font: theme::small(), ..PadLook::quiet("Update from library", "Update from library") };
        if pad(ui, vec2(152.0, 4.0 * theme::STEP), &look).clicked() {
            wishes.push(put(Shader { source: there.source.to_string(), ..Shader::clone(own) }, None));
        }
    });
}

/// What can be done with the name as it is typed.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// Nothing, for this reason.
    Refused(String),
    /// It is there already, word for word.
    There,
    /// It is new there.
    New,
    /// It takes the place of this.
    Replaces(String),
}

fn plan(view: &View, name: &Result<String, String>, text: &str) -> Plan {
    let name = match (name, ShaderText::read(text)) {
        (Err(reason), _) => return Plan::Refused(reason.clone()),
        (_, Err(error)) => return Plan::Refused(format!("mend it first, {error}")),
        (Ok(name), Ok(_)) => name,
    };
    if let Some(error) = view.faults.errors().first().filter(|_| !view.faults.stale(text)) {
        return Plan::Refused(format!("mend line {} first", error.line));
    }
    match view.library.get(name) {
        None => Plan::New,
        Some(there) if *there.source == *text => Plan::There,
        Some(there) => Plan::Replaces(there.source.to_string()),
    }
}

fn ask_ui(ui: &mut Ui, own: &Arc<Shader>, view: &mut View, wishes: &mut Vec<Action>) {
    let (Some(mut typed), Some(draft)) = (view.keeping.take(), &view.draft) else { return };
    let mut goes = false;
    let mut stays = true;
    let mut planned = Plan::There;
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 96.0 - 72.0 - 2.0 * theme::STEP).max(80.0);
        let edit = TextEdit::singleline(&mut typed).desired_width(width).margin(vec2(8.0, 7.0));
        let field = ui.add(edit.text_color(theme::TEXT));
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name in the library"));
        planned = plan(view, &name_of_file(&typed), &draft.text);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let escaped = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
        let (label, text) = match planned {
            Plan::Replaces(_) => ("Replace it in the library", "Replace"),
            _ => ("Keep it in the library", "Keep"),
        };
        let able = matches!(planned, Plan::New | Plan::Replaces(_));
        let colour = if able { theme::TEXT } else { theme::TEXT_FAINT };
        let look = PadLook { font: theme::strong(theme::SMALL), colour, ..PadLook::quiet(label, text) };
        // Enter never replaces anything: that takes the button.
        goes = pad(ui, vec2(96.0, 4.0 * theme::STEP), &look).clicked() && able;
        goes |= entered && planned == Plan::New;
        let look = PadLook { font: theme::small(), ..PadLook::quiet("Keep it in the project only", "Cancel") };
        stays = !pad(ui, vec2(72.0, 4.0 * theme::STEP), &look).clicked() && !escaped;
    });
    let words = match &planned {
        Plan::Refused(reason) => Some(format!("Not yet: {reason}.")),
        Plan::There => Some("Your library has exactly this under this name.".to_owned()),
        Plan::Replaces(_) => Some("Your library has another shader of this name.".to_owned()),
        Plan::New => None,
    };
    if let Some(words) = words {
        fields::hint(ui, &words);
    }
    let name = name_of_file(&typed);
    if let (true, Ok(name), Some(path)) = (goes, name.clone(), name.ok().and_then(|name| view.library.path(&name))) {
        let replaces = if let Plan::Replaces(there) = planned { Some(there) } else { None };
        wishes.push(Action::PutShader(FileRequest::PutShader { path, text: draft.text.clone(), replaces }));
        if own.library.as_deref() != Some(&name) {
            let source = draft.text.clone();
            wishes.push(put(Shader { source, library: Some(name), ..Shader::clone(own) }, None));
        }
        return;
    }
    view.keeping = stays.then_some(typed);
}
