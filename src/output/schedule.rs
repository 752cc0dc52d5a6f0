//! When each packet of one destination is due: changes, keep-alive, rate limit, sequence, sync, discovery, the end.
//!
//! Pure; a sender thread owns one schedule a destination and passes the time in. Once built, nothing here
//! allocates. The same rules for every protocol; what differs is asked of [`Packets`]. Deliberately absent: sockets.
//! What the socket refused is told by [`Schedule::failed`].

use super::packets::Packets;
use super::plan::Destination;
use crate::frame::LampFrame;
use crate::model::device::{RateLimit, Refresh};
use std::net::SocketAddrV4;
use std::time::{Duration, Instant};

/// A packet this old is repeated along with whatever else is sent.
pub const REPEAT_FROM: Duration = Duration::from_millis(800);
/// A packet this old makes the sender wake up for it: before 1 s, with time to spare for a late wake-up.
const REPEAT_WAKE: Duration = Duration::from_millis(900);
/// A packet this old is repeated even though the rate limit would rather wait. That happens only under limits
/// below 1 / 0.15 s, where no slot may fall between this and [`REPEAT_FROM`].
const REPEAT_URGENT: Duration = Duration::from_millis(950);
/// How long after a refused packet it is tried again.
pub const RETRY_AFTER: Duration = Duration::from_millis(20);
/// Time between the repeats that follow a change at once, where no frame comes in between.
const SETTLE: Duration = Duration::from_millis(25);
/// Time between two discoveries.
const DISCOVER_EVERY: Duration = Duration::from_secs(10);
/// How long after a refused discovery it is tried again.
const DISCOVER_AGAIN: Duration = Duration::from_secs(1);
/// How often the end of a stream is told, and the time between.
pub const END_ROUNDS: u8 = 3;
/// One that falls victim to a full queue is followed by one that does not.
pub const END_GAP: Duration = Duration::from_millis(25);

/// One thing to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The packet of this number.
    Packet(usize),
    /// What completes a frame.
    Sync,
    /// The discovery page of this number.
    Page(usize),
}

/// One destination's packets and when they are due.
pub struct Schedule {
    /// Nothing is due: the device is cut off.
    shut: bool,
    every_frame: bool,
    /// Least time between two frames, `None` at the render rate.
    interval: Option<Duration>,
    packets: Packets,
    /// When each packet was last sent, `None` while it has yet to be, or has to be again.
    sent_at: Vec<Option<Instant>>,
    /// How many repeats each packet still owes since its last change.
    owed: Vec<u8>,
    /// Numbers of the packets to be sent now.
    due: Vec<u32>,
    /// Which frame the packets hold; a number alone would not tell a restarted render thread apart.
    holds: Option<(u64, Instant)>,
    /// A newer frame waits for the rate limit.
    held_back: bool,
    /// The rate limit's grid: nothing goes out before, except what is urgent.
    slot: Option<Instant>,
    /// When the packet that waits longest was sent.
    oldest: Option<Instant>,
    /// When the packet that owes repeats and waits longest was sent.
    unsettled: Option<Instant>,
    /// When packets that were refused are tried again.
    retry_at: Option<Instant>,
    /// Where sending begins, so that a link that is too slow does not always lose the same universes.
    first: usize,
    /// Whether the pages are to be sent now, and when they are next; `None` before the first time.
    discovering: bool,
    discover_at: Option<Instant>,
    /// Rounds left of a stream that ends, `None` while it goes on.
    ending: Option<u8>,
}

impl Schedule {
    /// A schedule that has sent nothing yet.
    pub fn new(destination: &Destination) -> Self {
        let packets = Packets::new(destination);
        let every_frame = destination.refresh == Refresh::EveryFrame;
        let shut = destination.is_cut_off();
        Self { shut, ..Self::over(packets, every_frame, interval(destination.rate)) }
    }

    fn over(packets: Packets, every_frame: bool, interval: Option<Duration>) -> Self {
        Self {
            shut: false,
            every_frame,
            interval,
            sent_at: vec![None; packets.len()],
            owed: vec![0; packets.len()],
            due: Vec::with_capacity(packets.len()),
            packets,
            holds: None,
            held_back: false,
            slot: None,
            oldest: None,
            unsettled: None,
            retry_at: None,
            first: 0,
            discovering: false,
            discover_at: None,
            ending: None,
        }
    }

