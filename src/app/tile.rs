//! A tile of the grid: a scene that is played by touch. What it does is told by shape and by word, not by colour alone.
//!
//! Runs on the ui thread. Deliberately absent: the gesture of the press, which is in [`super::grid`].

use super::pictures::Picture;
use super::{theme, widgets};
use crate::model::id::SceneId;
use crate::model::palette::{Colour, GRADIENT_STOPS, Palette};
use crate::model::scene::Scene;
use crate::show::snapshot::{PlayState, SceneCost, SceneView};
use crate::units::Level;
use egui::accesskit::Role;
use egui::epaint::RectShape;
use egui::epaint::text::{LayoutJob, TextFormat};
use egui::layers::ShapeIdx;
use egui::{
    Align2, Color32, CornerRadius, Galley, Id, Mesh, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind,
    Ui, WidgetInfo, pos2, vec2,
};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Below this height a tile has room for one line only.
const SHORT: f32 = 72.0;
/// From this width on a tile has room for large type and words.
const ROOMY: f32 = 92.0;
/// How bright the picture of a scene is that is off, and one that is touched or about to sound.
const RESTING: f32 = 0.45;
const HOVERED: f32 = 0.7;
/// How far pictures are pulled out of shape to show more of them.
const STRETCH: f32 = 1.5;
/// How dark a picture is made where words stand on it.
/// Its foot and its head, and those of a short tile, which would show little else.
const SHADES: [[f32; 2]; 2] = [[0.8, 0.7], [0.66, 0.35]];

/// What a tile shows.
pub struct Tile<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// How it is played.
    pub view: &'a SceneView,
    /// The colours of its light.
    pub palette: &'a Palette,
    /// Its key in the quick line, from 1.
    pub number: Option<String>,
    /// What it looks like alone, once that was drawn.
    pub picture: Option<Picture>,
    /// What it takes to draw, once that was measured.
    pub cost: Option<&'a SceneCost>,
    /// Whether it is on its way elsewhere.
    pub lifted: bool,
    /// Whether fingers play it: its fader is as high as one, or not there.
    pub finger_sized: bool,
}

/// What lies under the words of all tiles, gathered so that everything of one texture is drawn at once: a tile after
/// the other would have the driver change between the two textures for each of them.
#[derive(Default)]
pub struct Layers {
    grounds: Vec<Shape>,
    pictures: Vec<Shape>,
}

impl Layers {
    /// Draws what was gathered, in the places that were kept for it before the first tile.
    pub fn draw(self, painter: &Painter, [grounds, pictures]: [ShapeIdx; 2]) {
        painter.set(grounds, Shape::Vec(self.grounds));
        painter.set(pictures, Shape::Vec(self.pictures));
    }
}

/// What tells the tile of a scene from other controls.
pub fn tile_id(ui: &Ui, scene: SceneId) -> Id {
    ui.scope_id().with(("tile", scene))
}

/// What was done to a tile.
pub struct Touched {
    /// The press on its body.
    pub body: Response,
    /// Where its fader was moved to.
    pub opacity: Option<Level>,
}

/// Draws a tile and says how it was touched.
pub fn tile_ui(ui: &Ui, rect: Rect, tile: &Tile<'_>, layers: &mut Layers) -> Touched {
    let id = tile_id(ui, tile.scene.id);
    let fader_height = match tile.finger_sized {
        true if rect.height() >= 2.5 * theme::TOUCH => theme::TOUCH,
        true => 0.0,
        false => (rect.height() * 0.3).clamp(20.0, 32.0),
    };
    let (body_rect, fader_rect) = rect.split_top_bottom_at_y(rect.bottom() - fader_height);
    let body = ui.interact(body_rect, id, Sense::click());
    let state = tile.view.state;
    let sounding = !matches!(state, PlayState::Off | PlayState::Waiting);
    body.widget_info(|| WidgetInfo::selected(Role::Button, true, sounding, format!("Scene {}", tile.scene.name)));
    ui.ctx().accesskit_node_builder(body.id, |node| node.set_value(told_state(tile.view)));

    let inset = if rect.width() < ROOMY { theme::STEP - 2.0 } else { theme::STEP + theme::HALF };
    let rail = Rect::from_min_max(
        pos2(rect.left() + inset, rect.bottom() - inset - 4.0),
        pos2(rect.right() - inset, rect.bottom() - inset),
    );
    let label = format!("Opacity of {}", tile.scene.name);
    let area = widgets::FaderArea { label: &label, touch: fader_rect, travel: rail.width() };
    let fader = (fader_height > 0.0).then(|| widgets::fader(ui, id.with("opacity"), &area, tile.view.opacity));
    let (opacity, moved) = fader.as_ref().map_or((tile.view.opacity, None), |(_, opacity, moved)| (*opacity, *moved));
    let busy = fader.as_ref().is_some_and(|(fader, ..)| fader.hovered() || fader.dragged());

    if tile.lifted {
        ui.painter().rect_filled(rect, theme::RADIUS, theme::HOLLOW);
    } else if ui.is_rect_visible(rect) {
        let ink = ink(tile, body.is_pointer_button_down_on(), body.hovered() || busy);
        let (name_place, name) = name(ui.painter(), rect, rail, tile, &ink);
        draw_ground(ui.painter(), rect, name_place.y, tile, &ink, layers);
        draw_head(ui.painter(), rect.shrink(inset), tile, &ink);
        ui.painter().galley(name_place, name, ink.name);
        draw_fader(ui, rail, opacity, tile, (sounding, busy));
        widgets::focus_ring(ui, &body);
        fader.iter().for_each(|(fader, ..)| widgets::focus_ring(ui, fader));
    }
    let body = match tile.cost {
        Some(cost) => body.on_hover_text(told_cost(&tile.scene.name, cost)),
        None => body,
    };
    Touched { body, opacity: moved }
}

