//! The shaders in use and the last good version of each.
//!
//! On the render thread. A source that does not compile never replaces one that did.

use super::programs::check_alone;
use crate::gl::gpu::Gpu;
use crate::model::effect::ShaderRef;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::shading::{ShaderError, ShaderText, library};
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
    versions: u32,
}

impl Shaders {
    /// The last good version; `None` where there never was one.
    pub fn good(&self, shader: &ShaderRef) -> Option<&GoodShader> {
        self.good.get(shader)
    }

    /// Follows the project: tries sources that are new or changed and says what failed.
    pub fn follow(&mut self, project: &Project, gpu: &Gpu) -> Vec<Notice> {
        let used: BTreeSet<&ShaderRef> =
            project.scenes.iter().flat_map(|scene| scene.effects.iter().map(|effect| &effect.shader)).collect();
        let mut notices = Vec::new();
        for shader in used {
            let source = source_of(project, shader);
            if self.tried.get(shader).is_some_and(|tried| tried.as_deref() == source) {
                continue;
            }
            self.tried.insert(shader.clone(), source.map(Arc::from));
            match compile(source, shader, gpu) {
                Ok(text) => {
                    self.versions += 1;
                    let version = ShaderVersion(self.versions);
                    self.good.insert(shader.clone(), GoodShader { version, text: Arc::new(text) });
                }
                Err(error) => notices.push(self.failure(project, shader, &error)),
            }
        }
        notices
    }

    fn failure(&self, project: &Project, shader: &ShaderRef, error: &ShaderError) -> Notice {
        let now = match self.good.contains_key(shader) {
            true => "the last good version keeps running",
            false => "its effects stay dark until it is mended",
        };
        let name = project.shader_name(shader);
        let ShaderError { line, message } = error;
        let text = format!("Shader {name} failed at line {line}: {message}; {now}.");
        Notice::error("shader", text).keyed(format!("shader {shader}"))
    }
}

fn source_of<'a>(project: &'a Project, shader: &ShaderRef) -> Option<&'a str> {
    match shader {
        ShaderRef::BuiltIn(name) => library::built_in(name),
        ShaderRef::Project(id) => project.shaders.get(*id).map(|shader| shader.source.as_str()),
    }
}

fn compile(source: Option<&str>, shader: &ShaderRef, gpu: &Gpu) -> Result<ShaderText, ShaderError> {
    let message = || format!("there is no shader `{shader}`");
    let source = source.ok_or_else(|| ShaderError { line: 0, message: message() })?;
    let text = ShaderText::read(source)?;
    check_alone(&text, gpu)?;
    Ok(text)
}
