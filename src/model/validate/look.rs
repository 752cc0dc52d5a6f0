//! Repair of curves, triggers, settings, the grid, and scenes with their effects.

use super::repairs::{Repairs, revise};
use crate::model::curve::Curve;
use crate::model::device::ExitPolicy;
use crate::model::effect::{Effect, Modulated, ParamValue, Selection, ShaderRef};
use crate::model::id::{CurveId, EffectId, TriggerId};
use crate::model::project::Project;
use crate::model::references::Key;
use crate::model::scene::{COLOUR_TAGS, Cell, Grid, Scene, ScenePalette};
use crate::model::trigger::Trigger;
use std::collections::BTreeSet;
use std::sync::Arc;

/// More beats than anybody waits.
const LONG: f64 = 1_000_000.0;

pub(super) fn curves(project: &mut Project, repairs: &mut Repairs) {
    revise(&mut project.curves, |curve| {
        let item = format!("curve `{}` ({})", curve.name, curve.id);
        if curve.points.is_empty() {
            repairs.note(&item, "it has no points", "it is a triangle now");
            *curve = Curve { name: curve.name.clone(), ..Curve::triangle(curve.id, "") };
        }
        repairs.bound(&item, "its length", &mut curve.length, 1.0 / 1024.0..=LONG, 4.0);
        let length = curve.length;
        for point in &mut curve.points {
            repairs.bound(&item, "the beat of a point", &mut point.beat, 0.0..=length, 0.0);
            repairs.bound(&item, "the height of a point", &mut point.y, 0.0..=1.0, 0.0);
            if let Some((beat, y)) = &mut point.control {
                repairs.bound(&item, "the beat of a control point", beat, 0.0..=length, 0.0);
                repairs.bound(&item, "the height of a control point", y, -1.0..=2.0, 0.0);
            }
        }
        if !curve.points.is_sorted_by(|a, b| a.beat <= b.beat) {
            curve.points.sort_by(|a, b| a.beat.total_cmp(&b.beat));
            repairs.note(&item, "its points are not in the order of their beats", "they were sorted");
        }
        true
    });
}

pub(super) fn triggers(project: &mut Project, repairs: &mut Repairs) {
    revise(&mut project.triggers, |trigger| {
        let item = format!("trigger `{}` ({})", trigger.name, trigger.id);
        let usual = Trigger::kick(trigger.id, "");
        let (band, times) = (Trigger::BAND_HZ, Trigger::TIMES_SECS);
        repairs.bound_f32(&item, "its lowest frequency", &mut trigger.low_hz, band.clone(), usual.low_hz.into());
        repairs.bound_f32(&item, "its highest frequency", &mut trigger.high_hz, band, usual.high_hz.into());
        if trigger.low_hz > trigger.high_hz {
            repairs.note(&item, "its lowest frequency is above its highest", "they changed places");
            std::mem::swap(&mut trigger.low_hz, &mut trigger.high_hz);
        }
        repairs.bound(&item, "its attack", &mut trigger.attack_secs, times.clone(), usual.attack_secs);
        repairs.bound(&item, "its hold", &mut trigger.hold_secs, times.clone(), usual.hold_secs);
        repairs.bound(&item, "its release", &mut trigger.release_secs, times, usual.release_secs);
        true
    });
}

pub(super) fn settings(project: &mut Project, repairs: &mut Repairs) {
    if let ExitPolicy::Scene(id) = project.settings.exit
        && !project.scenes.contains(id)
    {
        Arc::make_mut(&mut project.settings).exit = ExitPolicy::Black;
        repairs.note("settings", format!("there is no scene {id} to end with"), "the show ends black");
    }
    if let Some(id) = project.settings.palette.filter(|id| !project.palettes.contains(*id)) {
        Arc::make_mut(&mut project.settings).palette = None;
        repairs.note("settings", format!("there is no palette {id}"), "scenes inherit white on black");
    }
}

