//! What is worth a paint: how two snapshots differ in what the window shows.
//!
//! Pure, asked on the thread `waker`. Deliberately absent: when a paint comes, which [`super::waker`] decides.

use crate::output::stats::OutputStats;
use crate::show::snapshot::{RenderStats, Snapshot};
use std::sync::Arc;
use std::time::Duration;

/// Between two repaints for thumbnails alone while a scene sounds, and while none does but pictures are still coming.
const THUMBNAILS: [Duration; 2] = [Duration::from_micros(66_667), Duration::from_millis(500)];

/// Whether a window that shows `old` must be painted again for `new`. Figures are not looked at.
pub(super) fn shown_change(old: &Snapshot, new: &Snapshot) -> bool {
    let stage = |of: &Snapshot| of.stage.as_ref().map(Arc::as_ptr);
    stage(old) != stage(new)
        || !Arc::ptr_eq(&old.stage_map, &new.stage_map)
        || (old.beat_of_bar() != new.beat_of_bar() && new.sounds())
        || old.clock.bpm != new.clock.bpm
        || old.clock.source != new.clock.source
        || old.master != new.master
        || old.blackout != new.blackout
        || old.test != new.test
        || !(Arc::ptr_eq(&old.shaders, &new.shaders) || old.shaders == new.shaders)
        || old.dirty != new.dirty
        || old.path != new.path
        || old.undo != new.undo
        || old.redo != new.redo
        || !(Arc::ptr_eq(&old.scenes, &new.scenes) || old.scenes == new.scenes)
        || !(Arc::ptr_eq(&old.triggers, &new.triggers) || old.triggers == new.triggers)
        || document_change(old, new)
}

/// How often a window that shows `old` is painted for the thumbnails of `new`, when they differ; `settles` is whether
/// the project has just changed.
pub(super) fn thumbnail_period(old: &Snapshot, new: &Snapshot, settles: bool) -> Option<Duration> {
    if Arc::ptr_eq(&old.thumbnails, &new.thumbnails) {
        return None;
    }
    let is_known = |key| old.thumbnails.iter().any(|thumbnail| &thumbnail.key == key);
    let comes = || new.thumbnails.iter().any(|thumbnail| !is_known(&thumbnail.key));
    let [lively, still] = THUMBNAILS;
    if new.sounds() { Some(lively) } else { (settles || comes()).then_some(still) }
}

/// Whether a part of the project that the window shows has changed. Parts are shared, so this looks at pointers.
pub(super) fn document_change(old: &Snapshot, new: &Snapshot) -> bool {
    let (old, new) = (&old.project, &new.project);
    !old.scenes.same_as(&new.scenes)
        || !old.palettes.same_as(&new.palettes)
        || !old.curves.same_as(&new.curves)
        || !old.triggers.same_as(&new.triggers)
        || !old.shaders.same_as(&new.shaders)
        || !old.layouts.same_as(&new.layouts)
        || !old.definitions.same_as(&new.definitions)
        || !old.fixtures.same_as(&new.fixtures)
        || !old.chains.same_as(&new.chains)
        || !old.supplies.same_as(&new.supplies)
        || !old.devices.same_as(&new.devices)
        || !old.routes.same_as(&new.routes)
        || old.grid != new.grid
        || !(Arc::ptr_eq(&old.settings, &new.settings) || old.settings == new.settings)
}

/// The figures as they are read: rates, the longest gap, and what is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShownFigures {
    rates: [f64; 3],
    gap_ms: f64,
    counts: [u64; 2],
}

impl ShownFigures {
    pub(super) fn of(render: &RenderStats, output: Option<&OutputStats>) -> Self {
        let (packets, mbit, errors) = output.map_or((0.0, 0.0, 0), |output| {
            let errors = output.devices.iter().map(|device| device.errors).sum();
            (output.packets_per_sec, output.mbit_per_sec, errors)
        });
        let rates = [f64::from(render.fps), packets, mbit];
        Self { rates, gap_ms: render.longest_gap_ms.into(), counts: [render.universes as u64, errors] }
    }

    /// Whether somebody should see the difference. A show that goes on as it did is not painted for its last digits;
    /// these are right again with the next paint.
    pub(super) fn differ(&self, old: &Self) -> bool {
        let apart = |new: f64, old: f64, share: f64, least: f64| (new - old).abs() > least.max(share * new.max(old));
        let rates = self.rates.iter().zip(old.rates).any(|(new, old)| apart(*new, old, 0.05, 1.0));
        rates || apart(self.gap_ms, old.gap_ms, 0.1, 5.0) || self.counts != old.counts
    }
}
