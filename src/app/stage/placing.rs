//! Fixtures moved and turned in a layout, by numbers.
//!
//! Pure. Deliberately absent: the hand that moves them, which is in [`super::arrange`].

use crate::model::id::FixtureId;
use crate::model::layout::{FAR, Layout, Placement};
use std::collections::BTreeSet;

/// Places are kept to a tenth of a millimetre, so that files hold no endless digits.
const GRAINS: f32 = 10_000.0;

/// A number of metres as a layout keeps it.
fn tidy(metres: f32) -> f32 {
    ((metres * GRAINS).round() / GRAINS).clamp(-FAR as f32, FAR as f32)
}

/// The layout with some of its placements changed.
pub fn changed(layout: &Layout, chosen: &BTreeSet<FixtureId>, change: impl Fn(&mut Placement)) -> Layout {
    let mut layout = layout.clone();
    layout.placements.iter_mut().filter(|placement| chosen.contains(&placement.fixture)).for_each(change);
    layout
}

/// Moved by so many metres.
pub fn moved(layout: &Layout, chosen: &BTreeSet<FixtureId>, [x, y]: [f32; 2]) -> Layout {
    changed(layout, chosen, |placement| {
        let [px, py, pz] = placement.position;
        placement.position = [tidy(px + x), tidy(py + y), pz];
    })
}

/// Turned counter-clockwise about their middle.
pub fn turned(layout: &Layout, chosen: &BTreeSet<FixtureId>, degrees: f32) -> Layout {
    let Some([mx, my]) = middle(layout, chosen) else { return layout.clone() };
    let (sin, cos) = degrees.to_radians().sin_cos();
    let alone = chosen.len() == 1;
    changed(layout, chosen, |placement| {
        let [px, py, pz] = placement.position;
        let (x, y) = (px - mx, py - my);
        if !alone {
            placement.position = [tidy(mx + x * cos - y * sin), tidy(my + x * sin + y * cos), pz];
        }
        let angle = (placement.angle + degrees).rem_euclid(360.0);
        placement.angle = if angle > 180.0 { angle - 360.0 } else { angle };
    })
}

/// The mean of the chosen origins: turning about it leaves it where it is.
pub fn middle(layout: &Layout, chosen: &BTreeSet<FixtureId>) -> Option<[f32; 2]> {
    let places = layout.placements.iter().filter(|placement| chosen.contains(&placement.fixture));
    let (sum, count) = places.fold(([0.0_f64; 2], 0_u32), |([x, y], count), placement| {
        let [px, py, _] = placement.position.map(f64::from);
        ([x + px, y + py], count + 1)
    });
    (count > 0).then(|| sum.map(|axis| (axis / f64::from(count)) as f32))
}

/// How far to move so that what stood at `from` comes to stand on the grid nearest to `from + way`. Without a grid as
/// far as was asked.
pub fn snapped(from: [f32; 2], way: [f32; 2], grid: Option<f32>) -> [f32; 2] {
    let Some(grid) = grid else { return way };
    std::array::from_fn(|axis| ((from[axis] + way[axis]) / grid).round() * grid - from[axis])
}

/// Where a fixture is in a layout.
pub fn placement(layout: &Layout, id: FixtureId) -> Option<&Placement> {
    layout.placements.iter().find(|placement| placement.fixture == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::LayoutId;

    fn layout(places: &[[f32; 2]]) -> Layout {
        let placements = (1..).zip(places).map(|(id, [x, y])| Placement::at(FixtureId(id), [*x, *y, 7.0])).collect();
        Layout { id: LayoutId(1), name: "L".into(), placements, frame: None }
    }

    fn ids(of: &[u32]) -> BTreeSet<FixtureId> {
        of.iter().copied().map(FixtureId).collect()
    }

    fn check(layout: &Layout, expected: &[[f32; 3]]) {
        for (placement, expected) in layout.placements.iter().zip(expected) {
            let [x, y, _] = placement.position;
            let near = (x - expected[0]).abs() < 1e-4 && (y - expected[1]).abs() < 1e-4;
            assert!(near && (placement.angle - expected[2]).abs() < 1e-4, "{placement:?} {expected:?}");
        }
    }

    #[test]
    fn only_the_chosen_move_and_keep_their_height() {
        let layout = moved(&layout(&[[0.0, 0.0], [1.0, 0.0]]), &ids(&[2]), [0.5, -0.25]);
        check(&layout, &[[0.0, 0.0, 0.0], [1.5, -0.25, 0.0]]);
        assert_eq!(layout.placements[1].position[2], 7.0);
    }

    #[test]
    fn a_turn_is_about_the_middle_and_all_the_way_round_leads_back() {
        let before = layout(&[[0.0, 0.0], [2.0, 0.0], [9.0, 9.0]]);
        let chosen = ids(&[1, 2]);
        check(&turned(&before, &chosen, 90.0), &[[1.0, -1.0, 90.0], [1.0, 1.0, 90.0], [9.0, 9.0, 0.0]]);
        let round = (0..72).fold(before.clone(), |layout, _| turned(&layout, &chosen, 5.0));
        for (now, then) in round.placements.iter().zip(&before.placements) {
            assert!((now.position[0] - then.position[0]).abs() < 2e-3 && now.angle == then.angle, "{now:?}");
        }
        check(&turned(&before, &ids(&[3]), -5.0), &[[0.0; 3], [2.0, 0.0, 0.0], [9.0, 9.0, -5.0]]);
        assert_eq!(turned(&before, &ids(&[]), 5.0), before);
    }

    #[test]
    fn what_is_taken_comes_to_stand_on_the_grid() {
        let near = |found: [f32; 2], expected: [f32; 2]| {
            assert!((0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-5), "{found:?}");
        };
        near(snapped([0.13, 0.0], [0.2, 0.04], Some(0.1)), [0.17, 0.0]);
        near(snapped([0.13, 0.0], [0.2, 0.04], None), [0.2, 0.04]);
    }

    #[test]
    fn nothing_moves_beyond_what_a_project_may_hold() {
        let layout = moved(&layout(&[[99_999.0, 0.0]]), &ids(&[1]), [50.0, 0.0]);
        assert_eq!(layout.placements[0].position[0], FAR as f32);
    }
}
