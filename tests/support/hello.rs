//! The recipe of `projects/hello.ron`: one strip and three scenes, the smallest thing that is worth looking at.

use glowdeck::model::device::{Device, Route};
use glowdeck::model::effect::{Effect, ParamValue, ShaderRef};
use glowdeck::model::fixture::{Fixture, FixtureDefinition, Pixels};
use glowdeck::model::id::{
    ChainId, DefinitionId, DeviceId, EffectId, FixtureId, LayoutId, PaletteId, RouteId, SceneId,
};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::light::LightResponse;
use glowdeck::model::palette::{Colour, Palette};
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::Project;
use glowdeck::model::scene::{Cell, Scene};
use glowdeck::model::supply::Current;
use glowdeck::units::{DmxAddress, PortAddress};
use std::net::{Ipv4Addr, SocketAddr};

/// The smallest project.
pub fn hello() -> Project {
    let mut project = Project::empty("Hello");
    let (definition, fixture) = (DefinitionId(1), FixtureId(1));
    project.definitions.put(FixtureDefinition {
        id: definition,
        name: "Strip of 60".into(),
        pixels: Pixels::Strip { count: 60, length: 1.0 },
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes: vec![],
    });
    project.fixtures.put(Fixture { id: fixture, name: "Strip".into(), definition });
    let start = PatchAddress { universe: 0, channel: DmxAddress::FIRST };
    let links = vec![Link { fixture, start }];
    project.chains.put(Chain {
        id: ChainId(1),
        name: "Strip".into(),
        straddle: Straddle::WholePixels,
        cap_ma: None,
        links,
    });
    let placements = vec![Placement::at(fixture, [0.0; 3])];
    project.layouts.put(Layout { id: LayoutId(1), name: "Topology".into(), placements, frame: None });
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 6454));
    project.devices.put(Device::artnet(DeviceId(1), "This computer", here));
    let port = PortAddress::default();
    project.routes.put(Route { id: RouteId(1), universe: 0, count: 1, device: DeviceId(1), port, merge: None });
    project.palettes.put(dusk());
    std::sync::Arc::make_mut(&mut project.settings).palette = Some(PaletteId(1));
    let scenes = [("Warm", "solid"), ("Rainbow", "rainbow"), ("Chase", "chase")];
    for (index, (name, shader)) in (0..).zip(scenes) {
        project.scenes.put(tile(index, name, shader));
    }
    project
}

fn tile(index: u8, name: &str, shader: &str) -> Scene {
    let id = u32::from(index) + 1;
    let mut effect = Effect::new(EffectId(id), ShaderRef::BuiltIn(shader.into()));
    if shader == "chase" {
        effect.params.insert("length".into(), ParamValue::Number(20.0.into()));
    }
    let scene = Scene::new(SceneId(id), Cell { column: index, row: 0 }, name);
    Scene { effects: vec![effect], active: shader == "rainbow", fade_in: 1.0, fade_out: 1.0, ..scene }
}

/// From night blue through red to gold.
fn dusk() -> Palette {
    let gradient = std::array::from_fn(|stop| {
        let share = stop as f32 / 15.0;
        Colour::from_linear([share, share * share * 0.4, (1.0 - share) * 0.15])
    });
    let [primary, secondary] = [Colour([255, 150, 40]), Colour([20, 20, 110])];
    Palette { id: PaletteId(1), name: "Dusk".into(), primary, secondary, gradient }
}
