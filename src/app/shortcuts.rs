//! Keys: what each does, in one table that the key sheet shows too. Ignored while somebody types.
//!
//! Runs on the ui thread. Deliberately absent: keys that mean something to one panel only.

use super::action::Action;
use super::sheets::Sheet;
use super::workspace::Panel;
use crate::model::scene::Cell;
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use egui::{Context, Event, Key, Modifiers};

/// What the key sheet says.
pub const SHEET: [(&str, &str); 18] = [
    ("T", "Tap the tempo"),
    ("B", "Blackout"),
    ("1 … 9", "Tiles of the quick line"),
    ("A scene's key", "Play it; set in the inspector"),
    ("Arrows, Enter, F", "Walk over the tiles, play, flash"),
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
/// A key that somebody `captures` as a scene's does nothing else.
pub fn actions(ctx: &Context, snapshot: &Snapshot, captures: bool) -> Vec<Action> {
    if captures {
        return Vec::new();
    }
    let typing = ctx.text_edit_focused();
    ctx.input(|input| {
        let presses = input.events.iter().filter_map(|event| match event {
            Event::Key { key, pressed: true, repeat: false, modifiers, .. } => Some((*key, *modifiers)),
            _ => None,
        });
        let asked = |(key, modifiers): (Key, Modifiers)| match action(key, modifiers, typing, snapshot) {
            Some(action) => vec![action],
            None if typing || modifiers.command || modifiers.alt => Vec::new(),
            None => played(key, snapshot),
        };
        presses.flat_map(asked).collect()
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
        _ => None,
    }
}

/// What a key plays: the scenes that have it, or else the tile of the quick line that has its number.
fn played(key: Key, snapshot: &Snapshot) -> Vec<Action> {
    let scenes =
        snapshot.project.scenes.iter().filter(|scene| scene.key.as_deref().and_then(Key::from_name) == Some(key));
    let own: Vec<Action> = scenes.map(|scene| LiveCommand::Toggle(scene.id).into()).collect();
    if own.is_empty() { quick(key, snapshot).into_iter().collect() } else { own }
}

/// Whether a key does something everywhere, so that no scene can have it.
pub fn is_taken(key: Key) -> bool {
    const MOVING: [Key; 10] = [
        Key::Tab,
        Key::Enter,
        Key::Space,
        Key::Delete,
        Key::Backspace,
        Key::Escape,
        Key::ArrowUp,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowRight,
    ];
    [Key::T, Key::B, Key::N, Key::F, Key::Questionmark, Key::F2, Key::F11].contains(&key) || MOVING.contains(&key)
}

fn quick(key: Key, snapshot: &Snapshot) -> Option<Action> {
    const KEYS: [Key; 9] =
        [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    let place = KEYS.iter().position(|known| *known == key)?;
    let cell: Cell = snapshot.project.grid.quick_cells().nth(place)?;
    let scene = snapshot.project.scene_at(cell)?;
    Some(LiveCommand::Toggle(scene.id).into())
}
