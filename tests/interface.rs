//! What the operator does in the window reaches the show: found by the labels that a screen reader reads.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::files::Question;
use glowdeck::model::edit::{Edit, SceneField};
use glowdeck::model::id::SceneId;
use glowdeck::notice::Notice;
use glowdeck::show::command::{Command, LiveCommand};
use glowdeck::show::test_pattern::{Pattern, Target, TestPattern};
use glowdeck::storage::FileRequest;
use glowdeck::units::{Beats, Bpm, Level};
use stand::Stand;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn a_short_press_on_a_tile_toggles_its_scene() {
    let mut stand = Stand::new();
    stand.click("Scene Comet");
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(3))]);
}

#[test]
fn a_test_pattern_is_shown_and_ended_from_the_menu_and_the_bar_says_so() {
    let mut stand = Stand::new();
    let choose = |stand: &mut Stand, name: &str| {
        stand.choose("View", "Test pattern on all lamps");
        stand.window.run_steps(2);
        stand.window.get_by_label_contains(name).click();
        stand.window.step();
    };
    choose(&mut stand, "Count");
    let test = TestPattern { target: Target::All, pattern: Pattern::Count };
    assert_eq!(stand.live(), [LiveCommand::Test(Some(test))]);
    stand.wait(0.1);
    stand.window.get_by_label_contains("test pattern instead of the show");
    choose(&mut stand, "Off, the show again");
    assert_eq!(stand.live(), [LiveCommand::Test(None)]);
}

#[test]
fn a_tile_under_the_pointer_says_what_its_scene_takes() {
    let mut stand = Stand::new();
    let tile = stand.middle("Scene Sparkle");
    stand.window.hover_at(tile);
    for _ in 0..4 {
        stand.wait(0.5);
    }
    stand.window.get_by_label_contains("Sparkle: 41.5 ms to draw");
    stand.window.get_by_label_contains("drawn in 3 steps");
}

#[test]
fn a_long_press_on_a_tile_flashes_it_until_the_release() {
    let mut stand = Stand::new();
    let tile = stand.middle("Scene Sparkle");
    stand.press(tile);
    stand.wait(0.15);
    assert_eq!(stand.live(), [], "not yet");
    stand.wait(0.3);
    assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(5), true)]);
    assert_eq!(stand.window.get_by_label("Scene Sparkle").value().as_deref(), Some("flashed"));
    stand.wait(0.5);
    stand.window.drop_at(tile);
    stand.window.step();
    assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(5), false)], "and it does not toggle");
}

#[test]
fn a_window_that_loses_the_focus_lets_a_flash_go() {
    let mut stand = Stand::new();
    let tile = stand.middle("Scene Sparkle");
    stand.press(tile);
    stand.wait(0.5);
    assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(5), true)]);
    stand.window.event(egui::Event::WindowFocused(false));
    stand.window.step();
    assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(5), false)]);
}

#[test]
fn the_fader_of_a_tile_moves_from_where_it_stands() {
    let mut stand = Stand::new();
    let fader = stand.window.get_by_label("Opacity of Plasma").rect();
    stand.press(fader.center());
    assert_eq!(stand.live(), [], "touching it moves nothing");
    stand.window.hover_at(fader.center() - vec2(fader.width() / 4.0, 0.0));
    stand.window.step();
    let sent = stand.live();
    let Some(LiveCommand::Opacity(SceneId(1), level)) = sent.last() else { panic!("{sent:?}") };
    assert!((0.55..0.85).contains(&level.get()), "{level:?}");
    stand.window.hover_at(fader.center() - vec2(10.0 * fader.width(), 0.0));
    stand.window.step();
    assert_eq!(stand.live().last(), Some(&LiveCommand::Opacity(SceneId(1), Level::ZERO)));
}

#[test]
fn the_master_moves_by_drag_and_by_arrows() {
    let mut stand = Stand::new();
    let fader = stand.window.get_by_label("Master").rect();
    stand.press(fader.center());
    stand.window.hover_at(fader.center() - vec2(fader.width() / 2.0, 0.0));
    stand.window.step();
    let sent = stand.live();
    let Some(LiveCommand::Master(level)) = sent.last() else { panic!("{sent:?}") };
    assert!((level.get() - 0.5).abs() < 0.02, "{level:?}");
    stand.window.drop_at(fader.center());
    stand.window.step();
    stand.sent();
    stand.window.get_by_label("Master").focus();
    stand.window.step();
    stand.key(Modifiers::NONE, Key::ArrowRight);
    let sent = stand.live();
    let Some(LiveCommand::Master(level)) = sent.last() else { panic!("{sent:?}") };
    assert!((level.get() - 0.55).abs() < 0.02, "{level:?}");
}

