//! Glowdeck: a live console for spatial LED installations.
//!
//! Where everything lives, in reading order:
//!
//! - [`units`], [`sync`], [`notice`]: quantities with their unit, what threads share, what the operator is told
//! - [`model`]: the document, plain values with stable ids; every change is an edit that knows its inverse
//! - [`timing`], [`show`]: the beat; the project as it is played, changed only by commands, seen through snapshots
//! - [`shading`]: an author's GLSL becomes programs, as pure text
//! - [`gl`]: a context without a window, and the unsafe code
//! - [`render`]: the thread that owns the show: score, plan, picture, bytes
//! - [`frame`], [`incoming`]: the finished bytes, where rendering and output meet; what other consoles send
//! - [`output`]: who is sent what and when; Art-Net, sACN, DDP; the sender threads; who is on the network
//! - [`input`]: light of other consoles, received and held until it is merged
//! - [`storage`]: project files, written so that nothing is lost
//! - [`app`]: the window, which reads snapshots and sends commands
//! - [`offline`], [`mod@bench`]: frames into files, and measurements
//! - [`console`], [`cli`]: wires the threads and ends them in order; the command line

pub mod app;
pub mod bench;
pub mod cli;
pub mod console;
pub mod frame;
pub mod gl;
pub mod incoming;
pub mod input;
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
