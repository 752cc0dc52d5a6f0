//! The machine's network interfaces as plain data.
//!
//! Reads the system when asked; called by the planner and discovery threads and the command line. Deliberately absent:
//! watching for changes, which the planner does by looking again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};

/// Where nobody would mind a packet, if there were one (RFC 863).
const DISCARD_PORT: u16 = 9;

/// An address of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceAddress {
    /// The address.
    pub address: IpAddr,
    /// Leading bits that are the network's.
    pub prefix_bits: u8,
    /// The network's broadcast address, where it has one.
    pub broadcast: Option<IpAddr>,
}

/// A network interface that has an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkInterface {
    /// The system's name, such as `eth0`.
    pub name: String,
    /// The system's number of it: another one when it was taken out and put in again.
    pub index: Option<u32>,
    /// Its addresses, IPv4 first.
    pub addresses: Vec<InterfaceAddress>,
    /// Whether it works now; a loopback always does.
    pub up: bool,
    /// Whether it never leaves the machine.
    pub loopback: bool,
    /// Megabits a second the link was negotiated at; `None` where the system does not say.
    pub link_mbit_per_sec: Option<u32>,
}

impl NetworkInterface {
    /// Whether this is the broadcast address of one of its networks.
    pub fn has_broadcast(&self, address: Ipv4Addr) -> bool {
        self.addresses.iter().any(|of| of.broadcast == Some(IpAddr::V4(address)))
    }

    /// Its IPv4 addresses with the leading bits of their networks.
    pub fn ipv4(&self) -> impl Iterator<Item = (Ipv4Addr, u8)> + '_ {
        self.addresses.iter().filter_map(|of| match of.address {
            IpAddr::V4(address) => Some((address, of.prefix_bits)),
            IpAddr::V6(_) => None,
        })
    }

    /// Whether it is called like this, by name or by an IPv4 address of its own.
    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.ipv4().any(|(address, _)| name.parse() == Ok(address))
    }

    /// The address that packets to `to` leave from: the one that is asked for, else the one in whose network `to` is,
    /// else the first.
    fn source_towards(&self, name: &str, to: Ipv4Addr) -> Option<Ipv4Addr> {
        let asked = self.ipv4().find(|(address, _)| name.parse() == Ok(*address));
        let near = || self.ipv4().find(|(own, bits)| is_near(*own, *bits, to));
        asked.or_else(near).or_else(|| self.ipv4().next()).map(|(address, _)| address)
    }
}

impl fmt::Display for NetworkInterface {
    /// Name, state, speed and addresses in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<16} {:<5}", self.name, if self.up { "up" } else { "down" })?;
        match (self.loopback, self.link_mbit_per_sec) {
            (true, _) => write!(f, " {:>11}", "loopback")?,
            (false, Some(speed)) => write!(f, " {speed:>4} Mbit/s")?,
            (false, None) => write!(f, " {:>11}", "speed ?")?,
        }
        for InterfaceAddress { address, prefix_bits, .. } in &self.addresses {
            write!(f, "  {address}/{prefix_bits}")?;
        }
        Ok(())
    }
}

/// Whether two addresses are in one network of so many leading bits.
pub fn is_near(own: Ipv4Addr, prefix_bits: u8, other: Ipv4Addr) -> bool {
    let mask = u32::MAX.checked_shl(32 - u32::from(prefix_bits.min(32))).unwrap_or(0);
    (own.to_bits() ^ other.to_bits()) & mask == 0
}

/// An address of an interface that packets leave from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The system's name of the interface.
    pub interface: String,
    /// The system's number of it.
    pub index: Option<u32>,
    /// The address.
    pub address: Ipv4Addr,
}

/// By which way a device's packets leave the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// As the system routes them.
    #[default]
    AsRouted,
    /// From there and by no other way.
    From(Source),
    /// Not now: the interface that is asked for cannot be used, and another network must not be flooded.
    Nowhere(Away),
}

/// Why an interface cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Away {
    /// There is none of that name or address.
    Missing,
    /// It has no IPv4 address.
    NoAddress,
    /// It is switched off, or its cable is pulled.
    Down,
}

impl fmt::Display for Away {
    /// What is said behind the interface's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "is not there or has no address",
            Self::NoAddress => "has no IPv4 address",
            Self::Down => "is down",
        })
    }
}

