//! The pixels of a fixture at true proportion, in the data's way, with the groups of a mode; corners of a line can be
//! dragged.
//!
//! Runs on the ui thread; says what the definition should become. A picture of very many pixels is thinned, and made
//! anew only when the definition is another. Deliberately absent: the light, which the stage shows.

use super::Change;
use crate::app::widgets::{arrows, focus_ring};
use crate::app::{fields, status_bar, theme};
use crate::model::fixture::{FixtureDefinition, Grouping, Pixels};
use crate::model::id::ModeId;
use crate::model::layout::{FAR, Frame};
use egui::accesskit::Role;
use egui::{Align2, Color32, CursorIcon, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Pixels that are drawn at most, about.
const MOST: u32 = 2048;
/// Groups that are numbered at most, and corners that can be dragged.
const MOST_GROUPS: usize = 256;
const MOST_CORNERS: usize = 200;
/// Radii of a pixel, points.
const RADII: [f32; 2] = [1.0, 6.0];
/// Numbers stand at least so far apart, points.
const APART: f32 = 36.0;
/// What a finger hits of a corner, points.
const TOUCH: f32 = 32.0;
/// An arrow key moves a corner by this, metres.
const NUDGE: f32 = 0.01;

/// The picture that was made last, and what is held of it.
#[derive(Debug, Default)]
pub struct Drawing {
    made: Option<Made>,
    /// The fit that a drag began with: what is dragged outwards must not flee.
    held: Option<Fit>,
}

#[derive(Debug)]
struct Made {
    of: Arc<FixtureDefinition>,
    mode: Option<ModeId>,
    /// Number and place of the pixels that are drawn, metres.
    pixels: Vec<(u32, [f32; 2])>,
    /// Group of each, from 1; none for a pixel that is one by itself.
    groups: Vec<Option<u32>>,
    /// Where each group's number stands, metres.
    middles: Vec<(u32, [f32; 2])>,
    frame: Frame,
}

/// From metres to the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    scale: f32,
    centre: [f32; 2],
}

impl Fit {
    fn of(frame: &Frame, room: Rect) -> Self {
        let [width, height, _] = frame.size();
        let scale = (room.width().max(1.0) / width.max(1e-3)).min(room.height().max(1.0) / height.max(1e-3));
        let [min, max] = [frame.min, frame.max];
        Self { scale, centre: [(min[0] + max[0]) / 2.0, (min[1] + max[1]) / 2.0] }
    }

    fn screen(&self, room: Rect, [x, y]: [f32; 2]) -> Pos2 {
        room.center() + vec2(x - self.centre[0], self.centre[1] - y) * self.scale
    }

    fn metres(&self, room: Rect, at: Pos2) -> [f32; 2] {
        let way = (at - room.center()) / self.scale;
        [self.centre[0] + way.x, self.centre[1] - way.y]
    }

    /// A drag stops at multiples of this, metres: a power of ten of about a point.
    fn grain(&self) -> f32 {
        10_f32.powf((4.0 / self.scale).log10().floor()).clamp(1e-4, 1000.0)
    }
}

/// Numbers of the pixels that are drawn, rising. A grid keeps its rows and the way they run.
fn some(pixels: &Pixels) -> Vec<u32> {
    let count = pixels.count();
    if let Pixels::Grid { columns, rows, .. } = pixels
        && count > MOST
    {
        // An odd step keeps rows that run back between those that do not.
        let [small, big] = [*columns.min(rows), *columns.max(rows)];
        let step = (count as f32 / MOST as f32).sqrt().ceil() as u32;
        let small_step = step.min(small) | 1;
        let big_step = big.saturating_mul(small.div_ceil(small_step)).div_ceil(MOST) | 1;
        let [wide, high] = if columns <= rows { [small_step, big_step] } else { [big_step, small_step] };
        let row = |row: u32| (0..*columns).step_by(wide as usize).map(move |i| row * columns + i);
        return (0..*rows).step_by(high as usize).flat_map(row).collect();
    }
    (0..count).step_by(count.div_ceil(MOST).max(1) as usize).collect()
}

