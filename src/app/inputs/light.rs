//! Light from other consoles: what routes merge, who sends it, and who sends what this show sends too.
//!
//! Runs on the ui thread; shows what the bridge hears. Deliberately absent: changing a route, which the panel of
//! devices does.

use super::super::action::Action;
use super::super::fields::hint;
use super::super::theme;
use super::super::widgets::{PadLook, pad};
use super::super::workspace::Panel;
use super::Shown;
use crate::input::bridge::heard::Sender;
use crate::input::bridge::sources::RELEASED;
use crate::model::device::{Incoming, MergeRule, Route};
use crate::output::discovery::roll::ports_text;
use egui::{Color32, Label, RichText, Sense, Ui, vec2};
use std::collections::BTreeSet;
use std::time::Duration;

/// Senders that are listed; of more it is said how many.
const MOST: usize = 64;

/// Shows the section.
pub(super) fn light_ui(ui: &mut Ui, shown: &Shown<'_>) -> Option<Action> {
    let project = &shown.snapshot.project;
    let merging: Vec<&Route> =
        project.routes.iter().filter(|route| route.merge.is_some()).map(|route| &**route).collect();
    for route in &merging {
        route_ui(ui, shown, route);
    }
    let artnet = |route: &&Route| matches!(route.merge.map(|merge| merge.from), Some(Incoming::ArtNet(_)));
    if !shown.listens && merging.iter().any(artnet) {
        hint(ui, "Art-Net of others is not heard: nobody on the network was asked yet, or discovery is off.");
    }
    let mut devices = false;
    if merging.is_empty() {
        hint(ui, "No route merges light of another console. Which one does is said beside the route, under Devices.");
        let look = PadLook::quiet("Show routes", "Show devices");
        devices = pad(ui, vec2(136.0, 32.0), &look).clicked();
    }
    if !shown.heard.others.is_empty() {
        ui.add_space(theme::STEP);
        super::super::fields::heading(ui, "They send what this show sends");
        hint(ui, "Lamps may flicker between the two. End one of them, or merge the other in the route.");
    }
    for sender in shown.heard.others.iter().take(MOST) {
        let device = sender.ours.and_then(|id| project.devices.get(id)).map_or("", |device| device.name.as_str());
        let also = format!("{}, which goes to {device}", universe_text(sender.universe, shown.first));
        sender_ui(ui, shown, sender, &also);
    }
    devices.then_some(Action::Panel(Panel::Devices))
}

/// A route that merges, and who sends what it takes.
fn route_ui(ui: &mut Ui, shown: &Shown<'_>, route: &Route) {
    let Some(merge) = route.merge else { return };
    let taken: BTreeSet<Incoming> = route.merged().map(|(_, from, _)| from).collect();
    let rule = match merge.rule {
        MergeRule::Htp => "the higher wins",
        MergeRule::Ltp => "the latest wins",
    };
    let (Some(from), Some(to)) = (taken.first(), taken.last()) else { return };
    let what = match from == to {
        true => universe_text(*from, shown.first),
        false => format!("{} to {}", universe_text(*from, shown.first), number_text(*to, shown.first)),
    };
    let device = shown.snapshot.project.devices.get(route.device).map_or("nobody", |device| device.name.as_str());
    let place = u32::from(route.universe) + u32::from(shown.first);
    let words = format!("{what} into universe {place} on, for {device}; {rule}");
    ui.add_space(theme::HALF);
    ui.add(Label::new(RichText::new(words).font(theme::body()).color(theme::TEXT_QUIET)).wrap());
    let senders: Vec<&Sender> = shown.heard.merged.iter().filter(|sender| taken.contains(&sender.universe)).collect();
    for sender in senders.iter().take(MOST) {
        sender_ui(ui, shown, sender, &universe_text(sender.universe, shown.first));
    }
    if senders.len() > MOST {
        hint(ui, &format!("and {} more", senders.len() - MOST));
    }
    let heard: BTreeSet<Incoming> = senders.iter().map(|sender| sender.universe).collect();
    match taken.len() - heard.len() {
        0 => {}
        missing if missing == taken.len() => hint(ui, "Nobody sends it. The show's own light goes out."),
        missing => hint(ui, &format!("{missing} of {} universes come from nobody.", taken.len())),
    }
}

/// Somebody who sends: a full disc for who is heard, a ring for who is not, and the same in words.
fn sender_ui(ui: &mut Ui, shown: &Shown<'_>, sender: &Sender, what: &str) {
    let silent = sender.silent_since.map(|since| shown.now.saturating_duration_since(since));
    if silent.is_some() {
        // Seconds are counted while they are looked at.
        ui.ctx().request_repaint_after(Duration::from_secs(1));
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 3.0 * theme::STEP;
        let (mark, _) = ui.allocate_exact_size(vec2(2.0 * theme::STEP, 3.0 * theme::STEP), Sense::hover());
        match silent {
            None => ui.painter().circle_filled(mark.center(), 4.0, theme::GREEN),
            Some(_) => ui.painter().circle_stroke(mark.center(), 3.5, (1.5, theme::TEXT_FAINT)),
        };
        let who = match sender.name.as_str() {
            "" => sender.from.to_string(),
            name => format!("{name} ({})", sender.from),
        };
        let text = |text: String, ink: Color32| Label::new(RichText::new(text).font(theme::small()).color(ink));
        ui.add(text(who, theme::TEXT));
        ui.add(text(format!("{what}; {}", state_text(sender, silent)), theme::TEXT_QUIET).truncate());
    });
}

/// What a sender does, in words.
fn state_text(sender: &Sender, silent: Option<Duration>) -> String {
    let mut words = sender.priority.map(|priority| format!("priority {priority}, ")).unwrap_or_default();
    match silent {
        None => words.push_str("sends now"),
        Some(silent) => words.push_str(&format!("silent for {} s", silent.as_secs())),
    }
    if sender.ours.is_none() {
        match silent {
            _ if !sender.counts => words.push_str(", does not count beside the others"),
            Some(_) => words.push_str(&format!(", let go after {} s", RELEASED.as_secs())),
            None => {}
        }
    }
    words
}

fn universe_text(universe: Incoming, first: u16) -> String {
    match universe {
        Incoming::ArtNet(_) => format!("Art-Net {}", number_text(universe, first)),
        Incoming::Sacn(_) => format!("sACN {}", number_text(universe, first)),
    }
}

fn number_text(universe: Incoming, first: u16) -> String {
    match universe {
        Incoming::ArtNet(port) => ports_text(&[port], first),
        Incoming::Sacn(universe) => universe.to_string(),
    }
}
