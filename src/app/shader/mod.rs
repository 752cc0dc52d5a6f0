//! Shaders: Glowdeck's own and the project's, with their code, what the compiler says of it, and how it looks.
//!
//! Runs on the ui thread. What is typed goes into the project a moment later and is tried by the show's compiler
//! thread; until it compiles the last good version runs. Deliberately absent: compiling, and reading files, which the
//! show and the storage thread do.

mod bar;
mod code;
mod draft;
mod faults;
mod help;
mod highlight;
mod keep;
mod list;
mod params;
mod preview;

use super::action::Action;
use super::logic::Focus;
use super::pictures::Pictures;
use super::shelf;
use super::{fields, theme};
use crate::model::edit::{Edit, Entry};
use crate::model::effect::ShaderRef;
use crate::model::id::{ShaderId, Table};
use crate::model::library::UserLibrary;
use crate::model::project::{Project, Shader};
use crate::shading::header::Header;
use crate::shading::help::{Entry as HelpEntry, entries};
use crate::shading::library::{BUILT_INS, built_in};
use crate::show::command::Command;
use crate::show::snapshot::{Snapshot, Verdict};
use code::{Code, Inked};
use draft::{Draft, Followed};
use egui::{Id, Rect, ScrollArea, Ui, pos2};
use faults::{Faults, faults_ui};
use std::path::PathBuf;
use std::sync::Arc;

/// Width of the preview and the parameters beside the code, points.
const ASIDE: f32 = 184.0;
/// However low the panel is, the code has this height, points.
const LEAST_CODE: f32 = 96.0;

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {
    draft: Option<Draft>,
    /// Added, but not in the snapshot yet.
    coming: Option<ShaderId>,
    /// The project's shaders as its file has them, and which file.
    saved: Option<(Option<PathBuf>, Table<Shader>)>,
    inked: Inked,
    /// What is wrong with it.
    faults: Faults,
    /// The line that the text cursor goes to.
    go_to: Option<u32>,
    /// The header of this source.
    header: (String, Header),
    /// What is worked at elsewhere.
    focus: Focus,
    helps: bool,
    /// Whether the preview is a plane instead of the rig's lamps.
    plane: bool,
    /// Everything that an effect can use; made when somebody first looks.
    help: Vec<HelpEntry>,
    /// The user's shaders.
    library: Arc<UserLibrary>,
    /// What the name in the library is to be, while that is asked.
    keeping: Option<String>,
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

    /// Takes over what the user's library holds now.
    pub fn stock(&mut self, library: &Arc<UserLibrary>) {
        if !Arc::ptr_eq(&self.library, library) {
            self.library = Arc::clone(library);
        }
    }

    fn chosen(&self) -> Option<&ShaderRef> {
        self.draft.as_ref().map(|draft| &draft.shader)
    }

    fn choose(&mut self, shader: ShaderRef, project: &Project) {
        if let Some(source) = source_of(project, &shader).filter(|_| self.chosen() != Some(&shader)) {
            let draft = Draft::open(shader.clone(), source);
            self.draft = Some(draft);
            (self.refused, self.told, self.keeping) = (false, None, None);
        }
    }

    fn saved_source(&self, id: ShaderId) -> Option<&str> {
        self.saved.as_ref()?.1.get(id).map(|shader| shader.source.as_str())
    }
}

/// The key of notices that this panel makes needless: what is wrong stands at its line.
pub fn told_here(snapshot: &Snapshot, view: &View) -> Option<String> {
    let said = snapshot.shader(view.chosen()?)?;
    matches!(said.verdict, Verdict::Failed(_)).then(|| format!("shader {}", said.shader))
}

