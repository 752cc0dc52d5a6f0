//! Writes a project as text that reads well in a diff: a line an item, a line a field where items are large.

use super::item::FileItem;
use super::look::{FilePalette, FileScene, FileShader};
use super::movement::{FileCurve, FileTrigger};
use super::output::{FileDevice, FileRoute};
use super::patch::{FileChain, FileDefinition, FileFixture, FileLayout, FileSupply};
use super::sections::options;
use super::settings::{FileGrid, FileSettings};
use super::{Quarantined, VERSION};
use crate::model::id::Table;
use crate::model::project::Project;
use ron::ser::PrettyConfig;
use serde::Serialize;

/// The project as text, with what could not be read when it was loaded back in its sections.
///
/// # Errors
/// When a part cannot be written as RON, which says which one.
pub fn to_text(project: &Project, quarantined: &[Quarantined]) -> Result<String, ron::Error> {
    let mut text = format!("(\n    version: {VERSION},\n");
    let mut writer = Writer { text: &mut text, quarantined };
    writer.whole("settings", &FileSettings::from(&*project.settings))?;
    writer.section::<FilePalette>(&project.palettes, Shape::FieldALine)?;
    writer.section::<FileCurve>(&project.curves, Shape::Line)?;
    writer.section::<FileTrigger>(&project.triggers, Shape::Line)?;
    writer.section::<FileShader>(&project.shaders, Shape::Verbatim)?;
    writer.section::<FileDefinition>(&project.definitions, Shape::Line)?;
    writer.section::<FileFixture>(&project.fixtures, Shape::Line)?;
    writer.section::<FileChain>(&project.chains, Shape::PartALine)?;
    writer.section::<FileSupply>(&project.supplies, Shape::Line)?;
    writer.section::<FileLayout>(&project.layouts, Shape::PartALine)?;
    writer.section::<FileDevice>(&project.devices, Shape::Line)?;
    writer.section::<FileRoute>(&project.routes, Shape::Line)?;
    writer.whole("grid", &FileGrid::from(project.grid))?;
    writer.section::<FileScene>(&project.scenes, Shape::PartALine)?;
    writer.unknown_sections();
    text.push_str(")\n");
    Ok(text)
}

/// How an item is laid out.
#[derive(Clone, Copy)]
enum Shape {
    /// On one line.
    Line,
    /// On one line, but strings run over lines as they are.
    Verbatim,
    /// A line for each field.
    FieldALine,
    /// A line for each field, and for each part of a list in a field.
    PartALine,
}

impl Shape {
    fn text(self, item: &impl Serialize) -> Result<String, ron::Error> {
        let depth = match self {
            Self::Line | Self::Verbatim => 0,
            Self::FieldALine => 1,
            Self::PartALine => 2,
        };
        let verbatim = matches!(self, Self::Verbatim);
        let config = PrettyConfig::new().depth_limit(depth).new_line("\n").escape_strings(!verbatim);
        let text = options().to_string_pretty(item, config)?;
        // Only shaders hold line ends of their own, which an indent would change.
        Ok(if verbatim { text } else { text.replace('\n', "\n        ") })
    }
}

struct Writer<'a> {
    text: &'a mut String,
    quarantined: &'a [Quarantined],
}

impl Writer<'_> {
    fn whole(&mut self, name: &str, value: &impl Serialize) -> Result<(), ron::Error> {
        let value = Shape::Line.text(value)?;
        self.text.push_str(&format!("    {name}: {value},\n"));
        Ok(())
    }

    fn section<F: FileItem>(&mut self, table: &Table<F::Model>, shape: Shape) -> Result<(), ron::Error> {
        let kept = self.quarantined.iter().filter_map(|quarantined| match quarantined {
            Quarantined::Item { section, text } if *section == F::SECTION => Some(text.as_str()),
            _ => None,
        });
        let kept: Vec<&str> = kept.collect();
        if table.is_empty() && kept.is_empty() {
            return Ok(());
        }
        self.text.push_str(&format!("    {}: [\n", F::SECTION));
        for item in table.iter() {
            let item = shape.text(&F::from_model(item))?;
            self.text.push_str(&format!("        {item},\n"));
        }
        for text in kept {
            self.text.push_str(&format!("        {text},\n"));
        }
        self.text.push_str("    ],\n");
        Ok(())
    }

    fn unknown_sections(&mut self) {
        for quarantined in self.quarantined {
            if let Quarantined::Section { name, text } = quarantined {
                let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                    && !name.starts_with(|c: char| c.is_ascii_digit());
                let raw = if plain { "" } else { "r#" };
                self.text.push_str(&format!("    {raw}{name}: {text},\n"));
            }
        }
    }
}
