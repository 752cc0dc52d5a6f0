//! The recipe of `projects/demo.ron`: a mandala six metres wide with a matrix as its heart.
//!
//! Pure values. From the inside out: a 32 x 32 matrix on its corner, a ring, a spiral, twelve petals that are circles
//! tilted out of the plane, a ring, twenty-four bars, and the rim. 4088 lamps on 30 universes.

use crate::demo_look;
use glowdeck::model::device::{Device, Route};
use glowdeck::model::fixture::{Fixture, FixtureDefinition, Grouping, Mode, Pixels};
use glowdeck::model::id::{ChainId, DefinitionId, DeviceId, FixtureId, LayoutId, ModeId, RouteId};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::light::LightResponse;
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::Project;
use glowdeck::model::supply::Current;
use glowdeck::units::{DmxAddress, PortAddress};
use std::f32::consts::TAU;
use std::net::{Ipv4Addr, SocketAddr};

pub const MATRIX: DefinitionId = DefinitionId(1);
pub const PETAL: DefinitionId = DefinitionId(4);
pub const LONG_BAR: DefinitionId = DefinitionId(6);
pub const SHORT_BAR: DefinitionId = DefinitionId(7);

pub const ROWS: ModeId = ModeId(1);
pub const WHOLE: ModeId = ModeId(1);
pub const STEPS: ModeId = ModeId(2);

pub const RINGS: LayoutId = LayoutId(2);
pub const BARS: LayoutId = LayoutId(3);
pub const HEART: LayoutId = LayoutId(4);

const PETALS: u32 = 12;
const BAR_COUNT: u32 = 24;

/// The demo.
pub fn demo() -> Project {
    let mut project = Project::empty("Mandala");
    project.definitions = definitions().into_iter().collect();
    project.fixtures = fixtures().into_iter().collect();
    project.layouts = layouts().into_iter().collect();
    project.chains = chains(&project).into_iter().collect();
    let sculpture = project.chains.iter().filter(|chain| chain.id != ChainId(1)).count();
    assert_eq!((sculpture, project.universes()), (13, 30), "the recipe and its routes belong together");
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 6454));
    project.devices = [Device::artnet(DeviceId(1), "Sculpture", here), Device::artnet(DeviceId(2), "Matrix", here)]
        .into_iter()
        .collect();
    let route = |id, universe, count, device, port| Route {
        id: RouteId(id),
        universe,
        count,
        device: DeviceId(device),
        port: PortAddress::new(port).unwrap(),
        merge: None,
    };
    project.routes = [route(1, 0, 23, 1, 0), route(2, 23, 7, 2, 0x100)].into_iter().collect();
    demo_look::dress(&mut project);
    project
}

fn definitions() -> Vec<FixtureDefinition> {
    let define = |id, name: &str, pixels, modes| FixtureDefinition {
        id: DefinitionId(id),
        name: name.into(),
        pixels,
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes,
    };
    let mode = |id, name: &str, grouping| Mode { id, name: name.into(), grouping };
    let bar_modes = || vec![mode(WHOLE, "Whole bar", Grouping::Whole), mode(STEPS, "Steps of 8", Grouping::Every(8))];
    let ring = |count, radius| Pixels::Ring { count, radius, start: 90.0 };
    vec![
        define(
            1,
            "Matrix 32 x 32",
            Pixels::Grid { columns: 32, rows: 32, pitch: 0.03, serpentine: true },
            vec![mode(ROWS, "Rows", Grouping::Every(32))],
        ),
        define(2, "Inner ring", ring(120, 0.72), vec![]),
        define(3, "Spiral", Pixels::Polyline { count: 400, corners: spiral() }, vec![]),
        define(
            4,
            "Petal",
            Pixels::Polyline { count: 72, corners: petal() },
            vec![mode(WHOLE, "Whole petal", Grouping::Whole), mode(STEPS, "Steps of 9", Grouping::Every(9))],
        ),
        define(5, "Middle ring", ring(288, 2.0), vec![]),
        define(6, "Long bar", Pixels::Strip { count: 48, length: 0.8 }, bar_modes()),
        define(7, "Short bar", Pixels::Strip { count: 32, length: 0.5 }, bar_modes()),
        define(8, "Rim", ring(432, 3.0), vec![]),
    ]
}

/// Millimetres are enough, and read better in the file.
fn rounded(point: [f32; 3]) -> [f32; 3] {
    point.map(|axis| (axis * 1000.0).round() / 1000.0 + 0.0)
}

/// Three turns from the inner ring outwards, rising to the middle and falling again.
fn spiral() -> Vec<[f32; 3]> {
    let corners = 96;
    let corner = |i| {
        let share = i as f32 / corners as f32;
        let (sin, cos) = (TAU * (3.0 * share + 0.25)).sin_cos();
        let radius = 0.78 + 0.24 * share;
        rounded([radius * cos, radius * sin, 0.25 * (TAU * share / 2.0).sin()])
    };
    (0..=corners).map(corner).collect()
}