/// What a scene takes to draw, in words.
fn told_cost(name: &str, SceneCost { ms, steps, .. }: &SceneCost) -> String {
    let steps = match steps {
        0 | 1 => String::new(),
        steps => format!("\nToo much for one frame: drawn in {steps} steps"),
    };
    format!("{name}: {ms:.1} ms to draw{steps}")
}

/// What it does, in words, and its dimmer where that holds it down.
fn told_state(view: &SceneView) -> String {
    match view.dimmer {
        Level::FULL => word(view.state).to_owned(),
        dimmer => format!("{}, dimmed to {:.0} %", word(view.state), dimmer.get() * 100.0),
    }
}

/// What the state is called.
fn word(state: PlayState) -> &'static str {
    match state {
        PlayState::Off => "off",
        PlayState::Waiting => "waiting",
        PlayState::FadingIn => "fading in",
        PlayState::On => "on",
        PlayState::FadingOut => "fading out",
        PlayState::Flashed => "flashed",
    }
}

/// The colours of one tile at one moment.
struct Ink {
    ground: Color32,
    /// How bright its picture is.
    tint: f32,
    edge: Stroke,
    name: Color32,
    mark: Color32,
}

fn ink(tile: &Tile<'_>, pressed: bool, hovered: bool) -> Ink {
    let light = colour(tile.palette.primary);
    let resting = if pressed {
        theme::RAIL
    } else if hovered {
        theme::RAISED
    } else {
        theme::SURFACE
    };
    let none = Stroke::NONE;
    let touched = if pressed || hovered { HOVERED } else { RESTING };
    match tile.view.state {
        PlayState::Off => {
            let mark = if tile.picture.is_some() { theme::TEXT_QUIET } else { theme::TEXT_FAINT };
            let ground = if tile.picture.is_some() { theme::mixed(resting, theme::STAGE, 0.3) } else { resting };
            let name = if pressed || hovered { theme::TEXT } else { theme::TEXT_QUIET };
            Ink { ground, tint: touched, edge: none, name, mark }
        }
        PlayState::Waiting => Ink {
            ground: resting,
            tint: HOVERED,
            edge: Stroke::new(1.0, theme::mixed(theme::SURFACE, theme::AMBER, 0.5)),
            name: theme::TEXT,
            mark: theme::AMBER,
        },
        PlayState::FadingIn | PlayState::FadingOut | PlayState::On => {
            let share = tile.view.fade.get();
            Ink {
                ground: match tile.picture {
                    Some(_) => theme::mixed(resting, theme::STAGE, 0.7 * share),
                    None => theme::mixed(resting, light, 0.20 * share),
                },
                tint: touched + (1.0 - touched) * share,
                edge: Stroke::new(1.5, theme::mixed(theme::SURFACE, theme::AMBER, 0.25 + 0.75 * share)),
                name: theme::TEXT,
                mark: theme::AMBER,
            }
        }
        PlayState::Flashed => {
            let (edge, mark) = match tile.picture {
                Some(_) => (Stroke::new(2.0, theme::AMBER), theme::AMBER),
                None => (none, theme::ON_AMBER),
            };
            Ink { ground: theme::AMBER, tint: 1.0, edge, name: theme::ON_AMBER, mark }
        }
    }
}

