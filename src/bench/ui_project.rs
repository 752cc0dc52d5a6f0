//! The show that `bench ui` and `bench session` work at: a grid full of scenes, and fixtures of ten lamps each.
//!
//! Pure: the same numbers give the same project.

use super::rig_project::{Workload, effect};
use crate::model::device::{ARTNET_PORT, Device, ExitPolicy, RateLimit, Refresh, Route};
use crate::model::fixture::{Fixture, FixtureDefinition, Pixels};
use crate::model::id::{ChainId, DefinitionId, DeviceId, FixtureId, PaletteId, RouteId, SceneId};
use crate::model::layout::{Frame, Layout, Placement};
use crate::model::light::LightResponse;
use crate::model::palette::{Colour, Palette};
use crate::model::patch::{Chain, Link, PatchAddress, Straddle};
use crate::model::project::Project;
use crate::model::scene::{Cell, Scene};
use crate::model::supply::Current;
use crate::units::{DmxAddress, PortAddress};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Lamps of a fixture.
const LAMPS: u32 = 10;
/// Fixtures of three channels a lamp that a universe holds.
const IN_A_UNIVERSE: u32 = 17;
/// Fixtures stand side by side in so many columns.
const COLUMNS: u32 = 40;
/// Side of the square that they fill, metres.
const SQUARE: f32 = 20.0;

/// A show of so many scenes of two effects each, none of them playing, and so many fixtures.
pub fn ui_project(scenes: u8, fixtures: u16, address: IpAddr) -> Project {
    let mut project = Project::empty("interface");
    project.definitions.put(FixtureDefinition {
        id: DefinitionId(1),
        name: "Baton".into(),
        pixels: Pixels::Strip { count: LAMPS, length: SQUARE / COLUMNS as f32 * 0.8 },
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes: Vec::new(),
    });
    let fixtures = u32::from(fixtures);
    let ids = (0..fixtures).map(|index| (index, FixtureId(index + 1)));
    project.fixtures = ids
        .clone()
        .map(|(index, id)| Fixture { id, name: format!("Baton {index}"), definition: DefinitionId(1) })
        .collect();
    let universes = fixtures.div_ceil(IN_A_UNIVERSE);
    project.chains = (0..universes).map(|universe| chain(universe, fixtures)).collect();
    let rows = fixtures.div_ceil(COLUMNS).max(1) as f32;
    let placements = ids.map(|(index, id)| {
        let x = ((index % COLUMNS) as f32 + 0.5) * SQUARE / COLUMNS as f32;
        Placement::at(id, [x, SQUARE - ((index / COLUMNS) as f32 + 0.5) * SQUARE / rows, 0.0])
    });
    let frame = Some(Frame { min: [0.0; 3], max: [SQUARE, SQUARE, 0.0] });
    let topology = project.settings.topology;
    project.layouts.put(Layout { id: topology, name: "Topology".into(), placements: placements.collect(), frame });
    let device = Device::artnet(DeviceId(1), "Nobody", SocketAddr::new(address, ARTNET_PORT));
    project.devices.put(Device { rate: RateLimit::RenderRate, refresh: Refresh::EveryFrame, ..device });
    let (device, port) = (DeviceId(1), PortAddress::default());
    project.routes.put(Route { id: RouteId(1), universe: 0, count: universes as u16, device, port, merge: None });
    project.palettes.put(Palette { id: PaletteId(1), primary: Colour([40, 90, 255]), ..Palette::neutral() });
    let settings = Arc::make_mut(&mut project.settings);
    (settings.palette, settings.exit) = (Some(PaletteId(1)), ExitPolicy::Hold);
    for index in 0..scenes {
        let cell = Cell { column: index % project.grid.columns, row: index / project.grid.columns };
        let scene = Scene::new(SceneId(u32::from(index) + 1), cell, format!("Scene {index}"));
        let first = usize::from(index) * 2;
        project.scenes.put(Scene {
            effects: (first..first + 2).map(|number| effect(number, Workload::Mixed)).collect(),
            ..scene
        });
    }
    project
}

fn chain(universe: u32, fixtures: u32) -> Chain {
    let first = universe * IN_A_UNIVERSE;
    let links = (first..fixtures.min(first + IN_A_UNIVERSE)).filter_map(|index| {
        let channel = DmxAddress::from_offset(((index - first) * LAMPS * 3) as usize)?;
        Some(Link { fixture: FixtureId(index + 1), start: PatchAddress { universe: universe as u16, channel } })
    });
    Chain {
        id: ChainId(universe + 1),
        name: format!("Chain {universe}"),
        straddle: Straddle::WholePixels,
        cap_ma: None,
        links: links.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::validate::repaired;

    #[test]
    fn the_show_is_of_the_size_that_is_asked_for_and_without_a_problem() {
        let project = ui_project(48, 2_000, IpAddr::from([127, 0, 0, 1]));
        assert_eq!((project.scenes.iter().count(), project.fixtures.iter().count()), (48, 2_000));
        assert!(project.scenes.iter().all(|scene| project.grid.holds(scene.cell)));
        let (_, problems) = repaired(project);
        assert!(problems.is_empty(), "{problems:?}");
    }
}
