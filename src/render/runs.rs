//! Runs: plain RGB packed by the processor, for software drivers.
//!
//! There a texel that is fetched costs more than a byte that is written, so lamps are read back as they are and become
//! bytes through a table. Same bytes as the pack pass. Pure; found in a gather map. Bytes of any other kind keep the
//! pack pass.

use super::gather::{Gather, PACKED_ROW, PlainByte, ROW};
use half::f16;
use std::ops::Range;

/// Rows of lamps that are read back at a time: half a megabyte, which stays in the cache until it is packed.
pub const BAND_ROWS: usize = 48;

/// Bytes of a pixel.
const PIXEL: usize = 3;

/// Pixels that follow each other both as lamps and as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// First lamp, by texel row-major.
    lamp: usize,
    /// First byte of the frame.
    byte: usize,
    pixels: usize,
    /// Which of a lamp's components each byte of a pixel is.
    order: [usize; PIXEL],
}

/// The plain pixels of a gather map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// In the order of their lamps, none across two bands.
    runs: Vec<Run>,
    /// Bytes that nothing feeds.
    dark: Vec<Range<usize>>,
    /// Rows of the packed texture that hold anything else.
    rest: Vec<Range<usize>>,
}

impl Runs {
    /// Finds all plain pixels.
    pub fn find(gather: &Gather) -> Self {
        let mut found = Self::default();
        let row_bytes = PACKED_ROW * 4;
        let mut byte = 0;
        while byte < gather.entries.len() {
            if gather.entries[byte] == 0 {
                extend(&mut found.dark, byte);
                byte += 1;
            } else if let Some((lamp, order)) = pixel(&gather.entries[byte..]) {
                found.add(lamp, byte, order);
                byte += PIXEL;
            } else {
                extend(&mut found.rest, byte / row_bytes);
                byte += 1;
            }
        }
        found.runs.sort_by_key(|run| run.lamp);
        found
    }

    fn add(&mut self, lamp: usize, byte: usize, order: [usize; PIXEL]) {
        if let Some(run) = self.runs.last_mut() {
            let follows = run.lamp + run.pixels == lamp && run.byte + run.pixels * PIXEL == byte && run.order == order;
            if follows && !lamp.is_multiple_of(BAND_ROWS * ROW) {
                run.pixels += 1;
                return;
            }
        }
        self.runs.push(Run { lamp, byte, pixels: 1, order });
    }

    /// Rows of the packed texture that the pack pass must pack.
    pub fn rest(&self) -> &[Range<usize>] {
        &self.rest
    }

    /// Whether any pixel is plain.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Bands of lamps that hold plain pixels, by rows of the lamp texture, at most [`BAND_ROWS`] each.
    pub fn bands(&self) -> impl Iterator<Item = (Range<usize>, BandRuns<'_>)> {
        let band = |run: &Run| run.lamp / ROW / BAND_ROWS;
        self.runs.chunk_by(move |before, after| band(before) == band(after)).map(move |runs| {
            let first = band(&runs[0]) * BAND_ROWS;
            let last = runs.iter().map(|run| (run.lamp + run.pixels - 1) / ROW).max().unwrap_or(first);
            (first..last + 1, BandRuns { runs, first: first * ROW })
        })
    }

    /// Writes zeros where nothing feeds a byte.
    pub fn darken(&self, out: &mut [u8]) {
        for bytes in &self.dark {
            if let Some(bytes) = out.get_mut(bytes.clone()) {
                bytes.fill(0);
            }
        }
    }
}

/// The runs of one band.
pub struct BandRuns<'a> {
    runs: &'a [Run],
    /// First lamp of the band.
    first: usize,
}

impl BandRuns<'_> {
    /// Packs the band's lamps, given as four half floats each, into the frame's bytes.
    pub fn pack(&self, lamps: &[[u16; 4]], table: &ByteTable, out: &mut [u8]) {
        for Run { lamp, byte, pixels, order } in self.runs {
            let first = lamp - self.first;
            let lamps = lamps.get(first..first + pixels);
            // A frame that is read for fewer universes ends within a run.
            let end = (byte + pixels * PIXEL).min(out.len());
            let (Some(lamps), Some(bytes)) = (lamps, out.get_mut(*byte..end)) else { continue };
            let pixels = lamps.iter().zip(bytes.as_chunks_mut::<PIXEL>().0);
            match order {
                [0, 1, 2] => pixels.for_each(|([r, g, b, _], bytes)| *bytes = table.bytes([*r, *g, *b])),
                [x, y, z] => pixels.for_each(|(c, bytes)| *bytes = table.bytes([c[*x & 3], c[*y & 3], c[*z & 3]])),
            }
        }
    }
}

/// The byte of each half float.
pub struct ByteTable(Box<[u8; 1 << 16]>);

impl Default for ByteTable {
    fn default() -> Self {
        Self(Box::new(std::array::from_fn(|half| {
            // Rounded like a plain byte of the pack pass; what is no number is dark.
            (f16::from_bits(half as u16).to_f32().clamp(0.0, 1.0) * 255.0 + 0.5).floor() as u8
        })))
    }
}

impl ByteTable {
    fn bytes(&self, halves: [u16; PIXEL]) -> [u8; PIXEL] {
        halves.map(|half| self.0[usize::from(half)])
    }
}

/// The lamp and the order of the plain pixel whose bytes start here.
fn pixel(entries: &[u32]) -> Option<(usize, [usize; PIXEL])> {
    let bytes = entries.first_chunk::<PIXEL>()?.map(PlainByte::of);
    let [Some(a), Some(b), Some(c)] = bytes else { return None };
    let order = [a, b, c].map(|byte| byte.emitter);
    let whole = (0..PIXEL).all(|emitter| order.contains(&emitter));
    (whole && a.lamp == b.lamp && b.lamp == c.lamp).then_some((a.lamp, order))
}

/// Adds a number to ranges of ascending ones.
fn extend(ranges: &mut Vec<Range<usize>>, number: usize) {
    match ranges.last_mut() {
        Some(last) if last.contains(&number) => {}
        Some(last) if last.end == number => last.end += 1,
        _ => ranges.push(number..number + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_rounds_and_clamps() {
        let table = ByteTable::default();
        // 0, 1, 0.5, the least subnormal, 2, -1, infinity, not a number.
        let halves = [0x0000, 0x3c00, 0x3800, 0x0001, 0x4000, 0xbc00, 0x7c00, 0x7e00];
        let bytes = halves.map(|half| table.bytes([half; PIXEL])[0]);
        assert_eq!(bytes, [0, 255, 128, 0, 255, 0, 255, 0]);
    }
}
