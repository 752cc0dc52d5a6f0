//! What the operator wants, as the panels say it. Applied after the frame by [`super::logic`].
//!
//! Plain values on the ui thread. Deliberately absent: doing any of it.

use super::logic::Focus;
use super::sheets::Sheet;
use super::workspace::{Arrangement, Panel};
use crate::show::command::{Command, LiveCommand};

/// One wish of the operator.
#[derive(Clone, Debug)]
pub enum Action {
    /// To the show.
    Send(Command),
    /// A tap of the tempo, at the time the frame began.
    Tap,
    /// Choose a project and read it; with unsaved edits, ask first.
    Open,
    /// Choose a project and read it, whatever becomes of unsaved edits.
    OpenAnyway,
    /// Write the project where it came from, or ask where.
    Save,
    /// Ask where, then write the project.
    SaveAs,
    /// To and from the whole screen.
    Fullscreen,
    /// Larger (1), smaller (-1) or normal (0) controls.
    Zoom(i8),
    /// Shows all lamps again.
    FitStage,
    /// Brings a panel to the front, or closes it if it is there.
    Panel(Panel),
    /// Shows this arrangement of the panels, or the other one.
    Arrange(Option<Arrangement>),
    /// Puts both arrangements back as they came.
    ResetPanels,
    /// Works at this from here on.
    Focus(Focus),
    /// Lays a sheet over the window, or takes it away.
    Sheet(Option<Sheet>),
    /// Clears a notice, by its repeat key.
    Dismiss(String),
    /// Closes the window.
    Close,
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
