//! The bar below the stage while fixtures are arranged: what is chosen, the grid, turns, and the place of one by number.
//!
//! Runs on the ui thread and returns edits. Deliberately absent: the hand on the stage, which is in [`super::arrange`].

use super::arrange::{Arrange, Scenery, TURNS};
use super::placing;
use crate::app::action::Action;
use crate::app::widgets::{PadLook, pad};
use crate::app::{fields, theme};
use crate::model::layout::{ANGLES, FAR, Layout, Placement, SCALES};
use egui::{Rect, RichText, ScrollArea, Ui, UiBuilder, pos2, vec2};

/// Height of the bar, points.
pub const HEIGHT: f32 = theme::TOUCH + theme::STEP;
/// Grids that a drag may snap to, metres.
const GRIDS: [(Option<f32>, &str); 5] = [
    (None, "No grid"),
    (Some(0.01), "Grid of 1 cm"),
    (Some(0.05), "Grid of 5 cm"),
    (Some(0.1), "Grid of 10 cm"),
    (Some(0.5), "Grid of 50 cm"),
];
/// What a point of a drag changes: metres, degrees, times.
const PACES: [f64; 3] = [0.01, 0.5, 0.005];

/// Shows the bar along the foot of a room.
pub fn bar_ui(ui: &mut Ui, room: Rect, scenery: Scenery<'_>, arrange: &mut Arrange) -> Option<Action> {
    let now = ui.input(|input| input.time);
    let layout = arrange.latest(scenery.project, scenery.layout, now)?;
    let bar = Rect::from_min_max(pos2(room.left(), (room.bottom() - HEIGHT).max(room.top())), room.max);
    ui.painter().rect_filled(bar, 0.0, theme::BAR.gamma_multiply(0.92));
    let inner = bar.shrink2(vec2(2.0 * theme::STEP, theme::HALF).min(bar.size() * 0.25));
    // What misses a field must not drag what lies below.
    ui.interact(bar, ui.scope_id().with("bar"), egui::Sense::click_and_drag());
    let mut child = ui.new_child(UiBuilder::new().id_salt("arrange").max_rect(inner));
    child.set_clip_rect(bar.intersect(ui.clip_rect()));
    let line = ScrollArea::horizontal().id_salt("line").auto_shrink(false);
    let set = line.show(&mut child, |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = theme::STEP;
            ui.scope(|ui| {
                ui.set_max_width(136.0);
                if let Some(grid) = fields::bare_choice(ui, "Snap to", arrange.grid, &GRIDS) {
                    arrange.grid = grid;
                }
            });
            if arrange.selected.is_empty() {
                let words = "Click or frame fixtures, then drag them. Arrows nudge, Q and E turn.";
                ui.label(RichText::new(words).font(theme::small()).color(theme::TEXT_QUIET));
                return None;
            }
            let turned = ui.scope(|ui| turn_ui(ui, arrange, &layout)).inner;
            let placed = match arrange.only().and_then(|id| placing::placement(&layout, id)) {
                Some(placement) => one_ui(ui, *placement, &layout),
                None => {
                    let words = format!("{} fixtures chosen", arrange.selected.len());
                    ui.label(RichText::new(words).font(theme::small()).color(theme::TEXT_QUIET));
                    None
                }
            };
            turned.map(|layout| (layout, None)).or(placed)
        })
        .inner
    });
    let (changed, gesture) = set.inner.filter(|(changed, _)| *changed != *layout)?;
    Some(arrange.put(changed, gesture, now))
}

/// Turns by a step, for fingers.
fn turn_ui(ui: &mut Ui, arrange: &Arrange, layout: &Layout) -> Option<Layout> {
    let mut turned = None;
    let step = TURNS[usize::from(ui.input(|input| input.modifiers.shift))];
    ui.spacing_mut().item_spacing.x = theme::HALF;
    for (label, degrees) in [("Turn to the left", step), ("Turn to the right", -step)] {
        let sign = if degrees > 0.0 { "+" } else { "-" };
        let text = format!("{sign}{step}°");
        let look = PadLook { font: theme::small(), ..PadLook::quiet(label, &text) };
        if pad(ui, vec2(theme::TOUCH, 36.0), &look).on_hover_text(label).clicked() {
            turned = Some(placing::turned(layout, &arrange.selected, degrees));
        }
    }
    turned
}

/// The place of one fixture by number.
fn one_ui(ui: &mut Ui, placement: Placement, layout: &Layout) -> Option<(Layout, Option<u64>)> {
    let far = -FAR as f32..=FAR as f32;
    let angles = *ANGLES.start() as f32..=*ANGLES.end() as f32;
    let scales = *SCALES.start() as f32..=*SCALES.end() as f32;
    let [x, y, _] = placement.position;
    let mut set = None;
    for (name, label, value, range, suffix, pace) in [
        ("x", "x of the fixture", x, far.clone(), " m", PACES[0]),
        ("y", "y of the fixture", y, far, " m", PACES[0]),
        ("Angle", "Angle of the fixture", placement.angle, angles, "°", PACES[1]),
        ("Scale", "Scale of the fixture", placement.scale, scales, "×", PACES[2]),
    ] {
        ui.label(RichText::new(name).font(theme::small()).color(theme::TEXT_QUIET));
        if let Some((value, gesture)) = fields::paced_number(ui, label, value, range, (suffix, pace)) {
            let mut placement = placement;
            match name {
                "x" => placement.position[0] = value,
                "y" => placement.position[1] = value,
                "Angle" => placement.angle = value,
                _ => placement.scale = value,
            }
            let one = [placement.fixture].into();
            set = Some((placing::changed(layout, &one, |old| *old = placement), gesture));
        }
    }
    set
}
