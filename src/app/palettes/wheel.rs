//! The colour wheel: a ring of hues around a square of saturation and value.
//!
//! Runs on the ui thread; drawn as meshes when the window is painted, which costs nothing at rest. Deliberately
//! absent: whose colour it is.

use crate::app::widgets::arrows;
use crate::app::{fields, theme, widgets};
use crate::model::palette::Colour;
use egui::accesskit::Role;
use egui::{
    Color32, CursorIcon, Mesh, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use std::f32::consts::TAU;

/// Width of the ring, points.
const RING: f32 = 24.0;
/// Pieces of the ring; a multiple of six, so that every corner of the hues is one.
const PIECES: u32 = 96;
/// Pieces of a side of the square.
const SIDE: u32 = 12;

/// Hue, saturation and value, all 0..=1, of sRGB.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hsv {
    /// In turns.
    pub hue: f32,
    /// 0 is grey.
    pub saturation: f32,
    /// 0 is black.
    pub value: f32,
}

impl Hsv {
    /// Of a colour. What the colour does not say, the hue of a grey and the saturation of black, stays as it was.
    pub fn of(colour: Colour, was: Self) -> Self {
        if was.colour() == colour {
            return was;
        }
        let [r, g, b] = colour.0.map(|c| f32::from(c) / 255.0);
        let most = r.max(g).max(b);
        let range = most - r.min(g).min(b);
        if most <= 0.0 {
            return Self { value: 0.0, ..was };
        }
        if range <= 0.0 {
            return Self { saturation: 0.0, value: most, ..was };
        }
        let sixths = if most == r {
            (g - b) / range
        } else if most == g {
            (b - r) / range + 2.0
        } else {
            (r - g) / range + 4.0
        };
        Self { hue: (sixths / 6.0).rem_euclid(1.0), saturation: range / most, value: most }
    }

