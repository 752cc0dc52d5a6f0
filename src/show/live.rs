//! Live state: what the operator plays. Starts from the project's starting look and never makes it dirty.
//!
//! Fades are functions of time, not counters: any frame rate gives the same light.

use super::snapshot::{PlayState, SceneView};
use super::test_pattern::TestPattern;
use super::triggers::Triggers;
use crate::model::id::SceneId;
use crate::model::project::Project;
use crate::model::scene::{Launch, Scene};
use crate::units::Level;
use std::collections::BTreeMap;

/// How long blackout takes to close and open, seconds.
pub const BLACKOUT_SECS: f64 = 0.15;

/// Beats in a bar.
const BAR: f64 = 4.0;

/// A moment of the show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Seconds since the show began.
    pub secs: f64,
    /// Beats.
    pub beat: f64,
}

/// A way from one level to another over beats or seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fade {
    from: f32,
    to: f32,
    start: f64,
    length: f64,
}

impl Fade {
    fn resting(level: f32) -> Self {
        Self { from: level, to: level, start: 0.0, length: 0.0 }
    }

    fn at(&self, time: f64) -> f32 {
        let share = if self.length > 0.0 { ((time - self.start) / self.length).clamp(0.0, 1.0) } else { 1.0 };
        self.from + (self.to - self.from) * share as f32
    }

    /// Turns towards `to` from where it is now; `length` is the time of the whole way from 0 to 1.
    fn turn(&mut self, to: f32, now: f64, length: f64) {
        let from = self.at(now);
        *self = Self { from, to, start: now, length: length * f64::from((to - from).abs()) };
    }
}

/// A scene as it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SceneLive {
    active: bool,
    flashed: bool,
    /// Beats ahead of the clock for the time of a flash that restarted the bar.
    ahead: f64,
    opacity: Level,
    dimmer: Level,
    fade: Fade,
    /// A launch or stop that waits for this beat.
    waiting: Option<(bool, f64)>,
}

impl SceneLive {
    fn starting(scene: &Scene) -> Self {
        Self {
            active: scene.active,
            flashed: false,
            ahead: 0.0,
            opacity: scene.opacity,
            dimmer: scene.dimmer,
            fade: Fade::resting(if scene.active { 1.0 } else { 0.0 }),
            waiting: None,
        }
    }

    fn turn(&mut self, on: bool, beat: f64, scene: &Scene) {
        self.active = on;
        self.waiting = None;
        let (to, length) = if on { (1.0, scene.fade_in) } else { (0.0, scene.fade_out) };
        self.fade.turn(to, beat, length.max(0.0));
    }

    fn state(&self, beat: f64) -> PlayState {
        let level = self.fade.at(beat);
        match (self.flashed, self.waiting.is_some(), self.active) {
            (true, ..) => PlayState::Flashed,
            (_, true, _) => PlayState::Waiting,
            (_, _, true) if level < 1.0 => PlayState::FadingIn,
            (_, _, true) => PlayState::On,
            (_, _, false) if level > 0.0 => PlayState::FadingOut,
            (_, _, false) => PlayState::Off,
        }
    }

    /// Fader, fade and dimmer together, 0..=1.
    fn level(&self, beat: f64) -> f32 {
        let fade = if self.flashed { 1.0 } else { self.fade.at(beat) };
        self.opacity.get() * self.dimmer.get() * fade
    }
}

/// Everything the operator plays besides the clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Live {
    scenes: BTreeMap<SceneId, SceneLive>,
    /// The master fader.
    pub master: Level,
    /// Envelopes that follow the sound.
    pub triggers: Triggers,
    /// A pattern that lamps show instead of the show's light.
    pub test: Option<TestPattern>,
    blackout: bool,
    open: Fade,
}

impl Live {
    /// The project's starting look.
    pub fn starting(project: &Project) -> Self {
        Self {
            scenes: project.scenes.iter().map(|scene| (scene.id, SceneLive::starting(scene))).collect(),
            master: project.settings.master,
            triggers: Triggers::starting(&project.triggers),
            test: None,
            blackout: false,
            open: Fade::resting(1.0),
        }
    }

    /// Follows an edit at a second of the show: new scenes start as the project says, scenes that are gone fall silent.
    pub fn follow(&mut self, project: &Project, secs: f64) {
        self.scenes.retain(|id, _| project.scenes.contains(*id));
        for scene in project.scenes.iter() {
            self.scenes.entry(scene.id).or_insert_with(|| SceneLive::starting(scene));
        }
        self.triggers.follow(&project.triggers, secs);
    }

