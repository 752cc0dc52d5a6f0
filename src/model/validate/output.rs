//! Repair of devices and routes.

use super::repairs::{Repairs, revise};
use crate::model::device::RateLimit;
use crate::model::project::Project;
use crate::units::{MAX_UNIVERSES, PortAddress};

pub(super) fn devices(project: &mut Project, repairs: &mut Repairs) {
    revise(&mut project.devices, |device| {
        let item = format!("device `{}` ({})", device.name, device.id);
        if let RateLimit::Fps(fps) = &mut device.rate {
            repairs.bound_f32(&item, "its rate", fps, 1.0..=1000.0, 44.0);
        }
        let mut burst = u32::from(device.burst);
        repairs.bound_u32(&item, "its burst", &mut burst, 1..=64);
        device.burst = burst as u8;
        true
    });
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
            return true;
        };
        repairs.note(&item, dropped, "the route was left out");
        false
    });
}
