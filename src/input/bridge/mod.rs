//! The bridge: light of other consoles, received, held and handed to the render thread.
//!
//! Two threads. `sacn-in` listens to the multicast groups of the universes that routes merge and to what is sent to
//! this computer's own addresses at the port of sACN, and to the first universes that this show multicasts itself, for
//! others that send them too ([`foreign`]; what a source lists is heard for all universes); `bridge` takes its datagrams, and the ArtDmx that discovery hears
//! at the port of Art-Net, which has one reader, and keeps [`sources`]. It publishes levels when they change. Both
//! idle while there is nothing to hear. Deliberately absent: packets that we send, and any change of the project.
//!
//! Nothing of ours comes back in: what comes from an address of this computer is no ArtDmx for us, and what carries our
//! own CID is no sACN. So Art-Net of another program on this computer is not merged either, and sACN of one is.

pub mod foreign;
pub mod heard;
mod sacn_in;
pub mod sources;

use crate::incoming::{Datagram, IncomingLight};
use crate::model::device::Incoming;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::output::cid::Cid;
use crate::output::discovery::nodes::Found;
use crate::output::discovery::roll::ports_text;
use crate::output::{artnet, interfaces, sacn};
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::{Receiver, Sender, bounded};
use foreign::{Foreign, Told, multicast_universes};
use heard::Heard;
use sacn_in::SacnSockets;
use sources::{Gone, Sources};
use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Datagrams that may wait for the bridge; when there are more, the newest are lost.
const QUEUE: usize = 1024;
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
/// Universes of our own that are listened to: each packet that we multicast there comes back and is thrown away.
const WATCHED: usize = 20;
/// How often it is looked whether others are heard than before.
const HEARD_EVERY: Duration = Duration::from_millis(500);
/// How soon a thread starts over after it failed.
const RETRY: Duration = Duration::from_secs(1);

/// What the threads talk to.
#[derive(Clone)]
pub struct BridgeLinks {
    /// The project, for its routes.
    pub projects: Arc<LatestSlot<Project>>,
    /// Who is on the network, for the names.
    pub found: Arc<LatestSlot<Found>>,
    /// Where levels go when they change.
    pub incoming: Arc<LatestSlot<IncomingLight>>,
    /// Where it goes who is heard, when that changes.
    pub heard: Arc<LatestSlot<Heard>>,
    /// What the operator should know.
    pub notices: Sender<Notice>,
}

/// The running threads. Dropping it stops them.
pub struct Bridge {
    stop: Arc<AtomicBool>,
    door: Sender<Datagram>,
    threads: Vec<JoinHandle<()>>,
}

