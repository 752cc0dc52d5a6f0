//! What the demo plays: the scenes of its grid and its starting look.
//!
//! Pure values. Light adds up, so scenes keep to a share of the whole and leave dark between bright.

use crate::demo::{BARS, HEART, LONG_BAR, MATRIX, PETAL, RINGS, ROWS, SHORT_BAR, STEPS, WHOLE};
use crate::demo_colours::{
    AURORA, BREATH, EMBER, HIT, LAGOON, PENDULUM, SWELL, TRESILLO, ULTRAVIOLET, curves, palettes,
};
use glowdeck::model::effect::{Blend, Effect, Modulated, ParamValue, Selection, ShaderRef};
use glowdeck::model::id::{CurveId, DefinitionId, EffectId, LayoutId, ModeId, SceneId};
use glowdeck::model::project::Project;
use glowdeck::model::scene::{Cell, Launch, Scene, SceneBlend, ScenePalette};
use glowdeck::units::{Bpm, Level};

/// Adds palettes, curves, scenes and the starting look.
pub fn dress(project: &mut Project) {
    project.palettes = palettes().into_iter().collect();
    project.curves = curves().into_iter().collect();
    let mut next = 0;
    let mut scenes: Vec<Scene> =
        beds().into_iter().chain(shapes()).chain(motion()).chain(groups()).chain(quick()).collect();
    for (id, scene) in (1..).zip(&mut scenes) {
        scene.id = SceneId(id);
        for effect in &mut scene.effects {
            next += 1;
            effect.id = EffectId(next);
        }
    }
    project.scenes = scenes.into_iter().collect();
    let settings = std::sync::Arc::make_mut(&mut project.settings);
    settings.palette = Some(ULTRAVIOLET);
    settings.bpm = Bpm::new(118.0);
}

fn scene(column: u8, row: u8, name: &str, tag: u8, effects: Vec<Effect>) -> Scene {
    Scene {
        tag,
        effects,
        fade_in: 4.0,
        fade_out: 4.0,
        launch: Launch::Beat,
        ..Scene::new(SceneId(0), Cell { column, row }, name)
    }
}

fn effect(shader: &str, params: &[(&str, ParamValue)]) -> Effect {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Effect { params, ..Effect::new(EffectId(0), ShaderRef::BuiltIn(shader.into())) }
}

fn number(base: f32) -> ParamValue {
    ParamValue::Number(base.into())
}

fn share(base: f32) -> Modulated {
    base.into()
}

fn on(base: f32, curve: CurveId) -> Modulated {
    Modulated { curve: Some(curve), ..share(base) }
}

fn lamps(layout: LayoutId, modes: &[(DefinitionId, ModeId)]) -> Option<Selection> {
    Some(Selection { layout, modes: modes.to_vec() })
}

/// Row 1: calm grounds over everything, one at a time.
fn beds() -> Vec<Scene> {
    let ground = |column, name, palette, effects| Scene {
        fade_in: 8.0,
        fade_out: 8.0,
        launch: Launch::Bar,
        palette: ScenePalette::Own(palette),
        ..scene(column, 0, name, 1, effects)
    };
    let aurora = vec![
        Effect {
            opacity: share(0.75),
            speed_exponent: -2.0,
            ..effect("noise", &[("scale", number(2.2)), ("contrast", number(45.0))])
        },
        Effect {
            blend: Blend::Multiply,
            speed_exponent: -1.0,
            ..effect("wave", &[("angle", number(90.0)), ("count", number(1.0)), ("sharpness", number(5.0))])
        },
    ];
    let ember = vec![
        Effect {
            opacity: share(0.55),
            speed_exponent: -1.0,
            ..effect("plasma", &[("scale", number(2.6)), ("hue", number(8.0))])
        },
        Effect {
            blend: Blend::Multiply,
            speed_exponent: -1.0,
            ..effect("noise", &[("scale", number(6.0)), ("contrast", number(85.0))])
        },
    ];
    let lagoon = vec![
        Effect {
            opacity: on(0.7, SWELL),
            speed_exponent: -2.0,
            ..effect("gradient", &[("angle", number(60.0)), ("repeats", number(0.75))])
        },
        Effect { blend: Blend::Multiply, speed_exponent: -1.0, ..effect("plasma", &[("scale", number(1.8))]) },
    ];
    let night = vec![
        Effect {
            opacity: share(0.12),
            speed_exponent: -3.0,
            ..effect("gradient", &[("angle", number(90.0)), ("repeats", number(0.5))])
        },
        Effect { opacity: share(0.7), ..effect("sparkle", &[("density", number(6.0))]) },
    ];
    vec![
        Scene { active: true, opacity: Level::new(0.75), ..ground(0, "Aurora", AURORA, aurora) },
        ground(1, "Embers", EMBER, ember),
        ground(2, "Lagoon", LAGOON, lagoon),
        ground(3, "Night sky", ULTRAVIOLET, night),
    ]
}