#[test]
fn a_stray_click_does_not_black_out_but_a_held_press_does() {
    let mut stand = Stand::new();
    stand.click("Blackout");
    stand.wait(1.0);
    assert_eq!(stand.live(), []);
    let pad = stand.middle("Blackout");
    stand.press(pad);
    stand.wait(0.4);
    assert_eq!(stand.live(), [LiveCommand::Blackout(true)]);
    stand.window.drop_at(pad);
    stand.window.step();
    assert_eq!(stand.live(), [], "letting go does not open it again");
    stand.click("Blackout");
    assert_eq!(stand.live(), [LiveCommand::Blackout(false)]);
}

#[test]
fn a_tap_counts_from_the_press() {
    let mut stand = Stand::new();
    let pad = stand.middle("Tap the tempo");
    stand.press(pad);
    assert!(matches!(stand.live()[..], [LiveCommand::Tap(_)]));
    stand.window.drop_at(pad);
    stand.window.step();
    assert_eq!(stand.live(), [], "and only once");
}

#[test]
fn the_tempo_is_typed_halved_doubled_and_nudged() {
    let mut stand = Stand::new();
    stand.click("Tempo");
    stand.window.step();
    stand.window.event(egui::Event::Text("132.5".into()));
    stand.window.step();
    stand.key(Modifiers::NONE, Key::Enter);
    assert_eq!(stand.live(), [LiveCommand::Bpm(Bpm::new(132.5))]);
    stand.click("Half tempo");
    stand.click("Double tempo");
    stand.click("Nudge later");
    stand.click("Nudge earlier");
    let nudge = |beats| LiveCommand::Nudge(Beats(beats));
    assert_eq!(stand.live(), [LiveCommand::Half, LiveCommand::Double, nudge(-0.0625), nudge(0.0625)]);
}

#[test]
fn the_tempo_is_dragged() {
    let mut stand = Stand::new();
    let tempo = stand.middle("Tempo");
    stand.press(tempo);
    stand.window.hover_at(tempo + vec2(40.0, 0.0));
    stand.window.step();
    let sent = stand.live();
    assert!(matches!(sent.last(), Some(LiveCommand::Bpm(bpm)) if bpm.get() > 121.0), "{sent:?}");
}

#[test]
fn keys_play_unless_somebody_types() {
    let mut stand = Stand::new();
    stand.key(Modifiers::NONE, Key::B);
    stand.key(Modifiers::NONE, Key::T);
    stand.key(Modifiers::NONE, Key::Num2);
    stand.key(Modifiers::NONE, Key::Num9);
    let sent = stand.live();
    assert_eq!(sent[0], LiveCommand::Blackout(true));
    assert!(matches!(sent[1], LiveCommand::Tap(_)));
    assert_eq!(sent[2..], [LiveCommand::Toggle(SceneId(20))], "the ninth key has no tile in a line of eight");
    stand.click("Tempo");
    stand.window.step();
    for key in [Key::B, Key::T, Key::Num2] {
        stand.key(Modifiers::NONE, key);
    }
    assert_eq!(stand.live(), []);
}

#[test]
fn keys_size_the_controls_and_show_the_list_of_keys() {
    let mut stand = Stand::new();
    stand.key(Modifiers::COMMAND, Key::Plus);
    stand.window.step();
    assert!((stand.window.ctx.zoom_factor() - 1.1).abs() < 1e-6);
    stand.key(Modifiers::COMMAND, Key::Num0);
    stand.window.step();
    assert_eq!(stand.window.ctx.zoom_factor(), 1.0);
    stand.key(Modifiers::NONE, Key::Questionmark);
    stand.window.step();
    stand.window.get_by_label("Tiles of the quick line");
    stand.key(Modifiers::NONE, Key::Questionmark);
    stand.window.step();
    assert!(stand.window.query_by_label("Tiles of the quick line").is_none());
    assert_eq!(stand.live(), []);
}

