//! Reads one item after the other and puts aside, with a problem that names it, what cannot be read.

use super::Quarantined;
use super::sections::{SyntaxError, options};
use crate::model::id::Item;
use crate::model::problem::Problem;
use ron::value::RawValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// An item as a file holds it.
pub(super) trait FileItem: Serialize + DeserializeOwned {
    /// What the show plays.
    type Model: Item;
    /// The section it lives in.
    const SECTION: &'static str;
    /// What a problem calls it.
    const KIND: &'static str;

    /// The model's item in the file's words.
    fn from_model(model: &Self::Model) -> Self;

    /// The file's item as the model's; a note for each value that had to be clamped.
    fn into_model(self, notes: &mut Vec<String>) -> Result<Self::Model, String>;
}

/// What an item calls itself, read leniently so that a bad item can be named too.
#[derive(Deserialize)]
#[serde(rename = "")]
struct Label {
    id: Option<u32>,
    #[serde(default)]
    name: Option<String>,
}

/// Reads items and collects what was wrong with them.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// Where each line starts.
    lines: Vec<usize>,
    pub problems: Vec<Problem>,
    pub quarantined: Vec<Quarantined>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, lines, problems: Vec::new(), quarantined: Vec::new() }
    }

    /// The line, from 1, that a part of the text starts in.
    fn line_of(&self, raw: &RawValue) -> usize {
        let at = (raw.get_ron().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.lines.partition_point(|start| *start <= at).max(1)
    }

    /// The items of a section, none when it is no list.
    pub fn list<'r>(&mut self, section: &'static str, raw: &'r RawValue) -> Vec<&'r RawValue> {
        let read = options().from_str::<Vec<&'r RawValue>>(raw.get_ron());
        read.unwrap_or_else(|error| {
            self.section_left_out(section, raw, error.into());
            Vec::new()
        })
    }

    /// A section that is one item.
    pub fn whole<T: DeserializeOwned>(
        &mut self,
        section: &'static str,
        raw: &RawValue,
        take: impl FnOnce(T, &mut Self),
    ) {
        match options().from_str(raw.get_ron()) {
            Ok(read) => take(read, self),
            Err(error) => self.section_left_out(section, raw, error.into()),
        }
    }

    fn section_left_out(&mut self, section: &'static str, raw: &RawValue, error: SyntaxError) {
        let line = self.line_of(raw) + error.line - 1;
        let action = "left at its defaults; the file keeps it until the next save, then its last generation does";
        self.problems.push(Problem::repaired(section, error.reason, action).at_line(line));
    }

    /// A section that no version so far has.
    pub fn unknown_section(&mut self, name: &str, raw: &RawValue) {
        let item = format!("section `{name}`");
        let action = "left out of the show, kept in the file";
        self.problems.push(Problem::repaired(item, "it is not known", action).at_line(self.line_of(raw)));
        self.quarantined.push(Quarantined::Section { name: name.into(), text: raw.get_ron().into() });
    }

    /// One item, `None` when it had to be put aside.
    pub fn item<F: FileItem>(&mut self, raw: &RawValue) -> Option<F::Model> {
        let file = match options().from_str::<F>(raw.get_ron()) {
            Ok(file) => file,
            Err(error) => {
                let error = SyntaxError::from(error);
                self.refuse::<F>(raw, error.reason, Some(error.line));
                return None;
            }
        };
        let mut notes = Vec::new();
        match file.into_model(&mut notes) {
            Ok(model) => {
                let (name, line) = (label::<F>(raw), self.line_of(raw));
                self.note(&name, Some(line), notes);
                Some(model)
            }
            Err(reason) => {
                self.refuse::<F>(raw, reason, None);
                None
            }
        }
    }

    /// Values that were clamped.
    pub fn note(&mut self, item: &str, line: Option<usize>, notes: Vec<String>) {
        self.problems.extend(notes.into_iter().map(|fault| Problem {
            item: item.to_owned(),
            fault,
            action: Some("the nearest allowed value is used".into()),
            line,
        }));
    }

    /// Puts an item aside. `line` counts from 1 within the item.
    pub fn refuse<F: FileItem>(&mut self, raw: &RawValue, reason: String, line: Option<usize>) {
        let line = self.line_of(raw) + line.unwrap_or(1) - 1;
        let action = "left out of the show, kept in the file";
        self.problems.push(Problem::repaired(label::<F>(raw), reason, action).at_line(line));
        self.quarantined.push(Quarantined::Item { section: F::SECTION, text: raw.get_ron().into() });
    }
}

fn label<F: FileItem>(raw: &RawValue) -> String {
    let kind = F::KIND;
    match options().from_str::<Label>(raw.get_ron()) {
        Ok(Label { id: Some(id), name: Some(name) }) => format!("{kind} `{name}` (#{id})"),
        Ok(Label { id: Some(id), name: None }) => format!("{kind} #{id}"),
        Ok(Label { id: None, name: Some(name) }) => format!("{kind} `{name}`"),
        _ => kind.to_owned(),
    }
}
