//! Micro-benchmarks of what a frame and a patch cost on the CPU, each beside a control that does the bare minimum of
//! the same work: `cargo bench --bench micro`.
//!
//! At the end each median is held against a budget, ten times what was measured when it was written; a budget that is
//! broken fails the run. No test does that: machines are shared and noisy.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench that cannot start has nothing to say")]

use criterion::Criterion;
use glowdeck::bench::rig_project::{Workload, rig_project};
use glowdeck::frame::LampFrame;
use glowdeck::model::curve::Curve;
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::effect::ParamValue;
use glowdeck::model::fixture::FixtureDefinition;
use glowdeck::model::id::{CurveId, TriggerId};
use glowdeck::model::layout::Layout;
use glowdeck::model::patching::{add_chain, add_fixtures, first_kind};
use glowdeck::model::project::Project;
use glowdeck::model::scene::Scene;
use glowdeck::model::trigger::Trigger;
use glowdeck::output::artnet;
use glowdeck::output::cid::Cid;
use glowdeck::output::plan::RoutePlan;
use glowdeck::output::schedule::Schedule;
use glowdeck::render::gather::{Gather, ROW};
use glowdeck::render::lamp_map::LampMap;
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::render::runs::{BAND_ROWS, ByteTable, Runs};
use glowdeck::show::Show;
use glowdeck::show::command::LiveCommand;
use glowdeck::show::live::Moment;
use glowdeck::units::{Level, MAX_UNIVERSES, PortAddress};
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Medians that must not be passed, nanoseconds: ten times what was measured on two cores in November 2026.
const BUDGETS: &[(&str, f64)] = &[
    ("curve/one of eight bent segments", 570.0),
    ("compose/50 effects in 10 scenes", 82_000.0),
    ("compose/50 effects in 10 scenes, all numbers moving", 114_000.0),
    ("patch/lamp map and texels of 8192 universes", 127_000_000.0),
    ("patch/gather map of 8192 universes", 73_000_000.0),
    ("patch/plain runs of 8192 universes", 170_000_000.0),
    ("pack/8192 universes by table", 14_400_000.0),
    ("packets/fill 8192 universes", 1_630_000.0),
    ("packets/schedule 8192 universes that change", 6_000_000.0),
    ("edit/a kind of 20 000 fixtures", 22_600_000.0),
    ("edit/a layout of 20 000 fixtures", 9_300_000.0),
];

fn rig() -> Project {
    rig_project(MAX_UNIVERSES as u16, 50, Workload::Mixed, [127, 0, 0, 1].into())
}

fn curves(criterion: &mut Criterion) {
    let mut curve = Curve::triangle(CurveId(1), "bent");
    curve.points = (0..9)
        .map(|i| glowdeck::model::curve::CurvePoint {
            beat: f64::from(i) * 0.5,
            y: f64::from(i % 2),
            control: Some((f64::from(i) * 0.5 + 0.2, 0.3)),
        })
        .collect();
    let mut group = criterion.benchmark_group("curve");
    let mut beat = 0.0;
    group.bench_function("one of eight bent segments", |bencher| {
        bencher.iter(|| {
            beat += 0.013;
            curve.at(black_box(beat))
        });
    });
    group.bench_function("control: a modulo and a product", |bencher| {
        bencher.iter(|| {
            beat += 0.013;
            black_box(beat).rem_euclid(4.0) * 0.25
        });
    });
    group.finish();
}

/// The project with every number of its effects on a curve and on one of 16 triggers.
fn all_moving(mut project: Project) -> Project {
    let curve = CurveId(1);
    project.curves.put(Curve::triangle(curve, "all"));
    project.triggers = (0..16).map(|id| Trigger::kick(TriggerId(id), "one")).collect();
    let scenes: Vec<_> = project.scenes.iter().map(|scene| Scene::clone(scene)).collect();
    for mut scene in scenes {
        for effect in &mut scene.effects {
            let trigger = TriggerId(effect.id.0 % 16);
            let numbers = effect.params.values_mut().filter_map(|value| match value {
                ParamValue::Number(number) => Some(number),
                _ => None,
            });
            for number in numbers.chain([&mut effect.opacity, &mut effect.colour_shift]) {
                (number.curve, number.trigger) = (Some(curve), Some(trigger));
            }
        }
        project.scenes.put(scene);
    }
    project
}

