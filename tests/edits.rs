//! Edits: applied and then inverted they change nothing, and a refused one changes nothing at all.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/any_project.rs"]
mod any_project;

use any_project::{any_project, numbers};
use glowdeck::model::edit::{Edit, EffectField, Entry, SceneField};
use glowdeck::model::effect::{Effect, Modulated, ParamValue, Selection, ShaderRef};
use glowdeck::model::fixture::{Fixture, FixtureDefinition, MAX_LAMPS};
use glowdeck::model::id::{EffectId, FixtureId, ModeId, SceneId, TriggerId};
use glowdeck::model::project::Project;
use glowdeck::model::references::{Key, settings_references};
use glowdeck::model::scene::{Cell, Grid, Scene};
use glowdeck::model::trigger::Trigger;
use glowdeck::model::validate::repaired;
use glowdeck::units::MAX_UNIVERSES;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;

/// Every entry of a project.
fn entries(project: &Project) -> Vec<Entry> {
    let mut entries: Vec<Entry> = project.palettes.iter().cloned().map(Entry::Palette).collect();
    entries.extend(project.curves.iter().cloned().map(Entry::Curve));
    entries.extend(project.triggers.iter().cloned().map(Entry::Trigger));
    entries.extend(project.shaders.iter().cloned().map(Entry::Shader));
    entries.extend(project.definitions.iter().cloned().map(Entry::Definition));
    entries.extend(project.fixtures.iter().cloned().map(Entry::Fixture));
    entries.extend(project.chains.iter().cloned().map(Entry::Chain));
    entries.extend(project.supplies.iter().cloned().map(Entry::Supply));
    entries.extend(project.layouts.iter().cloned().map(Entry::Layout));
    entries.extend(project.devices.iter().cloned().map(Entry::Device));
    entries.extend(project.routes.iter().cloned().map(Entry::Route));
    entries.extend(project.scenes.iter().cloned().map(Entry::Scene));
    entries
}

/// Every field of a scene as it is there.
fn scene_fields(scene: &Scene) -> Vec<SceneField> {
    vec![
        SceneField::Name(scene.name.clone()),
        SceneField::Tag(scene.tag),
        SceneField::Active(scene.active),
        SceneField::Opacity(scene.opacity),
        SceneField::OpacityCurve(scene.opacity_curve),
        SceneField::OpacityTrigger(scene.opacity_trigger),
        SceneField::Dimmer(scene.dimmer),
        SceneField::IgnoresMaster(scene.ignores_master),
        SceneField::BeatOffset(scene.beat_offset),
        SceneField::FadeIn(scene.fade_in),
        SceneField::FadeOut(scene.fade_out),
        SceneField::Launch(scene.launch),
        SceneField::Blend(scene.blend),
        SceneField::Selection(scene.selection.clone()),
        SceneField::Palette(scene.palette),
        SceneField::Key(scene.key.clone()),
        SceneField::Effects(scene.effects.clone()),
    ]
}

/// Every field of an effect as it is there, and one parameter less.
fn effect_fields(effect: &Effect) -> Vec<EffectField> {
    let mut fields = vec![
        EffectField::Opacity(effect.opacity),
        EffectField::ColourShift(effect.colour_shift),
        EffectField::BeatOffset(effect.beat_offset),
        EffectField::SpeedExponent(effect.speed_exponent),
        EffectField::Progress(effect.progress),
        EffectField::Blend(effect.blend),
        EffectField::Selection(effect.selection.clone()),
        EffectField::Muted(effect.muted),
    ];
    for (name, value) in &effect.params {
        fields.extend([Some(value.clone()), None].map(|value| EffectField::Param(name.clone(), value)));
    }
    fields
}

/// Edits of every kind that would make parts of `project` like those of `other`. Some fit, some do not.
fn edits(project: &Project, other: &Project) -> Vec<Edit> {
    let mut edits: Vec<Edit> = entries(other).into_iter().map(Edit::Put).collect();
    let keys = entries(project).into_iter().chain(entries(other)).map(|entry| entry.key());
    edits.extend(keys.map(Edit::Remove));
    edits.extend(project.definitions.iter().map(|d| {
        let plain = FixtureDefinition { modes: vec![], ..FixtureDefinition::clone(d) };
        Edit::Put(Entry::Definition(plain.into()))
    }));
    edits.extend(project.definitions.iter().map(|d| Edit::Remove(Key::Mode(d.id, ModeId(1)))));
    let missing = SceneId(77);
    let scenes: Vec<_> = project.scenes.iter().collect();
    for from in other.scenes.iter() {
        for id in project.scenes.iter().map(|scene| scene.id).chain([missing]) {
            edits.extend(scene_fields(from).into_iter().map(|field| Edit::Scene(id, field)));
            edits.push(Edit::Move(id, from.cell));
        }
        let fields = from.effects.iter().flat_map(effect_fields);
        for (field, scene) in fields.zip(scenes.iter().cycle()) {
            let effect = scene.effects.first().map_or(EffectId(77), |effect| effect.id);
            edits.push(Edit::Effect(scene.id, effect, field));
        }
    }
    for columns in [1, 2, project.grid.columns, 64, 65] {
        edits.push(Edit::Grid(Grid { columns, ..other.grid }));
        edits.extend(project.scenes.iter().map(|scene| Edit::Move(scene.id, Cell { column: columns, row: 0 })));
    }
    edits.push(Edit::Settings(other.settings.clone()));
    let batches: Vec<Edit> = edits.chunks(3).map(|some| Edit::Batch(some.to_vec())).collect();
    edits.extend(batches);
    edits.extend(
        entries(other).chunks(4).map(|some| Edit::Titled("put".into(), some.iter().cloned().map(Edit::Put).collect())),
    );
    edits
}

