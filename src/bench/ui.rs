//! `glowdeck bench ui`: what a frame of the window costs while it is scrolled, dragged and switched through, what it
//! costs at rest, and what the light notices of it.
//!
//! The measurement runs on a thread beside the window. Allocations are counted with the feature `measure` only.
//! Deliberately absent: the graphics driver's own threads, whose time is no frame's of the ui thread.

use super::hand::{Cost, Script};
use super::process::main_thread_cpu_secs;
use super::stall::{PATIENCE, Stall, StallError, address, with_window};
use super::ui_project::ui_project;
use crate::app::parts::PartCost;
use crate::app::probe::Touch;
use crate::app::workspace::{Arrangement, Panel};
use crate::model::id::SceneId;
use crate::shading::fuse::Dialect;
use crate::show::command::LiveCommand;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Before each part: programs compile, the last touch fades.
const SETTLE: Duration = Duration::from_secs(2);
/// Before what is at rest is measured: until the pictures of scenes stand still. The lights of the beat are told to
/// rest, which by themselves they do a minute after the last touch.
const REST: Duration = Duration::from_secs(8);
/// Steps of a script in a second.
const STEPS_A_SECOND: f64 = 60.0;

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct UiOptions {
    /// Scenes of the show
    #[arg(long, default_value_t = 48, value_parser = clap::value_parser!(u8).range(1..=48))]
    pub scenes: u8,
    /// How many of them play while the window is worked at
    #[arg(long, default_value_t = 4)]
    pub playing: u8,
    /// Fixtures of ten lamps each
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub fixtures: u16,
    /// How long each part is measured
    #[arg(long, default_value_t = 20.0, value_parser = super::seconds)]
    pub seconds: f64,
    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// What is told.
#[derive(Debug, Serialize)]
struct Row {
    scenes: u8,
    playing: u8,
    lamps: u32,
    frames: usize,
    frame_cpu_ms_p50: f64,
    frame_cpu_ms_p95: f64,
    frame_cpu_ms_p99: f64,
    /// Without the feature nobody counts.
    allocations_frame_p50: Option<f64>,
    /// The dearest first; nothing without the feature.
    parts: Vec<Part>,
    idle_passes_s: f64,
    idle_cpu_percent: f64,
    output_gap_ms: f64,
    control_output_gap_ms: f64,
}

/// A part of the window, over the frames that it was in.
#[derive(Debug, Serialize)]
struct Part {
    name: &'static str,
    frames: usize,
    cpu_ms_p50: f64,
    cpu_ms_p99: f64,
    allocations_p50: f64,
}

/// Measures and prints it.
///
/// # Errors
/// When there is no display, a part does not start or fails.
pub fn run(options: &UiOptions, dialect: Option<Dialect>) -> Result<(), StallError> {
    let project = ui_project(options.scenes, options.fixtures, address());
    with_window("ui", project, dialect, |stall| {
        measure(options, stall)?.print(options.json);
        Ok(())
    })
}

fn measure(options: &UiOptions, stall: &Stall<'_>) -> Result<Row, StallError> {
    let time = Duration::from_secs_f64(options.seconds);
    let scenes = || (1..=options.playing.min(options.scenes)).map(|id| SceneId(id.into()));
    scenes().for_each(|id| stall.tell(LiveCommand::Activate(id, true)));
    stall.wait_for_window()?;
    // Both are measured with both arrangements and every tab seen before: the first look at something costs once.
    play(stall, script(240))?;
    stall.wait(SETTLE)?;
    let ((), control_output_gap_ms) = stall.longest_gap(|| stall.wait(time).map(drop))?;
    let steps = (options.seconds * STEPS_A_SECOND).ceil() as usize;
    let (costs, output_gap_ms) = stall.longest_gap(|| play(stall, script(steps)))?;
    scenes().for_each(|id| stall.tell(LiveCommand::Activate(id, false)));
    stall.wait(REST)?;
    let (begin, passes, cpu) = (Instant::now(), stall.orders.passes(), main_thread_cpu_secs());
    stall.wait(time)?;
    let secs = begin.elapsed().as_secs_f64();
    let cpu_ms = |share| super::percentile(costs.iter().map(|cost| cost.cpu_ms).collect(), share);
    let allocations: Vec<f64> = costs.iter().filter_map(|cost| cost.allocations).map(|count| count as f64).collect();
    Ok(Row {
        scenes: options.scenes,
        playing: options.playing.min(options.scenes),
        lamps: u32::from(options.fixtures) * 10,
        frames: costs.len(),
        frame_cpu_ms_p50: cpu_ms(0.5),
        frame_cpu_ms_p95: cpu_ms(0.95),
        frame_cpu_ms_p99: cpu_ms(0.99),
        allocations_frame_p50: (!allocations.is_empty()).then(|| super::percentile(allocations, 0.5)),
        parts: parts(&costs),
        idle_passes_s: (stall.orders.passes() - passes) as f64 / secs,
        idle_cpu_percent: (main_thread_cpu_secs() - cpu) / secs * 100.0,
        output_gap_ms,
        control_output_gap_ms,
    })
}

/// What the parts cost, and what is left of a frame besides them: tessellation, GL and the wait for the next one.
fn parts(costs: &[Cost]) -> Vec<Part> {
    let mut found: BTreeMap<&str, Vec<PartCost>> = BTreeMap::new();
    for cost in costs.iter().filter(|cost| !cost.parts.is_empty()) {
        let known: f64 = cost.parts.iter().map(|part| part.cpu_ms).sum();
        let rest = PartCost { name: "toolkit and GL", cpu_ms: cost.cpu_ms - known, allocations: 0 };
        cost.parts.iter().chain([&rest]).for_each(|part| found.entry(part.name).or_default().push(*part));
    }
    let part = |(_, costs): (&str, Vec<PartCost>)| {
        let cpu_ms = |share| super::percentile(costs.iter().map(|cost| cost.cpu_ms).collect(), share);
        let allocations = costs.iter().map(|cost| cost.allocations as f64).collect();
        let (name, frames) = (costs[0].name, costs.len());
        let [cpu_ms_p50, cpu_ms_p99] = [0.5, 0.99].map(cpu_ms);
        Part { name, frames, cpu_ms_p50, cpu_ms_p99, allocations_p50: super::percentile(allocations, 0.5) }
    };
    let mut parts: Vec<Part> = found.into_iter().map(part).collect();
    parts.sort_by(|a, b| b.cpu_ms_p50.total_cmp(&a.cpu_ms_p50));
    parts
}

/// Has a script played to its end.
pub(super) fn play(stall: &Stall<'_>, script: Script) -> Result<Vec<Cost>, StallError> {
    let patience = PATIENCE + script.len() as u32 * Duration::from_millis(200);
    let played = stall.orders.play(script).then(|| stall.orders.played(patience)).flatten();
    played.ok_or(StallError::Stuck("window"))
}

/// Tabs that are brought to the front in turn.
const TABS: [Panel; 8] = [
    Panel::Devices,
    Panel::Settings,
    Panel::Patch,
    Panel::Nodes,
    Panel::Fixtures,
    Panel::Inspector,
    Panel::Notices,
    Panel::Stage,
];

/// Again and again: the grid is scrolled, the stage dragged and zoomed, tabs come and go, and the arrangement changes.
/// It begins and ends in the arrangement for building.
fn script(steps: usize) -> Script {
    let step = |number: usize| {
        let (cycle, at) = (number / 240, number % 240);
        let share = (at % 60) as f32 / 60.0;
        let mut touches = match at {
            0..60 => vec![
                Touch::Move(Panel::Grid, [0.2 + 0.6 * share, 0.3 + 0.4 * share]),
                Touch::Wheel(if at < 30 { -40.0 } else { 40.0 }),
            ],
            60..120 => vec![Touch::Move(Panel::Stage, [0.3 + 0.4 * share, 0.6 - 0.2 * share])],
            120..180 => vec![Touch::Move(Panel::Stage, [0.5, 0.5]), Touch::Wheel(if at < 150 { 20.0 } else { -20.0 })],
            _ => vec![Touch::Move(TABS[cycle % TABS.len()], [share, share])],
        };
        match at {
            60 => touches.push(Touch::Press(true)),
            119 => touches.push(Touch::Press(false)),
            180 => touches.insert(0, Touch::Arrange(Arrangement::Perform)),
            _ => {}
        }
        if at == 239 {
            touches.insert(0, Touch::Arrange(Arrangement::Design));
        } else if at.is_multiple_of(20) {
            touches.insert(0, Touch::Open(TABS[(cycle + at / 20) % TABS.len()]));
            if at < 60 {
                // Some of them lie over the grid.
                touches.insert(1, Touch::Open(Panel::Grid));
            }
        }
        touches
    };
    let first = vec![Touch::Arrange(Arrangement::Design)];
    // The button is let go of before the pointer leaves: a button is somewhere.
    let last = [
        vec![Touch::Arrange(Arrangement::Design), Touch::Press(false)],
        vec![Touch::Open(Panel::Stage), Touch::Leave],
        vec![Touch::Rest],
    ];
    std::iter::once(first).chain((0..steps).map(step)).chain(last).collect()
}

impl Row {
    fn print(&self, json: bool) {
        if json {
            return super::print_json(self);
        }
        println!(
            "{} scenes, {} of them playing, {} lamps, {} frames",
            self.scenes, self.playing, self.lamps, self.frames
        );
        println!(
            "a frame of the ui thread, CPU ms: p50 {:.2}, p95 {:.2}, p99 {:.2}",
            self.frame_cpu_ms_p50, self.frame_cpu_ms_p95, self.frame_cpu_ms_p99
        );
        match self.allocations_frame_p50 {
            Some(count) => println!("allocations of the panels a frame: p50 {count:.0}"),
            None => println!("allocations were not counted; build with --features measure"),
        }
        for Part { name, frames, cpu_ms_p50, cpu_ms_p99, allocations_p50 } in &self.parts {
            println!(
                "  {name:<14} in {frames:>5} frames, CPU ms p50 {cpu_ms_p50:.2}, p99 {cpu_ms_p99:.2}, \
                 allocations p50 {allocations_p50:.0}"
            );
        }
        println!("at rest: {:.2} passes a second, {:.2} % of a core", self.idle_passes_s, self.idle_cpu_percent);
        println!(
            "longest gap of the light: {:.1} ms while the window is worked at, {:.1} ms while it is not",
            self.output_gap_ms, self.control_output_gap_ms
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_over_their_own_frames_and_the_rest_is_what_is_left() {
        let part = |name, cpu_ms, allocations| PartCost { name, cpu_ms, allocations };
        let frame = |cpu_ms, parts| Cost { cpu_ms, allocations: None, parts };
        let costs = [
            frame(5.0, vec![part("Grid", 1.0, 10)]),
            frame(6.0, vec![part("Grid", 2.0, 20), part("Stage", 0.5, 5)]),
            frame(9.0, vec![]),
        ];
        let told: Vec<_> = parts(&costs).iter().map(|part| (part.name, part.frames)).collect();
        assert_eq!(told, [("toolkit and GL", 2), ("Grid", 2), ("Stage", 1)]);
        let dearest = &parts(&costs)[0];
        assert!(dearest.cpu_ms_p50 >= 3.5 && dearest.cpu_ms_p99 <= 4.0, "{dearest:?}");
        assert!(parts(&[]).is_empty());
    }

    #[test]
    fn a_script_lets_go_of_what_it_presses_and_every_tab_comes_to_the_front() {
        for steps in [1, 90, 240, 1_500] {
            let touches = script(steps).concat();
            let mut press =
                touches.iter().filter_map(|touch| if let Touch::Press(down) = touch { Some(down) } else { None });
            assert_eq!(press.next_back(), Some(&false), "{steps} steps");
            assert_eq!(touches[touches.len() - 2..], [Touch::Leave, Touch::Rest], "{steps} steps");
        }
        let touches = script(1_440).concat();
        assert!(TABS.iter().all(|tab| touches.contains(&Touch::Open(*tab))));
        assert!(touches.iter().filter(|touch| matches!(touch, Touch::Arrange(_))).count() > 10);
    }
}
