//! The fields of an effect, and the parameters that its shader declares.
//!
//! Runs on the ui thread.

use super::super::action::Action;
use super::super::fields::{choice, hint};
use super::super::modulation::{Moves, modulated_ui};
use super::super::theme;
use super::super::unit::Unit;
use super::super::value::{Value, value_ui};
use super::scene::LONG;
use super::selection::{selection_ui, told};
use super::{Subject, View, params, section};
use crate::model::edit::EffectField;
use crate::model::effect::{Blend, Effect};
use crate::model::id::CurveId;
use egui::{RichText, Sense, Stroke, Ui, vec2};

/// How effects meet those before them.
pub(super) const BLENDS: [(Blend, &str); 5] = [
    (Blend::Add, "Add"),
    (Blend::Max, "Brighter"),
    (Blend::Multiply, "Multiply"),
    (Blend::Over, "Over"),
    (Blend::Mask, "Mask"),
];

pub(super) fn effect_ui(
    ui: &mut Ui,
    subject: &Subject<'_>,
    effect: &Effect,
    view: &mut View,
    wishes: &mut Vec<Action>,
) {
    let project = &subject.snapshot.project;
    let title = view.headers.title(project, &effect.shader);
    let header = view.headers.of(project, &effect.shader);
    ui.add_space(theme::HALF);
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(line.x_range(), line.top(), Stroke::new(1.0, theme::SURFACE));
    ui.label(RichText::new(title).font(theme::strong(theme::BODY)).color(theme::TEXT));
    if let Some(header) = header.as_ref().filter(|header| !header.about.is_empty()) {
        hint(ui, &header.about);
    }
    let moves = Moves { snapshot: subject.snapshot, beat: subject.beat() + effect.beat_offset };
    let mut edit = |field, gesture| wishes.push(subject.effect_edit(effect.id, field, gesture));
    let value = Value::new("Effect opacity", "Opacity", 0.0..=1.0, 1.0, Unit::Share);
    if let Some((set, gesture)) = modulated_ui(ui, &value, effect.opacity, moves) {
        edit(EffectField::Opacity(set), gesture);
    }
    if let Some(blend) = choice(ui, "Blend", effect.blend, &BLENDS) {
        edit(EffectField::Blend(blend), None);
    }
    match &header {
        Some(header) => params::params_ui(ui, effect, header, moves, &mut edit),
        None => hint(ui, "What this shader takes is not known: its header cannot be read."),
    }
    let shift = Value {
        about: "Turns the palette's hues.",
        limits: -LONG..=LONG,
        ..Value::new("Colour shift", "Colour shift", -0.5..=0.5, 0.0, Unit::Turns)
    };
    if let Some((set, gesture)) = modulated_ui(ui, &shift, effect.colour_shift, moves) {
        edit(EffectField::ColourShift(set), gesture);
    }
    let speed = Unit::Speed.write(f64::from(effect.speed_exponent));
    section(ui, view, "Movement", (true, &speed), |ui, _| movement_ui(ui, subject, effect, wishes));
    let summary = effect.selection.as_ref().map_or_else(|| "as the scene".into(), |own| told(subject, Some(own)));
    section(ui, view, "Lamps of the effect", (false, &summary), |ui, _| {
        if let Some(selection) = selection_ui(ui, project, effect.selection.as_ref(), "As the scene") {
            wishes.push(subject.effect_edit(effect.id, EffectField::Selection(selection), None));
        }
    });
}

fn movement_ui(ui: &mut Ui, subject: &Subject<'_>, effect: &Effect, wishes: &mut Vec<Action>) {
    let mut edit = |field, gesture| wishes.push(subject.effect_edit(effect.id, field, gesture));
    let speed = Value { limits: -8.0..=8.0, ..Value::new("Speed", "Speed", -3.0..=3.0, 0.0, Unit::Speed) };
    if let Some((set, gesture)) = value_ui(ui, &speed, f64::from(effect.speed_exponent), None) {
        edit(EffectField::SpeedExponent(set as f32), gesture);
    }
    let curves = subject.snapshot.project.curves.iter().map(|curve| (Some(curve.id), curve.name.as_str()));
    let all: Vec<(Option<CurveId>, &str)> = [(None, "Straight, four beats")].into_iter().chain(curves).collect();
    if let Some(progress) = choice(ui, "Progress", effect.progress, &all) {
        edit(EffectField::Progress(progress), None);
    }
    let offset = Value {
        about: "Beats that it runs ahead of its scene; behind it where negative.",
        limits: -LONG..=LONG,
        ..Value::new("Effect beat offset", "Ahead of the beat", -4.0..=4.0, 0.0, Unit::Beats)
    };
    if let Some((set, gesture)) = value_ui(ui, &offset, effect.beat_offset, None) {
        edit(EffectField::BeatOffset(set), gesture);
    }
}
