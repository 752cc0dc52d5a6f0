//! Edits: every way the project changes, each of which knows its inverse.
//!
//! An edit that cannot be applied changes nothing and says why.

use super::effect::{Blend, Effect, Modulated, ParamValue, Selection, ShaderRef};
use super::fixture::{FixtureDefinition, MAX_LAMPS};
use super::id::{CurveId, EffectId, Item as _, SceneId, Table, TriggerId};
use super::project::{Project, Settings};
use super::references::{Key, settings_references};
use super::refusals::refuse_unsound;
use super::scene::{Cell, Grid, Launch, Scene, SceneBlend, ScenePalette};
use crate::units::{Level, MAX_UNIVERSES};
use std::mem::swap;
use std::sync::Arc;
use thiserror::Error;

pub use super::entry::Entry;

/// One field of a scene with its new value.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneField {
    /// What the operator calls it.
    Name(String),
    /// Colour tag.
    Tag(u8),
    /// On in the starting look.
    Active(bool),
    /// Fader in the starting look.
    Opacity(Level),
    /// The curve that its opacity is multiplied by.
    OpacityCurve(Option<CurveId>),
    /// The trigger that its opacity is multiplied by.
    OpacityTrigger(Option<TriggerId>),
    /// Dimmer input in the starting look.
    Dimmer(Level),
    /// Keeps its level when the master goes down.
    IgnoresMaster(bool),
    /// Beats ahead of the clock.
    BeatOffset(f64),
    /// Beats until fully on.
    FadeIn(f64),
    /// Beats until fully off.
    FadeOut(f64),
    /// When a launch takes effect.
    Launch(Launch),
    /// How it meets the scenes before it.
    Blend(SceneBlend),
    /// The lamps it lights.
    Selection(Option<Selection>),
    /// The colours its effects see.
    Palette(ScenePalette),
    /// The key that activates it.
    Key(Option<String>),
    /// All effects in their order: added, removed or moved.
    Effects(Vec<Effect>),
}

/// One field of an effect with its new value.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectField {
    /// A parameter; `None` returns to the header's default.
    Param(String, Option<ParamValue>),
    /// Its share.
    Opacity(Modulated),
    /// Turn of the palette's hues.
    ColourShift(Modulated),
    /// Beats ahead of the scene.
    BeatOffset(f64),
    /// Runs 2^n times as fast.
    SpeedExponent(f32),
    /// What drives `progress`.
    Progress(Option<CurveId>),
    /// How it meets the effects before it.
    Blend(Blend),
    /// The lamps it lights.
    Selection(Option<Selection>),
    /// Silent.
    Muted(bool),
}

/// A change of the project.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Adds the entry or replaces the one of its id.
    Put(Entry),
    /// Takes something out that nothing refers to.
    Remove(Key),
    /// Changes one field of a scene.
    Scene(SceneId, SceneField),
    /// Changes one field of an effect.
    Effect(SceneId, EffectId, EffectField),
    /// Moves a scene to a cell; a scene that is there already takes its place.
    Move(SceneId, Cell),
    /// Resizes the grid.
    Grid(Grid),
    /// Changes what belongs to the whole.
    Settings(Arc<Settings>),
    /// All of them in their order, or none.
    Batch(Vec<Edit>),
    /// The same, with what they do together in the words of the undo menu: `add 4 fixtures`.
    Titled(String, Vec<Edit>),
}

/// Why an edit was refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// It changes something that is not there.
    #[error("there is no {what} any more; nothing was changed")]
    Missing {
        /// The thing.
        what: String,
    },
    /// It refers to something that is not there.
    #[error("it refers to {what}, which does not exist; nothing was changed")]
    Dangling {
        /// The thing.
        what: Key,
    },
    /// It lets an effect run something that no project holds.
    #[error("a project holds what its effects run, {what} is not in it; nothing was changed")]
    Outside {
        /// The thing.
        what: ShaderRef,
    },
    /// It deletes something in use.
    #[error("{what} is used by {users}; change that first")]
    InUse {
        /// The thing.
        what: Key,
        /// Names of what uses it.
        users: String,
    },
    /// Two scenes would share a cell, or one would lie outside the grid.
    #[error("there is no room at column {}, row {} of the grid", cell.column + 1, cell.row + 1)]
    NoRoom {
        /// The cell.
        cell: Cell,
    },
    /// The grid would have too few or too many rows or columns.
    #[error("a grid has 2 to 64 columns and rows")]
    GridSize,
    /// A fixture would be at two places of the data lines.
    #[error("{fixture} would be in chain `{chain}` and in another place of a chain; nothing was changed")]
    Chained {
        /// The fixture.
        fixture: Key,
        /// The chain's name.
        chain: String,
    },
    /// A fixture would be at two places of one layout.
    #[error("{fixture} would be in layout `{layout}` twice; nothing was changed")]
    Placed {
        /// The fixture.
        fixture: Key,
        /// The layout's name.
        layout: String,
    },
    /// A chain would be longer than the patch.
    #[error("chain `{chain}` would run past universe {}, the last one; nothing was changed", MAX_UNIVERSES - 1)]
    PastEnd {
        /// The chain's name.
        chain: String,
    },
    /// The project would have more lamps than can be lit.
    #[error("the project would have {lamps} lamps, and {MAX_LAMPS} are the most; nothing was changed")]
    TooManyLamps {
        /// How many.
        lamps: u64,
    },
}

