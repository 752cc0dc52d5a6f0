//! Who else sends what this show sends: lamps that flicker between two consoles have a name to it.
//!
//! Pure, with time as an argument; owned by the bridge thread. Each sender is spoken of at most once a minute, and only
//! so many are remembered. Universes that a route merges are let be: they come in on purpose. Deliberately absent: what
//! a node merges from consoles that we do not hear; discovery tells that.

use super::heard::{Sender, silent_since};
use super::sources::SourceId;
use crate::model::device::{Device, Incoming, Protocol, Route};
use crate::model::id::{DeviceId, Table};
use crate::model::project::Project;
use crate::notice::Notice;
use crate::output::cid::Cid;
use crate::output::discovery::nodes::Found;
use crate::output::discovery::packets::clean_name;
use crate::output::discovery::roll::ports_text;
use crate::output::{artnet, sacn};
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// Between two sentences about one sender.
const QUIET: Duration = Duration::from_secs(60);
/// Senders that are spoken of within that time; further ones are not.
const MOST_SENDERS: usize = 64;

/// What is sent by this show, and who was spoken of.
pub struct Foreign {
    own: Cid,
    routes: Table<Route>,
    devices: Table<Device>,
    /// What is sent to which device; the first one, where there are several.
    sent: BTreeMap<Incoming, DeviceId>,
    told: Told,
    /// Who was heard within the last minute.
    heard: BTreeMap<SourceId, (Sender, Instant)>,
}

/// Who was spoken of within the last minute.
#[derive(Default)]
pub(super) struct Told(BTreeMap<SourceId, Instant>);

impl Told {
    /// `Some` at most once a minute for each, and for so many only.
    pub(super) fn may_tell(&mut self, id: SourceId, now: Instant) -> Option<()> {
        let spoken = |at: &Instant| now.saturating_duration_since(*at) < QUIET;
        if self.0.get(&id).is_some_and(spoken) {
            return None;
        }
        self.0.retain(|_, at| spoken(at));
        (self.0.len() < MOST_SENDERS).then(|| {
            self.0.insert(id, now);
        })
    }
}

impl Foreign {
    /// Knows of no universe yet. Packets of `own` are never foreign.
    pub fn new(own: Cid) -> Self {
        let (routes, devices) = (Table::default(), Table::default());
        Self { own, routes, devices, sent: BTreeMap::new(), told: Told::default(), heard: BTreeMap::new() }
    }

    /// Takes what a project sends.
    pub fn follow(&mut self, project: &Project) {
        if self.routes == project.routes && self.devices == project.devices {
            return;
        }
        (self.routes, self.devices) = (project.routes.clone(), project.devices.clone());
        self.sent.clear();
        for (universe, device) in sent(project) {
            self.sent.entry(universe).or_insert(device);
        }
        for (_, universe, _) in project.routes.iter().flat_map(|route| route.merged()) {
            self.sent.remove(&universe);
        }
        // Who sends what this show does no more is nobody's business.
        self.heard.retain(|_, (sender, _)| self.sent.contains_key(&sender.universe));
    }

    /// Who sends what this show sends too; whoever was silent for a minute is forgotten.
    pub fn heard(&mut self, now: Instant) -> Vec<Sender> {
        self.heard.retain(|_, (_, at)| now.saturating_duration_since(*at) < QUIET);
        let shown =
            |(sender, at): &(Sender, Instant)| Sender { silent_since: silent_since(*at, now), ..sender.clone() };
        self.heard.values().map(shown).collect()
    }

    /// Keeps in mind that somebody sends a universe of ours.
    fn keep(&mut self, now: Instant, id: SourceId, universe: Incoming, who: (Ipv4Addr, &[u8], Option<u8>)) {
        let (Some(ours), (from, name, priority)) = (self.sent.get(&universe), who) else { return };
        if let Some((sender, at)) = self.heard.get_mut(&id) {
            (sender.universe, sender.from, sender.priority, sender.ours) = (universe, from, priority, Some(*ours));
            *at = now;
        } else if self.heard.len() < MOST_SENDERS {
            let name = clean_name(name);
            let (silent_since, counts, ours) = (None, false, Some(*ours));
            let sender = Sender { universe, from, name, priority, silent_since, counts, ours };
            self.heard.insert(id, (sender, now));
        }
    }

