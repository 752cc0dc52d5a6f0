//! Pictures: thumbnails on the screen, all in one texture of which only what changed is uploaded.
//!
//! Runs on the ui thread. It notes which thumbnails were shown, so that only those are drawn. Deliberately absent:
//! what they look like, which the snapshot holds.

use super::theme;
use crate::show::thumbnail::{HEIGHT, LampPlaces, Thumbnail, ThumbnailKey, WIDTH};
use egui::epaint::Vertex;
use egui::{
    Color32, ColorImage, Context, Mesh, Painter, Pos2, Rect, TextureHandle, TextureId, TextureOptions, pos2, vec2,
};
use std::collections::{BTreeSet, HashMap};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Thumbnails in a row of the texture, and most rows of them; together what every driver takes.
const COLUMNS: usize = 21;
const MOST_ROWS: usize = 37;

/// A thumbnail in the texture.
struct Held {
    slot: usize,
    pixels: Arc<[u8]>,
}

/// A thumbnail to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// Where all of them are.
    pub texture: TextureId,
    /// Where this one is.
    pub uv: Rect,
}

/// All thumbnails that are, and were lately, on the screen.
#[derive(Default)]
pub struct Pictures {
    texture: Option<TextureHandle>,
    rows: usize,
    held: HashMap<ThumbnailKey, Held>,
    free: Vec<usize>,
    newest: Option<Arc<Vec<Thumbnail>>>,
    shown: BTreeSet<ThumbnailKey>,
}

impl Pictures {
    /// Takes over what has changed.
    pub fn refresh(&mut self, ctx: &Context, thumbnails: &Arc<Vec<Thumbnail>>) {
        if self.newest.as_ref().is_some_and(|newest| Arc::ptr_eq(newest, thumbnails)) {
            return;
        }
        self.newest = Some(Arc::clone(thumbnails));
        self.make_room(ctx, thumbnails);
        for Thumbnail { key, pixels, .. } in thumbnails.iter().filter(|thumbnail| thumbnail.lamps.is_none()) {
            let slot = match self.held.get(key) {
                Some(held) if Arc::ptr_eq(&held.pixels, pixels) => continue,
                Some(held) => held.slot,
                None => match self.free.pop() {
                    Some(slot) => slot,
                    None => return,
                },
            };
            if let Some(texture) = &mut self.texture {
                texture.set_partial(corner(slot), image([WIDTH, HEIGHT], pixels), OPTIONS);
            }
            self.held.insert(key.clone(), Held { slot, pixels: Arc::clone(pixels) });
        }
    }

    /// A thumbnail is shown: its picture, if there is one yet.
    pub fn show(&mut self, key: ThumbnailKey) -> Option<Picture> {
        let picture = self.held.get(&key).zip(self.texture.as_ref()).map(|(held, texture)| {
            let size = vec2((COLUMNS * WIDTH) as f32, (self.rows * HEIGHT) as f32);
            let [x, y] = corner(held.slot).map(|side| side as f32);
            // Half a pixel at each edge would be mixed with the neighbour's.
            let rect = Rect::from_min_size(pos2(x, y), vec2(WIDTH as f32, HEIGHT as f32)).shrink(0.5);
            let unit = |point: Pos2| (point.to_vec2() / size).to_pos2();
            Picture { texture: texture.id(), uv: Rect::from_min_max(unit(rect.min), unit(rect.max)) }
        });
        self.shown.insert(key);
        picture
    }

    /// A picture of lamps is shown: their colours and places, once they are there.
    pub fn show_lamps(&mut self, key: ThumbnailKey) -> Option<(Arc<[u8]>, Arc<LampPlaces>)> {
        let newest = self.newest.as_ref().and_then(|newest| newest.iter().find(|thumbnail| thumbnail.key == key));
        let lamps = newest.and_then(|found| Some((Arc::clone(&found.pixels), Arc::clone(found.lamps.as_ref()?))));
        self.shown.insert(key);
        lamps
    }

