//! Sockets where there is neither segmentation offload nor sendmmsg: a system call a packet.
//!
//! Owned by a sender thread. Unconnected and non-blocking.

use super::{Message, Path, Sent, Wire};
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};

/// The sockets of one sender thread.
pub struct Sockets {
    plain: UdpSocket,
}

impl Sockets {
    /// Opens a socket at a port that the system chooses.
    ///
    /// # Errors
    /// When the system has no socket left.
    pub fn open() -> io::Result<Self> {
        let plain = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0))?;
        plain.set_nonblocking(true)?;
        Ok(Self { plain })
    }

    /// Whether messages may be sent to broadcast addresses.
    ///
    /// # Errors
    /// When the system refuses the option.
    pub fn allow_broadcast(&self, allow: bool) -> io::Result<()> {
        self.plain.set_broadcast(allow)
    }
}

impl Wire for Sockets {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
        let ready = match path {
            Path::Plain => Ok(()),
            Path::Offload { .. } => Err(io::ErrorKind::Unsupported.into()),
            // The system chooses the interface: there is no portable way to say which.
            Path::Multicast(multicast) if multicast.interface.is_unspecified() => {
                self.plain.set_multicast_ttl_v4(u32::from(multicast.ttl))
            }
            Path::Multicast(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "multicast by a chosen interface needs Linux"))
            }
        };
        if let Err(error) = ready {
            return Sent { messages: 0, error: Some(error) };
        }
        for (index, message) in messages.iter().enumerate() {
            for piece in &pieces[message.pieces.clone()] {
                if let Err(error) = self.plain.send_to(piece, message.to) {
                    return Sent { messages: index, error: Some(error) };
                }
            }
        }
        Sent { messages: messages.len(), error: None }
    }

    /// There is no portable way to wait for room; the schedule tries again.
    fn wait_for_room(&mut self, _path: Path) -> bool {
        false
    }
}
