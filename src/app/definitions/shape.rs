//! The shape of a fixture: strip, ring, grid or line, by numbers.
//!
//! Runs on the ui thread; says what the definition should become. Deliberately absent: the drawing, where the corners
//! of a line are dragged.

use super::Change;
use crate::app::{fields, icons, status_bar, theme};
use crate::model::fixture::{FixtureDefinition, MAX_FIXTURE_PIXELS, MAX_LAMPS, Pixels};
use crate::model::layout::{ANGLES, FAR, Frame};
use egui::{ScrollArea, Ui};
use std::ops::RangeInclusive;

/// Corners that are shown at once.
const LINES: usize = 6;
/// Height of a line of the table, points.
const LINE: f32 = 36.0;
/// What a point of a drag changes of a length, metres, and of an angle, degrees.
const PACES: [f64; 2] = [0.01, 0.5];
/// What a new fixture of no extent is given, metres.
const SOME: f32 = 1.0;

/// What shapes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Strip,
    Ring,
    Grid,
    Line,
}

const KINDS: [(Kind, &str); 4] =
    [(Kind::Strip, "Strip"), (Kind::Ring, "Ring"), (Kind::Grid, "Grid"), (Kind::Line, "Line with corners")];

impl Kind {
    fn of(pixels: &Pixels) -> Self {
        match pixels {
            Pixels::Strip { .. } => Self::Strip,
            Pixels::Ring { .. } => Self::Ring,
            Pixels::Grid { .. } => Self::Grid,
            Pixels::Polyline { .. } => Self::Line,
        }
    }
}

/// About as many pixels over about the same extent, in another shape; never more than there were.
fn reshaped(pixels: &Pixels, kind: Kind) -> Pixels {
    let count = pixels.count();
    let [width, height, _] = extent(pixels);
    let length = width.max(height);
    match kind {
        Kind::Strip => Pixels::Strip { count, length },
        Kind::Ring => Pixels::Ring { count, radius: length / 2.0, start: 90.0 },
        Kind::Grid => {
            let columns = count.isqrt().max(1);
            let rows = count / columns;
            Pixels::Grid { columns, rows, pitch: length / (columns.max(rows).max(2) - 1) as f32, serpentine: true }
        }
        Kind::Line => {
            let half = length / 2.0;
            Pixels::Polyline { count, corners: vec![[-half, 0.0, 0.0], [half, 0.0, 0.0]] }
        }
    }
}

/// Width, height and depth, metres; something for pixels in one place.
fn extent(pixels: &Pixels) -> [f32; 3] {
    let size = match pixels {
        Pixels::Strip { length, .. } => [*length, 0.0, 0.0],
        Pixels::Ring { radius, .. } => [2.0 * radius, 2.0 * radius, 0.0],
        Pixels::Grid { columns, rows, pitch, .. } => {
            let [width, height] = [columns, rows].map(|side| side.saturating_sub(1) as f32 * pitch);
            [width, height, 0.0]
        }
        Pixels::Polyline { corners, .. } if corners.is_empty() => [0.0; 3],
        Pixels::Polyline { corners, .. } => Frame::around(corners.iter().copied()).size(),
    };
    if size[0].max(size[1]) > 0.0 { size } else { [SOME, 0.0, 0.0] }
}

/// Shows the shape's fields. `most` is how many pixels it may have.
pub fn shape_ui(ui: &mut Ui, definition: &FixtureDefinition, most: u32) -> Change {
    fields::heading(ui, "Where the pixels are");
    let pixels = &definition.pixels;
    let with = |pixels: Pixels| FixtureDefinition { pixels, ..definition.clone() };
    let kind = Kind::of(pixels);
    if let Some(kind) = fields::choice(ui, "Shape", kind, &KINDS) {
        return Some((with(reshaped(pixels, kind)), None));
    }
    let change = match pixels {
        Pixels::Strip { count, length } => {
            let counted = count_ui(ui, *count, most);
            let change = counted.map(|(count, gesture)| (Pixels::Strip { count, length: *length }, gesture));
            let set = metres_ui(ui, "Length", *length, 0.0..=FAR as f32);
            change.or(set.map(|(length, gesture)| (Pixels::Strip { count: *count, length }, gesture)))
        }
        Pixels::Ring { count, radius, start } => ring_ui(ui, (*count, *radius, *start), most),
        Pixels::Grid { columns, rows, pitch, serpentine } => grid_ui(ui, [*columns, *rows], *pitch, *serpentine, most),
        Pixels::Polyline { count, corners } => {
            let counted = count_ui(ui, *count, most);
            let change = counted.map(|(count, g)| (Pixels::Polyline { count, corners: corners.clone() }, g));
            change.or(corners_ui(ui, corners).map(|(corners, g)| (Pixels::Polyline { count: *count, corners }, g)))
        }
    };
    if most < MAX_FIXTURE_PIXELS {
        let (most, all) = (status_bar::grouped(most.into()), status_bar::grouped(MAX_LAMPS.into()));
        fields::hint(ui, &format!("At most {most} pixels: with its fixtures the project has up to {all} lamps."));
    }
    change.map(|(pixels, gesture)| (with(pixels), gesture))
}

type Shaped = Option<(Pixels, Option<u64>)>;

fn count_ui(ui: &mut Ui, count: u32, most: u32) -> Option<(u32, Option<u64>)> {
    // One that is over the bound already may stay and go down.
    fields::number(ui, "Pixels", count, 0..=most.max(count), "")
}

fn metres_ui(ui: &mut Ui, label: &str, value: f32, range: RangeInclusive<f32>) -> Option<(f32, Option<u64>)> {
    fields::row(ui, label, |ui| fields::paced_number(ui, label, value, range, (" m", PACES[0])))
}

