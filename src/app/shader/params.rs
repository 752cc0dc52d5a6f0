//! The parameters of a header as controls. What is set is the default, which the header line then says.
//!
//! Runs on the ui thread; returns the source with another default. Deliberately absent: values that effects of a scene
//! give, which their inspector sets.

use crate::app::point::{Pad, beside, pad_ui};
use crate::app::{fields, theme};
use crate::shading::header::{Header, Param, ParamKind, with_default};
use egui::{Align, Color32, Label, Layout, RichText, Ui, vec2};

/// Room of a name, points.
const NAME: f32 = 84.0;

/// Shows a control for each parameter; the source with the default that was set.
pub fn params_ui(ui: &mut Ui, header: &Header, source: &str, editable: bool) -> Option<String> {
    let mut changed = None;
    ui.add_enabled_ui(editable, |ui| {
        for param in &header.params {
            if let ParamKind::Point { .. } = param.kind {
                // The pad needs the whole width.
                ui.add_space(theme::HALF);
                let name = RichText::new(&param.name).font(theme::small()).color(theme::CODE_PARAM);
                ui.add(Label::new(name).truncate()).on_hover_text(&param.about);
                if let Some(default) = param_ui(ui, param) {
                    changed = Some(with_default(source, &param.name, &default));
                }
                continue;
            }
            ui.horizontal(|ui| {
                let size = vec2(NAME.min(ui.available_width() * 0.5), 4.0 * theme::STEP);
                ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_width(size.x);
                    let name = RichText::new(&param.name).font(theme::small()).color(theme::CODE_PARAM);
                    ui.add(Label::new(name).truncate()).on_hover_text(&param.about);
                });
                ui.vertical(|ui| {
                    if let Some(default) = param_ui(ui, param) {
                        changed = Some(with_default(source, &param.name, &default));
                    }
                });
            });
        }
    });
    if header.params.is_empty() {
        fields::hint(ui, "No parameters. A line such as\n// param: scale float 0..8 = 2\ndeclares one.");
    }
    changed
}

/// A control for one, by the name `Default of NAME`; the default as the header writes it.
fn param_ui(ui: &mut Ui, param: &Param) -> Option<String> {
    let label = format!("Default of {}", param.name);
    match &param.kind {
        ParamKind::Float { min, max, default } => {
            fields::bare_number(ui, &label, *default, *min..=*max, "").map(|(value, _)| written(value))
        }
        ParamKind::Int { min, max, default } => {
            fields::bare_number(ui, &label, *default, *min..=*max, "").map(|(value, _)| value.to_string())
        }
        ParamKind::Percent { default } => {
            fields::bare_number(ui, &label, *default, 0.0..=100.0, " %").map(|(value, _)| written(value))
        }
        ParamKind::Degrees { default } => {
            fields::bare_number(ui, &label, *default, -360.0..=360.0, "°").map(|(value, _)| written(value))
        }
        ParamKind::Bool { default } => {
            let mut on = *default;
            let response = ui.checkbox(&mut on, if *default { "on" } else { "off" });
            response
                .widget_info(|| egui::WidgetInfo::selected(egui::accesskit::Role::CheckBox, true, *default, &label));
            (on != *default).then(|| on.to_string())
        }
        ParamKind::Choice { names, default } => {
            let all: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
            let mut chosen = *default;
            let shown = names.get(chosen).map_or("", String::as_str);
            let combo = egui::ComboBox::from_id_salt(&label).selected_text(shown).width(88.0).show_ui(ui, |ui| {
                for (place, name) in &all {
                    ui.selectable_value(&mut chosen, *place, *name);
                }
            });
            combo.response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, format!("{label}: {shown}"))
            });
            names.get(chosen).filter(|_| chosen != *default).cloned()
        }
        ParamKind::Point { default } => point_ui(ui, &label, &param.about, *default),
        ParamKind::Colour { default } => {
            let shown = default.to_string();
            let field = ui.horizontal(|ui| {
                let [r, g, b] = default.0;
                let (rect, _) = ui.allocate_exact_size(egui::vec2(24.0, 24.0), egui::Sense::hover());
                ui.painter().rect_filled(rect, theme::RADIUS_SMALL, Color32::from_rgb(r, g, b));
                let parse = |text: &str| text.trim().parse::<crate::model::palette::Colour>();
                fields::bare_text(ui, &label, &shown, parse).0
            });
            field.inner.map(|colour| colour.to_string())
        }
    }
}

fn point_ui(ui: &mut Ui, label: &str, about: &str, at: [f32; 2]) -> Option<String> {
    let name = format!("{label} on the pad");
    let pad = Pad { label: &name, about, usual: [0.5; 2] };
    let set = beside(
        ui,
        |ui| pad_ui(ui, &pad, at.map(f64::from), None).map(|(set, _)| set.map(|side| side as f32)),
        |ui| {
            let number = |ui: &mut Ui, axis: &str, at| {
                let set = fields::bare_number(ui, &format!("{label}, {axis}"), at, 0.0..=1.0, "");
                set.map(|(set, _)| set)
            };
            let numbers = |ui: &mut Ui| {
                ui.spacing_mut().item_spacing.x = theme::HALF;
                (number(ui, "x", at[0]), number(ui, "y", at[1]))
            };
            let (across, up) = ui.horizontal_wrapped(numbers).inner;
            (across.is_some() || up.is_some()).then_some([across.unwrap_or(at[0]), up.unwrap_or(at[1])])
        },
    );
    set.map(|[x, y]| format!("({}, {})", written(x), written(y)))
}

/// A number as a header should say it: no more digits than a hand sets.
fn written(value: f32) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_short_as_they_are() {
        for (value, text) in [(2.0, "2"), (0.25, "0.25"), (-90.0, "-90"), (1.0 / 3.0, "0.333"), (100.0, "100")] {
            assert_eq!(written(value), text);
        }
    }
}
