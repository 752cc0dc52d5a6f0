//! The projects that come with Glowdeck: each loads without a problem and is what its recipe says.
//!
//! `GLOWDECK_WRITE_PROJECTS=1 cargo test --test projects` writes them anew after a recipe has changed.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/demo.rs"]
mod demo;
#[path = "support/demo_colours.rs"]
mod demo_colours;
#[path = "support/demo_look.rs"]
mod demo_look;
#[path = "support/hello.rs"]
mod hello;

use glowdeck::model::effect::{ParamValue, ShaderRef};
use glowdeck::model::project::Project;
use glowdeck::shading::header::ParamKind;
use glowdeck::shading::library::read_built_in;
use glowdeck::storage::check::check_report;
use glowdeck::storage::format::to_text;
use glowdeck::storage::load::load;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("projects")
}

fn project_files() -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "ron")).collect()
}

fn check_recipe(name: &str, recipe: &Project) {
    let path = folder().join(name);
    let text = to_text(recipe, &[]).unwrap();
    if std::env::var_os("GLOWDECK_WRITE_PROJECTS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let loaded = load(&path).unwrap();
    assert_eq!(loaded.problems, []);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name} is not what its recipe makes");
    assert_eq!(&loaded.project, recipe);
}

#[test]
fn hello_is_what_its_recipe_makes() {
    check_recipe("hello.ron", &hello::hello());
}

#[test]
fn the_demo_is_what_its_recipe_makes() {
    check_recipe("demo.ron", &demo::demo());
}

#[test]
fn every_project_loads_without_a_problem_and_nothing_looks_wrong_with_it() {
    let files = project_files();
    assert!(files.len() >= 2);
    for path in files {
        let report = check_report(&path).unwrap();
        assert!(report.is_clean(), "{report}");
    }
}

#[test]
fn the_demo_is_worth_looking_at() {
    let report = check_report(&folder().join("demo.ron")).unwrap();
    assert!((3000..=6000).contains(&report.lamps) && (20..=40).contains(&report.universes), "{report}");
    let demo = demo::demo();
    assert!(demo.scenes.iter().all(|scene| (1..=4).contains(&scene.effects.len())));
    assert_eq!(demo.scenes.iter().filter(|scene| scene.active).count(), 3);
    assert!(demo.grid.quick_cells().all(|cell| demo.scene_at(cell).is_some()));
}

#[test]
fn every_parameter_of_a_project_is_one_that_its_shader_declares() {
    for path in project_files() {
        let project = load(&path).unwrap().project;
        for effect in project.scenes.iter().flat_map(|scene| &scene.effects) {
            let ShaderRef::BuiltIn(name) = &effect.shader else { continue };
            let header = read_built_in(name).unwrap_or_else(|error| panic!("{}: {error}", path.display())).header;
            for (param, value) in &effect.params {
                let kind = header.params.iter().find(|declared| declared.name == *param).map(|declared| &declared.kind);
                let fits = match (kind, value) {
                    (Some(ParamKind::Float { min, max, .. }), ParamValue::Number(n)) => (min..=max).contains(&&n.base),
                    (Some(ParamKind::Int { min, max, .. }), ParamValue::Number(n)) => {
                        (*min as f32..=*max as f32).contains(&n.base)
                    }
                    (Some(ParamKind::Percent { .. }), ParamValue::Number(n)) => (0.0..=100.0).contains(&n.base),
                    (Some(ParamKind::Degrees { .. }), ParamValue::Number(_))
                    | (Some(ParamKind::Bool { .. }), ParamValue::Switch(_))
                    | (Some(ParamKind::Point { .. }), ParamValue::Point(..))
                    | (Some(ParamKind::Colour { .. }), ParamValue::Colour(_)) => true,
                    (Some(ParamKind::Choice { names, .. }), ParamValue::Choice(name)) => names.contains(name),
                    _ => false,
                };
                assert!(fits, "{}: effect {} sets {param} to {value:?}", path.display(), effect.id);
            }
        }
    }
}