    /// Launches or stops a scene, now or on its beat.
    pub fn activate(&mut self, scene: &Scene, on: bool, beat: f64) {
        let Some(live) = self.scenes.get_mut(&scene.id) else { return };
        let grid = match scene.launch {
            Launch::Off => None,
            Launch::Beat => Some(1.0),
            Launch::Bar => Some(BAR),
        };
        match grid.map(|grid| (beat / grid).ceil() * grid).filter(|due| *due > beat) {
            Some(due) => live.waiting = (live.active != on).then_some((on, due)),
            None => live.turn(on, beat, scene),
        }
    }

    /// Launches a scene that is off or about to be, stops any other.
    pub fn toggle(&mut self, scene: &Scene, beat: f64) {
        let Some(live) = self.scenes.get(&scene.id) else { return };
        let on = live.waiting.map_or(live.active, |(on, _)| on);
        self.activate(scene, !on, beat);
    }

    /// Holds a scene on, or lets it go, at the beat of the clock.
    pub fn flash(&mut self, id: SceneId, held: bool) {
        self.change(id, |live| (live.flashed, live.ahead) = (held, 0.0));
    }

    /// Holds a scene on with its bar starting at this beat of the clock; letting go puts it back.
    pub fn flash_from_bar(&mut self, scene: &Scene, beat: f64) {
        let ahead = -(beat + scene.beat_offset).rem_euclid(BAR);
        self.change(scene.id, |live| (live.flashed, live.ahead) = (true, ahead));
    }

    /// The scene's own beat at a beat of the clock.
    pub fn scene_beat(&self, scene: &Scene, beat: f64) -> f64 {
        let ahead = self.scenes.get(&scene.id).map_or(0.0, |live| live.ahead);
        beat + scene.beat_offset + ahead
    }

    /// Moves a scene's fader.
    pub fn set_opacity(&mut self, id: SceneId, opacity: Level) {
        self.change(id, |live| live.opacity = opacity);
    }

    /// Moves a scene's dimmer input.
    pub fn set_dimmer(&mut self, id: SceneId, dimmer: Level) {
        self.change(id, |live| live.dimmer = dimmer);
    }

    fn change(&mut self, id: SceneId, change: impl FnOnce(&mut SceneLive)) {
        if let Some(live) = self.scenes.get_mut(&id) {
            change(live);
        }
    }

    /// Closes or opens everything, in a short fade.
    pub fn set_blackout(&mut self, blackout: bool, secs: f64) {
        self.blackout = blackout;
        self.open.turn(if blackout { 0.0 } else { 1.0 }, secs, BLACKOUT_SECS);
    }

    /// Plays one scene and nothing else, at full master: what the show is to end with.
    pub fn leave_with(&mut self, id: SceneId) {
        for (scene, live) in &mut self.scenes {
            let on = *scene == id;
            (live.active, live.flashed, live.waiting) = (on, false, None);
            live.fade = Fade::resting(if on { 1.0 } else { 0.0 });
        }
        self.master = Level::FULL;
        self.test = None;
        self.blackout = false;
        self.open = Fade::resting(1.0);
    }

    /// Whether everything is held at zero.
    pub fn blackout(&self) -> bool {
        self.blackout
    }

    /// How far blackout lets light through at a second of the show, 0..=1.
    pub fn openness(&self, secs: f64) -> f32 {
        self.open.at(secs)
    }

    /// Whether a scene is on, launched or flashed.
    pub fn is_playing(&self, id: SceneId) -> bool {
        self.scenes.get(&id).is_some_and(|live| live.active || live.flashed)
    }

    /// Starts what waited for its beat.
    pub fn advance(&mut self, project: &Project, beat: f64) {
        for (id, live) in &mut self.scenes {
            if let (Some((on, due)), Some(scene)) = (live.waiting, project.scenes.get(*id))
                && beat >= due
            {
                live.turn(on, due, scene);
            }
        }
    }

    /// A scene's weight in the mix: fader x fade x dimmer x master (unless it ignores it) x blackout. 0..=1. The curve
    /// and the trigger of its opacity come on top, when a frame is composed.
    pub fn weight(&self, scene: &Scene, now: Moment) -> f32 {
        let Some(live) = self.scenes.get(&scene.id) else { return 0.0 };
        let master = if scene.ignores_master { 1.0 } else { self.master.get() };
        live.level(now.beat) * master * self.open.at(now.secs)
    }

    /// All scenes as they are played, in the order of their ids.
    pub fn views(&self, beat: f64) -> Vec<SceneView> {
        let view = |(id, live): (&SceneId, &SceneLive)| SceneView {
            id: *id,
            state: live.state(beat),
            fade: Level::new(live.fade.at(beat)),
            opacity: live.opacity,
            dimmer: live.dimmer,
        };
        self.scenes.iter().map(view).collect()
    }

