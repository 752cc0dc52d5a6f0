//! What is wrong with a patch, as values that lead to the thing, and the edit that cures it where there is one.
//!
//! Found by what the linter finds; see `validate`.

use super::PatchError;
use super::chains::{assign_anew, first_free, set_port};
use super::layouts::complete_topology;
use crate::model::edit::Edit;
use crate::model::id::{ChainId, FixtureId};
use crate::model::patch::PatchAddress;
use crate::model::project::Project;
use crate::model::refusals::ends_past;
use crate::model::validate::patched::{overlaps, spans, unchained, universes, unrouted};
use std::collections::HashSet;

/// One thing that is wrong with a patch; the show plays it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Two fixtures take the same channels.
    Overlap {
        /// The one that starts later.
        fixture: FixtureId,
        /// The one that is there already.
        other: FixtureId,
        /// The first channel that both take.
        at: PatchAddress,
    },
    /// A chain is longer than the patch.
    PastEnd(ChainId),
    /// Universes that no route carries, in rising order.
    Unrouted(Vec<u16>),
    /// Fixtures on no chain.
    Unchained(Vec<FixtureId>),
    /// Fixtures that are not in the topology.
    Unplaced(Vec<FixtureId>),
}

/// The one obvious thing to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cure {
    /// The chain's fixtures get addresses one after the other.
    Assign(ChainId),
    /// The chain starts at the first free universe.
    Free(ChainId),
    /// These are put into the topology.
    Place(Vec<FixtureId>),
}

/// All that is wrong with the patch.
pub fn problems(project: &Project) -> Vec<Trouble> {
    let spans = spans(project);
    let overlap = |found: crate::model::validate::patched::Overlap| {
        let at = PatchAddress::from_byte(found.byte)?;
        Some(Trouble::Overlap { fixture: found.fixture, other: found.other, at })
    };
    let mut troubles: Vec<Trouble> = overlaps(&spans).into_iter().filter_map(overlap).collect();
    let past = project.chains.iter().filter(|chain| chain.links.iter().any(|link| ends_past(project, chain, link)));
    troubles.extend(past.map(|chain| Trouble::PastEnd(chain.id)));
    let some = |ids: Vec<FixtureId>| (!ids.is_empty()).then_some(ids);
    troubles.extend(some(unchained(project)).map(Trouble::Unchained));
    troubles.extend(some(unplaced(project)).map(Trouble::Unplaced));
    let unrouted = unrouted(project, &universes(&spans));
    troubles.extend((!unrouted.is_empty()).then_some(Trouble::Unrouted(unrouted)));
    troubles
}

fn unplaced(project: &Project) -> Vec<FixtureId> {
    let topology = project.layouts.get(project.settings.topology);
    let placements = topology.map(|topology| &topology.placements[..]).unwrap_or_default();
    let placed: HashSet<FixtureId> = placements.iter().map(|placement| placement.fixture).collect();
    project.fixtures.iter().map(|fixture| fixture.id).filter(|id| !placed.contains(id)).collect()
}

/// What would cure it, where that is obvious. `home` knows the chain of a fixture.
pub fn cure(trouble: &Trouble, home: impl Fn(FixtureId) -> Option<ChainId>) -> Option<Cure> {
    match trouble {
        Trouble::Overlap { fixture, other, .. } => {
            let (one, two) = (home(*fixture)?, home(*other)?);
            Some(if one == two { Cure::Assign(one) } else { Cure::Free(one) })
        }
        Trouble::Unplaced(ids) => Some(Cure::Place(ids.clone())),
        Trouble::PastEnd(_) | Trouble::Unrouted(_) | Trouble::Unchained(_) => None,
    }
}

/// The cure as an edit.
///
/// # Errors
/// When a chain would run past the last universe.
pub fn cured(project: &Project, cure: &Cure) -> Result<Edit, PatchError> {
    match cure {
        Cure::Assign(chain) => assign_anew(project, *chain),
        Cure::Free(chain) => set_port(project, *chain, first_free(project).ok_or(PatchError::Full)?),
        Cure::Place(ids) => complete_topology(project, ids),
    }
}
