//! The linter: what can be played but is probably not meant. Changes nothing.
//!
//! One sweep over sorted address ranges and sets of universes, so 8192 fixtures take milliseconds.

use super::{nodes, power};
use crate::model::drive::{Drive, MAX_DRIVES};
use crate::model::id::FixtureId;
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::units::{Level, UNIVERSE_CHANNELS};
use std::collections::{BTreeSet, HashSet};

/// Names in one finding; the rest is counted.
const NAMES: usize = 8;

/// What looks wrong with a project. The show plays it as it is.
pub fn checked(project: &Project) -> Vec<Problem> {
    let mut problems = Vec::new();
    let spans = spans(project);
    overlaps(project, &spans, &mut problems);
    dark_fixtures(project, &mut problems);
    let used: BTreeSet<u16> = spans.iter().flat_map(Span::universes).collect();
    routes(project, &used, &mut problems);
    nodes::targets(project, &mut problems);
    nodes::devices(project, &mut problems);
    nodes::unsent(project, &spans, &mut problems);
    empty_things(project, &mut problems);
    triggers(project, &mut problems);
    drives(project, &mut problems);
    power::caps(project, &mut problems);
    problems
}

/// A run of bytes that a fixture uses.
pub(super) struct Span {
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
fn spans(project: &Project) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for chain in project.chains.iter() {
        for link in &chain.links {
            let fixture = project.fixtures.get(link.fixture);
            let Some(definition) = fixture.and_then(|fixture| project.definitions.get(fixture.definition)) else {
                continue;
            };
            let width = definition.channels.len();
            let bytes = chain.straddle.pixel_bytes(link.start.byte(), width, definition.pixels.count());
            let first = spans.len();
            for byte in bytes.filter(|_| width > 0) {
                match spans[first..].last_mut() {
                    Some(span) if span.end == byte => span.end += width,
                    _ => spans.push(Span { start: byte, end: byte + width, fixture: link.fixture }),
                }
            }
        }
    }
    spans.sort_by_key(|span| (span.start, span.fixture));
    spans
}

fn overlaps(project: &Project, spans: &[Span], problems: &mut Vec<Problem>) {
    let mut told = HashSet::new();
    let mut reaching: Option<&Span> = None;
    for span in spans {
        if let Some(other) = reaching
            && span.start < other.end
            && told.insert((other.fixture, span.fixture))
        {
            let (universe, channel) = (span.start / UNIVERSE_CHANNELS, span.start % UNIVERSE_CHANNELS + 1);
            let other = fixture_name(project, other.fixture);
            let fault = format!("it overlaps {other} from universe {universe}, channel {channel} on");
            problems.push(Problem::found(fixture_name(project, span.fixture), fault));
        }
        if reaching.is_none_or(|other| span.end > other.end) {
            reaching = Some(span);
        }
    }
}

fn fixture_name(project: &Project, id: FixtureId) -> String {
    let name = project.fixtures.get(id).map(|fixture| fixture.name.as_str()).unwrap_or_default();
    format!("fixture `{name}` ({id})")
}

fn dark_fixtures(project: &Project, problems: &mut Vec<Problem>) {
    let chained: HashSet<FixtureId> =
        project.chains.iter().flat_map(|chain| chain.links.iter().map(|link| link.fixture)).collect();
    let dark: Vec<String> = project
        .fixtures
        .iter()
        .filter(|fixture| !chained.contains(&fixture.id))
        .map(|fixture| format!("`{}` ({})", fixture.name, fixture.id))
        .collect();
    if !dark.is_empty() {
        problems.push(Problem::found("patch", format!("in no chain, so dark: {}", listed(&dark))));
    }
}

/// The first few, and how many more there are.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Numbers as runs: `0 to 3, 7`.
pub(super) fn runs(numbers: impl IntoIterator<Item = u16>) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let text =
        |(first, last): &(u16, u16)| if first == last { first.to_string() } else { format!("{first} to {last}") };
    listed(&runs.iter().map(text).collect::<Vec<_>>())
}

fn routes(project: &Project, used: &BTreeSet<u16>, problems: &mut Vec<Problem>) {
    let routed: BTreeSet<u16> =
        project.routes.iter().flat_map(|route| route.pairs().map(|(universe, _)| universe)).collect();
    let unrouted: Vec<u16> = used.difference(&routed).copied().collect();
    if !unrouted.is_empty() {
        problems.push(Problem::found("routes", format!("these universes of the patch go nowhere: {}", runs(unrouted))));
    }
    for route in project.routes.iter() {
        let merged: BTreeSet<u16> = route.merged().map(|(universe, ..)| universe).collect();
        let pairs = route.pairs().map(|(universe, _)| universe);
        let idle: Vec<u16> = pairs.filter(|universe| !used.contains(universe) && !merged.contains(universe)).collect();
        if !idle.is_empty() {
            let fault = format!("nothing is patched to its universes {}", runs(idle));
            problems.push(Problem::found(format!("route {}", route.id), fault));
        }
        if route.merge.is_some() && merged.len() < usize::from(route.count) {
            let fault = format!("only its first {} universes have one to be merged into them", merged.len());
            problems.push(Problem::found(format!("route {}", route.id), fault));
        }
    }
}

/// Pixels that the pack pass has no room to drive in a way of their own.
fn drives(project: &Project, problems: &mut Vec<Problem>) {
    let mut known = vec![Drive::PLAIN];
    for definition in project.definitions.iter() {
        let drive = Drive::new(&definition.channels, &definition.light);
        if !known.contains(&drive) {
            known.push(drive);
        }
    }
    if known.len() > MAX_DRIVES {
        let fault = format!(
            "pixels are driven in {} ways, and {MAX_DRIVES} are the most; the last of the patch are driven plainly",
            known.len()
        );
        problems.push(Problem::found("fixture definitions", fault));
    }
}

fn triggers(project: &Project, problems: &mut Vec<Problem>) {
    for trigger in project.triggers.iter().filter(|trigger| trigger.threshold == Level::ZERO) {
        let item = format!("trigger `{}` ({})", trigger.name, trigger.id);
        problems.push(Problem::found(item, "its threshold is 0, so its gate never closes"));
    }
}

fn empty_things(project: &Project, problems: &mut Vec<Problem>) {
    for chain in project.chains.iter().filter(|chain| chain.links.is_empty()) {
        problems.push(Problem::found(format!("chain `{}` ({})", chain.name, chain.id), "it has no fixtures"));
    }
    for definition in project.definitions.iter().filter(|definition| definition.pixels.count() == 0) {
        let item = format!("fixture definition `{}` ({})", definition.name, definition.id);
        problems.push(Problem::found(item, "it has no pixels"));
    }
    for scene in project.scenes.iter() {
        let item = || format!("scene `{}` ({})", scene.name, scene.id);
        let chosen = scene.selection.as_ref().and_then(|selection| project.layouts.get(selection.layout));
        if let Some(layout) = chosen.filter(|layout| layout.placements.is_empty()) {
            problems.push(Problem::found(item(), format!("it lights layout `{}`, which is empty", layout.name)));
        }
        if scene.effects.is_empty() {
            problems.push(Problem::found(item(), "it has no effects"));
        }
    }
}
