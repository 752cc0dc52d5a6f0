//! The key sheet: what the keys do on this machine, to read at a glance.
//!
//! Runs on the ui thread; a docked panel, so that the tiles are played beside it. Deliberately absent: changing a key,
//! which [`super::inputs`] does.

use super::action::Action;
use super::shortcuts::deeds::{Deed, QUICK};
use super::shortcuts::keymap::Keymap;
use super::theme;
use super::widgets::{PadLook, pad};
use super::workspace::Panel;
use egui::{Label, RichText, ScrollArea, Ui, UiBuilder, vec2};

/// Width of a column, points: keys on the left, what they do beside them.
const COLUMN: f32 = 300.0;
/// Width of the keys in it.
const KEYS: f32 = 120.0;

/// Keys that are not given away.
const FIXED: [(&str, &str); 6] = [
    ("Arrows", "Walk over the tiles"),
    ("Enter, Space", "Play the tile, press what the keyboard is at"),
    ("Tab", "To the next control"),
    ("Delete", "Delete the tile or effect"),
    ("Ctrl C, V, D", "Copy, paste, duplicate a tile"),
    ("A scene's key", "Play it; set in the inspector"),
];

/// Lines of the sheet under a title: keys, and what they do.
struct Part {
    title: &'static str,
    lines: Vec<(String, String)>,
}

/// What is on the sheet: commands that have a key.
fn parts(keys: &Keymap) -> Vec<Part> {
    let mut parts: Vec<Part> = Deed::parts()
        .into_iter()
        .map(|part| {
            let together = (1..=QUICK).all(|place| !keys.is_changed(Deed::Quick(place)));
            let mut lines = Vec::new();
            for deed in part.deeds {
                match deed {
                    Deed::Quick(1) if together => {
                        lines.push((format!("1 … {QUICK}"), "Tiles of the quick line".to_owned()));
                    }
                    Deed::Quick(_) if together => {}
                    deed => lines.push((keys.shown(deed), deed.name())),
                }
            }
            lines.retain(|(keys, _)| !keys.is_empty());
            Part { title: part.title, lines }
        })
        .collect();
    let lines = FIXED.map(|(keys, deed)| (keys.to_owned(), deed.to_owned())).to_vec();
    parts.push(Part { title: "Always", lines });
    parts
}

/// Shows the sheet.
pub fn key_sheet_ui(ui: &mut Ui, keys: &Keymap) -> Option<Action> {
    let mut done = None;
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    ScrollArea::vertical().auto_shrink(false).show(&mut ui, |ui| {
        let columns = ((ui.available_width() + theme::STEP) / (COLUMN + theme::STEP)).floor().max(1.0) as usize;
        let parts = parts(keys);
        // The columns are filled from the left, none much longer than another.
        let all: usize = parts.iter().map(|part| part.lines.len() + 2).sum();
        let share = all.div_ceil(columns);
        let mut held = vec![Vec::new(); columns];
        let mut before = 0;
        for (place, part) in parts.iter().enumerate() {
            held[((before + part.lines.len() / 2) / share.max(1)).min(columns - 1)].push(place);
            before += part.lines.len() + 2;
        }
        ui.columns(columns, |columns| {
            for (ui, places) in columns.iter_mut().zip(held) {
                for place in places {
                    part_ui(ui, &parts[place]);
                }
            }
        });
        ui.add_space(theme::STEP);
        if pad(ui, vec2(136.0, theme::TOUCH), &PadLook::quiet("Change keys", "Change keys")).clicked() {
            done = Some(Action::Panel(Panel::Inputs));
        }
    });
    done
}

fn part_ui(ui: &mut Ui, part: &Part) {
    ui.spacing_mut().item_spacing.y = theme::HALF;
    // Lines to read, not to touch.
    ui.spacing_mut().interact_size.y = 2.0 * theme::STEP;
    super::fields::heading(ui, part.title);
    for (keys, deed) in &part.lines {
        ui.horizontal_top(|ui| {
            let ink = RichText::new(keys).font(theme::strong(theme::SMALL)).color(theme::TEXT);
            let left = ui.cursor().left();
            ui.add(Label::new(ink));
            ui.add_space((left + KEYS - ui.cursor().left()).max(0.0));
            ui.add(Label::new(RichText::new(deed).font(theme::small()).color(theme::TEXT_QUIET)).wrap());
        });
    }
    ui.add_space(theme::STEP);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shortcuts::shortcut::Shortcut;
    use egui::Key;

    #[test]
    fn what_is_shown_is_what_works() {
        let mut keys = Keymap::default();
        let shown =
            |keys: &Keymap| -> Vec<(String, String)> { parts(keys).into_iter().flat_map(|part| part.lines).collect() };
        assert!(shown(&keys).contains(&("1 … 9".into(), "Tiles of the quick line".into())));
        keys.give(Deed::Save, 0, Shortcut::plain(Key::F5));
        keys.give(Deed::Quick(3), 0, Shortcut::plain(Key::Q));
        keys.take(Deed::Tap, 0);
        let lines = shown(&keys);
        assert!(lines.contains(&("F5".into(), "Save".into())));
        assert!(lines.contains(&("Q".into(), "Tile 3 of the quick line".into())));
        assert!(!lines.iter().any(|(_, deed)| deed == "Tap the tempo" || deed == "Tiles of the quick line"));
    }
}
