//! Sockets on Linux: segmentation offload and sendmmsg.
//!
//! Owned by a sender thread. Unconnected, because a connected socket is told about a dead node and loses sends to
//! others over it; non-blocking. Segmented and plain messages have a socket each: the segment size is a property of
//! the socket, and kernels before 5.x refuse even small messages there when the card has no checksums.

use super::{MAX_MESSAGES, Message, Path, Sent, Wire};
use crate::output::artnet::DMX_PACKET;
use nix::sys::socket::{setsockopt, sockopt::UdpGsoSegment};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{MMsgHdr, SendAncillaryBuffer, SendFlags, SocketAddrAny, sendmmsg, sockopt};
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};

/// Room asked for in the kernel's send queue; the system may grant less. Two frames of 8192 universes.
const SEND_BUFFER: usize = 8 << 20;

/// How long one wait for room may take.
const ROOM_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };

/// The sockets of one sender thread.
pub struct Sockets {
    plain: UdpSocket,
    /// `None` where the kernel does not know segmentation offload.
    offload: Option<UdpSocket>,
    /// Cleared when the kernel turns out not to have sendmmsg.
    batches: bool,
}

impl Sockets {
    /// Opens the sockets at ports that the system chooses.
    ///
    /// # Errors
    /// When the system has no socket left.
    pub fn open() -> io::Result<Self> {
        let plain = open_one()?;
        let offload = open_one()?;
        let segment = i32::try_from(DMX_PACKET).unwrap_or(i32::MAX);
        let offload = setsockopt(&offload, UdpGsoSegment, &segment).is_ok().then_some(offload);
        Ok(Self { plain, offload, batches: true })
    }

    /// Whether messages may be sent to broadcast addresses.
    ///
    /// # Errors
    /// When the system refuses the option.
    pub fn allow_broadcast(&self, allow: bool) -> io::Result<()> {
        self.plain.set_broadcast(allow)?;
        self.offload.as_ref().map_or(Ok(()), |socket| socket.set_broadcast(allow))
    }

    fn socket(&self, path: Path) -> Result<&UdpSocket, Errno> {
        match path {
            Path::Plain => Ok(&self.plain),
            Path::Offload => self.offload.as_ref().ok_or(Errno::NOPROTOOPT),
        }
    }
}

impl Wire for Sockets {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
        let messages = &messages[..messages.len().min(MAX_MESSAGES)];
        let socket = match self.socket(path) {
            Ok(socket) => socket,
            Err(errno) => return Sent { messages: 0, error: Some(errno.into()) },
        };
        if self.batches || path == Path::Offload {
            match send_batch(socket, messages, pieces) {
                Ok(messages) => return Sent { messages, error: None },
                Err(Errno::NOSYS) if path == Path::Plain => self.batches = false,
                Err(Errno::NOSYS) => return Sent { messages: 0, error: Some(Errno::NOPROTOOPT.into()) },
                Err(errno) => return Sent { messages: 0, error: Some(errno.into()) },
            }
        }
        send_singly(&self.plain, messages, pieces)
    }

    fn wait_for_room(&mut self, path: Path) -> bool {
        let Ok(socket) = self.socket(path) else { return false };
        let mut waiting = [PollFd::new(socket, PollFlags::OUT)];
        poll(&mut waiting, Some(&ROOM_WAIT)).is_ok_and(|ready| ready > 0)
    }
}

fn open_one() -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0))?;
    socket.set_nonblocking(true)?;
    // The forced form passes the system's limit where the program may; either way less is no reason to stop.
    if sockopt::set_socket_send_buffer_size_force(&socket, SEND_BUFFER).is_err() {
        let _ = sockopt::set_socket_send_buffer_size(&socket, SEND_BUFFER);
    }
    Ok(socket)
}

/// One system call. The kernel stops at the first message it refuses; only when that is the very first one does it
/// say why, so the caller tries the rest again and is told then.
fn send_batch(socket: &UdpSocket, messages: &[Message], pieces: &[IoSlice<'_>]) -> Result<usize, Errno> {
    let nowhere = SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0);
    let addresses: [SocketAddrAny; MAX_MESSAGES] =
        std::array::from_fn(|i| messages.get(i).map_or(nowhere, |message| message.to).into());
    let mut controls: [SendAncillaryBuffer<'_, '_, '_>; MAX_MESSAGES] = std::array::from_fn(|_| Default::default());
    let mut index = 0;
    let mut headers = controls.each_mut().map(|control| {
        let pieces = messages.get(index).and_then(|message| pieces.get(message.pieces.clone())).unwrap_or_default();
        let header = MMsgHdr::new_with_addr(&addresses[index], pieces, control);
        index += 1;
        header
    });
    sendmmsg(socket, &mut headers[..messages.len()], SendFlags::NOSIGNAL)
}

/// The last resort, a system call a packet. A plain message is one piece.
fn send_singly(socket: &UdpSocket, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
    for (index, message) in messages.iter().enumerate() {
        for piece in &pieces[message.pieces.clone()] {
            if let Err(error) = socket.send_to(piece, message.to) {
                return Sent { messages: index, error: Some(error) };
            }
        }
    }
    Sent { messages: messages.len(), error: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn check(path: Path, batches: bool) {
        let node = UdpSocket::bind("127.0.0.1:0").unwrap();
        node.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let std::net::SocketAddr::V4(to) = node.local_addr().unwrap() else { panic!("IPv4") };
        let packets: Vec<u8> = (1..=4_u8).flat_map(|level| [level; DMX_PACKET]).collect();
        let pieces: Vec<_> = packets.chunks(DMX_PACKET).map(IoSlice::new).collect();
        let messages: Vec<_> = match path {
            Path::Plain => (0..4).map(|i| Message { to, pieces: i..i + 1 }).collect(),
            Path::Offload => vec![Message { to, pieces: 0..3 }, Message { to, pieces: 3..4 }],
        };
        let mut sockets = Sockets::open().unwrap();
        sockets.batches = batches;
        let sent = sockets.send(path, &messages, &pieces);
        assert_eq!((sent.messages, sent.error.map(|e| e.to_string())), (messages.len(), None));
        for level in 1..=4 {
            let mut packet = [0; 2048];
            assert_eq!(node.recv(&mut packet).unwrap(), DMX_PACKET);
            assert_eq!(packet[..DMX_PACKET], [level; DMX_PACKET]);
        }
    }

    #[test]
    fn all_three_ways_deliver_the_same_packets() {
        check(Path::Plain, true);
        check(Path::Plain, false);
        check(Path::Offload, true);
    }

    #[test]
    fn the_first_refused_message_says_why() {
        let pieces = [IoSlice::new(&[0; DMX_PACKET])];
        let to = "255.255.255.255:6454".parse().unwrap();
        let mut sockets = Sockets::open().unwrap();
        let sent = sockets.send(Path::Plain, &[Message { to, pieces: 0..1 }], &pieces);
        assert_eq!(sent.messages, 0, "broadcast was not allowed");
        assert!(sent.error.is_some());
    }
}
