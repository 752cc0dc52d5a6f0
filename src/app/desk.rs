//! The desk: what each docked panel shows.
//!
//! Runs on the ui thread for one frame; the panels read the snapshot and add their wishes. Deliberately absent: where
//! the panels are, which [`super::workspace`] knows, and their tabs, which `tabs` draws.

use super::action::Action;
use super::devices::Shown;
use super::logic::Logic;
use super::parts::part;
use super::pictures::Pictures;
use super::settings::{Preferences, Running};
use super::shortcuts::keymap::Keymap;
use super::stage::{self, Stage, stage_ui};
use super::workspace::Panel;
use super::{
    about, curves, definitions, devices, grid, inputs, inspector, key_sheet, nodes, notices, palettes, patch,
    preferences, shader, tabs, theme,
};
use crate::model::library::UserLibrary;
use crate::show::snapshot::{PlayState, Snapshot};
use egui::{Color32, Context, Id, Response, Stroke, Ui, UiBuilder, Visuals};
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
    /// What the settings keep.
    pub settings: preferences::View,
    /// What the panel of inputs keeps.
    pub inputs: inputs::View,
}

impl Views {
    /// Nothing was chosen yet.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            pictures: Pictures::default(),
            palettes: palettes::View::default(),
            curves: curves::View::default(),
            shader: shader::View::default(),
            patch: patch::View::default(),
            definitions: definitions::View::default(),
            devices: devices::View::default(),
            inspector: inspector::View::default(),
            grid: grid::View::default(),
            settings: preferences::View::default(),
            inputs: inputs::View::default(),
        }
    }

    /// Whether the next key is to become somebody's, or the one that went down is, and must do nothing else.
    pub fn is_capturing(&mut self, ctx: &Context) -> bool {
        self.inspector.is_capturing() || self.inputs.is_capturing() || self.stage.takes_key(ctx)
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
    /// How the show runs here.
    pub running: &'a Running,
    /// Where it all runs.
    pub place: &'a about::Place,
    /// When this frame is drawn.
    pub now: Instant,
    /// Which keys do what.
    pub keys: &'a Keymap,
    /// Panels whose tabs show no name.
    pub cramped: Vec<Panel>,
    /// Whether the stage was drawn.
    pub stage_shown: bool,
}

impl Desk<'_> {
    fn grid_ui(&mut self, ui: &mut Ui) {
        let room = ui.max_rect();
        let mut ui = ui.new_child(UiBuilder::new().id_salt("grid").max_rect(room.shrink(theme::HALF)));
        let Views { pictures, inspector, grid, .. } = &mut *self.views;
        let (size, focus) = (self.preferences.tiles, self.logic.focus);
        let (headers, keys, snapshot) = (&mut inspector.headers, self.keys, self.snapshot);
        let means = grid::Means { snapshot, size, focus, pictures, headers, keys, playing_only: false };
        self.wishes.extend(grid::grid_ui(&mut ui, means, grid));
    }

    fn panel_ui(&mut self, ui: &mut Ui, panel: Panel) {
        let snapshot = self.snapshot;
        match panel {
            Panel::Grid => self.grid_ui(ui),
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
                let means = stage::Means { first: self.preferences.first_universe(), arranges: true };
                self.wishes.extend(stage_ui(ui, snapshot, &mut self.views.stage, means));
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
            Panel::Settings => {
                let machine = preferences::Machine { preferences: self.preferences, running: self.running };
                self.wishes.extend(preferences::preferences_ui(ui, snapshot, machine, &mut self.views.settings));
            }
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
        tabs::tab_ui(tiles, ui, (id, tile), state, &self.cramped)
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        tabs::HEIGHT
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
