//! Turns: which thumbnail is drawn next, and how much of it, so that all of them take a tenth of the time.
//!
//! Pure: times and measured costs are arguments, in seconds. A thumbnail is drawn in bands of rows, as many as fit,
//! so that a slow scene takes many small turns and never holds a frame up.

use crate::show::thumbnail::{HEIGHT, ThumbnailKey};
use std::collections::BTreeMap;

/// Of the time between two frames.
const SHARE: f64 = 0.1;
/// What is left of that while frames come late anyway.
const HURRIED: f64 = 0.2;
/// Where frames are short, a turn is saved up to be worth its overhead.
const LEAST_TURN: f64 = 0.5e-3;

/// What a step was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Looked whether anything changed.
    Look,
    /// Drew so many rows.
    Draw(usize),
    /// Read the pixels back.
    Read,
}

/// What is known of one thumbnail.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    begun: Option<f64>,
    /// Of one row, once it was measured.
    row_secs: Option<f64>,
    /// Of the turn that began last.
    secs: f64,
}

/// Shares the time out.
#[derive(Debug, Default)]
pub struct Turns {
    turns: BTreeMap<ThumbnailKey, Turn>,
    last: Option<f64>,
    /// Between the last two frames.
    passed: f64,
    interval: f64,
    /// Time that was earned and not spent; less than nothing when a step took longer than it should.
    credit: f64,
    /// What may be spent before the next frame.
    room: f64,
    most: f64,
    /// What drawing costs however few the rows.
    overhead: Option<f64>,
    read_secs: f64,
}

impl Turns {
    /// From now on these take turns. What is known of those that stay is kept.
    pub fn watch(&mut self, keys: &[ThumbnailKey]) {
        let known = std::mem::take(&mut self.turns);
        let turn = |key: &ThumbnailKey| (key.clone(), known.get(key).copied().unwrap_or_default());
        self.turns = keys.iter().map(turn).collect();
        if keys.is_empty() {
            self.last = None;
        }
    }

    /// A frame is out. `left` is the time until the next one is due; `None` where there is no such time.
    pub fn earn(&mut self, now: f64, left: Option<f64>) {
        let passed = self.last.replace(now).map_or(0.0, |last| (now - last).max(0.0));
        // One frame that took long says nothing about the others.
        self.interval = passed.min(std::mem::replace(&mut self.passed, passed));
        let share = SHARE * self.interval;
        let hurried = left.is_some_and(|left| left < share);
        self.most = share.max(LEAST_TURN);
        self.credit = (self.credit + if hurried { share * HURRIED } else { share }).min(self.most);
        self.room = left.filter(|_| !hurried).map_or(self.credit, |left| self.credit.min(left));
    }

    /// Whether anything may be done before the next frame.
    pub fn go_on(&self) -> bool {
        self.room > 0.0
    }

    /// Whose turn it is. A thumbnail is drawn at most once in `period`; who costs more than others comes later.
    pub fn next(&self, now: f64, period: impl Fn(&ThumbnailKey) -> f64) -> Option<&ThumbnailKey> {
        let fair = self.turns.len() as f64 / SHARE;
        let due = |(key, turn): (&ThumbnailKey, &Turn)| {
            let Some(begun) = turn.begun else { return Some(f64::NEG_INFINITY) };
            let period = period(key);
            // Frames are not aligned to the period: the nearer one serves.
            (now + self.interval / 2.0 >= begun + period).then_some(begun + period.max(turn.secs * fair))
        };
        let waiting = self.turns.iter().filter_map(|turn| Some((due(turn)?, turn.0)));
        waiting.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
    }

    /// A turn begins.
    pub fn begin(&mut self, key: &ThumbnailKey, now: f64) {
        if let Some(turn) = self.turns.get_mut(key) {
            (turn.begun, turn.secs) = (Some(now), 0.0);
        }
    }