    /// Carries on where `old` stopped, for the packets both have: sequence numbers always, and what the node
    /// already holds where it is `same_node`.
    pub fn inherit(&mut self, old: &Self, same_node: bool) {
        let known = self.packets.carry_over(&old.packets);
        if same_node {
            for (index, before) in known.into_iter().enumerate() {
                let Some(before) = before else { continue };
                (self.sent_at[index], self.owed[index]) = (old.sent_at[before], old.owed[before]);
            }
            self.slot = old.slot.filter(|_| self.interval.is_some());
            self.discover_at = old.discover_at;
        }
    }

    /// The end of those streams that `ended` picks by their keys: sends nothing but that, three times.
    /// `None` where there are none, none was ever sent, or the protocol knows no end.
    pub fn farewell(&self, ended: impl Fn(u32) -> bool) -> Option<Self> {
        if !self.has_sent() {
            return None;
        }
        let mut packets = self.packets.only(ended);
        if packets.is_empty() || !packets.terminate() {
            return None;
        }
        let mut schedule = Self::over(packets, false, None);
        schedule.ending = Some(self.ending.unwrap_or(END_ROUNDS));
        Some(schedule)
    }

    fn has_sent(&self) -> bool {
        self.ending.is_some() || self.sent_at.iter().any(Option::is_some)
    }

