//! Which keys do what on this machine: what commands come with, and what was changed of it.
//!
//! Plain values of the ui thread, kept in the settings. Whatever a file says, no key does two things: what cannot be
//! read or is there twice goes back to what it was, and is told.

use super::deeds::Deed;
use super::shortcut::Shortcut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Keys that one command can have.
pub const MOST: usize = 3;

/// As it is written: keys by the ids of commands.
type Written = BTreeMap<String, Vec<String>>;

/// Which keys do what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Keymap {
    /// Commands that have other keys than they came with.
    own: BTreeMap<Deed, Vec<Shortcut>>,
    /// What was wrong with the file, until it is told.
    faults: Vec<String>,
}

impl From<Keymap> for Written {
    fn from(keymap: Keymap) -> Self {
        let text = |keys: Vec<Shortcut>| keys.iter().map(Shortcut::to_string).collect();
        keymap.own.into_iter().map(|(deed, keys)| (deed.id(), text(keys))).collect()
    }
}

impl From<Written> for Keymap {
    fn from(written: Written) -> Self {
        let mut keymap = Self::default();
        for (id, texts) in written {
            let Some(deed) = Deed::all().find(|deed| deed.id() == id) else {
                keymap.faults.push(format!("there is no command `{id}`"));
                continue;
            };
            match read(&texts) {
                Ok(keys) => keymap.put(deed, keys),
                Err(fault) => keymap.faults.push(format!("{}: {fault}", deed.name())),
            }
        }
        keymap.part_doubles();
        keymap
    }
}

fn read(texts: &[String]) -> Result<Vec<Shortcut>, String> {
    if texts.len() > MOST {
        return Err(format!("has more than {MOST} keys"));
    }
    let mut keys = Vec::new();
    for text in texts {
        let key: Shortcut = text.parse()?;
        match key.refusal() {
            Some(refusal) => return Err(refusal),
            None if keys.contains(&key) => return Err(format!("has {key} twice")),
            None => keys.push(key),
        }
    }
    Ok(keys)
}

impl Keymap {
    /// The keys of a command.
    pub fn of(&self, deed: Deed) -> Vec<Shortcut> {
        self.own.get(&deed).cloned().unwrap_or_else(|| deed.usual())
    }

    /// The command that a key has.
    pub fn deed(&self, key: Shortcut) -> Option<Deed> {
        Deed::all().find(|deed| match self.own.get(deed) {
            Some(keys) => keys.contains(&key),
            None => deed.usual().contains(&key),
        })
    }

    /// The keys of a command in words; empty where it has none.
    pub fn shown(&self, deed: Deed) -> String {
        self.of(deed).iter().map(Shortcut::to_string).collect::<Vec<_>>().join(", ")
    }

    /// The first key of a command, for a menu; empty where it has none.
    pub fn first(&self, deed: Deed) -> String {
        self.of(deed).first().map(Shortcut::to_string).unwrap_or_default()
    }

    /// Words with the first key behind them, for what is shown under the pointer.
    pub fn hint(&self, words: &str, deed: Deed) -> String {
        match self.first(deed) {
            key if key.is_empty() => words.to_owned(),
            key => format!("{words} ({key})"),
        }
    }

    /// Whether a command has other keys than it came with.
    pub fn is_changed(&self, deed: Deed) -> bool {
        self.own.contains_key(&deed)
    }

    /// Whether nothing was changed.
    pub fn is_usual(&self) -> bool {
        self.own.is_empty()
    }

    /// Gives a command these keys, whoever else has them.
    pub fn put(&mut self, deed: Deed, keys: Vec<Shortcut>) {
        if keys == deed.usual() {
            self.own.remove(&deed);
        } else {
            self.own.insert(deed, keys);
        }
    }

    /// Gives a command a key in place of the one at `place`, or one more; whoever had it has it no more.
    pub fn give(&mut self, deed: Deed, place: usize, key: Shortcut) {
        if let Some(other) = self.deed(key) {
            let left = self.of(other).into_iter().filter(|had| *had != key).collect();
            self.put(other, left);
        }
        let mut keys = self.of(deed);
        match keys.get_mut(place) {
            Some(had) => *had = key,
            None => keys.push(key),
        }
        keys.truncate(MOST);
        self.put(deed, keys);
    }

