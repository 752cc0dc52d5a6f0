//! Curves: the project's with small pictures, and the chosen one on a canvas with the beat running over it.
//!
//! Runs on the ui thread; reads the snapshot and returns wishes, so that the rig follows what is dragged. Deliberately
//! absent: what a curve drives, which effects and scenes say themselves.

mod canvas;
pub mod shape;

use super::action::Action;
use super::shelf::{self, Deed};
use super::widgets::{PadLook, focus_ring, pad};
use super::{fields, theme};
use crate::model::curve::Curve;
use crate::model::edit::{Edit, Entry};
use crate::model::id::CurveId;
use crate::model::project::Project;
use crate::model::references::Key;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use canvas::{Change, Hand};
use egui::accesskit::Role;
use egui::{Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui, WidgetInfo, vec2};
use shape::GRID;
use std::time::Duration;

/// Between two paints for the playhead alone.
const PLAYHEAD: Duration = Duration::from_millis(33);
/// The canvas is at least so high, points.
const LEAST_CANVAS: f32 = 140.0;

/// What is worked at.
#[derive(Debug)]
pub struct View {
    chosen: Option<CurveId>,
    /// Added, but not in the snapshot yet.
    coming: Option<CurveId>,
    hand: Hand,
    refused: bool,
}

impl Default for View {
    fn default() -> Self {
        Self { chosen: None, coming: None, hand: Hand::new(true), refused: false }
    }
}

impl View {
    fn choose(&mut self, id: Option<CurveId>) {
        if self.chosen != id {
            let hand = Hand::new(self.hand.snap);
            *self = Self { chosen: id, coming: self.coming, hand, refused: false };
        }
    }
}

/// Shows the panel.
pub fn curves_ui(ui: &mut Ui, snapshot: &Snapshot, view: &mut View) -> Vec<Action> {
    let project = &snapshot.project;
    if let Some(id) = view.coming.take_if(|id| project.curves.contains(*id)) {
        view.choose(Some(id));
    }
    let known = view.chosen.filter(|id| project.curves.contains(*id));
    view.choose(known.or_else(|| project.curves.iter().next().map(|curve| curve.id)));
    let [list, form] = shelf::rooms(ui);
    let mut wishes = Vec::new();
    shelf::room_ui(ui, "list", list, |ui| list_ui(ui, project, view, &mut wishes));
    shelf::room_ui(ui, "form", form, |ui| match view.chosen.and_then(|id| project.curves.get(id)) {
        Some(curve) => {
            ScrollArea::vertical().id_salt("curve").auto_shrink(false).show(ui, |ui| {
                one_ui(ui, snapshot, curve, view, &mut wishes);
            });
            // Nothing else wakes the window for the beat between two beats.
            ui.ctx().request_repaint_after(PLAYHEAD);
        }
        None => fields::hint(ui, "No curve yet. Add one; every value of an effect can follow it."),
    });
    wishes
}

fn list_ui(ui: &mut Ui, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let (new, chosen) = shelf::list_ui(ui, "Curves", "Add a curve", |ui| {
        let mut clicked = None;
        for curve in project.curves.iter() {
            let label = format!("Curve {} in the list", curve.name);
            let chosen = view.chosen == Some(curve.id);
            let picture = |painter: &egui::Painter, rect: Rect| {
                let ink = if chosen { theme::TEXT } else { theme::TEXT_QUIET };
                painter.add(Shape::line(canvas::trace(curve, rect), Stroke::new(1.5, ink)));
            };
            if shelf::item_ui(ui, &label, &curve.name, chosen, picture).clicked() {
                clicked = Some(curve.id);
            }
        }
        clicked
    });
    if new {
        let name = shelf::free_name("Curve", &names(project));
        add(Curve::triangle(CurveId(0), name), project, view, wishes);
    }
    if chosen.is_some() {
        view.choose(chosen);
    }
}

fn names(project: &Project) -> Vec<&str> {
    project.curves.iter().map(|curve| curve.name.as_str()).collect()
}

/// Puts a curve in under an id of its own and works at it.
fn add(curve: Curve, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let id = CurveId(project.curves.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    view.coming = Some(id);
    wishes.push(put(Curve { id, ..curve }, None));
}

fn put(curve: Curve, gesture: Option<u64>) -> Action {
    Command::Edit { edit: Edit::Put(Entry::Curve(curve.into())), gesture }.into()
}

fn one_ui(ui: &mut Ui, snapshot: &Snapshot, curve: &Curve, view: &mut View, wishes: &mut Vec<Action>) {
    let project = &snapshot.project;
    let id = curve.id;
    ui.push_id(id.0, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        let room = ui.available_height();
        let top = ui.cursor().top();
        match shelf::title_ui(ui, "curve", &curve.name, &project.users_of(Key::Curve(id)), &mut view.refused) {
            Some(Deed::Rename(name)) => wishes.push(put(Curve { name, ..curve.clone() }, None)),
            Some(Deed::Duplicate) => {
                let name = shelf::free_name(&curve.name, &names(project));
                add(Curve { name, ..curve.clone() }, project, view, wishes);
            }
            Some(Deed::Delete) => {
                wishes.push(Command::Edit { edit: Edit::Remove(Key::Curve(id)), gesture: None }.into());
            }
            None => {}
        }
        let mut change = whole_ui(ui, curve, view);
        change = change.or(point_ui(ui, curve, view));
        let left = room - (ui.cursor().top() - top);
        let size = vec2(ui.available_width(), left.max(LEAST_CANVAS));
        change = change.or(canvas::canvas_ui(ui, size, curve, &mut view.hand, snapshot.clock.beat.0));
        wishes.extend(change.map(|(curve, gesture)| put(curve, gesture)));
    });
}

