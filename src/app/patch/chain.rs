//! A chain: its name, port and power, and its fixtures. And the fixtures on none.
//!
//! Runs on the ui thread. A chain without fixtures has no port of its own; where it is to start is kept here until its
//! first fixture comes.

use super::super::action::Action;
use super::super::widgets::{PadLook, pad};
use super::super::{fields, theme};
use super::rows::{Deed, Rows, perform, rows_ui};
use super::sums::kind_of;
use super::{Chosen, NARROW, Page, View, a_name, refused_ui, title_ui};
use crate::app::workspace::Panel;
use crate::model::id::{ChainId, DefinitionId};
use crate::model::patch::{Chain, PatchAddress, Straddle};
use crate::model::patching::{
    add_chain, add_fixtures, assign_anew, first_free, first_kind, remove_chain, rename_chain, set_cap, set_port,
    set_straddle,
};
use crate::model::supply::MAX_MILLIAMPS;
use crate::units::{DmxAddress, MAX_UNIVERSES, UNIVERSE_CHANNELS};
use egui::{Ui, vec2};

/// The most fixtures that are added at once.
const MOST: u32 = 4096;
/// Height of a pad between fields, points.
const PAD: f32 = 36.0;

pub(super) fn chain_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, chain: &Chain) {
    ui.push_id(chain.id.0, |ui| {
        form_ui(ui, page, view, chain);
        add_ui(ui, page, view, chain);
        fixtures_ui(ui, page, view, Rows::Chain(chain));
        if chain.links.is_empty() {
            fields::hint(
                ui,
                "No fixtures yet. They follow each other on this data line in the order that you add them.",
            );
        }
    });
}

/// The fixtures on no chain.
pub(super) fn loose_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View) {
    title_ui(ui, "On no chain");
    fields::hint(ui, "These are sent nothing. Drag them by their grips to a chain, or to a place of it.");
    let loose = view.sums.as_ref().map(|sums| sums.loose.clone()).unwrap_or_default();
    fixtures_ui(ui, page, view, Rows::Loose(&loose));
    if loose.is_empty() {
        fields::hint(ui, "All fixtures are on chains.");
    }
}

/// What a project without a patch begins with.
pub(super) fn begin_ui(ui: &mut Ui, page: &mut Page<'_>) {
    fields::hint(
        ui,
        "Nothing is patched yet. A chain is one data line of a node: it starts at its port, a universe and a channel, \
         and its fixtures follow each other from there.",
    );
    ui.add_space(theme::STEP);
    if pad(ui, vec2(160.0, theme::TOUCH), &PadLook::quiet("Add the first chain", "Add a chain")).clicked() {
        let (_, edit) = add_chain(&page.snapshot.project);
        page.edit(edit, None);
    }
}

fn form_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, chain: &Chain) {
    let project = &page.snapshot.project;
    if let Some(name) = fields::text(ui, "Name", &chain.name, a_name) {
        page.edit(rename_chain(chain, name), None);
    }
    port_ui(ui, page, view, chain);
    refused_ui(ui, view);
    let straddles = [
        (Straddle::WholePixels, "Its last whole pixel"),
        (Straddle::Packed, "A part of a pixel that goes on in the next"),
    ];
    if let Some(straddle) = fields::choice(ui, "Universe ends with", chain.straddle, &straddles) {
        page.attempt(view, set_straddle(project, chain.id, straddle), None);
    }
    cap_ui(ui, page, chain);
    ui.add_space(theme::HALF);
    ui.horizontal_wrapped(|ui| {
        if small_pad(ui, "Assign addresses anew", "Assign addresses anew", !chain.links.is_empty(), theme::TEXT_QUIET) {
            page.attempt(view, assign_anew(project, chain.id), None);
        }
        if small_pad(ui, &format!("Delete {}", chain.name), "Delete chain", true, theme::RED) {
            page.edit(remove_chain(project, chain.id), None);
        }
    });
}

/// Universe and channel. Those of a chain with fixtures change all their addresses.
fn port_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, chain: &Chain) {
    let project = &page.snapshot.project;
    let drafted = view.port.filter(|(id, _)| *id == chain.id).map(|(_, port)| port);
    let free = || first_free(project).unwrap_or(PatchAddress { universe: 0, channel: DmxAddress::FIRST });
    let port = chain.port().or(drafted).unwrap_or_else(free);
    let last = MAX_UNIVERSES as u16 - 1;
    let first = page.first;
    let universes = first..=last + first;
    let channels = 1..=UNIVERSE_CHANNELS as u16;
    let (universe, channel) = match ui.available_width() < NARROW {
        true => (
            fields::number(ui, "Universe", port.universe + first, universes, ""),
            fields::number(ui, "Channel", port.channel.get(), channels, ""),
        ),
        false => fields::row(ui, "Port", |ui| {
            ui.spacing_mut().item_spacing.x = theme::STEP;
            let universe = fields::bare_number(ui, "Universe", port.universe + first, universes, "");
            ui.label(super::list::quiet("channel"));
            (universe, fields::bare_number(ui, "Channel", port.channel.get(), channels, ""))
        }),
    };
    let changed = match (universe, channel) {
        (Some((universe, gesture)), _) => {
            Some((PatchAddress { universe: universe.saturating_sub(first), ..port }, gesture))
        }
        (_, Some((channel, gesture))) => {
            DmxAddress::new(channel).map(|channel| (PatchAddress { channel, ..port }, gesture))
        }
        _ => None,
    };
    let Some((port, gesture)) = changed else { return };
    match chain.links.is_empty() {
        true => view.port = Some((chain.id, port)),
        false => page.attempt(view, set_port(project, chain.id, port), gesture),
    }
}

