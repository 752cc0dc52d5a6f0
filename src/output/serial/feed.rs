//! What a DMX interface is sent when: 40 frames a second at most, the newest frame, repeats, and what opens a line.
//!
//! Pure, with time as an argument; owned by the interface's thread. One frame is written at a time, all lines of the
//! interface together; newer ones replace each other until it is out, so nothing is queued.
//!
//! A frame is sent when it differs from the last one, and again after 0.8 s: the interface refreshes its DMX line by
//! itself, 40 times a second with what it has, and the repeats are for one that lost it. Where a device asks for every
//! frame, it is sent 40 a second whether they differ or not, which suits interfaces that do not repeat.
//!
//! Deliberately absent: serial ports, and what to do when one is gone.

use super::SerialDestination;
use crate::frame::LampFrame;
use crate::output::enttec::{self, DMX_MESSAGE};
use crate::output::sender::Exit;
use crate::units::UNIVERSE_CHANNELS;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How old a frame is when it is sent again.
const REPEAT_AFTER: Duration = Duration::from_millis(800);
/// How soon an interface that had no room is tried again.
const RETRY_AFTER: Duration = Duration::from_millis(5);
/// An interface that takes nothing for so long is opened anew.
const STALLED_AFTER: Duration = Duration::from_secs(1);
/// How long a Pro Mk2 gets to think about its key, and about its ports.
const KEY_PAUSE: Duration = Duration::from_millis(200);

/// One interface's frames.
pub struct Feed {
    destination: Arc<SerialDestination>,
    /// A message a line, with the channels of the newest frame that was taken.
    messages: [[u8; DMX_MESSAGE]; 2],
    /// What comes before any frame, and how long to wait after each.
    opening: VecDeque<(Vec<u8>, Duration)>,
    /// Which frame the messages hold.
    holds: Option<(u64, Instant)>,
    /// Whether the messages are not what was sent last.
    changed: bool,
    /// A newer frame waits for its time.
    held_back: bool,
    sent_at: Option<Instant>,
    not_before: Option<Instant>,
    /// What is being written, how far that is, and how many messages it is.
    out: Vec<u8>,
    written: usize,
    out_messages: usize,
    /// Since when nothing of it was taken.
    stuck_since: Option<Instant>,
}

impl Feed {
    /// A feed that has sent nothing yet.
    pub fn new(destination: Arc<SerialDestination>) -> Self {
        let send = destination.mk2.map_or(0, |mk2| mk2.send);
        Self {
            messages: [enttec::dark(enttec::SEND_DMX), enttec::dark(send)],
            destination,
            opening: VecDeque::new(),
            holds: None,
            changed: false,
            held_back: false,
            sent_at: None,
            not_before: None,
            out: Vec::with_capacity(2 * DMX_MESSAGE),
            written: 0,
            out_messages: 0,
            stuck_since: None,
        }
    }

    /// The port was just opened: nothing that was sent before counts.
    pub fn opened(&mut self) {
        (self.sent_at, self.not_before, self.stuck_since) = (None, None, None);
        self.out.clear();
        self.written = 0;
        self.open_lines();
    }

    /// A new plan for the same port: what is being written is finished, then the lines begin anew where they are others
    /// than before.
    pub fn adopt(&mut self, destination: Arc<SerialDestination>) {
        if (destination.lines, destination.mk2) == (self.destination.lines, self.destination.mk2) {
            self.destination = destination;
            return;
        }
        let old = std::mem::replace(self, Self::new(destination));
        (self.out, self.written, self.out_messages) = (old.out, old.written, old.out_messages);
        (self.not_before, self.stuck_since) = (old.not_before, old.stuck_since);
        self.open_lines();
    }

    fn open_lines(&mut self) {
        self.opening.clear();
        self.opening.push_back((enttec::get_parameters(), Duration::ZERO));
        if let Some(mk2) = self.destination.mk2.filter(|_| self.destination.lines[1].is_some()) {
            self.opening.push_back((enttec::set_api_key(mk2), KEY_PAUSE));
            self.opening.push_back((enttec::assign_ports(mk2), KEY_PAUSE));
        }
    }

