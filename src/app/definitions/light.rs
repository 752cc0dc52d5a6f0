//! How lamps of a kind are driven for a wanted light, and what they draw.
//!
//! Runs on the ui thread; says what the definition should become. Deliberately absent: the arithmetic, which is in
//! `model::drive`.

use super::Change;
use super::channels::channel_name;
use crate::app::fields;
use crate::model::fixture::{Channel, FixtureDefinition};
use crate::model::light::{GAMMAS, KELVINS, LightResponse, Response, WhitePair, WhitePoint};
use crate::model::supply::{Current, MAX_MILLIAMPS};
use egui::Ui;

/// What a point of a drag changes of a temperature, kelvins, and of a current, mA.
const PACES: [f64; 2] = [20.0, 0.1];
/// The gamma that most nodes have.
const USUAL_GAMMA: f32 = 2.2;

/// A changed response, and the drag that changed it.
type Lit = Option<(LightResponse, Option<u64>)>;

/// A share of one as a number of per cent.
fn percent_ui(ui: &mut Ui, label: &str, share: f32) -> Option<(f32, Option<u64>)> {
    // A tenth of a per cent is as fine as a byte needs.
    let shown = (share * 1000.0).round() / 10.0;
    let set = fields::number(ui, label, shown, 0.0..=100.0, " %");
    set.map(|(percent, gesture)| (percent / 100.0, gesture))
}

fn kelvins_ui(ui: &mut Ui, label: &str, kelvins: f32) -> Option<(f32, Option<u64>)> {
    let range = *KELVINS.start() as f32..=*KELVINS.end() as f32;
    let shown = kelvins.round();
    fields::row(ui, label, |ui| fields::paced_number(ui, label, shown, range, (" K", PACES[0])))
}

/// Shows the light response.
pub fn light_ui(ui: &mut Ui, definition: &FixtureDefinition) -> Change {
    fields::heading(ui, "Light response");
    let light = definition.light;
    let mut change = white_point_ui(ui, light);
    let has = |channel| definition.channels.contains(&channel);
    if has(Channel::WarmWhite) || has(Channel::CoolWhite) {
        let WhitePair { warm, cool } = light.whites;
        let set = kelvins_ui(ui, "Warm white", warm);
        change = change.or(set.map(|(warm, g)| (LightResponse { whites: WhitePair { warm, cool }, ..light }, g)));
        let set = kelvins_ui(ui, "Cool white", cool);
        change = change.or(set.map(|(cool, g)| (LightResponse { whites: WhitePair { warm, cool }, ..light }, g)));
    }
    let set = percent_ui(ui, "Gain", light.gain);
    change = change.or(set.map(|(gain, gesture)| (LightResponse { gain, ..light }, gesture)));
    let set = percent_ui(ui, "Cap", light.cap);
    change = change.or(set.map(|(cap, gesture)| (LightResponse { cap, ..light }, gesture)));
    change = change.or(response_ui(ui, light));
    let set = fields::switch(ui, "Dither", light.dither, "8 bits alternate between two levels while light moves");
    change = change.or(set.map(|dither| (LightResponse { dither, ..light }, None)));
    change.map(|(light, gesture)| (FixtureDefinition { light, ..definition.clone() }, gesture))
}

fn white_point_ui(ui: &mut Ui, light: LightResponse) -> Lit {
    let by_kelvins = matches!(light.white_point, WhitePoint::Kelvin(_));
    let kinds = [(false, "Red, green and blue"), (true, "Colour temperature")];
    let with = |white_point| LightResponse { white_point, ..light };
    if let Some(by_kelvins) = fields::choice(ui, "White point by", by_kelvins, &kinds) {
        let point = match by_kelvins {
            true => WhitePoint::Kelvin(light.white_point.kelvins().round()),
            // What is seen stays about the same: the file holds no endless digits.
            false => {
                let [r, g, b] = light.white_point.factors().map(|factor| (factor * 1000.0).round() / 1000.0);
                WhitePoint::Rgb(r, g, b)
            }
        };
        return Some((with(point), None));
    }
    match light.white_point {
        WhitePoint::Kelvin(kelvins) => {
            let set = kelvins_ui(ui, "White at", kelvins);
            set.map(|(kelvins, gesture)| (with(WhitePoint::Kelvin(kelvins)), gesture))
        }
        WhitePoint::Rgb(r, g, b) => {
            let mut set = None;
            for (place, name) in ["Full red", "Full green", "Full blue"].into_iter().enumerate() {
                let mut factors = [r, g, b];
                if let Some((factor, gesture)) = percent_ui(ui, name, factors[place]) {
                    factors[place] = factor;
                    set = Some((with(WhitePoint::Rgb(factors[0], factors[1], factors[2])), gesture));
                }
            }
            set
        }
    }
}

