//! The throttle: in how many steps each scene is drawn, so that one that costs too much loses its own rate and not
//! the show's. Pure.

use crate::model::id::SceneId;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::show::snapshot::SceneCost;
use std::collections::BTreeMap;

/// A scene that takes less than this share of the allowance is never throttled: where many scenes are too much
/// together, none of them is to blame.
const HEAVY_SHARE: f64 = 0.25;
/// A scene that is throttled already is let go when all would take less than this share of the allowance.
const RELEASE_SHARE: f64 = 0.8;

/// A scene that is drawn in steps for less than so many seconds is not worth a notice.
const PATIENCE: f64 = 0.5;

/// Of which scenes the operator was told that they are drawn in steps.
#[derive(Default)]
pub struct StepsTold {
    /// Since when, seconds; `None` when it was told.
    since: BTreeMap<SceneId, Option<f64>>,
}

impl StepsTold {
    /// Says which scenes have been drawn in steps for a while, each once.
    pub fn tell(&mut self, costs: &[SceneCost], project: &Project, secs: f64) -> Vec<Notice> {
        let in_steps = || costs.iter().filter(|cost| cost.steps > 1);
        self.since.retain(|id, since| since.is_none() || in_steps().any(|cost| cost.id == *id));
        let mut notices = Vec::new();
        for SceneCost { id, ms, steps } in in_steps() {
            let since = self.since.entry(*id).or_insert(Some(secs));
            let due = since.is_some_and(|since| secs - since >= PATIENCE);
            if let (true, Some(scene)) = (due, project.scenes.get(*id)) {
                *since = None;
                let text = format!(
                    "Scene {} takes {ms:.0} ms a frame; it is drawn in {steps} steps so that the show keeps its rate.",
                    scene.name
                );
                notices.push(Notice::warning("render", text).keyed(format!("throttle {id}")));
            }
        }
        notices
    }
}

/// Writes in how many steps each scene is drawn, one step a frame. `costs` are what they take in one, in seconds, where
/// it is known; `allowed` is what all of them may take; `before` says how many steps each took last.
pub fn steps(costs: &[Option<f64>], allowed: f64, before: &[usize], out: &mut Vec<usize>) {
    out.clear();
    out.resize(costs.len(), 1);
    let cost = |cost: &Option<f64>| cost.unwrap_or_default().max(0.0);
    let throttled = before.iter().any(|steps| *steps > 1);
    let limit = if throttled { allowed * RELEASE_SHARE } else { allowed };
    if costs.iter().map(cost).sum::<f64>() <= limit {
        return;
    }
    let heavy = |cost: f64| cost > allowed * HEAVY_SHARE;
    let light: f64 = costs.iter().map(cost).filter(|cost| !heavy(*cost)).sum();
    let mut each: Vec<f64> = costs.iter().map(cost).filter(|cost| heavy(*cost)).collect();
    each.sort_by(f64::total_cmp);
    let share = fair_share(&each, (limit - light).max(allowed * HEAVY_SHARE));
    for (steps, cost) in out.iter_mut().zip(costs.iter().map(cost)) {
        if heavy(cost) && cost > share {
            *steps = (cost / share).ceil() as usize;
        }
    }
}

/// The most that each may take so that all together take `room`; those that want less leave the rest to others.
fn fair_share(ascending: &[f64], room: f64) -> f64 {
    let mut left = room;
    for (place, cost) in ascending.iter().enumerate() {
        let share = left / (ascending.len() - place) as f64;
        if *cost > share {
            return share;
        }
        left -= cost;
    }
    f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scene::{Cell, Scene};

    fn found(costs: &[f64], allowed: f64, before: &[usize]) -> Vec<usize> {
        let mut out = Vec::new();
        steps(&costs.iter().map(|cost| Some(*cost)).collect::<Vec<_>>(), allowed, before, &mut out);
        out
    }

    #[test]
    fn a_heavy_scene_is_drawn_in_steps_and_light_ones_keep_their_rate() {
        assert_eq!(found(&[1.0, 1.0, 100.0], 12.0, &[1, 1, 1]), [1, 1, 10]);
        assert_eq!(found(&[1.0, 1.0, 5.0], 12.0, &[1, 1, 1]), [1, 1, 1]);
        assert_eq!(found(&[20.0, 4.0, 40.0], 24.0, &[1, 1, 1]), [2, 1, 4], "each heavy one gets the same");
    }

    #[test]
    fn many_equal_scenes_are_not_throttled() {
        assert_eq!(found(&[2.0; 20], 12.0, &[1; 20]), [1; 20]);
    }

    #[test]
    fn a_throttled_scene_is_let_go_only_when_there_is_room_to_spare() {
        assert_eq!(found(&[10.0, 1.0], 12.0, &[2, 1]), [2, 1]);
        assert_eq!(found(&[10.0, 1.0], 12.0, &[1, 1]), [1, 1]);
        assert_eq!(found(&[8.0, 1.0], 12.0, &[2, 1]), [1, 1]);
    }

    #[test]
    fn a_scene_in_steps_is_told_of_once_and_not_at_once() {
        let mut project = Project::empty("p");
        project.scenes.put(Scene::new(SceneId(3), Cell { column: 0, row: 0 }, "Fire"));
        let mut told = StepsTold::default();
        let mut tell = |steps: u32, secs: f64| {
            let notices = told.tell(&[SceneCost { id: SceneId(3), ms: 300.0, steps }], &project, secs);
            notices.into_iter().map(|notice| notice.text).collect::<String>()
        };
        assert_eq!((tell(9, 0.0), tell(1, 0.4), tell(9, 0.6)), Default::default(), "a moment is not worth a word");
        let text = tell(9, 1.2);
        assert!(text.contains("Fire") && text.contains("300 ms") && text.contains("9 steps"), "{text}");
        assert_eq!((tell(9, 2.0), tell(1, 3.0), tell(9, 9.0)), Default::default());
    }

    #[test]
    fn what_is_not_known_or_no_number_is_not_throttled() {
        let mut out = Vec::new();
        steps(&[None, Some(f64::NAN), Some(100.0)], 10.0, &[], &mut out);
        assert_eq!(out, [1, 1, 10]);
    }
}
