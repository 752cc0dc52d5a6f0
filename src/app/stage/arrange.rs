//! Arranging by hand: fixtures are chosen on the stage and moved, nudged and turned in the layout that is looked at.
//!
//! Runs on the ui thread and returns edits of the layout; a drag is one gesture, and the rig follows it. Outlines follow
//! the hand at once, the lamps as their map is compiled. Deliberately absent: the arithmetic, which is in
//! [`super::placing`], and the bar with the numbers, which is in [`super::arrange_bar`].

use super::pick;
use super::placing;
use super::view::ScreenFromMetres;
use crate::app::action::Action;
use crate::app::{fields, theme, widgets};
use crate::model::edit::{Edit, Entry};
use crate::model::fixture::FixtureDefinition;
use crate::model::id::{DefinitionId, FixtureId, LayoutId};
use crate::model::layout::{Frame, Layout, Placement};
use crate::model::project::Project;
use crate::show::command::Command;
use crate::show::snapshot::{StageFixture, StageMap};
use egui::{
    Context, Event, EventFilter, Id, Key, Painter, PointerButton, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui,
    Vec2, vec2,
};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// An arrow key moves by this, metres; with Shift ten times as far.
const NUDGE: f32 = 0.01;
/// A key or pad turns by so many degrees, and with Shift.
pub const TURNS: [f32; 2] = [5.0, 1.0];
/// An edit that the show has not shown after this many seconds is not waited for any more.
const BELIEVED: f64 = 0.5;
/// Outlines of chosen fixtures that are drawn at most.
const MOST_OUTLINES: usize = 400;
/// Dots of the grid stand at least so far apart, points, and there are so many of them at most.
const DOTS: (f32, f32) = (10.0, 20_000.0);
/// Pixels that the box of a fixture is measured by at most.
const MEASURED: u32 = 65_536;

/// What the hand holds.
#[derive(Debug)]
enum Held {
    /// Chosen fixtures, since this layout.
    Fixtures { from: [f32; 2], lead: [f32; 2], before: Arc<Layout>, gesture: u64 },
    /// A rubber band, since this place on the stage in metres; whether what is chosen already stays so.
    Band { from: [f32; 2], adds: bool },
}

/// What is chosen and held.
#[derive(Debug, Default)]
pub struct Arrange {
    /// Whether fixtures are arranged instead of only looked at.
    pub on: bool,
    /// What is chosen.
    pub selected: BTreeSet<FixtureId>,
    /// The grid that a drag snaps to, metres.
    pub grid: Option<f32>,
    held: Option<Held>,
    /// An edit that was sent and not seen yet, and when it was sent.
    pending: Option<(Arc<Layout>, f64)>,
    /// Boxes of kinds, measured once.
    boxes: HashMap<DefinitionId, (Arc<FixtureDefinition>, Frame)>,
    /// The stage, once it was shown.
    own: Option<Id>,
}

/// What is arranged.
#[derive(Clone, Copy)]
pub struct Scenery<'a> {
    /// The document.
    pub project: &'a Project,
    /// The layout that is looked at.
    pub layout: LayoutId,
    /// Its lamps, which may still be those of another layout.
    pub map: &'a StageMap,
    /// From metres to the screen.
    pub way: &'a ScreenFromMetres,
}

impl Arrange {
    /// Arranges, or ceases to; nothing is chosen then.
    pub fn switch(&mut self, on: bool) {
        let boxes = std::mem::take(&mut self.boxes);
        *self = Self { on, grid: self.grid, boxes, ..Self::default() };
    }

