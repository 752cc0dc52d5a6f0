//! Writes a file so that at every moment either the old or the new one is there, whole.
//!
//! Runs on the storage thread. Knows nothing of projects.

/// The folder beside a project that keeps what it replaced.
pub const GENERATIONS: &str = ".glowdeck-generations";