    /// How many of the rows that are left may be drawn now.
    pub fn rows(&self, key: &ThumbnailKey, left: usize) -> usize {
        let overhead = self.overhead.unwrap_or_default();
        let Some(row) = self.turns.get(key).and_then(|turn| turn.row_secs) else {
            return usize::from(self.affords(overhead)).min(left);
        };
        let fit = ((self.room - overhead) / row.max(1e-9)).clamp(0.0, HEIGHT as f64) as usize;
        // A band is worth its overhead, else it waits until more is saved.
        if fit < left && self.room < self.most && fit as f64 * row < 2.0 * overhead {
            return 0;
        }
        fit.max(usize::from(self.affords(overhead + row))).min(left)
    }

    /// Whether the pixels may be read back now.
    pub fn may_read(&self) -> bool {
        self.affords(self.read_secs)
    }

    /// A step was done and took so long.
    pub fn spend(&mut self, key: &ThumbnailKey, step: Step, secs: f64) {
        self.credit -= secs;
        self.room -= secs;
        let overhead = self.overhead.unwrap_or(secs);
        let Some(turn) = self.turns.get_mut(key) else { return };
        turn.secs += secs;
        match step {
            Step::Look => {}
            Step::Read => self.read_secs = cautious(self.read_secs, secs),
            Step::Draw(rows) => {
                // The least that a step ever took is mostly overhead, but may be a slow row: half of it counts.
                let overhead = secs.min(overhead);
                self.overhead = Some(overhead);
                let row = (secs - overhead / 2.0) / rows.max(1) as f64;
                turn.row_secs = Some(turn.row_secs.map_or(row, |known| cautious(known, row)));
            }
        }
    }

    /// What costs more than can be saved is done when all of that is saved; the debt is paid afterwards.
    fn affords(&self, secs: f64) -> bool {
        secs <= self.room || self.room >= self.most
    }
}

