//! The show: project, undo and live state, changed only by commands at a frame boundary.
//!
//! Owned by the render thread. Knows no GL, file or socket; time is an argument.

pub mod command;
pub mod history;
pub mod live;
pub mod snapshot;
pub mod test_pattern;
pub mod thumbnail;
pub mod triggers;

use crate::model::edit::{Edit, EditError};
use crate::model::id::LayoutId;
use crate::model::project::{Project, Shader};
use crate::notice::Notice;
use crate::timing::clock::BeatClock;
use command::{Command, Fault, LiveCommand, ShaderSource};
use history::History;
use live::{Live, Moment};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use thumbnail::ThumbnailKey;

/// A project to write, for the storage thread.
#[derive(Clone, Debug)]
pub struct SaveRequest {
    /// With the live state as its starting look.
    pub project: Project,
    /// Where to.
    pub path: PathBuf,
    /// To be returned in [`Command::Saved`].
    pub revision: u64,
}

/// What the show asks of its thread after a command.
#[derive(Debug)]
pub enum Outcome {
    /// Nothing.
    Done,
    /// The operator should read this.
    Tell(Notice),
    /// The storage thread should write this.
    Save(SaveRequest),
    /// Somebody began or ceased to look at the stage.
    WatchStage(bool),
    /// Somebody looks at this layout on the stage.
    WatchLayout(Option<LayoutId>),
    /// Somebody sees these thumbnails and no others.
    WatchThumbnails(Vec<ThumbnailKey>),
    /// Frames should come at this rate.
    Pace(Option<f64>),
    /// The thread's statistics should begin anew.
    ResetStats,
    /// The thread should fail.
    Inject(Fault),
    /// The thread should end.
    Quit,
}

/// Everything that sounds.
pub struct Show {
    /// The document.
    pub project: Project,
    /// What the operator plays.
    pub live: Live,
    /// The beat.
    pub clock: BeatClock,
    history: History,
    path: Option<PathBuf>,
    /// Counts up with every change of the project; never comes back to an old number.
    revision: u64,
    saved_revision: u64,
    began: Instant,
}

impl Show {
    /// The project at its starting look, at beat 0 of `began`.
    pub fn new(project: Project, path: Option<PathBuf>, began: Instant) -> Self {
        Self {
            live: Live::starting(&project),
            clock: BeatClock::new(project.settings.bpm),
            history: History::default(),
            path,
            revision: 0,
            saved_revision: 0,
            began,
            project,
        }
    }

    /// The moment of an instant; nothing before the show began.
    pub fn moment(&self, now: Instant) -> Moment {
        let secs = now.saturating_duration_since(self.began).as_secs_f64();
        Moment { secs, beat: self.clock.beat_at(secs) }
    }

    /// Starts what waited for its beat.
    pub fn advance(&mut self, now: Moment) {
        self.live.advance(&self.project, now.beat);
    }

    /// Applies one command. What cannot be done changes nothing and is told.
    pub fn apply(&mut self, command: Command, now: Moment) -> Outcome {
        match command {
            Command::Live(command) => {
                self.play(command, now);
                Outcome::Done
            }
            Command::Edit { edit, gesture } => self.tell(now, |show| show.edit(edit, gesture)),
            Command::Undo => self.tell(now, |show| show.history.undo(&mut show.project)),
            Command::Redo => self.tell(now, |show| show.history.redo(&mut show.project)),
            Command::Load { project, path } => {
                self.load(*project, path, now);
                Outcome::Done
            }
            Command::Save(path) => {
                Outcome::Save(SaveRequest { project: self.starting_look(), path, revision: self.revision })
            }
            Command::ShaderSource(read) => self.tell(now, |show| Ok(show.take_source(read))),
            Command::Saved { path, revision } => {
                self.path = Some(path);
                self.saved_revision = revision;
                Outcome::Done
            }
            Command::WatchStage(watched) => Outcome::WatchStage(watched),
            Command::WatchLayout(layout) => Outcome::WatchLayout(layout),
            Command::WatchThumbnails(keys) => Outcome::WatchThumbnails(keys),
            Command::Pace(fps) => Outcome::Pace(fps),
            Command::ResetStats => Outcome::ResetStats,
            Command::Inject(fault) => Outcome::Inject(fault),
            Command::Quit => Outcome::Quit,
        }
    }

