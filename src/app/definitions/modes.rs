//! The modes of a kind: named groupings of its pixels, beside pixel by pixel, which always exists.
//!
//! Runs on the ui thread; says what the definition should become. Groups that make no sense stay a draft with what is
//! wrong below it. Deliberately absent: the picture of the groups, which the drawing shows.

use super::{Change, groups, usage};
use crate::app::widgets::{elided, focus_ring, line_ground};
use crate::app::{fields, icons, shelf, theme};
use crate::model::fixture::{FixtureDefinition, Grouping, MAX_FIXTURE_PIXELS, Mode};
use crate::model::id::{DefinitionId, ModeId};
use crate::model::project::Project;
use crate::model::references::Key;
use egui::accesskit::Role;
use egui::{Align2, Key as Press, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// Height of a mode in the list, points.
const LINE: f32 = 36.0;
/// Longer texts than this are not typed by hand, bytes.
const MOST_TEXT: usize = 20_000;

/// Which mode is looked at, and what was typed.
#[derive(Debug, Default)]
pub struct Modes {
    /// Whose groups the drawing shows.
    pub chosen: Option<ModeId>,
    /// Added, but not in the snapshot yet.
    coming: Option<ModeId>,
    /// A mode that is used, and by what.
    refused: Option<(ModeId, String)>,
    /// Groups as text, of this definition and mode, and what was made of it by hand.
    text: Option<(Arc<FixtureDefinition>, ModeId, String)>,
    draft: Option<(DefinitionId, ModeId, String)>,
}

/// What kind of grouping a mode has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Every,
    Groups,
}

const KINDS: [(Kind, &str); 3] =
    [(Kind::Whole, "All pixels as one"), (Kind::Every, "Runs of pixels"), (Kind::Groups, "Groups by hand")];

impl Modes {
    /// Forgets what was looked at of another definition.
    pub fn follow(&mut self, definition: &FixtureDefinition) {
        if let Some(id) = self.coming.take_if(|id| definition.mode(*id).is_some()) {
            self.chosen = Some(id);
        }
        self.chosen = self.chosen.filter(|id| definition.mode(*id).is_some());
    }

    /// Shows the modes.
    pub fn show(&mut self, ui: &mut Ui, project: &Project, definition: &Arc<FixtureDefinition>) -> Change {
        fields::heading(ui, "Modes");
        ui.spacing_mut().item_spacing.y = 2.0;
        let words = "Pixel by pixel; always there";
        if line_ui(ui, "Individual", words, self.chosen.is_none()) {
            self.chosen = None;
        }
        let mut change = None;
        for mode in &definition.modes {
            let chosen = self.chosen == Some(mode.id);
            if line_ui(ui, &mode.name, &summary(mode), chosen) {
                self.chosen = (!chosen).then_some(mode.id);
                self.refused = None;
            }
            if chosen {
                ui.push_id(mode.id.0, |ui| {
                    ui.spacing_mut().item_spacing.y = theme::HALF;
                    let edited = self.one_ui(ui, project, definition, mode);
                    change = change.take().or(edited);
                });
            }
        }
        ui.add_space(theme::HALF);
        if super::text_pad(ui, 120.0, "Add a mode", "Add a mode") {
            let id = ModeId(definition.modes.iter().map(|mode| mode.id.0).max().map_or(1, |id| id.saturating_add(1)));
            let names: Vec<&str> = definition.modes.iter().map(|mode| mode.name.as_str()).collect();
            let mode = Mode { id, name: shelf::free_name("Whole", &names), grouping: Grouping::Whole };
            self.coming = Some(id);
            change = Some((with(definition, mode), None));
        }
        change
    }

    /// The fields of the chosen mode.
    fn one_ui(&mut self, ui: &mut Ui, project: &Project, definition: &Arc<FixtureDefinition>, mode: &Mode) -> Change {
        let parse = |text: &str| match text.trim() {
            "" => Err("It needs a name".to_owned()),
            name => Ok(name.to_owned()),
        };
        let mut change =
            fields::text(ui, "Name of the mode", &mode.name, parse).map(|name| Mode { name, ..mode.clone() });
        let kind = match mode.grouping {
            Grouping::Whole => Kind::Whole,
            Grouping::Every(_) => Kind::Every,
            Grouping::Groups(_) => Kind::Groups,
        };
        if let Some(kind) = fields::choice(ui, "Grouping", kind, &KINDS) {
            let grouping = match kind {
                Kind::Whole => Grouping::Whole,
                Kind::Every => Grouping::Every(10),
                Kind::Groups => Grouping::Groups(Vec::new()),
            };
            return Some((with(definition, Mode { grouping, ..mode.clone() }), None));
        }
        let mut gesture = None;
        match &mode.grouping {
            Grouping::Whole => {}
            Grouping::Every(run) => {
                if let Some((run, drag)) = fields::number(ui, "Pixels of a run", *run, 1..=MAX_FIXTURE_PIXELS, "") {
                    gesture = drag;
                    change = Some(Mode { grouping: Grouping::Every(run), ..mode.clone() });
                }
            }
            Grouping::Groups(groups) => {
                let set = self.groups_ui(ui, definition, mode.id, groups);
                change = change.or(set.map(|groups| Mode { grouping: Grouping::Groups(groups), ..mode.clone() }));
            }
        }
        let removed = self.remove_ui(ui, project, definition, mode);
        removed.or(change.map(|mode| (with(definition, mode), gesture)))
    }

