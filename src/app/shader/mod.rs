//! Shaders: Glowdeck's own and the project's, with their code, what the compiler says of it, and how it looks.
//!
//! Runs on the ui thread. What is typed goes into the project a moment later and is tried by the show's compiler
//! thread; until it compiles the last good version runs. Deliberately absent: compiling, and reading files, which the
//! show and the storage thread do.

mod code;
mod draft;
mod highlight;
mod list;
mod params;
mod preview;

use super::action::Action;
use super::logic::Focus;
use super::pictures::Pictures;
use super::shelf;
use super::widgets::{PadLook, pad};
use super::{fields, theme};
use crate::model::edit::{Edit, Entry};
use crate::model::effect::ShaderRef;
use crate::model::id::{ShaderId, Table};
use crate::model::project::{Project, Shader};
use crate::shading::header::Header;
use crate::shading::help::{Entry as HelpEntry, Group, entries};
use crate::shading::library::{BUILT_INS, built_in};
use crate::show::command::Command;
use crate::show::snapshot::{ShaderView, Snapshot, Verdict};
use code::{Code, Fault, Inked};
use draft::{Draft, Followed};
use egui::{Color32, Id, Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};
use std::path::PathBuf;

/// Width of the preview and the parameters beside the code, points.
const ASIDE: f32 = 184.0;
/// Rooms lower than this have no preview, points.
const LEAST_CODE: f32 = 160.0;

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {
    draft: Option<Draft>,
    /// Added, but not in the snapshot yet.
    coming: Option<ShaderId>,
    /// The project's shaders as its file has them, and which file.
    saved: Option<(Option<PathBuf>, Table<Shader>)>,
    inked: Inked,
    /// The header of this source.
    header: (String, Header),
    /// What is worked at elsewhere.
    focus: Focus,
    helps: bool,
    /// Whether the preview is a plane instead of the rig's lamps.
    plane: bool,
    /// Everything that an effect can use; made when somebody first looks.
    help: Vec<HelpEntry>,
    refused: bool,
    /// What happened to the draft.
    told: Option<String>,
}

impl View {
    /// Remembers the sources that the project's file has. To be called whenever there is something new to show.
    pub fn remember(&mut self, snapshot: &Snapshot) {
        let other = self.saved.as_ref().is_none_or(|(path, _)| *path != snapshot.path);
        if other || !snapshot.dirty {
            self.saved = Some((snapshot.path.clone(), snapshot.project.shaders.clone()));
        }
    }

    fn chosen(&self) -> Option<&ShaderRef> {
        self.draft.as_ref().map(|draft| &draft.shader)
    }

    fn choose(&mut self, shader: ShaderRef, project: &Project) {
        if let Some(source) = source_of(project, &shader).filter(|_| self.chosen() != Some(&shader)) {
            self.draft = Some(Draft::open(shader, source));
            (self.refused, self.told) = (false, None);
        }
    }

    fn saved_source(&self, id: ShaderId) -> Option<&str> {
        self.saved.as_ref()?.1.get(id).map(|shader| shader.source.as_str())
    }
}

/// The key of notices that this panel makes needless: what is wrong stands at its line.
pub fn told_here(snapshot: &Snapshot, view: &View) -> Option<String> {
    let said = snapshot.shader(view.chosen()?)?;
    matches!(said.verdict, Verdict::Failed { .. }).then(|| format!("shader {}", said.shader))
}

fn source_of<'a>(project: &'a Project, shader: &ShaderRef) -> Option<&'a str> {
    match shader {
        ShaderRef::BuiltIn(name) => built_in(name),
        ShaderRef::Project(id) => project.shaders.get(*id).map(|shader| shader.source.as_str()),
    }
}

fn put(shader: Shader, gesture: Option<u64>) -> Action {
    Command::Edit { edit: Edit::Put(Entry::Shader(shader.into())), gesture }.into()
}

/// Shows the panel.
pub fn shader_ui(
    ui: &mut Ui,
    snapshot: &Snapshot,
    pictures: &mut Pictures,
    focus: Focus,
    view: &mut View,
) -> Vec<Action> {
    let project = &snapshot.project;
    view.focus = focus;
    follow(project, view);
    let mut wishes = Vec::new();
    let [list, form] = shelf::rooms(ui);
    shelf::room_ui(ui, "list", list, |ui| list::list_ui(ui, project, pictures, view, &mut wishes));
    shelf::room_ui(ui, "form", form, |ui| one_ui(ui, snapshot, pictures, view, &mut wishes));
    send(ui, project, view, &mut wishes);
    wishes
}

