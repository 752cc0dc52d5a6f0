//! Project files: the round trip is the identity, a bad item never stops the rest, nothing panics.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/any_project.rs"]
mod any_project;

use any_project::{any_project, numbers};
use glowdeck::model::device::{Ddp, DdpPixels, Enttec, Incoming, Merge, MergeRule, Mk2Api, Protocol, Sacn};
use glowdeck::model::effect::{Modulated, ParamValue};
use glowdeck::model::id::{CurveId, DeviceId, FixtureId, RouteId, SceneId, TriggerId};
use glowdeck::model::project::Project;
use glowdeck::model::scene::Scene;
use glowdeck::model::trigger::Trigger;
use glowdeck::storage::format::{Parsed, Quarantined, TextError, from_text, to_text};
use glowdeck::storage::load::{LoadError, load, load_text};
use glowdeck::units::{Level, PortAddress};
use proptest::prelude::*;
use std::path::Path;

const DEMO: &str = include_str!("../projects/demo.ron");
const HELLO: &str = include_str!("../projects/hello.ron");

fn parsed(text: &str) -> Parsed {
    from_text(text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"))
}

/// Replaces the one place of `from`.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from}");
    text.replace(from, to)
}

proptest! {
    #[test]
    fn a_project_survives_the_way_to_text_and_back(project in any_project(numbers())) {
        // A project without any layout is given one.
        prop_assume!(!project.layouts.is_empty());
        let text = to_text(&project, &[]).unwrap();
        let back = parsed(&text);
        prop_assert_eq!(&back.problems, &[]);
        prop_assert_eq!(&back.quarantined, &[]);
        prop_assert_eq!(&back.project, &project, "{}", text);
        prop_assert_eq!(to_text(&back.project, &[]).unwrap(), text);
    }

    #[test]
    fn damaged_files_give_a_project_or_an_error_but_never_a_panic(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
        demo in prop::bool::weighted(0.2),
    ) {
        let mut bytes = if demo { DEMO } else { HELLO }.as_bytes().to_vec();
        for (at, byte, kind) in damage {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte & 0x7f,
                1 => { bytes.remove(at); }
                _ => bytes.insert(at, b"()[]{},:\"#0-9aN"[usize::from(byte) % 15]),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match load_text(&text, Path::new("fuzz.ron")) {
            Ok(loaded) => {
                let again = to_text(&loaded.project, &loaded.quarantined).unwrap();
                let back = load_text(&again, Path::new("fuzz.ron")).unwrap();
                let sorted = |mut kept: Vec<Quarantined>| { kept.sort(); kept };
                prop_assert_eq!(sorted(back.quarantined), sorted(loaded.quarantined));
                prop_assert_eq!(back.project, loaded.project);
            }
            Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1),
        }
    }
}

