//! The menu: everything that is not played.
//!
//! Runs on the ui thread; reads the snapshot and returns the wish. In a narrow window it is one button.

use super::action::Action;
use super::grid::size::size_ui;
use super::settings::Settings;
use super::shortcuts::deeds::Deed;
use super::shortcuts::keymap::Keymap;
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
    let keys = |deed| settings.keys.first(deed);
    item(ui, "New", &keys(Deed::New), true, Action::New, &mut done);
    item(ui, "Open…", &keys(Deed::Open), true, Action::Open, &mut done);
    let recent = ui.add_enabled_ui(!settings.recent.is_empty(), |ui| {
        ui.menu_button("Open again", |ui| recent_ui(ui, &settings.recent)).inner.flatten()
    });
    ui.separator();
    item(ui, "Save", &keys(Deed::Save), true, Action::Save, &mut done);
    item(ui, "Save as…", &keys(Deed::SaveAs), true, Action::SaveAs, &mut done);
    ui.separator();
    item(ui, "Quit", &keys(Deed::Quit), true, Action::Close, &mut done);
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

fn edit(ui: &mut Ui, snapshot: &Snapshot, settings: &Settings) -> Option<Action> {
    let mut done = None;
    for (verb, deed, title, command) in
        [("Undo", Deed::Undo, &snapshot.undo, Command::Undo), ("Redo", Deed::Redo, &snapshot.redo, Command::Redo)]
    {
        let text = title.as_ref().map_or_else(|| verb.to_owned(), |title| format!("{verb} {title}"));
        item(ui, &text, &settings.keys.first(deed), title.is_some(), command.into(), &mut done);
    }
    done
}

fn view(ui: &mut Ui, snapshot: &Snapshot, settings: &Settings) -> Option<Action> {
    let mut done = None;
    let workspace = &settings.workspace;
    for arrangement in [Arrangement::Perform, Arrangement::Design] {
        let other = || settings.keys.first(Deed::Arrange);
        let keys = if workspace.arrangement == arrangement { "shown".to_owned() } else { other() };
        item(ui, arrangement.title(), &keys, true, Action::Arrange(Some(arrangement)), &mut done);
    }
    item(ui, "Panels as they came", "", true, Action::ResetPanels, &mut done);
    ui.separator();
    panels_ui(ui, settings, &mut done);
    ui.separator();
    // Numbers are dragged and typed in it, so a click must not close it.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let grid = SubMenuButton::new("Grid and tiles").config(config);
    let grid = grid.ui(ui, |ui| size_ui(ui, &snapshot.project, settings.preferences)).1;
    item(ui, "Fit the stage", &settings.keys.first(Deed::FitStage), true, Action::FitStage, &mut done);
    let test = ui.menu_button("Test pattern on all lamps", |ui| patterns(ui, snapshot)).inner.flatten();
    ui.separator();
    item(ui, "Full screen", &settings.keys.first(Deed::Fullscreen), true, Action::Fullscreen, &mut done);
    let zoom = ui.menu_button("Size of the controls", |ui| zoom(ui, &settings.keys)).inner.flatten();
    done.or(zoom).or(test).or(grid.and_then(|grid| grid.inner))
}

fn zoom(ui: &mut Ui, keys: &Keymap) -> Option<Action> {
    let mut done = None;
    item(ui, "Larger", &keys.first(Deed::Larger), true, Action::Zoom(1), &mut done);
    item(ui, "Smaller", &keys.first(Deed::Smaller), true, Action::Zoom(-1), &mut done);
    item(ui, "Normal size", &keys.first(Deed::NormalSize), true, Action::Zoom(0), &mut done);
    done
}

/// The panels side by side, or the menu would be higher than a low screen. Keys and this program stand under Help.
fn panels_ui(ui: &mut Ui, settings: &Settings, done: &mut Option<Action>) {
    let here = |panel: &Panel| !matches!(panel, Panel::Keys | Panel::About);
    let panels: Vec<Panel> = Panel::ALL.into_iter().filter(here).collect();
    ui.horizontal_top(|ui| {
        for half in panels.chunks(panels.len().div_ceil(2)) {
            let column = egui::Layout::top_down_justified(egui::Align::LEFT);
            ui.allocate_ui_with_layout(egui::vec2(152.0, 0.0), column, |ui| {
                for panel in half {
                    panel_ui(ui, (*panel, &settings.keys), settings.workspace.shows(*panel), done);
                }
            });
        }
    });
}

fn panel_ui(ui: &mut Ui, (panel, keys): (Panel, &Keymap), shown: bool, done: &mut Option<Action>) {
    let (verb, keys) = match shown {
        true => ("Hide", "shown".to_owned()),
        false => ("Show", keys.first(Deed::Panel(panel))),
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

fn help(ui: &mut Ui, _: &Snapshot, settings: &Settings) -> Option<Action> {
    let mut done = None;
    let keys = |deed| settings.keys.first(deed);
    item(ui, "Search commands", &keys(Deed::Search), true, Action::Search, &mut done);
    for (text, panel) in [("Keys", Panel::Keys), ("Change keys", Panel::Inputs), ("About Glowdeck", Panel::About)] {
        item(ui, text, &keys(Deed::Panel(panel)), true, Action::Panel(panel), &mut done);
    }
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
