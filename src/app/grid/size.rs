//! The size of the grid, its quick line and its tiles: a part of the View menu.
//!
//! Runs on the ui thread. A grid never becomes so small that a scene would lie outside: it says which.

use super::super::action::Action;
use super::super::fields;
use super::super::settings::Preferences;
use super::TileSize;
use crate::model::edit::Edit;
use crate::model::project::Project;
use crate::model::scene::{Grid, QuickLine};
use crate::show::command::Command;
use egui::{Id, Ui};

/// What the quick line can be.
const QUICK: [(QuickLine, &str); 3] =
    [(QuickLine::LastRow, "Last row"), (QuickLine::LastColumn, "Last column"), (QuickLine::None, "None")];

/// Shows the fields, returns what was set.
pub fn size_ui(ui: &mut Ui, project: &Project, preferences: Preferences) -> Option<Action> {
    ui.set_width(248.0);
    let told = Id::unique("grid size told");
    let grid = project.grid;
    let mut done = None;
    let mut set = |ui: &Ui, grid: Grid, gesture| {
        let outside = outside(project, grid);
        ui.data_mut(|data| data.insert_temp(told, outside.clone()));
        if outside.is_empty() {
            done = Some(Command::Edit { edit: Edit::Grid(grid), gesture }.into());
        }
    };
    if let Some((columns, gesture)) = fields::number(ui, "Columns", grid.columns, Grid::SIZES, "") {
        set(ui, Grid { columns, ..grid }, gesture);
    }
    if let Some((rows, gesture)) = fields::number(ui, "Rows", grid.rows, Grid::SIZES, "") {
        set(ui, Grid { rows, ..grid }, gesture);
    }
    let outside = ui.data(|data| data.get_temp::<String>(told)).unwrap_or_default();
    if !outside.is_empty() {
        fields::hint(ui, &format!("{outside} would lie outside. Move or delete first."));
    }
    fields::heading(ui, "Quick line");
    for (quick, name) in QUICK {
        if ui.radio(grid.quick == quick, name).clicked() && grid.quick != quick {
            done = Some(Command::Edit { edit: Edit::Grid(Grid { quick, ..grid }), gesture: None }.into());
        }
    }
    fields::heading(ui, "Tiles");
    for (tiles, name) in TileSize::ALL {
        if ui.radio(preferences.tiles == tiles, name).clicked() {
            done = Some(Action::Prefer(Preferences { tiles, ..preferences }));
        }
    }
    done
}

/// Names of the scenes that a grid has no cell for.
fn outside(project: &Project, grid: Grid) -> String {
    let lost: Vec<&str> =
        project.scenes.iter().filter(|scene| !grid.holds(scene.cell)).map(|scene| scene.name.as_str()).collect();
    match lost.len() {
        0..=4 => lost.join(", "),
        more => format!("{} and {} more", lost[..3].join(", "), more - 3),
    }
}
