//! Keys are given to commands as the operator wants, and what is shown of them is what works.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/stand.rs"]
mod stand;
mod support;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::settings::Settings;
use glowdeck::app::shortcuts::keymap::Keymap;
use glowdeck::app::workspace::Panel;
use glowdeck::model::edit::{Edit, SceneField};
use glowdeck::model::id::SceneId;
use glowdeck::notice::Severity;
use glowdeck::show::command::{Command, LiveCommand};
use stand::{Stand, send, settle};

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;

/// A window with the panel of inputs, tall enough that nothing of it is scrolled away.
fn stand() -> Stand {
    with_keys("{}")
}

/// The same where the settings say this of keys.
fn with_keys(keys: &str) -> Stand {
    let mut settings = Settings { keys: ron::from_str::<Keymap>(keys).unwrap(), ..Settings::default() };
    settings.workspace.open(Panel::Inputs);
    Stand::shaped(1440.0, 2600.0, |window, ctx| window.restored(ctx, settings, None))
}

/// Gives a command a key in the panel.
fn press_for(stand: &mut Stand, label: &str, modifiers: Modifiers, key: Key) {
    stand.click(label);
    stand.window.get_by_label(label);
    stand.key(modifiers, key);
    stand.window.run_steps(2);
}

fn sees(stand: &Stand, label: &str) -> bool {
    stand.window.query_all_by_label(label).next().is_some()
}

#[test]
fn a_key_that_is_given_works_at_once_and_the_old_one_does_not() {
    let mut stand = stand();
    press_for(&mut stand, "T: Tap the tempo", NONE, Key::J);
    assert!(sees(&stand, "J: Tap the tempo"));
    assert_eq!(stand.live(), [], "the press that gives a key does nothing else");
    stand.key(NONE, Key::T);
    assert_eq!(stand.live(), []);
    stand.key(NONE, Key::J);
    assert!(matches!(stand.live()[..], [LiveCommand::Tap(_)]));
}

#[test]
fn menus_search_and_key_sheet_show_what_was_given() {
    let mut stand = stand();
    press_for(&mut stand, "Ctrl S: Save", NONE, Key::F6);
    stand.click("Project");
    stand.window.step();
    assert!(sees(&stand, "Save F6"), "the menu");
    stand.key(NONE, Key::Escape);
    stand.window.run_steps(2);
    stand.key(CTRL, Key::K);
    stand.window.run_steps(2);
    assert!(sees(&stand, "Save"));
    stand.key(NONE, Key::Escape);
    stand.window.run_steps(2);
    stand.key(NONE, Key::Questionmark);
    stand.window.run_steps(2);
    assert!(sees(&stand, "F6") && !sees(&stand, "Ctrl S"), "the key sheet");
}

#[test]
fn escape_leaves_a_key_and_backspace_clears_it() {
    let mut stand = stand();
    press_for(&mut stand, "B: Blackout", NONE, Key::Escape);
    assert!(sees(&stand, "B: Blackout"));
    press_for(&mut stand, "B: Blackout", NONE, Key::Backspace);
    assert!(sees(&stand, "Give a key to Blackout"));
    stand.key(NONE, Key::B);
    assert_eq!(stand.live(), []);
    stand.click("Blackout as it came");
    stand.window.step();
    stand.key(NONE, Key::B);
    assert_eq!(stand.live(), [LiveCommand::Blackout(true)]);
}

#[test]
fn a_key_that_somebody_has_is_asked_about_and_given_or_left() {
    let mut stand = stand();
    press_for(&mut stand, "B: Blackout", CTRL, Key::S);
    assert!(sees(&stand, "Ctrl S is Save; it would have no key then."));
    stand.click("Leave Ctrl S where it is");
    stand.window.step();
    assert!(sees(&stand, "Ctrl S: Save") && sees(&stand, "B: Blackout"));
    press_for(&mut stand, "B: Blackout", CTRL, Key::Y);
    assert!(sees(&stand, "Ctrl Y is Redo; it would keep Ctrl Shift Z."));
    stand.click("Give Ctrl Y to Blackout");
    stand.window.step();
    assert!(sees(&stand, "Ctrl Y: Blackout") && !sees(&stand, "Ctrl Y: Redo") && sees(&stand, "Ctrl Shift Z: Redo"));
    stand.key(CTRL, Key::Y);
    assert_eq!(stand.live(), [LiveCommand::Blackout(true)]);
    stand.click("All keys as they came");
    stand.window.step();
    assert!(sees(&stand, "Ctrl Y: Redo") && sees(&stand, "B: Blackout"));
    assert!(!sees(&stand, "All keys as they came"));
}