    /// Whether a key that went down in this frame moves or turns what is chosen, and must do nothing else.
    pub fn takes_key(&self, ctx: &Context) -> bool {
        let focused = self.own.is_some_and(|own| ctx.memory(|memory| memory.has_focus(own)));
        let ours = |event: &Event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => is_ours(*key) && !modifiers.command && !modifiers.alt,
            _ => false,
        };
        self.on && focused && !self.selected.is_empty() && ctx.input(|input| input.events.iter().any(ours))
    }

    /// The layout as it is, or as it will be once the show has done what was sent.
    pub fn latest(&mut self, project: &Project, layout: LayoutId, now: f64) -> Option<Arc<Layout>> {
        let shown = project.layouts.get(layout)?;
        self.pending = self
            .pending
            .take()
            .filter(|(pending, since)| pending.id == layout && now - since < BELIEVED && pending != shown);
        Some(self.pending.as_ref().map_or_else(|| Arc::clone(shown), |(pending, _)| Arc::clone(pending)))
    }

    /// Asks for a changed layout.
    pub fn put(&mut self, layout: Layout, gesture: Option<u64>, now: f64) -> Action {
        let layout = Arc::new(layout);
        self.pending = Some((Arc::clone(&layout), now));
        Command::Edit { edit: Edit::Put(Entry::Layout(layout)), gesture }.into()
    }

    /// The one that is chosen, if it is one.
    pub fn only(&self) -> Option<FixtureId> {
        self.selected.iter().next().copied().filter(|_| self.selected.len() == 1)
    }

    /// The corners of a fixture's box as it stands here, metres.
    fn corners(&mut self, project: &Project, placement: &Placement) -> Option<[[f32; 2]; 4]> {
        let definition = project.definitions.get(project.fixtures.get(placement.fixture)?.definition)?;
        let known = self.boxes.get(&definition.id).filter(|(of, _)| Arc::ptr_eq(of, definition));
        let frame = match known {
            Some((_, frame)) => *frame,
            None => {
                let count = definition.pixels.count();
                let step = count.div_ceil(MEASURED).max(1);
                let frame = Frame::around(definition.pixels.positions_of((0..count).step_by(step as usize)));
                self.boxes.insert(definition.id, (Arc::clone(definition), frame));
                frame
            }
        };
        let Frame { min, max } = frame;
        let places = [[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]];
        Some(places.map(|[x, y]| {
            let [x, y, _] = placement.layout_from_fixture([x, y, 0.0]);
            [x, y]
        }))
    }
}

fn is_ours(key: Key) -> bool {
    matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown | Key::Q | Key::E)
}

/// Follows the hand and the keys, and draws what is chosen.
pub fn arrange_ui(ui: &Ui, response: &Response, scenery: Scenery<'_>, arrange: &mut Arrange) -> Option<Action> {
    let now = ui.input(|input| input.time);
    arrange.own = Some(response.id);
    arrange.selected.retain(|id| scenery.project.fixtures.contains(*id));
    let layout = arrange.latest(scenery.project, scenery.layout, now)?;
    let chosen = layout.placements.iter().filter(|placement| arrange.selected.contains(&placement.fixture));
    if chosen.count() < arrange.selected.len() {
        arrange.selected.retain(|id| placing::placement(&layout, *id).is_some());
    }
    dots(ui.painter(), scenery.way, arrange.grid);
    let mut wish = hand_ui(ui, response, scenery, arrange, &layout);
    wish = wish.or_else(|| keys_ui(ui, response, arrange, &layout));
    let layout = arrange.latest(scenery.project, scenery.layout, now)?;
    outlines(ui.painter(), scenery, arrange, &layout);
    wish
}

/// The fixture under a place of the screen: by its lamps, or by its box where it is chosen.
fn fixture_at(scenery: Scenery<'_>, arrange: &mut Arrange, layout: &Layout, at: Pos2) -> Option<FixtureId> {
    if scenery.map.layout != Some(scenery.layout) {
        return None;
    }
    let by_lamp = pick::lamp_at(scenery.map, scenery.way, at).map(|picked| picked.fixture);
    let place = scenery.way.metres(at);
    by_lamp.or_else(|| {
        let chosen: Vec<Placement> = layout
            .placements
            .iter()
            .filter(|placement| arrange.selected.contains(&placement.fixture))
            .copied()
            .collect();
        let inside = |placement: &&Placement| {
            arrange.corners(scenery.project, placement).is_some_and(|corners| contains(corners, place))
        };
        chosen.iter().find(inside).map(|placement| placement.fixture)
    })
}

/// Whether a place lies in the box of these corners, which follow each other either way round.
fn contains(corners: [[f32; 2]; 4], [x, y]: [f32; 2]) -> bool {
    let side = |place: usize| {
        let ([ax, ay], [bx, by]) = (corners[place], corners[(place + 1) % 4]);
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    };
    let sides = [0, 1, 2, 3].map(side);
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}

