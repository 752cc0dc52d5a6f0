//! The pack pass: the lamps of a frame become its bytes and leave the GPU.
//!
//! On the render thread. A GPU packs every byte and is read back; where the processor draws, it packs plain RGB itself.

use super::canvas::our_program;
use super::gather::{Gather, PACKED_ROW, ROW, pack_fragment};

use super::runs::{BAND_ROWS, ByteTable, Runs};
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, Program};
use crate::gl::texture::{Format, Size, Target, Texture};
use crate::model::drive::MAX_DRIVES;
use std::ops::Range;

/// From lamps to bytes.
pub struct PackPass {
    /// Bytes that the GPU packs, and which rows of them.
    gathered: Option<(Gathered, Vec<Range<usize>>)>,
    plain: Option<Plain>,
    rows: usize,
}

struct Gathered {
    gather: Texture,
    drives: Texture,
    dither: bool,
    program: Program,
    target: Target,
}

struct Plain {
    runs: Runs,
    table: ByteTable,
    /// A band of lamps.
    lamps: Vec<[u16; 4]>,
}

impl PackPass {
    /// A pass for this map, which packs lamps of a target like `lamps`. `runs` are the map's.
    ///
    /// # Errors
    /// When the driver refuses a texture or the program.
    pub fn new(gpu: &Gpu, gather: &Gather, runs: &Runs, lamps: &Target) -> Result<Self, GlError> {
        let by_hand = gpu.software() && !runs.is_empty() && gpu.reads_halves(lamps);
        let plain = by_hand.then(|| Plain {
            runs: runs.clone(),
            table: ByteTable::default(),
            lamps: vec![[0; 4]; BAND_ROWS * ROW],
        });
        let all = || std::iter::once(0..gather.rows()).collect();
        let rest: Vec<Range<usize>> = if by_hand { runs.rest().to_vec() } else { all() };
        let gathered = (!rest.is_empty()).then(|| Ok((Gathered::new(gpu, gather)?, rest))).transpose()?;
        Ok(Self { gathered, plain, rows: gather.rows() })
    }

    /// Rows of the packed texture.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Packs the lamps of a target into `out`, as many bytes as it holds, in whole rows at most. Dither differs
    /// between frames of different numbers. `packed` is called when the GPU has nothing more to pack.
    pub fn run(&mut self, gpu: &Gpu, lamps: &Target, frame: u32, out: &mut [u8], packed: impl FnOnce(&Gpu)) {
        if let Some((gathered, rows)) = &self.gathered {
            gathered.draw(gpu, lamps, rows, frame);
        }
        packed(gpu);
        if let Some((Gathered { target, .. }, rows)) = &self.gathered {
            for rows in rows {
                let bytes = rows.start * PACKED_ROW * 4..out.len().min(rows.end * PACKED_ROW * 4);
                gpu.read_rows(target, rows.start, out.get_mut(bytes).unwrap_or_default());
            }
        }
        if let Some(plain) = &mut self.plain {
            plain.pack(gpu, lamps, out);
        }
    }
}

impl Gathered {
    fn new(gpu: &Gpu, gather: &Gather) -> Result<Self, GlError> {
        let texels = bytemuck::cast_slice(&gather.entries);
        let drives = gather.drive_texels();
        let drives = Some(bytemuck::cast_slice(&drives));
        Ok(Self {
            drives: Texture::new(gpu, Format::Rgba32F, Size::flat(3, MAX_DRIVES), drives)?,
            dither: gather.features.dither,
            gather: Texture::new(gpu, Format::Rgba32Ui, Size::flat(PACKED_ROW, gather.rows()), Some(texels))?,
            program: pack_program(gpu, &pack_fragment(gather.features))?,
            target: Target::new(gpu, Format::Rgba8, PACKED_ROW, gather.rows())?,
        })
    }

    fn draw(&self, gpu: &Gpu, lamps: &Target, rows: &[Range<usize>], frame: u32) {
        gpu.resume(&self.target);
        self.gather.bind(0);
        lamps.texture.bind(1);
        self.drives.bind(2);
        if self.dither {
            self.program.set_int("glow_frame", frame as i32);
        }
        for rows in rows {
            gpu.draw(&self.program, Mix::Replace, PACKED_ROW, rows.clone());
        }
    }
}

impl Plain {
    fn pack(&mut self, gpu: &Gpu, lamps: &Target, out: &mut [u8]) {
        let Self { runs, table, lamps: band } = self;
        runs.darken(out);
        for (rows, runs) in runs.bands() {
            gpu.read_halves(lamps, rows, band);
            runs.pack(band, table, out);
        }
    }
}

fn pack_program(gpu: &Gpu, features: &str) -> Result<Program, GlError> {
    let program = our_program(gpu, features)?;
    program.set_sampler("glow_gather", 0);
    program.set_sampler("glow_lamps", 1);
    program.set_sampler("glow_drives", 2);
    Ok(program)
}
