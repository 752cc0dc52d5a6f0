//! What the operator is told of interfaces that devices name and that go, come back or get another address.
//!
//! Pure, with time as an argument; owned by the planner thread. Bounded: an interface is spoken of at most once a
//! minute, except for its coming back, which ends that sentence; devices on it share one. Deliberately absent: what a
//! socket says of a device, which is the lanes' to tell.

use super::interfaces::{Leaving, Source};
use super::plan::Destination;
use crate::notice::Notice;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two sentences about one interface.
const QUIET: Duration = Duration::from_secs(60);
/// More devices than this are counted, not named.
const MOST_NAMES: usize = 3;

/// What was last said of an interface.
#[derive(Default)]
struct Said {
    away: bool,
    address: Option<Ipv4Addr>,
    at: Option<Instant>,
}

/// Remembers what was said, by what the operator calls the interface.
#[derive(Default)]
pub struct Outages(BTreeMap<String, Said>);

impl Outages {
    /// Looks at what is planned; `wanted` says what interface a destination's device names.
    pub fn of<'a>(
        &mut self,
        destinations: &[Arc<Destination>],
        wanted: impl Fn(&Destination) -> Option<&'a str>,
        now: Instant,
    ) -> Vec<Notice> {
        let mut groups: BTreeMap<&str, Vec<&Destination>> = BTreeMap::new();
        for destination in destinations {
            if let Some(name) = wanted(destination) {
                groups.entry(name).or_default().push(destination);
            }
        }
        self.0.retain(|name, _| groups.contains_key(name.as_str()));
        groups.into_iter().filter_map(|(name, devices)| self.look_at(name, &devices, now)).collect()
    }

    fn look_at(&mut self, name: &str, devices: &[&Destination], now: Instant) -> Option<Notice> {
        let first = devices.first()?;
        let said = self.0.entry(name.to_owned()).or_default();
        let spoken = said.at.is_some_and(|at| now.saturating_duration_since(at) < QUIET);
        let are = if devices.len() == 1 { "is" } else { "are" };
        let who = list(devices);
        let notice = match &first.leaving {
            Leaving::AsRouted => return None,
            Leaving::Nowhere(away) => {
                if said.away || spoken {
                    return None;
                }
                (said.away, said.at) = (true, Some(now));
                Notice::warning("output", format!("{name} {away}; {who} {are} sent nothing until it is back."))
            }
            Leaving::From(Source { address, .. }) => {
                let (back, before) = (said.away, said.address);
                if !back && (before.is_none() || before == Some(*address) || spoken) {
                    said.address = before.or(Some(*address));
                    return None;
                }
                // Coming back ends a sentence and starts no minute.
                said.at = if back { said.at } else { Some(now) };
                (said.away, said.address) = (false, Some(*address));
                let is = if back { "is back with" } else { "has now" };
                Notice::info("output", format!("{name} {is} the address {address}; {who} {are} sent everything again."))
            }
        };
        Some(notice.keyed(format!("output interface {name}")))
    }
}

fn list(devices: &[&Destination]) -> String {
    match devices {
        [one] => one.name.clone(),
        [most @ .., last] if devices.len() <= MOST_NAMES => {
            let most: Vec<&str> = most.iter().map(|device| device.name.as_str()).collect();
            format!("{} and {}", most.join(", "), last.name)
        }
        _ => format!("{} devices", devices.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::device::{Device, Route};
    use crate::model::id::{DeviceId, RouteId};
    use crate::model::project::Project;
    use crate::output::cid::Cid;
    use crate::output::interfaces::{InterfaceAddress, NetworkInterface};
    use crate::output::plan::RoutePlan;
    use crate::units::PortAddress;

    /// Devices on eth1, which is as told: its address, and whether it is up; `None` is not there.
    fn said(outages: &mut Outages, devices: u32, eth1: Option<(u8, bool)>, now: Instant) -> Vec<String> {
        let mut project = Project::empty("outages");
        for id in 1..=devices {
            let mut device = Device::artnet(DeviceId(id), format!("wall {id}"), "2.0.0.9:6454".parse().unwrap());
            device.interface = Some("eth1".into());
            project.devices.put(device);
            let (device, port) = (DeviceId(id), PortAddress::default());
            project.routes.put(Route { id: RouteId(id), universe: 0, count: 1, device, port, merge: None });
        }
        let interface = |(host, up)| NetworkInterface {
            name: "eth1".into(),
            index: Some(2),
            addresses: vec![InterfaceAddress { address: [2, 0, 0, host].into(), prefix_bits: 8, broadcast: None }],
            up,
            loopback: false,
            link_mbit_per_sec: None,
        };
        let networks: Vec<_> = eth1.map(interface).into_iter().collect();
        let plan = RoutePlan::compile(&project, &networks, Cid([7; 16]));
        let destinations: Vec<_> = plan.destinations.into_iter().map(Arc::new).collect();
        let named = |of: &Destination| project.devices.get(of.device)?.interface.as_deref();
        outages.of(&destinations, named, now).into_iter().map(|notice| notice.text).collect()
    }

    #[test]
    fn an_interface_that_goes_and_comes_back_is_told_with_what_happens_now() {
        let (mut outages, now) = (Outages::default(), Instant::now());
        let mut check = |devices, eth1, now, expected: &[&str]| {
            assert_eq!(said(&mut outages, devices, eth1, now), expected);
        };
        check(1, Some((1, true)), now, &[]);
        check(1, Some((1, false)), now, &["eth1 is down; wall 1 is sent nothing until it is back."]);
        check(1, None, now, &[]);
        check(1, Some((1, true)), now, &["eth1 is back with the address 2.0.0.1; wall 1 is sent everything again."]);
        check(1, Some((7, true)), now, &[]);
        let later = now + QUIET;
        check(1, Some((7, true)), later, &["eth1 has now the address 2.0.0.7; wall 1 is sent everything again."]);
        let gone = "eth1 is not there or has no address; wall 1, wall 2 and wall 3 are sent nothing until it is back.";
        check(3, None, later + QUIET, &[gone]);
        check(0, None, later + QUIET, &[]);
    }

    #[test]
    fn an_interface_that_flaps_is_told_once_a_minute() {
        let (mut outages, start) = (Outages::default(), Instant::now());
        let told = (0..2400_u32).map(|round| {
            let (now, up) = (start + Duration::from_millis(250) * round, round % 2 == 1);
            said(&mut outages, 5, Some((1 + (round % 4 / 2) as u8, up)), now).len()
        });
        let told: usize = told.sum();
        assert!((20..=30).contains(&told), "{told} sentences in ten minutes");
    }
}
