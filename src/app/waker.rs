//! Wakes the window when something it shows has changed, at most sixty times a second, and lets it sleep otherwise.
//!
//! [`Waking`] decides, with time as an argument; the thread `waker` waits for snapshots and asks it. Deliberately
//! absent: drawing, and any state but what was last asked for.

use super::changes::{ShownFigures, document_change, shown_change, thumbnail_period};
use super::news::{News, Told};
use crate::notice::Notice;
use crate::output::stats::OutputStats;
use crate::show::snapshot::Snapshot;
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::Receiver;
use egui::{Context, Id, ViewportCommand, ViewportId};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two repaints.
const FRAME: Duration = Duration::from_micros(16_667);
/// A snapshot that comes a hair early is shown at once, so that 60 a second stay 60.
const EARLY: Duration = Duration::from_millis(2);
/// So long after a change of the project the pictures of scenes that do not sound are looked at: until each was drawn
/// anew. Then they stand still, unless the pointer is over a tile.
const SETTLES: Duration = Duration::from_secs(4);
/// Between two repaints for figures alone, and between two looks at what has no snapshot.
pub const FIGURES: Duration = Duration::from_millis(500);

/// Where egui keeps whether the system wants the window closed, whatever is unsaved.
pub fn ending() -> Id {
    Id::unique("ending")
}

/// Decides when to paint.
pub struct Waking {
    asked: Option<Arc<Snapshot>>,
    figures: ShownFigures,
    settles: Instant,
    due: Instant,
    figures_due: Instant,
    painted: Instant,
}

impl Waking {
    /// Nothing was painted yet.
    pub fn new(now: Instant) -> Self {
        let figures = ShownFigures::default();
        Self { asked: None, figures, settles: now + SETTLES, due: now, figures_due: now, painted: now }
    }

    /// Zero: paint now. Else how long to wait for a newer snapshot before asking again.
    pub fn wait(
        &mut self,
        latest: Option<&Arc<Snapshot>>,
        output: Option<&OutputStats>,
        notices: bool,
        now: Instant,
    ) -> Duration {
        if self.asked.as_ref().zip(latest).is_none_or(|(old, new)| document_change(old, new)) {
            self.settles = now + SETTLES;
        }
        let changed = match (&self.asked, latest) {
            (Some(old), Some(new)) => shown_change(old, new),
            (old, new) => old.is_some() != new.is_some(),
        };
        let figures = latest.map_or(self.figures, |latest| ShownFigures::of(&latest.render, output));
        let read = figures.differ(&self.figures) && now >= self.figures_due;
        if !changed && !read && !notices {
            let pictures = self.asked.as_ref().zip(latest);
            let pictures = pictures.and_then(|(old, new)| thumbnail_period(old, new, now < self.settles));
            let Some(period) = pictures else { return FIGURES };
            let due = self.painted + period;
            if now + EARLY < due {
                return due - now;
            }
        }
        if now + EARLY < self.due {
            return self.due - now;
        }
        self.due = (self.due + FRAME).max(now + FRAME - EARLY);
        if read {
            self.figures = figures;
            self.figures_due = now + FIGURES;
        }
        self.asked = latest.cloned();
        self.painted = now;
        Duration::ZERO
    }
}

/// The thread that wakes the window; ends and is joined when this is dropped.
pub struct Waker {
    stop: Arc<AtomicBool>,
    snapshots: Arc<LatestSlot<Snapshot>>,
    thread: Option<JoinHandle<()>>,
}

impl Waker {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start(
        ctx: Context,
        snapshots: Arc<LatestSlot<Snapshot>>,
        output: Arc<LatestSlot<OutputStats>>,
        news: News,
        notices: Receiver<Notice>,
        close: Receiver<()>,
    ) -> io::Result<Self> {
        // A delay of nothing would paint twice.
        let paint = move |asked_to_close| {
            if asked_to_close {
                ctx.data_mut(|data| data.insert_temp(ending(), true));
                ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Close);
            }
            ctx.request_repaint_after_for(Duration::from_nanos(1), ViewportId::ROOT);
        };
        Self::start_with(paint, snapshots, output, news, notices, close)
    }

    /// Starts the thread, with something else to do than to paint; it is told whether the window should close.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start_with(
        paint: impl Fn(bool) + Send + 'static,
        snapshots: Arc<LatestSlot<Snapshot>>,
        output: Arc<LatestSlot<OutputStats>>,
        news: News,
        notices: Receiver<Notice>,
        close: Receiver<()>,
    ) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, slot) = (Arc::clone(&stop), Arc::clone(&snapshots));
        let thread = spawn_named("waker", move || {
            let mut waking = Waking::new(Instant::now());
            let mut seen = 0;
            let mut painted = Told::default();
            while !stopped.load(Ordering::Acquire) {
                let (latest, output) = (slot.latest(), output.latest());
                let told = news.told();
                let other = told != painted || !notices.is_empty();
                let wait = waking.wait(latest.as_ref(), output.as_deref(), other, Instant::now());
                let asked_to_close = close.try_recv().is_ok();
                if wait.is_zero() || asked_to_close {
                    paint(asked_to_close);
                    painted = told;
                } else {
                    seen = slot.wait_past(seen, wait);
                }
            }
        })?;
        Ok(Self { stop, snapshots, thread: Some(thread) })
    }
}

