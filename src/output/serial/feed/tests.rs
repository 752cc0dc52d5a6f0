//! A feed in simulated time: what an interface hears when, at any speed.

use super::*;
use crate::frame::FramePool;
use crate::model::device::Mk2Api;
use crate::model::id::DeviceId;
use crate::output::enttec::{Decoder, GET_PARAMETERS, Message, SEND_DMX};
use proptest::prelude::*;

const MK2: Mk2Api = Mk2Api { key: 0x1122_3344, assign: 100, send: 101 };

fn destination(lines: [Option<u16>; 2], steady: bool) -> Arc<SerialDestination> {
    Arc::new(SerialDestination {
        device: DeviceId(1),
        name: "booth".into(),
        port: String::new(),
        mk2: lines[1].map(|_| MK2),
        interval: Duration::from_millis(25),
        steady,
        lines,
    })
}

struct Rig {
    feed: Feed,
    pool: FramePool,
    start: Instant,
    number: u64,
    newest: Option<Arc<LampFrame>>,
    decoder: Decoder,
    /// Bytes that the port took.
    taken: usize,
    /// What was heard, and the millisecond in which its last byte went out.
    heard: Vec<(u64, Message)>,
}

impl Rig {
    fn new(lines: [Option<u16>; 2], steady: bool) -> Self {
        let mut feed = Feed::new(destination(lines, steady));
        feed.opened();
        let (pool, start) = (FramePool::default(), Instant::now());
        Self { feed, pool, start, number: 0, newest: None, decoder: Decoder::default(), taken: 0, heard: Vec::new() }
    }

    /// A frame whose universes hold their own number and this level.
    fn publish(&mut self, level: u8) {
        self.number += 1;
        self.newest = Some(self.pool.fill(4, self.number, self.start, |bytes| {
            for (universe, channels) in bytes.chunks_mut(UNIVERSE_CHANNELS).enumerate() {
                channels.fill(level);
                channels[0] = universe as u8;
            }
        }));
    }

    /// One millisecond, in which the port takes so many bytes.
    fn tick(&mut self, ms: u64, room: usize) {
        let now = self.start + Duration::from_millis(ms);
        self.feed.prepare(now, self.newest.as_deref());
        let taken = self.feed.unsent()[..room.min(self.feed.unsent().len())].to_vec();
        if !self.feed.unsent().is_empty() {
            self.feed.wrote(taken.len(), now);
        }
        self.taken += taken.len();
        self.decoder.take(&taken, |message| self.heard.push((ms, message)));
    }

    fn frames(&self) -> Vec<(u64, [u8; 2])> {
        let dmx = self.heard.iter().filter(|(_, message)| message.label == SEND_DMX);
        dmx.map(|(ms, message)| (*ms, [message.data[1], message.data[2]])).collect()
    }
}

#[test]
fn forty_frames_a_second_go_out_and_each_is_the_newest() {
    let mut rig = Rig::new([Some(3), None], false);
    for ms in 0..1000 {
        if ms % 7 == 0 {
            rig.publish((ms / 7) as u8);
        }
        rig.tick(ms, 4096);
    }
    let frames = rig.frames();
    assert_eq!(frames.len(), 40, "{frames:?}");
    for (ms, [universe, level]) in frames {
        assert_eq!((universe, u64::from(level)), (3, ms / 7), "at {ms} ms");
    }
}

#[test]
fn what_does_not_change_is_repeated_and_steadily_where_asked() {
    for (steady, expected) in [(false, 4), (true, 120)] {
        let mut rig = Rig::new([Some(0), None], steady);
        rig.publish(9);
        for ms in 0..3000 {
            // Frames go on coming and hold the same.
            if ms % 20 == 0 {
                rig.publish(9);
            }
            rig.tick(ms, 4096);
        }
        let frames = rig.frames();
        assert_eq!(frames.len(), expected, "{frames:?}");
        let gaps = frames.windows(2).map(|pair| pair[1].0 - pair[0].0);
        assert!(gaps.into_iter().all(|gap| gap == if steady { 25 } else { 800 }), "{frames:?}");
    }
}

#[test]
fn nothing_is_sent_before_the_first_frame_but_the_question_what_is_there() {
    let mut rig = Rig::new([Some(0), None], true);
    (0..500).for_each(|ms| rig.tick(ms, 4096));
    assert_eq!(rig.heard, [(0, Message { label: GET_PARAMETERS, data: vec![0, 0] })]);
    assert_eq!(rig.feed.next_due(rig.start), None, "the thread may sleep");
}

