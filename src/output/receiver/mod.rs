//! A counting, checking receiver of ArtDmx, for benches and tests: what really arrived, in which order.
//!
//! Runs on a thread named `receive`. Reads many packets a system call where the system can. Deliberately absent:
//! answers to polls, merging, and anything a node does with light.

mod check;
mod socket;

use crate::sync::spawn_named;
use crate::units::UNIVERSE_CHANNELS;
use check::Checker;
use socket::Inbox;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the thread waits for packets before it looks whether to stop.
const READ_TIMEOUT: Duration = Duration::from_millis(50);

/// What arrived since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverCounts {
    /// Good ArtDmx packets.
    pub packets: u64,
    /// UDP payload bytes of good ArtDmx packets.
    pub bytes: u64,
    /// Datagrams that are no Art-Net, have not 512 slots, no sequence, or a universe out of range.
    pub bad_packets: u64,
    /// Packets whose sequence number does not follow the one before, per universe and source.
    pub sequence_gaps: u64,
    /// ArtSync packets.
    pub syncs: u64,
}

struct Shared {
    checker: Mutex<Checker>,
    received: Condvar,
    stop: AtomicBool,
}

impl Shared {
    fn checker(&self) -> MutexGuard<'_, Checker> {
        self.checker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running receiver. Dropping it stops it.
pub struct Receiver {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Receiver {
    /// Listens at `address` for port-addresses 0..`universes`. Port 0 lets the system choose one.
    ///
    /// # Errors
    /// When the port is in use, said in words, or the system has no socket or thread left.
    pub fn start(address: SocketAddr, universes: usize) -> io::Result<Self> {
        let socket = UdpSocket::bind(address).map_err(|error| {
            let text = format!("cannot listen at UDP {address}: {error}; stop what uses the port or choose another");
            io::Error::new(error.kind(), text)
        })?;
        socket::make_room(&socket);
        socket.set_read_timeout(Some(READ_TIMEOUT))?;
        let address = socket.local_addr()?;
        let shared = Arc::new(Shared {
            checker: Mutex::new(Checker::new(universes)),
            received: Condvar::new(),
            stop: AtomicBool::new(false),
        });
        let thread = spawn_named("receive", {
            let shared = Arc::clone(&shared);
            move || receive(&shared, Inbox::new(socket))
        })?;
        Ok(Self { shared, address, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What arrived so far.
    pub fn counts(&self) -> ReceiverCounts {
        self.shared.checker().counts()
    }

    /// The data of a universe as it last arrived, `None` before that.
    pub fn latest(&self, universe: usize) -> Option<[u8; UNIVERSE_CHANNELS]> {
        self.shared.checker().latest(universe)
    }

    /// Waits until the counts are as asked or the time is up. Returns the counts, and whether they are.
    pub fn wait_for(
        &self,
        timeout: Duration,
        mut enough: impl FnMut(&ReceiverCounts) -> bool,
    ) -> (ReceiverCounts, bool) {
        let deadline = Instant::now() + timeout;
        let mut checker = self.shared.checker();
        loop {
            let counts = checker.counts();
            let left = deadline.saturating_duration_since(Instant::now());
            if enough(&counts) {
                return (counts, true);
            }
            if left.is_zero() {
                return (counts, false);
            }
            checker = self.shared.received.wait_timeout(checker, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Stops listening and returns what arrived.
    pub fn stop(mut self) -> ReceiverCounts {
        self.shut_down();
        self.counts()
    }

    fn shut_down(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// One lock a batch, not one a packet.
fn receive(shared: &Shared, mut inbox: Inbox) {
    while !shared.stop.load(Ordering::SeqCst) {
        // A read that times out is how the flag gets looked at; other errors of a bound socket pass as well.
        let received = inbox.receive(|datagrams| {
            let mut checker = shared.checker();
            for (source, bytes) in datagrams {
                checker.take(source, bytes);
            }
        });
        if received.is_ok() {
            shared.received.notify_all();
        }
    }
}
