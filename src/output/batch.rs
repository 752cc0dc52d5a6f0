//! Sending what is due, lane by lane in turns: no device waits for another's whole frame, none gets a longer burst
//! than it asked for.
//!
//! Runs on a sender thread over any [`Wire`]; its buffers are kept, so that it allocates nothing once warm.
//! Deliberately absent: sockets, and when packets are due.

use super::lane::Lane;
use super::packets::Packets;
use super::plan::MAX_BURST;
use super::schedule::Item;
use super::wire::{MAX_MESSAGES, Message, Path, Wire, is_offload_refusal, is_passing};
use std::io::{self, IoSlice};
use std::time::Instant;

/// The most pieces of memory in one batch.
const MAX_PIECES: usize = 1024;

/// The most bytes in one message: what a UDP length can say.
const MAX_MESSAGE: usize = 65_507;

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
    fn push_packets(&mut self, packets: &'a Packets, indices: &[u32]) {
        for run in indices.chunk_by(|before, after| before + 1 == *after) {
            let first = run.first().map_or(0, |first| *first as usize);
            self.push(packets.run(first, run.len()));
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
        while let Some(path) = self.next_path(lanes) {
            self.send_batch(lanes, wire, path, now);
        }
    }

    /// How the next batch goes: the way of the lane whose turn it is, among those with something left.
    fn next_path(&self, lanes: &[Lane]) -> Option<Path> {
        let (before, after) = lanes.split_at(lanes.len().min(self.turn + 1));
        let mut unsent = after.iter().chain(before).filter(|lane| lane.reached < lane.items());
        unsent.next().map(|lane| lane.path_of(lane.reached))
    }

    fn send_batch(&mut self, lanes: &mut [Lane], wire: &mut impl Wire, path: Path, now: Instant) {
        let mut pieces = Pieces { pieces: [IoSlice::new(&[]); MAX_PIECES], len: 0 };
        self.gather(lanes, path, &mut pieces);
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
    }

    fn settle(&mut self, lane: &mut Lane, error: io::Error, wire: &mut impl Wire, path: Path, now: Instant) {
        let patient = self.waits < MAX_WAITS && self.fruitless_waits < MAX_FRUITLESS_WAITS;
        if matches!(path, Path::Offload { .. }) && is_offload_refusal(&error) {
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
            let took = self.take_turn(lane, self.turn, path, pieces);
            idle = if took { 0 } else { idle + 1 };
        }
    }

    fn has_room(&self, pieces: &Pieces<'_>) -> bool {
        self.messages.len() < MAX_MESSAGES && pieces.len + MAX_BURST <= MAX_PIECES
    }

    /// Adds a burst of one lane, in one message or many, as far as it goes this way. Returns whether there was any.
    fn take_turn<'a>(&mut self, lane: &'a Lane, index: usize, path: Path, pieces: &mut Pieces<'a>) -> bool {
        let start = self.planned[index];
        let end = lane.items().min(start + lane.destination.burst);
        let mut at = start;
        while at < end && self.has_room(pieces) && lane.path_of(at) == path {
            let first_piece = pieces.len;
            let item = lane.schedule.item(at);
            let (bytes, to) = lane.schedule.datagram(item);
            at = match (path, item) {
                (Path::Offload { segment, .. }, Item::Packet(_)) => {
                    let due = &lane.schedule.due()[at..end.min(lane.schedule.due().len())];
                    let packets = lane.schedule.packets();
                    let most = segments(packets, due, usize::from(segment));
                    pieces.push_packets(packets, &due[..most]);
                    at + most
                }
                _ => {
                    pieces.push(bytes);
                    at + 1
                }
            };
            self.messages.push(Message { to, pieces: first_piece..pieces.len });
            self.origins.push((index, at));
        }
        self.planned[index] = at;
        at > start
    }
}

/// How many of these packets make up one segmented message, at least one: as many as a UDP length holds, and none
/// after one that is shorter than a segment.
fn segments(packets: &Packets, due: &[u32], segment: usize) -> usize {
    let most = due.len().min(MAX_MESSAGE / segment.max(1)).max(1);
    let short = due[..most].iter().position(|index| packets.packet(*index as usize).len() < segment);
    short.map_or(most, |short| short + 1)
}

#[cfg(test)]
mod tests;
