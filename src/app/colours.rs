//! What the screen is drawn in: the look as it is in `theme`, with more contrast, or dim for a dark room.
//!
//! [`Shading`] changes what has been painted, last thing in a pass on the ui thread; what is painted asks `theme` alone.
//! Lamps, thumbnails and gradients are pictures of light and stay true. Deliberately absent: other shapes and sizes.

use egui::epaint::shape_transform::adjust_colors;
use egui::{Color32, Context, FullOutput, Plugin, Shape};
use serde::{Deserialize, Serialize};

/// Ways to draw the same look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colours {
    /// As it was designed.
    #[default]
    Usual,
    /// Black grounds and whiter text, for sunlight and for eyes that want it.
    Contrast,
    /// Dim and warm, for eyes that watch a dark room.
    Night,
}

/// How bright a grey is drawn: from the first to the second, with straight lines between. What lies below and above text
/// are grounds, which must stay apart from each other.
type Tones = [(f32, f32); 4];

const CONTRAST: Tones = [(0.0, 0.0), (50.0, 34.0), (130.0, 178.0), (255.0, 255.0)];
const NIGHT: Tones = [(0.0, 0.0), (54.0, 18.0), (163.0, 154.0), (255.0, 194.0)];
/// What is left of red, green and blue in a dark room.
const WARM: [f32; 3] = [1.0, 0.9, 0.76];

impl Colours {
    /// A colour of the look, as it is drawn.
    pub fn of(self, colour: Color32) -> Color32 {
        let (tones, tint) = match self {
            Self::Usual => return colour,
            Self::Contrast => (CONTRAST, [1.0; 3]),
            Self::Night => (NIGHT, WARM),
        };
        if colour == Color32::PLACEHOLDER || colour.a() == 0 {
            return colour;
        }
        // Colours are kept multiplied by their cover, and so are the tones.
        let [r, g, b, alpha] = colour.to_array();
        let brightest = f32::from(r.max(g).max(b));
        let cover = f32::from(alpha) / 255.0;
        let factor = if brightest > 0.0 { tone(tones, brightest / cover) * cover / brightest } else { 0.0 };
        let [r, g, b] = [(r, tint[0]), (g, tint[1]), (b, tint[2])]
            .map(|(value, tint)| (f32::from(value) * factor * tint).round().min(f32::from(alpha)) as u8);
        Color32::from_rgba_premultiplied(r, g, b, alpha)
    }
}

fn tone(tones: Tones, value: f32) -> f32 {
    let value = value.clamp(0.0, 255.0);
    let piece = tones.windows(2).find(|piece| value <= piece[1].0);
    piece.map_or(tones[3].1, |piece| {
        let [(from, low), (to, high)] = [piece[0], piece[1]];
        low + (high - low) * (value - from) / (to - from)
    })
}

/// Draws in these colours from the next pass on.
pub fn put_on(ctx: &Context, colours: Colours) {
    ctx.with_plugin(|shading: &mut Shading| shading.0 = colours);
}

/// Changes what was painted.
#[derive(Default)]
pub struct Shading(Colours);

impl Plugin for Shading {
    fn debug_name(&self) -> &'static str {
        "colours"
    }

    fn output_hook(&mut self, _: &Context, output: &mut FullOutput) {
        if self.0 != Colours::Usual {
            output.shapes.iter_mut().for_each(|clipped| shade(&mut clipped.shape, self.0));
        }
    }
}

fn shade(shape: &mut Shape, colours: Colours) {
    match shape {
        Shape::Vec(shapes) => shapes.iter_mut().for_each(|shape| shade(shape, colours)),
        // Pictures of light.
        Shape::Mesh(_) | Shape::Callback(_) => {}
        Shape::Rect(rect) if rect.brush.is_some() => {}
        shape => adjust_colors(shape, move |colour| *colour = colours.of(*colour)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme::{self, contrast};
    use super::*;
    use egui::{Mesh, Rect, pos2};

    #[test]
    fn text_stays_readable_and_grounds_stay_apart() {
        // Text (WCAG 2.2, 1.4.3 and 1.4.6), and marks in an accent's colour (1.4.11).
        let least = [(Colours::Usual, 4.5, 4.5), (Colours::Contrast, 7.0, 4.5), (Colours::Night, 4.5, 3.0)];
        for (colours, least, mark) in least {
            let grounds =
                [theme::STAGE, theme::GROUND, theme::BAR, theme::SURFACE, theme::RAISED].map(|c| colours.of(c));
            let texts = [theme::TEXT, theme::TEXT_QUIET, theme::TEXT_FAINT].map(|c| colours.of(c));
            for ground in grounds {
                let accents = [theme::AMBER, theme::CYAN, theme::RED].map(|c| (colours.of(c), mark));
                for (ink, least) in texts.map(|ink| (ink, least)).into_iter().chain(accents) {
                    let found = contrast(ink, ground);
                    assert!(found >= least, "{colours:?}: {ink:?} on {ground:?}: {found:.2}");
                }
            }
            assert!(grounds.windows(2).all(|pair| pair[0].b() < pair[1].b()), "{colours:?}: {grounds:?}");
            assert!(texts.windows(2).all(|pair| contrast(pair[0], pair[1]) > 1.15), "{colours:?}: {texts:?}");
        }
    }

    #[test]
    fn a_dark_room_is_not_lit_by_the_screen() {
        let sum = |c: Color32| [c.r(), c.g(), c.b()].map(u32::from).iter().sum::<u32>();
        for colour in [theme::TEXT, theme::AMBER, theme::SURFACE] {
            assert!(sum(Colours::Night.of(colour)) * 4 < sum(colour) * 3, "{colour:?}");
        }
    }

    #[test]
    fn what_lets_its_ground_through_does_so_all_the_same() {
        for colours in [Colours::Contrast, Colours::Night] {
            let (faint, whole) = (colours.of(theme::AMBER.gamma_multiply(0.25)), colours.of(theme::AMBER));
            assert_eq!(faint.a(), 64);
            assert!(faint.r().abs_diff(whole.gamma_multiply(0.25).r()) <= 1, "{faint:?} of {whole:?}");
            assert_eq!(
                [Color32::TRANSPARENT, Color32::PLACEHOLDER].map(|c| colours.of(c)),
                [Color32::TRANSPARENT, Color32::PLACEHOLDER]
            );
        }
    }

    #[test]
    fn pictures_of_light_are_left_alone() {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_two_pos(pos2(0.0, 0.0), pos2(1.0, 1.0)), theme::AMBER);
        let picture = Shape::mesh(mesh);
        let ground = Shape::rect_filled(Rect::EVERYTHING, 0.0, theme::SURFACE);
        let mut shapes = Shape::Vec(vec![picture.clone(), ground]);
        shade(&mut shapes, Colours::Night);
        let Shape::Vec(shapes) = shapes else { panic!() };
        assert_eq!(shapes[0], picture);
        assert!(matches!(&shapes[1], Shape::Rect(rect) if rect.fill == Colours::Night.of(theme::SURFACE)));
    }
}
