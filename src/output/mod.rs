//! Output: from finished frames to packets on the wire.
//!
//! `plan` says who is sent what, `schedule` when; `packets` keeps a device's packets, whose bytes are the business of
//! `artnet`, `sacn` and `ddp`; `lane` is one device on its sender, `batch` takes the devices in turns, `wire` holds the
//! sockets, `sender` and `planner` are the threads. DMX interfaces at serial ports go their own way, in `serial`, whose
//! bytes are those of `enttec`. `discovery` finds nodes, beside all that; `receiver` is the other
//! end, for benches and tests.
//!
//! Meets `render` only in `frame`. Deliberately absent: name lookups, and waiting for a node.
//!
//! ArtSync goes to the device's own address, not to the broadcast address that the specification names. Each device
//! has a frame rate of its own, so "the frame is complete" is said to one device at a time; a broadcast would latch
//! half a frame in another, and in the nodes of other consoles. It also leaves by the same interface as the data,
//! behind it, and from the same address, which is what makes a node accept it.

pub mod artnet;
pub mod batch;
pub mod budget;
pub mod cid;
pub mod ddp;
pub mod discovery;
pub mod enttec;
pub mod interfaces;
pub mod lane;
mod outages;
pub mod packets;
pub mod plan;
mod planner;
pub mod receiver;
pub mod sacn;
pub mod schedule;
mod sender;
pub mod serial;
pub mod stats;
pub mod time_code;
pub mod wire;

use crate::frame::LampFrame;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::sync::{LatestSlot, spawn_named};
use planner::{Planner, PlannerLinks};
use sender::{SenderLinks, Share, StopFlag};
use serial::ports::{SerialPorts, SystemPorts};
use serial::{SerialLinks, SerialOutput};
use stats::OutputStats;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;
use wire::Sockets;

/// Sender threads. Two suffice for 8192 universes; more would take cores from the render thread.
pub const SENDERS: usize = 2;

/// The interface that light leaves by for devices that name none of their own; as the system routes it without. Belongs
/// to a machine, where [`crate::model::device::Device::interface`] belongs to a project.
pub type UsualInterface = Option<String>;

/// The running output.
pub struct Output {
    frames: Arc<LatestSlot<LampFrame>>,
    projects: Arc<LatestSlot<Project>>,
    usual: Arc<LatestSlot<UsualInterface>>,
    stop: Arc<StopFlag>,
    planner: Option<JoinHandle<Planner>>,
    senders: Vec<JoinHandle<()>>,
}

impl Output {
    /// Starts the planner and the senders. They take projects and frames as they are published to the slots,
    /// publish figures about four times a second, and drop notices that find the queue full.
    ///
    /// # Errors
    /// When the system has no socket or thread left.
    pub fn start(
        frames: Arc<LatestSlot<LampFrame>>,
        projects: Arc<LatestSlot<Project>>,
        stats: Arc<LatestSlot<OutputStats>>,
        notices: crossbeam_channel::Sender<Notice>,
    ) -> io::Result<Self> {
        Self::start_with(Arc::new(SystemPorts), frames, projects, stats, notices)
    }

    /// The same with other serial ports than this machine's.
    ///
    /// # Errors
    /// As above.
    pub fn start_with(
        ports: Arc<dyn SerialPorts>,
        frames: Arc<LatestSlot<LampFrame>>,
        projects: Arc<LatestSlot<Project>>,
        stats: Arc<LatestSlot<OutputStats>>,
        notices: crossbeam_channel::Sender<Notice>,
    ) -> io::Result<Self> {
        let shares: Vec<Arc<LatestSlot<Share>>> = (0..SENDERS).map(|_| Arc::default()).collect();
        let stop = Arc::<StopFlag>::default();
        // Built first, so that a thread that fails to start finds those before it stopped and joined.
        let mut output = Self {
            frames: Arc::clone(&frames),
            projects: Arc::clone(&projects),
            usual: Arc::default(),
            stop: Arc::clone(&stop),
            planner: None,
            senders: Vec::new(),
        };
        for (number, share) in (1..).zip(&shares) {
            let (frames, share) = (Arc::clone(&frames), Arc::clone(share));
            let links = SenderLinks { frames, share, stop: Arc::clone(&stop), notices: notices.clone() };
            let sockets = Sockets::open()?;
            let name = format!("send-{number}");
            output.senders.push(spawn_named(&name.clone(), move || sender::run(&name, &links, sockets))?);
        }
        let serial = SerialOutput::new(SerialLinks {
            frames: Arc::clone(&frames),
            stop: Arc::clone(&stop),
            notices: notices.clone(),
            ports,
        });
        let usual = Arc::clone(&output.usual);
        let planner = Planner::new(PlannerLinks { projects, usual, stats, shares, frames, stop, notices, serial });
        output.planner = Some(spawn_named("route-plan", move || planner.run())?);
        Ok(output)
    }

    /// Where the machine's usual interface is put. What is there a moment before the first project holds from the start.
    pub fn usual_interface(&self) -> &Arc<LatestSlot<UsualInterface>> {
        &self.usual
    }

    /// Leaves the nodes with what the project's exit policy says, and returns when every thread has ended. Dropping
    /// does the same.
    pub fn stop(mut self) {
        self.shut_down();
    }

    /// The order: everyone is told; the planner ends first, so that no share changes any more; then the senders, in
    /// parallel, each after its last packets; meanwhile the DMX interfaces, which are not waited for when a port hangs;
    /// then the last figures are published.
    fn shut_down(&mut self) {
        let exit = self.projects.latest().map(|project| project.settings.exit).unwrap_or_default();
        self.stop.raise(exit);
        self.projects.wake();
        self.frames.wake();
        let planner = self.planner.take().and_then(|planner| planner.join().ok());
        for sender in self.senders.drain(..) {
            // Its panics were caught and told already; one that got through leaves nothing to do.
            let _ = sender.join();
        }
        if let Some(mut planner) = planner {
            planner.end_serial(Instant::now());
            planner.publish_stats(Instant::now());
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.shut_down();
    }
}
