//! What went out, per device.

use crate::model::id::DeviceId;

/// How a device is being served.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceStats {
    /// Which one; `None` for a default value only.
    pub device: Option<DeviceId>,
    /// What the operator calls it.
    pub name: String,
    /// Packets since the start, sync packets included.
    pub packets: u64,
    /// UDP payload bytes since the start.
    pub bytes: u64,
    /// Packets that the system refused since the start.
    pub errors: u64,
}

/// The senders' figures, published about four times a second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputStats {
    /// In the order of their ids.
    pub devices: Vec<DeviceStats>,
    /// Packets a second, over the last second.
    pub packets_per_sec: f64,
    /// Megabits of UDP payload a second, over the last second.
    pub mbit_per_sec: f64,
}
