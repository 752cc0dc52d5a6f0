//! The thread of one DMX interface: finds its port, writes what the feed has, and looks for it again when it is gone.
//!
//! Runs on a thread `serial-N`. Only this thread ever waits for the port. A panic ends it for no longer than a moment.
//! Deliberately absent: what is sent when (the feed's), and what becomes of the thread (the owner's).

use super::feed::Feed;
use super::ports::{Absent, SerialLine, find};
use super::{PortLinks, SerialDestination};
use crate::notice::Notice;
use crate::output::enttec::{Decoder, GET_PARAMETERS};
use crate::output::schedule::{END_GAP, END_ROUNDS};
use crate::output::sender::Exit;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often an interface that is not there is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long the thread sleeps at most.
const IDLE: Duration = Duration::from_millis(250);
/// An interface in trouble is spoken of at most so often.
const NOTICE_EVERY: Duration = Duration::from_secs(60);
/// What takes so long to say what it is is none of the kind.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);
/// How long the last frames may take to be written.
const END_WITHIN: Duration = Duration::from_millis(300);
/// How soon an interface that has no room is tried again then.
const END_RETRY: Duration = Duration::from_millis(5);

/// The body of the thread.
pub(super) fn run(links: &PortLinks) {
    let mut seen = 0;
    while !is_done(links) {
        if catch_unwind(AssertUnwindSafe(|| Port::new(links).map(|mut port| port.run()))).is_err() {
            let text = "The thread of a DMX interface failed; it starts over and sends everything again.";
            let _ = links.shared.notices.try_send(Notice::error("output", text));
        }
        if !is_done(links) {
            seen = links.shared.frames.wait_past(seen, IDLE);
        }
    }
}

fn is_done(links: &PortLinks) -> bool {
    links.leave.load(Ordering::SeqCst) || links.shared.stop.raised().is_some()
}

/// An open port.
struct Open {
    path: String,
    line: Box<dyn SerialLine>,
    decoder: Decoder,
    /// Until when it has to say what it is; `None` once it did, or was told not to have.
    answer_by: Option<Instant>,
}

struct Port<'a> {
    links: &'a PortLinks,
    destination: Arc<SerialDestination>,
    feed: Feed,
    open: Option<Open>,
    look_at: Option<Instant>,
    told_at: Option<Instant>,
    troubled: bool,
    /// Whether it was told that nothing answers at the port.
    told_of_silence: bool,
}

impl<'a> Port<'a> {
    fn new(links: &'a PortLinks) -> Option<Self> {
        let destination = links.destination.latest()?;
        let feed = Feed::new(Arc::clone(&destination));
        Some(Self {
            links,
            destination,
            feed,
            open: None,
            look_at: None,
            told_at: None,
            troubled: false,
            told_of_silence: false,
        })
    }

    fn run(&mut self) {
        let mut seen = 0;
        while !is_done(self.links) {
            self.adopt();
            let now = Instant::now();
            if self.open.is_none() && self.look_at.is_none_or(|at| at <= now) {
                self.look(now);
            }
            self.serve(now);
            seen = self.links.shared.frames.wait_past(seen, self.time_left());
        }
        if let Some(exit) = self.links.shared.stop.raised() {
            self.end(exit);
        }
        self.close();
    }

    /// Takes over a new plan.
    fn adopt(&mut self) {
        let Some(destination) = self.links.destination.latest() else { return };
        if *destination == *self.destination {
            return;
        }
        if destination.port == self.destination.port {
            self.feed.adopt(Arc::clone(&destination));
        } else {
            self.close();
            self.feed = Feed::new(Arc::clone(&destination));
            (self.look_at, self.told_of_silence) = (None, false);
        }
        self.destination = destination;
    }

    fn look(&mut self, now: Instant) {
        match self.open_port() {
            Ok((path, line)) => {
                let answer_by = Some(now + ANSWER_WITHIN);
                self.open = Some(Open { path, line, decoder: Decoder::default(), answer_by });
                self.feed.opened();
            }
            Err(absent) => {
                self.look_at = Some(now + LOOK_EVERY);
                let SerialDestination { name, .. } = &*self.destination;
                let text = format!("{name} gets no light: {absent}. The show goes on, and it is tried every second.");
                self.tell_trouble(now, text);
            }
        }
    }

    fn open_port(&self) -> Result<(String, Box<dyn SerialLine>), Absent> {
        let (ports, claims, device) = (&*self.links.shared.ports, &self.links.claims, self.destination.device);
        let path = find(&self.destination.port, ports, |path| claims.is_others(path, device))?;
        if !claims.claim(&path, device) {
            return Err(Absent::Taken { path });
        }
        match ports.open(&path) {
            Ok(line) => Ok((path, line)),
            Err(error) => {
                claims.release(&path);
                Err(Absent::Open { path, error })
            }
        }
    }

