//! Panels come, go and find their room.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use stand::Stand;

#[test]
fn panels_that_come_and_go_leave_nothing_behind() {
    let mut stand = Stand::sized(1440.0, 900.0);
    let mut lap = || {
        for panel in
            ["Inspector", "Palettes", "Curves", "Shader", "Patch", "Fixtures", "Devices", "Notices", "Settings"]
        {
            stand.choose("View", &format!("Show {panel}"));
            stand.sent();
            stand.choose("View", &format!("Hide {panel}"));
            stand.sent();
        }
        stand.window.ctx.data(|data| data.len())
    };
    lap();
    let second = lap();
    assert_eq!([lap(), lap()], [second; 2], "values that the window keeps");
}

#[test]
fn tabs_without_room_for_all_names_are_icons_but_for_the_one_in_front() {
    let mut stand = Stand::sized(960.0, 600.0);
    stand.key(Modifiers::NONE, Key::F2);
    stand.window.run_steps(2);
    let [front, behind] = ["Palettes panel", "Notices panel"].map(|tab| stand.window.get_by_label(tab).rect());
    assert!(front.width() > 60.0 && behind.width() <= 40.0 && behind.right() < 960.0, "{front:?} {behind:?}");
}

#[test]
fn a_tab_behind_is_closed_by_its_cross() {
    let mut stand = Stand::sized(1440.0, 900.0);
    stand.key(Modifiers::NONE, Key::F2);
    stand.window.run_steps(2);
    let tab = stand.window.get_by_label("Curves panel").rect();
    let cross = tab.right_center() - vec2(14.0, 0.0);
    stand.window.hover_at(cross);
    stand.window.run_steps(3);
    stand.press(cross);
    stand.window.drop_at(cross);
    stand.window.run_steps(3);
    assert!(stand.window.query_by_label("Curves panel").is_none());
    assert!(stand.window.query_by_label("Palettes panel").is_some());
}
