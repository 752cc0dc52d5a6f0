//! The sockets of discovery: one for each address of this machine, and what the networks' broadcasts need.
//!
//! Owned by the discovery thread. Bound to the addresses of the networks, not to all: loopback stays free for whoever
//! listens there, and the data of a program that has the port already are never taken from it. Where it has, we ask
//! from a port of our own and hear broadcasts, which every socket gets. The bridge listens with sockets made here. Deliberately
//! absent: the senders' sockets.

use super::poller::{Network, Transmit};
use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::time::Duration;

/// Longer than any packet that is read from Art-Net.
const DATAGRAM: usize = 600;
/// Room asked for in the kernel's queue of each socket: another console's frame comes in one burst. The system may
/// grant less.
#[cfg(target_os = "linux")]
const RECEIVE_BUFFER: usize = 1 << 20;

/// What one network needs.
struct Link {
    /// At our own address; `None` while another program has it.
    own: Option<UdpSocket>,
    /// At the network's broadcast address; `None` where the system has no such thing.
    broadcast: Option<UdpSocket>,
}

/// All sockets.
pub struct Sockets {
    port: u16,
    /// At a port that the system chooses: asks whoever is in no network of ours.
    roaming: UdpSocket,
    /// At 255.255.255.255, where some consoles ask.
    limited: Option<UdpSocket>,
    links: BTreeMap<Network, Link>,
}

impl Sockets {
    /// Opens what needs no network.
    ///
    /// # Errors
    /// When the system has no socket left.
    pub fn open(port: u16) -> io::Result<Self> {
        let roaming = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0))?;
        set_up(&roaming)?;
        Ok(Self { port, roaming, limited: None, links: BTreeMap::new() })
    }

    /// Closes what belongs to networks that are gone and opens what is new or was taken before. Returns addresses
    /// that another program has.
    pub fn follow(&mut self, networks: &[Network]) -> Vec<Ipv4Addr> {
        let at = |address| SocketAddrV4::new(address, self.port);
        self.links.retain(|network, _| networks.contains(network));
        if self.limited.is_none() && !networks.is_empty() {
            self.limited = bind_shared(at(Ipv4Addr::BROADCAST)).ok();
        }
        let mut taken = Vec::new();
        for network in networks {
            let link = self.links.entry(*network).or_insert(Link { own: None, broadcast: None });
            if link.own.is_none() {
                match bind_first(at(network.address)) {
                    Ok(socket) => link.own = Some(socket),
                    Err(error) if error.kind() == io::ErrorKind::AddrInUse => taken.push(network.address),
                    // The address left between two looks; the next round knows.
                    Err(error) => tracing::debug!(%error, address = %network.address, "discovery cannot listen"),
                }
            }
            if link.broadcast.is_none() {
                link.broadcast = bind_shared(at(network.broadcast)).ok();
            }
        }
        taken
    }

    /// Every address that packets leave from.
    pub fn addresses(&self) -> Vec<SocketAddrV4> {
        let roaming = self.roaming.local_addr().map_or(0, |address| address.port());
        let of_link = |(network, link): (&Network, &Link)| {
            let own = link.own.as_ref().map(|_| SocketAddrV4::new(network.address, self.port));
            own.into_iter().chain([SocketAddrV4::new(network.address, roaming)])
        };
        self.links.iter().flat_map(of_link).collect()
    }

    /// Sends, and does not wait: what the system refuses is asked again in the next round.
    pub fn send(&self, transmit: &Transmit) {
        let own = |from: Ipv4Addr| {
            let link = self.links.iter().find(|(network, _)| network.address == from);
            link.and_then(|(_, link)| link.own.as_ref())
        };
        let socket = transmit.from.and_then(own).unwrap_or(&self.roaming);
        if let Err(error) = socket.send_to(&transmit.bytes, transmit.to) {
            tracing::debug!(%error, to = %transmit.to, "discovery cannot send");
        }
    }

    /// Waits for datagrams, at most so long, and hands over those that are there, of each socket at most so many.
    /// Returns how many.
    pub fn receive(&self, timeout: Duration, most: usize, mut take: impl FnMut(SocketAddrV4, &[u8])) -> usize {
        let of_links = self.links.values().flat_map(|link| link.own.iter().chain(&link.broadcast));
        let sockets: Vec<&UdpSocket> = std::iter::once(&self.roaming).chain(&self.limited).chain(of_links).collect();
        let mut buffer = [0; DATAGRAM];
        let mut received = 0;
        for socket in ready(&sockets, timeout) {
            for _ in 0..most {
                match socket.recv_from(&mut buffer) {
                    Ok((length, SocketAddr::V4(from))) => take(from, &buffer[..length]),
                    Ok(_) => {}
                    Err(_) => break,
                }
                received += 1;
            }
        }
        received
    }
}

fn set_up(socket: &UdpSocket) -> io::Result<()> {
    socket.set_broadcast(true)?;
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::net::sockopt::set_socket_recv_buffer_size(socket, RECEIVE_BUFFER) {
        tracing::debug!(%error, "a socket keeps its small queue");
    }
    socket.set_nonblocking(true)
}

/// Takes an address that nobody has, and lets others have it later.
pub(crate) fn bind_first(address: SocketAddrV4) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    set_up(&socket)?;
    #[cfg(target_os = "linux")]
    rustix::net::sockopt::set_socket_reuseaddr(&socket, true)?;
    Ok(socket)
}

/// Takes a broadcast address beside others: each of them gets every datagram.
#[cfg(target_os = "linux")]
pub(crate) fn bind_shared(address: SocketAddrV4) -> io::Result<UdpSocket> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, socket_with, sockopt};
    let socket = socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    sockopt::set_socket_reuseaddr(&socket, true)?;
    bind(&socket, &address)?;
    let socket = UdpSocket::from(socket);
    set_up(&socket)?;
    Ok(socket)
}

/// Elsewhere a socket at our own address may get broadcasts as well, and a broadcast address cannot be taken.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bind_shared(address: SocketAddrV4) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    set_up(&socket)?;
    Ok(socket)
}

/// Waits at most so long until sockets have something to read; which.
#[cfg(target_os = "linux")]
pub(crate) fn ready<'a>(sockets: &[&'a UdpSocket], timeout: Duration) -> Vec<&'a UdpSocket> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut fds: Vec<PollFd<'_>> = sockets.iter().map(|socket| PollFd::new(socket, PollFlags::IN)).collect();
    let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: timeout.subsec_nanos().into() };
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) => {
            sockets.iter().zip(&fds).filter(|(_, fd)| !fd.revents().is_empty()).map(|(socket, _)| *socket).collect()
        }
        // Interrupted or refused, it is looked at what is there, and waited for again.
        Err(_) => sockets.to_vec(),
    }
}

/// Nothing in the standard library waits for several sockets; discovery is in no hurry.
#[cfg(not(target_os = "linux"))]
pub(crate) fn ready<'a>(sockets: &[&'a UdpSocket], timeout: Duration) -> Vec<&'a UdpSocket> {
    std::thread::sleep(timeout.min(Duration::from_millis(50)));
    sockets.to_vec()
}
