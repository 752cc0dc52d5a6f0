//! Programs by key: the shaders and blend modes of a scene, never its values.
//!
//! On the render thread. A program that was compiled once is kept while a scene can sound with it.

use super::score::{ProgramKey, Score};
use crate::gl::gpu::{Gpu, Program};
use crate::model::effect::Blend;
use crate::notice::Notice;
use crate::shading::errors::{first_error, without_suffix};
use crate::shading::fuse::{Part, Sources, fuse};
use crate::shading::{ShaderError, ShaderText};
use std::collections::{HashMap, HashSet};

/// Input textures by sampler name, in the order of their texture units.
pub const SAMPLERS: [&str; 6] =
    ["glow_layout", "glow_groups", "glow_frames", "glow_fixtures", "glow_chains", "glow_palette"];

/// The binding of a scene's numbers.
pub const BLOCK_BINDING: u32 = 0;

/// A scene's program and which of [`SAMPLERS`] it reads.
pub struct SceneProgram {
    /// What is drawn.
    pub program: Program,
    /// Whether it reads each sampler.
    pub reads: [bool; SAMPLERS.len()],
}

/// Programs of all scenes; `None` for one that the driver refused.
#[derive(Default)]
pub struct Programs(HashMap<ProgramKey, Option<SceneProgram>>);

impl Programs {
    /// The program of a key.
    pub fn get(&self, key: &ProgramKey) -> Option<&SceneProgram> {
        self.0.get(key)?.as_ref()
    }

    /// Compiles what the score needs and frees what it no longer does. Says what the driver refused.
    pub fn follow(&mut self, score: &Score, gpu: &Gpu) -> Vec<Notice> {
        let wanted: HashSet<&ProgramKey> = score.scenes.iter().map(|scene| &scene.key).collect();
        self.0.retain(|key, _| wanted.contains(key));
        let mut notices = Vec::new();
        for scene in &score.scenes {
            if self.0.contains_key(&scene.key) {
                continue;
            }
            let parts: Vec<Part<'_>> = scene.parts().collect();
            let program = link(&fuse(&parts, scene.key.covers, gpu.recipe()), gpu);
            if let Err(log) = &program {
                let name = &scene.scene.name;
                let text =
                    format!("The driver refused scene {name} ({}); it stays dark, the others go on.", one_line(log));
                notices.push(Notice::error("shader", text).keyed(format!("scene {}", scene.scene.id)));
            }
            self.0.insert(scene.key.clone(), program.ok());
        }
        notices
    }
}

fn link(sources: &Sources, gpu: &Gpu) -> Result<SceneProgram, String> {
    let program = gpu.program_from(&sources.vertex, &sources.fragment)?;
    program.set_block("GlowBlock", BLOCK_BINDING);
    for (unit, name) in (0..).zip(SAMPLERS) {
        program.set_sampler(name, unit);
    }
    let reads = SAMPLERS.map(|name| program.reads(name));
    Ok(SceneProgram { program, reads })
}

fn one_line(log: &str) -> &str {
    log.lines().next().unwrap_or("no reason given")
}

/// Compiles a shader as the only effect of a program.
///
/// # Errors
/// The first error, at the author's own line.
pub fn check_alone(text: &ShaderText, gpu: &Gpu) -> Result<(), ShaderError> {
    let part = Part { text, blend: Blend::Add, own_selection: false };
    let sources = fuse(&[part], false, gpu.recipe());
    gpu.program_from(&sources.vertex, &sources.fragment).map(drop).map_err(|log| {
        let found = first_error(&log, |message| without_suffix(message, 1));
        if found.source == 1 {
            return found.error;
        }
        // The author's code is well by itself but does not fit where it is called.
        let message = format!("`vec4 effect(Lamp lamp)` does not fit the program: {}", found.error.message);
        ShaderError { line: 1, message }
    })
}
