//! The discovery thread with real sockets: scripted nodes at loopback addresses of their own, and OLA at the other end
//! of a cable between two network namespaces.
//!
//! Every wait has a predicate and an end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use glowdeck::model::device::Device;
use glowdeck::model::id::DeviceId;
use glowdeck::model::project::Project;
use glowdeck::notice::Notice;
use glowdeck::output::discovery::nodes::Found;
use glowdeck::output::discovery::packets::{Message, POLL, PollReply, read};
use glowdeck::output::discovery::poller::Network;
use glowdeck::output::discovery::roll::{Roll, Standing};
use glowdeck::output::discovery::{Discovery, DiscoveryLinks, DiscoveryOptions, Networks};
use glowdeck::sync::LatestSlot;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(10);
/// No port of anybody's; each test has addresses of its own.
const PORT: u16 = 26_454;

/// Loopback addresses that no other test and no other run has.
fn address(test: u8, host: u8) -> Ipv4Addr {
    let [.., high, low] = std::process::id().to_be_bytes();
    Ipv4Addr::new(127, 64 | (test << 3) | (high & 7), low, host)
}

struct Rig {
    projects: Arc<LatestSlot<Project>>,
    found: Arc<LatestSlot<Found>>,
    notices: crossbeam_channel::Receiver<Notice>,
    _discovery: Discovery,
}

impl Rig {
    /// A thread whose network is the test's own, and which knows a device there.
    fn start(test: u8, device: SocketAddr) -> Self {
        let (projects, found) = (Arc::<LatestSlot<Project>>::default(), Arc::default());
        let mut project = Project::empty("finding");
        project.devices.put(Device::artnet(DeviceId(1), "wall", device));
        projects.publish(Arc::new(project));
        let (sender, notices) = crossbeam_channel::bounded(16);
        let links =
            DiscoveryLinks { projects: Arc::clone(&projects), found: Arc::clone(&found), notices: sender, dmx: None };
        let ours = Network { address: address(test, 1), broadcast: address(test, 255), prefix_bits: 24 };
        let options = DiscoveryOptions { networks: Networks::Fixed(vec![ours]), port: PORT, asks: true };
        Self { projects, found, notices, _discovery: Discovery::start(options, links).unwrap() }
    }

    /// Waits for a table that is as asked.
    fn wait_for(&self, wanted: impl Fn(&Found) -> bool) -> Arc<Found> {
        let deadline = Instant::now() + SOON;
        let mut seen = 0;
        loop {
            if let Some(found) = self.found.latest().filter(|found| wanted(found)) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the last table: {:?}", self.found.latest());
            seen = self.found.wait_past(seen, left);
        }
    }
}

/// A socket that gives up waiting before the test does.
fn socket(address: impl Into<SocketAddr>) -> UdpSocket {
    let socket = UdpSocket::bind(address.into()).unwrap();
    socket.set_read_timeout(Some(SOON)).unwrap();
    socket
}

/// Answers one poll as a node of two pages.
fn answer_one(node: &UdpSocket) {
    let mut packet = [0; 600];
    let (length, from) = node.recv_from(&mut packet).expect("a poll comes");
    assert_eq!(packet[..length], POLL);
    for page in 1..=2_u8 {
        let mut reply = PollReply::of_console(Ipv4Addr::UNSPECIFIED);
        (reply.style, reply.num_ports, reply.bind_index) = (0, 4, page);
        reply.port_types = [0x80; 4];
        reply.sw_out = std::array::from_fn(|port| (page - 1) * 4 + port as u8);
        // The first page as short as they come.
        let bytes = reply.write();
        node.send_to(if page == 1 { &bytes[..198] } else { &bytes }, from).unwrap();
    }
}

#[test]
fn a_device_that_answers_is_found_with_all_its_pages() {
    let node = socket((address(0, 2), PORT));
    let rig = Rig::start(0, node.local_addr().unwrap());
    answer_one(&node);
    let found = rig.wait_for(|found| found.nodes.iter().any(|node| node.pages == 2));
    let roll = Roll::call(&rig.projects.latest().unwrap(), &found);
    assert_eq!(roll.count(Standing::Here), 1, "{roll:?}");
    assert_eq!(found.nodes[0].takes.iter().map(|port| port.raw()).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    assert_eq!(rig.notices.try_iter().collect::<Vec<_>>(), []);
}

#[test]
fn who_asks_is_told_that_this_is_a_console() {
    let node = socket((address(1, 2), PORT));
    let _rig = Rig::start(1, node.local_addr().unwrap());
    // Its first poll tells that it listens.
    node.recv_from(&mut [0; 600]).expect("a poll comes");
    let console = socket((address(1, 3), PORT));
    console.send_to(&POLL, (address(1, 1), PORT)).unwrap();
    let mut packet = [0; 600];
    let (length, from) = console.recv_from(&mut packet).expect("an answer comes");
    assert_eq!(from, SocketAddr::from((address(1, 1), PORT)));
    let Some(Message::Reply(reply)) = read(&packet[..length]) else { panic!("{:?}", &packet[..length]) };
    assert!(reply.is_controller() && reply.ip == address(1, 1), "{reply:?}");
}

#[test]
fn a_port_that_is_taken_stops_neither_the_program_that_has_it_nor_devices_from_being_found() {
    let other = socket((address(2, 1), PORT));
    let node = socket((address(2, 2), PORT));
    let rig = Rig::start(2, node.local_addr().unwrap());
    let notice = rig.notices.recv_timeout(SOON).unwrap();
    assert!(notice.text.contains("Another program on this computer has the port"), "{notice}");
    answer_one(&node);
    rig.wait_for(|found| found.nodes.iter().any(|node| node.pages == 2));
    // Data for the other program still reach it.
    node.send_to(b"light", (address(2, 1), PORT)).unwrap();
    let mut packet = [0; 600];
    let (length, _) = other.recv_from(&mut packet).unwrap();
    assert_eq!(&packet[..length], b"light");
    assert_eq!(rig.notices.try_iter().collect::<Vec<_>>(), [], "it is said once");
}

#[test]
fn a_node_at_this_computers_loopback_may_have_the_port() {
    let node = socket((address(3, 9), PORT));
    let rig = Rig::start(3, node.local_addr().unwrap());
    answer_one(&node);
    rig.wait_for(|found| !found.nodes.is_empty());
    let later = UdpSocket::bind((address(3, 10), PORT));
    assert!(later.is_ok(), "only addresses of networks are taken: {later:?}");
}

/// What the script exits with where it cannot run.
#[cfg(target_os = "linux")]
const SKIPPED: i32 = 77;

#[test]
#[cfg(target_os = "linux")]
fn ola_at_the_other_end_of_a_cable_is_found() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ola_found.sh");
    let program = env!("CARGO_BIN_EXE_glowdeck");
    let output = Command::new(script).args([program, "list", "nodes"]).output().unwrap();
    let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(SKIPPED) {
        // Past the test harness's capture, so that nobody takes a skipped test for a passed one.
        let line = format!(
            "\n*** SKIPPED: ola_at_the_other_end_of_a_cable_is_found: {}. Nothing was checked. ***\n",
            complaint.trim()
        );
        std::fs::write("/dev/stderr", line).ok();
        return;
    }
    assert!(output.status.success(), "{complaint}");
    let found =
        said.lines().any(|line| line.starts_with("10.77.0.2 ") && line.contains("OLA") && line.contains("0:0:1"));
    assert!(found, "{said} {complaint}");
}