    /// Settles what is to be written at `now`, given the newest frame. Before the first frame no line is sent to.
    pub fn prepare(&mut self, now: Instant, frame: Option<&LampFrame>) {
        let fresh = frame.filter(|frame| self.holds != Some((frame.number, frame.stamp)));
        self.held_back = false;
        if !self.unsent().is_empty() || self.not_before.is_some_and(|at| now < at) {
            self.held_back = fresh.is_some();
            return;
        }
        if let Some((bytes, pause)) = self.opening.pop_front() {
            self.out.clear();
            self.out.extend_from_slice(&bytes);
            (self.written, self.out_messages) = (0, 1);
            self.not_before = Some(now + pause);
            return;
        }
        if let Some(frame) = fresh {
            self.take(frame);
        }
        let old = self.sent_at.is_none_or(|at| now.saturating_duration_since(at) >= REPEAT_AFTER);
        if self.holds.is_some() && (self.changed || old || self.destination.steady) {
            self.send(now);
        }
    }

    fn take(&mut self, frame: &LampFrame) {
        self.holds = Some((frame.number, frame.stamp));
        for (message, universe) in self.messages.iter_mut().zip(self.destination.lines) {
            let Some(universe) = universe else { continue };
            let channels = enttec::channels(message);
            let wanted = frame.universe(usize::from(universe)).unwrap_or(&[0; UNIVERSE_CHANNELS]);
            self.changed |= channels != wanted;
            channels.copy_from_slice(wanted);
        }
    }

    fn send(&mut self, now: Instant) {
        self.out.clear();
        (self.written, self.out_messages) = (0, 0);
        for (message, _) in self.messages.iter().zip(self.destination.lines).filter(|(_, line)| line.is_some()) {
            self.out.extend_from_slice(message);
            self.out_messages += 1;
        }
        self.changed = false;
        self.sent_at = Some(now);
        self.not_before = Some(now + self.destination.interval);
    }

    /// Settles what is written last, once what is being written is out, given the newest frame. Returns whether there
    /// is anything.
    pub fn prepare_end(&mut self, now: Instant, exit: Exit, frame: Option<&LampFrame>) -> bool {
        match (exit, frame) {
            (Exit::Black, _) => self.messages.iter_mut().for_each(|message| enttec::channels(message).fill(0)),
            (Exit::Last, Some(frame)) => self.take(frame),
            _ => {}
        }
        if exit != Exit::Black && self.holds.is_none() {
            return false;
        }
        self.send(now);
        true
    }

    /// What is to be written.
    pub fn unsent(&self) -> &[u8] {
        &self.out[self.written..]
    }

    /// So many bytes were taken, none where there was no room. Returns messages and bytes that are out with them.
    pub fn wrote(&mut self, bytes: usize, now: Instant) -> Option<(usize, usize)> {
        if bytes == 0 {
            self.stuck_since.get_or_insert(now);
            return None;
        }
        self.stuck_since = None;
        self.written = self.out.len().min(self.written + bytes);
        (self.written == self.out.len()).then_some((self.out_messages, self.out.len()))
    }

    /// Whether the interface takes nothing any more.
    pub fn is_stalled(&self, now: Instant) -> bool {
        self.stuck_since.is_some_and(|since| now.saturating_duration_since(since) >= STALLED_AFTER)
    }

    /// When [`Feed::prepare`] should be called next, even if no newer frame comes.
    pub fn next_due(&self, now: Instant) -> Option<Instant> {
        let not_before = self.not_before.unwrap_or(now);
        if !self.unsent().is_empty() {
            return Some(now + RETRY_AFTER);
        }
        if !self.opening.is_empty() || self.held_back || (self.destination.steady && self.holds.is_some()) {
            return Some(not_before);
        }
        self.sent_at.map(|at| not_before.max(at + REPEAT_AFTER))
    }
}

#[cfg(test)]
mod tests;
