//! The wire budget: what a show puts on each network link at its full rate, and what the link can carry.
//!
//! Pure; worked out from the routes before the show. The system says which interface leads to a device.

use super::interfaces::{Leaving, NetworkInterface, is_near};
use super::plan::{Destination, Format};
use super::{artnet, ddp, sacn};
use crate::model::device::RateLimit;
use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

/// Bytes around a UDP payload on Ethernet: preamble 8, header 14, IP 20, UDP 8, checksum 4, gap 12 (IEEE 802.3, RFC 791
/// and 768).
const AROUND: usize = 66;
/// The least that a payload takes: Ethernet pads shorter frames (IEEE 802.3).
const LEAST_PAYLOAD: usize = 18;
/// From this share of a link on a show has no room for anything else on it.
const TIGHT: f64 = 0.8;

/// What goes over one interface at full rate, everything changing in every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The system's name of the interface; `None` for devices that no interface leads to.
    pub interface: Option<String>,
    /// Whether it never leaves the machine.
    pub loopback: bool,
    /// Megabits a second that the link carries, where the system says.
    pub link_mbit_per_sec: Option<u32>,
    /// Devices behind it.
    pub devices: usize,
    /// Packets a second.
    pub packets_per_sec: f64,
    /// Megabits a second on the wire, with everything around the packets.
    pub mbit_per_sec: f64,
    /// Megabits of one frame to all devices behind it.
    frame_mbit: f64,
}

impl Budget {
    /// The highest rate at which the link carries whole frames to all devices behind it.
    pub fn highest_fps(&self) -> Option<f64> {
        self.link_mbit_per_sec.filter(|_| self.frame_mbit > 0.0).map(|link| f64::from(link) / self.frame_mbit)
    }

    /// Which share of the link is taken.
    pub fn load(&self) -> Option<f64> {
        self.link_mbit_per_sec.map(|link| self.mbit_per_sec / f64::from(link))
    }

