//! Sockets on Linux: segmentation offload and sendmmsg.
//!
//! Owned by a sender thread. Unconnected, because a connected socket is told about a dead node and loses sends to
//! others over it; non-blocking. Segmented, plain and multicast messages have a socket each: the segment size, the
//! interface and the time to live are properties of a socket, set anew when a batch needs others; and kernels before
//! 5.x refuse even small messages on a segmenting socket when the card has no checksums.
//!
//! Devices that name an interface have a pair of sockets of their own, bound to its address and to the interface itself:
//! the address alone would not keep packets in, because Linux routes by where they go to, not by where they come from.

use super::{MAX_MESSAGES, Message, Path, Sent, Wire};
use crate::output::interfaces::Source;
use crate::output::plan::Multicast;
use nix::sys::socket::{setsockopt, sockopt::BindToDevice, sockopt::UdpGsoSegment};
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
    /// For devices that leave as the system routes them.
    routed: Pair,
    /// For the others, those that could be opened.
    bound: Vec<(Source, Pair)>,
    /// Where packets are to leave from.
    sources: Vec<Source>,
    multicast: UdpSocket,
    /// How multicast is set to leave.
    leaving: Option<Multicast>,
    /// Cleared when the kernel turns out not to have sendmmsg.
    batches: bool,
}

impl Sockets {
    /// Opens the sockets at ports that the system chooses.
    ///
    /// # Errors
    /// When the system has no socket left.
    pub fn open() -> io::Result<Self> {
        let (routed, multicast) = (Pair::open(None)?, open_one(None)?);
        Ok(Self { routed, bound: Vec::new(), sources: Vec::new(), multicast, leaving: None, batches: true })
    }

    /// Closes what belongs to sources that are gone, opens what is new. What cannot be opened now is tried again with
    /// each send, which tells the error.
    pub fn follow(&mut self, sources: impl IntoIterator<Item = Source>) {
        self.sources = sources.into_iter().collect();
        let sources = &self.sources;
        self.bound.retain(|(source, _)| sources.contains(source));
        for source in self.sources.clone() {
            let _ = self.pair(source.address);
        }
        // An interface may have come back under its old address.
        self.leaving = None;
    }

    /// Whether messages may be sent to broadcast addresses.
    ///
    /// # Errors
    /// When the system refuses the option.
    pub fn allow_broadcast(&self, allow: bool) -> io::Result<()> {
        for pair in self.bound.iter().map(|(_, pair)| pair).chain([&self.routed]) {
            pair.plain.set_broadcast(allow)?;
            pair.offload.set_broadcast(allow)?;
        }
        Ok(())
    }

    /// The sockets that send from an address, opened if need be.
    fn pair(&mut self, from: Ipv4Addr) -> io::Result<&mut Pair> {
        if from.is_unspecified() {
            return Ok(&mut self.routed);
        }
        let place = match self.bound.iter().position(|(source, _)| source.address == from) {
            Some(place) => place,
            None => {
                let source = self.sources.iter().find(|source| source.address == from).cloned();
                let source = source.ok_or(io::ErrorKind::AddrNotAvailable)?;
                let pair = Pair::open(Some(&source))?;
                let broadcast = self.routed.plain.broadcast()?;
                pair.plain.set_broadcast(broadcast)?;
                pair.offload.set_broadcast(broadcast)?;
                self.bound.push((source, pair));
                self.bound.len() - 1
            }
        };
        Ok(&mut self.bound[place].1)
    }

    /// The socket of a path that was set up.
    fn socket(&self, path: Path) -> &UdpSocket {
        let pair = |from| {
            let bound = self.bound.iter().find(|(source, _)| source.address == from);
            bound.map_or(&self.routed, |(_, pair)| pair)
        };
        match path {
            Path::Plain { from } => &pair(from).plain,
            Path::Offload { from, .. } => &pair(from).offload,
            Path::Multicast(_) => &self.multicast,
        }
    }

