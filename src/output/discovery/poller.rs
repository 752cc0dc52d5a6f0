//! When somebody is asked and when we answer: the protocol of discovery without sockets.
//!
//! Pure, with time as an argument; owned by the discovery thread. Datagrams go in, datagrams come out. Deliberately
//! absent: sockets, the list of interfaces, and anything that grows with what is received.

use super::nodes::{Found, Heard, Nodes};
use super::packets::{Message, POLL, PollReply, read};
use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::{Duration, Instant};

/// Shortest time between two polls; up to [`POLL_SPREAD`] more, so that consoles do not fall into step.
const POLL_EVERY: Duration = Duration::from_millis(2_500);
const POLL_SPREAD: Duration = Duration::from_millis(500);
/// An answer waits up to so long, as the specification asks.
const REPLY_DELAY: Duration = Duration::from_millis(1_000);
/// Answers that may wait at once: one for each who asks. More who ask within a second are not answered.
const MOST_REPLIES: usize = 32;
/// Devices that are asked one by one in a round.
const MOST_ASKED: usize = 1024;

/// A network that this machine is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Network {
    /// Our address there.
    pub address: Ipv4Addr,
    /// What reaches everybody there.
    pub broadcast: Ipv4Addr,
    /// Leading bits that are the network's.
    pub prefix_bits: u8,
}

impl Network {
    /// Whether an address belongs to it.
    pub fn holds(&self, address: Ipv4Addr) -> bool {
        let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix_bits.min(32))).unwrap_or(0);
        (address.to_bits() ^ self.address.to_bits()) & mask == 0
    }
}

/// A datagram to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// Our address to send it from; whichever the system chooses without one.
    pub from: Option<Ipv4Addr>,
    /// Where to.
    pub to: SocketAddrV4,
    /// The packet.
    pub bytes: Vec<u8>,
}

/// The state of discovery.
pub struct Poller {
    /// UDP port of Art-Net; another one in tests only.
    port: u16,
    nodes: Nodes,
    networks: Vec<Network>,
    /// What we send from, so that our own packets are known when the network brings them back.
    own: Vec<SocketAddrV4>,
    /// Where the project's devices are, by address, with the port that each listens at.
    devices: BTreeMap<Ipv4Addr, u16>,
    poll_at: Instant,
    /// Who is answered when.
    replies: Vec<(Instant, SocketAddrV4)>,
    out: VecDeque<Transmit>,
    dice: u64,
    changed: bool,
}

impl Poller {
    /// Asks for the first time at once. The seed makes consoles differ.
    pub fn new(port: u16, seed: u64, now: Instant) -> Self {
        Self {
            port,
            nodes: Nodes::default(),
            networks: Vec::new(),
            own: Vec::new(),
            devices: BTreeMap::new(),
            poll_at: now,
            replies: Vec::new(),
            out: VecDeque::new(),
            dice: seed | 1,
            changed: true,
        }
    }

    /// Whether it is time for [`Self::ask`].
    pub fn poll_due(&self, now: Instant) -> bool {
        now >= self.poll_at
    }

    /// When it wants to be looked at again.
    pub fn next_due(&self) -> Instant {
        self.replies.iter().map(|(at, _)| *at).fold(self.poll_at, Instant::min)
    }

    /// What we send from, from now on. Another program on this computer may answer from the same address by another
    /// port, or by the port of Art-Net where that is not ours.
    pub fn send_from(&mut self, own: Vec<SocketAddrV4>) {
        self.own = own;
    }

    /// Asks everybody: one packet in each network, and one to each device that is in none of them or did not answer
    /// the last one. Each round takes the networks and devices as they are now.
    pub fn ask(&mut self, now: Instant, mut networks: Vec<Network>, devices: BTreeMap<Ipv4Addr, u16>) {
        networks.sort_unstable_by_key(|network| (network.broadcast, network.address));
        networks.dedup_by_key(|network| network.broadcast);
        let broadcast = |address: &Ipv4Addr| address.is_broadcast() || networks.iter().any(|n| n.broadcast == *address);
        let devices: BTreeMap<_, _> = devices.into_iter().filter(|(address, _)| !broadcast(address)).collect();
        self.nodes.name(devices.keys().copied().collect());
        let silent = |address: &Ipv4Addr| {
            !networks.iter().any(|network| network.holds(*address)) || !self.nodes.answered(*address)
        };
        let mut asked: Vec<Transmit> = Vec::new();
        for network in &networks {
            let to = SocketAddrV4::new(network.broadcast, self.port);
            asked.push(Transmit { from: Some(network.address), to, bytes: POLL.to_vec() });
        }
        for (address, port) in devices.iter().filter(|(address, _)| silent(address)).take(MOST_ASKED) {
            let from = networks.iter().find(|network| network.holds(*address)).map(|network| network.address);
            asked.push(Transmit { from, to: SocketAddrV4::new(*address, *port), bytes: POLL.to_vec() });
        }
        // What could not be sent since the last round is out of date.
        self.out.clear();
        self.out.extend(asked);
        self.changed |= self.nodes.ask(now);
        self.poll_at = now + POLL_EVERY + self.throw(POLL_SPREAD);
        (self.networks, self.devices) = (networks, devices);
    }

    /// Asks nobody in this round.
    pub fn rest(&mut self, now: Instant) {
        self.poll_at = now + POLL_EVERY;
    }

    /// Takes a datagram. Our own come back from the network; they say nothing.
    pub fn handle(&mut self, now: Instant, from: SocketAddrV4, bytes: &[u8]) -> Heard {
        let ours = self.own.contains(&from);
        match read(bytes) {
            Some(Message::Reply(reply)) if !ours => {
                let heard = self.nodes.hear(*from.ip(), *reply);
                self.changed |= !matches!(heard, Heard::Same | Heard::NoRoom);
                heard
            }
            // Who asks for certain universes does not ask a console.
            Some(Message::Poll { targeted: false }) if !ours => {
                self.answer_later(now, from);
                Heard::Same
            }
            _ => Heard::Same,
        }
    }

    fn answer_later(&mut self, now: Instant, to: SocketAddrV4) {
        if self.replies.len() < MOST_REPLIES && self.replies.iter().all(|(_, waits)| *waits != to) {
            let at = now + self.throw(REPLY_DELAY);
            self.replies.push((at, to));
        }
    }

    /// The next datagram to send, if there is one at this time.
    pub fn transmit(&mut self, now: Instant) -> Option<Transmit> {
        if let Some(place) = self.replies.iter().position(|(at, _)| *at <= now) {
            let (_, to) = self.replies.swap_remove(place);
            let network = self.networks.iter().find(|network| network.holds(*to.ip()));
            // Who asks from behind a router is answered too, from whichever address leads there.
            let ip = network.or(self.networks.first()).map_or(Ipv4Addr::UNSPECIFIED, |network| network.address);
            let bytes = PollReply::of_console(ip).write().to_vec();
            return Some(Transmit { from: network.map(|network| network.address), to, bytes });
        }
        self.out.pop_front()
    }

    /// The table, if it is not the one that was taken last.
    pub fn take_changed(&mut self) -> Option<Found> {
        std::mem::take(&mut self.changed).then(|| self.nodes.found())
    }

    /// A time below `most`, by xorshift: only consoles that start together must differ.
    fn throw(&mut self, most: Duration) -> Duration {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        most.mul_f64((self.dice >> 11) as f64 / (1_u64 << 53) as f64)
    }
}
