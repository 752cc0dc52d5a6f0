//! What is wrong with a source: every error at its line, and below the code as a list that leads there.
//!
//! Runs on the ui thread. Errors stay, pale, while the next version is typed and tried, so that nothing jumps.
//! Deliberately absent: compiling, and what errors mean.

use super::highlight;
use crate::app::theme;
use crate::app::widgets::{focus_ring, line_ground};
use crate::model::effect::ShaderRef;
use crate::show::snapshot::{ShaderFault, ShaderView, Verdict};
use egui::accesskit::Role;
use egui::{Align2, Rect, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// Height of a line of the list, points.
const LINE: f32 = 4.0 * theme::STEP;
/// Room of the line's number, points.
const NUMBER: f32 = 36.0;

/// The errors that were told last.
#[derive(Debug, Default)]
pub struct Faults {
    shader: Option<ShaderRef>,
    source: Option<Arc<str>>,
    errors: Arc<[ShaderFault]>,
}

impl Faults {
    /// Takes over what the compiler says of the shader that is worked at.
    pub fn follow(&mut self, shader: &ShaderRef, said: Option<&ShaderView>) {
        if self.shader.as_ref() != Some(shader) {
            *self = Self { shader: Some(shader.clone()), ..Self::default() };
        }
        match said.map(|said| (&said.verdict, &said.source)) {
            Some((Verdict::Failed(errors), source)) => {
                (self.errors, self.source) = (Arc::clone(errors), Some(Arc::clone(source)));
            }
            Some((Verdict::Good, _)) => (self.errors, self.source) = (Arc::default(), None),
            Some((Verdict::Trying, _)) | None => {}
        }
    }

    /// In the order of their lines, from 1.
    pub fn errors(&self) -> &[ShaderFault] {
        &self.errors
    }

    /// Whether they are about another text than this.
    pub fn stale(&self, text: &str) -> bool {
        self.source.as_deref() != Some(text)
    }

    /// Height of the list: a third of the room at most.
    pub fn height(&self, room: f32) -> f32 {
        let most = ((room / 3.0) / LINE).floor().max(1.0);
        (self.errors.len() as f32).min(most) * LINE
    }
}

/// Shows the list; the line that was asked for.
pub fn faults_ui(ui: &mut Ui, faults: &Faults, stale: bool) -> Option<u32> {
    let mut asked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().id_salt("errors").auto_shrink(false).show(ui, |ui| {
        for error in faults.errors() {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
            let ShaderFault { line, message } = error;
            let words = format!("Line {line}: {message}");
            let label = if stale { format!("Before the last change, line {line}: {message}") } else { words.clone() };
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            if response.clicked() {
                asked = Some(*line);
            }
            if ui.is_rect_visible(rect) {
                line_ground(ui.painter(), &response, false);
                let share = if stale { 0.5 } else { 1.0 };
                let clip = ui.painter().with_clip_rect(rect.shrink2(vec2(theme::HALF, 0.0)).intersect(ui.clip_rect()));
                let number = pos2(rect.left() + NUMBER - theme::STEP, rect.center().y);
                let red = theme::mixed(theme::GROUND, theme::RED, share);
                clip.text(number, Align2::RIGHT_CENTER, line, highlight::font(), red);
                let room = Rect::from_min_max(pos2(rect.left() + NUMBER, rect.top()), rect.max);
                let ink = theme::mixed(theme::GROUND, theme::TEXT, share);
                clip.text(pos2(room.left(), room.center().y), Align2::LEFT_CENTER, message, theme::small(), ink);
                focus_ring(ui, &response);
            }
            response.on_hover_text(message);
        }
    });
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(source: &str, verdict: Verdict) -> ShaderView {
        ShaderView { shader: ShaderRef::BuiltIn("x".into()), source: source.into(), verdict, runs: true }
    }

    #[test]
    fn errors_stay_until_the_compiler_says_something_else() {
        let mut faults = Faults::default();
        let shader = ShaderRef::BuiltIn("x".into());
        let error = |line| ShaderFault { line, message: "bad".into() };
        faults.follow(&shader, Some(&view("a", Verdict::Failed([error(3), error(9)].into()))));
        assert!(!faults.stale("a") && faults.stale("ab"));
        faults.follow(&shader, Some(&view("ab", Verdict::Trying)));
        assert!(faults.stale("ab") && faults.errors().len() == 2);
        faults.follow(&shader, Some(&view("ab", Verdict::Good)));
        assert!(faults.errors().is_empty());
        faults.follow(&shader, Some(&view("a", Verdict::Failed([error(3)].into()))));
        faults.follow(&ShaderRef::BuiltIn("y".into()), None);
        assert!(faults.errors().is_empty(), "another shader's");
    }

    #[test]
    fn many_errors_leave_room_for_the_code() {
        let error = ShaderFault { line: 1, message: "bad".into() };
        let faults = |count: usize| Faults { errors: vec![error.clone(); count].into(), ..Faults::default() };
        assert_eq!([0, 1, 2, 32].map(|count| faults(count).height(300.0)), [0.0, LINE, 2.0 * LINE, 3.0 * LINE]);
        assert_eq!(faults(32).height(10.0), LINE);
    }
}
