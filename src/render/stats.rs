//! Frame statistics: frames a second and the longest gap between two frames.

use std::time::{Duration, Instant};

/// How long a gap is remembered.
const GAP_MEMORY: usize = 5;

/// Counts frames second by second.
pub struct FrameStats {
    second: Instant,
    frames: u32,
    last: Option<Instant>,
    gap: Duration,
    gaps: [Duration; GAP_MEMORY],
    longest: Duration,
    fps: f32,
}

impl FrameStats {
    /// Nothing counted yet.
    pub fn new(now: Instant) -> Self {
        Self {
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

    /// Frames a second over the last whole second.
    pub fn fps(&self) -> f32 {
        self.fps
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
        let mut stats = FrameStats::new(start);
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
}
