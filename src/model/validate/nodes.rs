//! What the linter says of devices: where they are, what fights for them, and what of the patch they are never sent.

use super::checked::runs;
use super::patched::Span;
use crate::model::device::{Device, Enttec, Protocol, Sacn};
use crate::model::id::RouteId;
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::units::{PortAddress, UNIVERSE_CHANNELS};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::SocketAddr;

/// Where a device is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place<'a> {
    Everywhere,
    At(SocketAddr),
    Serial(&'a str),
}

/// What can be sent to only once: a protocol's name for a universe at a node, or in a multicast group.
type Target<'a> = (&'static str, Place<'a>, u16);

fn target(device: &Device, port: PortAddress) -> Option<Target<'_>> {
    Some(match &device.protocol {
        Protocol::ArtNet { address } => ("port-addresses", Place::At(*address), port.raw()),
        Protocol::Sacn(sacn) => {
            ("sACN universes", sacn.address.map_or(Place::Everywhere, Place::At), sacn.universe(port)?)
        }
        Protocol::Ddp(ddp) => ("DDP ports", Place::At(ddp.address), port.raw()),
        // Of those that take the first interface there is, each takes another one.
        Protocol::Enttec(enttec) if enttec.port.is_empty() => return None,
        Protocol::Enttec(enttec) => ("DMX ports", Place::Serial(&enttec.port), port.raw()),
    })
}

fn item(device: &Device) -> String {
    format!("device `{}` ({})", device.name, device.id)
}

/// Two routes that end at the same universe of the same node fight for it.
pub(super) fn targets(project: &Project, problems: &mut Vec<Problem>) {
    let mut taken: HashMap<Target<'_>, RouteId> = HashMap::new();
    let mut fights: BTreeMap<(RouteId, RouteId, &str), Vec<u16>> = BTreeMap::new();
    for route in project.routes.iter() {
        let Some(device) = project.devices.get(route.device) else { continue };
        for target in route.pairs().filter_map(|(_, port)| target(device, port)) {
            match taken.get(&target) {
                Some(other) => fights.entry((*other, route.id, target.0)).or_default().push(target.2),
                None => {
                    taken.insert(target, route.id);
                }
            }
        }
    }
    for ((one, two, kind), numbers) in fights {
        let fault = format!("routes {one} and {two} both send to the same node's {kind} {}", runs(numbers));
        problems.push(Problem::found("routes", fault));
    }
}

/// Devices that nothing reaches, or not where it is sent.
pub(super) fn devices(project: &Project, problems: &mut Vec<Problem>) {
    let routed: BTreeSet<_> = project.routes.iter().map(|route| route.device).collect();
    for device in project.devices.iter() {
        if !routed.contains(&device.id) {
            problems.push(Problem::found(item(device), "no route leads to it"));
        }
        let address = match &device.protocol {
            Protocol::ArtNet { address } => Some(*address),
            Protocol::Sacn(sacn) => sacn.address,
            Protocol::Ddp(ddp) => Some(ddp.address),
            Protocol::Enttec(_) => None,
        };
        let Some(address) = address else { continue };
        if address.ip().is_unspecified() || address.port() == 0 {
            problems.push(Problem::found(item(device), format!("{address} is no address that can be sent to")));
        } else if address.ip().is_multicast() {
            let fault =
                format!("{address} is a multicast group; leave the address of an sACN device out for multicast");
            problems.push(Problem::found(item(device), fault));
        }
    }
}

/// Universes and channels that are patched and routed, and that the protocol has no place for.
pub(super) fn unsent(project: &Project, spans: &[Span], problems: &mut Vec<Problem>) {
    let used = used_channels(spans);
    for device in project.devices.iter() {
        let routes = project.routes.iter().filter(|route| route.device == device.id);
        let mut pairs = routes.flat_map(|route| route.pairs());
        match &device.protocol {
            Protocol::ArtNet { .. } => {}
            Protocol::Sacn(sacn) => {
                if pairs.any(|(_, port)| sacn.universe(port).is_none()) {
                    let fault = format!("its routes run past sACN universe {}, the last one", Sacn::MAX_UNIVERSE);
                    problems.push(Problem::found(item(device), fault));
                }
            }
            Protocol::Ddp(ddp) => {
                let sent = ddp.universe_channels();
                let cut: BTreeSet<u16> = pairs
                    .map(|(universe, _)| universe)
                    .filter(|universe| used.get(universe).is_some_and(|channels| *channels > sent))
                    .collect();
                if !cut.is_empty() {
                    let universes = runs(cut);
                    let fault = format!(
                        "it is sent {sent} channels of each universe, and more are patched in universes {universes}; \
                         set its `channels`"
                    );
                    problems.push(Problem::found(item(device), fault));
                }
            }
            Protocol::Enttec(enttec) => {
                if pairs.any(|(_, port)| port.raw() >= enttec.lines()) {
                    problems.push(Problem::found(item(device), past_last_line(enttec)));
                }
            }
        }
    }
}

fn past_last_line(enttec: &Enttec) -> String {
    match enttec.mk2 {
        Some(_) => "its routes run past port 1, its second DMX line".into(),
        None => "its routes run past port 0, its DMX line; the second line of a Pro Mk2 needs `mk2`".into(),
    }
}

