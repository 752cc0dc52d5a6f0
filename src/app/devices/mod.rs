//! Devices: who is sent light, how, and which universes; each can be found in the room by a blink.
//!
//! Runs on the ui thread; reads the snapshot and returns wishes. Deliberately absent: nodes that no device stands for,
//! which `nodes` shows.

mod form;
mod routes;

use super::action::Action;
use super::blink::{BLINK, blink_ui, follow_blink, patterns_ui};
use super::interfaces::Names;
use super::widgets::{PadLook, elided, focus_ring, line_ground, pad};
use super::{fields, theme};
use crate::model::device::{Ddp, Device, Enttec, Protocol, Sacn};
use crate::model::edit::{Edit, Entry};
use crate::model::id::DeviceId;
use crate::model::project::Project;
use crate::model::references::Key;
use crate::output::stats::OutputStats;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use crate::show::test_pattern::Target;
use egui::accesskit::Role;
use egui::{Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

/// Height of a device in the list, points.
const LINE: f32 = 48.0;
/// Lists narrower than this have the form below, points.
const SIDE_BY_SIDE: f32 = 720.0;
/// Width of the list beside a form, points.
const LIST: f32 = 300.0;

/// What is worked at.
#[derive(Debug, Default)]
pub struct View {
    /// Which device.
    chosen: Option<DeviceId>,
    /// What a device may leave by.
    interfaces: Names,
    /// What the pointer is on the lamp of, in this frame.
    hovered: Option<Target>,
    /// What blinks because of that.
    blinking: Option<Target>,
}

/// What the panel reads.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The show.
    pub snapshot: &'a Snapshot,
    /// What went out.
    pub output: &'a OutputStats,
    /// The number that the first universe has on the screen.
    pub first: u16,
}

/// Shows the panel.
pub fn devices_ui(ui: &mut Ui, shown: Shown<'_>, view: &mut View) -> Vec<Action> {
    let Shown { snapshot, output, .. } = shown;
    let project = &snapshot.project;
    view.chosen = view.chosen.filter(|id| project.devices.contains(*id));
    let mut wishes = Vec::new();
    view.hovered = None;
    let room = ui.max_rect().shrink(2.0 * theme::STEP);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    let wide = room.width() >= SIDE_BY_SIDE;
    let list = if wide { Rect::from_min_max(room.min, pos2(room.left() + LIST, room.bottom())) } else { room };
    let mut side = ui.new_child(UiBuilder::new().id_salt("list").max_rect(list));
    ScrollArea::vertical().id_salt("devices").auto_shrink(false).show(&mut side, |ui| {
        add_ui(ui, project, view, &mut wishes);
        ui.spacing_mut().item_spacing.y = 2.0;
        for device in project.devices.iter() {
            device_ui(ui, snapshot, output, device, view);
            if !wide && view.chosen == Some(device.id) {
                one_ui(ui, shown, device, view, &mut wishes);
            }
        }
        if project.devices.is_empty() {
            fields::hint(ui, "Nobody is sent light yet. Add a device, or take one from the nodes that were found.");
        }
    });
    if wide {
        let rest = Rect::from_min_max(pos2(list.right() + 3.0 * theme::STEP, room.top()), room.max);
        let mut ui = ui.new_child(UiBuilder::new().id_salt("form").max_rect(rest));
        if let Some(device) = view.chosen.and_then(|id| project.devices.get(id)) {
            ScrollArea::vertical().id_salt("device").auto_shrink(false).show(&mut ui, |ui| {
                one_ui(ui, shown, device, view, &mut wishes);
            });
        } else if !project.devices.is_empty() {
            fields::hint(&mut ui, "Choose a device to see how it is sent its light.");
        }
    }
    wishes.extend(follow_blink(snapshot, &mut view.blinking, view.hovered));
    wishes
}

/// Everything about one device.
fn one_ui(ui: &mut Ui, shown: Shown<'_>, device: &Device, view: &mut View, wishes: &mut Vec<Action>) {
    let Shown { snapshot, first, .. } = shown;
    ui.push_id(device.id.0, |ui| {
        ui.spacing_mut().item_spacing.y = theme::HALF;
        patterns_ui(ui, snapshot, Target::Device(device.id), wishes);
        let now = ui.input(|input| input.time);
        wishes.extend(form::form_ui(ui, device, view.interfaces.at(now)));
        wishes.extend(routes::routes_ui(ui, &snapshot.project, (device, first), &mut view.hovered));
        ui.add_space(2.0 * theme::STEP);
        let label = format!("Delete {}", device.name);
        let look = PadLook { colour: theme::RED, ..PadLook::quiet(&label, "Delete this device and its routes") };
        if pad(ui, vec2(ui.available_width().min(280.0), theme::TOUCH), &look).clicked() {
            wishes.push(edit(delete(&snapshot.project, device.id)));
        }
        ui.add_space(3.0 * theme::STEP);
    });
}