fn compose(criterion: &mut Criterion) {
    let still = rig_project(32, 50, Workload::Mixed, [127, 0, 0, 1].into());
    let mut renderer = Renderer::new(None).expect("a GL context");
    renderer.set_patch(Patched::compile(&still)).unwrap();
    let mut group = criterion.benchmark_group("compose");
    let mut beat = 0.0;
    for (name, project) in [
        ("50 effects in 10 scenes, all numbers moving", all_moving(still.clone())),
        ("50 effects in 10 scenes", still.clone()),
    ] {
        assert_eq!(renderer.follow(&project, |_| true), []);
        let mut show = Show::new(project, None, Instant::now());
        for id in 0..16 {
            let input = LiveCommand::TriggerInput { id: TriggerId(id), level: Level::FULL, at: Instant::now() };
            show.apply(input.into(), Moment::default());
        }
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                beat += 0.03;
                black_box(renderer.plan(&show, Moment { secs: beat / 2.0, beat }).slots.len())
            });
        });
    }
    let show = Show::new(still, None, Instant::now());
    let slots = renderer.plan(&show, Moment::default()).slots.clone();
    let mut copy = slots.clone();
    group.bench_function("control: a copy of the numbers", |bencher| {
        bencher.iter(|| copy.copy_from_slice(black_box(&slots)));
    });
    group.finish();
}

fn patch(criterion: &mut Criterion) {
    let project = rig();
    let map = LampMap::compile(&project);
    let gather = Gather::build(&map);
    let mut group = criterion.benchmark_group("patch");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    group.bench_function("lamp map and texels of 8192 universes", |bencher| {
        bencher.iter(|| black_box(LampMap::compile(&project)).layout_texels());
    });
    group.bench_function("control: as many positions from a loop", |bencher| {
        bencher.iter(|| (0..map.lamps).map(|lamp| [lamp as f32, 0.5]).collect::<Vec<[f32; 2]>>());
    });
    group.bench_function("gather map of 8192 universes", |bencher| bencher.iter(|| Gather::build(&map)));
    group.bench_function("control: as many entries from a loop", |bencher| {
        bencher.iter(|| (0..gather.entries.len() as u32).map(black_box).collect::<Vec<u32>>());
    });
    group.bench_function("plain runs of 8192 universes", |bencher| bencher.iter(|| Runs::find(black_box(&gather))));
    group.bench_function("control: a look at every entry", |bencher| {
        bencher.iter(|| black_box(&gather).entries.iter().fold(0_u32, |all, entry| all ^ entry));
    });
    group.finish();
}

fn pack(criterion: &mut Criterion) {
    let map = LampMap::compile(&rig());
    let runs = Runs::find(&Gather::build(&map));
    let lamps: Vec<[u16; 4]> = (0..BAND_ROWS * ROW).map(|lamp| [(lamp % 0x3c00) as u16; 4]).collect();
    let table = ByteTable::default();
    let mut frame = vec![0_u8; MAX_UNIVERSES * 512];
    let mut group = criterion.benchmark_group("pack");
    group.bench_function("8192 universes by table", |bencher| {
        bencher.iter(|| runs.bands().for_each(|(_, band)| band.pack(black_box(&lamps), &table, &mut frame)));
    });
    let bytes = vec![7_u8; frame.len()];
    group.bench_function("control: a copy of the frame", |bencher| {
        bencher.iter(|| frame.copy_from_slice(black_box(&bytes)));
    });
    group.finish();
}

