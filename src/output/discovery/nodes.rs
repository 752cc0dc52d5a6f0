//! The nodes that were heard: who is there, what each takes, who left and came back.
//!
//! Pure, with time as an argument; owned by the discovery thread. Bounded, whatever is received. Deliberately absent:
//! the project, but for the addresses that it names, which always find room.
//!
//! A node is gone when it has answered neither of two polls in a row, each of which had 2.5 to 3 s for it: within 5 to
//! 9 s. The specification asks for 3 s after one poll; then one lost datagram would make a node flicker.

use super::packets::{PollReply, clean_name};
use crate::model::device::RateLimit;
use crate::units::PortAddress;
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// The most addresses that are kept, besides those that the project names.
pub const MOST_NODES: usize = 1024;
/// The most pages that all nodes together have: as many as the patch has universes, should each have one port.
pub const MOST_PAGES: usize = 8192;
/// Polls in a row without an answer after which a node is gone, when the next one is sent.
const MISSED_POLLS: u8 = 2;
/// How long a node that left is remembered, unless the project names it.
pub const REMEMBERED: Duration = Duration::from_secs(600);
/// Frames a second of DMX512, for nodes that say nothing else.
const DMX_RATE: u16 = 44;
/// The fastest rate that a device may have.
const MOST_RATE: u16 = 1000;

/// What a reply was to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The node was not known.
    New,
    /// The node had gone.
    Back,
    /// The node says something else than before.
    Changed,
    /// Nothing new.
    Same,
    /// There is no room for another one; it is told only the first time, then it is [`Heard::Same`].
    NoRoom,
}

/// A node as the others see it: one address, all its pages together.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundNode {
    /// Where its packets come from, whatever it says.
    pub address: Ipv4Addr,
    /// What it calls itself; empty where that cannot be read.
    pub name: String,
    /// Its longer name; empty where that cannot be read.
    pub about: String,
    /// Version of its firmware, as it counts.
    pub firmware: u16,
    /// Whether it answered of late.
    pub here: bool,
    /// Whether it is another console.
    pub controller: bool,
    /// Universes that it turns into light, each once and sorted.
    pub takes: Vec<PortAddress>,
    /// Those of them on which it merges two senders.
    pub merges: Vec<PortAddress>,
    /// The rate for a device of it: what its slowest page asks for, that of DMX where it asks for nothing.
    pub rate: RateLimit,
    /// How many replies a poll brings.
    pub pages: usize,
}

/// All nodes in the order of their addresses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Those that are there, and those that left.
    pub nodes: Vec<FoundNode>,
}

struct Page {
    reply: PollReply,
    unanswered: u8,
}

/// What tells the pages of a node apart: BindIndex, and the first port-address of those that have none. Nodes from
/// before Art-Net 4, and replies that end before it, say 0 on every page.
type PageKey = (u8, u16);

struct Node {
    pages: BTreeMap<PageKey, Page>,
    unanswered: u8,
    gone: Option<Instant>,
}

/// The table.
#[derive(Default)]
pub struct Nodes {
    nodes: BTreeMap<Ipv4Addr, Node>,
    named: BTreeSet<Ipv4Addr>,
    crowded: bool,
}

impl Nodes {
    /// The addresses that the project names: these are kept while they are gone and always find room.
    pub fn name(&mut self, addresses: BTreeSet<Ipv4Addr>) {
        self.named = addresses;
    }

    /// A reply came from there. A node that answers with one page is there; a page that is not sent any more is
    /// dropped as a node would be.
    pub fn hear(&mut self, from: Ipv4Addr, reply: PollReply) -> Heard {
        let key = page_key(&reply);
        let room = match self.nodes.get(&from) {
            Some(node) => node.pages.contains_key(&key) || self.pages() < MOST_PAGES,
            None => self.make_room(from),
        };
        if !room {
            return if std::mem::replace(&mut self.crowded, true) { Heard::Same } else { Heard::NoRoom };
        }
        let new = || Node { pages: BTreeMap::new(), unanswered: 0, gone: None };
        let node = self.nodes.entry(from).or_insert_with(new);
        let (first, back) = (node.pages.is_empty(), node.gone.take().is_some());
        node.unanswered = 0;
        let old = node.pages.insert(key, Page { reply: reply.clone(), unanswered: 0 });
        let same = old.is_some_and(|old| is_same(&old.reply, &reply));
        match (first, back, same) {
            (true, ..) => Heard::New,
            (_, true, _) => Heard::Back,
            (.., false) => Heard::Changed,
            _ => Heard::Same,
        }
    }

