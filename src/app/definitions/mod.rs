//! Fixture definitions: what kinds of fixtures there are, where their pixels are, and what their channels carry.
//!
//! Runs on the ui thread; reads the snapshot and returns edits. Deliberately absent: which fixtures exist, which
//! `patch` shows.

mod channels;
mod drawing;
mod groups;
mod light;
mod modes;
mod shape;
mod starts;
mod usage;

use super::action::Action;
use super::shelf::{self, Deed};
use super::widgets::{PadLook, elided, focus_ring, line_ground, pad};
use super::{fields, status_bar, theme};
use crate::model::edit::{Edit, Entry};
use crate::model::fixture::FixtureDefinition;
use crate::model::id::DefinitionId;
use crate::model::project::Project;
use crate::model::references::Key;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use drawing::Drawing;
use egui::accesskit::Role;
use egui::{Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};
use modes::Modes;
use std::sync::Arc;
use usage::Usage;

/// Height of a definition in the list, points.
const LINE: f32 = 48.0;
/// Lists narrower than this have the form below, points.
const SIDE_BY_SIDE: f32 = 640.0;
/// Width of the list beside a form, points.
const LIST: f32 = 264.0;
/// Height of the drawing, as a share of the panel and in points.
const DRAWING: (f32, [f32; 2]) = (0.36, [140.0, 300.0]);

/// A changed definition, and the drag that changed it.
type Change = Option<(FixtureDefinition, Option<u64>)>;

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {
    chosen: Option<DefinitionId>,
    /// Added, but not in the snapshot yet.
    coming: Option<DefinitionId>,
    refused: bool,
    usage: Usage,
    drawing: Drawing,
    modes: Modes,
}

impl View {
    fn choose(&mut self, id: Option<DefinitionId>) {
        if self.chosen != id {
            self.chosen = id;
            self.refused = false;
            (self.drawing, self.modes) = (Drawing::default(), Modes::default());
        }
    }
}

/// Shows the panel.
pub fn definitions_ui(ui: &mut Ui, snapshot: &Snapshot, view: &mut View) -> Vec<Action> {
    let project = &snapshot.project;
    if let Some(id) = view.coming.take_if(|id| project.definitions.contains(*id)) {
        view.choose(Some(id));
    }
    let known = view.chosen.filter(|id| project.definitions.contains(*id));
    let room = ui.max_rect().shrink2(vec2(theme::STEP + theme::HALF, theme::STEP));
    let room = Rect::from_min_max(room.min, room.max.max(room.min));
    let wide = room.width() >= SIDE_BY_SIDE;
    // Beside a list there is room for one in any case.
    let first = project.definitions.iter().next().map(|definition| definition.id).filter(|_| wide);
    view.choose(known.or(first));
    let mut wishes = Vec::new();
    let list = if wide { Rect::from_min_max(room.min, pos2(room.left() + LIST, room.bottom())) } else { room };
    shelf::room_ui(ui, "list", list, |ui| {
        add_ui(ui, project, view, &mut wishes);
        list_ui(ui, project, view, (room.height(), wide), &mut wishes);
    });
    if wide {
        let form = Rect::from_min_max(pos2(list.right() + 2.0 * theme::STEP, room.top()), room.max);
        shelf::room_ui(ui, "form", form, |ui| {
            if let Some(definition) = view.chosen.and_then(|id| project.definitions.get(id)) {
                one_ui(ui, project, definition, view, (room.height(), true), &mut wishes);
            }
        });
    }
    wishes
}

