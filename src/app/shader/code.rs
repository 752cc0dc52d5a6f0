//! The code: a text with line numbers in which all of the compiler's words stand at their lines.
//!
//! Runs on the ui thread. Colours are worked out anew only when the text changes. Deliberately absent: what becomes
//! of the text.

use super::highlight;
use crate::app::theme;
use crate::show::snapshot::ShaderFault;
use egui::text::{CCursor, CCursorRange, LayoutJob};
use egui::text_edit::{TextEditOutput, TextEditState};
use egui::{Align, Align2, Context, Frame, Id, Margin, Rect, ScrollArea, TextBuffer, TextEdit, Ui, Vec2, pos2, vec2};

/// Room of the line numbers, points.
const GUTTER: f32 = 36.0;

/// The colours of the text that was shown last.
#[derive(Debug, Default)]
pub struct Inked {
    text: String,
    params: Vec<String>,
    job: LayoutJob,
}

impl Inked {
    fn of(&mut self, text: &str, params: &[String]) -> LayoutJob {
        if self.text != text || self.params != params || self.job.sections.is_empty() {
            (self.text, self.params) = (text.to_owned(), params.to_vec());
            self.job = highlight::job(text, params);
        }
        self.job.clone()
    }
}

/// The text to show and change.
pub struct Code<'a> {
    /// Of the text field.
    pub id: Id,
    /// What is typed.
    pub text: &'a mut String,
    /// Whether it may be.
    pub editable: bool,
    /// Names that are parameters.
    pub params: &'a [String],
    /// What is wrong with it, in the order of its lines from 1.
    pub faults: &'a [ShaderFault],
    /// Whether that is about a text that has changed since: it is pale then.
    pub stale: bool,
    /// The line, from 1, that is brought into sight, with the text cursor in it.
    pub go_to: Option<u32>,
}

/// Shows the text in a room of this size; whether it was changed.
pub fn code_ui(ui: &mut Ui, size: Vec2, code: Code<'_>, inked: &mut Inked) -> bool {
    let Code { id, text, editable, params, faults, stale, go_to } = code;
    if let Some(line) = go_to {
        place_cursor(ui.ctx(), id, text, line);
    }
    let (room, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter().rect_filled(room, theme::RADIUS, theme::STAGE);
    let mut inner = ui.new_child(egui::UiBuilder::new().id_salt("code").max_rect(room.shrink(theme::HALF)));
    inner.set_clip_rect(room.shrink(2.0).intersect(ui.clip_rect()));
    let mut layouter = |ui: &Ui, buffer: &dyn TextBuffer, _: f32| {
        let job = inked.of(buffer.as_str(), params);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let margin = Margin { left: GUTTER as i8, right: theme::STEP as i8, top: 4, bottom: 4 };
    let shown = ScrollArea::both().id_salt(id).auto_shrink(false).show(&mut inner, |ui| {
        let edit = TextEdit::multiline(text)
            .id(id)
            .code_editor()
            .interactive(editable)
            .frame(Frame::NONE.inner_margin(margin))
            .desired_width((room.width() - GUTTER - 3.0 * theme::STEP).max(64.0))
            .desired_rows(4)
            .layouter(&mut layouter);
        let output = edit.show(ui);
        number_lines(ui, &output, faults, stale, go_to);
        output
    });
    let output = shown.inner;
    output.response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::MultilineTextInput, true, "Code"));
    output.response.changed()
}

fn number_lines(ui: &Ui, output: &TextEditOutput, faults: &[ShaderFault], stale: bool, go_to: Option<u32>) {
    let painter = ui.painter();
    let seen = ui.clip_rect();
    let mut left = faults;
    for (line, row) in (1_u32..).zip(&output.galley.rows) {
        let top = output.galley_pos.y + row.pos.y;
        let height = row.row.size.y;
        if go_to == Some(line) {
            let place = Rect::from_min_size(pos2(output.galley_pos.x - GUTTER, top), vec2(1.0, height));
            ui.scroll_to_rect(place, Some(Align::Center));
        }
        let (here, later) = left.split_at(left.partition_point(|fault| fault.line.max(1) <= line));
        left = later;
        if top > seen.bottom() || top + height < seen.top() {
            continue;
        }
        let ink = if here.is_empty() || stale { theme::TEXT_FAINT } else { theme::RED };
        let middle = top + height / 2.0;
        if let Some(fault) = here.first() {
            let band = Rect::from_min_max(pos2(seen.left(), top), pos2(seen.right(), top + height));
            painter.rect_filled(band, 0.0, theme::code_fault(stale));
            let end = output.galley_pos.x + row.pos.x + row.row.size.x + 2.0 * theme::STEP;
            let at = pos2(end.max(seen.left() + GUTTER), middle);
            let words = match here.len() {
                1 => fault.message.clone(),
                more => format!("{} (+{})", fault.message, more - 1),
            };
            painter.text(at, Align2::LEFT_CENTER, words, theme::small(), theme::code_fault_words(stale));
        }
        let at = pos2(output.galley_pos.x - theme::STEP - theme::HALF, middle);
        painter.text(at, Align2::RIGHT_CENTER, line, highlight::font(), ink);
    }
    let line = output.galley_pos.x - theme::STEP;
    painter.vline(line, output.response.rect.y_range(), egui::Stroke::new(1.0, theme::SURFACE));
}

/// Puts the text cursor before the first word of a line.
fn place_cursor(ctx: &Context, id: Id, text: &str, line: u32) {
    let before = text.split_inclusive('\n').take(line.max(1) as usize - 1);
    let blank = text
        .split('\n')
        .nth(line.max(1) as usize - 1)
        .map_or(0, |line| line.chars().take_while(|c| c.is_whitespace()).count());
    let at = before.map(|line| line.chars().count()).sum::<usize>() + blank;
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(at))));
    state.store(ctx, id);
    ctx.memory_mut(|memory| memory.request_focus(id));
}

/// Writes words where the text cursor is, or at the end where there is none.
pub fn insert(ctx: &Context, id: Id, text: &mut String, words: &str) {
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    let end = CCursor::new(text.chars().count());
    let range = state.cursor.char_range().unwrap_or_else(|| CCursorRange::one(end));
    let [from, to] = range.sorted_cursors();
    let byte = |at: CCursor| text.char_indices().nth(at.index.0).map_or(text.len(), |(byte, _)| byte);
    let place = byte(from)..byte(to);
    text.replace_range(place, words);
    let after = CCursor::new(from.index.0.min(end.index.0) + words.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::one(after)));
    state.store(ctx, id);
    ctx.memory_mut(|memory| memory.request_focus(id));
}