fn ring_ui(ui: &mut Ui, (count, radius, start): (u32, f32, f32), most: u32) -> Shaped {
    let counted = count_ui(ui, count, most);
    let change = counted.map(|(count, gesture)| (Pixels::Ring { count, radius, start }, gesture));
    let set = metres_ui(ui, "Radius", radius, 0.0..=FAR as f32);
    let change = change.or(set.map(|(radius, gesture)| (Pixels::Ring { count, radius, start }, gesture)));
    let angles = *ANGLES.start() as f32..=*ANGLES.end() as f32;
    let set = fields::row(ui, "First pixel at", |ui| {
        fields::paced_number(ui, "First pixel at", start, angles, ("°", PACES[1]))
    });
    change.or(set.map(|(start, gesture)| (Pixels::Ring { count, radius, start }, gesture)))
}

fn grid_ui(ui: &mut Ui, [columns, rows]: [u32; 2], pitch: f32, serpentine: bool, most: u32) -> Shaped {
    let made = |columns, rows, pitch, serpentine| Pixels::Grid { columns, rows, pitch, serpentine };
    let most_columns = (most / rows.max(1)).max(columns);
    let set = fields::number(ui, "Columns", columns, 0..=most_columns, "");
    let change = set.map(|(columns, gesture)| (made(columns, rows, pitch, serpentine), gesture));
    let most_rows = (most / columns.max(1)).max(rows);
    let set = fields::number(ui, "Rows", rows, 0..=most_rows, "");
    let change = change.or(set.map(|(rows, gesture)| (made(columns, rows, pitch, serpentine), gesture)));
    let set = fields::row(ui, "Pitch", |ui| {
        fields::paced_number(ui, "Pitch", pitch, 0.0..=FAR as f32, (" m", PACES[0] / 10.0))
    });
    let change = change.or(set.map(|(pitch, gesture)| (made(columns, rows, pitch, serpentine), gesture)));
    let set = fields::switch(ui, "Serpentine", serpentine, "Every other row runs back");
    change.or(set.map(|serpentine| (made(columns, rows, pitch, serpentine), None)))
}

/// The corners as a table.
fn corners_ui(ui: &mut Ui, corners: &[[f32; 3]]) -> Option<(Vec<[f32; 3]>, Option<u64>)> {
    let mut changed = None;
    let height = LINE * corners.len().min(LINES) as f32;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::HALF;
        super::caption(ui, "", 24.0);
        ["x", "y", "z"].into_iter().for_each(|axis| super::caption(ui, axis, 88.0));
    });
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let table = ScrollArea::vertical().id_salt("corners").max_height(height).auto_shrink([false, true]);
        table.show_rows(ui, LINE, corners.len(), |ui, range| {
            for place in range {
                let set = ui.push_id(place, |ui| corner_ui(ui, corners, place)).inner;
                changed = changed.take().or(set);
            }
        });
    });
    let label = "Add a corner";
    if super::text_pad(ui, 120.0, label, label) {
        let mut corners = corners.to_vec();
        let next = match corners[..] {
            [.., before, last] => std::array::from_fn(|axis| 2.0 * last[axis] - before[axis]),
            [last] => [last[0] + SOME, last[1], last[2]],
            [] => [0.0; 3],
        };
        corners.push(next.map(|axis: f32| axis.clamp(-FAR as f32, FAR as f32)));
        changed = Some((corners, None));
    }
    changed
}

fn corner_ui(ui: &mut Ui, corners: &[[f32; 3]], place: usize) -> Option<(Vec<[f32; 3]>, Option<u64>)> {
    let mut changed = None;
    let number = place + 1;
    ui.horizontal(|ui| {
        ui.set_height(LINE);
        ui.spacing_mut().item_spacing.x = theme::HALF;
        super::caption(ui, &number.to_string(), 24.0);
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let label = format!("Corner {number} {name}");
            let range = -FAR as f32..=FAR as f32;
            let set = fields::paced_number(ui, &label, corners[place][axis], range, (" m", PACES[0]));
            if let Some((value, gesture)) = set {
                let mut corners = corners.to_vec();
                corners[place][axis] = value;
                changed = Some((corners, gesture));
            }
        }
        if super::small_pad(ui, corners.len() > 2, &format!("Remove corner {number}"), icons::CLOSE) {
            let mut corners = corners.to_vec();
            corners.remove(place);
            changed = Some((corners, None));
        }
    });
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_shape_has_about_the_same_extent_and_never_more_pixels() {
        let shapes = [
            Pixels::Strip { count: 60, length: 2.0 },
            Pixels::Ring { count: 61, radius: 1.0, start: 0.0 },
            Pixels::Grid { columns: 9, rows: 7, pitch: 0.25, serpentine: false },
            Pixels::Polyline { count: 3, corners: vec![[-1.0, 0.0, 0.0], [1.0, 0.5, 0.0]] },
        ];
        for from in &shapes {
            for (kind, _) in KINDS {
                let to = reshaped(from, kind);
                assert_eq!(Kind::of(&to), kind);
                assert!(to.count() <= from.count() && to.count() + 8 > from.count(), "{from:?} {to:?}");
                let [width, height, _] = extent(&to);
                assert!((width.max(height) - 2.0).abs() < 1e-4, "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn a_shape_without_extent_or_pixels_can_become_any() {
        for from in [Pixels::Strip { count: 0, length: 0.0 }, Pixels::Polyline { count: 0, corners: vec![] }] {
            for (kind, _) in KINDS {
                let to = reshaped(&from, kind);
                assert_eq!(to.count(), 0);
                assert!(extent(&to)[0] > 0.0, "{to:?}");
            }
        }
    }
}
