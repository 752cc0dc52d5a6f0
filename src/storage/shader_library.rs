//! The user's shader library: a folder of `*.glsl` files, looked at on a thread of its own, for the window to list.
//!
//! The folder is looked at twice a second, as network drives give no notifications. A file that cannot be used is told
//! once and left out, or stays as it was read last; the others are there all the same. Deliberately absent: writing,
//! which the storage thread does; compiling, which the show does with what is looked at.

use super::shader_files::read;
use crate::model::library::{LibraryShader, UserLibrary};
use crate::notice::Notice;
use crate::shading::ShaderText;
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// Time between two looks. A file is read when two of them find it the same, so that no half of it is.
const INTERVAL: Duration = Duration::from_millis(500);
/// Files beyond so many, in the order of their names, are left out and told.
const MOST: usize = 512;
/// Entries of the folder that are looked at at all.
const MOST_ENTRIES: usize = 16 * 1024;

/// Where the library is: under this folder, or under that of the desktop.
pub fn library_folder(data_dir: Option<&Path>) -> Option<PathBuf> {
    let own = || directories::ProjectDirs::from("", "", "glowdeck").map(|folders| folders.data_dir().to_owned());
    Some(data_dir.map(Path::to_owned).or_else(own)?.join("shaders"))
}

/// Starts the thread; it publishes the library whenever that has changed, and ends when the other end of `stop` is gone.
///
/// # Errors
/// When the system has no room for another thread.
pub fn watch(
    folder: PathBuf,
    library: Arc<LatestSlot<UserLibrary>>,
    notices: Sender<Notice>,
    stop: Receiver<()>,
) -> io::Result<JoinHandle<()>> {
    spawn_named("library", move || {
        let mut shelf = Shelf::new(folder);
        library.publish(Arc::new(shelf.library()));
        loop {
            let (changed, told) = shelf.look();
            if changed {
                library.publish(Arc::new(shelf.library()));
            }
            for notice in told {
                tracing::info!(%notice);
                // A full queue drops the notice; the log keeps it.
                let _ = notices.try_send(notice);
            }
            if stop.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    })
}

/// What tells one state of a file from another; `None` for what is no file.
type Stamp = Option<(Option<SystemTime>, u64)>;

/// What is known of one file.
#[derive(Debug, Default)]
struct Known {
    /// At the last look.
    before: Option<Stamp>,
    /// When it was last read, or refused.
    read: Option<Stamp>,
    /// Whether the last look did not find it.
    missed: bool,
    /// As it could be used last.
    shader: Option<Arc<LibraryShader>>,
}

/// The folder as it was seen last.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    files: BTreeMap<String, Known>,
    /// Whether it was told that there are too many.
    crowded: bool,
    /// Whether it was told that the folder cannot be read.
    shut: bool,
}

impl Shelf {
    /// Nothing was seen yet.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, files: BTreeMap::new(), crowded: false, shut: false }
    }

    /// What can be used.
    pub fn library(&self) -> UserLibrary {
        let shaders = self.files.values().filter_map(|known| known.shader.clone()).collect();
        UserLibrary { folder: Some(self.folder.clone()), shaders }
    }

    /// Looks at the folder. Whether what can be used has changed, and what should be told.
    pub fn look(&mut self) -> (bool, Vec<Notice>) {
        let mut told = Vec::new();
        let names = match names(&self.folder) {
            Ok(names) => {
                self.shut = false;
                names
            }
            Err(error) => {
                if !std::mem::replace(&mut self.shut, true) {
                    told.push(self.notice(&format!("cannot be read ({error}); its shaders stay as they were")));
                }
                return (false, told);
            }
        };
        if names.len() > MOST && !std::mem::replace(&mut self.crowded, true) {
            told.push(
                self.notice(&format!("has more than {MOST} shaders; those after `{}` are left out", names[MOST - 1])),
            );
        }
        let names = &names[..names.len().min(MOST)];
        let mut changed = false;
        self.files.retain(|name, known| {
            let there = names.binary_search(name).is_ok();
            // Editors replace a file by another, and there is none for a moment.
            let stays = there || !std::mem::replace(&mut known.missed, true);
            known.missed = !there;
            changed |= !stays && known.shader.is_some();
            stays
        });
        for name in names {
            let place = self.folder.join(format!("{name}.{}", UserLibrary::ENDING));
            let known = self.files.entry(name.clone()).or_default();
            let found = stamp(&place);
            let rests = known.before.replace(found) == Some(found);
            if !rests || known.read == Some(found) {
                continue;
            }
            known.read = Some(found);
            match usable(name, &place) {
                Ok(shader) => {
                    changed |= known.shader.as_deref() != Some(&shader);
                    known.shader = Some(shader.into());
                }
                Err(reason) => {
                    let now = if known.shader.is_some() { "it stays as it was" } else { "it is left out" };
                    let text = format!("Shader {} cannot be used: {reason}; {now}.", place.display());
                    told.push(Notice::warning("library", text).keyed(format!("library {name}")));
                }
            }
        }
        (changed, told)
    }

    fn notice(&self, what: &str) -> Notice {
        Notice::warning("library", format!("The shader library {} {what}.", self.folder.display())).keyed("library")
    }
}

/// Names of the shaders in a folder, without their ending, in order; none where there is no folder.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let name = |entry: fs::DirEntry| {
        let file = PathBuf::from(entry.file_name());
        let is_shader = file.extension().is_some_and(|ending| ending == UserLibrary::ENDING);
        let name = file.file_stem()?.to_str()?;
        (is_shader && !name.starts_with('.')).then(|| name.to_owned())
    };
    let mut names: Vec<String> = entries.take(MOST_ENTRIES).filter_map(|entry| name(entry.ok()?)).collect();
    names.sort();
    Ok(names)
}

fn stamp(place: &Path) -> Stamp {
    let found = fs::metadata(place).ok().filter(fs::Metadata::is_file)?;
    Some((found.modified().ok(), found.len()))
}

fn usable(name: &str, place: &Path) -> Result<LibraryShader, String> {
    let source = read(place).map_err(|error| error.to_string())?;
    ShaderText::read(&source).map_err(|error| error.to_string())?;
    Ok(LibraryShader { name: name.into(), source: source.into() })
}