#[test]
fn what_a_command_came_with_is_asked_about_where_others_have_it_now() {
    let mut stand = with_keys(r#"{"save":[],"blackout":["Ctrl S"]}"#);
    stand.click("Save as it came");
    stand.window.step();
    assert!(sees(&stand, "Ctrl S is Blackout; it would have no key then."));
    stand.key(NONE, Key::Escape);
    stand.window.step();
    assert!(sees(&stand, "Ctrl S: Blackout") && sees(&stand, "Give a key to Save"));
    stand.click("Save as it came");
    stand.click("Give what it came with to Save");
    stand.window.step();
    assert!(sees(&stand, "Ctrl S: Save") && sees(&stand, "Give a key to Blackout"));
}

#[test]
fn the_key_of_a_scene_is_asked_about_too() {
    let mut stand = stand();
    let edit = Edit::Scene(SceneId(3), SceneField::Key(Some("Q".into())));
    send(&mut stand, Command::Edit { edit, gesture: None });
    press_for(&mut stand, "Give a key to Half tempo", NONE, Key::Q);
    assert!(sees(&stand, "Q plays the scene Comet; it would not any more."));
    stand.click("Give Q to Half tempo");
    stand.window.step();
    stand.key(NONE, Key::Q);
    assert_eq!(stand.live(), [LiveCommand::Half]);
    settle(&mut stand);
    stand.click("Keys of scenes");
    stand.click("Edit Comet, key Q");
    stand.window.run_steps(2);
    assert!(sees(&stand, "Scene name"), "the inspector is there");
}

#[test]
fn keys_with_a_meaning_of_their_own_are_not_given_away() {
    let mut stand = stand();
    for (modifiers, key, words) in [
        (NONE, Key::Enter, "Enter is how the keyboard goes through the window; it cannot be given away."),
        (CTRL, Key::D, "Ctrl D duplicates tiles and effects, or mutes them; it cannot be given away."),
    ] {
        press_for(&mut stand, "T: Tap the tempo", modifiers, key);
        assert!(sees(&stand, words), "{words}");
        assert!(sees(&stand, "T: Tap the tempo"));
    }
    press_for(&mut stand, "T: Tap the tempo", NONE, Key::ShiftLeft);
    stand.key(Modifiers::SHIFT, Key::J);
    stand.window.run_steps(2);
    assert!(sees(&stand, "Shift J: Tap the tempo"), "Shift alone is not taken for a key");
}

#[test]
fn a_command_can_have_several_keys_and_any_of_them_works() {
    let mut stand = stand();
    press_for(&mut stand, "Give another key to Tap the tempo", NONE, Key::J);
    for key in [Key::T, Key::J] {
        stand.key(NONE, key);
        assert!(matches!(stand.live()[..], [LiveCommand::Tap(_)]), "{key:?}");
    }
    press_for(&mut stand, "Give another key to Tap the tempo", CTRL, Key::J);
    assert!(!sees(&stand, "Give another key to Tap the tempo"), "three are enough");
}

#[test]
fn commands_are_found_by_name_and_by_key() {
    let mut stand = stand();
    stand.click("Search keys");
    stand.window.step();
    stand.window.event(egui::Event::Text("ctrl shift".into()));
    stand.window.run_steps(2);
    assert!(sees(&stand, "Ctrl Shift S: Save as") && !sees(&stand, "T: Tap the tempo"));
    assert_eq!(stand.live(), [], "typing taps nothing");
}

#[test]
fn the_panel_works_by_keyboard_alone() {
    let mut stand = stand();
    stand.window.get_by_label("T: Tap the tempo").focus();
    stand.window.step();
    stand.key(NONE, Key::Enter);
    stand.window.step();
    stand.key(NONE, Key::J);
    stand.window.run_steps(2);
    assert!(sees(&stand, "J: Tap the tempo"));
    assert_eq!(stand.live(), []);
}

#[test]
fn a_panel_that_is_gone_catches_no_key() {
    let mut stand = stand();
    stand.click("T: Tap the tempo");
    stand.click("Close Inputs");
    stand.window.run_steps(2);
    stand.key(NONE, Key::B);
    assert_eq!(stand.live(), [LiveCommand::Blackout(true)]);
}

#[test]
fn tiles_flash_by_the_key_that_was_given_and_show_the_key_they_have() {
    let mut stand = stand();
    press_for(&mut stand, "F: Flash the tile", NONE, Key::G);
    stand.window.get_by_label("Scene Comet").focus();
    stand.window.step();
    stand.sent();
    stand.window.key_down(Key::F);
    stand.window.step();
    stand.window.key_up(Key::F);
    stand.window.step();
    assert_eq!(stand.live(), []);
    stand.window.key_down(Key::G);
    stand.window.step();
    assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(3), true)]);
    stand.window.key_up(Key::G);
    stand.window.step();
    assert_eq!(stand.live(), [LiveCommand::Flash(SceneId(3), false)]);
}