#[test]
fn a_window_that_shows_the_same_asks_for_no_paint() {
    let mut stand = Stand::new();
    stand.click("Scene Comet");
    stand.sent();
    stand.window.remove_cursor();
    assert!(stand.window.try_run().is_ok(), "it goes on painting although nothing changes");
}

#[test]
fn undo_and_redo_are_keys_and_menu_items_that_say_what_they_undo() {
    let mut stand = Stand::new();
    let edit = Edit::Scene(SceneId(1), SceneField::Name("Molten".into()));
    let title = edit.title();
    assert!(stand.console.handles.commands.send(Command::Edit { edit, gesture: None }));
    stand.sent();
    stand.window.get_by_label("Scene Molten");
    stand.choose("Edit", &format!("Undo {title}"));
    assert!(matches!(stand.sent()[..], [Command::Undo]));
    stand.window.get_by_label("Scene Plasma");
    stand.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert!(matches!(stand.sent()[..], [Command::Redo]));
    stand.key(Modifiers::COMMAND, Key::Z);
    assert!(matches!(stand.sent()[..], [Command::Undo]));
}

#[test]
fn save_asks_where_only_once() {
    let mut stand = Stand::new();
    stand.key(Modifiers::COMMAND, Key::S);
    let asked = stand.asked.recv_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(asked, Question::SaveAs("Rings-at-the-pier.ron".into()));
    stand.chosen.send(Some("/tmp/rings.ron".into())).unwrap();
    let path = PathBuf::from("/tmp/rings.ron");
    let saved = (0..2000).find_map(|_| {
        std::thread::yield_now();
        stand.sent().into_iter().find(|command| matches!(command, Command::Save(_)))
    });
    assert!(matches!(saved, Some(Command::Save(to)) if to == path));
    stand.key(Modifiers::COMMAND, Key::S);
    assert!(matches!(&stand.sent()[..], [Command::Save(to)] if *to == path), "now it knows where");
}

#[test]
fn open_asks_first_when_edits_would_be_lost() {
    let mut stand = Stand::new();
    let edit = Edit::Scene(SceneId(1), SceneField::Name("Molten".into()));
    assert!(stand.console.handles.commands.send(Command::Edit { edit, gesture: None }));
    stand.sent();
    stand.key(Modifiers::COMMAND, Key::O);
    assert!(stand.asked.try_recv().is_err());
    stand.click("Open anyway");
    assert_eq!(stand.asked.recv_timeout(Duration::from_secs(10)), Ok(Question::Open));
    stand.chosen.send(Some("/tmp/other.ron".into())).unwrap();
    let request = (0..2000).find_map(|_| {
        stand.sent();
        stand.console.files.try_recv().ok()
    });
    assert!(matches!(request, Some(FileRequest::Open(path)) if path.as_os_str() == "/tmp/other.ron"));
}

#[test]
fn a_save_that_was_called_off_ends_nothing_later() {
    let mut stand = Stand::new();
    let edit = Edit::Scene(SceneId(1), SceneField::Name("Molten".into()));
    assert!(stand.console.handles.commands.send(Command::Edit { edit, gesture: None }));
    stand.sent();
    stand.key(Modifiers::COMMAND, Key::N);
    stand.click("Save, then begin");
    stand.asked.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(is_told_of_no_dialog(&mut stand));
    stand.key(Modifiers::COMMAND, Key::S);
    stand.asked.recv_timeout(Duration::from_secs(10)).unwrap();
    stand.chosen.send(Some("/tmp/rings.ron".into())).unwrap();
    let mut sent = Vec::new();
    let _ = (0..2000).find(|_| {
        sent.extend(stand.sent());
        !sent.is_empty()
    });
    (0..5).for_each(|_| sent.extend(stand.sent()));
    assert!(matches!(sent[..], [Command::Save(_)]), "{sent:?}");
}

/// Answers a question as a desktop without dialogs does; whether that is said.
fn is_told_of_no_dialog(stand: &mut Stand) -> bool {
    stand.chosen.send(None).unwrap();
    (0..2000).any(|_| {
        stand.sent();
        stand.window.query_all_by_label_contains("This desktop has no file dialog").next().is_some()
    })
}

#[test]
fn a_desktop_without_file_dialogs_is_told() {
    let mut stand = Stand::new();
    stand.key(Modifiers::COMMAND, Key::O);
    stand.asked.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(is_told_of_no_dialog(&mut stand));
}

