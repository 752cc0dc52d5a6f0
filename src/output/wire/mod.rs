//! The way from prepared packets to the system: what a wire is, and the sockets behind it.
//!
//! Each sender thread owns one [`Sockets`]. Deliberately absent: what to send, and what to do about an error.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(not(target_os = "linux"), test))]
mod portable;

#[cfg(target_os = "linux")]
pub use linux::Sockets;
#[cfg(not(target_os = "linux"))]
pub use portable::{Sockets, is_offload_refusal};

use super::plan::Multicast;
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::ops::Range;

/// The most messages in one batch.
pub const MAX_MESSAGES: usize = 64;

/// How packets are handed to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// A message holds many packets, which the kernel or the network card splits.
    Offload {
        /// The address of this machine to send from; unspecified leaves it to the system.
        from: Ipv4Addr,
        /// Bytes of each packet; the last of a message may be shorter.
        segment: u16,
    },
    /// A message is a packet.
    Plain {
        /// The address of this machine to send from; unspecified leaves it to the system.
        from: Ipv4Addr,
    },
    /// A message is a packet to a multicast group.
    Multicast(Multicast),
}

/// One message: where it goes, and which pieces of memory make it up.
#[derive(Clone, Debug)]
pub struct Message {
    /// The node.
    pub to: SocketAddrV4,
    /// Which of the batch's pieces, one after the other.
    pub pieces: Range<usize>,
}

/// How far a batch got.
#[derive(Debug)]
pub struct Sent {
    /// So many messages went out, from the first on.
    pub messages: usize,
    /// Why the one after them did not. `None` when all did, or when some did and the system has yet to say why it
    /// stopped.
    pub error: Option<io::Error>,
}

/// Takes packets. The sockets are one; tests bring their own.
pub trait Wire {
    /// Sends messages in order until one is refused. At most [`MAX_MESSAGES`]; never blocks.
    fn send(&mut self, path: Path, messages: &[Message], pieces: &[IoSlice<'_>]) -> Sent;

    /// Waits a few milliseconds until there is room again. Returns whether there is.
    fn wait_for_room(&mut self, path: Path) -> bool;
}

/// Whether the error says that the system does not split messages on this way, rather than that the way is shut.
/// EINVAL and EMSGSIZE: the size of the pieces; EIO: no checksum in hardware, on older kernels; the others: unknown.
#[cfg(target_os = "linux")]
pub fn is_offload_refusal(error: &io::Error) -> bool {
    use rustix::io::Errno;
    const REFUSALS: [Errno; 5] = [Errno::IO, Errno::INVAL, Errno::MSGSIZE, Errno::NOPROTOOPT, Errno::OPNOTSUPP];
    error.raw_os_error().is_some_and(|code| REFUSALS.iter().any(|refusal| refusal.raw_os_error() == code))
}

/// Whether the error says that a queue is full, or nothing at all, so that trying again soon makes sense.
pub fn is_passing(error: &io::Error) -> bool {
    #[cfg(target_os = "linux")]
    if error.raw_os_error() == Some(rustix::io::Errno::NOBUFS.raw_os_error()) {
        return true;
    }
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
