//! Shader files: a project's shader may have a file of its own beside the project, for the author's editor.
//!
//! A thread looks at the files four times a second and hands what changed to the show as a command. Deliberately
//! absent: notifications of the system, which network drives do not give; writing to these files.

use crate::model::id::ShaderId;
use crate::model::project::{Project, Shader};
use crate::notice::Notice;
use crate::show::command::{Command, CommandSender, ShaderSource};
use crate::show::snapshot::Snapshot;
use crate::sync::{LatestSlot, spawn_named};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// Time between two looks. A file is read when two of them find it the same, so that no half of it is.
const INTERVAL: Duration = Duration::from_millis(250);
/// What is larger is no shader.
const MAX_BYTES: u64 = 1024 * 1024;

/// Starts the thread. It ends when the other end of `stop` is gone.
///
/// # Errors
/// When the system has no room for another thread.
pub fn watch(
    snapshots: Arc<LatestSlot<Snapshot>>,
    commands: CommandSender,
    notices: Sender<Notice>,
    stop: Receiver<()>,
) -> io::Result<JoinHandle<()>> {
    spawn_named("shader-files", move || {
        let mut watcher = Watcher { commands, notices, files: BTreeMap::new() };
        while stop.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if let Some(snapshot) = snapshots.latest() {
                watcher.look(&snapshot.project, snapshot.path.as_deref());
            }
        }
    })
}

/// Reads the files of a project's shaders in place of the sources it holds, as far as they can be read.
pub(super) fn read_into(project: &mut Project, path: &Path) {
    let shaders: Vec<Arc<Shader>> = project.shaders.iter().cloned().collect();
    for shader in shaders {
        let place = shader.file.as_deref().and_then(|file| place_of(path, file));
        if let Some(Ok(source)) = place.map(|place| read(&place))
            && !source.trim().is_empty()
        {
            project.shaders.put(Shader { source, ..Shader::clone(&shader) });
        }
    }
}

/// Where a shader's file is; `None` where it would lead out of the project's folder.
fn place_of(project: &Path, file: &str) -> Option<PathBuf> {
    let file = Path::new(file);
    let inside = file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (inside && file.file_name().is_some()).then(|| project.parent().unwrap_or(Path::new("")).join(file))
}

/// Reads a small text file, such as a shader or settings: never more than 1 MiB, and nothing that would be waited for.
///
/// # Errors
/// When the system refuses, or it is no such file.
pub fn read(place: &Path) -> io::Result<String> {
    let refused = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason.to_owned());
    // Opening a pipe would wait for somebody to write into it.
    if !fs::metadata(place)?.is_file() {
        return Err(refused("it is no file"));
    }
    let mut bytes = Vec::new();
    File::open(place)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("it is larger than 1 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| refused("it is not text in UTF-8"))
}

/// What tells one state of a file from another: when it was changed, and its length.
type Stamp = (Option<SystemTime>, u64);

fn stamp(place: &Path) -> Option<Stamp> {
    let found = fs::metadata(place).ok().filter(fs::Metadata::is_file)?;
    Some((found.modified().ok(), found.len()))
}

/// What to do after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Nothing,
    Read,
    TellMissing,
}

/// What was seen of one file.
#[derive(Debug, Default)]
struct Watched {
    /// At the last look.
    before: Option<Stamp>,
    /// When it was last read.
    read: Option<Stamp>,
    /// Looks in a row that found nothing; editors replace a file by another, and there is none for a moment.
    missed: u32,
}

impl Watched {
    fn look(&mut self, found: Option<Stamp>) -> Step {
        let before = std::mem::replace(&mut self.before, found);
        let Some(found) = found else {
            self.missed = self.missed.saturating_add(1);
            return if self.missed == 2 { Step::TellMissing } else { Step::Nothing };
        };
        self.missed = 0;
        if before == Some(found) && self.read != Some(found) {
            self.read = Some(found);
            return Step::Read;
        }
        Step::Nothing
    }
}

struct Watcher {
    commands: CommandSender,
    notices: Sender<Notice>,
    files: BTreeMap<(ShaderId, PathBuf), Watched>,
}

