//! Programs by key: the shaders and blend modes of a scene, never its values.
//!
//! On the render thread. A program that was compiled once is kept while a scene can sound with it; a new one is first
//! warmed by the compiler thread, where there is one, and linked here when its turn comes.

use super::compiler::Compiler;
use super::queue::{Job, Urgency};
use super::score::{ProgramKey, Score, ScoredScene};
use crate::gl::gpu::{Gpu, Program};
use crate::model::effect::{Blend, ShaderRef};
use crate::notice::Notice;
use crate::shading::errors::{Located, all_errors, without_suffix};
use crate::shading::fuse::{Part, Recipe, Sources, fuse};
use crate::shading::{ShaderError, ShaderText};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Input textures by sampler name, in the order of their texture units.
pub const SAMPLERS: [&str; 6] =
    ["glow_layout", "glow_groups", "glow_frames", "glow_fixtures", "glow_chains", "glow_palette"];

/// The binding of a scene's numbers.
pub const BLOCK_BINDING: u32 = 0;
/// Bytes that any program's block may read; the least that every context allows (GLES 3.0, GL_MAX_UNIFORM_BLOCK_SIZE).
pub const BLOCK_BYTES: usize = 16 * 1024;

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

/// A program on its way.
struct Coming {
    sources: Arc<Sources>,
    /// Of the scene that asked first; `None` for one effect of a scene, whose loss is not worth a word.
    scene: Option<String>,
    /// Whether the driver has it in its cache, so that linking takes a moment.
    warm: bool,
}

enum Entry {
    /// With its sources, which the compiler may still want.
    Ready(SceneProgram, #[expect(dead_code, reason = "jobs that nobody holds are forgotten")] Arc<Sources>),
    Coming(Coming),
    /// The driver refused it.
    Refused,
}

/// What programs are made with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// The render thread's own context.
    pub gpu: &'a Gpu,
    /// Where new programs are compiled; without one they are linked here and now.
    pub compiler: Option<&'a Compiler>,
}

impl Means<'_> {
    /// The same, without a compiler where it is too far away.
    fn unless(self, at_once: bool) -> Self {
        Self { compiler: self.compiler.filter(|_| !at_once), ..self }
    }
}

/// Programs of all scenes.
#[derive(Default)]
pub struct Programs {
    entries: HashMap<ProgramKey, Entry>,
    /// Whether any may be waiting to be linked.
    waiting: bool,
}

impl Programs {
    /// The program of a key, when it is ready.
    pub fn get(&self, key: &ProgramKey) -> Option<&SceneProgram> {
        match self.entries.get(key)? {
            Entry::Ready(program, _) => Some(program),
            Entry::Coming(_) | Entry::Refused => None,
        }
    }

    /// Asks for what is wanted, scenes that are `settling` excepted, and frees what neither that nor what is playing
    /// or previewed needs. Scenes for which `at_once` is true, and all of them without a compiler, get their programs here and
    /// now. Says what the driver refused.
    pub fn follow(
        &mut self,
        wanted: &Score,
        playing: &Score,
        previews: &[(ShaderRef, ScoredScene)],
        means: Means<'_>,
        at_once: impl Fn(&ScoredScene) -> bool,
        settling: impl Fn(&ScoredScene) -> bool,
    ) -> Vec<Notice> {
        let bridges = || wanted.scenes.iter().flat_map(ScoredScene::bridge_keys).map(|(_, key)| key);
        let previewed = previews.iter().map(|(_, preview)| preview);
        let scenes = wanted.scenes.iter().chain(&playing.scenes).chain(previewed).map(|scene| scene.key.clone());
        let needed: HashSet<ProgramKey> = scenes.chain(bridges()).collect();
        self.entries.retain(|key, _| needed.contains(key));
        self.waiting = true;
        let mut notices = Vec::new();
        for scene in &wanted.scenes {
            if !settling(scene) {
                notices.extend(self.ask(scene, Urgency::Scene, means.unless(at_once(scene))));
            }
        }
        for scene in &wanted.scenes {
            let lit = self.get(&scene.key).is_some() || playing.serving(scene).is_some();
            self.ask_for_bridges(scene, if lit { Urgency::Spare } else { Urgency::Bridge }, means);
        }
        notices
    }

