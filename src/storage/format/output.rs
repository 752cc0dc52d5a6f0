//! Devices and routes as a file holds them.

use super::item::FileItem;
use super::numbers::{is_default, is_yes, yes};
use crate::model::device::{
    Ddp, DdpPixels, Device, Enttec, Incoming, Merge, MergeRule, Mk2Api, Protocol, RateLimit, Refresh, Route, Sacn,
};
use crate::model::id::{DeviceId, RouteId};
use crate::units::PortAddress;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// A node on the network.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Device")]
pub(super) struct FileDevice {
    id: DeviceId,
    #[serde(default)]
    name: String,
    protocol: FileProtocol,
    #[serde(default, skip_serializing_if = "is_default")]
    interface: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    rate: RateLimit,
    #[serde(default, skip_serializing_if = "is_default")]
    refresh: Refresh,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    sync: bool,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    offload: bool,
    #[serde(default = "default_burst", skip_serializing_if = "is_default_burst")]
    burst: u8,
}

/// What a device speaks; the address as `host:port`. Numbers are wider than they may be, so that one out of range is
/// clamped and the device still plays.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Protocol")]
enum FileProtocol {
    ArtNet {
        address: String,
    },
    Sacn {
        #[serde(default, skip_serializing_if = "is_default")]
        address: Option<String>,
        #[serde(default = "first_universe", skip_serializing_if = "is_first_universe")]
        first_universe: u32,
        #[serde(default = "priority", skip_serializing_if = "is_priority")]
        priority: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        sync_universe: Option<u32>,
        /// Of multicast, from before every device had one; still written here, so that older programs obey it.
        #[serde(default, skip_serializing_if = "is_default")]
        interface: Option<String>,
        #[serde(default = "ttl", skip_serializing_if = "is_ttl")]
        ttl: u32,
    },
    Ddp {
        address: String,
        #[serde(default, skip_serializing_if = "is_default")]
        pixels: DdpPixels,
        #[serde(default, skip_serializing_if = "is_default")]
        channels: Option<u32>,
    },
    Enttec {
        #[serde(default, skip_serializing_if = "is_default")]
        port: String,
        #[serde(default, skip_serializing_if = "is_default")]
        mk2: Option<Mk2Api>,
    },
}

fn first_universe() -> u32 {
    u32::from(Sacn::default().first_universe)
}

fn priority() -> u32 {
    u32::from(Sacn::default().priority)
}

