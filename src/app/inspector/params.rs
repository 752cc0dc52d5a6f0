//! The parameters that a shader declares, each as the control of its kind.
//!
//! Runs on the ui thread. A parameter that is put back to the shader's default leaves the project.

use super::super::fields::{choice, heading, press_gesture, row, switch, text};
use super::super::modulation::{Moves, modulated_ui};
use super::super::point::{Pad, beside, pad_ui};
use super::super::theme;
use super::super::unit::Unit;
use super::super::value::Value;
use super::scene::LONG;
use crate::model::edit::EffectField;
use crate::model::effect::{Effect, Modulated, ParamValue};
use crate::model::palette::Colour;
use crate::shading::header::{Header, Param, ParamKind};
use egui::accesskit::Role;
use egui::color_picker::{Alpha, color_picker_color32};
use egui::{Color32, CursorIcon, Popup, PopupCloseBehavior, Sense, Ui, WidgetInfo, vec2};
use std::ops::RangeInclusive;

/// A parameter's new value and the drag that it belongs to.
type Set = Option<(ParamValue, Option<u64>)>;

pub(super) fn params_ui(
    ui: &mut Ui,
    effect: &Effect,
    header: &Header,
    moves: Moves<'_>,
    edit: &mut impl FnMut(EffectField, Option<u64>),
) {
    for param in &header.params {
        let set = ui.push_id(&param.name, |ui| param_ui(ui, param, effect.params.get(&param.name), moves)).inner;
        if let Some((value, gesture)) = set {
            let usual = value == default_of(&param.kind);
            edit(EffectField::Param(param.name.clone(), (!usual).then_some(value)), gesture);
        }
    }
}

/// What a parameter is until somebody sets it.
fn default_of(kind: &ParamKind) -> ParamValue {
    match kind {
        ParamKind::Float { default, .. } | ParamKind::Percent { default } | ParamKind::Degrees { default } => {
            ParamValue::Number((*default).into())
        }
        ParamKind::Int { default, .. } => ParamValue::Number((*default as f32).into()),
        ParamKind::Bool { default } => ParamValue::Switch(*default),
        ParamKind::Choice { names, default } => ParamValue::Choice(names.get(*default).cloned().unwrap_or_default()),
        ParamKind::Point { default: [x, y] } => ParamValue::Point((*x).into(), (*y).into()),
        ParamKind::Colour { default } => ParamValue::Colour(*default),
    }
}

/// What it is: what was set, where that is of the declared kind.
fn value_of(kind: &ParamKind, set: Option<&ParamValue>) -> ParamValue {
    let default = default_of(kind);
    let same = |set: &&ParamValue| std::mem::discriminant(*set) == std::mem::discriminant(&default);
    set.filter(same).cloned().unwrap_or(default)
}

fn param_ui(ui: &mut Ui, param: &Param, set: Option<&ParamValue>, moves: Moves<'_>) -> Set {
    let label = spoken(&param.name);
    match (&param.kind, value_of(&param.kind, set)) {
        (kind, ParamValue::Number(at)) => {
            let (slider, limits, unit, usual) = reach(kind);
            let value = Value { limits, about: &param.about, ..Value::new(&label, &label, slider, usual, unit) };
            modulated_ui(ui, &value, at, moves).map(|(set, gesture)| (ParamValue::Number(set), gesture))
        }
        (ParamKind::Point { default }, ParamValue::Point(x, y)) => point_ui(ui, &label, param, *default, [x, y], moves),
        (_, ParamValue::Switch(on)) => switch(ui, &label, on, &param.about).map(|on| (ParamValue::Switch(on), None)),
        (ParamKind::Choice { names, default }, ParamValue::Choice(name)) => {
            let all: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
            let current = names.iter().position(|other| *other == name).unwrap_or(*default);
            let chosen = choice(ui, &label, current, &all).and_then(|chosen| names.get(chosen));
            chosen.map(|name| (ParamValue::Choice(name.clone()), None))
        }
        (_, ParamValue::Colour(colour)) => colour_ui(ui, &label, colour),
        _ => None,
    }
}

/// A name of the source as it is read: `line_width` becomes `Line width`.
fn spoken(name: &str) -> String {
    let mut spoken = name.replace('_', " ");
    if let Some(first) = spoken.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    spoken
}

