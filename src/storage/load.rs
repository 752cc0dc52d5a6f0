//! Reads a project file: text, format, repair. Runs on the storage thread, or wherever a command line asks.
//!
//! Never panics on what it reads. Deliberately absent: any change of the file.

use super::format::{self, Quarantined, TextError};
use super::shader_files;
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::model::validate::repaired;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The largest project file, bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// A project that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// Fit to be played: nothing dangles, nothing is out of range.
    pub project: Project,
    /// What was wrong with it, and what was done about it.
    pub problems: Vec<Problem>,
    /// What could not be read; a save to the same path writes it back.
    pub quarantined: Vec<Quarantined>,
}

/// Why nothing was read. Each says what to do.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Nothing is there.
    #[error("{} does not exist; check the name, or save a new project there", path.display())]
    Missing {
        /// Of the project.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("cannot read {}: {source}; check that it is a file and that you may read it", path.display())]
    Unreadable {
        /// Of the project.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// More than [`MAX_FILE_BYTES`].
    #[error("{} is larger than 256 MiB, so it is hardly a project; check the name", path.display())]
    TooLarge {
        /// Of the project.
        path: PathBuf,
    },
    /// Not UTF-8.
    #[error("{} is not text (UTF-8), so it is no project; check the name", path.display())]
    NotText {
        /// Of the project.
        path: PathBuf,
    },
    /// Not RON.
    #[error(
        "{}:{line}:{column}: {reason}; correct it there, or open a generation from {} beside it",
        path.display(), super::atomic::GENERATIONS
    )]
    NotRon {
        /// Of the project.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A schema of the future.
    #[error("{} was written by a newer Glowdeck (version {version}); update Glowdeck", path.display())]
    Newer {
        /// Of the project.
        path: PathBuf,
        /// Which one it says.
        version: u32,
    },
    /// A schema that never was.
    #[error("{} does not say a version that Glowdeck knows; write `version: 1` if it is a project", path.display())]
    UnknownVersion {
        /// Of the project.
        path: PathBuf,
    },
}

/// Reads and repairs a project.
///
/// # Errors
/// When the file as a whole cannot be read; a bad item is a problem of [`Loaded`] instead.
pub fn load(path: &Path) -> Result<Loaded, LoadError> {
    let mut loaded = load_text(&read(path)?, path)?;
    shader_files::read_into(&mut loaded.project, path);
    Ok(loaded)
}

/// Reads and repairs a project from its text; `path` is named in errors.
///
/// # Errors
/// When the text as a whole is no project.
pub fn load_text(text: &str, path: &Path) -> Result<Loaded, LoadError> {
    let parsed = format::from_text(text).map_err(|error| in_file(error, path.to_owned()))?;
    let (project, repairs) = repaired(parsed.project);
    let problems = parsed.problems.into_iter().chain(repairs).collect();
    Ok(Loaded { project, problems, quarantined: parsed.quarantined })
}

fn in_file(error: TextError, path: PathBuf) -> LoadError {
    match error {
        TextError::Syntax(error) => {
            LoadError::NotRon { path, line: error.line, column: error.column, reason: error.reason }
        }
        TextError::Version(Some(version)) if version > format::VERSION => LoadError::Newer { path, version },
        TextError::Version(_) => LoadError::UnknownVersion { path },
    }
}

fn read(path: &Path) -> Result<String, LoadError> {
    let owned = || path.to_owned();
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => LoadError::Missing { path: owned() },
        _ => LoadError::Unreadable { path: owned(), source },
    };
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path).map_err(refused)?.is_file() {
        return Err(refused(io::Error::other("it is a folder, a pipe or a device")));
    }
    let file = File::open(path).map_err(refused)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, even where its length is not known beforehand.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(LoadError::TooLarge { path: owned() });
    }
    String::from_utf8(bytes).map_err(|_| LoadError::NotText { path: owned() })
}
