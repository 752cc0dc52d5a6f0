//! Who has which channel, frame by frame.

use super::*;
use crate::model::device::{Merge, Route};
use crate::model::id::{DeviceId, RouteId};
use crate::units::PortAddress;
use std::collections::BTreeMap;

const FROM: Incoming = Incoming::Sacn(7);

/// A project that merges FROM into universe 1.
fn project(rule: MergeRule) -> Project {
    let mut project = Project::empty("merging");
    let merge = Some(Merge { from: FROM, rule });
    let (id, device, port) = (RouteId(1), DeviceId(1), PortAddress::default());
    project.routes.put(Route { id, universe: 1, count: 1, device, port, merge });
    project
}

fn light(levels: &[u8]) -> Option<Arc<IncomingLight>> {
    let mut all = [0; UNIVERSE_CHANNELS];
    all[..levels.len()].copy_from_slice(levels);
    Some(Arc::new(IncomingLight { universes: BTreeMap::from([(FROM, Arc::new(all))]) }))
}

struct Rig(Merging);

impl Rig {
    fn new(rule: MergeRule) -> Self {
        let mut merging = Merging::default();
        merging.follow_project(&project(rule));
        Self(merging)
    }

    /// A frame in which the show gives `show` in both universes; whether it had to go out, and what universe 1 gives.
    fn frame(&mut self, show: [u8; 3], light: Option<Arc<IncomingLight>>, open: f32) -> (bool, [u8; 3]) {
        let changed = self.0.follow(light, open);
        let mut out = vec![0; 2 * UNIVERSE_CHANNELS];
        for universe in out.chunks_exact_mut(UNIVERSE_CHANNELS) {
            universe[..3].copy_from_slice(&show);
        }
        self.0.apply(&mut out);
        assert_eq!(out[..3], show, "the universe before is left alone");
        (changed, std::array::from_fn(|place| out[UNIVERSE_CHANNELS + place]))
    }
}

#[test]
fn htp_gives_the_higher_value_of_each_channel() {
    let mut rig = Rig::new(MergeRule::Htp);
    let (changed, merged) = rig.frame([10, 20, 30], light(&[20, 10, 30]), 1.0);
    assert_eq!((changed, merged), (true, [20, 20, 30]));
    assert_eq!(rig.frame([10, 20, 30], light(&[0, 255, 0]), 1.0), (true, [10, 255, 30]));
    assert_eq!(rig.frame([10, 20, 30], None, 1.0), (true, [10, 20, 30]));
}

#[test]
fn ltp_gives_a_channel_to_who_changed_it_last() {
    let mut rig = Rig::new(MergeRule::Ltp);
    assert_eq!(rig.frame([10, 20, 30], None, 1.0).1, [10, 20, 30]);
    // A console that appears has changed what is not 0.
    assert_eq!(rig.frame([10, 20, 30], light(&[5, 0, 90]), 1.0).1, [5, 20, 90]);
    // The show moves the first, the other console the second.
    assert_eq!(rig.frame([11, 20, 30], light(&[5, 7, 90]), 1.0).1, [11, 7, 90]);
    // Both move the first: the other console has it. A fader that goes to 0 has changed.
    assert_eq!(rig.frame([12, 20, 30], light(&[6, 7, 0]), 1.0).1, [6, 7, 0]);
    assert_eq!(rig.frame([12, 20, 30], None, 1.0).1, [12, 20, 30], "the other is gone");
    assert_eq!(rig.frame([12, 20, 30], light(&[0, 7, 0]), 1.0).1, [12, 7, 30], "and is back as a new one");
}

#[test]
fn blackout_closes_what_is_merged_and_gives_it_back() {
    for (rule, open) in [(MergeRule::Htp, [200, 0, 0]), (MergeRule::Ltp, [200, 0, 0])] {
        let mut rig = Rig::new(rule);
        let light = light(&[200]);
        assert_eq!(rig.frame([0; 3], light.clone(), 1.0), (true, open));
        assert_eq!(rig.frame([0; 3], light.clone(), 0.5), (true, [100, 0, 0]), "on the way");
        assert_eq!(rig.frame([0; 3], light.clone(), 0.0), (true, [0; 3]));
        assert_eq!(rig.frame([0; 3], light.clone(), 0.0), (false, [0; 3]));
        assert_eq!(rig.frame([0; 3], light, 1.0), (true, open));
    }
}

#[test]
fn blackout_changes_nobodys_channels() {
    let mut rig = Rig::new(MergeRule::Ltp);
    let light = light(&[50, 0, 60]);
    rig.frame([100, 100, 100], light.clone(), 1.0);
    assert_eq!(rig.frame([100, 100, 101], light.clone(), 1.0).1, [50, 100, 101]);
    rig.frame([0; 3], light.clone(), 0.0);
    assert_eq!(rig.frame([100, 100, 101], light, 1.0).1, [50, 100, 101]);
}

#[test]
fn a_frame_goes_out_when_what_comes_in_changes_and_only_then() {
    let mut rig = Rig::new(MergeRule::Htp);
    let first = light(&[1]);
    assert!(rig.frame([0; 3], first.clone(), 1.0).0);
    assert!(!rig.frame([0; 3], first, 1.0).0, "the same");
    assert!(!rig.frame([0; 3], light(&[1]), 1.0).0, "sent anew, and the same levels");
    assert!(rig.frame([0; 3], light(&[2]), 1.0).0);
    let other = IncomingLight { universes: BTreeMap::from([(Incoming::Sacn(8), Arc::new([9; UNIVERSE_CHANNELS]))]) };
    assert_eq!(rig.frame([0; 3], Some(Arc::new(other)), 1.0), (true, [0; 3]), "another universe");
}

#[test]
fn routes_that_change_keep_what_stays() {
    let mut rig = Rig::new(MergeRule::Ltp);
    let light = light(&[50]);
    rig.frame([100; 3], light.clone(), 1.0);
    rig.0.follow_project(&project(MergeRule::Ltp));
    assert_eq!(rig.frame([100; 3], light.clone(), 1.0), (false, [50, 100, 100]));
    rig.0.follow_project(&project(MergeRule::Htp));
    assert_eq!(rig.frame([100; 3], light.clone(), 1.0), (true, [100; 3]));
    rig.0.follow_project(&Project::empty("nothing"));
    assert!(rig.0.is_empty());
    assert_eq!(rig.frame([100; 3], light, 1.0), (true, [100; 3]), "one last frame without");
}

#[test]
fn universes_that_the_frame_does_not_have_are_left_out() {
    let mut rig = Rig::new(MergeRule::Htp);
    rig.0.follow(light(&[255]), 1.0);
    let mut out = [3; UNIVERSE_CHANNELS];
    rig.0.apply(&mut out);
    assert_eq!(out, [3; UNIVERSE_CHANNELS]);
}
