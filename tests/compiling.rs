//! Shaders come and go while a show runs: what is new is lit at once, what changes on disk is read, what is broken
//! costs nobody else any light.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

#[path = "support/waiting.rs"]
mod waiting;

use glowdeck::console::{Console, ConsoleOptions};
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::effect::{Blend, Effect, Modulated, ShaderRef};
use glowdeck::model::id::{EffectId, SceneId, ShaderId};
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::scene::{Cell, Scene};
use glowdeck::notice::Severity;
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::show::Show;
use glowdeck::show::command::{Command, Fault, LiveCommand, ShaderSource};
use glowdeck::show::live::Moment;
use glowdeck::show::snapshot::Verdict;
use glowdeck::show::thumbnail::ThumbnailKey;
use glowdeck::storage::load::load;
use small_rig::{add_scene, built_in, small_rig};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use waiting::snapshot_when;

const PATIENCE: Duration = Duration::from_secs(60);

fn grey(level: f32) -> String {
    format!("vec4 effect(Lamp lamp) {{\n    return vec4(vec3({level:?}), 1.0);\n}}\n")
}

fn put(project: &mut Project, id: u32, source: String, file: Option<&str>) -> Effect {
    let (shader, file) = (ShaderId(id), file.map(str::to_owned));
    project.shaders.put(Shader { id: shader, name: format!("own {id}"), source, file, library: None });
    Effect::new(EffectId(id), ShaderRef::Project(shader))
}

fn start(project: Project, path: Option<PathBuf>) -> Console {
    let (quarantined, discovery) = (Vec::new(), None);
    let options =
        ConsoleOptions { project, path, quarantined, fps: Some(100.0), dialect: None, discovery, interface: None };
    let console = Console::start(options).unwrap();
    assert!(console.commands.send(Command::WatchStage(true)));
    console
}

/// Waits until the first lamp has this red, sRGB, and nobody is dark.
fn red(console: &Console, expected: u8) {
    snapshot_when(console, &format!("red {expected}"), |snapshot| {
        let stage = snapshot.stage.as_ref();
        stage.is_some_and(|stage| stage.colours.chunks(4).all(|lamp| lamp[0].abs_diff(expected) <= 1))
    });
}

fn notice(console: &Console, says: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    while let Ok(notice) = console.notices.recv_deadline(deadline) {
        let text = notice.to_string();
        if text.contains(says) {
            return text;
        }
    }
    panic!("nobody said: {says}");
}

#[test]
fn a_new_scene_is_lit_effect_by_effect_until_its_own_program_is_there() {
    const EFFECTS: u32 = 8;
    let mut project = small_rig();
    let dark = put(&mut project, 1, grey(0.0), None);
    add_scene(&mut project, 1, vec![dark]);
    let mut renderer = Renderer::new(None).unwrap();
    renderer.compile_elsewhere().unwrap();
    renderer.set_patch(Patched::compile(&project)).unwrap();
    renderer.follow(&project, |_| true);
    // Sources that no driver's cache has seen, in any run.
    let never_seen = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let step = |id| format!("// {never_seen} {id}\nfloat k{id} = {never_seen}.0;\n{}", grey(0.1));
    let effects = (2..2 + EFFECTS).map(|id| put(&mut project, id, step(id), None)).collect();
    add_scene(&mut project, 2, effects);
    let show = Show::new(project, None, Instant::now());
    assert_eq!(renderer.follow(&show.project, |_| true), []);
    let deadline = Instant::now() + PATIENCE;
    let mut levels = Vec::new();
    let mut bytes = vec![0; renderer.universes() * 512];
    loop {
        assert_eq!(renderer.take_compiled(&show.project), []);
        renderer.draw(&show, Moment::default()).unwrap();
        renderer.read(Moment::default(), &mut bytes);
        if levels.last() != Some(&bytes[0]) {
            levels.push(bytes[0]);
        }
        if bytes[0].abs_diff(204) <= 1 {
            break;
        }
        assert!(Instant::now() < deadline, "the scene never came: {levels:?}");
    }
    assert!(levels.is_sorted(), "never darker again: {levels:?}");
    let lit = levels.iter().any(|level| level.abs_diff(26) <= 1);
    assert!(lit, "its first effect sounds while the others are compiled: {levels:?}");
}

