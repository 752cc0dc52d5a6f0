//! Fixtures on the stage: which one is under the pointer, what is said of it, and its outline.
//!
//! Runs on the ui thread. Deliberately absent: the lamps' light, which the painter draws.

use super::view::ScreenFromMetres;
use crate::app::action::Action;
use crate::app::widgets::{PadLook, pad};
use crate::app::{icons, theme};
use crate::model::id::{ChainId, FixtureId};
use crate::model::patch::PatchAddress;
use crate::model::project::Project;
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::{Snapshot, StageFixture, StageMap};
use crate::show::test_pattern::{PATTERNS, Pattern, Target, TestPattern};
use egui::{Align2, Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, UiBuilder, pos2, vec2};

/// How far from a lamp the pointer may be, points.
const REACH: f32 = 14.0;
/// Outlines are drawn around fixtures of this size and up, points, and of so many at most.
const OUTLINE: f32 = 24.0;
const MOST_OUTLINES: usize = 400;
/// Room of the pads of the chosen fixture, points.
const PADS: f32 = 232.0;
/// Height of the bar of the chosen fixture, points.
pub const BAR: f32 = theme::TOUCH + 2.0 * theme::STEP;

/// A lamp under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    /// Its fixture.
    pub fixture: FixtureId,
    /// Which of the fixture's pixels it is, from 0.
    pub pixel: usize,
}

/// The lamp nearest to a place of the screen, if one is near.
pub fn lamp_at(map: &StageMap, way: &ScreenFromMetres, at: Pos2) -> Option<Picked> {
    let reach = (REACH / way.scale).max(1e-6);
    let [x, y] = way.metres(at);
    let near = |fixture: &&StageFixture| {
        let box_of = |axis: usize| {
            let values = fixture.corners.iter().map(|corner| corner[axis]);
            values.fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(value), high.max(value)))
        };
        let within = |(low, high): (f32, f32), value: f32| value >= low - reach && value <= high + reach;
        within(box_of(0), x) && within(box_of(1), y)
    };
    let lamps = map.fixtures.iter().filter(near).flat_map(|fixture| {
        let lamps = map.positions.get(fixture.lamps.clone()).unwrap_or_default();
        lamps.iter().enumerate().map(move |(pixel, [px, py])| ((px - x).hypot(py - y), fixture.id, pixel))
    });
    let nearest = lamps.filter(|(way, ..)| *way <= reach).min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(Picked { fixture: nearest.1, pixel: nearest.2 })
}

/// What is said of a lamp: its fixture, its number, and where its data goes. `first` is the number that the first
/// universe has on the screen.
pub fn words(project: &Project, map: &StageMap, picked: Picked, first: u16) -> Vec<String> {
    let Some(fixture) = map.fixtures.iter().find(|fixture| fixture.id == picked.fixture) else { return Vec::new() };
    let name = project.fixtures.get(fixture.id).map_or("", |fixture| fixture.name.as_str());
    let mut words = vec![format!("{name}, lamp {} of {}", picked.pixel + 1, fixture.lamps.len())];
    let Some(PatchAddress { universe, channel }) = fixture.address_of(picked.pixel) else {
        words.push("on no chain: it is sent nothing".to_owned());
        return words;
    };
    words.push(format!("universe {}, channel {}", universe + first, channel.get()));
    let routes = project.routes.iter().flat_map(|route| {
        let device = project.devices.get(route.device).map_or("", |device| device.name.as_str());
        let ours = route.pairs().find(|(of, _)| *of == universe);
        ours.map(|(_, port)| format!("to {device} as {} ({port})", port.raw() + first))
    });
    words.extend(routes);
    if words.len() == 2 {
        words.push("no route carries this universe".to_owned());
    }
    words
}

