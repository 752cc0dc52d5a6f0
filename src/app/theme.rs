//! The look: colours, sizes and type of the window, and nothing else says what they are.
//!
//! Three surfaces are told apart by value, not by frames. Amber is what sounds, cyan is the beat, red is blackout
//! and faults, green is a node that answers; every other colour on the screen is light. Runs on the ui thread, once at the start.

use egui::style::{HandleShape, ScrollAnimation, ScrollStyle, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, Style,
    TextStyle, Theme, Vec2,
};
use std::sync::Arc;

/// The ground that everything lies on.
pub const GROUND: Color32 = Color32::from_rgb(9, 11, 15);
/// Behind the lamps: the darkest place of the screen.
pub const STAGE: Color32 = Color32::from_rgb(3, 4, 6);
/// Bars at the edges.
pub const BAR: Color32 = Color32::from_rgb(16, 19, 25);
/// What can be played.
pub const SURFACE: Color32 = Color32::from_rgb(26, 30, 38);
/// What can be played, under the pointer.
pub const RAISED: Color32 = Color32::from_rgb(37, 43, 54);
/// An empty cell: barely there.
pub const HOLLOW: Color32 = Color32::from_rgb(13, 16, 21);
/// Hairlines and the rails of faders.
pub const RAIL: Color32 = Color32::from_rgb(50, 57, 70);

/// What is read first.
pub const TEXT: Color32 = Color32::from_rgb(231, 235, 242);
/// What is read next.
pub const TEXT_QUIET: Color32 = Color32::from_rgb(174, 183, 198);
/// What is read when looked for.
pub const TEXT_FAINT: Color32 = Color32::from_rgb(136, 146, 163);

/// What sounds.
pub const AMBER: Color32 = Color32::from_rgb(255, 179, 71);
/// Text on amber.
pub const ON_AMBER: Color32 = Color32::from_rgb(28, 18, 4);
/// The quick line.
pub const GOLD: Color32 = Color32::from_rgb(201, 162, 92);
/// The ground of the quick line.
pub const GOLD_GROUND: Color32 = Color32::from_rgb(24, 21, 17);
/// The beat.
pub const CYAN: Color32 = Color32::from_rgb(86, 204, 242);
/// Blackout and faults.
pub const RED: Color32 = Color32::from_rgb(255, 88, 88);
/// What answers.
pub const GREEN: Color32 = Color32::from_rgb(124, 200, 112);
/// The ground of blackout while it is open.
pub const RED_GROUND: Color32 = Color32::from_rgb(58, 20, 24);

/// The colour tags of scenes, equally light so that none shouts; the first says nothing.
pub const TAGS: [Color32; 9] = [
    Color32::from_rgb(70, 78, 92),
    Color32::from_rgb(232, 104, 104),
    Color32::from_rgb(228, 142, 82),
    Color32::from_rgb(212, 182, 84),
    Color32::from_rgb(124, 190, 104),
    Color32::from_rgb(82, 188, 172),
    Color32::from_rgb(96, 156, 232),
    Color32::from_rgb(150, 124, 232),
    Color32::from_rgb(218, 116, 184),
];

/// Words of the language, in code.
pub const CODE_KEYWORD: Color32 = Color32::from_rgb(176, 154, 240);
/// Types, in code.
pub const CODE_TYPE: Color32 = Color32::from_rgb(104, 196, 182);
/// Numbers, in code.
pub const CODE_NUMBER: Color32 = Color32::from_rgb(216, 190, 120);
/// What Glowdeck gives an effect, in code.
pub const CODE_INPUT: Color32 = Color32::from_rgb(122, 174, 240);
/// Parameters, in code.
pub const CODE_PARAM: Color32 = Color32::from_rgb(150, 204, 132);
/// Comments, in code.
pub const CODE_COMMENT: Color32 = Color32::from_rgb(146, 156, 174);

/// Behind the line of a fault, in code; `stale` once the text was changed since.
pub fn code_fault(stale: bool) -> Color32 {
    RED.gamma_multiply(if stale { 0.06 } else { 0.14 })
}

/// The words of that fault.
pub fn code_fault_words(stale: bool) -> Color32 {
    mixed(STAGE, RED, if stale { 0.85 } else { 1.0 })
}

/// The ground of text that is selected, and of what is chosen in a list.
pub fn selection() -> Color32 {
    mixed(GROUND, CYAN, 0.2)
}

/// How much of itself something keeps that cannot be used now.
const DISABLED: f32 = 0.75;

/// Captions, in points.
pub const SMALL: f32 = 12.0;
/// Everything else, in points.
pub const BODY: f32 = 14.0;
/// The tempo, in points.
pub const DISPLAY: f32 = 30.0;

