//! What the window does, apart from egui: it reads what others publish and sends what the operator wants.
//!
//! Runs on the ui thread, time as an argument. Deliberately absent: anything that the snapshot already holds.

use super::Handles;
use super::action::Action;
use super::files::{Answer, Dialogs, Question, offered_name};
use super::notices::Toasts;
use super::search::Search;
use super::settings::fps_of;
use super::unsaved::Unsaved;
use super::waker::FIGURES;
use crate::input::bridge::heard::Heard;
use crate::model::device::{Device, Route};
use crate::model::fresh::fresh;
use crate::model::id::{EffectId, LayoutId, SceneId, Table};
use crate::model::library::UserLibrary;
use crate::notice::Notice;
use crate::output::discovery::nodes::Found;
use crate::output::discovery::roll::Roll;
use crate::output::stats::OutputStats;
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::{RenderStats, Snapshot};
use crate::show::thumbnail::ThumbnailKey;
use crate::storage::FileRequest;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Figures as they were last read, twice a second: numbers that change with every frame cannot be read.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// How rendering goes.
    pub render: RenderStats,
    /// What goes out.
    pub output: Arc<OutputStats>,
    due: f64,
}

/// What the panels of design are about: what the operator touched last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// A scene of the grid.
    pub scene: Option<SceneId>,
    /// An effect of it.
    pub effect: Option<EffectId>,
}

/// What is to come in place of this project, once it is said what becomes of its edits.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    /// A project that is still to be chosen.
    Choice,
    /// This one.
    Path(PathBuf),
    /// A new one.
    New,
}

/// A moment of the window.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// For taps.
    pub instant: Instant,
    /// Seconds since the window opened.
    pub secs: f64,
}

/// The window's own state: drafts and choices of view.
pub struct Logic {
    handles: Handles,
    dialogs: Dialogs,
    watching: Option<bool>,
    /// The layout of the stage that the show was told of.
    layout: Option<LayoutId>,
    /// The thumbnails that the show was told of.
    thumbnails: Vec<ThumbnailKey>,
    visible: bool,
    /// The newest snapshot.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Figures of the status bar.
    pub figures: Figures,
    /// Devices and nodes side by side; `None` where nobody is asked.
    pub roll: Option<Arc<Roll>>,
    /// What the roll was made of.
    called: Option<(Table<Device>, Table<Route>, Arc<Found>)>,
    /// Notices on the screen.
    pub toasts: Toasts,
    /// Whether the stage was drawn in the last frame.
    pub stage_open: bool,
    /// The command search, while it is open.
    pub search: Option<Search>,
    /// What is worked at.
    pub focus: Focus,
    /// The project that is to be opened once it is said what becomes of this one.
    wanted: Wanted,
    /// What happens when the project is saved. Given up where it is not: a save of later must not end anything.
    then: Option<Unsaved>,
    /// What is asked about edits that no file holds.
    pub asking: Option<Unsaved>,
}

impl Logic {
    /// Nothing was read yet.
    pub fn new(handles: Handles, dialogs: Dialogs) -> Self {
        Self {
            handles,
            dialogs,
            watching: None,
            layout: None,
            thumbnails: Vec::new(),
            visible: true,
            snapshot: None,
            figures: Figures::default(),
            roll: None,
            called: None,
            toasts: Toasts::default(),
            stage_open: true,
            search: None,
            focus: Focus::default(),
            wanted: Wanted::Choice,
            then: None,
            asking: None,
        }
    }