impl Watcher {
    fn look(&mut self, project: &Project, path: Option<&Path>) {
        // A project that is in no file has no folder.
        let files: Vec<(&Shader, &str, &Path)> =
            project.shaders.iter().filter_map(|shader| Some((&**shader, shader.file.as_deref()?, path?))).collect();
        let key = |shader: &Shader, file: &str, path: &Path| {
            (shader.id, place_of(path, file).unwrap_or_else(|| Path::new(file).to_owned()))
        };
        self.files.retain(|known, _| files.iter().any(|(shader, file, path)| key(shader, file, path) == *known));
        for (shader, file, path) in files {
            let place = place_of(path, file);
            let watched = self.files.entry(key(shader, file, path)).or_default();
            let step = watched.look(place.as_deref().and_then(stamp));
            match (step, place) {
                (Step::Nothing, _) => {}
                (Step::Read, Some(place)) => self.reload(shader, file, path, &place),
                (Step::TellMissing, Some(_)) => self.tell(shader, file, "is missing; the source in the project runs"),
                (_, None) => self.tell(shader, file, "is not in the project's folder; the source in the project runs"),
            }
        }
    }

    fn reload(&mut self, shader: &Shader, file: &str, project: &Path, place: &Path) {
        let source = match read(place) {
            Ok(source) => source,
            Err(error) => return self.tell(shader, file, &format!("cannot be read ({error}); the last source runs")),
        };
        // An editor that is about to write, or a file that was only just made.
        if source.trim().is_empty() || source == shader.source {
            return;
        }
        let (id, project, file) = (shader.id, project.to_owned(), file.to_owned());
        if self.commands.send(Command::ShaderSource(ShaderSource { id, project, file, source })) {
            return;
        }
        // The show is busy; the next look tries again.
        if let Some(watched) = self.files.get_mut(&(id, place.to_owned())) {
            watched.read = None;
        }
    }

    fn tell(&self, shader: &Shader, file: &str, what: &str) {
        let notice = Notice::warning("shader", format!("File {file} of shader {} {what}.", shader.name));
        tracing::info!(%notice);
        // A full queue drops the notice; the log keeps it.
        let _ = self.notices.try_send(notice.keyed(format!("file of {}", shader.id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(millis: u64, length: u64) -> Option<Stamp> {
        Some((Some(SystemTime::UNIX_EPOCH + Duration::from_millis(millis)), length))
    }

    #[test]
    fn a_file_is_read_once_it_has_come_to_rest() {
        let mut watched = Watched::default();
        let looks = [stamp(1, 5), stamp(1, 5), stamp(1, 5), stamp(2, 0), stamp(3, 4), stamp(3, 9), stamp(3, 9)];
        let steps = looks.map(|found| watched.look(found) == Step::Read);
        assert_eq!(steps, [false, true, false, false, false, false, true]);
    }

    #[test]
    fn a_file_that_stays_away_is_told_once() {
        let mut watched = Watched::default();
        let looks = [stamp(1, 5), stamp(1, 5), None, stamp(1, 5), None, None, None, None, stamp(1, 5), None, None];
        let told = looks.map(|found| watched.look(found) == Step::TellMissing);
        assert_eq!(told.iter().filter(|told| **told).count(), 2, "once for each time it went: {told:?}");
        assert!(told[5] && told[10]);
    }

    #[test]
    fn a_file_never_leads_out_of_the_projects_folder() {
        let project = Path::new("/shows/tour/show.ron");
        assert_eq!(place_of(project, "glow.frag"), Some("/shows/tour/glow.frag".into()));
        assert_eq!(place_of(project, "shaders/glow.frag"), Some("/shows/tour/shaders/glow.frag".into()));
        assert_eq!(place_of(Path::new("show.ron"), "glow.frag"), Some("glow.frag".into()));
        for outside in ["/etc/passwd", "../glow.frag", "a/../../b.frag", "", ".."] {
            assert_eq!(place_of(project, outside), None, "{outside}");
        }
    }
}
