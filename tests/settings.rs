//! What a machine remembers, and that nothing unsaved is lost when the window closes or another project opens.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

mod support;

use egui::accesskit::Role;
use egui::{ViewportCommand, ViewportEvent, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable as _};
use glowdeck::app::Window;
use glowdeck::app::colours::Colours;
use glowdeck::app::files::Dialogs;
use glowdeck::app::settings::{Preferences, Running, Settings};
use glowdeck::app::workspace::Panel;
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

    /// Takes another of a choice's entries.
    fn prefer(&mut self, choice: &str, entry: &str) -> Vec<Command> {
        let boxes = self.window.get_all_by_role(Role::ComboBox);
        let label = |node: &egui_kittest::Node<'_>| NodeT::accesskit_node(node).label().unwrap_or_default();
        boxes.into_iter().find(|node| label(node).starts_with(choice)).expect(choice).click();
        self.steps(2);
        self.window.get_by_label(entry).click();
        let mut sent = Vec::new();
        for _ in 0..4 {
            self.window.step();
            self.now += Duration::from_millis(50);
            sent.extend(self.console.step(self.now));
        }
        sent
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

/// A window that was asked for a project of before while this one has edits that no file holds.
fn opening_another() -> Stand {
    let recent = vec![PathBuf::from("/shows/ring.ron")];
    let mut stand = Stand::new(Settings { recent, ..Settings::default() });
    stand.edit();
    stand.choose("Project", "Open again");
    stand.window.get_by_label_contains("ring.ron").click();
    stand.steps(2);
    stand
}

#[test]
fn with_unsaved_edits_a_project_of_before_waits_for_an_answer() {
    let mut stand = opening_another();
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

/// The settings panel of a machine where this was chosen before.
fn at_settings(running: Running) -> Stand {
    let mut settings = Settings { running, ..Settings::default() };
    settings.workspace.open(Panel::Settings);
    Stand::new(settings)
}

#[test]
fn the_frame_rate_is_the_machines_and_holds_at_once() {
    let mut stand = at_settings(Running::default());
    let sent = stand.prefer("Frame rate:", "44 fps, as DMX nodes take");
    assert!(sent.iter().any(|command| matches!(command, Command::Pace(Some(fps)) if *fps == 44.0)), "{sent:?}");
    let sent = stand.prefer("Frame rate:", "as many as there can be");
    assert!(sent.iter().any(|command| matches!(command, Command::Pace(None))), "{sent:?}");
    assert!(stand.console.show.history().undo_title().is_none(), "the project knows nothing of it");
    // What an earlier version or a hand wrote is offered as it is.
    let stand = at_settings(Running { frame_rate: 50, ..Running::default() });
    assert!(stand.window.query_by_label("Frame rate: 50 fps").is_some());
    assert!(stand.window.query_by_label_contains("This time it was started").is_some(), "the console runs without");
}

#[test]
fn the_interface_that_light_leaves_by_is_the_machines() {
    let mut stand = at_settings(Running { interface: Some("eth7".into()), ..Running::default() });
    let sent = stand.prefer("Light leaves by: eth7", "as the system routes it");
    assert!(!sent.iter().any(|command| matches!(command, Command::Pace(_))), "what --fps asked for holds: {sent:?}");
    let usual = || stand.console.handles.usual_interface.latest();
    assert_eq!(usual().as_deref(), Some(&None));
}

#[test]
fn colours_change_what_is_painted_and_not_the_pictures_of_light() {
    let mut stand = at_settings(Running::default());
    let shapes = |stand: &Stand| format!("{:?}", stand.window.output().shapes);
    let amber = format!("{:?}", glowdeck::app::theme::AMBER);
    assert!(shapes(&stand).contains(&amber));
    stand.prefer("Colours:", "Night, dim and warm");
    stand.steps(2);
    let night = shapes(&stand);
    assert!(!night.contains(&amber), "nothing is as bright as it was");
    assert!(night.contains(&format!("{:?}", Colours::Night.of(glowdeck::app::theme::AMBER))));
}

#[test]
fn what_is_saved_first_opens_the_other_project_then() {
    let mut stand = opening_another();
    stand.window.get_by_label("Save, then open").click();
    let deadline = Instant::now() + Duration::from_secs(20);
    let asked = loop {
        stand.steps(1);
        let asked = stand.requests();
        if !asked.is_empty() {
            break asked;
        }
        assert!(Instant::now() < deadline, "it was never opened");
    };
    assert!(!stand.console.show.dirty(), "saved before");
    assert!(matches!(&asked[..], [FileRequest::Open(path)] if path == Path::new("/shows/ring.ron")), "{asked:?}");
}
