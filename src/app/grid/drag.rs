//! A tile on its way: it lies under the finger, the cell it would go to is marked, and there is a bin.
//!
//! Runs on the ui thread. A drop on the bin asks nothing: undo brings the scene back. Deliberately absent: when a press
//! is a drag.

use super::super::action::Action;
use super::super::{icons, theme};
use super::Means;
use super::places::Places;
use crate::model::edit::Edit;
use crate::model::id::SceneId;
use crate::model::references::Key;
use crate::model::scene::Scene;
use crate::show::command::Command;
use crate::show::thumbnail::ThumbnailKey;
use egui::accesskit::Role;
use egui::{
    Align2, Area, Color32, CursorIcon, Id, LayerId, Order, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
};

/// Height of the bin at the foot of the window, points.
const BIN: f32 = 52.0;

/// Shows the tile on its way, returns what a drop does.
pub(super) fn drag_ui(
    ui: &Ui,
    means: &mut Means<'_>,
    places: Places,
    (id, finger): (SceneId, Pos2),
    dropped: bool,
) -> Option<Action> {
    let scene = means.snapshot.project.scene(id)?;
    let edit = |edit| Some(Command::Edit { edit, gesture: None }.into());
    let screen = ui.ctx().content_rect();
    let foot = Rect::from_min_max(pos2(ui.clip_rect().left(), screen.bottom() - BIN), screen.max);
    let bin = Rect::from_min_max(foot.min, pos2(ui.clip_rect().right(), foot.bottom())).shrink(theme::HALF);
    let over_bin = bin.contains(finger);
    let visible = ui.clip_rect().contains(finger);
    let target = places.at(finger).filter(|_| visible && !over_bin);
    if dropped {
        return match target {
            _ if over_bin => edit(Edit::Remove(Key::Scene(id))),
            Some(cell) if cell != scene.cell => edit(Edit::Move(id, cell)),
            _ => None,
        };
    }
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    if let Some(cell) = target {
        let rect = places.cell(cell);
        ui.painter().rect_stroke(rect.expand(2.0), theme::RADIUS, Stroke::new(2.0, theme::TEXT), StrokeKind::Outside);
        let swapped = means.snapshot.project.scene_at(cell).is_some_and(|other| other.id != id);
        if swapped {
            // The one that makes room goes there.
            let home = places.cell(scene.cell);
            let line = Stroke::new(1.0, theme::TEXT_QUIET);
            ui.painter().rect_stroke(home.expand(2.0), theme::RADIUS, line, StrokeKind::Outside);
        }
    }
    bin_ui(ui, bin, over_bin);
    ghost(ui, means, scene, Rect::from_center_size(finger, places.tile * 0.85), over_bin);
    None
}

/// The tile itself, above everything.
fn ghost(ui: &Ui, means: &mut Means<'_>, scene: &Scene, rect: Rect, over_bin: bool) {
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("tile on its way")));
    painter.rect_filled(rect, theme::RADIUS, theme::SURFACE);
    let foot = pos2(rect.left(), rect.bottom() - 22.0);
    if let Some(picture) = means.pictures.show(ThumbnailKey::Scene(scene.id)) {
        let stops = [(rect.top(), 0.9), (foot.y - 8.0, 0.9), (foot.y, 0.25), (rect.bottom(), 0.2)];
        picture.paint(&painter, rect, 1.5, &stops);
    }
    let ink = if over_bin { theme::RED } else { theme::TEXT };
    painter.rect_stroke(rect, theme::RADIUS, Stroke::new(1.5, ink), StrokeKind::Inside);
    let clip = painter.with_clip_rect(rect.shrink(4.0));
    clip.text(
        pos2(rect.left() + theme::STEP, rect.bottom() - 12.0),
        Align2::LEFT_CENTER,
        &scene.name,
        theme::small(),
        ink,
    );
}

fn bin_ui(ui: &Ui, rect: Rect, over: bool) {
    let area = Area::new(Id::unique("bin")).order(Order::Foreground).interactable(false).fixed_pos(rect.min);
    area.show(ui.ctx(), |ui| {
        let (rect, response) = ui.allocate_exact_size(rect.size(), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Bin"));
        let (fill, ink) = match over {
            true => (theme::RED, Color32::BLACK),
            false => (theme::RED_GROUND, theme::RED),
        };
        let painter = ui.painter();
        painter.rect_filled(rect, theme::RADIUS, fill);
        painter.rect_stroke(rect, theme::RADIUS, Stroke::new(1.0, theme::RED), StrokeKind::Inside);
        let text = format!("{}\u{2002}Drop here to delete; undo brings it back", icons::DELETE);
        painter.text(rect.center(), Align2::CENTER_CENTER, text, theme::strong(theme::BODY), ink);
    });
}
