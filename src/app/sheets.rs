//! Sheets over the window: the list of keys, what this program is, and the question before edits are lost.
//!
//! Runs on the ui thread; returns the wish.

use super::action::Action;
use super::{shortcuts, theme};
use egui::{Frame, Grid, Id, Modal, RichText, Ui};

/// A sheet that may lie over the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// The list of keys.
    Keys,
    /// What this program is.
    About,
    /// Another project is to be opened, but this one has edits that no file holds.
    Unsaved,
    /// The window is to close, but the project has edits that no file holds.
    Quit,
}

/// Shows a sheet, returns what was chosen on it.
pub fn sheet_ui(ui: &Ui, sheet: Sheet) -> Option<Action> {
    let frame = Frame::popup(ui.style()).inner_margin(3.0 * theme::STEP);
    let shown = Modal::new(Id::unique("sheet")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(368.0);
        match sheet {
            Sheet::Keys => keys_ui(ui),
            Sheet::About => about_ui(ui),
            Sheet::Unsaved | Sheet::Quit => title(ui, "This project has edits that no file holds."),
        }
        ui.add_space(2.0 * theme::STEP);
        ui.visuals_mut().widgets.inactive.weak_bg_fill = theme::SURFACE;
        let below = ui.horizontal(|ui| match sheet {
            Sheet::Unsaved => choice_ui(ui, UNSAVED),
            Sheet::Quit => choice_ui(ui, QUIT),
            _ => ui.button("Close").clicked().then_some(Action::Sheet(None)),
        });
        below.inner
    });
    let closed = shown.should_close().then_some(Action::Sheet(None));
    shown.inner.or(closed)
}

fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::strong(theme::BODY)).color(theme::TEXT));
    ui.add_space(theme::STEP);
}

fn keys_ui(ui: &mut Ui) {
    title(ui, "Keys");
    // Lines to read, not to touch: the list fits a small window.
    ui.spacing_mut().interact_size.y = 2.0 * theme::STEP;
    Grid::new("keys").num_columns(2).spacing([4.0 * theme::STEP, theme::STEP]).show(ui, |ui| {
        for (keys, deed) in shortcuts::SHEET {
            ui.label(RichText::new(keys).font(theme::strong(theme::SMALL)).color(theme::TEXT));
            ui.label(RichText::new(deed).font(theme::small()).color(theme::TEXT_QUIET));
            ui.end_row();
        }
    });
}

fn about_ui(ui: &mut Ui) {
    title(ui, &format!("Glowdeck {}", env!("CARGO_PKG_VERSION")));
    ui.label("A live console for spatial LED installations.");
    ui.label("MIT or Apache-2.0. Set in Inter by The Inter Project Authors, under the SIL Open Font License.");
}

type Choices = [(&'static str, Action); 3];

const UNSAVED: Choices =
    [("Save it", Action::Save), ("Open anyway", Action::OpenAnyway), ("Stay here", Action::Sheet(None))];
const QUIT: Choices = [
    ("Save and quit", Action::SaveAndClose),
    ("Quit without saving", Action::CloseAnyway),
    ("Stay here", Action::Sheet(None)),
];

fn choice_ui(ui: &mut Ui, choices: Choices) -> Option<Action> {
    let mut done = None;
    for (text, action) in choices {
        if ui.button(text).clicked() {
            done = Some(action);
        }
    }
    done
}
