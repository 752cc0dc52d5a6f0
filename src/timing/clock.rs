//! The beat clock: beats in 64-bit float as a function of seconds. It never goes backwards.
//!
//! Deliberately absent: reading the time. Every function takes the seconds since the show began.

use crate::units::{Beats, Bpm};

/// A pause longer than this starts a new series of taps, seconds.
const TAP_PAUSE_SECS: f64 = 2.0;
/// How many of the last taps the tempo is the mean of.
const TAPS: usize = 8;
/// How much faster or slower the beat runs while it is nudged.
const NUDGE_BEND: f64 = 0.5;
/// Beats in a bar.
const BAR: f64 = 4.0;

/// Where the tempo comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSource {
    /// The console's own: as the project has it, or by number.
    #[default]
    Internal,
    /// The console's own, as it was tapped.
    Tapped,
}

/// Beats from seconds.
#[derive(Clone, Debug)]
pub struct BeatClock {
    bpm: Bpm,
    /// From here on the beat runs at the tempo.
    anchor_secs: f64,
    anchor_beat: f64,
    /// Until then, in seconds, the tempo is bent by this factor.
    bent_until: f64,
    bend: f64,
    source: ClockSource,
    taps: Vec<f64>,
    tap_count: u64,
}

impl BeatClock {
    /// Starts on the downbeat at second 0.
    pub fn new(bpm: Bpm) -> Self {
        Self {
            bpm,
            anchor_secs: 0.0,
            anchor_beat: 0.0,
            bent_until: 0.0,
            bend: 1.0,
            source: ClockSource::default(),
            taps: Vec::with_capacity(TAPS),
            tap_count: 0,
        }
    }

    /// The beat at a time; never less than at an earlier one.
    pub fn beat_at(&self, secs: f64) -> f64 {
        let run = (secs - self.anchor_secs).max(0.0);
        let bent = run.min((self.bent_until - self.anchor_secs).max(0.0));
        self.anchor_beat + (bent * self.bend + (run - bent)) * self.bpm.beats_per_sec()
    }

    /// Tempo.
    pub fn bpm(&self) -> Bpm {
        self.bpm
    }

    /// Where the tempo comes from.
    pub fn source(&self) -> ClockSource {
        self.source
    }

    /// Changes the tempo from now on; the beat goes on from where it is.
    pub fn set_bpm(&mut self, bpm: Bpm, secs: f64) {
        self.source = ClockSource::Internal;
        self.run_at(bpm, secs);
    }

    fn run_at(&mut self, bpm: Bpm, secs: f64) {
        // What is left of a nudge keeps its beats, not its seconds.
        let left = (self.bent_until - secs).max(0.0) * self.bpm.beats_per_sec() / bpm.beats_per_sec();
        self.anchor(secs);
        self.bent_until = secs + left;
        self.bpm = bpm;
    }

    /// Half or double the tempo, wherever it comes from; one that would leave the range is not changed.
    pub fn scale_bpm(&mut self, factor: f64, secs: f64) {
        let bpm = self.bpm.get() * factor;
        if (Bpm::MIN..=Bpm::MAX).contains(&bpm) {
            self.run_at(Bpm::new(bpm), secs);
        }
    }

    /// Shifts the beat by at most one, by running faster or slower until it is there.
    pub fn nudge(&mut self, beats: Beats, secs: f64) {
        if !beats.0.is_finite() {
            return;
        }
        let left = (self.bent_until - secs).max(0.0) * (self.bend - 1.0) * self.bpm.beats_per_sec();
        let shift = (left + beats.0).clamp(-1.0, 1.0);
        self.anchor(secs);
        self.bend = 1.0 + NUDGE_BEND * shift.signum();
        self.bent_until = secs + shift.abs() / (NUDGE_BEND * self.bpm.beats_per_sec());
    }

    /// A tap at `tapped` that is applied at `secs`: the mean of the last taps is the tempo, and tap n of a series
    /// falls on beat (n - 1) mod 4, reached by the shortest way forward.
    pub fn tap(&mut self, tapped: f64, secs: f64) {
        if self.taps.last().is_some_and(|last| tapped - last > TAP_PAUSE_SECS || tapped < *last) {
            self.taps.clear();
            self.tap_count = 0;
        }
        if self.taps.len() == TAPS {
            self.taps.remove(0);
        }
        self.taps.push(tapped);
        self.tap_count += 1;
        self.anchor(secs);
        self.bent_until = secs;
        if let [first, .., last] = self.taps[..] {
            let mean = (last - first) / (self.taps.len() - 1) as f64;
            if mean > 0.0 {
                self.bpm = Bpm::new(60.0 / mean);
                self.source = ClockSource::Tapped;
            }
        }
        let place = ((self.tap_count - 1) % BAR as u64) as f64;
        let since = (secs - tapped).max(0.0) * self.bpm.beats_per_sec();
        let wanted = place + since;
        self.anchor_beat += forward(wanted - self.anchor_beat);
    }

