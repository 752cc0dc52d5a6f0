//! A small rig with every kind of fixture shape, to look at one effect at a time.

use glowdeck::model::effect::{Effect, ShaderRef};
use glowdeck::model::fixture::{Fixture, FixtureDefinition, Pixels};
use glowdeck::model::id::{ChainId, DefinitionId, EffectId, FixtureId, PaletteId, SceneId};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::light::LightResponse;
use glowdeck::model::palette::{Colour, Palette};
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::Project;
use glowdeck::model::scene::{Cell, Scene};
use glowdeck::model::supply::Current;
use glowdeck::units::DmxAddress;
use std::sync::Arc;

/// A matrix of 8 x 8, a ring of 24 and a strip of 16 on one chain, at 120 BPM, with a palette of clear colours.
pub fn small_rig() -> Project {
    let mut project = Project::empty("small rig");
    let shapes = [
        Pixels::Grid { columns: 8, rows: 8, pitch: 0.1, serpentine: true },
        Pixels::Ring { count: 24, radius: 0.6, start: 90.0 },
        Pixels::Strip { count: 16, length: 1.5 },
    ];
    let mut links = Vec::new();
    let mut placements = Vec::new();
    for (number, pixels) in (1..).zip(shapes) {
        let (definition, fixture) = (DefinitionId(number), FixtureId(number));
        let name = format!("Shape {number}");
        let channels = FixtureDefinition::rgb();
        project.definitions.put(FixtureDefinition {
            id: definition,
            name: name.clone(),
            pixels,
            channels,
            light: LightResponse::default(),
            current: Current::default(),
            modes: vec![],
        });
        project.fixtures.put(Fixture { id: fixture, name, definition });
        links.push(Link { fixture, start: port() });
        let height = if number == 3 { -0.8 } else { 0.0 };
        placements.push(Placement::at(fixture, [0.0, height, 0.0]));
    }
    let chain = Chain { id: ChainId(1), name: "Chain".into(), straddle: Straddle::WholePixels, cap_ma: None, links };
    let kind = |id| project.definitions.get(project.fixtures.get(id)?.definition).map(|d| &**d);
    let chain = chain.assigned(port(), kind).unwrap();
    project.chains.put(chain);
    let topology = project.settings.topology;
    project.layouts.put(Layout { id: topology, name: "Topology".into(), placements, frame: None });
    let gradient = std::array::from_fn(|stop| Colour([(stop * 17) as u8, 40, 255 - (stop * 17) as u8]));
    let (primary, secondary) = (Colour([255, 160, 40]), Colour([10, 30, 90]));
    let palette = Palette { id: PaletteId(1), name: "Clear".into(), primary, secondary, gradient };
    project.palettes.put(palette);
    Arc::make_mut(&mut project.settings).palette = Some(PaletteId(1));
    project
}

fn port() -> PatchAddress {
    PatchAddress { universe: 0, channel: DmxAddress::FIRST }
}

/// Adds an active scene of these effects in the next cell of the first row.
pub fn add_scene(project: &mut Project, id: u32, effects: Vec<Effect>) {
    let cell = Cell { column: id as u8 - 1, row: 0 };
    let scene = Scene { active: true, effects, ..Scene::new(SceneId(id), cell, format!("Scene {id}")) };
    project.scenes.put(scene);
}

/// An effect of a built-in shader.
pub fn built_in(id: u32, name: &str) -> Effect {
    Effect::new(EffectId(id), ShaderRef::BuiltIn(name.into()))
}