/// The list. Where there is no room beside it, the form stands below the one that is worked at.
fn list_ui(ui: &mut Ui, project: &Project, view: &mut View, (height, wide): (f32, bool), wishes: &mut Vec<Action>) {
    if project.definitions.is_empty() {
        return fields::hint(ui, "No kinds of fixtures yet. Add one; the patch is made of fixtures of these kinds.");
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    let area = ScrollArea::vertical().id_salt("definitions").auto_shrink(false);
    if wide {
        area.show_rows(ui, LINE, project.definitions.len(), |ui, range| {
            for definition in project.definitions.iter().skip(range.start).take(range.len()) {
                definition_ui(ui, project, definition, view);
            }
        });
        return;
    }
    area.show(ui, |ui| {
        for definition in project.definitions.iter() {
            definition_ui(ui, project, definition, view);
            if view.chosen == Some(definition.id) {
                ui.add_space(theme::STEP);
                one_ui(ui, project, definition, view, (height, false), wishes);
                ui.add_space(3.0 * theme::STEP);
            }
        }
    });
}

/// Adds a definition that begins as one of the starts.
fn add_ui(ui: &mut Ui, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Kinds of fixtures").font(theme::strong(theme::BODY)).color(theme::TEXT));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.visuals_mut().widgets.inactive.weak_bg_fill = theme::SURFACE;
            ui.menu_button("Add…", |ui| {
                for (name, make) in starts::STARTS {
                    if ui.button(name).clicked() {
                        add(make(), project, view, wishes);
                        ui.close();
                    }
                }
            });
        });
    });
    ui.add_space(theme::STEP);
}

/// Puts a definition in under an id and a name of its own and works at it.
fn add(definition: FixtureDefinition, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let id = DefinitionId(project.definitions.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    let names: Vec<&str> = project.definitions.iter().map(|definition| definition.name.as_str()).collect();
    let name = shelf::free_name(&definition.name, &names);
    view.coming = Some(id);
    wishes.push(put((FixtureDefinition { id, name, ..definition }, None)));
}

fn put((definition, gesture): (FixtureDefinition, Option<u64>)) -> Action {
    Command::Edit { edit: Edit::Put(Entry::Definition(definition.into())), gesture }.into()
}

/// A definition in the list; a click works at it.
fn definition_ui(ui: &mut Ui, project: &Project, definition: &FixtureDefinition, view: &mut View) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width().max(1.0), LINE), Sense::click());
    let chosen = view.chosen == Some(definition.id);
    let below = summary(definition, view.usage.count(project, definition.id));
    response.widget_info(|| {
        let label = format!("Kind {}, {below}", definition.name);
        WidgetInfo::selected(Role::ListItem, true, chosen, label)
    });
    if ui.is_rect_visible(rect) {
        let painter = ui.painter();
        line_ground(painter, &response, chosen);
        let left = rect.left() + theme::STEP + theme::HALF;
        let ink = if chosen { theme::TEXT } else { theme::TEXT_QUIET };
        let at = pos2(left, rect.top() + 16.0);
        let right = rect.right() - theme::STEP;
        elided(painter, at, right, (&definition.name, theme::strong(theme::BODY), ink));
        elided(painter, pos2(left, rect.top() + 33.0), right, (&below, theme::small(), theme::TEXT_FAINT));
        focus_ring(ui, &response);
    }
    if response.clicked() {
        view.choose(if chosen { None } else { Some(definition.id) });
    }
}

/// Size, channels and use in a line.
fn summary(definition: &FixtureDefinition, used: u32) -> String {
    let count = definition.pixels.count();
    let channels = u64::from(count) * definition.channels.len() as u64;
    let pixels =
        if count == 1 { "1 pixel".to_owned() } else { format!("{} pixels", status_bar::grouped(count.into())) };
    let used = match used {
        0 => "not used".to_owned(),
        1 => "1 fixture".to_owned(),
        used => format!("{} fixtures", status_bar::grouped(used.into())),
    };
    let letters = channels::letters(&definition.channels);
    format!("{pixels} {letters}, {} channels, {used}", status_bar::grouped(channels))
}

/// Everything about one definition. `room` is the height of the panel, and whether the form scrolls by itself.
fn one_ui(
    ui: &mut Ui,
    project: &Project,
    definition: &Arc<FixtureDefinition>,
    view: &mut View,
    (height, scrolls): (f32, bool),
    wishes: &mut Vec<Action>,
) {
    let id = definition.id;
    ui.push_id(id.0, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        let users = view.usage.users(project, id);
        match shelf::title_ui(ui, "kind of fixture", &definition.name, users, &mut view.refused) {
            Some(Deed::Rename(name)) => {
                wishes.push(put((FixtureDefinition { name, ..FixtureDefinition::clone(definition) }, None)));
            }
            Some(Deed::Duplicate) => add(FixtureDefinition::clone(definition), project, view, wishes),
            Some(Deed::Delete) => {
                wishes.push(Command::Edit { edit: Edit::Remove(Key::Definition(id)), gesture: None }.into());
            }
            None => {}
        }
        view.modes.follow(definition);
        let (share, [least, most]) = DRAWING;
        let drawn = (height * share).clamp(least, most);
        let mut change = view.drawing.show(ui, drawn, definition, view.modes.chosen);
        let mut form = |ui: &mut Ui| form_ui(ui, project, definition, view, wishes);
        let edited = match scrolls {
            true => ScrollArea::vertical().id_salt("form").auto_shrink(false).show(ui, &mut form).inner,
            false => form(ui),
        };
        change = change.or(edited).filter(|(changed, _)| *changed != **definition);
        wishes.extend(change.map(put));
    });
}

