//! The desk: what each docked panel shows, and how its tab looks.
//!
//! Runs on the ui thread for one frame; the panels read the snapshot and add their wishes. Deliberately absent: where
//! the panels are, which [`super::workspace`] knows.

use super::action::Action;
use super::devices::Shown;
use super::logic::Logic;
use super::parts::part;
use super::pictures::Pictures;
use super::settings::Preferences;
use super::shortcuts::keymap::Keymap;
use super::stage::{Stage, stage_ui};
use super::workspace::Panel;
use super::{
    about, curves, definitions, devices, grid, icons, inputs, inspector, key_sheet, nodes, notices, palettes, patch,
    preferences, shader,
};
use super::{theme, widgets};
use crate::model::library::UserLibrary;
use crate::show::snapshot::{PlayState, Snapshot};
use egui::accesskit::Role;
use egui::{Align2, Color32, CursorIcon, Id, Response, Sense, Stroke, Ui, UiBuilder, Visuals, WidgetInfo, pos2, vec2};
use egui_tiles::{Behavior, ResizeState, SimplificationOptions, TabState, TileId, Tiles, UiResponse};
use std::sync::Arc;
use std::time::Instant;

/// What the panels keep between frames: choices of view, drafts and pictures.
pub struct Views {
    /// What of the stage is looked at, and its painter.
    pub stage: Stage,
    /// The thumbnails.
    pub pictures: Pictures,
    /// Which palette is worked at.
    pub palettes: palettes::View,
    /// Which curve is worked at.
    pub curves: curves::View,
    /// Which shader is worked at.
    pub shader: shader::View,
    /// What of the patch is worked at.
    pub patch: patch::View,
    /// Which fixture definition is worked at.
    pub definitions: definitions::View,
    /// Which device is worked at.
    pub devices: devices::View,
    /// What the grid keeps.
    pub grid: grid::View,
    /// What the inspector keeps.
    pub inspector: inspector::View,
    /// What the panel of inputs keeps.
    pub inputs: inputs::View,
}

impl Views {
    /// Whether the next key is to become somebody's, and must do nothing else.
    pub fn is_capturing(&mut self) -> bool {
        self.inspector.is_capturing() || self.inputs.is_capturing()
    }

    /// Takes over what the user's library holds now.
    pub fn stock(&mut self, library: &Arc<UserLibrary>) {
        self.shader.stock(library);
        self.inspector.headers.stock(library);
    }
}

/// One frame of the docked panels.
pub struct Desk<'a> {
    /// The show.
    pub snapshot: &'a Snapshot,
    /// What the window knows besides.
    pub logic: &'a mut Logic,
    /// What the panels keep.
    pub views: &'a mut Views,
    /// What was asked for so far.
    pub wishes: Vec<Action>,
    /// What was chosen for this machine.
    pub preferences: Preferences,
    /// Where it all runs.
    pub place: &'a about::Place,
    /// When this frame is drawn.
    pub now: Instant,
    /// Which keys do what.
    pub keys: &'a Keymap,
    /// Whether the stage was drawn.
    pub stage_shown: bool,
}

/// Height of a row of tabs, points.
const TABS: f32 = 32.0;

impl Desk<'_> {
    fn panel_ui(&mut self, ui: &mut Ui, panel: Panel) {
        let snapshot = self.snapshot;
        match panel {
            Panel::Grid => {
                let room = ui.max_rect();
                let mut ui = ui.new_child(UiBuilder::new().id_salt("grid").max_rect(room.shrink(theme::HALF)));
                let Views { pictures, inspector, grid, .. } = &mut *self.views;
                let (size, focus) = (self.preferences.tiles, self.logic.focus);
                let (headers, keys) = (&mut inspector.headers, self.keys);
                let wishes = grid::grid_ui(
                    &mut ui,
                    grid::Means { snapshot, size, focus, pictures, headers, keys, playing_only: false },
                    grid,
                );
                self.wishes.extend(wishes);
            }
            Panel::Inspector => {
                // Before a hand has touched anything: what sounds is what one wants to know about.
                let sounding = || snapshot.scenes.iter().find(|view| view.state != PlayState::Off).map(|view| view.id);
                self.logic.focus.scene = self.logic.focus.scene.or_else(sounding);
                let Views { pictures, inspector, .. } = &mut *self.views;
                let wishes = inspector::inspector_ui(ui, snapshot, (self.logic.focus, self.keys), pictures, inspector);
                self.wishes.extend(wishes);
            }
            Panel::Stage => {
                self.stage_shown = true;
                self.wishes.extend(stage_ui(ui, snapshot, &mut self.views.stage, self.preferences.first_universe()));
            }
            Panel::Palettes => {
                self.wishes.extend(palettes::palettes_ui(ui, snapshot, &mut self.views.palettes));
            }
            Panel::Curves => self.wishes.extend(curves::curves_ui(ui, snapshot, &mut self.views.curves)),
            Panel::Shader => {
                let (pictures, view) = (&mut self.views.pictures, &mut self.views.shader);
                self.wishes.extend(shader::shader_ui(ui, snapshot, pictures, self.logic.focus, view));
                if let Some(key) = shader::told_here(snapshot, &self.views.shader) {
                    self.logic.toasts.dismiss(&key);
                }
            }
            Panel::Patch => {
                let (first, Views { stage, patch, .. }) = (self.preferences.first_universe(), &mut *self.views);
                self.wishes.extend(patch::patch_ui(ui, snapshot, (patch, &mut stage.chosen), first));
            }
            Panel::Fixtures => {
                self.wishes.extend(definitions::definitions_ui(ui, snapshot, &mut self.views.definitions));
            }
            Panel::Devices => {
                let (output, first) = (&self.logic.figures.output, self.preferences.first_universe());
                self.wishes.extend(devices::devices_ui(ui, Shown { snapshot, output, first }, &mut self.views.devices));
            }
            Panel::Nodes => {
                let (roll, first) = (self.logic.roll.as_deref(), self.preferences.first_universe());
                self.wishes.extend(nodes::nodes_ui(ui, roll, &snapshot.project, first));
            }
            Panel::Inputs => {
                let (heard, listens) = (self.logic.heard(), self.logic.roll.is_some());
                let first = self.preferences.first_universe();
                let shown = inputs::Shown { snapshot, keys: self.keys, heard: &heard, listens, first, now: self.now };
                self.wishes.extend(inputs::inputs_ui(ui, &shown, &mut self.views.inputs));
            }
            Panel::Keys => self.wishes.extend(key_sheet::key_sheet_ui(ui, self.keys)),
            Panel::About => about::about_ui(ui, snapshot, self.place),
            Panel::Notices => notices::log_ui(ui, &self.logic.toasts),
            Panel::Settings => self.wishes.extend(preferences::preferences_ui(ui, snapshot, self.preferences)),
        }
    }
}

