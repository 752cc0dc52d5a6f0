//! The bridge: light of other consoles, received, held and handed to the render thread.
//!
//! Two threads. `sacn-in` listens to the multicast groups of the universes that routes merge and to what is sent to
//! this computer's own addresses at the port of sACN; `bridge` takes its datagrams, and the ArtDmx that discovery hears
//! at the port of Art-Net, which has one reader, and keeps [`sources`]. It publishes levels when they change. Both
//! idle while no route merges anything. Deliberately absent: packets that we send, and any change of the project.
//!
//! Nothing of ours comes back in: what comes from an address of this computer is no ArtDmx for us, and what carries our
//! own CID is no sACN. So Art-Net of another program on this computer is not merged either, and sACN of one is.

mod sacn_in;
pub mod sources;

use crate::incoming::{Datagram, IncomingLight};
use crate::model::device::Incoming;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::output::cid::Cid;
use crate::output::{artnet, interfaces, sacn};
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::{Receiver, Sender};
use sacn_in::SacnSockets;
use sources::Sources;
use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Datagrams that may wait for the bridge; when there are more, the newest are lost.
pub const QUEUE: usize = 1024;
/// How long a thread waits at most before it looks around.
const LOOK_AROUND: Duration = Duration::from_millis(100);
/// Shortest time between two levels.
const PUBLISH_EVERY: Duration = Duration::from_millis(4);
/// Datagrams that are taken before it is looked whether levels are to be published.
const BATCH: usize = 256;
/// How often interfaces are looked at.
const INTERFACES_EVERY: Duration = Duration::from_secs(3);
/// Multicast groups that are listened to at most.
const MOST_GROUPS: usize = 256;
/// How soon a thread starts over after it failed.
const RETRY: Duration = Duration::from_secs(1);

/// What the threads talk to.
#[derive(Clone)]
pub struct BridgeLinks {
    /// The project, for its routes.
    pub projects: Arc<LatestSlot<Project>>,
    /// Where levels go when they change.
    pub incoming: Arc<LatestSlot<IncomingLight>>,
    /// What the operator should know.
    pub notices: Sender<Notice>,
    /// Into the bridge.
    pub door: Sender<Datagram>,
    /// Out of the same queue.
    pub arrived: Receiver<Datagram>,
}

/// The running threads. Dropping it stops them.
pub struct Bridge {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Bridge {
    /// Starts the threads. They never wait for the network and nobody waits for them.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start(links: BridgeLinks) -> io::Result<Self> {
        // Made first, so that a thread that fails to start finds the other one stopped and joined.
        let mut bridge = Self { stop: Arc::default(), threads: Vec::new() };
        let own = Cid::of_this_machine();
        for (name, run) in [("bridge", run_bridge as Run), ("sacn-in", run_sacn as Run)] {
            let (links, stop) = (links.clone(), Arc::clone(&bridge.stop));
            bridge.threads.push(spawn_named(name, move || supervise(run, &links, own, &stop))?);
        }
        Ok(bridge)
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            // Its panics were caught and told already.
            let _ = thread.join();
        }
    }
}

type Run = fn(&BridgeLinks, Cid, &AtomicBool);

/// Runs until it is stopped; what fails costs what comes in a second and the show nothing.
fn supervise(run: Run, links: &BridgeLinks, own: Cid, stop: &AtomicBool) {
    while catch_unwind(AssertUnwindSafe(|| run(links, own, stop))).is_err() {
        let text = "A part of the bridge failed, it starts again; light of other consoles stays as it is meanwhile.";
        let _ = links.notices.try_send(Notice::error("bridge", text).keyed("bridge failed"));
        let again = Instant::now() + RETRY;
        while Instant::now() < again && !stop.load(Ordering::SeqCst) {
            std::thread::sleep(LOOK_AROUND);
        }
    }
}

/// The project, when it is another one than was looked at last.
fn take_new(projects: &LatestSlot<Project>, seen: &mut Option<Arc<Project>>) -> Option<Arc<Project>> {
    let newest = projects.latest()?;
    if seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, &newest)) {
        return None;
    }
    *seen = Some(Arc::clone(&newest));
    Some(newest)
}

