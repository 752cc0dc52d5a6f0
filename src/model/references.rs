//! Who refers to what: lets an edit say what still uses the thing it would delete, and lets loading drop what is gone.

use super::device::ExitPolicy;
use super::effect::{Effect, Modulated, ParamValue, Selection, ShaderRef};
use super::id::{
    ChainId, CurveId, DefinitionId, DeviceId, FixtureId, LayoutId, ModeId, PaletteId, RouteId, SceneId, ShaderId,
    SupplyId, TriggerId,
};
use super::project::{Project, Settings};
use super::scene::{Scene, ScenePalette};
use std::fmt;

/// The id of anything that lives in a table of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A palette.
    Palette(PaletteId),
    /// A curve.
    Curve(CurveId),
    /// A trigger.
    Trigger(TriggerId),
    /// A shader of the project.
    Shader(ShaderId),
    /// A fixture definition.
    Definition(DefinitionId),
    /// A mode of a definition.
    Mode(DefinitionId, ModeId),
    /// A fixture.
    Fixture(FixtureId),
    /// A chain.
    Chain(ChainId),
    /// A power supply.
    Supply(SupplyId),
    /// A layout.
    Layout(LayoutId),
    /// A device.
    Device(DeviceId),
    /// A route.
    Route(RouteId),
    /// A scene.
    Scene(SceneId),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Palette(id) => write!(f, "palette {id}"),
            Self::Curve(id) => write!(f, "curve {id}"),
            Self::Trigger(id) => write!(f, "trigger {id}"),
            Self::Shader(id) => write!(f, "shader {id}"),
            Self::Definition(id) => write!(f, "fixture definition {id}"),
            Self::Mode(definition, id) => write!(f, "mode {id} of fixture definition {definition}"),
            Self::Fixture(id) => write!(f, "fixture {id}"),
            Self::Chain(id) => write!(f, "chain {id}"),
            Self::Supply(id) => write!(f, "supply {id}"),
            Self::Layout(id) => write!(f, "layout {id}"),
            Self::Device(id) => write!(f, "device {id}"),
            Self::Route(id) => write!(f, "route {id}"),
            Self::Scene(id) => write!(f, "scene {id}"),
        }
    }
}

impl Project {
    /// Whether there is such a thing.
    pub fn holds(&self, key: Key) -> bool {
        match key {
            Key::Palette(id) => self.palettes.contains(id),
            Key::Curve(id) => self.curves.contains(id),
            Key::Trigger(id) => self.triggers.contains(id),
            Key::Shader(id) => self.shaders.contains(id),
            Key::Definition(id) => self.definitions.contains(id),
            Key::Mode(definition, id) => self.definitions.get(definition).is_some_and(|d| d.mode(id).is_some()),
            Key::Fixture(id) => self.fixtures.contains(id),
            Key::Chain(id) => self.chains.contains(id),
            Key::Supply(id) => self.supplies.contains(id),
            Key::Layout(id) => self.layouts.contains(id),
            Key::Device(id) => self.devices.contains(id),
            Key::Route(id) => self.routes.contains(id),
            Key::Scene(id) => self.scenes.contains(id),
        }
    }

    /// What the thing itself refers to. Empty for what is not there.
    pub fn references_of(&self, key: Key) -> Vec<Key> {
        match key {
            Key::Fixture(id) => self.fixtures.get(id).map(|f| vec![Key::Definition(f.definition)]),
            Key::Chain(id) => {
                self.chains.get(id).map(|chain| chain.links.iter().map(|link| Key::Fixture(link.fixture)).collect())
            }
            Key::Supply(id) => {
                self.supplies.get(id).map(|supply| supply.chains.iter().copied().map(Key::Chain).collect())
            }
            Key::Layout(id) => {
                self.layouts.get(id).map(|layout| layout.placements.iter().map(|p| Key::Fixture(p.fixture)).collect())
            }
            Key::Route(id) => self.routes.get(id).map(|route| vec![Key::Device(route.device)]),
            Key::Scene(id) => self.scenes.get(id).map(|scene| scene_references(scene)),
            _ => None,
        }
        .unwrap_or_default()
    }