pub(super) fn grid(project: &mut Project, repairs: &mut Repairs) {
    let sizes = u32::from(*Grid::SIZES.start())..=u32::from(*Grid::SIZES.end());
    for (what, size) in [("its columns", &mut project.grid.columns), ("its rows", &mut project.grid.rows)] {
        let mut wide = u32::from(*size);
        repairs.bound_u32("grid", what, &mut wide, sizes.clone());
        *size = wide as u8;
    }
}

pub(super) fn scenes(project: &mut Project, repairs: &mut Repairs) {
    let mut scenes = std::mem::take(&mut project.scenes);
    let mut grid = project.grid;
    // Who lies in a cell of the grid keeps it, whatever homeless scene comes before.
    let mut taken = BTreeSet::new();
    let homes = scenes.iter().filter(|scene| grid.holds(scene.cell) && taken.insert(scene.cell));
    let at_home: BTreeSet<_> = homes.map(|scene| scene.id).collect();
    let used: BTreeSet<EffectId> = scenes.iter().flat_map(|scene| scene.effects.iter().map(|e| e.id)).collect();
    let mut effect_ids = EffectIds { used, seen: BTreeSet::new(), next: 1 };
    revise(&mut scenes, |scene| {
        let item = format!("scene `{}` ({})", scene.name, scene.id);
        if !at_home.contains(&scene.id) && !find_home(scene, &mut grid, &mut taken, &item, repairs) {
            return false;
        }
        scene_values(scene, project, &item, repairs);
        scene.effects.retain_mut(|effect| repair_effect(effect, project, &item, repairs));
        for effect in &mut scene.effects {
            effect_ids.own(effect, &item, repairs);
        }
        true
    });
    project.scenes = scenes;
    project.grid = grid;
}

/// A free cell for a scene without one; the grid grows when it is full. `false` when it cannot grow any more.
fn find_home(
    scene: &mut Scene,
    grid: &mut Grid,
    taken: &mut BTreeSet<Cell>,
    item: &str,
    repairs: &mut Repairs,
) -> bool {
    let fault = if grid.holds(scene.cell) { "another scene lies in its cell" } else { "it lies outside the grid" };
    loop {
        let Grid { columns, rows, .. } = *grid;
        let mut cells = (0..rows).flat_map(|row| (0..columns).map(move |column| Cell { column, row }));
        if let Some(cell) = cells.find(|cell| !taken.contains(cell)) {
            taken.insert(cell);
            scene.cell = cell;
            repairs.note(item, fault, format!("moved to column {}, row {}", cell.column + 1, cell.row + 1));
            return true;
        }
        let size = if rows < *Grid::SIZES.end() { &mut grid.rows } else { &mut grid.columns };
        if *size >= *Grid::SIZES.end() {
            repairs.note(item, "the grid is full and cannot grow", "the scene was left out");
            return false;
        }
        *size += 1;
        repairs.note("grid", "it is full", format!("it has {} columns and {} rows now", grid.columns, grid.rows));
    }
}

fn scene_values(scene: &mut Scene, project: &Project, item: &str, repairs: &mut Repairs) {
    let mut tag = u32::from(scene.tag);
    repairs.bound_u32(item, "its colour tag", &mut tag, 0..=u32::from(COLOUR_TAGS) - 1);
    scene.tag = tag as u8;
    repairs.bound(item, "its beat offset", &mut scene.beat_offset, -LONG..=LONG, 0.0);
    repairs.bound(item, "its fade in", &mut scene.fade_in, 0.0..=LONG, 0.0);
    repairs.bound(item, "its fade out", &mut scene.fade_out, 0.0..=LONG, 0.0);
    curve(&mut scene.opacity_curve, "its opacity", project, item, repairs);
    trigger(&mut scene.opacity_trigger, "its opacity", project, item, repairs);
    if let ScenePalette::Own(id) = scene.palette
        && !project.palettes.contains(id)
    {
        scene.palette = ScenePalette::Inherit;
        repairs.note(item, format!("there is no palette {id}"), "it inherits the project's palette");
    }
    selection(&mut scene.selection, project, item, "it lights the topology", repairs);
}

