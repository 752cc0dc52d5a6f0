//! The keyboard: all commands with their keys, and how a key is given to a command.
//!
//! Runs on the ui thread. A key that somebody has is given only when it was said that it may be.

use super::super::action::Action;
use super::super::fields::{heading, hint};
use super::super::icons;
use super::super::shortcuts::deeds::Deed;
use super::super::shortcuts::keymap::{Keymap, MOST};
use super::super::shortcuts::pressed;
use super::super::shortcuts::shortcut::Shortcut;
use super::super::theme;
use super::super::widgets::{PadLook, pad};
use super::{Asked, View};
use crate::show::snapshot::Snapshot;
use egui::accesskit::Role;
use egui::{Align, Key, Label, Layout, RichText, TextEdit, Ui, WidgetInfo, vec2};

/// Width of the names of commands, points.
const NAME: f32 = 184.0;
/// Least width of a key.
const KEY: f32 = 64.0;

/// Shows the section.
pub(super) fn keyboard_ui(ui: &mut Ui, snapshot: &Snapshot, keys: &Keymap, view: &mut View) -> Option<Action> {
    let mut changed = captured(ui, snapshot, keys, view);
    hint(ui, "Click a key, then press another: Backspace clears it, Escape leaves it. Typing in a field always wins.");
    changed = search_ui(ui, keys, view).or(changed);
    let query = view.query.to_lowercase();
    let mut found = false;
    for part in Deed::parts() {
        let wanted = |deed: &Deed| {
            let line = format!("{} {}", deed.name(), keys.shown(*deed)).to_lowercase();
            query.split_whitespace().all(|word| line.contains(word))
        };
        let deeds: Vec<Deed> = part.deeds.into_iter().filter(wanted).collect();
        if deeds.is_empty() {
            continue;
        }
        found = true;
        heading(ui, part.title);
        for deed in deeds {
            let line = ui.push_id(deed.id(), |ui| deed_ui(ui, deed, keys, view)).inner;
            changed = line.or(changed);
        }
    }
    if !found {
        hint(ui, "No command is called like that, and none has such a key.");
    }
    changed.map(Action::Keys)
}

/// What is looked for, and the way back to how all keys came.
fn search_ui(ui: &mut Ui, keys: &Keymap, view: &mut View) -> Option<Keymap> {
    let mut usual = false;
    ui.horizontal(|ui| {
        let edit = TextEdit::singleline(&mut view.query).hint_text("Search commands and keys");
        let edit = edit.desired_width((ui.available_width() - 176.0).clamp(120.0, 280.0)).margin(vec2(8.0, 7.0));
        let response = ui.add(edit.text_color(theme::TEXT));
        response.widget_info(|| WidgetInfo::labeled(Role::SearchInput, true, "Search keys"));
        let look = PadLook::quiet("All keys as they came", "All as they came");
        usual = !keys.is_usual() && pad(ui, vec2(136.0, 4.0 * theme::STEP), &look).clicked();
    });
    if usual {
        (view.capturing, view.asked, view.refused) = (None, None, None);
    }
    usual.then(Keymap::default)
}

/// A command in a line: its name, its keys, room for one more.
fn deed_ui(ui: &mut Ui, deed: Deed, keys: &Keymap, view: &mut View) -> Option<Keymap> {
    let mut changed = None;
    let (name, own) = (deed.name(), keys.of(deed));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::HALF;
        let size = vec2(NAME.min(ui.available_width() * 0.45), 4.0 * theme::STEP);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(size.x);
            ui.add(Label::new(RichText::new(&name).font(theme::body()).color(theme::TEXT_QUIET)).truncate());
        });
        for (place, key) in own.iter().enumerate() {
            key_ui(ui, (deed, place), (&format!("{key}: {name}"), &key.to_string()), view);
        }
        let waits = view.capturing == Some((deed, own.len()));
        if own.is_empty() || waits {
            key_ui(ui, (deed, own.len()), (&format!("Give a key to {name}"), "No key"), view);
        } else if own.len() < MOST {
            let look = PadLook::quiet("", icons::ADD);
            let more = format!("Give another key to {name}");
            if pad(ui, vec2(32.0, 32.0), &PadLook { label: &more, ..look }).clicked() {
                wait(view, deed, own.len());
            }
        }
        let back = format!("{name} as it came");
        if keys.is_changed(deed) && pad(ui, vec2(96.0, 32.0), &PadLook::quiet(&back, "As it came")).clicked() {
            changed = restored(keys, deed, view);
        }
    });
    if let Some((_, why)) = view.refused.as_ref().filter(|(of, _)| *of == deed) {
        ui.label(RichText::new(why).font(theme::small()).color(theme::TEXT));
    }
    asked_ui(ui, deed, view).or(changed)
}