    /// Sets what the path needs of its socket.
    fn set_up(&mut self, path: Path) -> io::Result<()> {
        match path {
            Path::Offload { from, segment } => {
                let pair = self.pair(from)?;
                if segment != pair.segment {
                    // A kernel that does not know segmentation says so here.
                    setsockopt(&pair.offload, UdpGsoSegment, &i32::from(segment)).map_err(|_| Errno::NOPROTOOPT)?;
                    pair.segment = segment;
                }
            }
            Path::Plain { from } => {
                self.pair(from)?;
            }
            Path::Multicast(multicast) if self.leaving != Some(multicast) => {
                self.leaving = None;
                sockopt::set_ip_multicast_if(&self.multicast, &multicast.interface)?;
                self.multicast.set_multicast_ttl_v4(u32::from(multicast.ttl))?;
                self.leaving = Some(multicast);
            }
            Path::Multicast(_) => {}
        }
        Ok(())
    }
}

impl Wire for Sockets {
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent {
        let messages = &messages[..messages.len().min(MAX_MESSAGES)];
        if let Err(error) = self.set_up(path) {
            return Sent { messages: 0, error: Some(error) };
        }
        let segmented = matches!(path, Path::Offload { .. });
        if self.batches || segmented {
            match send_batch(self.socket(path), messages, pieces) {
                Ok(messages) => return Sent { messages, error: None },
                Err(Errno::NOSYS) if segmented => {
                    return Sent { messages: 0, error: Some(Errno::NOPROTOOPT.into()) };
                }
                Err(Errno::NOSYS) => self.batches = false,
                Err(errno) => return Sent { messages: 0, error: Some(why(path, errno)) },
            }
        }
        send_singly(self.socket(path), messages, pieces)
    }

    fn wait_for_room(&mut self, path: Path) -> bool {
        let mut waiting = [PollFd::new(self.socket(path), PollFlags::OUT)];
        poll(&mut waiting, Some(&ROOM_WAIT)).is_ok_and(|ready| ready > 0)
    }
}

/// The sockets of one source.
struct Pair {
    plain: UdpSocket,
    offload: UdpSocket,
    /// The segment size that is set, 0 before the first.
    segment: u16,
}

impl Pair {
    fn open(source: Option<&Source>) -> io::Result<Self> {
        Ok(Self { plain: open_one(source)?, offload: open_one(source)?, segment: 0 })
    }
}

