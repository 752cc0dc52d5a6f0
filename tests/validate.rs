//! Repair and linter: whatever a project refers to or holds, the repaired one can be played.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/any_project.rs"]
mod any_project;

use any_project::{any_project, numbers};
use glowdeck::model::device::{Device, Route};
use glowdeck::model::fixture::{Fixture, FixtureDefinition, Pixels};
use glowdeck::model::id::{
    ChainId, CurveId, DefinitionId, DeviceId, EffectId, FixtureId, LayoutId, RouteId, SceneId, SupplyId, TriggerId,
};
use glowdeck::model::layout::{Layout, Placement};
use glowdeck::model::light::LightResponse;
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::Project;
use glowdeck::model::references::{Key, settings_references};
use glowdeck::model::scene::{Cell, Grid, Scene};
use glowdeck::model::supply::{Current, Supply};
use glowdeck::model::trigger::Trigger;
use glowdeck::model::validate::{checked, repaired};
use glowdeck::storage::format::{from_text, to_text};
use glowdeck::units::PortAddress;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

fn wild_numbers() -> BoxedStrategy<f32> {
    prop_oneof![9 => numbers(), 1 => Just(f32::NAN)].boxed()
}

/// Every reference of the project that leads nowhere.
fn dangling(project: &Project) -> Vec<Key> {
    let users = (project.fixtures.iter().map(|item| Key::Fixture(item.id)))
        .chain(project.chains.iter().map(|item| Key::Chain(item.id)))
        .chain(project.layouts.iter().map(|item| Key::Layout(item.id)))
        .chain(project.routes.iter().map(|item| Key::Route(item.id)))
        .chain(project.scenes.iter().map(|item| Key::Scene(item.id)));
    let references = users.flat_map(|key| project.references_of(key)).chain(settings_references(&project.settings));
    references.filter(|key| !project.holds(*key)).collect()
}

