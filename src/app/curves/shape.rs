//! What can be done with a curve: points added, moved and removed, segments bent, ends tied. Pure values.
//!
//! Whatever is asked, points stay in the order of their beats, within the curve and within 0..=1. Deliberately absent:
//! how a curve is evaluated, which `model::curve` knows.

use crate::model::curve::{Curve, CurvePoint};
use std::f64::consts::TAU;

/// The grid, beats.
pub const GRID: f64 = 0.25;
/// How far below and above the light a control point may lie.
const CONTROL: std::ops::RangeInclusive<f64> = -1.0..=2.0;

/// The nearest beat of the grid, or the beat itself.
pub fn snapped(beat: f64, snap: bool) -> f64 {
    if snap { (beat / GRID).round() * GRID } else { beat }
}

/// Whether first and last point are the same moment of a loop, so that they have one height.
pub fn tied(curve: &Curve) -> bool {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return false };
    curve.looped && curve.points.len() > 2 && first.beat <= 0.0 && last.beat >= curve.length
}

/// A point taken elsewhere, as far as its neighbours let it. Tied ends keep their beats and move together.
pub fn moved(curve: &Curve, index: usize, beat: f64, y: f64) -> Curve {
    let mut changed = curve.clone();
    let last = curve.points.len().saturating_sub(1);
    let tied = tied(curve) && (index == 0 || index == last);
    let low = index.checked_sub(1).map_or(0.0, |before| curve.points[before].beat);
    let high = curve.points.get(index + 1).map_or(curve.length, |after| after.beat);
    let Some(point) = changed.points.get_mut(index) else { return changed };
    point.y = y.clamp(0.0, 1.0);
    if tied {
        let y = point.y;
        [0, last].into_iter().for_each(|end| changed.points[end].y = y);
    } else {
        point.beat = beat.clamp(low, high.max(low));
    }
    rebend(curve, &mut changed);
    changed
}

/// Bends every segment of the changed curve as the one before was bent.
fn rebend(before: &Curve, changed: &mut Curve) {
    for index in 0..before.points.len().saturating_sub(1) {
        let [from, to] = [before.points[index], before.points[index + 1]];
        let [start, end] = [changed.points[index], changed.points[index + 1]];
        let Some((beat, y)) = from.control else { continue };
        let width = to.beat - from.beat;
        let share = if width > 0.0 { (beat - from.beat) / width } else { 0.5 };
        let lift = y - (from.y + to.y) / 2.0;
        let control = (start.beat + share * (end.beat - start.beat), (start.y + end.y) / 2.0 + lift);
        changed.points[index].control = Some(bounded(control, start, end));
    }
}

fn bounded((beat, y): (f64, f64), from: CurvePoint, to: CurvePoint) -> (f64, f64) {
    (beat.clamp(from.beat, to.beat.max(from.beat)), y.clamp(*CONTROL.start(), *CONTROL.end()))
}

/// A new point, and where it is among the others. A bent segment stays bent on both sides.
pub fn added(curve: &Curve, beat: f64, y: f64) -> (Curve, usize) {
    let mut changed = curve.clone();
    let (beat, y) = (beat.clamp(0.0, curve.length), y.clamp(0.0, 1.0));
    let index = curve.points.partition_point(|point| point.beat <= beat);
    let mut point = CurvePoint { beat, y, control: None };
    if let (Some(before), Some(after)) = (index.checked_sub(1), curve.points.get(index))
        && let Some([first, second]) = curve.points[before].split_control(*after, beat)
    {
        changed.points[before].control = Some(bounded(first, curve.points[before], point));
        point.control = Some(bounded(second, point, *after));
    }
    changed.points.insert(index, point);
    (changed, index)
}

/// Without a point; the last one stays, and the ends of a tied loop do.
pub fn removed(curve: &Curve, index: usize) -> Option<Curve> {
    let last = curve.points.len().checked_sub(1)?;
    if last == 0 || index > last || (tied(curve) && (index == 0 || index == last)) {
        return None;
    }
    let mut changed = curve.clone();
    changed.points.remove(index);
    if let Some(before) = index.checked_sub(1) {
        changed.points[before].control = None;
    }
    Some(changed)
}