    fn tell(&mut self, now: Moment, change: impl FnOnce(&mut Self) -> Result<bool, EditError>) -> Outcome {
        match change(self) {
            Ok(changed) => {
                if changed {
                    self.revision += 1;
                    self.live.follow(&self.project, now.secs);
                }
                Outcome::Done
            }
            Err(error) => Outcome::Tell(Notice::warning("project", error.to_string())),
        }
    }

    fn edit(&mut self, edit: Edit, gesture: Option<u64>) -> Result<bool, EditError> {
        let title = edit.title();
        let inverse = edit.apply(&mut self.project)?;
        self.history.push(title, inverse, gesture);
        Ok(true)
    }

    /// Takes what a shader's file says, where the show still has this shader with this file. Whether it is news.
    fn take_source(&mut self, read: ShaderSource) -> bool {
        let ShaderSource { id, project, file, source } = read;
        let same = |shader: &&Arc<Shader>| shader.file.as_ref() == Some(&file) && self.path.as_ref() == Some(&project);
        let Some(shader) = self.project.shaders.get(id).filter(same).filter(|shader| shader.source != source) else {
            return false;
        };
        let shader = Shader { source, ..Shader::clone(shader) };
        self.project.shaders.put(shader);
        true
    }

    fn load(&mut self, project: Project, path: Option<PathBuf>, now: Moment) {
        self.live = Live::starting(&project);
        self.clock.set_bpm(project.settings.bpm, now.secs);
        self.history = History::default();
        self.path = path;
        self.revision += 1;
        self.saved_revision = self.revision;
        self.project = project;
    }

    fn play(&mut self, command: LiveCommand, now: Moment) {
        match command {
            LiveCommand::Activate(id, on) => {
                if let Some(scene) = self.project.scenes.get(id) {
                    self.live.activate(scene, on, now.beat);
                }
            }
            LiveCommand::Toggle(id) => {
                if let Some(scene) = self.project.scenes.get(id) {
                    self.live.toggle(scene, now.beat);
                }
            }
            LiveCommand::Flash(id, held) => self.live.flash(id, held),
            LiveCommand::FlashFromBar(id) => {
                if let Some(scene) = self.project.scenes.get(id) {
                    self.live.flash_from_bar(scene, now.beat);
                }
            }
            LiveCommand::Opacity(id, opacity) => self.live.set_opacity(id, opacity),
            LiveCommand::Dimmer(id, dimmer) => self.live.set_dimmer(id, dimmer),
            LiveCommand::Master(level) => self.live.master = level,
            LiveCommand::Blackout(blackout) => self.live.set_blackout(blackout, now.secs),
            LiveCommand::TriggerInput { id, level, at } => self.live.triggers.hear(id, level, self.secs_of(at, now)),
            LiveCommand::Test(test) => self.live.test = test,
            LiveCommand::SoundLost => self.live.triggers.lose_sound(),
            LiveCommand::Tap(at) => self.clock.tap(self.secs_of(at, now), now.secs),
            LiveCommand::Bpm(bpm) => self.clock.set_bpm(bpm, now.secs),
            LiveCommand::Half => self.clock.scale_bpm(0.5, now.secs),
            LiveCommand::Double => self.clock.scale_bpm(2.0, now.secs),
            LiveCommand::Nudge(beats) => self.clock.nudge(beats, now.secs),
        }
    }

    /// Second of the show at which something happened, not after now.
    fn secs_of(&self, at: Instant, now: Moment) -> f64 {
        at.saturating_duration_since(self.began).as_secs_f64().min(now.secs)
    }

    fn starting_look(&self) -> Project {
        let mut project = self.live.as_starting_look(&self.project);
        let mut settings = (*project.settings).clone();
        settings.bpm = self.clock.bpm();
        settings.master = self.live.master;
        if settings != *project.settings {
            project.settings = settings.into();
        }
        project
    }

    /// Where the project was read from or written to.
    pub fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }

    /// Whether the project has edits that no file holds.
    pub fn dirty(&self) -> bool {
        self.revision != self.saved_revision
    }

    /// Counts up with every change of the project.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What undo and redo would do.
    pub fn history(&self) -> &History {
        &self.history
    }
}
