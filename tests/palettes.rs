//! The panel of palettes: colours picked, stops moved, and what the show then holds.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::model::id::PaletteId;
use glowdeck::model::palette::{Colour, Palette};
use glowdeck::model::references::Key as Thing;
use glowdeck::show::command::Command;
use stand::{Stand, enter, settle};

/// The window with the panel in front and its first palette chosen.
fn stand() -> Stand {
    let mut stand = Stand::sized(1440.0, 1200.0);
    stand.key(Modifiers::NONE, Key::F2);
    settle(&mut stand);
    stand
}

fn palette(stand: &mut Stand, id: u32) -> Palette {
    settle(stand);
    Palette::clone(stand.console.show.project.palettes.get(PaletteId(id)).unwrap())
}

fn first(stand: &mut Stand) -> Palette {
    settle(stand);
    let id = stand.console.show.project.palettes.iter().next().unwrap().id;
    palette(stand, id.0)
}

fn undo(stand: &mut Stand) {
    assert!(stand.console.handles.commands.send(Command::Undo));
    settle(stand);
}

/// Presses at one place, moves through others with the show following, and lets go.
fn drag(stand: &mut Stand, places: &[Pos2]) {
    stand.press(places[0]);
    for place in &places[1..] {
        stand.window.hover_at(*place);
        stand.window.step();
        settle(stand);
    }
    stand.window.drop_at(*places.last().unwrap());
    settle(stand);
}

/// The middle of a stop's cell, whatever its colour is.
fn stop(stand: &Stand, number: usize) -> Pos2 {
    stand.window.get_by_label_contains(&format!("Stop {number}, ")).rect().center()
}

fn click_at(stand: &mut Stand, place: Pos2) {
    stand.press(place);
    stand.window.drop_at(place);
    settle(stand);
}

#[test]
fn the_square_picks_live_and_the_whole_drag_is_one_step_of_undo() {
    let mut stand = stand();
    let before = first(&mut stand);
    let square = stand.window.get_by_role(Role::ColorWell).rect();
    let mut seen = Vec::new();
    stand.press(square.center());
    for place in [square.left_top(), square.center(), square.right_bottom() - vec2(1.0, 1.0)] {
        stand.window.hover_at(place);
        stand.window.step();
        seen.push(first(&mut stand).primary);
    }
    stand.window.drop_at(square.right_bottom());
    settle(&mut stand);
    assert_eq!(seen[0], Colour::WHITE, "the corner of no saturation and full value");
    assert!(seen[1] != seen[0] && seen[2].0.iter().all(|level| *level < 8), "{seen:?}");
    undo(&mut stand);
    assert_eq!(first(&mut stand), before);
}

#[test]
fn hex_and_numbers_are_exact_and_nonsense_changes_nothing() {
    let mut stand = stand();
    enter(&mut stand, "Hex", "#0a1Bff");
    assert_eq!(first(&mut stand).primary, Colour([10, 27, 255]));
    enter(&mut stand, "Hex", "ff8000");
    assert_eq!(first(&mut stand).primary, Colour([255, 128, 0]));
    enter(&mut stand, "Hex", "orange");
    assert_eq!(first(&mut stand).primary, Colour([255, 128, 0]));
    let secondary = first(&mut stand).secondary;
    stand.click(&format!("Secondary {secondary}"));
    enter(&mut stand, "Hex", "010203");
    let palette = first(&mut stand);
    assert_eq!((palette.primary, palette.secondary), (Colour([255, 128, 0]), Colour([1, 2, 3])));
}