/// A circle that leans outwards, around its own middle; long along x. The last corner stays one step short of the
/// first, so that no two lamps share a place.
fn petal() -> Vec<[f32; 3]> {
    let corners = 36;
    let corner = |i| {
        let (sin, cos) = (TAU * (i as f32 / corners as f32 * 71.0 / 72.0 + 0.5)).sin_cos();
        rounded([0.42 * cos, 0.29 * sin, 0.3 * cos])
    };
    (0..=corners).map(corner).collect()
}

/// Fixtures by id: 1 matrix, 2 inner ring, 3 spiral, 4 middle ring, 5 rim, 11.. petals, 31.. bars, long ones first.
fn fixtures() -> Vec<Fixture> {
    let fixture =
        |id, name: String, definition| Fixture { id: FixtureId(id), name, definition: DefinitionId(definition) };
    let single = [("Matrix", 1), ("Inner ring", 2), ("Spiral", 3), ("Middle ring", 5), ("Rim", 8)];
    let singles = (1..).zip(single).map(|(id, (name, definition))| fixture(id, name.into(), definition));
    let petals = (0..PETALS).map(|i| fixture(11 + i, format!("Petal {}", i + 1), 4));
    let bars = (0..BAR_COUNT).map(|i| fixture(31 + i, format!("Bar {}", i + 1), 6 + i % 2));
    singles.chain(petals).chain(bars).collect()
}

/// Clockwise from the top, degrees counter-clockwise from the x axis.
fn clock_angle(index: u32, count: u32) -> f32 {
    (90.0 - 360.0 * index as f32 / count as f32).rem_euclid(360.0)
}

/// Something at a distance from the centre that points outwards.
fn outwards(fixture: u32, radius: f32, angle: f32) -> Placement {
    let (sin, cos) = angle.to_radians().sin_cos();
    Placement { angle, ..Placement::at(FixtureId(fixture), rounded([radius * cos, radius * sin, 0.0])) }
}

fn layouts() -> Vec<Layout> {
    let layout = |id, name: &str, placements| Layout { id, name: name.into(), placements, frame: None };
    let middle = |id| Placement::at(FixtureId(id), [0.0; 3]);
    let matrix = Placement { angle: 45.0, ..middle(1) };
    let petals = (0..PETALS).map(|i| outwards(11 + i, 1.5, clock_angle(i, PETALS)));
    let bar_middle = |i| if i % 2 == 0 { 2.5 } else { 2.35 };
    let bars = (0..BAR_COUNT).map(|i| outwards(31 + i, bar_middle(i), clock_angle(i, BAR_COUNT)));
    let topology = [matrix].into_iter().chain((2..=5).map(middle)).chain(petals).chain(bars).collect();
    // Side by side and equally large: what crosses the frame runs from the heart to the rim.
    let ring = |id, x, radius: f32| Placement {
        scale: (1000.0 / radius).round() / 1000.0,
        ..Placement::at(FixtureId(id), [x, 0.0, 0.0])
    };
    let rings = vec![ring(2, -2.5, 0.72), ring(4, 0.0, 2.0), ring(5, 2.5, 3.0)];
    // Upright in a row: what crosses the frame runs around the clock.
    let upright =
        |i: u32| Placement { angle: 90.0, ..Placement::at(FixtureId(31 + i), rounded([0.1 * i as f32, 0.0, 0.0])) };
    vec![
        layout(LayoutId(1), "Topology", topology),
        layout(RINGS, "Rings only", rings),
        layout(BARS, "Bars unrolled", (0..BAR_COUNT).map(upright).collect()),
        layout(HEART, "Heart", vec![middle(1)]),
    ]
}

/// Each chain starts a universe: rings and spiral, three petals a line, four bars a line, and the matrix last.
fn chains(project: &Project) -> Vec<Chain> {
    let mut lines: Vec<(u32, String, Vec<u32>)> = vec![
        (2, "Inner ring and spiral".into(), vec![2, 3]),
        (3, "Middle ring".into(), vec![4]),
        (4, "Rim".into(), vec![5]),
    ];
    lines.extend((0..4).map(|i| (5 + i, format!("Petals {}", i + 1), (0..3).map(|k| 11 + 3 * i + k).collect())));
    lines.extend((0..6).map(|i| (9 + i, format!("Bars {}", i + 1), (0..4).map(|k| 31 + 4 * i + k).collect())));
    lines.push((1, "Matrix".into(), vec![1]));
    let definition = |id: FixtureId| {
        let fixture = project.fixtures.get(id)?;
        project.definitions.get(fixture.definition).map(|definition| &**definition)
    };
    let mut universe = 0;
    let chain = |(id, name, fixtures): (u32, String, Vec<u32>)| {
        let port = PatchAddress { universe, channel: DmxAddress::FIRST };
        let links: Vec<_> = fixtures.into_iter().map(|id| Link { fixture: FixtureId(id), start: port }).collect();
        let lamps: u32 = links.iter().filter_map(|link| definition(link.fixture)).map(|d| d.pixels.count()).sum();
        universe += lamps.div_ceil(170) as u16;
        let chain = Chain { id: ChainId(id), name, straddle: Straddle::WholePixels, cap_ma: None, links };
        chain.assigned(port, definition).expect("the demo fits")
    };
    lines.into_iter().map(chain).collect()
}
