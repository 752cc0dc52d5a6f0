//! Who sends which universe that is merged, and what all of them give together.
//!
//! Pure, with time as an argument; owned by the bridge thread. Bounded, whatever is received. Deliberately absent: the
//! show's own light, and synchronization: a frame that another console would hold back until its sync is taken at once.
//!
//! Art-Net: two senders a universe, told apart by address, merged by the higher value; each is held for 10 s after its
//! last packet. sACN: eight sources a universe, told apart by CID; the highest priority counts, equal ones are merged by
//! the higher value. A source that is silent for 2.5 s is lost: others of lower priority count then, and where there
//! are none its light is held, for 10 s after its last packet. One that says it ends is let go at once.

use super::heard::{Sender, silent_since};
use crate::incoming::{IncomingLight, Levels};
use crate::model::device::Incoming;
use crate::model::project::Project;
use crate::output::artnet;
use crate::output::cid::Cid;
use crate::output::discovery::packets::clean_name;
use crate::output::sacn;
use crate::units::UNIVERSE_CHANNELS;
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most universes that are merged; the routes with the lowest ids come first.
pub const MOST_UNIVERSES: usize = 512;
/// The most senders of a universe.
const ARTNET_SOURCES: usize = 2;
const SACN_SOURCES: usize = 8;
/// Without a packet for so long, an sACN source is lost.
pub const LOST: Duration = Duration::from_millis(2_500);
/// Without a packet for so long, a source's light is let go.
pub const RELEASED: Duration = Duration::from_secs(10);
/// A packet that is at most so many behind is late and left out; one that is farther behind starts anew.
const LATE: i8 = -20;

/// What tells senders apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceId {
    /// Of Art-Net.
    Address(Ipv4Addr),
    /// Of sACN.
    Cid([u8; 16]),
}

/// A source whose light was let go because it fell silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// What it sent.
    pub universe: Incoming,
    /// Who it was.
    pub id: SourceId,
    /// Where its last packet came from.
    pub from: Ipv4Addr,
}

struct Source {
    id: SourceId,
    from: Ipv4Addr,
    /// As it calls itself; empty in Art-Net, whose data does not say.
    name: String,
    priority: u8,
    sequence: u8,
    heard: Instant,
    lost: bool,
    levels: Box<Levels>,
}

/// A packet of levels, whatever it came in.
struct Packet<'a> {
    id: SourceId,
    from: Ipv4Addr,
    name: &'a [u8],
    priority: u8,
    sequence: u8,
    ends: bool,
    levels: &'a [u8],
}

#[derive(Default)]
struct Universe {
    sources: Vec<Source>,
    /// What was handed over last.
    merged: Option<Arc<Levels>>,
    stale: bool,
}

/// All universes that are merged, with their sources.
pub struct Sources {
    own: Cid,
    universes: BTreeMap<Incoming, Universe>,
    /// Whether a universe came or went since the light was last taken.
    others: bool,
}

impl Sources {
    /// Merges nothing yet. Packets of `own` are never taken.
    pub fn new(own: Cid) -> Self {
        Self { own, universes: BTreeMap::new(), others: false }
    }

    /// Takes what the routes of a project merge. How many universes are left out because there are too many.
    pub fn follow(&mut self, project: &Project) -> usize {
        let mut wanted = BTreeSet::new();
        let mut left_out = BTreeSet::new();
        for (_, universe, _) in project.routes.iter().flat_map(|route| route.merged()) {
            let full = wanted.len() >= MOST_UNIVERSES && !wanted.contains(&universe);
            if full {
                left_out.insert(universe)
            } else {
                wanted.insert(universe)
            };
        }
        let before = self.universes.len();
        self.universes.retain(|universe, _| wanted.contains(universe));
        self.others |= self.universes.len() != before;
        for universe in wanted {
            self.universes.entry(universe).or_default();
        }
        left_out.len()
    }

    /// An ArtDmx came from another computer.
    pub fn hear_dmx(&mut self, now: Instant, from: Ipv4Addr, dmx: &artnet::Dmx<'_>) {
        let Some(universe) = self.universes.get_mut(&Incoming::ArtNet(dmx.port)) else { return };
        let (id, sequence, levels) = (SourceId::Address(from), dmx.sequence, dmx.data);
        universe.hear(now, &Packet { id, from, name: &[], priority: 0, sequence, ends: false, levels });
    }

    /// Data of sACN came from somewhere.
    pub fn hear_sacn(&mut self, now: Instant, from: Ipv4Addr, data: &sacn::Data<'_>) {
        // Other start codes carry no levels.
        if data.cid == self.own || data.preview || data.start_code != 0 {
            return;
        }
        let Some(universe) = self.universes.get_mut(&Incoming::Sacn(data.universe)) else { return };
        let (id, priority, sequence) = (SourceId::Cid(data.cid.0), data.priority, data.sequence);
        let (ends, levels, name) = (data.terminated, data.slots, data.source);
        universe.hear(now, &Packet { id, from, name, priority, sequence, ends, levels });
    }

    /// Lets go of who is silent for too long. Call it a few times a second.
    pub fn expire(&mut self, now: Instant) -> Vec<Gone> {
        let mut gone = Vec::new();
        for (universe, state) in &mut self.universes {
            state.expire(now, |source| gone.push(Gone { universe: *universe, id: source.id, from: source.from }));
        }
        gone
    }

