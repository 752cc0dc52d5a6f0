//! Projects compiled into destinations.

use super::*;
use crate::model::device::Route;
use crate::model::id::RouteId;
use crate::output::interfaces::{Away, InterfaceAddress, Source};
use std::net::IpAddr;

fn project(address: &str, routes: &[(u16, u16, u16)]) -> Project {
    let mut project = Project::empty("plan");
    project.devices.put(Device::artnet(DeviceId(1), "wall", address.parse().unwrap()));
    for (id, &(universe, count, port)) in (1..).zip(routes) {
        let port = PortAddress::new(port).unwrap();
        project.routes.put(Route { id: RouteId(id), universe, count, device: DeviceId(1), port, merge: None });
    }
    project
}

fn compiled(address: &str, routes: &[(u16, u16, u16)], networks: &[NetworkInterface]) -> RoutePlan {
    RoutePlan::compile(&project(address, routes), networks, Cid([7; 16]))
}

fn check(routes: &[(u16, u16, u16)], expected: &[(u16, u16)], problems: &[&str]) {
    let plan = compiled("10.0.0.1:6454", routes, &[]);
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

fn network(name: &str, address: [u8; 4], broadcast: Option<[u8; 4]>) -> NetworkInterface {
    let address =
        InterfaceAddress { address: IpAddr::from(address), prefix_bits: 24, broadcast: broadcast.map(IpAddr::from) };
    let addresses = vec![address];
    NetworkInterface { name: name.into(), index: None, addresses, up: true, loopback: false, link_mbit_per_sec: None }
}

#[test]
fn broadcast_is_only_what_was_given_as_broadcast() {
    let plan = |address, networks: &[NetworkInterface]| compiled(address, &[(0, 1, 0)], networks);
    assert!(plan("255.255.255.255:6454", &[]).destinations[0].broadcast);
    let network = |last| [network("eth0", [10, 0, last, 1], Some([10, 0, last, 255]))];
    assert!(plan("10.0.0.255:6454", &network(0)).destinations[0].broadcast);
    let unicast = plan("10.0.0.255:6454", &network(3));
    assert!(!unicast.destinations[0].broadcast);
    assert!(unicast.problems.is_empty());
}

#[test]
fn an_ipv6_device_is_left_out_and_it_is_said() {
    let plan = compiled("[::1]:6454", &[(0, 1, 0)], &[]);
    assert!(plan.destinations.is_empty());
    assert_eq!(plan.problems.len(), 1);
}

fn sacn_plan(devices: &[Sacn], ports: &[u16], networks: &[NetworkInterface]) -> RoutePlan {
    let mut project = Project::empty("sacn");
    for (id, sacn) in (1..).zip(devices) {
        project.devices.put(Device::new(DeviceId(id), format!("s{id}"), Protocol::Sacn(sacn.clone())));
        for (universe, port) in (0..).zip(ports) {
            let (port, id) = (PortAddress::new(*port).unwrap(), RouteId(id * 100 + u32::from(universe)));
            let device = DeviceId(id.0 / 100);
            project.routes.put(Route { id, universe, count: 1, device, port, merge: None });
        }
    }
    RoutePlan::compile(&project, networks, Cid([7; 16]))
}

fn stream(destination: &Destination) -> &Stream {
    let Format::Sacn(stream) = &destination.format else { panic!("{destination:?}") };
    stream
}

#[test]
fn port_0_is_the_first_universe_and_what_is_past_the_last_is_left_out_and_said() {
    let plan = sacn_plan(&[Sacn { first_universe: 63_998, ..Sacn::default() }], &[0, 1, 2], &[]);
    assert_eq!(stream(&plan.destinations[0]).announced[..], [63_998, 63_999]);
    assert_eq!(plan.destinations[0].universes.len(), 2);
    assert_eq!(plan.destinations[0].address, "239.255.249.254:5568".parse().unwrap());
    assert_eq!(plan.problems, ["Routes to s1 run past sACN universe 63999; 2 of 3 universes are sent."]);
}

fn leaving(protocol: Protocol, wanted: &str, networks: &[NetworkInterface]) -> Destination {
    let mut project = project("2.0.0.5:6454", &[(0, 2, 0)]);
    let device = Device::new(DeviceId(1), "wall", protocol);
    project.devices.put(Device { interface: Some(wanted.into()), ..device });
    RoutePlan::compile(&project, networks, Cid([7; 16])).destinations.remove(0)
}

/// The three protocols, and both ways of sACN.
fn protocols() -> [Protocol; 4] {
    let address = "2.0.0.5:1000".parse().unwrap();
    let ddp = Ddp { address, pixels: DdpPixels::Rgb, channels: None };
    let unicast = Sacn { address: Some(address), ..Sacn::default() };
    [Protocol::ArtNet { address }, Protocol::Sacn(unicast), Protocol::Sacn(Sacn::default()), Protocol::Ddp(ddp)]
}

#[test]
fn an_interface_is_found_by_name_or_address_for_every_protocol() {
    let networks = [network("eth0", [10, 0, 0, 1], None), network("eth1", [2, 0, 0, 9], None)];
    for protocol in protocols() {
        for wanted in ["eth1", "2.0.0.9"] {
            let destination = leaving(protocol.clone(), wanted, &networks);
            let address = Ipv4Addr::new(2, 0, 0, 9);
            let source = Source { interface: "eth1".into(), index: None, address };
            assert_eq!(destination.leaving, Leaving::From(source));
            assert!(destination.multicast().is_none_or(|way| way == Multicast { interface: address, ttl: 1 }));
        }
    }
}

#[test]
fn of_several_addresses_the_one_in_the_nodes_network_is_taken() {
    let mut both = network("eth1", [10, 0, 0, 1], None);
    both.addresses.extend(network("eth1", [2, 0, 0, 9], None).addresses);
    let address = |wanted| leaving(protocols()[0].clone(), wanted, &[both.clone()]).source_address();
    assert_eq!(address("eth1"), Ipv4Addr::new(2, 0, 0, 9));
    assert_eq!(address("10.0.0.1"), Ipv4Addr::new(10, 0, 0, 1), "unless another is asked for");
}

#[test]
fn an_interface_that_cannot_be_used_keeps_the_light_in() {
    let down = NetworkInterface { up: false, ..network("eth1", [2, 0, 0, 9], None) };
    let bare = NetworkInterface { addresses: vec![], ..network("eth2", [2, 0, 0, 9], None) };
    for protocol in protocols() {
        for (wanted, away) in [("eth1", Away::Down), ("eth2", Away::NoAddress), ("eth9", Away::Missing)] {
            let destination = leaving(protocol.clone(), wanted, &[down.clone(), bare.clone()]);
            assert_eq!((destination.is_cut_off(), &destination.leaving), (true, &Leaving::Nowhere(away)));
            if let Format::Sacn(stream) = destination.format {
                assert!(stream.announced.is_empty(), "what is not sent is not announced");
            }
        }
    }
}

#[test]
fn every_network_is_told_once_of_all_universes() {
    let unicast = |address: &str| Sacn { address: Some(address.parse().unwrap()), ..Sacn::default() };
    let multicast = |first_universe| Sacn { first_universe, ..Sacn::default() };
    let devices = [multicast(1), multicast(10), unicast("10.0.0.1:5568"), unicast("10.0.0.2:5568")];
    let plan = sacn_plan(&devices, &[0, 1], &[]);
    let told: Vec<_> = plan.destinations.iter().map(|destination| stream(destination).announced.len()).collect();
    assert_eq!(told, [4, 0, 4, 4]);
    assert_eq!(stream(&plan.destinations[0]).announced[..], [1, 2, 10, 11]);
    assert_eq!(*plan.multicast_universes, HashSet::from([1, 2, 10, 11]));
}