/// Chooses what there is, and takes over what others wrote.
fn follow(project: &Project, view: &mut View) {
    if let Some(id) = view.coming.take_if(|id| project.shaders.contains(*id)) {
        view.choose(ShaderRef::Project(id), project);
    }
    if let Some(draft) = &mut view.draft {
        match source_of(project, &draft.shader) {
            Some(source) => {
                if draft.follow(source) == Followed::Replaced {
                    view.told = file_of(project, &draft.shader)
                        .map(|file| format!("{file} was written by another program; its text replaced what was here."));
                }
            }
            None => view.draft = None,
        }
    }
    if view.draft.is_none() {
        let own = project.shaders.iter().next().map(|shader| ShaderRef::Project(shader.id));
        view.choose(own.unwrap_or_else(|| ShaderRef::BuiltIn(BUILT_INS[0].0.into())), project);
    }
}

fn file_of<'a>(project: &'a Project, shader: &ShaderRef) -> Option<&'a str> {
    let ShaderRef::Project(id) = shader else { return None };
    project.shaders.get(*id)?.file.as_deref()
}

/// Hands over what was typed, when it is time.
fn send(ui: &Ui, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let Some(draft) = &mut view.draft else { return };
    let ShaderRef::Project(id) = draft.shader else { return };
    let Some(shader) = project.shaders.get(id) else { return };
    let now = ui.input(|input| input.time);
    if let Some((source, gesture)) = draft.due(now, || fields::next_gesture(ui)) {
        view.told = None;
        wishes.push(put(Shader { source, ..Shader::clone(shader) }, gesture));
    }
    if let Some(left) = draft.wait(now) {
        ui.ctx().request_repaint_after(left);
    }
}

fn one_ui(ui: &mut Ui, snapshot: &Snapshot, pictures: &mut Pictures, view: &mut View, wishes: &mut Vec<Action>) {
    let Some(shader) = view.chosen().cloned() else { return };
    ui.spacing_mut().item_spacing.y = theme::HALF;
    list::title_ui(ui, &snapshot.project, &shader, view, wishes);
    let said = snapshot.shader(&shader);
    bar_ui(ui, snapshot, said, view, wishes);
    let Some(draft) = &mut view.draft else { return };
    if view.header.0 != draft.text {
        // While a header line is typed, the controls stay as they were.
        let header = Header::parse(&draft.text).unwrap_or_else(|_| std::mem::take(&mut view.header.1));
        view.header = (draft.text.clone(), header);
    }
    let names: Vec<String> = view.header.1.params.iter().map(|param| param.name.clone()).collect();
    let editable = matches!(shader, ShaderRef::Project(_));
    let now = ui.input(|input| input.time);
    let fault = said.and_then(|said| match &said.verdict {
        Verdict::Failed { line, message } => Some(Fault { line: *line, message, stale: *said.source != *draft.text }),
        Verdict::Trying | Verdict::Good => None,
    });
    let room = ui.available_rect_before_wrap();
    let room = Rect::from_min_max(room.min, pos2(room.right(), room.bottom().max(room.top() + LEAST_CODE)));
    let wide = room.width() > 2.5 * ASIDE || view.helps;
    let split = if wide { room.right() - ASIDE } else { room.right() };
    let id = Id::unique(("code of", &shader));
    shelf::room_ui(ui, "text", Rect::from_min_max(room.min, pos2(split - theme::STEP, room.bottom())), |ui| {
        let code = Code { id, text: &mut draft.text, editable, params: &names, fault };
        if code::code_ui(ui, ui.max_rect().size(), code, &mut view.inked) {
            draft.typed(now);
            // What stands above says so at once.
            ui.ctx().request_repaint();
        }
    });
    if !wide {
        return;
    }
    shelf::room_ui(ui, "aside", Rect::from_min_max(pos2(split, room.top()), room.max), |ui| {
        if view.helps {
            if view.help.is_empty() {
                view.help = entries();
            }
            if let Some(words) = help_ui(ui, &view.help).filter(|_| editable) {
                code::insert(ui.ctx(), id, &mut draft.text, &words);
                draft.typed(now);
            }
            return;
        }
        preview::preview_ui(ui, &snapshot.project, pictures, (&shader, view.focus), &mut view.plane);
        ScrollArea::vertical().id_salt("params").auto_shrink(false).show(ui, |ui| {
            if let Some(text) = params::params_ui(ui, &view.header.1, &draft.text, editable) {
                draft.text = text;
                draft.turned(now);
            }
        });
    });
}

