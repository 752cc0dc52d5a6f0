//! What the stage says about itself, at its edges and quietly: how many lamps, which layout, names, fit, arrange.
//!
//! Runs on the ui thread. Deliberately absent: what is said of one fixture, which is in [`super::pick`].

use super::{Means, Stage};
use crate::app::action::Action;
use crate::app::widgets::{PadLook, pad};
use crate::app::{icons, status_bar, theme};
use crate::model::id::LayoutId;
use crate::model::project::Project;
use crate::show::snapshot::Snapshot;
use egui::accesskit::Role;
use egui::{Align2, ComboBox, Rect, RichText, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2};

/// Room of the number of lamps, points.
const LAMPS: f32 = 112.0;
/// Width of a pad, of the one that arranges, and of the choice of a layout, points.
const PADS: [f32; 3] = [72.0, 84.0, 168.0];
/// How much a quiet pad covers of the lamps behind it.
const QUIET: f32 = 0.6;

/// Places from the right, in as many lines as it takes.
struct Line {
    room: Rect,
    right: f32,
    top: f32,
    left: f32,
}

impl Line {
    fn new(room: Rect) -> Self {
        Self { room, right: room.right(), top: room.top() - theme::STEP, left: room.left() + LAMPS }
    }

    fn place(&mut self, width: f32) -> Rect {
        if self.right - width < self.left && self.right < self.room.right() {
            self.right = self.room.right();
            self.top += theme::TOUCH + theme::HALF;
            self.left = self.room.left();
        }
        let rect = Rect::from_min_size(pos2(self.right - width, self.top), vec2(width, theme::TOUCH));
        self.right -= width + theme::STEP;
        rect
    }
}

/// Shows them, returns what was asked for.
pub fn captions_ui(ui: &mut Ui, pane: Rect, snapshot: &Snapshot, stage: &mut Stage, means: Means) -> Option<Action> {
    let inner = pane.shrink2(Vec2::splat(2.0 * theme::STEP).min(pane.size() * 0.25));
    let painter = ui.painter();
    let lamps = format!("{} lamps", status_bar::grouped(stage.lamps as u64));
    // In line with the pads on the right.
    let line = inner.left_top() + vec2(0.0, theme::TOUCH / 2.0 - theme::STEP);
    painter.text(line, Align2::LEFT_CENTER, lamps, theme::small(), theme::TEXT_FAINT);
    if snapshot.blackout {
        let words = "Blackout: the lamps are dark";
        painter.text(inner.center_top(), Align2::CENTER_TOP, words, theme::strong(theme::SMALL), theme::RED);
    }
    let mut line = Line::new(inner);
    let mut done = None;
    if toggle_ui(ui, line.place(PADS[0]), "Names of the fixtures", "Names", stage.labels) {
        stage.labels = !stage.labels;
    }
    if means.arranges && toggle_ui(ui, line.place(PADS[1]), "Arrange fixtures", "Arrange", stage.arrange.on) {
        let on = !stage.arrange.on;
        stage.arrange.switch(on);
        stage.chosen = None;
    }
    if !stage.view.is_fit() {
        let text = format!("Fit  {:.1}×", stage.view.zoom());
        let mut child = ui.new_child(UiBuilder::new().max_rect(line.place(PADS[0])));
        if pad(&mut child, vec2(PADS[0], theme::TOUCH), &PadLook::quiet("Fit the stage", &text)).clicked() {
            done = Some(Action::FitStage);
        }
    }
    let layouts = &snapshot.project.layouts;
    if layouts.len() > 1 {
        let room = line.place(PADS[2].min(inner.width()));
        let topology = snapshot.project.settings.topology;
        let looked = stage.layout.unwrap_or(topology);
        if let Some(chosen) = layout_ui(ui, room, &snapshot.project, looked) {
            stage.look_at(Some(chosen).filter(|chosen| *chosen != topology));
        }
    }
    done
}

/// The choice of a layout, as quiet as the pads beside it.
fn layout_ui(ui: &mut Ui, room: Rect, project: &Project, looked: LayoutId) -> Option<LayoutId> {
    let mut ui = ui.new_child(UiBuilder::new().id_salt("layout").max_rect(room));
    ui.spacing_mut().interact_size.y = theme::TOUCH;
    let inactive = &mut ui.visuals_mut().widgets.inactive;
    inactive.weak_bg_fill = theme::STAGE.gamma_multiply(QUIET);
    inactive.fg_stroke.color = theme::TEXT_FAINT;
    let name = project.layouts.get(looked).map_or("", |layout| layout.name.as_str());
    let mut chosen = looked;
    let words = RichText::new(name).font(theme::small());
    let combo = ComboBox::from_id_salt("layout").selected_text(words).width(room.width()).truncate();
    let shown = combo.show_ui(&mut ui, |ui| {
        for layout in project.layouts.iter() {
            ui.selectable_value(&mut chosen, layout.id, &layout.name);
        }
    });
    shown.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("Layout: {name}")));
    (chosen != looked).then_some(chosen)
}

/// A pad that is on or off, quiet while it is off.
fn toggle_ui(ui: &mut Ui, room: Rect, label: &str, name: &str, on: bool) -> bool {
    let words = if on { format!("{} {name}", icons::CHECK) } else { name.to_owned() };
    let mut look = PadLook::quiet(label, &words);
    look.font = theme::small();
    if !on {
        (look.fill, look.colour) = (theme::STAGE.gamma_multiply(QUIET), theme::TEXT_FAINT);
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(room));
    pad(&mut child, room.size(), &look).clicked()
}
