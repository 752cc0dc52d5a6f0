//! Test patterns from a command to the bytes: on their target and on nothing else, over the show and under blackout.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod small_rig;

use glowdeck::model::device::{Device, Route};
use glowdeck::model::id::{ChainId, DeviceId, FixtureId, RouteId};
use glowdeck::model::patch::Chain;
use glowdeck::model::project::Project;
use glowdeck::offline::Offline;
use glowdeck::show::command::LiveCommand;
use glowdeck::show::live::Moment;
use glowdeck::show::test_pattern::{Pattern, Target, TestPattern};
use glowdeck::units::PortAddress;
use small_rig::{add_scene, built_in, small_rig};

/// Lamps of the matrix, the ring and the strip.
const SHAPES: [usize; 3] = [64, 24, 16];

/// The small rig lit by a plain colour, its universe and a bare one routed to a device each.
fn rig() -> Project {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    for id in [1, 2] {
        let device = DeviceId(id);
        project.devices.put(Device::artnet(device, format!("node {id}"), "127.0.0.1:6454".parse().unwrap()));
        let port = PortAddress::default();
        project.routes.put(Route { id: RouteId(id), universe: id as u16 - 1, count: 1, device, port, merge: None });
    }
    project
}

struct Bench(Offline);

impl Bench {
    fn new(project: Project) -> Self {
        Self(Offline::new(project, None).unwrap())
    }

    fn live(&mut self, command: LiveCommand) {
        self.0.show().apply(command.into(), Moment::default());
    }

    fn test(&mut self, target: Target, pattern: Pattern) {
        self.live(LiveCommand::Test(Some(TestPattern { target, pattern })));
    }

    fn bytes(&mut self, secs: f64) -> Vec<u8> {
        self.0.frame(secs).unwrap().to_vec()
    }
}

fn lamps(bytes: &[u8]) -> Vec<[u8; 3]> {
    bytes.as_chunks().0[..SHAPES.iter().sum()].to_vec()
}

#[test]
fn a_pattern_shows_on_its_fixture_only_and_the_show_comes_back() {
    let mut bench = Bench::new(rig());
    let plain = bench.bytes(0.0);
    bench.test(Target::Fixture(FixtureId(2)), Pattern::Red);
    let tested = lamps(&bench.bytes(0.0));
    let (shown, ring) = (lamps(&plain), SHAPES[0]..SHAPES[0] + SHAPES[1]);
    for (lamp, colour) in tested.iter().enumerate() {
        let expected = if ring.contains(&lamp) { [255, 0, 0] } else { shown[lamp] };
        assert_eq!(*colour, expected, "lamp {lamp}");
    }
    bench.live(LiveCommand::Test(None));
    assert_eq!(bench.bytes(0.0), plain);
}

#[test]
fn a_chain_is_counted_from_its_head_and_chased_along() {
    let mut bench = Bench::new(rig());
    bench.test(Target::Chain(ChainId(1)), Pattern::Count);
    let ruler = lamps(&bench.bytes(0.0));
    let marks: Vec<usize> = (0..ruler.len()).filter(|lamp| ruler[*lamp] == [0, 255, 0]).collect();
    assert_eq!(marks, [9, 19, 29, 39, 49, 59, 69, 79, 89]);
    assert_eq!(ruler[99], [255, 0, 0], "the hundredth lamp, in the strip");
    bench.test(Target::Chain(ChainId(1)), Pattern::Chase);
    for (secs, lamp) in [(0.0, 0), (4.0, 80), (104.0 / 20.0, 0)] {
        let lit: Vec<usize> =
            lamps(&bench.bytes(secs)).iter().enumerate().filter(|(_, c)| **c == [255; 3]).map(|(l, _)| l).collect();
        assert_eq!(lit, [lamp], "at {secs} s");
    }
}

#[test]
fn a_device_or_route_shows_on_its_universes_also_where_nothing_is_patched() {
    for target in [Target::Device(DeviceId(2)), Target::Route(RouteId(2))] {
        let mut bench = Bench::new(rig());
        let plain = bench.bytes(0.0);
        bench.test(target, Pattern::Green);
        let tested = bench.bytes(0.0);
        assert_eq!(tested[..512], plain[..512], "{target:?}");
        assert!(tested[512..512 + 510].chunks(3).all(|lamp| lamp == [0, 255, 0]), "{target:?}");
    }
    let mut bench = Bench::new(rig());
    bench.test(Target::All, Pattern::White);
    assert!(bench.bytes(0.0)[..312].iter().all(|byte| *byte == 255));
}

#[test]
fn identify_blinks_although_the_picture_stands_still_and_blackout_closes_it() {
    let mut bench = Bench::new(rig());
    bench.test(Target::All, Pattern::Identify);
    let level = |bench: &mut Bench, secs| bench.bytes(secs)[0];
    assert_eq!([0.1, 0.3, 0.6].map(|secs| level(&mut bench, secs)), [255, 0, 255]);
    bench.live(LiveCommand::Blackout(true));
    assert_eq!(level(&mut bench, 1.1), 0);
}

#[test]
fn a_cap_holds_for_a_pattern_too() {
    let mut project = rig();
    let definitions: Vec<_> = project.definitions.iter().cloned().collect();
    for definition in definitions {
        let mut definition = (*definition).clone();
        definition.current = glowdeck::model::supply::Current { milliamps: vec![20.0], idle: 0.0 };
        project.definitions.put(definition);
    }
    // 104 lamps draw 6240 mA for white.
    let chain = Chain { cap_ma: Some(1560.0), ..Chain::clone(project.chains.get(ChainId(1)).unwrap()) };
    project.chains.put(chain);
    let mut bench = Bench::new(project);
    bench.test(Target::All, Pattern::White);
    assert_eq!(bench.bytes(0.0)[..3], [63, 63, 63]);
}

#[test]
fn the_picture_of_the_stage_shows_the_pattern_and_then_the_show_again() {
    let mut bench = Bench::new(rig());
    bench.bytes(0.0);
    let plain = bench.0.stage_png().unwrap();
    bench.test(Target::Fixture(FixtureId(2)), Pattern::Green);
    bench.bytes(0.0);
    let green = bench.0.stage_png().unwrap();
    assert_ne!(green, plain);
    bench.test(Target::Fixture(FixtureId(1)), Pattern::Green);
    bench.bytes(0.0);
    assert_ne!(bench.0.stage_png().unwrap(), green, "another fixture is another picture");
    bench.live(LiveCommand::Test(None));
    bench.bytes(0.0);
    assert_eq!(bench.0.stage_png().unwrap(), plain);
}