fn form_ui(
    ui: &mut Ui,
    project: &Project,
    definition: &Arc<FixtureDefinition>,
    view: &mut View,
    wishes: &mut Vec<Action>,
) -> Change {
    ui.spacing_mut().item_spacing.y = theme::HALF;
    wishes.extend(clashes_ui(ui, project, definition.id, view));
    let most = view.usage.most_pixels(project, definition.id);
    let mut change = shape::shape_ui(ui, definition, most);
    change = change.or(channels::channels_ui(ui, definition));
    change = change.or(view.modes.show(ui, project, definition));
    ui.spacing_mut().item_spacing.y = theme::HALF;
    change = change.or(light::light_ui(ui, definition));
    change = change.or(light::current_ui(ui, definition));
    ui.add_space(3.0 * theme::STEP);
    change
}

/// Which chains no longer fit, and a pad that gives them their addresses anew.
fn clashes_ui(ui: &mut Ui, project: &Project, id: DefinitionId, view: &mut View) -> Option<Action> {
    let (clashes, mended) = view.usage.clashes(project, id);
    if clashes.is_empty() {
        return None;
    }
    const MOST: usize = 4;
    let words = clashes.words(project);
    for sentence in words.iter().take(MOST) {
        ui.label(RichText::new(format!("{sentence}.")).font(theme::small()).color(theme::RED));
    }
    if words.len() > MOST {
        ui.label(RichText::new(format!("And {} more.", words.len() - MOST)).font(theme::small()).color(theme::RED));
    }
    if let Some(name) = &mended.too_long {
        let words = "does not fit from its port on. Move the port in the patch, or take pixels away.";
        fields::hint(ui, &format!("Chain {name} {words}"));
    }
    let Some(edit) = &mended.edit else {
        if mended.too_long.is_none() {
            fields::hint(ui, "Each chain is in order by itself. Move the port of one of them in the patch.");
        }
        return None;
    };
    let label = "Assign addresses anew";
    let clicked = text_pad(ui, 184.0, label, label);
    fields::hint(ui, "Each of these chains is addressed from its port on, fixture after fixture.");
    clicked.then(|| Command::Edit { edit: edit.clone(), gesture: None }.into())
}

/// A pad that is on or off.
fn toggle(ui: &mut Ui, width: f32, label: &str, text: &str, on: bool) -> bool {
    let (fill, colour) = if on { (theme::RAIL, theme::TEXT) } else { (theme::SURFACE, theme::TEXT_QUIET) };
    let look = PadLook { font: theme::small(), fill, colour, ..PadLook::quiet(label, text) };
    let response = pad(ui, vec2(width, 36.0), &look);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, label));
    response.clicked()
}

/// A pad with words on it.
fn text_pad(ui: &mut Ui, width: f32, label: &str, text: &str) -> bool {
    let look = PadLook { font: theme::small(), ..PadLook::quiet(label, text) };
    pad(ui, vec2(width, 36.0), &look).clicked()
}

/// A pad with an icon on it, which may be of no use just now.
fn small_pad(ui: &mut Ui, can: bool, label: &str, icon: &str) -> bool {
    let look = PadLook { font: theme::small(), ..PadLook::quiet(label, icon) };
    ui.add_enabled_ui(can, |ui| pad(ui, vec2(4.0 * theme::STEP, 4.0 * theme::STEP), &look).clicked()).inner
}

/// A number in front of a line.
fn caption(ui: &mut Ui, text: &str, width: f32) {
    let size = vec2(width, 4.0 * theme::STEP);
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_width(size.x);
        ui.label(RichText::new(text).font(theme::small()).color(theme::TEXT_QUIET));
    });
}
