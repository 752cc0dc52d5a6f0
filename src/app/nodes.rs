//! The list of nodes: who answers, who is missing, who could be added.
//!
//! Runs on the ui thread; reads the roll and returns the wish. Deliberately absent: finding anybody.

use super::action::Action;
use super::theme;
use super::widgets::{PadLook, focus_ring, pad};
use crate::model::project::Project;
use crate::output::discovery::roll::{Line, Roll, Standing, add_edit, ports_text};
use crate::show::command::Command;
use egui::accesskit::Role;
use egui::text::LayoutJob;
use egui::{
    Align2, Color32, CursorIcon, FontId, Rect, Response, RichText, ScrollArea, Sense, Stroke, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

/// Height of a line, points: a finger hits its button.
const LINE: f32 = 52.0;
/// Height of the headings, points.
const HEADINGS: f32 = 24.0;
/// Width of the columns but for the universes, points.
const STATE: f32 = 120.0;
const NAME: f32 = 232.0;
const BUTTON: f32 = 72.0;

/// How a standing is shown.
struct Look {
    word: &'static str,
    colour: Color32,
    /// A full dot; else a ring.
    full: bool,
    about: &'static str,
}

fn look(standing: Standing) -> Look {
    let look = |word, colour, full, about| Look { word, colour, full, about };
    match standing {
        Standing::Missing => {
            look("Missing", theme::RED, true, "It answered before and does no more. Its light goes on being sent.")
        }
        Standing::Silent => {
            look("No answer", theme::AMBER, false, "It never answered; some nodes never do. It is sent its light.")
        }
        Standing::NotPatched => {
            look("Not patched", theme::TEXT, false, "A node that no device of the project stands for.")
        }
        Standing::Here => look("OK", theme::GREEN, true, "It answers."),
        Standing::Unasked => look("Not asked", theme::TEXT_FAINT, false, "This computer, or a broadcast address."),
        Standing::Console => look("Console", theme::TEXT_FAINT, false, "Another console; it takes no light."),
        Standing::Left => look("Gone", theme::TEXT_FAINT, false, "It answered before; no device stands for it."),
    }
}

/// Shows the list; without a roll nobody is asked. `first` is the number that the first universe has on the screen.
pub fn nodes_ui(ui: &mut Ui, roll: Option<&Roll>, project: &Project, first: u16) -> Option<Action> {
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(room));
    let Some(roll) = roll else {
        quiet(ui, "Nobody is asked: Glowdeck was started with --no-discovery. Devices are sent their light.");
        return None;
    };
    if roll.lines.is_empty() {
        quiet(ui, "Nobody has answered yet. Nodes are asked every three seconds.");
        return None;
    }
    let mut done = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    headings_ui(ui);
    ScrollArea::vertical().max_height(ui.available_height() - 5.0 * theme::STEP).auto_shrink([false, true]).show(
        ui,
        |ui| {
            for line in &roll.lines {
                done = done.take().or(line_ui(ui, line, project, first));
            }
        },
    );
    ui.add_space(theme::STEP);
    if roll.count(Standing::NotPatched) > 0 {
        quiet(ui, "Add makes a device of a node and sends it the universes that it takes, by the same numbers.");
    }
    done
}

fn headings_ui(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADINGS), Sense::hover());
    for (left, text) in [(0.0, "State"), (STATE, "Name and address"), (STATE + NAME, "Universes")] {
        let place = pos2(rect.left() + left, rect.top());
        ui.painter().text(place, Align2::LEFT_TOP, text, theme::small(), theme::TEXT_FAINT);
    }
}

fn quiet(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::small()).color(theme::TEXT_FAINT));
}

fn line_ui(ui: &mut Ui, line: &Line, project: &Project, first: u16) -> Option<Action> {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let look = look(line.standing);
    let (universes, warning) = universes(line, first);
    let told = [line.name.as_str(), look.word, &line.address.to_string(), &universes, warning.as_deref().unwrap_or("")];
    let told = told.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, &told));
    if ui.is_rect_visible(rect) {
        ui.painter().hline(rect.x_range(), rect.top() + 0.5, Stroke::new(1.0, theme::SURFACE));
        state_ui(ui, rect, &look);
        name_ui(ui, rect, line);
        let left = rect.left() + STATE + NAME;
        let right = rect.right() - BUTTON - theme::STEP;
        let colour = if line.standing == Standing::NotPatched { theme::TEXT } else { theme::TEXT_QUIET };
        two_lines(ui, rect, left..right, (&universes, theme::small(), colour), warning.as_deref(), theme::AMBER);
    }
    let adds = line.node.as_ref().filter(|_| line.standing == Standing::NotPatched);
    let wish = adds.and_then(|node| {
        let place = Rect::from_min_max(pos2(rect.right() - BUTTON, rect.top() + 4.0), rect.max - vec2(0.0, 4.0));
        let label = format!("Add {}", line.name);
        let look = PadLook { colour: theme::TEXT, ..PadLook::quiet(&label, "Add") };
        let clicked = pad(&mut ui.new_child(UiBuilder::new().max_rect(place)), place.size(), &look).clicked();
        clicked.then(|| Command::Edit { edit: add_edit(project, node), gesture: None }.into())
    });
    response.on_hover_text(hover_text(line, &look));
    wish
}

