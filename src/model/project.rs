//! The project: the whole document as one value whose parts are shared.

use super::curve::Curve;
use super::device::{Device, ExitPolicy, Route};
use super::effect::ShaderRef;
use super::fixture::{Fixture, FixtureDefinition};
use super::id::{Item, LayoutId, PaletteId, SceneId, ShaderId, Table};
use super::layout::Layout;
use super::palette::Palette;
use super::patch::Chain;
use super::scene::{Cell, Grid, Scene};
use super::supply::Supply;
use super::trigger::Trigger;
use crate::units::{Bpm, Level};
use std::sync::Arc;

/// GLSL source that travels with the project.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader {
    /// Stable id.
    pub id: ShaderId,
    /// What the operator calls it.
    pub name: String,
    /// Header and `vec4 effect(Lamp lamp)`.
    pub source: String,
    /// The author's own file, below the folder of the project file, with `/`. Its text becomes the source when it
    /// changes; the source is what runs, also where there is no such file.
    pub file: Option<String>,
    /// The shader of the user's library that it was copied from or saved as; the source is what runs all the same.
    pub library: Option<String>,
}

impl Item for Shader {
    type Id = ShaderId;

    fn id(&self) -> ShaderId {
        self.id
    }
}

/// What belongs to the project as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The project's name.
    pub name: String,
    /// The palette scenes inherit; white on black without one.
    pub palette: Option<PaletteId>,
    /// The layout that holds all fixtures.
    pub topology: LayoutId,
    /// Tempo of the starting look.
    pub bpm: Bpm,
    /// Master of the starting look.
    pub master: Level,
    /// What nodes are left with at the end.
    pub exit: ExitPolicy,
}

/// Everything a file holds. A clone costs a few pointers; a change copies only its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// What belongs to the whole.
    pub settings: Arc<Settings>,
    /// Colours that effects share.
    pub palettes: Table<Palette>,
    /// Values over time.
    pub curves: Table<Curve>,
    /// Envelopes that follow the sound.
    pub triggers: Table<Trigger>,
    /// Shaders of its own.
    pub shaders: Table<Shader>,
    /// Kinds of fixtures.
    pub definitions: Table<FixtureDefinition>,
    /// Fixtures that exist.
    pub fixtures: Table<Fixture>,
    /// Data lines with their addresses.
    pub chains: Table<Chain>,
    /// Power supplies and what they feed.
    pub supplies: Table<Supply>,
    /// The topology and further layouts.
    pub layouts: Table<Layout>,
    /// Nodes.
    pub devices: Table<Device>,
    /// Which universe goes where.
    pub routes: Table<Route>,
    /// Size of the grid.
    pub grid: Grid,
    /// Tiles of the grid.
    pub scenes: Table<Scene>,
}

impl Project {
    /// A project with an empty topology and nothing else.
    pub fn empty(name: impl Into<String>) -> Self {
        let topology = LayoutId(1);
        let layout = Layout { id: topology, name: "Topology".into(), placements: Vec::new(), frame: None };
        Self {
            settings: Arc::new(Settings {
                name: name.into(),
                palette: None,
                topology,
                bpm: Bpm::default(),
                master: Level::FULL,
                exit: ExitPolicy::default(),
            }),
            palettes: Table::default(),
            curves: Table::default(),
            triggers: Table::default(),
            shaders: Table::default(),
            definitions: Table::default(),
            fixtures: Table::default(),
            chains: Table::default(),
            supplies: Table::default(),
            layouts: [layout].into_iter().collect(),
            devices: Table::default(),
            routes: Table::default(),
            grid: Grid::default(),
            scenes: Table::default(),
        }
    }

    /// The scene in a cell.
    pub fn scene_at(&self, cell: Cell) -> Option<&Arc<Scene>> {
        self.scenes.iter().find(|scene| scene.cell == cell)
    }

    /// The scene of this id.
    pub fn scene(&self, id: SceneId) -> Option<&Arc<Scene>> {
        self.scenes.get(id)
    }

    /// What the operator calls a shader.
    pub fn shader_name(&self, shader: &ShaderRef) -> String {
        match shader {
            ShaderRef::BuiltIn(name) => name.clone(),
            ShaderRef::Library(shader) => format!("{} of the library", shader.name),
            ShaderRef::Project(id) => {
                self.shaders.get(*id).map_or_else(|| id.to_string(), |shader| shader.name.clone())
            }
        }
    }

    /// How many universes the patch spans: one more than the highest that a chain touches.
    pub fn universes(&self) -> usize {
        let ends = self.chains.iter().flat_map(|chain| {
            chain.links.iter().filter_map(|link| {
                let fixture = self.fixtures.get(link.fixture)?;
                let definition = self.definitions.get(fixture.definition)?;
                let (width, count) = (definition.channels.len(), definition.pixels.count());
                let end = chain.straddle.end(link.start.byte(), width, count);
                (end > link.start.byte()).then(|| end.div_ceil(crate::units::UNIVERSE_CHANNELS))
            })
        });
        ends.max().unwrap_or(0).min(crate::units::MAX_UNIVERSES)
    }
}