/// Half the step of the rhythm.
pub const HALF: f32 = 4.0;
/// The step of the rhythm that all distances follow.
pub const STEP: f32 = 8.0;
/// The least height of what a finger hits in the top bar.
pub const TOUCH: f32 = 44.0;
/// Corners of tiles and pads. A larger one is drawn from twice as many triangles.
pub const RADIUS: CornerRadius = CornerRadius::same(5);
/// Corners of small things.
pub const RADIUS_SMALL: CornerRadius = CornerRadius::same(3);

const MEDIUM: &[u8] = include_bytes!("fonts/GlowdeckSans-Medium.otf");
const SEMI_BOLD: &[u8] = include_bytes!("fonts/GlowdeckSans-SemiBold.otf");
const ICONS: &[u8] = include_bytes!("fonts/GlowdeckIcons.ttf");
const STRONG: &str = "strong";

/// Captions.
pub fn small() -> FontId {
    FontId::new(SMALL, FontFamily::Proportional)
}

/// Text.
pub fn body() -> FontId {
    FontId::new(BODY, FontFamily::Proportional)
}

/// Text that stands out by weight.
pub fn strong(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(STRONG.into()))
}

/// A colour, weakened by mixing it into `ground`.
pub fn mixed(ground: Color32, colour: Color32, share: f32) -> Color32 {
    ground.lerp_to_gamma(colour, share)
}

/// Puts the look on: fonts, colours, distances.
pub fn install(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.set_theme(Theme::Dark);
    ctx.all_styles_mut(set_style);
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    for (name, bytes) in [("medium", MEDIUM), ("semibold", SEMI_BOLD), ("icons", ICONS)] {
        fonts.font_data.insert(name.into(), Arc::new(FontData::from_static(bytes)));
    }
    let proportional = fonts.families.entry(FontFamily::Proportional).or_default();
    proportional.push("icons".into());
    let mut strong = proportional.clone();
    proportional.insert(0, "medium".into());
    strong.insert(0, "semibold".into());
    fonts.families.insert(FontFamily::Name(STRONG.into()), strong);
    fonts
}

fn set_style(style: &mut Style) {
    style.text_styles = [
        (TextStyle::Small, small()),
        (TextStyle::Body, body()),
        (TextStyle::Button, body()),
        (TextStyle::Monospace, body()),
        (TextStyle::Heading, strong(DISPLAY)),
    ]
    .into();
    style.animation_time = 0.0;
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.6;
    style.explanation_tooltips = false;
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::splat(STEP);
    spacing.button_padding = Vec2::new(STEP + HALF, STEP);
    spacing.menu_margin = Margin::same(STEP as i8);
    spacing.window_margin = Margin::same(3 * STEP as i8);
    spacing.interact_size = Vec2::new(TOUCH, 4.0 * STEP);
    // The bar has room of its own, so that it never lies on what is read.
    spacing.scroll = ScrollStyle { floating_allocated_width: STEP, ..ScrollStyle::thin() };
    set_visuals(&mut style.visuals);
}

fn set_visuals(visuals: &mut egui::Visuals) {
    visuals.dark_mode = true;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(TEXT_QUIET);
    visuals.panel_fill = GROUND;
    visuals.window_fill = BAR;
    visuals.window_stroke = Stroke::new(1.0, RAIL);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(8);
    let shadow = Shadow { offset: [0, 8], blur: 24, spread: 0, color: Color32::from_black_alpha(160) };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals.extreme_bg_color = STAGE;
    visuals.faint_bg_color = HOLLOW;
    visuals.hyperlink_color = CYAN;
    visuals.warn_fg_color = AMBER;
    visuals.error_fg_color = RED;
    visuals.selection.bg_fill = selection();
    visuals.disabled_alpha = DISABLED;
    visuals.selection.stroke = Stroke::new(1.0, TEXT);
    visuals.handle_shape = HandleShape::Rect { aspect_ratio: 0.5 };
    visuals.striped = false;
    let look = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: RADIUS,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = look(GROUND, mixed(BAR, RAIL, 0.6), TEXT_QUIET);
    visuals.widgets.inactive = look(Color32::TRANSPARENT, Color32::TRANSPARENT, TEXT_QUIET);
    visuals.widgets.hovered = look(RAISED, Color32::TRANSPARENT, TEXT);
    // Boxes to tick are seen while nobody touches them.
    visuals.widgets.inactive.bg_fill = RAIL;
    visuals.widgets.hovered.bg_fill = mixed(RAIL, Color32::WHITE, 0.12);
    visuals.widgets.active = look(RAIL, Color32::TRANSPARENT, TEXT);
    visuals.widgets.open = look(SURFACE, Color32::TRANSPARENT, TEXT);
}