    /// Which thumbnails were shown since the last call, in order.
    pub fn take_shown(&mut self) -> Vec<ThumbnailKey> {
        std::mem::take(&mut self.shown).into_iter().collect()
    }

    /// Finds a slot for everything new: a free one, one that nobody shows any more, or one in a larger texture.
    fn make_room(&mut self, ctx: &Context, thumbnails: &[Thumbnail]) {
        let is_new = |thumbnail: &&Thumbnail| thumbnail.lamps.is_none() && !self.held.contains_key(&thumbnail.key);
        let new = thumbnails.iter().filter(is_new).count();
        if new > self.free.len() {
            let current: BTreeSet<&ThumbnailKey> = thumbnails.iter().map(|thumbnail| &thumbnail.key).collect();
            let free = &mut self.free;
            self.held.retain(|key, held| {
                let stays = current.contains(key);
                if !stays {
                    free.push(held.slot);
                }
                stays
            });
        }
        let missing = new.saturating_sub(self.free.len());
        let rows = (self.rows + missing.div_ceil(COLUMNS)).min(MOST_ROWS);
        if rows > self.rows {
            self.free.extend(self.rows * COLUMNS..rows * COLUMNS);
            self.rows = rows;
            // The new texture is empty: everything is uploaded again.
            let slots = self.held.drain().map(|(_, held)| held.slot);
            self.free.extend(slots);
            let empty = ColorImage::filled([COLUMNS * WIDTH, rows * HEIGHT], Color32::BLACK);
            self.texture = Some(ctx.load_texture("thumbnails", empty, OPTIONS));
        }
    }
}

impl Picture {
    /// Adds its light to a rectangle with round corners, as much of it as `stops` say: height and share, 0..=1, from
    /// the top to the bottom. It is pulled out of shape by `stretch` at most; what does not fit then is cut off on both
    /// sides.
    pub fn paint(&self, painter: &Painter, rect: Rect, stretch: f32, stops: &[(f32, f32)]) {
        painter.add(self.mesh(rect, stretch, stops));
    }

    /// What [`Self::paint`] paints.
    pub fn mesh(&self, rect: Rect, stretch: f32, stops: &[(f32, f32)]) -> Mesh {
        let ratio = rect.aspect_ratio() / (WIDTH as f32 / HEIGHT as f32);
        let part = vec2((ratio * stretch).min(1.0), (stretch / ratio).min(1.0));
        let uv = Rect::from_center_size(self.uv.center(), self.uv.size() * part);
        let radius = f32::from(theme::RADIUS.nw);
        let arc = (0..=ARC).map(|step| radius * (1.0 - (step as f32 / ARC as f32 * TAU / 4.0).cos()));
        let arcs = arc.flat_map(|depth| [rect.top() + depth, rect.bottom() - depth]);
        let mut heights: Vec<f32> = arcs.chain(stops.iter().map(|(y, _)| *y)).collect();
        heights.retain(|y| rect.y_range().contains(*y));
        heights.sort_by(f32::total_cmp);
        let mut mesh = Mesh::with_texture(self.texture);
        for (row, y) in (0..).zip(heights) {
            let into = radius - (y - rect.top()).min(rect.bottom() - y).min(radius);
            let inset = radius - (radius * radius - into * into).sqrt();
            // Without alpha, colours are added.
            let color = Color32::from_gray((share(stops, y) * 255.0) as u8).additive();
            for x in [rect.left() + inset, rect.right() - inset] {
                let pos = pos2(x, y);
                let uv = uv.lerp_inside((pos - rect.min) / rect.size());
                mesh.vertices.push(Vertex { pos, uv, color });
            }
            if row > 0 {
                mesh.add_triangle(2 * row - 2, 2 * row - 1, 2 * row);
                mesh.add_triangle(2 * row - 1, 2 * row, 2 * row + 1);
            }
        }
        mesh
    }
}

