//! Another console's light from its packets to ours, with the running program and real sockets on loopback.
//!
//! Our network is one loopback address, other senders have others; multicast stays on loopback. Every wait has a
//! predicate and an end. What happens at which second is tested in simulated time beside the sources; here it is seen
//! once that the ten seconds are real ones.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]
#![cfg(target_os = "linux")]

#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::console::{Console, ConsoleOptions};
use glowdeck::model::device::{Device, Incoming, Merge, MergeRule, Protocol, RateLimit, Refresh, Route, Sacn};
use glowdeck::model::id::{DeviceId, RouteId, SceneId};
use glowdeck::model::project::Project;
use glowdeck::output::artnet::{self, Packet};
use glowdeck::output::cid::Cid;
use glowdeck::output::discovery::poller::Network;
use glowdeck::output::discovery::{DiscoveryOptions, Networks};
use glowdeck::output::sacn;
use glowdeck::show::command::LiveCommand;
use glowdeck::units::PortAddress;
use small_rig::{add_scene, built_in, small_rig};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// Longer than anything takes on the slowest machine, but for what is held.
const SOON: Duration = Duration::from_secs(15);
const HELD: Duration = Duration::from_secs(10);
/// No port of anybody's; each test has addresses of its own.
const PORT: u16 = 26_455;
/// Channels, from 0, that no lamp of the rig has.
const FREE: usize = 400;

/// Loopback addresses that no other test and no other run has.
fn address(test: u8, host: u8) -> Ipv4Addr {
    let [.., high, low] = std::process::id().to_be_bytes();
    Ipv4Addr::new(127, 192 | (test << 3) | (high & 7), low, host)
}

fn port(raw: u16) -> PortAddress {
    PortAddress::new(raw).unwrap()
}

/// An sACN universe that no other run has.
fn universe() -> u16 {
    20_000 + (std::process::id() % 40_000) as u16
}

/// The node that is sent the light, and the other console.
struct Rig {
    console: Console,
    node: UdpSocket,
    other: UdpSocket,
    sequence: u8,
    /// What the node shows of its first two universes.
    shown: [[u8; 512]; 2],
}

impl Rig {
    /// Universe 0 has lamps, universe 1 has none.
    fn start(test: u8, asks: bool, routes: impl FnOnce(&mut Project)) -> Self {
        let node = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
        node.set_read_timeout(Some(SOON)).unwrap();
        let mut project = small_rig();
        add_scene(&mut project, 1, vec![built_in(1, "solid")]);
        let artnet = Device::artnet(DeviceId(1), "node", node.local_addr().unwrap());
        project.devices.put(Device { rate: RateLimit::RenderRate, refresh: Refresh::EveryFrame, ..artnet });
        routes(&mut project);
        let ours = Network { address: address(test, 1), broadcast: address(test, 255), prefix_bits: 24 };
        let discovery = Some(DiscoveryOptions { networks: Networks::Fixed(vec![ours]), port: PORT, asks });
        let (path, quarantined) = (None, Vec::new());
        let options =
            ConsoleOptions { project, path, quarantined, fps: Some(50.0), dialect: None, discovery, interface: None };
        let console = Console::start(options).unwrap();
        let other = UdpSocket::bind((address(test, 3), 0)).unwrap();
        rustix::net::sockopt::set_ip_multicast_if(&other, &Ipv4Addr::LOCALHOST).unwrap();
        Self { console, node, other, sequence: 0, shown: [[0; 512]; 2] }
    }

    fn send_dmx(&mut self, to: Ipv4Addr, raw: u16, channel: usize, level: u8) {
        self.sequence = artnet::next_sequence(self.sequence);
        let mut packet = artnet::dmx_packet(port(raw));
        packet[12] = self.sequence;
        artnet::dmx_data_mut(&mut packet)[channel] = level;
        self.other.send_to(&packet, (to, PORT)).unwrap();
    }

    fn send_sacn(&mut self, channel: usize, level: u8, ends: bool) {
        self.send_sacn_to(universe(), channel, level, ends);
    }

    fn send_sacn_to(&mut self, universe: u16, channel: usize, level: u8, ends: bool) {
        self.sequence = artnet::next_sequence(self.sequence);
        let mut packet = sacn::data_packet(Cid([7; 16]), universe, 100, 0);
        packet[111] = self.sequence;
        packet[sacn::DATA_HEADER + channel] = level;
        if ends {
            sacn::terminate(&mut packet);
        }
        // Where the packet leaves is the interface of loopback.
        self.other.send_to(&packet, SocketAddr::V4(sacn::group(universe))).unwrap();
    }

    /// Takes packets, each followed by what the other console does, until the node shows what is wanted.
    fn until(
        &mut self,
        what: &str,
        limit: Duration,
        play: impl Fn(&mut Self),
        shows: impl Fn(&[[u8; 512]; 2]) -> bool,
    ) {
        let deadline = Instant::now() + limit;
        let mut bytes = [0; 600];
        while !shows(&self.shown) {
            assert!(Instant::now() < deadline, "it never came: {what}");
            play(self);
            let length = self.node.recv(&mut bytes).unwrap();
            if let Ok(Packet::Dmx(dmx)) = artnet::parse(&bytes[..length])
                && let Some(shown) = self.shown.get_mut(usize::from(dmx.port.raw()))
            {
                shown.copy_from_slice(dmx.data);
            }
        }
    }
}

fn route(id: u32, universe: u16, device: u32, to: u16, from: Option<Incoming>) -> Route {
    let merge = from.map(|from| Merge { from, rule: MergeRule::Htp });
    Route { id: RouteId(id), universe, count: 1, device: DeviceId(device), port: port(to), merge }
}

