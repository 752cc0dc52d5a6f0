//! Entries: anything that lives in a table of the project, put there or taken out by its key.
//!
//! Knows nothing of who refers to what; `edit` refuses what would leave a reference to nothing.

use super::curve::Curve;
use super::device::{Device, Route};
use super::fixture::{Fixture, FixtureDefinition};
use super::layout::Layout;
use super::palette::Palette;
use super::patch::Chain;
use super::project::{Project, Shader};
use super::references::Key;
use super::scene::Scene;
use super::supply::Supply;
use super::trigger::Trigger;
use std::sync::Arc;

/// Anything that lives in a table of the project.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A palette.
    Palette(Arc<Palette>),
    /// A curve.
    Curve(Arc<Curve>),
    /// A trigger.
    Trigger(Arc<Trigger>),
    /// A shader of the project.
    Shader(Arc<Shader>),
    /// A fixture definition.
    Definition(Arc<FixtureDefinition>),
    /// A fixture.
    Fixture(Arc<Fixture>),
    /// A chain.
    Chain(Arc<Chain>),
    /// A power supply.
    Supply(Arc<Supply>),
    /// A layout.
    Layout(Arc<Layout>),
    /// A device.
    Device(Arc<Device>),
    /// A route.
    Route(Arc<Route>),
    /// A scene.
    Scene(Arc<Scene>),
}

impl Entry {
    /// Its id.
    pub fn key(&self) -> Key {
        match self {
            Self::Palette(item) => Key::Palette(item.id),
            Self::Curve(item) => Key::Curve(item.id),
            Self::Trigger(item) => Key::Trigger(item.id),
            Self::Shader(item) => Key::Shader(item.id),
            Self::Definition(item) => Key::Definition(item.id),
            Self::Fixture(item) => Key::Fixture(item.id),
            Self::Chain(item) => Key::Chain(item.id),
            Self::Supply(item) => Key::Supply(item.id),
            Self::Layout(item) => Key::Layout(item.id),
            Self::Device(item) => Key::Device(item.id),
            Self::Route(item) => Key::Route(item.id),
            Self::Scene(item) => Key::Scene(item.id),
        }
    }

    /// Adds it, or replaces the one of its id, which is returned. Numbers of a trigger are bounded here.
    pub(super) fn put_into(self, project: &mut Project) -> Option<Self> {
        match self {
            Self::Palette(item) => project.palettes.put(item).map(Self::Palette),
            Self::Curve(item) => project.curves.put(item).map(Self::Curve),
            Self::Trigger(item) => project.triggers.put(Arc::unwrap_or_clone(item).bounded()).map(Self::Trigger),
            Self::Shader(item) => project.shaders.put(item).map(Self::Shader),
            Self::Definition(item) => project.definitions.put(item).map(Self::Definition),
            Self::Fixture(item) => project.fixtures.put(item).map(Self::Fixture),
            Self::Chain(item) => project.chains.put(item).map(Self::Chain),
            Self::Supply(item) => project.supplies.put(item).map(Self::Supply),
            Self::Layout(item) => project.layouts.put(item).map(Self::Layout),
            Self::Device(item) => project.devices.put(item).map(Self::Device),
            Self::Route(item) => project.routes.put(item).map(Self::Route),
            Self::Scene(item) => project.scenes.put(item).map(Self::Scene),
        }
    }

    /// Takes the one of this key out; `None` when there is none, or when it lives in no table of its own.
    pub(super) fn take_from(project: &mut Project, key: Key) -> Option<Self> {
        match key {
            Key::Palette(id) => project.palettes.remove(id).map(Self::Palette),
            Key::Curve(id) => project.curves.remove(id).map(Self::Curve),
            Key::Trigger(id) => project.triggers.remove(id).map(Self::Trigger),
            Key::Shader(id) => project.shaders.remove(id).map(Self::Shader),
            Key::Definition(id) => project.definitions.remove(id).map(Self::Definition),
            Key::Mode(..) => None,
            Key::Fixture(id) => project.fixtures.remove(id).map(Self::Fixture),
            Key::Chain(id) => project.chains.remove(id).map(Self::Chain),
            Key::Supply(id) => project.supplies.remove(id).map(Self::Supply),
            Key::Layout(id) => project.layouts.remove(id).map(Self::Layout),
            Key::Device(id) => project.devices.remove(id).map(Self::Device),
            Key::Route(id) => project.routes.remove(id).map(Self::Route),
            Key::Scene(id) => project.scenes.remove(id).map(Self::Scene),
        }
    }
}
