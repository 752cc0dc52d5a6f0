//! The channels of a pixel: an ordered list, in which a high byte and the low byte behind it are one step of 16 bits.
//!
//! Runs on the ui thread; says what the definition should become. Deliberately absent: what a channel does with the
//! light, which `model::drive` knows.

use super::Change;
use crate::app::widgets::{PadLook, pad};
use crate::app::{fields, icons, theme};
use crate::model::fixture::{Channel, Emitter, FixtureDefinition};
use crate::model::patch::Straddle;
use crate::units::UNIVERSE_CHANNELS;
use egui::{ScrollArea, Ui, vec2};

/// Red, green, blue, white.
pub const RGBW: &[Channel] = &[Channel::Red, Channel::Green, Channel::Blue, Channel::White];
/// Red, green, blue of two bytes each.
pub const RGB_16: &[Channel] =
    &[Channel::Red, Channel::RedFine, Channel::Green, Channel::GreenFine, Channel::Blue, Channel::BlueFine];

/// Orders that strips are sold with.
const PRESETS: [(&str, &[Channel]); 7] = [
    ("RGB", &[Channel::Red, Channel::Green, Channel::Blue]),
    ("GRB", &[Channel::Green, Channel::Red, Channel::Blue]),
    ("BRG", &[Channel::Blue, Channel::Red, Channel::Green]),
    ("RGBW", RGBW),
    ("GRBW", &[Channel::Green, Channel::Red, Channel::Blue, Channel::White]),
    ("RGBWA", &[Channel::Red, Channel::Green, Channel::Blue, Channel::White, Channel::Amber]),
    ("RGB 16 bit", RGB_16),
];

/// Everything that may be lit, its high byte, its low byte, its name, and its letter.
const EMITTERS: [(Emitter, Channel, Channel, &str, &str); 8] = [
    (Emitter::Red, Channel::Red, Channel::RedFine, "Red", "R"),
    (Emitter::Green, Channel::Green, Channel::GreenFine, "Green", "G"),
    (Emitter::Blue, Channel::Blue, Channel::BlueFine, "Blue", "B"),
    (Emitter::White, Channel::White, Channel::WhiteFine, "White", "W"),
    (Emitter::WarmWhite, Channel::WarmWhite, Channel::WarmWhiteFine, "Warm white", "Ww"),
    (Emitter::CoolWhite, Channel::CoolWhite, Channel::CoolWhiteFine, "Cool white", "Cw"),
    (Emitter::Amber, Channel::Amber, Channel::AmberFine, "Amber", "A"),
    (Emitter::Uv, Channel::Uv, Channel::UvFine, "Ultraviolet", "UV"),
];

/// Lines of the list that are shown at once.
const LINES: usize = 12;
/// Height of a line, points.
const LINE: f32 = 36.0;

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A channel by itself; a low byte too, where its high byte is not right before it.
    One(Channel),
    /// A high byte and its low byte.
    Wide(Emitter),
}

impl Step {
    fn channels(self) -> Vec<Channel> {
        match self {
            Self::One(channel) => vec![channel],
            Self::Wide(emitter) => {
                let entry = EMITTERS.iter().find(|(of, ..)| *of == emitter);
                entry.map(|(_, high, low, ..)| vec![*high, *low]).unwrap_or_default()
            }
        }
    }

    /// What it is called in a choice; all constants are one.
    fn name(self) -> String {
        match self {
            Self::One(Channel::Constant(_)) => "Always a value".into(),
            Self::One(channel) => channel_name(channel),
            Self::Wide(emitter) => format!("{} 16 bit", emitter_name(emitter)),
        }
    }
}

fn emitter_name(emitter: Emitter) -> &'static str {
    EMITTERS.iter().find(|(of, ..)| *of == emitter).map_or("", |(.., name, _)| name)
}

