//! Where a frame's time goes: every stage on its own, waited for, on one thread.
//!
//! Stages that overlap in the console follow each other here, so that the sum is longer than a frame of the console
//! but says what each costs. The CPU time is the whole process's: a software driver draws on threads of its own.

use super::process::cpu_secs;
use super::rig::{RigError, RigOptions};
use super::rig_project::rig_project;
use crate::frame::FramePool;
use crate::gl::GlError;
use crate::output::batch::Batcher;
use crate::output::cid::Cid;
use crate::output::lane::Lane;
use crate::output::plan::RoutePlan;
use crate::output::wire::Sockets;
use crate::render::by_stage::Stage;
use crate::render::renderer::{Patched, Renderer};
use crate::shading::fuse::Dialect;
use crate::show::Show;
use crate::show::live::Moment;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Frames before the measurement starts.
const WARM_UP_FRAMES: u32 = 10;
/// Time of the show between two frames, seconds.
const STEP: f64 = 1.0 / 60.0;

/// What a stage took, summed over frames.
#[derive(Clone, Debug, Default, Serialize)]
struct Cost {
    stage: String,
    wall_ms: f64,
    cpu_ms: f64,
}

/// One rig's stages.
#[derive(Debug, Serialize)]
struct Profile {
    universes: u16,
    lamps: usize,
    effects: u16,
    renderer: String,
    frames: u32,
    /// A frame's mean.
    stages: Vec<Cost>,
}

/// Tells how long it is since it was last asked.
struct Stopwatch {
    wall: Instant,
    cpu: f64,
}

impl Stopwatch {
    fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_secs() }
    }

    fn lap(&mut self, cost: &mut Cost) {
        let now = Self::start();
        cost.wall_ms += (now.wall - self.wall).as_secs_f64() * 1e3;
        cost.cpu_ms += (now.cpu - self.cpu) * 1e3;
        *self = now;
    }
}

/// Everything that makes and sends frames, on this thread.
struct Bench {
    show: Show,
    renderer: Renderer,
    pool: FramePool,
    lanes: Vec<Lane>,
    batcher: Batcher,
    sockets: Sockets,
    frame: u32,
}

/// Profiles a rig and prints it.
///
/// # Errors
/// When there is no GL or no socket.
pub fn run(options: &RigOptions, universes: u16, dialect: Option<Dialect>) -> Result<(), RigError> {
    let mut bench = Bench::new(options, universes, dialect)?;
    let mut costs = Vec::new();
    for _ in 0..WARM_UP_FRAMES {
        bench.frame(&mut costs)?;
    }
    costs.clear();
    let end = Instant::now() + Duration::from_secs_f64(options.seconds);
    while Instant::now() < end {
        bench.frame(&mut costs)?;
    }
    let frames = bench.frame - WARM_UP_FRAMES;
    for cost in &mut costs {
        cost.wall_ms /= f64::from(frames);
        cost.cpu_ms /= f64::from(frames);
    }
    let profile = Profile {
        universes,
        lamps: bench.renderer.map().map_or(0, |map| map.lamps),
        effects: options.effects,
        renderer: bench.renderer.renderer_name().to_owned(),
        frames,
        stages: costs,
    };
    profile.print(options.json);
    Ok(())
}

impl Bench {
    fn new(options: &RigOptions, universes: u16, dialect: Option<Dialect>) -> Result<Self, RigError> {
        let project = rig_project(universes, usize::from(options.effects), options.workload, options.address);
        let mut renderer = Renderer::new(dialect)?;
        renderer.set_patch(Patched::compile(&project))?;
        let notices = renderer.follow(&project, |_| true);
        notices.iter().for_each(|notice| eprintln!("glowdeck: {notice}"));
        let plan = RoutePlan::compile(&project, &[], Cid::of_this_machine());
        let lanes = plan.destinations.into_iter().map(|to| Lane::new(Arc::new(to), Arc::default())).collect();
        Ok(Self {
            show: Show::new(project, None, Instant::now()),
            renderer,
            pool: FramePool::default(),
            lanes,
            batcher: Batcher::default(),
            sockets: Sockets::open().map_err(RigError::Socket)?,
            frame: 0,
        })
    }

    /// Makes and sends one frame; adds what each stage took.
    fn frame(&mut self, costs: &mut Vec<Cost>) -> Result<(), GlError> {
        let Self { show, renderer, pool, lanes, batcher, sockets, frame } = self;
        let secs = f64::from(*frame) * STEP;
        let now = Moment { secs, beat: show.clock.beat_at(secs) };
        *frame += 1;
        let stamp = Instant::now();
        let mut drawn = Ok(());
        let mut watch = Stopwatch::start();
        let mut over = |stage: &dyn Fn() -> String, place: usize, watch: &mut Stopwatch| {
            if costs.len() == place {
                costs.push(Cost { stage: stage(), ..Cost::default() });
            }
            if let Some(cost) = costs.get_mut(place) {
                watch.lap(cost);
            }
        };
        let mut place = 0;
        let packed = pool.fill(renderer.universes(), u64::from(*frame), stamp, |bytes| {
            drawn = renderer.draw_by_stage(show, now, bytes, |stage| {
                over(&|| name(stage), place, &mut watch);
                place += 1;
            });
        });
        drawn?;
        lanes.iter_mut().for_each(|lane| lane.schedule.prepare(stamp, Some(&packed)));
        over(&|| "copy".into(), place, &mut watch);
        batcher.flush(lanes, sockets, stamp);
        over(&|| "send".into(), place + 1, &mut watch);
        Ok(())
    }
}

fn name(stage: Stage) -> String {
    match stage {
        Stage::Compose => "compose".into(),
        Stage::Scene(number) => format!("draw scene {}", number + 1),
        Stage::Pack => "pack".into(),
        Stage::ReadBack => "read back".into(),
        Stage::Power => "power".into(),
    }
}

impl Profile {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        let Self { universes, lamps, effects, frames, renderer, stages } = self;
        println!("{universes} universes, {lamps} lamps, {effects} effects, {frames} frames, {renderer}");
        println!("{:>16} {:>9} {:>9} {:>6}", "stage", "ms", "CPU ms", "share");
        let total = stages.iter().map(|cost| cost.cpu_ms).sum::<f64>();
        let row = |Cost { stage, wall_ms, cpu_ms }: &Cost| {
            println!(
                "{stage:>16} {wall_ms:>9.3} {cpu_ms:>9.3} {:>5.1}%",
                cpu_ms / total.max(f64::MIN_POSITIVE) * 100.0
            );
        };
        stages.iter().for_each(row);
        let wall_ms = stages.iter().map(|cost| cost.wall_ms).sum();
        row(&Cost { stage: "together".into(), wall_ms, cpu_ms: total });
    }
}
