//! One device under simulated time: a project's plan, its lane's schedule, and every datagram that it makes due.
//!
//! What goes out is read off the lane in the order in which the senders would hand it over.

use glowdeck::frame::LampFrame;
use glowdeck::model::device::{Device, Protocol, Route};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::model::project::Project;
use glowdeck::output::cid::Cid;
use glowdeck::output::lane::Lane;
use glowdeck::output::plan::RoutePlan;
use glowdeck::units::{PortAddress, UNIVERSE_CHANNELS};
use std::net::SocketAddrV4;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The source that every rig is.
pub const CID: Cid = Cid([0xc1; 16]);

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A datagram as it went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    pub at: Duration,
    pub to: SocketAddrV4,
    pub bytes: Vec<u8>,
}

/// The device, the clock and the newest frame.
pub struct Rig {
    pub project: Project,
    pub lane: Lane,
    pub start: Instant,
    pub now: Instant,
    frame: Option<LampFrame>,
    number: u64,
    pub sent: Vec<Datagram>,
}

impl Rig {
    /// A device with routes of first patch universe, count and first port.
    pub fn new(protocol: Protocol, routes: &[(u16, u16, u16)], change: impl FnOnce(&mut Device)) -> Self {
        let mut device = Device::new(DeviceId(1), "node", protocol);
        change(&mut device);
        let mut project = Project::empty("rig");
        project.devices.put(device);
        for (id, (universe, count, port)) in (1..).zip(routes) {
            let port = PortAddress::new(*port).unwrap();
            let route =
                Route { id: RouteId(id), universe: *universe, count: *count, device: DeviceId(1), port, merge: None };
            project.routes.put(route);
        }
        let (start, lane) = (Instant::now(), lane(&project));
        Self { project, lane, start, now: start, frame: None, number: 0, sent: Vec::new() }
    }

    /// Lets the schedule run and takes what is due.
    pub fn poll(&mut self) -> Vec<Datagram> {
        self.lane.schedule.prepare(self.now, self.frame.as_ref());
        self.take()
    }

    /// Everything that is due, in order.
    pub fn take(&mut self) -> Vec<Datagram> {
        let schedule = &self.lane.schedule;
        let at = self.now - self.start;
        let datagrams = (0..schedule.items()).map(|place| schedule.datagram(schedule.item(place)));
        let due: Vec<_> = datagrams.map(|(bytes, to)| Datagram { at, to, bytes: bytes.to_vec() }).collect();
        self.sent.extend(due.iter().cloned());
        due
    }

    /// Publishes a frame with a level for each patch universe.
    pub fn frame(&mut self, levels: &[u8]) -> Vec<Datagram> {
        self.frame_of(levels.iter().flat_map(|level| [*level; UNIVERSE_CHANNELS]).collect())
    }

    /// Publishes a frame of these bytes.
    pub fn frame_of(&mut self, bytes: Vec<u8>) -> Vec<Datagram> {
        self.number += 1;
        self.frame = Some(LampFrame { bytes, number: self.number, stamp: self.now });
        self.poll()
    }

    /// Lets time pass; the schedule is asked when it wants to be.
    pub fn pass(&mut self, time: Duration) -> Vec<Datagram> {
        let (end, before) = (self.now + time, self.sent.len());
        while let Some(due) = self.lane.schedule.next_due().filter(|due| *due < end) {
            self.now = due.max(self.now) + Duration::from_micros(1);
            self.poll();
        }
        self.now = end;
        self.sent[before..].to_vec()
    }

    /// Changes the project; returns what ends with that.
    pub fn replan(&mut self, change: impl FnOnce(&mut Project)) -> Option<Lane> {
        change(&mut self.project);
        let plan = plan(&self.project);
        let mut new = lane(&self.project);
        new.inherit(&self.lane);
        let old = std::mem::replace(&mut self.lane, new);
        old.farewell(Some(&self.lane), &plan.multicast_universes)
    }
}

/// The project's plan, on a machine without networks.
pub fn plan(project: &Project) -> RoutePlan {
    RoutePlan::compile(project, &[], CID)
}

fn lane(project: &Project) -> Lane {
    let destination = plan(project).destinations.into_iter().next().expect("the device is sent something");
    Lane::new(Arc::new(destination), Arc::default())
}
