//! The window: an egui app that reads snapshots and sends commands.

use crate::notice::Notice;
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
    /// From everybody.
    pub notices: Receiver<Notice>,
    /// To the storage thread.
    pub files: Sender<FileRequest>,
}