    /// Who sends what is merged.
    pub fn heard(&self, now: Instant) -> Vec<Sender> {
        let of_universe = |(universe, state): (&Incoming, &Universe)| {
            let counts = state.priority();
            let sender = |source: &Source| Sender {
                universe: *universe,
                from: source.from,
                name: source.name.clone(),
                priority: matches!(source.id, SourceId::Cid(_)).then_some(source.priority),
                silent_since: silent_since(source.heard, now),
                counts: state.counting().any(|other| other.id == source.id) && counts == Some(source.priority),
                ours: None,
            };
            state.sources.iter().map(sender).collect::<Vec<_>>()
        };
        self.universes.iter().flat_map(of_universe).collect()
    }

    /// What all sources give, if it is not what was taken last.
    pub fn take_changed(&mut self) -> Option<IncomingLight> {
        let mut changed = std::mem::take(&mut self.others);
        for universe in self.universes.values_mut().filter(|universe| universe.stale) {
            universe.stale = false;
            let merged = universe.merge();
            if universe.merged.as_deref() != merged.as_ref() {
                universe.merged = merged.map(Arc::new);
                changed = true;
            }
        }
        let given = |(universe, state): (&Incoming, &Universe)| Some((*universe, Arc::clone(state.merged.as_ref()?)));
        changed.then(|| IncomingLight { universes: self.universes.iter().filter_map(given).collect() })
    }
}

impl Source {
    /// Whether a packet that says this number comes after the last one.
    fn follows(&self, sequence: u8) -> bool {
        let step = sequence.wrapping_sub(self.sequence) as i8;
        match self.id {
            _ if self.lost => true,
            // Some senders do not count, and some repeat a number; what they send is the newest all the same.
            SourceId::Address(_) => sequence == 0 || self.sequence == 0 || step >= 0 || step <= LATE,
            SourceId::Cid(_) => step > 0 || step <= LATE,
        }
    }
}

impl Universe {
    fn hear(&mut self, now: Instant, packet: &Packet<'_>) {
        self.expire(now, |_| ());
        let place = match self.sources.iter().position(|source| source.id == packet.id) {
            Some(place) if !self.sources[place].follows(packet.sequence) => return,
            Some(place) if packet.ends => {
                self.sources.remove(place);
                self.stale = true;
                return;
            }
            Some(place) => place,
            None if packet.ends || !self.make_room(packet) => return,
            None => {
                self.sources.push(Source {
                    id: packet.id,
                    from: packet.from,
                    name: clean_name(packet.name),
                    priority: packet.priority,
                    sequence: packet.sequence,
                    heard: now,
                    lost: false,
                    levels: Box::new([0; UNIVERSE_CHANNELS]),
                });
                self.sources.len() - 1
            }
        };
        let source = &mut self.sources[place];
        (source.from, source.priority, source.sequence) = (packet.from, packet.priority, packet.sequence);
        (source.heard, source.lost) = (now, false);
        let length = packet.levels.len().min(UNIVERSE_CHANNELS);
        source.levels[..length].copy_from_slice(&packet.levels[..length]);
        source.levels[length..].fill(0);
        self.stale = true;
    }

    /// Whether there is room for another source, after one that counts less made it: one that is lost, or of a lower
    /// priority.
    fn make_room(&mut self, packet: &Packet<'_>) -> bool {
        let most = match packet.id {
            SourceId::Address(_) => ARTNET_SOURCES,
            SourceId::Cid(_) => SACN_SOURCES,
        };
        if self.sources.len() < most {
            return true;
        }
        let least = self.sources.iter().enumerate().min_by_key(|(_, source)| (!source.lost, source.priority));
        let least = least.filter(|(_, source)| source.lost || source.priority < packet.priority);
        least.map(|(place, _)| place).is_some_and(|place| {
            self.sources.remove(place);
            true
        })
    }

    fn expire(&mut self, now: Instant, mut gone: impl FnMut(&Source)) {
        let silent = |source: &Source| now.saturating_duration_since(source.heard);
        let before = self.sources.len();
        self.sources.retain(|source| {
            let stays = silent(source) < RELEASED;
            if !stays {
                gone(source);
            }
            stays
        });
        self.stale |= self.sources.len() != before;
        for source in &mut self.sources {
            if !source.lost && matches!(source.id, SourceId::Cid(_)) && silent(source) >= LOST {
                (source.lost, self.stale) = (true, true);
            }
        }
    }

    /// Sources that are not lost; all of them, where all are.
    fn counting(&self) -> impl Iterator<Item = &Source> {
        let all_lost = self.sources.iter().all(|source| source.lost);
        self.sources.iter().filter(move |source| all_lost || !source.lost)
    }

    /// The priority that counts.
    fn priority(&self) -> Option<u8> {
        self.counting().map(|source| source.priority).max()
    }

    fn merge(&self) -> Option<Levels> {
        let priority = self.priority()?;
        let mut merged = [0; UNIVERSE_CHANNELS];
        for source in self.counting().filter(|source| source.priority == priority) {
            for (merged, level) in merged.iter_mut().zip(source.levels.iter()) {
                *merged = (*merged).max(*level);
            }
        }
        Some(merged)
    }
}

#[cfg(test)]
mod tests;
