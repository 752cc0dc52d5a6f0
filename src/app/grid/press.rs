//! A press on a tile: short it toggles, long it flashes, and slid away from its tile it drags.
//!
//! Plain state of the ui thread; times are arguments. Deliberately absent: what a drop does.

use crate::model::id::SceneId;
use crate::show::command::LiveCommand;
use egui::Pos2;
use std::time::Duration;

/// A press longer than this is a flash, seconds.
pub const HOLD_SECS: f64 = 0.25;
/// A press that slips farther than this before that is no flash any more, points.
const SLIP: f32 = 8.0;

/// What a press has become.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Short so far.
    Down,
    /// Long: it flashes, wherever the finger goes.
    Flashing,
    /// It slipped. A hasty finger that never left its tile still toggles.
    Slipped {
        /// Whether it has left its tile: then it drags.
        left: bool,
    },
}

/// A press on a tile that has not ended.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Press {
    scene: SceneId,
    at: Pos2,
    since: f64,
    phase: Phase,
}

/// Tells a short press, a long one and a drag apart. Times in seconds.
#[derive(Debug, Default)]
pub struct Hold(Option<Press>);

impl Hold {
    /// A finger went down on a tile.
    pub fn press(&mut self, scene: SceneId, at: Pos2, now: f64) {
        self.0 = Some(Press { scene, at, since: now, phase: Phase::Down });
    }

    /// Whether a finger is down.
    pub fn is_down(&self) -> bool {
        self.0.is_some()
    }

    /// The scene that is pressed.
    pub fn scene(&self) -> Option<SceneId> {
        self.0.map(|press| press.scene)
    }

    /// The finger is still down, at a place that is in its tile or not; `from_bar` starts the scene's bar with the
    /// flash.
    pub fn keep(&mut self, now: f64, finger: Option<(Pos2, bool)>, from_bar: bool) -> Option<LiveCommand> {
        let press = self.0.as_mut()?;
        let (at, inside) = finger.unwrap_or((press.at, true));
        match &mut press.phase {
            Phase::Down if at.distance(press.at) > SLIP => press.phase = Phase::Slipped { left: !inside },
            Phase::Down if now - press.since >= HOLD_SECS => {
                press.phase = Phase::Flashing;
                let scene = press.scene;
                return Some(if from_bar { LiveCommand::FlashFromBar(scene) } else { LiveCommand::Flash(scene, true) });
            }
            Phase::Slipped { left } => *left |= !inside,
            Phase::Down | Phase::Flashing => {}
        }
        None
    }

    /// The scene that is dragged.
    pub fn dragged(&self) -> Option<SceneId> {
        self.0.filter(|press| press.phase == Phase::Slipped { left: true }).map(|press| press.scene)
    }

    /// The finger is gone; `over` is the tile it left from. A drag ends without a word.
    pub fn release(&mut self, over: Option<SceneId>) -> Option<LiveCommand> {
        let press = self.0.take()?;
        match press.phase {
            Phase::Flashing => Some(LiveCommand::Flash(press.scene, false)),
            Phase::Down | Phase::Slipped { left: false } => {
                (over == Some(press.scene)).then_some(LiveCommand::Toggle(press.scene))
            }
            Phase::Slipped { left: true } => None,
        }
    }

    /// How long until a press becomes a flash.
    pub fn left(&self, now: f64) -> Option<Duration> {
        let press = self.0.filter(|press| press.phase == Phase::Down)?;
        Some(Duration::from_secs_f64((press.since + HOLD_SECS - now).max(0.001)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    const A: SceneId = SceneId(1);
    const B: SceneId = SceneId(2);
    const AT: Pos2 = pos2(50.0, 50.0);

    fn pressed(since: f64) -> Hold {
        let mut hold = Hold::default();
        hold.press(A, AT, since);
        hold
    }

    /// The finger is where it went down.
    fn still(hold: &mut Hold, now: f64) -> Option<LiveCommand> {
        hold.keep(now, Some((AT, true)), false)
    }

    #[test]
    fn a_short_press_toggles_on_release() {
        let mut hold = pressed(10.0);
        assert_eq!(still(&mut hold, 10.2), None);
        assert_eq!(hold.release(Some(A)), Some(LiveCommand::Toggle(A)));
        assert_eq!(hold.release(Some(A)), None);
    }

    #[test]
    fn with_shift_a_long_press_starts_the_bar() {
        let mut hold = pressed(10.0);
        assert_eq!(hold.keep(10.3, None, true), Some(LiveCommand::FlashFromBar(A)));
        assert_eq!(hold.release(None), Some(LiveCommand::Flash(A, false)));
    }

    #[test]
    fn a_long_press_flashes_until_it_ends_and_never_toggles_or_drags() {
        let mut hold = pressed(10.0);
        assert_eq!(still(&mut hold, 10.26), Some(LiveCommand::Flash(A, true)));
        assert_eq!(hold.keep(10.5, Some((pos2(300.0, 50.0), false)), false), None, "said once");
        assert_eq!(hold.dragged(), None);
        assert_eq!(hold.release(Some(B)), Some(LiveCommand::Flash(A, false)), "wherever the finger went");
    }

    #[test]
    fn a_short_press_that_ends_elsewhere_does_nothing() {
        assert_eq!(pressed(0.0).release(Some(B)), None);
        assert_eq!(pressed(1.0).release(None), None);
    }

    #[test]
    fn a_hasty_finger_that_slips_within_its_tile_still_toggles_and_never_flashes() {
        let mut hold = pressed(0.0);
        assert_eq!(hold.keep(0.1, Some((pos2(60.0, 50.0), true)), false), None);
        assert_eq!(still(&mut hold, 9.0), None, "a slow one waits for what the finger does");
        assert_eq!((hold.dragged(), hold.left(0.1)), (None, None));
        assert_eq!(hold.release(Some(A)), Some(LiveCommand::Toggle(A)));
    }

    #[test]
    fn a_press_that_leaves_its_tile_drags_and_never_toggles() {
        let mut hold = pressed(0.0);
        hold.keep(0.1, Some((pos2(60.0, 50.0), true)), false);
        hold.keep(0.2, Some((pos2(120.0, 50.0), false)), false);
        assert_eq!(hold.dragged(), Some(A));
        still(&mut hold, 0.3);
        assert_eq!(hold.dragged(), Some(A), "also back over its own tile");
        assert_eq!(hold.release(Some(A)), None);
    }
}
