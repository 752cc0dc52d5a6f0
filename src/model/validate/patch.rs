//! Repair of fixture definitions, fixtures, chains and layouts.

use super::power;
use super::repairs::{Repairs, revise};
use crate::model::fixture::{FixtureDefinition, Grouping, MAX_FIXTURE_PIXELS, MAX_LAMPS, Mode, Pixels};
use crate::model::id::{FixtureId, ModeId};
use crate::model::layout::{ANGLES, FAR, Frame, Layout, SCALES};
use crate::model::light::{GAMMAS, KELVINS, LightResponse, Response, WhitePoint};
use crate::model::patch::{Chain, Link};
use crate::model::project::Project;
use crate::model::supply::MAX_MILLIAMPS;
use crate::units::{MAX_UNIVERSES, UNIVERSE_CHANNELS};
use std::collections::{BTreeSet, HashSet};

pub(super) fn definitions(project: &mut Project, repairs: &mut Repairs) {
    revise(&mut project.definitions, |definition| {
        let item = format!("fixture definition `{}` ({})", definition.name, definition.id);
        pixels(&mut definition.pixels, &item, repairs);
        if definition.channels.is_empty() {
            definition.channels = FixtureDefinition::rgb();
            repairs.note(&item, "its pixels have no channels", "set to red, green, blue");
        }
        light(&mut definition.light, &item, repairs);
        power::current(&mut definition.current, &item, repairs);
        modes(definition, &item, repairs);
        true
    });
}

fn light(light: &mut LightResponse, item: &str, repairs: &mut Repairs) {
    match &mut light.white_point {
        WhitePoint::Rgb(r, g, b) => {
            for factor in [r, g, b] {
                repairs.bound_f32(item, "its white point", factor, 0.0..=1.0, 1.0);
            }
        }
        WhitePoint::Kelvin(kelvins) => repairs.bound_f32(item, "its white point", kelvins, KELVINS, 6500.0),
    }
    repairs.bound_f32(item, "its warm white", &mut light.whites.warm, KELVINS, 2700.0);
    repairs.bound_f32(item, "its cool white", &mut light.whites.cool, KELVINS, 6500.0);
    repairs.bound_f32(item, "its gain", &mut light.gain, 0.0..=1.0, 1.0);
    repairs.bound_f32(item, "its cap", &mut light.cap, 0.0..=1.0, 1.0);
    if let Response::Gamma(gamma) = &mut light.response {
        repairs.bound_f32(item, "its gamma", gamma, GAMMAS, 2.2);
    }
}

fn pixels(pixels: &mut Pixels, item: &str, repairs: &mut Repairs) {
    match pixels {
        Pixels::Strip { count, length } => {
            repairs.bound_u32(item, "its count", count, 0..=MAX_FIXTURE_PIXELS);
            repairs.bound_f32(item, "its length", length, 0.0..=FAR, 1.0);
        }
        Pixels::Ring { count, radius, start } => {
            repairs.bound_u32(item, "its count", count, 0..=MAX_FIXTURE_PIXELS);
            repairs.bound_f32(item, "its radius", radius, 0.0..=FAR, 1.0);
            repairs.bound_f32(item, "its start", start, ANGLES, 0.0);
        }
        Pixels::Grid { columns, rows, pitch, .. } => {
            repairs.bound_u32(item, "its number of columns", columns, 0..=MAX_FIXTURE_PIXELS);
            repairs.bound_u32(item, "its number of rows", rows, 0..=MAX_FIXTURE_PIXELS / (*columns).max(1));
            repairs.bound_f32(item, "its pitch", pitch, 0.0..=FAR, 0.01);
        }
        Pixels::Polyline { count, corners } => {
            repairs.bound_u32(item, "its count", count, 0..=MAX_FIXTURE_PIXELS);
            for axis in corners.iter_mut().flatten() {
                repairs.bound_f32(item, "a corner", axis, -FAR..=FAR, 0.0);
            }
        }
    }
}

fn modes(definition: &mut FixtureDefinition, item: &str, repairs: &mut Repairs) {
    let count = definition.pixels.count();
    let mut taken: BTreeSet<ModeId> = definition.modes.iter().map(|mode| mode.id).collect();
    let mut seen = BTreeSet::new();
    for mode in &mut definition.modes {
        if !seen.insert(mode.id) {
            let free = (1..).map(ModeId).find(|id| !taken.contains(id)).unwrap_or(mode.id);
            taken.insert(free);
            seen.insert(free);
            repairs.note(item, format!("two of its modes are {}", mode.id), format!("`{}` is now {free}", mode.name));
            mode.id = free;
        }
        grouping(mode, count, item, repairs);
    }
}

