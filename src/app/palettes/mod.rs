//! Palettes: the project's as gradients, and for the chosen one its colours, picked on a wheel or by number.
//!
//! Runs on the ui thread; reads the snapshot and returns wishes, so that the rig shows what is dragged. Deliberately
//! absent: which scene uses which palette, which scenes say themselves.

mod gradient;
mod wheel;

use super::action::Action;
use super::shelf::{self, Deed};
use super::widgets::{PadLook, pad};
use super::{fields, icons, theme};
use crate::model::edit::{Edit, Entry};
use crate::model::id::{Item as _, PaletteId};
use crate::model::palette::{Colour, GRADIENT_STOPS, Palette};
use crate::model::project::Project;
use crate::model::references::Key;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use egui::{RichText, ScrollArea, Ui, vec2};
use gradient::{Marks, Stops, Touch};
use wheel::Hsv;

/// Width of the two colours beside the wheel, points.
const SWATCH: f32 = 88.0;

/// Which colour of a palette is worked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    Primary,
    Secondary,
    Stop(usize),
}

/// What is worked at.
#[derive(Debug)]
pub struct View {
    chosen: Option<PaletteId>,
    /// Added, but not in the snapshot yet.
    coming: Option<PaletteId>,
    spot: Spot,
    marks: Marks,
    /// Whether stops between marks follow them at once.
    blends: bool,
    hsv: Hsv,
    /// Stops and marks as they were when a stop began to be dragged.
    before: Option<(Stops, Marks)>,
    refused: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            chosen: None,
            coming: None,
            spot: Spot::Primary,
            marks: ends(),
            blends: false,
            hsv: Hsv::default(),
            before: None,
            refused: false,
        }
    }
}

fn ends() -> Marks {
    std::array::from_fn(|stop| stop == 0 || stop + 1 == GRADIENT_STOPS)
}

impl View {
    fn choose(&mut self, id: Option<PaletteId>) {
        if self.chosen != id {
            *self = Self { chosen: id, coming: self.coming, spot: self.spot, ..Self::default() };
        }
    }
}

/// Shows the panel.
pub fn palettes_ui(ui: &mut Ui, snapshot: &Snapshot, view: &mut View) -> Vec<Action> {
    let project = &snapshot.project;
    if let Some(id) = view.coming.take_if(|id| project.palettes.contains(*id)) {
        view.choose(Some(id));
    }
    let known = view.chosen.filter(|id| project.palettes.contains(*id));
    let first = project.settings.palette.or_else(|| project.palettes.iter().next().map(|palette| palette.id));
    view.choose(known.or(first));
    let [list, form] = shelf::rooms(ui);
    let mut wishes = Vec::new();
    shelf::room_ui(ui, "list", list, |ui| list_ui(ui, project, view, &mut wishes));
    shelf::room_ui(ui, "form", form, |ui| match view.chosen.and_then(|id| project.palettes.get(id)) {
        Some(palette) => {
            ScrollArea::vertical().id_salt("palette").auto_shrink(false).show(ui, |ui| {
                one_ui(ui, project, palette, view, &mut wishes);
            });
        }
        None => fields::hint(ui, "No palette yet. Add one; scenes and the project's settings choose among them."),
    });
    wishes
}

fn list_ui(ui: &mut Ui, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let (new, chosen) = shelf::list_ui(ui, "Palettes", "Add a palette", |ui| {
        let mut clicked = None;
        for palette in project.palettes.iter() {
            let label = format!("Palette {}", palette.name);
            let chosen = view.chosen == Some(palette.id);
            let picture = |painter: &egui::Painter, rect| gradient::draw_picture(painter, rect, palette);
            if shelf::item_ui(ui, &label, &palette.name, chosen, picture).clicked() {
                clicked = Some(palette.id);
            }
        }
        clicked
    });
    if new {
        let name = shelf::free_name("Palette", &names(project));
        add(Palette { name, ..Palette::neutral() }, project, view, wishes);
    }
    if chosen.is_some() {
        view.choose(chosen);
    }
}

fn names(project: &Project) -> Vec<&str> {
    project.palettes.iter().map(|palette| palette.name.as_str()).collect()
}

