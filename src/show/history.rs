//! One undo for everything: edits are taken back in the order they came, a drag in one step.

use crate::model::edit::{Edit, EditError};
use crate::model::project::Project;
use std::collections::VecDeque;
use std::sync::Arc;

/// Steps that are kept.
const DEPTH: usize = 1000;

#[derive(Debug)]
struct Step {
    title: Arc<str>,
    inverse: Edit,
    gesture: Option<u64>,
}

/// What was done and what was taken back.
#[derive(Debug, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl History {
    /// Remembers an edit by its inverse. Edits of one gesture become one step.
    pub fn push(&mut self, title: String, inverse: Edit, gesture: Option<u64>) {
        self.undone.clear();
        if let Some(last) = self.done.back_mut().filter(|last| gesture.is_some() && last.gesture == gesture) {
            let earlier = std::mem::replace(&mut last.inverse, Edit::Batch(Vec::new()));
            last.inverse = merged(inverse, earlier);
            return;
        }
        self.done.push_back(Step { title: title.into(), inverse, gesture });
        if self.done.len() > DEPTH {
            self.done.pop_front();
        }
    }

    /// Takes the last step back; `false` when there is none.
    ///
    /// # Errors
    /// When the inverse does not fit, which leaves the project as it is.
    pub fn undo(&mut self, project: &mut Project) -> Result<bool, EditError> {
        let Some(step) = self.done.pop_back() else { return Ok(false) };
        let inverse = step.inverse.apply(project)?;
        self.undone.push(Step { inverse, gesture: None, ..step });
        Ok(true)
    }

    /// Does the last step again that was taken back; `false` when there is none.
    ///
    /// # Errors
    /// When the edit does not fit, which leaves the project as it is.
    pub fn redo(&mut self, project: &mut Project) -> Result<bool, EditError> {
        let Some(step) = self.undone.pop() else { return Ok(false) };
        let inverse = step.inverse.apply(project)?;
        self.done.push_back(Step { inverse, gesture: None, ..step });
        Ok(true)
    }

    /// What undo would take back.
    pub fn undo_title(&self) -> Option<Arc<str>> {
        self.done.back().map(|step| Arc::clone(&step.title))
    }

    /// What redo would do again.
    pub fn redo_title(&self) -> Option<Arc<str>> {
        self.undone.last().map(|step| Arc::clone(&step.title))
    }
}

/// One inverse that first takes back `later`, then `earlier`. A drag of one field needs only the first value.
fn merged(later: Edit, earlier: Edit) -> Edit {
    match (&later, &earlier) {
        (Edit::Scene(a, x), Edit::Scene(b, y)) if a == b && same_kind(x, y) => earlier,
        (Edit::Effect(a, e, x), Edit::Effect(b, f, y)) if a == b && e == f && same_effect_field(x, y) => earlier,
        (Edit::Put(a), Edit::Put(b)) if a.key() == b.key() => earlier,
        _ => {
            let mut edits = vec![later];
            match earlier {
                Edit::Batch(rest) => edits.extend(rest),
                one => edits.push(one),
            }
            Edit::Batch(edits)
        }
    }
}

fn same_kind<T>(a: &T, b: &T) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

fn same_effect_field(a: &crate::model::edit::EffectField, b: &crate::model::edit::EffectField) -> bool {
    use crate::model::edit::EffectField::Param;
    match (a, b) {
        (Param(a, _), Param(b, _)) => a == b,
        _ => same_kind(a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::edit::{Entry, SceneField};
    use crate::model::id::{PaletteId, SceneId};
    use crate::model::palette::{Colour, Palette};
    use crate::model::scene::{Cell, Scene};
    use crate::units::Level;

    fn opacity(level: f32) -> Edit {
        Edit::Scene(SceneId(1), SceneField::Opacity(Level::new(level)))
    }

    fn dragged(history: &mut History, project: &mut Project, level: f32, gesture: Option<u64>) {
        let inverse = opacity(level).apply(project).unwrap();
        history.push("drag".into(), inverse, gesture);
    }

    #[test]
    fn a_drag_is_one_step_and_redo_does_it_again() {
        let mut project = Project::empty("p");
        project.scenes.put(Scene::new(SceneId(1), Cell { column: 0, row: 0 }, "s"));
        let before = project.clone();
        let mut history = History::default();
        for level in [0.9, 0.5, 0.1] {
            dragged(&mut history, &mut project, level, Some(7));
        }
        let after = project.clone();
        assert_eq!(history.undo(&mut project), Ok(true));
        assert_eq!(project, before);
        assert_eq!(history.redo(&mut project), Ok(true));
        assert_eq!(project, after);
        dragged(&mut history, &mut project, 0.3, Some(8));
        assert_eq!(history.redo_title(), None, "a new edit ends the redo list");
        assert_eq!(history.undo(&mut project), Ok(true));
        assert_eq!(project, after);
    }

    #[test]
    fn a_drag_of_a_palette_keeps_only_the_palette_it_began_with() {
        let mut project = Project::empty("p");
        let put = |red| {
            let palette = Palette { id: PaletteId(1), primary: Colour([red, 0, 0]), ..Palette::neutral() };
            Edit::Put(Entry::Palette(palette.into()))
        };
        put(9).apply(&mut project).unwrap();
        let mut history = History::default();
        for red in 10..200 {
            let inverse = put(red).apply(&mut project).unwrap();
            history.push("drag".into(), inverse, Some(1));
        }
        assert_eq!(history.done.back().map(|step| &step.inverse), Some(&put(9)));
    }

    #[test]
    fn undo_of_nothing_changes_nothing() {
        let mut project = Project::empty("p");
        assert_eq!(History::default().undo(&mut project), Ok(false));
    }
}
