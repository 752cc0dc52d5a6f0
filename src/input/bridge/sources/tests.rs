//! Sources under simulated time.

use super::*;
use crate::model::device::{Merge, MergeRule, Route};
use crate::model::id::{DeviceId, RouteId};
use crate::units::PortAddress;

const OWN: Cid = Cid([1; 16]);
const SACN: u16 = 7;

fn port() -> PortAddress {
    PortAddress::new(0x12).unwrap()
}

fn project(count: u16) -> Project {
    let mut project = Project::empty("merging");
    for (id, from) in [(1, Incoming::ArtNet(port())), (2, Incoming::Sacn(SACN))] {
        let merge = Some(Merge { from, rule: MergeRule::Htp });
        let (device, port) = (DeviceId(1), PortAddress::default());
        project.routes.put(Route { id: RouteId(id), universe: 0, count, device, port, merge });
    }
    project
}

struct Rig {
    sources: Sources,
    now: Instant,
    /// The levels of the first channels as they were handed over last.
    artnet: Option<[u8; 2]>,
    sacn: Option<[u8; 2]>,
}

impl Rig {
    fn new() -> Self {
        let mut sources = Sources::new(OWN);
        assert_eq!(sources.follow(&project(1)), 0);
        Self { sources, now: Instant::now(), artnet: None, sacn: None }
    }

    fn dmx(&mut self, host: u8, sequence: u8, data: &[u8]) {
        let from = Ipv4Addr::new(2, 0, 0, host);
        self.sources.hear_dmx(self.now, from, &artnet::Dmx { sequence, port: port(), data });
        self.look();
    }

    /// Data of source `id` with this priority.
    fn sacn(&mut self, id: u8, priority: u8, sequence: u8, slots: &[u8]) {
        self.sacn_but(id, priority, sequence, slots, |_| ());
    }