proptest! {
    #[test]
    fn a_repaired_project_refers_to_nothing_that_is_missing(project in any_project(wild_numbers())) {
        let (project, _) = repaired(project);
        prop_assert_eq!(dangling(&project), []);
    }

    #[test]
    fn a_repaired_project_needs_no_repair(project in any_project(wild_numbers())) {
        let (once, _) = repaired(project);
        let (twice, problems) = repaired(once.clone());
        prop_assert_eq!(problems, []);
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn every_repair_is_told(project in any_project(numbers())) {
        let (after, problems) = repaired(project.clone());
        prop_assert_eq!(problems.is_empty(), after == project);
    }

    #[test]
    fn in_a_repaired_project_everything_has_its_own_place(project in any_project(wild_numbers())) {
        let (project, _) = repaired(project);
        let mut cells = BTreeSet::new();
        prop_assert!(project.scenes.iter().all(|scene| project.grid.holds(scene.cell) && cells.insert(scene.cell)));
        let mut effects = BTreeSet::new();
        prop_assert!(project.scenes.iter().flat_map(|scene| &scene.effects).all(|effect| effects.insert(effect.id)));
        let mut chained = BTreeSet::new();
        prop_assert!(project.chains.iter().flat_map(|chain| &chain.links).all(|link| chained.insert(link.fixture)));
        let topology = project.layouts.get(project.settings.topology).unwrap();
        let placed: BTreeSet<_> = topology.placements.iter().map(|placement| placement.fixture).collect();
        prop_assert_eq!(placed.len(), project.fixtures.len());
        prop_assert_eq!(topology.placements.len(), project.fixtures.len());
        prop_assert!(topology.placements.iter().flat_map(|p| p.position).all(f32::is_finite));
    }

    #[test]
    fn the_linter_takes_any_repaired_project(project in any_project(wild_numbers())) {
        let (project, _) = repaired(project);
        for finding in checked(&project) {
            prop_assert_eq!(finding.action, None);
        }
    }
}

fn demo() -> Project {
    from_text(include_str!("../projects/demo.ron")).unwrap().project
}

/// Changes the demo's text in one place, and expects these findings.
fn check_findings(from: &str, to: &str, expected: &[&str]) {
    let text = to_text(&demo(), &[]).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    let project = from_text(&text.replace(from, to)).unwrap().project;
    let (project, problems) = repaired(project);
    assert_eq!(problems, []);
    let found: Vec<String> = checked(&project).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_linter_names_what_looks_wrong() {
    check_findings(
        "(fixture: 5, universe: 6, channel: 1)",
        "(fixture: 5, universe: 5, channel: 352)",
        &["fixture `Rim` (#5): it overlaps fixture `Middle ring` (#4) from universe 5, channel 352 on"],
    );
    let route = "(id: 2, universe: 23, count: 7, device: 2, port: 256)";
    check_findings(
        route,
        "(id: 2, universe: 23, count: 5, device: 2, port: 256)",
        &["routes: these universes of the patch go nowhere: 28 to 29"],
    );
    check_findings(
        route,
        "(id: 2, universe: 23, count: 9, device: 2, port: 256)",
        &["route #2: nothing is patched to its universes 30 to 31"],
    );
    check_findings(
        route,
        "(id: 2, universe: 23, count: 9, device: 2, port: 256, merge: (from: Sacn(63992)))",
        &[
            "route #2: nothing is patched to its universes 31",
            "route #2: only its first 8 universes have one to be merged into them",
        ],
    );
    check_findings(
        route,
        "(id: 2, universe: 23, count: 7, device: 2, port: 20)",
        &["routes: routes #1 and #2 both send to the same node's port-addresses 20 to 22"],
    );
    check_findings(
        route,
        "(id: 2, universe: 23, count: 7, device: 1, port: 256)",
        &["device `Matrix` (#2): no route leads to it"],
    );
    check_findings(
        "                (fixture: 4, universe: 4, channel: 1),\n",
        "",
        &[
            "patch: in no chain, so dark: `Middle ring` (#4)",
            "route #1: nothing is patched to its universes 4 to 5",
            "chain `Middle ring` (#3): it has no fixtures",
        ],
    );
}

#[test]
fn channels_that_straddling_skips_are_free() {
    // Universe 6 holds 170 pixels of the rim in 510 channels; a fixture of two constants fits behind them.
    let text = to_text(&demo(), &[]).unwrap();
    let text =
        text.replace("    fixtures: [\n", "    fixtures: [\n        (id: 90, name: \"Dimmer\", definition: 90),\n");
    let text = text.replace(
        "    definitions: [\n",
        "    definitions: [\n        (id: 90, pixels: Strip(count: 1, length: 0.0), channels: [Constant(1), Constant(2)]),\n",
    );
    let at = |channel| {
        format!("    chains: [\n        (id: 90, links: [(fixture: 90, universe: 6, channel: {channel})]),\n")
    };
    for (channel, overlaps) in [(511, 0), (510, 1)] {
        let text = text.replace("    chains: [\n", &at(channel));
        let (project, _) = repaired(from_text(&text).unwrap().project);
        assert_eq!(checked(&project).len(), overlaps);
    }
}

/// Repairs the demo after `change`, and expects so many problems, the first of which reads like this.
fn check_repair(change: impl FnOnce(&mut Project), problems: usize, first: &str) -> Project {
    let mut project = demo();
    change(&mut project);
    let (project, found) = repaired(project);
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), problems, "{found:?}");
    assert_eq!(found[0], first);
    project
}

fn change_scene(project: &mut Project, id: u32, change: impl FnOnce(&mut Scene)) {
    let mut scene = Scene::clone(project.scene(SceneId(id)).unwrap());
    change(&mut scene);
    project.scenes.put(scene);
}

#[test]
fn homeless_scenes_move_and_others_stay() {
    let taken = Cell { column: 1, row: 0 };
    let project = check_repair(
        |project| change_scene(project, 1, |scene| scene.cell = taken),
        1,
        "scene `Embers` (#2): another scene lies in its cell; moved to column 1, row 1",
    );
    assert_eq!(project.scene(SceneId(1)).unwrap().cell, taken);
    let crowded = |project: &mut Project| {
        project.grid = Grid { columns: 2, rows: 2, ..project.grid };
        let scenes = project.scenes.iter().take(5).map(|scene| Scene::clone(scene)).collect::<Vec<_>>();
        project.scenes = scenes.into_iter().collect();
    };
    let project = check_repair(crowded, 3, "scene `Lagoon` (#3): it lies outside the grid; moved to column 2, row 2");
    assert_eq!((project.grid.columns, project.grid.rows, project.scenes.len()), (2, 3, 5));
}

