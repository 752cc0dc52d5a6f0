//! Keys: what each does, in one table that the key sheet shows too. Ignored while somebody types.
//!
//! Runs on the ui thread. Deliberately absent: keys of scenes, which come with control mappings.

use super::action::Action;
use super::sheets::Sheet;
use super::workspace::Panel;
use crate::model::scene::Cell;
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use egui::{Context, Event, Key, Modifiers};

/// What the key sheet says.
pub const SHEET: [(&str, &str); 16] = [
    ("T", "Tap the tempo"),
    ("B", "Blackout"),
    ("1 … 9", "Tiles of the quick line"),
    ("Ctrl O", "Open a project"),
    ("Ctrl S", "Save"),
    ("Ctrl Shift S", "Save as"),
    ("Ctrl Z", "Undo"),
    ("Ctrl Shift Z", "Redo"),
    ("N", "Nodes on the network"),
    ("Ctrl K", "Search all commands"),
    ("Ctrl ,", "Settings"),
    ("F2", "Perform or Design"),
    ("F11", "Full screen"),
    ("Ctrl +  −  0", "Size of the controls"),
    ("?", "This list"),
    ("Hold a tile", "Flash it for as long as it is held"),
];

/// What the keys that went down in this frame ask for.
pub fn actions(ctx: &Context, snapshot: &Snapshot) -> Vec<Action> {
    let typing = ctx.text_edit_focused();
    ctx.input(|input| {
        let presses = input.events.iter().filter_map(|event| match event {
            Event::Key { key, pressed: true, repeat: false, modifiers, .. } => Some((*key, *modifiers)),
            _ => None,
        });
        presses.filter_map(|(key, modifiers)| action(key, modifiers, typing, snapshot)).collect()
    })
}

fn action(key: Key, modifiers: Modifiers, typing: bool, snapshot: &Snapshot) -> Option<Action> {
    match (key, modifiers.command, modifiers.shift) {
        (Key::F11, ..) => return Some(Action::Fullscreen),
        (Key::F2, ..) => return Some(Action::Arrange(None)),
        (Key::S, true, false) => return Some(Action::Save),
        (Key::S, true, true) => return Some(Action::SaveAs),
        (Key::O, true, false) => return Some(Action::Open),
        (Key::K, true, false) => return Some(Action::Search),
        _ if typing => return None,
        (Key::Comma, true, false) => return Some(Action::Panel(Panel::Settings)),
        (Key::Z, true, false) => return Some(Command::Undo.into()),
        (Key::Z, true, true) | (Key::Y, true, false) => return Some(Command::Redo.into()),
        (Key::Plus | Key::Equals, true, _) => return Some(Action::Zoom(1)),
        (Key::Minus, true, _) => return Some(Action::Zoom(-1)),
        (Key::Num0, true, _) => return Some(Action::Zoom(0)),
        _ if modifiers.command || modifiers.alt => return None,
        _ => {}
    }
    match key {
        Key::T => Some(Action::Tap),
        Key::B => Some(LiveCommand::Blackout(!snapshot.blackout).into()),
        Key::N => Some(Action::Panel(Panel::Nodes)),
        Key::Questionmark => Some(Action::Sheet(Some(Sheet::Keys))),
        _ => quick(key, snapshot),
    }
}

fn quick(key: Key, snapshot: &Snapshot) -> Option<Action> {
    const KEYS: [Key; 9] =
        [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    let place = KEYS.iter().position(|known| *known == key)?;
    let cell: Cell = snapshot.project.grid.quick_cells().nth(place)?;
    let scene = snapshot.project.scene_at(cell)?;
    Some(LiveCommand::Toggle(scene.id).into())
}
