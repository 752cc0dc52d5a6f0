//! The lamp map: every pixel of every fixture as a texel, in the order of the patch.
//!
//! Pure; compiled off the frame loop when the patch changes. Knows no GL: it makes the texels that are uploaded.

use super::gather::ROW;
use crate::model::effect::Selection;
use crate::model::fixture::FixtureDefinition;
use crate::model::id::{DefinitionId, FixtureId, LayoutId};
use crate::model::layout::{Frame, Layout, Placement};
use crate::model::patch::Straddle;
use crate::model::project::Project;
use crate::show::snapshot::{StageData, StageFixture, StageMap};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// The position of a lamp that a layer does not hold: far outside every frame.
pub(super) const OUTSIDE: [f32; 2] = [-1.0e6, -1.0e6];

/// A fixture's place in the lamp texture.
#[derive(Clone, Debug)]
pub struct MappedFixture {
    /// Which one.
    pub id: FixtureId,
    /// Its kind.
    pub definition: Arc<FixtureDefinition>,
    /// Pixel positions around its origin, metres; shared by all fixtures of the kind.
    pub pixels: Arc<Vec<[f32; 3]>>,
    /// Its first lamp.
    pub first: usize,
    /// Where its data is; `None` for a fixture on no chain.
    pub link: Option<MappedLink>,
}

/// Where a fixture's data is.
#[derive(Clone, Copy, Debug)]
pub struct MappedLink {
    /// First byte of the frame.
    pub byte: usize,
    /// What happens at a universe's end.
    pub straddle: Straddle,
    /// Pixels before it on its chain.
    pub before: u32,
    /// Pixels on its chain.
    pub chain_pixels: u32,
}

/// What a selection lights, as one layer of the input textures.
#[derive(Clone, Debug)]
pub struct Layer {
    /// `None` for the topology, pixel by pixel.
    pub selection: Option<Selection>,
    /// Rows of the lamp texture that hold any of its lamps.
    pub rows: Range<usize>,
    /// What 0..1 stretches over.
    pub frame: Frame,
}

/// All lamps of a project.
#[derive(Clone, Debug)]
pub struct LampMap {
    project: Project,
    /// In the order of the patch, then those on no chain.
    pub fixtures: Vec<MappedFixture>,
    by_id: HashMap<FixtureId, usize>,
    /// How many lamps there are.
    pub lamps: usize,
    /// Universes of the frame.
    pub universes: usize,
    /// The topology first, then every other selection in use.
    pub layers: Vec<Layer>,
}

impl LampMap {
    /// Maps the fixtures of a project and the selections that its scenes use.
    pub fn compile(project: &Project) -> Self {
        let mut map = Self::without_layers(project);
        let selections = selections_in_use(project).into_iter().map(Some);
        map.layers = [None].into_iter().chain(selections).map(|selection| map.layer(selection)).collect();
        map
    }

    /// The fixtures alone, in no layout.
    fn without_layers(project: &Project) -> Self {
        let fixtures = mapped_fixtures(project);
        let lamps = fixtures.last().map_or(0, |fixture| fixture.first + fixture.pixels.len());
        let by_id = fixtures.iter().enumerate().map(|(place, fixture)| (fixture.id, place)).collect();
        let routed = project.routes.iter().map(|route| usize::from(route.universe) + usize::from(route.count));
        let universes = routed.chain([project.universes()]).max().unwrap_or(0);
        let universes = universes.min(crate::units::MAX_UNIVERSES);
        Self { project: project.clone(), fixtures, by_id, lamps, universes, layers: Vec::new() }
    }

    /// What it was compiled from.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Whether both projects have the same map.
    pub fn same_patch(&self, project: &Project) -> bool {
        let mine = &self.project;
        mine.definitions.same_as(&project.definitions)
            && mine.fixtures.same_as(&project.fixtures)
            && mine.chains.same_as(&project.chains)
            && mine.supplies.same_as(&project.supplies)
            && mine.layouts.same_as(&project.layouts)
            && mine.routes.same_as(&project.routes)
            && mine.settings.topology == project.settings.topology
            && (mine.scenes.same_as(&project.scenes) || selections_in_use(mine) == selections_in_use(project))
    }

