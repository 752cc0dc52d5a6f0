//! Sockets where there is neither segmentation offload nor sendmmsg: a system call a packet.
//!
//! Owned by a sender thread. Unconnected and non-blocking.

use super::{Message, Path, Sent, Wire};
use crate::output::interfaces::Source;
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};

/// The sockets of one sender thread.
pub struct Sockets {
    /// For devices that leave as the system routes them.
    plain: UdpSocket,
    /// For the others, those that could be opened.
    bound: Vec<(Source, UdpSocket)>,
    /// Where packets are to leave from.
    sources: Vec<Source>,
}

impl Sockets {
    /// Opens a socket at a port that the system chooses.
    ///
    /// # Errors
    /// When the system has no socket left.
    pub fn open() -> io::Result<Self> {
        Ok(Self { plain: open_one(Ipv4Addr::UNSPECIFIED)?, bound: Vec::new(), sources: Vec::new() })
    }

    /// Closes what belongs to sources that are gone, opens what is new. What cannot be opened now is tried again with
    /// each send, which tells the error.
    pub fn follow(&mut self, sources: impl IntoIterator<Item = Source>) {
        self.sources = sources.into_iter().collect();
        let sources = &self.sources;
        self.bound.retain(|(source, _)| sources.contains(source));
    }

    /// The socket that sends from an address, opened if need be.
    fn socket(&mut self, from: Ipv4Addr) -> io::Result<&UdpSocket> {
        if from.is_unspecified() {
            return Ok(&self.plain);
        }
        let place = match self.bound.iter().position(|(source, _)| source.address == from) {
            Some(place) => place,
            None => {
                let source = self.sources.iter().find(|source| source.address == from).cloned();
                let source = source.ok_or(io::ErrorKind::AddrNotAvailable)?;
                let socket = open_one(from)?;
                socket.set_broadcast(self.plain.broadcast()?)?;
                self.bound.push((source, socket));
                self.bound.len() - 1
            }
        };
        Ok(&self.bound[place].1)
    }

    /// Whether messages may be sent to broadcast addresses.
    ///
    /// # Errors
    /// When the system refuses the option.
    pub fn allow_broadcast(&self, allow: bool) -> io::Result<()> {
        self.bound.iter().map(|(_, socket)| socket).chain([&self.plain]).try_for_each(|s| s.set_broadcast(allow))
    }
}

impl Wire for Sockets {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
        let ready = match path {
            Path::Plain { .. } => Ok(()),
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
        let from = if let Path::Plain { from } = path { from } else { Ipv4Addr::UNSPECIFIED };
        let socket = match self.socket(from) {
            Ok(socket) => socket,
            Err(error) => return Sent { messages: 0, error: Some(error) },
        };
        for (index, message) in messages.iter().enumerate() {
            for piece in &pieces[message.pieces.clone()] {
                if let Err(error) = socket.send_to(piece, message.to) {
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

fn open_one(from: Ipv4Addr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(SocketAddrV4::new(from, 0))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}