    /// An ArtDmx came from another computer.
    pub fn hear_dmx(&mut self, now: Instant, from: Ipv4Addr, dmx: &artnet::Dmx<'_>, found: &Found) -> Option<Notice> {
        let device = *self.sent.get(&Incoming::ArtNet(dmx.port))?;
        let id = SourceId::Address(from);
        let node = || found.nodes.iter().find(|node| node.address == from);
        let name = || node().map_or("", |node| if node.name.is_empty() { &node.about } else { &node.name });
        let fresh = if self.heard.contains_key(&id) { "" } else { name() };
        self.keep(now, id, Incoming::ArtNet(dmx.port), (from, fresh.as_bytes(), None));
        self.told.may_tell(id, now)?;
        let name = name();
        let (who, universe, device) = (who(name, from), ports_text(&[dmx.port], 0), self.name(device));
        let text = format!(
            "{who} also sends Art-Net universe {universe}, which this show sends to `{device}`: lamps may flicker \
             between the two. This show goes on sending; end one of the two, or merge the other in the route."
        );
        Some(Notice::warning("bridge", text).keyed(format!("also sends {from}")))
    }

    /// Data of sACN came from somewhere.
    pub fn hear_sacn(&mut self, now: Instant, from: Ipv4Addr, data: &sacn::Data<'_>) -> Option<Notice> {
        if data.cid == self.own || data.preview || data.terminated {
            return None;
        }
        let (theirs, ours) = (data.priority, self.priority(data.universe)?);
        let id = SourceId::Cid(data.cid.0);
        self.keep(now, id, Incoming::Sacn(data.universe), (from, data.source, Some(theirs)));
        let outcome = match theirs.cmp(&ours) {
            std::cmp::Ordering::Greater => format!("nodes follow it, its priority is {theirs} and this show's {ours}"),
            std::cmp::Ordering::Less => format!("nodes follow this show, whose priority is {ours} and its {theirs}"),
            std::cmp::Ordering::Equal => format!("both have priority {ours}, so nodes mix them or flicker"),
        };
        self.tell_sacn(now, data.cid, (data.source, from), data.universe, &outcome)
    }

    /// A source of sACN says what it sends.
    pub fn hear_list(&mut self, now: Instant, from: Ipv4Addr, list: &sacn::Discovery<'_>) -> Option<Notice> {
        if list.cid == self.own {
            return None;
        }
        let (universe, ours) = list.universes().find_map(|universe| Some((universe, self.priority(universe)?)))?;
        let outcome = format!("nodes follow the higher priority, this show's is {ours}");
        self.tell_sacn(now, list.cid, (list.source, from), universe, &outcome)
    }

    fn tell_sacn(
        &mut self,
        now: Instant,
        cid: Cid,
        (source, from): (&[u8], Ipv4Addr),
        universe: u16,
        outcome: &str,
    ) -> Option<Notice> {
        let device = *self.sent.get(&Incoming::Sacn(universe))?;
        self.told.may_tell(SourceId::Cid(cid.0), now)?;
        let (who, device) = (who(&clean_name(source), from), self.name(device));
        let text = format!(
            "{who} also sends sACN universe {universe}, which this show sends to `{device}`: {outcome}. This show goes \
             on sending."
        );
        Some(Notice::warning("bridge", text).keyed(format!("also sends {:02x?}", cid.0)))
    }

    /// The priority that a universe is multicast with; `None` for one that is not.
    fn priority(&self, universe: u16) -> Option<u8> {
        let device = self.devices.get(*self.sent.get(&Incoming::Sacn(universe))?)?;
        match &device.protocol {
            Protocol::Sacn(sacn) => Some(sacn.priority),
            Protocol::ArtNet { .. } | Protocol::Ddp(_) | Protocol::Enttec(_) => None,
        }
    }

    fn name(&self, device: DeviceId) -> &str {
        self.devices.get(device).map_or("", |device| &device.name)
    }
}

/// Universes that others could send too, each with its device: Art-Net's, and those of sACN that are multicast.
fn sent(project: &Project) -> impl Iterator<Item = (Incoming, DeviceId)> {
    let of_route = |route: &Route| project.devices.get(route.device).map(|device| (*route, device));
    let routes = project.routes.iter().filter_map(move |route| of_route(route));
    routes.flat_map(|(route, device)| {
        let universe = |port| match &device.protocol {
            Protocol::ArtNet { .. } => Some(Incoming::ArtNet(port)),
            Protocol::Sacn(sacn) if sacn.address.is_none() => sacn.universe(port).map(Incoming::Sacn),
            Protocol::Sacn(_) | Protocol::Ddp(_) | Protocol::Enttec(_) => None,
        };
        route.pairs().filter_map(move |(_, port)| Some((universe(port)?, device.id)))
    })
}

/// The sACN universes that are multicast.
pub fn multicast_universes(project: &Project) -> BTreeSet<u16> {
    let of_sacn = sent(project).filter_map(|(universe, _)| match universe {
        Incoming::Sacn(universe) => Some(universe),
        Incoming::ArtNet(_) => None,
    });
    of_sacn.collect()
}

fn who(name: &str, from: Ipv4Addr) -> String {
    if name.is_empty() { format!("Somebody at {from}") } else { format!("`{name}` ({from})") }
}

#[cfg(test)]
mod tests;
