//! The question what becomes of edits that no file holds: a line above the status bar, while everything goes on.
//!
//! Runs on the ui thread; returns the wish. The keyboard is brought to the answer that changes nothing, and Escape
//! gives it. Deliberately absent: anything that lies over the show.

use super::action::Action;
use super::theme;
use super::widgets::{PadLook, pad};
use egui::{Align, Id, Key, Layout, RichText, Sense, Ui, vec2};

/// Height of the line, points.
pub const HEIGHT: f32 = 56.0;

/// What is to happen, and would lose edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// Another project is to be opened.
    Open,
    /// A new one is to begin.
    New,
    /// The window is to close.
    Quit,
}

impl Unsaved {
    fn words(self) -> &'static str {
        match self {
            Self::Open => "This project has edits that no file holds; opening another one loses them.",
            Self::New => "This project has edits that no file holds; a new one loses them.",
            Self::Quit => "This project has edits that no file holds; quitting loses them.",
        }
    }

    /// What it is about, whatever becomes of edits.
    pub fn go_on(self) -> Action {
        match self {
            Self::Open | Self::New => Action::OpenAnyway,
            Self::Quit => Action::CloseAnyway,
        }
    }

    /// The answers, from the one that goes on to the one that saves.
    fn answers(self) -> [(&'static str, Action); 2] {
        match self {
            Self::Open => [("Open anyway", self.go_on()), ("Save, then open", Action::SaveFirst(self))],
            Self::New => [("Begin anyway", self.go_on()), ("Save, then begin", Action::SaveFirst(self))],
            Self::Quit => [("Quit without saving", self.go_on()), ("Save and quit", Action::SaveFirst(self))],
        }
    }
}

/// Asks in its line, returns what was answered.
pub fn unsaved_ui(ui: &mut Ui, asked: Unsaved) -> Option<Action> {
    let mut done = None;
    ui.spacing_mut().item_spacing.x = theme::STEP;
    ui.horizontal_centered(|ui| {
        let (mark, _) = ui.allocate_exact_size(vec2(theme::STEP, theme::STEP), Sense::hover());
        ui.painter().circle_filled(mark.center(), 3.5, theme::AMBER);
        // The answers come first: in a narrow window the words give way to them.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let stay = PadLook { colour: theme::TEXT, ..PadLook::quiet("Stay here", "Stay here") };
            let safe = pad(ui, vec2(112.0, theme::TOUCH), &stay);
            if is_new(ui, asked) {
                safe.request_focus();
            }
            if safe.clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                done = Some(Action::Unsaved(None));
            }
            for (text, action) in asked.answers() {
                if pad(ui, vec2(168.0, theme::TOUCH), &PadLook::quiet(text, text)).clicked() {
                    done = Some(action);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = RichText::new(asked.words()).font(theme::body()).color(theme::TEXT);
                ui.add(egui::Label::new(words).truncate());
            });
        });
    });
    done
}

/// Whether it was not asked in the pass before.
fn is_new(ui: &Ui, asked: Unsaved) -> bool {
    let (id, pass) = (Id::unique("edits that no file holds"), ui.ctx().cumulative_pass_nr());
    let last = ui.data(|data| data.get_temp::<(u64, Unsaved)>(id));
    ui.data_mut(|data| data.insert_temp(id, (pass, asked)));
    last.is_none_or(|(before, of)| of != asked || before + 1 < pass)
}
