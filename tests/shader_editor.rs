//! The panel of shaders: what is typed reaches the show, what the compiler says reaches its line.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::edit::{Edit, Entry, SceneField};
use glowdeck::model::effect::{Effect, Selection, ShaderRef};
use glowdeck::model::id::{EffectId, ShaderId};
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::scene::Scene;
use glowdeck::notice::Notice;
use glowdeck::shading::library::built_in;
use glowdeck::show::command::{Command, ShaderSource};
use glowdeck::show::snapshot::{ShaderFault, ShaderView, Verdict};
use glowdeck::show::thumbnail::{LampPlaces, Thumbnail, ThumbnailKey};
use stand::{Stand, send, settle};
use std::path::PathBuf;
use std::sync::Arc;

const ID: ShaderId = ShaderId(900);
const SOURCE: &str =
    "// title: Mine\n// param: depth percent = 50 | How deep\nvec4 effect(Lamp lamp) {\n    return vec4(depth);\n}\n";

/// The window with the panel in front and a shader of the project's chosen, which is saved.
fn stand(file: Option<&str>) -> Stand {
    let mut stand = Stand::sized(1440.0, 1200.0);
    let shader =
        Shader { id: ID, name: "Mine".into(), source: SOURCE.into(), file: file.map(str::to_owned), library: None };
    send(&mut stand, Command::Edit { edit: Edit::Put(Entry::Shader(shader.into())), gesture: None });
    send(&mut stand, Command::Save(PathBuf::from("/shows/mine.ron")));
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    stand.click("Shader panel");
    settle(&mut stand);
    stand.click("Shader Mine");
    settle(&mut stand);
    stand
}

/// Longer than a pause in typing.
fn pause(stand: &mut Stand) {
    (0..8).for_each(|_| drop(stand.sent()));
}

fn project(stand: &mut Stand) -> Project {
    settle(stand);
    stand.console.show.project.clone()
}

fn source(stand: &mut Stand) -> String {
    project(stand).shaders.get(ID).unwrap().source.clone()
}

/// Types at the end of the code.
fn write(stand: &mut Stand, text: &str) {
    stand.window.get_by_label("Code").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::CTRL, Key::End);
    stand.window.event(Event::Text(text.into()));
    stand.window.step();
}

fn says(stand: &mut Stand, source: &str, verdict: Verdict) {
    let shader = ShaderRef::Project(ID);
    stand.console.shaders = Arc::new(vec![ShaderView { shader, source: source.into(), verdict, runs: true }]);
    settle(stand);
}

#[test]
fn what_is_typed_reaches_the_show_when_typing_pauses_and_is_one_step_of_undo() {
    let mut stand = stand(None);
    write(&mut stand, "// a");
    assert!(stand.sent().is_empty(), "not with every key");
    stand.window.event(Event::Text("b".into()));
    pause(&mut stand);
    assert_eq!(source(&mut stand), format!("{SOURCE}// ab"));
    write(&mut stand, "c");
    pause(&mut stand);
    assert_eq!(source(&mut stand), format!("{SOURCE}// abc"));
    send(&mut stand, Command::Undo);
    assert_eq!(source(&mut stand), SOURCE);
    assert_eq!(stand.window.get_by_label("Code").value(), Some(SOURCE.to_owned()), "the code follows");
}

#[test]
fn the_compilers_words_are_shown_for_the_text_they_are_about() {
    let mut stand = stand(None);
    let failed = failed(&[(4, "`deep' undeclared")]);
    says(&mut stand, SOURCE, failed.clone());
    stand.window.get_by_label("The last good version runs");
    for (key, shown) in [("shader project shader #900", false), ("shader project shader #1", true)] {
        stand.console.notices.send(Notice::error("shader", "It failed.").keyed(key)).unwrap();
        settle(&mut stand);
        assert_eq!(stand.window.query_all_by_label_contains("It failed.").next().is_some(), shown, "{key}");
    }
    stand.window.get_by_label("Line 4: `deep' undeclared");
    write(&mut stand, " ");
    stand.window.step();
    stand.window.get_by_label("Trying…");
    assert!(stand.window.query_by_label("Line 4: `deep' undeclared").is_none(), "it was about another text");
    stand.window.get_by_label("Before the last change, line 4: `deep' undeclared");
    pause(&mut stand);
    says(&mut stand, &format!("{SOURCE} "), Verdict::Trying);
    stand.window.get_by_label("Before the last change, line 4: `deep' undeclared");
    says(&mut stand, &format!("{SOURCE} "), Verdict::Good);
    stand.window.get_by_label("Compiles, this is what runs");
    assert!(stand.window.query_by_label_contains("undeclared").is_none());
}

#[test]
fn every_error_is_listed_and_leads_to_its_line() {
    let mut stand = stand(None);
    says(&mut stand, SOURCE, failed(&[(3, "`lamb' undeclared"), (4, "`deep' undeclared"), (4, "no such type")]));
    stand.window.get_by_label("Line 3: `lamb' undeclared");
    stand.window.get_by_label("Line 4: no such type");
    stand.click("Line 4: `deep' undeclared");
    stand.window.run_steps(2);
    stand.window.event(Event::Text("/**/".into()));
    pause(&mut stand);
    assert_eq!(source(&mut stand), SOURCE.replace("    return", "    /**/return"));
    stand.window.get_by_label("Before the last change, line 3: `lamb' undeclared").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Enter);
    stand.window.run_steps(2);
    stand.window.event(Event::Text("//".into()));
    pause(&mut stand);
    assert!(source(&mut stand).contains("\n//vec4 effect"), "by the keyboard too");
}

