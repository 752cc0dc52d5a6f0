//! Repair of currents and supplies, and what the linter says of caps.

use super::repairs::{Repairs, revise};
use crate::model::id::ChainId;
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::model::supply::{Current, MAX_MILLIAMPS};
use std::collections::HashSet;

pub(super) fn current(current: &mut Current, item: &str, repairs: &mut Repairs) {
    for milliamps in &mut current.milliamps {
        repairs.bound_f32(item, "the current of a channel", milliamps, 0.0..=MAX_MILLIAMPS, 0.0);
    }
    repairs.bound_f32(item, "its current in the dark", &mut current.idle, 0.0..=MAX_MILLIAMPS, 0.0);
}

pub(super) fn supplies(project: &mut Project, repairs: &mut Repairs) {
    let chains = &project.chains;
    let mut fed = HashSet::new();
    revise(&mut project.supplies, |supply| {
        let item = format!("supply `{}` ({})", supply.name, supply.id);
        repairs.bound_f32(&item, "its cap", &mut supply.cap_ma, 0.0..=MAX_MILLIAMPS, 0.0);
        supply.chains.retain(|id| {
            let fault = if !chains.contains(*id) {
                format!("there is no chain {id}")
            } else if !fed.insert(*id) {
                format!("chain {id} is fed by a supply already")
            } else {
                return true;
            };
            repairs.note(&item, fault, "it was taken out of the supply");
            false
        });
        true
    });
}

/// Full white that a port or a supply cannot give.
pub(super) fn caps(project: &Project, problems: &mut Vec<Problem>) {
    for chain in project.chains.iter() {
        let item = format!("chain `{}` ({})", chain.name, chain.id);
        problems.extend(chain.cap_ma.and_then(|cap| over(&item, full_white(project, chain.id), cap)));
    }
    for supply in project.supplies.iter() {
        let item = format!("supply `{}` ({})", supply.name, supply.id);
        let wanted = supply.chains.iter().map(|chain| {
            let cap = project.chains.get(*chain).and_then(|chain| chain.cap_ma);
            full_white(project, *chain).min(cap.unwrap_or(f32::INFINITY))
        });
        problems.extend(over(&item, wanted.sum(), supply.cap_ma));
    }
}

fn over(item: &str, wanted: f32, cap: f32) -> Option<Problem> {
    let [wanted_amps, cap_amps] = [wanted, cap].map(|milliamps| milliamps / 1000.0);
    let fault = format!("full white draws {wanted_amps:.2} A, and its cap is {cap_amps:.2} A; it is held down to that");
    (wanted > cap).then(|| Problem::found(item, fault))
}

/// mA of a chain that is all white.
fn full_white(project: &Project, chain: ChainId) -> f32 {
    let links = project.chains.get(chain).map(|chain| &chain.links[..]).unwrap_or_default();
    let kinds = links.iter().filter_map(|link| project.definitions.get(project.fixtures.get(link.fixture)?.definition));
    kinds.map(|kind| kind.pixel_milliamps([1.0; 3]) * kind.pixels.count() as f32).sum()
}
