//! Reading datagrams: many a system call on Linux, one elsewhere.
//!
//! Owned by the receiver thread. Receive offload (GRO) stays off, so that a datagram is always one packet.

use std::io;
use std::net::{SocketAddr, UdpSocket};

/// Longer than any packet of ours, so that one that is too long shows.
const DATAGRAM: usize = 1024;

#[cfg(target_os = "linux")]
const BATCH: usize = 64;

/// Room asked for in the kernel's receive queue; the system may grant less.
#[cfg(target_os = "linux")]
const RECEIVE_BUFFER: usize = 64 << 20;

/// Asks for room for the packets of some frames, before the first comes.
#[cfg(target_os = "linux")]
pub fn make_room(socket: &UdpSocket) {
    use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_recv_buffer_size_force};
    // The forced form passes the system's limit where the program may; either way less is no reason to stop.
    if set_socket_recv_buffer_size_force(socket, RECEIVE_BUFFER).is_err() {
        let _ = set_socket_recv_buffer_size(socket, RECEIVE_BUFFER);
    }
}

/// The system's own room has to do here.
#[cfg(not(target_os = "linux"))]
pub fn make_room(_socket: &UdpSocket) {}

/// A socket with buffers of its own.
#[cfg(target_os = "linux")]
pub struct Inbox {
    socket: UdpSocket,
    buffer: Vec<u8>,
    headers: nix::sys::socket::MultiHeaders<nix::sys::socket::SockaddrStorage>,
}

#[cfg(target_os = "linux")]
impl Inbox {
    /// Takes a bound socket that has a read time-out.
    pub fn new(socket: UdpSocket) -> Self {
        let headers = nix::sys::socket::MultiHeaders::preallocate(BATCH, None);
        Self { socket, buffer: vec![0; DATAGRAM * BATCH], headers }
    }

    /// Waits for datagrams and hands over all that are there.
    ///
    /// # Errors
    /// When none came in time, or the socket fails.
    pub fn receive(&mut self, take: impl FnOnce(&mut dyn Iterator<Item = (SocketAddr, &[u8])>)) -> io::Result<()> {
        use nix::sys::socket::{MsgFlags, SockaddrStorage, recvmmsg};
        use std::os::fd::AsRawFd;
        let mut chunks = self.buffer.chunks_exact_mut(DATAGRAM);
        let mut slices: [[io::IoSliceMut<'_>; 1]; BATCH] =
            std::array::from_fn(|_| [io::IoSliceMut::new(chunks.next().unwrap_or_default())]);
        let fd = self.socket.as_raw_fd();
        let received = recvmmsg(fd, &mut self.headers, &mut slices, MsgFlags::MSG_WAITFORONE, None)?;
        let address = |address: &SockaddrStorage| {
            let v4 = address.as_sockaddr_in().map(|v4| SocketAddr::from(std::net::SocketAddrV4::from(*v4)));
            v4.or_else(|| address.as_sockaddr_in6().map(|v6| SocketAddr::from(std::net::SocketAddrV6::from(*v6))))
        };
        take(&mut received.filter_map(|message| {
            let source = address(message.address.as_ref()?)?;
            Some((source, message.iovs().next().unwrap_or_default()))
        }));
        Ok(())
    }
}

/// A socket with a buffer of its own.
#[cfg(not(target_os = "linux"))]
pub struct Inbox {
    socket: UdpSocket,
    buffer: Vec<u8>,
}

#[cfg(not(target_os = "linux"))]
impl Inbox {
    /// Takes a bound socket that has a read time-out.
    pub fn new(socket: UdpSocket) -> Self {
        Self { socket, buffer: vec![0; DATAGRAM] }
    }

    /// Waits for a datagram and hands it over.
    ///
    /// # Errors
    /// When none came in time, or the socket fails.
    pub fn receive(&mut self, take: impl FnOnce(&mut dyn Iterator<Item = (SocketAddr, &[u8])>)) -> io::Result<()> {
        let (length, source) = self.socket.recv_from(&mut self.buffer)?;
        take(&mut std::iter::once((source, &self.buffer[..length])));
        Ok(())
    }
}
