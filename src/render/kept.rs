//! What the render thread keeps when everything that is made of the show is thrown away: the show, and who looks on.
//!
//! On the render thread. Deliberately absent: anything that a lost context takes along.

use super::thread::RenderLinks;
use crate::model::id::LayoutId;
use crate::notice::Notice;
use crate::shading::fuse::Dialect;
use crate::show::thumbnail::ThumbnailKey;
use crate::show::{Outcome, Show};
use crate::storage::FileRequest;
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

    /// Does what needs nothing that is made of the show. What needs more, or is to be followed besides, comes back.
    pub fn obey(&mut self, outcome: Outcome) -> Option<Outcome> {
        match &outcome {
            Outcome::WatchLayout(layout) => self.layout = *layout,
            Outcome::WatchThumbnails(keys) => self.thumbnails.clone_from(keys),
            Outcome::Pace(fps) => self.pacer = Pacer::new(*fps, Instant::now()),
            _ => {}
        }
        match outcome {
            Outcome::Done => None,
            Outcome::WatchStage(watched) => {
                self.watched = watched;
                None
            }
            Outcome::Tell(notice) => {
                self.tell(notice);
                None
            }
            Outcome::Save(request) => {
                if self.links.files.try_send(FileRequest::Save(request)).is_err() {
                    let text = "The project was not saved, storage is busy; save again.";
                    self.tell(Notice::error("storage", text));
                }
                None
            }
            other => Some(other),
        }
    }

    /// Applies what waits while nothing can be drawn. Whether the show should end.
    pub fn asked_to_quit(&mut self) -> bool {
        let now = self.show.moment(Instant::now());
        for _ in 0..self.links.commands.len() {
            let Ok(command) = self.links.commands.try_recv() else { break };
            let outcome = self.show.apply(command, now);
            if matches!(self.obey(outcome), Some(Outcome::Quit)) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::project::Project;
    use crate::show::command::{Command, command_queue};
    use crossbeam_channel::bounded;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn while_nothing_can_be_drawn_the_project_is_saved_and_what_was_chosen_is_kept() {
        let (sender, commands) = command_queue();
        let (files, asked) = bounded(4);
        let links = RenderLinks {
            commands,
            frames: Arc::default(),
            projects: Arc::default(),
            incoming: Arc::default(),
            snapshots: Arc::default(),
            notices: bounded(4).0,
            files,
        };
        let show = Show::new(Project::empty("kept"), None, Instant::now());
        let mut kept = Kept::new(show, links, Some(60.0), None);
        for command in [Command::Save("/x.ron".into()), Command::Pace(Some(25.0)), Command::WatchStage(true)] {
            assert!(sender.send(command));
        }
        assert!(!kept.asked_to_quit());
        assert!(matches!(asked.try_recv(), Ok(FileRequest::Save(request)) if request.path.as_os_str() == "/x.ron"));
        assert_eq!((kept.pacer.interval(), kept.watched), (Some(Duration::from_millis(40)), true));
        assert!(sender.send(Command::Quit) && kept.asked_to_quit());
    }
}