/// Pieces of a round corner.
const ARC: usize = 4;

/// What the stops say at a height.
fn share(stops: &[(f32, f32)], y: f32) -> f32 {
    let next = stops.partition_point(|(at, _)| *at < y);
    let ((from, before), (to, after)) = match (next.checked_sub(1).and_then(|last| stops.get(last)), stops.get(next)) {
        (Some(before), Some(after)) => (*before, *after),
        (Some(only), None) | (None, Some(only)) => return only.1,
        (None, None) => return 1.0,
    };
    before + (after - before) * ((y - from) / (to - from).max(1e-3))
}

const OPTIONS: TextureOptions = TextureOptions::LINEAR;

fn corner(slot: usize) -> [usize; 2] {
    [slot % COLUMNS * WIDTH, slot / COLUMNS * HEIGHT]
}

fn image(size: [usize; 2], pixels: &[u8]) -> ColorImage {
    ColorImage::from_rgba_premultiplied(size, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::SceneId;

    fn thumbnail(id: u32, grey: u8) -> Thumbnail {
        Thumbnail { key: ThumbnailKey::Scene(SceneId(id)), pixels: vec![grey; WIDTH * HEIGHT * 4].into(), lamps: None }
    }

    /// Sizes of what was uploaded since the last time.
    fn uploads(ctx: &Context) -> Vec<[usize; 2]> {
        let mut delta = ctx.tex_manager().write().take_delta();
        let thumbnails = std::mem::take(&mut delta.set).into_iter().filter(|(id, _)| *id != TextureId::default());
        let sizes = thumbnails.flat_map(|(_, images)| images).map(|image| image.image.size()).collect();
        // Nobody paints these.
        delta.clear();
        sizes
    }

    #[test]
    fn only_what_changed_is_uploaded() {
        let ctx = Context::default();
        let mut pictures = Pictures::default();
        let mut thumbnails: Vec<_> = (0..3).map(|id| thumbnail(id, 9)).collect();
        pictures.refresh(&ctx, &Arc::new(thumbnails.clone()));
        assert_eq!(uploads(&ctx), [[COLUMNS * WIDTH, HEIGHT], [96, 54], [96, 54], [96, 54]]);
        thumbnails[1] = thumbnail(1, 200);
        let changed = Arc::new(thumbnails);
        pictures.refresh(&ctx, &changed);
        assert_eq!(uploads(&ctx), [[96, 54]]);
        pictures.refresh(&ctx, &changed);
        assert_eq!(uploads(&ctx), [[0; 2]; 0]);
    }

    #[test]
    fn each_has_its_own_place_and_what_went_off_the_screen_stays_while_there_is_room() {
        let ctx = Context::default();
        let mut pictures = Pictures::default();
        let of = |ids: std::ops::Range<u32>| Arc::new(ids.map(|id| thumbnail(id, 9)).collect::<Vec<_>>());
        let show = |pictures: &mut Pictures, id| pictures.show(ThumbnailKey::Scene(SceneId(id)));
        pictures.refresh(&ctx, &of(0..10));
        pictures.refresh(&ctx, &of(10..20));
        let places: Vec<Rect> = (0..20).map(|id| show(&mut pictures, id).unwrap().uv).collect();
        for (index, place) in places.iter().enumerate() {
            assert!(places[..index].iter().all(|other| !other.intersects(*place)));
        }
        pictures.refresh(&ctx, &of(20..30));
        assert!(show(&mut pictures, 3).is_none() && show(&mut pictures, 25).is_some());
        pictures.refresh(&ctx, &of(0..50));
        assert!((0..50).all(|id| show(&mut pictures, id).is_some()), "in a larger texture");
        assert_eq!(pictures.take_shown().len(), 50);
        assert!(pictures.take_shown().is_empty());
    }
}