    /// The nearest colour of 8 bits a channel.
    pub fn colour(self) -> Colour {
        let channel = |turn: f32| {
            let wave = (((self.hue + turn).rem_euclid(1.0) * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
            let level = self.value * (1.0 + self.saturation * (wave - 1.0));
            (level * 255.0).round() as u8
        };
        Colour([channel(0.0), channel(2.0 / 3.0), channel(1.0 / 3.0)])
    }
}

/// A colour on the screen.
pub fn ink(colour: Colour) -> Color32 {
    let [r, g, b] = colour.0;
    Color32::from_rgb(r, g, b)
}

/// Shows the wheel; what was picked, and the drag it belongs to. `last` keeps the hue of greys between frames.
pub fn wheel_ui(ui: &mut Ui, size: f32, colour: Colour, last: &mut Hsv) -> Option<(Colour, Option<u64>)> {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(size), Sense::hover());
    let hsv = Hsv::of(colour, *last);
    let inner = size / 2.0 - RING;
    let square = Rect::from_center_size(rect.center(), Vec2::splat((inner - theme::HALF) * std::f32::consts::SQRT_2));
    let ring = ui.interact(rect, ui.scope_id().with("hue"), Sense::drag());
    let field = ui.interact(square, ui.scope_id().with("square"), Sense::drag());
    let picked = [(hue_at(ui, &ring, hsv), &ring), (shade_at(ui, &field, hsv), &field)];
    let moved = picked.into_iter().find_map(|(hsv, response)| Some((hsv?, fields::gesture(ui, response))));
    *last = moved.map_or(hsv, |(hsv, _)| hsv);
    ring.widget_info(|| WidgetInfo::slider(true, f64::from(last.hue * 360.0), "Hue"));
    let words = format!("Saturation {:.0} %, value {:.0} %", last.saturation * 100.0, last.value * 100.0);
    field.widget_info(|| WidgetInfo::labeled(Role::ColorWell, true, &words));
    if ui.is_rect_visible(rect) {
        draw(ui, rect, square, *last);
        widgets::focus_ring(ui, &ring);
        widgets::focus_ring(ui, &field);
    }
    moved.map(|(hsv, gesture)| (hsv.colour(), gesture)).filter(|(picked, _)| *picked != colour)
}

fn hue_at(ui: &Ui, ring: &Response, hsv: Hsv) -> Option<Hsv> {
    let keys = arrows(ui, ring);
    if keys != Vec2::ZERO {
        return Some(Hsv { hue: (hsv.hue + (keys.x + keys.y) / 360.0).rem_euclid(1.0), ..hsv });
    }
    let at = ring.interact_pointer_pos().filter(|_| ring.dragged())? - ring.rect.center();
    Some(Hsv { hue: (at.y.atan2(at.x) / TAU).rem_euclid(1.0), ..hsv })
}

fn shade_at(ui: &Ui, field: &Response, hsv: Hsv) -> Option<Hsv> {
    let keys = arrows(ui, field) / 100.0;
    let place = if keys == Vec2::ZERO {
        let at = field.interact_pointer_pos().filter(|_| field.dragged())?;
        let part = (at - field.rect.min) / field.rect.size();
        vec2(part.x, 1.0 - part.y)
    } else {
        vec2(hsv.saturation, hsv.value) + keys
    };
    Some(Hsv { saturation: place.x.clamp(0.0, 1.0), value: place.y.clamp(0.0, 1.0), ..hsv })
}

fn draw(ui: &Ui, rect: Rect, square: Rect, hsv: Hsv) {
    let painter = ui.painter();
    let (centre, outer) = (rect.center(), rect.width() / 2.0);
    let on_ring = |turn: f32, radius: f32| centre + Vec2::angled(turn * TAU) * radius;
    let mut mesh = Mesh::default();
    for piece in 0..=PIECES {
        let hue = piece as f32 / PIECES as f32;
        let colour = ink(Hsv { hue, saturation: 1.0, value: 1.0 }.colour());
        mesh.colored_vertex(on_ring(hue, outer - 1.0), colour);
        mesh.colored_vertex(on_ring(hue, outer - RING + 1.0), colour);
        if piece > 0 {
            let first = 2 * piece;
            mesh.add_triangle(first - 2, first - 1, first);
            mesh.add_triangle(first - 1, first, first + 1);
        }
    }
    add_square(&mut mesh, square, hsv.hue);
    painter.add(mesh);
    // A mesh has hard edges; a line of the ground over them makes them soft.
    let soft = Stroke::new(2.0, theme::GROUND);
    painter.circle_stroke(centre, outer - 0.5, soft);
    painter.circle_stroke(centre, outer - RING + 0.5, soft);
    cap(ui, on_ring(hsv.hue, outer - RING / 2.0), ink(Hsv { saturation: 1.0, value: 1.0, ..hsv }.colour()));
    let at = pos2(hsv.saturation, 1.0 - hsv.value);
    cap(ui, square.lerp_inside(at.to_vec2()), ink(hsv.colour()));
}

fn add_square(mesh: &mut Mesh, square: Rect, hue: f32) {
    let first = mesh.vertices.len() as u32;
    for row in 0..=SIDE {
        for column in 0..=SIDE {
            let part = vec2(column as f32, row as f32) / SIDE as f32;
            let colour = Hsv { hue, saturation: part.x, value: 1.0 - part.y }.colour();
            mesh.colored_vertex(square.lerp_inside(part), ink(colour));
            if row > 0 && column > 0 {
                let corner = first + row * (SIDE + 1) + column;
                let above = corner - SIDE - 1;
                mesh.add_triangle(above - 1, above, corner - 1);
                mesh.add_triangle(above, corner - 1, corner);
            }
        }
    }
}

/// The mark of where the colour is, seen on light and dark.
fn cap(ui: &Ui, at: Pos2, fill: Color32) {
    let painter = ui.painter();
    painter.circle_filled(at, 8.0, Color32::from_black_alpha(140));
    painter.circle(at, 6.0, fill, Stroke::new(2.0, Color32::WHITE));
}

/// A rectangle of one colour that can be chosen to be worked at.
pub fn swatch_ui(ui: &mut Ui, size: Vec2, label: &str, colour: Colour, chosen: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, label));
    let painter = ui.painter();
    painter.rect_filled(rect, theme::RADIUS, ink(colour));
    let line = if chosen { Stroke::new(2.0, theme::TEXT) } else { Stroke::new(1.0, theme::RAIL) };
    painter.rect_stroke(rect, theme::RADIUS, line, StrokeKind::Inside);
    if chosen {
        painter.rect_stroke(rect.shrink(2.0), theme::RADIUS_SMALL, Stroke::new(1.0, theme::GROUND), StrokeKind::Inside);
    }
    widgets::focus_ring(ui, &response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_comes_back_from_the_wheel() {
        let levels = [0_u8, 1, 17, 127, 128, 200, 254, 255];
        for colour in levels.iter().flat_map(|r| levels.map(|g| levels.map(|b| Colour([*r, g, b]))).concat()) {
            assert_eq!(Hsv::of(colour, Hsv::default()).colour(), colour);
        }
    }

    #[test]
    fn a_grey_keeps_the_hue_and_black_the_saturation_that_were_picked_before() {
        let picked = Hsv { hue: 0.6, saturation: 0.8, value: 1.0 };
        let grey = Hsv::of(Colour([90; 3]), picked);
        assert_eq!((grey.hue, grey.saturation), (0.6, 0.0));
        let black = Hsv::of(Colour::BLACK, picked);
        assert_eq!((black.hue, black.saturation, black.value), (0.6, 0.8, 0.0));
    }
}