fn cap_ui(ui: &mut Ui, page: &mut Page<'_>, chain: &Chain) {
    let shown = chain.cap_ma.map(|cap| format!("{}", cap / 1000.0)).unwrap_or_default();
    let parse = |text: &str| {
        let text = text.trim().trim_end_matches(['A', 'a']).trim();
        let amps = |amps: f64| (0.0..=MAX_MILLIAMPS / 1000.0).contains(&amps);
        match text {
            "" => Ok(None),
            text => text
                .parse::<f64>()
                .ok()
                .filter(|number| amps(*number))
                .map(|amps| Some((amps * 1000.0) as f32))
                .ok_or_else(|| {
                    "Write how many A its port can give, or nothing for as many as are asked for".to_owned()
                }),
        }
    };
    if let Some(cap) = fields::text(ui, "Power cap, A", &shown, parse) {
        page.edit(set_cap(chain, cap), None);
    }
}

/// Adds fixtures of a kind; where there is none, a first kind.
fn add_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, chain: &Chain) {
    let project = &page.snapshot.project;
    fields::heading(ui, "Fixtures");
    let Some(usual) = usual_kind(page, view, chain) else {
        fields::hint(ui, "There is no kind of fixture yet. A kind says how many pixels a fixture has, and where.");
        ui.add_space(theme::HALF);
        let look = PadLook::quiet("Add a strip of 60 RGB pixels", "Add a kind: strip of 60 RGB pixels, 1 m");
        if pad(ui, vec2(ui.available_width().clamp(0.0, 320.0), theme::TOUCH), &look).clicked() {
            let (id, edit) = first_kind(project);
            page.edit(edit, None);
            view.kind = Some(id);
        }
        return;
    };
    let kinds: Vec<(DefinitionId, &str)> =
        project.definitions.iter().map(|kind| (kind.id, kind.name.as_str())).collect();
    if let Some(kind) = fields::choice(ui, "Kind", usual, &kinds) {
        view.kind = Some(kind);
    }
    let count = view.count.unwrap_or(1);
    let text = if count == 1 { "Add fixture".to_owned() } else { format!("Add {count} fixtures") };
    let narrow = ui.available_width() < NARROW;
    let mut wanted = false;
    fields::row(ui, "Count", |ui| {
        if let Some((count, _)) = fields::bare_number(ui, "Count", count, 1..=MOST, "") {
            view.count = Some(count);
        }
        wanted = !narrow && small_pad(ui, "Add fixtures", &text, true, theme::TEXT);
    });
    if narrow {
        wanted = small_pad(ui, "Add fixtures", &text, true, theme::TEXT);
    }
    if !wanted {
        return;
    }
    let port = view.port.filter(|(id, _)| *id == chain.id).map(|(_, port)| port);
    match add_fixtures(project, Some(chain.id), usual, count as usize, port) {
        Ok((new, edit)) => {
            page.edit(edit, None);
            view.cursor = new.last().copied();
            view.select(new);
        }
        Err(error) => view.refused = Some(error.told(page.first)),
    }
}

/// The kind that was chosen, else that of the last fixture of the chain, else the first there is.
fn usual_kind(page: &Page<'_>, view: &View, chain: &Chain) -> Option<DefinitionId> {
    let project = &page.snapshot.project;
    let chosen = view.kind.filter(|kind| project.definitions.contains(*kind));
    let last = || chain.links.last().and_then(|link| kind_of(project, link.fixture)).map(|kind| kind.id);
    chosen.or_else(last).or_else(|| project.definitions.iter().next().map(|kind| kind.id))
}

/// The fixtures as lines, and what can be done with those that are selected.
fn fixtures_ui(ui: &mut Ui, page: &mut Page<'_>, view: &mut View, rows: Rows<'_>) {
    let any = !view.selected.is_empty();
    let on_chain = matches!(rows, Rows::Chain(_));
    let mut deed = None;
    ui.horizontal_wrapped(|ui| {
        let pads = [
            ("Duplicate fixtures", "Duplicate", Deed::Duplicate, true, theme::TEXT_QUIET),
            ("Move fixtures up", "Up", Deed::Up, on_chain, theme::TEXT_QUIET),
            ("Move fixtures down", "Down", Deed::Down, on_chain, theme::TEXT_QUIET),
            ("Take fixtures off the chain", "Off the chain", Deed::Off, on_chain, theme::TEXT_QUIET),
            ("Delete fixtures", "Delete", Deed::Delete, true, theme::RED),
        ];
        for (label, text, what, shown, colour) in pads {
            if shown && small_pad(ui, label, text, any, colour) {
                deed = Some(what);
            }
        }
    });
    ui.add_space(theme::HALF);
    if !on_chain {
        refused_ui(ui, view);
    }
    if let Some(deed) = deed {
        perform(page, view, deed);
    }
    rows_ui(ui, page, view, rows);
}

/// A pad as wide as its words.
pub(super) fn small_pad(ui: &mut Ui, label: &str, text: &str, enabled: bool, colour: egui::Color32) -> bool {
    let font = theme::strong(theme::SMALL);
    let width = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), colour).size().x + 3.0 * theme::STEP;
    let look = PadLook { font, colour, ..PadLook::quiet(label, text) };
    ui.add_enabled_ui(enabled, |ui| pad(ui, vec2(width, PAD), &look)).inner.clicked()
}

/// Leads to a chain.
pub(super) fn show_chain(view: &mut View, id: ChainId) {
    view.choose(Chosen::Chain(id));
}

/// Brings another panel to the front.
pub(super) fn show_panel(page: &mut Page<'_>, panel: Panel) {
    page.wishes.push(Action::Show(panel));
}
