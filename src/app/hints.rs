//! Hints of the first minutes: three lines, one at a time, from the demo that plays to one's own node lit.
//!
//! Runs on the ui thread. A hint goes when what it says was done, all of them when they are waved away; a machine shows
//! them once. Deliberately absent: anything that lies over the show.

use super::action::Action;
use super::settings::{Preferences, Settings};
use super::widgets::{PadLook, pad};
use super::workspace::Panel;
use super::{icons, theme};
use crate::model::device::{Device, Protocol};
use crate::model::project::Project;
use crate::show::snapshot::Snapshot;
use egui::{Align, Layout, RichText, Ui, vec2};

/// Height of the line, points.
pub const HEIGHT: f32 = 48.0;

/// How far somebody is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// Tiles are played.
    #[default]
    Play,
    /// Nodes are found.
    Find,
    /// A node is sent light.
    Light,
}

impl Hint {
    /// The hint that is due now; `None` once there is nothing left to say. `played` is whether a tile was touched.
    pub fn due(self, snapshot: &Snapshot, settings: &Settings, played: bool) -> Option<Self> {
        if settings.preferences.hints_done || snapshot.path.is_some() || lit(&snapshot.project) {
            return None;
        }
        let found = settings.workspace.shows(Panel::Nodes) || settings.workspace.shows(Panel::Devices);
        Some(match self {
            Self::Play if played => Self::Find,
            Self::Find if found => Self::Light,
            hint => hint,
        })
    }

    fn words(self) -> (&'static str, &'static str, Option<(&'static str, Panel)>) {
        match self {
            Self::Play => ("1 of 3", "Click a tile to play it, hold one to flash it.", None),
            Self::Find => {
                ("2 of 3", "Who is on the network? Add makes a device of a node.", Some(("Show nodes", Panel::Nodes)))
            }
            Self::Light => (
                "3 of 3",
                "Give it routes, and let the lamp beside its name blink it.",
                Some(("Show devices", Panel::Devices)),
            ),
        }
    }
}

/// Whether a node of somebody's own is sent light.
fn lit(project: &Project) -> bool {
    let own = |device: &Device| match &device.protocol {
        Protocol::ArtNet { address } => !address.ip().is_loopback(),
        Protocol::Ddp(ddp) => !ddp.address.ip().is_loopback(),
        Protocol::Sacn(_) | Protocol::Enttec(_) => true,
    };
    project.routes.iter().any(|route| project.devices.get(route.device).is_some_and(|device| own(device)))
}

/// Shows the hint in its line.
pub fn hint_ui(ui: &mut Ui, hint: Hint, preferences: Preferences) -> Option<Action> {
    let (place, words, panel) = hint.words();
    let mut done = None;
    ui.horizontal_centered(|ui| {
        ui.label(RichText::new(place).font(theme::small()).color(theme::TEXT_FAINT));
        ui.label(RichText::new(words).font(theme::body()).color(theme::TEXT));
        if let Some((text, panel)) = panel
            && pad(ui, vec2(120.0, 32.0), &PadLook::quiet(text, text)).clicked()
        {
            done = Some(Action::Panel(panel));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if pad(ui, vec2(32.0, 32.0), &PadLook::quiet("No more hints", icons::CLOSE)).clicked() {
                done = Some(Action::Prefer(Preferences { hints_done: true, ..preferences }));
            }
        });
    });
    done
}