fn failed(errors: &[(u32, &str)]) -> Verdict {
    let error = |(line, message): &(u32, &str)| ShaderFault { line: *line, message: (*message).into() };
    Verdict::Failed(errors.iter().map(error).collect())
}

#[test]
fn a_default_that_is_set_is_written_into_its_header_line() {
    let mut stand = stand(None);
    stand.window.get_by_role_and_label(Role::SpinButton, "Default of depth").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(Event::Text("75".into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    pause(&mut stand);
    assert_eq!(source(&mut stand), SOURCE.replace("= 50 |", "= 75 |"));
}

#[test]
fn help_is_inserted_where_the_cursor_is() {
    let mut stand = stand(None);
    stand.click("Help for inputs");
    settle(&mut stand);
    write(&mut stand, "//");
    stand.click("Insert progress");
    pause(&mut stand);
    assert_eq!(source(&mut stand), format!("{SOURCE}//progress"));
}

#[test]
fn revert_brings_back_what_was_saved() {
    let mut stand = stand(None);
    write(&mut stand, "// a");
    pause(&mut stand);
    stand.click("Revert to what was saved");
    assert_eq!(source(&mut stand), SOURCE);
    write(&mut stand, "// b");
    pause(&mut stand);
    send(&mut stand, Command::Save(PathBuf::from("/shows/mine.ron")));
    write(&mut stand, "c");
    pause(&mut stand);
    stand.click("Revert to what was saved");
    assert_eq!(source(&mut stand), format!("{SOURCE}// b"));
}

#[test]
fn the_last_writer_wins_and_is_named() {
    let mut stand = stand(Some("mine.frag"));
    stand.window.get_by_label_contains("Read from mine.frag whenever that file changes");
    write(&mut stand, "// a");
    let (project, file) = (PathBuf::from("/shows/mine.ron"), "mine.frag".to_owned());
    let read = SOURCE.replace("Mine", "From the file");
    send(&mut stand, Command::ShaderSource(ShaderSource { id: ID, project, file, source: read.clone() }));
    stand.window.get_by_label("mine.frag was written by another program; its text replaced what was here.");
    pause(&mut stand);
    assert_eq!(source(&mut stand), read);
    write(&mut stand, "// b");
    pause(&mut stand);
    assert_eq!(source(&mut stand), format!("{read}// b"));
}

#[test]
fn a_built_in_shader_is_copied_before_it_is_changed() {
    let mut stand = stand(None);
    stand.click("Built-in shader aurora");
    settle(&mut stand);
    assert!(stand.console.thumbnails.contains(&ThumbnailKey::Effect(ShaderRef::BuiltIn("aurora".into()))));
    let before = project(&mut stand);
    write(&mut stand, "x");
    pause(&mut stand);
    assert_eq!(project(&mut stand), before, "nobody types into it");
    stand.click("Make it mine");
    pause(&mut stand);
    let copy = project(&mut stand).shaders.get(ShaderId(901)).unwrap().clone();
    assert_eq!((copy.name.as_str(), copy.source.as_str()), ("Aurora", built_in("aurora").unwrap()));
    write(&mut stand, "// mine");
    pause(&mut stand);
    assert!(project(&mut stand).shaders.get(ShaderId(901)).unwrap().source.ends_with("// mine"));
}

#[test]
fn the_preview_shows_the_lamps_that_the_shader_lights_or_a_plane() {
    let mut stand = stand(None);
    let own = ShaderRef::Project(ID);
    let previews = |stand: &Stand| -> Vec<ThumbnailKey> {
        let of_lamps = |key: &&ThumbnailKey| matches!(key, ThumbnailKey::Lamps(..));
        stand.console.thumbnails.iter().filter(of_lamps).cloned().collect()
    };
    assert_eq!(previews(&stand), [ThumbnailKey::Lamps(own.clone(), None)], "in no scene: the topology");
    let before = project(&mut stand);
    let layout = before.layouts.iter().next().unwrap().id;
    let mut scene: Scene = before.scenes.iter().next().unwrap().as_ref().clone();
    let selection = Some(Selection { layout, modes: vec![] });
    scene.effects = vec![Effect { selection, ..Effect::new(EffectId(9000), own.clone()) }];
    let edit = Edit::Scene(scene.id, SceneField::Effects(scene.effects.clone()));
    send(&mut stand, Command::Edit { edit, gesture: None });
    let key = ThumbnailKey::Lamps(own, scene.effects[0].selection.clone());
    assert_eq!(previews(&stand), std::slice::from_ref(&key));
    let places = LampPlaces { positions: vec![[0.0, 0.5], [1.0, 0.5]], size: [2.0, 1.0], of: 70_000 };
    let (pixels, lamps) = (Arc::from([255, 0, 0, 255, 0, 0, 255, 255]), Some(places.into()));
    stand.console.pictures = Arc::new(vec![Thumbnail { key, pixels, lamps }]);
    settle(&mut stand);
    stand.window.get_by_label_contains("Preview: 2 of 70000 lamps of ");
    stand.click("Preview on a plane");
    settle(&mut stand);
    assert!(previews(&stand).is_empty(), "nobody looks at lamps any more");
    stand.click("Preview on the lamps");
    settle(&mut stand);
    assert_eq!(previews(&stand).len(), 1);
}