    /// The project with this state as its starting look, for saving.
    pub fn as_starting_look(&self, project: &Project) -> Project {
        let mut project = project.clone();
        for (id, live) in &self.scenes {
            let Some(scene) = project.scenes.get(*id) else { continue };
            let active = live.waiting.map_or(live.active, |(on, _)| on);
            if (scene.active, scene.opacity, scene.dimmer) != (active, live.opacity, live.dimmer) {
                let (opacity, dimmer) = (live.opacity, live.dimmer);
                let scene = Scene { active, opacity, dimmer, ..Scene::clone(scene) };
                project.scenes.put(scene);
            }
        }
        project
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scene::Cell;

    fn project(scene: Scene) -> (Project, Scene) {
        let mut project = Project::empty("p");
        project.scenes.put(scene.clone());
        (project, scene)
    }

    fn scene() -> Scene {
        Scene::new(SceneId(1), Cell { column: 0, row: 0 }, "s")
    }

    fn at(beat: f64) -> Moment {
        Moment { secs: beat, beat }
    }

    #[test]
    fn a_fade_takes_its_beats_and_turns_round_where_it_is() {
        let (project, scene) = project(Scene { fade_in: 4.0, fade_out: 2.0, ..scene() });
        let mut live = Live::starting(&project);
        live.activate(&scene, true, 10.0);
        assert_eq!(live.weight(&scene, at(12.0)), 0.5);
        live.activate(&scene, false, 12.0);
        assert_eq!(live.weight(&scene, at(12.5)), 0.25);
        assert_eq!(live.views(12.5)[0].state, PlayState::FadingOut);
        assert_eq!(live.weight(&scene, at(13.0)), 0.0);
        assert_eq!(live.views(13.0)[0].state, PlayState::Off);
    }

    #[test]
    fn a_launch_waits_for_its_bar_and_can_be_called_off() {
        let (project, scene) = project(Scene { launch: Launch::Bar, ..scene() });
        let mut live = Live::starting(&project);
        live.toggle(&scene, 4.5);
        live.advance(&project, 7.9);
        assert_eq!(live.views(7.9)[0].state, PlayState::Waiting);
        live.toggle(&scene, 7.9);
        live.advance(&project, 8.0);
        assert_eq!(live.views(8.0)[0].state, PlayState::Off);
        live.toggle(&scene, 8.0);
        assert_eq!(live.views(8.0)[0].state, PlayState::On, "a launch on the bar is at once");
    }

    #[test]
    fn the_master_and_blackout_close_and_a_scene_may_ignore_the_master() {
        let (project, scene) = project(Scene { active: true, ..scene() });
        let ignoring = Scene { ignores_master: true, ..scene.clone() };
        let mut live = Live::starting(&project);
        live.master = Level::new(0.5);
        assert_eq!(live.weight(&scene, at(0.0)), 0.5);
        assert_eq!(live.weight(&ignoring, at(0.0)), 1.0);
        live.set_blackout(true, 1.0);
        assert_eq!(live.weight(&ignoring, at(2.0)), 0.0);
        live.set_blackout(false, 2.0);
        assert_eq!(live.weight(&ignoring, at(3.0)), 1.0);
    }

    #[test]
    fn flash_holds_a_silent_scene_on_at_its_fader() {
        let (project, scene) = project(Scene { opacity: Level::new(0.25), ..scene() });
        let mut live = Live::starting(&project);
        live.flash(scene.id, true);
        assert_eq!(live.weight(&scene, at(0.0)), 0.25);
        live.flash(scene.id, false);
        assert_eq!(live.weight(&scene, at(0.0)), 0.0);
    }

    #[test]
    fn a_flash_can_restart_the_bar_for_as_long_as_it_is_held() {
        let (project, scene) = project(Scene { beat_offset: 0.5, ..scene() });
        let mut live = Live::starting(&project);
        assert_eq!(live.scene_beat(&scene, 10.25), 10.75);
        live.flash_from_bar(&scene, 10.25);
        assert_eq!(live.scene_beat(&scene, 10.25), 8.0, "a downbeat");
        assert_eq!(live.scene_beat(&scene, 11.25), 9.0);
        assert_eq!(live.weight(&scene, at(10.25)), 1.0);
        live.flash(scene.id, false);
        assert_eq!(live.scene_beat(&scene, 12.0), 12.5);
    }

    #[test]
    fn saving_keeps_the_look_that_is_playing() {
        let (project, scene) = project(scene());
        let mut live = Live::starting(&project);
        live.activate(&scene, true, 0.0);
        live.set_opacity(scene.id, Level::new(0.5));
        let saved = live.as_starting_look(&project);
        assert_eq!(saved.scene(scene.id).map(|s| (s.active, s.opacity.get())), Some((true, 0.5)));
    }
}
