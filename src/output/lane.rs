//! A destination on its sender thread: its schedule, how far sending got, its figures and what to tell of it.
//!
//! Deliberately absent: sockets and threads. Errors come in, notices go out.

use super::plan::Destination;
use super::schedule::{Item, Schedule};
use super::stats::Counters;
use super::wire::Path;
use crate::model::id::DeviceId;
use crate::notice::Notice;
use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A device in trouble is spoken of at most so often.
const NOTICE_EVERY: Duration = Duration::from_secs(60);

/// One destination with everything that changes about it.
pub struct Lane {
    /// What it is.
    pub destination: Arc<Destination>,
    /// What it is sent when.
    pub schedule: Schedule,
    /// Its figures, read by the planner.
    pub counters: Arc<Counters>,
    /// How its packets are handed over.
    pub path: Path,
    /// How many of the due packets, and then the sync, went out.
    pub reached: usize,
    refused_offload: Option<io::Error>,
    trouble: Option<io::Error>,
    told_at: Option<Instant>,
    troubled: bool,
}

impl Lane {
    /// A lane that has sent nothing yet.
    pub fn new(destination: Arc<Destination>, counters: Arc<Counters>) -> Self {
        let schedule = Schedule::new(&destination);
        Self::over(destination, counters, schedule)
    }

    fn over(destination: Arc<Destination>, counters: Arc<Counters>, schedule: Schedule) -> Self {
        // A segmented message has one address, and each multicast universe has another.
        let from = destination.source_address();
        let path = match destination.multicast() {
            Some(multicast) => Path::Multicast(multicast),
            None if destination.offload => Path::Offload { from, segment: destination.packet_bytes() as u16 },
            None => Path::Plain { from },
        };
        Self {
            schedule,
            path,
            destination,
            counters,
            reached: 0,
            refused_offload: None,
            trouble: None,
            told_at: None,
            troubled: false,
        }
    }

    /// Whether this is the lane that a device is served by, and no farewell.
    pub fn serves(&self, device: DeviceId) -> bool {
        self.destination.device == device && !self.schedule.is_farewell()
    }

    /// Carries on where the lane of the same device stopped, under an older plan.
    pub fn inherit(&mut self, old: &Self) {
        let same_node = self.destination.same_node(&old.destination);
        self.schedule.inherit(&old.schedule, same_node);
        self.told_at = old.told_at;
        self.troubled = old.troubled;
        if same_node && old.destination.offload == self.destination.offload {
            self.path = old.path;
        }
    }

    /// A lane that only tells the end of those streams that nobody goes on with: neither `heir`, the lane of the same
    /// device under the new plan, nor any multicast of it. `None` where none ends.
    pub fn farewell(&self, heir: Option<&Self>, multicast: &HashSet<u16>) -> Option<Self> {
        let heir = heir.filter(|heir| heir.destination.same_target(&self.destination));
        let goes_on = |key: u32| {
            heir.is_some_and(|heir| heir.schedule.packets().has(key))
                || self.destination.multicast().is_some() && multicast.contains(&(key as u16))
        };
        let schedule = self.schedule.farewell(|key| !goes_on(key))?;
        Some(Self::over(Arc::clone(&self.destination), Arc::clone(&self.counters), schedule))
    }

    /// Everything to be sent now.
    pub fn items(&self) -> usize {
        self.schedule.items()
    }

    /// How the item at this place is handed over. A page of discovery is longer than a segment.
    pub fn path_of(&self, place: usize) -> Path {
        match (self.path, self.schedule.item(place)) {
            (Path::Offload { from, .. }, Item::Page(_)) => Path::Plain { from },
            (path, _) => path,
        }
    }

    /// A message with the items before `reached` went out.
    pub fn sent_up_to(&mut self, reached: usize) {
        let items = self.reached..reached;
        let bytes = items.clone().map(|place| self.schedule.datagram(self.schedule.item(place)).0.len()).sum();
        self.counters.count_sent(items.len(), bytes);
        self.reached = reached;
    }

    /// The kernel does not split messages on the way to this device; packets go one by one from here on.
    pub fn give_up_offload(&mut self, error: io::Error) {
        self.path = Path::Plain { from: self.destination.source_address() };
        self.refused_offload = Some(error);
    }

    /// What is left to send is given up until the schedule says so again.
    pub fn fail(&mut self, now: Instant, error: io::Error) {
        let items = self.items();
        self.counters.count_errors(items.saturating_sub(self.reached));
        self.schedule.failed(self.reached, now);
        self.reached = items;
        self.trouble = Some(error);
    }

    /// What the operator should know after a round of sending, if anything.
    pub fn take_notice(&mut self, now: Instant) -> Option<Notice> {
        let Destination { device, name, address, .. } = &*self.destination;
        if let Some(error) = self.refused_offload.take() {
            let text = format!("Offload to {name} ({address}) is refused ({error}); its packets go out one by one.");
            return Some(Notice::warning("output", text).keyed(format!("output offload {device}")));
        }
        let key = format!("output device {device}");
        let Some(error) = self.trouble.take() else {
            let well = self.troubled && self.reached > 0;
            if well {
                self.troubled = false;
            }
            let text = format!("{name} ({address}) is sent everything again.");
            return well.then(|| Notice::info("output", text).keyed(key));
        };
        if self.told_at.is_some_and(|told| now.saturating_duration_since(told) < NOTICE_EVERY) {
            return None;
        }
        self.told_at = Some(now);
        self.troubled = true;
        let text = format!(
            "Packets to {name} ({address}) cannot be sent: {error}. The show goes on and {name} is tried again."
        );
        Some(Notice::warning("output", text).keyed(key))
    }
}
