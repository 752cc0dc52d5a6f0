//! The inspector: everything about the scene that was touched last, and its effects.
//!
//! Runs on the ui thread; reads the snapshot and returns wishes. A scene's fader and dimmer are played, everything else
//! is edited. Deliberately absent: which scene it is, which [`super::logic`] knows.

mod effect;
mod effects;
mod key;
mod params;
mod scene;
mod selection;

pub use scene::{LAUNCHES, tags_ui};

use super::action::Action;
use super::gallery::{Headers, Search};
use super::logic::Focus;
use super::pictures::Pictures;
use super::shortcuts::deeds::Deed;
use super::shortcuts::keymap::Keymap;
use super::{fields, theme, widgets};
use crate::model::edit::{Edit, EffectField, SceneField};
use crate::model::id::{EffectId, SceneId};
use crate::model::scene::Scene;
use crate::show::command::Command;
use crate::show::snapshot::{SceneView, Snapshot};
use egui::accesskit::Role;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, CursorIcon, RichText, ScrollArea, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use std::collections::BTreeMap;

/// What the inspector keeps between frames.
#[derive(Default)]
pub struct View {
    /// What shaders declare.
    pub headers: Headers,
    search: Search,
    /// Sections that were opened (`true`) or closed by hand.
    sections: BTreeMap<&'static str, bool>,
    /// The scene that waits for its key.
    capturing: Option<SceneId>,
}

impl View {
    /// Whether the next key is to become a scene's and must do nothing else.
    pub fn is_capturing(&self) -> bool {
        self.capturing.is_some()
    }
}

/// The scene that is shown.
struct Subject<'a> {
    snapshot: &'a Snapshot,
    scene: &'a Scene,
    view: &'a SceneView,
    keys: &'a Keymap,
}

impl Subject<'_> {
    /// An edit of the scene.
    fn scene_edit(&self, field: SceneField, gesture: Option<u64>) -> Action {
        Command::Edit { edit: Edit::Scene(self.scene.id, field), gesture }.into()
    }

    /// An edit of one of its effects.
    fn effect_edit(&self, effect: EffectId, field: EffectField, gesture: Option<u64>) -> Action {
        Command::Edit { edit: Edit::Effect(self.scene.id, effect, field), gesture }.into()
    }

    /// The beat that its opacity follows.
    fn beat(&self) -> f64 {
        self.snapshot.clock.beat.0 + self.scene.beat_offset
    }
}

/// Shows the panel.
pub fn inspector_ui(
    ui: &mut Ui,
    snapshot: &Snapshot,
    (focus, keys): (Focus, &Keymap),
    pictures: &mut Pictures,
    view: &mut View,
) -> Vec<Action> {
    let room = ui.max_rect().shrink2(vec2(theme::STEP + theme::HALF, 0.0));
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(room));
    let found = focus.scene.map(|id| (snapshot.project.scene(id), snapshot.scene(id)));
    if view.capturing.is_some() && view.capturing != focus.scene {
        view.capturing = None;
    }
    let subject = match found {
        Some((Some(scene), Some(view))) => Subject { snapshot, scene, view, keys },
        Some(_) => {
            view.capturing = None;
            let undo = keys.hint("Undo", Deed::Undo);
            quiet(ui, "This scene is gone.", &format!("{undo} brings it back. Touch a tile to see another one here."));
            return Vec::new();
        }
        None => {
            quiet(ui, "No scene is chosen.", "Touch a tile of the grid: its scene and its effects are edited here.");
            return Vec::new();
        }
    };
    let mut wishes = Vec::new();
    let chosen = focus.effect.and_then(|id| subject.scene.effect(id)).or(subject.scene.effects.first());
    ScrollArea::vertical().id_salt(subject.scene.id.0).auto_shrink(false).show(ui, |ui| {
        ui.push_id(subject.scene.id.0, |ui| {
            ui.spacing_mut().item_spacing.y = theme::HALF;
            ui.add_space(theme::STEP);
            scene::scene_ui(ui, &subject, view, &mut wishes);
            effects::effects_ui(ui, &subject, chosen.map(|effect| effect.id), pictures, view, &mut wishes);
            if let Some(effect) = chosen {
                ui.push_id(effect.id.0, |ui| effect::effect_ui(ui, &subject, effect, view, &mut wishes));
            }
            ui.add_space(3.0 * theme::STEP);
        });
    });
    wishes
}

/// What to do where there is nothing to show.
fn quiet(ui: &mut Ui, what: &str, then: &str) {
    ui.add_space(2.0 * theme::STEP);
    ui.label(RichText::new(what).font(theme::body()).color(theme::TEXT_QUIET));
    fields::hint(ui, then);
}

/// A part that opens and closes; closed, it says in a line what is in it.
fn section(
    ui: &mut Ui,
    view: &mut View,
    title: &'static str,
    (usually_open, summary): (bool, &str),
    body: impl FnOnce(&mut Ui, &mut View),
) {
    let open = view.sections.get(title).copied().unwrap_or(usually_open);
    ui.add_space(theme::HALF);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0 * theme::STEP), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, title));
    if ui.is_rect_visible(rect) {
        let ink = if response.hovered() { theme::TEXT } else { theme::TEXT_QUIET };
        let painter = ui.painter();
        painter.hline(rect.x_range(), rect.top(), Stroke::new(1.0, theme::SURFACE));
        let mark = pos2(rect.left() + 5.0, rect.center().y);
        let corners = match open {
            true => [vec2(-4.0, -2.0), vec2(4.0, -2.0), vec2(0.0, 3.0)],
            false => [vec2(-2.0, -4.0), vec2(3.0, 0.0), vec2(-2.0, 4.0)],
        };
        painter.add(Shape::convex_polygon(corners.map(|way| mark + way).to_vec(), ink, Stroke::NONE));
        let place = pos2(rect.left() + 2.0 * theme::STEP, rect.center().y);
        let font = theme::strong(theme::SMALL);
        let written = painter.text(place, Align2::LEFT_CENTER, title, font, ink);
        if !open {
            let mut job = LayoutJob::simple_singleline(summary.to_owned(), theme::small(), theme::TEXT_FAINT);
            job.wrap = TextWrapping::truncate_at_width((rect.right() - written.right() - 2.0 * theme::STEP).max(0.0));
            let galley = painter.layout_job(job);
            let place = pos2(rect.right() - galley.size().x, rect.center().y - galley.size().y / 2.0);
            painter.galley(place, galley, theme::TEXT_FAINT);
        }
        widgets::focus_ring(ui, &response);
    }
    if response.clicked() {
        view.sections.insert(title, !open);
    }
    if open {
        body(ui, view);
    }
}