    /// Names of what refers to the thing, in the words of the screen.
    pub fn users_of(&self, key: Key) -> Vec<String> {
        let mut users = Vec::new();
        if let Key::Fixture(id) = key {
            // There may be very many, and only these two kinds of things refer to them.
            let chains = self.chains.iter().filter(|chain| chain.links.iter().any(|link| link.fixture == id));
            users.extend(chains.map(|chain| format!("chain `{}`", chain.name)));
            let layouts = self.layouts.iter().filter(|layout| layout.placements.iter().any(|p| p.fixture == id));
            users.extend(layouts.map(|layout| format!("layout `{}`", layout.name)));
            return users;
        }
        if settings_references(&self.settings).contains(&key) {
            users.push("the project's settings".to_owned());
        }
        let mut ask = |user: Key, kind: &str, name: &str| {
            if self.references_of(user).contains(&key) {
                users.push(format!("{kind} `{name}`"));
            }
        };
        self.fixtures.iter().for_each(|f| ask(Key::Fixture(f.id), "fixture", &f.name));
        self.chains.iter().for_each(|c| ask(Key::Chain(c.id), "chain", &c.name));
        self.supplies.iter().for_each(|s| ask(Key::Supply(s.id), "supply", &s.name));
        self.layouts.iter().for_each(|l| ask(Key::Layout(l.id), "layout", &l.name));
        self.routes.iter().for_each(|r| ask(Key::Route(r.id), "route", &r.id.to_string()));
        self.scenes.iter().for_each(|s| ask(Key::Scene(s.id), "scene", &s.name));
        users
    }
}

/// What the settings refer to.
pub fn settings_references(settings: &Settings) -> Vec<Key> {
    let palette = settings.palette.map(Key::Palette);
    let exit = match settings.exit {
        ExitPolicy::Scene(id) => Some(Key::Scene(id)),
        ExitPolicy::Black | ExitPolicy::Hold => None,
    };
    palette.into_iter().chain(exit).chain([Key::Layout(settings.topology)]).collect()
}

fn scene_references(scene: &Scene) -> Vec<Key> {
    let mut keys = selection_references(scene.selection.as_ref());
    if let ScenePalette::Own(id) = scene.palette {
        keys.push(Key::Palette(id));
    }
    keys.extend(scene.opacity_curve.map(Key::Curve));
    keys.extend(scene.opacity_trigger.map(Key::Trigger));
    keys.extend(scene.effects.iter().flat_map(effect_references));
    keys
}

/// What an effect refers to.
pub fn effect_references(effect: &Effect) -> Vec<Key> {
    let mut keys = selection_references(effect.selection.as_ref());
    if let ShaderRef::Project(id) = effect.shader {
        keys.push(Key::Shader(id));
    }
    keys.extend(effect.progress.map(Key::Curve));
    let numbers = effect.params.values().flat_map(|value| match value {
        ParamValue::Number(number) => vec![number],
        ParamValue::Point(x, y) => vec![x, y],
        ParamValue::Switch(_) | ParamValue::Choice(_) | ParamValue::Colour(_) => vec![],
    });
    for Modulated { curve, trigger, .. } in [&effect.opacity, &effect.colour_shift].into_iter().chain(numbers) {
        keys.extend(curve.map(Key::Curve));
        keys.extend(trigger.map(Key::Trigger));
    }
    keys
}

/// What a selection refers to.
pub fn selection_references(selection: Option<&Selection>) -> Vec<Key> {
    selection.map_or_else(Vec::new, |selection| {
        let modes = selection.modes.iter().map(|(definition, mode)| Key::Mode(*definition, *mode));
        [Key::Layout(selection.layout)].into_iter().chain(modes).collect()
    })
}
