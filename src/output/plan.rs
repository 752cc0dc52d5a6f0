//! From devices and routes to destinations: who is sent what, settled before the first packet.
//!
//! Pure; the planner thread compiles a plan whenever devices or routes changed. Deliberately absent: sockets and
//! interfaces. Whether a network's own broadcast address is meant is told by the caller.

use crate::model::device::{Device, Protocol, RateLimit, Refresh};
use crate::model::id::DeviceId;
use crate::model::project::Project;
use crate::units::PortAddress;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

/// The most packets in one segmented message: what the oldest kernels with offload take.
pub const MAX_BURST: usize = 64;

/// One device with everything its sender needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Destination {
    /// Which device.
    pub device: DeviceId,
    /// What the operator calls it.
    pub name: String,
    /// Where it listens. Art-Net is IPv4 only.
    pub address: SocketAddrV4,
    /// Whether the address is a broadcast one, given as such by the operator.
    pub broadcast: bool,
    /// How fast it is sent frames.
    pub rate: RateLimit,
    /// When a universe is sent.
    pub refresh: Refresh,
    /// Whether an ArtSync follows each frame.
    pub sync: bool,
    /// Whether packets may be handed over in segmented messages.
    pub offload: bool,
    /// Packets in one segmented message and in one turn among devices, 1..=64.
    pub burst: usize,
    /// Patch universe and where it goes, in the order of port-addresses, each port-address once.
    pub universes: Vec<(u16, PortAddress)>,
}

/// All destinations of a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoutePlan {
    /// Devices that are sent something, in the order of their ids.
    pub destinations: Vec<Destination>,
    /// What is wrong with the routes and what happens instead, a line each, for the operator.
    pub problems: Vec<String>,
}

impl RoutePlan {
    /// Compiles the devices and routes. `broadcasts` are the broadcast addresses of this machine's networks.
    /// Of two routes to one target the first, by id, wins.
    pub fn compile(project: &Project, broadcasts: &[Ipv4Addr]) -> Self {
        let mut plan = Self::default();
        let mut universes = plan.collect_universes(project);
        for device in project.devices.iter() {
            let Some(mut universes) = universes.remove(&device.id) else { continue };
            universes.sort_by_key(|(_, port)| *port);
            let Protocol::ArtNet { address } = device.protocol;
            match address {
                SocketAddr::V4(address) => plan.add(device, address, universes, broadcasts),
                SocketAddr::V6(address) => plan.problems.push(format!(
                    "Device {} is at {address}, but Art-Net is IPv4 only; it is sent nothing.",
                    device.name
                )),
            }
        }
        plan
    }

    fn add(
        &mut self,
        device: &Device,
        address: SocketAddrV4,
        universes: Vec<(u16, PortAddress)>,
        broadcasts: &[Ipv4Addr],
    ) {
        let broadcast = address.ip().is_broadcast() || broadcasts.contains(address.ip());
        if broadcast {
            self.problems.push(format!(
                "Device {} is the broadcast address {}; every machine on that network is sent its data.",
                device.name,
                address.ip()
            ));
        }
        self.destinations.push(Destination {
            device: device.id,
            name: device.name.clone(),
            address,
            broadcast,
            rate: device.rate,
            refresh: device.refresh,
            sync: device.sync,
            offload: device.offload,
            burst: usize::from(device.burst).clamp(1, MAX_BURST),
            universes,
        });
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
mod tests {
    use super::*;
    use crate::model::device::Route;
    use crate::model::id::RouteId;

    fn project(address: &str, routes: &[(u16, u16, u16)]) -> Project {
        let mut project = Project::empty("plan");
        project.devices.put(Device::artnet(DeviceId(1), "wall", address.parse().unwrap()));
        for (id, &(universe, count, port)) in (1..).zip(routes) {
            let port = PortAddress::new(port).unwrap();
            project.routes.put(Route { id: RouteId(id), universe, count, device: DeviceId(1), port });
        }
        project
    }

    fn check(routes: &[(u16, u16, u16)], expected: &[(u16, u16)], problems: &[&str]) {
        let plan = RoutePlan::compile(&project("10.0.0.1:6454", routes), &[]);
        let universes: Vec<_> =
            plan.destinations.iter().flat_map(|d| &d.universes).map(|(u, port)| (*u, port.raw())).collect();
        assert_eq!(universes, expected);
        assert_eq!(plan.problems, problems);
    }

    #[test]
    fn universes_are_sorted_by_where_they_go() {
        check(&[(0, 2, 8), (7, 1, 3)], &[(7, 3), (0, 8), (1, 9)], &[]);
    }

    #[test]
    fn the_first_of_two_routes_to_one_target_wins_and_it_is_said() {
        let problem = "Routes #1 and #2 both lead to wall universe 0:0:1; #1 is sent.";
        check(&[(0, 2, 0), (5, 2, 1)], &[(0, 0), (1, 1), (6, 2)], &[problem]);
    }

    #[test]
    fn a_route_ends_at_the_last_port_address_and_it_is_said() {
        let problem = "Route #1 runs past the last universe of wall; 1 of 3 are sent.";
        check(&[(4, 3, 0x7fff)], &[(4, 0x7fff)], &[problem]);
    }

    #[test]
    fn a_device_without_routes_is_no_destination() {
        check(&[], &[], &[]);
    }

    #[test]
    fn broadcast_is_only_what_was_given_as_broadcast() {
        let plan = |address, broadcasts: &[Ipv4Addr]| RoutePlan::compile(&project(address, &[(0, 1, 0)]), broadcasts);
        assert!(plan("255.255.255.255:6454", &[]).destinations[0].broadcast);
        assert!(plan("10.0.0.255:6454", &[Ipv4Addr::new(10, 0, 0, 255)]).destinations[0].broadcast);
        let unicast = plan("10.0.0.255:6454", &[Ipv4Addr::new(10, 0, 3, 255)]);
        assert!(!unicast.destinations[0].broadcast);
        assert!(unicast.problems.is_empty());
    }

    #[test]
    fn an_ipv6_device_is_left_out_and_it_is_said() {
        let plan = RoutePlan::compile(&project("[::1]:6454", &[(0, 1, 0)]), &[]);
        assert!(plan.destinations.is_empty());
        assert_eq!(plan.problems.len(), 1);
    }
}
