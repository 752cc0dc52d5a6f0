//! Help for authors: everything that an effect can read and call, taken from the code that gives it to them.
//!
//! Pure text. Functions and constants are read from `common.glsl` with the comments above them; a test sees to it that
//! every input and every field of a lamp has its words here.

use super::isolate::INPUTS;
use super::library::COMMON;

/// What something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Of the lamp that is lit.
    Lamp,
    /// Of the moment and the effect.
    Input,
    /// Functions and constants.
    Function,
}

/// One thing that an effect can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it belongs to.
    pub group: Group,
    /// As it is declared: `float progress`.
    pub declared: String,
    /// What is written into a source to use it.
    pub insert: String,
    /// What it is.
    pub about: String,
}

/// The fields of a lamp.
const LAMP: [(&str, &str, &str); 13] = [
    ("vec2", "uv", "Place in the layout's frame, 0..1, x right, y up"),
    ("vec3", "position", "The same with depth, 0..1"),
    ("vec3", "metres", "Place in metres"),
    ("vec3", "size", "The frame's size in metres"),
    ("vec2", "local", "Place within its fixture, 0..1"),
    ("int", "index", "Number within its fixture, from 0"),
    ("int", "count", "Lamps of its fixture"),
    ("int", "fixture", "Number of its fixture, from 0"),
    ("int", "fixtures", "Fixtures of the layout"),
    ("int", "group", "Number of its group within the fixture, from 0"),
    ("int", "groups", "Groups of its fixture"),
    ("int", "chain_index", "Place along its chain, from 0"),
    ("int", "chain_count", "Lamps of its chain"),
];

/// The inputs, in the order of [`INPUTS`].
const ABOUT: [(&str, &str); 10] = [
    ("progress", "0..1 along the effect's curve; once over four beats without one"),
    ("beat", "Beats since the start, ahead by the effect's offset"),
    ("bar", "0..1 over the bar of four beats"),
    ("seconds", "Seconds since the start"),
    ("bpm", "Tempo"),
    ("speed", "How many times as fast the effect runs"),
    ("random_effect", "0..1, another for every effect"),
    ("random_beat", "0..1, another with every beat"),
    ("primary", "The palette's first colour, linear light"),
    ("secondary", "The palette's second colour, linear light"),
];

/// Everything, by group.
pub fn entries() -> Vec<Entry> {
    let lamp = LAMP.iter().map(|(kind, name, about)| Entry {
        group: Group::Lamp,
        declared: format!("{kind} lamp.{name}"),
        insert: format!("lamp.{name}"),
        about: (*about).to_owned(),
    });
    let inputs = INPUTS.iter().map(|(name, kind)| Entry {
        group: Group::Input,
        declared: format!("{kind} {name}"),
        insert: (*name).to_owned(),
        about: ABOUT.iter().find(|(other, _)| other == name).map_or("", |(_, about)| *about).to_owned(),
    });
    let gradient = Entry {
        group: Group::Input,
        declared: "vec3 gradient(float t)".into(),
        insert: "gradient(t)".into(),
        about: "The palette's gradient at 0..1, linear light".into(),
    };
    lamp.chain(inputs).chain([gradient]).chain(common()).collect()
}

/// What `common.glsl` declares, each with the comment above it or that of the one before of the same name.
fn common() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut comment = String::new();
    for line in COMMON.lines() {
        if let Some(text) = line.strip_prefix("// ") {
            comment = if comment.is_empty() { text.to_owned() } else { format!("{comment} {text}") };
            continue;
        }
        let about = std::mem::take(&mut comment);
        if let Some(declared) = line.strip_prefix("const ") {
            let declared = declared.trim_end_matches(';');
            let name = declared.split_whitespace().nth(1).unwrap_or_default();
            let (declared, insert) = (declared.to_owned(), name.to_owned());
            entries.push(Entry { group: Group::Function, declared, insert, about: String::new() });
        } else if let Some(declared) = line.strip_suffix(" {").filter(|line| line.starts_with(char::is_alphabetic)) {
            let (head, arguments) = declared.split_once('(').unwrap_or((declared, ")"));
            let name = head.split_whitespace().nth(1).unwrap_or_default();
            let names = arguments.trim_end_matches(')').split(',').filter_map(|one| one.split_whitespace().nth(1));
            let insert = format!("{name}({})", names.collect::<Vec<_>>().join(", "));
            let same = |entry: &&Entry| entry.insert.starts_with(&format!("{name}("));
            let about = if about.is_empty() {
                entries.iter().rev().find(same).map_or_else(String::new, |entry| entry.about.clone())
            } else {
                about
            };
            entries.push(Entry { group: Group::Function, declared: declared.to_owned(), insert, about });
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::super::prelude::LAMP_CODE;
    use super::*;

    #[test]
    fn every_input_and_every_field_of_a_lamp_has_its_words() {
        assert_eq!(ABOUT.map(|(name, _)| name), INPUTS.map(|(name, _)| name));
        let (_, fields) = LAMP_CODE.split_once("struct Lamp {").unwrap();
        let (fields, _) = fields.split_once("};").unwrap();
        let fields: Vec<&str> = fields.lines().map(|line| line.trim().trim_end_matches(';')).collect();
        let told: Vec<String> = LAMP.iter().map(|(kind, name, _)| format!("{kind} {name}")).collect();
        assert_eq!(fields.into_iter().filter(|field| !field.is_empty()).collect::<Vec<_>>(), told);
    }

    #[test]
    fn functions_come_with_their_comments_and_are_written_as_they_are_called() {
        let entries = entries();
        let find = |insert: &str| entries.iter().find(|entry| entry.insert == insert).unwrap();
        let around = find("around(lamp, point)");
        assert_eq!(around.declared, "vec2 around(Lamp lamp, vec2 point)");
        assert!(around.about.starts_with("The lamp around a point"), "{around:?}");
        assert_eq!(find("TAU").declared, "float TAU = 6.28318531");
        assert_eq!(find("gradient(t)").group, Group::Input);
        let functions = COMMON.lines().filter(|line| line.ends_with(") {") && !line.starts_with(' ')).count();
        assert_eq!(entries.iter().filter(|entry| entry.group == Group::Function).count(), functions + 2);
    }
}