fn draw_ground(painter: &Painter, rect: Rect, label_top: f32, tile: &Tile<'_>, ink: &Ink, layers: &mut Layers) {
    let flashed = tile.view.state == PlayState::Flashed && tile.picture.is_some();
    let ground = if flashed { theme::SURFACE } else { ink.ground };
    layers.grounds.push(RectShape::filled(rect, theme::RADIUS, ground).into());
    if let Some(picture) = &tile.picture {
        layers.pictures.push(lit(rect, label_top, picture, flashed, ink).into());
    }
    if flashed {
        let (_, label) = rect.split_top_bottom_at_y(label_top - theme::HALF);
        painter.rect_filled(label, CornerRadius { nw: 0, ne: 0, ..theme::RADIUS }, theme::AMBER);
    }
    if tile.view.state == PlayState::Waiting {
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
        painter.extend(Shape::dashed_line(&corners, ink.edge, 6.0, 4.0));
    } else {
        painter.rect_stroke(rect, theme::RADIUS, ink.edge, StrokeKind::Inside);
    }
}

/// The picture, less bright where words stand on it.
fn lit(rect: Rect, label_top: f32, picture: &Picture, flashed: bool, ink: &Ink) -> Mesh {
    let [label_shade, head_shade] = SHADES[usize::from(rect.height() < SHORT)];
    let label_top = label_top - theme::HALF;
    let head = ink.tint * (1.0 - head_shade);
    let label = ink.tint * (1.0 - label_shade);
    let stops = [
        (rect.top(), head),
        (rect.top() + 3.0 * theme::STEP, ink.tint),
        (label_top - (label_top - rect.top()) / 3.0, ink.tint),
        (label_top, if flashed { ink.tint } else { label }),
        (rect.bottom(), label),
    ];
    picture.mesh(rect, STRETCH, &stops)
}

/// Tag and quick key on the left, state on the right.
fn draw_head(painter: &Painter, inner: Rect, tile: &Tile<'_>, ink: &Ink) {
    let flashed = tile.view.state == PlayState::Flashed && tile.picture.is_none();
    let tag = theme::TAGS[usize::from(tile.scene.tag) % theme::TAGS.len()];
    let line = inner.top() + 7.0;
    let mut left = inner.left();
    if let Some(number) = &tile.number {
        let colour = if flashed { theme::ON_AMBER } else { theme::GOLD };
        let galley = painter.layout_no_wrap(number.clone(), theme::strong(theme::SMALL), colour);
        let written = Align2::LEFT_CENTER.anchor_size(pos2(left, line), galley.size());
        if tile.picture.is_some() {
            // Whatever light is behind it, the key is read.
            painter.rect_filled(written.expand2(vec2(4.0, 0.0)), theme::RADIUS_SMALL, theme::GOLD_GROUND);
        }
        painter.galley(written.min, galley, colour);
        left = written.right() + theme::STEP;
    }
    if tile.scene.tag > 0 {
        let length = if inner.width() < 56.0 { 10.0 } else { 16.0 };
        let mark = Rect::from_center_size(pos2(left + length / 2.0, line), vec2(length, 4.0));
        painter.rect_filled(mark, theme::RADIUS_SMALL, if flashed { theme::ON_AMBER } else { tag });
    }
    let state = pos2(inner.right() - 7.0, line);
    if tile.picture.is_some() && tile.view.state != PlayState::Off {
        painter.circle_filled(state, 9.5, theme::STAGE.gamma_multiply(0.6));
    }
    draw_state(painter, state, tile.view, ink.mark);
}

/// Off is a small ring, waiting a ring of dots, a fade an arc, on a disc, flashed a bolt.
fn draw_state(painter: &Painter, centre: Pos2, view: &SceneView, colour: Color32) {
    let arc = |share: f32| -> Vec<Pos2> {
        let steps = 24.0 * share;
        (0..=steps.ceil() as usize)
            .map(|step| (step as f32 / 24.0).min(share) * TAU - TAU / 4.0)
            .map(|angle| centre + 6.0 * vec2(angle.cos(), angle.sin()))
            .collect()
    };
    match view.state {
        PlayState::Off => {
            painter.circle_stroke(centre, 3.0, Stroke::new(1.0, colour));
        }
        PlayState::Waiting => {
            for dot in 0..8 {
                let angle = dot as f32 / 8.0 * TAU;
                painter.circle_filled(centre + 6.0 * vec2(angle.cos(), angle.sin()), 1.1, colour);
            }
        }
        PlayState::FadingIn | PlayState::FadingOut => {
            painter.circle_stroke(centre, 6.0, Stroke::new(2.0, theme::RAIL));
            painter.line(arc(view.fade.get().max(0.02)), Stroke::new(2.5, colour));
        }
        PlayState::On => {
            painter.circle_filled(centre, 6.0, colour);
        }
        PlayState::Flashed => {
            let mut bolt = Mesh::default();
            for (x, y) in [(1.5, -7.0), (-4.5, 1.2), (0.0, 1.2), (-1.5, 7.0), (4.5, -1.2), (0.0, -1.2)] {
                bolt.colored_vertex(centre + vec2(x, y), colour);
            }
            for [a, b, c] in [[0, 1, 2], [0, 2, 5], [2, 3, 4], [2, 4, 5]] {
                bolt.add_triangle(a, b, c);
            }
            painter.add(bolt);
        }
    }
}

