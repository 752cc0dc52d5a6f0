//! The fields of a device.
//!
//! Runs on the ui thread. Each entry is an edit of its own; a drag is one step of undo.

use super::super::action::Action;
use super::super::fields::{choice, heading, hint, number, switch, text};
use crate::model::device::{Ddp, DdpPixels, Device, Enttec, Mk2Api, Protocol, RateLimit, Refresh, SACN_PORT, Sacn};
use crate::model::edit::{Edit, Entry};
use crate::show::command::Command;
use crate::units::UNIVERSE_CHANNELS;
use egui::Ui;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Shows the fields, returns the edits.
pub(super) fn form_ui(ui: &mut Ui, device: &Device, interfaces: &[String]) -> Vec<Action> {
    let mut changes: Vec<(Device, Option<u64>)> = Vec::new();
    heading(ui, "Device");
    if let Some(name) = text(ui, "Name", &device.name, |text| Ok::<_, String>(text.trim().to_owned())) {
        changes.push((Device { name, ..device.clone() }, None));
    }
    let protocol = match &device.protocol {
        Protocol::ArtNet { address } => address_ui(ui, *address).map(|address| (Protocol::ArtNet { address }, None)),
        Protocol::Sacn(sacn) => sacn_ui(ui, sacn).map(|(sacn, gesture)| (Protocol::Sacn(sacn), gesture)),
        Protocol::Ddp(ddp) => ddp_ui(ui, *ddp).map(|(ddp, gesture)| (Protocol::Ddp(ddp), gesture)),
        Protocol::Enttec(enttec) => port_ui(ui, enttec).map(|enttec| (Protocol::Enttec(enttec), None)),
    };
    changes.extend(protocol.map(|(protocol, gesture)| (Device { protocol, ..device.clone() }, gesture)));
    let usb = matches!(device.protocol, Protocol::Enttec(_));
    if let Some(interface) = (!usb).then(|| interface_ui(ui, device, interfaces)).flatten() {
        changes.push((Device { interface, ..device.clone() }, None));
    }
    changes.extend(pace_ui(ui, device));
    let put = |(device, gesture): (Device, _)| {
        Command::Edit { edit: Edit::Put(Entry::Device(device.into())), gesture }.into()
    };
    changes.into_iter().map(put).collect()
}

fn parse_address(text: &str, port: u16) -> Result<SocketAddr, String> {
    let text = text.trim();
    let bare = || text.parse::<Ipv4Addr>().ok().map(|ip| SocketAddr::new(IpAddr::V4(ip), port));
    text.parse().ok().or_else(bare).ok_or_else(|| format!("Write an address, such as 2.0.0.10 or 2.0.0.10:{port}"))
}

fn address_ui(ui: &mut Ui, address: SocketAddr) -> Option<SocketAddr> {
    text(ui, "Address", &address.to_string(), |text| parse_address(text, address.port()))
}

fn port_ui(ui: &mut Ui, enttec: &Enttec) -> Option<Enttec> {
    hint(ui, "A device path, or the serial number of the interface; empty for the first that is found.");
    if let Some(port) = text(ui, "Port", &enttec.port, |text| Ok::<_, String>(text.trim().to_owned())) {
        return Some(Enttec { port, ..enttec.clone() });
    }
    let shown = enttec.mk2.map(|mk2| format!("{:08X} {} {}", mk2.key, mk2.assign, mk2.send)).unwrap_or_default();
    let mk2 = text(ui, "Second line", &shown, parse_mk2);
    hint(
        ui,
        "Of a Pro Mk2: its API key and the labels of its messages that assign the ports and that send the second line, \
         as Enttec gives them. Empty leaves the second line alone.",
    );
    mk2.map(|mk2| Enttec { mk2, ..enttec.clone() })
}

/// The key in hexadecimal digits and two labels, or nothing. All at once, so that no half of it is ever sent.
fn parse_mk2(text: &str) -> Result<Option<Mk2Api>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [key, assign, send] = words[..] else {
        return if words.is_empty() { Ok(None) } else { Err("Write a key and two labels, or nothing".to_owned()) };
    };
    let digits = key.trim_start_matches("0x");
    let key = u32::from_str_radix(digits, 16).map_err(|_| format!("`{key}` is no key of eight hexadecimal digits"))?;
    let label = |text: &str| text.parse::<u8>().map_err(|_| format!("`{text}` is no label, 15 to 255"));
    let mk2 = Mk2Api { key, assign: label(assign)?, send: label(send)? };
    match mk2.is_sound() {
        true => Ok(Some(mk2)),
        false => Err(format!("Labels are two different ones above {}", Mk2Api::LAST_COMMON_LABEL)),
    }
}

/// The interface that packets leave by; one that is not there now stays chosen.
fn interface_ui(ui: &mut Ui, device: &Device, interfaces: &[String]) -> Option<Option<String>> {
    let current = device.interface.as_deref();
    let mut all = vec![(None, "As the system routes them")];
    all.extend(interfaces.iter().map(|name| (Some(name.as_str()), name.as_str())));
    if let Some(name) = current.filter(|name| interfaces.iter().all(|known| known != name)) {
        all.push((Some(name), name));
    }
    choice(ui, "Leaves by", current, &all).map(|chosen| chosen.map(str::to_owned))
}

