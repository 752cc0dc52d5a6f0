//! The panel of curves: points added, moved, bent and removed, and what the show then holds.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::curve::Curve;
use glowdeck::model::edit::{Edit, Entry};
use glowdeck::model::id::CurveId;
use glowdeck::show::command::Command;
use stand::{Stand, send, settle};

/// The one curve that is worked at, whatever else the project has.
const ID: CurveId = CurveId(900);

/// The window with the panel in front and a triangle of four beats chosen.
fn stand() -> Stand {
    let mut stand = Stand::sized(1440.0, 1200.0);
    let curve = Curve::triangle(ID, "Swell");
    send(&mut stand, Command::Edit { edit: Edit::Put(Entry::Curve(curve.into())), gesture: None });
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    stand.click("Curves panel");
    settle(&mut stand);
    stand.click("Curve Swell in the list");
    settle(&mut stand);
    stand
}

fn curve(stand: &mut Stand) -> Curve {
    settle(stand);
    Curve::clone(stand.console.show.project.curves.get(ID).unwrap())
}

fn places(stand: &mut Stand) -> Vec<(f64, f64)> {
    curve(stand).points.iter().map(|point| (point.beat, (point.y * 100.0).round() / 100.0)).collect()
}

/// A place on the canvas; the triangle's own points say where its corners are.
fn place(stand: &Stand, beat: f32, y: f32) -> Pos2 {
    let point = |number: usize| stand.window.get_by_label_contains(&format!("Point {number} of 3, ")).rect().center();
    let plot = Rect::from_two_pos(point(1), pos2(point(3).x, point(2).y));
    plot.min + vec2(beat / 4.0, 1.0 - y) * plot.size()
}

fn press_and_move(stand: &mut Stand, from: Pos2, through: &[Pos2]) {
    stand.press(from);
    settle(stand);
    for place in through {
        stand.window.hover_at(*place);
        stand.window.step();
        settle(stand);
    }
    stand.window.drop_at(through.last().copied().unwrap_or(from));
    settle(stand);
}

#[test]
fn a_press_adds_a_point_that_goes_along_with_the_hand_and_is_one_step_of_undo() {
    let mut stand = stand();
    let (from, to) = (place(&stand, 3.3, 0.9), place(&stand, 3.05, 0.25));
    press_and_move(&mut stand, from, &[to]);
    assert_eq!(places(&mut stand), [(0.0, 0.0), (2.0, 1.0), (3.0, 0.25), (4.0, 0.0)]);
    send(&mut stand, Command::Undo);
    assert_eq!(places(&mut stand), [(0.0, 0.0), (2.0, 1.0), (4.0, 0.0)]);
}

#[test]
fn without_the_grid_a_point_is_put_where_the_hand_is() {
    let mut stand = stand();
    stand.click("Snap to quarter beats");
    let at = place(&stand, 3.1, 0.9);
    press_and_move(&mut stand, at, &[]);
    let beat = places(&mut stand)[2].0;
    assert!((beat - 3.1).abs() < 0.01 && beat != 3.0, "{beat}");
}

#[test]
fn a_dragged_point_stops_at_its_neighbours_and_the_ends_of_a_loop_move_together() {
    let mut stand = stand();
    let (top, far) = (place(&stand, 2.0, 1.0), place(&stand, 9.0, 0.5));
    press_and_move(&mut stand, top, &[far]);
    assert_eq!(places(&mut stand)[1], (4.0, 0.5));
    send(&mut stand, Command::Undo);
    let (end, up) = (place(&stand, 0.0, 0.0), place(&stand, 0.5, 0.4));
    press_and_move(&mut stand, end, &[up]);
    assert_eq!(places(&mut stand), [(0.0, 0.4), (2.0, 1.0), (4.0, 0.4)]);
    send(&mut stand, Command::Undo);
    stand.click("Loop: the end runs on into the start");
    settle(&mut stand);
    press_and_move(&mut stand, end, &[up]);
    assert_eq!(places(&mut stand), [(0.5, 0.4), (2.0, 1.0), (4.0, 0.0)]);
}

