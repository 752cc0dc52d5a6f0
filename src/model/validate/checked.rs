//! The linter: what can be played but is probably not meant. Changes nothing.
//!
//! What is wrong with addresses, `patched` finds; here it is put into words.

use super::patched::{Overlap, Span, overlaps, spans, unchained, universes, unrouted};
use super::{nodes, power};
use crate::model::drive::{Drive, MAX_DRIVES};
use crate::model::id::FixtureId;
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::units::{Level, UNIVERSE_CHANNELS};
use std::collections::BTreeSet;

/// Names in one finding; the rest is counted.
const NAMES: usize = 8;

/// What looks wrong with a project. The show plays it as it is.
pub fn checked(project: &Project) -> Vec<Problem> {
    let mut problems = Vec::new();
    let spans = spans(project);
    overlapping(project, &spans, &mut problems);
    dark_fixtures(project, &mut problems);
    let used = universes(&spans);
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

fn overlapping(project: &Project, spans: &[Span], problems: &mut Vec<Problem>) {
    for Overlap { fixture, other, byte } in overlaps(spans) {
        let (universe, channel) = (byte / UNIVERSE_CHANNELS, byte % UNIVERSE_CHANNELS + 1);
        let other = fixture_name(project, other);
        let fault = format!("it overlaps {other} from universe {universe}, channel {channel} on");
        problems.push(Problem::found(fixture_name(project, fixture), fault));
    }
}

fn fixture_name(project: &Project, id: FixtureId) -> String {
    let name = project.fixtures.get(id).map(|fixture| fixture.name.as_str()).unwrap_or_default();
    format!("fixture `{name}` ({id})")
}

fn dark_fixtures(project: &Project, problems: &mut Vec<Problem>) {
    let name = |id: &FixtureId| {
        let name = project.fixtures.get(*id).map(|fixture| fixture.name.as_str()).unwrap_or_default();
        format!("`{name}` ({id})")
    };
    let dark: Vec<String> = unchained(project).iter().map(name).collect();
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
pub fn runs(numbers: impl IntoIterator<Item = u16>) -> String {
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
    let unrouted = unrouted(project, used);
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