impl Bridge {
    /// Starts the threads. They never wait for the network and nobody waits for them.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start(links: BridgeLinks) -> io::Result<Self> {
        // Made first, so that a thread that fails to start finds the other one stopped and joined.
        let (door, arrived) = bounded(QUEUE);
        let mut bridge = Self { stop: Arc::default(), door: door.clone(), threads: Vec::new() };
        let own = Cid::of_this_machine();
        let (to, stop) = (links.clone(), Arc::clone(&bridge.stop));
        let run = move || supervise(&to, &stop, || run_bridge(&to, &arrived, own, &stop));
        bridge.threads.push(spawn_named("bridge", run)?);
        let (to, stop) = (links, Arc::clone(&bridge.stop));
        let run = move || supervise(&to, &stop, || run_sacn(&to, &door, own, &stop));
        bridge.threads.push(spawn_named("sacn-in", run)?);
        Ok(bridge)
    }

    /// Where ArtDmx of other computers goes; a full queue drops it.
    pub fn door(&self) -> Sender<Datagram> {
        self.door.clone()
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

/// Runs until it is stopped; what fails costs what comes in a second and the show nothing.
fn supervise(links: &BridgeLinks, stop: &AtomicBool, run: impl Fn()) {
    while catch_unwind(AssertUnwindSafe(&run)).is_err() {
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

fn run_bridge(links: &BridgeLinks, arrived: &Receiver<Datagram>, own: Cid, stop: &AtomicBool) {
    let (mut sources, mut foreign) = (Sources::new(own), Foreign::new(own));
    let (mut seen, mut too_many, mut told) = (None, 0, Told::default());
    let mut publish_at = Instant::now();
    let (mut heard, mut hear_at) = (Heard::default(), publish_at);
    while !stop.load(Ordering::SeqCst) {
        if let Some(project) = take_new(&links.projects, &mut seen) {
            foreign.follow(&project);
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
        if let Ok(first) = arrived.recv_timeout(wait) {
            let (now, found) = (Instant::now(), links.found.latest().unwrap_or_default());
            for datagram in std::iter::once(first).chain(arrived.try_iter()).take(BATCH) {
                if let Some(notice) = hear((&mut sources, &mut foreign), now, &datagram, &found) {
                    let _ = links.notices.try_send(notice);
                }
            }
        }
        let now = Instant::now();
        for gone in sources.expire(now) {
            if told.may_tell(gone.id, now).is_some() {
                let _ = links.notices.try_send(of_gone(&gone));
            }
        }
        if now >= publish_at
            && let Some(light) = sources.take_changed()
        {
            links.incoming.publish(Arc::new(light));
            publish_at = now + PUBLISH_EVERY;
        }
        if now >= hear_at {
            hear_at = now + HEARD_EVERY;
            tell_heard(links, &mut heard, Heard { merged: sources.heard(now), others: foreign.heard(now) });
        }
    }
}

/// Publishes who is heard, when these are others than before.
fn tell_heard(links: &BridgeLinks, before: &mut Heard, heard: Heard) {
    if heard != *before {
        before.clone_from(&heard);
        links.heard.publish(Arc::new(heard));
    }
}

fn of_gone(Gone { universe, from, .. }: &Gone) -> Notice {
    let what = match universe {
        Incoming::ArtNet(port) => format!("Art-Net universe {}", ports_text(&[*port], 0)),
        Incoming::Sacn(universe) => format!("sACN universe {universe}"),
    };
    let text = format!("{what} comes no more from {from}; what it gave was let go, the show's own light goes on.");
    Notice::warning("bridge", text).keyed(format!("gone {from}"))
}

/// Takes a datagram; says who sent what this show sends.
fn hear(
    (sources, foreign): (&mut Sources, &mut Foreign),
    now: Instant,
    datagram: &Datagram,
    found: &Found,
) -> Option<Notice> {
    let (from, bytes) = (datagram.from, datagram.bytes());
    if let Ok(packet) = artnet::parse(bytes) {
        let artnet::Packet::Dmx(dmx) = packet else { return None };
        sources.hear_dmx(now, from, &dmx);
        return foreign.hear_dmx(now, from, &dmx, found);
    }
    match sacn::parse(bytes) {
        Ok(sacn::Packet::Data(data)) => {
            sources.hear_sacn(now, from, &data);
            foreign.hear_sacn(now, from, &data)
        }
        Ok(sacn::Packet::Discovery(list)) => foreign.hear_list(now, from, &list),
        _ => None,
    }
}

fn run_sacn(links: &BridgeLinks, door: &Sender<Datagram>, own: Cid, stop: &AtomicBool) {
    let mut sockets = SacnSockets::default();
    let (mut seen, mut groups) = (None, Groups::default());
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
            let (interfaces, mut alone) = if groups.all.is_empty() { Default::default() } else { addresses() };
            if !groups.merges {
                alone.clear();
            }
            let listens = sockets.follow(&groups.all, &interfaces, &alone);
            if let Err(error) = listens
                && groups.merges
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
                Ok(sacn::Packet::Discovery(list)) => list.cid != own,
                _ => false,
            };
            if foreign {
                // Whoever is late gets the next one; sources repeat themselves.
                let _ = door.try_send(Datagram::new(from, bytes));
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

/// The universes whose groups are listened to.
#[derive(Default, PartialEq)]
struct Groups {
    all: BTreeSet<u16>,
    /// Whether any of them is merged.
    merges: bool,
}

/// What a project needs to hear.
fn groups_of(project: &Project) -> Groups {
    let merged = project.routes.iter().flat_map(|route| route.merged());
    let of_sacn = merged.filter_map(|(_, from, _)| match from {
        Incoming::Sacn(universe) => Some(universe),
        Incoming::ArtNet(_) => None,
    });
    let merged: BTreeSet<u16> = of_sacn.collect();
    let merges = !merged.is_empty();
    let mut all: BTreeSet<u16> = merged.into_iter().take(MOST_GROUPS).collect();
    let ours = multicast_universes(project);
    if !ours.is_empty() {
        all.insert(sacn::DISCOVERY_UNIVERSE);
    }
    all.extend(ours.into_iter().take(WATCHED));
    Groups { all, merges }
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
