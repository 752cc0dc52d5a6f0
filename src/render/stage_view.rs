//! The lamps as the interface sees them: read back from the GPU now and then, while somebody looks.
//!
//! On the render thread, after the frame is out.

use super::renderer::Renderer;
use crate::notice::Notice;
use crate::show::snapshot::{StageFrame, StageMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Reading the stage back takes at most a tenth of the time.
const SHARE: u32 = 10;
/// Screens show at most so many pictures of the stage.
const INTERVAL: Duration = Duration::from_millis(15);

/// The stage as it was seen last.
pub struct StageView {
    map: Arc<StageMap>,
    frame: Option<Arc<StageFrame>>,
    scratch: Vec<u8>,
    next: Instant,
    /// Whether the picture has changed since it was read back.
    stale: bool,
}

impl StageView {
    /// Nothing seen yet.
    pub fn new(map: Arc<StageMap>, now: Instant) -> Self {
        Self { map, frame: None, scratch: Vec::new(), next: now, stale: true }
    }

    /// The lamps are others, or stand elsewhere. As many as before keep their colours until the next look, so that the
    /// stage does not blink while fixtures are moved.
    pub fn set_map(&mut self, map: Arc<StageMap>) {
        if map.positions.len() != self.map.positions.len() {
            self.frame = None;
        }
        self.map = map;
        self.stale = true;
    }

    /// Where the lamps are.
    pub fn map(&self) -> &Arc<StageMap> {
        &self.map
    }

    /// Their colours, while somebody looks.
    pub fn frame(&self) -> Option<&Arc<StageFrame>> {
        self.frame.as_ref()
    }

    /// Reads the lamps back when it is time and they `changed`. Says what failed.
    pub fn look(&mut self, renderer: &mut Renderer, watched: bool, changed: bool) -> Option<Notice> {
        let started = Instant::now();
        self.stale |= changed;
        if !watched {
            self.frame = None;
            return None;
        }
        if started < self.next || (!self.stale && self.frame.is_some()) {
            return None;
        }
        self.stale = false;
        if let Err(error) = renderer.preview(&mut self.scratch) {
            let notice = Notice::warning("render", format!("{error}; the stage is not shown, the light goes on."));
            return Some(notice.keyed("preview"));
        }
        if self.frame.as_ref().is_none_or(|frame| frame.colours != self.scratch) {
            self.frame = Some(Arc::new(StageFrame { colours: self.scratch.clone() }));
        }
        self.next = started + INTERVAL.max(started.elapsed() * SHARE);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(lamps: usize) -> Arc<StageMap> {
        Arc::new(StageMap { positions: vec![[0.0; 2]; lamps], ..StageMap::default() })
    }

    #[test]
    fn lamps_that_only_stand_elsewhere_keep_their_colours_and_are_looked_at_anew() {
        let mut view = StageView::new(map(2), Instant::now());
        (view.frame, view.stale) = (Some(Arc::default()), false);
        view.set_map(map(2));
        assert!(view.frame().is_some() && view.stale);
        view.set_map(map(3));
        assert!(view.frame().is_none() && view.stale);
    }
}
