//! Two network namespaces joined by cables, nodes at the far ends, and a show that plays at the near one.
//!
//! Needs Linux and permission to make namespaces; [`run`] says loudly where that is missing.

use crate::output_rig::{Rig, pattern};
use glowdeck::frame::{FramePool, LampFrame};
use glowdeck::sync::LatestSlot;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::os::fd::AsFd as _;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer than anything takes on the slowest machine.
pub const SOON: Duration = Duration::from_secs(10);
/// What the rules allow between the return of a link and the light.
pub const RESUMED: Duration = Duration::from_secs(1);
/// Frames a second of a show that moves.
pub const FPS: f64 = 44.0;

/// The two namespaces.
pub struct Spaces {
    here: String,
    there: String,
}

/// Runs a test on a thread of its own inside the near namespace, or says that it was not run.
pub fn run(test: &str, body: impl FnOnce(&Spaces) + Send) {
    match Spaces::make(test) {
        Ok(spaces) => std::thread::scope(|scope| {
            let inside = || {
                enter(&spaces.here);
                body(&spaces);
            };
            scope.spawn(inside).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }),
        Err(reason) => {
            // Past the test harness's capture, so that nobody takes a skipped test for a passed one.
            let line = format!("\n*** SKIPPED: {test}: {reason}. Nothing was checked. ***\n");
            std::fs::write("/dev/stderr", line).ok();
        }
    }
}

