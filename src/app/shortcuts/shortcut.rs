//! A key with what is held besides, as it is pressed, read and written down: `Ctrl Shift S`.
//!
//! Plain values. Deliberately absent: what a shortcut does.

use egui::{Key, Modifiers};
use std::fmt;
use std::str::FromStr;

/// A key and the modifiers that go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// The key.
    pub key: Key,
    /// With Ctrl, or with the command key of a Mac.
    pub command: bool,
    /// With Shift; never for a sign that takes Shift to be typed.
    pub shift: bool,
    /// With Alt.
    pub alt: bool,
}

impl Shortcut {
    /// The key alone.
    pub const fn plain(key: Key) -> Self {
        Self { key, command: false, shift: false, alt: false }
    }

    /// With Ctrl.
    pub const fn ctrl(key: Key) -> Self {
        Self { command: true, ..Self::plain(key) }
    }

    /// With Ctrl and Shift.
    pub const fn ctrl_shift(key: Key) -> Self {
        Self { shift: true, ..Self::ctrl(key) }
    }

    /// What was pressed. Whether `?` or `+` takes Shift depends on the keyboard, so it does not count there.
    pub fn pressed(key: Key, modifiers: Modifiers) -> Self {
        let Modifiers { alt, shift, command, .. } = modifiers;
        Self { key, command, shift: shift && !is_sign(key), alt }
    }

    /// The same without Shift, for a hand that rests on it; not where Ctrl or Alt say that it is meant.
    pub fn shiftless(self) -> Option<Self> {
        (self.shift && !self.command && !self.alt).then_some(Self { shift: false, ..self })
    }

    /// Whether it means something to whoever types: then it does nothing else meanwhile.
    pub fn types(self) -> bool {
        const EDITS: [Key; 6] = [Key::A, Key::C, Key::V, Key::X, Key::Y, Key::Z];
        match self.command {
            true => EDITS.contains(&self.key),
            false => !is_function(self.key),
        }
    }

    /// Why nothing can have it; `None` where it is free to be given.
    pub fn refusal(self) -> Option<String> {
        let words = match self.key {
            _ if is_modifier(self.key) => "is held with other keys",
            Key::Tab | Key::Enter | Key::Space | Key::Escape | Key::Delete | Key::Backspace => {
                "is how the keyboard goes through the window"
            }
            Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight => "walks through lists and tiles",
            Key::A | Key::C | Key::V | Key::X if self.command => "selects, copies and pastes",
            Key::D | Key::M if self.command && !self.shift => "duplicates tiles and effects, or mutes them",
            Key::F10 if self.shift => "opens the menu of a tile",
            Key::Cut | Key::Copy | Key::Paste | Key::Menu => "has its own meaning everywhere",
            _ => return None,
        };
        Some(format!("{self} {words}; it cannot be given away."))
    }
}

/// Signs that are typed with Shift on some keyboards and without on others.
fn is_sign(key: Key) -> bool {
    matches!(
        key,
        Key::Colon
            | Key::Minus
            | Key::Plus
            | Key::Equals
            | Key::Pipe
            | Key::Questionmark
            | Key::Exclamationmark
            | Key::OpenCurlyBracket
            | Key::CloseCurlyBracket
            | Key::Slash
            | Key::Quote
    )
}

/// F1 and those after it, which no text is typed with.
fn is_function(key: Key) -> bool {
    let name = key.name();
    name.len() > 1 && name.starts_with('F') && name[1..].bytes().all(|sign| sign.is_ascii_digit())
}

/// Shift, Ctrl, Alt and the like, which come as keys too.
pub fn is_modifier(key: Key) -> bool {
    matches!(
        key,
        Key::ShiftLeft
            | Key::ShiftRight
            | Key::ControlLeft
            | Key::ControlRight
            | Key::AltLeft
            | Key::AltRight
            | Key::SuperLeft
            | Key::SuperRight
    )
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.command, "Ctrl"), (self.alt, "Alt"), (self.shift, "Shift")] {
            if held {
                write!(f, "{name} ")?;
            }
        }
        f.write_str(self.key.symbol_or_name())
    }
}

impl FromStr for Shortcut {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let key = words.pop().and_then(Key::from_name).ok_or_else(|| format!("`{text}` is no key"))?;
        let mut modifiers = Modifiers::NONE;
        for word in words {
            match word {
                "Ctrl" => modifiers.command = true,
                "Alt" => modifiers.alt = true,
                "Shift" => modifiers.shift = true,
                _ => return Err(format!("`{word}` of `{text}` is not Ctrl, Alt or Shift")),
            }
        }
        Ok(Self::pressed(key, modifiers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_as_it_is_written() {
        for key in Key::ALL {
            for modifiers in [Modifiers::NONE, Modifiers::COMMAND, Modifiers::ALT | Modifiers::SHIFT] {
                let shortcut = Shortcut::pressed(*key, modifiers);
                assert_eq!(shortcut.to_string().parse(), Ok(shortcut), "{shortcut}");
            }
        }
        assert_eq!(Shortcut::ctrl_shift(Key::S).to_string(), "Ctrl Shift S");
        assert_eq!(Shortcut::ctrl(Key::Comma).to_string(), "Ctrl ,");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "Ctrl", "Ctrl Nonsense", "Hyper S", "S Ctrl"] {
            assert!(text.parse::<Shortcut>().is_err(), "{text}");
        }
    }

    #[test]
    fn shift_counts_only_where_the_sign_does_not_need_it() {
        assert_eq!(Shortcut::pressed(Key::Questionmark, Modifiers::SHIFT), Shortcut::plain(Key::Questionmark));
        assert_ne!(Shortcut::pressed(Key::S, Modifiers::SHIFT), Shortcut::plain(Key::S));
        assert_eq!(Shortcut::pressed(Key::S, Modifiers::SHIFT).shiftless(), Some(Shortcut::plain(Key::S)));
        assert_eq!(Shortcut::ctrl_shift(Key::S).shiftless(), None);
    }

    #[test]
    fn keys_that_text_is_typed_with_are_told_from_others() {
        for (shortcut, types) in [
            (Shortcut::plain(Key::T), true),
            (Shortcut::ctrl(Key::Z), true),
            (Shortcut::ctrl_shift(Key::Z), true),
            (Shortcut::ctrl(Key::S), false),
            (Shortcut::plain(Key::F11), false),
            (Shortcut::plain(Key::F), true),
        ] {
            assert_eq!(shortcut.types(), types, "{shortcut}");
        }
    }
}
