//! Curves over beats: straight or quadratic segments, evaluated in closed form.

use super::id::{CurveId, Item};
use serde::{Deserialize, Serialize};

/// A corner of a curve, with the bend of the segment that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Beats from the curve's start.
    pub beat: f64,
    /// Height, 0..=1.
    pub y: f64,
    /// Control point (beat, height) of the quadratic segment to the next point; straight without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<(f64, f64)>,
}

/// A value over time that repeats after its length.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Stable id.
    pub id: CurveId,
    /// What the operator calls it.
    pub name: String,
    /// Beats until it starts over.
    pub length: f64,
    /// Whether the last point runs on into the first.
    pub looped: bool,
    /// In rising order of their beats.
    pub points: Vec<CurvePoint>,
}

impl Curve {
    /// The default: up and down once over four beats.
    pub fn triangle(id: CurveId, name: impl Into<String>) -> Self {
        let corner = |beat, y| CurvePoint { beat, y, control: None };
        Self {
            id,
            name: name.into(),
            length: 4.0,
            looped: true,
            points: vec![corner(0.0, 0.0), corner(2.0, 1.0), corner(4.0, 0.0)],
        }
    }

    /// The height at a beat, 0..=1. The curve repeats; before its first and after its last point it holds that
    /// point's height, or runs on around the end when it is looped.
    pub fn at(&self, beat: f64) -> f64 {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else {
            return 0.0;
        };
        let length = if self.length > 0.0 { self.length } else { 1.0 };
        let x = beat.rem_euclid(length);
        let next = self.points.partition_point(|point| point.beat <= x);
        let y = match (next.checked_sub(1), self.points.get(next)) {
            (Some(before), Some(after)) => segment(self.points[before], *after, x),
            _ if self.looped => {
                let (start, end) = if next == 0 { (-length, 0.0) } else { (0.0, length) };
                let from = CurvePoint { beat: last.beat + start, control: None, ..*last };
                let to = CurvePoint { beat: first.beat + end, ..*first };
                segment(from, to, x)
            }
            (None, _) => first.y,
            (_, None) => last.y,
        };
        if y.is_finite() { y.clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl CurvePoint {
    /// The control points of the two parts that the segment to `to` falls into at a beat; `None` where it is straight.
    /// Both parts together are the same parabola.
    pub fn split_control(self, to: Self, beat: f64) -> Option<[(f64, f64); 2]> {
        let (control_beat, control_y) = self.control?;
        let width = to.beat - self.beat;
        if width <= f64::EPSILON {
            return None;
        }
        let bend = ((control_beat - self.beat) / width).clamp(0.0, 1.0);
        let t = bezier_parameter(bend, ((beat - self.beat) / width).clamp(0.0, 1.0));
        let mix = |from: (f64, f64), to: (f64, f64)| (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
        let control = (control_beat, control_y);
        Some([mix((self.beat, self.y), control), mix(control, (to.beat, to.y))])
    }
}

/// Height of the segment at `x`, which lies between both points' beats.
fn segment(from: CurvePoint, to: CurvePoint, x: f64) -> f64 {
    let width = to.beat - from.beat;
    if width <= f64::EPSILON {
        return to.y;
    }
    let Some((control_beat, control_y)) = from.control else {
        return from.y + (to.y - from.y) * (x - from.beat) / width;
    };
    // A control beat within the segment keeps the parabola a function of x.
    let bend = ((control_beat - from.beat) / width).clamp(0.0, 1.0);
    let t = bezier_parameter(bend, (x - from.beat) / width);
    let u = 1.0 - t;
    u * u * from.y + 2.0 * u * t * control_y + t * t * to.y
}

/// Solves `2 t (1 - t) bend + t * t = x` for t in 0..=1, in the form that stays exact near `bend = 0.5`.
fn bezier_parameter(bend: f64, x: f64) -> f64 {
    let a = 1.0 - 2.0 * bend;
    let root = (bend * bend + a * x).max(0.0).sqrt();
    let t = if bend + root > 0.0 { x / (bend + root) } else { 0.0 };
    t.clamp(0.0, 1.0)
}

impl Item for Curve {
    type Id = CurveId;

    fn id(&self) -> CurveId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(looped: bool, points: Vec<CurvePoint>) -> Curve {
        Curve { id: CurveId(1), name: "c".into(), length: 4.0, looped, points }
    }

    fn point(beat: f64, y: f64) -> CurvePoint {
        CurvePoint { beat, y, control: None }
    }

    #[test]
    fn the_triangle_rises_falls_and_repeats() {
        let triangle = Curve::triangle(CurveId(1), "t");
        for (beat, y) in [(0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (3.0, 0.5), (4.0, 0.0), (4e6 + 1.0, 0.5), (-1.0, 0.5)] {
            assert!((triangle.at(beat) - y).abs() < 1e-9, "{beat}");
        }
    }

    #[test]
    fn a_bent_segment_passes_where_the_parabola_does() {
        let mut bent = curve(false, vec![point(0.0, 0.0), point(4.0, 1.0)]);
        for (control, beat, y) in [((2.0, 0.5), 1.0, 0.25), ((4.0, 0.0), 3.0, 0.25), ((0.0, 1.0), 1.0, 0.75)] {
            bent.points[0].control = Some(control);
            assert!((bent.at(beat) - y).abs() < 1e-9, "{control:?}: {}", bent.at(beat));
        }
    }

    #[test]
    fn outside_its_points_a_curve_holds_or_runs_around_the_end() {
        let points = vec![point(1.0, 1.0), point(3.0, 0.0)];
        let held = curve(false, points.clone());
        assert_eq!((held.at(0.5), held.at(3.5)), (1.0, 0.0));
        let looped = curve(true, points);
        assert!((looped.at(0.0) - 0.5).abs() < 1e-9);
        assert!((looped.at(3.5) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn odd_curves_give_a_number() {
        for points in [vec![], vec![point(f64::NAN, f64::NAN)], vec![point(1.0, 9.0), point(1.0, -9.0)]] {
            for beat in [0.0, 1.0, f64::MAX, f64::NAN] {
                assert!((0.0..=1.0).contains(&curve(true, points.clone()).at(beat)));
            }
        }
    }
}