/// Whether both are the same value, which is never changed in place.
impl Drop for Waker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.snapshots.wake();
        if let Some(thread) = self.thread.take() {
            // A waker that panicked has nothing left to say.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::edit::{Edit, SceneField};
    use crate::model::id::SceneId;
    use crate::model::project::Project;
    use crate::model::scene::{Cell, Scene};
    use crate::show::snapshot::{ClockView, PlayState, RenderStats, SceneView, StageFrame};
    use crate::show::thumbnail::{Thumbnail, ThumbnailKey};
    use crate::units::{Beats, Bpm, Level};

    fn snapshot() -> Snapshot {
        let mut project = Project::empty("test");
        project.scenes.put(Scene::new(SceneId(1), Cell { column: 0, row: 0 }, "Plasma"));
        let view = SceneView {
            id: SceneId(1),
            state: Default::default(),
            fade: Level::ZERO,
            opacity: Level::FULL,
            dimmer: Level::FULL,
        };
        Snapshot {
            number: 1,
            project,
            path: None,
            dirty: false,
            undo: None,
            redo: None,
            scenes: Arc::new(vec![view]),
            triggers: Arc::default(),
            master: Level::FULL,
            blackout: false,
            test: None,
            shaders: Arc::default(),
            clock: ClockView { beat: Beats(0.1), bpm: Bpm::new(120.0), source: Default::default() },
            render: RenderStats::default(),
            costs: Arc::default(),
            power: Arc::default(),
            stage_map: Arc::default(),
            stage: Some(Arc::new(StageFrame { colours: vec![0; 4] })),
            thumbnails: Arc::default(),
        }
    }

    #[test]
    fn what_is_not_shown_paints_nothing() {
        let old = snapshot();
        let mut new = old.clone();
        new.number = 77;
        new.clock.beat = Beats(0.9);
        new.scenes = Arc::new(new.scenes.to_vec());
        new.render = RenderStats { fps: 59.0, longest_gap_ms: 3.0, ..RenderStats::default() };
        assert!(!shown_change(&old, &new));
    }

    #[test]
    fn everything_that_is_shown_paints() {
        let changes: [fn(&mut Snapshot); 10] = [
            |s| s.stage = s.stage.as_deref().cloned().map(Arc::new),
            |s| s.stage = None,
            |s| s.stage_map = Arc::new(s.stage_map.as_ref().clone()),
            |s| s.clock.beat = Beats(1.0),
            |s| s.clock.bpm = Bpm::new(121.0),
            |s| s.master = Level::ZERO,
            |s| s.blackout = true,
            |s| s.dirty = true,
            |s| Arc::make_mut(&mut s.scenes)[0].fade = Level::new(0.5),
            |s| {
                let edit = Edit::Scene(SceneId(1), SceneField::Name("Fire".into()));
                edit.apply(&mut s.project).unwrap();
            },
        ];
        for (index, change) in changes.into_iter().enumerate() {
            let mut old = snapshot();
            // The beat is shown while a scene sounds.
            Arc::make_mut(&mut old.scenes)[0].state = PlayState::On;
            let mut new = old.clone();
            change(&mut new);
            assert!(shown_change(&old, &new), "change {index}");
        }
    }

    #[test]
    fn a_still_show_is_not_painted_again() {
        let start = Instant::now();
        let mut waking = Waking::new(start);
        let one = Arc::new(snapshot());
        assert_eq!(waking.wait(Some(&one), None, false, start), Duration::ZERO);
        for ms in 1..2000 {
            let next = Arc::new(Snapshot { number: ms, ..Snapshot::clone(&one) });
            assert_eq!(waking.wait(Some(&next), None, false, start + Duration::from_millis(ms)), FIGURES);
        }
    }

    #[test]
    fn changes_paint_sixty_times_a_second_and_no_more() {
        for rate in [60, 240, 1000] {
            let start = Instant::now();
            let mut waking = Waking::new(start);
            let mut painted = 0;
            for frame in 0..rate * 2 {
                let mut next = snapshot();
                next.stage = Some(Arc::default());
                let now = start + Duration::from_secs(1) * frame / rate;
                painted += u32::from(waking.wait(Some(&Arc::new(next)), None, false, now).is_zero());
            }
            assert!((118..=121).contains(&painted), "{painted} in two seconds at {rate}");
        }
    }

    #[test]
    fn thumbnails_alone_paint_fifteen_times_a_second_and_only_after_a_change_while_nothing_sounds() {
        for (state, expected) in [(PlayState::On, 28..=31), (PlayState::Off, 3..=5)] {
            let start = Instant::now();
            let mut waking = Waking::new(start);
            let mut next = snapshot();
            let view = SceneView { state, ..next.scenes[0] };
            next.scenes = Arc::new(vec![view]);
            let mut painted = 0;
            for frame in 0..120_u32 {
                next.thumbnails = Arc::default();
                let now = start + Duration::from_secs(1) * frame / 60;
                painted += u32::from(waking.wait(Some(&Arc::new(next.clone())), None, false, now).is_zero());
            }
            assert!(expected.contains(&painted), "{painted} in two seconds while {state:?}");
            let now = start + Duration::from_secs(3);
            let last = Arc::new(next.clone());
            assert_eq!(waking.wait(Some(&last), None, false, now), Duration::ZERO);
            assert_eq!(waking.wait(Some(&last), None, false, now + FRAME), FIGURES, "unchanged, it sleeps");
            next.thumbnails = Arc::default();
            let rests = waking.wait(Some(&Arc::new(next)), None, false, now + SETTLES);
            assert_eq!(rests.is_zero(), state == PlayState::On, "silent scenes stand still: {state:?}");
        }
    }

    #[test]
    fn a_silent_show_is_painted_for_no_beat_and_no_last_digit_of_a_figure_but_for_a_new_picture() {
        let start = Instant::now();
        let mut waking = Waking::new(start);
        let mut still = snapshot();
        still.render = RenderStats { fps: 44.0, longest_gap_ms: 23.0, ..RenderStats::default() };
        assert!(waking.wait(Some(&Arc::new(still.clone())), None, false, start).is_zero());
        let later = start + 2 * SETTLES;
        for beat in 1..100 {
            let mut next = still.clone();
            next.clock.beat = Beats(f64::from(beat));
            next.thumbnails = Arc::default();
            (next.render.fps, next.render.longest_gap_ms) = (44.0 + beat as f32 % 2.0, 23.0 + beat as f32 % 4.0);
            let now = later + FIGURES * beat;
            assert_eq!(waking.wait(Some(&Arc::new(next)), None, false, now), FIGURES);
        }
        let mut drawn = still.clone();
        let key = ThumbnailKey::Scene(SceneId(1));
        drawn.thumbnails = Arc::new(vec![Thumbnail { key, pixels: Arc::default(), lamps: None }]);
        assert!(waking.wait(Some(&Arc::new(drawn)), None, false, later + FIGURES * 100).is_zero());
        still.render.longest_gap_ms = 60.0;
        assert!(
            waking.wait(Some(&Arc::new(still)), None, false, later + FIGURES * 102).is_zero(),
            "a late frame is told"
        );
    }

    #[test]
    fn figures_alone_paint_twice_a_second() {
        let start = Instant::now();
        let mut waking = Waking::new(start);
        let still = snapshot();
        let mut painted = 0;
        for frame in 0..240_u32 {
            let mut next = still.clone();
            next.render.longest_gap_ms = frame as f32;
            let now = start + Duration::from_secs(1) * frame / 60;
            painted += u32::from(waking.wait(Some(&Arc::new(next)), None, false, now).is_zero());
        }
        assert!((8..=9).contains(&painted), "{painted} in four seconds");
    }

    #[test]
    fn the_thread_paints_for_a_snapshot_and_ends_when_dropped() {
        let snapshots = Arc::new(LatestSlot::default());
        let (painted, paints) = crossbeam_channel::bounded(64);
        let (_sender, notices) = crossbeam_channel::bounded(1);
        let paint = move |closing| {
            // A full queue holds enough paints for the test.
            let _ = painted.try_send(closing);
        };
        let (close, closed) = crossbeam_channel::bounded(1);
        let waker =
            Waker::start_with(paint, Arc::clone(&snapshots), Arc::default(), Default::default(), notices, closed)
                .unwrap();
        snapshots.publish(Arc::new(snapshot()));
        assert_eq!(paints.recv_timeout(Duration::from_secs(10)), Ok(false));
        close.send(()).unwrap();
        snapshots.publish(Arc::new(snapshot()));
        let closing = std::iter::repeat_with(|| paints.recv_timeout(Duration::from_secs(10)).unwrap());
        assert!(closing.take(3).any(|closing| closing), "a wish to close reaches the window");
        drop(waker);
        assert!(paints.try_iter().count() <= 1);
        assert!(paints.recv().is_err(), "the thread and its end of the channel are gone");
    }

    #[test]
    fn the_thread_paints_for_nodes_that_come_while_the_show_stays_as_it_is() {
        let (snapshots, found) = (Arc::new(LatestSlot::default()), Arc::new(LatestSlot::default()));
        let (painted, paints) = crossbeam_channel::bounded(64);
        let (_sender, notices) = crossbeam_channel::bounded(1);
        let paint = move |_| {
            let _ = painted.try_send(());
        };
        let (slot, nodes, never) = (Arc::clone(&snapshots), Arc::clone(&found), crossbeam_channel::never());
        let waker =
            Waker::start_with(paint, slot, Arc::default(), News { found: nodes, ..News::default() }, notices, never)
                .unwrap();
        snapshots.publish(Arc::new(snapshot()));
        assert_eq!(paints.recv_timeout(Duration::from_secs(10)), Ok(()));
        found.publish(Arc::default());
        assert_eq!(paints.recv_timeout(Duration::from_secs(10)), Ok(()));
        drop(waker);
        assert_eq!(paints.try_iter().count(), 0, "each is painted once");
    }
}