/// Believes at once that something is slow, and slowly that it is fast.
fn cautious(known: f64, measured: f64) -> f64 {
    if measured > known { measured } else { (known + measured) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::SceneId;

    const FRAME: f64 = 1.0 / 60.0;
    const PERIOD: f64 = 1.0 / 15.0;

    /// Thumbnails of scripted costs, drawn as [`super::super::Thumbnails`] does.
    struct Script {
        turns: Turns,
        /// Seconds of a row, by scene.
        rows: Vec<f64>,
        overhead: f64,
        job: Option<(ThumbnailKey, usize)>,
        now: f64,
        finished: Vec<u32>,
    }

    impl Script {
        fn new(rows: Vec<f64>, overhead: f64) -> Self {
            let mut turns = Turns::default();
            let keys: Vec<_> = (0..rows.len() as u32).map(|id| ThumbnailKey::Scene(SceneId(id))).collect();
            turns.watch(&keys);
            let finished = vec![0; rows.len()];
            Self { turns, rows, overhead, job: None, now: 0.0, finished }
        }

        fn step(&mut self) -> Option<(ThumbnailKey, Step, f64)> {
            let Some((key, done)) = self.job.take() else {
                let key = self.turns.next(self.now, |_| PERIOD)?.clone();
                self.turns.begin(&key, self.now);
                self.job = Some((key.clone(), 0));
                return Some((key, Step::Look, 2e-6));
            };
            let ThumbnailKey::Scene(SceneId(scene)) = key else { unreachable!() };
            let rows = self.turns.rows(&key, HEIGHT - done);
            if (done < HEIGHT && rows == 0) || (done == HEIGHT && !self.turns.may_read()) {
                self.job = Some((key, done));
                return None;
            }
            if done == HEIGHT {
                self.finished[scene as usize] += 1;
                return Some((key, Step::Read, self.overhead));
            }
            self.job = Some((key.clone(), done + rows));
            Some((key, Step::Draw(rows), self.overhead + rows as f64 * self.rows[scene as usize]))
        }

        /// One frame of so many seconds; what the thumbnails took of it.
        fn frame(&mut self, secs: f64, left: Option<f64>) -> f64 {
            self.now += secs;
            self.turns.earn(self.now, left);
            let mut spent = 0.0;
            while self.turns.go_on() {
                let Some((key, step, secs)) = self.step() else { break };
                self.turns.spend(&key, step, secs);
                spent += secs;
            }
            spent
        }

        /// Frames of so many seconds for `secs`; what the thumbnails took of each.
        fn frames(&mut self, secs: f64, frame: f64, left: Option<f64>) -> Vec<f64> {
            (0..(secs / frame) as usize).map(|_| self.frame(frame, left)).collect()
        }
    }

    fn most(spent: &[f64]) -> f64 {
        spent.iter().copied().fold(0.0, f64::max)
    }

    #[test]
    fn no_frame_gives_more_than_a_tenth_however_slow_a_scene_is() {
        // A millisecond a row, 54 ms a thumbnail: three frames, were it drawn at once.
        let mut script = Script::new(vec![4e-6; 39].into_iter().chain([1e-3]).collect(), 5e-5);
        script.frames(2.0, FRAME, Some(FRAME / 2.0));
        let spent = script.frames(20.0, FRAME, Some(FRAME / 2.0));
        assert!(most(&spent) <= FRAME * 0.1 + 1e-9, "{}", most(&spent));
        assert!(spent.iter().sum::<f64>() > 20.0 * 0.05, "and what there is is used");
        assert!((1..100).contains(&script.finished[39]), "{:?}", script.finished);
        let fast = &script.finished[..39];
        assert!(fast.iter().all(|turns| *turns > script.finished[39]), "{:?}", script.finished);
    }

    #[test]
    fn cheap_thumbnails_are_drawn_fifteen_times_a_second_and_no_more() {
        let mut script = Script::new(vec![1e-6; 8], 2e-5);
        script.frames(10.0, FRAME, None);
        assert!(script.finished.iter().all(|turns| (140..=151).contains(turns)), "{:?}", script.finished);
    }

    #[test]
    fn costly_thumbnails_share_what_there_is_in_equal_parts() {
        let mut script = Script::new(vec![2e-5; 24], 5e-5);
        let spent: f64 = script.frames(10.0, FRAME, None).iter().sum();
        assert!((0.8..=1.01).contains(&spent), "{spent} of a second");
        let (least, most) = (script.finished.iter().min().unwrap(), script.finished.iter().max().unwrap());
        assert!(*least > 25 && most - least <= 2, "{:?}", script.finished);
    }

    #[test]
    fn short_frames_save_up_for_a_turn() {
        let mut script = Script::new(vec![4e-6; 4], 1e-4);
        let spent = script.frames(4.0, 5e-4, None);
        assert!(most(&spent) <= LEAST_TURN + 1e-9, "{}", most(&spent));
        assert!(spent.iter().sum::<f64>() <= 0.4 + 1e-3);
        assert!(script.finished.iter().all(|turns| *turns > 40), "{:?}", script.finished);
    }

    #[test]
    fn frames_that_come_late_give_almost_nothing_and_early_ones_no_more_than_is_left() {
        let mut script = Script::new(vec![2e-5; 24], 5e-5);
        let late: f64 = script.frames(10.0, FRAME, Some(0.0)).iter().sum();
        assert!((0.01..=0.21).contains(&late), "{late} of 10 seconds");
        let tight = FRAME * 0.11;
        let spent = script.frames(4.0, FRAME, Some(tight));
        assert!(most(&spent) <= tight, "{}", most(&spent));
    }

    #[test]
    fn a_stall_is_not_made_up_for() {
        let mut script = Script::new(vec![2e-5; 24], 5e-5);
        script.frames(1.0, FRAME, None);
        assert!(script.frame(2.0, None) <= FRAME * 0.1 + 1e-9);
        assert!(script.frame(FRAME, None) <= FRAME * 0.1 + 1e-9);
    }

    #[test]
    fn a_step_that_took_too_long_is_paid_back_before_the_next() {
        let mut script = Script::new(vec![1e-6; 4], 2e-5);
        script.frames(1.0, FRAME, None);
        let key = ThumbnailKey::Scene(SceneId(0));
        script.turns.spend(&key, Step::Draw(1), 0.05);
        let spent = script.frames(0.4, FRAME, None);
        assert_eq!(most(&spent), 0.0);
        assert!(most(&script.frames(0.5, FRAME, None)) > 0.0);
    }
}
