//! Inputs: what the show is played by besides the pointer. Keys of the console and of scenes, and
//! light of other consoles.
//!
//! Runs on the ui thread; a section an input, each in a file of its own. Reads the snapshot and the table of keys,
//! returns wishes. Deliberately absent: inputs that the program does not have.

mod keyboard;
mod light;
mod scene_keys;

use super::action::Action;
use super::shortcuts::deeds::Deed;
use super::shortcuts::keymap::Keymap;
use super::shortcuts::shortcut::Shortcut;
use super::theme;
use crate::input::bridge::heard::Heard;
use crate::show::snapshot::Snapshot;
use egui::{RichText, ScrollArea, Ui, UiBuilder};
use std::time::Instant;

/// What the panel keeps between frames.
#[derive(Default)]
pub struct View {
    /// The command that waits for a key, and in which place of its keys.
    capturing: Option<(Deed, usize)>,
    /// A key that somebody has already, until it is said whose it is to be.
    asked: Option<Asked>,
    /// Why the last key was not taken, and by which command.
    refused: Option<(Deed, String)>,
    /// What is looked for.
    query: String,
    /// Whether the panel was drawn since it was last asked.
    drawn: bool,
}

/// A key that somebody has already.
struct Asked {
    deed: Deed,
    place: usize,
    key: Shortcut,
    words: String,
}

impl View {
    /// Whether the next key is to become a command's and must do nothing else. A panel that is not there captures
    /// nothing, or no key would work any more.
    pub fn is_capturing(&mut self) -> bool {
        if !std::mem::take(&mut self.drawn) {
            self.capturing = None;
        }
        self.capturing.is_some()
    }
}

/// What the panel shows.
pub struct Shown<'a> {
    /// The show.
    pub snapshot: &'a Snapshot,
    /// Which keys do what.
    pub keys: &'a Keymap,
    /// Who sends light that is heard.
    pub heard: &'a Heard,
    /// Whether Art-Net is listened to at all.
    pub listens: bool,
    /// The number that the first universe has on the screen.
    pub first: u16,
    /// When this frame is drawn.
    pub now: Instant,
}

/// Shows the panel.
pub fn inputs_ui(ui: &mut Ui, shown: &Shown<'_>, view: &mut View) -> Vec<Action> {
    let Shown { snapshot, keys, .. } = *shown;
    view.drawn = true;
    let mut wishes = Vec::new();
    let room = ui.max_rect().shrink2(egui::vec2(2.0 * theme::STEP, theme::STEP));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    ScrollArea::vertical().auto_shrink(false).show(&mut ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        wishes.extend(keyboard::keyboard_ui(ui, snapshot, keys, view));
        wishes.extend(scene_keys::scene_keys_ui(ui, snapshot, keys));
        wishes.extend(light::light_ui(ui, shown));
        ui.add_space(3.0 * theme::STEP);
    });
    wishes
}

/// The heading of a section.
fn section(ui: &mut Ui, title: &str) {
    ui.add_space(theme::STEP);
    ui.label(RichText::new(title).font(theme::strong(theme::BODY)).color(theme::TEXT));
}