/// What a channel is called.
pub fn channel_name(channel: Channel) -> String {
    match (channel.emitter(), channel) {
        (Some((emitter, false)), _) => emitter_name(emitter).into(),
        (Some((emitter, true)), _) => format!("{}, low byte", emitter_name(emitter)),
        (None, Channel::Constant(value)) => format!("Always {value}"),
        (None, _) => String::new(),
    }
}

/// The channels as steps.
pub fn steps(channels: &[Channel]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = channels;
    while let [first, others @ ..] = rest {
        let wide = EMITTERS.iter().find(|(_, high, low, ..)| high == first && others.first() == Some(low));
        steps.push(wide.map_or(Step::One(*first), |(emitter, ..)| Step::Wide(*emitter)));
        rest = if wide.is_some() { &others[1..] } else { others };
    }
    steps
}

/// The channels in few letters: `RGBW`, `RGB 16 bit`, `=255 RGB`.
pub fn letters(channels: &[Channel]) -> String {
    const MOST: usize = 8;
    let steps = steps(channels);
    let letter = |channel: &Channel| match channel.emitter() {
        Some((emitter, low)) => {
            let letter = EMITTERS.iter().find(|(of, ..)| *of == emitter).map_or("", |(.., letter)| letter);
            if low { letter.to_lowercase() } else { letter.to_owned() }
        }
        None => "·".to_owned(),
    };
    if steps.len() > MOST {
        return format!("{} channels", channels.len());
    }
    let all_wide = steps.iter().all(|step| matches!(step, Step::Wide(_)));
    let shown = channels.iter().filter(|channel| !all_wide || channel.emitter().is_none_or(|(_, low)| !low));
    let text: String = shown.map(letter).collect();
    if all_wide { format!("{text} 16 bit") } else { text }
}

/// The definition with these channels. What each of them draws goes along with it.
pub fn with_channels(
    definition: &FixtureDefinition,
    channels: Vec<Channel>,
    from: &[Option<usize>],
) -> FixtureDefinition {
    let mut changed = definition.clone();
    let known = &definition.current.milliamps;
    if let [_, _, ..] = known[..] {
        let at = |place: usize| known.get(place).or(known.last()).copied().unwrap_or_default();
        let same = |channel: Channel| definition.channels.iter().position(|other| *other == channel);
        let places = channels.iter().enumerate();
        let drawn = places.map(|(place, channel)| {
            let from = from.get(place).copied().flatten().or_else(|| same(*channel));
            at(from.unwrap_or(known.len()))
        });
        changed.current.milliamps = drawn.collect();
    }
    changed.channels = channels;
    changed
}

/// Flattens steps that know which channels they were.
fn rebuilt(definition: &FixtureDefinition, steps: &[(Step, Option<usize>)]) -> FixtureDefinition {
    let mut channels = Vec::new();
    let mut from = Vec::new();
    for (step, first) in steps {
        let of_step = step.channels();
        from.extend((0..of_step.len()).map(|place| first.map(|first| first + place)));
        channels.extend(of_step);
    }
    with_channels(definition, channels, &from)
}

/// How many channels there are, and what fits into a universe, in words.
pub fn footprint(definition: &FixtureDefinition) -> String {
    let width = definition.channels.len();
    let count = definition.pixels.count();
    let all = crate::app::status_bar::grouped(width as u64 * u64::from(count));
    let fits = UNIVERSE_CHANNELS / width.max(1);
    let channels = if width == 1 { "1 channel".to_owned() } else { format!("{width} channels") };
    let pixel = match fits {
        0 => format!("A pixel has {channels} and goes on in the next universe"),
        1 => format!("A pixel has {channels}, and 1 pixel fits into a universe"),
        _ => format!("A pixel has {channels}, and {fits} pixels fit into a universe"),
    };
    let last = Straddle::WholePixels.runs(0, width, count).last().map_or(0, |run| run.end);
    let universes = match last.div_ceil(UNIVERSE_CHANNELS) {
        0 => String::new(),
        1 => ", in 1 universe".to_owned(),
        universes => format!(", in {universes} universes"),
    };
    format!("{pixel}. The fixture has {all} channels{universes}.")
}