#[test]
fn errors_stay_until_they_are_clicked() {
    let mut stand = Stand::new();
    stand.console.notices.send(Notice::error("output", "Node 7 is gone; its universes go on being sent.")).unwrap();
    stand.sent();
    let label = "Dismiss: Node 7 is gone; its universes go on being sent.";
    stand.window.run_steps(2);
    stand.click(label);
    stand.window.step();
    assert!(stand.window.query_by_label(label).is_none());
}

#[test]
fn the_stage_is_watched_only_while_it_is_shown() {
    let mut stand = Stand::new();
    assert!(stand.console.watched());
    for (item, shown) in [("Hide Stage", false), ("Show Stage", true)] {
        stand.choose("View", item);
        (0..3).for_each(|_| drop(stand.sent()));
        assert_eq!(stand.console.watched(), shown);
        assert_eq!(stand.window.query_by_label("Stage").is_some(), shown);
    }
}

#[test]
fn every_control_is_reached_in_a_small_window() {
    for (width, height) in [(960.0, 540.0), (1024.0, 576.0), (1280.0, 720.0), (1920.0, 1080.0)] {
        let stand = Stand::sized(width, height);
        let screen = egui::Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let labels = ["Tempo", "Tap the tempo", "Nudge earlier", "Master", "Blackout", "Scene Wash warm", "Stage"];
        let rects = labels.map(|label| stand.window.get_by_label(label).rect());
        for (label, rect) in labels.iter().zip(rects) {
            assert!(screen.contains_rect(rect), "{label} at {width} x {height}: {rect:?}");
        }
        for (index, rect) in rects.iter().enumerate() {
            assert!(rects[..index].iter().all(|other| !other.shrink(1.0).intersects(rect.shrink(1.0))), "{width}");
        }
        assert!(rects[4].height() >= 44.0 && rects[1].height() >= 44.0, "a finger hits them");
    }
}

#[test]
fn half_of_a_small_screen_still_has_what_is_played_with_every_bar() {
    // 1280 x 720 at 200 %.
    let stand = Stand::sized(640.0, 360.0);
    let screen = egui::Rect::from_min_size(Pos2::ZERO, vec2(640.0, 360.0));
    let labels = ["Menu", "Tempo", "Beat", "Tap the tempo", "Master", "Blackout"];
    let rects = labels.map(|label| stand.window.get_by_label(label).rect());
    for (index, rect) in rects.iter().enumerate() {
        assert!(screen.contains_rect(*rect), "{}: {rect:?}", labels[index]);
        let over = rects[..index].iter().position(|other| other.shrink(1.0).intersects(rect.shrink(1.0)));
        assert_eq!(over.map(|other| labels[other]), None, "{}", labels[index]);
    }
}

#[test]
fn the_bar_says_where_the_tempo_comes_from() {
    let mut stand = Stand::new();
    stand.window.get_by_label("Source of the tempo: Internal");
    for _ in 0..2 {
        stand.key(Modifiers::NONE, Key::T);
        stand.sent();
    }
    (0..3).for_each(|_| drop(stand.sent()));
    stand.window.get_by_label("Source of the tempo: Tapped");
    assert!(stand.console.handles.commands.send(LiveCommand::Bpm(Bpm::new(128.0))));
    (0..3).for_each(|_| drop(stand.sent()));
    stand.window.get_by_label("Source of the tempo: Internal");
}

#[test]
fn the_lights_of_the_beat_run_on_for_a_minute_after_the_last_touch() {
    let mut stand = Stand::new();
    let ids: Vec<SceneId> = stand.console.show.project.scenes.iter().map(|scene| scene.id).collect();
    ids.iter().for_each(|id| assert!(stand.console.handles.commands.send(LiveCommand::Activate(*id, false))));
    (0..200).for_each(|_| drop(stand.sent()));
    stand.window.remove_cursor();
    stand.wait(1.0);
    let next = |stand: &Stand| stand.window.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    stand.wait(50.0);
    assert!(next(&stand) < Duration::from_secs(1), "the next beat is painted: {:?}", next(&stand));
    stand.wait(12.0);
    assert!(next(&stand) > Duration::from_secs(1), "nothing moves any more: {:?}", next(&stand));
}