    fn sacn_but(&mut self, id: u8, priority: u8, seq: u8, slots: &[u8], change: impl FnOnce(&mut sacn::Data<'_>)) {
        let mut data = sacn::Data {
            cid: Cid([id; 16]),
            source: b"desk",
            priority,
            sync_universe: None,
            sequence: seq,
            preview: false,
            terminated: false,
            force_sync: false,
            universe: SACN,
            start_code: 0,
            slots,
        };
        change(&mut data);
        self.sources.hear_sacn(self.now, Ipv4Addr::new(10, 0, 0, id), &data);
        self.look();
    }

    fn look(&mut self) {
        let Some(light) = self.sources.take_changed() else { return };
        let levels = |universe| light.universes.get(&universe).map(|levels| [levels[0], levels[1]]);
        (self.artnet, self.sacn) = (levels(Incoming::ArtNet(port())), levels(Incoming::Sacn(SACN)));
    }

    fn pass(&mut self, secs: f64) -> Vec<Gone> {
        self.now += Duration::from_secs_f64(secs);
        let gone = self.sources.expire(self.now);
        self.look();
        gone
    }
}

#[test]
fn two_art_net_senders_are_merged_and_a_third_is_not_heard() {
    let mut rig = Rig::new();
    rig.dmx(1, 1, &[10, 20]);
    rig.dmx(2, 1, &[20, 10]);
    rig.dmx(3, 1, &[255, 255]);
    assert_eq!(rig.artnet, Some([20, 20]));
    assert_eq!(rig.sacn, None);
    rig.dmx(2, 2, &[0, 0]);
    assert_eq!(rig.artnet, Some([10, 20]));
}

#[test]
fn a_sender_that_falls_silent_is_held_for_10_s() {
    let mut rig = Rig::new();
    rig.dmx(1, 1, &[10, 20]);
    rig.pass(4.0);
    rig.dmx(2, 1, &[30, 5]);
    assert_eq!(rig.pass(5.999), []);
    assert_eq!(rig.artnet, Some([30, 20]));
    let gone = rig.pass(0.001);
    let id = SourceId::Address(Ipv4Addr::new(2, 0, 0, 1));
    assert_eq!(gone, [Gone { universe: Incoming::ArtNet(port()), id, from: Ipv4Addr::new(2, 0, 0, 1) }]);
    assert_eq!(rig.artnet, Some([30, 5]));
    rig.dmx(3, 1, &[1, 40]);
    assert_eq!(rig.artnet, Some([30, 40]), "there is room for another one");
    rig.pass(10.0);
    assert_eq!(rig.artnet, None);
}

#[test]
fn late_art_net_is_left_out_and_who_does_not_count_is_heard() {
    let mut rig = Rig::new();
    rig.dmx(1, 250, &[1, 0]);
    rig.dmx(1, 2, &[2, 0]);
    rig.dmx(1, 255, &[3, 0]);
    assert_eq!(rig.artnet, Some([2, 0]), "255 comes before 2");
    rig.dmx(1, 2, &[4, 0]);
    assert_eq!(rig.artnet, Some([4, 0]), "a number that is repeated");
    rig.dmx(1, 0, &[5, 0]);
    rig.dmx(1, 0, &[6, 0]);
    assert_eq!(rig.artnet, Some([6, 0]));
    rig.dmx(1, 100, &[7, 0]);
    rig.dmx(1, 50, &[8, 0]);
    assert_eq!(rig.artnet, Some([8, 0]), "so far behind it started anew");
}

#[test]
fn the_highest_priority_counts_and_equal_ones_are_merged() {
    let mut rig = Rig::new();
    rig.sacn(2, 100, 1, &[10, 20]);
    rig.sacn(3, 100, 1, &[20, 10]);
    assert_eq!(rig.sacn, Some([20, 20]));
    rig.sacn(4, 150, 1, &[1, 2]);
    assert_eq!(rig.sacn, Some([1, 2]));
    rig.sacn(4, 50, 2, &[1, 2]);
    assert_eq!(rig.sacn, Some([20, 20]), "it gave way");
}

#[test]
fn a_lost_source_gives_way_and_the_last_one_is_held() {
    let mut rig = Rig::new();
    rig.sacn(2, 100, 1, &[10, 20]);
    rig.sacn(3, 150, 1, &[1, 2]);
    for second in 2..=3 {
        rig.pass(1.25);
        rig.sacn(2, 100, second, &[10, 20]);
    }
    assert_eq!(rig.sacn, Some([10, 20]), "the higher one is silent for 2.5 s");
    rig.sacn(3, 150, 1, &[3, 4]);
    assert_eq!(rig.sacn, Some([3, 4]), "it comes back with any number");
    rig.pass(9.9);
    assert_eq!(rig.sacn, Some([3, 4]), "both are lost, and the higher one is held");
    rig.pass(0.1);
    assert_eq!(rig.sacn, None);
}

#[test]
fn a_source_that_ends_is_let_go_at_once() {
    let mut rig = Rig::new();
    rig.sacn(2, 100, 1, &[10, 20]);
    rig.sacn_but(2, 100, 2, &[10, 20], |data| data.terminated = true);
    assert_eq!(rig.sacn, None);
    rig.sacn_but(2, 100, 3, &[10, 20], |data| data.terminated = true);
    assert_eq!(rig.sacn, None, "the end is said three times");
}

#[test]
fn sacn_is_taken_in_its_order() {
    let mut rig = Rig::new();
    for (sequence, taken) in [(5, true), (5, false), (4, false), (242, false), (241, true), (242, true), (10, true)] {
        let before = rig.sacn;
        let level = sequence + 1;
        rig.sacn(2, 100, sequence, &[level, 0]);
        assert_eq!(rig.sacn, if taken { Some([level, 0]) } else { before }, "{sequence}");
    }
}

#[test]
fn what_is_ours_or_meant_for_a_preview_or_no_levels_is_not_heard() {
    let mut rig = Rig::new();
    rig.sacn(OWN.0[0], 200, 1, &[255, 255]);
    rig.sacn_but(2, 100, 1, &[255, 255], |data| data.preview = true);
    rig.sacn_but(2, 100, 2, &[255, 255], |data| data.start_code = 0xdd);
    rig.sacn_but(2, 100, 3, &[255, 255], |data| data.universe = SACN + 1);
    assert_eq!(rig.sacn, None);
}

#[test]
fn short_data_leave_the_rest_at_zero() {
    let mut rig = Rig::new();
    rig.sacn(2, 100, 1, &[9, 9]);
    rig.sacn(2, 100, 2, &[8]);
    assert_eq!(rig.sacn, Some([8, 0]));
}

#[test]
fn memory_is_bounded_whoever_sends() {
    let mut rig = Rig::new();
    for id in 2..=200 {
        rig.sacn(id, 100, 1, &[id, 0]);
        rig.dmx(id, 1, &[id, 0]);
    }
    let counts: Vec<usize> = rig.sources.universes.values().map(|universe| universe.sources.len()).collect();
    assert_eq!(counts, [ARTNET_SOURCES, SACN_SOURCES]);
    assert_eq!(rig.sacn, Some([9, 0]), "who is first stays");
    rig.sacn(250, 101, 1, &[77, 0]);
    assert_eq!(rig.sacn, Some([77, 0]), "a higher priority finds room");
    assert_eq!(rig.sources.follow(&project(600)), 2 * 600 - MOST_UNIVERSES);
    assert_eq!(rig.sources.universes.len(), MOST_UNIVERSES);
}

#[test]
fn what_is_merged_no_more_is_let_go() {
    let mut rig = Rig::new();
    rig.sacn(2, 100, 1, &[10, 20]);
    rig.dmx(2, 1, &[10, 20]);
    rig.sources.follow(&Project::empty("nothing"));
    rig.look();
    assert_eq!((rig.artnet, rig.sacn), (None, None));
}

#[test]
fn who_is_heard_is_listed_with_whose_levels_count() {
    let mut rig = Rig::new();
    assert!(rig.sources.heard(rig.now).is_empty());
    rig.sacn(3, 100, 1, &[9]);
    rig.sacn(4, 120, 1, &[9]);
    rig.dmx(5, 1, &[9]);
    let heard = rig.sources.heard(rig.now);
    let shown: Vec<_> = heard.iter().map(|sender| (sender.name.as_str(), sender.priority, sender.counts)).collect();
    assert_eq!(shown, [("", None, true), ("desk", Some(100), false), ("desk", Some(120), true)]);
    assert_eq!(rig.sources.heard(rig.now + Duration::from_millis(900)), heard, "packets alone change nothing");
    let began = rig.now;
    rig.now += LOST;
    rig.sacn(3, 100, 2, &[9]);
    let heard = rig.sources.heard(rig.now);
    let shown: Vec<_> = heard.iter().map(|sender| (sender.silent_since, sender.counts)).collect();
    assert_eq!(shown, [(Some(began), true), (None, true), (Some(began), false)], "a lost one makes way");
}
