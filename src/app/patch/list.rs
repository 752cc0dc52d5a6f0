//! The list of the patch: chains in the order of their ports, the fixtures on none, layouts, and how many problems.
//!
//! Runs on the ui thread. Fixtures that are dragged are dropped on its chains. Only lines that are seen are drawn.

use super::super::blink::{BLINK, blink_ui};
use super::super::shelf::room_ui;
use super::super::widgets::{PadLook, elided, focus_ring, line_ground, pad};
use super::super::{fields, icons, theme};
use super::sums::{ChainSum, counted};
use super::{Chosen, Page, View};
use crate::model::layout::Layout;
use crate::model::patching::{Place, add_chain, add_layout};
use crate::model::project::Project;
use crate::show::test_pattern::Target;
use egui::accesskit::Role;
use egui::{
    Align2, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

/// Height of a line, points.
const LINE: f32 = 48.0;
/// Height of the heading, and the side of its pad, points.
const HEAD: f32 = 44.0;
const PAD: f32 = 36.0;
/// Lines of this width and more say that their numbers are universes, points.
const WORDY: f32 = 272.0;

/// Lines of the list, counted off.
struct Lines {
    chains: usize,
    loose: usize,
    layouts: usize,
}

/// One of them.
enum Line {
    Chain(usize),
    NoChain,
    Loose,
    Layouts,
    Layout(usize),
}

impl Lines {
    fn count(&self) -> usize {
        self.chains.max(1) + self.loose + 1 + self.layouts
    }

    fn at(&self, line: usize) -> Line {
        let Some(behind) = line.checked_sub(self.chains.max(1)) else {
            return if self.chains == 0 { Line::NoChain } else { Line::Chain(line) };
        };
        match behind.checked_sub(self.loose) {
            None => Line::Loose,
            Some(0) => Line::Layouts,
            Some(layout) => Line::Layout(layout - 1),
        }
    }
}

pub(super) fn list_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View) {
    let room = ui.max_rect();
    let (added, left) = head_ui(ui, "Chains", "Add a chain", HEAD);
    if added {
        let (id, edit) = add_chain(&page.snapshot.project);
        page.edit(edit, None);
        view.choose(Chosen::Chain(id));
    }
    problems_ui(ui, view, left);
    let lines = Rect::from_min_max(pos2(room.left(), room.top() + HEAD), room.max);
    room_ui(ui, "lines", lines, |ui| lines_ui(ui, page, view));
}

fn lines_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View) {
    // Taken out, so that the lines can change what else is viewed.
    let Some(sums) = view.sums.take() else { return };
    let project = &page.snapshot.project;
    let lines =
        Lines { chains: sums.chains.len(), loose: usize::from(!sums.loose.is_empty()), layouts: project.layouts.len() };
    ui.spacing_mut().item_spacing.y = 2.0;
    ScrollArea::vertical().id_salt("chains").auto_shrink(false).show_rows(ui, LINE, lines.count(), |ui, seen| {
        for line in seen {
            match lines.at(line) {
                Line::Chain(place) => chain_ui(ui, page, view, &sums.chains[place]),
                Line::NoChain => {
                    fields::hint(ui, "No chain yet.");
                }
                Line::Loose => loose_ui(ui, view, sums.loose.len()),
                Line::Layouts => {
                    if head_ui(ui, "Layouts", "Add a layout", LINE).0 {
                        let (id, edit) = add_layout(&page.snapshot.project, None);
                        page.edit(edit, None);
                        view.choose(Chosen::Layout(id));
                    }
                }
                Line::Layout(place) => {
                    if let Some(layout) = page.snapshot.project.layouts.iter().nth(place) {
                        layout_ui(ui, &page.snapshot.project, view, layout);
                    }
                }
            }
        }
    });
    view.sums = Some(sums);
}

