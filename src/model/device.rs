//! Devices and routes: where each patch universe goes on the wire.

use super::id::{DeviceId, Item, RouteId, SceneId};
use crate::units::{PortAddress, UNIVERSE_CHANNELS};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// What a device speaks, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Art-Net 4, unicast.
    ArtNet {
        /// Where the node listens; port 6454 unless the node is odd.
        address: SocketAddr,
    },
    /// Streaming ACN, ANSI E1.31.
    Sacn(Sacn),
    /// Distributed Display Protocol, for pixel controllers.
    Ddp(Ddp),
    /// A DMX interface on USB that takes the messages of the Enttec DMX USB Pro.
    Enttec(Enttec),
}

/// How a device is sent sACN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sacn {
    /// Where the node listens; `None` sends each universe to its own multicast group.
    pub address: Option<SocketAddr>,
    /// The sACN universe that a route's port 0 is, 1..=63999; port `p` is `first_universe + p`.
    pub first_universe: u16,
    /// Which of several sources a node follows, 0..=200.
    pub priority: u8,
    /// A universe, 1..=63999, on which a sync packet follows each frame, if the device's `sync` is on.
    pub sync_universe: Option<u16>,
    /// Routers that multicast may pass plus one, 1..=255.
    pub ttl: u8,
}

impl Sacn {
    /// The highest universe; the first is 1.
    pub const MAX_UNIVERSE: u16 = 63_999;
    /// The highest priority; the lowest is 0.
    pub const MAX_PRIORITY: u8 = 200;

    /// Which sACN universe a route's port is; `None` past the last one.
    pub fn universe(&self, port: PortAddress) -> Option<u16> {
        let universe = self.first_universe.checked_add(port.raw())?;
        (1..=Self::MAX_UNIVERSE).contains(&universe).then_some(universe)
    }
}

impl Default for Sacn {
    /// Multicast from universe 1 on, within the network.
    fn default() -> Self {
        Self { address: None, first_universe: 1, priority: 100, sync_universe: None, ttl: 1 }
    }
}

/// How a device is sent DDP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ddp {
    /// Where the node listens; port 4048 unless the node is odd.
    pub address: SocketAddr,
    /// What a pixel is.
    pub pixels: DdpPixels,
    /// How many channels of each universe are pixels, 1..=512, from the first on; `None` for as many as make whole
    /// pixels. A route's port `p` starts at byte `p` times this.
    pub channels: Option<u16>,
}

impl Ddp {
    /// Channels of a universe that are sent.
    pub fn universe_channels(&self) -> usize {
        let whole = match self.pixels {
            DdpPixels::Rgb => 510,
            DdpPixels::Rgbw => UNIVERSE_CHANNELS,
        };
        self.channels.map_or(whole, |channels| usize::from(channels).clamp(1, UNIVERSE_CHANNELS))
    }
}

/// What a pixel is to DDP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DdpPixels {
    /// Three bytes.
    #[default]
    Rgb,
    /// Four bytes.
    Rgbw,
}

/// A DMX interface at a serial port. A route's port 0 is its first DMX line, port 1 the second one of a Pro Mk2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enttec {
    /// A device path, a COM port or a USB serial number, which stays the same wherever it is plugged in; empty for the
    /// first interface that is found and that no other device has.
    pub port: String,
    /// How the second line of a Pro Mk2 is opened; `None` leaves it alone.
    pub mk2: Option<Mk2Api>,
}

impl Enttec {
    /// DMX lines of the largest interface.
    pub const LINES: u16 = 2;
    /// The most frames a second that go to an interface: a DMX line of 512 channels carries 44.
    pub const MAX_FPS: f32 = 40.0;

    /// Lines that can be sent to.
    pub fn lines(&self) -> u16 {
        if self.mk2.is_some() { Self::LINES } else { 1 }
    }
}

/// What Enttec gives a developer for the second line of a Pro Mk2: the numbers differ from key to key, and no public
/// document has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mk2Api {
    /// The API key.
    pub key: u32,
    /// The label of the message that assigns the ports.
    pub assign: u8,
    /// The label of the message that holds the second line's channels.
    pub send: u8,
}

