//! The sockets of sACN's receiving end: one for each multicast group, and one at each address of this computer.
//!
//! Owned by the `sacn-in` thread. A socket at a group's own address gets that group alone, and shares it with other
//! programs; so no limit of memberships a socket is ever met but that of interfaces (Linux allows 20). Every group is
//! joined on every interface that is up. Elsewhere than on Unix groups cannot be bound, and nothing is received.
//! Deliberately absent: what the bytes mean.

use crate::output::discovery::sockets::{bind_first, bind_shared, ready};
use crate::output::sacn;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::time::Duration;

/// Longer than any packet of sACN.
const DATAGRAM: usize = 1500;
/// Datagrams that are read from a socket at once.
const BATCH: usize = 64;

struct Group {
    socket: UdpSocket,
    joined: BTreeSet<Ipv4Addr>,
}

/// All sockets.
#[derive(Default)]
pub struct SacnSockets {
    groups: BTreeMap<u16, Group>,
    /// At our own addresses, for what is sent to us alone.
    own: BTreeMap<Ipv4Addr, UdpSocket>,
}

impl SacnSockets {
    /// Listens to the groups of these universes on these interfaces, and to what is sent to the addresses `alone`; to
    /// nothing else any more.
    ///
    /// # Errors
    /// When a port cannot be had; everything else is listened to.
    pub fn follow(
        &mut self,
        universes: &BTreeSet<u16>,
        interfaces: &BTreeSet<Ipv4Addr>,
        alone: &BTreeSet<Ipv4Addr>,
    ) -> io::Result<()> {
        let mut refused = Ok(());
        self.groups.retain(|universe, _| universes.contains(universe));
        self.own.retain(|address, _| alone.contains(address));
        for universe in universes {
            if !self.groups.contains_key(universe) {
                match bind_shared(sacn::group(*universe)) {
                    Ok(socket) => drop(self.groups.insert(*universe, Group { socket, joined: BTreeSet::new() })),
                    Err(error) => refused = Err(error),
                }
            }
        }
        for address in alone {
            if !self.own.contains_key(address) {
                match bind_first(SocketAddrV4::new(*address, sacn::PORT)) {
                    Ok(socket) => drop(self.own.insert(*address, socket)),
                    Err(error) => refused = Err(error),
                }
            }
        }
        for (universe, group) in &mut self.groups {
            group.join(*sacn::group(*universe).ip(), interfaces);
        }
        refused
    }

    /// Whether nothing is listened to.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.own.is_empty()
    }

    /// Waits for datagrams, at most so long, and hands over those that are there.
    pub fn receive(&self, timeout: Duration, mut take: impl FnMut(Ipv4Addr, &[u8])) {
        let sockets: Vec<&UdpSocket> =
            self.groups.values().map(|group| &group.socket).chain(self.own.values()).collect();
        let mut buffer = [0; DATAGRAM];
        for socket in ready(&sockets, timeout) {
            for _ in 0..BATCH {
                match socket.recv_from(&mut buffer) {
                    Ok((length, SocketAddr::V4(from))) => take(*from.ip(), &buffer[..length]),
                    Ok(_) => {}
                    Err(_) => break,
                }
            }
        }
    }
}

impl Group {
    fn join(&mut self, group: Ipv4Addr, interfaces: &BTreeSet<Ipv4Addr>) {
        for gone in self.joined.extract_if(.., |address| !interfaces.contains(address)) {
            // Where the interface is gone, so is the membership.
            let _ = self.socket.leave_multicast_v4(&group, &gone);
        }
        for address in interfaces {
            if !self.joined.contains(address) {
                match self.socket.join_multicast_v4(&group, address) {
                    Ok(()) => drop(self.joined.insert(*address)),
                    // Tried again with the next look at the interfaces.
                    Err(error) => tracing::debug!(%error, %group, %address, "a multicast group cannot be joined"),
                }
            }
        }
    }
}
