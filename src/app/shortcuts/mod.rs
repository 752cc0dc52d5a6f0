//! Keys: the presses of a frame as actions, by the one table of commands. Ignored while somebody types.
//!
//! Runs on the ui thread. Deliberately absent: keys that mean something to one panel only.

pub mod deeds;
pub mod keymap;
pub mod shortcut;

use super::action::Action;
use crate::show::command::LiveCommand;
use crate::show::snapshot::Snapshot;
use deeds::Deed;
use egui::{Context, Event, Key};
use keymap::Keymap;
use shortcut::Shortcut;

/// What the keys that went down in this frame ask for.
/// A key that somebody `captures`, as a scene's or a command's, does nothing else.
pub fn actions(ctx: &Context, snapshot: &Snapshot, keys: &Keymap, captures: bool) -> Vec<Action> {
    if captures {
        return Vec::new();
    }
    let typing = ctx.text_edit_focused();
    pressed(ctx).into_iter().flat_map(|key| asked(key, keys, typing, snapshot)).collect()
}

/// The keys that went down in this frame, with what was held; those that are only held with others are none.
pub fn pressed(ctx: &Context) -> Vec<Shortcut> {
    let press = |event: &Event| match event {
        Event::Key { key, pressed: true, repeat: false, modifiers, .. } if !shortcut::is_modifier(*key) => {
            Some(Shortcut::pressed(*key, *modifiers))
        }
        _ => None,
    };
    ctx.input(|input| input.events.iter().filter_map(press).collect())
}

fn asked(key: Shortcut, keys: &Keymap, typing: bool, snapshot: &Snapshot) -> Vec<Action> {
    let found = keys.deed(key).map(|deed| (key, deed));
    let found = found.or_else(|| key.shiftless().and_then(|key| Some((key, keys.deed(key)?))));
    match found {
        Some((key, deed)) if typing && (key.types() || !deed.while_typing()) => Vec::new(),
        Some((key, deed @ Deed::Quick(_))) => {
            let own = played(key, snapshot);
            if own.is_empty() { deed.action(snapshot).into_iter().collect() } else { own }
        }
        Some((_, deed)) => deed.action(snapshot).into_iter().collect(),
        None if typing => Vec::new(),
        None => played(key, snapshot),
    }
}

/// The scenes that a key plays.
fn played(key: Shortcut, snapshot: &Snapshot) -> Vec<Action> {
    if key.command || key.alt {
        return Vec::new();
    }
    let has = |name: &Option<String>| name.as_deref().and_then(Key::from_name) == Some(key.key);
    let scenes = snapshot.project.scenes.iter().filter(|scene| has(&scene.key));
    scenes.map(|scene| LiveCommand::Toggle(scene.id).into()).collect()
}

/// Why a scene cannot have a key: what it does everywhere. Tiles of the quick line make way for scenes.
pub fn is_taken(keys: &Keymap, key: Key) -> Option<String> {
    let key = Shortcut::plain(key);
    key.refusal().or_else(|| match keys.deed(key)? {
        Deed::Quick(_) => None,
        deed => Some(format!("{key} is {}.", deed.name())),
    })
}