    /// Reads what the others have published. `visible` is whether anybody can see the window. Returns how long until
    /// a notice goes by itself.
    pub fn refresh(&mut self, now: Now, visible: bool) -> Option<Duration> {
        self.snapshot = self.handles.snapshots.latest();
        for notice in self.handles.notices.try_iter() {
            self.toasts.show(notice, now.secs);
        }
        if now.secs >= self.figures.due {
            let render = self.snapshot.as_ref().map(|snapshot| snapshot.render.clone()).unwrap_or_default();
            let output = self.handles.output.latest().unwrap_or_default();
            self.figures = Figures { render, output, due: now.secs + FIGURES.as_secs_f64() };
        }
        self.call_roll();
        match self.dialogs.poll() {
            Some(Answer::Open(path)) => self.request(FileRequest::Open(path), now),
            Some(Answer::Save(path)) => self.send(Command::Save(path), now),
            Some(Answer::NoDialog) => {
                let words = "This desktop has no file dialog (xdg-desktop-portal). Start Glowdeck with a project's \
                             path to open it; nothing was opened or saved.";
                self.toasts.show(Notice::warning("files", words), now.secs);
                self.then = None;
            }
            Some(Answer::Nothing) => self.then = None,
            None => {}
        }
        self.visible = visible;
        if !visible {
            self.watch_thumbnails(Vec::new());
        }
        let watched = visible && self.stage_open;
        if self.watching != Some(watched) && self.handles.commands.send(Command::WatchStage(watched)) {
            self.watching = Some(watched);
        }
        self.toasts.expire(now.secs)
    }

    /// Makes the roll anew when the nodes, devices or routes are others than before.
    fn call_roll(&mut self) {
        let (Some(snapshot), Some(found)) = (&self.snapshot, self.handles.found.latest()) else { return };
        let project = &snapshot.project;
        let same = self.called.as_ref().is_some_and(|(devices, routes, nodes)| {
            devices.same_as(&project.devices) && routes.same_as(&project.routes) && Arc::ptr_eq(nodes, &found)
        });
        if !same {
            self.roll = Some(Arc::new(Roll::call(project, &found)));
            self.called = Some((project.devices.clone(), project.routes.clone(), found));
        }
    }

    /// The user's shaders, where they are looked at.
    pub fn library(&self) -> Arc<UserLibrary> {
        self.handles.library.latest().unwrap_or_default()
    }

    /// Tells the show which thumbnails are on the screen, when these are others than before.
    pub fn watch_thumbnails(&mut self, shown: Vec<ThumbnailKey>) {
        let shown = if self.visible { shown } else { Vec::new() };
        if shown != self.thumbnails && self.handles.commands.send(Command::WatchThumbnails(shown.clone())) {
            self.thumbnails = shown;
        }
    }

    /// Tells the show which layout the stage shows, when it is another than before.
    pub fn watch_layout(&mut self, layout: Option<LayoutId>) {
        if layout != self.layout && self.handles.commands.send(Command::WatchLayout(layout)) {
            self.layout = layout;
        }
    }

    /// Does what the operator wants; `wake` wakes the window from another thread. What only the window itself can do
    /// is handed back.
    pub fn apply(&mut self, action: Action, now: Now, wake: impl FnOnce() + Send + 'static) -> Option<Action> {
        match action {
            Action::Send(command) => self.send(command, now),
            Action::Tap => self.send(LiveCommand::Tap(now.instant).into(), now),
            Action::New => self.replace(Wanted::New, now, wake),
            Action::Open => self.replace(Wanted::Choice, now, wake),
            Action::OpenPath(path) => self.replace(Wanted::Path(path), now, wake),
            Action::OpenAnyway => self.replace_now(now, wake),
            Action::SaveFirst(then) => {
                (self.asking, self.then) = (None, Some(then));
                self.save(false, now, wake);
            }
            Action::Save | Action::SaveAs => {
                (self.asking, self.then) = (None, None);
                self.save(matches!(action, Action::SaveAs), now, wake);
            }
            Action::Unsaved(asking) => self.asking = asking,
            Action::Search => self.search = if self.search.is_none() { Some(Search::default()) } else { None },
            Action::Focus(focus) => self.focus = focus,
            Action::Dismiss(key) => self.toasts.dismiss(&key),
            Action::PutShader(request) => {
                if self.handles.files.try_send(request).is_err() {
                    let words = "The shader was not saved to the library: files are busy or gone. The project has it.";
                    self.toasts.show(Notice::error("files", words), now.secs);
                }
            }
            Action::FrameRate(rate) => {
                self.send(Command::Pace(fps_of(rate)), now);
                return Some(action);
            }
            Action::LeaveBy(ref interface) => {
                self.handles.usual_interface.publish(Arc::new(interface.clone()));
                return Some(action);
            }
            Action::Inspect(scene) => {
                self.focus = Focus { scene: Some(scene), effect: None };
                return Some(action);
            }
            Action::Fullscreen
            | Action::Zoom(_)
            | Action::FitStage
            | Action::Panel(_)
            | Action::Show(_)
            | Action::Prefer(_)
            | Action::Keys(_)
            | Action::Arrange(_)
            | Action::ResetPanels
            | Action::Close
            | Action::CloseAnyway => return Some(action),
        }
        None
    }

