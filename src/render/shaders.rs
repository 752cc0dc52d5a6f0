//! The shaders in use and the last good version of each.
//!
//! On the render thread; sources are tried by the compiler thread, where there is one. A source that does not compile
//! never replaces one that did.

use super::compiler::Compiler;
use super::programs::check_alone;
use super::queue::Job;
use crate::gl::gpu::Gpu;
use crate::model::effect::ShaderRef;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::shading::{ShaderError, ShaderText, library};
use crate::show::snapshot::{ShaderFault, ShaderView, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A number for each source that ever compiled in this run; program keys are made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShaderVersion(pub u32);

/// A shader that compiles.
#[derive(Clone, Debug)]
pub struct GoodShader {
    /// Which source it is.
    pub version: ShaderVersion,
    /// Header and source.
    pub text: Arc<ShaderText>,
}

/// Every shader that the project's scenes use.
#[derive(Default)]
pub struct Shaders {
    good: BTreeMap<ShaderRef, GoodShader>,
    /// The source that was tried last, good or not.
    tried: BTreeMap<ShaderRef, Option<Arc<str>>>,
    /// Whose trial is out.
    trying: BTreeSet<ShaderRef>,
    /// What is wrong with the source that was tried last.
    failed: BTreeMap<ShaderRef, Arc<[ShaderFault]>>,
    versions: u32,
    views: Arc<Vec<ShaderView>>,
}

impl Shaders {
    /// The last good version; `None` where there never was one.
    pub fn good(&self, shader: &ShaderRef) -> Option<&GoodShader> {
        self.good.get(shader)
    }

    /// What the compiler thinks of each. The same `Arc` for as long as nothing is tried.
    pub fn views(&self) -> &Arc<Vec<ShaderView>> {
        &self.views
    }

    fn publish(&mut self) {
        let view = |(shader, source): (&ShaderRef, &Option<Arc<str>>)| {
            let verdict = match self.failed.get(shader) {
                _ if self.trying.contains(shader) => Verdict::Trying,
                Some(errors) => Verdict::Failed(Arc::clone(errors)),
                None => Verdict::Good,
            };
            let (shader, runs) = (shader.clone(), self.good.contains_key(shader));
            Some(ShaderView { shader, source: Arc::clone(source.as_ref()?), verdict, runs })
        };
        self.views = Arc::new(self.tried.iter().filter_map(view).collect());
    }

    /// Whether the compiler has not said yet what it thinks of the source.
    pub fn on_trial(&self, shader: &ShaderRef) -> bool {
        self.trying.contains(shader)
    }

    /// Follows the project, and shaders that are `previewed`: has sources tried that are new or changed. Says what
    /// fails here and now; without a compiler that is everything, and so it is for `at_once`.
    pub fn follow(
        &mut self,
        project: &Project,
        previewed: &BTreeSet<ShaderRef>,
        gpu: &Gpu,
        compiler: Option<&Compiler>,
        at_once: bool,
    ) -> Vec<Notice> {
        let used = project.scenes.iter().flat_map(|scene| scene.effects.iter().map(|effect| &effect.shader));
        let used: BTreeSet<&ShaderRef> = used.chain(previewed).collect();
        let mut notices = Vec::new();
        let mut news = false;
        for shader in used {
            let source = source_of(project, shader);
            if self.tried.get(shader).is_some_and(|tried| tried.as_deref() == source) {
                continue;
            }
            news = true;
            self.failed.remove(shader);
            self.tried.insert(shader.clone(), source.map(Arc::from));
            self.trying.remove(shader);
            let text = match read(source, shader) {
                Ok(text) => Arc::new(text),
                Err(error) => {
                    notices.push(self.failure(project, shader, vec![error]));
                    continue;
                }
            };
            let job = || Job::Try(shader.clone(), Arc::clone(&text));
            // Our own shaders are known to compile; their tests see to it.
            let trusted = matches!(shader, ShaderRef::BuiltIn(_));
            if trusted {
                self.accept(shader, text);
            } else if at_once || !compiler.is_some_and(|compiler| compiler.send(job())) {
                let result = check_alone(&text, gpu);
                notices.extend(self.tried(project, shader, text, result));
            } else {
                self.trying.insert(shader.clone());
            }
        }
        if news {
            self.publish();
        }
        notices
    }

    /// Takes the outcome of a trial, unless the source has changed again meanwhile.
    pub fn tried(
        &mut self,
        project: &Project,
        shader: &ShaderRef,
        text: Arc<ShaderText>,
        result: Result<(), Vec<ShaderError>>,
    ) -> Option<Notice> {
        let latest = self.tried.get(shader).and_then(Option::as_ref);
        if latest.is_none_or(|latest| **latest != *text.source) {
            return None;
        }
        self.trying.remove(shader);
        let notice = match result {
            Ok(()) => {
                self.accept(shader, text);
                None
            }
            Err(errors) => Some(self.failure(project, shader, errors)),
        };
        self.publish();
        notice
    }

    fn accept(&mut self, shader: &ShaderRef, text: Arc<ShaderText>) {
        self.versions += 1;
        self.good.insert(shader.clone(), GoodShader { version: ShaderVersion(self.versions), text });
    }

    fn failure(&mut self, project: &Project, shader: &ShaderRef, errors: Vec<ShaderError>) -> Notice {
        let now = match (self.good.contains_key(shader), shader) {
            (_, ShaderRef::Library(_)) => "it cannot be used until it is mended",
            (true, _) => "the last good version keeps running",
            (false, _) => "its effects stay dark until it is mended",
        };
        let name = project.shader_name(shader);
        let more = match errors.len().saturating_sub(1) {
            0 => String::new(),
            1 => " (and one more error)".to_owned(),
            more => format!(" (and {more} more errors)"),
        };
        let first = errors.first().map(|error| format!("at line {}: {}", error.line, error.message));
        let text = format!("Shader {name} failed {}{more}; {now}.", first.unwrap_or_default());
        let faults = errors.into_iter().map(|ShaderError { line, message }| ShaderFault { line, message });
        self.failed.insert(shader.clone(), faults.collect());
        Notice::error("shader", text).keyed(format!("shader {shader}"))
    }
}

fn source_of<'a>(project: &'a Project, shader: &'a ShaderRef) -> Option<&'a str> {
    match shader {
        ShaderRef::BuiltIn(name) => library::built_in(name),
        ShaderRef::Project(id) => project.shaders.get(*id).map(|shader| shader.source.as_str()),
        ShaderRef::Library(shader) => Some(&shader.source),
    }
}

fn read(source: Option<&str>, shader: &ShaderRef) -> Result<ShaderText, ShaderError> {
    let message = || format!("there is no shader `{shader}`");
    ShaderText::read(source.ok_or_else(|| ShaderError { line: 0, message: message() })?)
}