/// What the compiler says, where the text is kept, and what can be done with it.
fn bar_ui(ui: &mut Ui, snapshot: &Snapshot, said: Option<&ShaderView>, view: &mut View, wishes: &mut Vec<Action>) {
    let Some(draft) = &view.draft else { return };
    let (ink, words) = verdict(said, draft);
    let own = if let ShaderRef::Project(id) = draft.shader { snapshot.project.shaders.get(id) } else { None };
    let saved = own.and_then(|shader| view.saved_source(shader.id));
    let reverts = saved.filter(|saved| *saved != draft.text).map(str::to_owned);
    let mut reverted = None;
    ui.horizontal(|ui| {
        let buttons = 64.0 + 8.0 + if own.is_some() { 2.0 * (64.0 + 8.0) } else { 0.0 };
        let size = vec2((ui.available_width() - buttons).max(64.0), 4.0 * theme::STEP);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(size.x);
            let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 4.0, ink);
            let text = RichText::new(&words).font(theme::small()).color(theme::mixed(theme::TEXT_QUIET, ink, 0.4));
            ui.add(egui::Label::new(text).truncate()).on_hover_text(&words);
        });
        let small = |label, text, on: bool| PadLook {
            font: theme::small(),
            colour: if on { theme::TEXT } else { theme::TEXT_FAINT },
            ..PadLook::quiet(label, text)
        };
        let size = vec2(64.0, 4.0 * theme::STEP);
        if own.is_some() {
            if pad(ui, size, &small("Revert to what was saved", "Revert", reverts.is_some())).clicked() {
                reverted = reverts;
            }
            if pad(ui, size, &small("Save the project with its shaders", "Save", snapshot.dirty)).clicked() {
                wishes.push(Action::Save);
            }
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
    if let Some(ShaderView { verdict: Verdict::Failed { line, message }, source, .. }) = said
        && **source == *draft.text
    {
        ui.label(RichText::new(format!("Line {line}: {message}")).font(theme::small()).color(theme::RED));
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

fn verdict(said: Option<&ShaderView>, draft: &Draft) -> (Color32, String) {
    let Some(said) = said else { return (theme::TEXT_FAINT, "Not tried yet".to_owned()) };
    let now = if said.runs { "The last good version runs" } else { "Its effects stay dark until it is mended" };
    match &said.verdict {
        _ if *said.source != *draft.text || !draft.is_settled() => (theme::CYAN, "Trying…".to_owned()),
        Verdict::Trying => (theme::CYAN, "Trying…".to_owned()),
        Verdict::Good => (theme::GREEN, "Compiles, this is what runs".to_owned()),
        Verdict::Failed { .. } => (theme::RED, now.to_owned()),
    }
}

/// Everything that an effect can use; what was clicked is to be inserted.
fn help_ui(ui: &mut Ui, all: &[HelpEntry]) -> Option<String> {
    let mut chosen = None;
    ScrollArea::vertical().id_salt("help").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for (group, title) in [(Group::Input, "Inputs"), (Group::Lamp, "The lamp"), (Group::Function, "Functions")] {
            fields::heading(ui, title);
            for entry in all.iter().filter(|entry| entry.group == group) {
                let text = RichText::new(&entry.declared).font(highlight::font()).color(theme::CODE_INPUT);
                let button = egui::Button::new(text).truncate().min_size(vec2(ui.available_width(), 4.0 * theme::STEP));
                let response = ui.add(button).on_hover_text(&entry.about);
                response.widget_info(|| {
                    let role = egui::accesskit::Role::Button;
                    egui::WidgetInfo::labeled(role, true, format!("Insert {}", entry.insert))
                });
                if response.clicked() {
                    chosen = Some(entry.insert.clone());
                }
                if !entry.about.is_empty() {
                    fields::hint(ui, &entry.about);
                }
            }
        }
    });
    chosen
}