/// Draws the outlines of `all` fixtures that are large enough, quietly, and that of the chosen one clearly.
pub fn outlines(painter: &Painter, map: &StageMap, way: &ScreenFromMetres, (all, chosen): (bool, Option<FixtureId>)) {
    let shape = |fixture: &StageFixture, colour: Color32, width: f32| {
        let corners: Vec<Pos2> = fixture.corners.iter().map(|corner| way.screen(*corner)).collect();
        let rect = Rect::from_points(&corners);
        let seen = rect.intersects(way.pane) && rect.size().max_elem() >= OUTLINE;
        seen.then(|| Shape::closed_line(corners, Stroke::new(width, colour)))
    };
    let quiet = theme::mixed(theme::STAGE, theme::RAIL, 0.45);
    let shapes = map.fixtures.iter().filter_map(|fixture| shape(fixture, quiet, 1.0)).take(MOST_OUTLINES);
    painter.extend(shapes.filter(|_| all));
    let chosen = chosen.and_then(|id| map.fixtures.iter().find(|fixture| fixture.id == id));
    painter.extend(chosen.and_then(|fixture| shape(fixture, theme::TEXT, 1.5)));
}

/// The names of the fixtures that have the room for it.
pub fn labels(painter: &Painter, project: &Project, map: &StageMap, way: &ScreenFromMetres) {
    let mut taken: Vec<Rect> = Vec::new();
    for fixture in map.fixtures.iter().take(4 * MOST_OUTLINES) {
        let Some(name) = project.fixtures.get(fixture.id).map(|fixture| fixture.name.as_str()) else { continue };
        let corners: Vec<Pos2> = fixture.corners.iter().map(|corner| way.screen(*corner)).collect();
        let rect = Rect::from_points(&corners);
        let galley = painter.layout_no_wrap(name.to_owned(), theme::small(), theme::TEXT_QUIET);
        let place = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).expand(2.0);
        let free = way.pane.contains_rect(place) && !taken.iter().any(|other| other.intersects(place));
        if free && rect.size().max_elem() >= OUTLINE {
            painter.rect_filled(place, theme::RADIUS_SMALL, theme::STAGE.gamma_multiply(0.75));
            painter.galley(place.min + vec2(2.0, 2.0), galley, theme::TEXT_QUIET);
            taken.push(place);
        }
    }
}

/// What is known of the chosen fixture, with a pad that blinks it; a click on the cross lets it go.
pub fn chosen_ui(
    ui: &mut Ui,
    pane: Rect,
    snapshot: &Snapshot,
    chosen: &mut Option<FixtureId>,
    first: u16,
) -> Option<Action> {
    let id = (*chosen)?;
    let words = words(&snapshot.project, &snapshot.stage_map, Picked { fixture: id, pixel: 0 }, first);
    let fixture = snapshot.stage_map.fixtures.iter().find(|fixture| fixture.id == id);
    let Some((fixture, name)) = fixture.zip(snapshot.project.fixtures.get(id).map(|fixture| &fixture.name)) else {
        *chosen = None;
        return None;
    };
    let bar = Rect::from_min_max(pos2(pane.left(), pane.bottom() - BAR), pane.max);
    ui.painter().rect_filled(bar, 0.0, theme::BAR.gamma_multiply(0.92));
    // What misses a pad must not choose a lamp below.
    ui.interact(bar, ui.scope_id().with("chosen bar"), Sense::click_and_drag());
    let left = bar.left() + 2.0 * theme::STEP;
    let text = Rect::from_min_max(bar.min, pos2(bar.right() - PADS - theme::STEP, bar.bottom()));
    let painter = ui.painter().with_clip_rect(text);
    let title = format!("{name}  ");
    let written =
        painter.text(pos2(left, bar.top() + 20.0), Align2::LEFT_CENTER, title, theme::strong(theme::BODY), theme::TEXT);
    let lamps = format!("{} lamps", fixture.lamps.len());
    painter.text(written.right_center(), Align2::LEFT_CENTER, lamps, theme::small(), theme::TEXT_FAINT);
    let below = words[1..].join(", ");
    painter.text(pos2(left, bar.top() + 40.0), Align2::LEFT_CENTER, below, theme::small(), theme::TEXT_QUIET);
    let mut done = None;
    let chain = snapshot.project.chains.iter().find(|chain| chain.links.iter().any(|link| link.fixture == id));
    let target = Target::Fixture(id);
    let ours = snapshot
        .test
        .is_some_and(|test| test.target == target || chain.is_some_and(|chain| test.target == Target::Chain(chain.id)));
    let test = TestPattern { target, pattern: Pattern::Identify };
    let on = snapshot.test == Some(test);
    let pads = Rect::from_min_max(pos2(bar.right() - PADS, bar.top() + theme::STEP), bar.max);
    let mut ui = ui.new_child(UiBuilder::new().id_salt("chosen").max_rect(pads));
    ui.horizontal(|ui| {
        let mut look = PadLook::quiet("Blink this fixture", "Blink");
        if on {
            (look.fill, look.colour) = (theme::AMBER, theme::ON_AMBER);
        }
        if pad(ui, vec2(72.0, theme::TOUCH), &look).clicked() {
            done = Some(Command::from(LiveCommand::Test((!on).then_some(test))).into());
        }
        ui.spacing_mut().interact_size.y = theme::TOUCH;
        ui.visuals_mut().widgets.inactive.weak_bg_fill = theme::SURFACE;
        let asked = ui.menu_button("Test…", |ui| patterns_ui(ui, snapshot, target, chain.map(|chain| chain.id))).inner;
        done = done.take().or(asked.flatten());
        if pad(ui, vec2(theme::TOUCH, theme::TOUCH), &PadLook::quiet("Let the fixture go", icons::CLOSE)).clicked() {
            *chosen = None;
            done = ours.then(|| Command::from(LiveCommand::Test(None)).into());
        }
    });
    done
}