/// An edit as a wish, a step of undo by itself.
fn edit(edit: Edit) -> Action {
    Command::Edit { edit, gesture: None }.into()
}

/// Removes a device and what is routed to it.
fn delete(project: &Project, id: DeviceId) -> Edit {
    let routes = project.routes.iter().filter(|route| route.device == id);
    let mut edits: Vec<Edit> = routes.map(|route| Edit::Remove(Key::Route(route.id))).collect();
    edits.push(Edit::Remove(Key::Device(id)));
    Edit::Batch(edits)
}

/// Adds a device of any protocol.
fn add_ui(ui: &mut Ui, project: &Project, view: &mut View, wishes: &mut Vec<Action>) {
    let id = DeviceId(project.devices.iter().next_back().map_or(1, |last| last.id.0.saturating_add(1)));
    let new = |port: u16| std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let kinds: [(&str, Protocol); 4] = [
        ("Art-Net node", Protocol::ArtNet { address: new(crate::model::device::ARTNET_PORT) }),
        ("sACN node", Protocol::Sacn(Sacn::default())),
        ("DMX on USB", Protocol::Enttec(Enttec::default())),
        (
            "DDP controller",
            Protocol::Ddp(Ddp {
                address: new(crate::model::device::DDP_PORT),
                pixels: Default::default(),
                channels: None,
            }),
        ),
    ];
    ui.horizontal(|ui| {
        ui.label(RichText::new("Devices").font(theme::strong(theme::BODY)).color(theme::TEXT));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.visuals_mut().widgets.inactive.weak_bg_fill = theme::SURFACE;
            ui.menu_button("Add…", |ui| {
                for (name, protocol) in kinds {
                    if ui.button(name).clicked() {
                        let device = Device::new(id, format!("{name} {}", id.0), protocol);
                        wishes.push(edit(Edit::Put(Entry::Device(device.into()))));
                        view.chosen = Some(id);
                        ui.close();
                    }
                }
            });
        });
    });
    ui.add_space(theme::STEP);
}

/// A device in the list: its state, its name, what it is sent; a click chooses it.
fn device_ui(ui: &mut Ui, snapshot: &Snapshot, output: &OutputStats, device: &Device, view: &mut View) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let chosen = view.chosen == Some(device.id);
    let universes: usize =
        snapshot.project.routes.iter().filter(|route| route.device == device.id).map(|r| usize::from(r.count)).sum();
    let errors = output.devices.iter().find(|of| of.device == Some(device.id)).map_or(0, |of| of.errors);
    let below = summary(device, universes);
    response.widget_info(|| {
        let state = if errors > 0 { format!(", {errors} packets refused") } else { String::new() };
        WidgetInfo::selected(Role::ListItem, true, chosen, format!("Device {}, {below}{state}", device.name))
    });
    let painter = ui.painter();
    line_ground(painter, &response, chosen);
    let left = rect.left() + 2.0 * theme::STEP;
    let right = rect.right() - BLINK;
    elided(painter, pos2(left, rect.top() + 16.0), right, (&device.name, theme::strong(theme::BODY), theme::TEXT));
    let (words, ink) = match errors {
        0 => (below, theme::TEXT_FAINT),
        _ => (format!("{} packets refused", super::status_bar::grouped(errors)), theme::RED),
    };
    elided(painter, pos2(left, rect.top() + 33.0), right, (&words, theme::small(), ink));
    focus_ring(ui, &response);
    if response.clicked() {
        view.chosen = if chosen { None } else { Some(device.id) };
    }
    let lamp = Rect::from_min_max(pos2(rect.right() - BLINK, rect.top()), rect.max);
    blink_ui(ui, lamp, Target::Device(device.id), &device.name, &mut view.hovered);
}

/// Protocol, address and size in a line.
fn summary(device: &Device, universes: usize) -> String {
    let place = match &device.protocol {
        Protocol::ArtNet { address } => format!("Art-Net {address}"),
        Protocol::Sacn(Sacn { address: Some(address), .. }) => format!("sACN {address}"),
        Protocol::Sacn(_) => "sACN multicast".to_owned(),
        Protocol::Ddp(ddp) => format!("DDP {}", ddp.address),
        Protocol::Enttec(enttec) if enttec.port.is_empty() => "USB, the first one found".to_owned(),
        Protocol::Enttec(enttec) => format!("USB {}", enttec.port),
    };
    match universes {
        0 => format!("{place}, nothing is sent"),
        1 => format!("{place}, 1 universe"),
        _ => format!("{place}, {universes} universes"),
    }
}
