//! The machine's network interfaces as plain data.
//!
//! Reads the system when asked; called by the planner and discovery threads and the command line. Deliberately absent: watching
//! for changes.

use std::collections::BTreeMap;
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

    /// Its IPv4 address, if it is called like this by name or by that address.
    pub fn ipv4_if_called(&self, name: &str) -> Option<Ipv4Addr> {
        let v4 = |of: &InterfaceAddress| match of.address {
            IpAddr::V4(address) => Some(address),
            IpAddr::V6(_) => None,
        };
        let mut addresses = self.addresses.iter().filter_map(v4);
        addresses.find(|address| self.name == name || name.parse() == Ok(*address))
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

/// All interfaces that have an address, by name.
///
/// # Errors
/// When the system does not list them.
pub fn list() -> io::Result<Vec<NetworkInterface>> {
    let mut interfaces = BTreeMap::new();
    for found in if_addrs::get_if_addrs()? {
        let (prefix_bits, broadcast) = match &found.addr {
            if_addrs::IfAddr::V4(v4) => (v4.prefixlen, v4.broadcast.map(IpAddr::V4)),
            if_addrs::IfAddr::V6(v6) => (v6.prefixlen, None),
        };
        let interface = interfaces.entry(found.name.clone()).or_insert_with(|| NetworkInterface {
            addresses: Vec::new(),
            up: found.is_oper_up() || found.is_loopback(),
            loopback: found.is_loopback(),
            link_mbit_per_sec: link_speed(&found.name),
            name: found.name.clone(),
        });
        interface.addresses.push(InterfaceAddress { address: found.ip(), prefix_bits, broadcast });
        interface.addresses.sort_by_key(|address| address.address);
    }
    Ok(interfaces.into_values().collect())
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
