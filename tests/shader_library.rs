//! The user's shader library: files become shaders to take, what is taken is the project's, what is kept is never lost.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/inspecting.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod inspecting;
#[path = "support/stand.rs"]
mod stand;
mod support;

use crossbeam_channel::{bounded, unbounded};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::edit::{Edit, EditError, Entry, SceneField};
use glowdeck::model::effect::{Effect, ShaderRef};
use glowdeck::model::id::{EffectId, ShaderId};
use glowdeck::model::library::{LibraryShader, UserLibrary};
use glowdeck::model::project::{Project, Shader};
use glowdeck::notice::Severity;
use glowdeck::show::command::{Command, command_queue};
use glowdeck::show::thumbnail::ThumbnailKey;
use glowdeck::storage::FileRequest;
use glowdeck::storage::format::{from_text, to_text};
use glowdeck::storage::shader_library::{self, Shelf};
use glowdeck::storage::thread;
use glowdeck::sync::LatestSlot;
use stand::{Stand, send, settle};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const GLOW: &str = "// title: Glow\n// about: A calm light\nvec4 effect(Lamp lamp) {\n    return vec4(1.0);\n}\n";
const DIM: &str = "vec4 effect(Lamp lamp) {\n    return vec4(0.2);\n}\n";

fn names(shelf: &Shelf) -> Vec<String> {
    shelf.library().shaders.iter().map(|shader| shader.name.to_string()).collect()
}

/// Looks twice, as a file must have come to rest; what was told.
fn look(shelf: &mut Shelf) -> Vec<String> {
    (0..2).flat_map(|_| shelf.look().1).map(|notice| notice.text).collect()
}

#[test]
fn files_that_came_to_rest_are_listed_and_follow_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut shelf = Shelf::new(folder.path().join("shaders"));
    assert_eq!((look(&mut shelf), names(&shelf).len()), (vec![], 0), "no folder is an empty library");
    fs::create_dir(folder.path().join("shaders")).unwrap();
    let place = |name: &str| folder.path().join("shaders").join(name);
    for (name, text) in [("Glow.glsl", GLOW), ("Dim.glsl", DIM), ("notes.txt", "x"), (".Glow.glsl.saving-1.glsl", GLOW)]
    {
        fs::write(place(name), text).unwrap();
    }
    assert_eq!(shelf.look(), (false, vec![]), "they may still be written");
    assert_eq!(shelf.look(), (true, vec![]));
    assert_eq!(names(&shelf), ["Dim", "Glow"]);
    assert_eq!(shelf.look(), (false, vec![]), "nothing is published for nothing");
    fs::write(place("Dim.glsl"), format!("// other\n{DIM}")).unwrap();
    assert!(look(&mut shelf).is_empty());
    assert!(shelf.library().get("Dim").unwrap().source.starts_with("// other"));
    fs::remove_file(place("Dim.glsl")).unwrap();
    shelf.look();
    assert_eq!(names(&shelf), ["Dim", "Glow"], "it may be replaced by another");
    shelf.look();
    assert_eq!(names(&shelf), ["Glow"]);
}

#[test]
fn a_broken_file_is_told_once_and_silences_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("Glow.glsl"), GLOW).unwrap();
    fs::write(place("Bad.glsl"), "// param: x\nvec4 effect(Lamp lamp) { return vec4(1.0); }").unwrap();
    let mut shelf = Shelf::new(folder.path().to_owned());
    let told = look(&mut shelf);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("Bad.glsl") && told[0].contains("line 1") && told[0].ends_with("it is left out."));
    assert_eq!(told[0].lines().count(), 1);
    assert!((0..5).all(|_| look(&mut shelf).is_empty()), "once");
    assert_eq!(names(&shelf), ["Glow"]);
    fs::write(place("Glow.glsl"), "no shader at all").unwrap();
    let told = look(&mut shelf);
    assert!(told.len() == 1 && told[0].ends_with("it stays as it was."), "{told:?}");
    assert_eq!(&*shelf.library().get("Glow").unwrap().source, GLOW);
    fs::write(place("Bad.glsl"), DIM).unwrap();
    assert!(look(&mut shelf).is_empty());
    assert_eq!(names(&shelf), ["Bad", "Glow"], "mended");
}

