//! Where tiles lie: as large as the room allows, or in a size that was chosen, and then it scrolls.
//!
//! Pure. Deliberately absent: drawing them.

use super::super::theme;
use crate::model::scene::{Cell, Grid, QuickLine};
use egui::{Rect, Vec2, pos2, vec2};
use serde::{Deserialize, Serialize};

/// Smaller tiles cannot be hit or read; the grid scrolls instead.
const LEAST_TILE: Vec2 = vec2(56.0, 56.0);
/// Larger tiles only waste the screen.
const LARGEST_TILE: Vec2 = vec2(320.0, 240.0);

/// How large tiles are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TileSize {
    /// As large as the room allows.
    #[default]
    Fit,
    /// A small one.
    Small,
    /// One to read from an arm's length.
    Medium,
    /// One to read from afar.
    Large,
}

impl TileSize {
    /// All of them, with what the screen calls them.
    pub const ALL: [(Self, &str); 4] =
        [(Self::Fit, "Fit the panel"), (Self::Small, "Small"), (Self::Medium, "Medium"), (Self::Large, "Large")];

    fn points(self) -> Option<Vec2> {
        match self {
            Self::Fit => None,
            Self::Small => Some(vec2(72.0, 64.0)),
            Self::Medium => Some(vec2(112.0, 92.0)),
            Self::Large => Some(vec2(176.0, 132.0)),
        }
    }
}

/// Where tiles lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) origin: egui::Pos2,
    pub(super) tile: Vec2,
    pub(super) gap: f32,
    pub(super) grid: Grid,
    /// How far the quick line is out of its place, so that it is seen.
    pub(super) shift: Vec2,
}

impl Places {
    /// Fits the grid into the room; `size` may be larger than the room, then it scrolls.
    pub(super) fn fit(grid: Grid, room: Rect, size: TileSize) -> Self {
        let count = vec2(f32::from(grid.columns), f32::from(grid.rows));
        let gap = if room.width() / count.x < 72.0 { theme::HALF } else { theme::STEP };
        let extra = Self::extra(grid);
        let free = room.size() - (count - Vec2::splat(1.0)) * gap - extra - Vec2::splat(2.0 * theme::STEP);
        let tile = size.points().unwrap_or((free / count).clamp(LEAST_TILE, LARGEST_TILE).floor());
        Self { origin: room.min + Vec2::splat(theme::STEP), tile, gap, grid, shift: Vec2::ZERO }
    }

    /// Room that sets the quick line apart.
    fn extra(grid: Grid) -> Vec2 {
        match grid.quick {
            QuickLine::LastRow => vec2(0.0, 2.0 * theme::STEP),
            QuickLine::LastColumn => vec2(2.0 * theme::STEP, 0.0),
            QuickLine::None => Vec2::ZERO,
        }
    }

    pub(super) fn cell(&self, cell: Cell) -> Rect {
        let step = self.tile + Vec2::splat(self.gap);
        let mut min = self.origin + vec2(f32::from(cell.column) * step.x, f32::from(cell.row) * step.y);
        if self.is_quick(cell) {
            min += Self::extra(self.grid) + self.shift;
        }
        Rect::from_min_size(min, self.tile)
    }

    /// Whether a cell is of the quick line.
    pub(super) fn is_quick(&self, cell: Cell) -> bool {
        match self.grid.quick {
            QuickLine::LastRow => cell.row + 1 == self.grid.rows,
            QuickLine::LastColumn => cell.column + 1 == self.grid.columns,
            QuickLine::None => false,
        }
    }

    /// The same while this part of the grid is seen: the quick line, which is what is played, stays at its edge instead
    /// of lying behind it. Unless that would take half of what is seen.
    pub(super) fn seen(self, part: Rect) -> Self {
        let Some(band) = self.quick() else { return self };
        let out = (part.max - band.max).min(Vec2::ZERO);
        let shift = match self.grid.quick {
            QuickLine::LastRow if band.height() < part.height() / 2.0 => vec2(0.0, out.y),
            QuickLine::LastColumn if band.width() < part.width() / 2.0 => vec2(out.x, 0.0),
            _ => Vec2::ZERO,
        };
        Self { shift, ..self }
    }

    /// What is left of a part for the other tiles.
    pub(super) fn beside_quick(&self, part: Rect) -> Rect {
        let (Some(band), false) = (self.quick(), self.shift == Vec2::ZERO) else { return part };
        let edge = match self.grid.quick {
            QuickLine::LastColumn => pos2(band.left(), part.bottom()),
            _ => pos2(part.right(), band.top()),
        };
        Rect::from_min_max(part.min, edge)
    }

