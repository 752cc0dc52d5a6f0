//! The way from lamps to bytes, against references worked out from the project alone: any patch, any colour order,
//! both straddling rules, on the CPU and on both kinds of context.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use glowdeck::gl::gpu::Gpu;
use glowdeck::gl::texture::{Format, Target};
use glowdeck::model::fixture::{Channel, Fixture, FixtureDefinition, Pixels};
use glowdeck::model::id::{ChainId, DefinitionId, FixtureId};
use glowdeck::model::light::{LightResponse, Response, WhitePoint};
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::Project;
use glowdeck::model::supply::Current;
use glowdeck::render::gather::{Gather, ROW};
use glowdeck::render::lamp_map::LampMap;
use glowdeck::render::pack::PackPass;
use glowdeck::render::runs::Runs;
use glowdeck::shading::fuse::Dialect;
use half::f16;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

/// A chain: where it starts, how it straddles, and its fixtures as pixel counts with channels and light response.
type AnyChain = (usize, Straddle, Vec<(u32, Vec<Channel>, LightResponse)>);

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
        2 => any::<u8>().prop_map(Channel::Constant),
        6 => select(vec![
            Channel::WarmWhite,
            Channel::WarmWhiteFine,
            Channel::CoolWhite,
            Channel::CoolWhiteFine,
            Channel::Amber,
            Channel::AmberFine,
            Channel::Uv,
            Channel::UvFine,
        ]),
    ]
}

fn any_light() -> impl Strategy<Value = LightResponse> {
    let level = || prop_oneof![2 => Just(1.0), 3 => 0.0_f32..=1.0, 1 => Just(0.0)];
    let white_point = prop_oneof![
        Just(WhitePoint::default()),
        (level(), level(), level()).prop_map(|(r, g, b)| WhitePoint::Rgb(r, g, b)),
        (2000.0_f32..9000.0).prop_map(WhitePoint::Kelvin),
    ];
    let response = prop_oneof![Just(Response::Linear), (0.5_f32..3.0).prop_map(Response::Gamma)];
    let parts = (white_point, level(), level(), response, any::<bool>());
    let changed = parts.prop_map(|(white_point, gain, cap, response, dither)| LightResponse {
        white_point,
        gain,
        cap,
        response,
        dither,
        ..LightResponse::default()
    });
    prop_oneof![1 => Just(LightResponse::default()), 2 => changed]
}

fn any_chain() -> impl Strategy<Value = AnyChain> {
    let straddle = prop_oneof![Just(Straddle::WholePixels), Just(Straddle::Packed)];
    let fixture = (1_u32..260, proptest::collection::vec(any_channel(), 1..9), any_light());
    (0_usize..512 * 12, straddle, proptest::collection::vec(fixture, 1..4))
}

fn project(chains: &[AnyChain]) -> Project {
    let mut project = Project::empty("packing");
    let mut next = 1;
    for (number, (start, straddle, fixtures)) in (1..).zip(chains) {
        let mut links = Vec::new();
        let start = PatchAddress::from_byte(*start).unwrap();
        for (count, channels, light) in fixtures {
            let (definition, id, name) = (DefinitionId(next), FixtureId(next), String::new());
            let pixels = Pixels::Strip { count: *count, length: 1.0 };
            let (channels, light, modes) = (channels.clone(), *light, vec![]);
            project.definitions.put(FixtureDefinition {
                id: definition,
                name,
                pixels,
                channels,
                light,
                current: Current::default(),
                modes,
            });
            project.fixtures.put(Fixture { id, name: String::new(), definition });
            links.push(Link { fixture: id, start });
            next += 1;
        }
        let chain = Chain { id: ChainId(number), name: String::new(), straddle: *straddle, cap_ma: None, links };
        let kind = |id| project.definitions.get(project.fixtures.get(id)?.definition).map(|d| &**d);
        let chain = chain.assigned(start, kind).unwrap();
        project.chains.put(chain);
    }
    project
}

/// Linear light by lamp.
fn light(lamp: usize) -> [f32; 3] {
    let part = |step: usize| ((lamp * step + step) % 256) as f32 / 255.0;
    as_drawn([part(7), part(31), part(101)])
}

