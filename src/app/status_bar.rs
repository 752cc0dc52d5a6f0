//! The status bar: what the console is doing, in figures that stand still long enough to be read.
//!
//! Runs on the ui thread. The figures are those of [`super::logic::Figures`], renewed twice a second.

use super::action::Action;
use super::logic::Figures;
use super::workspace::Panel;
use super::{icons, nodes, theme};
use crate::output::discovery::roll::Roll;
use crate::show::snapshot::Snapshot;
use crate::show::test_pattern::PATTERNS;
use egui::{Align, Color32, Label, Layout, RichText, Sense, Ui, vec2};

/// Height of the bar, points.
pub const HEIGHT: f32 = 32.0;
/// A gap between two frames that the eye sees, milliseconds.
const LONG_GAP_MS: f32 = 34.0;

/// A whole number in groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// Shows the bar, returns what was asked for. Nothing is said of nodes where nobody is asked.
pub fn status_bar_ui(ui: &mut Ui, snapshot: &Snapshot, figures: &Figures, roll: Option<&Roll>) -> Option<Action> {
    let mut done = None;
    ui.spacing_mut().item_spacing.x = 3.0 * theme::STEP;
    ui.horizontal_centered(|ui| {
        let render = &figures.render;
        // In the first second nobody has counted yet.
        let fps = if render.fps > 0.0 { format!("{:.0}", render.fps) } else { "…".to_owned() };
        figure(ui, &fps, "fps", theme::TEXT);
        let gap = format!("{:.1}", render.longest_gap_ms);
        match render.longest_gap_ms > LONG_GAP_MS {
            true => figure(ui, &format!("{} {gap}", icons::WARNING), "ms longest gap, too long", theme::RED),
            false => figure(ui, &gap, "ms longest gap", theme::TEXT),
        }
        let universes = if render.universes == 1 { "universe" } else { "universes" };
        figure(ui, &grouped(render.universes as u64), universes, theme::TEXT);
        figure(ui, &grouped(figures.output.packets_per_sec.round() as u64), "packets/s", theme::TEXT);
        figure(ui, &format!("{:.1}", figures.output.mbit_per_sec), "Mbit/s", theme::TEXT);
        let errors: u64 = figures.output.devices.iter().map(|device| device.errors).sum();
        if errors > 0 {
            figure(ui, &grouped(errors), "send errors", theme::RED);
        }
        if let Some(test) = snapshot.test {
            let name = PATTERNS.iter().find(|(pattern, _)| *pattern == test.pattern).map_or("", |(_, name)| name);
            figure(ui, name, "test pattern instead of the show", theme::AMBER);
        }
        if roll.is_some_and(|roll| nodes::nodes_figure_ui(ui, roll, figure).clicked()) {
            done = Some(Action::Panel(Panel::Nodes));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            project_ui(ui, snapshot);
        });
    });
    done
}

fn figure(ui: &mut Ui, number: &str, unit: &str, colour: Color32) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = theme::HALF + 2.0;
        ui.horizontal(|ui| {
            ui.label(RichText::new(number).font(theme::strong(theme::SMALL)).color(colour));
            ui.label(RichText::new(unit).font(theme::small()).color(theme::TEXT_FAINT));
        });
    });
}

/// The project's name, with a lit dot while it has edits that no file holds.
fn project_ui(ui: &mut Ui, snapshot: &Snapshot) {
    ui.spacing_mut().item_spacing.x = theme::STEP;
    let name = snapshot.project.settings.name.as_str();
    let label = Label::new(RichText::new(name).font(theme::small()).color(theme::TEXT_QUIET)).truncate();
    let shown = ui.add(label);
    if let Some(path) = &snapshot.path {
        shown.on_hover_text(path.display().to_string());
    }
    if snapshot.dirty {
        let (rect, response) = ui.allocate_exact_size(vec2(theme::STEP, theme::STEP), Sense::hover());
        ui.painter().circle_filled(rect.center(), 3.5, theme::AMBER);
        response.on_hover_text("There are edits that no file holds");
        ui.label(RichText::new("unsaved").font(theme::small()).color(theme::AMBER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_read_in_groups_of_three() {
        let check = |number, expected: &str| assert_eq!(grouped(number).replace('\u{2009}', " "), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1 000");
        check(1_392_640, "1 392 640");
    }
}