fn sacn_ui(ui: &mut Ui, sacn: &Sacn) -> Option<(Sacn, Option<u64>)> {
    let shown = sacn.address.map(|address| address.to_string()).unwrap_or_default();
    let parse = |text: &str| match text.trim() {
        "" => Ok(None),
        text => parse_address(text, SACN_PORT).map(Some),
    };
    if let Some(address) = text(ui, "Address", &shown, parse) {
        return Some((Sacn { address, ..sacn.clone() }, None));
    }
    if sacn.address.is_none() {
        hint(ui, "Without an address each universe goes to its own multicast group.");
    }
    let first = number(ui, "First universe", sacn.first_universe, 1..=Sacn::MAX_UNIVERSE, "");
    if let Some((first_universe, gesture)) = first {
        return Some((Sacn { first_universe, ..sacn.clone() }, gesture));
    }
    if let Some((priority, gesture)) = number(ui, "Priority", sacn.priority, 0..=Sacn::MAX_PRIORITY, "") {
        return Some((Sacn { priority, ..sacn.clone() }, gesture));
    }
    if sacn.address.is_none() {
        if let Some((ttl, gesture)) = number(ui, "Hops", sacn.ttl, 1..=255, "") {
            return Some((Sacn { ttl, ..sacn.clone() }, gesture));
        }
        hint(ui, "Routers that multicast passes, plus one.");
    }
    let shown = sacn.sync_universe.map(|universe| universe.to_string()).unwrap_or_default();
    let parse = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text
            .parse()
            .ok()
            .filter(|universe| (1..=Sacn::MAX_UNIVERSE).contains(universe))
            .map(Some)
            .ok_or_else(|| format!("Write a universe, 1 to {}, or nothing for no sync", Sacn::MAX_UNIVERSE)),
    };
    text(ui, "Sync universe", &shown, parse).map(|sync_universe| (Sacn { sync_universe, ..sacn.clone() }, None))
}

fn ddp_ui(ui: &mut Ui, ddp: Ddp) -> Option<(Ddp, Option<u64>)> {
    if let Some(address) = address_ui(ui, ddp.address) {
        return Some((Ddp { address, ..ddp }, None));
    }
    let kinds = [(DdpPixels::Rgb, "RGB, 3 bytes"), (DdpPixels::Rgbw, "RGBW, 4 bytes")];
    if let Some(pixels) = choice(ui, "Pixels", ddp.pixels, &kinds) {
        return Some((Ddp { pixels, ..ddp }, None));
    }
    let shown = ddp.channels.map(|channels| channels.to_string()).unwrap_or_default();
    let most = UNIVERSE_CHANNELS as u16;
    let parse = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text
            .parse()
            .ok()
            .filter(|channels| (1..=most).contains(channels))
            .map(Some)
            .ok_or_else(|| format!("Write a number, 1 to {most}, or nothing")),
    };
    let channels = text(ui, "Channels", &shown, parse);
    hint(ui, "Of each universe that are pixels; empty for as many as make whole ones.");
    channels.map(|channels| (Ddp { channels, ..ddp }, None))
}

/// How fast and in which shape it is sent its frames.
fn pace_ui(ui: &mut Ui, device: &Device) -> Option<(Device, Option<u64>)> {
    heading(ui, "Sending");
    let mut changed = None;
    let limited = matches!(device.rate, RateLimit::Fps(_));
    let kinds = [(true, "At most so many a second"), (false, "As fast as frames are rendered")];
    if let Some(limited) = choice(ui, "Frames", limited, &kinds) {
        let rate = if limited { RateLimit::default() } else { RateLimit::RenderRate };
        changed = Some((Device { rate, ..device.clone() }, None));
    }
    if let RateLimit::Fps(fps) = device.rate
        && let Some((fps, gesture)) = number(ui, "Limit", fps, 1.0..=240.0, " fps")
    {
        changed = Some((Device { rate: RateLimit::Fps(fps), ..device.clone() }, gesture));
    }
    let kinds = [(Refresh::Changed, "When it changed, and once a second"), (Refresh::EveryFrame, "With every frame")];
    if let Some(refresh) = choice(ui, "Universes", device.refresh, &kinds) {
        changed = Some((Device { refresh, ..device.clone() }, None));
    }
    if matches!(device.protocol, Protocol::Enttec(_)) {
        return changed;
    }
    if !matches!(device.protocol, Protocol::Ddp(_))
        && let Some(sync) = switch(ui, "Sync", device.sync, sync_words(device))
    {
        changed = Some((Device { sync, ..device.clone() }, None));
    }
    let words = "Let the kernel split long messages (off for nodes that lose packets)";
    if let Some(offload) = switch(ui, "Offload", device.offload, words) {
        changed = Some((Device { offload, ..device.clone() }, None));
    }
    if let Some((burst, gesture)) = number(ui, "Burst", device.burst, 1..=64, " packets") {
        changed = Some((Device { burst, ..device.clone() }, gesture));
    }
    changed
}

/// What a sync is to this device, and how it travels (users.md A3).
fn sync_words(device: &Device) -> &'static str {
    match &device.protocol {
        Protocol::ArtNet { .. } => "ArtSync after each frame; it goes by unicast, as the data does",
        Protocol::Sacn(Sacn { sync_universe: None, .. }) => "Sync packet after each frame; needs a sync universe",
        Protocol::Sacn(_) => "Sync packet on its universe after each frame",
        Protocol::Ddp(_) | Protocol::Enttec(_) => "",
    }
}
