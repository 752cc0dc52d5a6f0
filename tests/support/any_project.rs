//! Projects built at random for property tests: small numbers of everything, ids that meet and miss each other.
//!
//! Nothing here is repaired: links dangle, cells collide, numbers are wild. `numbers` says how wild.

#[path = "any_output.rs"]
mod any_output;

use any_output::{device, route};
use glowdeck::model::curve::{Curve, CurvePoint};
use glowdeck::model::device::ExitPolicy;
use glowdeck::model::effect::{Blend, Effect, Modulated, ParamValue, Selection, ShaderRef};
use glowdeck::model::fixture::{Channel, Fixture, FixtureDefinition, Grouping, Mode, Pixels};
use glowdeck::model::id::*;
use glowdeck::model::layout::{Frame, Layout, Placement};
use glowdeck::model::light::{LightResponse, Response, WhitePair, WhitePoint};
use glowdeck::model::palette::{Colour, Palette};
use glowdeck::model::patch::{Chain, Link, PatchAddress, Straddle};
use glowdeck::model::project::{Project, Settings, Shader};
use glowdeck::model::scene::{Cell, Grid, Launch, QuickLine, Scene, SceneBlend, ScenePalette};
use glowdeck::model::supply::{Current, Supply};
use glowdeck::model::trigger::Trigger;
use glowdeck::units::{Bpm, DmxAddress, Level};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

/// Numbers as a file may hold them, NaN aside, which is not equal to itself.
pub fn numbers() -> BoxedStrategy<f32> {
    let odd = select(vec![0.0, -0.5, 1.0, 9.0, 1e-30, 1e30, f32::INFINITY, f32::NEG_INFINITY, f32::MAX]);
    prop_oneof![4 => -2.0_f32..5.0, 1 => odd].boxed()
}

fn wide(number: &BoxedStrategy<f32>) -> BoxedStrategy<f64> {
    number.clone().prop_map(f64::from).boxed()
}

fn id() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..5_u32, 1 => Just(u32::MAX)]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![8 => "[a-z ]{0,6}", 2 => any::<String>(), 1 => Just("two\n lines, \"quoted\" \\ \r\n\t".to_owned())]
}

fn level() -> impl Strategy<Value = Level> {
    (0.0_f32..=1.0).prop_map(Level::new)
}

fn colour() -> impl Strategy<Value = Colour> {
    any::<[u8; 3]>().prop_map(Colour)
}

fn palette() -> impl Strategy<Value = Palette> {
    (id(), name(), colour(), colour(), proptest::array::uniform16(colour())).prop_map(
        |(id, name, primary, secondary, gradient)| Palette { id: PaletteId(id), name, primary, secondary, gradient },
    )
}

