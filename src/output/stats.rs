//! What went out, per device.
//!
//! Sender threads and those of DMX interfaces count, the planner thread reads and publishes. Deliberately absent: locks.

use crate::model::id::DeviceId;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How a device is being served.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceStats {
    /// Which one; `None` for a default value only.
    pub device: Option<DeviceId>,
    /// What the operator calls it.
    pub name: String,
    /// Packets, or messages to a DMX interface, since the start, sync packets included.
    pub packets: u64,
    /// UDP payload bytes, or those to a serial port, since the start.
    pub bytes: u64,
    /// Packets that the system refused, or times that an interface was lost, since the start.
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

/// One device's figures since the start. They only rise, so each may be read on its own.
#[derive(Debug, Default)]
pub struct Counters {
    packets: AtomicU64,
    bytes: AtomicU64,
    errors: AtomicU64,
}

impl Counters {
    /// So many packets of so many UDP payload bytes in all went out.
    pub fn count_sent(&self, packets: usize, bytes: usize) {
        self.packets.fetch_add(packets as u64, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// So many packets were refused.
    pub fn count_errors(&self, packets: usize) {
        self.errors.fetch_add(packets as u64, Ordering::Relaxed);
    }

    /// The figures under a device's name.
    pub fn read(&self, device: DeviceId, name: &str) -> DeviceStats {
        DeviceStats {
            device: Some(device),
            name: name.to_owned(),
            packets: self.packets.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            errors: self.errors.load(Ordering::Relaxed),
        }
    }
}

/// Turns rising figures into rates over the last second.
#[derive(Debug, Default)]
pub struct Rates {
    samples: VecDeque<(Instant, u64, u64)>,
}

impl Rates {
    /// Takes totals at `now`; returns packets and bytes a second since about a second ago, 0 at first.
    pub fn sample(&mut self, now: Instant, packets: u64, bytes: u64) -> (f64, f64) {
        self.samples.push_back((now, packets, bytes));
        // The newest of those that are a second old is where the rate is counted from.
        while self.samples.get(1).is_some_and(|(at, ..)| now.saturating_duration_since(*at) >= Duration::from_secs(1)) {
            self.samples.pop_front();
        }
        let Some((start, packets_then, bytes_then)) = self.samples.front() else { return (0.0, 0.0) };
        let secs = now.saturating_duration_since(*start).as_secs_f64();
        let rate = |now: u64, then: u64| if secs > 0.0 { now.saturating_sub(then) as f64 / secs } else { 0.0 };
        (rate(packets, *packets_then), rate(bytes, *bytes_then))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_last_second() {
        let start = Instant::now();
        let mut rates = Rates::default();
        let mut last = (0.0, 0.0);
        for quarter in 0..20_u64 {
            let packets = if quarter < 10 { quarter * 1_000 } else { 10_000 + (quarter - 10) * 10 };
            last = rates.sample(start + Duration::from_millis(250 * quarter), packets, packets * 530);
        }
        assert_eq!(last, (40.0, 40.0 * 530.0));
    }

    #[test]
    fn the_first_sample_has_no_rate() {
        assert_eq!(Rates::default().sample(Instant::now(), 5, 5), (0.0, 0.0));
    }
}
