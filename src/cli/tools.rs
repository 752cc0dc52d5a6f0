//! The tools: check, render, list and bench.

use super::{Bench, Common, Failure, GlFlavour, List, Tool, start_log};
use crate::bench::{output, rig, session, startup, storm, ui, window};
use crate::console::ConsoleError;
use crate::model::project::Project;
use crate::offline::{self, Frames};
use crate::output::budget::budgets;
use crate::output::cid::Cid;
use crate::output::discovery::nodes::Found;
use crate::output::discovery::roll::ports_text;
use crate::output::discovery::{Discovery, DiscoveryLinks, DiscoveryOptions};
use crate::output::interfaces;
use crate::output::plan::RoutePlan;
use crate::output::serial::ports::{SerialPorts, SystemPorts};
use crate::storage::check::check_report;
use crate::storage::load::{Loaded, load};
use crate::sync::LatestSlot;
use crate::timing::pacing::DEFAULT_FPS;
use crossbeam_channel::bounded;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Two rounds of asking, and a second in which the last may answer.
const TWO_ROUNDS: Duration = Duration::from_millis(4_500);

pub(super) fn run(tool: Tool) -> Result<(), Failure> {
    match tool {
        Tool::Check { project } => {
            let report = check_report(&project)?;
            println!("{report}");
            print_budgets(&report.project);
            if report.is_clean() { Ok(()) } else { Err(Failure::Found) }
        }
        Tool::Render { project, frames, out, fps, common } => {
            render(&project, Frames { count: frames, fps }, &out, common)
        }
        Tool::List(List::Interfaces) => list_interfaces(),
        Tool::List(List::Nodes) => list_nodes(),
        Tool::List(List::Serial) => list_serial(),
        Tool::Bench(Bench::Rig { options, common }) => {
            start_log(common.log_level);
            Ok(rig::run(&options, common.gl.map(GlFlavour::dialect))?)
        }
        Tool::Bench(Bench::Storm { options, gl }) => Ok(storm::run(&options, gl.map(GlFlavour::dialect))?),
        Tool::Bench(Bench::Window { options, common }) => {
            start_log(common.log_level);
            Ok(window::run(&options, common.gl.map(GlFlavour::dialect))?)
        }
        Tool::Bench(Bench::Startup { options }) => Ok(startup::run(&options)?),
        Tool::Bench(Bench::Ui { options, common }) => {
            start_log(common.log_level);
            Ok(ui::run(&options, common.gl.map(GlFlavour::dialect))?)
        }
        Tool::Bench(Bench::Session { options, common }) => {
            start_log(common.log_level);
            Ok(session::run(&options, common.gl.map(GlFlavour::dialect))?)
        }
        Tool::Bench(Bench::Output { options }) => Ok(output::run(&options)?),
    }
}

/// What the project puts on each network of this machine.
fn print_budgets(project: &Project) {
    let interfaces = interfaces::list().unwrap_or_default();
    let destinations = RoutePlan::compile(project, &interfaces, Cid::of_this_machine()).destinations;
    for destination in destinations.iter().filter(|destination| destination.is_cut_off()) {
        println!("{} is sent nothing: the interface that it is to leave by cannot be used now.", destination.name);
    }
    for budget in budgets(&destinations, &interfaces, interfaces::source_of, DEFAULT_FPS) {
        println!("{budget}");
        budget.warning().into_iter().for_each(|warning| println!("{warning}"));
    }
}

fn render(project: &Path, frames: Frames, out: &Path, common: Common) -> Result<(), Failure> {
    start_log(common.log_level);
    let Loaded { project, problems, .. } = load(project)?;
    problems.iter().for_each(|problem| eprintln!("glowdeck: {problem}"));
    let notices = offline::render(project, frames, out, common.gl.map(GlFlavour::dialect))?;
    notices.iter().for_each(|notice| eprintln!("glowdeck: {notice}"));
    println!("{} frames in {}", frames.count, out.display());
    Ok(())
}

fn list_interfaces() -> Result<(), Failure> {
    for interface in interfaces::list().map_err(Failure::Interfaces)? {
        println!("{interface}");
    }
    Ok(())
}

fn list_serial() -> Result<(), Failure> {
    let ports = SystemPorts.list().map_err(Failure::SerialPorts)?;
    for port in &ports {
        println!("{port}");
    }
    if ports.is_empty() {
        println!("no serial port");
    }
    Ok(())
}

/// Asks twice, so that one lost datagram hides nobody, and prints who answered.
fn list_nodes() -> Result<(), Failure> {
    let (projects, found) = (Arc::default(), Arc::<LatestSlot<Found>>::default());
    let (notices, told) = bounded(4);
    let links = DiscoveryLinks { projects, found: Arc::clone(&found), notices, dmx: None };
    let discovery = Discovery::start(DiscoveryOptions::default(), links).map_err(ConsoleError::Thread)?;
    std::thread::sleep(TWO_ROUNDS);
    drop(discovery);
    told.try_iter().for_each(|notice| eprintln!("glowdeck: {notice}"));
    let nodes = found.latest().map(|found| found.nodes.clone()).unwrap_or_default();
    for node in &nodes {
        let takes = if node.takes.is_empty() { "no universe".to_owned() } else { ports_text(&node.takes, 0) };
        println!("{:<16} {:<18} takes {takes}", node.address.to_string(), node.name);
    }
    if nodes.is_empty() {
        println!("no node answered");
    }
    Ok(())
}