#[test]
fn a_tile_of_the_quick_line_is_played_by_another_key() {
    let mut stand = stand();
    press_for(&mut stand, "2: Tile 2 of the quick line", NONE, Key::W);
    stand.key(NONE, Key::Num2);
    assert_eq!(stand.live(), []);
    stand.key(NONE, Key::W);
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(20))]);
}

#[test]
fn typing_wins_over_keys_however_they_were_given() {
    let mut stand = with_keys(r#"{"save":["J"],"arrange":["Ctrl Z"],"undo":[]}"#);
    stand.click("Tempo");
    stand.window.step();
    stand.key(NONE, Key::J);
    stand.key(CTRL, Key::Z);
    assert!(stand.asked.try_recv().is_err() && sees(&stand, "Tempo"));
    assert!(sees(&stand, "J: Save"), "Perform is still there");
}

#[test]
fn settings_that_give_a_key_twice_or_to_nobody_are_told_and_the_rest_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.ron");
    let text = r#"(keys:{"save":["F6"],"open":["F6"],"fly":["F7"],"tap":["J"],"undo":["Ctrl Nonsense"]})"#;
    std::fs::write(&path, text).unwrap();
    let (settings, notice) = Settings::read(&path);
    let notice = notice.unwrap();
    assert_eq!(notice.severity, Severity::Warning);
    for said in ["there is no command `fly`", "Undo: `Ctrl Nonsense` is no key", "F6 is there twice"] {
        assert!(notice.text.contains(said), "{said} in {}", notice.text);
    }
    let written = ron::to_string(&settings.keys).unwrap();
    assert_eq!(written, r#"{"save":["F6"],"tap":["J"]}"#);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the file is as it was");
}

#[test]
fn settings_without_keys_are_read_and_write_none() {
    let old = ron::to_string(&Settings::default()).unwrap();
    assert!(!old.contains("keys"), "{old}");
    let settings: Settings = ron::from_str(&old).unwrap();
    assert!(settings.keys.is_usual());
}

#[test]
fn a_new_project_is_one_with_a_strip_and_a_palette_and_no_file() {
    let mut stand = stand();
    stand.key(CTRL, Key::N);
    let sent = stand.sent();
    let [Command::Load { project, path: None }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(project.scenes.iter().count(), 0);
    settle(&mut stand);
    assert!(!sees(&stand, "Scene Comet"));
    assert!(sees(&stand, "Click an empty cell to put a scene there."));
    stand.choose("Project", "New Ctrl N");
    assert!(matches!(stand.sent()[..], [Command::Load { .. }]), "nothing was edited, so nothing is asked");
}

#[test]
fn unsaved_edits_are_asked_about_before_a_new_project_while_the_grid_is_played() {
    let mut stand = stand();
    let edit = Edit::Scene(SceneId(1), SceneField::Name("Molten".into()));
    send(&mut stand, Command::Edit { edit, gesture: None });
    stand.key(CTRL, Key::N);
    stand.window.run_steps(2);
    assert!(stand.window.get_by_label("Stay here").is_focused(), "the safe answer has the keyboard");
    stand.click("Scene Comet");
    assert_eq!(stand.live(), [LiveCommand::Toggle(SceneId(3))], "the grid is played meanwhile");
    stand.key(NONE, Key::Escape);
    stand.window.run_steps(2);
    assert!(!sees(&stand, "Stay here"));
    stand.key(CTRL, Key::N);
    stand.window.run_steps(2);
    stand.key(NONE, Key::Enter);
    stand.window.run_steps(2);
    assert!(!sees(&stand, "Stay here"));
    assert!(stand.sent().is_empty(), "Enter stays");
    stand.key(CTRL, Key::N);
    stand.window.run_steps(2);
    stand.click("Begin anyway");
    assert!(matches!(stand.sent()[..], [Command::Load { path: None, .. }]));
}
