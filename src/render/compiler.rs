//! The compiler: tries shaders and warms programs off the frame loop, on a thread with a GL context of its own.
//!
//! What it compiled and drew once is in the driver's disk cache, so that the render thread needs a moment where the
//! first time takes a tenth of a second and more. Owns no program that anybody sees.

use super::gather::ROW;
use super::programs::{BLOCK_BINDING, check_alone, link};
use super::score::ProgramKey;
use super::thumbnails::canvas::Canvas;
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, UniformBuffer};
use crate::gl::query::AnyTexel;
use crate::gl::texture::{Format, Target};
use crate::model::effect::ShaderRef;
use crate::model::layout::Frame;
use crate::shading::fuse::{Dialect, Sources};
use crate::shading::{ShaderError, ShaderText};
use crate::sync::spawn_named;
use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

/// Bytes that any program's block may read; the least that every context allows (GLES 3.0, GL_MAX_UNIFORM_BLOCK_SIZE).
const BLOCK_BYTES: usize = 16 * 1024;

/// Jobs that are put off; each that is forgotten costs some speed, nothing else.
const MAX_LATER: usize = 64;

/// Something to compile.
pub enum Job {
    /// Whether a shader compiles alone.
    Try(ShaderRef, Arc<ShaderText>),
    /// A scene's program, so that it is in the driver's cache.
    Warm(ProgramKey, Arc<Sources>),
    /// The same program as it replaces what is in the target; when there is nothing else to do.
    WarmSecond(ProgramKey, Arc<Sources>),
}

/// Something compiled.
pub enum Finished {
    /// The shader that was tried, and what is wrong with it.
    Tried(ShaderRef, Arc<ShaderText>, Result<(), ShaderError>),
    /// The program is in the cache, or the driver refused it; the render thread will see which.
    Warmed(ProgramKey),
    /// So that it may also replace.
    WarmedSecond(ProgramKey),
}

/// The thread and both ends of its work. Ends and is joined when dropped.
pub struct Compiler {
    jobs: Option<Sender<Job>>,
    finished: Receiver<Finished>,
    thread: Option<JoinHandle<()>>,
}

impl Compiler {
    /// Starts the thread. Where it gets no context it answers at once, and the render thread compiles for itself.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn start(dialect: Dialect) -> io::Result<Self> {
        // As many jobs as the project has shaders and scenes; each is sent once.
        let (jobs, received) = unbounded();
        let (done, finished) = unbounded();
        let thread = spawn_named("compiler", move || {
            let bench = Workbench::new(dialect);
            if let Err(error) = &bench {
                tracing::warn!(%error, "the compiler thread has no context; frames wait for new programs");
            }
            let mut later = VecDeque::new();
            while let Some(job) = next_job(&received, &mut later) {
                if done.send(finish(job, bench.as_ref().ok())).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { jobs: Some(jobs), finished, thread: Some(thread) })
    }

    /// Hands a job over; never waits. `false` when the thread has ended.
    pub fn send(&self, job: Job) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok())
    }

    /// What was finished since the last call.
    pub fn finished(&self) -> impl Iterator<Item = Finished> {
        self.finished.try_iter()
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        self.jobs = None;
        // The thread notices at its next answer that nobody listens, so that at most one job is waited for.
        self.finished = crossbeam_channel::never();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The next job: one that somebody waits for, else one that was put off, else the next to come.
fn next_job(jobs: &Receiver<Job>, later: &mut VecDeque<Job>) -> Option<Job> {
    loop {
        let job = match jobs.try_recv() {
            Ok(job) => job,
            Err(TryRecvError::Empty) => match later.pop_front() {
                Some(job) => return Some(job),
                None => jobs.recv().ok()?,
            },
            Err(TryRecvError::Disconnected) => return None,
        };
        if !matches!(job, Job::WarmSecond(..)) {
            return Some(job);
        }
        later.push_back(job);
        if later.len() > MAX_LATER {
            // Of a scene that has been edited that often since, most likely.
            later.pop_front();
        }
    }
}

/// What a program needs to be drawn once.
struct Workbench {
    /// A driver compiles anew for textures of another kind, so there are some to read.
    canvas: Canvas,
    target: Target,
    numbers: UniformBuffer,
    /// Dropped last: everything above is freed in its context.
    gpu: Gpu,
}

impl Workbench {
    fn new(dialect: Dialect) -> Result<Self, GlError> {
        let gpu = Gpu::new(Some(dialect))?;
        let numbers = gpu.uniform_buffer()?;
        numbers.upload(&[0; BLOCK_BYTES]);
        let canvas = Canvas::new(&gpu, &Frame::around([]))?;
        Ok(Self { canvas, target: Target::new(&gpu, Format::Rgba16F, ROW, 1)?, numbers, gpu })
    }

    /// The cost of a program comes with its first draw, anew for each format and blend mode.
    fn warm(&self, mix: Mix, sources: &Sources) {
        if let Ok(program) = link(sources, &self.gpu) {
            self.canvas.bind_inputs();
            self.gpu.begin(&self.target);
            self.numbers.bind(BLOCK_BINDING, 0..BLOCK_BYTES);
            let draw = || self.gpu.draw(&program.program, mix, ROW, 0..1);
            draw();
            // A software driver compiles anew for draws that are asked about.
            let asked = sources.guarded && mix != Mix::Replace;
            if let (true, Ok(query)) = (asked, AnyTexel::new(&self.gpu)) {
                query.ask(draw);
            }
            self.gpu.finish();
        }
    }
}

fn finish(job: Job, bench: Option<&Workbench>) -> Finished {
    match job {
        Job::Try(shader, text) => {
            let result = bench.map_or(Ok(()), |bench| check_alone(&text, &bench.gpu));
            Finished::Tried(shader, text, result)
        }
        Job::Warm(key, sources) => {
            if let Some(bench) = bench {
                bench.warm(Mix::from(key.blend), &sources);
            }
            Finished::Warmed(key)
        }
        Job::WarmSecond(key, sources) => {
            if let Some(bench) = bench {
                bench.warm(Mix::Replace, &sources);
            }
            Finished::WarmedSecond(key)
        }
    }
}
