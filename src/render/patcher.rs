//! The patcher: compiles lamp maps, and where the lamps stand on the stage, off the frame loop, on a thread of its own.
//!
//! The newest request wins. Owns nothing of the show.

use super::lamp_map::LampMap;
use super::renderer::Patched;
use crate::model::id::LayoutId;
use crate::model::project::Project;
use crate::show::snapshot::StageMap;
use crate::sync::spawn_named;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

/// What is to be made of a project.
struct Request {
    project: Project,
    /// The layout that the stage is looked at in.
    layout: Option<LayoutId>,
    /// Everything, or the stage alone.
    patch: bool,
}

/// What was made.
pub enum Made {
    /// Everything, with the stage.
    Patch(Box<Patched>),
    /// The stage of this project alone.
    Stage(Project, Arc<StageMap>),
}

/// The thread and both ends of its work. Ends and is joined when dropped.
pub struct Patcher {
    requests: Option<Sender<Request>>,
    results: Receiver<Made>,
    thread: Option<JoinHandle<()>>,
    /// A request that found the queue full, because one is being compiled.
    kept: Option<Request>,
}

/// The patch of a project, with the stage in this layout.
pub fn compile(project: &Project, layout: Option<LayoutId>) -> Patched {
    let mut patched = Patched::compile(project);
    if layout.is_some() {
        patched.stage = Arc::new(patched.map.stage_map_in(layout));
    }
    patched
}

fn make(Request { project, layout, patch }: Request) -> Made {
    match patch {
        true => Made::Patch(Box::new(compile(&project, layout))),
        false => {
            let stage = Arc::new(LampMap::stage_of(&project, layout));
            Made::Stage(project, stage)
        }
    }
}

impl Patcher {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start() -> io::Result<Self> {
        let (requests, asked) = bounded::<Request>(1);
        let (done, results) = bounded(1);
        let thread = spawn_named("patcher", move || {
            for request in asked {
                if done.send(make(request)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { requests: Some(requests), results, thread: Some(thread), kept: None })
    }

    /// Asks for the patch of a project, with the stage in this layout. Never waits: a request that finds no room
    /// replaces the last one that did not either, and goes out with the next [`Self::finished`].
    pub fn request(&mut self, project: &Project, layout: Option<LayoutId>) {
        self.kept = Some(Request { project: project.clone(), layout, patch: true });
        self.send_kept();
    }

    /// Asks for the stage alone in this layout, in the same way. A patch that still waits is made all the same.
    pub fn look(&mut self, project: &Project, layout: Option<LayoutId>) {
        let patch = self.kept.as_ref().is_some_and(|kept| kept.patch);
        self.kept = Some(Request { project: project.clone(), layout, patch });
        self.send_kept();
    }

    /// What is ready.
    pub fn finished(&mut self) -> Option<Made> {
        self.send_kept();
        self.results.try_recv().ok()
    }

    fn send_kept(&mut self) {
        if let (Some(requests), Some(request)) = (&self.requests, self.kept.take())
            && let Err(refused) = requests.try_send(request)
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