fn curve(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Curve> + use<> {
    let n = || wide(number);
    let point = (n(), n(), option::of((n(), n()))).prop_map(|(beat, y, control)| CurvePoint { beat, y, control });
    (id(), name(), n(), any::<bool>(), vec(point, 0..4)).prop_map(|(id, name, length, looped, points)| Curve {
        id: CurveId(id),
        name,
        length,
        looped,
        points,
    })
}

fn trigger(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Trigger> + use<> {
    let band = (number.clone(), number.clone(), level());
    (id(), name(), band, [wide(number), wide(number), wide(number)]).prop_map(
        |(id, name, (low_hz, high_hz, threshold), [attack_secs, hold_secs, release_secs])| {
            let id = TriggerId(id);
            Trigger { id, name, low_hz, high_hz, threshold, attack_secs, hold_secs, release_secs }
        },
    )
}

fn shader() -> impl Strategy<Value = Shader> {
    let source =
        prop_oneof![Just("vec4 effect(Lamp lamp) {\n\treturn vec4(1); // \"#\"\r\n}\n".to_owned()), any::<String>()];
    let file = prop_oneof![Just(None), Just(Some("glow.frag".to_owned())), any::<String>().prop_map(Some)];
    let library = prop_oneof![Just(None), Just(Some("Glow".to_owned()))];
    (id(), name(), source, file, library).prop_map(|(id, name, source, file, library)| Shader {
        id: ShaderId(id),
        name,
        source,
        file,
        library,
    })
}

fn pixels(number: &BoxedStrategy<f32>) -> BoxedStrategy<Pixels> {
    let n = || number.clone();
    let count = || prop_oneof![60 => 0..40_u32, 1 => select(vec![u32::MAX, 1 << 18])];
    prop_oneof![
        (count(), n()).prop_map(|(count, length)| Pixels::Strip { count, length }),
        (count(), n(), n()).prop_map(|(count, radius, start)| Pixels::Ring { count, radius, start }),
        (count(), count(), n(), any::<bool>()).prop_map(|(columns, rows, pitch, serpentine)| Pixels::Grid {
            columns,
            rows,
            pitch,
            serpentine
        }),
        (count(), vec([n(), n(), n()], 0..4)).prop_map(|(count, corners)| Pixels::Polyline { count, corners }),
    ]
    .boxed()
}

fn channel() -> impl Strategy<Value = Channel> {
    use Channel::*;
    let plain = select(vec![Red, Green, Blue, White, RedFine, GreenFine, BlueFine, WhiteFine]);
    let more = select(vec![WarmWhite, WarmWhiteFine, CoolWhite, CoolWhiteFine, Amber, AmberFine, Uv, UvFine]);
    prop_oneof![plain, more, any::<u8>().prop_map(Constant)]
}

fn mode() -> impl Strategy<Value = Mode> {
    let grouping = prop_oneof![
        Just(Grouping::Whole),
        (0..9_u32).prop_map(Grouping::Every),
        vec(vec(0..50_u32, 0..5), 0..4).prop_map(Grouping::Groups),
    ];
    (id(), name(), grouping).prop_map(|(id, name, grouping)| Mode { id: ModeId(id), name, grouping })
}

fn definition(number: &BoxedStrategy<f32>) -> impl Strategy<Value = FixtureDefinition> + use<> {
    (id(), name(), pixels(number), vec(channel(), 0..6), light(number), current(number), vec(mode(), 0..4)).prop_map(
        |(id, name, pixels, channels, light, current, modes)| FixtureDefinition {
            id: DefinitionId(id),
            name,
            pixels,
            channels,
            light,
            current,
            modes,
        },
    )
}

fn current(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Current> + use<> {
    let known = (vec(number.clone(), 0..4), number.clone()).prop_map(|(milliamps, idle)| Current { milliamps, idle });
    prop_oneof![Just(Current::default()), known]
}

fn supply(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Supply> + use<> {
    (id(), name(), number.clone(), vec(id().prop_map(ChainId), 0..4)).prop_map(|(id, name, cap_ma, chains)| Supply {
        id: SupplyId(id),
        name,
        cap_ma,
        chains,
    })
}

fn light(number: &BoxedStrategy<f32>) -> impl Strategy<Value = LightResponse> + use<> {
    let n = || prop_oneof![Just(1.0), number.clone()];
    let white_point = prop_oneof![
        Just(WhitePoint::default()),
        (n(), n(), n()).prop_map(|(r, g, b)| WhitePoint::Rgb(r, g, b)),
        prop_oneof![1000.0_f32..30_000.0, number.clone()].prop_map(WhitePoint::Kelvin),
    ];
    let whites = prop_oneof![Just(WhitePair::default()), (n(), n()).prop_map(|(warm, cool)| WhitePair { warm, cool })];
    let response = prop_oneof![Just(Response::Linear), n().prop_map(Response::Gamma)];
    (white_point, whites, n(), n(), response, any::<bool>()).prop_map(
        |(white_point, whites, gain, cap, response, dither)| LightResponse {
            white_point,
            whites,
            gain,
            cap,
            response,
            dither,
        },
    )
}

fn fixture() -> impl Strategy<Value = Fixture> {
    (id(), name(), id()).prop_map(|(id, name, definition)| Fixture {
        id: FixtureId(id),
        name,
        definition: DefinitionId(definition),
    })
}

fn chain(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Chain> + use<> {
    let universe = prop_oneof![4 => 0..9_u16, 1 => select(vec![8191, 8192, u16::MAX])];
    let link = (id(), universe, 1..=512_u16).prop_map(|(fixture, universe, channel)| Link {
        fixture: FixtureId(fixture),
        start: PatchAddress { universe, channel: DmxAddress::new(channel).unwrap() },
    });
    let straddle = select(vec![Straddle::WholePixels, Straddle::Packed]);
    (id(), name(), straddle, option::of(number.clone()), vec(link, 0..5))
        .prop_map(|(id, name, straddle, cap_ma, links)| Chain { id: ChainId(id), name, straddle, cap_ma, links })
}

fn layout(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Layout> + use<> {
    let n = || number.clone();
    let placement = (id(), [n(), n(), n()], n(), n()).prop_map(|(fixture, position, angle, scale)| Placement {
        fixture: FixtureId(fixture),
        position,
        angle,
        scale,
    });
    let frame = ([n(), n(), n()], [n(), n(), n()]).prop_map(|(min, max)| Frame { min, max });
    (id(), name(), vec(placement, 0..5), option::of(frame)).prop_map(|(id, name, placements, frame)| Layout {
        id: LayoutId(id),
        name,
        placements,
        frame,
    })
}

fn modulated(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Modulated> + use<> {
    let by = (option::of(id().prop_map(CurveId)), option::of(id().prop_map(TriggerId)));
    (number.clone(), by).prop_map(|(base, (curve, trigger))| Modulated { base, curve, trigger })
}

fn param(number: &BoxedStrategy<f32>) -> impl Strategy<Value = ParamValue> + use<> {
    prop_oneof![
        modulated(number).prop_map(ParamValue::Number),
        any::<bool>().prop_map(ParamValue::Switch),
        name().prop_map(ParamValue::Choice),
        (number.clone(), number.clone()).prop_map(|(x, y)| ParamValue::Point(x.into(), y.into())),
        (modulated(number), modulated(number)).prop_map(|(x, y)| ParamValue::Point(x, y)),
        colour().prop_map(ParamValue::Colour),
    ]
}

fn selection() -> impl Strategy<Value = Option<Selection>> {
    let modes = vec((id().prop_map(DefinitionId), id().prop_map(ModeId)), 0..3);
    option::of((id(), modes).prop_map(|(layout, modes)| Selection { layout: LayoutId(layout), modes }))
}

fn effect(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Effect> + use<> {
    use Blend::*;
    let shader = prop_oneof![name().prop_map(ShaderRef::BuiltIn), id().prop_map(|id| ShaderRef::Project(ShaderId(id)))];
    let values = (btree_map(name(), param(number), 0..3), modulated(number), modulated(number), wide(number));
    let rest = (number.clone(), option::of(id().prop_map(CurveId)), select(vec![Add, Max, Multiply, Over, Mask]));
    (id(), shader, values, rest, selection(), any::<bool>()).prop_map(
        |(
            id,
            shader,
            (params, opacity, colour_shift, beat_offset),
            (speed_exponent, progress, blend),
            selection,
            muted,
        )| {
            Effect {
                id: EffectId(id),
                shader,
                params,
                opacity,
                colour_shift,
                beat_offset,
                speed_exponent,
                progress,
                blend,
                selection,
                muted,
            }
        },
    )
}

/// A scene whose beats come from `number`.
pub fn scene(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Scene> + use<> {
    let n = || wide(number);
    let cell = (0..5_u8, 0..5_u8).prop_map(|(column, row)| Cell { column, row });
    let palette = prop_oneof![
        Just(ScenePalette::Inherit),
        Just(ScenePalette::None),
        id().prop_map(|id| ScenePalette::Own(PaletteId(id)))
    ];
    let look = (
        select(vec![SceneBlend::Add, SceneBlend::Max, SceneBlend::Over]),
        select(vec![Launch::Off, Launch::Beat, Launch::Bar]),
        selection(),
        palette,
        option::of(name()),
    );
    let opacity = (level(), option::of(id().prop_map(CurveId)), option::of(id().prop_map(TriggerId)));
    let faders = (any::<bool>(), opacity, level(), any::<bool>());
    (id(), cell, name(), 0..12_u8, vec(effect(number), 0..4), faders, (n(), n(), n()), look).prop_map(
        |(id, cell, name, tag, effects, (active, opacity, dimmer, ignores_master), beats, look)| {
            let (beat_offset, fade_in, fade_out) = beats;
            let (blend, launch, selection, palette, key) = look;
            let (opacity, opacity_curve, opacity_trigger) = opacity;
            Scene {
                id: SceneId(id),
                cell,
                name,
                tag,
                effects,
                active,
                opacity,
                opacity_curve,
                opacity_trigger,
                dimmer,
                ignores_master,
                beat_offset,
                fade_in,
                fade_out,
                launch,
                blend,
                selection,
                palette,
                key,
            }
        },
    )
}

fn settings() -> impl Strategy<Value = Settings> {
    let exit = select(vec![ExitPolicy::Black, ExitPolicy::Hold]);
    (name(), option::of(id()), id(), 20.0..=999.0_f64, level(), exit).prop_map(
        |(name, palette, topology, bpm, master, exit)| Settings {
            name,
            palette: palette.map(PaletteId),
            topology: LayoutId(topology),
            bpm: Bpm::new(bpm),
            master,
            exit,
        },
    )
}

fn table<T: Item + std::fmt::Debug>(item: impl Strategy<Value = T>, most: usize) -> impl Strategy<Value = Table<T>> {
    vec(item, 0..most).prop_map(|items| items.into_iter().collect())
}

/// A whole project whose floating-point numbers come from `number`.
pub fn any_project(number: BoxedStrategy<f32>) -> impl Strategy<Value = Project> {
    let n = &number;
    let look = (table(palette(), 3), table(curve(n), 4), table(trigger(n), 4), table(shader(), 3), table(scene(n), 6));
    let patch =
        (table(definition(n), 4), table(fixture(), 6), table(chain(n), 4), table(layout(n), 4), table(supply(n), 3));
    let quick = select(vec![QuickLine::LastRow, QuickLine::LastColumn, QuickLine::None]);
    let grid = (0..6_u8, 0..6_u8, quick).prop_map(|(columns, rows, quick)| Grid { columns, rows, quick });
    (settings(), look, patch, table(device(n), 3), table(route(), 4), grid).prop_map(
        |(
            settings,
            (palettes, curves, triggers, shaders, scenes),
            (definitions, fixtures, chains, layouts, supplies),
            devices,
            routes,
            grid,
        )| {
            Project {
                settings: Arc::new(settings),
                palettes,
                curves,
                triggers,
                shaders,
                definitions,
                fixtures,
                chains,
                supplies,
                layouts,
                devices,
                routes,
                grid,
                scenes,
            }
        },
    )
}