    pub(super) fn bounds(&self) -> Rect {
        let last = Cell { column: self.grid.columns.saturating_sub(1), row: self.grid.rows.saturating_sub(1) };
        let end = Self { shift: Vec2::ZERO, ..*self }.cell(last).max;
        Rect::from_min_max(self.origin, end).expand(theme::STEP)
    }

    /// The cell under a point.
    pub(super) fn at(&self, point: egui::Pos2) -> Option<Cell> {
        let has = |cell: &Cell| self.cell(*cell).expand(self.gap / 2.0).contains(point);
        // Where the quick line is out of its place it lies over others.
        let behind = self.shift != Vec2::ZERO && self.quick().is_some_and(|band| band.contains(point));
        let quick = self.grid.quick_cells().find(&has);
        quick.or_else(|| cells(self.grid).find(&has).filter(|_| !behind))
    }

    /// The band of the quick line.
    pub(super) fn quick(&self) -> Option<Rect> {
        let mut cells = self.grid.quick_cells().map(|cell| self.cell(cell));
        let first = cells.next()?;
        Some(cells.last().map_or(first, |last| first.union(last)).expand(theme::STEP))
    }
}

/// All cells by rows.
pub(super) fn cells(grid: Grid) -> impl Iterator<Item = Cell> {
    (0..grid.rows).flat_map(move |row| (0..grid.columns).map(move |column| Cell { column, row }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_fill_the_room_and_never_overlap() {
        for quick in [QuickLine::LastRow, QuickLine::LastColumn, QuickLine::None] {
            let grid = Grid { columns: 8, rows: 6, quick };
            let room = Rect::from_min_size(pos2(3.0, 70.0), vec2(640.0, 600.0));
            let places = Places::fit(grid, room, TileSize::Fit);
            assert!(room.contains_rect(places.bounds()), "{quick:?}");
            let rects: Vec<Rect> = cells(grid).map(|cell| places.cell(cell)).collect();
            for (index, rect) in rects.iter().enumerate() {
                assert!(rects[..index].iter().all(|other| !other.shrink(0.1).intersects(rect.shrink(0.1))));
            }
        }
    }

    #[test]
    fn a_grid_too_large_for_the_room_keeps_tiles_that_can_be_hit() {
        let grid = Grid { columns: 64, rows: 64, quick: QuickLine::LastRow };
        let places = Places::fit(grid, Rect::from_min_size(pos2(0.0, 0.0), vec2(640.0, 600.0)), TileSize::Fit);
        assert_eq!(places.tile, LEAST_TILE);
    }

    #[test]
    fn the_quick_line_stays_in_sight_and_is_hit_before_what_it_lies_over() {
        for (quick, size) in [(QuickLine::LastRow, vec2(700.0, 300.0)), (QuickLine::LastColumn, vec2(300.0, 700.0))] {
            let grid = Grid { columns: 10, rows: 10, quick };
            let part = Rect::from_min_size(pos2(0.0, 0.0), size);
            let fitted = Places::fit(grid, part, TileSize::Fit);
            let seen = fitted.seen(part);
            let last = Cell {
                column: if quick == QuickLine::LastRow { 0 } else { 9 },
                row: if quick == QuickLine::LastRow { 9 } else { 0 },
            };
            let place = seen.cell(last);
            assert!(part.contains_rect(place) && !part.contains_rect(fitted.cell(last)), "{quick:?}");
            assert_eq!(seen.at(place.center()), Some(last));
            assert!(!seen.beside_quick(part).intersects(place), "{quick:?}");
            assert_eq!(seen.bounds(), fitted.bounds(), "there is as much to scroll as before");
            // Once it is scrolled to its own place, it is there.
            let whole = fitted.seen(fitted.bounds());
            assert_eq!((whole.shift, whole.beside_quick(part)), (Vec2::ZERO, part));
            let narrow = Rect::from_min_size(part.min, vec2(90.0, 90.0));
            assert_eq!(fitted.seen(narrow).shift, Vec2::ZERO, "not more than half of what is seen");
        }
    }

    #[test]
    fn every_point_of_a_tile_is_in_its_cell_and_no_other() {
        let grid = Grid { columns: 3, rows: 4, quick: QuickLine::LastRow };
        let places = Places::fit(grid, Rect::from_min_size(pos2(0.0, 0.0), vec2(640.0, 600.0)), TileSize::Medium);
        assert_eq!(places.tile, vec2(112.0, 92.0));
        for cell in cells(grid) {
            let rect = places.cell(cell);
            assert!([rect.min, rect.center(), rect.max].iter().all(|point| places.at(*point) == Some(cell)));
        }
        assert_eq!(places.at(pos2(-1.0, -1.0)), None);
    }
}