fn run_bridge(links: &BridgeLinks, own: Cid, stop: &AtomicBool) {
    let mut sources = Sources::new(own);
    let (mut seen, mut too_many) = (None, 0);
    let mut publish_at = Instant::now();
    while !stop.load(Ordering::SeqCst) {
        if let Some(project) = take_new(&links.projects, &mut seen) {
            let left_out = sources.follow(&project);
            if left_out > 0 && left_out != std::mem::replace(&mut too_many, left_out) {
                let text = format!(
                    "{left_out} more universes are to be merged than the {} that can be; the show's own light goes \
                     out on these.",
                    sources::MOST_UNIVERSES
                );
                let _ = links.notices.try_send(Notice::warning("bridge", text).keyed("too many merged"));
            }
        }
        // Levels that wait to be published are not kept waiting by silence.
        let wait = publish_at.saturating_duration_since(Instant::now());
        let wait = if wait.is_zero() { LOOK_AROUND } else { wait };
        if let Ok(first) = links.arrived.recv_timeout(wait) {
            let now = Instant::now();
            for datagram in std::iter::once(first).chain(links.arrived.try_iter()).take(BATCH) {
                hear(&mut sources, now, &datagram);
            }
        }
        let now = Instant::now();
        sources.expire(now);
        if now >= publish_at
            && let Some(light) = sources.take_changed()
        {
            links.incoming.publish(Arc::new(light));
            publish_at = now + PUBLISH_EVERY;
        }
    }
}

fn hear(sources: &mut Sources, now: Instant, datagram: &Datagram) {
    let (from, bytes) = (datagram.from, datagram.bytes());
    match artnet::parse(bytes) {
        Ok(artnet::Packet::Dmx(dmx)) => sources.hear_dmx(now, from, &dmx),
        Ok(_) => {}
        Err(_) => {
            if let Ok(sacn::Packet::Data(data)) = sacn::parse(bytes) {
                sources.hear_sacn(now, from, &data);
            }
        }
    }
}

fn run_sacn(links: &BridgeLinks, own: Cid, stop: &AtomicBool) {
    let mut sockets = SacnSockets::default();
    let (mut seen, mut groups) = (None, BTreeSet::new());
    let (mut look_at, mut told, mut published) = (Instant::now(), false, 0);
    while !stop.load(Ordering::SeqCst) {
        let now = Instant::now();
        let other = take_new(&links.projects, &mut seen).map(|project| groups_of(&project));
        let changed = other.is_some_and(|other| {
            let before = std::mem::replace(&mut groups, other);
            before != groups
        });
        if changed || now >= look_at {
            look_at = now + INTERFACES_EVERY;
            let (interfaces, alone) = if groups.is_empty() { Default::default() } else { addresses() };
            let listens = sockets.follow(&groups, &interfaces, &alone);
            if let Err(error) = listens
                && !std::mem::replace(&mut told, true)
            {
                tell_refused(links, &error);
            }
        }
        if sockets.is_empty() {
            published = links.projects.wait_past(published, LOOK_AROUND);
            continue;
        }
        sockets.receive(LOOK_AROUND, |from, bytes| {
            let foreign = match sacn::parse(bytes) {
                Ok(sacn::Packet::Data(data)) => data.cid != own,
                _ => false,
            };
            if foreign {
                // Whoever is late gets the next one; sources repeat themselves.
                let _ = links.door.try_send(Datagram::new(from, bytes));
            }
        });
    }
}

fn tell_refused(links: &BridgeLinks, error: &io::Error) {
    let text = format!(
        "Not everything that comes as sACN is heard: another program on this computer has its port (UDP {}), or there \
         is no room ({error}). It is tried again; the show's own light goes on.",
        sacn::PORT
    );
    let _ = links.notices.try_send(Notice::warning("bridge", text).keyed("sacn port"));
}

/// The universes whose groups a project needs.
fn groups_of(project: &Project) -> BTreeSet<u16> {
    let merged = project.routes.iter().flat_map(|route| route.merged());
    let of_sacn = merged.filter_map(|(_, from, _)| match from {
        Incoming::Sacn(universe) => Some(universe),
        Incoming::ArtNet(_) => None,
    });
    of_sacn.collect::<BTreeSet<u16>>().into_iter().take(MOST_GROUPS).collect()
}

/// Addresses of the interfaces that groups are joined on, and those that packets come to alone: loopback is left to
/// whoever listens there.
fn addresses() -> (BTreeSet<Ipv4Addr>, BTreeSet<Ipv4Addr>) {
    let interfaces = interfaces::list().unwrap_or_default();
    let v4 = |loopback: bool| {
        let up = interfaces.iter().filter(move |interface| interface.up && (loopback || !interface.loopback));
        up.flat_map(|interface| &interface.addresses).filter_map(|of| match of.address {
            IpAddr::V4(address) => Some(address),
            IpAddr::V6(_) => None,
        })
    };
    (v4(true).collect(), v4(false).collect())
}