/// The group of each pixel by the line that names it, from 1.
fn groups_of(definition: &FixtureDefinition, mode: Option<ModeId>, pixels: &[u32]) -> Vec<Option<u32>> {
    let Some(mode) = mode.and_then(|mode| definition.mode(mode)) else { return vec![None; pixels.len()] };
    match &mode.grouping {
        Grouping::Whole => vec![Some(1); pixels.len()],
        Grouping::Every(run) => pixels.iter().map(|pixel| Some(pixel / (*run).max(1) + 1)).collect(),
        Grouping::Groups(groups) => {
            let shown = (1..).zip(groups.iter().filter(|group| !group.is_empty()));
            let of: HashMap<u32, u32> =
                shown.flat_map(|(number, group)| group.iter().map(move |pixel| (*pixel, number))).collect();
            pixels.iter().map(|pixel| of.get(pixel).copied()).collect()
        }
    }
}

impl Made {
    fn new(of: &Arc<FixtureDefinition>, mode: Option<ModeId>) -> Self {
        let numbers = some(&of.pixels);
        let places = of.pixels.positions_of(numbers.iter().copied());
        let groups = groups_of(of, mode, &numbers);
        let mut sums: BTreeMap<u32, ([f32; 2], f32)> = BTreeMap::new();
        for (group, [x, y, _]) in groups.iter().zip(&places) {
            let Some(group) = group else { continue };
            let (sum, members) = sums.entry(*group).or_default();
            *sum = [sum[0] + x, sum[1] + y];
            *members += 1.0;
        }
        let middles = sums.into_iter().take(MOST_GROUPS);
        let middles = middles.map(|(group, ([x, y], members))| (group, [x / members, y / members])).collect();
        let corners = if let Pixels::Polyline { corners, .. } = &of.pixels { &corners[..] } else { &[] };
        let frame = match places.is_empty() && corners.is_empty() {
            true => Frame { min: [-0.5; 3], max: [0.5; 3] },
            false => Frame::around(places.iter().chain(corners).copied()),
        };
        let pixels = numbers.into_iter().zip(places.into_iter().map(|[x, y, _]| [x, y])).collect();
        Self { of: Arc::clone(of), mode, pixels, groups, middles, frame }
    }
}

impl Drawing {
    fn made(&mut self, definition: &Arc<FixtureDefinition>, mode: Option<ModeId>) -> &Made {
        let known = self.made.take().filter(|made| Arc::ptr_eq(&made.of, definition) && made.mode == mode);
        self.made.insert(known.unwrap_or_else(|| Made::new(definition, mode)))
    }

