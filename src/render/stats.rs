//! Frame statistics: frames a second and the longest gap between two frames.

use crate::show::snapshot::RenderStats;
use std::time::{Duration, Instant};

/// How long a gap is remembered.
const GAP_MEMORY: usize = 5;

/// Steps of the histogram: a quarter of an octave each, from a microsecond on up to half a minute.
const STEPS: usize = 100;

/// How far intervals between frames are from what they should be.
struct Errors {
    interval: Option<Duration>,
    counts: [u32; STEPS],
    total: u32,
}

impl Errors {
    fn add(&mut self, found: Duration) {
        let Some(interval) = self.interval else { return };
        let micros = found.abs_diff(interval).as_secs_f64() * 1e6;
        let step = (micros.max(1.0).log2() * 4.0) as usize;
        self.counts[step.min(STEPS - 1)] += 1;
        self.total += 1;
    }

    /// The upper end of the step in which so large a share of them ends.
    fn percentile(&self, share: f64) -> Duration {
        let wanted = (f64::from(self.total) * share).ceil();
        let mut seen = 0.0;
        let step = self.counts.iter().position(|count| {
            seen += f64::from(*count);
            seen >= wanted && seen > 0.0
        });
        step.map_or(Duration::ZERO, |step| Duration::from_secs_f64(((step + 1) as f64 / 4.0).exp2() * 1e-6))
    }
}

/// Counts frames second by second.
pub struct FrameStats {
    errors: Errors,
    second: Instant,
    frames: u32,
    last: Option<Instant>,
    gap: Duration,
    gaps: [Duration; GAP_MEMORY],
    longest: Duration,
    fps: f32,
}

impl FrameStats {
    /// Nothing counted yet. Frames should come at this interval.
    pub fn new(now: Instant, interval: Option<Duration>) -> Self {
        Self {
            errors: Errors { interval, counts: [0; STEPS], total: 0 },
            second: now,
            frames: 0,
            last: None,
            gap: Duration::ZERO,
            gaps: [Duration::ZERO; GAP_MEMORY],
            longest: Duration::ZERO,
            fps: 0.0,
        }
    }

    /// Counts a frame that was published now.
    pub fn frame(&mut self, now: Instant) {
        if let Some(last) = self.last.replace(now) {
            self.errors.add(now.duration_since(last));
            self.gap = self.gap.max(now.duration_since(last));
            self.longest = self.longest.max(self.gap);
        }
        self.frames += 1;
        let passed = now.duration_since(self.second);
        if passed >= Duration::from_secs(1) {
            self.fps = self.frames as f32 / passed.as_secs_f32();
            self.gaps.rotate_right(1);
            self.gaps[0] = std::mem::take(&mut self.gap);
            self.frames = 0;
            self.second = now;
        }
    }

    /// How frames come.
    pub fn view(&self) -> RenderStats {
        RenderStats {
            fps: self.fps(),
            asked_fps: self.errors.interval.map(|interval| 1.0 / interval.as_secs_f32()),
            longest_gap_ms: self.longest_gap().as_secs_f32() * 1e3,
            longest_gap_ever_ms: self.longest_ever().as_secs_f32() * 1e3,
            interval_error_p99_ms: self.interval_error_p99().as_secs_f32() * 1e3,
            ..RenderStats::default()
        }
    }

    /// Frames a second over the last whole second.
    pub fn fps(&self) -> f32 {
        self.fps
    }

    /// Of a hundred intervals between frames since the start, ninety-nine are at most so far from what they should be;
    /// to a fifth of itself. Zero without a frame limit.
    pub fn interval_error_p99(&self) -> Duration {
        self.errors.percentile(0.99)
    }

    /// Longest time between two frames since the start.
    pub fn longest_ever(&self) -> Duration {
        self.longest
    }

    /// Longest time between two frames in the last seconds.
    pub fn longest_gap(&self) -> Duration {
        self.gaps.iter().copied().max().unwrap_or_default().max(self.gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_longest_gap_of_the_last_seconds() {
        let start = Instant::now();
        let mut stats = FrameStats::new(start, None);
        let frame = |stats: &mut FrameStats, ms: u64| stats.frame(start + Duration::from_millis(ms));
        for ms in [0, 500, 520, 1000] {
            frame(&mut stats, ms);
        }
        assert_eq!(stats.fps(), 4.0);
        assert_eq!(stats.longest_gap(), Duration::from_millis(500));
        for ms in (1010..8000).step_by(10) {
            frame(&mut stats, ms);
        }
        assert_eq!(stats.longest_gap(), Duration::from_millis(10), "an old gap is forgotten");
    }

    #[test]
    fn the_interval_that_ninety_nine_of_a_hundred_keep() {
        let start = Instant::now();
        let ms = Duration::from_millis;
        let mut stats = FrameStats::new(start, Some(ms(20)));
        assert_eq!(stats.interval_error_p99(), Duration::ZERO);
        let mut at = start;
        for frame in 0..1000 {
            stats.frame(at);
            at += if frame % 200 == 7 { ms(60) } else { Duration::from_micros(20_100) };
        }
        let p99 = stats.interval_error_p99().as_secs_f64() * 1e3;
        assert!((0.1..0.12).contains(&p99), "{p99}");
        for _ in 0..20 {
            at += ms(25);
            stats.frame(at);
        }
        let p99 = stats.interval_error_p99().as_secs_f64() * 1e3;
        assert!((5.0..6.0).contains(&p99), "{p99}");
    }
}
