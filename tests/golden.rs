//! Golden frames: the hello project and every built-in effect give the lamp bytes they always gave, on desktop GL and
//! on GL ES, to within one step. `GLOWDECK_BLESS=1 cargo test --test golden` writes them anew; read the diff then.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::gl::gpu::Gpu;
use glowdeck::model::project::Project;
use glowdeck::offline::{Offline, frame_text};
use glowdeck::shading::fuse::Dialect;
use glowdeck::shading::library::BUILT_INS;
use glowdeck::storage::load::load;
use small_rig::{add_scene, built_in, small_rig};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Seconds; at 120 BPM before, within and after the first bar.
const TIMES: [f64; 4] = [0.0, 0.4, 1.3, 2.9];
/// A GPU's sine is exact, a processor's is not quite (`shading::prelude`), which shows most where an effect has edges.
const GPU_STEPS: u8 = 4;
const DIALECTS: [Dialect; 2] = [Dialect::Core330, Dialect::Es300];

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"))
}

fn rendered(project: &Project, dialect: Dialect) -> String {
    text_of(Offline::new(project.clone(), Some(dialect)).unwrap())
}

/// The same with the code for GPUs, whatever draws.
fn rendered_as_by_a_gpu(project: &Project) -> String {
    let gpu = Gpu::new(Some(Dialect::Es300)).unwrap().as_if_hardware();
    text_of(Offline::on(gpu, project.clone()).unwrap())
}

fn text_of(mut offline: Offline) -> String {
    assert_eq!(offline.notices, []);
    let mut text = String::new();
    for secs in TIMES {
        let _ = writeln!(text, "second {secs}");
        text.push_str(&frame_text(offline.frame(secs).unwrap()));
    }
    text
}

/// Words that are two hexadecimal digits may differ by so many steps; everything else must be equal.
fn differs(expected: &str, found: &str, steps: u8) -> Option<String> {
    let (expected_lines, found_lines) = (expected.lines().count(), found.lines().count());
    if expected_lines != found_lines {
        return Some(format!("{expected_lines} lines are expected, {found_lines} were rendered"));
    }
    for (number, (expected, found)) in (1..).zip(expected.lines().zip(found.lines())) {
        let same = expected.split(' ').count() == found.split(' ').count()
            && expected.split(' ').zip(found.split(' ')).all(|(a, b)| close(a, b, steps));
        if !same {
            return Some(format!("line {number}:\n  expected {expected}\n  rendered {found}"));
        }
    }
    None
}

fn close(a: &str, b: &str, steps: u8) -> bool {
    let byte = |word: &str| (word.len() == 2).then(|| u8::from_str_radix(word, 16).ok()).flatten();
    match (byte(a), byte(b)) {
        (Some(a), Some(b)) => a.abs_diff(b) <= steps,
        _ => a == b,
    }
}

fn check(name: &str, project: &Project) {
    let path = golden(name);
    if std::env::var_os("GLOWDECK_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, rendered(project, Dialect::Core330)).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("there is no {}", path.display()));
    assert!(expected.contains("ff") || expected.len() > 2000, "{name} is dark");
    for dialect in DIALECTS {
        let found = rendered(project, dialect);
        if let Some(difference) = differs(&expected, &found, 1) {
            panic!("{name} on {dialect:?}, {difference}");
        }
    }
    if let Some(difference) = differs(&expected, &rendered_as_by_a_gpu(project), GPU_STEPS) {
        panic!("{name} as by a GPU, {difference}");
    }
}

#[test]
fn hello_gives_the_bytes_it_always_gave() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("projects/hello.ron");
    check("hello", &load(&path).unwrap().project);
}

#[test]
fn every_built_in_effect_gives_the_bytes_it_always_gave() {
    for (name, _) in BUILT_INS {
        let mut project = small_rig();
        add_scene(&mut project, 1, vec![built_in(1, name)]);
        check(name, &project);
    }
}

#[test]
fn the_same_project_and_times_give_the_same_bytes() {
    let mut project = small_rig();
    let effects = BUILT_INS.iter().zip(1..).map(|((name, _), id)| built_in(id, name)).collect();
    add_scene(&mut project, 1, effects);
    assert_eq!(rendered(&project, Dialect::Core330), rendered(&project, Dialect::Core330));
}

#[test]
fn the_comparison_sees_two_steps_and_a_missing_line() {
    assert_eq!(differs("   1 0a ff", "   1 0b fe", 1), None);
    assert!(differs("   1 0a", "   1 0c", 1).is_some());
    assert!(differs("   1 0a\n", "", 1).is_some());
    assert!(differs("universe 1", "universe 2", 1).is_some());
}
