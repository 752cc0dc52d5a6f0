//! DMX interfaces at serial ports: what each is sent, and the threads that do it.
//!
//! Owned by the planner thread, which starts a thread `serial-N` for every device of the kind, N its id. A thread that
//! its device or the end of the show is done with ends by itself; nobody waits long for one, because the system may
//! hold it in a port that hangs. `ports` is the edge to the machine, `feed` says what is sent when, `thread` is the loop.
//! Deliberately absent: the senders, sockets, and any queue of frames.

mod feed;
pub mod ports;
mod thread;

use super::sender::StopFlag;
use super::stats::{Counters, DeviceStats};
use crate::frame::LampFrame;
use crate::model::device::{Device, Enttec, Mk2Api, RateLimit, Refresh};
use crate::model::id::DeviceId;
use crate::notice::Notice;
use crate::sync::{LatestSlot, spawn_named};
use crate::units::PortAddress;
use crossbeam_channel::{Receiver, Sender, bounded};
use ports::SerialPorts;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the end of the show waits for all interfaces together.
const END_PATIENCE: Duration = Duration::from_millis(1_500);

/// One DMX interface with everything its thread needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct SerialDestination {
    /// Which device.
    pub device: DeviceId,
    /// What the operator calls it.
    pub name: String,
    /// Where it is, as [`Enttec::port`] says.
    pub port: String,
    /// How the second line is opened.
    pub mk2: Option<Mk2Api>,
    /// Least time between two frames.
    pub interval: Duration,
    /// Whether frames are sent at that rate also while they do not change.
    pub steady: bool,
    /// The patch universe of each line.
    pub lines: [Option<u16>; Enttec::LINES as usize],
}

impl SerialDestination {
    /// What a device is sent of these universes; `None` where it has no line for any.
    pub fn compile(
        device: &Device,
        enttec: &Enttec,
        universes: &[(u16, PortAddress)],
        problems: &mut Vec<String>,
    ) -> Option<Self> {
        let mut lines = [None; Enttec::LINES as usize];
        for (universe, port) in universes.iter().filter(|(_, port)| port.raw() < enttec.lines()) {
            lines[usize::from(port.raw())] = Some(*universe);
        }
        let sent = lines.iter().flatten().count();
        if sent < universes.len() {
            let why = match enttec.mk2 {
                Some(_) => "it has two DMX lines, ports 0 and 1",
                None => "it has one DMX line, port 0; the second line of a Pro Mk2 needs `mk2`",
            };
            let (name, all) = (&device.name, universes.len());
            problems.push(format!("Routes lead to ports of {name} that it has not: {why}. {sent} of {all} are sent."));
        }
        let fps = match device.rate {
            RateLimit::Fps(fps) if fps > 0.0 => fps.clamp(0.1, Enttec::MAX_FPS),
            _ => Enttec::MAX_FPS,
        };
        (sent > 0).then(|| Self {
            device: device.id,
            name: device.name.clone(),
            port: enttec.port.clone(),
            mk2: enttec.mk2,
            interval: Duration::from_secs_f32(1.0 / fps),
            steady: device.refresh == Refresh::EveryFrame,
            lines,
        })
    }
}

/// What all interfaces share.
#[derive(Clone)]
pub struct SerialLinks {
    /// Finished frames; also what the threads wait on.
    pub frames: Arc<LatestSlot<LampFrame>>,
    /// When to stop; whoever raises it wakes `frames`.
    pub stop: Arc<StopFlag>,
    /// What the operator should know.
    pub notices: Sender<Notice>,
    /// The machine's ports.
    pub ports: Arc<dyn SerialPorts>,
}

/// Which device has which port, so that no two write to one. A device that goes and comes back within a moment has two
/// threads for that long, so its claims are counted.
#[derive(Default)]
struct Claims(Mutex<BTreeMap<String, (DeviceId, usize)>>);

impl Claims {
    fn is_others(&self, path: &str, device: DeviceId) -> bool {
        let claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.get(path).is_some_and(|(owner, _)| *owner != device)
    }

    /// Whether the port is the device's from now on.
    fn claim(&self, path: &str, device: DeviceId) -> bool {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (owner, times) = claims.entry(path.to_owned()).or_insert((device, 0));
        let ours = *owner == device;
        *times += usize::from(ours);
        ours
    }

