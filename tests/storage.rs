//! The storage thread: what was saved is opened again, what cannot be is told, and the show is never left waiting.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use crossbeam_channel::{Receiver, Sender, unbounded};
use glowdeck::model::project::Project;
use glowdeck::notice::{Notice, Severity};
use glowdeck::show::SaveRequest;
use glowdeck::show::command::{Command, command_queue};
use glowdeck::storage::FileRequest;
use glowdeck::storage::check::check_report;
use glowdeck::storage::load::load;
use glowdeck::storage::thread::start;
use std::path::{Path, PathBuf};

const HELLO: &str = include_str!("../projects/hello.ron");

/// Lets the thread answer the requests and end; returns what it told the show and the operator.
fn answers(requests: Vec<FileRequest>) -> (Vec<Command>, Vec<Notice>) {
    let (ask, asked): (Sender<FileRequest>, Receiver<FileRequest>) = unbounded();
    let (commands, told) = command_queue();
    let (notices, noticed) = unbounded();
    requests.into_iter().chain([FileRequest::Stop]).for_each(|request| ask.send(request).unwrap());
    start(asked, commands, notices, None).unwrap().join().unwrap();
    (told.try_iter().collect(), noticed.try_iter().collect())
}

fn save(project: &Project, path: &Path, revision: u64) -> FileRequest {
    FileRequest::Save(SaveRequest { project: project.clone(), path: path.to_owned(), revision })
}

fn shown(notices: &[Notice]) -> Vec<(Severity, &str)> {
    notices.iter().map(|notice| (notice.severity, notice.text.as_str())).collect()
}

#[test]
fn a_saved_project_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    let project = Project::empty("Kept");
    let (commands, notices) = answers(vec![save(&project, &path, 7), FileRequest::Open(path.clone())]);
    match &commands[..] {
        [Command::Saved { path: saved, revision: 7 }, Command::Load { project: loaded, path: Some(from) }] => {
            assert_eq!((saved, from, &**loaded), (&path, &path, &project));
        }
        other => panic!("{other:?}"),
    }
    let [saved, opened] = ["saved", "opened"].map(|word| format!("{word} {}", path.display()));
    assert_eq!(shown(&notices), [(Severity::Info, saved.as_str()), (Severity::Info, opened.as_str())]);
}

#[test]
fn what_cannot_be_opened_or_saved_is_told_with_what_the_show_does_now() {
    let missing = PathBuf::from("/nowhere/show.ron");
    let (commands, notices) =
        answers(vec![FileRequest::Open(missing.clone()), save(&Project::empty("x"), &missing, 1)]);
    assert!(commands.is_empty(), "{commands:?}");
    assert!(notices.iter().all(|notice| notice.severity == Severity::Error));
    assert!(notices[0].text.ends_with("the show goes on as it is"), "{}", notices[0].text);
    assert!(notices[1].text.ends_with("the file is as it was, the show goes on"), "{}", notices[1].text);
}

#[test]
fn a_bad_item_is_told_and_survives_a_save_of_its_file_only() {
    let folder = tempfile::tempdir().unwrap();
    let (path, elsewhere) = (folder.path().join("show.ron"), folder.path().join("other.ron"));
    std::fs::write(&path, HELLO.replace("name: \"Warm\",", "nmae: \"Warm\",")).unwrap();
    let project = Project::empty("x");
    let (_, notices) =
        answers(vec![FileRequest::Open(path.clone()), save(&project, &path, 1), save(&project, &elsewhere, 2)]);
    assert_eq!(notices[0].severity, Severity::Warning);
    assert!(notices[0].text.starts_with("line 47: scene #1: "), "{}", notices[0].text);
    assert!(notices[1].text.ends_with("with a problem; the rest plays"));
    assert_eq!(load(&path).unwrap().quarantined.len(), 1);
    assert_eq!(load(&elsewhere).unwrap().quarantined, []);
}

#[test]
fn the_thread_ends_when_nobody_can_ask() {
    let (ask, asked) = unbounded();
    let thread = start(asked, command_queue().0, unbounded().0, None).unwrap();
    drop(ask);
    thread.join().unwrap();
}

#[test]
fn the_report_of_a_project_names_problems_and_sums_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    std::fs::write(&path, HELLO).unwrap();
    let clean = check_report(&path).unwrap();
    assert!(clean.is_clean());
    assert_eq!(clean.to_string(), "Hello: 60 lamps on 1 universe, nothing to correct");
    std::fs::write(&path, HELLO.replace("definition: 1)", "definition: 9)")).unwrap();
    let report = check_report(&path).unwrap().to_string();
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[0], "fixture `Strip` (#1): there is no fixture definition #9; the fixture was left out");
    assert_eq!(lines.last(), Some(&"Hello: 0 lamps on 0 universes, 5 things to look at"));
    assert!(check_report(&folder.path().join("no")).is_err());
    let open = "    triggers: [(id: 3, name: \"Kick\", low_hz: 20.0, high_hz: 150.0, threshold: 0.0)],\n    grid: (";
    let moving = HELLO.replace("    grid: (", open).replace("active: true", "active: true, opacity_trigger: 4");
    std::fs::write(&path, moving).unwrap();
    let report = check_report(&path).unwrap().to_string();
    let lines: Vec<&str> = report.lines().collect();
    let missing = "scene `Rainbow` (#2): its opacity follows trigger #4, which does not exist; it follows none";
    assert_eq!(lines[..2], [missing, "trigger `Kick` (#3): its threshold is 0, so its gate never closes"]);
}
