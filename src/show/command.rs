//! Commands: the one door through which the interface and every input change the show.
//!
//! They travel through a bounded queue and take effect at a frame boundary. Times are arguments.

use crate::model::edit::Edit;
use crate::model::id::{LayoutId, SceneId, ShaderId, TriggerId};
use crate::model::project::Project;
use crate::show::test_pattern::TestPattern;
use crate::show::thumbnail::ThumbnailKey;
use crate::units::{Beats, Bpm, Level};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::path::PathBuf;
use std::time::Instant;

/// Commands that may wait for the next frame.
const QUEUE_LENGTH: usize = 1024;

/// Something the operator plays. Never makes a project dirty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LiveCommand {
    /// Launches or stops a scene, as its launch quantisation says.
    Activate(SceneId, bool),
    /// Launches a scene that is off or going off, stops any other.
    Toggle(SceneId),
    /// Holds a scene fully on, or lets it go.
    Flash(SceneId, bool),
    /// Holds a scene fully on, with its bar starting now; [`LiveCommand::Flash`] lets it go.
    FlashFromBar(SceneId),
    /// A scene's fader.
    Opacity(SceneId, Level),
    /// A scene's dimmer input.
    Dimmer(SceneId, Level),
    /// The master fader.
    Master(Level),
    /// Fades everything to zero, or back.
    Blackout(bool),
    /// Shows a test pattern instead of the show where it is for, or ends it.
    Test(Option<TestPattern>),
    /// The level of a trigger's band. Who listens feeds it often; it stays until the next one.
    TriggerInput {
        /// Which trigger.
        id: TriggerId,
        /// How loud the band is.
        level: Level,
        /// When it was so, however late the command comes.
        at: Instant,
    },
    /// Nobody listens to the sound any more: all triggers are full, as if they had never been fed.
    SoundLost,
    /// A tap of the tempo, and when it came.
    Tap(Instant),
    /// A tempo by number.
    Bpm(Bpm),
    /// Half the tempo.
    Half,
    /// Double the tempo.
    Double,
    /// Shifts the beat, later where negative; it runs faster or slower until it is there.
    Nudge(Beats),
}

/// Everything the show can be told.
#[derive(Clone, Debug)]
pub enum Command {
    /// The operator plays.
    Live(LiveCommand),
    /// The project changes. Edits of one gesture (a drag) are undone in one step.
    Edit {
        /// The change.
        edit: Edit,
        /// The drag it belongs to, a number that the sender never uses again.
        gesture: Option<u64>,
    },
    /// Takes the last edit back.
    Undo,
    /// Does again what was taken back.
    Redo,
    /// A project that was read: it replaces the show's.
    Load {
        /// What was read.
        project: Box<Project>,
        /// Where it came from.
        path: Option<PathBuf>,
    },
    /// Writes the project, with the live state as its starting look.
    Save(PathBuf),
    /// The file of a shader has changed. No step of undo: the author's editor has its own.
    ShaderSource(ShaderSource),
    /// The storage thread has written this revision there.
    Saved {
        /// Where.
        path: PathBuf,
        /// Of the project, from [`super::SaveRequest`].
        revision: u64,
    },
    /// Whether anybody looks at the stage, so that its colours are worth reading back.
    WatchStage(bool),
    /// The layout in which the stage's lamps stand; the topology for none, and for one that is gone.
    WatchLayout(Option<LayoutId>),
    /// Whose thumbnails somebody sees, instead of those before; the others are not drawn.
    WatchThumbnails(Vec<ThumbnailKey>),
    /// Frames a second from here on; without a limit as many as there can be.
    Pace(Option<f64>),
    /// Forgets the frame statistics, so that a measurement begins here.
    ResetStats,
    /// Makes the render thread fail, to see what becomes of the show.
    Inject(Fault),
    /// Ends the render thread.
    Quit,
}

/// What a shader's file says now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderSource {
    /// Whose.
    pub id: ShaderId,
    /// The project file beside which it was read; another project's shader may have the same id.
    pub project: PathBuf,
    /// The file, as the shader names it.
    pub file: String,
    /// What it says.
    pub source: String,
}

/// A failure that tests bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The render thread panics.
    Panic,
    /// The driver loses the GL context.
    ContextLoss,
}

/// The sending end of the command queue.
#[derive(Clone, Debug)]
pub struct CommandSender(Sender<Command>);

impl CommandSender {
    /// Queues the command; `false` when the queue is full or the show has ended, which the sender should say.
    #[must_use]
    pub fn send(&self, command: impl Into<Command>) -> bool {
        match self.0.try_send(command.into()) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }
}

impl From<LiveCommand> for Command {
    fn from(command: LiveCommand) -> Self {
        Self::Live(command)
    }
}

/// The bounded queue between everybody and the show.
pub fn command_queue() -> (CommandSender, Receiver<Command>) {
    let (sender, receiver) = bounded(QUEUE_LENGTH);
    (CommandSender(sender), receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_instead_of_waiting() {
        let (sender, receiver) = command_queue();
        assert!((0..QUEUE_LENGTH).all(|_| sender.send(Command::Undo)));
        assert!(!sender.send(LiveCommand::Half));
        assert_eq!(receiver.len(), QUEUE_LENGTH);
        drop(receiver);
        assert!(!sender.send(Command::Undo));
    }
}