/// Row 2: figures around the middle.
fn shapes() -> Vec<Scene> {
    let heart = vec![
        Effect { opacity: on(0.9, HIT), ..effect("radial_pulse", &[("rings", number(1.0)), ("width", number(45.0))]) },
        Effect { opacity: share(0.3), speed_exponent: -1.0, ..effect("plasma", &[("scale", number(3.0))]) },
    ];
    let bloom = vec![
        Effect {
            opacity: share(0.8),
            speed_exponent: -1.0,
            ..effect("radial_pulse", &[("rings", number(2.0)), ("width", number(30.0))])
        },
        Effect {
            blend: Blend::Mask,
            speed_exponent: -2.0,
            ..effect("spiral", &[("arms", number(6.0)), ("twist", number(1.0))])
        },
    ];
    let vortex = vec![
        Effect { opacity: share(0.7), ..effect("spiral", &[("arms", number(3.0)), ("twist", number(2.5))]) },
        Effect {
            opacity: share(0.5),
            blend: Blend::Max,
            colour_shift: share(0.35),
            speed_exponent: -1.0,
            ..effect("spiral", &[("arms", number(5.0)), ("twist", number(-2.0))])
        },
    ];
    let mandala = vec![
        Effect {
            opacity: share(0.8),
            speed_exponent: -2.0,
            ..effect("spiral", &[("arms", number(12.0)), ("twist", number(-3.0))])
        },
        Effect {
            blend: Blend::Multiply,
            speed_exponent: -2.0,
            ..effect("spiral", &[("arms", number(12.0)), ("twist", number(3.0))])
        },
        Effect {
            opacity: on(0.35, BREATH),
            colour_shift: on(0.5, SWELL),
            speed_exponent: -1.0,
            ..effect("radial_pulse", &[("rings", number(4.0)), ("width", number(15.0))])
        },
    ];
    let own = |palette, scene| Scene { palette: ScenePalette::Own(palette), ..scene };
    vec![
        own(EMBER, Scene { active: true, selection: lamps(HEART, &[]), ..scene(0, 1, "Heartbeat", 2, heart) }),
        scene(1, 1, "Bloom", 2, bloom),
        own(LAGOON, scene(2, 1, "Vortex", 2, vortex)),
        scene(3, 1, "Mandala", 2, mandala),
    ]
}

/// Row 3: what travels along rings and bars.
fn motion() -> Vec<Scene> {
    let comets = vec![
        Effect {
            opacity: share(0.9),
            speed_exponent: -1.0,
            ..effect("comet", &[("tail", number(35.0)), ("count", number(3.0))])
        },
        Effect {
            opacity: share(0.35),
            colour_shift: share(0.82),
            beat_offset: 2.0,
            speed_exponent: -2.0,
            ..effect("comet", &[("tail", number(60.0)), ("count", number(2.0))])
        },
    ];
    let clock = vec![Effect {
        opacity: share(0.75),
        speed_exponent: -1.0,
        ..effect("wave", &[("count", number(2.0)), ("sharpness", number(70.0))])
    }];
    let chase = vec![
        Effect { opacity: share(0.8), ..effect("chase", &[("length", number(12.0)), ("count", number(3.0))]) },
        Effect {
            opacity: share(0.5),
            colour_shift: share(0.85),
            ..effect("chase", &[("length", number(8.0)), ("count", number(2.0)), ("reverse", ParamValue::Switch(true))])
        },
    ];
    let wheel = vec![
        Effect {
            opacity: share(0.6),
            speed_exponent: -2.0,
            ..effect("rainbow", &[("scale", number(0.8)), ("saturation", number(95.0))])
        },
        Effect {
            blend: Blend::Mask,
            speed_exponent: -1.0,
            ..effect("spiral", &[("arms", number(4.0)), ("twist", number(1.5))])
        },
    ];
    vec![
        Scene { active: true, selection: lamps(RINGS, &[]), ..scene(0, 2, "Orbit", 3, comets) },
        Scene { selection: lamps(BARS, &[]), ..scene(1, 2, "Around the clock", 3, clock) },
        scene(2, 2, "Crossing", 3, chase),
        scene(3, 2, "Rainbow wheel", 3, wheel),
    ]
}

