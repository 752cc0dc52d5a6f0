//! The grid of tiles and the quick line: a short press toggles, a long one flashes for as long as it lasts.
//!
//! Runs on the ui thread; reads the snapshot and returns what to play. Deliberately absent: what the snapshot holds.

use super::pictures::Pictures;
use super::theme;
use super::tile::{Tile, tile_ui};
use crate::model::id::SceneId;
use crate::model::palette::Palette;
use crate::model::project::Project;
use crate::model::scene::{Cell, Grid, QuickLine, Scene, ScenePalette};
use crate::show::command::LiveCommand;
use crate::show::snapshot::Snapshot;
use crate::show::thumbnail::ThumbnailKey;
use egui::{Rect, ScrollArea, Sense, Ui, Vec2, vec2};
use std::collections::HashMap;
use std::time::Duration;

/// A press longer than this is a flash, seconds.
pub const HOLD_SECS: f64 = 0.25;
/// Smaller tiles cannot be hit or read; the grid scrolls instead.
const LEAST_TILE: Vec2 = vec2(56.0, 56.0);
/// Larger tiles only waste the screen.
const LARGEST_TILE: Vec2 = vec2(208.0, 152.0);

/// A press on a tile that has not ended.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Press {
    scene: SceneId,
    since: f64,
    flashing: bool,
}

/// Tells a short press from a long one. Times in seconds.
#[derive(Debug, Default)]
pub struct Hold(Option<Press>);

impl Hold {
    /// A finger went down on a tile.
    pub fn press(&mut self, scene: SceneId, now: f64) {
        self.0 = Some(Press { scene, since: now, flashing: false });
    }

    /// The finger is still down; `from_bar` starts the scene's bar with the flash.
    pub fn keep(&mut self, now: f64, from_bar: bool) -> Option<LiveCommand> {
        let press = self.0.as_mut().filter(|press| !press.flashing && now - press.since >= HOLD_SECS)?;
        press.flashing = true;
        Some(if from_bar { LiveCommand::FlashFromBar(press.scene) } else { LiveCommand::Flash(press.scene, true) })
    }

    /// The finger is gone; `over` is the tile it left from.
    pub fn release(&mut self, over: Option<SceneId>) -> Option<LiveCommand> {
        let press = self.0.take()?;
        if press.flashing {
            Some(LiveCommand::Flash(press.scene, false))
        } else {
            (over == Some(press.scene)).then_some(LiveCommand::Toggle(press.scene))
        }
    }

    /// How long until a press becomes a flash.
    fn left(&self, now: f64) -> Option<Duration> {
        let press = self.0.filter(|press| !press.flashing)?;
        Some(Duration::from_secs_f64((press.since + HOLD_SECS - now).max(0.001)))
    }
}

/// Where tiles lie.
#[derive(Clone, Copy, Debug)]
struct Places {
    origin: egui::Pos2,
    tile: Vec2,
    gap: f32,
    grid: Grid,
}

impl Places {
    /// Fits the grid into the room; `size` may be larger than the room, then it scrolls.
    fn fit(grid: Grid, room: Rect) -> Self {
        let count = vec2(f32::from(grid.columns), f32::from(grid.rows));
        let gap = if room.width() / count.x < 72.0 { theme::HALF } else { theme::STEP };
        let extra = Self::extra(grid);
        let free = room.size() - (count - Vec2::splat(1.0)) * gap - extra - Vec2::splat(2.0 * theme::STEP);
        let tile = (free / count).clamp(LEAST_TILE, LARGEST_TILE).floor();
        Self { origin: room.min + Vec2::splat(theme::STEP), tile, gap, grid }
    }

    /// Room that sets the quick line apart.
    fn extra(grid: Grid) -> Vec2 {
        match grid.quick {
            QuickLine::LastRow => vec2(0.0, 2.0 * theme::STEP),
            QuickLine::LastColumn => vec2(2.0 * theme::STEP, 0.0),
            QuickLine::None => Vec2::ZERO,
        }
    }

    fn cell(&self, cell: Cell) -> Rect {
        let step = self.tile + Vec2::splat(self.gap);
        let mut min = self.origin + vec2(f32::from(cell.column) * step.x, f32::from(cell.row) * step.y);
        match self.grid.quick {
            QuickLine::LastRow if cell.row + 1 == self.grid.rows => min.y += 2.0 * theme::STEP,
            QuickLine::LastColumn if cell.column + 1 == self.grid.columns => min.x += 2.0 * theme::STEP,
            _ => {}
        }
        Rect::from_min_size(min, self.tile)
    }

    fn bounds(&self) -> Rect {
        let last = Cell { column: self.grid.columns.saturating_sub(1), row: self.grid.rows.saturating_sub(1) };
        Rect::from_min_max(self.origin, self.cell(last).max).expand(theme::STEP)
    }

    /// The band of the quick line.
    fn quick(&self) -> Option<Rect> {
        let mut cells = self.grid.quick_cells().map(|cell| self.cell(cell));
        let first = cells.next()?;
        Some(cells.last().map_or(first, |last| first.union(last)).expand(theme::STEP))
    }
}

/// The palette that a scene's light has.
pub(super) fn palette_of<'a>(project: &'a Project, scene: &Scene, neutral: &'a Palette) -> &'a Palette {
    let id = match scene.palette {
        ScenePalette::Inherit => project.settings.palette,
        ScenePalette::None => None,
        ScenePalette::Own(id) => Some(id),
    };
    id.and_then(|id| project.palettes.get(id)).map_or(neutral, |palette| palette)
}