fn ttl() -> u32 {
    u32::from(Sacn::default().ttl)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first_universe(universe: &u32) -> bool {
    *universe == first_universe()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_priority(value: &u32) -> bool {
    *value == priority()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_ttl(value: &u32) -> bool {
    *value == ttl()
}

impl FileProtocol {
    fn from_model(protocol: &Protocol, multicast_by: Option<String>) -> Self {
        match protocol {
            Protocol::ArtNet { address } => Self::ArtNet { address: address.to_string() },
            Protocol::Sacn(sacn) => Self::Sacn {
                address: sacn.address.map(|address| address.to_string()),
                first_universe: sacn.first_universe.into(),
                priority: sacn.priority.into(),
                sync_universe: sacn.sync_universe.map(u32::from),
                interface: multicast_by,
                ttl: sacn.ttl.into(),
            },
            Protocol::Ddp(Ddp { address, pixels, channels }) => {
                Self::Ddp { address: address.to_string(), pixels: *pixels, channels: channels.map(u32::from) }
            }
            Protocol::Enttec(Enttec { port, mk2 }) => Self::Enttec { port: port.clone(), mk2: *mk2 },
        }
    }

    /// The protocol, and the interface that multicast leaves by.
    fn into_model(self, notes: &mut Vec<String>) -> Result<(Protocol, Option<String>), String> {
        let multicast_by = match &self {
            Self::Sacn { address: None, interface, .. } => interface.clone(),
            Self::Sacn { interface: Some(interface), .. } => {
                notes.push(format!(
                    "interface {interface} stands inside `Sacn`, where only multicast obeys it; to send to the address by it, write it behind the protocol"
                ));
                None
            }
            _ => None,
        };
        let mut fit = |what: &str, value: u32, most: u32| fit(notes, what, value, most);
        let mut universe = |what, value| fit(what, value, u16::MAX.into()) as u16;
        let protocol = match self {
            Self::ArtNet { address } => Protocol::ArtNet { address: parse_address(&address, "6454")? },
            Self::Sacn { address, first_universe, priority, sync_universe, ttl, .. } => Protocol::Sacn(Sacn {
                address: address.map(|address| parse_address(&address, "5568")).transpose()?,
                first_universe: universe("first_universe", first_universe),
                sync_universe: sync_universe.map(|value| universe("sync_universe", value)),
                priority: fit("priority", priority, u8::MAX.into()) as u8,
                ttl: fit("ttl", ttl, u8::MAX.into()) as u8,
            }),
            Self::Ddp { address, pixels, channels } => Protocol::Ddp(Ddp {
                address: parse_address(&address, "4048")?,
                pixels,
                channels: channels.map(|channels| universe("channels", channels)),
            }),
            Self::Enttec { port, mk2 } => Protocol::Enttec(Enttec { port, mk2 }),
        };
        Ok((protocol, multicast_by))
    }
}

/// What is out of range and fits the type is the repair's to tell and put right.
fn fit(notes: &mut Vec<String>, what: &str, value: u32, most: u32) -> u32 {
    if value > most {
        notes.push(format!("{what} is {value}, which is above {most}"));
    }
    value.min(most)
}

fn parse_address(address: &str, port: &str) -> Result<SocketAddr, String> {
    address.parse().map_err(|_| format!("`{address}` is no address; write it as 2.0.0.10:{port}"))
}

fn default_burst() -> u8 {
    16
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_burst(burst: &u8) -> bool {
    *burst == default_burst()
}

impl FileItem for FileDevice {
    type Model = Device;
    const SECTION: &'static str = "devices";
    const KIND: &'static str = "device";

    fn from_model(device: &Device) -> Self {
        let multicast = matches!(&device.protocol, Protocol::Sacn(sacn) if sacn.address.is_none());
        let (multicast_by, interface) = if multicast { (&device.interface, &None) } else { (&None, &device.interface) };
        Self {
            id: device.id,
            name: device.name.clone(),
            protocol: FileProtocol::from_model(&device.protocol, multicast_by.clone()),
            interface: interface.clone(),
            rate: device.rate,
            refresh: device.refresh,
            sync: device.sync,
            offload: device.offload,
            burst: device.burst,
        }
    }

    fn into_model(self, notes: &mut Vec<String>) -> Result<Device, String> {
        let (protocol, multicast_by) = self.protocol.into_model(notes)?;
        Ok(Device {
            id: self.id,
            name: self.name,
            protocol,
            interface: self.interface.or(multicast_by),
            rate: self.rate,
            refresh: self.refresh,
            sync: self.sync,
            offload: self.offload,
            burst: self.burst,
        })
    }
}

/// A run of patch universes that goes to a device.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Route")]
pub(super) struct FileRoute {
    id: RouteId,
    universe: u16,
    count: u16,
    device: DeviceId,
    port: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merge: Option<FileMerge>,
}

/// What another console adds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Merge")]
struct FileMerge {
    from: FileIncoming,
    #[serde(default, skip_serializing_if = "is_default")]
    rule: MergeRule,
}

/// A universe that comes in; sACN's is repaired where it is out of range.
#[derive(Serialize, Deserialize)]
enum FileIncoming {
    ArtNet(u16),
    Sacn(u32),
}

impl FileMerge {
    fn from_model(Merge { from, rule }: Merge) -> Self {
        let from = match from {
            Incoming::ArtNet(port) => FileIncoming::ArtNet(port.raw()),
            Incoming::Sacn(universe) => FileIncoming::Sacn(universe.into()),
        };
        Self { from, rule }
    }

    fn into_model(self, notes: &mut Vec<String>) -> Result<Merge, String> {
        let from = match self.from {
            FileIncoming::ArtNet(port) => Incoming::ArtNet(port_address(port)?),
            FileIncoming::Sacn(universe) => Incoming::Sacn(fit(notes, "merge", universe, u16::MAX.into()) as u16),
        };
        Ok(Merge { from, rule: self.rule })
    }
}

fn port_address(port: u16) -> Result<PortAddress, String> {
    let refused = || format!("port {port} is no port-address; these are 0 to {}", PortAddress::MAX);
    PortAddress::new(port).ok_or_else(refused)
}

impl FileItem for FileRoute {
    type Model = Route;
    const SECTION: &'static str = "routes";
    const KIND: &'static str = "route";

    fn from_model(route: &Route) -> Self {
        let Route { id, universe, count, device, port, merge } = *route;
        Self { id, universe, count, device, port: port.raw(), merge: merge.map(FileMerge::from_model) }
    }

    fn into_model(self, notes: &mut Vec<String>) -> Result<Route, String> {
        let Self { id, universe, count, device, port, merge } = self;
        let merge = merge.map(|merge| merge.into_model(notes)).transpose()?;
        Ok(Route { id, universe, count, device, port: port_address(port)?, merge })
    }
}