fn response_ui(ui: &mut Ui, light: LightResponse) -> Lit {
    let gamma = matches!(light.response, Response::Gamma(_));
    let kinds = [(false, "Linear: plain PWM drivers"), (true, "Gamma: the node raises to a power")];
    let with = |response| LightResponse { response, ..light };
    if let Some(gamma) = fields::choice(ui, "Response", gamma, &kinds) {
        return Some((with(if gamma { Response::Gamma(USUAL_GAMMA) } else { Response::Linear }), None));
    }
    let Response::Gamma(gamma) = light.response else { return None };
    let range = *GAMMAS.start() as f32..=*GAMMAS.end() as f32;
    let set = fields::number(ui, "Gamma", gamma, range, "");
    set.map(|(gamma, gesture)| (with(Response::Gamma(gamma)), gesture))
}

/// What is known of the current.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Same,
    Each,
}

/// Shows the current model.
pub fn current_ui(ui: &mut Ui, definition: &FixtureDefinition) -> Change {
    fields::heading(ui, "Current");
    let Current { milliamps, idle } = &definition.current;
    let known = match milliamps[..] {
        [] => Known::Nothing,
        [_] => Known::Same,
        _ => Known::Each,
    };
    let with = |milliamps, idle| FixtureDefinition { current: Current { milliamps, idle }, ..definition.clone() };
    let mut kinds = vec![(Known::Nothing, "Not known"), (Known::Same, "The same for all channels")];
    // A single channel has only one number to say.
    kinds.extend(Some((Known::Each, "Each channel its own")).filter(|_| definition.channels.len() > 1));
    if let Some(known) = fields::choice(ui, "A channel draws", known, &kinds) {
        let first = milliamps.first().copied().unwrap_or(20.0);
        let milliamps = match known {
            Known::Nothing => Vec::new(),
            Known::Same => vec![first],
            Known::Each => vec![first; definition.channels.len()],
        };
        return Some((with(milliamps, *idle), None));
    }
    let mut change = match known {
        Known::Nothing => None,
        Known::Same => {
            let set = milliamps_ui(ui, "At full", milliamps[0]);
            set.map(|(value, gesture)| (with(vec![value], *idle), gesture))
        }
        Known::Each => each_ui(ui, definition).map(|(milliamps, gesture)| (with(milliamps, *idle), gesture)),
    };
    let set = milliamps_ui(ui, "A dark pixel", *idle);
    change = change.or(set.map(|(idle, gesture)| (with(milliamps.clone(), idle), gesture)));
    fields::hint(ui, &drawn(definition));
    change
}

fn milliamps_ui(ui: &mut Ui, label: &str, value: f32) -> Option<(f32, Option<u64>)> {
    let range = 0.0..=MAX_MILLIAMPS as f32;
    fields::row(ui, label, |ui| fields::paced_number(ui, label, value, range, (" mA", PACES[1])))
}

/// Channels that light; low bytes and constants draw nothing of their own.
fn each_ui(ui: &mut Ui, definition: &FixtureDefinition) -> Option<(Vec<f32>, Option<u64>)> {
    let known = &definition.current.milliamps;
    let all: Vec<f32> = (0..definition.channels.len())
        .map(|place| known.get(place).or(known.last()).copied().unwrap_or_default())
        .collect();
    let mut change = None;
    for (place, channel) in definition.channels.iter().enumerate() {
        if channel.emitter().is_some_and(|(_, low)| !low) {
            let label = format!("{}, channel {}", channel_name(*channel), place + 1);
            if let Some((value, gesture)) = milliamps_ui(ui, &label, all[place]) {
                let mut all = all.clone();
                all[place] = value;
                change = Some((all, gesture));
            }
        }
    }
    change
}

/// What that comes to, in words.
fn drawn(definition: &FixtureDefinition) -> String {
    if !definition.draws() {
        return "Without numbers it counts as drawing nothing, and no cap holds it down.".to_owned();
    }
    let pixel = definition.pixel_milliamps([1.0; 3]);
    let amps = pixel * definition.pixels.count() as f32 / 1000.0;
    format!("A white pixel draws {pixel:.0} mA, the fixture {amps:.2} A.")
}