/// Light as the lamp texture holds it.
fn as_drawn(light: [f32; 3]) -> [f32; 3] {
    light.map(|level| f16::from_f32(level).to_f32())
}

/// What a byte may be: the number it shows in steps of 8 or 16 bits, with room for single precision and dither.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Byte(u8),
    /// Steps of 8 bits, at most so far away.
    Near(f64, f64),
    /// The high or else the low byte of steps of 16 bits, at most so far away.
    Wide(f64, f64, bool),
}

impl Wanted {
    fn holds(self, byte: u8) -> bool {
        match self {
            Self::Byte(wanted) => byte == wanted,
            Self::Near(value, off) => (f64::from(byte) - value).abs() <= off,
            Self::Wide(value, off, high) => {
                let range = (value - off).ceil().max(0.0) as u32..=(value + off).floor().min(65535.0) as u32;
                range.into_iter().any(|wide| u32::from(byte) == if high { wide >> 8 } else { wide & 255 })
            }
        }
    }
}

/// The frame as the specification says it, worked out without the code under test.
fn expected(project: &Project) -> Vec<Wanted> {
    let mut bytes = vec![Wanted::Byte(0); 512 * 64];
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
                    bytes[next] = wanted(*channel, channels, &definition.light, light(lamp));
                    next += 1;
                }
                lamp += 1;
            }
        }
    }
    bytes
}

fn wanted(channel: Channel, channels: &[Channel], response: &LightResponse, rgb: [f32; 3]) -> Wanted {
    use Channel::*;
    let has = |channel: Channel| channels.contains(&channel);
    let (main, low, is_low) = match channel {
        Constant(value) => return Wanted::Byte(value),
        Red | RedFine => (Red, RedFine, channel == RedFine),
        Green | GreenFine => (Green, GreenFine, channel == GreenFine),
        Blue | BlueFine => (Blue, BlueFine, channel == BlueFine),
        White | WhiteFine => (White, WhiteFine, channel == WhiteFine),
        WarmWhite | WarmWhiteFine => (WarmWhite, WarmWhiteFine, channel == WarmWhiteFine),
        CoolWhite | CoolWhiteFine => (CoolWhite, CoolWhiteFine, channel == CoolWhiteFine),
        Amber | AmberFine => (Amber, AmberFine, channel == AmberFine),
        Uv | UvFine => return Wanted::Byte(0),
    };
    let level = level(main, &has, response, rgb.map(f64::from));
    let (number, slack) = match response.response {
        Response::Linear => (level, 1e-6),
        // Drivers' powers are only so exact, and roots of next to nothing are far from it.
        Response::Gamma(gamma) => (level.powf(1.0 / f64::from(gamma)), if level < 1e-5 { 0.02 } else { 3e-4 }),
    };
    let slack = if number == 1.0 || number == 0.0 && level == 0.0 && gap_free(response) { 0.0 } else { slack };
    match has(low) || is_low {
        true => Wanted::Wide(number * 65535.0, 0.5 + slack * 65535.0, !is_low),
        false => Wanted::Near(number * 255.0, slack * 255.0 + if response.dither { 1.0 } else { 0.5 }),
    }
}

/// Whether nothing is left of a difference that should be nothing.
fn gap_free(response: &LightResponse) -> bool {
    response.response == Response::Linear
}

