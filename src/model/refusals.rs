//! What no edit may make of the patch: a fixture in two places, a chain past the end, more lamps than can be lit.
//!
//! Pure functions. They look at a whole edit once it is done, and only at the tables and the items that it changed:
//! an edit of a scene costs a few pointers.

use super::edit::EditError;
use super::fixture::{FixtureDefinition, MAX_LAMPS};
use super::id::{FixtureId, Item, Table};
use super::layout::Layout;
use super::patch::{Chain, Link};
use super::project::Project;
use super::references::Key;
use crate::units::{MAX_UNIVERSES, UNIVERSE_CHANNELS};
use std::collections::HashSet;
use std::sync::Arc;

/// Refuses what the edit from `before` to `after` must not bring about. What was there before is not looked at.
pub(super) fn refuse_unsound(before: &Project, after: &Project) -> Result<(), EditError> {
    let kinds = !before.fixtures.same_as(&after.fixtures) || !before.definitions.same_as(&after.definitions);
    if kinds {
        refuse_lamps(before, after)?;
    }
    if !before.chains.same_as(&after.chains) {
        refuse_chained(before, after)?;
    }
    if kinds || !before.chains.same_as(&after.chains) {
        // Kinds that have changed may lengthen any chain.
        let chains = after.chains.iter().filter(|chain| kinds || is_new(chain, &before.chains));
        let mut past = chains.filter(|chain| chain.links.iter().any(|link| ends_past(after, chain, link)));
        past.next().map_or(Ok(()), |chain| Err(EditError::PastEnd { chain: chain.name.clone() }))?;
    }
    if !before.layouts.same_as(&after.layouts) {
        after.layouts.iter().filter(|layout| is_new(layout, &before.layouts)).try_for_each(|layout| {
            let old = before.layouts.get(layout.id);
            refuse_placed(old.map(|old| &**old), layout)
        })?;
    }
    Ok(())
}

fn is_new<T: Item>(item: &Arc<T>, before: &Table<T>) -> bool {
    before.get(item.id()).is_none_or(|old| !Arc::ptr_eq(old, item))
}

/// The kind of a fixture.
pub(super) fn kind_of(project: &Project, id: FixtureId) -> Option<&FixtureDefinition> {
    project.definitions.get(project.fixtures.get(id)?.definition).map(|definition| &**definition)
}

/// Whether a fixture on a chain reaches past the last universe.
pub(super) fn ends_past(project: &Project, chain: &Chain, link: &Link) -> bool {
    let end = kind_of(project, link.fixture)
        .map_or(0, |kind| chain.straddle.end(link.start.byte(), kind.channels.len(), kind.pixels.count()));
    end.max(link.start.byte() + 1) > MAX_UNIVERSES * UNIVERSE_CHANNELS
}

/// Lamps of all fixtures.
pub(super) fn lamps(project: &Project) -> u64 {
    project
        .fixtures
        .iter()
        .filter_map(|fixture| kind_of(project, fixture.id))
        .map(|k| u64::from(k.pixels.count()))
        .sum()
}

fn refuse_lamps(before: &Project, after: &Project) -> Result<(), EditError> {
    let lamps = [before, after].map(lamps);
    if lamps[1] > u64::from(MAX_LAMPS).max(lamps[0]) {
        Err(EditError::TooManyLamps { lamps: lamps[1] })
    } else {
        Ok(())
    }
}

/// Only chains whose fixtures are others than before can have brought a fixture to a second place.
fn refuse_chained(before: &Project, after: &Project) -> Result<(), EditError> {
    let is_same = |chain: &Chain| {
        let old = before.chains.get(chain.id);
        old.is_some_and(|old| fixtures(old).eq(fixtures(chain)))
    };
    let (same, changed): (Vec<_>, Vec<_>) = after.chains.iter().partition(|chain| is_same(chain));
    let mut chained = HashSet::new();
    let refused =
        |chain: &Chain, fixture| EditError::Chained { fixture: Key::Fixture(fixture), chain: chain.name.clone() };
    for chain in &changed {
        let twice = fixtures(chain).find(|fixture| !chained.insert(*fixture));
        twice.map_or(Ok(()), |fixture| Err(refused(chain, fixture)))?;
    }
    let same = same.iter().filter(|_| !chained.is_empty());
    same.map(|chain| (chain, fixtures(chain).find(|fixture| chained.contains(fixture))))
        .find_map(|(chain, fixture)| Some(refused(chain, fixture?)))
        .map_or(Ok(()), Err)
}