fn hover_text(line: &Line, look: &Look) -> String {
    let Some(node) = line.node.as_ref() else { return look.about.to_owned() };
    let firmware = format!("{}.{}", node.firmware >> 8, node.firmware & 0xff);
    let pages = if node.pages > 1 { format!(", {} replies", node.pages) } else { String::new() };
    let rate = match node.rate {
        crate::model::device::RateLimit::Fps(fps) if fps > 44.0 => format!(", takes {fps:.0} frames a second"),
        _ => String::new(),
    };
    format!("{}\n{}\nFirmware {firmware}{pages}{rate}", look.about, node.about)
}

/// What is said of universes, and what is wrong with them.
fn universes(line: &Line, first: u16) -> (String, Option<String>) {
    let warning = (!line.unclaimed.is_empty()).then(|| match line.node.as_ref() {
        Some(node) if !node.takes.is_empty() => format!("It does not take {}", ports_text(&line.unclaimed, first)),
        _ => "It takes no universe".to_owned(),
    });
    let text = match (line.device, line.node.as_ref()) {
        (Some(_), _) if line.sent.is_empty() => "Nothing is sent to it".to_owned(),
        (Some(_), _) => ports_text(&line.sent, first),
        (None, Some(node)) if node.controller => String::new(),
        (None, Some(node)) if node.takes.is_empty() => "It takes no universe".to_owned(),
        (None, Some(node)) => ports_text(&node.takes, first),
        (None, None) => String::new(),
    };
    (text, warning)
}

fn state_ui(ui: &Ui, rect: Rect, look: &Look) {
    let centre = pos2(rect.left() + 6.0, rect.center().y);
    if look.full {
        ui.painter().circle_filled(centre, 4.5, look.colour);
    } else {
        ui.painter().circle_stroke(centre, 4.0, Stroke::new(1.5, look.colour));
    }
    let left = rect.left() + 20.0;
    let font = theme::strong(theme::SMALL);
    two_lines(ui, rect, left..rect.left() + STATE, (look.word, font, look.colour), None, look.colour);
}

fn name_ui(ui: &Ui, rect: Rect, line: &Line) {
    let left = rect.left() + STATE;
    let faded = matches!(line.standing, Standing::Left | Standing::Console | Standing::Unasked);
    let colour = if faded { theme::TEXT_QUIET } else { theme::TEXT };
    let address = line.address.to_string();
    let below = (line.name != address).then_some(address.as_str());
    let name = (line.name.as_str(), theme::strong(theme::BODY), colour);
    two_lines(ui, rect, left..left + NAME - 2.0 * theme::STEP, name, below, theme::TEXT_FAINT);
}

/// One or two lines of text between two edges, in the middle of the height; what is too long ends in dots.
fn two_lines(
    ui: &Ui,
    rect: Rect,
    edges: std::ops::Range<f32>,
    (text, font, colour): (&str, FontId, Color32),
    below: Option<&str>,
    below_colour: Color32,
) {
    let galley = |text: &str, font: FontId, colour: Color32| {
        let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
        job.wrap = egui::text::TextWrapping::truncate_at_width(edges.end - edges.start);
        ui.painter().layout_job(job)
    };
    let first = galley(text, font, colour);
    let second = below.map(|text| galley(text, theme::small(), below_colour));
    let gap = if second.is_some() { 3.0 } else { 0.0 };
    let height = first.size().y + gap + second.as_ref().map_or(0.0, |second| second.size().y);
    let mut top = rect.center().y - height / 2.0;
    let step = first.size().y + gap;
    ui.painter().galley(pos2(edges.start, top), first, colour);
    top += step;
    if let Some(second) = second {
        ui.painter().galley(pos2(edges.start, top), second, below_colour);
    }
}

/// What the status bar says of nodes; a click opens the list.
pub fn nodes_figure_ui(ui: &mut Ui, roll: &Roll, figure: impl Fn(&mut Ui, &str, &str, Color32)) -> Response {
    let [here, missing, new] = [Standing::Here, Standing::Missing, Standing::NotPatched].map(|s| roll.count(s));
    let mut told = vec![format!("{here} ok")];
    let shown = ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = theme::STEP + theme::HALF;
        ui.horizontal(|ui| {
            figure(ui, &here.to_string(), if here == 1 { "node ok" } else { "nodes ok" }, theme::TEXT);
            if missing > 0 {
                figure(ui, &missing.to_string(), "missing", theme::RED);
                told.push(format!("{missing} missing"));
            }
            if new > 0 {
                figure(ui, &new.to_string(), "not patched", theme::TEXT);
                told.push(format!("{new} not patched"));
            }
        });
    });
    let rect = shown.response.rect.expand2(vec2(theme::STEP, 6.0));
    let response = ui.interact(rect, ui.scope_id().with("nodes"), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Who is on the network");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Nodes: {}", told.join(", "))));
    focus_ring(ui, &response);
    response
}
