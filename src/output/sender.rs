//! A sender thread: waits for frames and its schedules, sends what is due, tells what went wrong.
//!
//! Runs on the threads `send-1` and `send-2`, each with sockets and lanes of its own. Deliberately absent: deciding
//! which thread serves which device (the planner's), and any wait for a node.

use super::batch::Batcher;
use super::lane::Lane;
use super::plan::Destination;
use super::schedule::{END_GAP, END_ROUNDS};
use super::stats::Counters;
use super::wire::Sockets;
use crate::frame::LampFrame;
use crate::model::device::ExitPolicy;
use crate::notice::Notice;
use crate::sync::LatestSlot;
use crossbeam_channel::Sender as NoticeSender;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// How long a sender sleeps at most.
const IDLE: Duration = Duration::from_millis(250);

/// What one sender sends.
#[derive(Default)]
pub struct Share {
    /// Its destinations with their figures.
    pub served: Vec<(Arc<Destination>, Arc<Counters>)>,
    /// The sACN universes that any sender multicasts.
    pub multicast_universes: Arc<HashSet<u16>>,
}

/// What a sender has to do at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing more.
    Hold,
    /// Zeros.
    Black,
    /// The newest frame once more, which shows what the show ends with.
    Last,
}

/// Tells all threads of the output to stop, and what nodes are left with.
#[derive(Default)]
pub struct StopFlag(AtomicU8);

impl StopFlag {
    /// Asks to stop. Whoever waits has to be woken besides.
    pub fn raise(&self, exit: ExitPolicy) {
        let code = match exit {
            ExitPolicy::Hold => 1,
            ExitPolicy::Black => 2,
            ExitPolicy::Scene(_) => 3,
        };
        self.0.store(code, Ordering::SeqCst);
    }

    /// `None` while the show goes on.
    pub fn raised(&self) -> Option<Exit> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(Exit::Hold),
            2 => Some(Exit::Black),
            _ => Some(Exit::Last),
        }
    }
}

/// What a sender thread is given.
#[derive(Clone)]
pub struct SenderLinks {
    /// Finished frames; also what the thread waits on.
    pub frames: Arc<LatestSlot<LampFrame>>,
    /// The thread's destinations; the planner wakes `frames` after publishing.
    pub share: Arc<LatestSlot<Share>>,
    /// When to stop; whoever raises it wakes `frames`.
    pub stop: Arc<StopFlag>,
    /// What the operator should know.
    pub notices: NoticeSender<Notice>,
}

/// The body of a sender thread. A panic ends neither the thread nor its lights for longer than a moment: it starts
/// over with new sockets and sends everything again.
pub fn run(name: &str, links: &SenderLinks, sockets: Sockets) {
    let mut sockets = Some(sockets);
    supervise(name, links, || match sockets.take().map_or_else(Sockets::open, Ok) {
        Ok(sockets) => Sender::new(links, sockets).run(),
        Err(error) => {
            let text = format!("{name} has no socket: {error}. It tries again; its devices keep their last light.");
            let _ = links.notices.try_send(Notice::error("output", text).keyed(format!("output socket {name}")));
        }
    });
}

/// Runs `body` until the stop flag is up, again after it ended or panicked, at most once in [`IDLE`].
fn supervise(name: &str, links: &SenderLinks, mut body: impl FnMut()) {
    let mut seen = 0;
    while links.stop.raised().is_none() {
        let started = Instant::now();
        if catch_unwind(AssertUnwindSafe(&mut body)).is_err() {
            let text = format!("Thread {name} failed; it starts over and sends everything again.");
            let _ = links.notices.try_send(Notice::error("output", text).keyed(format!("output thread {name}")));
        }
        while links.stop.raised().is_none() && started.elapsed() < IDLE {
            seen = links.frames.wait_past(seen, IDLE.saturating_sub(started.elapsed()));
        }
    }
}

struct Sender<'a> {
    links: &'a SenderLinks,
    sockets: Sockets,
    lanes: Vec<Lane>,
    share: Option<Arc<Share>>,
    batcher: Batcher,
}

impl<'a> Sender<'a> {
    fn new(links: &'a SenderLinks, sockets: Sockets) -> Self {
        Self { links, sockets, lanes: Vec::new(), share: None, batcher: Batcher::default() }
    }

