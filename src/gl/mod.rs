//! GL: everything that draws. Knows no model; takes slices and numbers.

pub mod stage_painter;
mod stage_shaders;
