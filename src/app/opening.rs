//! How the window opens: with the system's frame or over the whole screen, and with a bench looking on or not.
//!
//! Runs on the main thread, which it keeps until the window is closed. Deliberately absent: what is in the window.

use super::files::Dialogs;
use super::probe::{Probe, Probing};
use super::settings::Settings;
use super::{Handles, Window};
use crate::sync::yield_to_frames;
use std::path::PathBuf;
use thiserror::Error;

/// How the window opens.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// Without a frame, over the whole screen.
    pub fullscreen: bool,
    /// For fingers, over the whole screen, and nothing that edits the project.
    pub kiosk: bool,
    /// What this machine remembers.
    pub settings: Settings,
    /// Where it is kept; nowhere without.
    pub settings_path: Option<PathBuf>,
}

/// Why there is no window.
#[derive(Debug, Error)]
#[error("no window could be opened ({reason}); start it from a desktop, or with --headless")]
pub struct NoWindow {
    /// What the desktop said.
    pub(super) reason: String,
}

/// Shows the window and returns when it was closed; the light goes on until the console ends it.
///
/// # Errors
/// When the desktop gives no window or no GL context.
pub fn run(handles: Handles, options: WindowOptions) -> Result<(), NoWindow> {
    run_watched(handles, options, None)
}

/// As [`run`], with a bench looking on.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    handles: Handles,
    options: WindowOptions,
    mut probe: Option<Box<dyn Probe>>,
) -> Result<(), NoWindow> {
    // The window's own drawing, and what its driver starts for it: the light comes first.
    yield_to_frames();
    let native = native_options(options.fullscreen, options.kiosk);
    let WindowOptions { settings, settings_path, kiosk, .. } = options;
    let create: eframe::AppCreator<'_> = Box::new(|cc| {
        probe.iter_mut().for_each(|probe| probe.opened());
        let mut window = Window::new(cc, handles, Dialogs::default()).as_kiosk(kiosk).restored(
            &cc.egui_ctx,
            settings,
            settings_path,
        );
        window.probing = probe.map(|probe| Probing::new(probe, &cc.egui_ctx));
        Ok(Box::new(window))
    });
    eframe::run_native("glowdeck", native, create).map_err(|error| NoWindow { reason: error.to_string() })
}

pub(super) fn native_options(fullscreen: bool, kiosk: bool) -> eframe::NativeOptions {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Glowdeck")
        .with_app_id("glowdeck")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([960.0, 600.0])
        .with_clamp_size_to_monitor_size(true)
        .with_decorations(!kiosk)
        .with_fullscreen(fullscreen || kiosk);
    // The stage brings its own noise against bands; nothing else on the screen has a gradient to speak of.
    eframe::NativeOptions { viewport, dithering: false, ..Default::default() }
}
