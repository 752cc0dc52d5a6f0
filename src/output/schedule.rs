//! When each packet of one destination is due: changes, keep-alive, rate limit, sequence, sync, exit.
//!
//! Pure; a sender thread owns one schedule a destination and passes the time in. Once built, nothing here
//! allocates. Deliberately absent: sockets. What the socket refused is told by [`Schedule::failed`].

use super::artnet::{self, DMX_PACKET};
use super::plan::Destination;
use crate::frame::LampFrame;
use crate::model::device::{RateLimit, Refresh};
use crate::units::{PortAddress, UNIVERSE_CHANNELS};
use std::time::{Duration, Instant};

/// A universe this old is repeated along with whatever else is sent.
pub const REPEAT_FROM: Duration = Duration::from_millis(800);
/// A universe this old makes the sender wake up for it: before 1 s, with time to spare for a late wake-up.
const REPEAT_WAKE: Duration = Duration::from_millis(900);
/// A universe this old is repeated even though the rate limit would rather wait. That happens only under limits
/// below 1 / 0.15 s, where no slot may fall between this and [`REPEAT_FROM`].
const REPEAT_URGENT: Duration = Duration::from_millis(950);
/// How long after a refused packet it is tried again.
pub const RETRY_AFTER: Duration = Duration::from_millis(20);

/// One destination's packets and when they are due.
pub struct Schedule {
    every_frame: bool,
    sync: bool,
    /// Least time between two frames, `None` at the render rate.
    interval: Option<Duration>,
    /// Patch universe and port-address of each packet.
    universes: Vec<(u16, PortAddress)>,
    /// All packets one after the other: headers written once, data as it was last sent.
    packets: Vec<u8>,
    /// When each packet was last sent, `None` while it has yet to be, or has to be again.
    sent_at: Vec<Option<Instant>>,
    /// Indices of the packets to be sent now.
    due: Vec<u32>,
    /// Which frame the packets hold; a number alone would not tell a restarted render thread apart.
    holds: Option<(u64, Instant)>,
    /// A newer frame waits for the rate limit.
    held_back: bool,
    /// The rate limit's grid: nothing goes out before, except what is urgent.
    slot: Option<Instant>,
    /// When the packet that waits longest was sent.
    oldest: Option<Instant>,
    /// When packets that were refused are tried again.
    retry_at: Option<Instant>,
    /// Where sending begins, so that a link that is too slow does not always lose the same universes.
    first: usize,
}

impl Schedule {
    /// A schedule that has sent nothing yet.
    pub fn new(destination: &Destination) -> Self {
        let universes = destination.universes.clone();
        let packets = universes.iter().flat_map(|(_, port)| artnet::dmx_packet(*port)).collect();
        Self {
            every_frame: destination.refresh == Refresh::EveryFrame,
            sync: destination.sync,
            interval: interval(destination.rate),
            packets,
            sent_at: vec![None; universes.len()],
            due: Vec::with_capacity(universes.len()),
            universes,
            holds: None,
            held_back: false,
            slot: None,
            oldest: None,
            retry_at: None,
            first: 0,
        }
    }

    /// Carries on where `old` stopped, for the universes both have: sequence numbers always, and what the node
    /// already holds where it is `same_node`.
    pub fn inherit(&mut self, old: &Self, same_node: bool) {
        for (index, (_, port)) in self.universes.iter().enumerate() {
            let Ok(before) = old.universes.binary_search_by_key(port, |(_, port)| *port) else { continue };
            let packet = &mut self.packets[index * DMX_PACKET..][..DMX_PACKET];
            packet.copy_from_slice(&old.packets[before * DMX_PACKET..][..DMX_PACKET]);
            if same_node {
                self.sent_at[index] = old.sent_at[before];
            }
        }
        if same_node {
            self.slot = old.slot.filter(|_| self.interval.is_some());
        }
    }

    /// Settles which packets are due at `now`, given the newest frame. They count as sent until
    /// [`Schedule::failed`] says otherwise. Before the first frame nothing is due.
    pub fn prepare(&mut self, now: Instant, frame: Option<&LampFrame>) {
        self.due.clear();
        let fresh = frame.filter(|frame| self.holds != Some((frame.number, frame.stamp)));
        let open = self.slot.is_none_or(|slot| slot <= now);
        self.held_back = fresh.is_some() && !open;
        if let (Some(frame), true) = (fresh, open) {
            self.holds = Some((frame.number, frame.stamp));
            self.collect(now, Some(frame));
        } else if self.repeat_due().is_some_and(|due| due <= now) {
            self.collect(now, None);
        }
        if !self.due.is_empty() && open {
            self.slot = self.interval.map(|interval| match self.slot {
                Some(slot) if now < slot + interval => slot + interval,
                _ => now + interval,
            });
        }
    }

