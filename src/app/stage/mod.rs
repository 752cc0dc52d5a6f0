//! The stage: every lamp at its place in its colour, the brightest thing on the screen.
//!
//! Runs on the ui thread. Zoom and pan are the operator's, all else is the snapshot's. Deliberately absent: GL, which
//! is in [`crate::gl::stage_painter`].

mod arrange;
mod arrange_bar;
mod captions;
pub mod pick;
mod placing;
pub mod view;

use super::action::Action;
use super::theme;
use crate::gl::StageError;
use crate::gl::stage_painter::{DENSE, StagePainter, StageView};
use crate::model::id::{FixtureId, LayoutId};
use crate::model::project::Project;
use crate::notice::Notice;
use crate::show::snapshot::{Snapshot, StageFrame, StageMap};
use arrange::{Arrange, Scenery};
use egui::accesskit::Role;
use egui::{
    Align2, Context, CornerRadius, PaintCallback, PaintCallbackInfo, PointerButton, Rect, Response, Sense, Ui,
    WidgetInfo, pos2,
};
use std::sync::{Arc, Mutex, PoisonError};
use view::{Extent, ScreenFromMetres, View};

/// Share of the distance between neighbours that a lamp's radius takes, and that of one among very many, which leaves
/// no gaps.
const RADIUS_SHARES: [f32; 2] = [0.38, 0.5];
/// Smallest radius of a lamp and of one among very many, and the largest, points.
const RADII: [f32; 3] = [1.05, 0.55, 26.0];

/// The painter with what it holds already, so that only changes are uploaded.
struct Uploaded {
    /// Gone once the window's context is about to be.
    painter: Option<StagePainter>,
    map: Option<Arc<StageMap>>,
    frame: Option<Arc<StageFrame>>,
    fault: Option<StageError>,
}

impl Uploaded {
    fn paint(
        &mut self,
        map: Arc<StageMap>,
        frame: Option<Arc<StageFrame>>,
        view: &StageView,
        egui: &egui_glow::Painter,
    ) {
        let Some(painter) = &mut self.painter else { return };
        if !self.map.as_ref().is_some_and(|held| Arc::ptr_eq(held, &map)) {
            painter.set_positions(&map.positions);
            self.map = Some(map);
            self.frame = None;
        }
        if let Some(frame) = frame
            && !self.frame.as_ref().is_some_and(|held| Arc::ptr_eq(held, &frame))
        {
            painter.set_colours(&frame.colours);
            self.frame = Some(frame);
        }
        if let Err(error) = painter.paint(view, egui.intermediate_fbo()) {
            self.fault = Some(error);
        }
    }
}

/// Distances that the typical one is taken from at most.
const DISTANCES: usize = 65_536;

/// How the stage is shown.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The number that the first universe has on the screen.
    pub first: u16,
    /// Whether fixtures may be arranged.
    pub arranges: bool,
}

/// The stage's share of the window: what is looked at, and the painter.
pub struct Stage {
    view: View,
    /// The layout that is looked at; the topology for none.
    layout: Option<LayoutId>,
    /// Distance between neighbouring lamps, metres, of the map it was measured for.
    pitch: Option<(Arc<StageMap>, f32)>,
    /// How many lamps of it have a place.
    lamps: usize,
    /// What the fit is made for while fixtures are arranged: what is moved outwards must not flee.
    held: Option<Extent>,
    arrange: Arrange,
    uploaded: Option<Arc<Mutex<Uploaded>>>,
    told: bool,
    /// It was there in a frame before.
    begun: bool,
    /// The fixture that was clicked.
    pub chosen: Option<FixtureId>,
    /// Whether fixtures have their names written on them.
    pub labels: bool,
}