    fn pages(&self) -> usize {
        self.nodes.values().map(|node| node.pages.len()).sum()
    }

    /// Whether there is room for one more, after the one that is gone for longest made it.
    fn make_room(&mut self, wanted: Ipv4Addr) -> bool {
        if self.named.contains(&wanted) || self.nodes.len() < MOST_NODES + self.named.len() {
            return true;
        }
        let gone = self.nodes.iter().filter(|(address, _)| !self.named.contains(address));
        let oldest = gone.filter_map(|(address, node)| Some((node.gone?, *address))).min();
        oldest.is_some_and(|(_, address)| self.nodes.remove(&address).is_some())
    }

    /// A poll is sent to everybody now. Returns whether anything in the table changed by what was not answered before.
    pub fn ask(&mut self, now: Instant) -> bool {
        let before = self.nodes.len();
        let named = &self.named;
        self.nodes.retain(|address, node| {
            named.contains(address) || node.gone.is_none_or(|gone| now.saturating_duration_since(gone) < REMEMBERED)
        });
        let mut changed = self.nodes.len() != before;
        for node in self.nodes.values_mut() {
            if node.gone.is_some() {
                continue;
            }
            if node.unanswered >= MISSED_POLLS {
                node.gone = Some(now);
                changed = true;
                continue;
            }
            let pages = node.pages.len();
            node.pages.retain(|_, page| page.unanswered < MISSED_POLLS || node.unanswered > 0);
            changed |= node.pages.len() != pages;
            node.pages.values_mut().for_each(|page| page.unanswered = page.unanswered.saturating_add(1));
            node.unanswered += 1;
        }
        changed
    }

    /// Whether the node has answered the last poll.
    pub fn answered(&self, address: Ipv4Addr) -> bool {
        self.nodes.get(&address).is_some_and(|node| node.gone.is_none() && node.unanswered == 0)
    }

    /// The table for everybody else.
    pub fn found(&self) -> Found {
        Found { nodes: self.nodes.iter().filter_map(|(address, node)| node.found(*address)).collect() }
    }
}

fn page_key(reply: &PollReply) -> PageKey {
    match reply.bind_index {
        0 => (0, u16::from_be_bytes([reply.net & 0x7f, (reply.sub_net & 15) << 4 | reply.sw_out[0] & 15])),
        index => (index, 0),
    }
}

/// Whether a reply says the same as the one before, as far as anybody is told. Its report counts up each time.
fn is_same(old: &PollReply, new: &PollReply) -> bool {
    let told = |reply: &PollReply| {
        let ports = [reply.outputs().collect::<Vec<PortAddress>>(), reply.merging().collect()];
        (ports, reply.short_name, reply.long_name, reply.firmware, reply.style, reply.refresh_rate)
    };
    told(old) == told(new)
}

impl Node {
    fn found(&self, address: Ipv4Addr) -> Option<FoundNode> {
        let first = &self.pages.values().next()?.reply;
        let takes: BTreeSet<PortAddress> = self.pages.values().flat_map(|page| page.reply.outputs()).collect();
        let merges: BTreeSet<PortAddress> = self.pages.values().flat_map(|page| page.reply.merging()).collect();
        let rates = self.pages.values().map(|page| page.reply.refresh_rate.clamp(DMX_RATE, MOST_RATE));
        Some(FoundNode {
            address,
            name: clean_name(&first.short_name),
            about: clean_name(&first.long_name),
            firmware: first.firmware,
            here: self.gone.is_none(),
            controller: first.is_controller() && takes.is_empty(),
            rate: RateLimit::Fps(f32::from(rates.min().unwrap_or(DMX_RATE))),
            takes: takes.into_iter().collect(),
            merges: merges.into_iter().collect(),
            pages: self.pages.len(),
        })
    }
}