    /// Makes zeros for every universe due, whatever was sent before.
    pub fn prepare_black(&mut self, now: Instant) {
        self.due.clear();
        self.holds = None;
        self.held_back = false;
        for packet in self.packets.chunks_exact_mut(DMX_PACKET) {
            artnet::dmx_data_mut(packet).fill(0);
        }
        self.sent_at.fill(None);
        self.collect(now, None);
    }

    /// When [`Schedule::prepare`] should be called next, even if no newer frame comes.
    pub fn next_due(&self) -> Option<Instant> {
        let held = self.slot.filter(|_| self.held_back);
        [held, self.repeat_due()].into_iter().flatten().min()
    }

    /// Indices of the packets that are due, in the order they should go out.
    pub fn due(&self) -> &[u32] {
        &self.due
    }

    /// Whether an ArtSync follows the packets that are due. It follows repeats too: a node leaves its synchronous
    /// mode when none comes for 4 s, and a static look is all repeats.
    pub fn sync_due(&self) -> bool {
        self.sync && !self.due.is_empty()
    }

    /// All packets one after the other, [`DMX_PACKET`] bytes each.
    pub fn packets(&self) -> &[u8] {
        &self.packets
    }

    /// The packets from place `from` of [`Schedule::due`] on were not sent; they are due again soon.
    pub fn failed(&mut self, from: usize, now: Instant) {
        let unsent = self.due.get(from..).unwrap_or_default();
        if let Some(first) = unsent.first() {
            self.first = *first as usize;
            self.retry_at = Some(now + RETRY_AFTER);
        }
        for index in unsent {
            self.sent_at[*index as usize] = None;
        }
    }

    /// When something has to be sent that no frame asks for.
    fn repeat_due(&self) -> Option<Instant> {
        let not_before = |due: Instant| self.slot.map_or(due, |slot| slot.max(due));
        let retry = self.retry_at.map(not_before);
        let repeat = self.oldest.map(|oldest| not_before(oldest + REPEAT_WAKE).min(oldest + REPEAT_URGENT));
        [retry, repeat].into_iter().flatten().min()
    }

    /// Lists every packet that changed, is old or has yet to be sent; with a frame, takes its bytes.
    fn collect(&mut self, now: Instant, frame: Option<&LampFrame>) {
        let every = self.every_frame && frame.is_some();
        self.oldest = None;
        self.retry_at = None;
        let packets = self.packets.chunks_exact_mut(DMX_PACKET).zip(&self.universes).zip(&mut self.sent_at);
        for (index, ((packet, (universe, _)), sent_at)) in (0..).zip(packets) {
            let changed = frame.is_some_and(|frame| take(packet, frame, *universe));
            let old = sent_at.is_none_or(|at| now.saturating_duration_since(at) >= REPEAT_FROM);
            if every || changed || old {
                artnet::advance_sequence(packet);
                *sent_at = Some(now);
                self.due.push(index);
            }
            self.oldest = self.oldest.min(*sent_at).or(*sent_at);
        }
        let start = self.due.partition_point(|index| (*index as usize) < self.first);
        self.due.rotate_left(start);
    }
}

/// Least time between two frames. A limit that is no sensible number must neither stop the light nor overflow the
/// time, nor lift the limit: it counts as the rate of DMX512.
fn interval(rate: RateLimit) -> Option<Duration> {
    let RateLimit::Fps(fps) = rate else { return None };
    let fps = if fps > 0.0 { fps.clamp(0.1, 10_000.0) } else { 44.0 };
    Some(Duration::from_secs_f32(1.0 / fps))
}