#[test]
fn the_keyboard_turns_the_hue_and_the_shade() {
    let mut stand = stand();
    enter(&mut stand, "Hex", "#ff0000");
    stand.window.get_by_label("Hue").focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(first(&mut stand).primary, Colour([255, 43, 0]), "ten degrees");
    stand.window.get_by_role(Role::ColorWell).focus();
    stand.window.run_steps(2);
    stand.key(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(first(&mut stand).primary.0[0], 230, "ten per cent less value");
}

#[test]
fn a_stop_is_chosen_coloured_and_blended_between_marks() {
    let mut stand = stand();
    let at = stop(&stand, 3);
    click_at(&mut stand, at);
    enter(&mut stand, "Hex", "#000000");
    let at = stop(&stand, 5);
    click_at(&mut stand, at);
    enter(&mut stand, "Hex", "#ffffff");
    let before = first(&mut stand).gradient;
    ["Mark stop 3", "Mark stop 5", "Mark stop 1", "Mark stop 16", "Blend between marked stops"]
        .into_iter()
        .for_each(|label| stand.click(label));
    let after = first(&mut stand).gradient;
    assert_eq!(after[2..5], [Colour::BLACK, Colour([99; 3]), Colour::WHITE]);
    assert_eq!((after[0], after[1], after[5]), (before[0], before[1], before[5]));
}

#[test]
fn a_dragged_stop_goes_to_another_place_in_one_step_of_undo() {
    let mut stand = stand();
    let before = first(&mut stand).gradient;
    let places = [stop(&stand, 2), stop(&stand, 3), stop(&stand, 6), stop(&stand, 4)];
    drag(&mut stand, &places);
    let after = first(&mut stand).gradient;
    assert_eq!(after[..5], [before[0], before[2], before[3], before[1], before[4]]);
    undo(&mut stand);
    assert_eq!(first(&mut stand).gradient, before);
}

#[test]
fn kept_blended_a_picked_stop_bends_the_whole_gradient() {
    let mut stand = stand();
    stand.click("Keep stops blended");
    let at = stop(&stand, 1);
    click_at(&mut stand, at);
    enter(&mut stand, "Hex", "#000000");
    let at = stop(&stand, 16);
    click_at(&mut stand, at);
    enter(&mut stand, "Hex", "#ffffff");
    let gradient = first(&mut stand).gradient;
    assert!(gradient.windows(2).all(|pair| pair[0].0[0] < pair[1].0[0]), "{gradient:?}");
    let places = [stop(&stand, 16), stop(&stand, 2)];
    drag(&mut stand, &places);
    let gradient = first(&mut stand).gradient;
    assert_eq!((gradient[0], gradient[1], gradient[15]), (Colour::BLACK, Colour::WHITE, Colour::WHITE));
}

#[test]
fn stops_turn_around_and_along() {
    let mut stand = stand();
    let before = first(&mut stand).gradient;
    stand.click("Rotate stops to the left");
    assert_eq!(first(&mut stand).gradient[..15], before[1..]);
    stand.click("Rotate stops to the right");
    assert_eq!(first(&mut stand).gradient, before);
    stand.click("Reverse stops");
    assert!(first(&mut stand).gradient.iter().eq(before.iter().rev()));
}

#[test]
fn a_palette_is_added_named_doubled_and_deleted() {
    let mut stand = stand();
    let count = |stand: &mut Stand| {
        settle(stand);
        stand.console.show.project.palettes.len()
    };
    let before = count(&mut stand);
    stand.click("Add a palette");
    settle(&mut stand);
    enter(&mut stand, "Name of the palette", "Dusk");
    stand.click("Duplicate Dusk");
    assert_eq!(count(&mut stand), before + 2);
    stand.window.get_by_label("Palette Dusk 2");
    stand.click("Delete Dusk 2");
    assert_eq!(count(&mut stand), before + 1);
    assert!(stand.window.query_by_label("Palette Dusk 2").is_none());
}

#[test]
fn a_palette_in_use_stays_and_says_who_uses_it() {
    let mut stand = stand();
    let Palette { id, name, .. } = first(&mut stand);
    stand.click(&format!("Delete {name}"));
    assert_eq!(first(&mut stand).name, name);
    let users = stand.console.show.project.users_of(Thing::Palette(id));
    stand.window.get_by_label_contains(&format!("Not deleted: {}", users[0]));
}
