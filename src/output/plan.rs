//! From devices and routes to destinations: who is sent what, settled before the first packet.
//!
//! Pure; the planner thread compiles a plan whenever devices, routes or the machine's networks changed. Deliberately
//! absent: sockets. Which interfaces there are is told by the caller.

use super::cid::Cid;
use super::interfaces::{Leaving, NetworkInterface};
use super::serial::SerialDestination;
use super::{artnet, ddp, sacn};
use crate::model::device::{Ddp, DdpPixels, Device, Protocol, RateLimit, Refresh, Sacn};
use crate::model::id::DeviceId;
use crate::model::project::Project;
use crate::units::PortAddress;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem::discriminant;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;

/// The most packets in one segmented message: what the oldest kernels with offload take.
pub const MAX_BURST: usize = 64;

/// One device with everything its sender needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Destination {
    /// Which device.
    pub device: DeviceId,
    /// What the operator calls it.
    pub name: String,
    /// Where it listens, IPv4 only; under multicast the group of its first universe.
    pub address: SocketAddrV4,
    /// By which way its packets leave this machine.
    pub leaving: Leaving,
    /// Whether the address is a broadcast one, given as such by the operator.
    pub broadcast: bool,
    /// How fast it is sent frames.
    pub rate: RateLimit,
    /// When a universe is sent.
    pub refresh: Refresh,
    /// Whether a sync follows each frame.
    pub sync: bool,
    /// Whether packets may be handed over in segmented messages.
    pub offload: bool,
    /// Packets in one segmented message and in one turn among devices, 1..=64.
    pub burst: usize,
    /// What its packets look like.
    pub format: Format,
    /// Patch universe and where it goes, in the order of port-addresses, each port-address once.
    pub universes: Vec<(u16, PortAddress)>,
}

/// What the packets of a destination look like.
#[derive(Clone, Debug, PartialEq)]
pub enum Format {
    /// ArtDmx and ArtSync.
    ArtNet,
    /// E1.31.
    Sacn(Stream),
    /// Pixels laid end to end.
    Ddp {
        /// What a pixel is.
        pixels: DdpPixels,
        /// Channels of each universe that are sent, 1..=512.
        channels: usize,
    },
}

/// An sACN destination's own facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Who sends.
    pub cid: Cid,
    /// The sACN universe of port-address 0.
    pub first_universe: u16,
    /// 0..=200.
    pub priority: u8,
    /// Where syncs go.
    pub sync_universe: Option<u16>,
    /// Routers that multicast may pass plus one; `None` where the address is the node's own.
    pub multicast: Option<u8>,
    /// What discovery lists: all sACN universes of the plan, rising. Empty where another destination tells the same
    /// network of them.
    pub announced: Arc<[u16]>,
}

/// How multicast leaves the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Multicast {
    /// An address of the interface; unspecified leaves it to the system.
    pub interface: Ipv4Addr,
    /// Routers that may be passed plus one.
    pub ttl: u8,
}

impl Destination {
    /// Bytes of its largest packet.
    pub fn packet_bytes(&self) -> usize {
        match self.format {
            Format::ArtNet => artnet::DMX_PACKET,
            Format::Sacn(_) => sacn::DATA_PACKET,
            Format::Ddp { .. } => ddp::PACKET,
        }
    }

    /// How multicast leaves, where this is multicast.
    pub fn multicast(&self) -> Option<Multicast> {
        let Format::Sacn(Stream { multicast: Some(ttl), .. }) = self.format else { return None };
        Some(Multicast { interface: self.source_address(), ttl })
    }

    /// The address of this machine that its packets leave from; unspecified leaves it to the system.
    pub fn source_address(&self) -> Ipv4Addr {
        self.leaving.source().map_or(Ipv4Addr::UNSPECIFIED, |source| source.address)
    }

    /// Whether it is sent nothing, because the interface that it is to leave by cannot be used.
    pub fn is_cut_off(&self) -> bool {
        matches!(self.leaving, Leaving::Nowhere(_))
    }

