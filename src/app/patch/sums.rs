//! What the panel knows of the whole patch: sums of chains, fixtures on none, troubles; made anew when it changes.
//!
//! Plain values of the ui thread. Deliberately absent: how they are shown.

use crate::model::device::Route;
use crate::model::fixture::{Fixture, FixtureDefinition};
use crate::model::id::{ChainId, DefinitionId, FixtureId, LayoutId, Table};
use crate::model::layout::Layout;
use crate::model::patch::{Chain, PatchAddress};
use crate::model::patching::{Trouble, problems};
use crate::model::project::Project;
use crate::units::{MAX_UNIVERSES, UNIVERSE_CHANNELS};
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// A chain in the list.
#[derive(Clone, Debug)]
pub(super) struct ChainSum {
    /// Which one.
    pub id: ChainId,
    /// Where it starts.
    pub port: Option<PatchAddress>,
    /// How many lamps it has.
    pub lamps: u64,
    /// Universes that it touches, from 0.
    pub universes: Option<RangeInclusive<u16>>,
    /// What is wrong with it, in words.
    pub trouble: Option<&'static str>,
}

/// What was derived, and from which tables.
#[derive(Debug)]
pub(super) struct Sums {
    chains_of: Table<Chain>,
    fixtures_of: Table<Fixture>,
    definitions_of: Table<FixtureDefinition>,
    layouts_of: Table<Layout>,
    routes_of: Table<Route>,
    topology: LayoutId,
    /// In the order of their ports, the empty ones last.
    pub chains: Vec<ChainSum>,
    /// Fixtures on no chain.
    pub loose: Vec<FixtureId>,
    /// All that is wrong.
    pub troubles: Vec<Trouble>,
    /// The chain of each fixture.
    pub homes: HashMap<FixtureId, ChainId>,
}

impl Sums {
    /// Whether they are still those of this project.
    pub fn hold_for(&self, project: &Project) -> bool {
        self.chains_of.same_as(&project.chains)
            && self.fixtures_of.same_as(&project.fixtures)
            && self.definitions_of.same_as(&project.definitions)
            && self.layouts_of.same_as(&project.layouts)
            && self.routes_of.same_as(&project.routes)
            && self.topology == project.settings.topology
    }

    /// Goes through the whole patch.
    pub fn of(project: &Project) -> Self {
        let homes: HashMap<FixtureId, ChainId> =
            project.chains.iter().flat_map(|chain| chain.links.iter().map(|link| (link.fixture, chain.id))).collect();
        let troubles = problems(project);
        let mut chains: Vec<ChainSum> = project.chains.iter().map(|chain| sum(project, chain)).collect();
        mark(&mut chains, &troubles, &homes);
        // Ports in their order; a chain without one is what somebody has just added, so it is last.
        chains.sort_by_key(|sum| (sum.port.is_none(), sum.port, sum.id));
        let loose = project.fixtures.iter().map(|fixture| fixture.id).filter(|id| !homes.contains_key(id)).collect();
        Self {
            chains_of: project.chains.clone(),
            fixtures_of: project.fixtures.clone(),
            definitions_of: project.definitions.clone(),
            layouts_of: project.layouts.clone(),
            routes_of: project.routes.clone(),
            topology: project.settings.topology,
            chains,
            loose,
            troubles,
            homes,
        }
    }
}

fn sum(project: &Project, chain: &Chain) -> ChainSum {
    let mut sum = ChainSum { id: chain.id, port: chain.port(), lamps: 0, universes: None, trouble: None };
    for link in &chain.links {
        let Some(kind) = kind_of(project, link.fixture) else { continue };
        sum.lamps += u64::from(kind.pixels.count());
        let bytes = bytes_of(chain, link.start, kind);
        let last = (bytes.1.max(bytes.0 + 1) - 1) / UNIVERSE_CHANNELS;
        let (first, last) = (link.start.universe, last.min(MAX_UNIVERSES - 1) as u16);
        sum.universes = Some(match sum.universes {
            Some(known) => first.min(*known.start())..=last.max(*known.end()),
            None => first..=last,
        });
    }
    sum
}

fn mark(chains: &mut [ChainSum], troubles: &[Trouble], homes: &HashMap<FixtureId, ChainId>) {
    let (mut overlapping, mut past) = (BTreeSet::<ChainId>::new(), BTreeSet::new());
    let mut unrouted: &[u16] = &[];
    for trouble in troubles {
        match trouble {
            Trouble::Overlap { fixture, other, .. } => {
                overlapping.extend([fixture, other].into_iter().filter_map(|id| homes.get(id)));
            }
            Trouble::PastEnd(chain) => drop(past.insert(*chain)),
            Trouble::Unrouted(universes) => unrouted = universes,
            Trouble::Unchained(_) | Trouble::Unplaced(_) => {}
        }
    }
    for sum in chains {
        let dark = |range: &RangeInclusive<u16>| {
            let next = unrouted.partition_point(|universe| universe < range.start());
            unrouted.get(next).is_some_and(|universe| universe <= range.end())
        };
        sum.trouble = if past.contains(&sum.id) {
            Some("runs past the end")
        } else if overlapping.contains(&sum.id) {
            Some("addresses overlap")
        } else {
            sum.universes.as_ref().is_some_and(dark).then_some("without a route")
        };
    }
}

/// The kind of a fixture.
pub(super) fn kind_of(project: &Project, id: FixtureId) -> Option<&FixtureDefinition> {
    project.definitions.get(project.fixtures.get(id)?.definition).map(|kind| &**kind)
}

/// The first byte of a fixture on a chain, and one behind its last.
fn bytes_of(chain: &Chain, start: PatchAddress, kind: &FixtureDefinition) -> (usize, usize) {
    (start.byte(), chain.straddle.end(start.byte(), kind.channels.len(), kind.pixels.count()))
}

/// The channels of a fixture on a chain in words; `first` is the number of the first universe on the screen.
pub(super) fn range_words(chain: &Chain, start: PatchAddress, kind: &FixtureDefinition, first: u16) -> String {
    let (from, behind) = bytes_of(chain, start, kind);
    let universe = |byte: usize| byte / UNIVERSE_CHANNELS + usize::from(first);
    let channel = |byte: usize| byte % UNIVERSE_CHANNELS + 1;
    let last = behind.max(from + 1) - 1;
    match universe(from) == universe(last) {
        true => format!("universe {}, channels {} to {}", universe(from), channel(from), channel(last)),
        false => {
            format!(
                "universes {} to {}, channels {} to {}",
                universe(from),
                universe(last),
                channel(from),
                channel(last)
            )
        }
    }
}

/// What a kind of fixture is, in a word or two.
pub(super) fn kind_words(project: &Project, id: DefinitionId) -> &str {
    project.definitions.get(id).map_or("", |kind| kind.name.as_str())
}

/// A number and what it counts.
pub(super) fn counted(count: u64, what: &str) -> String {
    let number = crate::app::status_bar::grouped(count);
    if count == 1 { format!("{number} {what}") } else { format!("{number} {what}s") }
}
