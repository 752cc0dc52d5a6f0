//! A folder of its own for what a bench writes, taken away again.
//!
//! Deliberately absent: the operator's own settings and projects, which no bench touches.

use std::path::PathBuf;
use std::{env, fs, io};

/// A folder that nobody else has.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Makes it.
    ///
    /// # Errors
    /// When the system's folder for such takes no more.
    pub fn new() -> io::Result<Self> {
        let folder = env::temp_dir().join(format!("glowdeck-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left lies in the system's folder for such.
        let _ = fs::remove_dir_all(&self.0);
    }
}
