//! Triggers as they are played: gates that open and close with the level of their band, and envelopes.
//!
//! Envelopes are functions of the time since the gate's edges: any frame rate gives the same light. Deliberately
//! absent: the sound itself; somebody who listens to it feeds the levels.

use crate::model::id::{Item as _, Table, TriggerId};
use crate::model::trigger::Trigger;
use crate::units::Level;
use std::sync::Arc;

/// An open gate closes below this share of its threshold, so that a level that trembles there does not stutter.
pub const CLOSES_BELOW: f32 = 0.9;

/// A trigger as it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriggerView {
    /// Which one.
    pub id: TriggerId,
    /// The band's level that was fed last; `None` while nobody feeds it.
    pub input: Option<Level>,
    /// Whether the gate is open.
    pub open: bool,
    /// Where its envelope is; full while nobody feeds it.
    pub level: Level,
}

/// A trigger looked up once: its id, and where it was found then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriggerPlace {
    id: TriggerId,
    /// Right unless triggers were added or removed since; the id decides.
    place: usize,
}

impl TriggerPlace {
    /// `None` when there is no such trigger.
    pub fn find(triggers: &Table<Trigger>, id: TriggerId) -> Option<Self> {
        triggers.place_of(id).map(|place| Self { id, place })
    }
}

/// The gate's edges since it opened last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edges {
    opened: f64,
    /// The envelope's level then.
    from: f32,
    /// `None` while it is open.
    closed: Option<f64>,
}

impl Edges {
    /// Up to the top by the attack, there while the gate is open and at least for the hold, down by the release. What
    /// has begun is finished: the shortest sound gives the whole envelope.
    fn level(&self, shape: &Trigger, secs: f64) -> f32 {
        let from = f64::from(self.from);
        let top = self.opened + shape.attack_secs * (1.0 - from);
        let fall = self.closed.map_or(f64::INFINITY, |closed| closed.max(top + shape.hold_secs));
        let level = if secs < top {
            from + (secs - self.opened).max(0.0) / shape.attack_secs.max(f64::MIN_POSITIVE)
        } else if secs < fall {
            1.0
        } else if shape.release_secs > 0.0 {
            1.0 - (secs - fall) / shape.release_secs
        } else {
            0.0
        };
        level.clamp(0.0, 1.0) as f32
    }
}

/// What a trigger heard.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Heard {
    input: Level,
    secs: f64,
    /// `None` while the gate has never been open.
    edges: Option<Edges>,
}

impl Heard {
    fn is_open(&self) -> bool {
        self.edges.is_some_and(|edges| edges.closed.is_none())
    }

    fn level(&self, shape: &Trigger, secs: f64) -> f32 {
        self.edges.map_or(0.0, |edges| edges.level(shape, secs))
    }

