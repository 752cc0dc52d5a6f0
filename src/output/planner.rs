//! The planner thread: turns projects into shares for the senders, and their figures into statistics.
//!
//! Runs on the thread `route-plan`. A device stays with the sender that it was given to, because its sequence
//! numbers and last content live there. DMX interfaces have threads of their own, which this one starts and hands
//! their part of the plan. Deliberately absent: sockets, serial ports and frames.

use super::UsualInterface;
use super::budget::budgets;
use super::cid::Cid;
use super::interfaces::{self, NetworkInterface, source_of};
use super::outages::Outages;
use super::plan::{Destination, RoutePlan};
use super::sender::{Share, StopFlag};
use super::serial::SerialOutput;
use super::stats::{Counters, OutputStats, Rates};
use crate::frame::LampFrame;
use crate::model::device::{Ddp, Device, Protocol, Route};
use crate::model::id::{DeviceId, Table};
use crate::model::project::Project;
use crate::notice::Notice;
use crate::sync::LatestSlot;
use crate::timing::pacing::DEFAULT_FPS;
use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often statistics are published.
const STATS_EVERY: Duration = Duration::from_millis(250);

/// How often the networks are looked at while a device depends on one by name: what comes back is sent its light again
/// well within a second.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// What the planner thread is given.
pub struct PlannerLinks {
    /// Projects; also what the thread waits on.
    pub projects: Arc<LatestSlot<Project>>,
    /// The interface for devices that name none; looked at as often as figures are published.
    pub usual: Arc<LatestSlot<UsualInterface>>,
    /// Where the figures go.
    pub stats: Arc<LatestSlot<OutputStats>>,
    /// The senders' shares.
    pub shares: Vec<Arc<LatestSlot<Share>>>,
    /// Woken after a share was published: what the senders wait on.
    pub frames: Arc<LatestSlot<LampFrame>>,
    /// When to stop; whoever raises it wakes `projects`.
    pub stop: Arc<StopFlag>,
    /// What the operator should know.
    pub notices: crossbeam_channel::Sender<Notice>,
    /// The DMX interfaces.
    pub serial: SerialOutput,
}

/// What the planner knows.
pub struct Planner {
    links: PlannerLinks,
    planned: Option<(Table<Device>, Table<Route>)>,
    /// The last project with devices that leave by the usual interface, and what they were and what that was before.
    placed: Option<(Project, Table<Device>, UsualInterface)>,
    cid: Cid,
    /// The networks as they were last looked at, and with what took longer to find out.
    looked: Vec<NetworkInterface>,
    networks: Vec<NetworkInterface>,
    /// When the networks are looked at again, because a device depends on one.
    look_at: Option<Instant>,
    /// What is known to be wrong, so that it is told once.
    told: Vec<String>,
    outages: Outages,
    multicast_universes: Arc<HashSet<u16>>,
    /// Which sender serves a device, and the device's figures; kept when a device loses its routes for a while.
    served: BTreeMap<DeviceId, (usize, Arc<Counters>)>,
    destinations: Vec<Arc<Destination>>,
    rates: Rates,
}

impl Planner {
    /// A planner that has planned nothing yet.
    pub fn new(links: PlannerLinks) -> Self {
        Self {
            links,
            planned: None,
            placed: None,
            cid: Cid::of_this_machine(),
            looked: Vec::new(),
            networks: Vec::new(),
            look_at: None,
            told: Vec::new(),
            outages: Outages::default(),
            multicast_universes: Arc::default(),
            served: BTreeMap::new(),
            destinations: Vec::new(),
            rates: Rates::default(),
        }
    }

    /// The body of the thread. Returns itself, so that the last figures can be published after the senders ended.
    pub fn run(mut self) -> Self {
        let mut seen = 0;
        let mut publish_at = Instant::now();
        while self.links.stop.raised().is_none() {
            if catch_unwind(AssertUnwindSafe(|| self.plan_latest())).is_err() {
                let text = "The routes cannot be planned; the senders keep to those they have.";
                let _ = self.links.notices.try_send(Notice::error("output", text));
            }
            let now = Instant::now();
            if now >= publish_at {
                self.publish_stats(now);
                publish_at = now + STATS_EVERY;
            }
            let wake_at = self.look_at.map_or(publish_at, |at| at.min(publish_at));
            seen = self.links.projects.wait_past(seen, wake_at.saturating_duration_since(now));
        }
        self
    }

    fn plan_latest(&mut self) {
        if let Some(project) = self.links.projects.latest() {
            let now = Instant::now();
            let project = self.placed(&project);
            self.plan(&project, now);
            self.tell_outages(&project, now);
        }
    }

    /// The project with the machine's usual interface at the devices that name none; the same tables for as long as
    /// both stay what they are.
    fn placed(&mut self, project: &Project) -> Project {
        let usual = self.links.usual.latest().as_deref().cloned().flatten();
        let known = self.placed.take().filter(|(_, devices, by)| devices.same_as(&project.devices) && *by == usual);
        let (placed, ..) = self.placed.insert(known.unwrap_or_else(|| {
            let placed = usual.as_deref().map_or_else(|| project.clone(), |name| leaving_by(project, name));
            (placed, project.devices.clone(), usual)
        }));
        Project { devices: placed.devices.clone(), ..project.clone() }
    }