fn fixtures(chain: &Chain) -> impl Iterator<Item = FixtureId> {
    chain.links.iter().map(|link| link.fixture)
}

fn refuse_placed(old: Option<&Layout>, layout: &Layout) -> Result<(), EditError> {
    let fixtures = |layout: &Layout| layout.placements.iter().map(|placement| placement.fixture).collect::<Vec<_>>();
    let now = fixtures(layout);
    if old.is_some_and(|old| fixtures(old) == now) {
        return Ok(());
    }
    let mut placed = HashSet::new();
    let twice = now.into_iter().find(|fixture| !placed.insert(*fixture)).map(Key::Fixture);
    twice.map_or(Ok(()), |fixture| Err(EditError::Placed { fixture, layout: layout.name.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::edit::{Edit, Entry};
    use crate::model::fixture::Pixels;
    use crate::model::id::{ChainId, LayoutId};
    use crate::model::patch::PatchAddress;
    use crate::model::patching::{add_chain, add_fixtures, first_kind};
    use crate::units::DmxAddress;

    const ONE: ChainId = ChainId(1);
    const TWO: ChainId = ChainId(2);

    /// Two chains of three strips each.
    fn rig() -> Project {
        let mut project = Project::empty("rig");
        let (kind, edit) = first_kind(&project);
        edit.apply(&mut project).unwrap();
        for _ in 0..2 {
            let (chain, edit) = add_chain(&project);
            edit.apply(&mut project).unwrap();
            let (_, edit) = add_fixtures(&project, Some(chain), kind, 3, None).unwrap();
            edit.apply(&mut project).unwrap();
        }
        project
    }

    #[test]
    fn no_edit_makes_a_patch_that_cannot_be() {
        let mut project = rig();
        let chain = |id: ChainId| Chain::clone(project.chains.get(id).unwrap());
        let [mut across, mut twice, mut past] = [TWO, ONE, ONE].map(chain);
        across.links[0].fixture = FixtureId(1);
        twice.links[0].fixture = FixtureId(3);
        past.links[2].start = PatchAddress { universe: 8191, channel: DmxAddress::new(400).unwrap() };
        let mut layout = Layout::clone(project.layouts.get(LayoutId(1)).unwrap());
        layout.placements.push(layout.placements[0]);
        let mut huge = FixtureDefinition::clone(project.definitions.iter().next().unwrap());
        huge.pixels = Pixels::Strip { count: 400_000, length: 1.0 };
        let words = |error: EditError| error.to_string();
        let chains = [across, twice, past].map(|chain| Edit::Put(Entry::Chain(chain.into())));
        let others = [Edit::Put(Entry::Layout(layout.into())), Edit::Put(Entry::Definition(huge.into()))];
        let refused: Vec<String> =
            chains.into_iter().chain(others).map(|edit| words(edit.apply(&mut project).unwrap_err())).collect();
        assert_eq!(
            refused,
            [
                "fixture #1 would be in chain `Chain 1` and in another place of a chain; nothing was changed",
                "fixture #3 would be in chain `Chain 1` and in another place of a chain; nothing was changed",
                "chain `Chain 1` would run past universe 8191, the last one; nothing was changed",
                "fixture #1 would be in layout `Topology` twice; nothing was changed",
                "the project would have 2400000 lamps, and 1400000 are the most; nothing was changed",
            ]
        );
        assert_eq!(project, rig());
        // What is wrong between two edits of a batch is looked at only when all are done.
        let [mut one, mut two] = [ONE, TWO].map(|id| Chain::clone(project.chains.get(id).unwrap()));
        std::mem::swap(&mut one.links[0].fixture, &mut two.links[0].fixture);
        let swap = [one, two].map(|chain| Edit::Put(Entry::Chain(chain.into())));
        Edit::Batch(swap.into()).apply(&mut project).unwrap();
    }
}