#[test]
fn a_segment_is_bent_by_its_handle_and_straightened() {
    let mut stand = stand();
    let (middle, up) = (place(&stand, 1.0, 0.5), place(&stand, 1.0, 0.75));
    press_and_move(&mut stand, middle, &[up]);
    let bent = curve(&mut stand);
    assert!((bent.at(1.0) - 0.75).abs() < 0.01, "{bent:?}");
    assert!(bent.points[0].control.is_some() && bent.points[1].control.is_none());
    stand.click("Straighten all segments");
    assert_eq!(curve(&mut stand).at(1.0), 0.5);
}

#[test]
fn a_double_click_and_the_delete_key_remove_a_point() {
    let mut stand = stand();
    let before = curve(&mut stand);
    stand.wait(1.0);
    let top = place(&stand, 2.0, 1.0);
    for _ in 0..2 {
        stand.window.hover_at(top);
        stand.window.drag_at(top);
        stand.window.drop_at(top);
        stand.window.step();
    }
    assert_eq!(places(&mut stand), [(0.0, 0.0), (4.0, 0.0)]);
    send(&mut stand, Command::Undo);
    assert_eq!(curve(&mut stand), before);
    stand.window.get_by_label_contains("Point 2 of 3").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Delete);
    assert_eq!(places(&mut stand), [(0.0, 0.0), (4.0, 0.0)]);
}

#[test]
fn a_double_click_on_nothing_leaves_the_point_it_made() {
    let mut stand = stand();
    stand.wait(1.0);
    let at = place(&stand, 3.0, 0.9);
    for _ in 0..2 {
        press_and_move(&mut stand, at, &[]);
    }
    assert_eq!(places(&mut stand).len(), 4);
}

#[test]
fn arrow_keys_move_the_point_that_tab_reached() {
    let mut stand = stand();
    stand.window.get_by_label_contains("Point 1 of 3").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Tab);
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::ArrowRight);
    settle(&mut stand);
    stand.key(Modifiers::NONE, Key::ArrowDown);
    settle(&mut stand);
    stand.key(Modifiers::SHIFT, Key::ArrowDown);
    let point = places(&mut stand)[1];
    assert_eq!(point.0, 2.25);
    assert_eq!(point.1, 0.89);
}

#[test]
fn a_shape_is_chosen_and_the_length_stretches_it() {
    let mut stand = stand();
    stand.click("Shape Square");
    assert_eq!(places(&mut stand), [(0.0, 1.0), (2.0, 1.0), (2.0, 0.0), (4.0, 0.0)]);
    stand.window.get_by_role_and_label(Role::SpinButton, "Length in beats").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.event(egui::Event::Text("8".into()));
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Enter);
    assert_eq!(places(&mut stand), [(0.0, 1.0), (4.0, 1.0), (4.0, 0.0), (8.0, 0.0)]);
}

#[test]
fn a_curve_is_added_doubled_renamed_and_deleted() {
    let mut stand = stand();
    let count = |stand: &mut Stand| {
        settle(stand);
        stand.console.show.project.curves.len()
    };
    let before = count(&mut stand);
    stand.click("Duplicate Swell");
    settle(&mut stand);
    stand.window.get_by_label("Curve Swell 2 in the list");
    stand.window.get_by_role_and_label(Role::TextInput, "Name of the curve").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::COMMAND, Key::A);
    stand.window.get_by_role_and_label(Role::TextInput, "Name of the curve").type_text("Breath");
    stand.window.run_steps(2);
    stand.key(Modifiers::NONE, Key::Enter);
    settle(&mut stand);
    stand.click("Delete Breath");
    stand.click("Add a curve");
    settle(&mut stand);
    assert_eq!(count(&mut stand), before + 1);
    assert!(stand.window.query_by_label("Curve Breath in the list").is_none());
}

#[test]
fn the_playhead_asks_for_paints_only_while_the_panel_is_seen() {
    let mut stand = stand();
    let delay = |stand: &Stand| stand.window.output().viewport_output.values().map(|out| out.repaint_delay).min();
    // Whatever the stage and the show do, this is the longest that the beat may stand still.
    stand.window.run_steps(20);
    assert!(delay(&stand).unwrap() <= std::time::Duration::from_millis(33));
    stand.click("Devices panel");
    stand.window.run_steps(20);
    assert!(delay(&stand).unwrap() > std::time::Duration::from_millis(100), "{:?}", delay(&stand));
}
