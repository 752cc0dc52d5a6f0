//! The control of the bench of starting: a bare window of the same size with the same renderer, and a line of text.
//!
//! Runs on the main thread of a process of its own. Deliberately absent: everything else.

use super::opening::{NoWindow, native_options};
use super::probe::{Probe, Probing};
use super::settings::Settings;
use egui::{Context, RawInput, Ui};

struct Control {
    probing: Probing,
    settings: Settings,
}

impl eframe::App for Control {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        ui.label("Control");
        self.probing.painted(true, None);
    }

    fn raw_input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        self.probing.pass(ctx, input, &mut self.settings);
    }
}

/// Shows a bare window until it is closed.
///
/// # Errors
/// When the desktop gives no window or no GL context.
pub fn run(mut probe: Box<dyn Probe>) -> Result<(), NoWindow> {
    let create: eframe::AppCreator<'_> = Box::new(|cc| {
        probe.opened();
        Ok(Box::new(Control { probing: Probing::new(probe, &cc.egui_ctx), settings: Settings::default() }))
    });
    eframe::run_native("glowdeck", native_options(false, false), create)
        .map_err(|error| NoWindow { reason: error.to_string() })
}