/// Puts a palette in under an id of its own and works at it.
fn add(palette: Palette, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let id = PaletteId(project.palettes.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    view.coming = Some(id);
    wishes.push(put(Palette { id, ..palette }, None));
}

fn put(palette: Palette, gesture: Option<u64>) -> Action {
    Command::Edit { edit: Edit::Put(Entry::Palette(palette.into())), gesture }.into()
}

fn one_ui(ui: &mut Ui, project: &Project, palette: &Palette, view: &mut View, wishes: &mut Vec<Action>) {
    ui.push_id(palette.id().0, |ui| {
        let users = project.users_of(Key::Palette(palette.id));
        match shelf::title_ui(ui, "palette", &palette.name, &users, &mut view.refused) {
            Some(Deed::Rename(name)) => wishes.push(put(Palette { name, ..palette.clone() }, None)),
            Some(Deed::Duplicate) => {
                let name = shelf::free_name(&palette.name, &names(project));
                add(Palette { name, ..palette.clone() }, project, view, wishes);
            }
            Some(Deed::Delete) => {
                wishes.push(Command::Edit { edit: Edit::Remove(Key::Palette(palette.id)), gesture: None }.into());
            }
            None => {}
        }
        let room = ui.available_height();
        ui.spacing_mut().item_spacing.y = theme::HALF;
        let chosen = if let Spot::Stop(stop) = view.spot { Some(stop) } else { None };
        if let Some(touch) = gradient::strip_ui(ui, &palette.gradient, &view.marks, chosen) {
            wishes.extend(touched(touch, palette, view));
        }
        wishes.extend(tools_ui(ui, palette, view));
        ui.add_space(theme::HALF);
        let left = room - gradient::height() - 6.0 * theme::STEP;
        wishes.extend(pick_ui(ui, palette, view, left.clamp(148.0, 240.0)));
    });
}

/// The palette with other stops.
fn with_stops(palette: &Palette, gradient: Stops, gesture: Option<u64>) -> Option<Action> {
    (gradient != palette.gradient).then(|| put(Palette { gradient, ..palette.clone() }, gesture))
}

fn touched(touch: Touch, palette: &Palette, view: &mut View) -> Option<Action> {
    match touch {
        Touch::Choose(stop) => {
            view.spot = Spot::Stop(stop);
            None
        }
        Touch::Mark(stop) => {
            view.marks[stop] = !view.marks[stop];
            view.blends.then(|| with_stops(palette, gradient::blended(&palette.gradient, &view.marks), None)).flatten()
        }
        Touch::Move { from, to, begins, gesture } => {
            let (stops, marks) = match view.before {
                Some(before) if !begins => before,
                _ => (palette.gradient, view.marks),
            };
            view.before = Some((stops, marks));
            let (stops, marks) = if view.blends {
                gradient::slid(&stops, &marks, from, to)
            } else {
                (gradient::moved(&stops, from, to), gradient::moved(&marks, from, to))
            };
            view.marks = marks;
            view.spot = Spot::Stop(to);
            with_stops(palette, stops, gesture)
        }
    }
}

/// What can be done with the whole gradient.
fn tools_ui(ui: &mut Ui, palette: &Palette, view: &mut View) -> Option<Action> {
    let stops = palette.gradient;
    let mut changed = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::HALF, theme::HALF);
        let tool = |ui: &mut Ui, width: f32, label: &str, text: &str, help: &str, on: bool| {
            let (fill, colour) = if on { (theme::RAIL, theme::TEXT) } else { (theme::SURFACE, theme::TEXT_QUIET) };
            let look = PadLook { font: theme::small(), fill, colour, ..PadLook::quiet(label, text) };
            pad(ui, vec2(width, 4.0 * theme::STEP), &look).on_hover_text(help).clicked()
        };
        let help = "Spread the colours evenly between marked stops";
        if tool(ui, 64.0, "Blend between marked stops", "Blend", help, false) {
            changed = Some(gradient::blended(&stops, &view.marks));
        }
        let help = "Stops between marks follow them while you pick and drag";
        if tool(ui, 104.0, "Keep stops blended", "Keep blended", help, view.blends) {
            view.blends = !view.blends;
            if view.blends {
                changed = Some(gradient::blended(&stops, &view.marks));
            }
        }
        if tool(ui, 40.0, "Rotate stops to the left", icons::LEFT, "Rotate by a stop", false) {
            changed = Some(gradient::moved(&stops, 0, GRADIENT_STOPS - 1));
            view.marks.rotate_left(1);
        }
        if tool(ui, 40.0, "Rotate stops to the right", icons::RIGHT, "Rotate by a stop", false) {
            changed = Some(gradient::moved(&stops, GRADIENT_STOPS - 1, 0));
            view.marks.rotate_right(1);
        }
        if tool(ui, 72.0, "Reverse stops", "Reverse", "Turn the gradient around", false) {
            let mut reversed = stops;
            reversed.reverse();
            view.marks.reverse();
            changed = Some(reversed);
        }
    });
    with_stops(palette, changed?, None)
}

