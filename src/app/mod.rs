//! The window: an egui app that reads snapshots and sends commands.
//!
//! Runs on the main thread, named `ui` in the architecture. The panels read and return wishes; [`logic`] carries them
//! out after the frame. Deliberately absent: a copy of the show.

pub mod about;
pub mod action;
mod blink;
mod changes;
pub mod colours;
pub mod control;
pub mod curves;
pub mod definitions;
pub mod desk;
pub mod devices;
mod fields;
pub mod files;
mod fingers;
mod gallery;
pub mod grid;
mod handles;
pub mod hints;
pub mod icons;
pub mod inputs;
pub mod inspector;
mod interfaces;
mod key_sheet;
pub mod kiosk;
pub mod logic;
mod menu;
mod modulation;
mod news;
mod nodes;
pub mod notices;
mod opening;
pub mod palettes;
pub mod parts;
pub mod patch;
pub mod pictures;
mod point;
mod preferences;
pub mod probe;
pub mod scenes;
pub mod search;
pub mod settings;
pub mod shader;
mod shelf;
pub mod shortcuts;
pub mod stage;
mod status_bar;
mod tabs;
pub mod theme;
mod tile;
pub mod top_bar;
mod unit;
pub mod unsaved;
mod value;
pub mod waker;
mod widgets;
pub mod workspace;

use crate::notice::Notice;
use crate::show::snapshot::Snapshot;
use action::Action;
use desk::{Desk, Views};
use egui::{Align2, Context, Frame, Margin, Panel, RawInput, Ui, Vec2, ViewportCommand, vec2};
use files::Dialogs;
pub use handles::Handles;
use hints::Hint;
use kiosk::Kiosk;
use logic::{Logic, Now};
use news::News;
pub use opening::{NoWindow, WindowOptions, run, run_watched};
use parts::part;
use probe::Probing;
use settings::{Keeper, Settings};
use stage::Stage;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unsaved::Unsaved;
use waker::Waker;

/// Less room than this has nothing that could be played, points.
const LEAST_ROOM: Vec2 = vec2(320.0, 200.0);

/// The window.
pub struct Window {
    logic: Logic,
    settings: Settings,
    keeper: Keeper,
    /// There where this is a kiosk.
    kiosk: Option<Kiosk>,
    views: Views,
    began: Instant,
    title: String,
    /// Closing was decided.
    leaving: bool,
    /// What the first minutes need.
    hint: Hint,
    /// Paints since this second of the window began, for the log.
    paints: (u64, u32),
    /// Where it all runs.
    place: about::Place,
    /// A bench looks on.
    probing: Option<Probing>,
    /// Dropped with the window, which ends its thread.
    _waker: Option<Waker>,
}

impl Window {
    /// Puts the look on, makes the stage's GL objects and starts to wait for snapshots.
    pub fn new(cc: &eframe::CreationContext<'_>, handles: Handles, dialogs: Dialogs) -> Self {
        let ctx = &cc.egui_ctx;
        theme::install(ctx);
        ctx.add_plugin(fingers::Fingers);
        ctx.add_plugin(colours::Shading::default());
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let waker = Waker::start(
            ctx.clone(),
            Arc::clone(&handles.snapshots),
            Arc::clone(&handles.output),
            News {
                found: Arc::clone(&handles.found),
                heard: Arc::clone(&handles.heard),
                library: Arc::clone(&handles.library),
            },
            handles.notices.clone(),
            handles.close.clone(),
        );
        let mut logic = Logic::new(handles, dialogs);
        let began = Instant::now();
        let now = Now { instant: began, secs: 0.0 };
        let stage = Stage::new(cc.gl.as_ref()).unwrap_or_else(|error| {
            logic.tell(Notice::error("stage", format!("The stage cannot be drawn: {error}. The light goes on.")), now);
            Stage::blind()
        });
        if let Err(error) = &waker {
            let words = format!("The window updates only when it is touched: {error}. The light goes on.");
            logic.tell(Notice::error("window", words), now);
        }
        Self {
            logic,
            settings: Settings::default(),
            keeper: Keeper::default(),
            kiosk: None,
            views: Views::new(stage),
            began,
            title: String::new(),
            leaving: false,
            hint: Hint::default(),
            paints: (0, 0),
            place: about::Place { window_gl: about::gl_name(cc.gl.as_deref()), settings: None },
            probing: None,
            _waker: waker.ok(),
        }
    }

    /// The window for fingers, or that for a desk.
    pub fn as_kiosk(mut self, kiosk: bool) -> Self {
        self.kiosk = kiosk.then(Kiosk::default);
        self
    }

    /// The window as this machine had it; from here on changes are kept at `path`.
    pub fn restored(mut self, ctx: &Context, settings: Settings, path: Option<PathBuf>) -> Self {
        settings.preferences.put_on(ctx);
        self.place.settings.clone_from(&path);
        self.keeper = Keeper::new(path, settings.clone());
        self.settings = settings;
        self
    }