/// Row 4: fixtures that share one colour, by their modes.
fn groups() -> Vec<Scene> {
    let petals = vec![Effect {
        opacity: on(0.8, BREATH),
        speed_exponent: -1.0,
        selection: lamps(LayoutId(1), &[(PETAL, WHOLE), (LONG_BAR, WHOLE), (SHORT_BAR, WHOLE)]),
        ..effect("noise", &[("scale", number(4.0)), ("contrast", number(90.0))])
    }];
    let rows = vec![
        Effect { opacity: share(0.7), ..effect("stripes", &[("angle", number(90.0)), ("count", number(3.0))]) },
        Effect { blend: Blend::Multiply, progress: Some(PENDULUM), ..effect("gradient", &[("angle", number(90.0))]) },
    ];
    let steps = vec![Effect {
        opacity: on(0.85, TRESILLO),
        ..effect(
            "wave",
            &[("angle", number(90.0)), ("count", ParamValue::Number(on(4.0, SWELL))), ("sharpness", number(50.0))],
        )
    }];
    let slices = vec![
        Effect {
            opacity: share(0.6),
            progress: Some(PENDULUM),
            ..effect("stripes", &[("angle", number(0.0)), ("count", number(2.0)), ("softness", number(80.0))])
        },
        Effect {
            opacity: share(0.6),
            blend: Blend::Over,
            progress: Some(PENDULUM),
            colour_shift: share(0.3),
            ..effect("stripes", &[("angle", number(90.0)), ("count", number(2.0)), ("softness", number(80.0))])
        },
        Effect { blend: Blend::Multiply, ..effect("breathing", &[("depth", number(60.0))]) },
    ];
    let petal_steps = [(PETAL, STEPS), (LONG_BAR, STEPS), (SHORT_BAR, STEPS)];
    vec![
        scene(0, 3, "Whispering", 4, petals),
        Scene {
            selection: lamps(HEART, &[(MATRIX, ROWS)]),
            palette: ScenePalette::Own(LAGOON),
            ..scene(1, 3, "Heart in rows", 4, rows)
        },
        Scene { selection: lamps(BARS, &petal_steps[1..]), ..scene(2, 3, "Organ pipes", 4, steps) },
        Scene { selection: lamps(LayoutId(1), &petal_steps), ..scene(3, 3, "Slices", 4, slices) },
    ]
}

/// The quick line: hits, to be flashed.
fn quick() -> Vec<Scene> {
    let hit = |column, name, palette, effects| Scene {
        fade_in: 0.0,
        fade_out: 1.0,
        launch: Launch::Off,
        palette,
        ..scene(column, 5, name, 5, effects)
    };
    let fast = |effect: Effect| Effect { speed_exponent: 2.0, ..effect };
    let strobe = |rate: &str| effect("strobe", &[("rate", ParamValue::Choice(rate.into())), ("duty", number(15.0))]);
    let (own, inherit) = (ScenePalette::Own, ScenePalette::Inherit);
    let bars = [(LONG_BAR, WHOLE), (SHORT_BAR, WHOLE)];
    vec![
        Scene { fade_out: 0.0, ..hit(0, "Strobe", ScenePalette::None, vec![strobe("1/4")]) },
        hit(1, "Gold", own(EMBER), vec![Effect { opacity: share(0.8), ..effect("solid", &[]) }]),
        hit(2, "Glitter", inherit, vec![effect("sparkle", &[("density", number(35.0))])]),
        hit(
            3,
            "Shock wave",
            own(LAGOON),
            vec![fast(effect("radial_pulse", &[("rings", number(1.0)), ("width", number(20.0))]))],
        ),
        hit(4, "Meteors", own(EMBER), vec![fast(effect("comet", &[("tail", number(50.0)), ("count", number(4.0))]))]),
        Scene { selection: lamps(BARS, &bars), ..hit(5, "Bar strobe", own(AURORA), vec![strobe("1/2")]) },
        hit(
            6,
            "Wipe",
            own(AURORA),
            vec![
                effect("stripes", &[("angle", number(0.0)), ("count", number(1.0)), ("duty", number(25.0))]),
                Effect {
                    blend: Blend::Multiply,
                    ..effect("gradient", &[("angle", number(90.0)), ("repeats", number(1.5))])
                },
            ],
        ),
        Scene {
            fade_in: 8.0,
            fade_out: 8.0,
            blend: SceneBlend::Over,
            ..hit(
                7,
                "Curtain",
                own(ULTRAVIOLET),
                vec![
                    Effect { opacity: share(0.5), ..effect("solid", &[("level", number(30.0))]) },
                    Effect { blend: Blend::Multiply, ..effect("breathing", &[("depth", number(70.0))]) },
                ],
            )
        },
    ]
}
