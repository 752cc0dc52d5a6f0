//! The real window before a whole console, with a hand at it: what the benches of the interface have in common.
//!
//! The window runs on the main thread, as it must; what is measured runs on a thread beside it. The light goes to a port
//! that somebody has and nobody reads. Deliberately absent: what is measured.

use super::display::{NoDisplay, need_display};
use super::hand::{Orders, hand};
use super::rig::{snapshot_when, tell_faults};
use crate::app::{self, NoWindow, WindowOptions};
use crate::console::{Console, ConsoleError, ConsoleOptions};
use crate::model::device::ARTNET_PORT;
use crate::model::project::Project;
use crate::shading::fuse::Dialect;
use crate::show::command::Command;
use crate::show::snapshot::Snapshot;
use crossbeam_channel::bounded;
use std::io;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What does not come for so long never will.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Why a bench of the interface did not run.
#[derive(Debug, Error)]
pub enum StallError {
    /// There is no display.
    #[error(transparent)]
    Display(#[from] NoDisplay),
    /// There is no window.
    #[error(transparent)]
    Window(#[from] NoWindow),
    /// The console did not start.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// A socket, a thread or a file was not to be had.
    #[error("the bench could not be set up ({0}); nothing was measured")]
    System(#[from] io::Error),
    /// Nothing came in time.
    #[error("the {0} stood still for a minute; what was measured before it was printed")]
    Stuck(&'static str),
    /// A thread panicked.
    #[error("a part of Glowdeck failed while it ran; the log above says which")]
    Panicked,
}

/// A console with a window before it.
pub struct Stall<'a> {
    /// The show.
    pub console: &'a Console,
    /// The hand at the window.
    pub orders: &'a Orders,
}

/// An address of loopback that no other run has.
pub fn address() -> IpAddr {
    IpAddr::from([127, 64 + (std::process::id() % 128) as u8, (std::process::id() / 128 % 256) as u8, 2])
}

/// Opens the window on a project and measures beside it; closes it again.
///
/// # Errors
/// When there is no display, a part does not start or fails, or what is measured does.
pub fn with_window(
    bench: &'static str,
    project: Project,
    dialect: Option<Dialect>,
    measure: impl FnOnce(&Stall<'_>) -> Result<(), StallError> + Send,
) -> Result<(), StallError> {
    need_display(bench)?;
    // Held for its port and never read: a port that nobody has is answered, which costs the sender.
    let _unread = UdpSocket::bind(SocketAddr::new(address(), ARTNET_PORT))?;
    let (path, quarantined, fps, discovery) = (None, Vec::new(), Some(crate::timing::pacing::DEFAULT_FPS), None);
    let console =
        Console::start(ConsoleOptions { project, path, quarantined, fps, dialect, discovery, interface: None })?;
    let (close, closed) = bounded(1);
    let (hand, orders) = hand();
    let (console_ref, orders) = (&console, &orders);
    let measured = std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().name("measure".into()).spawn_scoped(scope, move || {
            let measured = measure(&Stall { console: console_ref, orders });
            // The window may be closed already.
            let _ = close.try_send(());
            measured
        })?;
        let shown = app::run_watched(console_ref.handles(closed), WindowOptions::default(), Some(Box::new(hand)));
        let measured = beside.join().unwrap_or(Err(StallError::Panicked));
        shown?;
        measured
    });
    tell_faults(&console);
    let well = console.stop();
    measured?;
    if well { Ok(()) } else { Err(StallError::Panicked) }
}

impl Stall<'_> {
    /// Waits while the show goes on; the last snapshot of that time.
    ///
    /// # Errors
    /// When the show stands still.
    pub fn wait(&self, time: Duration) -> Result<Arc<Snapshot>, StallError> {
        let end = Instant::now() + time;
        self.snapshot(end + PATIENCE, |_| Instant::now() >= end)
    }

    fn snapshot(&self, deadline: Instant, serves: impl Fn(&Snapshot) -> bool) -> Result<Arc<Snapshot>, StallError> {
        snapshot_when(self.console, deadline, serves).ok_or(StallError::Stuck("show"))
    }

    /// Waits until the window has painted the show.
    ///
    /// # Errors
    /// When it does not.
    pub fn wait_for_window(&self) -> Result<(), StallError> {
        let deadline = Instant::now() + PATIENCE;
        while self.orders.passes() < 2 {
            if Instant::now() > deadline {
                return Err(StallError::Stuck("window"));
            }
            self.wait(Duration::from_millis(50))?;
        }
        Ok(())
    }

    /// Tells the show something.
    pub fn tell(&self, command: impl Into<Command>) {
        // A show that takes no commands is found out by the next wait.
        let _ = self.console.commands.send(command.into());
    }

    /// Does something and tells the longest gap between two frames of light meanwhile, milliseconds.
    ///
    /// # Errors
    /// When it fails, or the show stands still.
    pub fn longest_gap<T>(&self, work: impl FnOnce() -> Result<T, StallError>) -> Result<(T, f64), StallError> {
        let first = self.wait(Duration::ZERO)?;
        self.tell(Command::ResetStats);
        // The command takes effect at the start of the next frame, or of the one after it.
        self.snapshot(Instant::now() + PATIENCE, |snapshot| snapshot.number > first.number + 1)?;
        let done = work()?;
        Ok((done, f64::from(self.wait(Duration::ZERO)?.render.longest_gap_ever_ms)))
    }
}
