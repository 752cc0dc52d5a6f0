//! Edits of fixtures: added, duplicated, moved along and between chains, removed.

use super::chains::{addressed, home_of, rebuilt};
use super::layouts::copies_beside;
use super::{PatchError, base_of, counted, free_ids, holds, names};
use crate::model::edit::{Edit, Entry};
use crate::model::fixture::{Fixture, FixtureDefinition, MAX_LAMPS, Pixels};
use crate::model::id::{ChainId, DefinitionId, FixtureId};
use crate::model::layout::Layout;
use crate::model::light::LightResponse;
use crate::model::patch::{Chain, PatchAddress};
use crate::model::project::Project;
use crate::model::references::Key;
use crate::model::refusals::lamps;
use crate::model::supply::Current;
use crate::model::validate::place::place_below;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Where fixtures are moved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Off their chain.
    Off,
    /// Before the link that is now at this place of the chain; behind the last one at its length.
    Chain(ChainId, usize),
}

/// A kind of fixture to begin with: a strip of 60 RGB pixels, one metre.
pub fn first_kind(project: &Project) -> (DefinitionId, Edit) {
    let id = free_ids(&project.definitions, |id: DefinitionId| id.0, DefinitionId).next().unwrap_or(DefinitionId(0));
    let definition = FixtureDefinition {
        id,
        name: "Strip of 60".into(),
        pixels: Pixels::Strip { count: 60, length: 1.0 },
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes: Vec::new(),
    };
    (id, Edit::Titled("add a kind of fixture".into(), vec![Edit::Put(Entry::Definition(definition.into()))]))
}

/// New fixtures of a kind at the end of a chain, or on none; in the topology in rows below what is there. An empty
/// chain starts at `port`, or at the first free universe. The ids of the new ones come first.
///
/// # Errors
/// When there is no room for them.
pub fn add_fixtures(
    project: &Project,
    chain: Option<ChainId>,
    kind: DefinitionId,
    count: usize,
    port: Option<PatchAddress>,
) -> Result<(Vec<FixtureId>, Edit), PatchError> {
    let definition = project.definitions.get(kind).ok_or(PatchError::Gone)?;
    let taken = project.fixtures.iter().map(|fixture| fixture.name.as_str());
    let ids = free_ids(&project.fixtures, |id: FixtureId| id.0, FixtureId).take(count);
    let new = ids.zip(names(base_of(&definition.name), taken));
    let new: Vec<Fixture> = new.map(|(id, name)| Fixture { id, name, definition: kind }).collect();
    let ids: Vec<FixtureId> = new.iter().map(|fixture| fixture.id).collect();
    let (changed, mut edits) = with_fixtures(project, new)?;
    if let Some(chain) = chain {
        let chain = project.chains.get(chain).ok_or(PatchError::Gone)?;
        let fixtures: Vec<FixtureId> = on(chain).chain(ids.iter().copied()).collect();
        edits.extend(rebuilt(&changed, chain, &fixtures, port)?.map(put_chain));
    }
    edits.extend(placed_below(&changed, &ids));
    Ok((ids.clone(), Edit::Titled(format!("add {}", counted(ids.len(), "fixture")), edits)))
}

/// The project with new fixtures, and the edits that bring them.
fn with_fixtures(project: &Project, new: Vec<Fixture>) -> Result<(Project, Vec<Edit>), PatchError> {
    let mut changed = project.clone();
    let mut edits = Vec::with_capacity(new.len() + 2);
    for fixture in new {
        let fixture = Arc::new(fixture);
        changed.fixtures.put(Arc::clone(&fixture));
        edits.push(Edit::Put(Entry::Fixture(fixture)));
    }
    let lamps = lamps(&changed);
    if lamps > u64::from(MAX_LAMPS) { Err(PatchError::TooManyLamps { lamps }) } else { Ok((changed, edits)) }
}