impl Stage {
    /// A stage that draws with the window's context; without one it shows no lamps.
    ///
    /// # Errors
    /// When the driver refuses the shaders; [`Self::blind`] is what is left.
    pub fn new(gl: Option<&Arc<glow::Context>>) -> Result<Self, StageError> {
        let Some(gl) = gl else { return Ok(Self::blind()) };
        let painter = Some(StagePainter::new(Arc::clone(gl))?);
        let uploaded = Uploaded { painter, map: None, frame: None, fault: None };
        Ok(Self { uploaded: Some(Arc::new(Mutex::new(uploaded))), ..Self::blind() })
    }

    /// A stage that shows no lamps.
    pub fn blind() -> Self {
        Self {
            view: View::default(),
            layout: None,
            pitch: None,
            lamps: 0,
            held: None,
            arrange: Arrange::default(),
            uploaded: None,
            told: false,
            begun: false,
            chosen: None,
            labels: false,
        }
    }

    /// Shows all lamps.
    pub fn fit(&mut self) {
        self.view = View::default();
        self.held = None;
    }

    /// The layout that the lamps should be shown in; the topology for none.
    pub fn layout(&self) -> Option<LayoutId> {
        self.layout
    }

    /// Looks at a layout.
    fn look_at(&mut self, layout: Option<LayoutId>) {
        self.layout = layout;
        self.chosen = None;
        self.arrange.switch(self.arrange.on);
        self.fit();
    }

    /// Whether a key that went down in this frame is for what is arranged, and must do nothing else.
    pub fn takes_key(&self, ctx: &Context) -> bool {
        self.arrange.takes_key(ctx)
    }

    /// Falls back to the topology where the layout is gone. The layout that is looked at.
    fn follow(&mut self, project: &Project, may_arrange: bool) -> LayoutId {
        if self.layout.is_some_and(|id| !project.layouts.contains(id)) {
            self.look_at(None);
        }
        if self.arrange.on && !may_arrange {
            self.arrange.switch(false);
        }
        self.layout.unwrap_or(project.settings.topology)
    }

    /// The box that the fit is made for.
    fn extent(&mut self, map: &StageMap) -> Extent {
        let extent = Extent { min: map.min, max: map.max };
        match self.arrange.on {
            true => *self.held.get_or_insert(extent),
            false => {
                self.held = None;
                extent
            }
        }
    }

    /// Frees the GL objects, whoever still holds a frame that draws with them; the window's context must be current.
    pub fn destroy(&mut self) {
        if let Some(uploaded) = self.uploaded.take() {
            uploaded.lock().unwrap_or_else(PoisonError::into_inner).painter = None;
        }
    }

    /// What went wrong while drawing, once.
    pub fn take_fault(&mut self) -> Option<Notice> {
        let uploaded = self.uploaded.as_ref()?;
        let fault = uploaded.lock().unwrap_or_else(PoisonError::into_inner).fault.take()?;
        let first = !std::mem::replace(&mut self.told, true);
        first.then(|| Notice::warning("stage", format!("{fault}. The stage shows its lamps without their glow.")))
    }

    fn pitch(&mut self, map: &Arc<StageMap>) -> f32 {
        match &self.pitch {
            Some((known, pitch)) if Arc::ptr_eq(known, map) => *pitch,
            known => {
                let other = |known: &StageMap| match self.arrange.on {
                    // What is moved is moved by hand, and the eye stays where it is.
                    true => known.layout != map.layout || known.positions.len() != map.positions.len(),
                    false => (known.min, known.max) != (map.min, map.max),
                };
                if known.as_ref().is_some_and(|(known, _)| other(known)) {
                    // Another sculpture: what was looked at is gone.
                    self.view = View::default();
                    self.held = None;
                }
                self.lamps = map.positions.iter().filter(|[x, _]| !x.is_nan()).count();
                let pitch = typical_pitch(map);
                self.pitch = Some((Arc::clone(map), pitch));
                pitch
            }
        }
    }