/// The wheel, the two colours and the numbers.
fn pick_ui(ui: &mut Ui, palette: &Palette, view: &mut View, size: f32) -> Option<Action> {
    let colour = match view.spot {
        Spot::Primary => palette.primary,
        Spot::Secondary => palette.secondary,
        Spot::Stop(stop) => palette.gradient[stop],
    };
    let mut picked = None;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * theme::STEP;
        picked = wheel::wheel_ui(ui, size, colour, &mut view.hsv);
        ui.vertical(|ui| {
            ui.set_width(SWATCH);
            for (spot, name, colour) in
                [(Spot::Primary, "Primary", palette.primary), (Spot::Secondary, "Secondary", palette.secondary)]
            {
                ui.label(RichText::new(name).font(theme::small()).color(theme::TEXT_QUIET));
                let label = format!("{name} {colour}");
                if wheel::swatch_ui(ui, vec2(SWATCH, 44.0), &label, colour, view.spot == spot).clicked() {
                    view.spot = spot;
                }
            }
        });
        ui.vertical(|ui| picked = picked.or(numbers_ui(ui, colour, view.spot)));
    });
    let (colour, gesture) = picked?;
    Some(put(with_colour(palette, view, colour), gesture))
}

fn with_colour(palette: &Palette, view: &mut View, colour: Colour) -> Palette {
    let mut palette = palette.clone();
    match view.spot {
        Spot::Primary => palette.primary = colour,
        Spot::Secondary => palette.secondary = colour,
        Spot::Stop(stop) => {
            palette.gradient[stop] = colour;
            if view.blends {
                // What is picked is meant to stay, so it becomes a stop that others follow.
                view.marks[stop] = true;
                palette.gradient = gradient::blended(&palette.gradient, &view.marks);
            }
        }
    }
    palette
}

/// The colour by number: sRGB of 8 bits a channel, and as hex.
fn numbers_ui(ui: &mut Ui, colour: Colour, spot: Spot) -> Option<(Colour, Option<u64>)> {
    let mut picked = None;
    let title = match spot {
        Spot::Primary => "Primary".to_owned(),
        Spot::Secondary => "Secondary".to_owned(),
        Spot::Stop(stop) => format!("Stop {}", stop + 1),
    };
    ui.label(RichText::new(title).font(theme::strong(theme::SMALL)).color(theme::TEXT));
    for (channel, name) in ["Red", "Green", "Blue"].into_iter().enumerate() {
        ui.horizontal(|ui| {
            caption(ui, name);
            if let Some((level, gesture)) = fields::bare_number(ui, name, colour.0[channel], 0..=255, "") {
                let mut levels = colour.0;
                levels[channel] = level;
                picked = Some((Colour(levels), gesture));
            }
        });
    }
    let fault = ui.horizontal(|ui| {
        caption(ui, "Hex");
        let parse = |text: &str| {
            let text = text.trim();
            format!("#{}", text.strip_prefix('#').unwrap_or(text)).parse::<Colour>()
        };
        let field = |ui: &mut Ui| fields::bare_text(ui, "Hex", &colour.to_string(), parse);
        let (entered, fault) = ui.allocate_ui(vec2(88.0, 4.0 * theme::STEP), field).inner;
        picked = picked.or(entered.map(|colour| (colour, None)));
        fault
    });
    if let Some(fault) = fault.inner {
        fields::hint(ui, &fault);
    }
    picked
}

fn caption(ui: &mut Ui, text: &str) {
    let size = vec2(40.0, 4.0 * theme::STEP);
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_width(size.x);
        ui.label(RichText::new(text).font(theme::small()).color(theme::TEXT_QUIET));
    });
}
