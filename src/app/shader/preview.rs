//! The preview: the shader that is worked at, on the lamps of the layout that it lights, or on a plane.
//!
//! Runs on the ui thread. The show shades some of the lamps besides its own work; what goes out stays as it is.
//! Deliberately absent: what the values are, which the shader's header says.

use crate::app::logic::Focus;
use crate::app::pictures::Pictures;
use crate::app::theme;
use crate::app::widgets::focus_ring;
use crate::model::effect::{Effect, Selection, ShaderRef};
use crate::model::project::Project;
use crate::model::scene::Scene;
use crate::show::thumbnail::{LampPlaces, ThumbnailKey};
use egui::accesskit::Role;
use egui::{Align2, Color32, Rect, RichText, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use std::time::Duration;

/// Between two paints for the preview alone.
const FRAME: Duration = Duration::from_millis(66);
/// Height of the picture at most, points.
const HEIGHT: f32 = 104.0;
/// With less room below than this, the words under the picture are shown when the pointer is over it, points.
const ROOMY: f32 = 120.0;
/// Radius of a lamp, points.
const RADII: std::ops::RangeInclusive<f32> = 0.9..=3.5;
/// Room around the lamps, points.
const MARGIN: f32 = 7.0;
/// A lamp without light: dark glass, as on the stage.
const GLASS: Color32 = Color32::from_rgb(19, 22, 27);

/// Shows the shader with the values of its header: its own words if they compile, else the last that did.
pub fn preview_ui(
    ui: &mut Ui,
    project: &Project,
    pictures: &mut Pictures,
    (shader, focus): (&ShaderRef, Focus),
    plane: &mut bool,
) {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, (width * 9.0 / 16.0).min(HEIGHT)), Sense::hover());
    ui.painter().rect_filled(rect, theme::RADIUS, theme::STAGE);
    // A silent show does not wake the window, but the effect that is worked at moves.
    ui.ctx().request_repaint_after(FRAME);
    let mut caption = "The lamps are on their way".to_owned();
    if *plane {
        caption = "A plane as large as the layout".to_owned();
        if let Some(picture) = pictures.show(ThumbnailKey::Effect(shader.clone())) {
            picture.paint(ui.painter(), rect, 1.0, &[(rect.top(), 1.0), (rect.bottom(), 1.0)]);
        }
    } else {
        let selection = selection_of(project, focus, shader);
        let layout = selection.as_ref().map_or(project.settings.topology, |selection| selection.layout);
        let name = project.layouts.get(layout).map_or("the layout", |layout| layout.name.as_str());
        let shown = pictures.show_lamps(ThumbnailKey::Lamps(shader.clone(), selection));
        if let Some((colours, places)) = &shown {
            draw_lamps(ui, rect, colours, places);
            caption = words(places.positions.len(), places.of, name);
        } else {
            let place = rect.center();
            ui.painter().text(place, Align2::CENTER_CENTER, "No picture yet", theme::small(), theme::TEXT_FAINT);
        }
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Preview: {caption}")));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let size = vec2((width - 2.0) / 2.0, 4.0 * theme::STEP);
        for (label, text, is_plane) in [("Preview on the lamps", "Lamps", false), ("Preview on a plane", "Plane", true)]
        {
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            let chosen = *plane == is_plane;
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, label));
            let fill = if chosen { theme::RAIL } else { theme::SURFACE };
            let ink = if chosen || response.hovered() { theme::TEXT } else { theme::TEXT_QUIET };
            ui.painter().rect_filled(rect.shrink2(vec2(0.0, 2.0)), theme::RADIUS, fill);
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, theme::small(), ink);
            focus_ring(ui, &response);
            if response.clicked() {
                *plane = is_plane;
            }
        }
    });
    if ui.available_height() < ROOMY {
        response.on_hover_text(&caption);
        return;
    }
    let text = RichText::new(&caption).font(theme::small()).color(theme::TEXT_FAINT);
    ui.add(egui::Label::new(text).truncate()).on_hover_text(&caption);
}