    /// Shows the picture over the whole width. `mode` is the one whose groups are told.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        height: f32,
        definition: &Arc<FixtureDefinition>,
        mode: Option<ModeId>,
    ) -> Change {
        let size = vec2(ui.available_width().max(1.0), height.max(1.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let count = definition.pixels.count();
        let words = format!("Drawing of {}, {} pixels", definition.name, status_bar::grouped(count.into()));
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &words));
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        painter.rect_filled(rect, theme::RADIUS, theme::STAGE);
        let margin = vec2(28.0, 28.0).min(rect.size() * 0.25);
        let room = rect.shrink2(margin);
        let held = self.held;
        let made = self.made(definition, mode);
        let fit = held.unwrap_or_else(|| Fit::of(&made.frame, room));
        draw(&painter, room, made, &fit);
        let caption = |at: Pos2, align, text: &str| {
            painter.text(at, align, text, theme::small(), theme::TEXT_FAINT);
        };
        let [width, height, _] = made.frame.size();
        caption(
            rect.left_bottom() + vec2(theme::STEP, -theme::HALF),
            Align2::LEFT_BOTTOM,
            &format!("{} × {}", metres(width), metres(height)),
        );
        if count as usize > made.pixels.len() {
            let some = format!("{} of {} pixels drawn", made.pixels.len(), status_bar::grouped(count.into()));
            caption(rect.right_bottom() + vec2(-theme::STEP, -theme::HALF), Align2::RIGHT_BOTTOM, &some);
        }
        if count == 0 {
            let words = "No pixels yet. Give it some below.";
            painter.text(rect.center(), Align2::CENTER_CENTER, words, theme::small(), theme::TEXT_FAINT);
        }
        let Pixels::Polyline { corners, .. } = &definition.pixels else { return None };
        let moved = self.corners_ui(ui, (rect, room), corners, fit);
        moved.map(|(corners, gesture)| {
            let pixels = Pixels::Polyline { count, corners };
            (FixtureDefinition { pixels, ..FixtureDefinition::clone(definition) }, gesture)
        })
    }

    fn corners_ui(
        &mut self,
        ui: &Ui,
        (rect, room): (Rect, Rect),
        corners: &[[f32; 3]],
        fit: Fit,
    ) -> Option<(Vec<[f32; 3]>, Option<u64>)> {
        let mut changed = None;
        let mut dragging = false;
        for (place, corner) in corners.iter().enumerate().take(MOST_CORNERS) {
            let centre = fit.screen(room, [corner[0], corner[1]]);
            let area = Rect::from_center_size(centre, Vec2::splat(TOUCH)).intersect(rect);
            if !area.is_positive() {
                continue;
            }
            let response = ui.interact(area, ui.scope_id().with(("corner", place)), Sense::drag());
            let response = response.on_hover_and_drag_cursor(CursorIcon::Grab);
            let label = format!("Corner {} at {}, {}", place + 1, metres(corner[0]), metres(corner[1]));
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            let lit = response.hovered() || response.dragged();
            let ink = if lit { theme::TEXT } else { theme::TEXT_QUIET };
            let square = Rect::from_center_size(centre, Vec2::splat(10.0));
            let painter = ui.painter().with_clip_rect(rect);
            painter.rect(square, 0.0, theme::GROUND, Stroke::new(1.5, ink), egui::StrokeKind::Inside);
            focus_ring(ui, &response);
            let gesture = fields::gesture(ui, &response);
            dragging |= response.dragged();
            let keys = arrows(ui, &response) * NUDGE;
            let target = if keys != Vec2::ZERO {
                Some([corner[0] + keys.x, corner[1] + keys.y].map(|axis| (axis / NUDGE).round() * NUDGE))
            } else {
                response.interact_pointer_pos().filter(|_| response.dragged()).map(|at| {
                    let grain = fit.grain();
                    fit.metres(room, at).map(|axis| (axis / grain).round() / grain.recip())
                })
            };
            if let Some([x, y]) = target.filter(|to| *to != [corner[0], corner[1]]) {
                let far = FAR as f32;
                let mut corners = corners.to_vec();
                corners[place] = [x.clamp(-far, far), y.clamp(-far, far), corner[2]];
                changed = Some((corners, gesture));
            }
        }
        self.held = dragging.then_some(fit);
        changed
    }
}

/// A length as it is read best.
fn metres(length: f32) -> String {
    match length.abs() {
        small if small < 1.0 => format!("{:.1} cm", length * 100.0),
        _ => format!("{length:.2} m"),
    }
}

fn colour(group: Option<u32>) -> Color32 {
    let inks = theme::TAGS.len() as u32 - 1;
    group.map_or(theme::TEXT_QUIET, |group| theme::TAGS[((group - 1) % inks + 1) as usize])
}

fn draw(painter: &Painter, room: Rect, made: &Made, fit: &Fit) {
    let places: Vec<Pos2> = made.pixels.iter().map(|(_, metres)| fit.screen(room, *metres)).collect();
    let ways = places.windows(2).map(|pair| pair[0].distance(pair[1])).filter(|way| *way > 0.1);
    let nearest = ways.fold(f32::INFINITY, f32::min);
    let radius = (nearest * 0.32).clamp(RADII[0], RADII[1]);
    painter.add(Shape::line(places.clone(), Stroke::new(1.0, theme::RAIL)));
    let dots = places.iter().zip(&made.groups).map(|(at, group)| {
        let ink = colour(*group);
        match radius < 2.0 {
            true => Shape::rect_filled(Rect::from_center_size(*at, Vec2::splat(2.0 * radius)), 0.0, ink),
            false => Shape::circle_filled(*at, radius, ink),
        }
    });
    painter.extend(dots);
    let Some(first) = places.first() else { return };
    painter.circle_stroke(*first, radius + 4.0, Stroke::new(1.5, theme::TEXT));
    let mut taken: Vec<Rect> = Vec::new();
    let mut number = |at: Pos2, text: String, ink: Color32| {
        let galley = painter.layout_no_wrap(text, theme::small(), ink);
        let place = Align2::CENTER_CENTER.anchor_size(at, galley.size()).expand(2.0);
        if taken.iter().any(|other| other.intersects(place)) {
            return;
        }
        painter.rect_filled(place, theme::RADIUS_SMALL, theme::STAGE.gamma_multiply(0.8));
        painter.galley(place.min + vec2(2.0, 2.0), galley, ink);
        taken.push(place);
    };
    if !made.middles.is_empty() {
        for (group, middle) in &made.middles {
            number(fit.screen(room, *middle), group.to_string(), theme::TEXT);
        }
        return;
    }
    let bends = Rect::from_points(&places).height() > 48.0;
    let mut told: Option<Pos2> = None;
    for (at, (pixel, _)) in places.iter().zip(&made.pixels) {
        let Some(way) = beside(&made.of.pixels, *pixel, *at - room.center(), bends) else { continue };
        if told.is_none_or(|told| told.distance(*at) >= APART) {
            number(*at + way * (Vec2::splat(radius) + vec2(14.0, 11.0)), pixel.to_string(), theme::TEXT_FAINT);
            told = Some(*at);
        }
    }
}

