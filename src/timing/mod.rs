//! Time: the beat clock and the pacing of frames. Time is an argument; no clock is read here.

pub mod clock;
pub mod pacing;