    /// Whether both send the same protocol to the same place.
    pub fn same_target(&self, other: &Self) -> bool {
        match (&self.format, &other.format) {
            (Format::Sacn(one), Format::Sacn(two)) => match (one.multicast, two.multicast) {
                (Some(_), Some(_)) => self.leaving == other.leaving,
                (None, None) => self.address == other.address,
                _ => false,
            },
            (one, two) => discriminant(one) == discriminant(two) && self.address == other.address,
        }
    }

    /// Whether what `other` sent last holds at this destination's node too. Not where it left by another way: to a node
    /// that is another source.
    pub fn same_node(&self, other: &Self) -> bool {
        let same_words = match (&self.format, &other.format) {
            (Format::Sacn(one), Format::Sacn(two)) => {
                one.priority == two.priority && one.sync_universe == two.sync_universe
            }
            (one, two) => one == two,
        };
        same_words && self.leaving == other.leaving && self.same_target(other)
    }
}

/// All destinations of a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoutePlan {
    /// Devices that are sent something, in the order of their ids.
    pub destinations: Vec<Destination>,
    /// DMX interfaces that are sent something, in the order of their ids; these are no senders' business.
    pub serial: Vec<SerialDestination>,
    /// The sACN universes that any of them multicasts: no stream of these ends.
    pub multicast_universes: Arc<HashSet<u16>>,
    /// What is wrong with the routes and what happens instead, a line each, for the operator.
    pub problems: Vec<String>,
}

impl RoutePlan {
    /// Compiles the devices and routes for this machine's networks. `cid` is who sends sACN.
    /// Of two routes to one target the first, by id, wins.
    pub fn compile(project: &Project, networks: &[NetworkInterface], cid: Cid) -> Self {
        let mut plan = Self::default();
        let mut universes = plan.collect_universes(project);
        for device in project.devices.iter() {
            let Some(mut universes) = universes.remove(&device.id) else { continue };
            universes.sort_by_key(|(_, port)| *port);
            match &device.protocol {
                Protocol::ArtNet { address } => plan.add(device, *address, Format::ArtNet, universes, networks),
                Protocol::Sacn(sacn) => plan.add_sacn(device, sacn, universes, networks, cid),
                Protocol::Ddp(ddp @ Ddp { address, pixels, .. }) => {
                    let format = Format::Ddp { pixels: *pixels, channels: ddp.universe_channels() };
                    plan.add(device, *address, format, universes, networks);
                }
                Protocol::Enttec(enttec) => {
                    plan.serial.extend(SerialDestination::compile(device, enttec, &universes, &mut plan.problems))
                }
            }
        }
        plan.announce();
        plan
    }

    fn add(
        &mut self,
        device: &Device,
        address: SocketAddr,
        format: Format,
        universes: Vec<(u16, PortAddress)>,
        networks: &[NetworkInterface],
    ) {
        let SocketAddr::V4(address) = address else {
            self.problems
                .push(format!("Device {} is at {address}, but only IPv4 is sent; it is sent nothing.", device.name));
            return;
        };
        let is_broadcast = |interface: &NetworkInterface| interface.has_broadcast(*address.ip());
        let broadcast = address.ip().is_broadcast() || networks.iter().any(is_broadcast);
        if broadcast {
            self.problems.push(format!(
                "Device {} is the broadcast address {}; every machine on that network is sent its data.",
                device.name,
                address.ip()
            ));
        }
        let by = |wanted: &str| Leaving::by(wanted, networks, *address.ip());
        self.destinations.push(Destination {
            device: device.id,
            name: device.name.clone(),
            address,
            leaving: device.interface.as_deref().map_or(Leaving::AsRouted, by),
            broadcast,
            rate: device.rate,
            refresh: device.refresh,
            sync: device.sync,
            offload: device.offload,
            burst: usize::from(device.burst).clamp(1, MAX_BURST),
            format,
            universes,
        });
    }