    /// Asks for the next program that only a preview needs: one after the other, so that an edit never waits for many.
    pub fn follow_previews(&mut self, previews: &[(ShaderRef, ScoredScene)], means: Means<'_>) -> Vec<Notice> {
        let mut notices = Vec::new();
        for (_, preview) in previews {
            notices.extend(self.ask(preview, Urgency::Spare, means));
            if matches!(self.entries.get(&preview.key), Some(Entry::Coming(_))) {
                break;
            }
        }
        notices
    }

    /// Has a program made that is not there, by the compiler where there is one.
    fn ask(&mut self, scene: &ScoredScene, urgency: Urgency, means: Means<'_>) -> Option<Notice> {
        if self.entries.contains_key(&scene.key) {
            return None;
        }
        let parts: Vec<Part<'_>> = scene.parts().collect();
        let sources = Arc::new(fuse(&parts, scene.key.covers(), means.gpu.recipe()));
        let name = Some(scene.scene.name.clone());
        match self.send(&scene.key, &sources, name.clone(), urgency, means) {
            true => None,
            false => self.link(&scene.key, sources, name, means),
        }
    }

    fn ask_for_bridges(&mut self, scene: &ScoredScene, urgency: Urgency, means: Means<'_>) {
        if means.compiler.is_none() {
            return;
        }
        for (place, key) in scene.bridge_keys() {
            if !self.entries.contains_key(&key) {
                let part = Part { blend: Blend::Add, ..scene.effects[place].part() };
                let sources = Arc::new(fuse(&[part], key.covers(), means.gpu.recipe()));
                self.send(&key, &sources, None, urgency, means);
            }
        }
    }

    /// Hands a program to the compiler; `false` where there is none.
    fn send(
        &mut self,
        key: &ProgramKey,
        sources: &Arc<Sources>,
        scene: Option<String>,
        urgency: Urgency,
        means: Means<'_>,
    ) -> bool {
        let weak = Arc::downgrade(sources);
        let job = Job::Warm { key: key.clone(), sources: weak, urgency, second: false };
        let sent = means.compiler.is_some_and(|compiler| compiler.send(job));
        if sent {
            let coming = Coming { sources: Arc::clone(sources), scene, warm: false };
            self.entries.insert(key.clone(), Entry::Coming(coming));
        }
        sent
    }

    /// From now on a program may replace what is in the target. Gives it to be tried out so.
    pub fn second_warmed(&mut self, key: &ProgramKey) -> Option<&SceneProgram> {
        match self.entries.get_mut(key)? {
            Entry::Ready(program, _) => {
                program.replaces = true;
                Some(program)
            }
            Entry::Coming(_) | Entry::Refused => None,
        }
    }

    /// The compiler has warmed a program.
    pub fn warmed(&mut self, key: &ProgramKey) {
        if let Some(Entry::Coming(coming)) = self.entries.get_mut(key) {
            coming.warm = true;
            self.waiting = true;
        }
    }

    /// Links one program that is warm and of use now: a scene's own, else one effect of a scene that is dark, else a
    /// preview's. One a frame, so that none is late. Says which, and when the driver refused it.
    pub fn link_next(
        &mut self,
        wanted: &Score,
        playing: &Score,
        previews: &[(ShaderRef, ScoredScene)],
        means: Means<'_>,
    ) -> Option<(ProgramKey, Option<Notice>)> {
        if !self.waiting {
            return None;
        }
        let warm = |key: &ProgramKey| matches!(self.entries.get(key), Some(Entry::Coming(coming)) if coming.warm);
        let whole = wanted.scenes.iter().map(|scene| &scene.key).find(|key| warm(key)).cloned();
        let served = |scene: &&ScoredScene| {
            self.get(&scene.key).is_some() || playing.serving(scene).is_some_and(|old| self.get(&old.key).is_some())
        };
        let mut dark = wanted.scenes.iter().filter(|scene| !served(scene)).flat_map(ScoredScene::bridge_keys);
        let bridge = || dark.find_map(|(_, key)| warm(&key).then_some(key));
        let preview = || previews.iter().map(|(_, preview)| &preview.key).find(|key| warm(key)).cloned();
        let Some(key) = whole.or_else(bridge).or_else(preview) else {
            self.waiting = false;
            return None;
        };
        let Some(Entry::Coming(Coming { sources, scene, .. })) = self.entries.remove(&key) else { return None };
        let notice = self.link(&key, sources, scene, means);
        Some((key, notice))
    }