/// What is lit where the shader is used: by the effect that is worked at, else by the first one that runs it.
fn selection_of(project: &Project, focus: Focus, shader: &ShaderRef) -> Option<Selection> {
    let runs = |scene: &Scene, chosen: &dyn Fn(&Effect) -> bool| {
        let effect = scene.effects.iter().find(|effect| effect.shader == *shader && chosen(effect))?;
        Some(effect.selection.clone().or_else(|| scene.selection.clone()))
    };
    let scene = focus.scene.and_then(|id| project.scenes.get(id));
    let worked_at = scene
        .and_then(|scene| runs(scene, &|effect| Some(effect.id) == focus.effect).or_else(|| runs(scene, &|_| true)));
    worked_at.or_else(|| project.scenes.iter().find_map(|scene| runs(scene, &|_| true))).flatten()
}

fn words(drawn: usize, of: usize, layout: &str) -> String {
    match (drawn == of, of) {
        (true, 1) => format!("1 lamp of {layout}"),
        (true, _) => format!("{of} lamps of {layout}"),
        (false, _) => format!("{drawn} of {of} lamps of {layout}"),
    }
}

/// Draws each lamp at its place, in the proportions of the layout.
fn draw_lamps(ui: &Ui, rect: Rect, colours: &[u8], places: &LampPlaces) {
    let room = fit(rect.shrink(MARGIN), places.size);
    let apart = (room.area() / places.positions.len().max(1) as f32).sqrt();
    let radius = (apart * 0.42).clamp(*RADII.start(), *RADII.end());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for ([x, y], colour) in places.positions.iter().zip(colours.chunks_exact(4)) {
        let lit = Color32::from_rgb(colour[0].max(GLASS.r()), colour[1].max(GLASS.g()), colour[2].max(GLASS.b()));
        let at = pos2(room.left() + x * room.width(), room.bottom() - y * room.height());
        painter.circle_filled(at, radius, lit);
    }
}

/// The largest box of these proportions in the middle of the room; a line gets a line.
fn fit(room: Rect, size: [f32; 2]) -> Rect {
    let [width, height] = size.map(|side| side.max(1e-3));
    let scale = (room.width() / width).min(room.height() / height);
    Rect::from_center_size(room.center(), Vec2::new(width, height) * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::{EffectId, LayoutId, SceneId};
    use crate::model::scene::Cell;

    #[test]
    fn lamps_keep_the_proportions_of_their_layout() {
        let room = Rect::from_min_size(pos2(10.0, 20.0), vec2(160.0, 90.0));
        for (size, expected) in [([2.0, 1.0], [160.0, 80.0]), ([1.0, 1.0], [90.0, 90.0]), ([8.0, 0.5], [160.0, 10.0])] {
            let shown = fit(room, size);
            assert_eq!((shown.width(), shown.height(), shown.center()), (expected[0], expected[1], room.center()));
        }
    }

    #[test]
    fn the_effect_that_is_worked_at_says_which_lamps_then_any_that_runs_the_shader() {
        let shader = ShaderRef::BuiltIn("plasma".into());
        let selection = |layout| Some(Selection { layout: LayoutId(layout), modes: Vec::new() });
        let mut project = Project::empty("p");
        for (id, own, whole) in [(1, Some(10), None), (2, None, Some(20)), (3, Some(30), Some(31))] {
            let mut scene = Scene::new(SceneId(id), Cell { column: id as u8, row: 0 }, format!("{id}"));
            scene.selection = whole.and_then(selection);
            let mut effect = Effect::new(EffectId(id), shader.clone());
            effect.selection = own.and_then(selection);
            scene.effects.push(effect);
            project.scenes.put(scene);
        }
        let of = |scene: Option<u32>, effect: Option<u32>, shader: &ShaderRef| {
            let focus = Focus { scene: scene.map(SceneId), effect: effect.map(EffectId) };
            selection_of(&project, focus, shader).map(|selection| selection.layout.0)
        };
        assert_eq!(of(None, None, &shader), Some(10));
        assert_eq!(of(Some(2), Some(2), &shader), Some(20));
        assert_eq!(of(Some(3), Some(3), &shader), Some(30), "the effect's own before its scene's");
        assert_eq!(of(Some(3), None, &shader), Some(30));
        assert_eq!(of(Some(3), Some(3), &ShaderRef::BuiltIn("solid".into())), None, "the topology");
    }

    #[test]
    fn it_says_how_many_of_how_many_are_drawn() {
        assert_eq!(words(96, 96, "Tree"), "96 lamps of Tree");
        assert_eq!(words(1, 1, "Tree"), "1 lamp of Tree");
        assert_eq!(words(5184, 1_400_000, "Tree"), "5184 of 1400000 lamps of Tree");
    }
}