#[test]
fn what_is_missing_is_dropped_or_reset() {
    check_repair(
        |project| drop(project.curves.remove(CurveId(3))),
        3,
        "effect #5 of scene `Lagoon` (#3): its opacity follows curve #3, which does not exist; it follows none",
    );
    let project = check_repair(
        |project| drop(project.layouts.remove(LayoutId(1))),
        2,
        "settings: there is no layout #1 for the topology; a layout `Topology` was made",
    );
    assert_eq!(project.layouts.get(LayoutId(1)).unwrap().placements.len(), project.fixtures.len());
    let project = check_repair(
        |project| drop(project.fixtures.remove(FixtureId(4))),
        3,
        "chain `Middle ring` (#3): there is no fixture #4; it was taken out of the chain",
    );
    assert!(project.layouts.iter().all(|layout| layout.placements.iter().all(|p| p.fixture != FixtureId(4))));
}

#[test]
fn what_follows_a_trigger_that_is_missing_follows_none() {
    let follow = |project: &mut Project| {
        change_scene(project, 3, |scene| {
            scene.opacity_trigger = Some(TriggerId(9));
            scene.effects[0].opacity.trigger = Some(TriggerId(9));
        });
    };
    let first = "scene `Lagoon` (#3): its opacity follows trigger #9, which does not exist; it follows none";
    let project = check_repair(follow, 2, first);
    assert_eq!(project.scene(SceneId(3)), demo().scene(SceneId(3)));
}

#[test]
fn numbers_of_a_trigger_are_brought_into_range_and_told() {
    let usual = Trigger::kick(TriggerId(2), "Kick");
    let swapped = Trigger { low_hz: 150.0, high_hz: 20.0, ..usual.clone() };
    let first = "trigger `Kick` (#2): its lowest frequency is above its highest; they changed places";
    let project = check_repair(|project| drop(project.triggers.put(swapped)), 1, first);
    assert_eq!(project.triggers.get(TriggerId(2)).unwrap().as_ref(), &usual);
    let wild = Trigger {
        low_hz: f32::NAN,
        high_hz: 1e6,
        attack_secs: -1.0,
        hold_secs: f64::INFINITY,
        release_secs: f64::NAN,
        ..usual
    };
    let first = "trigger `Kick` (#2): its lowest frequency is NaN, which is not 20 to 20000; set to 20";
    let project = check_repair(|project| drop(project.triggers.put(wild.clone())), 5, first);
    assert_eq!(project.triggers.get(TriggerId(2)).unwrap().as_ref(), &wild.bounded(), "repair and edits agree");
}

#[test]
fn the_topology_takes_what_it_lacks_below_the_rest() {
    let lose_rim = |project: &mut Project| {
        let mut topology = project.layouts.get(LayoutId(1)).unwrap().as_ref().clone();
        topology.placements.retain(|placement| placement.fixture != FixtureId(5));
        project.layouts.put(topology);
    };
    let project = check_repair(
        lose_rim,
        1,
        "layout `Topology` (#1): the topology should hold all fixtures, and lacks 1, the first is #5; added below the others",
    );
    let rim = project.layouts.get(LayoutId(1)).unwrap().placements.last().copied().unwrap();
    // The bars reach down to 2.9 m; the rim's radius is 3 m.
    assert_eq!(rim.fixture, FixtureId(5));
    assert!((rim.position[1] + 6.0).abs() < 0.01, "{rim:?}");
}

#[test]
fn twins_get_ids_of_their_own() {
    let project = check_repair(
        |project| change_scene(project, 2, |scene| scene.effects[0].id = EffectId(1)),
        1,
        "effect #1 of scene `Embers` (#2): another effect has the same id; it is #3 now",
    );
    assert_eq!(project.scene(SceneId(2)).unwrap().effects[0].id, EffectId(3));
}

#[test]
fn a_sound_project_stays_shared() {
    let project = demo();
    let (after, problems) = repaired(project.clone());
    assert_eq!(problems, []);
    assert!(after.layouts.same_as(&project.layouts) && Arc::ptr_eq(&after.settings, &project.settings));
    assert_eq!(checked(&after), []);
}