/// Shows the list.
pub fn channels_ui(ui: &mut Ui, definition: &FixtureDefinition) -> Change {
    fields::heading(ui, "Channels of a pixel, in their order");
    let mut change = presets_ui(ui, definition);
    let mut first = 0;
    let steps: Vec<(Step, Option<usize>)> = steps(&definition.channels)
        .into_iter()
        .map(|step| {
            let at = first;
            first += step.channels().len();
            (step, Some(at))
        })
        .collect();
    let height = LINE * steps.len().min(LINES) as f32;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let lines = ScrollArea::vertical().id_salt("channels").max_height(height).auto_shrink([false, true]);
        lines.show_rows(ui, LINE, steps.len(), |ui, range| {
            for place in range {
                ui.push_id(place, |ui| {
                    if let Some(changed) = line_ui(ui, &steps, place) {
                        change = Some((rebuilt(definition, &changed.0), changed.1));
                    }
                });
            }
        });
    });
    let look = PadLook { font: theme::small(), ..PadLook::quiet("Add a channel", "Add a channel") };
    if pad(ui, vec2(128.0, LINE), &look).clicked() {
        let mut added = steps.clone();
        added.push((Step::One(next(&definition.channels)), None));
        change = Some((rebuilt(definition, &added), None));
    }
    fields::hint(ui, &footprint(definition));
    change
}

/// The first kind that is not there yet; a constant when all are.
fn next(channels: &[Channel]) -> Channel {
    let free = EMITTERS.iter().map(|(_, high, ..)| *high).find(|channel| !channels.contains(channel));
    free.unwrap_or(Channel::Constant(0))
}

fn presets_ui(ui: &mut Ui, definition: &FixtureDefinition) -> Change {
    let mut change = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::HALF, theme::HALF);
        for (name, channels) in PRESETS {
            let on = definition.channels == channels;
            let width = if name.len() > 5 { 88.0 } else { 60.0 };
            if super::toggle(ui, width, &format!("Channels {name}"), name, on) && !on {
                change = Some((with_channels(definition, channels.to_vec(), &[]), None));
            }
        }
    });
    change
}

type Steps = Vec<(Step, Option<usize>)>;

/// One step: what it is, its value where it is a constant, and its place in the order.
fn line_ui(ui: &mut Ui, steps: &Steps, place: usize) -> Option<(Steps, Option<u64>)> {
    let (step, first) = steps[place];
    let at = first.unwrap_or_default() + 1;
    let label = format!("Channel {at}");
    let mut changed = None;
    let with = |step: Step| {
        let mut steps = steps.clone();
        steps[place].0 = step;
        steps
    };
    ui.horizontal(|ui| {
        ui.set_height(LINE);
        ui.spacing_mut().item_spacing.x = theme::HALF;
        let number = if matches!(step, Step::Wide(_)) { format!("{at}, {}", at + 1) } else { at.to_string() };
        super::caption(ui, &number, 40.0);
        let kinds = kinds(step);
        let named: Vec<(usize, &str)> = kinds.iter().enumerate().map(|(index, (_, name))| (index, &**name)).collect();
        let pads = 3.0 * (4.0 * theme::STEP + theme::HALF);
        let constant = if let Step::One(Channel::Constant(value)) = step { Some(value) } else { None };
        let room = ui.available_width() - pads - if constant.is_some() { 92.0 } else { 0.0 };
        ui.scope(|ui| {
            ui.set_max_width(room.clamp(88.0, 180.0));
            if let Some(index) = fields::bare_choice(ui, &label, 0, &named) {
                changed = Some((with(kinds[index].0), None));
            }
        });
        if let Some(value) = constant
            && let Some((value, gesture)) =
                fields::bare_number(ui, &format!("Value of channel {at}"), value, 0..=255, "")
        {
            changed = Some((with(Step::One(Channel::Constant(value))), gesture));
        }
        let last = steps.len() - 1;
        let moves =
            [("up", icons::UP, place > 0, place.wrapping_sub(1)), ("down", icons::DOWN, place < last, place + 1)];
        for (way, icon, can, to) in moves {
            if super::small_pad(ui, can, &format!("Move channel {at} {way}"), icon) {
                let mut steps = steps.clone();
                steps.swap(place, to);
                changed = Some((steps, None));
            }
        }
        if super::small_pad(ui, last > 0, &format!("Remove channel {at}"), icons::CLOSE) {
            let mut steps = steps.clone();
            steps.remove(place);
            changed = Some((steps, None));
        }
    });
    changed
}

