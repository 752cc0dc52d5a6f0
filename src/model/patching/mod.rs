//! What is done to a patch, as edits: chains, the fixtures on them, layouts, and what is wrong with them.
//!
//! Pure functions from a project to one edit, which is one step of undo. Addresses are stored facts: an edit gives new
//! ones only to fixtures behind the place that it changes. Deliberately absent: kinds of fixtures.

mod chains;
mod fixtures;
mod layouts;
#[cfg(test)]
mod tests;
mod troubles;

use super::id::{FixtureId, Item, Table};
use crate::units::MAX_UNIVERSES;
use thiserror::Error;

pub use chains::{
    add_chain, assign_anew, first_free, home_of, remove_chain, rename_chain, set_cap, set_port, set_straddle,
};
pub use fixtures::{
    Place, add_fixtures, duplicate_fixtures, first_kind, move_fixtures, remove_fixtures, rename_fixture, set_kind,
    step_fixtures,
};
pub use layouts::{
    add_layout, make_topology, remove_layout, rename_layout, set_frame, set_placed, set_placement, span_of,
};
pub use troubles::{Cure, Trouble, cure, cured, problems};

/// Why something cannot be done to the patch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatchError {
    /// It would be longer than the patch.
    #[error("`{chain}` runs past universe {}, the last one", MAX_UNIVERSES - 1)]
    PastEnd {
        /// The chain's name.
        chain: String,
    },
    /// No universe is left for a new chain.
    #[error("no universe is free")]
    Full,
    /// More lamps than can be lit.
    #[error("with these the project has {lamps} lamps, and {} are the most", super::fixture::MAX_LAMPS)]
    TooManyLamps {
        /// How many.
        lamps: u64,
    },
    /// The topology is what holds all fixtures.
    #[error("the topology holds all fixtures")]
    Topology,
    /// A layout that lacks fixtures cannot be the topology.
    #[error("it lacks {lacking} of the fixtures, and the topology holds all")]
    Lacking {
        /// How many.
        lacking: usize,
    },
    /// Scenes light what is in it.
    #[error("{users} uses it; change that first")]
    InUse {
        /// Their names.
        users: String,
    },
    /// It is not there any more.
    #[error("it is not there any more")]
    Gone,
}

impl PatchError {
    /// In words, with the first universe counted as on the screen.
    pub fn told(&self, first: u16) -> String {
        let words = match self {
            Self::PastEnd { chain } => {
                format!("`{chain}` runs past universe {}, the last one", MAX_UNIVERSES - 1 + usize::from(first))
            }
            other => other.to_string(),
        };
        let mut letters = words.chars();
        let begin = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        begin + letters.as_str()
    }
}

/// Ids that no item has: those behind the last one, then the gaps.
fn free_ids<T: Item>(table: &Table<T>, of: fn(T::Id) -> u32, id: fn(u32) -> T::Id) -> impl Iterator<Item = T::Id> {
    let behind = table.iter().next_back().map_or(1, |last| u64::from(of(last.id())) + 1);
    let all = (behind..=u64::from(u32::MAX)).chain(1..behind).filter_map(|number| u32::try_from(number).ok());
    all.map(id).filter(|id| !table.contains(*id))
}

/// A number and what it counts: `4 fixtures`; one alone is not counted.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { what.to_owned() } else { format!("{count} {what}s") }
}

/// What names are counted on from: `Strip` for `Strip 7`, and for a kind `Strip of 60`.
fn base_of(name: &str) -> &str {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let base = if base.len() < name.len() { base.strip_suffix(" of").unwrap_or(base) } else { base };
    if base.is_empty() { name } else { base }
}

/// Names `base 1`, `base 2`, ... behind the highest number that is taken; `base` alone is the first.
fn names<'a>(base: &'a str, taken: impl Iterator<Item = &'a str>) -> impl Iterator<Item = String> + 'a {
    let number = |name: &str| match name.strip_prefix(base)?.trim() {
        "" => Some(1),
        rest => rest.parse::<u32>().ok(),
    };
    let last = taken.filter_map(number).max().unwrap_or(0);
    (last.saturating_add(1)..).map(move |number| format!("{base} {number}"))
}

/// Whether it is one of few.
fn holds(ids: &[FixtureId]) -> impl Fn(FixtureId) -> bool + use<> {
    let set: std::collections::HashSet<FixtureId> = ids.iter().copied().collect();
    move |id| set.contains(&id)
}