impl Behavior<Panel> for Desk<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, panel: &mut Panel) -> UiResponse {
        let pane = ui.max_rect();
        ui.set_clip_rect(pane);
        // By name, not by the place in the tree: a panel that is closed and opened again finds what it had, and the
        // toolkit does not gather the state of panels that never come back.
        let own = UiBuilder::new().scope_id(Id::unique(("panel", panel.title()))).max_rect(pane);
        part(panel.title(), || self.panel_ui(&mut ui.new_child(own), *panel));
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> egui::WidgetText {
        panel.title().into()
    }

    fn is_tab_bar_visible(&self, _: TileId, tabs: &egui_tiles::Tabs) -> bool {
        tabs.children.len() > 1
    }

    fn tab_ui(&mut self, tiles: &mut Tiles<Panel>, ui: &mut Ui, id: Id, tile: TileId, state: &TabState) -> Response {
        let title = tiles.get_pane(&tile).map_or("", |panel| panel.title());
        let ink = if state.active { theme::TEXT } else { theme::TEXT_QUIET };
        let icon = tiles.get_pane(&tile).map_or("", |panel| panel.icon());
        let text = format!("{icon}\u{2002}{title}");
        let galley = ui.painter().layout_no_wrap(text, theme::strong(theme::SMALL), ink);
        let width = galley.size().x + 4.0 * theme::STEP + theme::HALF;
        let (_, rect) = ui.allocate_space(vec2(width, ui.available_height()));
        let response = ui.interact(rect, id, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, state.active, format!("{title} panel")));
        let fill = match (state.active, response.hovered()) {
            (true, _) => theme::GROUND,
            (false, true) => theme::RAISED,
            (false, false) => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, 0.0, fill);
        let middle = pos2(rect.left() + theme::STEP + theme::HALF, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(middle, galley, ink);
        if close_ui(ui, rect, &response, state.active, title) {
            tiles.remove(tile);
        }
        widgets::focus_ring(ui, &response);
        response
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TABS
    }

    fn tab_bar_color(&self, _: &Visuals) -> Color32 {
        theme::BAR
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        1.0
    }

    fn min_size(&self) -> f32 {
        200.0
    }

    fn resize_stroke(&self, _: &egui::Style, state: ResizeState) -> Stroke {
        match state {
            ResizeState::Idle => Stroke::new(1.0, theme::SURFACE),
            ResizeState::Hovering | ResizeState::Dragging => Stroke::new(2.0, theme::CYAN),
        }
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }
}

/// The cross of a tab, there while the tab is in front or under the pointer; whether it was clicked.
fn close_ui(ui: &Ui, tab: egui::Rect, response: &Response, active: bool, title: &str) -> bool {
    if !active && !response.hovered() {
        return false;
    }
    let centre = pos2(tab.right() - 2.0 * theme::STEP + 2.0, tab.center().y);
    let area = egui::Rect::from_center_size(centre, vec2(24.0, TABS));
    let cross = ui.interact(area, response.id.with("close"), Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    cross.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {title}")));
    let ink = if cross.hovered() { theme::TEXT } else { theme::TEXT_FAINT };
    ui.painter().text(centre, Align2::CENTER_CENTER, icons::CLOSE, theme::small(), ink);
    cross.clicked()
}