#[test]
fn the_largest_rig_is_repaired_and_checked_without_a_finding() {
    let mut project = Project::empty("large");
    let id = DefinitionId(1);
    let pixels = Pixels::Strip { count: 170, length: 3.0 };
    let channels = FixtureDefinition::rgb();
    project.definitions.put(FixtureDefinition {
        id,
        name: "Strip".into(),
        pixels,
        channels,
        light: LightResponse::default(),
        current: Current::default(),
        modes: vec![],
    });
    let ids = || (0..8192).map(FixtureId);
    project.fixtures = ids().map(|id| Fixture { id, name: "Strip".into(), definition: DefinitionId(1) }).collect();
    let link = |id: FixtureId| Link { fixture: id, start: PatchAddress::from_byte(id.0 as usize * 512).unwrap() };
    let chain = |id| Chain {
        id: ChainId(id),
        name: "Line".into(),
        straddle: Straddle::WholePixels,
        cap_ma: None,
        links: (id * 32..(id + 1) * 32).map(|id| link(FixtureId(id))).collect(),
    };
    project.chains = (0..256).map(chain).collect();
    let placements = ids().map(|id| Placement::at(id, [0.0, id.0 as f32 * 0.1, 0.0])).collect();
    project.layouts.put(Layout { id: LayoutId(1), name: "Topology".into(), placements, frame: None });
    let node = SocketAddr::from(([10, 0, 0, 1], 6454));
    project.devices.put(Device::artnet(DeviceId(1), "Node", node));
    let route = Route {
        id: RouteId(1),
        universe: 0,
        count: 8192,
        device: DeviceId(1),
        port: PortAddress::default(),
        merge: None,
    };
    project.routes.put(route);
    let text = to_text(&project, &[]).unwrap();
    let parsed = from_text(&text).unwrap();
    let (after, problems) = repaired(parsed.project);
    assert_eq!(problems, []);
    assert_eq!(checked(&after), []);
    assert_eq!(after, project);
}

#[test]
fn full_white_over_the_cap_of_a_port_or_a_supply_is_found() {
    let mut project = demo();
    let definitions: Vec<_> = project.definitions.iter().cloned().collect();
    for definition in definitions {
        let current = Current { milliamps: vec![20.0], idle: 1.0 };
        project.definitions.put(FixtureDefinition { current, ..FixtureDefinition::clone(&definition) });
    }
    let chains: Vec<_> = project.chains.iter().cloned().collect();
    project.chains.put(Chain { cap_ma: Some(500.0), ..Chain::clone(&chains[0]) });
    let supply = |id, cap_ma, chains| Supply { id: SupplyId(id), name: "Rack".into(), cap_ma, chains };
    project.supplies.put(supply(1, 1_000_000.0, vec![chains[0].id]));
    project.supplies.put(supply(2, 100.0, vec![chains[1].id]));
    let told: Vec<String> = checked(&project).iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("chain ") && told[0].ends_with("its cap is 0.50 A; it is held down to that"),
        "{told:?}"
    );
    assert!(told[1].starts_with("supply `Rack` (#2): full white draws"), "{told:?}");
}

#[test]
fn a_supply_keeps_only_chains_that_are_there_and_that_no_other_feeds() {
    let mut project = demo();
    let chain = project.chains.iter().next().unwrap().id;
    let supply = |id, cap_ma, chains| Supply { id: SupplyId(id), name: String::new(), cap_ma, chains };
    project.supplies.put(supply(1, f32::NAN, vec![chain, ChainId(999)]));
    project.supplies.put(supply(2, 5.0, vec![chain]));
    let (project, problems) = repaired(project);
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert_eq!(*project.supplies.get(SupplyId(1)).unwrap(), supply(1, 0.0, vec![chain]).into());
    assert_eq!(project.supplies.get(SupplyId(2)).unwrap().chains, []);
}

#[test]
fn more_ways_of_driving_than_there_is_room_for_are_found() {
    let mut project = demo();
    let definition = project.definitions.iter().next().unwrap().clone();
    for number in 0..32 {
        let light = LightResponse { gain: 0.5 + number as f32 / 100.0, ..LightResponse::default() };
        let id = DefinitionId(100 + number);
        project.definitions.put(FixtureDefinition { id, light, ..FixtureDefinition::clone(&definition) });
    }
    let told: Vec<String> = checked(&project).iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("driven in 33 ways, and 32 are the most"), "{told:?}");
}