fn packets(criterion: &mut Criterion) {
    let mut packets: Vec<_> = (0..MAX_UNIVERSES as u16).filter_map(PortAddress::new).map(artnet::dmx_packet).collect();
    let frame = vec![7_u8; MAX_UNIVERSES * 512];
    let mut group = criterion.benchmark_group("packets");
    group.bench_function("fill 8192 universes", |bencher| {
        bencher.iter(|| {
            for (packet, data) in packets.iter_mut().zip(black_box(&frame).chunks_exact(512)) {
                artnet::advance_sequence(packet);
                artnet::dmx_data_mut(packet).copy_from_slice(data);
            }
        });
    });
    let project = rig_project(MAX_UNIVERSES as u16, 0, Workload::Ring, [127, 0, 0, 1].into());
    let plan = RoutePlan::compile(&project, &[], Cid::of_this_machine());
    let mut schedule = Schedule::new(&plan.destinations[0]);
    let mut frames = [7_u8, 8].map(|level| {
        let bytes = vec![level; MAX_UNIVERSES * 512];
        LampFrame { bytes, number: 0, stamp: Instant::now() }
    });
    let (start, mut number) = (Instant::now(), 0_u64);
    group.bench_function("schedule 8192 universes that change", |bencher| {
        bencher.iter(|| {
            number += 1;
            let frame = &mut frames[number as usize % 2];
            frame.number = number;
            schedule.prepare(start + Duration::from_micros(number), Some(black_box(frame)));
            assert_eq!(schedule.due().len(), MAX_UNIVERSES);
        });
    });
    let mut copy = frame.clone();
    group.bench_function("control: a copy of the frame", |bencher| {
        bencher.iter(|| copy.copy_from_slice(black_box(&frame)));
    });
    group.finish();
}

/// What the render thread does for a step of a drag in the largest patches: it comes between two frames.
fn edits(criterion: &mut Criterion) {
    let mut project = Project::empty("large");
    let (kind, edit) = first_kind(&project);
    edit.apply(&mut project).unwrap();
    let (chain, edit) = add_chain(&project);
    edit.apply(&mut project).unwrap();
    let (_, edit) = add_fixtures(&project, Some(chain), kind, 20_000, None).unwrap();
    edit.apply(&mut project).unwrap();
    let definition = Arc::clone(project.definitions.get(kind).unwrap());
    let layout = Arc::clone(project.layouts.get(project.settings.topology).unwrap());
    let mut group = criterion.benchmark_group("edit");
    let mut bench = |name: &str, new: &dyn Fn() -> Entry| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| Edit::Put(new()).apply(&mut project).unwrap());
        });
    };
    bench("a kind of 20 000 fixtures", &|| Entry::Definition(FixtureDefinition::clone(&definition).into()));
    bench("a layout of 20 000 fixtures", &|| Entry::Layout(Layout::clone(&layout).into()));
    group.bench_function("control: a copy of the layout", |bencher| bencher.iter(|| Layout::clone(black_box(&layout))));
    group.finish();
}

/// The median that criterion wrote for a benchmark, nanoseconds.
fn median(name: &str) -> Option<f64> {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), std::path::PathBuf::from);
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("criterion").join(name).join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args().without_plots();
    curves(&mut criterion);
    compose(&mut criterion);
    patch(&mut criterion);
    pack(&mut criterion);
    packets(&mut criterion);
    edits(&mut criterion);
    criterion.final_summary();
    let broken = BUDGETS.iter().filter_map(|(name, budget)| Some((name, median(name)?, budget)));
    let broken: Vec<_> = broken.filter(|(_, median, budget)| median > budget).collect();
    for (name, median, budget) in &broken {
        eprintln!("{name}: {median:.0} ns is over the budget of {budget:.0} ns");
    }
    if !broken.is_empty() {
        std::process::exit(1);
    }
}
