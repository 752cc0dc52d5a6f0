//! Effects in the inspector: their values, their order, and the gallery that they come from.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/inspecting.rs"]
#[allow(dead_code, reason = "a test uses a part of it")]
mod inspecting;
#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::effect::{Blend, Modulated, ParamValue, ShaderRef};
use glowdeck::model::id::CurveId;
use glowdeck::show::thumbnail::ThumbnailKey;
use inspecting::*;
use stand::{Stand, settle};
use std::time::Duration;

#[test]
fn a_drag_is_one_step_of_undo_and_goes_on_from_where_the_value_stands() {
    let mut stand = stand();
    let zoom = bar(&stand, "Zoom");
    drag(&mut stand, zoom.left_center() + vec2(20.0, 0.0), vec2(zoom.width() / 2.0, 0.0));
    let Some(ParamValue::Number(set)) = param(&mut stand, "zoom") else { panic!("not set") };
    assert!((set.base - (2.0 + 5.5 / 2.0)).abs() < 0.05, "{set:?}");
    stand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(param(&mut stand, "zoom"), None);
}

#[test]
fn a_drag_is_ten_times_finer_with_shift() {
    let mut stand = stand();
    let zoom = bar(&stand, "Zoom");
    stand.window.event(Event::ModifiersChanged(Modifiers::SHIFT));
    drag(&mut stand, zoom.left_center() + vec2(20.0, 0.0), vec2(zoom.width() / 2.0, 0.0));
    let Some(ParamValue::Number(set)) = param(&mut stand, "zoom") else { panic!("not set") };
    assert!((set.base - (2.0 + 0.55 / 2.0)).abs() < 0.02, "{set:?}");
}