/// Linear drive of one kind of LED.
fn level(of: Channel, has: &impl Fn(Channel) -> bool, response: &LightResponse, [r, g, b]: [f64; 3]) -> f64 {
    use Channel::*;
    let white = if has(White) || has(WarmWhite) || has(CoolWhite) { r.min(g).min(b) } else { 0.0 };
    let (r, g, b) = (r - white, g - white, b - white);
    let amber = if has(Amber) { r.min(g * 5.0) } else { 0.0 };
    let (r, g) = (r - amber, g - amber / 5.0);
    let gain = f64::from(response.gain);
    let [wr, wg, wb] = response.white_point.factors().map(|f| f64::from(f) * gain);
    let all = [r * wr, g * wg, b * wb, white * gain, amber * gain];
    let most = all.into_iter().fold(0.0, f64::max);
    let limit = (f64::from(response.cap) / most).min(1.0);
    let cool = match (has(White), has(WarmWhite), has(CoolWhite)) {
        (true, ..) => f64::NAN,
        (_, true, true) => {
            let target = f64::from(response.white_point.kelvins());
            ((1.0 / 2700.0 - 1.0 / target) / (1.0 / 2700.0 - 1.0 / 6500.0)).clamp(0.0, 1.0)
        }
        (_, warm, _) => f64::from(u8::from(!warm)),
    };
    let share = |share: f64| if share.is_nan() { 0.0 } else { all[3] * share };
    let level = match of {
        Red => all[0],
        Green => all[1],
        Blue => all[2],
        White => {
            if has(White) {
                all[3]
            } else {
                0.0
            }
        }
        WarmWhite => share(1.0 - cool),
        CoolWhite => share(cool),
        _ => all[4],
    };
    if most > 0.0 { level * limit } else { 0.0 }
}

/// The bytes of lamps by the pack pass, or by the CPU without a context.
fn packed(gpu: Option<&Gpu>, map: &LampMap, gather: &Gather, lamps: &[[f32; 3]], frame: u32) -> Vec<u8> {
    let Some(gpu) = gpu else { return gather.pack(lamps, frame) };
    let mut texels = vec![[0_u16; 4]; map.rows() * ROW];
    let halves = |light: &[f32; 3]| light.map(|level| f16::from_f32(level).to_bits());
    texels.iter_mut().zip(lamps).for_each(|(texel, light)| texel[..3].copy_from_slice(&halves(light)));
    let target = Target::new(gpu, Format::Rgba16F, ROW, map.rows()).unwrap();
    target.texture.upload_rows(map.rows(), bytemuck::cast_slice(&texels));
    let pack = |runs: &Runs| {
        // A frame that was in use before: every byte must be written.
        let mut out = vec![0x55; gather.entries.len()];
        PackPass::new(gpu, gather, runs, &target).unwrap().run(gpu, &target, frame, &mut out, |_| {});
        out
    };
    let bytes = pack(&Runs::find(gather));
    assert!(bytes == pack(&Runs::default()), "the processor packs what the GPU would");
    bytes
}