/// The test patterns of a fixture and of its chain.
fn patterns_ui(ui: &mut Ui, snapshot: &Snapshot, fixture: Target, chain: Option<ChainId>) -> Option<Action> {
    let mut done = None;
    let chain = chain.map(|chain| (Target::Chain(chain), "on its chain"));
    for (target, place) in [(fixture, "on this fixture")].into_iter().chain(chain) {
        for (pattern, name) in PATTERNS {
            let test = TestPattern { target, pattern };
            let on = snapshot.test == Some(test);
            let button = egui::Button::selectable(on, format!("{name} {place}"));
            if ui.add(button).clicked() {
                done = Some(Command::from(LiveCommand::Test((!on).then_some(test))).into());
                ui.close();
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::patch::Straddle;
    use crate::show::snapshot::StageData;

    fn map() -> StageMap {
        let data = Some(StageData { byte: 510, width: 3, straddle: Straddle::WholePixels });
        let fixture = |id, lamps, left: f32| StageFixture {
            id: FixtureId(id),
            lamps,
            corners: [[left, 0.0], [left + 1.0, 0.0], [left + 1.0, 0.0], [left, 0.0]],
            data,
        };
        StageMap {
            positions: vec![[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [6.0, 0.0]],
            max: [6.0, 1.0],
            fixtures: vec![fixture(1, 0..2, 0.0), fixture(2, 2..4, 5.0)],
            ..StageMap::default()
        }
    }

    #[test]
    fn the_nearest_lamp_is_picked_and_none_where_none_is_near() {
        let map = map();
        let pane = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 100.0));
        let way = ScreenFromMetres { scale: 100.0, centre: pos2(3.0, 0.0), pane };
        let at = |metres: [f32; 2]| lamp_at(&map, &way, way.screen(metres));
        assert_eq!(at([0.95, 0.05]), Some(Picked { fixture: FixtureId(1), pixel: 1 }));
        assert_eq!(at([5.1, 0.0]), Some(Picked { fixture: FixtureId(2), pixel: 0 }));
        assert_eq!(at([3.0, 0.0]), None);
    }

    #[test]
    fn an_address_is_where_the_pixel_really_starts() {
        let map = map();
        let address = map.fixtures[0].address_of(0).unwrap();
        assert_eq!((address.universe, address.channel.get()), (1, 1), "three channels do not fit behind 510");
        assert_eq!(map.fixture_of(3).map(|fixture| fixture.id), Some(FixtureId(2)));
        assert_eq!(map.fixture_of(4), None);
    }
}
