//! Rendering: from a project and a moment to the DMX bytes of every universe.
//!
//! `frame_loop` owns the show on the render thread, which `thread` starts and restarts; `renderer` makes one frame and
//! also serves `glowdeck render`. A project becomes a `lamp_map` (where lamps are, which byte each feeds) and a `score`
//! (what can sound); with the live state `compose` makes a plan of each frame, `picture` draws it on the `canvas`, and
//! `pack` makes bytes of it, into which `merge` puts the light of other
//! consoles, over which `overlay` lays test patterns and `power` its caps. `economy` keeps the show's
//! rate: `meter` knows what scenes cost, `throttle` in how many steps they are drawn, `held` keeps what is drawn.
//! `compiler`, `programs`, `shaders` and `bridge` get programs without a hitch; `thumbnails` shows what is watched
//! alone. Nothing here sends anything.

mod bridge;
pub mod by_stage;
pub mod canvas;
mod compiler;
pub mod compose;
pub mod economy;
mod endless;
mod frame_loop;
pub mod gather;
mod held;
mod kept;
pub mod lamp_map;
pub mod lamp_samples;
pub mod merge;
mod meter;
mod overlay;
pub mod pack;
mod patcher;
pub mod picture;
pub mod power;
mod programs;
mod queue;
pub mod renderer;
pub mod runs;
pub mod score;
mod shaders;
mod stage_view;
mod stats;
pub mod thread;
mod throttle;
pub mod thumbnails;
