//! Glowdeck: a live console for spatial LED installations.
//!
//! Read the modules in this order. `model` is the document, `show` what is played from it, `timing` the beat.
//! `shading` turns effects into GLSL, `gl` runs it, `render` owns the show and the frame loop. `frame` is where
//! `render` and `output` meet; `output` puts frames on the wire. `storage` reads and writes files, `app` is the
//! window, `bench` measures, and `console` wires it all.

pub mod app;
pub mod bench;
pub mod cli;
pub mod console;
pub mod frame;
pub mod gl;
pub mod model;
pub mod notice;
pub mod offline;
pub mod output;
pub mod render;
pub mod shading;
pub mod show;
pub mod storage;
pub mod sync;
pub mod timing;
pub mod units;
