//! What the render thread keeps when everything that is made of the show is thrown away: the show, and who looks on.
//!
//! On the render thread. Deliberately absent: anything that a lost context takes along.

use super::thread::RenderLinks;
use crate::model::id::LayoutId;
use crate::notice::Notice;
use crate::shading::fuse::Dialect;
use crate::show::thumbnail::ThumbnailKey;
use crate::show::{Outcome, Show};
use crate::timing::pacing::Pacer;
use std::time::Instant;

/// What outlives a restart: the show and its place in time.
pub struct Kept {
    pub(super) links: RenderLinks,
    pub(super) show: Show,
    pub(super) pacer: Pacer,
    pub(super) dialect: Option<Dialect>,
    pub(super) frame: u64,
    pub(super) watched: bool,
    /// The layout that the stage is looked at in.
    pub(super) layout: Option<LayoutId>,
    pub(super) thumbnails: Vec<ThumbnailKey>,
}

impl Kept {
    /// A show that has not been rendered yet.
    pub fn new(show: Show, links: RenderLinks, fps: Option<f64>, dialect: Option<Dialect>) -> Self {
        Self {
            links,
            show,
            pacer: Pacer::new(fps, Instant::now()),
            dialect,
            frame: 0,
            watched: false,
            layout: None,
            thumbnails: Vec::new(),
        }
    }

    /// Tells the operator; a full queue drops the notice, never the frame.
    pub fn tell(&self, notice: Notice) {
        tracing::info!(%notice);
        let _ = self.links.notices.try_send(notice);
    }

    /// Applies what waits while nothing can be drawn. Whether the show should end.
    pub fn asked_to_quit(&mut self) -> bool {
        let now = self.show.moment(Instant::now());
        let Self { links, show, .. } = self;
        links.commands.try_iter().any(|command| matches!(show.apply(command, now), Outcome::Quit))
    }
}