/// The middle of the segment that begins at a point: what a hand takes to bend it.
pub fn handle(curve: &Curve, index: usize) -> Option<(f64, f64)> {
    let (from, to) = (curve.points.get(index)?, curve.points.get(index + 1)?);
    let middle = ((from.beat + to.beat) / 2.0, (from.y + to.y) / 2.0);
    let control = from.control.unwrap_or(middle);
    Some(((middle.0 + control.0) / 2.0, (middle.1 + control.1) / 2.0))
}

/// The segment bent so that its middle comes to lie there.
pub fn bent(curve: &Curve, index: usize, beat: f64, y: f64) -> Curve {
    let mut changed = curve.clone();
    let (Some(from), Some(to)) = (curve.points.get(index), curve.points.get(index + 1)) else { return changed };
    let control = (2.0 * beat - (from.beat + to.beat) / 2.0, 2.0 * y - (from.y + to.y) / 2.0);
    changed.points[index].control = Some(bounded(control, *from, *to));
    changed
}

/// Without any bend, or without that of the segments at a point.
pub fn straightened(curve: &Curve, at: Option<usize>) -> Curve {
    let mut changed = curve.clone();
    for (index, point) in changed.points.iter_mut().enumerate() {
        if at.is_none_or(|at| index == at || index + 1 == at) {
            point.control = None;
        }
    }
    changed
}

/// The same shape over another time.
pub fn with_length(curve: &Curve, length: f64) -> Curve {
    let times = length / curve.length.max(f64::EPSILON);
    let mut changed = Curve { length, ..curve.clone() };
    for point in &mut changed.points {
        point.beat = (point.beat * times).clamp(0.0, length);
        point.control = point.control.map(|(beat, y)| (beat * times, y));
    }
    changed
}

/// With or without a loop; a loop ties the ends, where they are the same moment.
pub fn with_loop(curve: &Curve, looped: bool) -> Curve {
    let looping = Curve { looped, ..curve.clone() };
    if !tied(&looping) {
        return looping;
    }
    moved(&looping, 0, 0.0, looping.points[0].y)
}

/// Makes the points of a shape over so many beats.
pub type Preset = fn(f64) -> Vec<CurvePoint>;

/// The shapes that a curve can begin with, and what they are called.
pub const PRESETS: [(&str, Preset); 5] = [
    ("Triangle", |length| corners(length, &[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)])),
    ("Sine", sine),
    ("Ramp", |length| corners(length, &[(0.0, 0.0), (1.0, 1.0)])),
    ("Square", |length| corners(length, &[(0.0, 1.0), (0.5, 1.0), (0.5, 0.0), (1.0, 0.0)])),
    ("Pulse", pulse),
];

fn corners(length: f64, corners: &[(f64, f64)]) -> Vec<CurvePoint> {
    corners.iter().map(|(part, y)| CurvePoint { beat: part * length, y: *y, control: None }).collect()
}

/// Four parabolas that meet with the slopes of a sine.
fn sine(length: f64) -> Vec<CurvePoint> {
    let mut points = corners(length, &[(0.0, 0.0), (0.25, 0.5), (0.5, 1.0), (0.75, 0.5), (1.0, 0.0)]);
    for index in 0..4 {
        // Where the tangents of both ends meet: the flat one of an extreme, the steep one of the middle.
        let (flat, middle) = if index % 2 == 0 { (index, index + 1) } else { (index + 1, index) };
        let slope = if index < 2 { TAU / 2.0 } else { -TAU / 2.0 };
        let y = points[flat].y;
        let beat = points[middle].beat + (y - 0.5) / slope * length;
        points[index].control = Some((beat, y));
    }
    points
}