/// Puts a universe of the frame into its packet, zeros where the frame holds none. Returns whether that changed it.
fn take(packet: &mut [u8], frame: &LampFrame, universe: u16) -> bool {
    let wanted = frame.universe(usize::from(universe)).unwrap_or(&[0; UNIVERSE_CHANNELS]);
    let data = artnet::dmx_data_mut(packet);
    let changed = data != wanted;
    if changed {
        data.copy_from_slice(wanted);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::DeviceId;

    fn destination(universes: u16, rate: RateLimit) -> Destination {
        Destination {
            device: DeviceId(1),
            name: "node".into(),
            address: "127.0.0.1:6454".parse().unwrap(),
            broadcast: false,
            rate,
            refresh: Refresh::Changed,
            sync: true,
            offload: true,
            burst: 16,
            universes: (0..universes).filter_map(|u| Some((u, PortAddress::new(u)?))).collect(),
        }
    }

    fn frame(number: u64, stamp: Instant, levels: &[u8]) -> LampFrame {
        let bytes = levels.iter().flat_map(|level| [*level; UNIVERSE_CHANNELS]).collect();
        LampFrame { bytes, number, stamp }
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn the_first_frame_goes_out_even_when_it_is_black() {
        let start = Instant::now();
        let mut schedule = Schedule::new(&destination(2, RateLimit::RenderRate));
        schedule.prepare(start, None);
        assert!(schedule.due().is_empty() && !schedule.sync_due() && schedule.next_due().is_none());
        schedule.prepare(start, Some(&frame(1, start, &[0, 0])));
        assert_eq!(schedule.due(), [0, 1]);
        assert!(schedule.sync_due());
    }

    #[test]
    fn only_what_changed_goes_out_and_a_frame_without_changes_has_no_sync() {
        let start = Instant::now();
        let mut schedule = Schedule::new(&destination(3, RateLimit::RenderRate));
        schedule.prepare(start, Some(&frame(1, start, &[1, 1, 1])));
        schedule.prepare(start + ms(16), Some(&frame(2, start, &[1, 2, 1])));
        assert_eq!(schedule.due(), [1]);
        schedule.prepare(start + ms(32), Some(&frame(3, start, &[1, 2, 1])));
        assert!(schedule.due().is_empty() && !schedule.sync_due());
    }

    #[test]
    fn universes_that_the_frame_does_not_hold_are_zeros() {
        let start = Instant::now();
        let mut schedule = Schedule::new(&destination(2, RateLimit::RenderRate));
        schedule.prepare(start, Some(&frame(1, start, &[9, 9])));
        schedule.prepare(start + ms(16), Some(&frame(2, start, &[9])));
        assert_eq!(schedule.due(), [1]);
        assert_eq!(schedule.packets()[DMX_PACKET + artnet::DMX_HEADER..], [0; UNIVERSE_CHANNELS]);
    }

    #[test]
    fn a_frame_that_the_limit_held_back_is_sent_when_due_and_the_newest_wins() {
        let start = Instant::now();
        let mut schedule = Schedule::new(&destination(1, RateLimit::Fps(50.0)));
        schedule.prepare(start, Some(&frame(1, start, &[1])));
        for (at, level) in [(5, 2), (12, 3)] {
            schedule.prepare(start + ms(at), Some(&frame(at, start, &[level])));
            assert!(schedule.due().is_empty());
            assert_eq!(schedule.next_due(), Some(start + ms(20)));
        }
        schedule.prepare(start + ms(20), Some(&frame(12, start, &[3])));
        assert_eq!(schedule.due(), [0]);
        assert_eq!(schedule.packets()[artnet::DMX_HEADER], 3);
    }

    #[test]
    fn late_wake_ups_do_not_make_the_rate_drift() {
        let start = Instant::now();
        let mut schedule = Schedule::new(&destination(1, RateLimit::Fps(50.0)));
        let mut sent = 0;
        for step in 0..50_000_u64 {
            let now = start + Duration::from_micros(step * 1_000 + step % 7 * 100);
            schedule.prepare(now, Some(&frame(step, start, &[(step % 251) as u8])));
            sent += schedule.due().len();
        }
        assert_eq!(sent, 2_500, "50 s at 50 fps");
    }

    #[test]
    fn a_refused_packet_is_due_again_and_goes_first() {
        let start = Instant::now();
        let mut schedule = Schedule::new(&destination(4, RateLimit::RenderRate));
        schedule.prepare(start, Some(&frame(1, start, &[1, 1, 1, 1])));
        schedule.failed(2, start);
        assert_eq!(schedule.next_due(), Some(start + RETRY_AFTER));
        schedule.prepare(start + RETRY_AFTER, Some(&frame(1, start, &[1, 1, 1, 1])));
        assert_eq!(schedule.due(), [2, 3]);
        schedule.prepare(start + ms(40), Some(&frame(2, start, &[2, 2, 2, 2])));
        assert_eq!(schedule.due(), [2, 3, 0, 1], "what was lost last time goes first");
    }

    #[test]
    fn a_new_plan_carries_on_with_sequence_and_content() {
        let start = Instant::now();
        let mut old = Schedule::new(&destination(2, RateLimit::RenderRate));
        old.prepare(start, Some(&frame(1, start, &[1, 2])));
        let mut new = Schedule::new(&destination(3, RateLimit::RenderRate));
        new.inherit(&old, true);
        new.prepare(start + ms(16), Some(&frame(1, start, &[1, 2, 3])));
        assert_eq!(new.due(), [2], "only the universe that is new");
        let mut moved = Schedule::new(&destination(2, RateLimit::RenderRate));
        moved.inherit(&old, false);
        moved.prepare(start + ms(16), Some(&frame(1, start, &[1, 2])));
        assert_eq!(moved.due(), [0, 1], "another node has seen nothing yet");
        let sequence = |schedule: &Schedule| schedule.packets()[12];
        assert_eq!((sequence(&old), sequence(&new), sequence(&moved)), (1, 1, 2));
    }

    #[test]
    fn a_limit_that_is_no_number_does_not_stop_the_light() {
        let start = Instant::now();
        for fps in [f32::NAN, 0.0, -1.0, f32::INFINITY, f32::MIN_POSITIVE] {
            let mut schedule = Schedule::new(&destination(1, RateLimit::Fps(fps)));
            schedule.prepare(start, Some(&frame(1, start, &[1])));
            assert_eq!(schedule.due(), [0]);
        }
    }
}