    fn draw(&mut self, ui: &Ui, snapshot: &Snapshot, way: &ScreenFromMetres) {
        let pitch = self.pitch(&snapshot.stage_map);
        if !std::mem::replace(&mut self.begun, true) {
            // The driver makes its code for the lamps when they are first drawn; the desk is on the screen before that.
            return ui.ctx().request_repaint();
        }
        let Some(uploaded) = &self.uploaded else { return };
        let uploaded = Arc::clone(uploaded);
        let map = Arc::clone(&snapshot.stage_map);
        let frame = snapshot.stage.clone();
        let dense = usize::from(map.positions.len() >= DENSE);
        let radius = (pitch * RADIUS_SHARES[dense] * way.scale).clamp(RADII[dense], RADII[2]);
        let (scale, centre) = (way.scale, [way.centre.x, way.centre.y]);
        let [red, green, blue, _] = theme::STAGE.to_normalized_gamma_f32();
        let ground = [red, green, blue];
        let draw = move |info: PaintCallbackInfo, painter: &egui_glow::Painter| {
            let pane = info.viewport_in_pixels();
            let view = StageView {
                corner: [pane.left_px, pane.from_bottom_px],
                size: [pane.width_px, pane.height_px],
                centre,
                scale: scale * info.pixels_per_point,
                radius: radius * info.pixels_per_point,
                ground,
            };
            let mut uploaded = uploaded.lock().unwrap_or_else(PoisonError::into_inner);
            uploaded.paint(Arc::clone(&map), frame.clone(), &view, painter);
        };
        let callback = Arc::new(egui_glow::CallbackFn::new(draw));
        ui.painter().add(PaintCallback { rect: way.pane, callback });
    }
}

