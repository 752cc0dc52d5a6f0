//! Edits of layouts: which fixtures are in them, and where.

use super::fixtures::placed_below;
use super::{PatchError, counted, free_ids, holds, names};
use crate::model::edit::{Edit, Entry};
use crate::model::id::{FixtureId, LayoutId};
use crate::model::layout::{ANGLES, FAR, Frame, Layout, Placement, SCALES};
use crate::model::project::{Project, Settings};
use crate::model::references::Key;
use crate::model::validate::place::{GAP, footprints, place_below};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Heights of themselves that copies are moved down in search of a free place.
const TRIES: usize = 64;

/// A layout of its own: empty, or with the fixtures of another where they are there.
pub fn add_layout(project: &Project, from: Option<LayoutId>) -> (LayoutId, Edit) {
    let id = free_ids(&project.layouts, |id: LayoutId| id.0, LayoutId).next().unwrap_or(LayoutId(0));
    let taken = project.layouts.iter().map(|layout| layout.name.as_str());
    let name = names("Layout", taken).next().unwrap_or_default();
    let from = from.and_then(|from| project.layouts.get(from));
    let (placements, frame) = from.map_or((Vec::new(), None), |from| (from.placements.clone(), from.frame));
    (id, put("add layout", Layout { id, name, placements, frame }))
}

/// Gives a layout another name.
pub fn rename_layout(layout: &Layout, name: String) -> Edit {
    put("rename layout", Layout { name, ..layout.clone() })
}

/// Takes a layout away.
///
/// # Errors
/// When it is the topology, or scenes light what is in it.
pub fn remove_layout(project: &Project, id: LayoutId) -> Result<Edit, PatchError> {
    if id == project.settings.topology {
        return Err(PatchError::Topology);
    }
    let users = project.users_of(Key::Layout(id));
    if !users.is_empty() {
        return Err(PatchError::InUse { users: users.join(", ") });
    }
    Ok(Edit::Titled("delete layout".into(), vec![Edit::Remove(Key::Layout(id))]))
}

/// Puts fixtures into a layout, where the topology has them, or takes them out of it.
///
/// # Errors
/// When fixtures would leave the topology.
pub fn set_placed(project: &Project, id: LayoutId, ids: &[FixtureId], placed: bool) -> Result<Edit, PatchError> {
    let mut layout = Layout::clone(project.layouts.get(id).ok_or(PatchError::Gone)?);
    let title = match placed {
        true => format!("put {} into a layout", counted(ids.len(), "fixture")),
        false => format!("take {} out of a layout", counted(ids.len(), "fixture")),
    };
    if !placed {
        let gone = holds(ids);
        layout.placements.retain(|placement| !gone(placement.fixture));
        let topology = id == project.settings.topology;
        return if topology { Err(PatchError::Topology) } else { Ok(put(&title, layout)) };
    }
    let there: HashSet<FixtureId> = layout.placements.iter().map(|placement| placement.fixture).collect();
    let topology = project.layouts.get(project.settings.topology).map(|topology| &topology.placements[..]);
    let known: HashMap<FixtureId, &Placement> =
        topology.unwrap_or_default().iter().map(|placement| (placement.fixture, placement)).collect();
    let new: Vec<FixtureId> = ids.iter().copied().filter(|id| !there.contains(id)).collect();
    layout.placements.extend(new.iter().filter_map(|id| known.get(id).map(|placement| **placement)));
    let lost: Vec<FixtureId> = new.into_iter().filter(|id| !known.contains_key(id)).collect();
    place_below(project, &mut layout, &lost);
    Ok(put(&title, layout))
}

/// Puts all that the topology lacks into it, below what is there.
pub(super) fn complete_topology(project: &Project, lacking: &[FixtureId]) -> Result<Edit, PatchError> {
    let edit = placed_below(project, lacking).ok_or(PatchError::Gone)?;
    Ok(Edit::Titled(format!("place {}", counted(lacking.len(), "fixture")), vec![edit]))
}

/// Moves, turns or scales a fixture that is in a layout. Numbers are bounded.
pub fn set_placement(layout: &Layout, placement: Placement) -> Edit {
    let number = |value: f32, most: f32| if value.is_nan() { 0.0 } else { value.clamp(-most, most) };
    let placement = Placement {
        position: placement.position.map(|axis| number(axis, FAR as f32)),
        angle: number(placement.angle, *ANGLES.end() as f32),
        scale: match placement.scale.is_nan() {
            true => 1.0,
            false => placement.scale.clamp(*SCALES.start() as f32, *SCALES.end() as f32),
        },
        ..placement
    };
    let mut layout = layout.clone();
    layout.placements.iter_mut().filter(|old| old.fixture == placement.fixture).for_each(|old| *old = placement);
    put("place fixture", layout)
}