#[test]
fn another_console_is_merged_in_and_gone_10_s_after_it_fell_silent() {
    let here = address(0, 1);
    // The port is listened to although nobody is asked, because a route merges.
    let mut rig = Rig::start(0, false, |project| {
        project.routes.put(route(1, 0, 1, 0, Some(Incoming::ArtNet(port(0x33)))));
        project.routes.put(route(2, 1, 1, 1, Some(Incoming::Sacn(universe()))));
    });
    let play = |rig: &mut Rig| {
        rig.send_dmx(here, 0x33, FREE, 200);
        rig.send_sacn(5, 100, false);
    };
    // The show's own light is in the first channels.
    let merged = |shown: &[[u8; 512]; 2]| shown[0][FREE] == 200 && shown[0][0] > 0 && shown[1][5] == 100;
    rig.until("both merged", SOON, play, merged);
    let (mut seen, deadline) = (0, Instant::now() + SOON);
    let listed = |rig: &Rig| {
        let heard = rig.console.heard.latest().unwrap_or_default();
        heard.merged.iter().map(|sender| (sender.universe, sender.from, sender.counts)).collect::<Vec<_>>()
    };
    let from = address(0, 3);
    let both = [(Incoming::ArtNet(port(0x33)), from, true), (Incoming::Sacn(universe()), from, true)];
    while listed(&rig) != both {
        assert!(Instant::now() < deadline, "{:?}", listed(&rig));
        play(&mut rig);
        seen = rig.console.heard.wait_past(seen, Duration::from_millis(100));
    }
    assert!(rig.console.commands.send(LiveCommand::Blackout(true)));
    rig.until("blackout", SOON, play, |shown| shown.iter().all(|universe| universe.iter().all(|level| *level == 0)));
    assert!(rig.console.commands.send(LiveCommand::Blackout(false)));
    rig.until("both again", SOON, play, merged);
    let silent = Instant::now();
    rig.until("the end of sACN", Duration::from_secs(2), |rig| rig.send_sacn(5, 100, true), |shown| shown[1][5] == 0);
    let nothing = |_: &mut Rig| ();
    rig.until("the release of Art-Net", HELD + SOON, nothing, |shown| shown[0][FREE] == 0);
    let held = silent.elapsed();
    assert!(held > HELD - Duration::from_millis(500) && held < HELD + Duration::from_secs(2), "held for {held:?}");
    assert!(rig.shown[0][0] > 0, "the show goes on");
    let gone = format!("Art-Net universe 0:3:3 (51) comes no more from {};", address(0, 3));
    assert!(rig.console.notices.try_iter().any(|notice| notice.text.starts_with(&gone)));
    assert!(rig.console.stop());
}

#[test]
fn what_we_send_never_comes_back_in() {
    let here = address(1, 1);
    let from = Incoming::ArtNet(port(0));
    let mut rig = Rig::start(1, true, |project| {
        // Universe 0 is sent to ourselves too, as what is merged into universe 0.
        let ourselves = Device::artnet(DeviceId(2), "ourselves", SocketAddr::from((here, PORT)));
        project.devices.put(Device { refresh: Refresh::EveryFrame, ..ourselves });
        project.routes.put(route(1, 0, 1, 0, Some(from)));
        project.routes.put(route(2, 0, 2, 0, None));
    });
    let nothing = |_: &mut Rig| ();
    rig.until("light", SOON, nothing, |shown| shown[0][0] > 0);
    // Another console is heard beside our own packets, so these were heard too.
    rig.until("the other", SOON, |rig| rig.send_dmx(here, 0, FREE, 1), |shown| shown[0][FREE] == 1);
    assert!(rig.console.commands.send(LiveCommand::Toggle(SceneId(1))));
    // What is fed back would hold itself up, higher value by higher value.
    rig.until("darkness", SOON, nothing, |shown| shown[0][..FREE].iter().all(|level| *level == 0));
    assert!(rig.console.stop());
}

#[test]
fn others_that_send_our_universes_are_named() {
    let here = address(2, 1);
    let mut rig = Rig::start(2, true, |project| {
        let interface = Some("127.0.0.1".to_owned());
        let sacn = Protocol::Sacn(Sacn { first_universe: universe() + 1, ..Sacn::default() });
        project.devices.put(Device { interface, ..Device::new(DeviceId(2), "roof", sacn) });
        project.routes.put(route(1, 0, 1, 0, None));
        project.routes.put(route(2, 0, 2, 0, None));
    });
    let told = |rig: &mut Rig, start: String, send: &dyn Fn(&mut Rig)| {
        let deadline = Instant::now() + SOON;
        let mut all = Vec::new();
        while !all.iter().any(|text: &String| text.starts_with(&start)) {
            assert!(Instant::now() < deadline, "not said: {start}; but {all:?}");
            send(rig);
            all.extend(rig.console.notices.recv_timeout(Duration::from_millis(20)).map(|notice| notice.text));
        }
        all
    };
    let start =
        format!("Somebody at {} also sends Art-Net universe 0:0:0 (0), which this show sends to `node`", address(2, 3));
    let mut all = told(&mut rig, start, &|rig| rig.send_dmx(here, 0, 0, 1));
    let number = universe() + 1;
    let start =
        format!("`Glowdeck` ({}) also sends sACN universe {number}, which this show sends to `roof`", address(2, 3));
    all.extend(told(&mut rig, start, &|rig| rig.send_sacn_to(number, 0, 1, false)));
    let about_others = all.iter().filter(|text| text.contains("also sends")).count();
    assert_eq!(about_others, 2, "each once, and nobody takes us for another: {all:?}");
    assert!(rig.console.stop());
}
