//! The rig that `bench rig` measures: universes of one bar of 170 lamps each, and scenes that keep every lamp busy.
//!
//! Pure: the same numbers give the same project.

use crate::model::device::{ARTNET_PORT, Device, ExitPolicy, RateLimit, Refresh, Route};
use crate::model::effect::{Effect, Modulated, ParamValue, ShaderRef};
use crate::model::fixture::{Fixture, FixtureDefinition, Pixels};
use crate::model::id::{
    ChainId, DefinitionId, DeviceId, EffectId, FixtureId, Item as _, PaletteId, RouteId, SceneId, ShaderId,
};
use crate::model::layout::{Frame, Layout, Placement};
use crate::model::light::LightResponse;
use crate::model::palette::{Colour, Palette};
use crate::model::patch::{Chain, Link, PatchAddress, Straddle};
use crate::model::project::{Project, Shader};
use crate::model::scene::{Cell, Grid, Scene};
use crate::model::supply::Current;
use crate::shading::library::BUILT_INS;
use crate::units::{DmxAddress, PortAddress};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Lamps on a bar: one universe of RGB.
const BAR_LAMPS: u32 = 170;
/// Bars stand side by side in so many columns.
const COLUMNS: usize = 16;
/// Side of the square that the bars fill, metres.
const SQUARE: f32 = 20.0;
/// Effects of a scene.
const SCENE_EFFECTS: usize = 5;

/// Which shaders the rig runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Workload {
    /// The ring shader only.
    Ring,
    /// The built-in effects in turn.
    Mixed,
    /// Plain colours, so that no frame differs from the one before.
    Still,
    /// The ring shader, and one scene whose shader loops without end.
    Endless,
}

impl Workload {
    /// As it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Mixed => "mixed",
            Self::Still => "still",
            Self::Endless => "endless",
        }
    }
}

/// A shader that never comes to an end.
const ENDLESS: &str = "vec4 effect(Lamp lamp) {\n    float x = lamp.uv.x;\n    while (x > -1.0) x = fract(x + progress);\n    return vec4(x);\n}\n";

/// A rig of this many universes and effects, all active, to one device.
pub fn rig_project(universes: u16, effects: usize, workload: Workload, address: IpAddr) -> Project {
    let mut project = Project::empty("rig");
    let definition = FixtureDefinition {
        id: DefinitionId(1),
        name: "Bar".into(),
        pixels: Pixels::Strip { count: BAR_LAMPS, length: SQUARE / COLUMNS as f32 },
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes: Vec::new(),
    };
    project.definitions.put(definition);
    let rows = usize::from(universes).div_ceil(COLUMNS).max(1);
    let bars = (0..universes).map(|bar| (bar, FixtureId(u32::from(bar) + 1)));
    project.fixtures =
        bars.clone().map(|(bar, id)| Fixture { id, name: format!("Bar {bar}"), definition: DefinitionId(1) }).collect();
    project.chains = bars.clone().map(|(bar, fixture)| chain(bar, fixture)).collect();
    let placements = bars.map(|(bar, fixture)| {
        let (column, row) = (usize::from(bar) % COLUMNS, usize::from(bar) / COLUMNS);
        let x = (column as f32 + 0.5) * SQUARE / COLUMNS as f32;
        let y = SQUARE - (row as f32 + 0.5) * SQUARE / rows as f32;
        Placement::at(fixture, [x, y, 0.0])
    });
    let frame = Some(Frame { min: [0.0; 3], max: [SQUARE, SQUARE, 0.0] });
    let topology = project.settings.topology;
    project.layouts.put(Layout { id: topology, name: "Topology".into(), placements: placements.collect(), frame });
    let device = Device {
        rate: RateLimit::RenderRate,
        // A look that stands still costs what its keep-alive costs.
        refresh: if workload == Workload::Still { Refresh::Changed } else { Refresh::EveryFrame },
        burst: 64,
        ..Device::artnet(DeviceId(1), "Counter", SocketAddr::new(address, ARTNET_PORT))
    };
    project.devices.put(device);
    let port = PortAddress::default();
    project.routes.put(Route { id: RouteId(1), universe: 0, count: universes, device: DeviceId(1), port, merge: None });
    project.palettes.put(Palette { id: PaletteId(1), primary: Colour([40, 90, 255]), ..Palette::neutral() });
    let settings = Arc::make_mut(&mut project.settings);
    settings.palette = Some(PaletteId(1));
    settings.exit = ExitPolicy::Hold;
    add_scenes(&mut project, effects, workload);
    if workload == Workload::Endless {
        add_endless(&mut project);
    }
    project
}

fn add_endless(project: &mut Project) {
    let shader = ShaderId(1);
    project.shaders.put(Shader {
        id: shader,
        name: "endless".into(),
        source: ENDLESS.into(),
        file: None,
        library: None,
    });
    let cell = Cell { column: 0, row: project.grid.rows - 1 };
    let effect = Effect::new(EffectId(u32::MAX), ShaderRef::Project(shader));
    let scene = Scene { active: true, effects: vec![effect], ..Scene::new(SceneId(u32::MAX), cell, "Endless") };
    project.scenes.put(scene);
}

fn chain(bar: u16, fixture: FixtureId) -> Chain {
    let start = PatchAddress { universe: bar, channel: DmxAddress::FIRST };
    let links = vec![Link { fixture, start }];
    Chain {
        id: ChainId(u32::from(bar) + 1),
        name: format!("Chain {bar}"),
        straddle: Straddle::WholePixels,
        cap_ma: None,
        links,
    }
}

fn add_scenes(project: &mut Project, effects: usize, workload: Workload) {
    let scenes = effects.div_ceil(SCENE_EFFECTS);
    let rows = scenes.div_ceil(usize::from(Grid::default().columns)).clamp(6, 64) as u8;
    project.grid = Grid { rows, ..Grid::default() };
    for index in 0..scenes {
        let columns = usize::from(project.grid.columns);
        let cell = Cell { column: (index % columns) as u8, row: (index / columns) as u8 };
        let mut scene = Scene::new(SceneId(index as u32 + 1), cell, format!("Scene {index}"));
        scene.active = true;
        let first = index * SCENE_EFFECTS;
        scene.effects = (first..effects.min(first + SCENE_EFFECTS)).map(|number| effect(number, workload)).collect();
        debug_assert!(project.grid.holds(cell), "{} has room", scene.id());
        project.scenes.put(scene);
    }
}

/// The n-th effect: every one with its own centre, scale, speed and colour.
pub(super) fn effect(number: usize, workload: Workload) -> Effect {
    let shader = match workload {
        Workload::Ring | Workload::Endless => "ring",
        Workload::Mixed => BUILT_INS[number % BUILT_INS.len()].0,
        Workload::Still => "solid",
    };
    // Multiples of irrational numbers spread evenly and never meet.
    let spread = |step: f32| (number as f32 * step).fract();
    let mut effect = Effect::new(EffectId(number as u32 + 1), ShaderRef::BuiltIn(shader.into()));
    effect.opacity = Modulated::from(0.1);
    effect.colour_shift = Modulated::from(spread(0.618_034));
    effect.speed_exponent = spread(0.414_214) * 2.0 - 1.0;
    if shader == "ring" {
        effect.params.insert("centre".into(), ParamValue::Point(spread(0.754_878).into(), spread(0.569_840).into()));
        effect.params.insert("scale".into(), ParamValue::Number(Modulated::from(10.0 + 30.0 * spread(0.732_051))));
    }
    effect
}