    /// Another project is to come; edits that no file holds are asked about first.
    fn replace(&mut self, wanted: Wanted, now: Now, wake: impl FnOnce() + Send + 'static) {
        let new = wanted == Wanted::New;
        self.wanted = wanted;
        match self.unsaved() {
            true => self.asking = Some(if new { Unsaved::New } else { Unsaved::Open }),
            false => self.replace_now(now, wake),
        }
    }

    fn replace_now(&mut self, now: Now, wake: impl FnOnce() + Send + 'static) {
        self.asking = None;
        match std::mem::replace(&mut self.wanted, Wanted::Choice) {
            Wanted::Choice => self.ask(Question::Open, now, wake),
            Wanted::Path(path) => self.request(FileRequest::Open(path), now),
            Wanted::New => {
                self.focus = Focus::default();
                self.send(Command::Load { project: Box::new(fresh()), path: None }, now);
            }
        }
    }

    /// Who sends light that is heard; nobody where none was yet.
    pub fn heard(&self) -> Arc<Heard> {
        self.handles.heard.latest().unwrap_or_default()
    }

    fn unsaved(&self) -> bool {
        self.snapshot.as_ref().is_some_and(|snapshot| snapshot.dirty)
    }

    /// What waited for a save that is done, once.
    pub fn take_saved(&mut self) -> Option<Unsaved> {
        if self.unsaved() { None } else { self.then.take() }
    }

    /// Has a small file written.
    pub fn keep(&mut self, request: FileRequest) {
        // Storage that is too busy gets the next change.
        let _ = self.handles.files.try_send(request);
    }

    /// Tells the operator something.
    pub fn tell(&mut self, notice: Notice, now: Now) {
        self.toasts.show(notice, now.secs);
    }

    fn save(&mut self, elsewhere: bool, now: Now, wake: impl FnOnce() + Send + 'static) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        match &snapshot.path {
            Some(path) if !elsewhere => self.send(Command::Save(path.clone()), now),
            path => {
                let name = offered_name(path.as_deref(), &snapshot.project.settings.name);
                self.ask(Question::SaveAs(name), now, wake);
            }
        }
    }

    fn ask(&mut self, question: Question, now: Now, wake: impl FnOnce() + Send + 'static) {
        if let Err(notice) = self.dialogs.open(question, wake) {
            self.toasts.show(notice, now.secs);
        }
    }

    fn send(&mut self, command: Command, now: Now) {
        if !self.handles.commands.send(command) {
            let words = "The show takes no commands at the moment, this one was not done. The light stays as it is.";
            self.toasts.show(Notice::error("window", words), now.secs);
        }
    }

    fn request(&mut self, request: FileRequest, now: Now) {
        if self.handles.files.try_send(request).is_err() {
            let words = "The project was not read: files are busy or gone. The show goes on as it is.";
            self.toasts.show(Notice::error("files", words), now.secs);
        }
    }
}
