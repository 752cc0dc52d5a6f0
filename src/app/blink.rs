//! Blinks and test patterns: how somebody finds in the room what stands on the screen.
//!
//! Functions of the ui thread for the panels of what has lamps. Deliberately absent: what a pattern looks like.

use super::action::Action;
use super::widgets::{PadLook, pad};
use super::{fields, theme};
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use crate::show::test_pattern::{PATTERNS, Pattern, Target, TestPattern};
use egui::accesskit::Role;
use egui::{CursorIcon, Rect, Sense, Stroke, Ui, WidgetInfo, vec2};

/// Room of a lamp that blinks what it stands beside, points.
pub(super) const BLINK: f32 = 40.0;

/// A lamp that blinks a target for as long as the pointer or a finger is on it.
pub(super) fn blink_ui(ui: &Ui, rect: Rect, target: Target, name: &str, hovered: &mut Option<Target>) {
    let response = ui.interact(rect, ui.scope_id().with(format!("blink {target:?}")), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Blink {name}")));
    let on = response.hovered() || response.is_pointer_button_down_on() || response.has_focus();
    if on {
        *hovered = Some(target);
    }
    let centre = rect.center();
    if on {
        ui.painter().circle_filled(centre, 7.0, theme::AMBER);
        ui.painter().circle_filled(centre, 11.0, theme::AMBER.gamma_multiply(0.25));
    } else {
        ui.painter().circle_stroke(centre, 6.0, Stroke::new(1.5, theme::TEXT_FAINT));
    }
    response.on_hover_text("Its lamps blink while the pointer is here");
}

/// Starts and ends the blink as the pointer comes and goes; a pattern that was chosen by hand is left alone.
pub(super) fn follow_blink(
    snapshot: &Snapshot,
    blinking: &mut Option<Target>,
    hovered: Option<Target>,
) -> Option<Action> {
    let blink = |target| TestPattern { target, pattern: Pattern::Identify };
    if hovered == *blinking {
        return None;
    }
    let ours = snapshot.test.is_none() || snapshot.test == blinking.map(blink);
    let was = std::mem::replace(blinking, hovered);
    match hovered {
        Some(target) if ours => Some(Command::from(LiveCommand::Test(Some(blink(target)))).into()),
        Some(_) => {
            *blinking = None;
            None
        }
        None => was.filter(|_| ours).map(|_| Command::from(LiveCommand::Test(None)).into()),
    }
}

/// The test patterns of a target as pads; the one that is on is lit, and a click on it ends it.
pub(super) fn patterns_ui(ui: &mut Ui, snapshot: &Snapshot, target: Target, wishes: &mut Vec<Action>) {
    fields::heading(ui, "Test pattern instead of the show");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::HALF, theme::HALF);
        for (pattern, name) in PATTERNS {
            let test = TestPattern { target, pattern };
            let on = snapshot.test == Some(test);
            let label = format!("Pattern {name}");
            let mut look = PadLook::quiet(&label, name);
            look.font = theme::small();
            if on {
                (look.fill, look.colour) = (theme::AMBER, theme::ON_AMBER);
            }
            let response = pad(ui, vec2(64.0, theme::TOUCH), &look);
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, &label));
            if response.clicked() {
                wishes.push(Command::from(LiveCommand::Test((!on).then_some(test))).into());
            }
        }
    });
}
