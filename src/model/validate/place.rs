//! The topology: made when there is none, completed by the fixtures it lacks, which go below what is there. The same
//! rows are where `patching` puts new fixtures.

use super::repairs::Repairs;
use crate::model::id::{DefinitionId, FixtureId};
use crate::model::layout::{FAR, Frame, Layout, Placement};
use crate::model::project::Project;
use std::collections::{BTreeMap, HashSet};

/// Between fixtures that were placed by nobody, metres.
pub(in crate::model) const GAP: f32 = 0.1;

pub(super) fn topology(project: &mut Project, repairs: &mut Repairs) {
    let id = project.settings.topology;
    let mut layout = match project.layouts.get(id) {
        Some(layout) => Layout::clone(layout),
        None => {
            let fault = format!("there is no layout {id} for the topology");
            repairs.note("settings", fault, "a layout `Topology` was made");
            Layout { id, name: "Topology".into(), placements: Vec::new(), frame: None }
        }
    };
    let placed: HashSet<FixtureId> = layout.placements.iter().map(|placement| placement.fixture).collect();
    let lacking: Vec<FixtureId> = project.fixtures.iter().map(|f| f.id).filter(|id| !placed.contains(id)).collect();
    if !lacking.is_empty() {
        let item = format!("layout `{}` ({id})", layout.name);
        let fault =
            format!("the topology should hold all fixtures, and lacks {}, the first is {}", lacking.len(), lacking[0]);
        repairs.note(&item, fault, "added below the others");
        place_below(project, &mut layout, &lacking);
        layout.frame = None;
    } else if project.layouts.contains(id) {
        return;
    }
    project.layouts.put(layout);
}

/// Fills rows from the left, below everything that is placed, as wide as that is or as makes them about square.
pub(in crate::model) fn place_below(project: &Project, layout: &mut Layout, lacking: &[FixtureId]) {
    let placed = footprints(project, layout);
    let mut boxes = BTreeMap::new();
    let (left, top, width) = match placed.is_empty() {
        true => (0.0, 0.0, 0.0),
        false => {
            let around = Frame::around(placed.iter().flat_map(|(_, frame)| [frame.min, frame.max]));
            (around.min[0], around.min[1] - GAP, around.size()[0])
        }
    };
    let frames: Vec<Frame> = lacking.iter().map(|id| fixture_frame(project, *id, &mut boxes)).collect();
    let area: f32 = frames.iter().map(|frame| (frame.size()[0] + GAP) * (frame.size()[1] + GAP)).sum();
    let width = width.max(area.sqrt());
    let far = FAR as f32;
    let (mut x, mut y, mut height) = (left, top, 0.0_f32);
    for (id, frame) in lacking.iter().zip(&frames) {
        let size = frame.size();
        if x > left && x + size[0] > left + width {
            (x, y, height) = (left, y - height - GAP, 0.0);
        }
        let position = [x - frame.min[0], y - frame.max[1], 0.0].map(|axis| axis.clamp(-far, far));
        layout.placements.push(Placement::at(*id, position));
        x += size[0] + GAP;
        height = height.max(size[1]);
    }
}

/// The fixtures of a layout and the boxes around their pixels there, metres.
pub(in crate::model) fn footprints(project: &Project, layout: &Layout) -> Vec<(FixtureId, Frame)> {
    let mut boxes = BTreeMap::new();
    let footprint = |placement: &Placement| {
        let frame = fixture_frame(project, placement.fixture, &mut boxes);
        let [low, high] = [frame.min, frame.max];
        let corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
            .map(|[x, y]| placement.layout_from_fixture([[low[0], high[0]][x], [low[1], high[1]][y], low[2]]));
        (placement.fixture, Frame::around(corners))
    };
    layout.placements.iter().map(footprint).collect()
}

/// The box around a fixture's pixels; each definition is measured once.
fn fixture_frame(project: &Project, id: FixtureId, boxes: &mut BTreeMap<DefinitionId, Frame>) -> Frame {
    let point = Frame { min: [0.0; 3], max: [0.0; 3] };
    let definition = project.fixtures.get(id).and_then(|fixture| project.definitions.get(fixture.definition));
    definition.map_or(point, |definition| {
        *boxes.entry(definition.id).or_insert_with(|| match definition.pixels.count() {
            0 => point,
            _ => Frame::around(definition.pixels.positions()),
        })
    })
}