    fn hear(&mut self, shape: &Trigger, input: Level, secs: f64) {
        self.input = input;
        // Two who feed one trigger must not turn its time back.
        self.secs = self.secs.max(secs);
        let open = self.is_open();
        let limit = shape.threshold.get() * if open { CLOSES_BELOW } else { 1.0 };
        match (&mut self.edges, input.get() >= limit) {
            (Some(edges), false) if open => edges.closed = Some(self.secs),
            (_, true) if !open => {
                let from = self.level(shape, self.secs);
                self.edges = Some(Edges { opened: self.secs, from, closed: None });
            }
            _ => {}
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct TriggerLive {
    shape: Arc<Trigger>,
    /// `None` while nobody feeds it.
    heard: Option<Heard>,
}

impl TriggerLive {
    fn hear(&mut self, input: Level, secs: f64) {
        let heard = self.heard.get_or_insert(Heard { input, secs, edges: None });
        heard.hear(&self.shape, input, secs);
    }

    /// A trigger that nobody feeds is full: a show must not go dark because there is no sound device.
    fn level(&self, secs: f64) -> f32 {
        self.heard.map_or(1.0, |heard| heard.level(&self.shape, secs))
    }
}

/// All triggers, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triggers(Vec<TriggerLive>);

impl Triggers {
    /// The project's triggers, fed by nobody yet.
    pub fn starting(triggers: &Table<Trigger>) -> Self {
        Self(triggers.iter().map(|shape| TriggerLive { shape: Arc::clone(shape), heard: None }).collect())
    }

    /// Follows an edit at a second of the show. A new shape counts for an envelope under way as if it had always been
    /// so, a new threshold for what was heard last.
    pub fn follow(&mut self, triggers: &Table<Trigger>, secs: f64) {
        let before = std::mem::replace(self, Self::starting(triggers));
        for live in &mut self.0 {
            let Some(old) = before.find(live.shape.id) else { continue };
            live.heard = old.heard;
            if let Some(heard) = old.heard.filter(|_| old.shape.threshold != live.shape.threshold) {
                live.hear(heard.input, secs);
            }
        }
    }

    fn find(&self, id: TriggerId) -> Option<&TriggerLive> {
        let place = self.0.binary_search_by_key(&id, |live| live.shape.id()).ok()?;
        self.0.get(place)
    }

    /// Feeds a trigger the level of its band at a second of the show.
    pub fn hear(&mut self, id: TriggerId, input: Level, secs: f64) {
        if let Ok(place) = self.0.binary_search_by_key(&id, |live| live.shape.id()) {
            self.0[place].hear(input, secs);
        }
    }

    /// Nobody listens any more: every trigger is as if it had never been fed.
    pub fn lose_sound(&mut self) {
        self.0.iter_mut().for_each(|live| live.heard = None);
    }

    /// Where a trigger's envelope is, 0..=1; 1 for one that nobody feeds and one that is gone.
    pub fn level(&self, at: TriggerPlace, secs: f64) -> f32 {
        let there = self.0.get(at.place).filter(|live| live.shape.id == at.id);
        there.or_else(|| self.find(at.id)).map_or(1.0, |live| live.level(secs))
    }

    /// All triggers as they are played, in the order of their ids.
    pub fn views(&self, secs: f64) -> impl ExactSizeIterator<Item = TriggerView> {
        self.0.iter().map(move |live| TriggerView {
            id: live.shape.id,
            input: live.heard.map(|heard| heard.input),
            open: live.heard.is_some_and(|heard| heard.is_open()),
            level: Level::new(live.level(secs)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: TriggerId = TriggerId(3);

    /// Attack 1 s, hold 2 s, release 4 s, threshold 0.5.
    fn slow() -> Trigger {
        let threshold = Level::new(0.5);
        Trigger { threshold, attack_secs: 1.0, hold_secs: 2.0, release_secs: 4.0, ..Trigger::kick(ID, "Slow") }
    }

    fn table(triggers: impl IntoIterator<Item = Trigger>) -> Table<Trigger> {
        triggers.into_iter().collect()
    }

    /// Feeds (second, input), then expects (second, level).
    fn check(shape: Trigger, fed: &[(f64, f32)], expected: &[(f64, f32)]) {
        let table = table([shape]);
        let mut triggers = Triggers::starting(&table);
        fed.iter().for_each(|(secs, input)| triggers.hear(ID, Level::new(*input), *secs));
        let place = TriggerPlace::find(&table, ID).unwrap();
        let found: Vec<_> = expected.iter().map(|(secs, _)| (*secs, triggers.level(place, *secs))).collect();
        assert_eq!(found, expected, "fed {fed:?}");
    }

    #[test]
    fn an_envelope_rises_holds_while_the_gate_is_open_and_falls() {
        let fed = [(10.0, 0.5), (20.0, 0.4)];
        let levels = [(9.0, 0.0), (10.0, 0.0), (10.5, 0.5), (11.0, 1.0), (20.0, 1.0), (21.0, 0.75), (24.0, 0.0)];
        check(slow(), &fed, &levels);
    }

    #[test]
    fn the_shortest_sound_gives_the_whole_envelope() {
        let fed = [(10.0, 1.0), (10.1, 0.0)];
        check(slow(), &fed, &[(10.5, 0.5), (11.0, 1.0), (13.0, 1.0), (15.0, 0.5), (17.0, 0.0), (99.0, 0.0)]);
    }

    #[test]
    fn another_sound_goes_on_from_where_the_envelope_is() {
        let fed = [(10.0, 1.0), (10.1, 0.0), (15.0, 1.0), (15.1, 0.0)];
        check(slow(), &fed, &[(15.0, 0.5), (15.25, 0.75), (15.5, 1.0), (17.5, 1.0), (19.5, 0.5)]);
    }

    #[test]
    fn a_level_that_trembles_at_the_threshold_keeps_the_gate_open() {
        let fed = [(0.0, 0.49), (10.0, 0.5), (20.0, 0.46), (30.0, 0.44)];
        check(slow(), &fed[..1], &[(5.0, 0.0)]);
        check(slow(), &fed[..3], &[(29.0, 1.0)]);
        check(slow(), &fed, &[(30.0, 1.0), (32.0, 0.5)]);
    }

    #[test]
    fn an_envelope_may_have_no_length_at_all() {
        let square = Trigger { attack_secs: 0.0, hold_secs: 0.0, release_secs: 0.0, ..slow() };
        check(square, &[(1.0, 1.0), (2.0, 0.0)], &[(0.9, 0.0), (1.0, 1.0), (1.9, 1.0), (2.0, 0.0)]);
    }

    #[test]
    fn what_nobody_feeds_is_full_and_what_is_no_number_is_silence() {
        check(slow(), &[], &[(0.0, 1.0), (1e9, 1.0)]);
        check(slow(), &[(0.0, f32::NAN)], &[(0.0, 0.0), (1e9, 0.0)]);
        check(slow(), &[(0.0, f32::INFINITY)], &[(2.0, 1.0)]);
        let mut triggers = Triggers::starting(&table([slow()]));
        triggers.hear(ID, Level::ZERO, 1.0);
        triggers.lose_sound();
        let full = TriggerView { id: ID, input: None, open: false, level: Level::FULL };
        assert_eq!(triggers.views(2.0).collect::<Vec<_>>(), [full]);
    }

    #[test]
    fn time_never_runs_back() {
        check(slow(), &[(10.0, 1.0), (5.0, 0.0)], &[(10.0, 0.0), (13.0, 1.0), (15.0, 0.5)]);
    }

    #[test]
    fn a_trigger_keeps_what_it_heard_through_edits_wherever_it_is_found() {
        let before = table([slow()]);
        let place = TriggerPlace::find(&before, ID).unwrap();
        let mut triggers = Triggers::starting(&before);
        triggers.hear(ID, Level::new(0.6), 10.0);
        triggers.follow(&table([Trigger::kick(TriggerId(1), "Other"), slow()]), 10.25);
        assert_eq!(triggers.level(place, 10.5), 0.5);
        assert_eq!(triggers.views(10.5).map(|view| view.level.get()).collect::<Vec<_>>(), [1.0, 0.5]);
        let deaf = Trigger { threshold: Level::new(0.7), ..slow() };
        triggers.follow(&table([deaf]), 14.0);
        assert_eq!(triggers.level(place, 16.0), 0.5, "it fell from when the threshold rose");
        triggers.follow(&table([]), 16.0);
        assert_eq!(triggers.level(place, 16.0), 1.0, "one that is gone multiplies nothing");
    }
}
