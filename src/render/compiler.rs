//! The compiler: tries shaders and warms programs off the frame loop, on a thread with a GL context of its own.
//!
//! What it compiled and drew once is in the driver's disk cache, so that the render thread needs a moment where the
//! first time takes a tenth of a second and more. It yields to everybody who makes frames. Owns no program that
//! anybody sees.

use super::gather::ROW;
use super::programs::{BLOCK_BINDING, BLOCK_BYTES, alone, check_alone, link};
use super::queue::{Job, Lanes};
use super::score::ProgramKey;
use super::thumbnails::canvas::{Canvas, Inputs};
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix, UniformBuffer};
use crate::gl::query::AnyTexel;
use crate::gl::texture::{Format, Target};
use crate::model::effect::ShaderRef;
use crate::model::layout::Frame;
use crate::shading::fuse::{Dialect, Sources};
use crate::shading::library::{BUILT_INS, read_built_in};
use crate::shading::{ShaderError, ShaderText};
use crate::sync::{spawn_named, yield_to_frames};
use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Something compiled.
pub enum Finished {
    /// The shader that was tried, and all that is wrong with it.
    Tried(ShaderRef, Arc<ShaderText>, Result<(), Vec<ShaderError>>),
    /// The program is in the cache, or the driver refused it; the render thread will see which.
    Warmed(ProgramKey),
    /// So that it may also replace.
    WarmedSecond(ProgramKey),
}

/// The thread and both ends of its work. Ends and is joined when dropped.
pub struct Compiler {
    jobs: Option<Sender<Job>>,
    finished: Receiver<Finished>,
    /// Since when.
    settling: VecDeque<(Instant, Finished)>,
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
            yield_to_frames();
            work(&received, &done, bench.ok());
        })?;
        Ok(Self { jobs: Some(jobs), finished, settling: VecDeque::new(), thread: Some(thread) })
    }

    /// Hands a job over; never waits. `false` when the thread has ended.
    pub fn send(&self, job: Job) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok())
    }

    /// What was finished since the last call. A program is handed over when the driver has had time to put it into
    /// its cache, which it does on a thread of the lowest priority: before that, linking it compiles it once more.
    pub fn finished(&mut self) -> Vec<Finished> {
        let now = Instant::now();
        self.settling.extend(self.finished.try_iter().map(|finished| (now, finished)));
        take_due(&mut self.settling, now)
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

fn work(jobs: &Receiver<Job>, done: &Sender<Finished>, bench: Option<Workbench>) {
    let mut lanes = Lanes::default();
    // Effects that are in no scene yet: one that is made of them is lit the sooner.
    let mut idle = BUILT_INS.iter();
    loop {
        loop {
            match jobs.try_recv() {
                Ok(job) => lanes.push(job),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return,
            }
        }
        if let Some(job) = lanes.pop() {
            if done.send(finish(job, bench.as_ref())).is_err() {
                return;
            }
        } else if let (Some(bench), Some((name, _))) = (bench.as_ref(), idle.next()) {
            if let Ok(text) = read_built_in(name) {
                bench.warm(Mix::Add, &alone(&text, bench.gpu.recipe()));
            }
        } else {
            match jobs.recv() {
                Ok(job) => lanes.push(job),
                Err(_) => return,
            }
        }
    }
}

/// What may be handed over now: answers at once, programs when they have settled.
fn take_due(settling: &mut VecDeque<(Instant, Finished)>, now: Instant) -> Vec<Finished> {
    let is_due = |(since, finished): &(Instant, Finished)| {
        matches!(finished, Finished::Tried(..)) || now.duration_since(*since) >= SETTLING
    };
    let (due, rest): (VecDeque<_>, VecDeque<_>) = std::mem::take(settling).into_iter().partition(is_due);
    *settling = rest;
    due.into_iter().map(|(_, finished)| finished).collect()
}

/// See [`Compiler::finished`].
const SETTLING: Duration = Duration::from_millis(250);

/// What a program needs to be drawn once.
struct Workbench {
    /// A driver compiles anew for textures of another kind, so there are some to read.
    canvas: Canvas,
    inputs: Inputs,
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
        let (canvas, inputs) = (Canvas::new(&gpu)?, Inputs::matrix(&gpu, &Frame::around([]))?);
        Ok(Self { canvas, inputs, target: Target::new(&gpu, Format::Rgba16F, ROW, 1)?, numbers, gpu })
    }

    /// The cost of a program comes with its first draw, anew for each format, blend mode and kind of input.
    fn warm(&self, mix: Mix, sources: &Sources) {
        if let Ok(program) = link(sources, &self.gpu) {
            self.canvas.bind(&self.inputs);
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
        Job::Warm { key, sources, second, .. } => {
            if let (Some(bench), Some(sources)) = (bench, sources.upgrade()) {
                bench.warm(if second { Mix::Replace } else { Mix::from(key.blend) }, &sources);
            }
            if second { Finished::WarmedSecond(key) } else { Finished::Warmed(key) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scene::SceneBlend;

    #[test]
    fn answers_come_at_once_and_programs_when_the_drivers_cache_has_them() {
        let start = Instant::now();
        let key = |blend| ProgramKey { parts: Vec::new(), blend };
        let text = ShaderText::read("vec4 effect(Lamp lamp) { return vec4(1.0); }").unwrap();
        let tried = Finished::Tried(ShaderRef::BuiltIn("solid".into()), Arc::new(text), Ok(()));
        let later = start + Duration::from_millis(100);
        let mut settling = VecDeque::from([
            (start, Finished::Warmed(key(SceneBlend::Add))),
            (later, Finished::Warmed(key(SceneBlend::Max))),
            (later, tried),
        ]);
        assert!(matches!(take_due(&mut settling, later)[..], [Finished::Tried(..)]));
        assert!(take_due(&mut settling, start + SETTLING - Duration::from_millis(1)).is_empty());
        let due = take_due(&mut settling, start + SETTLING);
        assert!(matches!(&due[..], [Finished::Warmed(first)] if first.blend == SceneBlend::Add));
        assert_eq!(take_due(&mut settling, later + SETTLING).len(), 1);
        assert!(settling.is_empty());
    }
}