/// A pad that is on or off.
fn toggle(ui: &mut Ui, width: f32, label: &str, text: &str, on: bool) -> bool {
    let (fill, colour) = if on { (theme::RAIL, theme::TEXT) } else { (theme::SURFACE, theme::TEXT_QUIET) };
    let response = pad(
        ui,
        vec2(width, 4.0 * theme::STEP),
        &PadLook { font: theme::small(), fill, colour, ..PadLook::quiet(label, text) },
    );
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, label));
    response.clicked()
}

/// Length, loop, grid and the shapes to begin with.
fn whole_ui(ui: &mut Ui, curve: &Curve, view: &mut View) -> Change {
    let mut change = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::HALF, theme::HALF);
        let suffix = if curve.length == 1.0 { " beat" } else { " beats" };
        if let Some((length, gesture)) = fields::bare_number(ui, "Length in beats", curve.length, GRID..=64.0, suffix) {
            change = Some((shape::with_length(curve, shape::snapped(length, view.hand.snap)), gesture));
        }
        if toggle(ui, 48.0, "Loop: the end runs on into the start", "Loop", curve.looped) {
            change = Some((shape::with_loop(curve, !curve.looped), None));
        }
        if toggle(ui, 60.0, "Snap to quarter beats", "Snap ¼", view.hand.snap) {
            view.hand.snap = !view.hand.snap;
        }
        for (name, preset) in shape::PRESETS {
            if preset_ui(ui, name, &Curve { points: preset(1.0), length: 1.0, ..curve.clone() }) {
                view.hand.point = None;
                change = Some((Curve { points: preset(curve.length), ..curve.clone() }, None));
            }
        }
    });
    change.filter(|(changed, _)| changed != curve)
}

/// A button with the shape on it.
fn preset_ui(ui: &mut Ui, name: &str, curve: &Curve) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(36.0, 4.0 * theme::STEP), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Shape {name}")));
    let fill = if response.hovered() { theme::RAISED } else { theme::SURFACE };
    ui.painter().rect_filled(rect, theme::RADIUS, fill);
    let line = canvas::trace(curve, rect.shrink2(vec2(8.0, 9.0)));
    ui.painter().add(Shape::line(line, Stroke::new(1.5, theme::TEXT_QUIET)));
    focus_ring(ui, &response);
    response.on_hover_text(name).clicked()
}

/// The chosen point by number, and what can be done with it.
fn point_ui(ui: &mut Ui, curve: &Curve, view: &mut View) -> Change {
    view.hand.point = view.hand.point.filter(|index| *index < curve.points.len());
    let mut change = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::HALF, theme::HALF);
        ui.set_min_height(4.0 * theme::STEP);
        let Some(index) = view.hand.point else {
            let words = "Press adds, diamonds bend, double click removes.";
            ui.label(RichText::new(words).font(theme::small()).color(theme::TEXT_FAINT));
            if curve.points.iter().any(|point| point.control.is_some())
                && toggle(ui, 88.0, "Straighten all segments", "Straighten", false)
            {
                change = Some((shape::straightened(curve, None), None));
            }
            return;
        };
        let point = curve.points[index];
        let caption = |ui: &mut Ui, text| ui.label(RichText::new(text).font(theme::small()).color(theme::TEXT_QUIET));
        caption(ui, "Beat");
        if let Some((beat, gesture)) = fields::bare_number(ui, "Beat of the point", point.beat, 0.0..=curve.length, "")
        {
            change = Some((shape::moved(curve, index, shape::snapped(beat, view.hand.snap), point.y), gesture));
        }
        caption(ui, "Height");
        let height = (point.y * 1000.0).round() / 10.0;
        if let Some((height, gesture)) = fields::bare_number(ui, "Height of the point", height, 0.0..=100.0, " %") {
            change = Some((shape::moved(curve, index, point.beat, height / 100.0), gesture));
        }
        if toggle(ui, 88.0, "Straighten at the point", "Straighten", false) {
            change = Some((shape::straightened(curve, Some(index)), None));
        }
        if toggle(ui, 72.0, "Remove the point", "Remove", false) {
            view.hand.point = None;
            change = shape::removed(curve, index).map(|curve| (curve, None));
        }
    });
    change.filter(|(changed, _)| changed != curve)
}
