//! The panel of inputs shows who sends light, and says what becomes of it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui_kittest::kittest::Queryable as _;
use glowdeck::app::settings::Settings;
use glowdeck::app::workspace::Panel;
use glowdeck::input::bridge::heard::{Heard, Sender};
use glowdeck::model::device::{Device, Incoming, Merge, MergeRule, Route};
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::show::command::Command;
use glowdeck::units::PortAddress;
use stand::{Stand, send, settle};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn stand() -> Stand {
    let mut settings = Settings::default();
    settings.workspace.open(Panel::Inputs);
    let mut stand = Stand::shaped(1440.0, 900.0, |window, ctx| window.restored(ctx, settings, None));
    stand.click("Light from other consoles");
    stand.window.run_steps(2);
    stand
}

fn sees(stand: &Stand, label: &str) -> bool {
    stand.window.query_all_by_label(label).next().is_some()
}

/// A device, and a route to it that merges these.
fn merge(stand: &mut Stand, from: Incoming, count: u16) {
    device(stand);
    let (id, device, port) = (RouteId(1), DeviceId(1), PortAddress::default());
    let merge = Some(Merge { from, rule: MergeRule::Htp });
    put(stand, Entry::Route(Route { id, universe: 3, count, device, port, merge }.into()));
}

fn device(stand: &mut Stand) {
    put(stand, Entry::Device(Device::artnet(DeviceId(1), "Wall", "2.0.0.1:6454".parse().unwrap()).into()));
}

fn put(stand: &mut Stand, entry: Entry) {
    send(stand, Command::Edit { edit: Edit::Put(entry), gesture: None });
}

fn sender(host: u8, universe: Incoming) -> Sender {
    let from = Ipv4Addr::new(2, 0, 0, host);
    Sender { universe, from, name: String::new(), priority: None, silent_since: None, counts: true, ours: None }
}

fn hear(stand: &mut Stand, merged: Vec<Sender>, others: Vec<Sender>) {
    stand.console.heard.publish(Arc::new(Heard { merged, others }));
    settle(stand);
}

#[test]
fn without_a_route_that_merges_it_says_where_one_is_made() {
    let mut stand = stand();
    stand.click("Show routes");
    stand.window.run_steps(2);
    assert!(sees(&stand, "Close Devices"));
}

#[test]
fn what_is_merged_is_shown_with_who_sends_it_and_since_when_not() {
    let mut stand = stand();
    let from = Incoming::Sacn(7);
    merge(&mut stand, from, 2);
    let label = |stand: &Stand, part: &str| stand.window.query_all_by_label_contains(part).next().is_some();
    assert!(label(&stand, "sACN 7 to 8 into universe 3 on, for Wall; the higher wins"));
    assert!(sees(&stand, "Nobody sends it. The show's own light goes out."));
    let desk = Sender { name: "Desk".into(), priority: Some(120), ..sender(9, from) };
    let old = Instant::now().checked_sub(Duration::from_secs(4)).unwrap();
    let spare = Sender { priority: Some(90), silent_since: Some(old), counts: false, ..sender(8, from) };
    hear(&mut stand, vec![desk, spare], vec![]);
    assert!(sees(&stand, "Desk (2.0.0.9)") && sees(&stand, "sACN 7; priority 120, sends now"));
    assert!(label(&stand, "sACN 7; priority 90, silent for 4 s, does not count beside the others"));
    assert!(sees(&stand, "1 of 2 universes come from nobody."));
}

#[test]
fn others_that_send_what_the_show_sends_are_named() {
    let mut stand = stand();
    let universe = Incoming::ArtNet(PortAddress::new(0x12).unwrap());
    device(&mut stand);
    let other = Sender { ours: Some(DeviceId(1)), ..sender(5, universe) };
    hear(&mut stand, vec![], vec![other]);
    assert!(sees(&stand, "They send what this show sends") && sees(&stand, "2.0.0.5"));
    assert!(sees(&stand, "Art-Net 0:1:2 (18), which goes to Wall; sends now"));
}