    fn anchor(&mut self, secs: f64) {
        self.anchor_beat = self.beat_at(secs);
        self.anchor_secs = secs.max(self.anchor_secs);
    }
}

/// The way forward within a bar; a hair's breadth behind counts as there.
fn forward(beats: f64) -> f64 {
    let way = beats.rem_euclid(BAR);
    if BAR - way < 1e-9 { 0.0 } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_month_at_120_loses_not_a_microbeat() {
        let clock = BeatClock::new(Bpm::new(120.0));
        let month = 30.0 * 86_400.0;
        assert!((clock.beat_at(month + 0.5) - clock.beat_at(month) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn four_taps_set_the_tempo_and_the_downbeat() {
        let mut clock = BeatClock::new(Bpm::new(97.0));
        for tap in 0..4 {
            let at = 10.0 + 0.5 * f64::from(tap);
            clock.tap(at, at + 0.01);
        }
        assert!(near(clock.bpm().get(), 120.0));
        assert!(near(clock.beat_at(11.5).rem_euclid(4.0), 3.02), "anchored where it was applied");
        assert!(near(clock.beat_at(12.0).rem_euclid(4.0), 0.0));
    }

    #[test]
    fn a_pause_starts_the_taps_over() {
        let mut clock = BeatClock::new(Bpm::new(100.0));
        clock.tap(0.0, 0.0);
        clock.tap(0.5, 0.5);
        clock.tap(3.0, 3.0);
        assert!(near(clock.bpm().get(), 120.0), "one tap alone says nothing of the tempo");
        assert!(near(clock.beat_at(3.0).rem_euclid(4.0), 0.0));
    }

    #[test]
    fn a_change_of_tempo_goes_on_from_the_same_beat() {
        let mut clock = BeatClock::new(Bpm::new(120.0));
        clock.set_bpm(Bpm::new(60.0), 2.0);
        assert!(near(clock.beat_at(2.0), 4.0));
        assert!(near(clock.beat_at(3.0), 5.0));
        clock.scale_bpm(0.5, 3.0);
        clock.scale_bpm(0.5, 3.0);
        assert!(near(clock.bpm().get(), 30.0), "15 is out of range");
    }

    #[test]
    fn a_nudge_arrives_by_running_slower_never_backwards() {
        for shift in [-0.25, 0.25] {
            let mut clock = BeatClock::new(Bpm::new(60.0));
            clock.nudge(Beats(shift), 4.0);
            assert!(near(clock.beat_at(4.0), 4.0));
            assert!(near(clock.beat_at(9.0), 9.0 + shift));
            clock.nudge(Beats(-shift), 9.0);
            assert!(near(clock.beat_at(20.0), 20.0));
        }
    }

    #[test]
    fn the_beat_never_goes_backwards_whatever_is_done() {
        let mut clock = BeatClock::new(Bpm::new(120.0));
        let mut last = 0.0;
        for step in 0..4000_u32 {
            let secs = f64::from(step) * 0.013;
            match step.wrapping_mul(2_654_435_761) >> 28 {
                0 => clock.tap(secs - 0.005, secs),
                1 => clock.nudge(Beats(-5.0), secs),
                2 => clock.scale_bpm(2.0, secs),
                3 => clock.scale_bpm(0.5, secs),
                4 => clock.nudge(Beats(f64::NAN), secs),
                _ => {}
            }
            let beat = clock.beat_at(secs);
            assert!(beat >= last, "step {step}: {beat} after {last}");
            last = beat;
        }
    }

    #[test]
    fn the_source_of_the_tempo_is_taps_until_a_number_is_set() {
        let mut clock = BeatClock::new(Bpm::new(120.0));
        clock.tap(1.0, 1.0);
        assert_eq!(clock.source(), ClockSource::Internal, "one tap is no tempo");
        clock.tap(1.5, 1.5);
        clock.scale_bpm(0.5, 2.0);
        assert_eq!(clock.source(), ClockSource::Tapped);
        clock.set_bpm(Bpm::new(128.0), 3.0);
        assert_eq!(clock.source(), ClockSource::Internal);
    }
}