/// The last channel that is patched in each universe.
fn used_channels(spans: &[Span]) -> BTreeMap<u16, usize> {
    let mut used = BTreeMap::new();
    for span in spans {
        for universe in span.universes() {
            let channels = (span.end - usize::from(universe) * UNIVERSE_CHANNELS).min(UNIVERSE_CHANNELS);
            let most = used.entry(universe).or_insert(0);
            *most = channels.max(*most);
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::device::{Ddp, DdpPixels, Mk2Api, Route};
    use crate::model::fixture::{Fixture, FixtureDefinition, Pixels};
    use crate::model::id::{ChainId, DefinitionId, DeviceId, FixtureId};
    use crate::model::patch::{Chain, Link, PatchAddress, Straddle};
    use crate::model::validate::checked;
    use crate::units::DmxAddress;

    /// A strip of 200 pixels, packed or not, whose two universes go to each of these devices from a port on.
    fn check(straddle: Straddle, devices: &[(Protocol, u16)], expected: &[&str]) {
        let mut project = Project::empty("nodes");
        let pixels = Pixels::Strip { count: 200, length: 1.0 };
        project.definitions.put(FixtureDefinition {
            id: DefinitionId(1),
            name: "strip".into(),
            pixels,
            channels: FixtureDefinition::rgb(),
            light: Default::default(),
            current: Default::default(),
            modes: Vec::new(),
        });
        project.fixtures.put(Fixture { id: FixtureId(1), name: "strip".into(), definition: DefinitionId(1) });
        let start = PatchAddress { universe: 0, channel: DmxAddress::FIRST };
        let links = vec![Link { fixture: FixtureId(1), start }];
        project.chains.put(Chain { id: ChainId(1), name: "chain".into(), links, straddle, cap_ma: None });
        for (id, (protocol, port)) in (1..).zip(devices) {
            let (device, port) = (DeviceId(id), PortAddress::new(*port).unwrap());
            project.devices.put(Device::new(device, "node", protocol.clone()));
            project.routes.put(Route { id: RouteId(id), universe: 0, count: 2, device, port, merge: None });
        }
        let found: Vec<String> = checked(&project).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    fn ddp(channels: Option<u16>) -> Protocol {
        let address = "10.0.0.1:4048".parse().unwrap();
        Protocol::Ddp(Ddp { address, pixels: DdpPixels::Rgb, channels })
    }

    fn sacn(address: Option<&str>, first_universe: u16) -> Protocol {
        let address = address.map(|address| address.parse().unwrap());
        Protocol::Sacn(Sacn { address, first_universe, ..Sacn::default() })
    }

    #[test]
    fn packed_pixels_need_all_channels_of_a_ddp_device() {
        check(Straddle::WholePixels, &[(ddp(None), 0)], &[]);
        let fault = "device `node` (#1): it is sent 510 channels of each universe, and more are patched in \
                     universes 0; set its `channels`";
        check(Straddle::Packed, &[(ddp(None), 0)], &[fault]);
        check(Straddle::Packed, &[(ddp(Some(512)), 0)], &[]);
    }

    #[test]
    fn universes_that_two_devices_multicast_are_a_fight_and_unicast_ones_are_not() {
        let whole = Straddle::WholePixels;
        check(whole, &[(sacn(None, 1), 0), (sacn(None, 3), 0)], &[]);
        let fight = "routes: routes #1 and #2 both send to the same node's sACN universes 2";
        check(whole, &[(sacn(None, 1), 0), (sacn(None, 1), 1)], &[fight]);
        check(whole, &[(sacn(Some("10.0.0.1:5568"), 1), 0), (sacn(Some("10.0.0.2:5568"), 1), 1)], &[]);
    }

    #[test]
    fn interfaces_share_no_line_and_have_no_third() {
        let enttec = |port: &str, mk2: Option<Mk2Api>| Protocol::Enttec(Enttec { port: port.into(), mk2 });
        let mk2 = Some(Mk2Api { key: 1, assign: 100, send: 101 });
        let whole = Straddle::WholePixels;
        check(
            whole,
            &[(enttec("EN1", mk2), 0), (enttec("EN2", mk2), 0), (enttec("", mk2), 0), (enttec("", mk2), 0)],
            &[],
        );
        let fight = "routes: routes #1 and #2 both send to the same node's DMX ports 0 to 1";
        check(whole, &[(enttec("EN1", mk2), 0), (enttec("EN1", mk2), 0)], &[fight]);
        let fault = "device `node` (#1): its routes run past port 0, its DMX line; the second line of a Pro Mk2 needs \
                     `mk2`";
        check(whole, &[(enttec("", None), 0)], &[fault]);
        let fault = "device `node` (#1): its routes run past port 1, its second DMX line";
        check(whole, &[(enttec("", mk2), 1)], &[fault]);
    }

    #[test]
    fn what_no_sacn_node_can_hear_is_said() {
        let fault = "device `node` (#1): its routes run past sACN universe 63999, the last one";
        check(Straddle::WholePixels, &[(sacn(None, 63_999), 0)], &[fault]);
        let fault = "device `node` (#1): 239.255.0.1:5568 is a multicast group; leave the address of an sACN device \
                     out for multicast";
        check(Straddle::WholePixels, &[(sacn(Some("239.255.0.1:5568"), 1), 0)], &[fault]);
    }
}
