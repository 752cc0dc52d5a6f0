//! What the window talks to: its ends of the queues and slots of a console.
//!
//! Plain values, made before the window and owned by it. Deliberately absent: what is done with them.

use crate::input::bridge::heard::Heard;
use crate::model::library::UserLibrary;
use crate::notice::Notice;
use crate::output::UsualInterface;
use crate::output::discovery::nodes::Found;
use crate::output::stats::OutputStats;
use crate::show::command::CommandSender;
use crate::show::snapshot::Snapshot;
use crate::storage::FileRequest;
use crate::sync::LatestSlot;
use crossbeam_channel::{Receiver, Sender};
use std::sync::Arc;

/// Everything the window talks to.
#[derive(Clone)]
pub struct Handles {
    /// To the show.
    pub commands: CommandSender,
    /// From the show.
    pub snapshots: Arc<LatestSlot<Snapshot>>,
    /// From the senders.
    pub output: Arc<LatestSlot<OutputStats>>,
    /// From discovery; nothing ever comes where it is off.
    pub found: Arc<LatestSlot<Found>>,
    /// From the bridge: who sends light that is heard.
    pub heard: Arc<LatestSlot<Heard>>,
    /// The user's library of shaders; nothing ever comes where it is not looked at.
    pub library: Arc<LatestSlot<UserLibrary>>,
    /// From everybody.
    pub notices: Receiver<Notice>,
    /// To the storage thread.
    pub files: Sender<FileRequest>,
    /// To the senders: the interface for devices that name none.
    pub usual_interface: Arc<LatestSlot<UsualInterface>>,
    /// From the system: the window should close.
    pub close: Receiver<()>,
}
