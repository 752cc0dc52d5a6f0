//! Notices on the screen: a short stack above the status bar. Most go by themselves, errors stay until they are clicked.
//!
//! [`Toasts`] is plain state with time as an argument; [`notices_ui`] draws it on the ui thread.

use super::action::Action;
use super::{icons, theme};
use crate::notice::{Notice, Severity};
use egui::accesskit::Role;
use egui::{Align, Align2, Area, Color32, Id, Layout, Order, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use std::collections::VecDeque;
use std::time::Duration;

/// How long a notice that is no error stays, seconds.
const STAY_SECS: f64 = 6.0;
/// Notices on the screen at once; the oldest makes room, errors last.
const MOST: usize = 5;

/// A notice and when it came, in seconds of the window.
#[derive(Clone, Debug)]
struct Toast {
    notice: Notice,
    since: f64,
}

/// Notices that the log remembers.
const LOGGED: usize = 500;

/// A notice of the log.
#[derive(Clone, Debug)]
pub struct Logged {
    /// What was told.
    pub notice: Notice,
    /// When last, in seconds of the window.
    pub since: f64,
    /// How often in a row.
    pub times: u32,
}

/// The notices that are shown, oldest first, and the log of all.
#[derive(Debug, Default)]
pub struct Toasts {
    shown: VecDeque<Toast>,
    log: VecDeque<Logged>,
}

impl Toasts {
    /// Shows a notice; an earlier one of the same key makes place for it.
    pub fn show(&mut self, notice: Notice, now: f64) {
        self.remember(&notice, now);
        self.shown.retain(|toast| toast.notice.repeat_key != notice.repeat_key);
        self.shown.push_back(Toast { notice, since: now });
        if self.shown.len() > MOST {
            let oldest = self.shown.iter().position(|toast| toast.notice.severity < Severity::Error);
            self.shown.remove(oldest.unwrap_or(0));
        }
    }

    /// A notice that says the same as the one before it is counted instead of written again.
    fn remember(&mut self, notice: &Notice, since: f64) {
        if let Some(last) = self.log.back_mut().filter(|last| last.notice == *notice) {
            (last.times, last.since) = (last.times.saturating_add(1), since);
            return;
        }
        if self.log.len() == LOGGED {
            self.log.pop_front();
        }
        self.log.push_back(Logged { notice: notice.clone(), since, times: 1 });
    }

    /// Everything that was told, oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Logged> + ExactSizeIterator {
        self.log.iter()
    }

    /// Clears the notice of this key.
    pub fn dismiss(&mut self, repeat_key: &str) {
        self.shown.retain(|toast| toast.notice.repeat_key != repeat_key);
    }

    /// Clears what was shown long enough; returns how long until the next one is.
    pub fn expire(&mut self, now: f64) -> Option<Duration> {
        let left = |toast: &Toast| toast.since + STAY_SECS - now;
        self.shown.retain(|toast| toast.notice.severity == Severity::Error || left(toast) > 0.0);
        let going = self.shown.iter().filter(|toast| toast.notice.severity < Severity::Error);
        going.map(left).min_by(f64::total_cmp).and_then(|secs| Duration::try_from_secs_f64(secs).ok())
    }

    /// What is shown, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.shown.iter().map(|toast| &toast.notice)
    }
}

/// Shows everything that was told, the newest first.
pub fn log_ui(ui: &mut Ui, toasts: &Toasts) {
    let now = ui.input(|input| input.time);
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(room));
    if toasts.log().len() == 0 {
        ui.label(RichText::new("Nothing has happened yet.").font(theme::small()).color(theme::TEXT_FAINT));
        return;
    }
    egui::ScrollArea::vertical().auto_shrink(false).show(&mut ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::STEP;
        for logged in toasts.log().rev() {
            let (icon, word, colour) = look(logged.notice.severity);
            ui.horizontal_top(|ui| {
                ui.label(RichText::new(icon).font(theme::body()).color(colour));
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    let text = RichText::new(&logged.notice.text).font(theme::body()).color(theme::TEXT);
                    ui.add(egui::Label::new(text).wrap());
                    let times = if logged.times > 1 { format!(", {} times", logged.times) } else { String::new() };
                    let word = if word.is_empty() { String::new() } else { format!("{word}, ") };
                    let line = format!("{word}{}{}{times}", logged.notice.source, ago(now - logged.since));
                    ui.label(RichText::new(line).font(theme::small()).color(theme::TEXT_FAINT));
                });
            });
        }
    });
}

