//! Repair of devices and routes.

use super::repairs::{Repairs, revise};
use crate::model::device::{Enttec, Incoming, Merge, Protocol, RateLimit, Sacn};
use crate::model::project::Project;
use crate::units::{MAX_UNIVERSES, PortAddress, UNIVERSE_CHANNELS};
use std::ops::RangeInclusive;

pub(super) fn devices(project: &mut Project, repairs: &mut Repairs) {
    revise(&mut project.devices, |device| {
        let item = format!("device `{}` ({})", device.name, device.id);
        if let RateLimit::Fps(fps) = &mut device.rate {
            repairs.bound_f32(&item, "its rate", fps, 1.0..=1000.0, 44.0);
        }
        let mut burst = u32::from(device.burst);
        repairs.bound_u32(&item, "its burst", &mut burst, 1..=64);
        device.burst = burst as u8;
        match &mut device.protocol {
            Protocol::ArtNet { .. } => {}
            Protocol::Sacn(sacn) => sacn_ranges(sacn, &item, repairs),
            Protocol::Ddp(ddp) => {
                if let Some(channels) = &mut ddp.channels {
                    bound_u16(&item, "its channels of a universe", channels, 1..=UNIVERSE_CHANNELS as u16, repairs);
                }
            }
            Protocol::Enttec(enttec) => interface(enttec, &item, repairs),
        }
        true
    });
}

fn sacn_ranges(sacn: &mut Sacn, item: &str, repairs: &mut Repairs) {
    bound_u16(item, "its first universe", &mut sacn.first_universe, 1..=Sacn::MAX_UNIVERSE, repairs);
    if let Some(universe) = &mut sacn.sync_universe {
        bound_u16(item, "its sync universe", universe, 1..=Sacn::MAX_UNIVERSE, repairs);
    }
    let [mut priority, mut ttl] = [sacn.priority, sacn.ttl].map(u16::from);
    bound_u16(item, "its priority", &mut priority, 0..=u16::from(Sacn::MAX_PRIORITY), repairs);
    bound_u16(item, "its ttl", &mut ttl, 1..=255, repairs);
    (sacn.priority, sacn.ttl) = (priority as u8, ttl as u8);
}

fn interface(enttec: &mut Enttec, item: &str, repairs: &mut Repairs) {
    let port: String = enttec.port.trim().chars().filter(|char| !char.is_control()).collect();
    if port != enttec.port {
        repairs.note(item, "its port has blanks or control characters around it", format!("set to `{port}`"));
        enttec.port = port;
    }
    if let Some(mk2) = enttec.mk2.take_if(|mk2| !mk2.is_sound()) {
        let fault = format!("its labels {} and {} for the second line are not two above 14", mk2.assign, mk2.send);
        repairs.note(item, fault, "the second line is left alone");
    }
}

fn bound_u16(item: &str, what: &str, value: &mut u16, range: RangeInclusive<u16>, repairs: &mut Repairs) {
    let mut wide = u32::from(*value);
    repairs.bound_u32(item, what, &mut wide, u32::from(*range.start())..=u32::from(*range.end()));
    *value = wide as u16;
}

pub(super) fn routes(project: &mut Project, repairs: &mut Repairs) {
    let devices = &project.devices;
    revise(&mut project.routes, |route| {
        let item = format!("route {}", route.id);
        let dropped = if !devices.contains(route.device) {
            format!("there is no device {}", route.device)
        } else if route.count == 0 {
            "it has no universes".to_owned()
        } else if usize::from(route.universe) >= MAX_UNIVERSES {
            format!("universe {} is past universe {}, the last one", route.universe, MAX_UNIVERSES - 1)
        } else {
            let universes = MAX_UNIVERSES - usize::from(route.universe);
            let ports = usize::from(PortAddress::MAX - route.port.raw()) + 1;
            let room = universes.min(ports) as u32;
            let mut count = u32::from(route.count);
            repairs.bound_u32(&item, "its number of universes", &mut count, 1..=room);
            route.count = count as u16;
            if let Some(merge) = &mut route.merge {
                merged(merge, &item, repairs);
            }
            return true;
        };
        repairs.note(&item, dropped, "the route was left out");
        false
    });
}

fn merged(merge: &mut Merge, item: &str, repairs: &mut Repairs) {
    if let Incoming::Sacn(universe) = &mut merge.from {
        bound_u16(item, "the sACN universe that it merges", universe, 1..=Sacn::MAX_UNIVERSE, repairs);
    }
}