impl Edit {
    /// Applies the edit and returns its inverse.
    ///
    /// # Errors
    /// When it does not fit the project, which is then unchanged.
    pub fn apply(self, project: &mut Project) -> Result<Edit, EditError> {
        let mut changed = project.clone();
        let inverse = self.apply_in_place(&mut changed)?;
        refuse_unsound(project, &changed)?;
        *project = changed;
        Ok(inverse)
    }

    fn apply_in_place(self, project: &mut Project) -> Result<Edit, EditError> {
        match self {
            Self::Put(entry) => put(project, entry),
            Self::Remove(key) => remove(project, key),
            Self::Scene(id, field) => edit_scene(project, id, field),
            Self::Effect(scene, id, field) => edit_effect(project, scene, id, field),
            Self::Move(id, cell) => move_scene(project, id, cell),
            Self::Grid(grid) => {
                if !Grid::SIZES.contains(&grid.columns) || !Grid::SIZES.contains(&grid.rows) {
                    return Err(EditError::GridSize);
                }
                if let Some(scene) = project.scenes.iter().find(|scene| !grid.holds(scene.cell)) {
                    return Err(EditError::NoRoom { cell: scene.cell });
                }
                Ok(Self::Grid(std::mem::replace(&mut project.grid, grid)))
            }
            Self::Settings(settings) => {
                refuse_dangling(project, settings_references(&settings))?;
                Ok(Self::Settings(std::mem::replace(&mut project.settings, settings)))
            }
            Self::Batch(edits) | Self::Titled(_, edits) => {
                let inverses = edits.into_iter().map(|edit| edit.apply_in_place(project));
                let mut inverses = inverses.collect::<Result<Vec<_>, _>>()?;
                inverses.reverse();
                // Alone it is what a drag puts together, see the history.
                let alone = if inverses.len() == 1 { inverses.pop() } else { None };
                Ok(alone.unwrap_or(Self::Batch(inverses)))
            }
        }
    }

    /// What it does, for the undo menu.
    pub fn title(&self) -> String {
        match self {
            Self::Put(entry) => format!("change {}", entry.key()),
            Self::Remove(key) => format!("delete {key}"),
            Self::Scene(..) => "change scene".into(),
            Self::Effect(..) => "change effect".into(),
            Self::Move(..) => "move scene".into(),
            Self::Grid(_) => "resize grid".into(),
            Self::Settings(_) => "change settings".into(),
            Self::Titled(title, _) => title.clone(),
            Self::Batch(edits) => edits.first().map_or_else(|| "change nothing".into(), Self::title),
        }
    }
}

/// Puts an entry that fits.
fn put(project: &mut Project, entry: Entry) -> Result<Edit, EditError> {
    let key = entry.key();
    if let Entry::Scene(scene) = &entry {
        refuse_taken(project, scene.cell, scene.id)?;
        refuse_outside(scene)?;
    }
    if let Entry::Definition(new) = &entry
        && let Some(old) = project.definitions.get(new.id).cloned()
    {
        refuse_lost_modes(project, new, &old)?;
    }
    let old = entry.put_into(project);
    refuse_dangling(project, project.references_of(key))?;
    Ok(old.map_or(Edit::Remove(key), Edit::Put))
}

fn refuse_lost_modes(project: &Project, new: &FixtureDefinition, old: &FixtureDefinition) -> Result<(), EditError> {
    let lost = old.modes.iter().filter(|mode| new.mode(mode.id).is_none());
    lost.map(|mode| Key::Mode(new.id, mode.id)).try_for_each(|key| refuse_used(project, key))
}

fn refuse_dangling(project: &Project, references: Vec<Key>) -> Result<(), EditError> {
    match references.into_iter().find(|key| !project.holds(*key)) {
        Some(what) => Err(EditError::Dangling { what }),
        None => Ok(()),
    }
}

fn refuse_outside(scene: &Scene) -> Result<(), EditError> {
    let outside =
        scene.effects.iter().map(|effect| &effect.shader).find(|shader| matches!(shader, ShaderRef::Library(_)));
    outside.map_or(Ok(()), |what| Err(EditError::Outside { what: what.clone() }))
}

fn refuse_used(project: &Project, what: Key) -> Result<(), EditError> {
    let users = project.users_of(what);
    if users.is_empty() { Ok(()) } else { Err(EditError::InUse { what, users: users.join(", ") }) }
}

fn refuse_taken(project: &Project, cell: Cell, by: SceneId) -> Result<(), EditError> {
    let taken = project.scene_at(cell).is_some_and(|scene| scene.id != by);
    if taken || !project.grid.holds(cell) { Err(EditError::NoRoom { cell }) } else { Ok(()) }
}