fn open_one(source: Option<&Source>) -> io::Result<UdpSocket> {
    let address = source.map_or(Ipv4Addr::UNSPECIFIED, |source| source.address);
    let socket = UdpSocket::bind(SocketAddrV4::new(address, 0))?;
    if let Some(source) = source {
        // Further addresses of an interface may have names of their own, such as `eth0:1`.
        let device = source.interface.split(':').next().unwrap_or_default();
        match setsockopt(&socket, BindToDevice, &device.into()) {
            // Kernels before 5.7 let only the administrator; then the address has to do.
            Err(nix::errno::Errno::EPERM) | Ok(()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    socket.set_nonblocking(true)?;
    // The forced form passes the system's limit where the program may; either way less is no reason to stop.
    if sockopt::set_socket_send_buffer_size_force(&socket, SEND_BUFFER).is_err() {
        let _ = sockopt::set_socket_send_buffer_size(&socket, SEND_BUFFER);
    }
    Ok(socket)
}

/// What the kernel means. An address that this machine has no more it calls an invalid argument, which is also how it
/// refuses to split messages.
fn why(path: Path, errno: Errno) -> io::Error {
    let from = match path {
        Path::Plain { from } | Path::Offload { from, .. } => from,
        Path::Multicast(multicast) => multicast.interface,
    };
    match UdpSocket::bind((from, 0)) {
        Err(gone) if errno == Errno::INVAL && gone.kind() == io::ErrorKind::AddrNotAvailable => gone,
        _ => errno.into(),
    }
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

    fn check(sockets: &mut Sockets, path: Path, batches: bool, size: usize) {
        let node = UdpSocket::bind("127.0.0.1:0").unwrap();
        node.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let std::net::SocketAddr::V4(to) = node.local_addr().unwrap() else { panic!("IPv4") };
        let packets: Vec<u8> = (1..=4_u8).flat_map(|level| vec![level; size]).collect();
        let pieces: Vec<_> = packets.chunks(size).map(IoSlice::new).collect();
        let messages: Vec<_> = match path {
            Path::Plain { .. } | Path::Multicast(_) => (0..4).map(|i| Message { to, pieces: i..i + 1 }).collect(),
            Path::Offload { .. } => vec![Message { to, pieces: 0..3 }, Message { to, pieces: 3..4 }],
        };
        sockets.batches = batches;
        let sent = sockets.send(path, &messages, &pieces);
        assert_eq!((sent.messages, sent.error.map(|e| e.to_string())), (messages.len(), None));
        for level in 1..=4 {
            let mut packet = [0; 2048];
            let (length, sender) = node.recv_from(&mut packet).unwrap();
            assert_eq!(length, size);
            if let Path::Plain { from } | Path::Offload { from, .. } = path {
                let expected = if from.is_unspecified() { Ipv4Addr::LOCALHOST } else { from };
                assert_eq!(sender.ip(), expected);
            }
            assert!(packet[..size].iter().all(|byte| *byte == level));
        }
    }

    #[test]
    fn all_three_ways_deliver_the_same_packets_of_any_size() {
        let mut sockets = Sockets::open().unwrap();
        let here = Source { interface: "lo".into(), index: None, address: Ipv4Addr::new(127, 0, 0, 77) };
        sockets.follow([here.clone()]);
        for size in [530, 638, 1450, 530] {
            for from in [Ipv4Addr::UNSPECIFIED, here.address] {
                check(&mut sockets, Path::Plain { from }, true, size);
                check(&mut sockets, Path::Plain { from }, false, size);
                check(&mut sockets, Path::Offload { from, segment: size as u16 }, true, size);
            }
        }
    }

    #[test]
    fn multicast_leaves_by_the_interface_that_is_asked_for() {
        let group = Ipv4Addr::new(239, 255, 77, 1);
        let node = UdpSocket::bind((group, 0)).unwrap();
        node.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        node.join_multicast_v4(&group, &Ipv4Addr::LOCALHOST).unwrap();
        let to = SocketAddrV4::new(group, node.local_addr().unwrap().port());
        let path = Path::Multicast(Multicast { interface: Ipv4Addr::LOCALHOST, ttl: 3 });
        let mut sockets = Sockets::open().unwrap();
        let pieces = [IoSlice::new(b"light")];
        let sent = sockets.send(path, &[Message { to, pieces: 0..1 }], &pieces);
        assert_eq!((sent.messages, sent.error.map(|e| e.to_string())), (1, None));
        let mut packet = [0; 64];
        let (length, from) = node.recv_from(&mut packet).unwrap();
        assert_eq!((&packet[..length], from.ip()), (&b"light"[..], Ipv4Addr::LOCALHOST.into()));
        assert_eq!(sockets.multicast.multicast_ttl_v4().unwrap(), 3);
        let nowhere = Path::Multicast(Multicast { interface: Ipv4Addr::new(203, 0, 113, 1), ttl: 1 });
        assert!(sockets.send(nowhere, &[Message { to, pieces: 0..1 }], &pieces).error.is_some());
    }

    #[test]
    fn the_first_refused_message_says_why() {
        let pieces = [IoSlice::new(&[0; 530])];
        let to = "255.255.255.255:6454".parse().unwrap();
        let mut sockets = Sockets::open().unwrap();
        let sent = sockets.send(Path::Plain { from: Ipv4Addr::UNSPECIFIED }, &[Message { to, pieces: 0..1 }], &pieces);
        assert_eq!(sent.messages, 0, "broadcast was not allowed");
        assert!(sent.error.is_some());
    }
    #[test]
    fn an_address_that_this_machine_has_not_is_no_refusal_of_offload_and_nothing_leaves_from_another() {
        let pieces = [IoSlice::new(&[0; 530])];
        let to = "127.0.0.1:6454".parse().unwrap();
        let mut sockets = Sockets::open().unwrap();
        let gone = Source { interface: "lo".into(), index: None, address: Ipv4Addr::new(203, 0, 113, 1) };
        let path = Path::Offload { from: gone.address, segment: 530 };
        for known in [true, false] {
            sockets.follow(known.then(|| gone.clone()));
            let sent = sockets.send(path, &[Message { to, pieces: 0..1 }], &pieces);
            assert_eq!(sent.messages, 0);
            assert_eq!(sent.error.unwrap().kind(), io::ErrorKind::AddrNotAvailable);
        }
    }
}