fn hand_ui(
    ui: &Ui,
    response: &Response,
    scenery: Scenery<'_>,
    arrange: &mut Arrange,
    layout: &Arc<Layout>,
) -> Option<Action> {
    let now = ui.input(|input| input.time);
    let shift = ui.input(|input| input.modifiers.shift);
    if ui.input(|input| input.multi_touch()).is_some() {
        // Two fingers look around; what the first one took stands where it stood.
        return match arrange.held.take() {
            Some(Held::Fixtures { before, gesture, .. }) if before != *layout => {
                Some(arrange.put(Layout::clone(&before), Some(gesture), now))
            }
            _ => None,
        };
    }
    if response.clicked_by(PointerButton::Primary) {
        response.request_focus();
        let hit = response.interact_pointer_pos().and_then(|at| fixture_at(scenery, arrange, layout, at));
        choose(&mut arrange.selected, hit, shift);
    }
    if response.drag_started_by(PointerButton::Primary)
        && let Some(at) = ui.input(|input| input.pointer.press_origin())
    {
        response.request_focus();
        arrange.held = Some(taken(ui, scenery, arrange, layout, (at, shift)));
    }
    let at = response.interact_pointer_pos().map(|at| scenery.way.metres(at));
    let ended = response.drag_stopped_by(PointerButton::Primary);
    let held = arrange.held.take()?;
    let mut wish = None;
    if let (Held::Fixtures { from, lead, before, gesture }, Some([x, y])) = (&held, at) {
        let way = placing::snapped(*lead, [x - from[0], y - from[1]], arrange.grid);
        let moved = placing::moved(before, &arrange.selected, way);
        wish = (moved != **layout).then(|| arrange.put(moved, Some(*gesture), now));
    }
    if let (Held::Band { from, adds }, Some(at)) = (&held, at) {
        let band = Rect::from_two_pos(scenery.way.screen(*from), scenery.way.screen(at));
        ui.painter().rect(
            band,
            0.0,
            theme::TEXT.gamma_multiply(0.06),
            Stroke::new(1.0, theme::TEXT_QUIET),
            StrokeKind::Inside,
        );
        if ended {
            if !adds {
                arrange.selected.clear();
            }
            arrange.selected.extend(within(scenery, *from, at));
        }
    }
    if !ended && response.dragged_by(PointerButton::Primary) {
        arrange.held = Some(held);
    }
    wish
}

/// A click on a fixture, or beside all.
fn choose(selected: &mut BTreeSet<FixtureId>, hit: Option<FixtureId>, adds: bool) {
    match hit {
        Some(id) if adds && selected.contains(&id) => drop(selected.remove(&id)),
        Some(id) if adds => drop(selected.insert(id)),
        Some(id) => *selected = [id].into(),
        None if !adds => selected.clear(),
        None => {}
    }
}

/// What a drag that begins here takes hold of.
fn taken(
    ui: &Ui,
    scenery: Scenery<'_>,
    arrange: &mut Arrange,
    layout: &Arc<Layout>,
    (at, shift): (Pos2, bool),
) -> Held {
    let from = scenery.way.metres(at);
    let Some(id) = fixture_at(scenery, arrange, layout, at) else { return Held::Band { from, adds: shift } };
    if !arrange.selected.contains(&id) {
        if !shift {
            arrange.selected.clear();
        }
        arrange.selected.insert(id);
    }
    let [x, y, _] = placing::placement(layout, id).map_or([0.0; 3], |placement| placement.position);
    Held::Fixtures { from, lead: [x, y], before: Arc::clone(layout), gesture: fields::next_gesture(ui) }
}

/// Fixtures that have a lamp between two corners, metres.
fn within(scenery: Scenery<'_>, one: [f32; 2], other: [f32; 2]) -> Vec<FixtureId> {
    if scenery.map.layout != Some(scenery.layout) {
        return Vec::new();
    }
    let inside = |place: &[f32; 2]| {
        (0..2).all(|axis| (one[axis].min(other[axis])..=one[axis].max(other[axis])).contains(&place[axis]))
    };
    let lit = |fixture: &&StageFixture| {
        scenery.map.positions.get(fixture.lamps.clone()).is_some_and(|lamps| lamps.iter().any(inside))
    };
    scenery.map.fixtures.iter().filter(lit).map(|fixture| fixture.id).collect()
}