fn check(gpu: Option<&Gpu>, chains: &[AnyChain]) -> Result<(), TestCaseError> {
    let project = project(chains);
    let map = LampMap::compile(&project);
    let gather = Gather::build(&map);
    let lamps: Vec<[f32; 3]> = (0..map.lamps).map(light).collect();
    let found = packed(gpu, &map, &gather, &lamps, 77);
    let expected = expected(&project);
    let length = map.universes * 512;
    let first = (0..length).find(|byte| !expected[*byte].holds(found[*byte]));
    prop_assert_eq!(first.map(|byte| (byte, expected[byte], found[byte])), None);
    prop_assert!(expected[length..].iter().all(|byte| *byte == Wanted::Byte(0)), "the frame holds every byte");
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

/// The bytes of one strip at each of these frames, for the CPU and both contexts.
fn strip_bytes(channels: &[Channel], light: LightResponse, lamps: &[[f32; 3]], frames: &[u32]) -> Vec<Vec<Vec<u8>>> {
    let start = (0, Straddle::WholePixels, vec![(lamps.len() as u32, channels.to_vec(), light)]);
    let map = LampMap::compile(&project(&[start]));
    let gather = Gather::build(&map);
    // One context after the other: a thread has one at a time.
    let ways = [None, Some(Dialect::Core330), Some(Dialect::Es300)];
    let bytes = |dialect: Option<Dialect>| {
        let gpu = dialect.map(|dialect| Gpu::new(Some(dialect)).unwrap());
        frames.iter().map(|frame| packed(gpu.as_ref(), &map, &gather, lamps, *frame)).collect()
    };
    ways.into_iter().map(bytes).collect()
}

#[test]
fn full_white_is_255_and_what_is_no_number_is_dark_everywhere() {
    use Channel::*;
    let lamps = [[1.0; 3], [7.0; 3], [f32::INFINITY; 3], [f32::NAN; 3], [f32::NEG_INFINITY; 3], [-1.0; 3]];
    let dithered = LightResponse { dither: true, ..LightResponse::default() };
    let curved = LightResponse { response: Response::Gamma(2.2), ..dithered };
    for light in [LightResponse::default(), dithered, curved] {
        for channels in [&[Blue, Red, Green][..], &[White][..], &[CoolWhite, WarmWhite][..1], &[RedFine, Red][..]] {
            for frames in strip_bytes(channels, light, &lamps, &[0, 1, 2, 999]) {
                for bytes in frames {
                    let (full, dark) = bytes[..channels.len() * 6].split_at(channels.len() * 3);
                    assert!(full.iter().all(|byte| *byte == 255), "{channels:?} {light:?}: {full:?}");
                    assert!(dark.iter().all(|byte| *byte == 0), "{channels:?} {light:?}: {dark:?}");
                }
            }
        }
    }
}

#[test]
fn dither_stays_within_a_step_and_its_mean_is_the_level() {
    let light = LightResponse { dither: true, ..LightResponse::default() };
    let level = |lamp: u16| as_drawn([f32::from(lamp) / 1000.0, 0.5, 1.0 - f32::from(lamp) / 777.0]);
    let lamps: Vec<[f32; 3]> = (0..64).map(level).collect();
    let frames: Vec<u32> = (0..64).collect();
    let all = strip_bytes(&FixtureDefinition::rgb(), light, &lamps, &frames);
    assert!(all[1] == all[0] && all[2] == all[0], "the CPU and both contexts dither alike");
    for (place, level) in lamps.iter().flatten().enumerate() {
        let wanted = f64::from(*level) * 255.0;
        let bytes: Vec<f64> = all[0].iter().map(|frame| f64::from(frame[place])).collect();
        assert!(bytes.iter().all(|byte| (byte - wanted).abs() < 1.0 + 1e-4), "{wanted}: {bytes:?}");
        let mean = bytes.iter().sum::<f64>() / bytes.len() as f64;
        assert!((mean - wanted).abs() < 0.04, "{wanted}: {mean}");
    }
    let neighbours = all[0][0].iter().zip(&all[0][1]).filter(|(a, b)| a != b).count();
    assert!(neighbours > 10, "the next frame differs");
}

#[test]
fn more_ways_of_driving_than_there_is_room_for_are_driven_plainly() {
    let light = |n: u32| LightResponse { gain: n as f32 / 40.0, ..LightResponse::default() };
    let fixtures = (1..=40).map(|n| (1, FixtureDefinition::rgb(), light(n))).collect();
    let map = LampMap::compile(&project(&[(0, Straddle::WholePixels, fixtures)]));
    let bytes = Gather::build(&map).pack(&[[1.0; 3]; 40], 0);
    assert_eq!(bytes[30 * 3], (31.0_f32 / 40.0 * 255.0).round() as u8);
    assert_eq!(bytes[31 * 3], 255);
}

#[test]
fn plain_rgb_in_any_order_leaves_the_pack_pass_nothing_where_the_processor_draws() {
    use Channel::*;
    let strip = |channels: &[Channel]| (100, channels.to_vec(), LightResponse::default());
    let rgb = [strip(&[Red, Green, Blue]), strip(&[Green, Red, Blue]), strip(&[Blue, Green, Red])];
    for straddle in [Straddle::WholePixels, Straddle::Packed] {
        let rest = |fixtures: &[(u32, Vec<Channel>, LightResponse)]| {
            let map = LampMap::compile(&project(&[(7, straddle, fixtures.to_vec())]));
            Runs::find(&Gather::build(&map)).rest().to_vec()
        };
        assert!(rest(&rgb).is_empty());
        assert_eq!(rest(&[&rgb[..], &[strip(&[Red, Green, Blue, White])]].concat()).len(), 1);
    }
}
