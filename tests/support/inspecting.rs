//! The window with a scene in the inspector: what tests of it do again and again.

use crate::stand::{Stand, settle};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::curve::Curve;
use glowdeck::model::edit::{Edit, Entry, SceneField};
use glowdeck::model::effect::{Effect, ParamValue, ShaderRef};
use glowdeck::model::id::{CurveId, EffectId, SceneId, TriggerId};
use glowdeck::model::scene::Scene;
use glowdeck::model::trigger::Trigger;
use glowdeck::show::command::Command;

pub const SCENE: SceneId = SceneId(1);

/// The window in the Design arrangement with the scene Plasma chosen; it has two effects, the first of which has every
/// kind of number.
pub fn stand() -> Stand {
    let mut stand = Stand::sized(1600.0, 2000.0);
    let built_in = |id, name: &str| Effect::new(EffectId(id), ShaderRef::BuiltIn(name.into()));
    let effects = SceneField::Effects(vec![built_in(1, "kaleidoscope"), built_in(2, "fire")]);
    edit(&mut stand, Edit::Scene(SCENE, effects));
    put(&mut stand, Entry::Curve(Curve::triangle(CurveId(1), "Tent").into()));
    put(&mut stand, Entry::Trigger(Trigger::kick(TriggerId(1), "Kick").into()));
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    choose(&mut stand, "Plasma");
    stand
}

pub fn edit(stand: &mut Stand, edit: Edit) {
    assert!(stand.console.handles.commands.send(Command::Edit { edit, gesture: None }));
    settle(stand);
}

pub fn put(stand: &mut Stand, entry: Entry) {
    edit(stand, Edit::Put(entry));
}

/// Touches a tile twice, so that its scene is as it was.
pub fn choose(stand: &mut Stand, name: &str) {
    for _ in 0..2 {
        stand.click(&format!("Scene {name}"));
        settle(stand);
    }
}

pub fn scene(stand: &mut Stand) -> Scene {
    settle(stand);
    Scene::clone(stand.console.show.project.scene(SCENE).unwrap())
}

pub fn effect(stand: &mut Stand, id: u32) -> Effect {
    scene(stand).effect(EffectId(id)).unwrap().clone()
}

pub fn param(stand: &mut Stand, name: &str) -> Option<ParamValue> {
    effect(stand, 1).params.get(name).cloned()
}

pub fn number(base: f32) -> Option<ParamValue> {
    Some(ParamValue::Number(base.into()))
}

/// Opens a list and takes one of it.
pub fn pick(stand: &mut Stand, list: &str, item: &str) {
    let found = stand.window.get_all_by_role(Role::ComboBox).find(|node| {
        egui_kittest::kittest::NodeT::accesskit_node(node).label().is_some_and(|label| label.starts_with(list))
    });
    found.unwrap_or_else(|| panic!("no list {list}")).click();
    stand.window.run_steps(2);
    stand.click(item);
    settle(stand);
}

pub fn drag(stand: &mut Stand, from: Pos2, way: egui::Vec2) {
    stand.press(from);
    for step in 1..=4 {
        stand.window.hover_at(from + way * step as f32 / 4.0);
        stand.window.step();
        stand.sent();
    }
    stand.window.drop_at(from + way);
    stand.window.step();
    settle(stand);
}

pub fn bar(stand: &Stand, label: &str) -> egui::Rect {
    stand.window.get_by_role_and_label(Role::Slider, label).rect()
}

pub fn focus(stand: &mut Stand, label: &str) {
    stand.window.get_by_role_and_label(Role::Slider, label).focus();
    stand.window.run_steps(2);
}

/// Opens the number of a value, types and leaves it by a key.
pub fn enter(stand: &mut Stand, label: &str, text: &str, with: Key) {
    stand.click(&format!("Type {label}"));
    stand.window.run_steps(2);
    stand.window.event(Event::Text(text.into()));
    stand.window.step();
    stand.key(Modifiers::NONE, with);
    settle(stand);
}
