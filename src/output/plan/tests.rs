//! Projects compiled into destinations.

use super::*;
use crate::model::device::Route;
use crate::model::id::RouteId;
use crate::output::interfaces::InterfaceAddress;
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
    NetworkInterface { name: name.into(), addresses, up: true, loopback: false, link_mbit_per_sec: None }
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

#[test]
fn an_interface_is_found_by_name_or_address_and_a_missing_one_keeps_the_light_in() {
    let networks = [network("eth0", [10, 0, 0, 1], None), network("eth1", [2, 0, 0, 9], None)];
    for wanted in ["eth1", "2.0.0.9"] {
        let plan = sacn_plan(&[Sacn { interface: Some(wanted.into()), ..Sacn::default() }], &[0], &networks);
        let expected = Multicast { interface: Ipv4Addr::new(2, 0, 0, 9), ttl: 1 };
        assert_eq!((plan.destinations[0].multicast(), plan.problems.len()), (Some(expected), 0));
    }
    let plan = sacn_plan(&[Sacn { interface: Some("eth9".into()), ..Sacn::default() }], &[0], &networks);
    assert!(plan.destinations.is_empty() && plan.problems[0].contains("eth9"), "{plan:?}");
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
