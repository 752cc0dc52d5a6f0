//! The patcher: compiles lamp maps off the frame loop, on a thread of its own.
//!
//! The newest request wins. Owns nothing of the show.

use super::renderer::Patched;
use crate::model::project::Project;
use crate::sync::spawn_named;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io;
use std::thread::JoinHandle;

/// The thread and both ends of its work. Ends and is joined when dropped.
pub struct Patcher {
    requests: Option<Sender<Project>>,
    results: Receiver<Patched>,
    thread: Option<JoinHandle<()>>,
    /// A request that found the queue full, because one is being compiled.
    kept: Option<Project>,
}

impl Patcher {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start() -> io::Result<Self> {
        let (requests, asked) = bounded::<Project>(1);
        let (done, results) = bounded(1);
        let thread = spawn_named("patcher", move || {
            for project in asked {
                if done.send(Patched::compile(&project)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { requests: Some(requests), results, thread: Some(thread), kept: None })
    }

    /// Asks for the patch of a project. Never waits: a request that finds no room replaces the last one that did
    /// not either, and goes out with the next [`Self::finished`].
    pub fn request(&mut self, project: &Project) {
        self.kept = Some(project.clone());
        self.send_kept();
    }

    /// A patch that is ready.
    pub fn finished(&mut self) -> Option<Patched> {
        self.send_kept();
        self.results.try_recv().ok()
    }

    fn send_kept(&mut self) {
        if let (Some(requests), Some(project)) = (&self.requests, self.kept.take())
            && let Err(refused) = requests.try_send(project)
        {
            self.kept = Some(refused.into_inner());
        }
    }
}

impl Drop for Patcher {
    fn drop(&mut self) {
        self.requests = None;
        // A thread that waits to hand over its result sees the receiver gone.
        let (_, gone) = bounded(0);
        self.results = gone;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
