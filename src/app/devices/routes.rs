//! The routes of a device: which universes of the patch it is sent, and as which of its own.
//!
//! Runs on the ui thread; returns edits.

use super::super::action::Action;
use super::super::blink::{BLINK, blink_ui};
use super::super::fields::{bare_choice, bare_number, heading, hint};
use super::super::widgets::{PadLook, pad};
use super::super::{icons, theme};
use super::edit;
use crate::model::device::{Device, Incoming, Merge, MergeRule, Protocol, Route, Sacn};
use crate::model::edit::{Edit, Entry};
use crate::model::id::RouteId;
use crate::model::project::Project;
use crate::model::references::Key;
use crate::show::command::Command;
use crate::show::test_pattern::Target;
use crate::units::{MAX_UNIVERSES, PortAddress};
use egui::{RichText, Sense, Ui, vec2};
use std::collections::HashMap;

/// Shows the routes of a device.
pub(super) fn routes_ui(
    ui: &mut Ui,
    project: &Project,
    (device, first): (&Device, u16),
    hovered: &mut Option<Target>,
) -> Vec<Action> {
    let mut wishes = Vec::new();
    heading(ui, "Routes");
    let clashes = clashes(project, device);
    for route in project.routes.iter().filter(|route| route.device == device.id) {
        ui.push_id(route.id.0, |ui| route_ui(ui, (device, first), route, hovered, &mut wishes));
        if let Some(other) = clashes.get(&route.id) {
            let words = format!("Route {} leads to the same universe already; that one is sent.", other.0);
            ui.label(RichText::new(words).font(theme::small()).color(theme::RED));
        }
    }
    if !project.routes.iter().any(|route| route.device == device.id) {
        hint(ui, "No universe of the patch is sent to this device yet.");
    }
    let label = format!("Add a route to {}", device.name);
    if pad(ui, vec2(136.0, theme::TOUCH), &PadLook::quiet(&label, "Add a route")).clicked() {
        wishes.push(edit(Edit::Put(Entry::Route(new_route(project, device).into()))));
    }
    wishes
}

/// Universe, count and target in a line, with a lamp that blinks it.
fn route_ui(
    ui: &mut Ui,
    (device, first): (&Device, u16),
    route: &Route,
    hovered: &mut Option<Target>,
    wishes: &mut Vec<Action>,
) {
    let name = format!("route {}", route.id.0);
    let mut changed = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::HALF;
        let word =
            |ui: &mut Ui, text: &str| ui.label(RichText::new(text).font(theme::small()).color(theme::TEXT_FAINT));
        let last = MAX_UNIVERSES as u16 - 1;
        if let Some((universe, gesture)) =
            bare_number(ui, &format!("First universe of {name}"), route.universe + first, first..=last + first, "")
        {
            changed = Some((Route { universe: universe.saturating_sub(first), ..*route }, gesture));
        }
        word(ui, "and");
        let most = MAX_UNIVERSES as u16 - route.universe;
        if let Some((count, gesture)) = bare_number(ui, &format!("Count of {name}"), route.count, 1..=most, "") {
            changed = Some((Route { count, ..*route }, gesture));
        }
        word(ui, "in all, as");
        let port = bare_number(
            ui,
            &format!("Target of {name}"),
            route.port.raw() + first,
            first..=PortAddress::MAX + first,
            "",
        );
        if let Some((port, gesture)) =
            port.and_then(|(raw, gesture)| Some((PortAddress::new(raw.saturating_sub(first))?, gesture)))
        {
            changed = Some((Route { port, ..*route }, gesture));
        }
        if matches!(device.protocol, Protocol::ArtNet { .. }) {
            word(ui, &format!("{}", route.port));
        }
        let (lamp, _) = ui.allocate_exact_size(vec2(BLINK, 4.0 * theme::STEP), Sense::hover());
        blink_ui(ui, lamp, Target::Route(route.id), &name, hovered);
        let remove = format!("Delete {name}");
        if pad(ui, vec2(4.0 * theme::STEP, 4.0 * theme::STEP), &PadLook::quiet(&remove, icons::CLOSE)).clicked() {
            wishes.push(edit(Edit::Remove(Key::Route(route.id))));
        }
    });
    let merged = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::HALF;
        ui.label(RichText::new("with").font(theme::small()).color(theme::TEXT_FAINT));
        let merged = merge_ui(ui, route, first, &name);
        ui.label(RichText::new("merged in").font(theme::small()).color(theme::TEXT_FAINT));
        merged
    });
    if let Some((merge, gesture)) = merged.inner {
        changed = Some((Route { merge, ..*route }, gesture));
    }
    let put = |(route, gesture): (Route, _)| Command::Edit { edit: Edit::Put(Entry::Route(route.into())), gesture };
    wishes.extend(changed.map(put).map(Action::from));
}