#[cfg(unix)]
#[test]
fn what_is_no_shader_file_is_refused_in_one_line_and_never_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("Glow.glsl"), GLOW).unwrap();
    fs::write(place("a huge one.glsl"), "/".repeat(2 << 20)).unwrap();
    fs::write(place("binary.glsl"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    fs::create_dir(place("folder.glsl")).unwrap();
    std::os::unix::fs::symlink(place("loop.glsl"), place("loop.glsl")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", place("zero.glsl")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(place("pipe.glsl")).status().unwrap();
    assert!(pipe.success());
    let mut shelf = Shelf::new(folder.path().to_owned());
    let told = look(&mut shelf);
    assert_eq!(told.len(), 6, "{told:?}");
    assert!(told.iter().all(|text| text.lines().count() == 1 && text.ends_with("it is left out.")), "{told:?}");
    for (name, reason) in [("huge", "larger than 1 MiB"), ("binary", "UTF-8"), ("pipe", "no file"), ("zero", "no file")]
    {
        assert!(told.iter().any(|text| text.contains(name) && text.contains(reason)), "{name}: {told:?}");
    }
    assert_eq!(names(&shelf), ["Glow"]);
    assert!(look(&mut shelf).is_empty());
}

/// What the storage thread tells of these requests.
fn asked(requests: Vec<FileRequest>) -> Vec<(Severity, String)> {
    let ((commands, _kept), (ask, requested), (tell, told)) = (command_queue(), unbounded(), unbounded());
    requests.into_iter().chain([FileRequest::Stop]).for_each(|request| ask.send(request).unwrap());
    thread::start(requested, commands, tell, None).unwrap().join().unwrap();
    told.try_iter().map(|notice| (notice.severity, notice.text)).collect()
}

fn put(path: &Path, text: &str, replaces: Option<&str>) -> FileRequest {
    FileRequest::PutShader { path: path.to_owned(), text: text.into(), replaces: replaces.map(str::to_owned) }
}

#[test]
fn a_file_is_replaced_only_if_it_is_what_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shaders/Glow.glsl");
    let read = || fs::read_to_string(&path).unwrap();
    assert_eq!(asked(vec![put(&path, GLOW, None)])[0].0, Severity::Info, "the folder is made");
    assert_eq!(read(), GLOW);
    for replaces in [None, Some("what was there a minute ago")] {
        let told = asked(vec![put(&path, DIM, replaces)]);
        assert!(told[0].0 == Severity::Error && told[0].1.contains("left as it is"), "{told:?}");
        assert_eq!(read(), GLOW);
    }
    assert_eq!(asked(vec![put(&path, DIM, Some(GLOW)), put(&path, DIM, None)]).len(), 2);
    assert_eq!(read(), DIM);
    let files = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(files, 1, "nothing is left beside it");
    fs::create_dir(folder.path().join("shaders/Odd.glsl")).unwrap();
    let told = asked(vec![put(&folder.path().join("shaders/Odd.glsl"), DIM, None)]);
    assert_eq!(told[0].0, Severity::Error);
}

fn library(shaders: &[(&str, &str)]) -> Arc<UserLibrary> {
    let shader =
        |(name, source): &(&str, &str)| Arc::new(LibraryShader { name: (*name).into(), source: (*source).into() });
    Arc::new(UserLibrary { folder: Some("/data/shaders".into()), shaders: shaders.iter().map(shader).collect() })
}

/// The window with the panel in front and these shaders in the library.
fn stand(shaders: &[(&str, &str)]) -> Stand {
    let mut stand = Stand::sized(1440.0, 1200.0);
    stand.console.library.publish(library(shaders));
    send(&mut stand, Command::Save(PathBuf::from("/shows/mine.ron")));
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    stand.click("Shader panel");
    settle(&mut stand);
    stand
}

fn own(stand: &mut Stand) -> Vec<(String, Option<String>, String)> {
    settle(stand);
    let shaders = stand.console.show.project.shaders.iter();
    shaders.map(|shader| (shader.name.clone(), shader.library.clone(), shader.source.clone())).collect()
}

fn text(of: &str) -> Option<String> {
    Some(of.to_owned())
}

#[test]
fn an_effect_that_is_taken_from_the_library_is_a_copy_in_the_project() {
    let mut stand = inspecting::stand();
    stand.console.library.publish(library(&[("My glow", GLOW)]));
    settle(&mut stand);
    let take = |stand: &mut Stand| {
        stand.click("Add an effect");
        settle(stand);
        let watched = |key: &ThumbnailKey| matches!(key, ThumbnailKey::Effect(ShaderRef::Library(_)));
        assert!(stand.console.thumbnails.iter().any(watched), "with a picture");
        stand.click("Library effect My glow");
        settle(stand);
        inspecting::scene(stand).effects.last().unwrap().shader.clone()
    };
    let taken = take(&mut stand);
    assert!(matches!(taken, ShaderRef::Project(_)));
    assert_eq!(own(&mut stand), [("My glow".to_owned(), text("My glow"), GLOW.to_owned())]);
    assert_eq!((take(&mut stand), own(&mut stand).len()), (taken, 1), "one copy serves both");
    let written = to_text(&stand.console.show.project, &[]).unwrap();
    assert!(written.contains("library: \"My glow\"") && written.contains("A calm light"), "complete in itself");
    assert_eq!(from_text(&written).unwrap().project.shaders, stand.console.show.project.shaders);
    send(&mut stand, Command::Undo);
    send(&mut stand, Command::Undo);
    assert!(own(&mut stand).is_empty(), "copy and effect came in one step");
}

#[test]
fn no_project_holds_an_effect_of_the_library_itself() {
    let mut project = support::demo();
    let shader = ShaderRef::Library(Arc::clone(&library(&[("Glow", GLOW)]).shaders[0]));
    let id = project.scenes.iter().next().unwrap().id;
    let before = project.clone();
    let effects = vec![Effect::new(EffectId(900), shader)];
    let refused = Edit::Scene(id, SceneField::Effects(effects)).apply(&mut project);
    assert!(matches!(refused, Err(EditError::Outside { .. })), "{refused:?}");
    assert_eq!(project, before);
}

#[test]
fn a_shader_of_the_library_is_looked_at_and_made_ones_own() {
    let mut stand = stand(&[("My glow", GLOW)]);
    stand.click("Library shader My glow");
    settle(&mut stand);
    assert_eq!(stand.window.get_by_label("Code").value(), text(GLOW));
    stand.console.library.publish(library(&[("My glow", DIM)]));
    settle(&mut stand);
    assert_eq!(stand.window.get_by_label("Code").value(), text(DIM), "its file was written");
    stand.click("Make it mine");
    assert_eq!(own(&mut stand), [("My glow".to_owned(), text("My glow"), DIM.to_owned())]);
    stand.console.library.publish(library(&[]));
    settle(&mut stand);
    assert_eq!(own(&mut stand).len(), 1, "the project's stays when the library's goes");
}

/// A shader of the project's, chosen in the panel.
fn with_own(shaders: &[(&str, &str)], linked: Option<&str>, source: &str) -> Stand {
    let mut stand = stand(shaders);
    let library = linked.map(str::to_owned);
    let shader = Shader { id: ShaderId(900), name: "Mine".into(), source: source.into(), file: None, library };
    send(&mut stand, Command::Edit { edit: Edit::Put(Entry::Shader(shader.into())), gesture: None });
    stand.click("Shader Mine");
    settle(&mut stand);
    stand
}

fn name_it(stand: &mut Stand, name: &str) {
    stand.window.get_by_role_and_label(Role::TextInput, "Name in the library").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(Event::Text(name.into()));
    stand.window.step();
}

fn requests(stand: &mut Stand) -> Vec<(String, String, Option<String>)> {
    settle(stand);
    let put = |request| match request {
        FileRequest::PutShader { path, text, replaces } => Some((path.display().to_string(), text, replaces)),
        _ => None,
    };
    stand.console.files.try_iter().filter_map(put).collect()
}

#[test]
fn saving_to_the_library_asks_for_a_name_and_remembers_it() {
    let mut stand = with_own(&[], None, DIM);
    stand.click("Save to library");
    settle(&mut stand);
    for (name, reason) in [("a/b", "has no `/`"), (" ", "needs a name")] {
        name_it(&mut stand, name);
        stand.window.get_by_label_contains(reason);
        stand.click("Keep it in the library");
        assert!(requests(&mut stand).is_empty(), "{name}");
    }
    name_it(&mut stand, "Dim wash");
    stand.key(Modifiers::NONE, Key::Enter);
    assert_eq!(requests(&mut stand), [("/data/shaders/Dim wash.glsl".to_owned(), DIM.to_owned(), None)]);
    assert_eq!(own(&mut stand)[0].1, text("Dim wash"));
    assert!(stand.window.query_by_label("Name in the library").is_none());
}

#[test]
fn what_the_library_has_is_replaced_only_when_that_was_said() {
    let mut stand = with_own(&[("Glow", GLOW)], None, DIM);
    stand.click("Save to library");
    settle(&mut stand);
    name_it(&mut stand, "Glow");
    stand.window.get_by_label("Your library has another shader of this name.");
    stand.key(Modifiers::NONE, Key::Enter);
    assert!(requests(&mut stand).is_empty(), "Enter replaces nothing");
    stand.click("Replace it in the library");
    assert_eq!(requests(&mut stand), [("/data/shaders/Glow.glsl".to_owned(), DIM.to_owned(), text(GLOW))]);
}

#[test]
fn a_shader_that_is_broken_or_already_there_is_not_saved_to_the_library() {
    for (source, words) in [("nothing", "mend it first"), (GLOW, "exactly this under this name")] {
        let mut stand = with_own(&[("Mine", GLOW)], None, source);
        stand.click("Save to library");
        settle(&mut stand);
        stand.window.get_by_label_contains(words);
        stand.click("Keep it in the library");
        assert!(requests(&mut stand).is_empty());
        stand.click("Keep it in the project only");
        settle(&mut stand);
        assert!(stand.window.query_by_label("Name in the library").is_none());
    }
}

#[test]
fn a_copy_offers_what_the_library_says_now_and_undo_takes_it_back() {
    let mut stand = with_own(&[("Glow", GLOW)], Some("Glow"), DIM);
    stand.click("Update from library");
    assert_eq!(own(&mut stand)[0].2, GLOW);
    assert!(stand.window.query_by_label("Update from library").is_none());
    send(&mut stand, Command::Undo);
    assert_eq!(own(&mut stand)[0].2, DIM);
    stand.window.get_by_label("Update from library");
}

#[test]
fn old_projects_say_nothing_of_a_library() {
    let mut project = Project::empty("p");
    let shader = Shader { id: ShaderId(1), name: "a".into(), source: DIM.into(), file: None, library: None };
    project.shaders.put(shader);
    assert!(!to_text(&project, &[]).unwrap().contains("library"));
}

#[test]
fn the_thread_publishes_what_is_there_and_ends_when_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Glow.glsl"), GLOW).unwrap();
    let shelf = Arc::new(LatestSlot::<UserLibrary>::default());
    let (tell, _told) = unbounded();
    let (end, stop) = bounded(0);
    let thread = shader_library::watch(folder.path().to_owned(), Arc::clone(&shelf), tell, stop).unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut seen = 0;
    while shelf.latest().is_none_or(|library| library.get("Glow").is_none()) {
        assert!(Instant::now() < deadline);
        seen = shelf.wait_past(seen, Duration::from_secs(1));
    }
    assert_eq!(shelf.latest().unwrap().path("Glow"), Some(folder.path().join("Glow.glsl")));
    drop(end);
    thread.join().unwrap();
}