    fn add_sacn(
        &mut self,
        device: &Device,
        sacn: &Sacn,
        mut universes: Vec<(u16, PortAddress)>,
        networks: &[NetworkInterface],
        cid: Cid,
    ) {
        let routed = universes.len();
        universes.retain(|(_, port)| sacn.universe(*port).is_some());
        if universes.len() < routed {
            self.problems.push(format!(
                "Routes to {} run past sACN universe {}; {} of {routed} universes are sent.",
                device.name,
                Sacn::MAX_UNIVERSE,
                universes.len()
            ));
        }
        let Some(first) = universes.first().and_then(|(_, port)| sacn.universe(*port)) else { return };
        let stream = Stream {
            cid,
            first_universe: sacn.first_universe,
            priority: sacn.priority.min(Sacn::MAX_PRIORITY),
            sync_universe: sacn.sync_universe.filter(|universe| (1..=Sacn::MAX_UNIVERSE).contains(universe)),
            multicast: sacn.address.is_none().then(|| sacn.ttl.max(1)),
            announced: Arc::default(),
        };
        let address = sacn.address.unwrap_or_else(|| sacn::group(first).into());
        self.add(device, address, Format::Sacn(stream), universes, networks);
    }

    /// Tells every network once of all that this source sends.
    fn announce(&mut self) {
        let (mut all, mut multicast) = (BTreeSet::new(), HashSet::new());
        for destination in &self.destinations {
            let Format::Sacn(stream) = &destination.format else { continue };
            let universes = destination.universes.iter().map(|(_, port)| stream.first_universe + port.raw());
            if stream.multicast.is_some() {
                multicast.extend(universes.clone());
            }
            if !destination.is_cut_off() {
                all.extend(universes);
            }
        }
        let all: Arc<[u16]> = all.into_iter().collect();
        self.multicast_universes = Arc::new(multicast);
        let mut told = HashSet::new();
        for destination in self.destinations.iter_mut().filter(|destination| !destination.is_cut_off()) {
            let network = destination.multicast().map(|multicast| multicast.interface);
            let Format::Sacn(stream) = &mut destination.format else { continue };
            if told.insert((network, network.is_none().then_some(destination.address))) {
                stream.announced = Arc::clone(&all);
            }
        }
    }

    /// What each device is sent, and a problem for each route that is not followed in full.
    fn collect_universes(&mut self, project: &Project) -> HashMap<DeviceId, Vec<(u16, PortAddress)>> {
        let mut universes: HashMap<_, Vec<_>> = HashMap::new();
        let mut owners = HashMap::new();
        for route in project.routes.iter() {
            let Some(device) = project.devices.get(route.device) else {
                self.problems.push(format!("Route {} leads to device {}, which is missing.", route.id, route.device));
                continue;
            };
            let taken = universes.entry(device.id).or_default();
            let mut routed = 0;
            let mut conflict = None;
            for (universe, port) in route.pairs() {
                routed += 1;
                match owners.entry((device.id, port)) {
                    std::collections::hash_map::Entry::Vacant(free) => {
                        free.insert(route.id);
                        taken.push((universe, port));
                    }
                    std::collections::hash_map::Entry::Occupied(owner) => {
                        conflict.get_or_insert((port, *owner.get()));
                    }
                }
            }
            if let Some((port, first)) = conflict {
                self.problems.push(format!(
                    "Routes {first} and {} both lead to {} universe {port}; {first} is sent.",
                    route.id, device.name
                ));
            }
            if routed < usize::from(route.count) {
                self.problems.push(format!(
                    "Route {} runs past the last universe of {}; {} of {} are sent.",
                    route.id, device.name, routed, route.count
                ));
            }
            if taken.is_empty() {
                universes.remove(&device.id);
            }
        }
        universes
    }
}

#[cfg(test)]
mod tests;
