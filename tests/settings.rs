//! What a machine remembers, and that nothing unsaved is lost when the window closes or another project opens.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

mod support;

use egui::{ViewportCommand, ViewportEvent, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::Window;
use glowdeck::app::files::Dialogs;
use glowdeck::app::settings::{Preferences, Settings};
use glowdeck::model::edit::{Edit, SceneField};
use glowdeck::model::id::SceneId;
use glowdeck::show::command::Command;
use glowdeck::storage::FileRequest;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::Console;

struct Stand {
    window: Harness<'static, Window>,
    console: Console,
    now: Instant,
}

impl Stand {
    fn new(settings: Settings) -> Self {
        let now = Instant::now();
        let console = Console::new(support::demo(), support::sculpture(), now);
        let handles = console.handles.clone();
        let saving = Dialogs::new(Arc::new(|_| Some("/tmp/chosen.ron".into())));
        let window = Harness::builder().with_size(vec2(1280.0, 720.0)).with_step_dt(0.05).build_eframe(|cc| {
            Window::new(cc, handles, saving).restored(&cc.egui_ctx, settings, Some("/x/settings.ron".into()))
        });
        let mut stand = Self { window, console, now };
        stand.steps(3);
        stand
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.now += Duration::from_millis(50);
            self.console.step(self.now);
            self.window.step();
        }
    }

    fn choose(&mut self, menu: &str, item: &str) {
        self.window.get_by_label(menu).click();
        self.steps(2);
        self.window.get_by_label_contains(item).click();
        self.steps(2);
    }

    /// Makes an edit that no file holds.
    fn edit(&mut self) {
        let edit = Edit::Scene(SceneId(1), SceneField::Name("Another".into()));
        assert!(self.console.handles.commands.send(Command::Edit { edit, gesture: None }));
        self.steps(3);
    }

    /// Steps while asking the window to close; what it answers.
    fn close(&mut self) -> Vec<ViewportCommand> {
        let viewport = self.window.input_mut().viewports.get_mut(&egui::ViewportId::ROOT).unwrap();
        viewport.events.push(ViewportEvent::Close);
        self.window.step();
        let viewport = self.window.input_mut().viewports.get_mut(&egui::ViewportId::ROOT).unwrap();
        viewport.events.clear();
        self.commands()
    }

    fn commands(&self) -> Vec<ViewportCommand> {
        let output = self.window.output();
        output.viewport_output.values().flat_map(|viewport| viewport.commands.clone()).collect()
    }

    fn requests(&self) -> Vec<FileRequest> {
        self.console.files.try_iter().collect()
    }
}

#[test]
fn what_is_arranged_is_written_and_comes_back() {
    let mut stand = Stand::new(Settings::default());
    stand.choose("View", "Show Devices");
    let kept = |stand: &mut Stand| {
        stand.steps(2);
        stand.requests().into_iter().find_map(|request| match request {
            FileRequest::Keep { path, text } => Some((path, text)),
            _ => None,
        })
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    let (path, text) = loop {
        if let Some(kept) = kept(&mut stand) {
            break kept;
        }
        assert!(Instant::now() < deadline, "never written");
    };
    assert_eq!(path, Path::new("/x/settings.ron"));
    let stand = Stand::new(ron::from_str(&text).unwrap());
    assert!(stand.window.query_by_label("Add…").is_some(), "the panel of devices is open again");
}

#[test]
fn a_project_of_before_is_opened_from_the_menu() {
    let recent = vec![PathBuf::from("/shows/ring.ron")];
    let mut stand = Stand::new(Settings { recent, ..Settings::default() });
    stand.choose("Project", "Open again");
    stand.window.get_by_label_contains("ring.ron").click();
    stand.steps(2);
    let asked = stand.requests();
    assert!(matches!(&asked[..], [FileRequest::Open(path)] if path == Path::new("/shows/ring.ron")), "{asked:?}");
}

#[test]
fn with_unsaved_edits_a_project_of_before_waits_for_an_answer() {
    let recent = vec![PathBuf::from("/shows/ring.ron")];
    let mut stand = Stand::new(Settings { recent, ..Settings::default() });
    stand.edit();
    stand.choose("Project", "Open again");
    stand.window.get_by_label_contains("ring.ron").click();
    stand.steps(2);
    assert!(stand.requests().is_empty());
    stand.steps(2);
    stand.window.get_by_label("Open anyway").click();
    stand.steps(2);
    assert!(matches!(&stand.requests()[..], [FileRequest::Open(path)] if path == Path::new("/shows/ring.ron")));
}

#[test]
fn a_window_with_unsaved_edits_asks_before_it_closes_and_one_without_does_not() {
    let mut stand = Stand::new(Settings::default());
    assert!(!stand.close().contains(&ViewportCommand::CancelClose), "nothing would be lost");
    stand.edit();
    assert!(stand.close().contains(&ViewportCommand::CancelClose));
    stand.steps(2);
    stand.window.get_by_label("Stay here").click();
    stand.steps(2);
    assert!(stand.window.query_by_label("Quit without saving").is_none());
    assert!(stand.close().contains(&ViewportCommand::CancelClose));
    stand.steps(2);
    stand.window.get_by_label("Quit without saving").click();
    stand.window.step();
    stand.window.step();
    assert!(!stand.close().contains(&ViewportCommand::CancelClose), "it was decided");
}

#[test]
fn a_scale_that_was_chosen_is_used_from_the_start() {
    let stand = Stand::new(Settings {
        preferences: Preferences { scale: 1.5, ..Preferences::default() },
        ..Settings::default()
    });
    assert_eq!(stand.window.ctx.zoom_factor(), 1.5);
}
