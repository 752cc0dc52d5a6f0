//! Discovery: who is on the network. Asks every 2.5 to 3 s, keeps a table of who answers, and answers who asks.
//!
//! `packets` has the bytes, `nodes` the table, `poller` decides when what is said, `sockets` holds the sockets,
//! [`Discovery`] is the thread, named `discovery`; `news` says who left, `roll` sets what was found beside the project. Deliberately absent:
//! any word to the senders. What is sent where is the project's, so a node that never answers gets its light, and
//! nothing that arrives here can change the show.

mod news;
pub mod nodes;
pub mod packets;
pub mod poller;
pub mod roll;
pub(crate) mod sockets;

use crate::incoming::Datagram;
use crate::model::device::{ARTNET_PORT, Incoming};
use crate::model::project::Project;
use crate::notice::Notice;
use crate::output::{artnet, interfaces};
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::Sender;
use news::News;
use nodes::{Found, Heard};
use poller::{Network, Poller};
use sockets::Sockets;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// How long the thread waits at most before it looks whether to stop.
const LOOK_AROUND: Duration = Duration::from_millis(100);
/// Shortest time between two tables.
const PUBLISH_EVERY: Duration = Duration::from_millis(250);
/// The pause after so many datagrams at once, so that a flood takes no processor from the senders.
const FLOOD: usize = 64;
const FLOOD_PAUSE: Duration = Duration::from_millis(10);
/// The same while much may come on purpose: a frame of the most universes that are merged is taken without a pause.
const MERGE_FLOOD: usize = 1024;
const MERGE_PAUSE: Duration = Duration::from_millis(1);
/// How soon the thread starts over after it failed.
const RETRY: Duration = Duration::from_secs(1);
/// How often it is told that it fails again and again.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// Which networks are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Networks {
    /// Those of this machine's interfaces that are up, read anew for each round; never loopback.
    #[default]
    OfThisMachine,
    /// These.
    Fixed(Vec<Network>),
}

/// How discovery is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscoveryOptions {
    /// Which networks are asked.
    pub networks: Networks,
    /// The UDP port of Art-Net.
    pub port: u16,
    /// Whether anybody is asked or answered. If not, the port is listened to only while a route merges Art-Net.
    pub asks: bool,
}

impl Default for DiscoveryOptions {
    fn default() -> Self {
        Self { networks: Networks::default(), port: ARTNET_PORT, asks: true }
    }
}

/// What the thread talks to.
#[derive(Clone)]
pub struct DiscoveryLinks {
    /// The project, for the addresses of its devices.
    pub projects: Arc<LatestSlot<Project>>,
    /// Where the table goes, at most four times a second, when it has changed.
    pub found: Arc<LatestSlot<Found>>,
    /// What the operator should know.
    pub notices: Sender<Notice>,
    /// Where ArtDmx of other computers goes, which comes in at the same port; a full queue drops it.
    pub dmx: Option<Sender<Datagram>>,
}

/// The running thread. Dropping it stops it.
pub struct Discovery {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Discovery {
    /// Starts the thread. It never waits for the network and nobody waits for it.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start(options: DiscoveryOptions, links: DiscoveryLinks) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = spawn_named("discovery", move || supervise(&options, &links, &stopped))?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for Discovery {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // Its panics were caught and told already.
            let _ = thread.join();
        }
    }
}

/// Runs until it is stopped; what fails costs discovery a second and the show nothing.
fn supervise(options: &DiscoveryOptions, links: &DiscoveryLinks, stop: &AtomicBool) {
    let mut words = Words { notices: &links.notices, taken: false, full: false };
    let mut told = None::<Instant>;
    while !stop.load(Ordering::SeqCst) {
        let run = AssertUnwindSafe(|| run(options, links, stop, &mut words));
        let reason = match catch_unwind(run) {
            // It ended because nobody needs it now, or because it was stopped.
            Ok(Ok(())) => continue,
            Ok(Err(error)) => format!("it has no socket ({error})"),
            Err(_) => "a part of it failed".to_owned(),
        };
        if told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            told = Some(Instant::now());
            let text = format!("Nodes are not looked for: {reason}; it is tried again. The light goes on.");
            let _ = links.notices.try_send(Notice::warning("discovery", text).keyed("discovery"));
        }
        let again = Instant::now() + RETRY;
        while Instant::now() < again && !stop.load(Ordering::SeqCst) {
            std::thread::sleep(LOOK_AROUND);
        }
    }
}

