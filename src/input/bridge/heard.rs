//! Who is heard: the senders of what is merged, and of what this show sends too, as the window shows them.
//!
//! Plain values; made by the thread `bridge`, read by the window. They change when somebody comes, falls silent or
//! goes, never with a packet, so that a window that shows them sleeps in between.

use crate::model::device::Incoming;
use crate::model::id::DeviceId;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// Without a packet for so long, a sender is shown as silent.
pub const SILENT: Duration = Duration::from_secs(1);

/// Everybody who is heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// Senders of universes that are merged, in the order of these.
    pub merged: Vec<Sender>,
    /// Senders of universes that this show sends and that are not merged.
    pub others: Vec<Sender>,
}

/// Somebody who sends a universe.
#[derive(Clone, Debug, PartialEq)]
pub struct Sender {
    /// What is sent.
    pub universe: Incoming,
    /// Where it comes from.
    pub from: Ipv4Addr,
    /// What the sender calls itself; empty where the protocol does not say.
    pub name: String,
    /// Of sACN.
    pub priority: Option<u8>,
    /// When the last packet came, once there was none for [`SILENT`].
    pub silent_since: Option<Instant>,
    /// Whether its levels count: others of a higher priority may stand before it.
    pub counts: bool,
    /// To which device this show sends the same, where it is not merged.
    pub ours: Option<DeviceId>,
}

/// `heard`, once it is long enough ago.
pub(super) fn silent_since(heard: Instant, now: Instant) -> Option<Instant> {
    (now.saturating_duration_since(heard) >= SILENT).then_some(heard)
}
