//! The fields of a scene.
//!
//! Runs on the ui thread. What a hand plays (fader, dimmer) is played here too: a project is saved as it sounds.

use super::super::action::Action;
use super::super::fields::{choice, switch, text};
use super::super::modulation::{Moves, modulated_ui};
use super::super::unit::Unit;
use super::super::value::{Value, value_ui};
use super::super::{theme, widgets};
use super::selection::{selection_ui, told};
use super::{Subject, View, key, section};
use crate::model::edit::SceneField;
use crate::model::effect::Modulated;
use crate::model::palette::{GRADIENT_STOPS, Palette};
use crate::model::scene::{COLOUR_TAGS, Launch, SceneBlend, ScenePalette};
use crate::show::command::LiveCommand;
use crate::units::Level;
use egui::accesskit::Role;
use egui::{Color32, CursorIcon, Mesh, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

/// More beats than anybody waits.
pub(super) const LONG: f64 = 1_000_000.0;
/// What launches wait for.
pub const LAUNCHES: [(Launch, &str); 3] =
    [(Launch::Off, "At once"), (Launch::Beat, "On the beat"), (Launch::Bar, "On the bar")];
const BLENDS: [(SceneBlend, &str); 3] =
    [(SceneBlend::Add, "Add"), (SceneBlend::Max, "Brighter"), (SceneBlend::Over, "Over")];

pub(super) fn scene_ui(ui: &mut Ui, subject: &Subject<'_>, view: &mut View, wishes: &mut Vec<Action>) {
    let scene = subject.scene;
    let named = |text: &str| match text.trim() {
        "" => Err("A scene needs a name".to_owned()),
        text => Ok(text.to_owned()),
    };
    if let Some(name) = text(ui, "Scene name", &scene.name, named) {
        wishes.push(subject.scene_edit(SceneField::Name(name), None));
    }
    if let Some(tag) = tags_ui(ui, scene.tag) {
        wishes.push(subject.scene_edit(SceneField::Tag(tag), None));
    }
    ui.add_space(theme::HALF);
    levels_ui(ui, subject, wishes);
    let beats = |beats: f64| Unit::Beats.write(beats);
    let launch = LAUNCHES.iter().find(|(launch, _)| *launch == scene.launch).map_or("", |(_, name)| name);
    let summary = format!("{launch}, in {}, out {}", beats(scene.fade_in), beats(scene.fade_out));
    section(ui, view, "Timing", (false, &summary), |ui, _| timing_ui(ui, subject, wishes));
    let summary = format!("{}, {}", palette_name(subject, scene.palette), told(subject, scene.selection.as_ref()));
    section(ui, view, "Light", (false, &summary), |ui, _| light_ui(ui, subject, wishes));
    let summary = scene.key.as_deref().unwrap_or("none");
    section(ui, view, "Key", (false, summary), |ui, view| key::key_ui(ui, subject, &mut view.capturing, wishes));
}

/// Nine swatches to choose one of.
pub fn tags_ui(ui: &mut Ui, current: u8) -> Option<u8> {
    let mut chosen = None;
    let count = f32::from(COLOUR_TAGS);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0 * theme::STEP), Sense::hover());
    let width = ((row.width() - (count - 1.0) * theme::HALF) / count).min(44.0);
    for tag in 0..COLOUR_TAGS {
        let left = row.left() + f32::from(tag) * (width + theme::HALF);
        let rect = Rect::from_min_size(pos2(left, row.top()), vec2(width, row.height()));
        let id = ui.make_persistent_id(("tag", tag));
        let response = ui.interact(rect, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
        let name = TAG_NAMES[usize::from(tag) % TAG_NAMES.len()];
        response.widget_info(|| {
            WidgetInfo::selected(Role::RadioButton, true, tag == current, format!("Colour tag {name}"))
        });
        let swatch = Rect::from_center_size(rect.center(), vec2(width, 16.0));
        let colour = theme::TAGS[usize::from(tag) % theme::TAGS.len()];
        let chosen_one = tag == current;
        let fill = if chosen_one || response.hovered() { colour } else { theme::mixed(theme::GROUND, colour, 0.75) };
        ui.painter().rect_filled(swatch, theme::RADIUS_SMALL, fill);
        if tag == 0 {
            let line = [swatch.left_bottom() + vec2(4.0, -4.0), swatch.right_top() + vec2(-4.0, 4.0)];
            ui.painter().line_segment(line, Stroke::new(1.5, theme::TEXT_QUIET));
        }
        if chosen_one {
            let ring = swatch.expand(3.0);
            ui.painter().rect_stroke(ring, theme::RADIUS, Stroke::new(1.5, theme::TEXT), StrokeKind::Inside);
        }
        widgets::focus_ring(ui, &response);
        if response.clicked() && !chosen_one {
            chosen = Some(tag);
        }
        response.on_hover_text(name);
    }
    chosen
}

/// What the tags are called.
const TAG_NAMES: [&str; 9] = ["none", "red", "orange", "yellow", "green", "teal", "blue", "violet", "pink"];

