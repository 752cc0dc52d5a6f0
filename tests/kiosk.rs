//! The kiosk: everything in it is played by fingers, and nothing edits the project.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glowdeck::app::kiosk::UNLOCK_SECS;
use glowdeck::model::id::SceneId;
use glowdeck::show::command::LiveCommand;
use glowdeck::units::Bpm;
use stand::Stand;

/// What a finger hits is at least so large, points.
const FINGER: f32 = 44.0;

fn stand(width: f32, height: f32) -> Stand {
    Stand::shaped(width, height, |window, _| window.as_kiosk(true))
}

fn click(stand: &mut Stand, label: &str) {
    stand.click(label);
    stand.window.step();
}

/// Everything that can be touched, with its place.
fn targets(stand: &Stand) -> Vec<(String, Rect)> {
    let touched = [Role::Button, Role::Slider, Role::SpinButton, Role::CheckBox, Role::ComboBox, Role::TextInput];
    let nodes = stand.window.root().children_recursive();
    let shown = nodes.filter(|node| touched.contains(&node.accesskit_node().role()));
    shown.map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect())).collect()
}

#[test]
fn everything_that_can_be_touched_is_as_large_as_a_finger_and_on_the_screen() {
    // Half of a small screen, the Pi's own touch screens, and a television.
    for (width, height) in [(640.0, 360.0), (800.0, 480.0), (1024.0, 600.0), (1280.0, 720.0), (1920.0, 1080.0)] {
        let stand = stand(width, height);
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let targets = targets(&stand);
        assert!(targets.len() > 20, "{}", targets.len());
        for (label, rect) in &targets {
            assert!(rect.width() >= FINGER && rect.height() >= FINGER, "{label} at {width}: {rect:?}");
        }
        for label in ["Blackout", "Master", "Tempo", "Tap the tempo", "Lock the screen"] {
            let (_, rect) = targets.iter().find(|(name, _)| name == label).unwrap_or_else(|| panic!("{label}"));
            assert!(screen.contains_rect(*rect), "{label} at {width}: {rect:?}");
            let over = targets.iter().filter(|(name, other)| name != label && other.shrink(1.0).intersects(*rect));
            assert_eq!(over.count(), 0, "{label} at {width}");
        }
    }
}

#[test]
fn tiles_are_played_and_never_moved() {
    let mut stand = stand(1280.0, 720.0);
    let before = stand.console.show.project.clone();
    click(&mut stand, "Scene Comet");
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(3))]);
    let [from, to] = ["Scene Comet", "Scene Rain"].map(|label| stand.window.get_by_label(label).rect().center());
    stand.press(from);
    stand.window.hover_at(from.lerp(to, 0.5));
    stand.window.step();
    stand.window.hover_at(to);
    stand.window.step();
    stand.window.drop_at(to);
    stand.window.run_steps(2);
    stand.window.key_press_modifiers(Modifiers::NONE, Key::Delete);
    stand.window.run_steps(2);
    stand.sent();
    assert_eq!(stand.console.show.project, before);
}

#[test]
fn a_tempo_is_typed_on_the_number_pad_and_one_that_is_none_is_not_taken() {
    let mut stand = stand(1024.0, 600.0);
    click(&mut stand, "Tempo");
    for key in ["1", "7", "4", ".", "5"] {
        click(&mut stand, key);
    }
    click(&mut stand, "Set the tempo");
    assert_eq!(stand.live(), [LiveCommand::Bpm(Bpm::new(174.5))]);
    click(&mut stand, "Tempo");
    click(&mut stand, "9");
    click(&mut stand, "Set the tempo");
    assert_eq!(stand.live(), [], "9 beats a minute are too few");
    click(&mut stand, "Close the number pad");
    assert!(stand.window.query_by_label("Set the tempo").is_none());
}

#[test]
fn a_locked_screen_takes_no_touch_until_the_lock_was_held() {
    let mut stand = stand(1280.0, 720.0);
    let tile = stand.window.get_by_label("Scene Comet").rect().center();
    click(&mut stand, "Lock the screen");
    let touch = |stand: &mut Stand| {
        stand.press(tile);
        stand.window.drop_at(tile);
        stand.window.run_steps(2);
        stand.live()
    };
    assert_eq!(touch(&mut stand), []);
    let lock = stand.window.get_by_label("Hold to unlock").rect().center();
    stand.press(lock);
    stand.window.drop_at(lock);
    stand.window.run_steps(2);
    assert_eq!(touch(&mut stand), [], "a short touch does not open it");
    stand.press(lock);
    stand.window.run_steps((UNLOCK_SECS / 0.05) as usize + 3);
    stand.window.drop_at(lock);
    stand.window.run_steps(2);
    assert_eq!(touch(&mut stand), [LiveCommand::Toggle(SceneId(3))]);
}