/// Whether another console's universes are merged into the route, and which.
fn merge_ui(ui: &mut Ui, route: &Route, first: u16, name: &str) -> Option<(Option<Merge>, Option<u64>)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Nothing,
        ArtNet,
        Sacn,
    }
    let kind = match route.merge.map(|merge| merge.from) {
        None => Kind::Nothing,
        Some(Incoming::ArtNet(_)) => Kind::ArtNet,
        Some(Incoming::Sacn(_)) => Kind::Sacn,
    };
    let rule = route.merge.map(|merge| merge.rule).unwrap_or_default();
    let kinds = [(Kind::Nothing, "nothing"), (Kind::ArtNet, "Art-Net"), (Kind::Sacn, "sACN")];
    let from = |from| Some((Some(Merge { from, rule }), None));
    match bare_choice(ui, &format!("Merged into {name}"), kind, &kinds) {
        Some(Kind::Nothing) => return Some((None, None)),
        Some(Kind::ArtNet) => return from(Incoming::ArtNet(route.port)),
        Some(Kind::Sacn) => return from(Incoming::Sacn(route.universe + 1)),
        None => {}
    }
    let merge = route.merge?;
    let label = format!("Universe merged into {name}");
    let changed = match merge.from {
        Incoming::ArtNet(port) => bare_number(ui, &label, port.raw() + first, first..=PortAddress::MAX + first, "")
            .and_then(|(raw, gesture)| Some((Incoming::ArtNet(PortAddress::new(raw.saturating_sub(first))?), gesture))),
        Incoming::Sacn(universe) => bare_number(ui, &label, universe, 1..=Sacn::MAX_UNIVERSE, "")
            .map(|(universe, gesture)| (Incoming::Sacn(universe), gesture)),
    };
    if let Some((from, gesture)) = changed {
        return Some((Some(Merge { from, ..merge }), gesture));
    }
    let rules = [(MergeRule::Htp, "the higher wins"), (MergeRule::Ltp, "the latest wins")];
    let rule = bare_choice(ui, &format!("Rule of {name}"), merge.rule, &rules)?;
    Some((Some(Merge { rule, ..merge }), None))
}

/// Routes of a device that lead where an earlier one leads already, and which.
fn clashes(project: &Project, device: &Device) -> HashMap<RouteId, RouteId> {
    let mut owners = HashMap::new();
    let mut clashes = HashMap::new();
    for route in project.routes.iter().filter(|route| route.device == device.id) {
        for (_, port) in route.pairs() {
            let owner = *owners.entry(port).or_insert(route.id);
            if owner != route.id {
                clashes.entry(route.id).or_insert(owner);
            }
        }
    }
    clashes
}

/// The next universe that no route carries, to the next that this device is not sent.
fn new_route(project: &Project, device: &Device) -> Route {
    let id = RouteId(project.routes.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    let end = |universe: u16, count: u16| universe.saturating_add(count);
    let own = project.routes.iter().filter(|route| route.device == device.id);
    let port = own.map(|route| end(route.port.raw(), route.count)).max().unwrap_or(0);
    let universe = project.routes.iter().map(|route| end(route.universe, route.count)).max().unwrap_or(0);
    Route {
        id,
        universe: universe.min(MAX_UNIVERSES as u16 - 1),
        count: 1,
        device: device.id,
        port: PortAddress::new(port.min(PortAddress::MAX)).unwrap_or_default(),
        merge: None,
    }
}
