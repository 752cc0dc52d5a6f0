//! Storage: reading and writing project files on a thread of its own, watching shaders' files and the user's library
//! of them on others.

pub mod atomic;
pub mod check;
pub mod format;
pub mod load;
pub mod shader_files;
pub mod shader_library;
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
    /// Write a shader of the user's library.
    PutShader {
        /// Where; its folder is made.
        path: PathBuf,
        /// All of it.
        text: String,
        /// What it may replace; a file that says anything else is left as it is.
        replaces: Option<String>,
    },
    /// Finish what was asked before, then end the thread.
    Stop,
}
