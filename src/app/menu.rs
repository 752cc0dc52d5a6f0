//! The menu: everything that is not played.
//!
//! Runs on the ui thread; reads the snapshot and returns the wish. In a narrow window it is one button.

use super::action::Action;
use super::grid::size::size_ui;
use super::settings::Settings;
use super::sheets::Sheet;
use super::theme;
use super::workspace::{Arrangement, Panel};
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use crate::show::test_pattern::{PATTERNS, Target, TestPattern};
use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{Button, PopupCloseBehavior, RichText, Ui};
use std::path::PathBuf;

type Section = (&'static str, fn(&mut Ui, &Snapshot, &Settings) -> Option<Action>);

const SECTIONS: [Section; 4] = [("Project", project), ("Edit", edit), ("View", view), ("Help", help)];

/// Shows the menu, side by side or behind one button.
pub fn menu_ui(ui: &mut Ui, snapshot: &Snapshot, settings: &Settings, compact: bool) -> Option<Action> {
    let sections = |ui: &mut Ui| {
        let mut done = None;
        for (title, section) in SECTIONS {
            let chosen = ui.menu_button(title, |ui| {
                // All rows of the longest menu fit on a low screen.
                ui.spacing_mut().item_spacing.y = 2.0;
                section(ui, snapshot, settings)
            });
            let chosen = chosen.inner.flatten();
            done = done.or(chosen);
        }
        done
    };
    if compact { ui.menu_button("Menu", sections).inner.flatten() } else { sections(ui) }
}

fn project(ui: &mut Ui, _: &Snapshot, settings: &Settings) -> Option<Action> {
    let mut done = None;
    item(ui, "Open…", "Ctrl+O", true, Action::Open, &mut done);
    let recent = ui.add_enabled_ui(!settings.recent.is_empty(), |ui| {
        ui.menu_button("Open again", |ui| recent_ui(ui, &settings.recent)).inner.flatten()
    });
    ui.separator();
    item(ui, "Save", "Ctrl+S", true, Action::Save, &mut done);
    item(ui, "Save as…", "Ctrl+Shift+S", true, Action::SaveAs, &mut done);
    ui.separator();
    item(ui, "Quit", "", true, Action::Close, &mut done);
    done.or(recent.inner)
}

fn recent_ui(ui: &mut Ui, recent: &[PathBuf]) -> Option<Action> {
    let mut done = None;
    for path in recent {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        item(ui, &name, &folder, true, Action::OpenPath(path.clone()), &mut done);
    }
    done
}

fn edit(ui: &mut Ui, snapshot: &Snapshot, _: &Settings) -> Option<Action> {
    let mut done = None;
    for (verb, keys, title, command) in
        [("Undo", "Ctrl+Z", &snapshot.undo, Command::Undo), ("Redo", "Ctrl+Shift+Z", &snapshot.redo, Command::Redo)]
    {
        let text = title.as_ref().map_or_else(|| verb.to_owned(), |title| format!("{verb} {title}"));
        item(ui, &text, keys, title.is_some(), command.into(), &mut done);
    }
    done
}

fn view(ui: &mut Ui, snapshot: &Snapshot, settings: &Settings) -> Option<Action> {
    let mut done = None;
    let workspace = &settings.workspace;
    for arrangement in [Arrangement::Perform, Arrangement::Design] {
        let keys = if workspace.arrangement == arrangement { "shown" } else { "F2" };
        item(ui, arrangement.title(), keys, true, Action::Arrange(Some(arrangement)), &mut done);
    }
    item(ui, "Panels as they came", "", true, Action::ResetPanels, &mut done);
    ui.separator();
    for panel in Panel::ALL {
        panel_ui(ui, panel, workspace.shows(panel), &mut done);
    }
    ui.separator();
    // Numbers are dragged and typed in it, so a click must not close it.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let grid = SubMenuButton::new("Grid and tiles").config(config);
    let grid = grid.ui(ui, |ui| size_ui(ui, &snapshot.project, settings.preferences)).1;
    item(ui, "Fit the stage", "", true, Action::FitStage, &mut done);
    let test = ui.menu_button("Test pattern on all lamps", |ui| patterns(ui, snapshot)).inner.flatten();
    ui.separator();
    item(ui, "Full screen", "F11", true, Action::Fullscreen, &mut done);
    let zoom = ui.menu_button("Size of the controls", zoom).inner.flatten();
    done.or(zoom).or(test).or(grid.and_then(|grid| grid.inner))
}

fn zoom(ui: &mut Ui) -> Option<Action> {
    let mut done = None;
    item(ui, "Larger", "Ctrl++", true, Action::Zoom(1), &mut done);
    item(ui, "Smaller", "Ctrl+-", true, Action::Zoom(-1), &mut done);
    item(ui, "Normal size", "Ctrl+0", true, Action::Zoom(0), &mut done);
    done
}

fn panel_ui(ui: &mut Ui, panel: Panel, shown: bool, done: &mut Option<Action>) {
    let (verb, keys) = match (shown, panel) {
        (true, _) => ("Hide", "shown"),
        (false, Panel::Nodes) => ("Show", "N"),
        (false, _) => ("Show", ""),
    };
    let keys = RichText::new(keys).font(theme::small()).color(theme::TEXT_FAINT);
    let button = ui.add(Button::new(panel.title()).shortcut_text(keys));
    if button.accessible_name(format!("{verb} {}", panel.title())).clicked() {
        *done = Some(Action::Panel(panel));
        ui.close();
    }
}

fn patterns(ui: &mut Ui, snapshot: &Snapshot) -> Option<Action> {
    let mut done = None;
    for (pattern, name) in PATTERNS {
        let test = TestPattern { target: Target::All, pattern };
        let mark = if snapshot.test == Some(test) { "on" } else { "" };
        item(ui, name, mark, true, Command::from(LiveCommand::Test(Some(test))).into(), &mut done);
    }
    ui.separator();
    let off = Command::from(LiveCommand::Test(None));
    item(ui, "Off, the show again", "", snapshot.test.is_some(), off.into(), &mut done);
    done
}

fn help(ui: &mut Ui, _: &Snapshot, _: &Settings) -> Option<Action> {
    let mut done = None;
    item(ui, "Search commands", "Ctrl+K", true, Action::Search, &mut done);
    item(ui, "Keys", "?", true, Action::Sheet(Some(Sheet::Keys)), &mut done);
    item(ui, "About Glowdeck", "", true, Action::Sheet(Some(Sheet::About)), &mut done);
    done
}

fn item(ui: &mut Ui, text: &str, keys: &str, enabled: bool, action: Action, done: &mut Option<Action>) {
    ui.set_min_width(240.0);
    let keys = RichText::new(keys).font(theme::small()).color(theme::TEXT_FAINT);
    if ui.add_enabled(enabled, Button::new(text).shortcut_text(keys)).clicked() {
        *done = Some(action);
        ui.close();
    }
}
