//! Scenes and effects that are made new: with ids that nothing in the project has, and names that tell them apart.
//!
//! Pure. Deliberately absent: who asks for them.

use super::shelf;
use crate::model::edit::{Edit, Entry};
use crate::model::effect::{Effect, ShaderRef};
use crate::model::id::{EffectId, SceneId};
use crate::model::library::borrowed;
use crate::model::project::Project;
use crate::model::scene::{Cell, Scene};

/// An id that no effect of the project has, with more free ones after it.
fn free_effect(project: &Project) -> u32 {
    let ids = project.scenes.iter().flat_map(|scene| scene.effects.iter().map(|effect| effect.id.0));
    ids.max().map_or(1, |last| last.saturating_add(1))
}

/// An id that no scene of the project has.
fn free_scene(project: &Project) -> SceneId {
    SceneId(project.scenes.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)))
}

/// An effect at the defaults of the specification.
pub fn new_effect(project: &Project, shader: ShaderRef) -> Effect {
    Effect::new(EffectId(free_effect(project)), shader)
}

/// The same effect once more.
pub fn twin_effect(project: &Project, effect: &Effect) -> Effect {
    Effect { id: EffectId(free_effect(project)), ..effect.clone() }
}

/// What an effect runs that takes this shader, and what is to be put into the project before: a copy of what the user's
/// library holds, as a project is complete in itself.
pub fn borrow(project: &Project, shader: ShaderRef) -> (ShaderRef, Option<Edit>) {
    let ShaderRef::Library(shader) = shader else { return (shader, None) };
    let taken: Vec<&str> = project.shaders.iter().map(|shader| shader.name.as_str()).collect();
    let (copy, put) = borrowed(project, &shader, |name| shelf::free_name(name, &taken));
    (copy, put.map(|copy| Edit::Put(Entry::Shader(copy.into()))))
}

/// An edit with what has to come before it, as one step of undo.
pub fn after(before: Option<Edit>, edit: Edit) -> Edit {
    match before {
        Some(before) => Edit::Batch(vec![before, edit]),
        None => edit,
    }
}

/// A scene with one effect.
pub fn new_scene(project: &Project, cell: Cell, name: &str, shader: ShaderRef) -> Scene {
    let mut scene = Scene::new(free_scene(project), cell, name);
    scene.effects.push(new_effect(project, shader));
    scene
}

/// The same scene once more, silent, without its key, in another cell.
pub fn twin_scene(project: &Project, scene: &Scene, cell: Cell) -> Scene {
    let effects = (free_effect(project)..).zip(&scene.effects);
    let effects = effects.map(|(id, effect)| Effect { id: EffectId(id), ..effect.clone() }).collect();
    let name = free_name(project, &scene.name);
    Scene { id: free_scene(project), cell, name, effects, active: false, key: None, ..scene.clone() }
}

/// A name with a number that no scene has: "Fire" becomes "Fire 2".
fn free_name(project: &Project, name: &str) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.parse::<u32>().is_ok() => stem,
        _ => name,
    };
    let taken = |name: &str| project.scenes.iter().any(|scene| scene.name == name);
    (2..).map(|number| format!("{stem} {number}")).find(|name| !taken(name)).unwrap_or_default()
}

/// The first free cell after one, by rows, from the start again at the end.
pub fn free_cell(project: &Project, after: Cell) -> Option<Cell> {
    let grid = project.grid;
    let cells = || (0..grid.rows).flat_map(move |row| (0..grid.columns).map(move |column| Cell { column, row }));
    let place = |cell: &Cell| (cell.row, cell.column);
    let (mut before, mut later) = (None, None);
    for cell in cells().filter(|cell| project.scene_at(*cell).is_none()) {
        let first = if place(&cell) > place(&after) { &mut later } else { &mut before };
        first.get_or_insert(cell);
    }
    later.or(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scene::Grid;

    fn project() -> Project {
        let mut project = Project::empty("p");
        project.grid = Grid { columns: 2, rows: 2, ..Grid::default() };
        let fire = || ShaderRef::BuiltIn("fire".into());
        for (column, name) in [(0, "Fire"), (1, "Fire 2")] {
            let scene = new_scene(&project, Cell { column, row: 0 }, name, fire());
            Edit::Put(Entry::Scene(scene.into())).apply(&mut project).unwrap();
        }
        project
    }

    #[test]
    fn what_is_new_shares_no_id_with_anything() {
        let mut project = project();
        let original = project.scene(SceneId(1)).unwrap().clone();
        let twin = twin_scene(&project, &original, Cell { column: 0, row: 1 });
        assert_eq!((twin.id, twin.name.as_str(), twin.effects[0].id), (SceneId(3), "Fire 3", EffectId(3)));
        Edit::Put(Entry::Scene(twin.into())).apply(&mut project).unwrap();
        assert_eq!(twin_effect(&project, &original.effects[0]).id, EffectId(4));
    }

    #[test]
    fn the_next_free_cell_is_behind_else_before_else_nowhere() {
        let mut project = project();
        let cell = |column, row| Cell { column, row };
        assert_eq!(free_cell(&project, cell(1, 0)), Some(cell(0, 1)));
        assert_eq!(free_cell(&project, cell(0, 1)), Some(cell(1, 1)));
        assert_eq!(free_cell(&project, cell(1, 1)), Some(cell(0, 1)));
        project.grid.rows = 1;
        assert_eq!(free_cell(&project, cell(0, 0)), None);
    }
}