#[test]
fn files_cut_short_anywhere_are_errors() {
    for length in (0..HELLO.trim_end().len()).filter(|length| HELLO.is_char_boundary(*length)) {
        assert!(from_text(&HELLO[..length]).is_err(), "{length}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for open in ["(a: ", "[", "Some(", "{", "/*"] {
        let text = format!("(version: 1, scenes: {}", open.repeat(200_000));
        assert!(from_text(&text).is_err(), "{open}");
    }
}

/// Loads the hello project with one change that spoils one item; expects its problem's start.
fn check_quarantine(from: &str, to: &str, problem: &str) {
    let text = changed(HELLO, from, to);
    let found = parsed(&text);
    let told: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with(problem), "{told:?} should start with {problem}");
    assert!(told[0].ends_with("; left out of the show, kept in the file"), "{told:?}");
    let saved = to_text(&found.project, &found.quarantined).unwrap();
    let again = parsed(&saved);
    assert_eq!((again.project, again.quarantined), (found.project, found.quarantined));
    // What was wrong can still be corrected in the saved file.
    if saved.matches(to).count() == 1 {
        assert_eq!(parsed(&changed(&saved, to, from)).project, parsed(HELLO).project);
    }
}

#[test]
fn a_bad_item_is_left_out_named_with_its_line_and_kept_by_a_save() {
    check_quarantine("name: \"Warm\",", "nmae: \"Warm\",", "line 47: scene #1: ");
    check_quarantine(
        "id: 2,\n            name: \"Rainbow\"",
        "id: 1, name: \"Twin\"",
        "line 56: scene `Twin` (#1): another",
    );
    check_quarantine("active: true", "active: 7", "line 61: scene `Rainbow` (#2): Expected boolean");
    check_quarantine("Number(20.0)", "Numbr(20.0)", "line 76: scene `Chase` (#3): ");
    check_quarantine("row: 0,\n            active", "row: 300,\n            active", "line 60: scene `Rainbow` (#2): ");
    check_quarantine("channel: 1)", "channel: 0)", "line 20: chain `Strip` (#1): channel 0 of fixture #1");
    check_quarantine("127.0.0.1:6454", "somewhere", "line 38: device `This computer` (#1): `somewhere` is no address");
    check_quarantine("port: 0)", "port: 32768)", "line 41: route #1: port 32768 is no port-address");
    check_quarantine("\"#ffaa00\"]", "\"#ffaa0\"]", "line 10: palette `Dusk` (#1): `#ffaa0` is no colour");
    check_quarantine(", \"#ffaa00\"]", "]", "line 5: palette `Dusk` (#1): its gradient has 15 stops");
    check_quarantine("    grid: (", "    gird: (columns: 9),\n    grid: (", "line 43: section `gird`: it is not known");
}

/// The hello project with its node changed; the device, what was told, and the protocol as a save writes it.
fn with_protocol(protocol: &str) -> (Protocol, Vec<String>, String) {
    let text = changed(HELLO, "ArtNet(address: \"127.0.0.1:6454\")", protocol);
    let loaded = load_text(&text, Path::new("hello.ron")).unwrap();
    let device = loaded.project.devices.get(DeviceId(1)).unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let saved = to_text(&loaded.project, &[]).unwrap();
    let line = saved.lines().find(|line| line.contains("protocol: ")).unwrap();
    let written = line.split_once("protocol: ").unwrap().1.trim_end_matches([')', ',', ' ']).to_owned();
    (device.protocol.clone(), loaded.problems.iter().map(ToString::to_string).collect(), written)
}

#[test]
fn protocols_are_read_with_their_defaults_and_written_without() {
    let check = |text: &str, expected: Protocol| {
        let (protocol, told, written) = with_protocol(text);
        assert_eq!((protocol, told), (expected, vec![]), "{text}");
        assert_eq!(written, text.trim_end_matches(')'));
    };
    check("Sacn()", Protocol::Sacn(Sacn::default()));
    let sacn = Sacn {
        address: Some("2.0.0.10:5568".parse().unwrap()),
        first_universe: 101,
        priority: 150,
        sync_universe: Some(7000),
        ttl: 8,
    };
    let text = "Sacn(address: \"2.0.0.10:5568\", first_universe: 101, priority: 150, sync_universe: 7000, \
                ttl: 8)";
    check(text, Protocol::Sacn(sacn));
    let address = "2.0.0.10:4048".parse().unwrap();
    let ddp = |pixels, channels| Protocol::Ddp(Ddp { address, pixels, channels });
    check("Ddp(address: \"2.0.0.10:4048\")", ddp(DdpPixels::Rgb, None));
    let text = "Ddp(address: \"2.0.0.10:4048\", pixels: Rgbw, channels: 480)";
    check(text, ddp(DdpPixels::Rgbw, Some(480)));
    check("Enttec()", Protocol::Enttec(Enttec::default()));
    let mk2 = Some(Mk2Api { key: 287_454_020, assign: 100, send: 101 });
    let text = "Enttec(port: \"EN123456\", mk2: (key: 287454020, assign: 100, send: 101))";
    check(text, Protocol::Enttec(Enttec { port: "EN123456".into(), mk2 }));
}

/// The hello project with its node and what follows changed; its interface, what was told, and whether a save is the same.
fn with_interface(protocol: &str) -> (Option<String>, usize, bool) {
    let text = changed(HELLO, "ArtNet(address: \"127.0.0.1:6454\")", protocol);
    let loaded = load_text(&text, Path::new("hello.ron")).unwrap();
    let interface = loaded.project.devices.get(DeviceId(1)).unwrap().interface.clone();
    let again = load_text(&to_text(&loaded.project, &[]).unwrap(), Path::new("hello.ron")).unwrap();
    assert_eq!(again.project, loaded.project);
    (interface, loaded.problems.len(), to_text(&loaded.project, &[]).unwrap().contains(protocol))
}

#[test]
fn every_device_may_name_its_interface_and_that_of_multicast_stays_where_it_was() {
    let eth1 = Some("eth1".to_owned());
    for protocol in
        ["ArtNet(address: \"2.0.0.9:6454\")", "Sacn(address: \"2.0.0.9:5568\")", "Ddp(address: \"2.0.0.9:4048\")"]
    {
        assert_eq!(with_interface(protocol), (None, 0, true));
        assert_eq!(with_interface(&format!("{protocol}, interface: \"eth1\"")), (eth1.clone(), 0, true));
    }
    assert_eq!(with_interface("Sacn(interface: \"eth1\")"), (eth1.clone(), 0, true), "an old file");
    assert_eq!(with_interface("Sacn(), interface: \"eth1\""), (eth1, 0, false));
    let unused = with_interface("Sacn(address: \"2.0.0.9:5568\", interface: \"eth1\")");
    assert_eq!(unused, (None, 1, false), "it never had a meaning, and the light stays on");
}

#[test]
fn numbers_of_a_protocol_that_are_out_of_range_are_clamped_and_told() {
    let (protocol, told, _) = with_protocol("Sacn(first_universe: 64000, priority: 201, sync_universe: 0, ttl: 0)");
    let expected = Sacn { first_universe: 63_999, priority: 200, sync_universe: Some(1), ttl: 1, ..Sacn::default() };
    assert_eq!(protocol, Protocol::Sacn(expected));
    let said = |what: &str| told.iter().any(|line| line.contains(what));
    assert!(said("its first universe is 64000, which is not 1 to 63999") && said("its priority is 201"), "{told:#?}");
    assert!(said("its sync universe is 0") && said("its ttl is 0") && told.len() == 4, "{told:#?}");
    let (protocol, told, _) = with_protocol("Sacn(first_universe: 99999, priority: 1000)");
    let Protocol::Sacn(sacn) = protocol else { panic!("{protocol:?}") };
    assert_eq!((sacn.first_universe, sacn.priority), (63_999, 200));
    assert!(told.iter().any(|line| line.contains("priority is 1000")), "{told:#?}");
    let (protocol, told, _) = with_protocol("Ddp(address: \"1.2.3.4:4048\", channels: 600)");
    assert!(matches!(protocol, Protocol::Ddp(Ddp { channels: Some(512), .. })) && told.len() == 1, "{told:#?}");
    let (protocol, told, _) = with_protocol("Enttec(port: \" EN1\\n\", mk2: (key: 1, assign: 2, send: 101))");
    assert_eq!(protocol, Protocol::Enttec(Enttec { port: "EN1".into(), mk2: None }));
    assert!(told.len() == 2 && told[1].contains("labels 2 and 101"), "{told:#?}");
}

#[test]
fn what_a_route_merges_is_read_and_written_as_it_is_and_put_into_range() {
    let with =
        |merge: &str| load_text(&changed(HELLO, "port: 0)", &format!("port: 0, {merge})")), Path::new("hello.ron"));
    let port = PortAddress::new(0x123).unwrap();
    let check = |text: &str, from: Incoming, rule: MergeRule| {
        let loaded = with(text).unwrap();
        assert_eq!(loaded.problems, vec![]);
        assert_eq!(loaded.project.routes.get(RouteId(1)).unwrap().merge, Some(Merge { from, rule }));
        let saved = to_text(&loaded.project, &[]).unwrap();
        assert!(saved.contains(text), "{saved}");
    };
    check("merge: (from: ArtNet(291))", Incoming::ArtNet(port), MergeRule::Htp);
    check("merge: (from: Sacn(63999), rule: Ltp)", Incoming::Sacn(63_999), MergeRule::Ltp);
    for (universe, expected) in [("0", 1), ("64000", 63_999), ("99999", 63_999)] {
        let loaded = with(&format!("merge: (from: Sacn({universe}))")).unwrap();
        let merge = loaded.project.routes.get(RouteId(1)).unwrap().merge.unwrap();
        assert_eq!(merge.from, Incoming::Sacn(expected));
        assert!(!loaded.problems.is_empty());
    }
    let refused = with("merge: (from: ArtNet(32768))").unwrap();
    assert_eq!(refused.project.routes.len(), 0);
    assert!(refused.problems[0].to_string().contains("port 32768 is no port-address"), "{:?}", refused.problems);
}

#[test]
fn the_rest_of_a_project_with_a_bad_item_plays() {
    let text = changed(HELLO, "name: \"Warm\",", "nmae: \"Warm\",");
    let loaded = load_text(&text, Path::new("hello.ron")).unwrap();
    let ids: Vec<_> = loaded.project.scenes.iter().map(|scene| scene.id).collect();
    assert_eq!(ids, [SceneId(2), SceneId(3)]);
    assert!(loaded.project.fixtures.contains(FixtureId(1)));
}

#[test]
fn a_section_of_the_wrong_kind_is_told_and_the_rest_is_read() {
    for (from, to) in [("grid: (columns: 8, rows: 6)", "grid: 5"), ("(name: \"Hello\", ", "(nam: \"Hello\", ")] {
        let found = parsed(&changed(HELLO, from, to));
        assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
        assert_eq!(found.project.scenes.len(), 3);
    }
}

#[test]
fn levels_and_tempo_out_of_range_are_clamped_and_told() {
    let text = changed(HELLO, "bpm: 120.0", "bpm: 5.0, master: 2.0");
    let text = changed(&text, "active: true", "opacity: -1.0");
    let found = parsed(&text);
    assert_eq!(found.problems.len(), 3, "{:?}", found.problems);
    assert_eq!(found.project.settings.bpm.get(), 20.0);
    assert_eq!(found.project.scene(SceneId(2)).unwrap().opacity.get(), 0.0);
}

#[test]
fn a_file_may_leave_out_every_default() {
    let found = parsed("(version: 1)");
    assert_eq!((found.project, found.problems), (Project::empty(""), vec![]));
}

#[test]
fn what_is_no_project_says_what_to_do() {
    let message = |text: &str| load_text(text, Path::new("show.ron")).unwrap_err().to_string();
    assert!(message("(version: 7)").contains("written by a newer Glowdeck (version 7); update Glowdeck"));
    assert!(message("(version: 7, scenes: 5, things: [())])").starts_with("show.ron:1:"), "not even RON");
    assert!(message("(version: 0)").contains("write `version: 1`"));
    assert!(message("(settings: (name: \"x\"))").contains("write `version: 1`"));
    assert!(
        message("(\n  version: 1,\n  scenes: [,\n)").starts_with("show.ron:3:12: "),
        "{}",
        message("(\n  version: 1,\n  scenes: [,\n)")
    );
    assert!(matches!(from_text("hello"), Err(TextError::Syntax(_))));
    let load_message = |path: &Path| load(path).unwrap_err();
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("binary");
    std::fs::write(&binary, [0xff, 0xfe]).unwrap();
    assert!(matches!(load_message(&binary), LoadError::NotText { .. }));
    assert!(matches!(load_message(&folder.path().join("no")), LoadError::Missing { .. }));
    assert!(matches!(load_message(folder.path()), LoadError::Unreadable { .. }));
    let huge = folder.path().join("huge");
    std::fs::File::create(&huge).unwrap().set_len((256 << 20) + 1).unwrap();
    assert!(matches!(load_message(&huge), LoadError::TooLarge { .. }));
}

#[test]
fn a_section_with_an_odd_name_is_kept_too() {
    let found = parsed("(version: 1, r#stage-plan: (a: 1))");
    assert_eq!(found.quarantined, [Quarantined::Section { name: "stage-plan".into(), text: "(a: 1)".into() }]);
    assert_eq!(parsed(&to_text(&found.project, &found.quarantined).unwrap()).quarantined, found.quarantined);
}

#[test]
fn quarantined_text_goes_back_into_its_section() {
    let kept = [Quarantined::Item { section: "scenes", text: "(id: oops)".into() }];
    let text = to_text(&Project::empty("x"), &kept).unwrap();
    assert!(text.contains("scenes: [\n        (id: oops),\n    ],"), "{text}");
}

#[test]
fn the_example_of_the_documentation_loads() {
    let (_, text) = include_str!("../projects/README.md").split_once("```ron\n").unwrap();
    let (text, _) = text.split_once("```").unwrap();
    let loaded = load_text(text, Path::new("docs")).unwrap();
    // It leaves layouts and palettes out for brevity.
    let items: Vec<&str> = loaded.problems.iter().map(|problem| problem.item.as_str()).collect();
    assert_eq!(items, ["layout `Topology` (#1)", "settings"]);
}

#[test]
fn light_and_current_may_be_given_in_part_and_defaults_are_not_written() {
    let strip =
        |more: &str| format!("(version: 1, definitions: [(id: 1, pixels: Strip(count: 1, length: 1.0){more})])");
    let plain = parsed(&strip(""));
    assert_eq!(parsed(&strip(", light: (), current: ()")).project, plain.project);
    let written = to_text(&plain.project, &[]).unwrap();
    assert!(!written.contains("light") && !written.contains("current"), "{written}");
    let found = parsed(&strip(", light: (white_point: Kelvin(3200.0), response: Gamma(2.2)), current: (idle: 0.5)"));
    assert_eq!(found.problems, []);
    let written = to_text(&found.project, &[]).unwrap();
    let part = "light: (white_point: Kelvin(3200.0), response: Gamma(2.2)), current: (idle: 0.5)";
    assert!(written.replace(['\n', ' '], "").contains(&part.replace(' ', "")), "{written}");
}

#[test]
fn a_project_without_triggers_is_written_as_it_was_before_there_were_any() {
    for text in [DEMO, HELLO] {
        assert_eq!(to_text(&parsed(text).project, &[]).unwrap(), text);
        assert!(!text.contains("rigger") && !text.contains("Moving"));
    }
}

/// Puts a parameter's value into a project, and expects the text that is written for it.
fn check_param(value: ParamValue, expected: &str) {
    let mut project = parsed(HELLO).project;
    let mut scene = Scene::clone(project.scene(SceneId(3)).unwrap());
    scene.effects[0].params.insert("x".into(), value);
    project.scenes.put(scene);
    let text = to_text(&project, &[]).unwrap();
    let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(&format!("\"x\": {expected}")), "{expected} in {flat}");
    assert_eq!(parsed(&text).project, project);
}

#[test]
fn numbers_that_move_are_written_with_what_moves_them_and_nothing_else() {
    let moving = |base, curve: Option<u32>, trigger: Option<u32>| Modulated {
        base,
        curve: curve.map(CurveId),
        trigger: trigger.map(TriggerId),
    };
    check_param(ParamValue::Number(moving(2.0, None, None)), "Number(2.0)");
    check_param(ParamValue::Number(moving(2.0, Some(7), None)), "Modulated(2.0, 7)");
    check_param(ParamValue::Number(moving(2.0, None, Some(4))), "Moving(base: 2.0, trigger: 4)");
    check_param(ParamValue::Number(moving(2.0, Some(7), Some(4))), "Moving(base: 2.0, curve: 7, trigger: 4)");
    check_param(ParamValue::Point(0.5.into(), 0.25.into()), "Point(0.5, 0.25)");
    let point = ParamValue::Point(moving(0.5, Some(7), None), 0.25.into());
    check_param(point, "MovingPoint((base: 0.5, curve: 7), (base: 0.25))");
}

#[test]
fn a_trigger_is_a_line_whose_times_may_be_left_out() {
    let text = "(version: 1, triggers: [(id: 1, low_hz: 20.0, high_hz: 150.0, threshold: 7.0)])";
    let found = parsed(text);
    let told: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
    let fault = "line 1: trigger #1: threshold is 7, which is not 0 to 1; the nearest allowed value is used";
    assert_eq!(told, [fault]);
    let id = TriggerId(1);
    let square = Trigger { attack_secs: 0.0, hold_secs: 0.0, release_secs: 0.0, ..Trigger::kick(id, "") };
    assert_eq!(found.project.triggers.get(id).unwrap().as_ref(), &Trigger { threshold: Level::FULL, ..square });
    let written = to_text(&found.project, &[]).unwrap();
    let line = "triggers: [\n        (id: 1, name: \"\", low_hz: 20.0, high_hz: 150.0, threshold: 1.0),\n    ],";
    assert!(written.contains(line), "{written}");
}

#[test]
fn the_trigger_of_the_documentation_is_one() {
    let (_, example) = include_str!("../projects/README.md").split_once("`triggers: [").unwrap();
    let (example, _) = example.split_once('`').unwrap();
    let found = parsed(&format!("(version: 1, triggers: [{example})"));
    let id = TriggerId(2);
    assert_eq!(found.project.triggers.get(id).unwrap().as_ref(), &Trigger::kick(id, "Kick"));
}