/// The median distance from a lamp to the next one: lamps follow each other as they are wired.
fn typical_pitch(map: &StageMap) -> f32 {
    let step = map.positions.len().div_ceil(DISTANCES).max(1);
    let ways = map.positions.windows(2).step_by(step).map(|pair| {
        let [a, b] = [pair[0], pair[1]];
        (a[0] - b[0]).hypot(a[1] - b[1])
    });
    let mut ways: Vec<f32> = ways.filter(|way| way.is_finite() && *way > 1e-6).collect();
    if ways.is_empty() {
        return (map.max[0] - map.min[0]).max(map.max[1] - map.min[1]).max(1e-3) / 20.0;
    }
    let middle = ways.len() / 2;
    *ways.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// Shows the stage, returns what was asked for on it.
pub fn stage_ui(ui: &mut Ui, snapshot: &Snapshot, stage: &mut Stage, means: Means) -> Option<Action> {
    let pane = ui.available_rect_before_wrap();
    let response = ui.interact(pane, ui.scope_id().with("stage"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Stage"));
    let map = &snapshot.stage_map;
    let layout = stage.follow(&snapshot.project, means.arranges);
    if map.positions.is_empty() {
        ui.painter().rect_filled(pane, CornerRadius::ZERO, theme::STAGE);
        let words = "No lamps are patched yet. The panel Patch adds some.";
        ui.painter().text(pane.center(), Align2::CENTER_CENTER, words, theme::body(), theme::TEXT_FAINT);
        return None;
    }
    stage.pitch(map);
    let extent = stage.extent(map);
    let arranges = stage.arrange.on;
    let seen = if arranges { above_bars(pane) } else { pane };
    ui.painter().rect_filled(pane, CornerRadius::ZERO, theme::STAGE);
    look(ui, &response, seen, extent, stage);
    let way = stage.view.screen_from_metres(extent, seen);
    stage.draw(ui, snapshot, &way);
    pick::outlines(ui.painter(), map, &way, (stage.labels || arranges, stage.chosen.filter(|_| !arranges)));
    if stage.labels {
        pick::labels(ui.painter(), &snapshot.project, map, &way);
    }
    let mut wish = None;
    let scenery = Scenery { project: &snapshot.project, layout, map, way: &way };
    if arranges {
        wish = arrange::arrange_ui(ui, &response, scenery, &mut stage.arrange);
        stage.chosen = stage.arrange.only();
    } else {
        point_ui(ui, &response, snapshot, stage, (&way, means.first));
    }
    wish = wish.or(captions::captions_ui(ui, pane, snapshot, stage, means));
    let mut room = pane;
    if arranges && stage.arrange.on {
        if stage.chosen.is_some() {
            room.max.y = (pane.bottom() - pick::BAR).max(pane.top());
        }
        wish = wish.or(arrange_bar::bar_ui(ui, room, scenery, &mut stage.arrange));
    }
    let chosen = stage.chosen;
    wish = wish.or_else(|| pick::chosen_ui(ui, pane, snapshot, &mut stage.chosen, means.first));
    if chosen.is_some() && stage.chosen.is_none() {
        stage.arrange.selected.clear();
    }
    wish
}

/// What the bars of arranging leave of a pane: always the same, or what is dragged would jump when they come. A pane
/// that they would take most of is left whole.
fn above_bars(pane: Rect) -> Rect {
    let bars = pick::BAR + arrange_bar::HEIGHT;
    let bottom = if pane.height() > 1.5 * bars { pane.bottom() - bars } else { pane.bottom() };
    Rect::from_min_max(pane.min, pos2(pane.right(), bottom))
}

/// Says what is under the pointer; a click chooses its fixture.
fn point_ui(
    ui: &Ui,
    response: &Response,
    snapshot: &Snapshot,
    stage: &mut Stage,
    (way, first): (&ScreenFromMetres, u16),
) {
    let map = &snapshot.stage_map;
    if response.clicked() {
        let at = response.interact_pointer_pos();
        stage.chosen = at.and_then(|at| pick::lamp_at(map, way, at)).map(|picked| picked.fixture);
    }
    let still = ui.input(|input| input.pointer.velocity().length() < 1.0);
    if let Some(at) = response.hover_pos().filter(|_| still && !response.dragged())
        && let Some(picked) = pick::lamp_at(map, way, at)
    {
        let words = pick::words(&snapshot.project, map, picked, first).join("\n");
        response.clone().on_hover_text_at_pointer(words);
    }
}

/// Wheel and pinch come closer, a drag moves along, a double click shows everything. While fixtures are arranged they
/// have the first button, and a drag of another one moves along.
fn look(ui: &Ui, response: &Response, pane: Rect, extent: Extent, stage: &mut Stage) {
    let arranges = stage.arrange.on;
    if response.double_clicked() && !arranges {
        stage.fit();
    }
    let view = &mut stage.view;
    if let Some(touch) = ui.input(|input| input.multi_touch()).filter(|touch| pane.contains(touch.center_pos)) {
        view.drag(touch.translation_delta, extent, pane);
        view.zoom_at(touch.zoom_delta, touch.center_pos, extent, pane);
        return;
    }
    let others = [PointerButton::Middle, PointerButton::Secondary];
    if response.dragged() && (!arranges || others.iter().any(|button| response.dragged_by(*button))) {
        view.drag(response.drag_delta(), extent, pane);
    }
    if let Some(pointer) = response.hover_pos() {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = pinch * (wheel / 320.0).exp();
        if factor != 1.0 {
            view.zoom_at(factor, pointer, extent, pane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pitch_is_that_of_neighbours_on_the_line_not_of_the_jumps_between_lines() {
        let positions = (0..100).map(|lamp| [(lamp % 10) as f32 * 0.1, (lamp / 10) as f32 * 3.0]).collect();
        let map = StageMap { positions, min: [0.0, 0.0], max: [0.9, 27.0], ..StageMap::default() };
        assert!((typical_pitch(&map) - 0.1).abs() < 1e-4);
        let alone = StageMap { positions: vec![[1.0, 1.0]], min: [0.0; 2], max: [4.0; 2], ..StageMap::default() };
        assert!((typical_pitch(&alone) - 0.2).abs() < 1e-4);
    }
}
