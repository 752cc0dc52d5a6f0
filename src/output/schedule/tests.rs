//! Schedules under simulated time.

use super::*;
use crate::model::id::DeviceId;
use crate::output::artnet::{self, DMX_PACKET};
use crate::output::interfaces::Leaving;
use crate::output::plan::Format;
use crate::units::{PortAddress, UNIVERSE_CHANNELS};

fn destination(universes: u16, rate: RateLimit) -> Destination {
    Destination {
        device: DeviceId(1),
        name: "node".into(),
        address: "127.0.0.1:6454".parse().unwrap(),
        leaving: Leaving::AsRouted,
        broadcast: false,
        rate,
        refresh: Refresh::Changed,
        sync: true,
        offload: true,
        burst: 16,
        format: Format::ArtNet,
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
    assert_eq!(schedule.packets().bytes()[DMX_PACKET + artnet::DMX_HEADER..], [0; UNIVERSE_CHANNELS]);
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
    assert_eq!(schedule.packets().bytes()[artnet::DMX_HEADER], 3);
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
    let sequence = |schedule: &Schedule| schedule.packets().bytes()[12];
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