    /// The layer of a selection; `None` for one that the map was not compiled for.
    pub fn layer_of(&self, selection: Option<&Selection>) -> Option<usize> {
        self.layers.iter().position(|layer| layer.selection.as_ref() == selection)
    }

    /// Rows of the lamp texture: as many as hold all lamps, and never a power of two.
    pub fn rows(&self) -> usize {
        input_rows(self.lamps.div_ceil(ROW))
    }

    pub(super) fn layout(&self, selection: Option<&Selection>) -> Option<&Arc<Layout>> {
        self.project.layouts.get(selection.map_or(self.project.settings.topology, |s| s.layout))
    }

    fn layer(&self, selection: Option<Selection>) -> Layer {
        let layout = self.layout(selection.as_ref()).cloned();
        let placed = layout.as_deref().map(|layout| self.placed(layout).collect::<Vec<_>>()).unwrap_or_default();
        let first = placed.iter().map(|(fixture, _)| fixture.first).min().unwrap_or(0);
        let last = placed.iter().map(|(fixture, _)| fixture.first + fixture.pixels.len()).max().unwrap_or(0);
        let points = placed
            .iter()
            .flat_map(|(fixture, placement)| fixture.pixels.iter().map(|pixel| placement.layout_from_fixture(*pixel)));
        let frame = layout.as_ref().and_then(|layout| layout.frame).unwrap_or_else(|| Frame::around(points));
        Layer { selection, rows: first / ROW..last.div_ceil(ROW), frame }
    }

    pub(super) fn placed<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = (&'a MappedFixture, &'a Placement)> {
        layout
            .placements
            .iter()
            .filter_map(|placement| Some((&self.fixtures[*self.by_id.get(&placement.fixture)?], placement)))
    }

    /// Calls `each(lamp, metres, group, groups)` for every lamp of a layer; grouped lamps stand at their centroid.
    fn for_each_lamp(&self, layer: &Layer, mut each: impl FnMut(usize, [f32; 3], u32, u32)) {
        let Some(layout) = self.layout(layer.selection.as_ref()).cloned() else { return };
        let modes = layer.selection.as_ref().map_or(&[][..], |selection| &selection.modes);
        let mut groupings = HashMap::new();
        for (fixture, placement) in self.placed(&layout) {
            let count = fixture.pixels.len() as u32;
            let grouped = groupings.entry(fixture.definition.id).or_insert_with(|| grouped(fixture, modes));
            match grouped {
                None => {
                    for (pixel, point) in (0..).zip(fixture.pixels.iter()) {
                        let metres = placement.layout_from_fixture(*point);
                        each(fixture.first + pixel as usize, metres, pixel, count);
                    }
                }
                Some((groups, centroids)) => {
                    for (pixel, group) in groups.iter().enumerate() {
                        let metres = placement.layout_from_fixture(centroids[*group as usize]);
                        each(fixture.first + pixel, metres, *group, centroids.len() as u32);
                    }
                }
            }
        }
    }

    /// Positions over the frame, 0..=1: two floats a texel, layer-major, [`Self::rows`] rows a layer.
    pub fn layout_texels(&self) -> Vec<[f32; 2]> {
        let layer_texels = self.rows() * ROW;
        let mut texels = vec![OUTSIDE; layer_texels * self.layers.len()];
        for (layer, texels) in self.layers.iter().zip(texels.chunks_exact_mut(layer_texels)) {
            self.for_each_lamp(layer, |lamp, metres, _, _| {
                let [x, y, _] = layer.frame.unit_from_metres(metres);
                texels[lamp] = [x, y];
            });
        }
        texels
    }

    /// Height over the frame, group and number of groups; layer-major like [`Self::layout_texels`].
    pub fn group_texels(&self) -> Vec<[f32; 4]> {
        let layer_texels = self.rows() * ROW;
        let mut texels = vec![[0.0; 4]; layer_texels * self.layers.len()];
        for (layer, texels) in self.layers.iter().zip(texels.chunks_exact_mut(layer_texels)) {
            self.for_each_lamp(layer, |lamp, metres, group, groups| {
                let [_, _, z] = layer.frame.unit_from_metres(metres);
                texels[lamp] = [z, group as f32, groups as f32, 0.0];
            });
        }
        texels
    }

