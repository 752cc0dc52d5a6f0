//! The merge: light of other consoles in the bytes of patch universes.
//!
//! On the render thread, between packing and test patterns, so that caps hold for everything. Allocates when a project
//! changes, not in a frame. Deliberately absent: where the light comes from and how long it is held; `input` knows.
//!
//! HTP: the higher value of a channel. LTP: the value that changed last, channel by channel. A console that appears has
//! changed the channels that it does not send as 0; when both change in one frame, the other console has it; when the
//! other console is gone, the show has everything. The master fader is the show's and does not touch what is merged;
//! blackout closes it, and who had which channel comes back with the light.

use crate::incoming::{IncomingLight, Levels};
use crate::model::device::{Incoming, MergeRule};
use crate::model::project::Project;
use crate::units::UNIVERSE_CHANNELS;
use std::sync::Arc;

/// Who has which channel under LTP.
struct Latest {
    /// What the show and the other console gave when it was looked last.
    show: Levels,
    other: Levels,
    /// Channels that the other console has.
    others: [bool; UNIVERSE_CHANNELS],
}

/// A universe of the patch that something is merged into.
struct Merged {
    universe: usize,
    from: Incoming,
    rule: MergeRule,
    levels: Option<Arc<Levels>>,
    /// Only under LTP.
    latest: Option<Box<Latest>>,
}

/// Everything that is merged.
#[derive(Default)]
pub struct Merging {
    merged: Vec<Merged>,
    light: Option<Arc<IncomingLight>>,
    /// How far blackout lets light through, 0..=1.
    open: f32,
    /// Whether the routes are others than when it was last looked.
    rerouted: bool,
}

impl Merging {
    /// Takes the routes of a project. Universes that stay as they are keep who has which channel.
    pub fn follow_project(&mut self, project: &Project) {
        let mut old = std::mem::take(&mut self.merged);
        for (universe, from, rule) in project.routes.iter().flat_map(|route| route.merged()) {
            let universe = usize::from(universe);
            let same = |old: &Merged| (old.universe, old.from, old.rule) == (universe, from, rule);
            let kept = old.iter().position(same).map(|place| old.swap_remove(place));
            self.merged.push(kept.unwrap_or_else(|| {
                self.rerouted = true;
                let latest = (rule == MergeRule::Ltp).then(Box::default);
                Merged { universe, from, rule, levels: None, latest }
            }));
        }
        self.rerouted |= !old.is_empty();
        if self.rerouted {
            // So that the newest light is looked at anew.
            self.light = None;
        }
    }

    /// Whether no route merges anything, so that nothing needs to be followed.
    pub fn is_empty(&self) -> bool {
        self.merged.is_empty()
    }

    /// Takes the newest light and how far blackout lets it through. Whether the bytes change by that.
    pub fn follow(&mut self, light: Option<Arc<IncomingLight>>, open: f32) -> bool {
        let mut changed = std::mem::take(&mut self.rerouted);
        if self.open != open {
            changed |= self.merged.iter().any(|merged| merged.levels.is_some());
            self.open = open;
        }
        let same = match (&self.light, &light) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if !same {
            for merged in &mut self.merged {
                let levels = light.as_ref().and_then(|light| light.universes.get(&merged.from));
                if merged.levels.as_deref() != levels.map(|levels| &**levels) {
                    merged.levels = levels.cloned();
                    changed = true;
                }
            }
            self.light = light;
        }
        changed
    }

    /// Merges into the bytes of all universes, which hold what the show gives.
    pub fn apply(&mut self, out: &mut [u8]) {
        for Merged { universe, levels, latest, .. } in &mut self.merged {
            let start = *universe * UNIVERSE_CHANNELS;
            let Some(out) = out.get_mut(start..start + UNIVERSE_CHANNELS) else { continue };
            match (levels, latest) {
                (Some(levels), Some(latest)) => latest.merge(out, levels, self.open),
                (Some(levels), None) => {
                    for (out, level) in out.iter_mut().zip(levels.iter()) {
                        *out = (*out).max(through(*level, self.open));
                    }
                }
                (None, Some(latest)) => **latest = Latest::default(),
                (None, None) => {}
            }
        }
    }
}

/// What blackout lets through of a level.
fn through(level: u8, open: f32) -> u8 {
    // As in the show's own light, nothing is left to rounding at the ends.
    if open >= 1.0 { level } else { (f32::from(level) * open.max(0.0)).round() as u8 }
}

impl Default for Latest {
    /// The show has everything, and everything was 0.
    fn default() -> Self {
        Self { show: [0; UNIVERSE_CHANNELS], other: [0; UNIVERSE_CHANNELS], others: [false; UNIVERSE_CHANNELS] }
    }
}

impl Latest {
    fn merge(&mut self, out: &mut [u8], levels: &Levels, open: f32) {
        let Self { show, other, others } = self;
        for (place, out) in out.iter_mut().enumerate() {
            // What blackout changes of the show's light is no change that anybody made.
            if open >= 1.0 {
                others[place] &= show[place] == *out;
                show[place] = *out;
                others[place] |= other[place] != levels[place];
                other[place] = levels[place];
            }
            if others[place] {
                *out = through(levels[place], open);
            }
        }
    }
}

#[cfg(test)]
mod tests;
