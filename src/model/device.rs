//! Devices and routes: where each patch universe goes on the wire.

use super::id::{DeviceId, Item, RouteId};
use crate::units::PortAddress;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// What a device speaks, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Art-Net 4, unicast.
    ArtNet {
        /// Where the node listens; port 6454 unless the node is odd.
        address: SocketAddr,
    },
}

/// When a universe is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refresh {
    /// When it changed, and every 0.8 to 1 s besides.
    #[default]
    Changed,
    /// With every frame.
    EveryFrame,
}

/// How fast a device is sent frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RateLimit {
    /// At most so many frames a second.
    Fps(f32),
    /// As fast as frames are rendered.
    RenderRate,
}

impl Default for RateLimit {
    /// The rate of DMX512.
    fn default() -> Self {
        Self::Fps(44.0)
    }
}

/// The port that Art-Net nodes listen at.
pub const ARTNET_PORT: u16 = 6454;

/// A node on the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Stable id.
    pub id: DeviceId,
    /// What the operator calls it.
    pub name: String,
    /// What it speaks, and where it is.
    pub protocol: Protocol,
    /// How fast it is sent frames.
    pub rate: RateLimit,
    /// When a universe is sent.
    pub refresh: Refresh,
    /// Whether an ArtSync follows each frame.
    pub sync: bool,
    /// Whether packets may be handed to the kernel in segmented batches.
    pub offload: bool,
    /// Packets in one segmented batch, 1..=64; small nodes drop what comes in long bursts.
    pub burst: u8,
}

impl Device {
    /// A node at the defaults of the specification.
    pub fn artnet(id: DeviceId, name: impl Into<String>, address: SocketAddr) -> Self {
        Self {
            id,
            name: name.into(),
            protocol: Protocol::ArtNet { address },
            rate: RateLimit::default(),
            refresh: Refresh::default(),
            sync: true,
            offload: true,
            burst: 16,
        }
    }
}

impl Item for Device {
    type Id = DeviceId;

    fn id(&self) -> DeviceId {
        self.id
    }
}

/// A run of patch universes that goes to a run of a device's universes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Stable id.
    pub id: RouteId,
    /// First patch universe, from 0.
    pub universe: u16,
    /// How many universes, 1 and up.
    pub count: u16,
    /// Where they go.
    pub device: DeviceId,
    /// The first one's port-address there.
    pub port: PortAddress,
}

impl Route {
    /// Each patch universe with its port-address; stops at the last port-address.
    pub fn pairs(&self) -> impl Iterator<Item = (u16, PortAddress)> + use<> {
        let Self { universe, count, port, .. } = *self;
        (0..count).map_while(move |i| Some((universe.checked_add(i)?, PortAddress::new(port.raw().checked_add(i)?)?)))
    }
}

impl Item for Route {
    type Id = RouteId;

    fn id(&self) -> RouteId {
        self.id
    }
}

/// What nodes are left with when the show ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExitPolicy {
    /// All zeros, sent three times.
    #[default]
    Black,
    /// The last frame.
    Hold,
}