/// The name in up to two lines, above the fader where there is a picture; one that would be broken within a word is
/// shortened instead.
fn name(painter: &Painter, rect: Rect, rail: Rect, tile: &Tile<'_>, ink: &Ink) -> (Pos2, Arc<Galley>) {
    let roomy = rect.width() >= ROOMY;
    let short = rect.height() < SHORT;
    let top = rect.top()
        + if short {
            20.0
        } else if roomy {
            34.0
        } else {
            26.0
        };
    let (size, font) = if roomy { (theme::BODY, theme::strong(theme::BODY)) } else { (theme::SMALL, theme::small()) };
    let room = if rail.top() - top >= 2.8 * size { 2 } else { 1 };
    let width = |word: &str| painter.layout_no_wrap(word.to_owned(), font.clone(), ink.name).size().x;
    let whole = tile.scene.name.split_whitespace().all(|word| width(word) <= rail.width());
    let format = TextFormat { font_id: font.clone(), color: ink.name, ..TextFormat::default() };
    let mut job = LayoutJob::single_section(tile.scene.name.clone(), format);
    job.wrap.max_width = rail.width() + 1.0;
    job.wrap.max_rows = if whole { room } else { 1 };
    job.wrap.break_anywhere = !whole;
    let galley = painter.layout_job(job);
    let top = if tile.picture.is_some() { rail.top() - theme::HALF - galley.size().y } else { top };
    (pos2(rail.left(), top), galley)
}

/// The open part of the fader shows the colours of the scene's light.
fn draw_fader(ui: &Ui, rail: Rect, opacity: Level, tile: &Tile<'_>, (sounding, busy): (bool, bool)) {
    let painter = ui.painter();
    let flashed = tile.view.state == PlayState::Flashed;
    let ground = if flashed { theme::mixed(theme::AMBER, theme::ON_AMBER, 0.3) } else { theme::RAIL };
    painter.rect_filled(rail, theme::RADIUS_SMALL, ground);
    if flashed {
        widgets::draw_open(painter, rail, opacity, theme::ON_AMBER);
    } else {
        let share = if sounding { 1.0 } else { 0.45 };
        painter.add(gradient(rail, opacity, tile.palette, share));
    }
    let dimmer = tile.view.dimmer;
    if dimmer < Level::FULL {
        // What the dimmer takes away is dark, up to where the fader stands.
        let lit = Level::new(opacity.get() * dimmer.get());
        let x = |level: Level| rail.left() + rail.width() * level.get();
        let taken = Rect::from_x_y_ranges(x(lit)..=x(opacity), rail.y_range());
        painter.rect_filled(taken, theme::RADIUS_SMALL, theme::mixed(ground, theme::STAGE, 0.75));
        painter.vline(x(lit), rail.expand(3.0).y_range(), Stroke::new(1.5, theme::TEXT));
    }
    if busy {
        widgets::draw_cap(ui, rail, opacity, theme::TEXT);
        let percent = format!("{:.0} %", opacity.get() * 100.0);
        let place = pos2(rail.right(), rail.top() - theme::HALF);
        let galley = painter.layout_no_wrap(percent, theme::small(), theme::TEXT);
        let words = Align2::RIGHT_BOTTOM.anchor_size(place, galley.size());
        painter.rect_filled(words.expand(2.0), theme::RADIUS_SMALL, theme::BAR);
        painter.galley(words.min, galley, theme::TEXT);
    }
}

fn gradient(rail: Rect, opacity: Level, palette: &Palette, share: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let open = opacity.get();
    for (stop, stop_colour) in palette.gradient.iter().enumerate() {
        let place = open * stop as f32 / (GRADIENT_STOPS - 1) as f32;
        let x = rail.left() + rail.width() * place;
        let colour = theme::mixed(theme::SURFACE, colour(*stop_colour), share);
        mesh.colored_vertex(pos2(x, rail.top()), colour);
        mesh.colored_vertex(pos2(x, rail.bottom()), colour);
        if stop > 0 {
            let next = 2 * stop as u32;
            mesh.add_triangle(next - 2, next - 1, next);
            mesh.add_triangle(next - 1, next, next + 1);
        }
    }
    mesh
}

fn colour(colour: Colour) -> Color32 {
    let [r, g, b] = colour.0;
    Color32::from_rgb(r, g, b)
}