/// How long ago, roughly: the log is not repainted to count seconds.
fn ago(secs: f64) -> String {
    match secs as u64 {
        0..60 => ", just now".to_owned(),
        60..120 => ", a minute ago".to_owned(),
        120..7200 => format!(", {} minutes ago", secs as u64 / 60),
        _ => format!(", {} hours ago", secs as u64 / 3600),
    }
}

fn look(severity: Severity) -> (&'static str, &'static str, Color32) {
    match severity {
        Severity::Info => (icons::INFO, "", theme::TEXT_QUIET),
        Severity::Warning => (icons::WARNING, "Warning", theme::AMBER),
        Severity::Error => (icons::FAULT, "Error", theme::RED),
    }
}

/// Shows the stack in the lower right corner, returns which notice was clicked away.
pub fn notices_ui(ui: &Ui, toasts: &Toasts, above: f32) -> Option<Action> {
    let mut done = None;
    let corner = ui.ctx().content_rect().right_bottom() - vec2(2.0 * theme::STEP, above + 2.0 * theme::STEP);
    let area = Area::new(Id::unique("notices")).order(Order::Foreground).pivot(Align2::RIGHT_BOTTOM).fixed_pos(corner);
    area.constrain(false).show(ui.ctx(), |ui| {
        ui.with_layout(Layout::top_down(Align::Max), |ui| {
            for notice in toasts.iter() {
                if toast_ui(ui, notice) {
                    done = Some(Action::Dismiss(notice.repeat_key.clone()));
                }
            }
        });
    });
    done
}

fn toast_ui(ui: &mut Ui, notice: &Notice) -> bool {
    let (icon, word, colour) = look(notice.severity);
    let width = (ui.ctx().content_rect().width() - 4.0 * theme::STEP).min(420.0);
    let text = RichText::new(&notice.text).font(theme::body()).color(theme::TEXT);
    let frame = egui::Frame::new()
        .fill(theme::RAISED)
        .corner_radius(theme::RADIUS)
        .shadow(egui::Shadow { offset: [0, 4], blur: 16, spread: 0, color: Color32::from_black_alpha(140) })
        .inner_margin(egui::Margin { left: 16, right: 16, top: 12, bottom: 12 });
    let shown = frame.show(ui, |ui| {
        ui.set_max_width(width - 32.0);
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = theme::HALF;
            if !word.is_empty() {
                let word = format!("{icon}\u{2002}{word}");
                ui.label(RichText::new(word).font(theme::strong(theme::SMALL)).color(colour));
            }
            ui.label(text);
        });
    });
    let rect = shown.response.rect;
    let edge = egui::Rect::from_min_max(rect.min, pos2(rect.left() + 4.0, rect.bottom()));
    ui.painter().rect_filled(edge, theme::RADIUS_SMALL, colour);
    let response = ui.interact(rect, Id::unique(("notice", &notice.repeat_key)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, format!("Dismiss: {}", notice.text)));
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(toasts: &Toasts) -> Vec<&str> {
        toasts.iter().map(|notice| notice.text.as_str()).collect()
    }

    #[test]
    fn notices_go_after_a_while_and_errors_stay_until_they_are_clicked() {
        let mut toasts = Toasts::default();
        toasts.show(Notice::info("project", "saved"), 0.0);
        toasts.show(Notice::error("output", "node gone"), 1.0);
        assert_eq!(toasts.expire(5.0), Some(Duration::from_secs(1)));
        assert_eq!(texts(&toasts), ["saved", "node gone"]);
        assert_eq!(toasts.expire(6.5), None);
        assert_eq!(texts(&toasts), ["node gone"]);
        toasts.dismiss("node gone");
        assert!(texts(&toasts).is_empty());
    }

    #[test]
    fn a_notice_of_the_same_key_replaces_the_earlier_one() {
        let mut toasts = Toasts::default();
        toasts.show(Notice::warning("output", "12 packets refused").keyed("refused"), 0.0);
        toasts.show(Notice::info("project", "saved"), 1.0);
        toasts.show(Notice::warning("output", "40 packets refused").keyed("refused"), 2.0);
        assert_eq!(texts(&toasts), ["saved", "40 packets refused"]);
    }

    #[test]
    fn the_stack_is_bounded_and_errors_are_the_last_to_make_room() {
        let mut toasts = Toasts::default();
        toasts.show(Notice::error("gl", "first"), 0.0);
        for number in 0..20 {
            toasts.show(Notice::info("x", format!("{number}")), 1.0);
        }
        assert_eq!(texts(&toasts), ["first", "16", "17", "18", "19"]);
    }
}
