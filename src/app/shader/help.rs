//! Help: everything that an effect can use, to be inserted by a click.
//!
//! Runs on the ui thread. Deliberately absent: what there is, which `shading::help` reads from the program itself.

use super::highlight;
use crate::app::{fields, theme};
use crate::shading::help::{Entry as HelpEntry, Group};
use egui::{RichText, ScrollArea, Ui, vec2};

/// Everything that an effect can use; what was clicked is to be inserted.
pub fn help_ui(ui: &mut Ui, all: &[HelpEntry]) -> Option<String> {
    let mut chosen = None;
    ScrollArea::vertical().id_salt("help").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for (group, title) in [(Group::Input, "Inputs"), (Group::Lamp, "The lamp"), (Group::Function, "Functions")] {
            fields::heading(ui, title);
            for entry in all.iter().filter(|entry| entry.group == group) {
                let text = RichText::new(&entry.declared).font(highlight::font()).color(theme::CODE_INPUT);
                let button = egui::Button::new(text).truncate().min_size(vec2(ui.available_width(), 4.0 * theme::STEP));
                let response = ui.add(button).on_hover_text(&entry.about);
                response.widget_info(|| {
                    let role = egui::accesskit::Role::Button;
                    egui::WidgetInfo::labeled(role, true, format!("Insert {}", entry.insert))
                });
                if response.clicked() {
                    chosen = Some(entry.insert.clone());
                }
                if !entry.about.is_empty() {
                    fields::hint(ui, &entry.about);
                }
            }
        }
    });
    chosen
}
