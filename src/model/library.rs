//! The user's library: shaders that lie beside all projects, as they were read last.
//!
//! Plain values. A project is complete in itself, so nothing in it refers to the library: whoever takes a shader gets
//! a copy, which remembers the name. Deliberately absent: files, which the storage threads read and write.

use super::effect::ShaderRef;
use super::id::ShaderId;
use super::project::{Project, Shader};
use std::path::PathBuf;
use std::sync::Arc;

/// Most letters of a name.
const LONGEST: usize = 64;
/// What no file system should be asked to keep in a name.
const REFUSED: &str = "/\\:*?\"<>|";
/// Names that are devices on Windows.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// A shader of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryShader {
    /// Its file without the ending.
    pub name: Arc<str>,
    /// Header and `vec4 effect(Lamp lamp)`.
    pub source: Arc<str>,
}

/// All shaders of the library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserLibrary {
    /// Where they are; `None` where there is no such place.
    pub folder: Option<PathBuf>,
    /// In the order of their names.
    pub shaders: Vec<Arc<LibraryShader>>,
}

impl UserLibrary {
    /// The ending of the files.
    pub const ENDING: &str = "glsl";

    /// The shader of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<LibraryShader>> {
        self.shaders.iter().find(|shader| *shader.name == *name)
    }

    /// Where a shader of this name is kept, or would be.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{name}.{}", Self::ENDING)))
    }
}

/// The name as a file can have it on every system.
///
/// # Errors
/// What is wrong with it.
pub fn name_of_file(name: &str) -> Result<String, String> {
    let name = name.trim();
    let device = name.to_lowercase();
    let device = device.trim_end_matches(|c: char| c.is_ascii_digit());
    if name.is_empty() {
        Err("it needs a name".to_owned())
    } else if name.chars().count() > LONGEST {
        Err(format!("a name has {LONGEST} letters at most"))
    } else if let Some(letter) = name.chars().find(|c| REFUSED.contains(*c) || c.is_control()) {
        Err(format!("a name of a file has no `{}`", letter.escape_default()))
    } else if name.starts_with('.') || name.ends_with('.') || DEVICES.contains(&device) {
        Err(format!("no file can be called `{name}`"))
    } else {
        Ok(name.to_owned())
    }
}

/// What an effect runs that takes this shader of the library: the project's copy, where there is one that says the
/// same, else a new one, which is to be put into the project under a name of its own.
pub fn borrowed(
    project: &Project,
    shader: &LibraryShader,
    free_name: impl Fn(&str) -> String,
) -> (ShaderRef, Option<Shader>) {
    let same = |own: &&Arc<Shader>| own.library.as_deref() == Some(&*shader.name) && own.source == *shader.source;
    if let Some(own) = project.shaders.iter().find(same) {
        return (ShaderRef::Project(own.id), None);
    }
    let id = ShaderId(project.shaders.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    let (name, source) = (free_name(&shader.name), shader.source.to_string());
    let copy = Shader { id, name, source, file: None, library: Some(shader.name.to_string()) };
    (ShaderRef::Project(id), Some(copy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_on_every_system() {
        for name in ["Glow", " My glow 2 ", "Wärme", "common", "lptx"] {
            assert_eq!(name_of_file(name).as_deref(), Ok(name.trim()));
        }
        let long = "x".repeat(65);
        for name in ["", "  ", "a/b", "..", ".hidden", "a\\b", "C:", "what?", "a\nb", "NUL", "com1", "end.", &long] {
            assert!(name_of_file(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_copy_that_says_the_same_serves_again() {
        let mut project = Project::empty("p");
        let shader = |source: &str| LibraryShader { name: "Glow".into(), source: source.into() };
        let (first, copy) = borrowed(&project, &shader("a"), str::to_owned);
        project.shaders.put(copy.unwrap());
        assert_eq!(borrowed(&project, &shader("a"), str::to_owned), (first.clone(), None));
        let (other, copy) = borrowed(&project, &shader("b"), |name| format!("{name} 2"));
        assert_ne!(other, first);
        assert_eq!(copy.map(|copy| (copy.name, copy.library)), Some(("Glow 2".into(), Some("Glow".into()))));
    }
}