#[test]
fn the_second_line_is_opened_before_it_is_sent_to() {
    let mut rig = Rig::new([Some(1), Some(2)], false);
    rig.publish(9);
    (0..600).for_each(|ms| rig.tick(ms, 4096));
    let heard: Vec<_> = rig.heard.iter().map(|(ms, message)| (*ms, message.label, message.data[1])).collect();
    assert_eq!(heard, [(0, 3, 0), (1, 13, 0x33), (201, 100, 1), (401, 6, 1), (401, 101, 2)]);
    assert_eq!(rig.heard[3].1.data.len(), 513);
}

#[test]
fn a_new_plan_finishes_the_message_that_is_on_its_way() {
    let mut rig = Rig::new([Some(0), None], false);
    rig.publish(9);
    (0..3).for_each(|ms| rig.tick(ms, 100));
    rig.feed.adopt(destination([Some(2), None], false));
    (3..200).for_each(|ms| rig.tick(ms, 100));
    assert_eq!(rig.frames().iter().map(|(_, what)| *what).collect::<Vec<_>>(), [[0, 9], [2, 9]]);
    assert_eq!(rig.heard.len(), 4, "both asked what is there, and nothing was torn");
}

#[test]
fn a_plan_that_only_slows_it_down_opens_nothing_anew() {
    let mut rig = Rig::new([Some(0), None], true);
    rig.publish(9);
    (0..100).for_each(|ms| rig.tick(ms, 4096));
    let slower =
        SerialDestination { interval: Duration::from_millis(100), ..(*destination([Some(0), None], true)).clone() };
    rig.feed.adopt(Arc::new(slower));
    (100..1101).for_each(|ms| rig.tick(ms, 4096));
    assert_eq!(rig.frames().len(), 14, "4 and then 10: {:?}", rig.frames());
    assert_eq!(rig.heard.len(), 15, "it was asked once what it is");
}

#[test]
fn the_end_is_black_or_the_last_frame_or_the_newest() {
    for (exit, expected) in [(Exit::Black, [0, 0]), (Exit::Hold, [2, 9]), (Exit::Last, [2, 10])] {
        let mut rig = Rig::new([Some(2), None], false);
        assert!(!rig.feed.prepare_end(rig.start, Exit::Hold, None), "there is nothing to hold yet");
        assert!(!rig.feed.prepare_end(rig.start, Exit::Last, None), "nor to end with");
        rig.publish(9);
        (0..100).for_each(|ms| rig.tick(ms, 4096));
        let before = rig.frames().len();
        rig.publish(10);
        let newest = rig.newest.clone();
        assert!(rig.feed.prepare_end(rig.start + Duration::from_millis(100), exit, newest.as_deref()));
        rig.tick(100, 4096);
        assert_eq!(rig.frames()[before..], [(100, expected)], "{exit:?}");
    }
}

#[test]
fn a_port_that_takes_nothing_for_a_second_is_stalled() {
    let mut rig = Rig::new([Some(0), None], false);
    rig.publish(9);
    (0..100).for_each(|ms| rig.tick(ms, 4096));
    rig.publish(10);
    for ms in 100..1100 {
        rig.tick(ms, 0);
        assert!(!rig.feed.is_stalled(rig.start + Duration::from_millis(ms)), "at {ms} ms");
    }
    assert!(rig.feed.is_stalled(rig.start + Duration::from_millis(1100)));
    rig.tick(1100, 1);
    assert!(!rig.feed.is_stalled(rig.start + Duration::from_millis(1101)));
}

proptest! {
    /// However little a port takes and however frames come: only whole messages, never more than one frame on its way,
    /// and in the end the newest.
    #[test]
    fn a_slow_port_hears_whole_frames_and_the_newest_one_last(
        rooms in proptest::collection::vec(0..60_usize, 1..60),
        every in 1..50_u64,
    ) {
        prop_assume!(rooms.iter().sum::<usize>() > 0);
        let mut rig = Rig::new([Some(1), Some(2)], false);
        for ms in 0..1500 {
            if ms % every == 0 && ms < 1000 {
                rig.publish((ms / every) as u8);
            }
            rig.tick(ms, rooms[ms as usize % rooms.len()]);
            prop_assert!(rig.feed.unsent().len() <= 2 * DMX_MESSAGE);
        }
        let last = (999 / every) as u8;
        (1500..4000).for_each(|ms| rig.tick(ms, 1000));
        for (_, message) in &rig.heard {
            let whole = message.data.len() != 513 || message.data[2..].iter().all(|level| *level == message.data[2]);
            prop_assert!(whole, "a frame was torn");
        }
        let heard: usize = rig.heard.iter().map(|(_, message)| message.data.len() + 5).sum();
        prop_assert_eq!(heard, rig.taken, "no byte is part of no message");
        prop_assert_eq!(rig.frames().last().map(|(_, what)| *what), Some([1, last]));
    }
}