    fn run(&mut self) {
        let mut seen = 0;
        let exit = loop {
            if let Some(exit) = self.links.stop.raised() {
                break exit;
            }
            self.adopt_share();
            self.prepare();
            self.flush();
            seen = self.links.frames.wait_past(seen, self.time_left());
        };
        self.send_end(exit);
    }

    /// Takes over a new share; lanes of devices that stay carry on where they were.
    fn adopt_share(&mut self) {
        let Some(share) = self.links.share.latest() else { return };
        if self.share.as_ref().is_some_and(|known| Arc::ptr_eq(known, &share)) {
            return;
        }
        let old = std::mem::take(&mut self.lanes);
        self.lanes = share
            .served
            .iter()
            .map(|(destination, counters)| {
                let mut lane = Lane::new(Arc::clone(destination), Arc::clone(counters));
                if let Some(before) = old.iter().find(|old| old.serves(destination.device)) {
                    lane.inherit(before);
                }
                lane
            })
            .collect();
        let farewells: Vec<Lane> = old
            .iter()
            .filter_map(|old| {
                let heir = self.lanes.iter().find(|lane| lane.destination.device == old.destination.device);
                old.farewell(heir, &share.multicast_universes)
            })
            .collect();
        self.lanes.extend(farewells);
        self.sockets.follow(self.lanes.iter().filter_map(|lane| lane.destination.leaving.source().cloned()));
        let broadcast = self.lanes.iter().any(|lane| lane.destination.broadcast);
        if let Err(error) = self.sockets.allow_broadcast(broadcast) {
            let text = format!("Broadcast cannot be switched on: {error}. Devices at broadcast addresses stay dark.");
            let _ = self.links.notices.try_send(Notice::warning("output", text).keyed("output broadcast"));
        }
        self.share = Some(share);
    }

    /// The frame is let go right after its bytes were taken, so that the pool can fill it again.
    fn prepare(&mut self) {
        let frame = self.links.frames.latest();
        let now = Instant::now();
        for lane in &mut self.lanes {
            lane.schedule.prepare(now, frame.as_deref());
        }
    }

    fn flush(&mut self) {
        let now = Instant::now();
        self.batcher.flush(&mut self.lanes, &mut self.sockets, now);
        for notice in self.lanes.iter_mut().filter_map(|lane| lane.take_notice(now)) {
            // A full queue means the operator has enough to read; the packets matter more.
            let _ = self.links.notices.try_send(notice);
        }
        self.lanes.retain(|lane| !lane.schedule.is_over());
    }

    fn time_left(&self) -> Duration {
        let due = self.lanes.iter().filter_map(|lane| lane.schedule.next_due()).min();
        due.map_or(IDLE, |due| due.saturating_duration_since(Instant::now())).min(IDLE)
    }

    /// Leaves the nodes as they are to be, and then tells those that can be told that this was the end.
    fn send_end(&mut self, exit: Exit) {
        self.adopt_share();
        let last = self.links.frames.latest();
        match exit {
            Exit::Hold => {}
            Exit::Black => self.send_rounds(|lane, now| {
                lane.schedule.prepare_black(now);
                true
            }),
            Exit::Last => self.send_rounds(|lane, now| {
                lane.schedule.prepare_last(now, last.as_deref());
                true
            }),
        }
        self.send_rounds(|lane, now| lane.schedule.prepare_end(now));
    }

    /// Sends what `prepare` makes due, as often as an end is told; nothing where no lane has any.
    fn send_rounds(&mut self, mut prepare: impl FnMut(&mut Lane, Instant) -> bool) {
        for round in 0..END_ROUNDS {
            if round > 0 {
                std::thread::sleep(END_GAP);
            }
            let (now, mut due) = (Instant::now(), false);
            for lane in &mut self.lanes {
                due |= prepare(lane, now);
            }
            if !due {
                return;
            }
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_and_the_thread_starts_over() {
        let (notices, told) = crossbeam_channel::bounded(4);
        let links = SenderLinks { frames: Arc::default(), share: Arc::default(), stop: Arc::default(), notices };
        let mut runs = 0;
        supervise("send-9", &links, || {
            runs += 1;
            if runs == 1 {
                panic!("on purpose");
            }
            links.stop.raise(ExitPolicy::Hold);
        });
        assert_eq!(runs, 2);
        assert!(told.try_recv().unwrap().text.contains("send-9"));
    }
}
