//! `glowdeck bench session`: what operators do in an evening, compressed into laps, and what is left of it in memory.
//!
//! In a lap every scene is launched and stopped, every panel opened and closed in both arrangements, a shader edited
//! again and again, and the project read from its file anew. A lap ends as it began, so that memory, textures and GL
//! objects must be those of the lap before. The measurement runs on a thread beside the window. Deliberately absent:
//! rates, which `bench ui` and `bench rig` measure.

use super::hand::Script;
use super::process::rss_mib;
use super::scratch::Scratch;
use super::stall::{Stall, StallError, address, with_window};
use super::ui::play;
use super::ui_project::ui_project;
use crate::app::probe::Touch;
use crate::app::workspace::{Arrangement, Panel};
use crate::gl::counted::gl_objects;
use crate::model::edit::{Edit, Entry, SceneField};
use crate::model::effect::{Effect, ShaderRef};
use crate::model::id::{EffectId, SceneId, ShaderId};
use crate::model::project::{Project, Shader};
use crate::shading::fuse::Dialect;
use crate::show::command::{Command, LiveCommand};
use crate::storage::format::to_text;
use crate::storage::load::load;
use clap::Args;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A scene sounds for so long.
const SOUNDS: Duration = Duration::from_millis(100);
/// After an edit of a shader: it compiles.
const COMPILES: Duration = Duration::from_millis(200);
/// At the end of a lap: everything is as it was.
const SETTLE: Duration = Duration::from_secs(2);
/// The scene whose shader is edited, and the shader.
const SCENE: SceneId = SceneId(1);
const SHADER: ShaderId = ShaderId(1);

/// What to do.
#[derive(Clone, Debug, Args)]
pub struct SessionOptions {
    /// How often all of it is done
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub laps: u16,
    /// Scenes of the show, all of them launched in each lap
    #[arg(long, default_value_t = 48, value_parser = clap::value_parser!(u8).range(1..=48))]
    pub scenes: u8,
    /// Fixtures of ten lamps each
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub fixtures: u16,
    /// Edits of a shader in each lap
    #[arg(long, default_value_t = 20)]
    pub edits: u16,
    /// How often the project is read in each lap
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub loads: u16,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// What is there at the end of a lap.
#[derive(Debug, Serialize)]
struct Lap {
    lap: u16,
    rss_mib: f64,
    /// Of the window and of the render thread.
    textures: usize,
    /// Textures, framebuffers, programs, buffers, vertex arrays and queries.
    gl_objects: usize,
    /// Passes of the window so far.
    passes: u64,
}

/// Does it and prints a row for each lap.
///
/// # Errors
/// When there is no display, a part does not start or fails.
pub fn run(options: &SessionOptions, dialect: Option<Dialect>) -> Result<(), StallError> {
    let project = ui_project(options.scenes, options.fixtures, address());
    let folder = Scratch::new()?;
    let path = folder.0.join("session.ron");
    let text = to_text(&project, &[]).map_err(io::Error::other)?;
    fs::write(&path, text)?;
    if !options.json {
        println!("{:>4} {:>8} {:>9} {:>11} {:>7}", "lap", "RSS MiB", "textures", "GL objects", "passes");
    }
    with_window("session", project, dialect, |stall| {
        stall.wait_for_window()?;
        for number in 1..=options.laps {
            lap(options, stall, number, &path)?.print(options.json);
        }
        Ok(())
    })
}

fn lap(options: &SessionOptions, stall: &Stall<'_>, number: u16, path: &Path) -> Result<Lap, StallError> {
    for id in (1..=options.scenes).map(|id| SceneId(id.into())) {
        stall.tell(LiveCommand::Activate(id, true));
        stall.wait(SOUNDS)?;
        stall.tell(LiveCommand::Activate(id, false));
    }
    play(stall, panels())?;
    stall.tell(LiveCommand::Activate(SCENE, true));
    for edit in 0..options.edits {
        edits(number, edit).into_iter().for_each(|edit| stall.tell(Command::Edit { edit, gesture: None }));
        stall.wait(COMPILES)?;
    }
    for _ in 0..options.loads {
        stall.tell(Command::Load { project: Box::new(read(path)?), path: None });
        stall.wait(COMPILES)?;
    }
    // What the last pass left is seen by the next one.
    stall.wait(SETTLE)?;
    play(stall, vec![vec![Touch::Leave], Vec::new()])?;
    let gl = gl_objects();
    let egui = stall.orders.textures();
    Ok(Lap {
        lap: number,
        rss_mib: rss_mib(),
        textures: gl.textures + egui,
        gl_objects: gl.objects + egui,
        passes: stall.orders.passes(),
    })
}

/// As the storage thread reads it.
fn read(path: &Path) -> Result<Project, StallError> {
    Ok(load(path).map_err(io::Error::other)?.project)
}

/// A shader that was never seen, and a scene that plays it.
fn edits(lap: u16, number: u16) -> [Edit; 2] {
    let source = format!(
        "// title: Edited\n// about: A shader under the author's hands.\nconst float K = {lap}.0 + {number}.0 / 997.0;\n\
         vec4 effect(Lamp lamp) {{ return vec4(primary * fract(lamp.uv.x + progress + K), 1.0); }}\n"
    );
    let shader = Shader { id: SHADER, name: "edited".into(), source, file: None, library: None };
    let effect = Effect::new(EffectId(1), ShaderRef::Project(SHADER));
    [Edit::Put(Entry::Shader(Arc::new(shader))), Edit::Scene(SCENE, SceneField::Effects(vec![effect]))]
}

/// Every panel is opened, looked at and closed in both arrangements, which are then as they came.
fn panels() -> Script {
    let mut script = Script::new();
    let look = |panel| [vec![Touch::Open(panel)], vec![Touch::Move(panel, [0.5, 0.3])], vec![Touch::Wheel(-60.0)]];
    for arrangement in [Arrangement::Design, Arrangement::Perform] {
        script.push(vec![Touch::Arrange(arrangement)]);
        for panel in Panel::ALL {
            script.extend(look(panel));
            script.push(vec![Touch::Close(panel)]);
        }
        script.extend([Panel::Grid, Panel::Stage].into_iter().flat_map(look));
    }
    script.push(vec![Touch::Leave]);
    script
}

impl Lap {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        let Self { lap, rss_mib, textures, gl_objects, passes } = self;
        println!("{lap:>4} {rss_mib:>8.1} {textures:>9} {gl_objects:>11} {passes:>7}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shader_comes_twice_and_all_panels_are_opened_and_closed() {
        let sources = (1..4).flat_map(|lap| (0..20).map(move |number| format!("{:?}", edits(lap, number)[0])));
        assert_eq!(sources.collect::<std::collections::HashSet<_>>().len(), 60);
        let touches = panels().concat();
        for panel in Panel::ALL {
            let at = |wanted| touches.iter().filter(|touch| **touch == wanted).count();
            assert!(at(Touch::Open(panel)) >= 2 && at(Touch::Close(panel)) == 2, "{panel:?}");
        }
    }
}
