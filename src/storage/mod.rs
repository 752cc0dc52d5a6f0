//! Storage: reading and writing project files on a thread of its own, and watching shaders' files on another.

pub mod atomic;
pub mod check;
pub mod format;
pub mod load;
pub mod shader_files;
pub mod thread;

use crate::show::SaveRequest;
use std::path::PathBuf;

/// What the storage thread is asked for.
#[derive(Clone, Debug)]
pub enum FileRequest {
    /// Read a project and send it to the show.
    Open(PathBuf),
    /// Write a project.
    Save(SaveRequest),
    /// Write a small file of the machine's own, such as its settings.
    Keep {
        /// Where; its folder is made.
        path: PathBuf,
        /// All of it.
        text: String,
    },
    /// Finish what was asked before, then end the thread.
    Stop,
}
