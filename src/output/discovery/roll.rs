//! The roll: the project's devices and the nodes that were found, side by side.
//!
//! Pure; made on the ui thread whenever either changed, so that it is true of the project that is shown. Deliberately
//! absent: sockets and time.

use super::nodes::{Found, FoundNode};
use crate::model::device::{ARTNET_PORT, Device, Protocol, Route};
use crate::model::edit::{Edit, Entry};
use crate::model::id::{DeviceId, RouteId};
use crate::model::project::Project;
use crate::units::{MAX_UNIVERSES, PortAddress};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// How a device or node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// A device that answered before and does no more.
    Missing,
    /// A device that never answered. Some nodes never do; it is sent its light all the same.
    Silent,
    /// A node that is there and that no device of the project has.
    NotPatched,
    /// A device that answers.
    Here,
    /// A device on this computer, or a broadcast address: nobody is expected to answer.
    Unasked,
    /// Another console.
    Console,
    /// A node that no device has, and that left.
    Left,
}

/// One line of the roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// How it stands.
    pub standing: Standing,
    /// The device of the project.
    pub device: Option<DeviceId>,
    /// What the operator calls the device, else what the node calls itself, else its address.
    pub name: String,
    /// Where it is.
    pub address: IpAddr,
    /// What answered there, now or before.
    pub node: Option<FoundNode>,
    /// What the device is sent, each once, in their order.
    pub sent: Vec<PortAddress>,
    /// What of it the node that answers says nothing of: it will not show that light, if it says the truth.
    pub unclaimed: Vec<PortAddress>,
}

/// All lines: what needs a hand first, then by address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roll {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Roll {
    /// Puts both together.
    pub fn call(project: &Project, found: &Found) -> Self {
        let mut lines: Vec<Line> =
            project.devices.iter().filter_map(|device| device_line(project, device, found)).collect();
        let known: BTreeSet<IpAddr> = lines.iter().map(|line| line.address).collect();
        let free = found.nodes.iter().filter(|node| !known.contains(&IpAddr::V4(node.address)));
        lines.extend(free.map(node_line));
        lines.sort_by_key(|line| (line.standing, line.address, line.device));
        Self { lines }
    }

    /// How many lines stand so.
    pub fn count(&self, standing: Standing) -> usize {
        self.lines.iter().filter(|line| line.standing == standing).count()
    }
}

/// Where a device listens, when it speaks Art-Net.
pub fn artnet_address(device: &Device) -> Option<SocketAddr> {
    match device.protocol {
        Protocol::ArtNet { address } => Some(address),
        Protocol::Sacn(_) | Protocol::Ddp(_) | Protocol::Enttec(_) => None,
    }
}

fn device_line(project: &Project, device: &Device, found: &Found) -> Option<Line> {
    let address = artnet_address(device)?;
    let node = found.nodes.iter().find(|node| address.ip() == IpAddr::V4(node.address)).cloned();
    let routes = project.routes.iter().filter(|route| route.device == device.id);
    let sent: BTreeSet<PortAddress> = routes.flat_map(|route| route.pairs().map(|(_, port)| port)).collect();
    let standing = match &node {
        Some(node) if node.here => Standing::Here,
        Some(_) => Standing::Missing,
        None if is_unasked(address) => Standing::Unasked,
        None => Standing::Silent,
    };
    let claimed =
        |port: &PortAddress| node.as_ref().is_none_or(|node| !node.here || node.takes.binary_search(port).is_ok());
    Some(Line {
        standing,
        device: Some(device.id),
        name: device.name.clone(),
        address: address.ip(),
        unclaimed: sent.iter().filter(|port| !claimed(port)).copied().collect(),
        sent: sent.into_iter().collect(),
        node,
    })
}

fn is_unasked(address: SocketAddr) -> bool {
    let ends_so = |address: Ipv4Addr| address.is_broadcast() || address.octets()[3] == 255;
    address.ip().is_loopback() || matches!(address.ip(), IpAddr::V4(address) if ends_so(address))
}

fn node_line(node: &FoundNode) -> Line {
    let standing = match (node.controller, node.here) {
        (_, false) => Standing::Left,
        (true, true) => Standing::Console,
        (false, true) => Standing::NotPatched,
    };
    Line {
        standing,
        device: None,
        name: name_of(node),
        address: node.address.into(),
        sent: Vec::new(),
        unclaimed: Vec::new(),
        node: Some(node.clone()),
    }
}

fn name_of(node: &FoundNode) -> String {
    let named = [&node.name, &node.about].into_iter().find(|name| !name.is_empty());
    named.cloned().unwrap_or_else(|| node.address.to_string())
}

/// The edit that makes a device of a node, in one step: its name, address and rate, and a route for each run of its
/// universes. Patch universe n goes to the node's universe n, as the field numbers them.
pub fn add_edit(project: &Project, node: &FoundNode) -> Edit {
    let id = DeviceId(project.devices.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    let address = SocketAddr::from((node.address, ARTNET_PORT));
    let device = Device { rate: node.rate, ..Device::artnet(id, name_of(node), address) };
    let mut edits = vec![Edit::Put(Entry::Device(device.into()))];
    let first = project.routes.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1));
    for (number, (port, count)) in (first..).zip(runs(&node.takes)) {
        let route = Route { id: RouteId(number), universe: port.raw(), count, device: id, port, merge: None };
        edits.push(Edit::Put(Entry::Route(route.into())));
    }
    Edit::Batch(edits)
}

/// Runs of neighbours with their lengths, as far as the patch has universes.
fn runs(ports: &[PortAddress]) -> Vec<(PortAddress, u16)> {
    let mut runs: Vec<(PortAddress, u16)> = Vec::new();
    for port in ports.iter().filter(|port| usize::from(port.raw()) < MAX_UNIVERSES) {
        match runs.last_mut() {
            Some((first, count)) if first.raw() + *count == port.raw() => *count += 1,
            _ => runs.push((*port, 1)),
        }
    }
    runs
}

/// Port-addresses in few words, as nodes show them and as numbers: `0:0:0 to 0:0:3 (0 to 3), 1:0:0 (256)`;
/// the numbers count from `first`.
pub fn ports_text(ports: &[PortAddress], first: u16) -> String {
    let mut runs: Vec<(PortAddress, PortAddress)> = Vec::new();
    for port in ports {
        match runs.last_mut() {
            Some((_, last)) if last.raw() + 1 == port.raw() => *last = *port,
            _ => runs.push((*port, *port)),
        }
    }
    let number = |port: &PortAddress| port.raw() + first;
    let run = |(from, last): &(PortAddress, PortAddress)| match from == last {
        true => format!("{from} ({})", number(from)),
        false => format!("{from} to {last} ({} to {})", number(from), number(last)),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}