fn selection(selection: &mut Option<Selection>, project: &Project, item: &str, without: &str, repairs: &mut Repairs) {
    let Some(chosen) = selection else { return };
    if !project.layouts.contains(chosen.layout) {
        repairs.note(item, format!("there is no layout {}", chosen.layout), without);
        *selection = None;
        return;
    }
    let mut seen = BTreeSet::new();
    chosen.modes.retain(|(definition, mode)| {
        let key = Key::Mode(*definition, *mode);
        let fault = if !project.holds(key) {
            format!("there is no {key}")
        } else if !seen.insert(*definition) {
            format!("it chooses two modes of fixture definition {definition}")
        } else {
            return true;
        };
        repairs.note(item, fault, "the choice was left out");
        false
    });
}

/// `false` when the effect cannot stay.
fn repair_effect(effect: &mut Effect, project: &Project, scene: &str, repairs: &mut Repairs) -> bool {
    let item = format!("effect {} of {scene}", effect.id);
    if let ShaderRef::Project(id) = effect.shader
        && !project.shaders.contains(id)
    {
        repairs.note(&item, format!("there is no shader {id}"), "the effect was left out");
        return false;
    }
    number(&mut effect.opacity, "its opacity", 1.0, project, &item, repairs);
    repairs.bound_f32(&item, "its opacity", &mut effect.opacity.base, 0.0..=1.0, 1.0);
    number(&mut effect.colour_shift, "its colour shift", 0.0, project, &item, repairs);
    repairs.bound(&item, "its beat offset", &mut effect.beat_offset, -LONG..=LONG, 0.0);
    repairs.bound_f32(&item, "its speed exponent", &mut effect.speed_exponent, -8.0..=8.0, 0.0);
    curve(&mut effect.progress, "its progress", project, &item, repairs);
    for (name, value) in &mut effect.params {
        let what = format!("its parameter `{name}`");
        match value {
            ParamValue::Number(value) => number(value, &what, 0.0, project, &item, repairs),
            ParamValue::Point(x, y) => {
                for component in [x, y] {
                    number(component, &what, 0.5, project, &item, repairs);
                    repairs.bound_f32(&item, &what, &mut component.base, -1024.0..=1024.0, 0.5);
                }
            }
            ParamValue::Switch(_) | ParamValue::Choice(_) | ParamValue::Colour(_) => {}
        }
    }
    selection(&mut effect.selection, project, &item, "it lights what its scene does", repairs);
    true
}

fn number(value: &mut Modulated, what: &str, fallback: f64, project: &Project, item: &str, repairs: &mut Repairs) {
    repairs.bound_f32(item, what, &mut value.base, -LONG..=LONG, fallback);
    curve(&mut value.curve, what, project, item, repairs);
    trigger(&mut value.trigger, what, project, item, repairs);
}

fn curve(curve: &mut Option<CurveId>, what: &str, project: &Project, item: &str, repairs: &mut Repairs) {
    if let Some(id) = curve.filter(|id| !project.curves.contains(*id)) {
        repairs.note(item, format!("{what} follows curve {id}, which does not exist"), "it follows none");
        *curve = None;
    }
}

fn trigger(trigger: &mut Option<TriggerId>, what: &str, project: &Project, item: &str, repairs: &mut Repairs) {
    if let Some(id) = trigger.filter(|id| !project.triggers.contains(*id)) {
        repairs.note(item, format!("{what} follows trigger {id}, which does not exist"), "it follows none");
        *trigger = None;
    }
}

/// Gives every effect an id of its own.
struct EffectIds {
    used: BTreeSet<EffectId>,
    seen: BTreeSet<EffectId>,
    next: u32,
}

impl EffectIds {
    fn own(&mut self, effect: &mut Effect, scene: &str, repairs: &mut Repairs) {
        if self.seen.insert(effect.id) {
            return;
        }
        while self.used.contains(&EffectId(self.next)) {
            self.next += 1;
        }
        let free = EffectId(self.next);
        let item = format!("effect {} of {scene}", effect.id);
        repairs.note(&item, "another effect has the same id", format!("it is {free} now"));
        effect.id = free;
        self.used.insert(free);
        self.seen.insert(free);
    }
}
