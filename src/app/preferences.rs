//! Settings: what holds for the project, and what was chosen for this machine.
//!
//! Runs on the ui thread; returns edits of the project, and preferences that only this machine keeps.

use super::action::Action;
use super::fields::{choice, heading, hint, switch, text};
use super::settings::Preferences;
use super::theme;
use crate::model::device::ExitPolicy;
use crate::model::edit::Edit;
use crate::model::project::Settings;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use egui::{ScrollArea, Ui, UiBuilder};

/// Sizes of the controls that can be chosen; others come by Ctrl +.
const SCALES: [(f32, &str); 7] =
    [(0.75, "75 %"), (1.0, "100 %"), (1.25, "125 %"), (1.5, "150 %"), (1.75, "175 %"), (2.0, "200 %"), (2.5, "250 %")];

/// Shows the panel.
pub fn preferences_ui(ui: &mut Ui, snapshot: &Snapshot, preferences: Preferences) -> Vec<Action> {
    let mut wishes = Vec::new();
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    ScrollArea::vertical().auto_shrink(false).show(&mut ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        heading(ui, "This project");
        let put = |settings: Settings| Command::Edit { edit: Edit::Settings(settings.into()), gesture: None };
        wishes.extend(project_ui(ui, snapshot).map(put).map(Action::from));
        heading(ui, "This machine");
        wishes.extend(machine_ui(ui, preferences).map(Action::Prefer));
    });
    wishes
}

fn project_ui(ui: &mut Ui, snapshot: &Snapshot) -> Option<Settings> {
    let project = &snapshot.project;
    let settings = &*project.settings;
    let mut changed = None;
    if let Some(name) = text(ui, "Name", &settings.name, |text| Ok::<_, String>(text.trim().to_owned())) {
        changed = Some(Settings { name, ..settings.clone() });
    }
    let palettes = project.palettes.iter().map(|palette| (Some(palette.id), palette.name.as_str()));
    let all: Vec<_> = [(None, "White on black")].into_iter().chain(palettes).collect();
    if let Some(palette) = choice(ui, "Palette", settings.palette, &all) {
        changed = Some(Settings { palette, ..settings.clone() });
    }
    hint(ui, "Scenes without colours of their own take this one.");
    let scenes = project.scenes.iter().map(|scene| (ExitPolicy::Scene(scene.id), scene.name.as_str()));
    let all: Vec<_> =
        [(ExitPolicy::Black, "Black"), (ExitPolicy::Hold, "The last light")].into_iter().chain(scenes).collect();
    if let Some(exit) = choice(ui, "Ends with", settings.exit, &all) {
        changed = Some(Settings { exit, ..settings.clone() });
    }
    hint(ui, "What the nodes are left with when Glowdeck ends; sent three times.");
    changed
}

fn machine_ui(ui: &mut Ui, preferences: Preferences) -> Option<Preferences> {
    let mut changed = None;
    if let Some(scale) = choice(ui, "Scale", preferences.scale, &SCALES) {
        changed = Some(Preferences { scale, ..preferences });
    }
    let numbering = [(false, "from 0, as packets do"), (true, "from 1")];
    if let Some(universes_from_one) = choice(ui, "Universes count", preferences.universes_from_one, &numbering) {
        changed = Some(Preferences { universes_from_one, ..preferences });
    }
    hint(ui, "Only how they are shown; projects and packets stay as they are.");
    if let Some(reduced_motion) =
        switch(ui, "Calm", preferences.reduced_motion, "Nothing blinks or glides but the light and the beat")
    {
        changed = Some(Preferences { reduced_motion, ..preferences });
    }
    changed
}
