//! Samples: some lamps of a layer with everything that a program reads of them, for pictures of the real layout.
//!
//! Pure; made with the lamp map, off the frame loop. At most as many as a thumbnail has pixels, evenly chosen in the
//! order of the layout, so that a huge rig costs no more than a small one. Deliberately absent: GL, which draws them.

use super::lamp_map::{LampMap, Layer, grouped};
use crate::model::effect::Selection;
use crate::model::layout::Frame;
use crate::show::thumbnail::{HEIGHT, LampPlaces, WIDTH};
use std::collections::HashMap;
use std::sync::Arc;

/// As many as one picture has room for.
pub const MOST_SAMPLES: usize = WIDTH * HEIGHT;

/// Some lamps of a layer; all of their texels are those of the whole map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// `None` for the topology.
    pub selection: Option<Selection>,
    /// Which lamps of the map.
    pub lamps: Vec<usize>,
    /// See [`LampMap::layout_texels`].
    pub layout: Vec<[f32; 2]>,
    /// See [`LampMap::group_texels`].
    pub groups: Vec<[f32; 4]>,
    /// See [`LampMap::fixture_texels`].
    pub fixtures: Vec<[f32; 4]>,
    /// See [`LampMap::chain_texels`].
    pub chains: Vec<[f32; 4]>,
    /// See [`LampMap::frame_texels`].
    pub frame: [[f32; 4]; 2],
    /// Where they are drawn.
    pub places: Arc<LampPlaces>,
}

impl Samples {
    /// Of each layer of a map, as many as a picture has room for.
    pub fn all(map: &LampMap) -> Vec<Arc<Self>> {
        map.layers.iter().map(|layer| Arc::new(Self::of(map, layer, MOST_SAMPLES))).collect()
    }

    /// Lamps of a layer, at most so many.
    pub fn of(map: &LampMap, layer: &Layer, most: usize) -> Self {
        let ([x, y, z], [width, height, depth]) = (layer.frame.min, layer.frame.size());
        let frame = [[x, y, z, 0.0], [width, height, depth, map.fixtures.len() as f32]];
        let mut samples = Self { selection: layer.selection.clone(), frame, ..Self::default() };
        let Some(layout) = map.layout(layer.selection.as_ref()) else { return samples };
        let modes = layer.selection.as_ref().map_or(&[][..], |selection| &selection.modes);
        let of: usize = map.placed(layout).map(|(fixture, _)| fixture.pixels.len()).sum();
        let count = of.min(most);
        // The place among all lamps of the layer of the sample that is next.
        let place = |sample: usize| (sample as u128 * of as u128 / count.max(1) as u128) as usize;
        let mut kinds = HashMap::new();
        let mut positions = Vec::with_capacity(count);
        let mut before = 0;
        for (fixture, placement) in map.placed(layout) {
            let pixels = fixture.pixels.len();
            while samples.lamps.len() < count && place(samples.lamps.len()) < before + pixels {
                let pixel = place(samples.lamps.len()) - before;
                let (frame, groups) = kinds
                    .entry(fixture.definition.id)
                    .or_insert_with(|| (Frame::around(fixture.pixels.iter().copied()), grouped(fixture, modes)));
                let (group, total, stands) = match groups {
                    None => (pixel as u32, pixels, fixture.pixels[pixel]),
                    Some((groups, middles)) => {
                        let group = groups[pixel];
                        (group, middles.len(), middles[group as usize])
                    }
                };
                let [x, y, z] = layer.frame.unit_from_metres(placement.layout_from_fixture(stands));
                samples.lamps.push(fixture.first + pixel);
                samples.layout.push([x, y]);
                samples.groups.push([z, group as f32, total as f32, 0.0]);
                let [x, y, _] = frame.unit_from_metres(fixture.pixels[pixel]);
                samples.fixtures.push([x, y, pixel as f32, pixels as f32]);
                samples.chains.push(map.chain_texel(fixture, pixel));
                // The lamp is drawn where it is, also where its mode has it lit as if it were in the middle.
                let [x, y, _] = layer.frame.unit_from_metres(placement.layout_from_fixture(fixture.pixels[pixel]));
                positions.push([x, y]);
            }
            before += pixels;
        }
        samples.places = Arc::new(LampPlaces { positions, size: [width, height], of });
        samples
    }
}