    /// Two texels a layer: lowest corner; size and number of fixtures. Metres. As many rows as [`input_rows`] says.
    pub fn frame_texels(&self) -> Vec<[f32; 4]> {
        let fixtures = self.fixtures.len() as f32;
        let texels = |layer: &Layer| {
            let ([x, y, z], [w, h, d]) = (layer.frame.min, layer.frame.size());
            [[x, y, z, 0.0], [w, h, d, fixtures]]
        };
        let mut texels: Vec<_> = self.layers.iter().flat_map(texels).collect();
        texels.resize(2 * input_rows(self.layers.len()), [0.0; 4]);
        texels
    }

    /// Place within the fixture, 0..=1 in x and y; index in the fixture and its number of pixels.
    pub fn fixture_texels(&self) -> Vec<[f32; 4]> {
        let mut boxes = HashMap::new();
        self.texels(|fixture, pixel| {
            let frame =
                boxes.entry(fixture.definition.id).or_insert_with(|| Frame::around(fixture.pixels.iter().copied()));
            let [x, y, _] = frame.unit_from_metres(fixture.pixels[pixel]);
            [x, y, pixel as f32, fixture.pixels.len() as f32]
        })
    }

    /// Number of the fixture, pixel along its chain, pixels of its chain. A fixture on no chain is one of its own.
    pub fn chain_texels(&self) -> Vec<[f32; 4]> {
        self.texels(|fixture, pixel| self.chain_texel(fixture, pixel))
    }

    pub(super) fn chain_texel(&self, fixture: &MappedFixture, pixel: usize) -> [f32; 4] {
        let own = (0, fixture.pixels.len() as u32);
        let (before, pixels) = fixture.link.map_or(own, |link| (link.before, link.chain_pixels));
        let number = self.by_id.get(&fixture.id).copied().unwrap_or_default();
        [number as f32, before as f32 + pixel as f32, pixels as f32, 0.0]
    }

    fn texels(&self, mut texel: impl FnMut(&MappedFixture, usize) -> [f32; 4]) -> Vec<[f32; 4]> {
        let mut texels = vec![[0.0; 4]; self.rows() * ROW];
        for fixture in &self.fixtures {
            for pixel in 0..fixture.pixels.len() {
                texels[fixture.first + pixel] = texel(fixture, pixel);
            }
        }
        texels
    }

    /// Where the lamps of a project are in a layout, for drawing, without the rest of a map.
    pub fn stage_of(project: &Project, layout: Option<LayoutId>) -> StageMap {
        Self::without_layers(project).stage_map_in(layout)
    }

    /// Where the lamps are, for drawing: in the topology, metres.
    pub fn stage_map(&self) -> StageMap {
        self.stage_map_in(None)
    }

    /// The same in a layout; in the topology for none, and for one that is gone.
    pub fn stage_map_in(&self, layout: Option<LayoutId>) -> StageMap {
        let mut positions = vec![[f32::NAN; 2]; self.lamps];
        let held = layout.filter(|id| self.project.layouts.contains(*id));
        let layer = self.layer(held.map(|layout| Selection { layout, modes: Vec::new() }));
        self.for_each_lamp(&layer, |lamp, [x, y, _], _, _| positions[lamp] = [x, y]);
        let Frame { min, max } = layer.frame;
        let fixtures = self.stage_fixtures(&layer);
        let layout = Some(held.unwrap_or(self.project.settings.topology));
        StageMap { layout, positions, min: [min[0], min[1]], max: [max[0], max[1]], fixtures }
    }

