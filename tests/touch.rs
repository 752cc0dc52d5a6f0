//! The window under fingers: what a touch screen sends plays the show as a mouse does, and a finger that is taken away
//! leaves nothing held.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::{Event, Modifiers, PointerButton, Pos2, TouchDeviceId, TouchId, TouchPhase, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::id::SceneId;
use glowdeck::show::command::{Command, LiveCommand};
use stand::Stand;

/// What the window's toolkit makes of a finger: the touch, and a pointer that is gone when the finger is.
fn finger(stand: &mut Stand, phase: TouchPhase, pos: Pos2) {
    let force = Some(0.4);
    stand.window.event(Event::Touch { device_id: TouchDeviceId(1), id: TouchId(1), phase, pos, force });
    let button =
        |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
    let events = match phase {
        TouchPhase::Start => vec![Event::PointerMoved(pos), button(true)],
        TouchPhase::Move => vec![Event::PointerMoved(pos)],
        TouchPhase::End => vec![button(false), Event::PointerGone],
        TouchPhase::Cancel => vec![Event::PointerGone],
    };
    events.into_iter().for_each(|event| stand.window.event(event));
    stand.window.step();
}

fn tap(stand: &mut Stand, label: &str) {
    let at = stand.middle(label);
    finger(stand, TouchPhase::Start, at);
    finger(stand, TouchPhase::End, at);
}

/// From the middle of something by so much, in steps as a finger moves.
fn swipe(stand: &mut Stand, from: Pos2, way: egui::Vec2) {
    finger(stand, TouchPhase::Start, from);
    for step in 1..=8 {
        finger(stand, TouchPhase::Move, from + way * step as f32 / 8.0);
    }
    finger(stand, TouchPhase::End, from + way);
}

#[test]
fn a_tap_plays_a_scene_and_a_held_finger_flashes_it_until_it_leaves() {
    let mut stand = Stand::new();
    tap(&mut stand, "Scene Comet");
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(3))]);
    for end in [TouchPhase::End, TouchPhase::Cancel] {
        let at = stand.middle("Scene Comet");
        finger(&mut stand, TouchPhase::Start, at);
        stand.wait(0.6);
        assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(3), true)], "held");
        finger(&mut stand, end, at);
        stand.wait(0.1);
        assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(3), false)], "{end:?}");
    }
    let at = stand.middle("Scene Comet");
    finger(&mut stand, TouchPhase::Start, at);
    finger(&mut stand, TouchPhase::Cancel, at);
    stand.wait(0.6);
    assert_eq!(stand.live(), [], "what was taken away is no tap, and holds nothing");
}

#[test]
fn a_finger_moves_a_tile_and_drops_one_on_the_bin() {
    let mut stand = Stand::new();
    let from = stand.middle("Scene Comet");
    let to = stand.middle("Scene Rain");
    swipe(&mut stand, from, to - from);
    let cell = |stand: &Stand, id| stand.console.show.project.scene(SceneId(id)).map(|scene| scene.cell);
    let (comet, rain) = (cell(&stand, 3), cell(&stand, 4));
    stand.sent();
    assert_eq!((cell(&stand, 3), cell(&stand, 4)), (rain, comet), "they have swapped");
    stand.sent();
    let from = stand.middle("Scene Comet");
    let bin = egui::pos2(from.x, stand.window.ctx.content_rect().bottom() - 20.0);
    swipe(&mut stand, from, bin - from);
    stand.sent();
    assert_eq!(cell(&stand, 3), None);
}

#[test]
fn faders_follow_a_finger_and_blackout_needs_one_that_stays() {
    let mut stand = Stand::new();
    let master = stand.middle("Master");
    swipe(&mut stand, master, vec2(-60.0, 0.0));
    let live = stand.live();
    assert!(live.iter().any(|live| matches!(live, LiveCommand::Master(level) if level.get() < 0.9)), "{live:?}");
    tap(&mut stand, "Blackout");
    assert_eq!(stand.live(), [], "a stray tap does nothing");
    let at = stand.middle("Blackout");
    finger(&mut stand, TouchPhase::Start, at);
    stand.wait(0.5);
    finger(&mut stand, TouchPhase::End, at);
    assert_eq!(stand.live(), [LiveCommand::Blackout(true)]);
    tap(&mut stand, "Blackout");
    assert_eq!(stand.live(), [LiveCommand::Blackout(false)]);
}

#[test]
fn two_fingers_zoom_the_stage_and_change_nothing_else() {
    let mut stand = Stand::new();
    let middle = stand.middle("Stage");
    let two = |stand: &mut Stand, phase, apart: f32| {
        for (id, side) in [(1, -1.0), (2, 1.0)] {
            let pos = middle + vec2(side * apart, 0.0);
            stand.window.event(Event::Touch { device_id: TouchDeviceId(1), id: TouchId(id), phase, pos, force: None });
        }
        stand.window.event(Event::PointerMoved(middle));
        stand.window.step();
    };
    assert!(stand.window.query_by_label_contains("Fit the stage").is_none(), "it is fitted");
    two(&mut stand, TouchPhase::Start, 40.0);
    for step in 1..=6 {
        two(&mut stand, TouchPhase::Move, 40.0 + 15.0 * step as f32);
    }
    two(&mut stand, TouchPhase::End, 130.0);
    stand.window.run_steps(4);
    assert!(stand.window.query_by_label_contains("Fit the stage").is_some(), "it is zoomed");
    let edits = stand.sent().into_iter().filter(|sent| matches!(sent, Command::Edit { .. } | Command::Live(_)));
    assert_eq!(edits.count(), 0);
}