    /// Says which interfaces went and came back; also what had to wait for its minute.
    fn tell_outages(&mut self, project: &Project, now: Instant) {
        let wanted = |of: &Destination| project.devices.get(of.device)?.interface.as_deref();
        for notice in self.outages.of(&self.destinations, wanted, now) {
            let _ = self.links.notices.try_send(notice);
        }
    }

    /// Compiles and hands out the routes, if they, the devices, or the networks that these depend on are not those
    /// already planned.
    pub fn plan(&mut self, project: &Project, now: Instant) {
        let same = |(devices, routes): &(Table<Device>, Table<Route>)| {
            devices.same_as(&project.devices) && routes.same_as(&project.routes)
        };
        let same = self.planned.as_ref().is_some_and(same);
        if same && self.look_at.is_none_or(|at| now < at) {
            return;
        }
        self.look_at = project.devices.iter().any(|device| device.interface.is_some()).then(|| now + LOOK_EVERY);
        // If they cannot be listed, those that were known are the best guess; none refuses broadcast.
        let looked = interfaces::look().unwrap_or_else(|_| self.looked.clone());
        if same && looked == self.looked {
            return;
        }
        self.networks = interfaces::list().unwrap_or_else(|_| looked.clone());
        self.looked = looked;
        self.planned = Some((project.devices.clone(), project.routes.clone()));
        let plan = RoutePlan::compile(project, &self.networks, self.cid);
        for problem in plan.problems.iter().filter(|problem| !self.told.contains(problem)) {
            let _ = self.links.notices.try_send(Notice::warning("output", problem.clone()));
        }
        self.told = plan.problems;
        self.tell_budgets(&plan.destinations);
        self.multicast_universes = plan.multicast_universes;
        self.destinations = plan.destinations.into_iter().map(Arc::new).collect();
        self.assign();
        self.links.serial.follow(plan.serial);
        for (sender, slot) in self.links.shares.iter().enumerate() {
            slot.publish(Arc::new(self.share_of(sender)));
        }
        self.links.frames.wake();
    }

    /// Says which links the show is too much for.
    fn tell_budgets(&self, destinations: &[Destination]) {
        for budget in budgets(destinations, &self.networks, source_of, DEFAULT_FPS) {
            let key = format!("wire budget {}", budget.interface.as_deref().unwrap_or_default());
            let warning = budget.warning().map(|text| Notice::warning("output", text).keyed(key));
            warning.into_iter().for_each(|notice| drop(self.links.notices.try_send(notice)));
        }
    }

    /// Gives each new device, the largest first, to the sender with the fewest universes.
    fn assign(&mut self) {
        let mut loads = vec![0; self.links.shares.len()];
        let mut new = Vec::new();
        for destination in &self.destinations {
            match self.served.get(&destination.device) {
                Some((sender, _)) => loads[*sender] += destination.universes.len(),
                None => new.push(destination),
            }
        }
        new.sort_by_key(|destination| std::cmp::Reverse(destination.universes.len()));
        for destination in new {
            let Some((sender, load)) = loads.iter_mut().enumerate().min_by_key(|(_, load)| **load) else { return };
            *load += destination.universes.len();
            self.served.insert(destination.device, (sender, Arc::default()));
        }
    }

    fn share_of(&self, wanted: usize) -> Share {
        let served = self.destinations.iter().filter_map(|destination| {
            let (sender, counters) = self.served.get(&destination.device)?;
            (*sender == wanted).then(|| (Arc::clone(destination), Arc::clone(counters)))
        });
        Share { served: served.collect(), multicast_universes: Arc::clone(&self.multicast_universes) }
    }

    /// Waits until the DMX interfaces were sent their last frames, after the stop flag was raised.
    pub fn end_serial(&mut self, now: Instant) {
        self.links.serial.end(now);
    }

    /// Publishes the figures as they are at `now`.
    pub fn publish_stats(&mut self, now: Instant) {
        let read = |destination: &Arc<Destination>| {
            let (_, counters) = self.served.get(&destination.device)?;
            Some(counters.read(destination.device, &destination.name))
        };
        let mut devices: Vec<_> = self.destinations.iter().filter_map(read).chain(self.links.serial.stats()).collect();
        devices.sort_by_key(|of| of.device);
        // Devices that lost their routes still count, or else the totals would fall.
        let all = self.served.iter().map(|(device, (_, counters))| counters.read(*device, ""));
        let (packets, bytes) =
            all.fold(self.links.serial.totals(), |(packets, bytes), of| (packets + of.packets, bytes + of.bytes));
        let (packets_per_sec, bytes_per_sec) = self.rates.sample(now, packets, bytes);
        let stats = OutputStats { devices, packets_per_sec, mbit_per_sec: bytes_per_sec * 8.0 / 1e6 };
        self.links.stats.publish(Arc::new(stats));
    }
}