    /// Takes a key from a command.
    pub fn take(&mut self, deed: Deed, place: usize) {
        let mut keys = self.of(deed);
        if place < keys.len() {
            keys.remove(place);
            self.put(deed, keys);
        }
    }

    /// Gives a command the keys it came with. Whoever has them loses them, unless they were theirs from the beginning.
    pub fn restore(&mut self, deed: Deed) {
        self.own.remove(&deed);
        for key in deed.usual() {
            let others: Vec<Deed> = self.own.keys().copied().filter(|other| self.of(*other).contains(&key)).collect();
            for other in others {
                let left = self.of(other).into_iter().filter(|had| *had != key).collect();
                self.put(other, left);
            }
        }
    }

    /// What was wrong with the file, once.
    pub fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// Where a key has two commands, those that were changed go back to what they were, until none has.
    fn part_doubles(&mut self) {
        while let Some((key, deed)) = self.double() {
            self.own.remove(&deed);
            self.faults.push(format!("{key} is there twice, {} has what it came with", deed.name()));
        }
    }

    /// A key of a changed command that another one has too.
    fn double(&self) -> Option<(Shortcut, Deed)> {
        let taken = |key: &Shortcut, by: Deed| Deed::all().any(|other| other != by && self.of(other).contains(key));
        self.own.iter().find_map(|(deed, keys)| Some((*keys.iter().find(|key| taken(key, *deed))?, *deed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Key;

    fn read_from(text: &str) -> Keymap {
        ron::from_str(text).unwrap()
    }

    #[test]
    fn only_what_was_changed_is_written_and_read_as_it_was() {
        let mut keymap = Keymap::default();
        assert_eq!(ron::to_string(&keymap).unwrap(), "{}");
        keymap.give(Deed::Save, 0, Shortcut::plain(Key::F5));
        keymap.give(Deed::Tap, 1, Shortcut::ctrl(Key::T));
        let text = ron::to_string(&keymap).unwrap();
        assert_eq!(text, r#"{"save":["F5"],"tap":["T","Ctrl T"]}"#);
        assert_eq!(read_from(&text), keymap);
        keymap.give(Deed::Save, 0, Shortcut::ctrl(Key::S));
        keymap.take(Deed::Tap, 1);
        assert!(keymap.is_usual());
    }

    #[test]
    fn a_key_that_is_given_away_is_lost_by_whoever_had_it() {
        let mut keymap = Keymap::default();
        keymap.give(Deed::Blackout, 0, Shortcut::ctrl(Key::S));
        assert_eq!((keymap.deed(Shortcut::ctrl(Key::S)), keymap.first(Deed::Save)), (Some(Deed::Blackout), "".into()));
        assert_eq!(keymap.deed(Shortcut::plain(Key::B)), None);
        keymap.restore(Deed::Save);
        assert_eq!((keymap.first(Deed::Save), keymap.first(Deed::Blackout)), ("Ctrl S".into(), "".into()));
        keymap.restore(Deed::Blackout);
        assert!(keymap.is_usual());
    }

    #[test]
    fn what_cannot_be_read_or_is_there_twice_is_what_it_was_and_told() {
        for (text, faults) in [
            (r#"{"save":["Ctrl Nonsense"]}"#, 1),
            (r#"{"fly":["F5"]}"#, 1),
            (r#"{"save":["Enter"]}"#, 1),
            (r#"{"save":["F5","F5"]}"#, 1),
            (r#"{"save":["F3","F4","F5","F6"]}"#, 1),
            (r#"{"save":["T"]}"#, 1),
            (r#"{"save":["F5"],"open":["F5"],"tap":["T","F6"]}"#, 1),
            (r#"{"save":["Ctrl O"],"open":["Ctrl S"]}"#, 0),
        ] {
            let mut keymap = read_from(text);
            assert_eq!(keymap.take_faults().len(), faults, "{text}");
            for deed in Deed::all() {
                for key in keymap.of(deed) {
                    assert_eq!(keymap.deed(key), Some(deed), "{key} in {text}");
                }
            }
        }
        let mut keymap = read_from(r#"{"save":["F5"],"open":["F5"],"tap":["T","F6"]}"#);
        assert_eq!(keymap.take_faults(), ["F5 is there twice, Open a project has what it came with"]);
        assert_eq!((keymap.first(Deed::Save), keymap.shown(Deed::Tap)), ("F5".into(), "T, F6".into()));
    }
}
