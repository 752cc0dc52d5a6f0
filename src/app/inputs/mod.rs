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
use super::theme;
use super::widgets::{PadLook, pad};
use crate::input::bridge::heard::Heard;
use crate::show::snapshot::Snapshot;
use egui::accesskit::Role;
use egui::{ScrollArea, Ui, UiBuilder, WidgetInfo, vec2};
use std::time::Instant;

/// A part of the panel, which is shown alone: the list of keys is long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    /// What keys do on this machine.
    #[default]
    Keyboard,
    /// Which keys play scenes of this project.
    SceneKeys,
    /// What other consoles send.
    Light,
}

const SECTIONS: [(Section, &str); 3] = [
    (Section::Keyboard, "Keyboard"),
    (Section::SceneKeys, "Keys of scenes"),
    (Section::Light, "Light from other consoles"),
];

/// What the panel keeps between frames.
#[derive(Default)]
pub struct View {
    section: Section,
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
    /// The table as it would be.
    next: Keymap,
    /// What of it is asked about.
    what: String,
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
    let room = ui.max_rect().shrink2(vec2(2.0 * theme::STEP, theme::STEP));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    sections_ui(&mut ui, view);
    ScrollArea::vertical().id_salt(view.section as u8).auto_shrink(false).show(&mut ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        match view.section {
            Section::Keyboard => wishes.extend(keyboard::keyboard_ui(ui, snapshot, keys, view)),
            Section::SceneKeys => wishes.extend(scene_keys::scene_keys_ui(ui, snapshot, keys)),
            Section::Light => wishes.extend(light::light_ui(ui, shown)),
        }
        ui.add_space(3.0 * theme::STEP);
    });
    wishes
}

/// The sections side by side, the chosen one lit and underlined.
fn sections_ui(ui: &mut Ui, view: &mut View) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::HALF, theme::HALF);
        for (section, title) in SECTIONS {
            let chosen = view.section == section;
            let (fill, colour) =
                if chosen { (theme::SURFACE, theme::TEXT) } else { (theme::GROUND, theme::TEXT_QUIET) };
            let font = theme::strong(theme::SMALL);
            let wide = ui.painter().layout_no_wrap(title.to_owned(), font.clone(), colour).size().x;
            let look = PadLook { font, colour, fill, ..PadLook::quiet(title, title) };
            let response = pad(ui, vec2(wide + 3.0 * theme::STEP, 4.0 * theme::STEP), &look);
            response.widget_info(|| WidgetInfo::selected(Role::Tab, true, chosen, title));
            if chosen {
                let line = response.rect.shrink2(vec2(theme::STEP, 0.0));
                ui.painter().hline(line.x_range(), line.bottom() - 1.0, (2.0, theme::TEXT));
            }
            if response.clicked() && !chosen {
                *view = View { section, drawn: true, ..View::default() };
            }
        }
    });
    ui.add_space(theme::HALF);
}