fn levels_ui(ui: &mut Ui, subject: &Subject<'_>, wishes: &mut Vec<Action>) {
    let scene = subject.scene;
    let about = "The fader of its tile. A project is saved with the faders as they stand.";
    let value = Value { about, ..Value::new("Scene opacity", "Opacity", 0.0..=1.0, 1.0, Unit::Share) };
    let at = Modulated { base: subject.view.opacity.get(), curve: scene.opacity_curve, trigger: scene.opacity_trigger };
    let moves = Moves { snapshot: subject.snapshot, beat: subject.beat() };
    if let Some((set, _)) = modulated_ui(ui, &value, at, moves) {
        if set.curve != at.curve {
            wishes.push(subject.scene_edit(SceneField::OpacityCurve(set.curve), None));
        } else if set.trigger != at.trigger {
            wishes.push(subject.scene_edit(SceneField::OpacityTrigger(set.trigger), None));
        } else {
            wishes.push(LiveCommand::Opacity(scene.id, Level::new(set.base)).into());
        }
    }
    let about = "What a controller's dimmer sets; the light is both together.";
    let value = Value { about, ..Value::new("Scene dimmer", "Dimmer", 0.0..=1.0, 1.0, Unit::Share) };
    if let Some((set, _)) = value_ui(ui, &value, f64::from(subject.view.dimmer.get()), None) {
        wishes.push(LiveCommand::Dimmer(scene.id, Level::new(set as f32)).into());
    }
}

fn timing_ui(ui: &mut Ui, subject: &Subject<'_>, wishes: &mut Vec<Action>) {
    let scene = subject.scene;
    if let Some(launch) = choice(ui, "Starts", scene.launch, &LAUNCHES) {
        wishes.push(subject.scene_edit(SceneField::Launch(launch), None));
    }
    let beats = |label, text, slider, limits| Value { limits, ..Value::new(label, text, slider, 0.0, Unit::Beats) };
    let fade = beats("Fade in", "Fade in", 0.0..=16.0, 0.0..=LONG);
    if let Some((set, gesture)) = value_ui(ui, &fade, scene.fade_in, None) {
        wishes.push(subject.scene_edit(SceneField::FadeIn(set), gesture));
    }
    let fade = beats("Fade out", "Fade out", 0.0..=16.0, 0.0..=LONG);
    if let Some((set, gesture)) = value_ui(ui, &fade, scene.fade_out, None) {
        wishes.push(subject.scene_edit(SceneField::FadeOut(set), gesture));
    }
    let mut offset = beats("Scene beat offset", "Ahead of the beat", -4.0..=4.0, -LONG..=LONG);
    offset.about = "Beats that it runs ahead of the clock; behind it where negative.";
    if let Some((set, gesture)) = value_ui(ui, &offset, scene.beat_offset, None) {
        wishes.push(subject.scene_edit(SceneField::BeatOffset(set), gesture));
    }
}

fn light_ui(ui: &mut Ui, subject: &Subject<'_>, wishes: &mut Vec<Action>) {
    let scene = subject.scene;
    if let Some(blend) = choice(ui, "Meets scenes", scene.blend, &BLENDS) {
        wishes.push(subject.scene_edit(SceneField::Blend(blend), None));
    }
    let project = &subject.snapshot.project;
    let inherited = palette_name(subject, ScenePalette::Inherit);
    let own = project.palettes.iter().map(|palette| (ScenePalette::Own(palette.id), palette.name.as_str()));
    let all = [(ScenePalette::Inherit, inherited.as_str()), (ScenePalette::None, "White on black")];
    let all: Vec<_> = all.into_iter().chain(own).collect();
    if let Some(palette) = choice(ui, "Palette", scene.palette, &all) {
        wishes.push(subject.scene_edit(SceneField::Palette(palette), None));
    }
    strip(ui, subject);
    ui.push_id("selection", |ui| {
        if let Some(selection) = selection_ui(ui, project, scene.selection.as_ref(), "All of them") {
            wishes.push(subject.scene_edit(SceneField::Selection(selection), None));
        }
    });
    let words = "Stays as it is when the master goes down";
    if let Some(ignores) = switch(ui, "Ignores master", scene.ignores_master, words) {
        wishes.push(subject.scene_edit(SceneField::IgnoresMaster(ignores), None));
    }
}

/// What the screen calls the palette of a scene.
fn palette_name(subject: &Subject<'_>, palette: ScenePalette) -> String {
    let project = &subject.snapshot.project;
    let name = |id| project.palettes.get(id).map_or("none", |palette| palette.name.as_str());
    match palette {
        ScenePalette::Inherit => format!("The project's ({})", project.settings.palette.map_or("none", name)),
        ScenePalette::None => "White on black".into(),
        ScenePalette::Own(id) => name(id).into(),
    }
}

/// The gradient that the scene's effects see.
fn strip(ui: &mut Ui, subject: &Subject<'_>) {
    let neutral = Palette::neutral();
    let project = &subject.snapshot.project;
    let palette = super::super::grid::palette_of(project, subject.scene, &neutral);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::STEP), Sense::hover());
    let mut mesh = Mesh::default();
    for (stop, colour) in (0_u32..).zip(palette.gradient) {
        let x = rect.left() + rect.width() * stop as f32 / (GRADIENT_STOPS - 1) as f32;
        let [r, g, b] = colour.0;
        mesh.colored_vertex(pos2(x, rect.top()), Color32::from_rgb(r, g, b));
        mesh.colored_vertex(pos2(x, rect.bottom()), Color32::from_rgb(r, g, b));
        if stop > 0 {
            mesh.add_triangle(2 * stop - 2, 2 * stop - 1, 2 * stop);
            mesh.add_triangle(2 * stop - 1, 2 * stop, 2 * stop + 1);
        }
    }
    ui.painter().add(mesh);
}
