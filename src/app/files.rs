//! Choosing files: the desktop's dialog on a thread of its own, so that the window never waits for it.
//!
//! [`Dialogs`] lives on the ui thread and asks one question at a time; the thread `file-dialog` waits for the answer.
//! Deliberately absent: reading and writing files.

use crate::notice::Notice;
use crate::sync::spawn_named;
use crossbeam_channel::{Receiver, bounded};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An answer sooner than this is no person's: the desktop has no dialog to show.
const TOO_SOON: Duration = Duration::from_millis(150);

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which project to read.
    Open,
    /// Where to write; a name to begin with.
    SaveAs(String),
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Read this one.
    Open(PathBuf),
    /// Write there.
    Save(PathBuf),
    /// The operator changed their mind.
    Nothing,
    /// There is no dialog on this desktop.
    NoDialog,
}

/// Shows a dialog and waits for it.
pub type Ask = dyn Fn(&Question) -> Option<PathBuf> + Send + Sync;

/// The one dialog that may be open.
pub struct Dialogs {
    ask: Arc<Ask>,
    open: Option<(Question, Receiver<Answer>)>,
}

impl Default for Dialogs {
    fn default() -> Self {
        Self::new(Arc::new(ask_desktop))
    }
}

impl Dialogs {
    /// Dialogs that are shown by `ask`, on a thread of their own.
    pub fn new(ask: Arc<Ask>) -> Self {
        Self { ask, open: None }
    }

    /// Opens a dialog; `wake` is called when it was answered.
    ///
    /// # Errors
    /// When one is open already or the system has no room for a thread: what to tell the operator.
    pub fn open(&mut self, question: Question, wake: impl FnOnce() + Send + 'static) -> Result<(), Notice> {
        if self.open.is_some() {
            return Err(Notice::info("files", "A file dialog is open already; answer that one first."));
        }
        let (sender, receiver) = bounded(1);
        let (ask, asked) = (Arc::clone(&self.ask), question.clone());
        let thread = spawn_named("file-dialog", move || {
            let began = Instant::now();
            let answer = answer(&asked, ask(&asked), began.elapsed());
            // The window may have gone; then nobody waits for the answer.
            let _ = sender.send(answer);
            wake();
        });
        match thread {
            // The thread ends with its dialog, which only the operator can close: nobody joins it.
            Ok(_) => {
                self.open = Some((question, receiver));
                Ok(())
            }
            Err(error) => Err(Notice::error("files", format!("No file dialog could be opened: {error}."))),
        }
    }

    /// The answer, once, when there is one.
    pub fn poll(&mut self) -> Option<Answer> {
        let (_, receiver) = self.open.as_ref()?;
        let answer = match receiver.try_recv() {
            Ok(answer) => answer,
            Err(crossbeam_channel::TryRecvError::Empty) => return None,
            Err(crossbeam_channel::TryRecvError::Disconnected) => Answer::NoDialog,
        };
        self.open = None;
        Some(answer)
    }
}

fn answer(question: &Question, path: Option<PathBuf>, took: Duration) -> Answer {
    match (question, path) {
        (Question::Open, Some(path)) => Answer::Open(path),
        (Question::SaveAs(_), Some(path)) => Answer::Save(as_project(path)),
        (_, None) if took < TOO_SOON => Answer::NoDialog,
        (_, None) => Answer::Nothing,
    }
}

/// A project's name ends in `.ron`.
fn as_project(path: PathBuf) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension("ron") }
}

/// The name that a project is offered under.
pub fn offered_name(path: Option<&Path>, project: &str) -> String {
    let known = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    known.unwrap_or_else(|| {
        let safe: String = project.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        format!("{}.ron", if safe.is_empty() { "project" } else { &safe })
    })
}

fn ask_desktop(question: &Question) -> Option<PathBuf> {
    let dialog = rfd::FileDialog::new().add_filter("Glowdeck project", &["ron"]);
    match question {
        Question::Open => dialog.set_title("Open a project").pick_file(),
        Question::SaveAs(name) => dialog.set_title("Save the project").set_file_name(name).save_file(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(question: Question, ask: impl Fn(&Question) -> Option<PathBuf> + Send + Sync + 'static) -> Answer {
        let mut dialogs = Dialogs::new(Arc::new(ask));
        let (woke, waking) = bounded(1);
        dialogs.open(question, move || woke.send(()).unwrap()).unwrap();
        waking.recv_timeout(Duration::from_secs(10)).unwrap();
        dialogs.poll().unwrap()
    }

    #[test]
    fn an_answer_comes_back_from_the_dialogs_thread() {
        let open = answered(Question::Open, |_| {
            assert_eq!(std::thread::current().name(), Some("file-dialog"));
            Some("/tmp/a.ron".into())
        });
        assert_eq!(open, Answer::Open("/tmp/a.ron".into()));
        let save = answered(Question::SaveAs("b".into()), |_| Some("/tmp/b".into()));
        assert_eq!(save, Answer::Save("/tmp/b.ron".into()));
    }

    #[test]
    fn a_desktop_without_a_dialog_is_told_from_a_change_of_mind() {
        assert_eq!(answer(&Question::Open, None, Duration::from_millis(3)), Answer::NoDialog);
        assert_eq!(answer(&Question::Open, None, Duration::from_secs(2)), Answer::Nothing);
    }

    #[test]
    fn a_second_dialog_is_refused_while_the_first_waits() {
        let (release, wait) = bounded::<()>(1);
        let mut dialogs = Dialogs::new(Arc::new(move |_| wait.recv().ok().and(None)));
        dialogs.open(Question::Open, || ()).unwrap();
        assert!(dialogs.open(Question::Open, || ()).is_err());
        assert_eq!(dialogs.poll(), None);
        release.send(()).unwrap();
    }

    #[test]
    fn a_project_is_offered_under_the_name_it_has() {
        assert_eq!(offered_name(Some(Path::new("/x/show.ron")), "Ring"), "show.ron");
        assert_eq!(offered_name(None, "Ring / 2"), "Ring---2.ron");
        assert_eq!(offered_name(None, ""), "project.ron");
    }
}
