//! Programs by key: the shaders and blend modes of a scene, never its values.
//!
//! On the render thread. A program that was compiled once is kept while a scene can sound with it; a new one is first
//! warmed by the compiler thread, where there is one.

use super::compiler::{Compiler, Job};
use super::score::{ProgramKey, Score, ScoredScene};
use crate::gl::gpu::{Gpu, Program};
use crate::model::effect::{Blend, ShaderRef};
use crate::notice::Notice;
use crate::shading::errors::{first_error, without_suffix};
use crate::shading::fuse::{Part, Sources, fuse};
use crate::shading::{ShaderError, ShaderText};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

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
    /// Whether it is ready to replace what is in its target instead of being mixed into it; a software driver compiles
    /// anew for that.
    pub replaces: bool,
}

enum Entry {
    Ready(SceneProgram),
    /// With the compiler; the name is the scene's that asked first.
    Warming(Arc<Sources>, String),
    /// The driver refused it.
    Refused,
}

/// Programs of all scenes.
#[derive(Default)]
pub struct Programs(HashMap<ProgramKey, Entry>);

impl Programs {
    /// The program of a key, when it is ready.
    pub fn get(&self, key: &ProgramKey) -> Option<&SceneProgram> {
        match self.0.get(key)? {
            Entry::Ready(program) => Some(program),
            Entry::Warming(..) | Entry::Refused => None,
        }
    }

    /// Asks for what is wanted and frees what neither that nor what is playing or previewed needs. Scenes for which `at_once` is true, and all of
    /// them without a compiler, get their programs here and now. Says what the driver refused.
    pub fn follow(
        &mut self,
        wanted: &Score,
        playing: &Score,
        previews: &[(ShaderRef, ScoredScene)],
        gpu: &Gpu,
        compiler: Option<&Compiler>,
        at_once: impl Fn(&ScoredScene) -> bool,
    ) -> Vec<Notice> {
        let previews = previews.iter().map(|(_, preview)| preview);
        let scenes = wanted.scenes.iter().chain(&playing.scenes).chain(previews);
        let needed: HashSet<&ProgramKey> = scenes.map(|scene| &scene.key).collect();
        self.0.retain(|key, _| needed.contains(key));
        let mut notices = Vec::new();
        for scene in &wanted.scenes {
            let compiler = compiler.filter(|_| !at_once(scene));
            notices.extend(self.ask(scene, gpu, compiler));
        }
        notices
    }

    /// Asks for the next program that only a preview needs: one after the other, so that an edit never waits for many.
    pub fn follow_previews(
        &mut self,
        previews: &[(ShaderRef, ScoredScene)],
        gpu: &Gpu,
        compiler: Option<&Compiler>,
    ) -> Vec<Notice> {
        let mut notices = Vec::new();
        for (_, preview) in previews {
            notices.extend(self.ask(preview, gpu, compiler));
            if matches!(self.0.get(&preview.key), Some(Entry::Warming(..))) {
                break;
            }
        }
        notices
    }

    /// Has a program made that is not there, by the compiler where there is one.
    fn ask(&mut self, scene: &ScoredScene, gpu: &Gpu, compiler: Option<&Compiler>) -> Option<Notice> {
        if self.0.contains_key(&scene.key) {
            return None;
        }
        let parts: Vec<Part<'_>> = scene.parts().collect();
        let sources = Arc::new(fuse(&parts, scene.key.covers(), gpu.recipe()));
        let job = || Job::Warm(scene.key.clone(), Arc::clone(&sources));
        let name = scene.scene.name.clone();
        if compiler.is_some_and(|compiler| compiler.send(job())) {
            self.0.insert(scene.key.clone(), Entry::Warming(sources, name));
            return None;
        }
        self.link(&scene.key, &sources, &name, gpu, compiler)
    }

    /// From now on a program may replace what is in the target.
    pub fn second_warmed(&mut self, key: &ProgramKey) {
        if let Some(Entry::Ready(program)) = self.0.get_mut(key) {
            program.replaces = true;
        }
    }

    /// Takes over a program that the compiler has warmed. Says when the driver refused it.
    pub fn warmed(&mut self, key: &ProgramKey, gpu: &Gpu, compiler: Option<&Compiler>) -> Option<Notice> {
        let Some(Entry::Warming(sources, name)) = self.0.get(key) else { return None };
        let (sources, name) = (Arc::clone(sources), name.clone());
        self.link(key, &sources, &name, gpu, compiler)
    }

    fn link(
        &mut self,
        key: &ProgramKey,
        sources: &Arc<Sources>,
        name: &str,
        gpu: &Gpu,
        compiler: Option<&Compiler>,
    ) -> Option<Notice> {
        let (entry, notice) = match link(sources, gpu) {
            Ok(mut program) => {
                program.replaces = !gpu.software() || compiler.is_none();
                if let (true, Some(compiler)) = (gpu.software(), compiler) {
                    compiler.send(Job::WarmSecond(key.clone(), Arc::clone(sources)));
                }
                (Entry::Ready(program), None)
            }
            Err(log) => {
                let reason = log.lines().next().unwrap_or("no reason given");
                let text = format!("The driver refused scene {name} ({reason}); it stays dark, the others go on.");
                (Entry::Refused, Some(Notice::error("shader", text)))
            }
        };
        self.0.insert(key.clone(), entry);
        notice
    }
}

/// Links a scene's program, ready to draw.
///
/// # Errors
/// The driver's log.
pub fn link(sources: &Sources, gpu: &Gpu) -> Result<SceneProgram, String> {
    let program = gpu.program_from(&sources.vertex, &sources.fragment)?;
    program.set_block("GlowBlock", BLOCK_BINDING);
    for (unit, name) in (0..).zip(SAMPLERS) {
        program.set_sampler(name, unit);
    }
    let reads = SAMPLERS.map(|name| program.reads(name));
    Ok(SceneProgram { program, reads, replaces: false })
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
