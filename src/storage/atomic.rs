//! Writes a file so that at every moment either the old or the new one is there, whole.
//!
//! Runs on the storage thread. Knows nothing of projects. The new file is written beside the old one and flushed to
//! the disk, then takes its name in one step; the old one is kept as the first of ten generations.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The folder beside a project that keeps what saves replaced: `show.ron~1` is the newest, `show.ron~10` the oldest.
pub const GENERATIONS: &str = ".glowdeck-generations";

/// How many replaced files are kept.
pub const KEPT: usize = 10;

/// Why a file was not written. What was there before is untouched.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The path names no file.
    #[error("{} is no file name; choose another", path.display())]
    NoName {
        /// As it was given.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("cannot write {}: {source}; {}", path.display(), advice(source))]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space or save elsewhere",
        io::ErrorKind::NotFound => "make its folder or save elsewhere",
        _ => "save elsewhere or allow writing there",
    }
}

/// A file that was written.
#[derive(Debug)]
pub struct Written {
    /// Why what it replaced could not be kept as a generation, if so.
    pub unkept: Option<io::Error>,
}

/// Replaces the file at `path` by what `write` writes, and keeps the old one as a generation.
///
/// # Errors
/// When the new file could not be written whole; the old one is then as it was.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<Written, WriteError> {
    // A link keeps pointing at the file that is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (folder, name) = place(&target).ok_or_else(|| WriteError::NoName { path: path.to_owned() })?;
    let refused = |source| WriteError::Refused { path: path.to_owned(), source };
    let temporary = Temporary::write(folder, name, write).map_err(refused)?;
    let unkept = match fs::metadata(&target) {
        Ok(old) if old.is_file() => {
            fs::set_permissions(&temporary.0, old.permissions()).map_err(refused)?;
            keep_generation(folder, name, &target).err()
        }
        _ => None,
    };
    temporary.take_name(&target).map_err(refused)?;
    flush_folder(folder).map_err(refused)?;
    Ok(Written { unkept })
}

/// The same without generations; the folder is made where it is missing.
///
/// # Errors
/// When the new file could not be written whole; the old one is then as it was.
pub fn put(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), WriteError> {
    let (folder, name) = place(path).ok_or_else(|| WriteError::NoName { path: path.to_owned() })?;
    let put = || {
        fs::create_dir_all(folder)?;
        Temporary::write(folder, name, write)?.take_name(path)?;
        flush_folder(folder)
    };
    put().map_err(|source| WriteError::Refused { path: path.to_owned(), source })
}

/// A file's folder and name.
fn place(path: &Path) -> Option<(&Path, &OsStr)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some((folder.unwrap_or(Path::new(".")), path.file_name()?))
}

/// A file under a passing name; gone when it is dropped before it has taken its lasting one.
struct Temporary(PathBuf);

impl Temporary {
    fn write(folder: &Path, name: &OsStr, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<Self> {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".saving-{}", std::process::id()));
        let path = folder.join(hidden);
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&path)?;
        let temporary = Self(path);
        write(&mut file)?;
        file.sync_all()?;
        Ok(temporary)
    }

    fn take_name(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.0, target)?;
        self.0.clear();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty()
            && let Err(error) = fs::remove_file(&self.0)
        {
            tracing::warn!("cannot remove {}: {error}", self.0.display());
        }
    }
}

/// Where a generation lies, 1 is the newest.
pub fn generation(folder: &Path, name: &OsStr, number: usize) -> PathBuf {
    let mut file = name.to_owned();
    file.push(format!("~{number}"));
    folder.join(GENERATIONS).join(file)
}

fn keep_generation(folder: &Path, name: &OsStr, current: &Path) -> io::Result<()> {
    fs::create_dir_all(folder.join(GENERATIONS))?;
    for number in (1..KEPT).rev() {
        match fs::rename(generation(folder, name, number), generation(folder, name, number + 1)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let newest = generation(folder, name, 1);
    // A second name costs nothing; some file systems have no such thing.
    fs::hard_link(current, &newest).or_else(|_| fs::copy(current, &newest).map(drop))?;
    flush_folder(&folder.join(GENERATIONS))
}

/// Makes names in a folder last. Only Unix can, and some network file systems refuse.
fn flush_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn put(path: &Path, text: &str) -> Result<Written, WriteError> {
        replace(path, |file| file.write_all(text.as_bytes()))
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_last_ten_generations_are_kept_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("show.ron");
        for save in 0..13 {
            assert!(put(&path, &save.to_string()).unwrap().unkept.is_none());
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "12");
        for number in 1..=KEPT {
            let kept = generation(folder.path(), OsStr::new("show.ron"), number);
            assert_eq!(fs::read_to_string(kept).unwrap(), (12 - number).to_string());
        }
        assert_eq!(names(&folder.path().join(GENERATIONS)).len(), KEPT);
        assert_eq!(names(folder.path()), [GENERATIONS, "show.ron"]);
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_no_half_of_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("show.ron");
        put(&path, "old").unwrap();
        let full = replace(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        let message = full.unwrap_err().to_string();
        assert!(message.contains("free some space"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["show.ron"]);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_that_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let missing = put(&folder.path().join("missing/show.ron"), "new").unwrap_err().to_string();
        assert!(missing.contains("make its folder"), "{missing}");
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(put(&folder.path().join("file/show.ron"), "new").is_err());
        assert!(matches!(put(Path::new("/"), "new"), Err(WriteError::NoName { .. })));
    }

    #[test]
    fn what_cannot_be_replaced_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("show.ron");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(put(&path, "new").is_err());
        assert_eq!(names(folder.path()), ["show.ron"]);
        assert!(path.join("inside").exists());
    }

    #[test]
    fn a_save_goes_on_where_no_generation_can_be_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("show.ron");
        fs::write(folder.path().join(GENERATIONS), "in the way").unwrap();
        put(&path, "old").unwrap();
        assert!(put(&path, "new").unwrap().unkept.is_some());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_as_they_were() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("show.ron"), folder.path().join("link.ron"));
        put(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        put(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
