//! The command search: type a few letters, press Enter. Everything that the menus offer, every panel and every scene.
//!
//! Runs on the ui thread; lies over the window without stopping anything under it. Deliberately absent: what a command
//! does.

use super::action::Action;
use super::settings::Settings;
use super::sheets::Sheet;
use super::theme;
use super::workspace::{Arrangement, Panel};
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use crate::show::test_pattern::{PATTERNS, Target, TestPattern};
use egui::accesskit::Role;
use egui::{Align2, Area, CornerRadius, Event, Frame, Id, Key, Order, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

/// Lines that are shown.
const LINES: usize = 9;
/// Height of a line, points.
const LINE: f32 = 36.0;
/// Width of the search, points.
const WIDTH: f32 = 520.0;

/// A search under way.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What was typed.
    query: String,
    /// Which of the lines Enter takes.
    line: usize,
}

/// A command: what it is called, where it stands, and what it is.
pub struct Entry {
    /// What is looked for and read.
    pub name: String,
    /// The keys that do the same, or the place it stands at.
    pub keys: &'static str,
    /// What it does.
    pub action: Action,
}

/// Everything that can be asked for now.
pub fn entries(snapshot: &Snapshot, settings: &Settings) -> Vec<Entry> {
    let mut all = Vec::new();
    let mut add = |name: String, keys: &'static str, action: Action| all.push(Entry { name, keys, action });
    for scene in snapshot.project.scenes.iter() {
        add(format!("Play {}", scene.name), "scene", LiveCommand::Toggle(scene.id).into());
        add(format!("Edit {}", scene.name), "inspector", Action::Inspect(scene.id));
    }
    for panel in Panel::ALL {
        let verb = if settings.workspace.shows(panel) { "Hide" } else { "Show" };
        add(format!("{verb} {}", panel.title()), "panel", Action::Panel(panel));
    }
    for arrangement in [Arrangement::Perform, Arrangement::Design] {
        add(format!("Arrange for {}", arrangement.title()), "F2", Action::Arrange(Some(arrangement)));
    }
    for (name, keys, action) in [
        ("Panels as they came", "", Action::ResetPanels),
        ("Open a project", "Ctrl O", Action::Open),
        ("Save", "Ctrl S", Action::Save),
        ("Save as", "Ctrl Shift S", Action::SaveAs),
        ("Undo", "Ctrl Z", Command::Undo.into()),
        ("Redo", "Ctrl Shift Z", Command::Redo.into()),
        ("Fit the stage", "", Action::FitStage),
        ("Full screen", "F11", Action::Fullscreen),
        ("Larger controls", "Ctrl +", Action::Zoom(1)),
        ("Smaller controls", "Ctrl −", Action::Zoom(-1)),
        ("Controls of normal size", "Ctrl 0", Action::Zoom(0)),
        ("Tap the tempo", "T", Action::Tap),
        ("Half tempo", "", LiveCommand::Half.into()),
        ("Double tempo", "", LiveCommand::Double.into()),
        ("Keys", "?", Action::Sheet(Some(Sheet::Keys))),
        ("About Glowdeck", "", Action::Sheet(Some(Sheet::About))),
        ("End the test pattern", "", LiveCommand::Test(None).into()),
        ("Quit", "", Action::Close),
    ] {
        add(name.to_owned(), keys, action);
    }
    let blackout = if snapshot.blackout { "Open blackout" } else { "Blackout" };
    add(blackout.to_owned(), "B", LiveCommand::Blackout(!snapshot.blackout).into());
    for (pattern, name) in PATTERNS {
        let test = TestPattern { target: Target::All, pattern };
        add(format!("Test pattern {name} on all lamps"), "", LiveCommand::Test(Some(test)).into());
    }
    for path in &settings.recent {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        add(format!("Open {name}"), "project", Action::OpenPath(path.clone()));
    }
    all
}

/// Where each word of the query stands in the name, summed: less is better; `None` where one is missing.
fn rank(query: &str, name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    query.split_whitespace().try_fold(0, |rank, word| {
        let at = name.find(word)?;
        // The beginning of a word is what people type.
        let inside = at > 0 && !name[..at].ends_with(' ');
        Some(rank + at + if inside { 50 } else { 0 })
    })
}