/// Slider, limits, unit and default of a number.
fn reach(kind: &ParamKind) -> (RangeInclusive<f64>, RangeInclusive<f64>, Unit, f64) {
    let same = |min: f64, max: f64, unit, usual| (min..=max, min..=max, unit, usual);
    match kind {
        ParamKind::Float { min, max, default } => {
            same(f64::from(*min), f64::from(*max), Unit::Plain, f64::from(*default))
        }
        ParamKind::Int { min, max, default } => {
            same(f64::from(*min), f64::from(*max), Unit::Whole, f64::from(*default))
        }
        ParamKind::Degrees { default } => (-360.0..=360.0, -LONG..=LONG, Unit::Degrees, f64::from(*default)),
        ParamKind::Percent { default } => same(0.0, 100.0, Unit::Percent, f64::from(*default)),
        _ => same(0.0, 1.0, Unit::Plain, 0.0),
    }
}

fn point_ui(
    ui: &mut Ui,
    label: &str,
    param: &Param,
    default: [f32; 2],
    [x, y]: [Modulated; 2],
    moves: Moves<'_>,
) -> Set {
    let bar = |ui: &mut Ui, axis: &str, at: Modulated, usual: f32| {
        let label = format!("{label} {}", axis.to_lowercase());
        let value = Value {
            limits: -1024.0..=1024.0,
            about: &param.about,
            ..Value::new(&label, axis, 0.0..=1.0, f64::from(usual), Unit::Share)
        };
        modulated_ui(ui, &value, at, moves)
    };
    let name = format!("{label} on the pad");
    let pad = Pad { label: &name, about: &param.about, usual: default.map(f64::from) };
    let still = x.is_still() && y.is_still();
    let now = (!still).then(|| [moves.now(x), moves.now(y)]);
    heading(ui, label);
    beside(
        ui,
        |ui| {
            let set = pad_ui(ui, &pad, [x.base, y.base].map(f64::from), now);
            set.map(|([across, up], gesture)| {
                let moved = |base: f64, at| Modulated { base: base as f32, ..at };
                (ParamValue::Point(moved(across, x), moved(up, y)), gesture)
            })
        },
        |ui| {
            let across = bar(ui, "Across", x, default[0]).map(|(x, gesture)| (ParamValue::Point(x, y), gesture));
            let up = bar(ui, "Up", y, default[1]).map(|(y, gesture)| (ParamValue::Point(x, y), gesture));
            across.or(up)
        },
    )
}

/// A swatch that opens a field of colours, and the same as text.
fn colour_ui(ui: &mut Ui, label: &str, colour: Colour) -> Set {
    let [r, g, b] = colour.0;
    let mut shown = Color32::from_rgb(r, g, b);
    let mut set = row(ui, label, |ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(88.0, 4.0 * theme::STEP), Sense::click());
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        response.widget_info(|| WidgetInfo::labeled(Role::ColorWell, true, label));
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 4.0)), theme::RADIUS, shown);
        super::super::widgets::focus_ring(ui, &response);
        let popup = Popup::from_toggle_button_response(&response);
        let picked = popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            let changed = color_picker_color32(ui, &mut shown, Alpha::Opaque);
            changed.then(|| press_gesture(ui, response.id))
        });
        let gesture = picked.and_then(|picked| picked.inner)?;
        let [r, g, b, _] = shown.to_array();
        Some((ParamValue::Colour(Colour([r, g, b])), gesture))
    });
    let typed = text(ui, &format!("{label} as text"), &colour.to_string(), |text| text.trim().parse::<Colour>());
    if let Some(typed) = typed {
        set = Some((ParamValue::Colour(typed), None));
    }
    set.filter(|(set, _)| *set != ParamValue::Colour(colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_as_another_kind_is_the_default() {
        let kind = ParamKind::Percent { default: 40.0 };
        let number = |value: f32| ParamValue::Number(value.into());
        assert_eq!(value_of(&kind, Some(&number(7.0))), number(7.0));
        assert_eq!(value_of(&kind, Some(&ParamValue::Switch(true))), number(40.0));
        assert_eq!(value_of(&kind, None), number(40.0));
        assert_eq!(spoken("line_width"), "Line width");
    }
}
