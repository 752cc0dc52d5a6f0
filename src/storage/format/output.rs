//! Devices and routes as a file holds them.

use super::item::FileItem;
use super::numbers::{is_default, is_yes, yes};
use crate::model::device::{Device, Protocol, RateLimit, Refresh, Route};
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

/// What a device speaks; the address as `host:port`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Protocol")]
enum FileProtocol {
    ArtNet { address: String },
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
        let Protocol::ArtNet { address } = device.protocol;
        Self {
            id: device.id,
            name: device.name.clone(),
            protocol: FileProtocol::ArtNet { address: address.to_string() },
            rate: device.rate,
            refresh: device.refresh,
            sync: device.sync,
            offload: device.offload,
            burst: device.burst,
        }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Device, String> {
        let FileProtocol::ArtNet { address } = self.protocol;
        let address: SocketAddr =
            address.parse().map_err(|_| format!("`{address}` is no address; write it as 2.0.0.10:6454"))?;
        Ok(Device {
            id: self.id,
            name: self.name,
            protocol: Protocol::ArtNet { address },
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
}

impl FileItem for FileRoute {
    type Model = Route;
    const SECTION: &'static str = "routes";
    const KIND: &'static str = "route";

    fn from_model(route: &Route) -> Self {
        let Route { id, universe, count, device, port } = *route;
        Self { id, universe, count, device, port: port.raw() }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Route, String> {
        let Self { id, universe, count, device, port } = self;
        let port = PortAddress::new(port)
            .ok_or_else(|| format!("port {port} is no port-address; these are 0 to {}", PortAddress::MAX))?;
        Ok(Route { id, universe, count, device, port })
    }
}