fn grouping(mode: &mut Mode, count: u32, item: &str, repairs: &mut Repairs) {
    match &mut mode.grouping {
        Grouping::Whole => {}
        Grouping::Every(run) => repairs.bound_u32(item, &format!("the run of mode `{}`", mode.name), run, 1..=u32::MAX),
        Grouping::Groups(groups) => {
            let before: usize = groups.iter().map(Vec::len).sum();
            let mut seen = HashSet::new();
            groups.iter_mut().for_each(|group| group.retain(|pixel| *pixel < count && seen.insert(*pixel)));
            let lost = before - seen.len();
            if lost > 0 {
                let fault = format!("mode `{}` names {lost} pixels that do not exist or are in a group", mode.name);
                repairs.note(item, fault, "these were left out");
            }
        }
    }
}

pub(super) fn fixtures(project: &mut Project, repairs: &mut Repairs) {
    let definitions = &project.definitions;
    let mut lamps = 0;
    revise(&mut project.fixtures, |fixture| {
        let item = format!("fixture `{}` ({})", fixture.name, fixture.id);
        let Some(definition) = definitions.get(fixture.definition) else {
            let fault = format!("there is no fixture definition {}", fixture.definition);
            repairs.note(&item, fault, "the fixture was left out");
            return false;
        };
        let more = lamps + definition.pixels.count();
        if more > MAX_LAMPS {
            let fault = format!("with it the project has {more} lamps, and {MAX_LAMPS} are the most");
            repairs.note(&item, fault, "the fixture was left out");
            return false;
        }
        lamps = more;
        true
    });
}

pub(super) fn chains(project: &mut Project, repairs: &mut Repairs) {
    let Project { chains, fixtures, definitions, .. } = project;
    let mut chained = HashSet::new();
    revise(chains, |chain| {
        let item = format!("chain `{}` ({})", chain.name, chain.id);
        if let Some(cap) = &mut chain.cap_ma {
            repairs.bound_f32(&item, "its cap", cap, 0.0..=MAX_MILLIAMPS, 0.0);
        }
        let links = std::mem::take(&mut chain.links);
        chain.links.reserve(links.len());
        for link in links {
            let definition = fixtures.get(link.fixture).and_then(|fixture| definitions.get(fixture.definition));
            match fault(chain, &link, definition.map(|definition| &**definition), &mut chained) {
                Some(fault) => repairs.note(&item, fault, "it was taken out of the chain"),
                None => chain.links.push(link),
            }
        }
        true
    });
}

/// Why a link cannot stay. Marks its fixture as chained when it can.
fn fault(
    chain: &Chain,
    link: &Link,
    definition: Option<&FixtureDefinition>,
    chained: &mut HashSet<FixtureId>,
) -> Option<String> {
    let Some(definition) = definition else {
        return Some(format!("there is no fixture {}", link.fixture));
    };
    let width = definition.channels.len();
    let last = chain.straddle.pixel_bytes(link.start.byte(), width, definition.pixels.count()).last();
    let end = last.map_or(link.start.byte() + 1, |last| last + width);
    if end > MAX_UNIVERSES * UNIVERSE_CHANNELS {
        let universe = link.start.universe;
        return Some(format!(
            "fixture {} at universe {universe} runs past universe {}, the last one",
            link.fixture,
            MAX_UNIVERSES - 1
        ));
    }
    (!chained.insert(link.fixture)).then(|| format!("fixture {} is in a chain already", link.fixture))
}

pub(super) fn layouts(project: &mut Project, repairs: &mut Repairs) {
    let fixtures = &project.fixtures;
    revise(&mut project.layouts, |layout| {
        let item = format!("layout `{}` ({})", layout.name, layout.id);
        let mut placed = HashSet::new();
        layout.placements.retain(|placement| {
            let id = placement.fixture;
            let fault = if !fixtures.contains(id) {
                format!("there is no fixture {id}")
            } else if !placed.insert(id) {
                format!("fixture {id} is in it twice")
            } else {
                return true;
            };
            repairs.note(&item, fault, "it was taken out of the layout");
            false
        });
        placements(layout, &item, repairs);
        if layout.frame.is_some_and(|frame| !fits(&frame)) {
            layout.frame = None;
            repairs.note(&item, "its frame is no box", "effects stretch over all its lamps");
        }
        true
    });
}

fn placements(layout: &mut Layout, item: &str, repairs: &mut Repairs) {
    for placement in &mut layout.placements {
        let what = format!("the place of fixture {}", placement.fixture);
        for axis in &mut placement.position {
            repairs.bound_f32(item, &what, axis, -FAR..=FAR, 0.0);
        }
        let what = format!("the angle of fixture {}", placement.fixture);
        repairs.bound_f32(item, &what, &mut placement.angle, ANGLES, 0.0);
        let what = format!("the scale of fixture {}", placement.fixture);
        repairs.bound_f32(item, &what, &mut placement.scale, SCALES, 1.0);
    }
}

fn fits(frame: &Frame) -> bool {
    (0..3).all(|axis| {
        let (min, max) = (frame.min[axis], frame.max[axis]);
        f64::from(min) >= -FAR && min <= max && f64::from(max) <= FAR
    })
}
