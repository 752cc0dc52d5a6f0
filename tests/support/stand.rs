//! The window with a console behind it, in simulated time: what the operator does, by label.
#![allow(dead_code, reason = "every test uses a part of it")]

use crate::support::{self, Console};
use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::Window;
use glowdeck::app::files::{Dialogs, Question};
use glowdeck::show::command::{Command, LiveCommand};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One step of the harness, seconds.
pub const STEP: f32 = 0.05;

/// Lets what was sent reach the show, and what came of it the window.
pub fn settle(stand: &mut Stand) {
    (0..3).for_each(|_| drop(stand.sent()));
}

/// Tells the show something, as if another part of the program did.
pub fn send(stand: &mut Stand, command: Command) {
    assert!(stand.console.handles.commands.send(command));
    settle(stand);
}

/// Writes this into a field, and Enter.
pub fn enter(stand: &mut Stand, label: &str, text: &str) {
    stand.window.get_by_role_and_label(Role::TextInput, label).focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.get_by_role_and_label(Role::TextInput, label).type_text(text);
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Enter);
    settle(stand);
}

/// The window with a console behind it, in simulated time.
pub struct Stand {
    pub window: Harness<'static, Window>,
    pub console: Console,
    pub now: Instant,
    pub chosen: crossbeam_channel::Sender<Option<PathBuf>>,
    pub asked: crossbeam_channel::Receiver<Question>,
}

impl Stand {
    pub fn new() -> Self {
        Self::sized(1280.0, 720.0)
    }

    pub fn sized(width: f32, height: f32) -> Self {
        Self::shaped(width, height, |window, _| window)
    }

    /// A window of this size to which something was done before its first frame.
    pub fn shaped(width: f32, height: f32, shape: impl FnOnce(Window, &egui::Context) -> Window) -> Self {
        let now = Instant::now();
        let console = Console::new(support::demo(), support::sculpture(), now);
        let handles = console.handles.clone();
        let (chosen, choice) = crossbeam_channel::bounded(1);
        let (question, asked) = crossbeam_channel::bounded(1);
        let dialogs = Dialogs::new(Arc::new(move |asked: &Question| {
            let _ = question.send(asked.clone());
            choice.recv().ok().flatten()
        }));
        let window = Harness::builder()
            .with_size(vec2(width, height))
            .with_step_dt(STEP)
            .build_eframe(|cc| shape(Window::new(cc, handles, dialogs), &cc.egui_ctx));
        let mut stand = Self { window, console, now, chosen, asked };
        stand.window.run_steps(2);
        stand.sent();
        stand
    }

    /// What the show was told since the last time, but for what is watched.
    pub fn sent(&mut self) -> Vec<Command> {
        self.now += Duration::from_millis(50);
        let sent = self.console.step(self.now);
        self.window.step();
        let watches = |command: &Command| {
            matches!(command, Command::WatchStage(_) | Command::WatchLayout(_) | Command::WatchThumbnails(_))
        };
        sent.into_iter().filter(|command| !watches(command)).collect()
    }

    pub fn live(&mut self) -> Vec<LiveCommand> {
        let live = |command| if let Command::Live(live) = command { Some(live) } else { None };
        self.sent().into_iter().filter_map(live).collect()
    }

    pub fn middle(&self, label: &str) -> Pos2 {
        self.window.get_by_label(label).rect().center()
    }

    pub fn press(&mut self, at: Pos2) {
        self.window.hover_at(at);
        self.window.drag_at(at);
        self.window.step();
    }

    pub fn wait(&mut self, secs: f32) {
        self.window.run_steps((secs / STEP).round() as usize);
    }

    /// Chooses a menu item, whose label ends in its keys.
    pub fn choose(&mut self, menu: &str, item: &str) {
        self.click(menu);
        self.window.step();
        self.window.get_by_label_contains(item).click();
        self.window.step();
    }

    pub fn click(&mut self, label: &str) {
        self.window.get_by_label(label).click();
        self.window.step();
    }

    pub fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.window.key_press_modifiers(modifiers, key);
        self.window.step();
    }
}
