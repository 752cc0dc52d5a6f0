//! Settings: what holds for the project, and what was chosen for this machine.
//!
//! Runs on the ui thread; returns edits of the project, and preferences that only this machine keeps.

use super::action::Action;
use super::colours::Colours;
use super::fields::{choice, heading, hint, switch, text};
use super::interfaces::Names;
use super::settings::{Preferences, Running};
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
/// Frames a second that can be chosen; others come by `--fps`.
const FRAME_RATES: [(u16, &str); 7] = [
    (25, "25 fps"),
    (30, "30 fps"),
    (44, "44 fps, as DMX nodes take"),
    (60, "60 fps"),
    (90, "90 fps"),
    (120, "120 fps"),
    (0, "as many as there can be"),
];

/// What the settings keep between frames.
#[derive(Debug, Default)]
pub struct View {
    interfaces: Names,
}

/// What was chosen for this machine.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    /// On the screen.
    pub preferences: Preferences,
    /// For the show.
    pub running: &'a Running,
}

/// Shows the panel.
pub fn preferences_ui(ui: &mut Ui, snapshot: &Snapshot, machine: Machine<'_>, view: &mut View) -> Vec<Action> {
    let mut wishes = Vec::new();
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    ScrollArea::vertical().auto_shrink(false).show(&mut ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        heading(ui, "This project");
        let put = |settings: Settings| Command::Edit { edit: Edit::Settings(settings.into()), gesture: None };
        wishes.extend(project_ui(ui, snapshot).map(put).map(Action::from));
        heading(ui, "The screen of this machine");
        wishes.extend(screen_ui(ui, machine.preferences).map(Action::Prefer));
        heading(ui, "The show on this machine");
        wishes.extend(running_ui(ui, snapshot, machine.running, view));
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

fn screen_ui(ui: &mut Ui, preferences: Preferences) -> Option<Preferences> {
    let mut changed = None;
    if let Some(scale) = choice(ui, "Scale", preferences.scale, &SCALES) {
        changed = Some(Preferences { scale, ..preferences });
    }
    let all =
        [(Colours::Usual, "Usual"), (Colours::Contrast, "More contrast"), (Colours::Night, "Night, dim and warm")];
    if let Some(colours) = choice(ui, "Colours", preferences.colours, &all) {
        changed = Some(Preferences { colours, ..preferences });
    }
    hint(ui, "Lamps, thumbnails and gradients stay true.");
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

fn running_ui(ui: &mut Ui, snapshot: &Snapshot, running: &Running, view: &mut View) -> Vec<Action> {
    let mut wishes = Vec::new();
    let other = format!("{} fps", running.frame_rate);
    let mut rates = FRAME_RATES.to_vec();
    if !rates.iter().any(|(rate, _)| *rate == running.frame_rate) {
        rates.push((running.frame_rate, &other));
    }
    if let Some(frame_rate) = choice(ui, "Frame rate", running.frame_rate, &rates) {
        wishes.push(Action::FrameRate(frame_rate));
    }
    let asked = snapshot.render.asked_fps;
    if asked.map(f32::round) != running.fps().map(|fps| fps as f32) {
        let asked = asked.map_or_else(|| "without a limit".to_owned(), |fps| format!("with {fps:.0} fps"));
        hint(ui, &format!("This time it was started {asked} (--fps)."));
    } else {
        hint(ui, "Of the light, not of this window. A device may be sent fewer.");
    }
    let now = ui.input(|input| input.time);
    let chosen = running.interface.as_deref();
    let mut names: Vec<Option<String>> = vec![None];
    names.extend(view.interfaces.at(now).iter().filter(|name| *name != "lo").cloned().map(Some));
    if !names.iter().any(|name| name.as_deref() == chosen) {
        names.push(running.interface.clone());
    }
    let all: Vec<(Option<&str>, &str)> =
        names.iter().map(|name| (name.as_deref(), name.as_deref().unwrap_or("as the system routes it"))).collect();
    if let Some(interface) = choice(ui, "Light leaves by", chosen, &all) {
        wishes.push(Action::LeaveBy(interface.map(str::to_owned)));
    }
    hint(ui, "For devices that name no interface themselves. While it is away they are sent nothing.");
    wishes
}