/// Puts fixtures that it lacks into the topology.
pub(super) fn placed_below(project: &Project, lacking: &[FixtureId]) -> Option<Edit> {
    let mut topology = Layout::clone(project.layouts.get(project.settings.topology)?);
    place_below(project, &mut topology, lacking);
    Some(Edit::Put(Entry::Layout(topology.into())))
}

/// A second one of each: behind the last of them on its chain, and beside them in each layout that they are in. The
/// ids of the new ones come first.
///
/// # Errors
/// When there is no room for them.
pub fn duplicate_fixtures(project: &Project, ids: &[FixtureId]) -> Result<(Vec<FixtureId>, Edit), PatchError> {
    let originals = in_order(project, ids);
    let mut counting: BTreeMap<&str, Box<dyn Iterator<Item = String> + '_>> = BTreeMap::new();
    let mut free = free_ids(&project.fixtures, |id: FixtureId| id.0, FixtureId);
    let mut twins: HashMap<FixtureId, FixtureId> = HashMap::new();
    let mut new = Vec::new();
    for original in originals.iter().filter_map(|id| project.fixtures.get(*id)) {
        let Some(id) = free.next() else { break };
        let base = base_of(&original.name);
        let taken = || project.fixtures.iter().map(|fixture| fixture.name.as_str());
        let names = counting.entry(base).or_insert_with(|| Box::new(names(base, taken())));
        let name = names.next().unwrap_or_default();
        new.push(Fixture { id, name, definition: original.definition });
        twins.insert(original.id, id);
    }
    let ids: Vec<FixtureId> = new.iter().map(|fixture| fixture.id).collect();
    let (changed, mut edits) = with_fixtures(project, new)?;
    for chain in project.chains.iter() {
        let Some(last) = chain.links.iter().rposition(|link| twins.contains_key(&link.fixture)) else { continue };
        let mut fixtures: Vec<FixtureId> = on(chain).collect();
        let copies: Vec<FixtureId> = fixtures.iter().filter_map(|id| twins.get(id).copied()).collect();
        fixtures.splice(last + 1..last + 1, copies);
        edits.extend(rebuilt(&changed, chain, &fixtures, None)?.map(put_chain));
    }
    edits.extend(project.layouts.iter().filter_map(|layout| copies_beside(&changed, layout, &twins)));
    let title = format!("duplicate {}", counted(ids.len(), "fixture"));
    Ok((ids, Edit::Titled(title, edits)))
}

/// Takes fixtures off their chains and out of all layouts, then away.
///
/// # Errors
/// When what is behind them on a chain would run past the last universe.
pub fn remove_fixtures(project: &Project, ids: &[FixtureId]) -> Result<Edit, PatchError> {
    let gone = holds(ids);
    let mut edits = moved(project, &[], &gone, Place::Off, None)?;
    for layout in project.layouts.iter() {
        let placements: Vec<_> = layout.placements.iter().copied().filter(|p| !gone(p.fixture)).collect();
        if placements.len() < layout.placements.len() {
            edits.push(Edit::Put(Entry::Layout(Layout { placements, ..Layout::clone(layout) }.into())));
        }
    }
    let there = project.fixtures.iter().map(|fixture| fixture.id).filter(|id| gone(*id));
    let there: Vec<Edit> = there.map(|id| Edit::Remove(Key::Fixture(id))).collect();
    let title = format!("delete {}", counted(there.len(), "fixture"));
    edits.extend(there);
    Ok(Edit::Titled(title, edits))
}

/// Gives a fixture another name.
pub fn rename_fixture(fixture: &Fixture, name: String) -> Edit {
    let fixture = Fixture { name, ..fixture.clone() };
    Edit::Titled("rename fixture".into(), vec![Edit::Put(Entry::Fixture(fixture.into()))])
}