/// Arrows nudge, Q and E turn, Escape lets all go.
fn keys_ui(ui: &Ui, response: &Response, arrange: &mut Arrange, layout: &Layout) -> Option<Action> {
    let now = ui.input(|input| input.time);
    let way = widgets::arrows(ui, response);
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, escape: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        arrange.selected.clear();
        return None;
    }
    let turns = ui.input(|input| input.num_presses(Key::Q) as f32 - input.num_presses(Key::E) as f32);
    let plain = ui.input(|input| !input.modifiers.command && !input.modifiers.alt);
    let degrees = turns * TURNS[usize::from(ui.input(|input| input.modifiers.shift))];
    if arrange.selected.is_empty() || !plain || (way == Vec2::ZERO && degrees == 0.0) {
        return None;
    }
    let fresh = |event: &Event| matches!(event, Event::Key { key, pressed: true, repeat: false, .. } if is_ours(*key));
    let held = !ui.input(|input| input.events.iter().any(fresh));
    let gesture = fields::key_gesture(ui, response, held);
    let moved = placing::moved(layout, &arrange.selected, (way * NUDGE).into());
    let turned = if degrees == 0.0 { moved } else { placing::turned(&moved, &arrange.selected, degrees) };
    (turned != *layout).then(|| arrange.put(turned, Some(gesture), now))
}

/// Outlines of what is chosen, as it stands in the layout.
fn outlines(painter: &Painter, scenery: Scenery<'_>, arrange: &mut Arrange, layout: &Layout) {
    let chosen: Vec<Placement> = layout
        .placements
        .iter()
        .filter(|placement| arrange.selected.contains(&placement.fixture))
        .take(MOST_OUTLINES)
        .copied()
        .collect();
    for placement in chosen {
        let Some(corners) = arrange.corners(scenery.project, &placement) else { continue };
        let mut corners = corners.map(|corner| scenery.way.screen(corner)).to_vec();
        // A strip is a line, and a single pixel a point: both get some room around them.
        let rect = Rect::from_points(&corners);
        if rect.width().min(rect.height()) < 8.0 && rect.is_finite() {
            let around = rect.expand2(vec2(6.0, 6.0));
            let slim = rect.width().max(rect.height()) < 8.0 || placement.angle.rem_euclid(90.0) == 0.0;
            if slim {
                corners = vec![around.left_top(), around.right_top(), around.right_bottom(), around.left_bottom()];
            }
        }
        painter.add(Shape::closed_line(corners, Stroke::new(1.5, theme::TEXT)));
    }
    if let Some([x, y]) = placing::middle(layout, &arrange.selected).filter(|_| arrange.selected.len() > 1) {
        let middle = scenery.way.screen([x, y]);
        painter.circle_stroke(middle, 4.0, Stroke::new(1.5, theme::TEXT));
    }
}

/// The grid as faint dots, coarser where it is too fine to be seen.
fn dots(painter: &Painter, way: &ScreenFromMetres, grid: Option<f32>) {
    let Some(grid) = grid else { return };
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
    let Some(step) = steps.into_iter().map(|times| times * grid).find(|step| step * way.scale >= DOTS.0) else {
        return;
    };
    let [left, top] = way.metres(way.pane.left_top()).map(|axis| axis / step);
    let [right, bottom] = way.metres(way.pane.right_bottom()).map(|axis| axis / step);
    if (right - left) * (top - bottom) > DOTS.1 {
        return;
    }
    let ink = theme::TEXT.gamma_multiply(0.14);
    for row in bottom.ceil() as i64..=top.floor() as i64 {
        for column in left.ceil() as i64..=right.floor() as i64 {
            let at = way.screen([column as f32 * step, row as f32 * step]);
            painter.rect_filled(Rect::from_center_size(at, Vec2::splat(1.5)), 0.0, ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_box_contains_its_middle_and_not_what_is_beside_it() {
        let corners = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
        let mut mirrored = corners;
        mirrored.reverse();
        for corners in [corners, mirrored] {
            assert!(contains(corners, [0.1, 0.2]));
            assert!(!contains(corners, [0.8, 0.8]));
        }
    }
}