impl Leaving {
    /// The way of packets to `to` by the interface of this name or address.
    pub fn by(wanted: &str, interfaces: &[NetworkInterface], to: Ipv4Addr) -> Self {
        let Some(interface) = interfaces.iter().find(|interface| interface.is_called(wanted)) else {
            return Self::Nowhere(Away::Missing);
        };
        match interface.source_towards(wanted, to) {
            None => Self::Nowhere(Away::NoAddress),
            Some(_) if !interface.up => Self::Nowhere(Away::Down),
            Some(address) => Self::From(Source { interface: interface.name.clone(), index: interface.index, address }),
        }
    }

    /// Where packets leave from, where that is settled.
    pub fn source(&self) -> Option<&Source> {
        match self {
            Self::From(source) => Some(source),
            Self::AsRouted | Self::Nowhere(_) => None,
        }
    }
}

/// All interfaces that have an address, by name.
///
/// # Errors
/// When the system does not list them.
pub fn list() -> io::Result<Vec<NetworkInterface>> {
    read(link_speed)
}

/// The same without the links' speeds, for which some drivers ask their card: cheap enough to look all the time.
///
/// # Errors
/// When the system does not list them.
pub fn look() -> io::Result<Vec<NetworkInterface>> {
    read(|_| None)
}

fn read(speed: impl Fn(&str) -> Option<u32>) -> io::Result<Vec<NetworkInterface>> {
    let mut interfaces = BTreeMap::new();
    let linked = linked()?;
    for found in if_addrs::get_if_addrs()? {
        let (prefix_bits, broadcast) = match &found.addr {
            if_addrs::IfAddr::V4(v4) => (v4.prefixlen, v4.broadcast.map(IpAddr::V4)),
            if_addrs::IfAddr::V6(v6) => (v6.prefixlen, None),
        };
        let interface = interfaces.entry(found.name.clone()).or_insert_with(|| NetworkInterface {
            addresses: Vec::new(),
            up: linked.as_ref().map_or(found.is_oper_up(), |linked| linked.contains(&found.name))
                || found.is_loopback(),
            loopback: found.is_loopback(),
            link_mbit_per_sec: speed(&found.name),
            index: found.index,
            name: found.name.clone(),
        });
        interface.addresses.push(InterfaceAddress { address: found.ip(), prefix_bits, broadcast });
        interface.addresses.sort_by_key(|address| address.address);
    }
    Ok(interfaces.into_values().collect())
}

/// Which interfaces are switched on and have a link, where the system tells it at once. The state that every system
/// tells Linux brings up to date only about once a second.
#[cfg(target_os = "linux")]
fn linked() -> io::Result<Option<BTreeSet<String>>> {
    use nix::net::if_::InterfaceFlags;
    let on = InterfaceFlags::IFF_UP | InterfaceFlags::IFF_LOWER_UP;
    let linked = nix::ifaddrs::getifaddrs()?.filter(|interface| interface.flags.contains(on));
    Ok(Some(linked.map(|interface| interface.interface_name).collect()))
}

#[cfg(not(target_os = "linux"))]
fn linked() -> io::Result<Option<BTreeSet<String>>> {
    Ok(None)
}

/// From which address of this machine packets to another leave, as the system routes them. Nothing is sent.
pub fn source_of(to: Ipv4Addr) -> Option<Ipv4Addr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // A UDP socket that is connected only looks up its way.
    socket.connect((to, DISCARD_PORT)).ok()?;
    match socket.local_addr().ok()?.ip() {
        IpAddr::V4(source) => Some(source).filter(|source| !source.is_unspecified()),
        IpAddr::V6(_) => None,
    }
}

/// Only Linux says so in a file; it is -1 or unreadable for loopback, wireless and links that are down.
fn link_speed(name: &str) -> Option<u32> {
    parse_speed(&std::fs::read_to_string(format!("/sys/class/net/{name}/speed")).ok()?)
}

fn parse_speed(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|speed| *speed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_listed_and_up() {
        let interfaces = list().unwrap();
        let loopback = interfaces.iter().find(|interface| interface.loopback).unwrap();
        assert!(loopback.up);
        assert!(loopback.addresses.iter().all(|address| address.address.is_loopback()));
    }

    #[test]
    fn loopback_is_reached_from_itself() {
        assert_eq!(source_of(Ipv4Addr::new(127, 0, 0, 9)), Some(Ipv4Addr::LOCALHOST));
    }

    #[test]
    fn a_speed_that_is_unknown_is_none() {
        for (text, expected) in [("1000\n", Some(1000)), ("-1\n", None), ("0", None), ("", None), ("fast", None)] {
            assert_eq!(parse_speed(text), expected);
        }
    }
}