    /// One claim that was granted less.
    fn release(&self, path: &str) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, times)) = claims.get_mut(path) {
            *times -= 1;
            if *times == 0 {
                claims.remove(path);
            }
        }
    }
}

/// What a thread is given.
struct PortLinks {
    shared: SerialLinks,
    destination: Arc<LatestSlot<SerialDestination>>,
    leave: Arc<AtomicBool>,
    claims: Arc<Claims>,
    counters: Arc<Counters>,
}

/// A device with its thread.
struct Served {
    destination: Arc<LatestSlot<SerialDestination>>,
    leave: Arc<AtomicBool>,
    /// Hears that the thread has ended, by the other end being dropped.
    ended: Receiver<()>,
}

/// All interfaces of the plan.
pub struct SerialOutput {
    links: SerialLinks,
    claims: Arc<Claims>,
    served: BTreeMap<DeviceId, Served>,
    /// Kept when a device goes, or else the totals would fall.
    counters: BTreeMap<DeviceId, (String, Arc<Counters>)>,
}

impl SerialOutput {
    /// Nothing is served yet.
    pub fn new(links: SerialLinks) -> Self {
        Self { links, claims: Arc::default(), served: BTreeMap::new(), counters: BTreeMap::new() }
    }

    /// Follows a new plan. The caller wakes the frames.
    pub fn follow(&mut self, destinations: Vec<SerialDestination>) {
        self.served.retain(|device, served| {
            let stays = destinations.iter().any(|destination| destination.device == *device);
            served.leave.store(!stays, Ordering::SeqCst);
            stays
        });
        for destination in destinations {
            let device = destination.device;
            let (name, counters) = self.counters.entry(device).or_default();
            name.clone_from(&destination.name);
            let counters = Arc::clone(counters);
            match self.served.get(&device) {
                Some(served) => served.destination.publish(Arc::new(destination)),
                None => self.serve(destination, counters),
            }
        }
    }

    fn serve(&mut self, destination: SerialDestination, counters: Arc<Counters>) {
        let (device, name) = (destination.device, destination.name.clone());
        let slot = Arc::<LatestSlot<SerialDestination>>::default();
        slot.publish(Arc::new(destination));
        let leave = Arc::<AtomicBool>::default();
        let links = PortLinks {
            shared: self.links.clone(),
            destination: Arc::clone(&slot),
            leave: Arc::clone(&leave),
            claims: Arc::clone(&self.claims),
            counters,
        };
        let (ending, ended) = bounded(0);
        let body = move || {
            thread::run(&links);
            drop::<Sender<()>>(ending);
        };
        // The handle is let go: a thread that a port holds cannot be waited for, and `ended` says the same.
        match spawn_named(&format!("serial-{}", device.0), body) {
            Ok(_) => drop(self.served.insert(device, Served { destination: slot, leave, ended })),
            Err(error) => {
                let text = format!("{name} gets no light: its thread cannot be started ({error}). The show goes on.");
                let notice = Notice::error("output", text).keyed(format!("output device {device}"));
                let _ = self.links.notices.try_send(notice);
            }
        }
    }

    /// The figures of those that are served.
    pub fn stats(&self) -> impl Iterator<Item = DeviceStats> + '_ {
        let served = self.counters.iter().filter(|(device, _)| self.served.contains_key(device));
        served.map(|(device, (name, counters))| counters.read(*device, name))
    }

    /// Packets and bytes of all that were ever served.
    pub fn totals(&self) -> (u64, u64) {
        let all = self.counters.iter().map(|(device, (_, counters))| counters.read(*device, ""));
        all.fold((0, 0), |(packets, bytes), of| (packets + of.packets, bytes + of.bytes))
    }

    /// Waits until every thread has said its last, after the stop flag was raised; not for one that a port holds.
    pub fn end(&mut self, now: Instant) {
        let deadline = now + END_PATIENCE;
        for (device, served) in std::mem::take(&mut self.served) {
            if served.ended.recv_deadline(deadline) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
                tracing::warn!(%device, "a serial port holds its thread; it is left behind");
            }
            // Its figures are published once more.
            self.served.insert(device, served);
        }
    }
}

#[cfg(test)]
mod tests;