/// Full at once, then away.
fn pulse(length: f64) -> Vec<CurvePoint> {
    let mut points = corners(length, &[(0.0, 1.0), (1.0, 0.0)]);
    points[0].control = Some((length * 0.2, 0.0));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::CurveId;

    fn triangle() -> Curve {
        Curve::triangle(CurveId(1), "t")
    }

    fn places(curve: &Curve) -> Vec<(f64, f64)> {
        curve.points.iter().map(|point| (point.beat, point.y)).collect()
    }

    #[test]
    fn a_point_stays_between_its_neighbours_and_tied_ends_move_together() {
        assert_eq!(places(&moved(&triangle(), 1, 9.0, 7.0)), [(0.0, 0.0), (4.0, 1.0), (4.0, 0.0)]);
        assert_eq!(places(&moved(&triangle(), 0, 3.0, 0.4)), [(0.0, 0.4), (2.0, 1.0), (4.0, 0.4)]);
        let open = Curve { looped: false, ..triangle() };
        assert_eq!(places(&moved(&open, 0, 3.0, 0.4)), [(2.0, 0.4), (2.0, 1.0), (4.0, 0.0)]);
        assert_eq!(places(&with_loop(&moved(&open, 0, 0.0, 0.4), true))[2], (4.0, 0.4), "a loop ties them again");
    }

    #[test]
    fn a_point_on_a_bent_segment_leaves_its_shape_alone() {
        let curve = bent(&triangle(), 0, 0.6, 0.7);
        let (split, index) = added(&curve, 1.25, curve.at(1.25));
        assert_eq!(index, 1);
        for step in 0..64 {
            let beat = f64::from(step) / 16.0;
            assert!((split.at(beat) - curve.at(beat)).abs() < 1e-9, "{beat}");
        }
    }

    #[test]
    fn a_bent_segment_passes_through_the_hand_and_keeps_its_bend_when_an_end_moves() {
        let curve = bent(&triangle(), 0, 1.0, 0.8);
        assert_eq!(handle(&curve, 0), Some((1.0, 0.8)));
        assert!((curve.at(1.0) - 0.8).abs() < 1e-9);
        let higher = moved(&moved(&curve, 1, 2.0, 0.6), 1, 2.0, 1.0);
        assert_eq!(higher, curve);
        assert_eq!(straightened(&curve, Some(1)), triangle());
        assert_eq!(straightened(&curve, Some(2)), curve, "not its segment");
    }

    #[test]
    fn the_last_point_and_the_ends_of_a_loop_stay() {
        assert_eq!(removed(&triangle(), 0), None);
        let open = removed(&triangle(), 1).unwrap();
        assert_eq!(places(&open), [(0.0, 0.0), (4.0, 0.0)]);
        let one = removed(&open, 0).unwrap();
        assert_eq!(removed(&one, 0), None);
    }

    #[test]
    fn presets_are_curves_in_order_and_the_sine_is_one() {
        for (name, preset) in PRESETS {
            let curve = Curve { points: preset(8.0), length: 8.0, ..triangle() };
            assert!(curve.points.is_sorted_by(|a, b| a.beat <= b.beat), "{name}");
            assert_eq!((curve.points[0].beat, curve.points[curve.points.len() - 1].beat), (0.0, 8.0), "{name}");
        }
        let sine = Curve { points: (PRESETS[1].1)(4.0), ..triangle() };
        for step in 0..64 {
            let beat = f64::from(step) / 16.0;
            let exact = 0.5 - 0.5 * (beat / 4.0 * TAU).cos();
            assert!((sine.at(beat) - exact).abs() < 0.02, "{beat}: {} for {exact}", sine.at(beat));
        }
    }

    #[test]
    fn another_length_keeps_the_shape() {
        let curve = bent(&triangle(), 0, 0.6, 0.7);
        let longer = with_length(&curve, 8.0);
        for step in 0..32 {
            let beat = f64::from(step) / 8.0;
            assert!((longer.at(beat * 2.0) - curve.at(beat)).abs() < 1e-9, "{beat}");
        }
        assert_eq!(snapped(1.13, true), 1.25);
        assert_eq!(snapped(1.13, false), 1.13);
    }
}
