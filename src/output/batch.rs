//! Sending what is due, lane by lane in turns: no device waits for another's whole frame, none gets a longer burst
//! than it asked for.
//!
//! Runs on a sender thread over any [`Wire`]; its buffers are kept, so that it allocates nothing once warm.
//! Deliberately absent: sockets, and when packets are due.

use super::artnet::{DMX_PACKET, SYNC};
use super::lane::Lane;
use super::plan::MAX_BURST;
use super::wire::{MAX_MESSAGES, Message, Path, Wire, is_offload_refusal, is_passing};
use std::io::{self, IoSlice};
use std::time::Instant;

/// The most pieces of memory in one batch.
const MAX_PIECES: usize = 1024;

/// Waits for room without a packet going out before a lane is given up: the link is dead or far too slow.
const MAX_FRUITLESS_WAITS: usize = 4;

/// Waits for room in all before the rest is left to the schedule: a newer frame is there long since.
const MAX_WAITS: usize = 50;

/// Sends due packets of many lanes.
#[derive(Default)]
pub struct Batcher {
    messages: Vec<Message>,
    /// For each message its lane, and how far the lane is once it is sent.
    origins: Vec<(usize, usize)>,
    /// For each lane how far it is with this batch.
    planned: Vec<usize>,
    /// Whose turn it is.
    turn: usize,
    waits: usize,
    fruitless_waits: usize,
}

struct Pieces<'a> {
    pieces: [IoSlice<'a>; MAX_PIECES],
    len: usize,
}

impl<'a> Pieces<'a> {
    fn push(&mut self, bytes: &'a [u8]) {
        if let Some(piece) = self.pieces.get_mut(self.len) {
            *piece = IoSlice::new(bytes);
            self.len += 1;
        }
    }

    /// Packets that lie one after the other become one piece.
    fn push_packets(&mut self, packets: &'a [u8], indices: &[u32]) {
        for run in indices.chunk_by(|before, after| before + 1 == *after) {
            let start = run.first().map_or(0, |first| *first as usize) * DMX_PACKET;
            self.push(&packets[start..start + run.len() * DMX_PACKET]);
        }
    }
}

impl Batcher {
    /// Sends everything that is due. Each lane ends up either sent or failed; the time it takes is bounded.
    pub fn flush(&mut self, lanes: &mut [Lane], wire: &mut impl Wire, now: Instant) {
        for lane in &mut *lanes {
            lane.reached = 0;
        }
        self.waits = 0;
        self.fruitless_waits = 0;
        loop {
            let offload = self.send_batch(lanes, wire, Path::Offload, now);
            let plain = self.send_batch(lanes, wire, Path::Plain, now);
            if !offload && !plain {
                break;
            }
        }
    }

    /// Returns whether there was anything to send.
    fn send_batch(&mut self, lanes: &mut [Lane], wire: &mut impl Wire, path: Path, now: Instant) -> bool {
        let mut pieces = Pieces { pieces: [IoSlice::new(&[]); MAX_PIECES], len: 0 };
        self.gather(lanes, path, &mut pieces);
        if self.messages.is_empty() {
            return false;
        }
        let sent = wire.send(path, &self.messages, &pieces.pieces[..pieces.len]);
        for (lane, reached) in &self.origins[..sent.messages] {
            lanes[*lane].sent_up_to(*reached);
        }
        if sent.messages > 0 {
            self.fruitless_waits = 0;
        }
        if let (Some(error), Some((lane, _))) = (sent.error, self.origins.get(sent.messages)) {
            self.settle(&mut lanes[*lane], error, wire, path, now);
        }
        true
    }

    fn settle(&mut self, lane: &mut Lane, error: io::Error, wire: &mut impl Wire, path: Path, now: Instant) {
        let patient = self.waits < MAX_WAITS && self.fruitless_waits < MAX_FRUITLESS_WAITS;
        if path == Path::Offload && is_offload_refusal(&error) {
            lane.give_up_offload(error);
        } else if is_passing(&error) && patient {
            self.waits += 1;
            self.fruitless_waits += 1;
            wire.wait_for_room(path);
        } else {
            lane.fail(now, error);
        }
    }

    /// Fills the next batch with a turn of each lane, again and again, while there is room.
    fn gather<'a>(&mut self, lanes: &'a [Lane], path: Path, pieces: &mut Pieces<'a>) {
        self.messages.clear();
        self.origins.clear();
        self.planned.clear();
        self.planned.extend(lanes.iter().map(|lane| lane.reached));
        let mut idle = 0;
        while idle < lanes.len() && self.has_room(pieces) {
            self.turn = (self.turn + 1) % lanes.len();
            let lane = &lanes[self.turn];
            let took = lane.path == path && self.take_turn(lane, self.turn, pieces);
            idle = if took { 0 } else { idle + 1 };
        }
    }

    fn has_room(&self, pieces: &Pieces<'_>) -> bool {
        self.messages.len() < MAX_MESSAGES && pieces.len + MAX_BURST <= MAX_PIECES
    }

    /// Adds a burst of one lane, in one message or many. Returns whether the lane had anything left.
    fn take_turn<'a>(&mut self, lane: &'a Lane, index: usize, pieces: &mut Pieces<'a>) -> bool {
        let burst = lane.destination.burst;
        let due = lane.schedule.due();
        let start = self.planned[index];
        let end = lane.items().min(start + burst);
        let mut at = start;
        while at < end && self.has_room(pieces) {
            let first_piece = pieces.len;
            at = if at == due.len() {
                pieces.push(&SYNC);
                at + 1
            } else {
                let to = due.len().min(if lane.path == Path::Offload { end } else { at + 1 });
                pieces.push_packets(lane.schedule.packets(), &due[at..to]);
                to
            };
            self.messages.push(Message { to: lane.destination.address, pieces: first_piece..pieces.len });
            self.origins.push((index, at));
        }
        self.planned[index] = at;
        at > start
    }
}

#[cfg(test)]
mod tests;