    fn stage_fixtures(&self, layer: &Layer) -> Vec<StageFixture> {
        let Some(layout) = self.layout(layer.selection.as_ref()) else { return Vec::new() };
        let fixture = |(fixture, placement): (&MappedFixture, &Placement)| {
            let Frame { min, max } = Frame::around(fixture.pixels.iter().copied());
            let corner = |x, y| {
                let [x, y, _] = placement.layout_from_fixture([x, y, 0.0]);
                [x, y]
            };
            let (byte, straddle) = fixture.link.map(|link| (link.byte, link.straddle)).unzip();
            let width = fixture.definition.channels.len();
            StageFixture {
                id: fixture.id,
                lamps: fixture.first..fixture.first + fixture.pixels.len(),
                corners: [
                    corner(min[0], min[1]),
                    corner(max[0], min[1]),
                    corner(max[0], max[1]),
                    corner(min[0], max[1]),
                ],
                data: byte.zip(straddle).map(|(byte, straddle)| StageData { byte, width, straddle }),
            }
        };
        let mut fixtures: Vec<_> = self.placed(layout).map(fixture).collect();
        fixtures.sort_by_key(|fixture| fixture.lamps.start);
        fixtures
    }
}

/// Rows of a texture that programs read. A software driver compiles anew for textures whose size is a power of two, so
/// that what the compiler warmed would serve on one map and not on the next: none is.
pub fn input_rows(least: usize) -> usize {
    let least = least.max(3);
    least + usize::from(least.is_power_of_two())
}

/// Group of each pixel and centroid of each group, for a mode other than pixel by pixel.
pub(super) fn grouped(
    fixture: &MappedFixture,
    modes: &[(DefinitionId, crate::model::id::ModeId)],
) -> Option<(Vec<u32>, Vec<[f32; 3]>)> {
    let (_, mode) = modes.iter().find(|(definition, _)| *definition == fixture.definition.id)?;
    let (groups, count) = fixture.definition.mode(*mode)?.groups(fixture.pixels.len() as u32);
    let mut sums = vec![([0.0_f64; 3], 0_u32); count as usize];
    for (group, pixel) in groups.iter().zip(fixture.pixels.iter()) {
        let (sum, members) = &mut sums[*group as usize];
        (0..3).for_each(|axis| sum[axis] += f64::from(pixel[axis]));
        *members += 1;
    }
    let centroids = sums.into_iter().map(|(sum, members)| sum.map(|axis| (axis / f64::from(members)) as f32));
    Some((groups, centroids.collect()))
}

fn selections_in_use(project: &Project) -> BTreeSet<Selection> {
    let scenes = project.scenes.iter();
    let used = scenes.flat_map(|scene| {
        let effects = scene.effects.iter().map(|effect| effect.selection.as_ref());
        [scene.selection.as_ref()].into_iter().chain(effects).flatten().cloned().collect::<Vec<_>>()
    });
    used.collect()
}

fn mapped_fixtures(project: &Project) -> Vec<MappedFixture> {
    let mut pixels = HashMap::new();
    let mut fixtures = Vec::with_capacity(project.fixtures.len());
    let mut seen = BTreeSet::new();
    let mut next = 0;
    let mut place = |id: FixtureId, link: Option<MappedLink>| {
        let fixture = project.fixtures.get(id)?;
        let definition = project.definitions.get(fixture.definition)?;
        if !seen.insert(id) {
            return None;
        }
        let positions =
            Arc::clone(pixels.entry(definition.id).or_insert_with(|| Arc::new(definition.pixels.positions())));
        let first = next;
        next += positions.len();
        let definition = Arc::clone(definition);
        fixtures.push(MappedFixture { id, definition, pixels: positions, first, link });
        Some(())
    };
    let mut chains: Vec<_> = project.chains.iter().collect();
    chains.sort_by_key(|chain| chain.port());
    for chain in chains {
        let counts: Vec<u32> = chain.links.iter().map(|link| pixel_count(project, link.fixture)).collect();
        let chain_pixels = counts.iter().sum();
        let mut before = 0;
        for (link, count) in chain.links.iter().zip(counts) {
            let byte = link.start.byte();
            place(link.fixture, Some(MappedLink { byte, straddle: chain.straddle, before, chain_pixels }));
            before += count;
        }
    }
    for fixture in project.fixtures.iter() {
        place(fixture.id, None);
    }
    fixtures
}

fn pixel_count(project: &Project, fixture: FixtureId) -> u32 {
    let definition = project.fixtures.get(fixture).and_then(|fixture| project.definitions.get(fixture.definition));
    definition.map_or(0, |definition| definition.pixels.count())
}