fn remove(project: &mut Project, key: Key) -> Result<Edit, EditError> {
    refuse_used(project, key)?;
    if let Key::Definition(id) = key {
        let modes = project.definitions.get(id).map(|d| d.modes.clone()).unwrap_or_default();
        modes.iter().try_for_each(|mode| refuse_used(project, Key::Mode(id, mode.id)))?;
    }
    let old = Entry::take_from(project, key);
    old.map(Edit::Put).ok_or_else(|| EditError::Missing { what: key.to_string() })
}

/// Changes the scene by `change`, which returns the inverse; refuses what would dangle.
fn with_scene(
    project: &mut Project,
    id: SceneId,
    change: impl FnOnce(&mut Scene) -> Result<Edit, EditError>,
) -> Result<Edit, EditError> {
    let missing = || EditError::Missing { what: Key::Scene(id).to_string() };
    let mut scene = Scene::clone(project.scenes.get(id).ok_or_else(missing)?);
    let inverse = change(&mut scene)?;
    debug_assert_eq!(scene.id(), id, "a field edit keeps the id");
    refuse_outside(&scene)?;
    project.scenes.put(scene);
    refuse_dangling(project, project.references_of(Key::Scene(id)))?;
    Ok(inverse)
}

fn edit_scene(project: &mut Project, id: SceneId, mut field: SceneField) -> Result<Edit, EditError> {
    with_scene(project, id, |scene| {
        match &mut field {
            SceneField::Name(value) => swap(&mut scene.name, value),
            SceneField::Tag(value) => swap(&mut scene.tag, value),
            SceneField::Active(value) => swap(&mut scene.active, value),
            SceneField::Opacity(value) => swap(&mut scene.opacity, value),
            SceneField::OpacityCurve(value) => swap(&mut scene.opacity_curve, value),
            SceneField::OpacityTrigger(value) => swap(&mut scene.opacity_trigger, value),
            SceneField::Dimmer(value) => swap(&mut scene.dimmer, value),
            SceneField::IgnoresMaster(value) => swap(&mut scene.ignores_master, value),
            SceneField::BeatOffset(value) => swap(&mut scene.beat_offset, value),
            SceneField::FadeIn(value) => swap(&mut scene.fade_in, value),
            SceneField::FadeOut(value) => swap(&mut scene.fade_out, value),
            SceneField::Launch(value) => swap(&mut scene.launch, value),
            SceneField::Blend(value) => swap(&mut scene.blend, value),
            SceneField::Selection(value) => swap(&mut scene.selection, value),
            SceneField::Palette(value) => swap(&mut scene.palette, value),
            SceneField::Key(value) => swap(&mut scene.key, value),
            SceneField::Effects(value) => swap(&mut scene.effects, value),
        }
        Ok(Edit::Scene(id, field))
    })
}

fn edit_effect(
    project: &mut Project,
    scene_id: SceneId,
    id: EffectId,
    mut field: EffectField,
) -> Result<Edit, EditError> {
    with_scene(project, scene_id, |scene| {
        let missing = || EditError::Missing { what: format!("effect {id}") };
        let effect = scene.effects.iter_mut().find(|effect| effect.id == id).ok_or_else(missing)?;
        match &mut field {
            EffectField::Param(name, value) => {
                let old = effect.params.remove(name);
                let new = std::mem::replace(value, old);
                effect.params.extend(new.map(|new| (name.clone(), new)));
            }
            EffectField::Opacity(value) => swap(&mut effect.opacity, value),
            EffectField::ColourShift(value) => swap(&mut effect.colour_shift, value),
            EffectField::BeatOffset(value) => swap(&mut effect.beat_offset, value),
            EffectField::SpeedExponent(value) => swap(&mut effect.speed_exponent, value),
            EffectField::Progress(value) => swap(&mut effect.progress, value),
            EffectField::Blend(value) => swap(&mut effect.blend, value),
            EffectField::Selection(value) => swap(&mut effect.selection, value),
            EffectField::Muted(value) => swap(&mut effect.muted, value),
        }
        Ok(Edit::Effect(scene_id, id, field))
    })
}

fn move_scene(project: &mut Project, id: SceneId, cell: Cell) -> Result<Edit, EditError> {
    if !project.grid.holds(cell) {
        return Err(EditError::NoRoom { cell });
    }
    let other = project.scene_at(cell).filter(|scene| scene.id != id).cloned();
    let mut from = cell;
    let inverse = with_scene(project, id, |scene| {
        swap(&mut scene.cell, &mut from);
        Ok(Edit::Move(id, from))
    })?;
    if let Some(other) = other {
        put_in_cell(&mut project.scenes, &other, from);
    }
    Ok(inverse)
}

fn put_in_cell(scenes: &mut Table<Scene>, scene: &Scene, cell: Cell) {
    scenes.put(Scene { cell, ..scene.clone() });
}