/// A heading with a pad that adds one. Whether that was clicked, and the room between both.
fn head_ui(ui: &mut Ui, title: &str, add: &str, height: f32) -> (bool, Rect) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width().max(0.0), height), Sense::hover());
    let font = theme::strong(theme::BODY);
    let at = pos2(rect.left(), rect.center().y);
    let written = ui.painter().text(at, Align2::LEFT_CENTER, title, font, theme::TEXT);
    let place = Rect::from_center_size(pos2(rect.right() - PAD / 2.0, rect.center().y), vec2(PAD, PAD));
    let mut child = ui.new_child(UiBuilder::new().id_salt(add).max_rect(place));
    let clicked = pad(&mut child, place.size(), &PadLook::quiet(add, icons::ADD)).on_hover_text(add).clicked();
    let between = Rect::from_x_y_ranges(written.right() + theme::STEP..=place.left() - theme::STEP, place.y_range());
    (clicked, between)
}

/// How many things are wrong; a click shows them.
fn problems_ui(ui: &mut Ui, view: &mut View, room: Rect) {
    let count = view.sums.as_ref().map_or(0, |sums| sums.troubles.len());
    let label = if count == 0 { "No problems".to_owned() } else { counted(count as u64, "problem") };
    let (text, colour) = match count {
        0 => (label.clone(), theme::TEXT_QUIET),
        _ => (format!("{}\u{2002}{label}", icons::WARNING), theme::RED),
    };
    let font = theme::strong(theme::SMALL);
    let written = ui.painter().layout_no_wrap(text.clone(), font.clone(), colour).size().x + 2.0 * theme::STEP;
    if room.width() < written {
        return;
    }
    let mut child =
        ui.new_child(UiBuilder::new().id_salt("problems").max_rect(room.with_min_x(room.right() - written)));
    let look = PadLook { font, colour, ..PadLook::quiet(&label, &text) };
    if pad(&mut child, vec2(written, room.height()), &look).clicked() {
        view.choose(Chosen::Troubles);
    }
}

fn chain_ui(ui: &mut Ui, page: &Page<'_>, view: &mut View, sum: &ChainSum) {
    let Some(chain) = page.snapshot.project.chains.get(sum.id) else { return };
    let below = chain_words(sum, chain.links.len(), page.first);
    let trouble = sum.trouble.map(|words| format!(", {words}")).unwrap_or_default();
    let label = format!("Chain {}, {below}{trouble}", chain.name);
    let chosen = view.chosen == Chosen::Chain(sum.id);
    let wordy = ui.available_width() >= WORDY;
    let universes = sum.universes.as_ref().map(|range| match (range.start() + page.first, range.end() + page.first) {
        (one, two) if one == two => format!("{}{one}", if wordy { "universe " } else { "" }),
        (one, two) => format!("{}{one} to {two}", if wordy { "universes " } else { "" }),
    });
    let size = size_words(sum, chain.links.len());
    let words =
        Words { name: &chain.name, side: universes.as_deref().unwrap_or_default(), below: &size, trouble: sum.trouble };
    let response = line_ui(ui, &label, &words, chosen, BLINK);
    if response.clicked() {
        view.choose(Chosen::Chain(sum.id));
    }
    let lamp = Rect::from_min_max(
        pos2((response.rect.right() - BLINK).max(response.rect.left()), response.rect.top()),
        response.rect.max,
    );
    blink_ui(ui, lamp, Target::Chain(sum.id), &chain.name, &mut view.hovered);
    drop_ui(ui, &response, view, Place::Chain(sum.id, chain.links.len()));
}

/// Where it starts and how large it is.
fn chain_words(sum: &ChainSum, fixtures: usize, first: u16) -> String {
    let (Some(port), Some(universes)) = (sum.port, &sum.universes) else { return "no fixtures yet".to_owned() };
    let (start, end) = (universes.start() + first, universes.end() + first);
    let place = match (start == end, port.channel.get()) {
        (true, 1) => format!("universe {start}"),
        (true, channel) => format!("universe {start} from channel {channel}"),
        (false, 1) => format!("universes {start} to {end}"),
        (false, channel) => format!("universes {start} to {end} from channel {channel}"),
    };
    format!("{place}, {}", size_words(sum, fixtures))
}