#[test]
fn a_shaders_file_is_read_when_it_changes_and_neither_half_a_file_nor_none_costs_light() {
    let folder = tempfile::tempdir().unwrap();
    let (path, file) = (folder.path().join("show.ron"), folder.path().join("glow.frag"));
    let mut project = small_rig();
    let effect = put(&mut project, 1, grey(0.2), Some("glow.frag"));
    add_scene(&mut project, 1, vec![effect]);
    let console = start(project, Some(path));
    red(&console, 124);
    assert!(notice(&console, "glow.frag").contains("own 1 is missing; the source in the project runs"));
    let undo = || console.snapshots.latest().unwrap().undo.clone();
    fs::write(&file, grey(0.5)).unwrap();
    red(&console, 188);
    assert_eq!(undo(), None, "the author's editor undoes it");
    snapshot_when(&console, "unsaved", |snapshot| snapshot.dirty);
    fs::write(&file, "vec4 effect(Lamp lamp) {\n    return vec4(level").unwrap();
    let told = notice(&console, "failed");
    assert!(told.contains("own 1 failed at line ") && told.contains("last good version keeps running"), "{told}");
    red(&console, 188);
    fs::write(&file, "").unwrap();
    fs::remove_file(&file).unwrap();
    notice(&console, "is missing");
    red(&console, 188);
    fs::write(&file, grey(1.0)).unwrap();
    red(&console, 255);
    assert!(console.stop());
}

#[test]
fn a_project_is_opened_with_what_its_shaders_files_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    let text =
        |file: &str| format!("(version: 1, shaders: [(id: 1, name: \"a\", file: \"{file}\", source: \"embedded\")])");
    let source = |path: &Path| load(path).unwrap().project.shaders.get(ShaderId(1)).unwrap().source.clone();
    fs::create_dir(folder.path().join("shaders")).unwrap();
    fs::write(folder.path().join("shaders/a.frag"), "from its file").unwrap();
    fs::write(folder.path().join("empty.frag"), " \n").unwrap();
    // A pipe that nobody writes into would be waited for for ever.
    let pipe = folder.path().join("pipe.frag");
    assert!(Process::new("bash").args(["-c", "mkfifo \"$0\""]).arg(&pipe).status().unwrap().success());
    for (file, expected) in [
        ("shaders/a.frag", "from its file"),
        ("gone.frag", "embedded"),
        ("empty.frag", "embedded"),
        ("pipe.frag", "embedded"),
        ("shaders/../shaders/a.frag", "embedded"),
    ] {
        fs::write(&path, text(file)).unwrap();
        assert_eq!(source(&path), expected, "{file}");
    }
}

#[test]
fn a_shaders_file_changes_only_the_shader_that_names_it_and_is_no_step_of_undo() {
    let mut project = small_rig();
    put(&mut project, 1, grey(0.1), Some("a.frag"));
    put(&mut project, 2, grey(0.1), None);
    let mut show = Show::new(project, Some("show.ron".into()), Instant::now());
    let mut read = |id: u32, project: &str, file: &str| {
        let (id, project, file, source) = (ShaderId(id), project.into(), file.to_owned(), grey(0.9));
        show.apply(Command::ShaderSource(ShaderSource { id, project, file, source }), Moment::default());
        let changed = show.project.shaders.get(id).is_some_and(|shader| shader.source == grey(0.9));
        (changed, show.dirty(), show.history().undo_title().is_some())
    };
    for (id, project, file) in [(1, "other.ron", "a.frag"), (1, "show.ron", "b.frag"), (2, "show.ron", "a.frag")] {
        assert_eq!(read(id, project, file), (false, false, false), "{id} {project} {file}");
    }
    assert_eq!(read(1, "show.ron", "a.frag"), (true, true, false));
}

