//! What this program is, what it runs on here, and where it keeps things.
//!
//! Runs on the ui thread; a docked panel like any other.

use super::fields::{heading, row};
use super::theme;
use crate::show::snapshot::Snapshot;
use egui::{Label, RichText, ScrollArea, Ui, UiBuilder};
use std::path::PathBuf;

/// What is known of this machine once the window is open.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The GL of the window, as its driver says; empty where it is not known.
    pub window_gl: String,
    /// Where the settings are kept; nowhere without.
    pub settings: Option<PathBuf>,
}

/// What the driver of the window calls itself.
pub fn gl_name(gl: Option<&glow::Context>) -> String {
    use glow::HasContext as _;
    gl.map_or_else(String::new, |gl| {
        let glow::Version { major, minor, is_embedded, vendor_info, .. } = gl.version();
        let kind = if *is_embedded { "OpenGL ES" } else { "OpenGL" };
        format!("{kind} {major}.{minor} {vendor_info}").trim().to_owned()
    })
}

/// What the program stands on.
const BUILT_ON: &str = "Rust; egui, egui_tiles and eframe for the window; glow and glutin for OpenGL; ron and serde for \
                        files; glsl-lang for shaders; quinn-udp, if-addrs and serial2 for what goes out. Set in Inter by \
                        The Inter Project Authors, under the SIL Open Font License.";

/// Shows the panel.
pub fn about_ui(ui: &mut Ui, snapshot: &Snapshot, place: &Place) {
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    ScrollArea::vertical().auto_shrink(false).show(&mut ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        let title = format!("Glowdeck {}", env!("CARGO_PKG_VERSION"));
        ui.label(RichText::new(title).font(theme::strong(theme::BODY)).color(theme::TEXT));
        ui.label("A live console for spatial LED installations.");
        heading(ui, "Licence");
        ui.label("MIT or Apache-2.0, as you choose.");
        heading(ui, "Stands on");
        ui.label(BUILT_ON);
        heading(ui, "On this machine");
        let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
        fact(ui, "Light", &or(&snapshot.render.renderer, "not told yet"));
        fact(ui, "Window", &or(&place.window_gl, "without OpenGL"));
        let settings = place.settings.as_ref().map(|path| path.display().to_string());
        fact(ui, "Settings", settings.as_deref().unwrap_or("not kept"));
        let project = snapshot.path.as_ref().map(|path| path.display().to_string());
        fact(ui, "Project", project.as_deref().unwrap_or("in no file yet"));
        fact(ui, "Log", "the standard error stream; more of it with --log-level debug");
    });
}

fn fact(ui: &mut Ui, what: &str, text: &str) {
    row(ui, what, |ui| {
        ui.add(Label::new(RichText::new(text).font(theme::small()).color(theme::TEXT)).selectable(true).wrap());
    });
}