/// What no edit may bring about: two scenes in a cell or one outside the grid, references to what is gone.
fn check_soundness(project: &Project, edit: &str) {
    let mut cells = BTreeSet::new();
    let homes = project.scenes.iter().all(|scene| project.grid.holds(scene.cell) && cells.insert(scene.cell));
    assert!(homes, "scenes have no place after {edit}");
    let keys = entries(project).into_iter().map(|entry| entry.key());
    let references = keys.flat_map(|key| project.references_of(key)).chain(settings_references(&project.settings));
    let dangling: Vec<Key> = references.filter(|key| !project.holds(*key)).collect();
    assert_eq!(dangling, [], "after {edit}");
    // What loading would have to put right: fixtures in two places, chains past the end, too many lamps.
    let mut chained = BTreeSet::new();
    let links = project.chains.iter().flat_map(|chain| &chain.links);
    assert!(links.into_iter().all(|link| chained.insert(link.fixture)), "a fixture is chained twice after {edit}");
    assert!(project.universes() <= MAX_UNIVERSES);
    assert!(lamps(project) <= u64::from(MAX_LAMPS), "too many lamps after {edit}");
    for layout in project.layouts.iter() {
        let mut placed = BTreeSet::new();
        let once = layout.placements.iter().all(|placement| placed.insert(placement.fixture));
        assert!(once, "a fixture is in a layout twice after {edit}");
    }
}

fn lamps(project: &Project) -> u64 {
    let kinds = project.fixtures.iter().filter_map(|fixture| project.definitions.get(fixture.definition));
    kinds.map(|kind| u64::from(kind.pixels.count())).sum()
}

/// Applies and inverts, twice; returns whether the edit fitted.
fn check_edit(project: &Project, edit: Edit) -> bool {
    let mut changed = project.clone();
    let shown = format!("{edit:?}");
    match edit.apply(&mut changed) {
        Ok(inverse) => {
            let after = changed.clone();
            check_soundness(&after, &shown);
            let again = inverse.apply(&mut changed).unwrap_or_else(|error| panic!("undo of {shown}: {error}"));
            assert_eq!(&changed, project, "undo of {shown}");
            again.apply(&mut changed).unwrap_or_else(|error| panic!("redo of {shown}: {error}"));
            assert_eq!(changed, after, "redo of {shown}");
            true
        }
        Err(error) => {
            assert_eq!(&changed, project, "{shown} was refused: {error}");
            false
        }
    }
}

/// A repaired project, with what chance rarely brings about: a fixture that no layout places yet, so that it can be
/// removed, and a mode that a scene chooses, so that it cannot.
fn sound_project() -> impl Strategy<Value = Project> {
    any_project(numbers()).prop_map(|project| {
        let (mut project, _) = repaired(project);
        let Some(definition) = project.definitions.iter().next().cloned() else { return project };
        if lamps(&project) + u64::from(definition.pixels.count()) <= u64::from(MAX_LAMPS) {
            project.fixtures.put(Fixture { id: FixtureId(50), name: "loose".into(), definition: definition.id });
        }
        let (Some(mode), Some(scene)) = (definition.modes.first(), project.scenes.iter().next().cloned()) else {
            return project;
        };
        let selection = Selection { layout: project.settings.topology, modes: vec![(definition.id, mode.id)] };
        project.scenes.put(Scene { selection: Some(selection), ..Scene::clone(&scene) });
        project
    })
}

