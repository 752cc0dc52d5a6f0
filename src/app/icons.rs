//! The icons of the window, from one set: Phosphor, bold.
//!
//! Each is a string that stands in a line of text as a letter does. `tools/icons` cuts the font of these glyphs out of
//! the whole one and reads their code points here. Deliberately absent: what an icon is for, which the panels know; and
//! an icon that stands alone without a name that is read aloud.

/// Add.
pub const ADD: &str = "\u{e3d4}";
/// Take away, close.
pub const CLOSE: &str = "\u{e4f6}";
/// Delete.
pub const DELETE: &str = "\u{e4a6}";
/// More above.
pub const UP: &str = "\u{e13c}";
/// More below, or a list that opens.
pub const DOWN: &str = "\u{e136}";
/// Before.
pub const LEFT: &str = "\u{e138}";
/// After, or a part that is folded.
pub const RIGHT: &str = "\u{e13a}";
/// What else can be done with it.
pub const MORE: &str = "\u{e208}";
/// Take it and move it.
pub const GRIP: &str = "\u{eae2}";
/// Search.
pub const SEARCH: &str = "\u{e30c}";
/// Done, or well.
pub const CHECK: &str = "\u{e182}";
/// To know.
pub const INFO: &str = "\u{e2ce}";
/// Something needs a look.
pub const WARNING: &str = "\u{e4e0}";
/// Something failed.
pub const FAULT: &str = "\u{e4e4}";
/// It sounds, it is seen.
pub const SEEN: &str = "\u{e220}";
/// It is muted, it is not seen.
pub const UNSEEN: &str = "\u{e224}";
/// Rub out a figure.
pub const RUB_OUT: &str = "\u{e0ae}";

/// The grid.
pub const GRID: &str = "\u{e464}";
/// The inspector.
pub const INSPECTOR: &str = "\u{e432}";
/// The stage.
pub const STAGE: &str = "\u{eb58}";
/// Palettes.
pub const PALETTES: &str = "\u{e6c8}";
/// Curves.
pub const CURVES: &str = "\u{eb00}";
/// Shaders.
pub const SHADER: &str = "\u{e1bc}";
/// The patch.
pub const PATCH: &str = "\u{e67c}";
/// Fixture definitions.
pub const FIXTURES: &str = "\u{e2dc}";
/// Devices and routes.
pub const DEVICES: &str = "\u{eb56}";
/// Nodes on the network.
pub const NODES: &str = "\u{edde}";
/// What comes in.
pub const INPUTS: &str = "\u{e2d8}";
/// Notices.
pub const NOTICES: &str = "\u{e0ce}";
/// Settings.
pub const SETTINGS: &str = "\u{e272}";
/// Help.
pub const HELP: &str = "\u{e3e8}";

#[cfg(test)]
mod tests {
    use egui::{Context, FontFamily, FontId, RawInput};

    /// The icons of this file, as it is written.
    fn all() -> Vec<char> {
        let points = include_str!("icons.rs").split("\"\\u{").skip(1);
        let point = |rest: &str| u32::from_str_radix(rest.split('}').next().unwrap(), 16).unwrap();
        points.filter(|rest| rest.contains("\";")).map(|rest| char::from_u32(point(rest)).unwrap()).collect()
    }

    #[test]
    fn every_icon_is_in_the_font_and_none_stands_for_two_things() {
        let mut icons = all();
        assert!(icons.len() > 20);
        let ctx = Context::default();
        crate::app::theme::install(&ctx);
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            for family in [FontFamily::Proportional, FontFamily::Name("strong".into())] {
                let font = FontId::new(14.0, family);
                ui.fonts_mut(|fonts| {
                    for icon in &icons {
                        assert!(fonts.has_glyph(&font, *icon), "U+{:x}: run tools/icons", u32::from(*icon));
                    }
                });
            }
        });
        // Nobody paints these.
        output.textures_delta.clear();
        let count = icons.len();
        icons.sort_unstable();
        icons.dedup();
        assert_eq!(icons.len(), count);
    }
}