/// On which side of a pixel its number stands, so that it covers no other: none where all sides are taken.
fn beside(pixels: &Pixels, pixel: u32, from_middle: Vec2, bends: bool) -> Option<Vec2> {
    match pixels {
        Pixels::Grid { columns, .. } if *columns > 1 => {
            pixel.is_multiple_of(*columns).then(|| vec2(from_middle.x.signum() * 1.2, 0.0))
        }
        Pixels::Grid { .. } => Some(vec2(1.2, 0.0)),
        Pixels::Ring { .. } => Some(from_middle.normalized()),
        // A line that goes up and down has more room on its outside.
        Pixels::Polyline { .. } if from_middle.y.abs() > 24.0 => Some(from_middle.normalized()),
        Pixels::Polyline { .. } if from_middle.x.abs() > 24.0 && bends => Some(vec2(from_middle.x.signum(), 0.0)),
        Pixels::Strip { .. } | Pixels::Polyline { .. } => Some(vec2(0.0, -1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::starts::STARTS;
    use super::*;
    use crate::model::fixture::Mode;
    use egui::pos2;

    #[test]
    fn a_picture_of_a_million_pixels_is_thinned_and_one_of_few_is_whole() {
        let shapes = [
            Pixels::Strip { count: 1 << 20, length: 10.0 },
            Pixels::Grid { columns: 1024, rows: 1024, pitch: 0.01, serpentine: true },
            Pixels::Grid { columns: 1 << 20, rows: 1, pitch: 0.01, serpentine: false },
            Pixels::Grid { columns: 1, rows: 1 << 20, pitch: 0.01, serpentine: true },
            Pixels::Grid { columns: 3, rows: 300_000, pitch: 0.01, serpentine: true },
        ];
        for shape in shapes {
            let some = some(&shape);
            assert!(some.len() > 200 && some.len() < 3 * MOST as usize, "{shape:?}: {}", some.len());
            assert!(some.windows(2).all(|pair| pair[0] < pair[1]) && some[0] == 0);
            assert!(some.iter().all(|pixel| *pixel < shape.count()));
        }
        assert_eq!(some(&Pixels::Strip { count: 5, length: 1.0 }), [0, 1, 2, 3, 4]);
        assert!(some(&Pixels::Strip { count: 0, length: 1.0 }).is_empty());
    }

    #[test]
    fn groups_have_the_number_of_the_line_that_names_them() {
        let mut definition = STARTS[0].1();
        let grouping = Grouping::Groups(vec![vec![3], vec![], vec![0, 1]]);
        definition.modes = vec![Mode { id: ModeId(1), name: "m".into(), grouping }];
        assert_eq!(groups_of(&definition, Some(ModeId(1)), &[0, 1, 2, 3]), [Some(2), Some(2), None, Some(1)]);
        definition.modes[0].grouping = Grouping::Every(2);
        assert_eq!(groups_of(&definition, Some(ModeId(1)), &[0, 1, 2]), [Some(1), Some(1), Some(2)]);
        assert_eq!(groups_of(&definition, None, &[0]), [None]);
    }

    #[test]
    fn the_fit_shows_all_and_is_read_back() {
        let frame = Frame { min: [-2.0, 0.0, 0.0], max: [2.0, 1.0, 0.0] };
        let room = Rect::from_min_size(pos2(10.0, 20.0), vec2(300.0, 200.0));
        let fit = Fit::of(&frame, room);
        assert!(room.expand(0.01).contains(fit.screen(room, [-2.0, 1.0])));
        let [x, y] = fit.metres(room, fit.screen(room, [1.5, 0.25]));
        assert!((x - 1.5).abs() < 1e-4 && (y - 0.25).abs() < 1e-4);
    }
}
