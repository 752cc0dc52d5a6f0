//! A touch that the system takes away ends what it held, without counting as a tap.
//!
//! The toolkit tells of such a touch (a palm, a gesture of the desktop) only that the pointer is gone, as when a mouse
//! leaves the window with its button down. [`Fingers`] adds the release, a little aside so that it is no click. Runs on the
//! ui thread before each pass. Deliberately absent: what was held, which the panels know.

use egui::{Context, Event, Modifiers, Plugin, PointerButton, Pos2, RawInput, TouchPhase, Vec2, vec2};

/// Farther than a click may slip, in a direction in which no fader moves, points.
const ASIDE: Vec2 = vec2(0.0, 12.0);

/// Adds releases to the window's input.
pub struct Fingers;

impl Plugin for Fingers {
    fn debug_name(&self) -> &'static str {
        "fingers"
    }

    fn input_hook(&mut self, _: &Context, input: &mut RawInput) {
        let taken = |pair: &[Event]| match pair {
            // Only of the finger that is the pointer is it said that the pointer is gone.
            [Event::Touch { phase: TouchPhase::Cancel, pos, .. }, Event::PointerGone] => Some(*pos),
            _ => None,
        };
        let places: Vec<(usize, Pos2)> =
            input.events.windows(2).enumerate().filter_map(|(place, pair)| Some((place, taken(pair)?))).collect();
        for (place, pos) in places.into_iter().rev() {
            let (pos, button, modifiers) = (pos + ASIDE, PointerButton::Primary, Modifiers::NONE);
            let release = [Event::PointerMoved(pos), Event::PointerButton { pos, button, pressed: false, modifiers }];
            input.events.splice(place + 1..=place, release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{TouchDeviceId, TouchId, pos2};

    fn hooked(events: Vec<Event>) -> Vec<Event> {
        let mut input = RawInput { events, ..RawInput::default() };
        Fingers.input_hook(&Context::default(), &mut input);
        input.events
    }

    fn touch(phase: TouchPhase) -> Event {
        let (device_id, id, pos) = (TouchDeviceId(1), TouchId(1), pos2(10.0, 20.0));
        Event::Touch { device_id, id, phase, pos, force: None }
    }

    #[test]
    fn a_touch_that_is_taken_away_lets_go_and_others_are_left_as_they_are() {
        let told = hooked(vec![Event::Copy, touch(TouchPhase::Cancel), Event::PointerGone, Event::Cut]);
        let [Event::Copy, Event::Touch { .. }, Event::PointerMoved(_), released, Event::PointerGone, Event::Cut] =
            told.as_slice()
        else {
            panic!("{told:?}")
        };
        assert!(matches!(released, Event::PointerButton { pressed: false, pos, .. } if *pos == pos2(10.0, 32.0)));
        for events in [
            vec![touch(TouchPhase::End), Event::PointerGone],
            vec![touch(TouchPhase::Cancel), Event::Copy, Event::PointerGone],
            vec![Event::PointerGone],
            vec![touch(TouchPhase::Cancel)],
            vec![],
        ] {
            assert_eq!(hooked(events.clone()), events);
        }
    }
}