    /// Has what changed of the settings written, or asks to be woken when it may be.
    fn keep_settings(&mut self, ctx: &Context, ending: bool) {
        self.settings.preferences.scale = ctx.zoom_factor();
        if let Some(path) = self.logic.snapshot.as_ref().and_then(|snapshot| snapshot.path.as_deref()) {
            self.settings.remember(path);
        }
        match self.keeper.follow(&self.settings, self.now().secs, ending) {
            Ok(request) => request.into_iter().for_each(|request| self.logic.keep(request)),
            Err(secs) => ctx.request_repaint_after(Duration::from_secs_f64(secs)),
        }
    }

    fn now(&self) -> Now {
        let instant = Instant::now();
        Now { instant, secs: instant.duration_since(self.began).as_secs_f64() }
    }

    fn perform(&mut self, ctx: &Context, action: Action, now: Now) {
        let waking = ctx.clone();
        match self.logic.apply(action, now, move || waking.request_repaint()) {
            Some(Action::Fullscreen) => {
                let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!full));
            }
            Some(Action::Zoom(0)) => ctx.set_zoom_factor(1.0),
            Some(Action::Zoom(step)) if step > 0 => egui::gui_zoom::zoom_in(ctx),
            Some(Action::Zoom(_)) => egui::gui_zoom::zoom_out(ctx),
            Some(Action::Prefer(preferences)) => {
                preferences.put_on(ctx);
                self.settings.preferences = preferences;
            }
            Some(Action::FrameRate(rate)) => self.settings.running.frame_rate = rate,
            Some(Action::LeaveBy(interface)) => self.settings.running.interface = interface,
            Some(Action::Keys(keys)) => self.settings.keys = keys,
            Some(Action::FitStage) => self.views.stage.fit(),
            Some(Action::Panel(panel)) => self.settings.workspace.toggle(panel),
            Some(Action::Show(panel)) => self.settings.workspace.open(panel),
            Some(Action::Inspect(_)) => self.settings.workspace.open(workspace::Panel::Inspector),
            Some(Action::ResetPanels) => self.settings.workspace.reset(),
            Some(Action::Arrange(wanted)) => self.settings.workspace.arrange(wanted),
            Some(Action::Close) => ctx.send_viewport_cmd(ViewportCommand::Close),
            Some(Action::CloseAnyway) => {
                self.leaving = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            _ => {}
        }
    }

    /// A window with edits that no file holds asks before it closes, unless the system wants it closed.
    fn guard_close(&mut self, ctx: &Context) {
        // A kiosk edits nothing, and nobody there could answer.
        let asked = self.kiosk.is_none() && ctx.input(|input| input.viewport().close_requested());
        let ending = self.leaving || ctx.data(|data| data.get_temp(waker::ending())).unwrap_or(false);
        let unsaved = self.logic.snapshot.as_ref().is_some_and(|snapshot| snapshot.dirty);
        if asked && unsaved && !ending {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.logic.asking = Some(Unsaved::Quit);
        }
    }

    /// Logs how often the window was painted in each second, with `--log-level debug`.
    fn count_paint(&mut self, now: Now) {
        let second = now.secs as u64;
        if second != self.paints.0 {
            tracing::debug!(paints = self.paints.1, "painted in a second");
            self.paints = (second, 0);
        }
        self.paints.1 += 1;
    }

    fn name_window(&mut self, ctx: &Context, snapshot: &Snapshot) {
        let mark = if snapshot.dirty { "*" } else { "" };
        let title = format!("{}{mark} - Glowdeck", snapshot.project.settings.name);
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// The line above the status bar, where there is something to ask or to hint at.
    fn line_ui(&mut self, ui: &mut Ui, snapshot: &Snapshot) -> Option<Action> {
        let line = |name: &'static str, height: f32| {
            let line = Panel::bottom(name).exact_size(height).show_separator_line(false).resizable(false);
            line.frame(Frame::new().fill(theme::BAR).inner_margin(Margin::symmetric(16, 0)))
        };
        if let Some(asked) = self.logic.asking {
            return line("unsaved", unsaved::HEIGHT).show(ui, |ui| unsaved::unsaved_ui(ui, asked)).inner;
        }
        let hint = self.hint.due(snapshot, &self.settings, self.logic.focus.scene.is_some())?;
        self.hint = hint;
        let (project, preferences) = (&snapshot.project, self.settings.preferences);
        line("hints", hints::HEIGHT).show(ui, |ui| hints::hint_ui(ui, hint, project, preferences)).inner
    }

    /// The panels, from the edges inwards; what is asked for comes back.
    fn panels_ui(&mut self, ui: &mut Ui, snapshot: &Snapshot, now: Now) -> Vec<Action> {
        let bar = |margin: i8| Frame::new().fill(theme::BAR).inner_margin(Margin::symmetric(margin, 0));
        let mut wishes = shortcuts::actions(ui.ctx(), snapshot, &self.settings.keys, self.views.is_capturing(ui.ctx()));
        if let Some(kiosk) = &mut self.kiosk {
            wishes.retain(kiosk::is_played);
            self.logic.stage_open = kiosk::has_stage(ui.max_rect().width());
            wishes.extend(kiosk::kiosk_ui(ui, snapshot, &self.settings, &mut self.views, kiosk));
            wishes.extend(kiosk::notices_ui(ui, &self.logic.toasts));
            return wishes;
        }
        let top = Panel::top("top").exact_size(top_bar::HEIGHT).show_separator_line(false).resizable(false);
        wishes.extend(part("top bar", || {
            top.frame(bar(16)).show(ui, |ui| top_bar::top_bar_ui(ui, snapshot, &self.settings)).inner
        }));
        let bottom = Panel::bottom("status").exact_size(status_bar::HEIGHT).show_separator_line(false).resizable(false);
        let (figures, roll) = (&self.logic.figures, self.logic.roll.as_deref());
        wishes.extend(part("status bar", || {
            bottom.frame(bar(16)).show(ui, |ui| status_bar::status_bar_ui(ui, snapshot, figures, roll)).inner
        }));
        wishes.extend(self.line_ui(ui, snapshot));
        let mut desk = Desk {
            snapshot,
            logic: &mut self.logic,
            views: &mut self.views,
            wishes: Vec::new(),
            preferences: self.settings.preferences,
            running: &self.settings.running,
            place: &self.place,
            now: now.instant,
            keys: &self.settings.keys,
            cramped: tabs::cramped(self.settings.workspace.tree(), ui),
            stage_shown: false,
        };
        egui::CentralPanel::no_frame().show(ui, |ui| self.settings.workspace.tree().ui(&mut desk, ui));
        let Desk { wishes: asked, stage_shown, .. } = desk;
        wishes.extend(asked);
        if self.logic.stage_open != stage_shown {
            self.logic.stage_open = stage_shown;
            ui.ctx().request_repaint();
        }
        wishes.extend(notices::notices_ui(ui, &self.logic.toasts, status_bar::HEIGHT));
        if let Some(search) = &mut self.logic.search {
            let (chosen, over) = search::search_ui(ui, search, search::entries(snapshot, &self.settings));
            if over {
                self.logic.search = None;
            }
            wishes.extend(chosen);
        }
        wishes
    }

    /// Shows the show, and does what was asked for.
    fn paint(&mut self, ui: &mut Ui) {
        let now = self.now();
        self.count_paint(now);
        let say = |words| {
            let place = ui.max_rect().center();
            ui.painter().text(place, Align2::CENTER_CENTER, words, theme::small(), theme::TEXT_QUIET);
        };
        let Some(snapshot) = self.logic.snapshot.clone() else { return say("Starting…") };
        if ui.max_rect().width() < LEAST_ROOM.x || ui.max_rect().height() < LEAST_ROOM.y {
            return say("Make me larger");
        }
        self.name_window(ui.ctx(), &snapshot);
        let ctx = ui.ctx().clone();
        self.views.pictures.refresh(&ctx, &snapshot.thumbnails);
        self.views.shader.remember(&snapshot);
        self.views.stock(&self.logic.library());
        let wishes = self.panels_ui(ui, &snapshot, now);
        part("wishes", || wishes.into_iter().for_each(|action| self.perform(&ctx, action, now)));
        self.logic.watch_thumbnails(self.views.pictures.take_shown());
        self.logic.watch_layout(self.views.stage.layout());
        if let Some(fault) = self.views.stage.take_fault() {
            self.logic.tell(fault, now);
        }
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        let hidden = ctx.input(|input| {
            let viewport = input.viewport();
            viewport.minimized == Some(true) || viewport.occluded == Some(true)
        });
        if let Some(left) = part("reading", || self.logic.refresh(self.now(), !hidden)) {
            ctx.request_repaint_after(left);
        }
        self.keep_settings(ctx, false);
        if let Some(next) = self.logic.take_saved() {
            self.perform(ctx, next.go_on(), self.now());
        }
        self.guard_close(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        if self.probing.is_none() {
            return self.paint(ui);
        }
        let allocations = probe::counted(|| self.paint(ui));
        let show = self.logic.snapshot.is_some();
        self.probing.iter_mut().for_each(|probing| probing.painted(show, allocations));
    }

    fn raw_input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if let Some(probing) = &mut self.probing {
            probing.pass(ctx, input, &mut self.settings);
        }
    }

    fn on_exit(&mut self, _: Option<&glow::Context>) {
        if let Ok(Some(request)) = self.keeper.follow(&self.settings, self.now().secs, true) {
            self.logic.keep(request);
        }
        self.views.stage.destroy();
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        self.settings.preferences.colours.of(theme::GROUND).to_normalized_gamma_f32()
    }
}
