//! Whether there is a display to open a window on, asked before anything is started.
//!
//! Deliberately absent: opening it, and whether it works, which the window tells.

use std::env;
use thiserror::Error;

/// There is nowhere to open a window.
#[derive(Debug, Error)]
#[error(
    "there is no display (DISPLAY and WAYLAND_DISPLAY are not set), nothing was measured; run: xvfb-run -s \
     \"-screen 0 1920x1080x24\" glowdeck bench {bench}"
)]
pub struct NoDisplay {
    bench: &'static str,
}

/// Whether there is one, for this bench.
///
/// # Errors
/// When the environment names none.
pub fn need_display(bench: &'static str) -> Result<(), NoDisplay> {
    let named = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let any = !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY");
    if any { Ok(()) } else { Err(NoDisplay { bench }) }
}