proptest! {
    #![proptest_config(Config::with_cases(64))]
    #[test]
    fn an_edit_and_its_inverse_are_the_identity(project in sound_project(), other in sound_project()) {
        for edit in edits(&project, &other) {
            check_edit(&project, edit);
        }
    }

    #[test]
    fn edits_after_edits_are_undone_one_by_one(project in sound_project(), other in sound_project()) {
        let mut changed = project.clone();
        let mut inverses = Vec::new();
        for edit in edits(&project, &other) {
            inverses.extend(edit.apply(&mut changed).ok());
        }
        for inverse in inverses.into_iter().rev() {
            inverse.apply(&mut changed).unwrap();
        }
        prop_assert_eq!(changed, project);
    }
}

/// The edit's kind, with the kind of what it changes: `Put(Palette`, `Effect(Opacity`.
fn kind(edit: &Edit) -> String {
    let inner = match edit {
        Edit::Put(entry) => format!("{entry:?}"),
        Edit::Remove(key) => format!("{key:?}"),
        Edit::Scene(_, field) => format!("{field:?}"),
        Edit::Effect(_, _, field) => format!("{field:?}"),
        Edit::Move(..) | Edit::Grid(_) | Edit::Settings(_) | Edit::Batch(_) | Edit::Titled(..) => String::new(),
    };
    let word = |text: &str| text.split('(').next().unwrap_or_default().to_owned();
    format!("{}({}", word(&format!("{edit:?}")), word(&inner))
}

#[test]
fn the_edits_above_are_of_every_kind_and_some_of_each_are_applied_and_refused() {
    let mut runner = TestRunner::deterministic();
    let (mut applied, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..150 {
        let [project, other] = [(); 2].map(|()| sound_project().new_tree(&mut runner).unwrap().current());
        for edit in edits(&project, &other) {
            let kind = kind(&edit);
            if check_edit(&project, edit) {
                applied.insert(kind)
            } else {
                refused.insert(kind)
            };
        }
    }
    // Twelve kinds of entries to put and to remove, 17 fields of scenes, 9 of effects, and five others.
    assert_eq!(applied.len(), 12 + 12 + 17 + 9 + 5, "{applied:#?}");
    for kind in
        ["Put(Fixture", "Put(Scene", "Put(Definition", "Put(Chain", "Remove(Mode", "Remove(Fixture", "Scene(Effects"]
    {
        assert!(refused.contains(kind), "{kind} was never refused: {refused:#?}");
    }
    for kind in [
        "Remove(Trigger",
        "Scene(OpacityCurve",
        "Scene(OpacityTrigger",
        "Effect(Progress",
        "Move(",
        "Grid(",
        "Settings(",
        "Batch(",
    ] {
        assert!(refused.contains(kind), "{kind} was never refused: {refused:#?}");
    }
}

#[test]
fn a_trigger_in_use_cannot_be_deleted_and_its_users_are_named() {
    let mut project = Project::empty("p");
    let (scene, id) = (SceneId(1), TriggerId(4));
    let missing = Edit::Scene(scene, SceneField::OpacityTrigger(Some(id)));
    project.scenes.put(Scene::new(scene, Cell { column: 0, row: 0 }, "Pulse"));
    let refused = missing.clone().apply(&mut project).unwrap_err();
    assert_eq!(refused.to_string(), "it refers to trigger #4, which does not exist; nothing was changed");
    let wild = Trigger { hold_secs: f64::NAN, release_secs: 900.0, ..Trigger::kick(id, "Kick") };
    Edit::Put(Entry::Trigger(wild.clone().into())).apply(&mut project).unwrap();
    assert_eq!(project.triggers.get(id).unwrap().as_ref(), &wild.bounded(), "an edit bounds its numbers");
    let moving = |base: f32| Modulated { trigger: Some(id), ..base.into() };
    let plain = Effect::new(EffectId(1), ShaderRef::BuiltIn("solid".into()));
    let point = ParamValue::Point(0.5.into(), moving(0.5));
    let uses = [
        missing,
        Edit::Effect(scene, EffectId(1), EffectField::Opacity(moving(1.0))),
        Edit::Effect(scene, EffectId(1), EffectField::ColourShift(moving(0.5))),
        Edit::Effect(scene, EffectId(1), EffectField::Param("size".into(), Some(ParamValue::Number(moving(3.0))))),
        Edit::Effect(scene, EffectId(1), EffectField::Param("centre".into(), Some(point))),
    ];
    Edit::Scene(scene, SceneField::Effects(vec![plain])).apply(&mut project).unwrap();
    for edit in uses {
        let inverse = edit.apply(&mut project).unwrap();
        let refused = Edit::Remove(Key::Trigger(id)).apply(&mut project).unwrap_err();
        assert_eq!(refused.to_string(), "trigger #4 is used by scene `Pulse`; change that first");
        inverse.apply(&mut project).unwrap();
    }
    let inverse = Edit::Remove(Key::Trigger(id)).apply(&mut project).unwrap();
    assert!(project.triggers.is_empty());
    inverse.apply(&mut project).unwrap();
    assert!(project.triggers.contains(id));
}