impl Mk2Api {
    /// The last label that every interface knows; among those before are ones that write its firmware.
    pub const LAST_COMMON_LABEL: u8 = 14;

    /// Whether the labels are the interface's own, and cannot do harm.
    pub fn is_sound(&self) -> bool {
        [self.assign, self.send].iter().all(|label| *label > Self::LAST_COMMON_LABEL) && self.assign != self.send
    }
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
/// The port that sACN nodes listen at.
pub const SACN_PORT: u16 = 5568;
/// The port that DDP nodes listen at.
pub const DDP_PORT: u16 = 4048;

/// A node on the network, or an interface at a serial port.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Stable id.
    pub id: DeviceId,
    /// What the operator calls it.
    pub name: String,
    /// What it speaks, and where it is.
    pub protocol: Protocol,
    /// Name or IPv4 address of the interface that its packets leave by, and by no other; `None` leaves it to the system.
    pub interface: Option<String>,
    /// How fast it is sent frames.
    pub rate: RateLimit,
    /// When a universe is sent.
    pub refresh: Refresh,
    /// Whether an ArtSync follows each frame, or an sACN sync packet where a sync universe is set. DDP always pushes.
    pub sync: bool,
    /// Whether packets may be handed to the kernel in segmented batches.
    pub offload: bool,
    /// Packets in one segmented batch, 1..=64; small nodes drop what comes in long bursts.
    pub burst: u8,
}

impl Device {
    /// An Art-Net node at the defaults of the specification.
    pub fn artnet(id: DeviceId, name: impl Into<String>, address: SocketAddr) -> Self {
        Self::new(id, name, Protocol::ArtNet { address })
    }

    /// A node at the defaults.
    pub fn new(id: DeviceId, name: impl Into<String>, protocol: Protocol) -> Self {
        Self {
            id,
            name: name.into(),
            protocol,
            interface: None,
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
    /// The first one's port-address there; sACN, DDP and USB devices count their universes in it, from 0.
    pub port: PortAddress,
    /// Another console's light that is merged into these universes.
    pub merge: Option<Merge>,
}

/// Another console's universes that are merged into those of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// What is merged into the first one; the others follow one by one.
    pub from: Incoming,
    /// Whose value a channel takes.
    pub rule: MergeRule,
}

/// A universe as another console sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Incoming {
    /// As ArtDmx for this port-address.
    ArtNet(PortAddress),
    /// As sACN, 1..=63999.
    Sacn(u16),
}

impl Incoming {
    /// The one that is so many further; `None` past the last one.
    pub fn after(self, count: u16) -> Option<Self> {
        match self {
            Self::ArtNet(port) => PortAddress::new(port.raw().checked_add(count)?).map(Self::ArtNet),
            Self::Sacn(universe) => {
                let universe = universe.checked_add(count)?;
                (1..=Sacn::MAX_UNIVERSE).contains(&universe).then_some(Self::Sacn(universe))
            }
        }
    }
}

/// Whose value a channel takes that the show and another console both set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MergeRule {
    /// The higher one.
    #[default]
    Htp,
    /// The one that changed last, channel by channel. A channel that moves all the time stays with who moves it.
    Ltp,
}

impl Route {
    /// Each patch universe with its port-address; stops at the last port-address.
    pub fn pairs(&self) -> impl Iterator<Item = (u16, PortAddress)> + use<> {
        let Self { universe, count, port, .. } = *self;
        (0..count).map_while(move |i| Some((universe.checked_add(i)?, PortAddress::new(port.raw().checked_add(i)?)?)))
    }

    /// Each patch universe that something is merged into, with what that is and by which rule.
    pub fn merged(&self) -> impl Iterator<Item = (u16, Incoming, MergeRule)> + use<> {
        let merge = self.merge;
        let numbered = self.pairs().enumerate();
        numbered.map_while(move |(i, (universe, _))| {
            let Merge { from, rule } = merge?;
            Some((universe, from.after(u16::try_from(i).ok()?)?, rule))
        })
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
    /// This scene alone, at full master, sent three times.
    Scene(SceneId),
}
