//! Sockets where Linux's options are not: segmentation offload as quinn-udp knows it, and plain sends.
//!
//! Owned by a sender thread. Unconnected and non-blocking. Windows splits messages (USO); where the system does not, as
//! on macOS, whose way to do so is private to Apple, a segmented message is split here and goes out packet by packet,
//! which is no reason for a notice. A system that turns out to refuse is told of by an error, nothing of that message
//! being sent; whoever gets it sends the rest as plain messages. Segmented messages have a socket of their own, because
//! quinn-udp forbids fragments and coalesces what is received.
//!
//! Tests compile this on Linux too, where quinn-udp does the same by Linux's means.

use super::{Message, Path, Sent, Wire};
use crate::output::interfaces::Source;
use quinn_udp::{Transmit, UdpSockRef, UdpSocketState};
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};

/// The most bytes of a message.
const MAX_MESSAGE: usize = 65_507;

/// The sockets that send from one address.
struct Pair {
    plain: UdpSocket,
    offload: UdpSocket,
    /// `None` where the system lacks what quinn-udp asks for; light goes out all the same.
    state: Option<UdpSocketState>,
}

impl Pair {
    fn open(from: Ipv4Addr) -> io::Result<Self> {
        let (plain, offload) = (open_one(from)?, open_one(from)?);
        let state = UdpSocketState::new(UdpSockRef::from(&offload));
        let state = state.inspect_err(|error| tracing::debug!(%error, "no offload")).ok();
        Ok(Self { plain, offload, state })
    }

    fn allow_broadcast(&self, allow: bool) -> io::Result<()> {
        self.plain.set_broadcast(allow)?;
        self.offload.set_broadcast(allow)
    }

    /// Sends one message in as many parts as the system makes necessary.
    fn send_segmented(&self, segment: usize, to: SocketAddrV4, contents: &[u8]) -> io::Result<()> {
        let Some(state) = &self.state else {
            return contents.chunks(segment).try_for_each(|packet| self.plain.send_to(packet, to).map(drop));
        };
        for contents in contents.chunks(segment * state.max_gso_segments().max(1)) {
            let segment_size = Some(segment);
            let transmit = Transmit { destination: to.into(), ecn: None, contents, segment_size, src_ip: None };
            state.try_send(UdpSockRef::from(&self.offload), &transmit)?;
        }
        Ok(())
    }

    fn send_plain(&self, message: &Message, pieces: &[IoSlice<'_>]) -> io::Result<()> {
        pieces[message.pieces.clone()].iter().try_for_each(|piece| self.plain.send_to(piece, message.to).map(drop))
    }
}

/// The sockets of one sender thread.
pub struct Sockets {
    /// For devices that leave as the system routes them.
    any: Pair,
    /// For the others, those that could be opened.
    bound: Vec<(Source, Pair)>,
    /// Where packets are to leave from.
    sources: Vec<Source>,
    /// Where a message of several pieces becomes one.
    joined: Vec<u8>,
}

impl Sockets {
    /// Opens the sockets.
    ///
    /// # Errors
    /// When the system has no socket left.
    pub fn open() -> io::Result<Self> {
        let any = Pair::open(Ipv4Addr::UNSPECIFIED)?;
        Ok(Self { any, bound: Vec::new(), sources: Vec::new(), joined: Vec::with_capacity(MAX_MESSAGE) })
    }

    /// Closes what belongs to sources that are gone, opens what is new. What cannot be opened now is tried again with
    /// each send, which tells the error.
    pub fn follow(&mut self, sources: impl IntoIterator<Item = Source>) {
        self.sources = sources.into_iter().collect();
        let sources = &self.sources;
        self.bound.retain(|(source, _)| sources.contains(source));
    }

    /// Whether messages may be sent to broadcast addresses.
    ///
    /// # Errors
    /// When the system refuses the option.
    pub fn allow_broadcast(&self, allow: bool) -> io::Result<()> {
        self.bound.iter().map(|(_, pair)| pair).chain([&self.any]).try_for_each(|pair| pair.allow_broadcast(allow))
    }

    /// The place of the sockets that send from an address among those bound, opened if need be; `None` for any.
    fn place(&mut self, from: Ipv4Addr) -> io::Result<Option<usize>> {
        if from.is_unspecified() {
            return Ok(None);
        }
        if let Some(place) = self.bound.iter().position(|(source, _)| source.address == from) {
            return Ok(Some(place));
        }
        let source = self.sources.iter().find(|source| source.address == from).cloned();
        let source = source.ok_or(io::ErrorKind::AddrNotAvailable)?;
        let pair = Pair::open(from)?;
        pair.allow_broadcast(self.any.plain.broadcast()?)?;
        self.bound.push((source, pair));
        Ok(Some(self.bound.len() - 1))
    }

    fn set_up(&mut self, path: Path) -> io::Result<Option<usize>> {
        match path {
            Path::Plain { from } | Path::Offload { from, .. } => self.place(from),
            // The system chooses the interface: there is no portable way to say which.
            Path::Multicast(multicast) if multicast.interface.is_unspecified() => {
                self.any.plain.set_multicast_ttl_v4(u32::from(multicast.ttl)).map(|()| None)
            }
            Path::Multicast(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "multicast by a chosen interface needs Linux"))
            }
        }
    }
}

impl Wire for Sockets {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
        let place = match self.set_up(path) {
            Ok(place) => place,
            Err(error) => return Sent { messages: 0, error: Some(error) },
        };
        let Self { any, bound, joined, .. } = self;
        let pair = place.map_or(&*any, |place| &bound[place].1);
        for (index, message) in messages.iter().enumerate() {
            let sent = match path {
                Path::Offload { segment, .. } => {
                    let contents: &[u8] = match &pieces[message.pieces.clone()] {
                        [piece] => piece,
                        pieces => {
                            joined.clear();
                            pieces.iter().for_each(|piece| joined.extend_from_slice(piece));
                            joined
                        }
                    };
                    pair.send_segmented(usize::from(segment.max(1)), message.to, contents)
                }
                Path::Plain { .. } | Path::Multicast(_) => pair.send_plain(message, pieces),
            };
            if let Err(error) = sent {
                return Sent { messages: index, error: Some(error) };
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

/// Whether the error says that the system does not split messages on this way, rather than that the way is shut. EINVAL
/// and "unsupported": it does not know how; EIO: no checksum in hardware; EMSGSIZE: the size of the packets.
pub fn is_offload_refusal(error: &io::Error) -> bool {
    const EIO: i32 = 5;
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
        || quinn_udp::is_msg_size_err(error)
        || cfg!(unix) && error.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests;