fn source_of<'a>(project: &'a Project, shader: &'a ShaderRef) -> Option<&'a str> {
    match shader {
        ShaderRef::BuiltIn(name) => built_in(name),
        ShaderRef::Project(id) => project.shaders.get(*id).map(|shader| shader.source.as_str()),
        ShaderRef::Library(shader) => Some(&shader.source),
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
    if let Some(ShaderRef::Library(shown)) = view.chosen() {
        // Its file was written meanwhile, or is gone.
        match view.library.get(&shown.name).cloned() {
            Some(now) => view.choose(ShaderRef::Library(now), project),
            None => view.draft = None,
        }
    }
    if let Some(draft) = &mut view.draft {
        let shader = draft.shader.clone();
        match source_of(project, &shader) {
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
    bar::bar_ui(ui, snapshot, said, view, wishes);
    let Some(draft) = &mut view.draft else { return };
    if view.header.0 != draft.text {
        // While a header line is typed, the controls stay as they were.
        let header = Header::parse(&draft.text).unwrap_or_else(|_| std::mem::take(&mut view.header.1));
        view.header = (draft.text.clone(), header);
    }
    let names: Vec<String> = view.header.1.params.iter().map(|param| param.name.clone()).collect();
    view.faults.follow(&shader, said);
    let room = ui.available_rect_before_wrap();
    let room = Rect::from_min_max(room.min, pos2(room.right(), room.bottom().max(room.top() + LEAST_CODE)));
    let wide = room.width() > 2.4 * ASIDE || view.helps;
    let split = if wide { room.right() - ASIDE } else { room.right() };
    text_ui(ui, Rect::from_min_max(room.min, pos2(split - theme::STEP, room.bottom())), &names, view);
    if wide {
        shelf::room_ui(ui, "aside", Rect::from_min_max(pos2(split, room.top()), room.max), |ui| {
            aside_ui(ui, &snapshot.project, pictures, view);
        });
    }
}

/// The code, and what is wrong with it.
fn text_ui(ui: &mut Ui, room: Rect, params: &[String], view: &mut View) {
    let View { draft: Some(draft), faults, inked, go_to, .. } = view else { return };
    let stale = faults.stale(&draft.text);
    let (text, below) = room.split_top_bottom_at_y(room.bottom() - faults.height(room.height()));
    let (id, editable) = (code_id(&draft.shader), draft.is_editable());
    let line = go_to.take();
    let changed = shelf::room_ui(ui, "text", text, |ui| {
        let (text, faults) = (&mut draft.text, faults.errors());
        let code = Code { id, text, editable, params, faults, stale, go_to: line };
        code::code_ui(ui, ui.max_rect().size(), code, inked)
    });
    if changed {
        draft.typed(ui.input(|input| input.time));
        // What stands above says so at once.
        ui.ctx().request_repaint();
    }
    *go_to = shelf::room_ui(ui, "errors", below, |ui| faults_ui(ui, faults, stale));
    if go_to.is_some() {
        // In the frame of a click whatever was not clicked loses the keyboard.
        ui.ctx().request_repaint();
    }
}

fn code_id(shader: &ShaderRef) -> Id {
    Id::unique(("code of", shader))
}

/// Help, or the preview and the parameters.
fn aside_ui(ui: &mut Ui, project: &Project, pictures: &mut Pictures, view: &mut View) {
    let View { draft: Some(draft), header, helps, help, plane, focus, .. } = view else { return };
    let now = ui.input(|input| input.time);
    if *helps {
        if help.is_empty() {
            *help = entries();
        }
        if let Some(words) = help::help_ui(ui, help).filter(|_| draft.is_editable()) {
            code::insert(ui.ctx(), code_id(&draft.shader), &mut draft.text, &words);
            draft.typed(now);
        }
        return;
    }
    preview::preview_ui(ui, project, pictures, (&draft.shader, *focus), plane);
    ScrollArea::vertical().id_salt("params").auto_shrink(false).show(ui, |ui| {
        if let Some(text) = params::params_ui(ui, &header.1, &draft.text, draft.is_editable()) {
            draft.text = text;
            draft.turned(now);
        }
    });
}