/// A key as a pad that waits for another one when it is clicked.
fn key_ui(ui: &mut Ui, (deed, place): (Deed, usize), (label, text): (&str, &str), view: &mut View) {
    let waits = view.capturing == Some((deed, place));
    let text = if waits { "Press a key" } else { text };
    let quiet = text == "No key";
    let colour = match (waits, quiet) {
        (true, _) => theme::CYAN,
        (_, true) => theme::TEXT_FAINT,
        _ => theme::TEXT,
    };
    let look = PadLook { colour, font: theme::strong(theme::SMALL), ..PadLook::quiet(label, text) };
    let wide = ui.painter().layout_no_wrap(text.to_owned(), look.font.clone(), colour).size().x;
    let response = pad(ui, vec2((wide + 2.0 * theme::STEP).max(KEY), 4.0 * theme::STEP), &look);
    if response.clicked() && !waits {
        wait(view, deed, place);
    }
    if waits && response.clicked_elsewhere() {
        view.capturing = None;
    }
}

fn wait(view: &mut View, deed: Deed, place: usize) {
    (view.capturing, view.asked, view.refused) = (Some((deed, place)), None, None);
}

/// The command with the keys it came with, or the question whether others may lose them.
fn restored(keys: &Keymap, deed: Deed, view: &mut View) -> Option<Keymap> {
    (view.capturing, view.asked, view.refused) = (None, None, None);
    let mut next = keys.clone();
    next.restore(deed);
    let lost = deed.usual().into_iter().find_map(|key| lost(keys, deed, key));
    match lost {
        None => Some(next),
        Some(words) => {
            view.asked = Some(Asked { deed, next, what: "what it came with".to_owned(), words });
            None
        }
    }
}

/// What the key that went down changes. The frame in which a pad is clicked by Enter is not the frame that it waits in.
fn captured(ui: &Ui, snapshot: &Snapshot, keys: &Keymap, view: &mut View) -> Option<Keymap> {
    let (deed, place) = view.capturing?;
    let key = pressed(ui.ctx()).into_iter().next()?;
    view.capturing = None;
    let mut next = keys.clone();
    match key.key {
        Key::Escape => return None,
        Key::Backspace => {
            next.take(deed, place);
            return Some(next);
        }
        _ if keys.of(deed).contains(&key) => return None,
        _ => {}
    }
    if let Some(refusal) = key.refusal() {
        view.refused = Some((deed, refusal));
        return None;
    }
    if let Some(words) = clash(snapshot, keys, deed, key) {
        next.give(deed, place, key);
        view.asked = Some(Asked { deed, next, what: key.to_string(), words });
        return None;
    }
    next.give(deed, place, key);
    Some(next)
}

/// Who has a key already, and what they would lose.
fn clash(snapshot: &Snapshot, keys: &Keymap, deed: Deed, key: Shortcut) -> Option<String> {
    if let Some(words) = lost(keys, deed, key) {
        return Some(words);
    }
    let plain = key == Shortcut::plain(key.key);
    // Tiles of the quick line make way for scenes, so nothing is lost there.
    if !plain || matches!(deed, Deed::Quick(_)) {
        return None;
    }
    let has = |name: &Option<String>| name.as_deref().and_then(Key::from_name) == Some(key.key);
    let scene = snapshot.project.scenes.iter().find(|scene| has(&scene.key))?;
    Some(format!("{key} plays the scene {}; it would not any more.", scene.name))
}

/// Which other command has a key, and what that would be left with.
fn lost(keys: &Keymap, deed: Deed, key: Shortcut) -> Option<String> {
    let other = keys.deed(key).filter(|other| *other != deed)?;
    let left: Vec<String> = keys.of(other).iter().filter(|had| **had != key).map(Shortcut::to_string).collect();
    let rest = match left.is_empty() {
        true => "it would have no key then".to_owned(),
        false => format!("it would keep {}", left.join(", ")),
    };
    Some(format!("{key} is {}; {rest}.", other.name()))
}

/// The question whose a key is to be.
fn asked_ui(ui: &mut Ui, deed: Deed, view: &mut View) -> Option<Keymap> {
    let asked = view.asked.as_ref().filter(|asked| asked.deed == deed)?;
    let (mut give, mut leave) = (false, false);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&asked.words).font(theme::small()).color(theme::TEXT));
        let (taking, leaving) =
            (format!("Give {} to {}", asked.what, deed.name()), format!("Leave {} where it is", asked.what));
        let take = PadLook { colour: theme::TEXT, ..PadLook::quiet(&taking, "Take it") };
        give = pad(ui, vec2(104.0, 4.0 * theme::STEP), &take).clicked();
        leave = pad(ui, vec2(104.0, 4.0 * theme::STEP), &PadLook::quiet(&leaving, "Leave it")).clicked();
    });
    leave |= ui.input(|input| input.key_pressed(Key::Escape));
    if !give && !leave {
        return None;
    }
    view.asked.take().filter(|_| give).map(|asked| asked.next)
}