    fn link(
        &mut self,
        key: &ProgramKey,
        sources: Arc<Sources>,
        scene: Option<String>,
        means: Means<'_>,
    ) -> Option<Notice> {
        let (entry, notice) = match link(&sources, means.gpu) {
            Ok(mut program) => {
                program.replaces = !means.gpu.software() || means.compiler.is_none();
                if let (true, Some(compiler)) = (means.gpu.software(), means.compiler) {
                    let (key, sources) = (key.clone(), Arc::downgrade(&sources));
                    compiler.send(Job::Warm { key, sources, urgency: Urgency::Spare, second: true });
                }
                (Entry::Ready(program, sources), None)
            }
            Err(log) => {
                let reason = log.lines().next().unwrap_or("no reason given");
                let text = |name| {
                    format!("The driver refused scene {name} ({reason}); its effects run one by one, the others go on.")
                };
                (Entry::Refused, scene.map(|name| Notice::error("shader", text(name))))
            }
        };
        self.entries.insert(key.clone(), entry);
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

/// A shader as the only effect of a program.
pub fn alone(text: &ShaderText, recipe: Recipe) -> Sources {
    fuse(&[Part { text, blend: Blend::Add, own_selection: false }], false, recipe)
}

/// Compiles a shader as the only effect of a program.
///
/// # Errors
/// Every error that the driver names, at the author's own lines; never none.
pub fn check_alone(text: &ShaderText, gpu: &Gpu) -> Result<(), Vec<ShaderError>> {
    let sources = alone(text, gpu.recipe());
    gpu.program_from(&sources.vertex, &sources.fragment).map(drop).map_err(|log| authors_errors(text, &log))
}

fn authors_errors(text: &ShaderText, log: &str) -> Vec<ShaderError> {
    let (own, ours): (Vec<Located>, Vec<Located>) =
        all_errors(log, |message| without_suffix(message, 1)).into_iter().partition(|found| found.source == 1);
    // What is open at the end of the source is missed only behind it.
    let last = text.source.lines().count().max(1) as u32;
    let at_home = |error: ShaderError| ShaderError { line: error.line.clamp(1, last), ..error };
    let mut errors: Vec<ShaderError> = own.into_iter().map(|found| at_home(found.error)).collect();
    errors.sort_by_key(|error| error.line);
    if let (true, Some(first)) = (errors.is_empty(), ours.into_iter().next()) {
        // The author's code is well by itself but does not fit where it is called.
        let message = format!("`vec4 effect(Lamp lamp)` does not fit the program: {}", first.error.message);
        errors.push(ShaderError { line: 1, message });
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_author_come_before_what_follows_from_them_in_our_code() {
        let text = ShaderText::read("vec4 effect(Lamp lamp) {\n    return vec4(1.0);\n}\n").unwrap();
        let lines = |log: &str| authors_errors(&text, log).iter().map(|error| error.line).collect::<Vec<_>>();
        assert_eq!(lines("0:100003(1): error: b\n0:100002(1): error: a\n0:7(1): error: ours"), [2, 3]);
        assert_eq!(lines("0:100099(1): error: unexpected end of file"), [3], "the last line there is");
        assert_eq!(lines("0:7(1): error: ours\n0:9(1): error: ours too"), [1]);
        assert_eq!(lines(""), [1], "never none");
    }
}