/// What a step may become: what it is now comes first.
fn kinds(step: Step) -> Vec<(Step, String)> {
    let mut all = vec![step];
    if !matches!(step, Step::One(Channel::Constant(_))) {
        all.push(Step::One(Channel::Constant(255)));
    }
    for (emitter, high, ..) in EMITTERS {
        all.extend([Step::One(high), Step::Wide(emitter)].into_iter().filter(|other| *other != step));
    }
    all.into_iter().map(|step| (step, step.name())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::starts::STARTS;
    use super::*;
    use proptest::prelude::*;

    fn any_channel() -> impl Strategy<Value = Channel> {
        let known = EMITTERS.iter().flat_map(|(_, high, low, ..)| [*high, *low]).collect::<Vec<_>>();
        prop_oneof![4 => prop::sample::select(known), 1 => any::<u8>().prop_map(Channel::Constant)]
    }

    proptest! {
        #[test]
        fn steps_are_the_same_channels(channels in prop::collection::vec(any_channel(), 1..12)) {
            let flat: Vec<Channel> = steps(&channels).into_iter().flat_map(Step::channels).collect();
            prop_assert_eq!(flat, channels);
        }
    }

    #[test]
    fn a_pair_of_bytes_is_one_step_and_a_lost_low_byte_its_own() {
        use Channel::*;
        assert_eq!(steps(RGB_16), [Step::Wide(Emitter::Red), Step::Wide(Emitter::Green), Step::Wide(Emitter::Blue)]);
        assert_eq!(steps(&[RedFine, Red]), [Step::One(RedFine), Step::One(Red)]);
        assert_eq!(steps(&[Red, RedFine, RedFine]), [Step::Wide(Emitter::Red), Step::One(RedFine)]);
    }

    #[test]
    fn what_a_channel_draws_goes_along_with_it() {
        let mut definition = STARTS[0].1();
        definition.current.milliamps = vec![1.0, 2.0, 3.0];
        let steps = [
            (Step::One(Channel::Blue), Some(2)),
            (Step::One(Channel::White), None),
            (Step::One(Channel::Red), Some(0)),
        ];
        assert_eq!(rebuilt(&definition, &steps).current.milliamps, [3.0, 3.0, 1.0]);
        let green_first = with_channels(&definition, PRESETS[1].1.to_vec(), &[]);
        assert_eq!(green_first.current.milliamps, [2.0, 1.0, 3.0]);
        definition.current.milliamps = vec![20.0];
        assert_eq!(with_channels(&definition, RGBW.to_vec(), &[]).current.milliamps, [20.0]);
    }

    #[test]
    fn channels_are_told_in_few_letters() {
        assert_eq!(letters(RGBW), "RGBW");
        assert_eq!(letters(RGB_16), "RGB 16 bit");
        assert_eq!(letters(&STARTS[4].1().channels), "·RGBW");
        assert_eq!(letters(&[Channel::Red; 9]), "9 channels");
    }

    #[test]
    fn the_footprint_is_told_in_words() {
        let mut definition = STARTS[0].1();
        let words =
            "A pixel has 3 channels, and 170 pixels fit into a universe. The fixture has 180 channels, in 1 universe.";
        assert_eq!(footprint(&definition), words);
        definition.channels = vec![Channel::Red; 600];
        let words = "A pixel has 600 channels and goes on in the next universe. The fixture has 36\u{2009}000 channels, in 71 universes.";
        assert_eq!(footprint(&definition), words);
    }
}