    fn remove_ui(&mut self, ui: &mut Ui, project: &Project, definition: &FixtureDefinition, mode: &Mode) -> Change {
        let mut removed = None;
        let label = format!("Remove mode {}", mode.name);
        if super::text_pad(ui, 120.0, &label, "Remove the mode") {
            match usage::mode_users(project, Key::Mode(definition.id, mode.id)) {
                Some(users) => self.refused = Some((mode.id, users)),
                None => {
                    let modes = definition.modes.iter().filter(|other| other.id != mode.id).cloned().collect();
                    removed = Some((FixtureDefinition { modes, ..definition.clone() }, None));
                }
            }
        }
        if let Some((_, users)) = self.refused.as_ref().filter(|(id, _)| *id == mode.id) {
            let words = format!("Not removed: {users} uses it. Change that first.");
            ui.label(RichText::new(words).font(theme::small()).color(theme::RED));
        }
        removed
    }

    /// Groups as text; what they become when the field is left and makes sense.
    fn groups_ui(
        &mut self,
        ui: &mut Ui,
        definition: &Arc<FixtureDefinition>,
        mode: ModeId,
        groups: &[Vec<u32>],
    ) -> Option<Vec<Vec<u32>>> {
        let known = self.text.take().filter(|(of, id, _)| Arc::ptr_eq(of, definition) && *id == mode);
        let (_, _, text) =
            self.text.insert(known.unwrap_or_else(|| (Arc::clone(definition), mode, groups::write(groups))));
        if text.len() > MOST_TEXT {
            let words = format!(
                "{} groups are too many to be written here. Choose another grouping to begin anew.",
                groups.len()
            );
            fields::hint(ui, &words);
            return None;
        }
        let count = definition.pixels.count();
        let own = (definition.id, mode);
        let kept = self.draft.take().filter(|(id, of, _)| (*id, *of) == own).map(|(.., draft)| draft);
        let mut draft = kept.unwrap_or_else(|| text.clone());
        fields::hint(ui, "One group a line, pixels from 0: 0-9, 20. A pixel in no line is a group by itself.");
        let rows = draft.lines().count().clamp(3, 12);
        let edit = TextEdit::multiline(&mut draft).desired_width(f32::INFINITY).desired_rows(rows);
        let response = ui.add(edit.margin(vec2(8.0, 7.0)).text_color(theme::TEXT).hint_text("0-9"));
        response.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, "Groups of the mode"));
        let changed = draft != *text;
        let read = groups::read(&draft, count);
        let left = ui.input(|input| input.key_pressed(Press::Escape));
        let fault = match &read {
            Err(fault) if changed => Some(format!("{fault}.")),
            _ => groups::missing(groups, count).filter(|_| !changed),
        };
        if let Some(fault) = fault {
            ui.label(RichText::new(fault).font(theme::small()).color(theme::RED));
        }
        if response.lost_focus() && left {
            return None;
        }
        match read {
            Ok(groups) if changed && !response.has_focus() => Some(groups),
            _ => {
                // Whatever is wrong is still there to be put right when somebody comes back.
                self.draft = changed.then_some((own.0, own.1, draft));
                None
            }
        }
    }
}

/// The definition with this mode, new or changed.
fn with(definition: &FixtureDefinition, mode: Mode) -> FixtureDefinition {
    let mut changed = definition.clone();
    match changed.modes.iter_mut().find(|other| other.id == mode.id) {
        Some(other) => *other = mode,
        None => changed.modes.push(mode),
    }
    changed
}

fn summary(mode: &Mode) -> String {
    match &mode.grouping {
        Grouping::Whole => "All pixels as one".into(),
        Grouping::Every(run) => format!("Runs of {run}"),
        Grouping::Groups(groups) => match groups.iter().filter(|group| !group.is_empty()).count() {
            0 => "No groups yet".into(),
            1 => "1 group".into(),
            some => format!("{some} groups"),
        },
    }
}

/// A mode in the list; whether it was clicked.
fn line_ui(ui: &mut Ui, name: &str, words: &str, chosen: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width().max(1.0), LINE), Sense::click());
    let label = format!("Mode {name}, {words}");
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, &label));
    let painter = ui.painter();
    line_ground(painter, &response, chosen);
    let left = pos2(rect.left() + theme::STEP + theme::HALF, rect.center().y);
    let mark = if chosen { icons::SEEN } else { icons::UNSEEN };
    painter.text(left, Align2::LEFT_CENTER, mark, theme::small(), theme::TEXT_FAINT);
    let at = left + vec2(3.0 * theme::STEP, 0.0);
    let ink = if chosen { theme::TEXT } else { theme::TEXT_QUIET };
    let right = rect.right() - theme::STEP;
    let end = elided(painter, at, right, (name, theme::strong(theme::SMALL), ink));
    elided(painter, pos2(end + 2.0 * theme::STEP, at.y), right, (words, theme::small(), theme::TEXT_FAINT));
    focus_ring(ui, &response);
    response.clicked()
}