/// Shows the grid, returns what to play.
pub fn grid_ui(ui: &mut Ui, snapshot: &Snapshot, pictures: &mut Pictures, hold: &mut Hold) -> Option<LiveCommand> {
    let room = ui.available_rect_before_wrap();
    let places = Places::fit(snapshot.project.grid, room);
    if room.expand(1.0).contains_rect(places.bounds()) {
        return tiles_ui(ui, snapshot, places, pictures, hold);
    }
    let scrolled = ScrollArea::both().auto_shrink(false).show_viewport(ui, |ui, _| {
        let origin = ui.min_rect().min + Vec2::splat(theme::STEP);
        let places = Places { origin, ..places };
        ui.allocate_rect(places.bounds(), Sense::hover());
        tiles_ui(ui, snapshot, places, pictures, hold)
    });
    scrolled.inner
}

fn tiles_ui(
    ui: &Ui,
    snapshot: &Snapshot,
    places: Places,
    pictures: &mut Pictures,
    hold: &mut Hold,
) -> Option<LiveCommand> {
    let project = &snapshot.project;
    if let Some(band) = places.quick() {
        ui.painter().rect_filled(band, egui::CornerRadius::same(10), theme::GOLD_GROUND);
    }
    let filled: HashMap<Cell, &Scene> = project.scenes.iter().map(|scene| (scene.cell, &**scene)).collect();
    let quick: HashMap<Cell, usize> = project.grid.quick_cells().zip(1..=9).collect();
    let neutral = Palette::neutral();
    let now = ui.input(|input| input.time);
    let finger = ui.input(|input| input.pointer.interact_pos());
    let mut done = None;
    let mut over = None;
    for cell in cells(project.grid) {
        let rect = places.cell(cell);
        if !ui.is_rect_visible(rect) {
            continue;
        }
        let shown = filled.get(&cell).and_then(|scene| Some((*scene, snapshot.scene(scene.id)?)));
        let Some((scene, view)) = shown else {
            ui.painter().rect_filled(rect, theme::RADIUS, theme::mixed(theme::HOLLOW, theme::GROUND, 0.3));
            continue;
        };
        let palette = palette_of(project, scene, &neutral);
        let (number, picture) = (quick.get(&cell).copied(), pictures.show(ThumbnailKey::Scene(scene.id)));
        let touched = tile_ui(ui, rect, &Tile { scene, view, palette, number, picture, cost: snapshot.cost(scene.id) });
        if let Some(opacity) = touched.opacity {
            done = Some(LiveCommand::Opacity(scene.id, opacity));
        }
        if finger.is_some_and(|finger| touched.body.rect.contains(finger)) {
            over = Some(scene.id);
        }
        if super::widgets::pressed_now(ui, &touched.body) {
            hold.press(scene.id, now);
        } else if touched.body.clicked() && hold.0.is_none() {
            done = Some(LiveCommand::Toggle(scene.id));
        }
    }
    done.or_else(|| follow_press(ui, hold, now, over))
}

fn cells(grid: Grid) -> impl Iterator<Item = Cell> {
    (0..grid.rows).flat_map(move |row| (0..grid.columns).map(move |column| Cell { column, row }))
}

fn follow_press(ui: &Ui, hold: &mut Hold, now: f64, over: Option<SceneId>) -> Option<LiveCommand> {
    let gone = |event: &egui::Event| matches!(event, egui::Event::WindowFocused(false));
    if ui.input(|input| input.events.iter().any(gone)) {
        return hold.release(None);
    }
    if !ui.input(|input| input.pointer.primary_down()) {
        return hold.release(over);
    }
    let command = hold.keep(now, ui.input(|input| input.modifiers.shift));
    if let Some(left) = hold.left(now) {
        ui.ctx().request_repaint_after(left);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    const A: SceneId = SceneId(1);
    const B: SceneId = SceneId(2);

    #[test]
    fn a_short_press_toggles_on_release() {
        let mut hold = Hold::default();
        hold.press(A, 10.0);
        assert_eq!(hold.keep(10.2, false), None);
        assert_eq!(hold.release(Some(A)), Some(LiveCommand::Toggle(A)));
        assert_eq!(hold.release(Some(A)), None);
    }

    #[test]
    fn with_shift_a_long_press_starts_the_bar() {
        let mut hold = Hold::default();
        hold.press(A, 10.0);
        assert_eq!(hold.keep(10.3, true), Some(LiveCommand::FlashFromBar(A)));
        assert_eq!(hold.release(None), Some(LiveCommand::Flash(A, false)));
    }

    #[test]
    fn a_long_press_flashes_until_it_ends_and_never_toggles() {
        let mut hold = Hold::default();
        hold.press(A, 10.0);
        assert_eq!(hold.keep(10.26, false), Some(LiveCommand::Flash(A, true)));
        assert_eq!(hold.keep(10.5, true), None, "said once");
        assert_eq!(hold.release(Some(B)), Some(LiveCommand::Flash(A, false)), "wherever the finger went");
    }

    #[test]
    fn a_short_press_that_slides_off_does_nothing() {
        let mut hold = Hold::default();
        hold.press(A, 0.0);
        assert_eq!(hold.release(Some(B)), None);
        hold.press(A, 1.0);
        assert_eq!(hold.release(None), None);
    }

    #[test]
    fn tiles_fill_the_room_and_never_overlap() {
        for quick in [QuickLine::LastRow, QuickLine::LastColumn, QuickLine::None] {
            let grid = Grid { columns: 8, rows: 6, quick };
            let room = Rect::from_min_size(pos2(3.0, 70.0), vec2(640.0, 600.0));
            let places = Places::fit(grid, room);
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
        let places = Places::fit(grid, Rect::from_min_size(pos2(0.0, 0.0), vec2(640.0, 600.0)));
        assert_eq!(places.tile, LEAST_TILE);
    }
}
