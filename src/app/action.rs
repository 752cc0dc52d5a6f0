//! What the operator wants, as the panels say it. Applied after the frame by [`super::logic`].
//!
//! Plain values on the ui thread. Deliberately absent: doing any of it.

use super::logic::Focus;
use super::settings::Preferences;
use super::shortcuts::keymap::Keymap;
use super::unsaved::Unsaved;
use super::workspace::{Arrangement, Panel};
use crate::model::id::SceneId;
use crate::output::UsualInterface;
use crate::show::command::{Command, LiveCommand};
use crate::storage::FileRequest;
use std::path::PathBuf;

/// One wish of the operator.
#[derive(Clone, Debug)]
pub enum Action {
    /// To the show.
    Send(Command),
    /// A tap of the tempo, at the time the frame began.
    Tap,
    /// Begin a new project; with unsaved edits, ask first.
    New,
    /// Choose a project and read it; with unsaved edits, ask first.
    Open,
    /// What was asked about: open or begin it, whatever becomes of unsaved edits.
    OpenAnyway,
    /// Read this project; with unsaved edits, ask first.
    OpenPath(PathBuf),
    /// Write the project where it came from, or ask where.
    Save,
    /// Ask where, then write the project.
    SaveAs,
    /// To and from the whole screen.
    Fullscreen,
    /// Larger (1), smaller (-1) or normal (0) controls.
    Zoom(i8),
    /// What was chosen for this machine.
    Prefer(Preferences),
    /// How many frames a second the show has on this machine; 0 for as many as there can be.
    FrameRate(u16),
    /// The interface that light leaves by on this machine, for devices that name none.
    LeaveBy(UsualInterface),
    /// Which keys do what on this machine.
    Keys(Keymap),
    /// Shows all lamps again.
    FitStage,
    /// Brings a panel to the front, or closes it if it is there.
    Panel(Panel),
    /// Brings a panel to the front.
    Show(Panel),
    /// Shows this arrangement of the panels, or the other one.
    Arrange(Option<Arrangement>),
    /// Puts both arrangements back as they came.
    ResetPanels,
    /// Opens the command search, or closes it.
    Search,
    /// Works at this from here on.
    Focus(Focus),
    /// Works at this scene and brings the inspector to the front.
    Inspect(SceneId),
    /// Asks what becomes of edits that no file holds, or asks no more.
    Unsaved(Option<Unsaved>),
    /// Clears a notice, by its repeat key.
    Dismiss(String),
    /// Writes a shader into the user's library, see [`FileRequest::PutShader`].
    PutShader(FileRequest),
    /// Closes the window; with unsaved edits, asks first.
    Close,
    /// Closes the window, whatever becomes of unsaved edits.
    CloseAnyway,
    /// Writes the project, then does what was asked about.
    SaveFirst(Unsaved),
}

impl From<LiveCommand> for Action {
    fn from(command: LiveCommand) -> Self {
        Self::Send(command.into())
    }
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Send(command)
    }
}
