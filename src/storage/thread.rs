//! The storage thread: opens and saves projects for the show, one request after the other.
//!
//! The only thread that touches project files while a show runs. Tells every outcome in a notice. Deliberately absent:
//! any wait for the show; a command that finds the queue full is told and dropped.

use super::FileRequest;
use super::atomic::{put, replace};
use super::format::{Quarantined, from_text, to_text};
use super::load::{Loaded, load};
use super::shader_files::read;
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::show::SaveRequest;
use crate::show::command::{Command, CommandSender};
use crate::sync::spawn_named;
use crossbeam_channel::{Receiver, Sender};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// Problems of one file that are told one by one.
const TOLD: usize = 20;

/// A file that was opened, and what could not be read of it.
pub type Kept = (PathBuf, Vec<Quarantined>);

/// Starts the thread; `kept` is of the project that the show starts with, so that a save of it loses nothing. It ends with [`FileRequest::Stop`] or when nobody can ask any more.
///
/// # Errors
/// When the system has no room for another thread.
pub fn start(
    requests: Receiver<FileRequest>,
    commands: CommandSender,
    notices: Sender<Notice>,
    kept: Option<Kept>,
) -> io::Result<JoinHandle<()>> {
    spawn_named("storage", move || {
        let mut storage = Storage { commands, notices, kept };
        while let Ok(request) = requests.recv() {
            match request {
                FileRequest::Open(path) => storage.open(path),
                FileRequest::Save(request) => storage.save(request),
                FileRequest::Keep { path, text } => storage.keep(&path, &text),
                FileRequest::PutShader { path, text, replaces } => {
                    storage.put_shader(&path, &text, replaces.as_deref())
                }
                FileRequest::Stop => break,
            }
        }
    })
}

struct Storage {
    commands: CommandSender,
    notices: Sender<Notice>,
    /// What could not be read of the file that was opened last.
    kept: Option<Kept>,
}

impl Storage {
    fn open(&mut self, path: PathBuf) {
        let Loaded { project, problems, quarantined } = match load(&path) {
            Ok(loaded) => loaded,
            Err(error) => return self.tell(Notice::error("project", format!("{error}; the show goes on as it is"))),
        };
        let command = Command::Load { project: Box::new(project), path: Some(path.clone()) };
        if !self.commands.send(command) {
            let text = format!("the show is too busy to open {}; it goes on as it is, try again", path.display());
            return self.tell(Notice::warning("project", text));
        }
        self.tell_problems(&path, &problems);
        self.kept = Some((path, quarantined));
    }

    fn keep(&self, path: &Path, text: &str) {
        if let Err(error) = put(path, |file| file.write_all(text.as_bytes())) {
            let text = format!("{error}. What this machine should remember is lost when Glowdeck ends.");
            self.tell(Notice::warning("settings", text).keyed("settings"));
        }
    }

    /// Writes a shader where there is none, or one that was seen and may go.
    fn put_shader(&self, path: &Path, text: &str, replaces: Option<&str>) {
        let shown = path.display();
        let written = match read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Ok(there) if there == text || replaces == Some(&there) => Ok(()),
            Ok(_) => Err("somebody else's shader has this name; it was left as it is, save under another".to_owned()),
            Err(error) => Err(format!("what has this name cannot be read ({error}); it was left as it is")),
        };
        let written =
            written.and_then(|()| put(path, |file| file.write_all(text.as_bytes())).map_err(|error| error.to_string()));
        self.tell(match written {
            Ok(()) => Notice::info("library", format!("saved shader {shown}")),
            Err(fault) => {
                Notice::error("library", format!("Shader {shown} was not saved: {fault}. The project has it."))
            }
        });
    }

    fn tell_problems(&self, path: &Path, problems: &[Problem]) {
        for problem in problems.iter().take(TOLD) {
            self.tell(Notice::warning("project", problem.to_string()));
        }
        let text = match problems.len() {
            0 => format!("opened {}", path.display()),
            1 => format!("opened {} with a problem; the rest plays", path.display()),
            count => format!("opened {} with {count} problems; the rest plays", path.display()),
        };
        self.tell(Notice::info("project", text));
    }

    fn save(&mut self, request: SaveRequest) {
        let SaveRequest { project, path, revision } = request;
        let kept = self.kept.as_ref().filter(|(of, _)| *of == path).map_or(&[][..], |(_, kept)| kept);
        let shown = path.display().to_string();
        let text = match readable_text(&project, kept) {
            Ok(text) => text,
            Err(fault) => {
                let text = format!("cannot write the project as text: {fault}; {shown} is as it was, the show goes on");
                return self.tell(Notice::error("project", text));
            }
        };
        match replace(&path, |file| file.write_all(text.as_bytes())) {
            Ok(written) => {
                if let Some(error) = written.unkept {
                    let text = format!("saved, but the file before it could not be kept as a generation: {error}");
                    self.tell(Notice::warning("project", text));
                }
                if !self.commands.send(Command::Saved { path, revision }) {
                    self.tell(Notice::warning("project", "the show still counts the project as unsaved".to_owned()));
                }
                self.tell(Notice::info("project", format!("saved {shown}")));
            }
            Err(error) => {
                self.tell(Notice::error("project", format!("{error}; the file is as it was, the show goes on")));
            }
        }
    }

    /// A full queue drops the notice; the log keeps it.
    fn tell(&self, notice: Notice) {
        tracing::info!("{notice}");
        if self.notices.try_send(notice).is_err() {
            tracing::debug!("the notice queue is full");
        }
    }
}

/// The project as a text that was read again, so that no save replaces a good file by one that cannot be opened.
fn readable_text(project: &Project, kept: &[Quarantined]) -> Result<String, String> {
    let text = to_text(project, kept).map_err(|error| error.to_string())?;
    match from_text(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("it could not be read again ({error:?})")),
    }
}
