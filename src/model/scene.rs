//! Scenes: tiles of the grid, each a stack of effects, and the grid itself.

use super::effect::{Effect, Selection};
use super::id::{CurveId, EffectId, Item, PaletteId, SceneId, TriggerId};
use crate::units::Level;
use serde::{Deserialize, Serialize};

/// Colour tags a scene can carry.
pub const COLOUR_TAGS: u8 = 9;

/// A place in the grid, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// From the left.
    pub column: u8,
    /// From the top.
    pub row: u8,
}

/// Which tiles the operator plays from the quick line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuickLine {
    /// The last row.
    #[default]
    LastRow,
    /// The last column.
    LastColumn,
    /// No quick line.
    None,
}

/// The size of the grid and its quick line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// 2..=64.
    pub columns: u8,
    /// 2..=64.
    pub rows: u8,
    /// The line the operator plays.
    pub quick: QuickLine,
}

impl Default for Grid {
    fn default() -> Self {
        Self { columns: 8, rows: 6, quick: QuickLine::default() }
    }
}

impl Grid {
    /// Rows and columns the grid may have.
    pub const SIZES: std::ops::RangeInclusive<u8> = 2..=64;

    /// Whether the cell is in the grid.
    pub fn holds(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// The cells of the quick line from its start.
    pub fn quick_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Self { columns, rows, quick } = *self;
        let count = match quick {
            QuickLine::LastRow => columns,
            QuickLine::LastColumn => rows,
            QuickLine::None => 0,
        };
        (0..count).map(move |index| match quick {
            QuickLine::LastColumn => Cell { column: columns - 1, row: index },
            _ => Cell { column: index, row: rows - 1 },
        })
    }
}

/// When a scene that was launched starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Launch {
    /// At once.
    #[default]
    Off,
    /// On the next beat.
    Beat,
    /// On the next bar of four beats.
    Bar,
}

/// How a scene meets the scenes before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SceneBlend {
    /// Light adds up.
    #[default]
    Add,
    /// The brighter of each component.
    Max,
    /// It covers what is below, as far as its coverage says.
    Over,
}

/// The palette a scene's effects see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScenePalette {
    /// The project's.
    #[default]
    Inherit,
    /// White on black.
    None,
    /// A palette of its own.
    Own(PaletteId),
}

/// A tile of the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Stable id.
    pub id: SceneId,
    /// Where it lies in the grid.
    pub cell: Cell,
    /// What the operator calls it.
    pub name: String,
    /// Colour tag, 0..=8.
    pub tag: u8,
    /// In the order they are mixed.
    pub effects: Vec<Effect>,
    /// Whether the starting look has it on.
    pub active: bool,
    /// The fader's place in the starting look.
    pub opacity: Level,
    /// The curve over the scene's beat that the fader is multiplied by.
    pub opacity_curve: Option<CurveId>,
    /// The trigger that the fader is multiplied by.
    pub opacity_trigger: Option<TriggerId>,
    /// The dimmer input's place in the starting look.
    pub dimmer: Level,
    /// Keeps its level when the master goes down.
    pub ignores_master: bool,
    /// Beats ahead of the clock.
    pub beat_offset: f64,
    /// Beats until it is fully on.
    pub fade_in: f64,
    /// Beats until it is fully off.
    pub fade_out: f64,
    /// When a launch takes effect.
    pub launch: Launch,
    /// How it meets the scenes before it.
    pub blend: SceneBlend,
    /// The lamps it lights; the topology's without one.
    pub selection: Option<Selection>,
    /// The colours its effects see.
    pub palette: ScenePalette,
    /// The key that activates it, by egui's name of it.
    pub key: Option<String>,
}

impl Scene {
    /// An empty scene at the defaults of the specification.
    pub fn new(id: SceneId, cell: Cell, name: impl Into<String>) -> Self {
        Self {
            id,
            cell,
            name: name.into(),
            tag: 0,
            effects: Vec::new(),
            active: false,
            opacity: Level::FULL,
            opacity_curve: None,
            opacity_trigger: None,
            dimmer: Level::FULL,
            ignores_master: false,
            beat_offset: 0.0,
            fade_in: 0.0,
            fade_out: 0.0,
            launch: Launch::default(),
            blend: SceneBlend::default(),
            selection: None,
            palette: ScenePalette::default(),
            key: None,
        }
    }

    /// One of its effects.
    pub fn effect(&self, id: EffectId) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.id == id)
    }
}

impl Item for Scene {
    type Id = SceneId;

    fn id(&self) -> SceneId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_line_is_the_last_row_or_column() {
        let mut grid = Grid { columns: 3, rows: 2, quick: QuickLine::LastRow };
        let cells = |grid: Grid| grid.quick_cells().map(|c| (c.column, c.row)).collect::<Vec<_>>();
        assert_eq!(cells(grid), [(0, 1), (1, 1), (2, 1)]);
        grid.quick = QuickLine::LastColumn;
        assert_eq!(cells(grid), [(2, 0), (2, 1)]);
        grid.quick = QuickLine::None;
        assert!(cells(grid).is_empty());
    }
}