/// Makes a fixture one of another kind; what is behind it on its chain follows it anew.
///
/// # Errors
/// When its chain would run past the last universe, or there would be too many lamps.
pub fn set_kind(project: &Project, id: FixtureId, kind: DefinitionId) -> Result<Edit, PatchError> {
    let fixture = project.fixtures.get(id).ok_or(PatchError::Gone)?;
    let fixture = Fixture { definition: kind, ..Fixture::clone(fixture) };
    let (changed, mut edits) = with_fixtures(project, vec![fixture])?;
    if let Some((chain, place)) = home_of(project, id)
        && let Some(chain) = project.chains.get(chain)
    {
        let byte = chain.links[place].start.byte();
        edits.push(put_chain(addressed(&changed, Chain::clone(chain), place, byte)?));
    }
    Ok(Edit::Titled("change kind of fixture".into(), edits))
}

/// Moves fixtures along a chain, to another one, or off theirs; what is behind them follows anew. `None` where they
/// are there already. A chain that was empty starts at `port`, or at the first free universe.
///
/// # Errors
/// When a chain would run past the last universe.
pub fn move_fixtures(
    project: &Project,
    ids: &[FixtureId],
    to: Place,
    port: Option<PatchAddress>,
) -> Result<Option<Edit>, PatchError> {
    let moving = in_order(project, ids);
    let edits = moved(project, &moving, &holds(&moving), to, port)?;
    let title = format!("move {}", counted(moving.len(), "fixture"));
    Ok((!edits.is_empty()).then_some(Edit::Titled(title, edits)))
}

/// Moves fixtures one place towards the port of their chain, or away from it. `None` at its end.
///
/// # Errors
/// When a chain would run past the last universe.
pub fn step_fixtures(project: &Project, ids: &[FixtureId], up: bool) -> Result<Option<Edit>, PatchError> {
    let Some((id, _)) = ids.iter().find_map(|id| home_of(project, *id)) else { return Ok(None) };
    let Some(chain) = project.chains.get(id) else { return Ok(None) };
    let moving = holds(ids);
    let place = match up {
        true => chain.links.iter().position(|link| moving(link.fixture)).and_then(|place| place.checked_sub(1)),
        false => {
            let last = chain.links.iter().rposition(|link| moving(link.fixture));
            last.map(|place| place + 2).filter(|place| *place <= chain.links.len())
        }
    };
    place.map_or(Ok(None), |place| {
        let ours: Vec<FixtureId> = on(chain).filter(|id| moving(*id)).collect();
        move_fixtures(project, &ours, Place::Chain(id, place), None)
    })
}

/// Edits of the chains that lose or get fixtures.
fn moved(
    project: &Project,
    moving: &[FixtureId],
    is_moving: &impl Fn(FixtureId) -> bool,
    to: Place,
    port: Option<PatchAddress>,
) -> Result<Vec<Edit>, PatchError> {
    let mut edits = Vec::new();
    for chain in project.chains.iter() {
        let mut fixtures: Vec<FixtureId> = on(chain).filter(|id| !is_moving(*id)).collect();
        if let Place::Chain(target, place) = to
            && target == chain.id
        {
            let before = on(chain).take(place).filter(|id| !is_moving(*id)).count();
            fixtures.splice(before..before, moving.iter().copied());
        }
        edits.extend(rebuilt(project, chain, &fixtures, port)?.map(put_chain));
    }
    Ok(edits)
}

/// The fixtures in the order of the chains, then those on none.
fn in_order(project: &Project, ids: &[FixtureId]) -> Vec<FixtureId> {
    let wanted = holds(ids);
    let mut ordered: Vec<FixtureId> =
        project.chains.iter().flat_map(|chain| on(chain)).filter(|id| wanted(*id)).collect();
    let chained = holds(&ordered);
    ordered.extend(project.fixtures.iter().map(|fixture| fixture.id).filter(|id| wanted(*id) && !chained(*id)));
    ordered
}

fn on(chain: &Chain) -> impl Iterator<Item = FixtureId> {
    chain.links.iter().map(|link| link.fixture)
}

fn put_chain(chain: Chain) -> Edit {
    Edit::Put(Entry::Chain(chain.into()))
}
