//! The way from lamps to bytes, against references worked out from the project alone: any patch, any colour order,
//! both straddling rules, on the CPU and on both kinds of context.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use glowdeck::gl::gpu::Gpu;
use glowdeck::gl::texture::{Format, Size, Texture};
use glowdeck::model::fixture::{Channel, Fixture, FixtureDefinition, Pixels};
use glowdeck::model::id::{ChainId, DefinitionId, FixtureId};
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::Project;
use glowdeck::render::gather::{Gather, ROW};
use glowdeck::render::lamp_map::LampMap;
use glowdeck::render::picture::PackPass;
use glowdeck::shading::fuse::Dialect;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A chain: where it starts, how it straddles, and its fixtures as pixel counts with channels.
type AnyChain = (usize, Straddle, Vec<(u32, Vec<Channel>)>);

fn any_channel() -> impl Strategy<Value = Channel> {
    prop_oneof![
        4 => Just(Channel::Red),
        4 => Just(Channel::Green),
        4 => Just(Channel::Blue),
        2 => Just(Channel::White),
        1 => Just(Channel::RedFine),
        1 => Just(Channel::GreenFine),
        1 => Just(Channel::BlueFine),
        1 => Just(Channel::WhiteFine),
        1 => any::<u8>().prop_map(Channel::Constant),
    ]
}

fn any_chain() -> impl Strategy<Value = AnyChain> {
    let straddle = prop_oneof![Just(Straddle::WholePixels), Just(Straddle::Packed)];
    let fixture = (1_u32..260, proptest::collection::vec(any_channel(), 1..9));
    (0_usize..512 * 12, straddle, proptest::collection::vec(fixture, 1..4))
}

fn project(chains: &[AnyChain]) -> Project {
    let mut project = Project::empty("packing");
    let mut next = 1;
    for (number, (start, straddle, fixtures)) in (1..).zip(chains) {
        let mut links = Vec::new();
        let start = PatchAddress::from_byte(*start).unwrap();
        for (count, channels) in fixtures {
            let (definition, id, name) = (DefinitionId(next), FixtureId(next), String::new());
            let pixels = Pixels::Strip { count: *count, length: 1.0 };
            let channels = channels.clone();
            project.definitions.put(FixtureDefinition { id: definition, name, pixels, channels, modes: vec![] });
            project.fixtures.put(Fixture { id, name: String::new(), definition });
            links.push(Link { fixture: id, start });
            next += 1;
        }
        let chain = Chain { id: ChainId(number), name: String::new(), straddle: *straddle, links };
        let kind = |id| project.definitions.get(project.fixtures.get(id)?.definition).map(|d| &**d);
        let chain = chain.assigned(start, kind).unwrap();
        project.chains.put(chain);
    }
    project
}

/// Linear light by chain, fixture and pixel: values that are exact in 8 and in 16 bits.
fn light(lamp: usize) -> [f32; 3] {
    let part = |step: usize| ((lamp * step + step) % 256) as f32 / 255.0;
    [part(7), part(31), part(101)]
}

/// The frame as the specification says it, worked out without the code under test.
fn expected(project: &Project) -> Vec<u8> {
    let mut bytes = vec![0; 512 * 64];
    let mut chains: Vec<_> = project.chains.iter().collect();
    chains.sort_by_key(|chain| chain.links[0].start);
    let mut lamp = 0;
    for chain in chains {
        let first = chain.links[0].start;
        let mut next = usize::from(first.universe) * 512 + usize::from(first.channel.get()) - 1;
        for link in &chain.links {
            let definition = project.definitions.get(DefinitionId(link.fixture.0)).unwrap();
            let channels = &definition.channels;
            for _ in 0..definition.pixels.count() {
                if chain.straddle == Straddle::WholePixels && next / 512 != (next + channels.len() - 1) / 512 {
                    next = (next / 512 + 1) * 512;
                }
                for channel in channels {
                    bytes[next] = value(*channel, channels, light(lamp));
                    next += 1;
                }
                lamp += 1;
            }
        }
    }
    bytes
}

fn value(channel: Channel, channels: &[Channel], [r, g, b]: [f32; 3]) -> u8 {
    let white = if channels.contains(&Channel::White) { r.min(g).min(b) } else { 0.0 };
    let (level, fine, low) = match channel {
        Channel::Constant(value) => return value,
        Channel::Red => (r - white, Channel::RedFine, false),
        Channel::Green => (g - white, Channel::GreenFine, false),
        Channel::Blue => (b - white, Channel::BlueFine, false),
        Channel::White => (white, Channel::WhiteFine, false),
        Channel::RedFine => (r - white, Channel::RedFine, true),
        Channel::GreenFine => (g - white, Channel::GreenFine, true),
        Channel::BlueFine => (b - white, Channel::BlueFine, true),
        Channel::WhiteFine => (white, Channel::WhiteFine, true),
    };
    // n/255 is exactly 257 n / 65535, so high and low byte are both n; only differences round.
    let wide = (f64::from(level) * 65535.0).round() as u32;
    match (low, channels.contains(&fine)) {
        (true, _) => (wide & 255) as u8,
        (false, true) => (wide >> 8) as u8,
        (false, false) => (f64::from(level) * 255.0).round() as u8,
    }
}

fn check(gpu: Option<&Gpu>, chains: &[AnyChain]) -> Result<(), TestCaseError> {
    let project = project(chains);
    let map = LampMap::compile(&project);
    let gather = Gather::build(&map);
    let lamps: Vec<[f32; 3]> = (0..map.lamps).map(light).collect();
    let found = match gpu {
        None => gather.pack(&lamps),
        Some(gpu) => {
            let mut texels = vec![[0.0_f32; 4]; map.rows() * ROW];
            texels.iter_mut().zip(&lamps).for_each(|(texel, [r, g, b])| *texel = [*r, *g, *b, 1.0]);
            let size = Size::flat(ROW, map.rows());
            let lamps = Texture::new(gpu, Format::Rgba32F, size, Some(bytemuck::cast_slice(&texels))).unwrap();
            let mut out = vec![0; gather.entries.len()];
            PackPass::new(gpu, &gather).unwrap().run(gpu, &lamps, &mut out);
            out
        }
    };
    let expected = expected(&project);
    let length = map.universes * 512;
    let first = (0..length).find(|byte| expected[*byte] != found[*byte]);
    prop_assert_eq!(first.map(|byte| (byte, expected[byte], found[byte])), None);
    prop_assert!(expected[length..].iter().all(|byte| *byte == 0), "the frame holds every byte");
    Ok(())
}

fn chains_that_do_not_meet() -> impl Strategy<Value = Vec<AnyChain>> {
    // Each chain gets twelve universes of its own, more than it can fill.
    proptest::collection::vec(any_chain(), 1..4).prop_map(|mut chains| {
        for (number, chain) in chains.iter_mut().enumerate() {
            chain.0 = chain.0 % 2048 + number * 512 * 20;
        }
        chains
    })
}

#[test]
fn any_patch_gives_the_bytes_of_the_reference_on_the_cpu() {
    let run = |chains: Vec<AnyChain>| check(None, &chains);
    TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(300) })
        .run(&chains_that_do_not_meet(), run)
        .unwrap();
}

#[test]
fn any_patch_gives_the_bytes_of_the_reference_on_both_contexts() {
    for dialect in [Dialect::Core330, Dialect::Es300] {
        let gpu = Gpu::new(Some(dialect)).unwrap();
        let run = |chains: Vec<AnyChain>| check(Some(&gpu), &chains);
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(60) })
            .run(&chains_that_do_not_meet(), run)
            .unwrap();
    }
}
