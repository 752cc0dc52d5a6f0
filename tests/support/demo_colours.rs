//! The demo's palettes and curves.

use glowdeck::model::curve::{Curve, CurvePoint};
use glowdeck::model::id::{CurveId, PaletteId};
use glowdeck::model::palette::{Colour, GRADIENT_STOPS, Palette};

pub const ULTRAVIOLET: PaletteId = PaletteId(1);
pub const EMBER: PaletteId = PaletteId(2);
pub const AURORA: PaletteId = PaletteId(3);
pub const LAGOON: PaletteId = PaletteId(4);

/// Falls from full within a beat.
pub const HIT: CurveId = CurveId(1);
/// In and out over eight beats, never quite dark.
pub const BREATH: CurveId = CurveId(2);
/// Up over eight bars and back.
pub const SWELL: CurveId = CurveId(3);
/// Three, three and two eighths.
pub const TRESILLO: CurveId = CurveId(4);
/// There and back over eight beats.
pub const PENDULUM: CurveId = CurveId(5);

fn hex(text: &str) -> Colour {
    text.parse().expect("a colour")
}

/// Stops between the keys, mixed in linear light.
fn palette(id: PaletteId, name: &str, primary: &str, secondary: &str, keys: &[&str]) -> Palette {
    let keys: Vec<[f32; 3]> = keys.iter().map(|key| hex(key).to_linear()).collect();
    let gradient = std::array::from_fn(|stop| {
        let place = stop as f32 / (GRADIENT_STOPS - 1) as f32 * (keys.len() - 1) as f32;
        let before = (place as usize).min(keys.len() - 2);
        let share = place - before as f32;
        let mix = |axis| keys[before][axis] + (keys[before + 1][axis] - keys[before][axis]) * share;
        Colour::from_linear(std::array::from_fn(mix))
    });
    Palette { id, name: name.into(), primary: hex(primary), secondary: hex(secondary), gradient }
}

/// Saturated and deep, ends alike, so that a turning gradient has no seam.
pub fn palettes() -> Vec<Palette> {
    vec![
        palette(
            ULTRAVIOLET,
            "Ultraviolet",
            "#c81eff",
            "#1e08a0",
            &["#14005a", "#4a00e0", "#c81eff", "#ff2d95", "#ff7a3c", "#c4106e", "#14005a"],
        ),
        palette(
            EMBER,
            "Ember",
            "#ff6a00",
            "#7a0418",
            &["#2a0006", "#8c0a0a", "#ff3c00", "#ffa01e", "#ffc850", "#e02800", "#2a0006"],
        ),
        palette(
            AURORA,
            "Aurora",
            "#18f0a0",
            "#3c14b4",
            &["#02122e", "#0a4ab4", "#00c8c8", "#28ff82", "#0ab478", "#6428dc", "#02122e"],
        ),
        palette(
            LAGOON,
            "Lagoon at dusk",
            "#00d2c8",
            "#ff5046",
            &["#001e3c", "#006eaa", "#00d2c8", "#b4e650", "#ff8c5a", "#b42878", "#001e3c"],
        ),
    ]
}

/// What moves values over time.
pub fn curves() -> Vec<Curve> {
    let point = |beat, y| CurvePoint { beat, y, control: None };
    let bent = |beat, y, control| CurvePoint { beat, y, control: Some(control) };
    let curve = |id, name: &str, length, points| Curve { id, name: name.into(), length, looped: false, points };
    let strikes = [(0.0, 1.5), (1.5, 1.5), (3.0, 1.0)];
    let strike = |(beat, length)| [bent(beat, 1.0, (beat + 0.25, 0.0)), point(beat + length - 0.001, 0.0)];
    vec![
        curve(HIT, "Hit", 1.0, vec![bent(0.0, 1.0, (0.2, 0.05)), point(1.0, 0.0)]),
        curve(
            BREATH,
            "Breath",
            8.0,
            vec![
                bent(0.0, 0.25, (1.0, 0.25)),
                bent(2.0, 0.625, (3.0, 1.0)),
                bent(4.0, 1.0, (5.0, 1.0)),
                bent(6.0, 0.625, (7.0, 0.25)),
                point(8.0, 0.25),
            ],
        ),
        curve(SWELL, "Swell", 64.0, vec![point(0.0, 0.3), point(32.0, 1.0), point(64.0, 0.3)]),
        curve(TRESILLO, "3-3-2", 4.0, strikes.into_iter().flat_map(strike).collect()),
        curve(
            PENDULUM,
            "Pendulum",
            8.0,
            vec![
                bent(0.0, 0.0, (2.0, 0.0)),
                bent(2.0, 0.5, (2.0, 1.0)),
                bent(4.0, 1.0, (6.0, 1.0)),
                bent(6.0, 0.5, (6.0, 0.0)),
                point(8.0, 0.0),
            ],
        ),
    ]
}
