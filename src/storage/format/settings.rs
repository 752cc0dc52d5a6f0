//! Settings and grid as a file holds them.

use super::item::Reader;
use super::numbers::{is_default, is_one, level, one};
use crate::model::device::ExitPolicy;
use crate::model::id::{LayoutId, PaletteId};
use crate::model::project::Settings;
use crate::model::scene::{Grid, QuickLine};
use crate::units::Bpm;
use serde::{Deserialize, Serialize};

/// What belongs to the project as a whole.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Settings")]
pub(super) struct FileSettings {
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    palette: Option<PaletteId>,
    #[serde(default = "first_layout")]
    topology: LayoutId,
    #[serde(default = "default_bpm")]
    bpm: f64,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    master: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    exit: ExitPolicy,
}

fn first_layout() -> LayoutId {
    LayoutId(1)
}

fn default_bpm() -> f64 {
    Bpm::default().get()
}

impl From<&Settings> for FileSettings {
    fn from(settings: &Settings) -> Self {
        Self {
            name: settings.name.clone(),
            palette: settings.palette,
            topology: settings.topology,
            bpm: settings.bpm.get(),
            master: settings.master.get(),
            exit: settings.exit,
        }
    }
}

impl FileSettings {
    pub fn into_model(self, reader: &mut Reader<'_>) -> Settings {
        let mut notes = Vec::new();
        let master = level("master", self.master, &mut notes);
        let bpm = Bpm::new(self.bpm);
        if bpm.get() != self.bpm {
            notes.push(format!("bpm is {}, which is not {} to {}", self.bpm, Bpm::MIN, Bpm::MAX));
        }
        reader.note("settings", None, notes);
        Settings { name: self.name, palette: self.palette, topology: self.topology, bpm, master, exit: self.exit }
    }
}

/// The settings with another topology.
pub(super) fn with_topology(settings: &Settings, topology: LayoutId) -> Settings {
    Settings { topology, ..settings.clone() }
}

/// Size of the grid.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Grid")]
pub(super) struct FileGrid {
    #[serde(default = "default_columns")]
    columns: u8,
    #[serde(default = "default_rows")]
    rows: u8,
    #[serde(default, skip_serializing_if = "is_default")]
    quick: QuickLine,
}

fn default_columns() -> u8 {
    Grid::default().columns
}

fn default_rows() -> u8 {
    Grid::default().rows
}

impl From<Grid> for FileGrid {
    fn from(grid: Grid) -> Self {
        Self { columns: grid.columns, rows: grid.rows, quick: grid.quick }
    }
}

impl From<FileGrid> for Grid {
    fn from(file: FileGrid) -> Self {
        Self { columns: file.columns, rows: file.rows, quick: file.quick }
    }
}
