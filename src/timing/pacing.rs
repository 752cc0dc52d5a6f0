//! Frame pacing without drift: deadlines are counted from the start, never from the last frame.
//!
//! Deliberately absent: sleeping. The render thread sleeps until what [`Pacer::next_after`] says.

use std::time::{Duration, Instant};

/// Frames a second of a show that nobody asked for another rate.
pub const DEFAULT_FPS: f64 = 60.0;

/// Says when frames are due.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    start: Instant,
    interval: Option<Duration>,
    frame: u32,
}

impl Pacer {
    /// Frames at `fps` from `start` on; without a limit, or with one that is no positive number, always at once.
    pub fn new(fps: Option<f64>, start: Instant) -> Self {
        let fps = fps.filter(|fps| *fps > 0.0 && fps.is_finite());
        let interval = fps.and_then(|fps| Duration::try_from_secs_f64(1.0 / fps).ok());
        Self { start, interval: interval.filter(|interval| !interval.is_zero()), frame: 0 }
    }

    /// How long until the next frame is due; `None` without a limit.
    pub fn left(&self, now: Instant) -> Option<Duration> {
        let due = self.start + self.interval? * (self.frame + 1);
        Some(due.saturating_duration_since(now))
    }

    /// Time between two frames; `None` without a limit.
    pub fn interval(&self) -> Option<Duration> {
        self.interval
    }

    /// When the next frame is due. One that was missed by more than a whole interval is left out, so that a
    /// stall is followed by frames on the old grid and not by a burst.
    pub fn next_after(&mut self, now: Instant) -> Instant {
        let Some(interval) = self.interval else { return now };
        self.frame += 1;
        let due = self.start + interval * self.frame;
        if due + interval >= now {
            // A day of frames at most between start and now keeps the product exact and in range.
            if self.frame >= 1_000_000 {
                self.start = due;
                self.frame = 0;
            }
            return due;
        }
        let late = now.duration_since(self.start).as_nanos() / interval.as_nanos();
        self.start += interval.saturating_mul(u32::try_from(late).unwrap_or(u32::MAX));
        self.frame = 0;
        self.start
    }
}

/// Says how long after its start a frame should be out, so that frames come evenly although some take longer to draw
/// than others: as long as the slowest of late took, but never more than half an interval.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead(Duration);

impl Lead {
    /// What a slow frame adds is forgotten at this rate, a share a frame.
    const KEPT: f64 = 0.999;

    /// For a frame that took so long to draw.
    pub fn after(&mut self, took: Duration, interval: Option<Duration>) -> Duration {
        let most = interval.unwrap_or_default() / 2;
        self.0 = took.max(self.0.mul_f64(Self::KEPT)).min(most);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_frames_do_not_shift_the_grid() {
        let start = Instant::now();
        let mut pacer = Pacer::new(Some(100.0), start);
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert_eq!(pacer.left(at(4)), Some(Duration::from_millis(6)));
        assert_eq!(pacer.left(at(14)), Some(Duration::ZERO));
        assert_eq!(pacer.next_after(at(0)), at(10));
        assert_eq!(pacer.left(at(14)), Some(Duration::from_millis(6)));
        assert_eq!(pacer.next_after(at(14)), at(20), "4 ms late, still on the grid");
        assert_eq!(pacer.next_after(at(75)), at(70), "frames lost to a stall are left out");
        assert_eq!(pacer.next_after(at(75)), at(80));
    }

    #[test]
    fn an_hour_of_frames_lands_on_the_hour() {
        let start = Instant::now();
        let mut pacer = Pacer::new(Some(50.0), start);
        let mut now = start;
        for _ in 0..180_000 {
            now = pacer.next_after(now) + Duration::from_micros(300);
        }
        assert_eq!(now, start + Duration::from_secs(3600) + Duration::from_micros(300));
    }

    #[test]
    fn without_a_limit_the_next_frame_is_now() {
        let now = Instant::now();
        for fps in [None, Some(0.0), Some(f64::NAN), Some(-1.0)] {
            assert_eq!(Pacer::new(fps, now).next_after(now), now);
            assert_eq!(Pacer::new(fps, now).left(now), None);
        }
    }

    #[test]
    fn frames_that_take_longer_now_and_then_are_out_evenly() {
        let interval = Some(Duration::from_millis(20));
        let ms = |ms: u64| Duration::from_millis(ms);
        let mut lead = Lead::default();
        let out: Vec<Duration> =
            (0..200).map(|frame| lead.after(ms(if frame % 20 == 0 { 6 } else { 3 }), interval)).collect();
        assert!(out.windows(2).all(|pair| pair[0].abs_diff(pair[1]) < ms(1) / 5), "{out:?}");
        assert!(out.iter().all(|out| (ms(5)..=ms(6)).contains(out)), "{out:?}");
        assert_eq!(lead.after(ms(300), interval), ms(10), "a stall is not waited for");
        assert_eq!(lead.after(ms(5), None), ms(0), "without a limit nothing waits");
    }
}
