//! A running output over real sockets: projects and frames in, packets out.
#![allow(dead_code, reason = "each test file uses its part")]

use glowdeck::frame::{FramePool, LampFrame};
use glowdeck::model::device::{Device, Protocol, RateLimit, Route};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::model::project::Project;
use glowdeck::notice::Notice;
use glowdeck::output::Output;
use glowdeck::output::stats::OutputStats;
use glowdeck::sync::LatestSlot;
use glowdeck::units::{PortAddress, UNIVERSE_CHANNELS};
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longer than anything takes on the slowest machine.
pub const SOON: Duration = Duration::from_secs(10);

/// A running output with the ends of its slots.
pub struct Rig {
    pub frames: Arc<LatestSlot<LampFrame>>,
    pub projects: Arc<LatestSlot<Project>>,
    pub stats: Arc<LatestSlot<OutputStats>>,
    pub notices: crossbeam_channel::Receiver<Notice>,
    pub output: Output,
    pub project: Project,
    pool: FramePool,
    number: u64,
}

impl Rig {
    pub fn start() -> Self {
        let (frames, projects, stats) = (Arc::default(), Arc::default(), Arc::default());
        let (sender, notices) = crossbeam_channel::bounded(64);
        let output = Output::start(Arc::clone(&frames), Arc::clone(&projects), Arc::clone(&stats), sender)
            .expect("the output starts");
        let project = Project::empty("sending");
        Self { frames, projects, stats, notices, output, project, pool: FramePool::default(), number: 0 }
    }

    /// Adds a device that takes `universes` patch universes from 0 on, at the render rate.
    pub fn add(&mut self, id: u32, address: SocketAddr, universes: u16, change: impl FnOnce(&mut Device)) {
        self.add_speaking(id, Protocol::ArtNet { address }, universes, change);
    }

    /// The same for any protocol.
    pub fn add_speaking(&mut self, id: u32, protocol: Protocol, universes: u16, change: impl FnOnce(&mut Device)) {
        let mut device = Device::new(DeviceId(id), format!("node {id}"), protocol);
        device.rate = RateLimit::RenderRate;
        change(&mut device);
        self.project.devices.put(device);
        let (device, port) = (DeviceId(id), PortAddress::default());
        self.project.routes.put(Route { id: RouteId(id), universe: 0, count: universes, device, port, merge: None });
    }

    pub fn publish_project(&self) {
        self.projects.publish(Arc::new(self.project.clone()));
    }

    pub fn publish_frame(&mut self, universes: usize, write: impl FnOnce(&mut [u8])) {
        self.number += 1;
        let frame = self.pool.fill(universes, self.number, Instant::now(), write);
        self.frames.publish(frame);
    }

    /// Waits for statistics that are as asked.
    pub fn wait_for_stats(&self, wanted: impl Fn(&OutputStats) -> bool) -> Arc<OutputStats> {
        let deadline = Instant::now() + SOON;
        let mut seen = 0;
        loop {
            if let Some(stats) = self.stats.latest().filter(|stats| wanted(stats)) {
                return stats;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "last statistics: {:?}", self.stats.latest());
            seen = self.stats.wait_past(seen, left);
        }
    }
}

/// Bytes that differ in every universe and slot.
pub fn pattern(seed: u8) -> impl Fn(&mut [u8]) {
    move |bytes| {
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = (index / UNIVERSE_CHANNELS * 7 + index % UNIVERSE_CHANNELS) as u8 ^ seed;
        }
    }
}

pub fn expected(universe: usize, seed: u8) -> [u8; UNIVERSE_CHANNELS] {
    std::array::from_fn(|slot| (universe * 7 + slot) as u8 ^ seed)
}

/// Everything a plain socket receives until `enough` datagrams came.
pub fn collect(socket: &UdpSocket, enough: usize) -> Vec<Vec<u8>> {
    socket.set_read_timeout(Some(SOON)).expect("a time-out");
    let mut datagrams = Vec::new();
    let mut buffer = [0; 2048];
    while datagrams.len() < enough {
        let length = match socket.recv(&mut buffer) {
            // A signal for another test of this process.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            received => received.unwrap_or_else(|error| panic!("{error} after {}", datagrams.len())),
        };
        datagrams.push(buffer[..length].to_vec());
    }
    datagrams
}