fn run(options: &DiscoveryOptions, links: &DiscoveryLinks, stop: &AtomicBool, words: &mut Words<'_>) -> io::Result<()> {
    if !options.asks && !wait_for_merge(links, stop) {
        return Ok(());
    }
    let mut sockets = Sockets::open(options.port)?;
    let mut poller = Poller::new(options.port, seed(), Instant::now());
    let mut publish_at = Instant::now();
    let mut table = Arc::<Found>::default();
    let (mut news, mut names) = (News::default(), BTreeMap::new());
    let (mut own, mut merges) = (BTreeSet::new(), false);
    while !stop.load(Ordering::SeqCst) {
        let now = Instant::now();
        if poller.poll_due(now) {
            let networks = options.networks.read();
            merges = merges_artnet(links);
            words.tell_taken(&sockets.follow(&networks), merges);
            poller.send_from(sockets.addresses());
            let devices = devices(links.projects.latest().as_deref());
            let ports = devices.iter().map(|(address, (port, _))| (*address, *port)).collect();
            names = devices.into_iter().map(|(address, (_, name))| (address, name)).collect();
            own = own_addresses(&networks);
            if options.asks {
                poller.ask(now, networks, ports);
            } else if merges {
                poller.rest(now);
            } else {
                return Ok(());
            }
            // What waited for its minute.
            words.tell(news.of(&table, &names, now));
        }
        while let Some(transmit) = poller.transmit(now) {
            sockets.send(&transmit);
        }
        if now >= publish_at
            && let Some(found) = poller.take_changed()
        {
            table = Arc::new(found);
            links.found.publish(Arc::clone(&table));
            words.tell(news.of(&table, &names, now));
            publish_at = now + PUBLISH_EVERY;
        }
        let wait = poller.next_due().saturating_duration_since(now).min(LOOK_AROUND);
        let (flood, pause) = if merges { (MERGE_FLOOD, MERGE_PAUSE) } else { (FLOOD, FLOOD_PAUSE) };
        let received = sockets.receive(wait, flood, |from, bytes| {
            if let (Some(dmx), Ok(artnet::Packet::Dmx(_))) = (&links.dmx, artnet::parse(bytes)) {
                if !own.contains(from.ip()) {
                    let _ = dmx.try_send(Datagram::new(*from.ip(), bytes));
                }
            } else if options.asks && poller.handle(Instant::now(), from, bytes) == Heard::NoRoom {
                words.tell_full();
            }
        });
        if received >= flood {
            std::thread::sleep(pause);
        }
    }
    Ok(())
}

/// Each thing is told once in a run of the program.
struct Words<'a> {
    notices: &'a Sender<Notice>,
    taken: bool,
    full: bool,
}

impl Words<'_> {
    fn tell(&self, notices: Vec<Notice>) {
        for notice in notices {
            // A full queue drops the notice; the list of nodes says the same.
            let _ = self.notices.try_send(notice);
        }
    }

    fn tell_taken(&mut self, taken: &[Ipv4Addr], merges: bool) {
        if taken.is_empty() || std::mem::replace(&mut self.taken, true) {
            return;
        }
        let text = "Another program on this computer has the port of Art-Net (UDP 6454). Nodes that answer only there \
                    are not found; devices of the project are sent their light as ever.";
        let deaf = "Light of other consoles that is sent to this computer alone is not merged.";
        let text = if merges { format!("{text} {deaf}") } else { text.to_owned() };
        let _ = self.notices.try_send(Notice::warning("discovery", text));
    }

    fn tell_full(&mut self) {
        if std::mem::replace(&mut self.full, true) {
            return;
        }
        let text = format!(
            "More nodes answer than are kept ({} with {} replies); further ones are not listed. The devices of the \
             project are sent their light as ever.",
            nodes::MOST_NODES,
            nodes::MOST_PAGES
        );
        let _ = self.notices.try_send(Notice::warning("discovery", text));
    }
}

impl Networks {
    fn read(&self) -> Vec<Network> {
        match self {
            Self::Fixed(networks) => networks.clone(),
            Self::OfThisMachine => {
                let interfaces = interfaces::list().unwrap_or_default();
                let up = interfaces.into_iter().filter(|interface| interface.up && !interface.loopback);
                up.flat_map(|interface| interface.addresses).filter_map(network).collect()
            }
        }
    }
}

/// A network that can be asked: of IPv4, with more than two addresses.
fn network(address: interfaces::InterfaceAddress) -> Option<Network> {
    let (IpAddr::V4(ours), Some(IpAddr::V4(broadcast))) = (address.address, address.broadcast) else { return None };
    let prefix_bits = address.prefix_bits;
    (prefix_bits < 31 && broadcast != ours).then_some(Network { address: ours, broadcast, prefix_bits })
}

/// Where the project's devices listen, and what they are called.
fn devices(project: Option<&Project>) -> BTreeMap<Ipv4Addr, (u16, String)> {
    let addresses = project.into_iter().flat_map(|project| project.devices.iter());
    let addresses = addresses.filter_map(|device| match roll::artnet_address(device)? {
        SocketAddr::V4(address) => Some((*address.ip(), (address.port(), device.name.clone()))),
        SocketAddr::V6(_) => None,
    });
    addresses.collect()
}

/// Whether a route merges what comes as Art-Net.
fn merges_artnet(links: &DiscoveryLinks) -> bool {
    let merged = |project: &Project| {
        let from = project.routes.iter().filter_map(|route| route.merge).map(|merge| merge.from);
        from.into_iter().any(|from| matches!(from, Incoming::ArtNet(_)))
    };
    links.dmx.is_some() && links.projects.latest().is_some_and(|project| merged(&project))
}

/// Waits until a route merges what comes as Art-Net. `false` when the thread should stop instead.
fn wait_for_merge(links: &DiscoveryLinks, stop: &AtomicBool) -> bool {
    let mut published = 0;
    while !merges_artnet(links) {
        if stop.load(Ordering::SeqCst) {
            return false;
        }
        published = links.projects.wait_past(published, LOOK_AROUND);
    }
    true
}

/// Our own addresses, with that of loopback: what comes from there may be ours.
fn own_addresses(networks: &[Network]) -> BTreeSet<Ipv4Addr> {
    let interfaces = interfaces::list().unwrap_or_default();
    let addresses = interfaces.into_iter().flat_map(|interface| interface.addresses);
    let v4 = addresses.filter_map(|of| match of.address {
        IpAddr::V4(address) => Some(address),
        IpAddr::V6(_) => None,
    });
    networks.iter().map(|network| network.address).chain(v4).collect()
}

/// Different for every start.
fn seed() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32)
}