fn size_words(sum: &ChainSum, fixtures: usize) -> String {
    match fixtures {
        0 => "no fixtures yet".to_owned(),
        _ => format!("{}, {}", counted(fixtures as u64, "fixture"), counted(sum.lamps, "lamp")),
    }
}

fn loose_ui(ui: &mut Ui, view: &mut View, count: usize) {
    let below = format!("{}, sent nothing", counted(count as u64, "fixture"));
    let words = Words { name: "On no chain", side: "", below: &below, trouble: None };
    let response = line_ui(ui, &format!("On no chain, {below}"), &words, view.chosen == Chosen::Loose, 0.0);
    if response.clicked() {
        view.choose(Chosen::Loose);
    }
    drop_ui(ui, &response, view, Place::Off);
}

fn layout_ui(ui: &mut Ui, project: &Project, view: &mut View, layout: &Layout) {
    let count = counted(layout.placements.len() as u64, "fixture");
    let topology = layout.id == project.settings.topology;
    let below = if topology { format!("the topology, {count}") } else { count };
    let words = Words { name: &layout.name, side: "", below: &below, trouble: None };
    let label = format!("Layout {}, {below}", layout.name);
    if line_ui(ui, &label, &words, view.chosen == Chosen::Layout(layout.id), 0.0).clicked() {
        view.choose(Chosen::Layout(layout.id));
        view.layout = Some(layout.id);
    }
}

/// What a line says.
struct Words<'a> {
    name: &'a str,
    /// At its right.
    side: &'a str,
    below: &'a str,
    trouble: Option<&'a str>,
}

/// A line with its name, what it is, and what is wrong with it; `kept` points at its right stay free.
fn line_ui(ui: &mut Ui, label: &str, words: &Words<'_>, chosen: bool, kept: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width().max(0.0), LINE), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, label));
    let painter = ui.painter();
    line_ground(painter, &response, chosen);
    let left = rect.left() + theme::STEP + theme::HALF;
    let right = (rect.right() - kept.max(theme::STEP)).max(left);
    let (above, below) = (rect.top() + 16.0, rect.top() + 33.0);
    let side = painter.layout_no_wrap(words.side.to_owned(), theme::strong(theme::SMALL), theme::TEXT_QUIET);
    let name = right - side.size().x - if words.side.is_empty() { 0.0 } else { theme::STEP };
    elided(ui.painter(), pos2(left, above), name, (words.name, theme::strong(theme::BODY), theme::TEXT));
    if name > left {
        painter.galley(pos2(right - side.size().x, above - side.size().y / 2.0), side, theme::TEXT_QUIET);
    }
    match words.trouble {
        Some(trouble) => {
            let text = format!("{}\u{2002}{trouble}", icons::WARNING);
            elided(ui.painter(), pos2(left, below), right, (&text, theme::small(), theme::RED));
        }
        None => drop(elided(ui.painter(), pos2(left, below), right, (words.below, theme::small(), theme::TEXT_FAINT))),
    }
    focus_ring(ui, &response);
    response
}

/// Takes dragged fixtures that are let go here.
fn drop_ui(ui: &Ui, response: &Response, view: &mut View, place: Place) {
    let over = ui.input(|input| input.pointer.interact_pos()).is_some_and(|at| response.rect.contains(at));
    if view.drags && over && ui.clip_rect().intersects(response.rect) {
        view.goal = Some(place);
        ui.painter().rect_stroke(response.rect, theme::RADIUS, Stroke::new(2.0, theme::TEXT), StrokeKind::Inside);
    }
}

/// What a list of nothing is for.
pub(super) fn quiet(text: &str) -> RichText {
    RichText::new(text).font(theme::small()).color(theme::TEXT_FAINT)
}