/// Whether what is not light may move: text cursors blink, lists glide to what was found. Nothing fades in any case.
pub fn set_motion(ctx: &Context, moves: bool) {
    ctx.all_styles_mut(|style| {
        style.visuals.text_cursor.blink = moves;
        style.scroll_animation = if moves { ScrollAnimation::default() } else { ScrollAnimation::none() };
        style.animation_time = 0.0;
    });
}

/// The ring around what the keyboard has reached.
pub fn focus_stroke() -> Stroke {
    Stroke::new(1.5, CYAN)
}

/// How far two colours stand apart, 1..=21 (WCAG 2.2).
#[cfg(test)]
pub fn contrast(one: Color32, other: Color32) -> f32 {
    let luminance = |c: Color32| {
        let c = egui::Rgba::from(c);
        0.2126 * c.r() + 0.7152 * c.g() + 0.0722 * c.b() + 0.05
    };
    let (one, other) = (luminance(one), luminance(other));
    one.max(other) / one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read at all needs so much, whatever its size (WCAG 2.2, 1.4.3, AA).
    const LEAST: f32 = 4.5;

    fn check(ink: Color32, ground: Color32, what: &str) {
        let found = contrast(ink, ground);
        assert!(found >= LEAST, "{what}: {found:.2}");
    }

    /// A colour that lets some of its ground through, on it.
    fn over(ground: Color32, ink: Color32) -> Color32 {
        ground.blend(ink)
    }

    #[test]
    fn text_is_readable_on_every_ground_it_stands_on() {
        let grounds = [GROUND, STAGE, BAR, HOLLOW, SURFACE, RAISED, GOLD_GROUND];
        for ground in grounds {
            for ink in [TEXT, TEXT_QUIET, TEXT_FAINT, AMBER, CYAN, RED, GREEN, GOLD] {
                check(ink, ground, &format!("{ink:?} on {ground:?}"));
            }
        }
        // What is pressed, chosen, selected, or lit as a whole.
        for (ink, ground, what) in [
            (TEXT, RAIL, "pressed"),
            (TEXT_QUIET, RAIL, "a row that is pressed"),
            (TEXT, selection(), "chosen"),
            (TEXT_QUIET, selection(), "found"),
            (ON_AMBER, AMBER, "on amber"),
            (Color32::BLACK, RED, "on red"),
            (RED, RED_GROUND, "the bin"),
            (mixed(RED, Color32::WHITE, 0.35), RED_GROUND, "blackout while it is open"),
            (TEXT, mixed(RED_GROUND, RED, 0.35), "blackout between two blinks"),
        ] {
            check(ink, ground, what);
        }
    }

    #[test]
    fn what_cannot_be_used_now_is_still_read() {
        for ground in [GROUND, BAR, SURFACE] {
            for ink in [TEXT, TEXT_QUIET] {
                check(mixed(ground, ink, DISABLED), ground, "disabled");
            }
        }
    }

    #[test]
    fn code_is_read_also_where_it_is_selected_or_wrong() {
        let inks = [TEXT, CODE_KEYWORD, CODE_TYPE, CODE_NUMBER, CODE_INPUT, CODE_PARAM, CODE_COMMENT];
        for ink in inks {
            check(ink, STAGE, "code");
            check(ink, selection(), "selected code");
            check(ink, over(STAGE, code_fault(false)), "the line of a fault");
        }
        for stale in [false, true] {
            check(code_fault_words(stale), over(STAGE, code_fault(stale)), "what is wrong");
        }
        check(TEXT_FAINT, STAGE, "numbers of lines");
    }

    #[test]
    fn what_is_read_first_stands_out_from_what_is_read_later() {
        for (first, then) in [(TEXT, TEXT_QUIET), (TEXT_QUIET, TEXT_FAINT)] {
            assert!(contrast(first, then) > 1.4, "{first:?} beside {then:?}");
        }
    }

    #[test]
    fn without_motion_no_cursor_blinks_and_no_list_glides() {
        let ctx = Context::default();
        install(&ctx);
        set_motion(&ctx, false);
        let style = ctx.style_of(Theme::Dark);
        assert!(!style.visuals.text_cursor.blink);
        assert_eq!((style.scroll_animation, style.animation_time), (ScrollAnimation::none(), 0.0));
        set_motion(&ctx, true);
        assert!(ctx.style_of(Theme::Dark).visuals.text_cursor.blink);
    }

    #[test]
    fn figures_are_all_of_one_width_so_that_numbers_stand_still() {
        let ctx = Context::default();
        install(&ctx);
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for font in [small(), body(), strong(DISPLAY)] {
                let width = |text: &str| ui.painter().layout_no_wrap(text.into(), font.clone(), TEXT).size().x;
                for digit in ["1111", "2222", "4444", "7777", "8989"] {
                    assert!((width(digit) - width("0000")).abs() < 0.01, "{digit} in {font:?}");
                }
            }
        });
        // Nobody paints these.
        output.textures_delta.clear();
    }
}
