//! The project file, format version 1: RON text to project and back.
//!
//! Pure text work for any thread; touches no file. The structs of the file are apart from those of the model, so that
//! the model may change while files stay what they are. Every item is read on its own: one that cannot be read is
//! left out, named in a [`Problem`] and kept as text in [`Parsed::quarantined`], so that a save writes it back.
//! Deliberately absent: repair of references and ranges, which is `model::validate`'s; comments, which a save drops.
//!
//! Numbering in the file: patch universes count from 0 and channels from 1, a route's `port` is the raw 15-bit
//! port-address, columns and rows of the grid count from 0. Lengths are metres, angles degrees, times beats.

mod item;
mod look;
mod movement;
mod numbers;
mod output;
mod patch;
mod sections;
mod settings;
mod write;

use crate::model::id::{Item, LayoutId, Table};
use crate::model::problem::Problem;
use crate::model::project::Project;
use item::{FileItem, Reader};
use sections::Sections;
use settings::{FileGrid, FileSettings};

pub use sections::SyntaxError;
pub use write::to_text;

/// The version that this Glowdeck writes, and the newest that it reads.
pub const VERSION: u32 = 1;

/// What could not be read, as it stood in the file. A save of the same file writes it back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quarantined {
    /// An item of a section.
    Item {
        /// The section: `scenes`.
        section: &'static str,
        /// Its RON text.
        text: String,
    },
    /// A section that is not known.
    Section {
        /// Its name.
        name: String,
        /// Its RON text.
        text: String,
    },
}

/// A project as it stood in a text, before any repair.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// What could be read.
    pub project: Project,
    /// What could not, and what was clamped.
    pub problems: Vec<Problem>,
    /// What could not, as text.
    pub quarantined: Vec<Quarantined>,
}

/// Why a text is no project at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// It is not RON, or not one struct.
    Syntax(SyntaxError),
    /// It does not say `version: 1`, but this or nothing.
    Version(Option<u32>),
}

/// Reads a project.
///
/// # Errors
/// Only when the text as a whole is no project of this version; a bad item is a problem instead.
pub fn from_text(text: &str) -> Result<Parsed, TextError> {
    let sections = Sections::of(text).map_err(TextError::Syntax)?;
    match sections.version() {
        Some(VERSION) => {}
        other => return Err(TextError::Version(other)),
    }
    let mut reader = Reader::new(text);
    let mut project = Project::empty("");
    project.layouts = Table::default();
    for (name, raw) in &sections.all {
        match name.as_str() {
            "version" => {}
            "settings" => reader.whole::<FileSettings>("settings", raw, |file, reader| {
                project.settings = file.into_model(reader).into();
            }),
            "grid" => reader.whole::<FileGrid>("grid", raw, |file, _| project.grid = file.into()),
            "palettes" => read_items::<look::FilePalette>(&mut project.palettes, raw, &mut reader),
            "curves" => read_items::<movement::FileCurve>(&mut project.curves, raw, &mut reader),
            "triggers" => read_items::<movement::FileTrigger>(&mut project.triggers, raw, &mut reader),
            "shaders" => read_items::<look::FileShader>(&mut project.shaders, raw, &mut reader),
            "definitions" => read_items::<patch::FileDefinition>(&mut project.definitions, raw, &mut reader),
            "fixtures" => read_items::<patch::FileFixture>(&mut project.fixtures, raw, &mut reader),
            "chains" => read_items::<patch::FileChain>(&mut project.chains, raw, &mut reader),
            "supplies" => read_items::<patch::FileSupply>(&mut project.supplies, raw, &mut reader),
            "layouts" => read_items::<patch::FileLayout>(&mut project.layouts, raw, &mut reader),
            "devices" => read_items::<output::FileDevice>(&mut project.devices, raw, &mut reader),
            "routes" => read_items::<output::FileRoute>(&mut project.routes, raw, &mut reader),
            "scenes" => read_items::<look::FileScene>(&mut project.scenes, raw, &mut reader),
            _ => reader.unknown_section(name, raw),
        }
    }
    if !project.layouts.contains(project.settings.topology) && project.layouts.is_empty() {
        project.layouts = Project::empty("").layouts;
        project.settings = settings::with_topology(&project.settings, LayoutId(1)).into();
    }
    Ok(Parsed { project, problems: reader.problems, quarantined: reader.quarantined })
}

fn read_items<F: FileItem>(table: &mut Table<F::Model>, raw: &ron::value::RawValue, reader: &mut Reader) {
    let mut read: Vec<F::Model> = table.iter().map(|item| F::Model::clone(item)).collect();
    let mut ids: std::collections::BTreeSet<_> = read.iter().map(Item::id).collect();
    for item in reader.list(F::SECTION, raw) {
        let Some(model) = reader.item::<F>(item) else { continue };
        if ids.insert(model.id()) {
            read.push(model);
        } else {
            reader.refuse::<F>(item, "another item of this kind has the same id".into(), None);
        }
    }
    *table = read.into_iter().collect();
}