/// The entries that the query finds, the best first.
pub fn found(query: &str, entries: Vec<Entry>) -> Vec<Entry> {
    let query = query.to_lowercase();
    let mut ranked: Vec<_> =
        entries.into_iter().filter_map(|entry| Some((rank(&query, &entry.name)?, entry))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

/// Shows the search; gives what was chosen, and whether the search is over.
pub fn search_ui(ui: &Ui, search: &mut Search, entries: Vec<Entry>) -> (Option<Action>, bool) {
    let (up, down, enter, escape) = ui.input(|input| {
        let pressed = |wanted: Key| {
            let is = |event: &Event| matches!(event, Event::Key { key, pressed: true, .. } if *key == wanted);
            input.events.iter().filter(|event| is(event)).count()
        };
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter) > 0, pressed(Key::Escape) > 0)
    });
    let mut found = found(&search.query, entries);
    let last = found.len().min(LINES).saturating_sub(1);
    search.line = (search.line + down).saturating_sub(up).min(last);
    let screen = ui.ctx().content_rect();
    let width = WIDTH.min(screen.width() - 4.0 * theme::STEP);
    let area = Area::new(Id::unique("search")).order(Order::Foreground).pivot(Align2::CENTER_TOP);
    let mut chosen = enter.then_some(search.line);
    let shown = area.fixed_pos(pos2(screen.center().x, screen.top() + 72.0)).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).inner_margin(theme::STEP).show(ui, |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 2.0;
            let edit = TextEdit::singleline(&mut search.query)
                .hint_text(format!("{}\u{2002}What do you want to do?", super::icons::SEARCH));
            let edit = edit.desired_width(width).margin(vec2(12.0, 12.0)).text_color(theme::TEXT);
            let response = ui.add(edit);
            response.widget_info(|| WidgetInfo::labeled(Role::SearchInput, true, "Search commands"));
            response.request_focus();
            if response.changed() {
                search.line = 0;
            }
            ui.add_space(theme::HALF);
            for (place, entry) in found.iter().take(LINES).enumerate() {
                if line_ui(ui, entry, place == search.line) {
                    chosen = Some(place);
                }
            }
            if found.is_empty() {
                super::fields::hint(ui, "Nothing is called like that.");
            }
        });
    });
    let outside = ui.input(|input| input.pointer.any_pressed())
        && ui.input(|input| input.pointer.interact_pos()).is_some_and(|at| !shown.response.rect.contains(at));
    let action = chosen.filter(|place| *place < found.len()).map(|place| found.swap_remove(place).action);
    let over = action.is_some() || escape || outside;
    (action, over)
}

fn line_ui(ui: &mut Ui, entry: &Entry, taken: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, taken, &entry.name));
    if taken || response.hovered() {
        ui.painter().rect_filled(rect, CornerRadius::same(4), theme::RAISED);
    }
    let ink = if taken { theme::TEXT } else { theme::TEXT_QUIET };
    let left = pos2(rect.left() + 12.0, rect.center().y);
    ui.painter().text(left, Align2::LEFT_CENTER, &entry.name, theme::body(), ink);
    let right = pos2(rect.right() - 12.0, rect.center().y);
    ui.painter().text(right, Align2::RIGHT_CENTER, entry.keys, theme::small(), theme::TEXT_FAINT);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(query: &str) -> Vec<String> {
        let all = ["Play Plasma", "Show Devices", "Hide Stage", "Save as", "Save", "Test pattern Red on all lamps"];
        let entry = |name: &&str| Entry { name: (*name).to_owned(), keys: "", action: Action::Tap };
        found(query, all.iter().map(entry).collect()).into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn words_are_found_anywhere_and_beginnings_first() {
        assert_eq!(names("save"), ["Save as", "Save"]);
        assert_eq!(names("DEV"), ["Show Devices"]);
        assert_eq!(names("red lamps"), ["Test pattern Red on all lamps"]);
        assert_eq!(names("as")[0], "Save as", "a beginning before the inside of Plasma");
        assert_eq!(names("nothing at all"), Vec::<String>::new());
        assert_eq!(names("").len(), 6);
    }
}