/// Moves this thread into a namespace; the threads that it starts are born there.
fn enter(space: &str) {
    let file = std::fs::File::open(format!("/run/netns/{space}")).unwrap();
    move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network)).unwrap();
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(arguments).output().map_err(|error| format!("ip: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("ip {arguments:?}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

impl Spaces {
    fn make(test: &str) -> Result<Self, String> {
        let name = |end| format!("glowdeck-{end}-{}-{test}", std::process::id());
        let spaces = Self { here: name("here"), there: name("there") };
        for space in [&spaces.here, &spaces.there] {
            ip(&["netns", "add", space])?;
            ip(&["-n", space, "link", "set", "lo", "up"])?;
        }
        Ok(spaces)
    }

    /// Lays cable `number`: `near1` has 10.77.1.1 here, and `far1` 10.77.1.2 there.
    pub fn lay_cable(&self, number: u8) {
        let (near, far) = (format!("near{number}"), format!("far{number}"));
        let (here, there) = (&self.here, &self.there);
        let pair = ["link", "add", &near, "netns", here, "type", "veth", "peer", "name", &far, "netns", there];
        ip(&pair).unwrap();
        self.there(&["addr", "add", &format!("10.77.{number}.2/24"), "dev", &far]);
        self.there(&["link", "set", &far, "up"]);
        self.here(&["addr", "add", &format!("10.77.{number}.1/24"), "dev", &near]);
        self.here(&["link", "set", &near, "up"]);
    }

    /// Changes something at the near end.
    pub fn here(&self, arguments: &[&str]) {
        ip(&[&["-n", &self.here], arguments].concat()).unwrap();
    }

    /// Changes something at the far end.
    pub fn there(&self, arguments: &[&str]) {
        ip(&[&["-n", &self.there], arguments].concat()).unwrap();
    }

    /// Runs a program at the near end. Returns whether it did what it should.
    pub fn try_here(&self, program: &[&str]) -> bool {
        Command::new("ip").args(["netns", "exec", &self.here]).args(program).output().unwrap().status.success()
    }

    /// What `open` makes at the far ends.
    pub fn open_there<T: Send>(&self, open: impl FnOnce() -> T + Send) -> T {
        let inside = || {
            enter(&self.there);
            open()
        };
        std::thread::scope(|scope| scope.spawn(inside).join().unwrap())
    }

    /// A socket at the far end of a cable.
    pub fn socket_there(&self, cable: u8, port: u16) -> UdpSocket {
        self.open_there(|| UdpSocket::bind(SocketAddr::from(([10, 77, cable, 2], port))).unwrap())
    }
}

impl Drop for Spaces {
    fn drop(&mut self) {
        for space in [&self.here, &self.there] {
            let _ = ip(&["netns", "del", space]);
        }
    }
}

/// When datagrams came, and from which address.
type Arrivals = Arc<(Mutex<Vec<(Instant, IpAddr)>>, Condvar)>;

/// Somebody who listens at the far end of a cable.
pub struct Node {
    pub address: SocketAddr,
    arrivals: Arrivals,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Node {
    pub fn listen(spaces: &Spaces, cable: u8) -> Self {
        Self::over(spaces.socket_there(cable, 0))
    }

    pub fn over(socket: UdpSocket) -> Self {
        socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let address = socket.local_addr().unwrap();
        let (arrivals, stop) = (Arrivals::default(), Arc::<AtomicBool>::default());
        let (heard, stopped) = (Arc::clone(&arrivals), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let mut datagram = [0; 2048];
            while !stopped.load(Ordering::SeqCst) {
                if let Ok((_, from)) = socket.recv_from(&mut datagram) {
                    heard.0.lock().unwrap().push((Instant::now(), from.ip()));
                    heard.1.notify_all();
                }
            }
        });
        Self { address, arrivals, stop, thread: Some(thread) }
    }

    /// Waits until this many datagrams came after `since`; returns when the last of them did, and from where all did.
    pub fn wait_for(&self, since: Instant, enough: usize) -> (Instant, Vec<IpAddr>) {
        self.wait_for_those(since, enough, |_| true)
    }

    /// The same for those that came from an address.
    pub fn wait_from(&self, from: Ipv4Addr, since: Instant, enough: usize) -> Instant {
        self.wait_for_those(since, enough, |address| address == from).0
    }

    fn wait_for_those(&self, since: Instant, enough: usize, wanted: impl Fn(IpAddr) -> bool) -> (Instant, Vec<IpAddr>) {
        let deadline = Instant::now() + SOON;
        let mut arrivals = self.arrivals.0.lock().unwrap();
        loop {
            let later = arrivals.iter().filter(|(at, from)| *at > since && wanted(*from));
            let later: Vec<_> = later.take(enough).copied().collect();
            if let (Some((at, _)), true) = (later.last(), later.len() == enough) {
                return (*at, later.iter().map(|(_, from)| *from).collect());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{} has only {} of {enough} datagrams", self.address, later.len());
            arrivals = self.arrivals.1.wait_timeout(arrivals, left).unwrap().0;
        }
    }

    /// The longest time without a datagram from `since` to now.
    pub fn longest_gap(&self, since: Instant) -> Duration {
        let arrivals = self.arrivals.0.lock().unwrap();
        let times = arrivals.iter().map(|(at, _)| *at).filter(|at| *at > since);
        let times: Vec<_> = [since].into_iter().chain(times).chain([Instant::now()]).collect();
        times.windows(2).map(|pair| pair[1].saturating_duration_since(pair[0])).max().unwrap()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A show that moves in every frame until it is dropped.
pub struct Moving {
    stop: Option<crossbeam_channel::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Moving {
    pub fn start(rig: &Rig, universes: usize) -> Self {
        let frames: Arc<LatestSlot<LampFrame>> = Arc::clone(&rig.frames);
        let (stop, stopped) = crossbeam_channel::bounded(0);
        let thread = std::thread::spawn(move || {
            let (mut pool, ticks) = (FramePool::default(), crossbeam_channel::tick(Duration::from_secs_f64(1.0 / FPS)));
            for number in 1_u64.. {
                crossbeam_channel::select! {
                    recv(stopped) -> _ => return,
                    recv(ticks) -> _ => frames.publish(pool.fill(universes, number, Instant::now(), pattern(number as u8))),
                }
            }
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Prints what was measured, and returns the median.
pub fn median(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort();
    let median = times[times.len() / 2];
    eprintln!("{what}: median {median:.0?} of {}, longest {:.0?}", times.len(), times[times.len() - 1]);
    median
}