    /// What the operator should know before the show.
    pub fn warning(&self) -> Option<String> {
        let Some(name) = &self.interface else {
            let devices = self.devices;
            return Some(format!(
                "No network leads to {devices} of the devices; they are sent nothing until one does."
            ));
        };
        let (load, fps) = (self.load()?, self.highest_fps()?);
        let percent = load * 100.0;
        match load {
            load if load > 1.0 => Some(format!(
                "{name} is too slow for this show: {:.0} Mbit/s at full rate, the link carries {}; frames will be late. \
                 Lower the devices' rates to {fps:.0} frames a second or use a faster link.",
                self.mbit_per_sec,
                self.link_mbit_per_sec.unwrap_or_default()
            )),
            load if load > TIGHT => {
                Some(format!("{name} is {percent:.0} % full at full rate; keep other traffic away from it."))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Budget {
    /// One line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.interface {
            Some(name) => write!(f, "{name}")?,
            None => write!(f, "no network")?,
        }
        match (self.loopback, self.link_mbit_per_sec) {
            (true, _) => write!(f, " (loopback)")?,
            (false, Some(link)) => write!(f, " ({link} Mbit/s)")?,
            (false, None) => write!(f, " (speed unknown)")?,
        }
        let devices = if self.devices == 1 { "device" } else { "devices" };
        write!(
            f,
            ": {:.0} packets/s, {:.1} Mbit/s to {} {devices} at full rate",
            self.packets_per_sec, self.mbit_per_sec, self.devices
        )?;
        match self.highest_fps() {
            Some(fps) => write!(f, "; the link carries {fps:.1} frames a second"),
            None => Ok(()),
        }
    }
}

/// The budget of every interface that leads to a device. Devices at the render rate are sent `render_fps` frames a
/// second; `source_of` says from which address of this machine packets to another leave.
pub fn budgets(
    destinations: &[Destination],
    interfaces: &[NetworkInterface],
    source_of: impl Fn(Ipv4Addr) -> Option<Ipv4Addr>,
    render_fps: f64,
) -> Vec<Budget> {
    let mut budgets: BTreeMap<Option<&str>, Budget> = BTreeMap::new();
    for destination in destinations {
        let to = *destination.address.ip();
        let interface = match &destination.leaving {
            // What is sent nothing takes nothing.
            Leaving::Nowhere(_) => continue,
            Leaving::From(source) => holder(interfaces, source.address),
            Leaving::AsRouted => {
                let near = if to.is_multicast() { None } else { on_link(interfaces, to) };
                near.or_else(|| holder(interfaces, source_of(to)?))
            }
        };
        let budget = budgets.entry(interface.map(|interface| interface.name.as_str())).or_insert_with(|| Budget {
            interface: interface.map(|interface| interface.name.clone()),
            loopback: interface.is_some_and(|interface| interface.loopback),
            link_mbit_per_sec: interface.and_then(|interface| interface.link_mbit_per_sec),
            devices: 0,
            packets_per_sec: 0.0,
            mbit_per_sec: 0.0,
            frame_mbit: 0.0,
        });
        let fps = match destination.rate {
            RateLimit::Fps(fps) => f64::from(fps),
            RateLimit::RenderRate => render_fps,
        };
        let (packets, bytes) = frame(destination);
        let mbit = bytes as f64 * 8e-6;
        budget.devices += 1;
        budget.packets_per_sec += packets as f64 * fps;
        budget.mbit_per_sec += mbit * fps;
        budget.frame_mbit += mbit;
    }
    budgets.into_values().collect()
}

/// Packets of a frame and the bytes that they take on the wire.
fn frame(destination: &Destination) -> (usize, usize) {
    let universes = destination.universes.len();
    let (data, sync) = match &destination.format {
        Format::ArtNet => (artnet::DMX_PACKET, destination.sync.then_some(artnet::SYNC_PACKET)),
        Format::Sacn(stream) => {
            (sacn::DATA_PACKET, stream.sync_universe.filter(|_| destination.sync).map(|_| sacn::SYNC_PACKET))
        }
        Format::Ddp { channels, .. } => {
            let data = universes * channels;
            let (full, rest) = (data / ddp::MAX_DATA, data % ddp::MAX_DATA);
            let rest = (rest > 0).then(|| on_wire(ddp::HEADER + rest));
            return (full + rest.iter().len(), full * on_wire(ddp::PACKET) + rest.unwrap_or(0));
        }
    };
    let sync = sync.filter(|_| universes > 0);
    (universes + sync.iter().len(), universes * on_wire(data) + sync.map_or(0, on_wire))
}

/// Bytes that a UDP payload takes on Ethernet.
fn on_wire(payload: usize) -> usize {
    payload.max(LEAST_PAYLOAD) + AROUND
}

/// The interface in whose network an address is: the smallest such network.
fn on_link(interfaces: &[NetworkInterface], to: Ipv4Addr) -> Option<&NetworkInterface> {
    let networks = interfaces
        .iter()
        .filter(|interface| interface.up)
        .flat_map(|interface| interface.ipv4().map(move |(own, bits)| (interface, own, bits)));
    networks
        .filter(|(_, own, bits)| is_near(*own, *bits, to))
        .max_by_key(|(_, _, bits)| *bits)
        .map(|(found, _, _)| found)
}

/// The interface that has an address.
fn holder(interfaces: &[NetworkInterface], source: Ipv4Addr) -> Option<&NetworkInterface> {
    interfaces.iter().find(|interface| interface.addresses.iter().any(|own| own.address == IpAddr::V4(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::device::Refresh;
    use crate::model::id::DeviceId;
    use crate::output::interfaces::{Away, InterfaceAddress, Source};
    use crate::output::plan::Stream;
    use crate::units::PortAddress;

    fn interface(name: &str, address: &str, prefix_bits: u8, speed: Option<u32>) -> NetworkInterface {
        let address = InterfaceAddress { address: address.parse().unwrap(), prefix_bits, broadcast: None };
        let loopback = name == "lo";
        let addresses = vec![address];
        NetworkInterface { name: name.into(), index: None, addresses, up: true, loopback, link_mbit_per_sec: speed }
    }

    fn device(address: &str, universes: u16, rate: RateLimit, sync: bool) -> Destination {
        Destination {
            device: DeviceId(1),
            name: "node".into(),
            address: format!("{address}:6454").parse().unwrap(),
            leaving: Leaving::AsRouted,
            broadcast: false,
            rate,
            refresh: Refresh::Changed,
            sync,
            offload: true,
            burst: 16,
            format: Format::ArtNet,
            universes: (0..universes).filter_map(|u| Some((u, PortAddress::new(u)?))).collect(),
        }
    }

    fn interfaces() -> Vec<NetworkInterface> {
        vec![
            interface("lo", "127.0.0.1", 8, None),
            interface("eth0", "2.0.0.1", 8, Some(1000)),
            interface("eth1", "2.5.0.1", 16, Some(100)),
            interface("wlan0", "192.168.1.7", 24, None),
        ]
    }

    fn found(destinations: &[Destination]) -> Vec<Budget> {
        let gateway = |to: Ipv4Addr| (to.octets()[0] == 8).then(|| Ipv4Addr::new(192, 168, 1, 7));
        budgets(destinations, &interfaces(), gateway, 60.0)
    }

    #[test]
    fn a_full_gigabit_is_as_many_packets_as_fit_on_it() {
        // 596 bytes on the wire each: 209 732 a second fill a gigabit.
        let budget = &found(&[device("2.0.0.9", 4766, RateLimit::Fps(44.0), false)])[0];
        assert_eq!(budget.packets_per_sec, 209_704.0);
        assert!((budget.load().unwrap() - 1.0).abs() < 1e-3, "{budget:?}");
        assert!((budget.highest_fps().unwrap() - 44.0).abs() < 0.01);
        assert!(budget.warning().unwrap().contains("100 % full"), "{budget}");
        assert!(budget.to_string().starts_with("eth0 (1000 Mbit/s): 209704 packets/s, 999.9 Mbit/s to 1 device"));
    }

    #[test]
    fn a_show_that_does_not_fit_is_told_with_the_rate_that_does() {
        let budget = &found(&[device("2.0.0.9", 8192, RateLimit::Fps(44.0), true)])[0];
        let warning = budget.warning().unwrap();
        assert!(warning.contains("eth0 is too slow") && warning.contains("26 frames a second"), "{warning}");
    }

    #[test]
    fn sacn_and_ddp_take_what_their_packets_take() {
        use crate::model::device::DdpPixels;
        use crate::output::cid::Cid;
        let stream = |multicast| Stream {
            cid: Cid::of_this_machine(),
            first_universe: 1,
            priority: 100,
            sync_universe: None,
            multicast,
            announced: [].into(),
        };
        let as_sacn = |address, multicast| Destination {
            format: Format::Sacn(stream(multicast)),
            ..device(address, 10, RateLimit::Fps(10.0), true)
        };
        let budget = &found(&[as_sacn("2.0.0.9", None)])[0];
        assert_eq!(budget.packets_per_sec, 100.0, "no sync without a universe for it");
        assert!((budget.mbit_per_sec - 100.0 * 704.0 * 8e-6).abs() < 1e-9, "704 bytes on the wire each");
        let source = Source { interface: "eth1".into(), index: None, address: "2.5.0.1".parse().unwrap() };
        let leaving = Leaving::From(source);
        let by_eth1 = [
            Destination { leaving: leaving.clone(), ..as_sacn("239.255.0.1", Some(1)) },
            Destination { leaving, ..device("2.0.0.9", 1, RateLimit::Fps(10.0), false) },
            Destination { leaving: Leaving::Nowhere(Away::Down), ..as_sacn("239.255.0.1", Some(1)) },
        ];
        let budget = found(&by_eth1);
        let counted: Vec<_> = budget.iter().map(|budget| (budget.interface.as_deref(), budget.devices)).collect();
        assert_eq!(counted, [(Some("eth1"), 2)], "where they are told to leave, and nothing where they cannot");
        let format = Format::Ddp { pixels: DdpPixels::Rgb, channels: 510 };
        let ddp = Destination { format, ..device("2.0.0.9", 3, RateLimit::Fps(10.0), false) };
        let budget = &found(&[ddp])[0];
        // 1530 bytes are a packet of 1440 and one of 90, with 10 bytes of header each.
        assert_eq!(budget.packets_per_sec, 20.0);
        assert!((budget.mbit_per_sec - 10.0 * (1516.0 + 166.0) * 8e-6).abs() < 1e-9, "{budget:?}");
    }

    #[test]
    fn devices_are_counted_where_their_packets_leave() {
        let to = |address| device(address, 1, RateLimit::RenderRate, true);
        let all = found(&[to("2.0.0.9"), to("2.5.0.9"), to("127.0.0.3"), to("8.8.8.8"), to("9.9.9.9"), to("2.5.7.7")]);
        let names: Vec<_> = all.iter().map(|budget| (budget.interface.as_deref(), budget.devices)).collect();
        let expected = [(None, 1), (Some("eth0"), 1), (Some("eth1"), 2), (Some("lo"), 1), (Some("wlan0"), 1)];
        assert_eq!(names, expected, "the smallest network that holds the address, else the way out");
        assert_eq!(all[1].packets_per_sec, 120.0, "a universe and a sync at the render rate");
        assert!((all[1].mbit_per_sec - 60.0 * (596.0 + 84.0) * 8e-6).abs() < 1e-9);
        assert!(all[0].warning().unwrap().contains("No network leads to 1"));
        assert_eq!(all[1..].iter().map(Budget::warning).collect::<Vec<_>>(), vec![None; 4]);
    }
}
