//! What can be wrong with addresses, as values: for the words of the linter and for the panel that cures it.
//!
//! One sweep over sorted address ranges and sets of universes, so 8192 fixtures take milliseconds. Changes nothing.

use crate::model::id::FixtureId;
use crate::model::project::Project;
use crate::units::UNIVERSE_CHANNELS;
use std::collections::{BTreeSet, HashSet};

/// A run of bytes that a fixture uses.
pub(in crate::model) struct Span {
    pub start: usize,
    pub end: usize,
    fixture: FixtureId,
}

impl Span {
    pub fn universes(&self) -> impl Iterator<Item = u16> + use<> {
        let last = (self.end - 1) / UNIVERSE_CHANNELS;
        (self.start / UNIVERSE_CHANNELS..=last).filter_map(|universe| u16::try_from(universe).ok())
    }
}

/// Every byte that the patch uses, in rising order; channels that straddling skips are left out.
pub(in crate::model) fn spans(project: &Project) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for chain in project.chains.iter() {
        for link in &chain.links {
            let fixture = project.fixtures.get(link.fixture);
            let Some(definition) = fixture.and_then(|fixture| project.definitions.get(fixture.definition)) else {
                continue;
            };
            let (width, count) = (definition.channels.len(), definition.pixels.count());
            let runs = chain.straddle.runs(link.start.byte(), width, count);
            spans.extend(runs.map(|run| Span { start: run.start, end: run.end, fixture: link.fixture }));
        }
    }
    spans.sort_by_key(|span| (span.start, span.fixture));
    spans
}

/// Universes that the patch uses.
pub(in crate::model) fn universes(spans: &[Span]) -> BTreeSet<u16> {
    spans.iter().flat_map(Span::universes).collect()
}

/// Two fixtures with a byte in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) struct Overlap {
    /// The one that starts later.
    pub fixture: FixtureId,
    /// The one that is there already.
    pub other: FixtureId,
    /// The first byte that both have.
    pub byte: usize,
}

/// Who overlaps whom, each pair once.
pub(in crate::model) fn overlaps(spans: &[Span]) -> Vec<Overlap> {
    let mut told = HashSet::new();
    let mut overlaps = Vec::new();
    let mut reaching: Option<&Span> = None;
    for span in spans {
        if let Some(other) = reaching
            && span.start < other.end
            && told.insert((other.fixture, span.fixture))
        {
            overlaps.push(Overlap { fixture: span.fixture, other: other.fixture, byte: span.start });
        }
        if reaching.is_none_or(|other| span.end > other.end) {
            reaching = Some(span);
        }
    }
    overlaps
}

/// Fixtures in no chain, which are dark.
pub(in crate::model) fn unchained(project: &Project) -> Vec<FixtureId> {
    let chained: HashSet<FixtureId> =
        project.chains.iter().flat_map(|chain| chain.links.iter().map(|link| link.fixture)).collect();
    project.fixtures.iter().map(|fixture| fixture.id).filter(|id| !chained.contains(id)).collect()
}

/// Those of the universes that no route carries.
pub(in crate::model) fn unrouted(project: &Project, used: &BTreeSet<u16>) -> Vec<u16> {
    let routed: BTreeSet<u16> =
        project.routes.iter().flat_map(|route| route.pairs().map(|(universe, _)| universe)).collect();
    used.difference(&routed).copied().collect()
}