    /// Whether this only tells the end of streams.
    pub fn is_farewell(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether this is a farewell, and it was said.
    pub fn is_over(&self) -> bool {
        self.ending == Some(0)
    }

    /// Settles which packets are due at `now`, given the newest frame. They count as sent until
    /// [`Schedule::failed`] says otherwise. Before the first frame nothing is due.
    pub fn prepare(&mut self, now: Instant, frame: Option<&LampFrame>) {
        self.due.clear();
        self.discovering = false;
        if self.shut {
            return;
        }
        let open = self.slot.is_none_or(|slot| slot <= now);
        if let Some(rounds) = self.ending {
            if open && rounds > 0 {
                self.ending = Some(rounds - 1);
                self.prepare_end(now);
                self.slot = Some(now + END_GAP);
            }
            return;
        }
        let fresh = frame.filter(|frame| self.holds != Some((frame.number, frame.stamp)));
        self.held_back = fresh.is_some() && !open;
        if let (Some(frame), true) = (fresh, open) {
            self.holds = Some((frame.number, frame.stamp));
            self.collect(now, Some(frame), open);
        } else if self.repeat_due().is_some_and(|due| due <= now) {
            self.collect(now, None, open);
        }
        if !self.due.is_empty() && open {
            self.slot = self.interval.map(|interval| match self.slot {
                Some(slot) if now < slot + interval => slot + interval,
                _ => now + interval,
            });
        }
        let discover = self.discover_at.map_or(!self.due.is_empty(), |at| at <= now);
        if discover && !self.packets.pages().is_empty() {
            self.discovering = true;
            self.discover_at = Some(now + DISCOVER_EVERY);
        }
    }

    /// Makes zeros for every packet due, whatever was sent before.
    pub fn prepare_black(&mut self, now: Instant) {
        self.packets.blacken();
        self.prepare_last(now, None);
    }

    /// Makes every packet due as the newest frame has it, whatever was sent before.
    pub fn prepare_last(&mut self, now: Instant, frame: Option<&LampFrame>) {
        self.due.clear();
        self.discovering = false;
        if self.shut {
            return;
        }
        self.holds = None;
        self.held_back = false;
        self.sent_at.fill(None);
        self.collect(now, frame, true);
    }

    /// Makes the end of every stream due, where the protocol knows one and something was sent. Returns whether it is.
    pub fn prepare_end(&mut self, now: Instant) -> bool {
        let ends = self.has_sent() && self.packets.terminate();
        if ends {
            self.prepare_last(now, None);
        } else {
            self.due.clear();
        }
        ends
    }

    /// When [`Schedule::prepare`] should be called next, even if no newer frame comes.
    pub fn next_due(&self) -> Option<Instant> {
        if let Some(rounds) = self.ending {
            return self.slot.filter(|_| rounds > 0);
        }
        let held = self.slot.filter(|_| self.held_back);
        let discover = self.discover_at.filter(|_| !self.packets.pages().is_empty());
        [held, self.repeat_due(), discover].into_iter().flatten().min()
    }

    /// Numbers of the packets that are due, in the order they should go out.
    pub fn due(&self) -> &[u32] {
        &self.due
    }

    /// Whether a sync follows the packets that are due. It follows repeats too: a node leaves its synchronous
    /// mode when none comes for seconds, and a static look is all repeats.
    pub fn sync_due(&self) -> bool {
        !self.packets.sync().is_empty() && !self.due.is_empty()
    }

    /// How much there is to send: the due packets, then the sync, then discovery.
    pub fn items(&self) -> usize {
        let pages = if self.discovering { self.packets.pages().len() } else { 0 };
        self.due.len() + usize::from(self.sync_due()) + pages
    }

    /// What is to be sent at this place.
    pub fn item(&self, place: usize) -> Item {
        match place.checked_sub(self.due.len()) {
            None => Item::Packet(self.due[place] as usize),
            Some(0) if self.sync_due() => Item::Sync,
            Some(after) => Item::Page(after - usize::from(self.sync_due())),
        }
    }

    /// An item's bytes, and where they go.
    pub fn datagram(&self, item: Item) -> (&[u8], SocketAddrV4) {
        match item {
            Item::Packet(index) => (self.packets.packet(index), self.packets.address(index)),
            Item::Sync => (self.packets.sync(), self.packets.sync_address()),
            Item::Page(index) => {
                (self.packets.pages().get(index).map_or(&[], Vec::as_slice), self.packets.page_address())
            }
        }
    }

    /// The packets.
    pub fn packets(&self) -> &Packets {
        &self.packets
    }

    /// The items from this place on were not sent; they are due again soon.
    pub fn failed(&mut self, from: usize, now: Instant) {
        let unsent = self.due.get(from..).unwrap_or_default();
        if let Some(first) = unsent.first() {
            self.first = *first as usize;
            self.retry_at = Some(now + RETRY_AFTER);
        }
        for index in unsent {
            self.sent_at[*index as usize] = None;
        }
        if self.discovering {
            self.discover_at = Some(now + DISCOVER_AGAIN);
        }
    }

    /// When something has to be sent that no frame asks for.
    fn repeat_due(&self) -> Option<Instant> {
        let not_before = |due: Instant| self.slot.map_or(due, |slot| slot.max(due));
        let retry = self.retry_at.map(not_before);
        let settle = self.unsettled.map(|sent| not_before(sent + SETTLE));
        let repeat = self.oldest.map(|oldest| not_before(oldest + REPEAT_WAKE).min(oldest + REPEAT_URGENT));
        [retry, settle, repeat].into_iter().flatten().min()
    }

    /// Lists every packet that changed, owes a repeat, is old or has yet to be sent; with a frame, takes its bytes.
    fn collect(&mut self, now: Instant, frame: Option<&LampFrame>, open: bool) {
        let every = self.every_frame && frame.is_some();
        let repeats = self.packets.repeats();
        (self.oldest, self.unsettled, self.retry_at) = (None, None, None);
        for (index, (sent_at, owed)) in self.sent_at.iter_mut().zip(&mut self.owed).enumerate() {
            let changed = frame.is_some_and(|frame| self.packets.take(index, frame));
            let age = sent_at.map(|at| now.saturating_duration_since(at));
            let old = age.is_none_or(|age| age >= REPEAT_FROM);
            let settles = *owed > 0 && open && (frame.is_some() || age.is_some_and(|age| age >= SETTLE));
            if every || changed || old || settles {
                // What never arrived is no repeat.
                *owed = if changed || age.is_none() { repeats } else { owed.saturating_sub(1) };
                *sent_at = Some(now);
                self.packets.number(index);
                self.due.push(index as u32);
            }
            self.oldest = self.oldest.min(*sent_at).or(*sent_at);
            if *owed > 0 {
                self.unsettled = self.unsettled.min(*sent_at).or(*sent_at);
            }
        }
        if self.packets.whole_frames() && !self.due.is_empty() {
            self.due.clear();
            self.due.extend(0..self.packets.len() as u32);
            self.sent_at.fill(Some(now));
            self.oldest = Some(now);
        }
        let start = self.due.partition_point(|index| (*index as usize) < self.first);
        self.due.rotate_left(start);
        self.packets.seal(&self.due);
    }
}

/// Least time between two frames. A limit that is no sensible number must neither stop the light nor overflow the
/// time, nor lift the limit: it counts as the rate of DMX512.
fn interval(rate: RateLimit) -> Option<Duration> {
    let RateLimit::Fps(fps) = rate else { return None };
    let fps = if fps > 0.0 { fps.clamp(0.1, 10_000.0) } else { 44.0 };
    Some(Duration::from_secs_f32(1.0 / fps))
}

#[cfg(test)]
mod tests;