    /// Writes what is due, and reads what has come.
    fn serve(&mut self, now: Instant) {
        if self.open.is_none() {
            return;
        }
        // The frame is let go right after its bytes were taken, so that the pool can fill it again.
        self.feed.prepare(now, self.links.shared.frames.latest().as_deref());
        let served = self.write(now).and_then(|()| self.read(now));
        match served {
            Err(error) => self.lose(now, &format!("is gone ({error})")),
            Ok(()) if self.feed.is_stalled(now) => self.lose(now, "takes no data"),
            Ok(()) => {}
        }
    }

    fn write(&mut self, now: Instant) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        while !self.feed.unsent().is_empty() {
            let taken = match open.line.write(self.feed.unsent()) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if is_passing(&error) => 0,
                Err(error) => return Err(error),
            };
            if let Some((messages, bytes)) = self.feed.wrote(taken, now) {
                self.links.counters.count_sent(messages, bytes);
                self.tell_well();
                return Ok(());
            }
            if taken == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What comes says whether this is an interface at all; the rest of it is nobody's business here.
    fn read(&mut self, now: Instant) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let (mut buffer, mut answered) = ([0; 1024], false);
        match open.line.read(&mut buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(bytes) => open.decoder.take(&buffer[..bytes], |message| answered |= message.label == GET_PARAMETERS),
            Err(error) if is_passing(&error) || error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if answered {
            open.answer_by = None;
        }
        if open.answer_by.is_some_and(|by| by <= now) {
            open.answer_by = None;
            if std::mem::replace(&mut self.told_of_silence, true) {
                return Ok(());
            }
            let SerialDestination { name, device, .. } = &*self.destination;
            let text = format!(
                "Nothing at {} answers as a DMX USB Pro does. {name} is sent its light all the same; see whether \
                 its port is the right one.",
                open.path
            );
            let notice = Notice::warning("output", text).keyed(format!("output answer {device}"));
            let _ = self.links.shared.notices.try_send(notice);
        }
        Ok(())
    }

    fn lose(&mut self, now: Instant, what: &str) {
        let path = self.open.as_ref().map(|open| open.path.clone()).unwrap_or_default();
        self.links.counters.count_errors(1);
        self.close();
        self.look_at = Some(now + LOOK_EVERY);
        let SerialDestination { name, .. } = &*self.destination;
        let text = format!(
            "{name} ({path}) {what} and keeps its last light. The show goes on; it is tried every second and sent \
             everything when it is back."
        );
        self.tell_trouble(now, text);
    }

    /// Closing waits for what was written; of a port that does not take it, nothing must be left.
    fn close(&mut self) {
        let Some(Open { path, mut line, .. }) = self.open.take() else { return };
        if !self.feed.unsent().is_empty() {
            line.discard();
        }
        drop(line);
        self.links.claims.release(&path);
    }

    fn tell_trouble(&mut self, now: Instant, text: String) {
        if self.told_at.is_some_and(|told| now.saturating_duration_since(told) < NOTICE_EVERY) {
            return;
        }
        self.told_at = Some(now);
        self.troubled = true;
        let notice = Notice::warning("output", text).keyed(format!("output device {}", self.destination.device));
        let _ = self.links.shared.notices.try_send(notice);
    }

    fn tell_well(&mut self) {
        if std::mem::take(&mut self.troubled) {
            let SerialDestination { name, device, .. } = &*self.destination;
            let text = format!("{name} is there and is sent everything again.");
            let notice = Notice::info("output", text).keyed(format!("output device {device}"));
            let _ = self.links.shared.notices.try_send(notice);
        }
    }

    fn time_left(&self) -> Duration {
        let now = Instant::now();
        let due = if self.open.is_some() { self.feed.next_due(now) } else { self.look_at };
        due.map_or(IDLE, |due| due.saturating_duration_since(now)).min(IDLE)
    }

    /// Leaves the interface as it is to be.
    fn end(&mut self, exit: Exit) {
        let newest = self.links.shared.frames.latest();
        let deadline = Instant::now() + END_WITHIN;
        for round in 0..=END_ROUNDS {
            // The first round finishes what was being written.
            while !self.feed.unsent().is_empty() && self.open.is_some() && Instant::now() < deadline {
                if self.write(Instant::now()).is_err() {
                    self.close();
                    return;
                }
                if !self.feed.unsent().is_empty() {
                    std::thread::sleep(END_RETRY);
                }
            }
            let finished = self.feed.unsent().is_empty() && self.open.is_some();
            if !finished || round == END_ROUNDS || !self.feed.prepare_end(Instant::now(), exit, newest.as_deref()) {
                return;
            }
            if round > 0 {
                std::thread::sleep(END_GAP);
            }
        }
    }
}

/// Whether there was only no room, or nothing to read.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
