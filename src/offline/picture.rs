//! A picture of the stage, drawn on the CPU so that it is the same on every machine.

use crate::show::snapshot::StageMap;

/// Longer side of the picture, pixels.
const LONGER_SIDE: f32 = 960.0;
/// Empty border around the lamps, pixels.
const MARGIN: f32 = 24.0;
/// The ground that lamps shine on, sRGB.
const GROUND: [u8; 3] = [10, 11, 14];
/// How bright an unlit lamp is, so that the sculpture's shape is seen.
const UNLIT: f32 = 36.0;

struct Canvas {
    width: usize,
    height: usize,
    /// RGB, 0..=255.
    pixels: Vec<[f32; 3]>,
}

/// The lamps as soft dots over a dark ground. `colours` are RGBA, lamp-major.
pub fn stage_png(map: &StageMap, colours: &[u8]) -> Vec<u8> {
    let size = [map.max[0] - map.min[0], map.max[1] - map.min[1]].map(|side| side.max(1.0e-3));
    let scale = (LONGER_SIDE - 2.0 * MARGIN) / size[0].max(size[1]);
    let [width, height] = size.map(|side| (side * scale + 2.0 * MARGIN).ceil() as usize);
    let mut canvas = Canvas { width, height, pixels: vec![GROUND.map(f32::from); width * height] };
    let area = size[0].max(size[1] * 0.1) * size[1].max(size[0] * 0.1) * scale * scale;
    let radius = ((area / map.positions.len().max(1) as f32).sqrt() * 0.42).clamp(1.2, 9.0);
    for (position, colour) in map.positions.iter().zip(colours.chunks_exact(4)) {
        let x = (position[0] - map.min[0]) * scale + MARGIN;
        let y = height as f32 - ((position[1] - map.min[1]) * scale + MARGIN);
        canvas.dot(x, y, radius, [colour[0], colour[1], colour[2]]);
    }
    canvas.png()
}

impl Canvas {
    fn dot(&mut self, x: f32, y: f32, radius: f32, colour: [u8; 3]) {
        if !(x.is_finite() && y.is_finite()) {
            return;
        }
        let reach = radius * 1.5;
        let span = |centre: f32, side: usize| {
            let low = (centre - reach).floor().max(0.0) as usize;
            low..((centre + reach).ceil().max(0.0) as usize).min(side)
        };
        for row in span(y, self.height) {
            for column in span(x, self.width) {
                let far = ((column as f32 + 0.5 - x).powi(2) + (row as f32 + 0.5 - y).powi(2)).sqrt() / reach;
                let share = (1.0 - far * far).max(0.0);
                let pixel = &mut self.pixels[row * self.width + column];
                for (level, component) in pixel.iter_mut().zip(colour) {
                    // The brighter of two that overlap: a dense matrix is as bright as its lamps.
                    *level = level.max(share * (f32::from(component) * (1.0 - UNLIT / 255.0) + UNLIT));
                }
            }
        }
    }

    fn png(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self.pixels.iter().flatten().map(|level| level.clamp(0.0, 255.0) as u8).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Writing into memory fails only when the header is at odds with the data, which it is not.
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes));
        debug_assert!(written.is_ok(), "{written:?}");
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(map: &StageMap, colours: &[u8]) -> (u32, u32, Vec<u8>) {
        let file = stage_png(map, colours);
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info.width, info.height, pixels)
    }

    #[test]
    fn a_lamp_shines_where_it_is() {
        let map =
            StageMap { positions: vec![[0.0, 0.0], [4.0, 2.0]], min: [0.0; 2], max: [4.0, 2.0], ..StageMap::default() };
        let (width, height, pixels) = decoded(&map, &[255, 0, 0, 255, 0, 0, 255, 255]);
        assert_eq!((width, height), (960, 504));
        let pixel = |x: usize, y: usize| &pixels[(y * width as usize + x) * 3..][..3];
        assert!(pixel(24, 479)[0] > 200 && pixel(24, 479)[2] < 80, "low left is red");
        assert!(pixel(935, 24)[2] > 200 && pixel(935, 24)[0] < 80, "top right is blue");
    }

    #[test]
    fn odd_stages_still_make_a_picture() {
        let nowhere = StageMap { positions: vec![[f32::NAN; 2]], min: [0.0; 2], max: [0.0; 2], ..StageMap::default() };
        for map in [StageMap::default(), nowhere] {
            assert!(decoded(&map, &[0; 4]).0 > 0);
        }
    }
}