/// Stretches effects over a box, or over all lamps. A box's corners are put in order.
pub fn set_frame(layout: &Layout, frame: Option<Frame>) -> Edit {
    let number = |value: f32| if value.is_nan() { 0.0 } else { value.clamp(-(FAR as f32), FAR as f32) };
    let frame = frame.map(|frame| Frame::around([frame.min.map(number), frame.max.map(number)]));
    put("set frame", Layout { frame, ..layout.clone() })
}

/// The smallest box around all lamps of a layout, metres: its frame where none is set.
pub fn span_of(project: &Project, layout: &Layout) -> Frame {
    let mut positions = BTreeMap::new();
    let mut span: Option<Frame> = None;
    for placement in &layout.placements {
        let kind = project.fixtures.get(placement.fixture).map(|fixture| fixture.definition);
        let Some(kind) = kind.and_then(|kind| project.definitions.get(kind)) else { continue };
        let points = positions.entry(kind.id).or_insert_with(|| kind.pixels.positions());
        if points.is_empty() {
            continue;
        }
        let own = Frame::around(points.iter().map(|point| placement.layout_from_fixture(*point)));
        span = Some(span.map_or(own, |span| Frame::around([span.min, span.max, own.min, own.max])));
    }
    span.unwrap_or_else(|| Frame::around([]))
}

/// Makes a layout the topology: what the stage shows, and what a scene lights that says nothing else.
///
/// # Errors
/// When it lacks fixtures.
pub fn make_topology(project: &Project, id: LayoutId) -> Result<Edit, PatchError> {
    let layout = project.layouts.get(id).ok_or(PatchError::Gone)?;
    let placed: HashSet<FixtureId> = layout.placements.iter().map(|placement| placement.fixture).collect();
    match project.fixtures.iter().filter(|fixture| !placed.contains(&fixture.id)).count() {
        0 => {
            let settings = Settings { topology: id, ..Settings::clone(&project.settings) };
            Ok(Edit::Titled("change the topology".into(), vec![Edit::Settings(settings.into())]))
        }
        lacking => Err(PatchError::Lacking { lacking }),
    }
}

/// Copies of fixtures in a layout: arranged as these are, moved down until they lie on nothing. `None` when none of
/// them is in it.
pub(super) fn copies_beside(project: &Project, layout: &Layout, twins: &HashMap<FixtureId, FixtureId>) -> Option<Edit> {
    let copied = |placement: &&Placement| twins.contains_key(&placement.fixture);
    let originals: Vec<Placement> = layout.placements.iter().filter(copied).copied().collect();
    let boxes = footprints(project, layout);
    let around = |boxes: &mut dyn Iterator<Item = &(FixtureId, Frame)>| {
        let corners: Vec<[f32; 3]> = boxes.flat_map(|(_, frame)| [frame.min, frame.max]).collect();
        (!corners.is_empty()).then(|| Frame::around(corners))
    };
    let ours = around(&mut boxes.iter().filter(|(id, _)| twins.contains_key(id)))?;
    let all = around(&mut boxes.iter())?;
    let is_free = |down: &f32| {
        let apart = |frame: &Frame| {
            let (low, high) = (ours.min[1] - down, ours.max[1] - down);
            frame.max[1] < low || frame.min[1] > high || frame.max[0] < ours.min[0] || frame.min[0] > ours.max[0]
        };
        boxes.iter().all(|(_, frame)| apart(frame))
    };
    let step = ours.size()[1] + GAP;
    let near = (1..=TRIES).map(|tries| tries as f32 * step).find(is_free);
    let down = near.unwrap_or(ours.max[1] - all.min[1] + GAP);
    let mut layout = layout.clone();
    layout.placements.extend(originals.into_iter().map(|placement| {
        let [x, y, z] = placement.position;
        let far = FAR as f32;
        Placement { fixture: twins[&placement.fixture], position: [x, (y - down).clamp(-far, far), z], ..placement }
    }));
    Some(Edit::Put(Entry::Layout(layout.into())))
}

fn put(title: &str, layout: Layout) -> Edit {
    Edit::Titled(title.into(), vec![Edit::Put(Entry::Layout(layout.into()))])
}
