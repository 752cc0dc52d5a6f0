//! Output: from finished frames to packets on the wire.

pub mod stats;