#[test]
fn keys_step_a_value_type_it_and_put_it_back() {
    let mut stand = stand();
    focus(&mut stand, "Sectors");
    stand.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(param(&mut stand, "sectors"), number(7.0));
    stand.key(Modifiers::NONE, Key::End);
    assert_eq!(param(&mut stand, "sectors"), number(12.0));
    stand.key(Modifiers::NONE, Key::Home);
    assert_eq!(param(&mut stand, "sectors"), number(2.0));
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(param(&mut stand, "sectors"), None, "the default leaves the project");
    stand.key(Modifiers::NONE, Key::Enter);
    stand.window.run_steps(2);
    stand.window.event(Event::Text("9".into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    assert_eq!(param(&mut stand, "sectors"), number(9.0));
}

#[test]
fn a_double_click_puts_a_value_back() {
    let mut stand = stand();
    enter(&mut stand, "Facets", "30", Key::Enter);
    assert_eq!(param(&mut stand, "facets"), number(30.0));
    let place = bar(&stand, "Facets").left_center() + vec2(30.0, 0.0);
    for _ in 0..2 {
        stand.press(place);
        stand.window.drop_at(place);
        stand.window.step();
    }
    assert_eq!(param(&mut stand, "facets"), None);
}

#[test]
fn what_is_typed_stays_in_its_limits_and_nonsense_or_escape_changes_nothing() {
    let mut stand = stand();
    enter(&mut stand, "Zoom", "99", Key::Enter);
    assert_eq!(param(&mut stand, "zoom"), number(6.0));
    enter(&mut stand, "Zoom", "much", Key::Enter);
    assert_eq!(param(&mut stand, "zoom"), number(6.0));
    enter(&mut stand, "Zoom", "1", Key::Escape);
    assert_eq!(param(&mut stand, "zoom"), number(6.0));
}

#[test]
fn the_fields_of_an_effect_are_set() {
    let mut stand = stand();
    enter(&mut stand, "Effect opacity", "50", Key::Enter);
    enter(&mut stand, "Colour shift", "0.25", Key::Enter);
    enter(&mut stand, "Speed", "1/8", Key::Enter);
    enter(&mut stand, "Effect beat offset", "1.5", Key::Enter);
    enter(&mut stand, "Centre across", "25", Key::Enter);
    pick(&mut stand, "Blend", "Multiply");
    pick(&mut stand, "Progress", "Tent");
    let set = effect(&mut stand, 1);
    assert_eq!((set.opacity.base, set.colour_shift.base, set.speed_exponent), (0.5, 0.25, -3.0));
    assert_eq!((set.beat_offset, set.blend, set.progress), (1.5, Blend::Multiply, Some(CurveId(1))));
    assert_eq!(set.params.get("centre"), Some(&ParamValue::Point(0.25.into(), 0.5.into())));
    assert_eq!(stand.window.get_by_role_and_label(Role::Slider, "Speed").value().as_deref(), Some("1/8×"));
}

#[test]
fn a_value_that_a_curve_moves_is_painted_as_it_moves_and_a_still_one_is_not() {
    let mut stand = stand();
    let moved = |stand: &Stand| {
        let delay = stand.window.output().viewport_output.values().map(|output| output.repaint_delay).min();
        delay.is_some_and(|delay| delay < Duration::from_millis(100))
    };
    stand.window.remove_cursor();
    stand.window.run_steps(3);
    assert!(!moved(&stand), "nothing moves");
    stand.click("What moves Zoom");
    stand.window.run_steps(2);
    stand.click("Curve Tent");
    let tent = Modulated { base: 2.0, curve: Some(CurveId(1)), trigger: None };
    assert_eq!(param(&mut stand, "zoom"), Some(ParamValue::Number(tent)));
    stand.key(Modifiers::NONE, Key::Escape);
    stand.window.remove_cursor();
    stand.window.run_steps(3);
    assert!(moved(&stand), "the curve moves it");
    stand.window.get_by_label("What moves Zoom");
}

#[test]
fn effects_are_chosen_muted_doubled_and_deleted_by_pointer() {
    let mut stand = stand();
    stand.window.get_by_label_contains("Effect 2: Fire").click();
    settle(&mut stand);
    assert!(stand.window.query_by_role_and_label(Role::Slider, "Zoom").is_none(), "Fire has no zoom");
    stand.click("Mute effect 2");
    assert!(effect(&mut stand, 2).muted);
    for (item, expected) in [("Duplicate effect 1", vec![1, 3, 2]), ("Delete effect 1", vec![3, 2])] {
        stand.click("More about effect 1");
        stand.window.run_steps(2);
        stand.click(item);
        let ids: Vec<u32> = scene(&mut stand).effects.iter().map(|effect| effect.id.0).collect();
        assert_eq!(ids, expected, "{item}");
    }
}

#[test]
fn effects_are_moved_by_drag_and_by_keys() {
    let mut stand = stand();
    let order = |stand: &mut Stand| scene(stand).effects.iter().map(|effect| effect.id.0).collect::<Vec<_>>();
    stand.click("More about effect 2");
    stand.window.run_steps(2);
    stand.click("Duplicate effect 2");
    assert_eq!(order(&mut stand), [1, 2, 3]);
    let row = stand.window.get_by_label_contains("Effect 1: Kaleidoscope").rect();
    drag(&mut stand, row.left_center() + vec2(90.0, 0.0), vec2(0.0, row.height() * 1.4));
    assert_eq!(order(&mut stand), [2, 1, 3]);
    stand.window.get_by_label_contains("Effect 2: Kaleidoscope").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(order(&mut stand), [1, 2, 3]);
    stand.key(Modifiers::COMMAND, Key::D);
    assert_eq!(order(&mut stand), [1, 4, 2, 3]);
    stand.key(Modifiers::COMMAND, Key::M);
    assert!(effect(&mut stand, 1).muted);
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(order(&mut stand), [4, 2, 3]);
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(order(&mut stand), [2, 3], "the keyboard is on the next one");
}

#[test]
fn an_effect_is_found_by_word_and_added_and_only_what_is_seen_is_drawn() {
    let mut stand = stand();
    stand.click("Add an effect");
    settle(&mut stand);
    let watched =
        |stand: &Stand| stand.console.thumbnails.iter().filter(|key| matches!(key, ThumbnailKey::Effect(_))).count();
    assert!((6..20).contains(&watched(&stand)), "{}", watched(&stand));
    stand.window.event(Event::Text("lightning".into()));
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::Enter);
    let set = scene(&mut stand);
    assert_eq!(set.effects.last().unwrap().shader, ShaderRef::BuiltIn("lightning".into()));
    assert_eq!(set.effects.len(), 3);
    settle(&mut stand);
    assert_eq!(watched(&stand), 3, "the gallery is closed");
    stand.window.get_by_label("Lightning");
}