#[test]
fn a_show_that_starts_with_a_broken_shader_lights_every_other_scene_and_effect() {
    let mut project = small_rig();
    let half = |id| Effect { opacity: Modulated::from(0.25), ..built_in(id, "solid") };
    let broken = "// about: Broken.\nvec4 effect(Lamp lamp) {\n    return vec4(colour);\n}\n";
    // With the broken one above, below and between; each scene gives a quarter of red.
    let effect = put(&mut project, 9, broken.into(), None);
    add_scene(&mut project, 1, vec![effect.clone(), half(1)]);
    add_scene(&mut project, 2, vec![half(2), Effect { blend: Blend::Mask, id: EffectId(10), ..effect.clone() }]);
    add_scene(&mut project, 3, vec![Effect { id: EffectId(11), ..effect }]);
    add_scene(&mut project, 4, vec![half(4)]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    let text = glowdeck::storage::format::to_text(&project, &[]).unwrap();
    fs::write(&path, text).unwrap();
    let console = start(load(&path).unwrap().project, Some(path));
    // Three quarters in linear light.
    red(&console, 225);
    let told = console.notices.iter().find(|notice| notice.severity == Severity::Error).unwrap().to_string();
    assert!(told.contains("Shader own 9 failed at line 3") && told.contains("colour"), "{told}");
    assert!(told.contains("stay dark until it is mended"), "{told}");
    assert!(console.commands.send(Command::Inject(Fault::ContextLoss)));
    notice(&console, "starts again");
    notice(&console, "own 9 failed at line 3");
    red(&console, 225);
    // And one that comes while the show runs, so that a scene first waits for what the compiler says.
    let shader = Shader { id: ShaderId(12), name: "own 12".into(), source: broken.into(), file: None, library: None };
    let effects = vec![Effect::new(EffectId(12), ShaderRef::Project(shader.id)), half(13)];
    let scene = Scene { effects, ..Scene::new(SceneId(5), Cell { column: 5, row: 0 }, "new") };
    for edit in [Edit::Put(Entry::Shader(shader.into())), Edit::Put(Entry::Scene(scene.into()))] {
        assert!(console.commands.send(Command::Edit { edit, gesture: None }));
    }
    assert!(console.commands.send(LiveCommand::Activate(SceneId(5), true)));
    notice(&console, "own 12 failed at line 3");
    red(&console, 255);
    assert!(console.stop());
}

#[test]
fn the_snapshot_says_what_the_compiler_thinks_of_a_shader_that_somebody_looks_at() {
    let mut project = small_rig();
    put(&mut project, 7, grey(0.5), None);
    let shader = ShaderRef::Project(ShaderId(7));
    let console = start(project, None);
    assert!(console.commands.send(Command::WatchThumbnails(vec![ThumbnailKey::Effect(shader.clone())])));
    let verdict = |source: &str, wanted: fn(&Verdict) -> bool| {
        snapshot_when(&console, source, |snapshot| {
            let view = snapshot.shader(&shader);
            view.is_some_and(|view| *view.source == *source && wanted(&view.verdict) && view.runs)
        });
    };
    verdict(&grey(0.5), |verdict| *verdict == Verdict::Good);
    let edit = |source: &str| {
        let changed =
            Shader { id: ShaderId(7), name: "own 7".into(), source: source.into(), file: None, library: None };
        let edit = Edit::Put(Entry::Shader(changed.into()));
        assert!(console.commands.send(Command::Edit { edit, gesture: None }));
    };
    let broken = grey(0.25).replace("vec3(0.25)", "vec3(missing)");
    edit(&broken);
    verdict(
        &broken,
        |verdict| matches!(verdict, Verdict::Failed(errors) if errors[0].line == 2 && errors[0].message.contains("missing")),
    );
    let twice = "vec4 effect(Lamp lamp) {\n    float a = missing;\n    float b = absent;\n    return vec4(a + b);\n}\n";
    edit(twice);
    verdict(twice, |verdict| match verdict {
        Verdict::Failed(errors) => [(2, "missing"), (3, "absent")]
            .iter()
            .all(|(line, name)| errors.iter().any(|error| error.line == *line && error.message.contains(name))),
        _ => false,
    });
    let headless = "// param: x\n".to_owned() + &grey(0.25);
    edit(&headless);
    verdict(&headless, |verdict| matches!(verdict, Verdict::Failed(errors) if errors[0].line == 1));
    edit(&grey(0.25));
    verdict(&grey(0.25), |verdict| *verdict == Verdict::Good);
}