/// The project with this interface at each device that names none and is not on this machine.
fn leaving_by(project: &Project, name: &str) -> Project {
    let mut placed = project.clone();
    for device in project.devices.iter().filter(|device| device.interface.is_none() && leaves(&device.protocol)) {
        placed.devices.put(Device { interface: Some(name.to_owned()), ..Device::clone(device) });
    }
    placed
}

/// Whether what is sent so leaves the machine by a network.
fn leaves(protocol: &Protocol) -> bool {
    match protocol {
        Protocol::ArtNet { address } | Protocol::Ddp(Ddp { address, .. }) => !address.ip().is_loopback(),
        Protocol::Sacn(sacn) => sacn.address.is_none_or(|address| !address.ip().is_loopback()),
        Protocol::Enttec(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::RouteId;
    use crate::output::serial::SerialLinks;
    use crate::output::serial::ports::SystemPorts;
    use crate::units::PortAddress;

    fn planner(senders: usize) -> Planner {
        let (frames, stop, notices) =
            (Arc::<LatestSlot<LampFrame>>::default(), Arc::<StopFlag>::default(), crossbeam_channel::bounded(8).0);
        let serial = SerialOutput::new(SerialLinks {
            frames: Arc::clone(&frames),
            stop: Arc::clone(&stop),
            notices: notices.clone(),
            ports: Arc::new(SystemPorts),
        });
        let shares = (0..senders).map(|_| Arc::default()).collect();
        let (projects, usual, stats) = (Arc::default(), Arc::default(), Arc::default());
        Planner::new(PlannerLinks { projects, usual, stats, shares, frames, stop, notices, serial })
    }

    fn put(project: &mut Project, id: u32, universes: u16) {
        let address = "127.0.0.1:6454".parse().unwrap();
        project.devices.put(Device::artnet(DeviceId(id), format!("node {id}"), address));
        let port = PortAddress::default();
        project.routes.put(Route {
            id: RouteId(id),
            universe: 0,
            count: universes,
            device: DeviceId(id),
            port,
            merge: None,
        });
    }

    fn shares(planner: &Planner) -> Vec<Vec<u32>> {
        let share = |slot: &Arc<LatestSlot<Share>>| {
            slot.latest().unwrap_or_default().served.iter().map(|(destination, _)| destination.device.0).collect()
        };
        planner.links.shares.iter().map(share).collect()
    }

    #[test]
    fn devices_are_spread_by_universes_and_stay_where_they_are() {
        let mut planner = planner(2);
        let mut project = Project::empty("shares");
        for (id, universes) in [(1, 10), (2, 4), (3, 5)] {
            put(&mut project, id, universes);
        }
        planner.plan(&project, Instant::now());
        assert_eq!(shares(&planner), [vec![1], vec![2, 3]]);
        put(&mut project, 1, 1);
        put(&mut project, 4, 2);
        planner.plan(&project, Instant::now());
        assert_eq!(shares(&planner), [vec![1, 4], vec![2, 3]]);
    }

    #[test]
    fn a_project_with_the_same_routes_is_not_planned_again() {
        let mut planner = planner(1);
        let mut project = Project::empty("same");
        put(&mut project, 1, 1);
        planner.plan(&project, Instant::now());
        let first = planner.links.shares[0].latest().unwrap();
        project.settings = Project::empty("renamed").settings;
        planner.plan(&project, Instant::now());
        assert!(Arc::ptr_eq(&first, &planner.links.shares[0].latest().unwrap()));
        put(&mut project, 1, 2);
        planner.plan(&project, Instant::now());
        assert!(!Arc::ptr_eq(&first, &planner.links.shares[0].latest().unwrap()));
    }

    #[test]
    fn devices_elsewhere_that_name_no_interface_leave_by_the_usual_one_until_it_is_another() {
        let mut planner = planner(1);
        let mut project = Project::empty("usual");
        let device = |id, address: &str| Device::artnet(DeviceId(id), format!("node {id}"), address.parse().unwrap());
        project.devices.put(device(1, "127.0.0.1:6454"));
        project.devices.put(device(2, "10.0.0.2:6454"));
        project.devices.put(Device { interface: Some("eth9".into()), ..device(3, "10.0.0.3:6454") });
        let mut by = |usual: Option<&str>| {
            planner.links.usual.publish(Arc::new(usual.map(str::to_owned)));
            let placed = planner.placed(&project);
            assert!(placed.devices.same_as(&planner.placed(&project).devices), "planned once, not in every turn");
            placed.devices.iter().map(|device| device.interface.clone()).collect::<Vec<_>>()
        };
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(by(Some("eth1")), [None, named("eth1"), named("eth9")]);
        assert_eq!(by(Some("eth2")), [None, named("eth2"), named("eth9")]);
        assert_eq!(by(None), [None, None, named("eth9")]);
    }
}
