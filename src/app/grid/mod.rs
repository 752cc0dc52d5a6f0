//! The grid of tiles and the quick line: played by touch and by keys, and arranged by drag.
//!
//! Runs on the ui thread; reads the snapshot and returns wishes. A short press toggles, a long one flashes for as long
//! as it lasts, one that leaves its tile drags it. Deliberately absent: what the snapshot holds.

mod cells;
mod drag;
mod places;
pub mod press;
pub mod size;
mod tile_menu;

use super::action::Action;
use super::gallery::{Headers, Search};
use super::logic::Focus;
use super::pictures::Pictures;
use super::shortcuts::deeds::{Deed, QUICK};
use super::shortcuts::keymap::Keymap;
use super::shortcuts::shortcut::Shortcut;
use super::theme;
use super::tile::{Layers, Tile, tile_ui};
use crate::model::id::SceneId;
use crate::model::palette::Palette;
use crate::model::project::Project;
use crate::model::scene::{Cell, Scene, ScenePalette};
use crate::show::command::LiveCommand;
use crate::show::snapshot::Snapshot;
use crate::show::thumbnail::ThumbnailKey;
use egui::{Event, Key, Pos2, Rect, ScrollArea, Sense, Shape, TouchPhase, Ui, Vec2, vec2};
use places::Places;
pub use places::TileSize;
use press::Hold;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// Between two looks at the picture of a scene that the pointer is over.
const LOOKED_AT: Duration = Duration::from_millis(250);

/// What the grid keeps between frames.
#[derive(Default)]
pub struct View {
    hold: Hold,
    /// The scene that a key flashes.
    keyed: Option<(SceneId, Key)>,
    /// The cell whose scene was deleted by a key, which keeps the keyboard.
    vacated: Option<Cell>,
    /// A scene that was copied.
    copied: Option<Arc<Scene>>,
    /// What is looked for in the gallery of an empty cell.
    search: Search,
}

/// What the grid is drawn from.
pub struct Means<'a> {
    /// The show.
    pub snapshot: &'a Snapshot,
    /// How large tiles are.
    pub size: TileSize,
    /// What is worked at.
    pub focus: Focus,
    /// Thumbnails.
    pub pictures: &'a mut Pictures,
    /// What shaders declare.
    pub headers: &'a mut Headers,
    /// Which keys do what.
    pub keys: &'a Keymap,
    /// Whether tiles are played and nothing else, by fingers.
    pub playing_only: bool,
}

/// The palette that a scene's light has.
pub(super) fn palette_of<'a>(project: &'a Project, scene: &Scene, neutral: &'a Palette) -> &'a Palette {
    let id = match scene.palette {
        ScenePalette::Inherit => project.settings.palette,
        ScenePalette::None => None,
        ScenePalette::Own(id) => Some(id),
    };
    id.and_then(|id| project.palettes.get(id)).map_or(neutral, |palette| palette)
}

/// The keys of the quick line's tiles, in words. A scene's own key goes before the number of a tile, which then does not
/// say it.
fn quick_keys(project: &Project, keys: &Keymap) -> HashMap<Cell, String> {
    let own = |scene: &Arc<Scene>| scene.key.as_deref().and_then(Key::from_name).map(Shortcut::plain);
    let taken: HashSet<Shortcut> = project.scenes.iter().filter_map(own).collect();
    let key = |place| keys.of(Deed::Quick(place)).into_iter().find(|key| !taken.contains(key));
    let cells = project.grid.quick_cells().zip(1..=QUICK);
    cells.filter_map(|(cell, place)| Some((cell, key(place)?.to_string()))).collect()
}

/// Shows the grid, returns what was asked for.
pub fn grid_ui(ui: &mut Ui, mut means: Means<'_>, view: &mut View) -> Vec<Action> {
    let room = ui.available_rect_before_wrap();
    let places = Places::fit(means.snapshot.project.grid, room, means.size);
    let mut wishes = Vec::new();
    if room.expand(1.0).contains_rect(places.bounds()) {
        tiles_ui(ui, &mut means, places, view, &mut wishes);
    } else {
        // Beside the bar there is less room for the columns.
        let beside = Rect::from_min_max(room.min, room.max - vec2(ui.spacing().scroll.allocated_width(), 0.0));
        let places = Places::fit(means.snapshot.project.grid, beside, means.size);
        ScrollArea::both().auto_shrink(false).show_viewport(ui, |ui, _| {
            let origin = ui.min_rect().min + Vec2::splat(theme::STEP);
            let places = Places { origin, ..places };
            ui.allocate_rect(places.bounds(), Sense::hover());
            tiles_ui(ui, &mut means, places, view, &mut wishes);
        });
    }
    let played = wishes.iter().rev().find_map(played);
    if played.is_some() && played != means.focus.scene {
        wishes.push(Action::Focus(Focus { scene: played, effect: None }));
    }
    wishes
}

/// The scene that a wish plays.
fn played(wish: &Action) -> Option<SceneId> {
    use crate::show::command::Command;
    match wish {
        Action::Send(Command::Live(
            LiveCommand::Toggle(id) | LiveCommand::Flash(id, _) | LiveCommand::FlashFromBar(id),
        )) => Some(*id),
        _ => None,
    }
}

/// What all tiles of a frame have in common.
struct Sheet<'a> {
    filled: HashMap<Cell, &'a Arc<Scene>>,
    quick: HashMap<Cell, String>,
    neutral: Palette,
    now: f64,
    finger: Option<Pos2>,
    dragged: Option<SceneId>,
}

fn tiles_ui(ui: &mut Ui, means: &mut Means<'_>, places: Places, view: &mut View, wishes: &mut Vec<Action>) {
    let project = &means.snapshot.project;
    let sheet = Sheet {
        filled: project.scenes.iter().map(|scene| (scene.cell, scene)).collect(),
        quick: quick_keys(project, means.keys),
        neutral: Palette::neutral(),
        now: ui.input(|input| input.time),
        finger: ui.input(|input| input.pointer.interact_pos()),
        dragged: view.hold.dragged().filter(|_| !means.playing_only),
    };
    let whole = ui.clip_rect();
    let places = places.seen(whole);
    ui.set_clip_rect(places.beside_quick(whole));
    let (quick, others): (Vec<Cell>, Vec<Cell>) = places::cells(project.grid).partition(|cell| places.is_quick(*cell));
    let over = some_ui(ui, &others, (means, places, &sheet), view, wishes);
    ui.set_clip_rect(whole);
    if let Some(band) = places.quick() {
        ui.painter().rect_filled(band, egui::CornerRadius::same(10), theme::GOLD_GROUND);
    }
    let over = some_ui(ui, &quick, (means, places, &sheet), view, wishes).or(over);
    follow(ui, means, places, view, (sheet.now, sheet.finger, over), wishes);
    cells::let_go(ui, view, wishes);
}

/// Tiles of which none lies over another; the one that the finger is over.
fn some_ui(
    ui: &mut Ui,
    cells: &[Cell],
    (means, places, sheet): (&mut Means<'_>, Places, &Sheet<'_>),
    view: &mut View,
    wishes: &mut Vec<Action>,
) -> Option<SceneId> {
    let snapshot = means.snapshot;
    let project = &snapshot.project;
    let finger = sheet.finger.filter(|finger| ui.clip_rect().contains(*finger));
    let mut over = None;
    let under = [ui.painter().add(Shape::Noop), ui.painter().add(Shape::Noop)];
    let mut layers = Layers::default();
    for &cell in cells {
        let rect = places.cell(cell);
        if !ui.is_rect_visible(rect) {
            continue;
        }
        let shown = sheet.filled.get(&cell).and_then(|scene| Some((*scene, snapshot.scene(scene.id)?)));
        let Some((scene, state)) = shown else {
            if means.playing_only {
                ui.painter().rect_filled(rect, theme::RADIUS, theme::mixed(theme::HOLLOW, theme::GROUND, 0.3));
            } else {
                cells::empty_ui(ui, rect, cell, means, view, wishes);
            }
            continue;
        };
        let palette = palette_of(project, scene, &sheet.neutral);
        let (number, picture) = (sheet.quick.get(&cell).cloned(), means.pictures.show(ThumbnailKey::Scene(scene.id)));
        let (cost, lifted) = (snapshot.cost(scene.id), sheet.dragged == Some(scene.id));
        let finger_sized = means.playing_only;
        let tile = Tile { scene, view: state, palette, number, picture, cost, lifted, finger_sized };
        let touched = tile_ui(ui, rect, &tile, &mut layers);
        if touched.body.hovered() {
            // What does not sound stands still, but for the one that is looked at.
            ui.ctx().request_repaint_after(LOOKED_AT);
        }
        if let Some(opacity) = touched.opacity {
            wishes.push(LiveCommand::Opacity(scene.id, opacity).into());
        }
        if finger.is_some_and(|finger| touched.body.rect.contains(finger)) {
            over = Some(scene.id);
        }
        if super::widgets::pressed_now(ui, &touched.body) {
            view.hold.press(scene.id, finger.unwrap_or(rect.center()), sheet.now);
        } else if touched.body.clicked() && !view.hold.is_down() {
            wishes.push(LiveCommand::Toggle(scene.id).into());
        }
        if !means.playing_only {
            cells::keys(ui, &touched.body, (cell, Some(scene)), means, view, wishes);
            tile_menu::tile_menu_ui(&touched.body, scene, project, view, wishes);
        }
    }
    layers.draw(ui.painter(), under);
    over
}

/// What becomes of a press: at what time it is where, and over which tile.
fn follow(
    ui: &Ui,
    means: &mut Means<'_>,
    places: Places,
    view: &mut View,
    (now, finger, over): (f64, Option<Pos2>, Option<SceneId>),
    wishes: &mut Vec<Action>,
) {
    // A finger that the system took away, too, asks for nothing.
    let gone =
        |event: &Event| matches!(event, Event::WindowFocused(false) | Event::Touch { phase: TouchPhase::Cancel, .. });
    let escape = view.hold.dragged().is_some() && ui.input(|input| input.key_pressed(Key::Escape));
    if escape || ui.input(|input| input.events.iter().any(gone)) {
        wishes.extend(view.hold.release(None).map(Action::from));
        return;
    }
    let own = view.hold.scene().and_then(|id| means.snapshot.project.scene(id)).map(|scene| places.cell(scene.cell));
    let within = |finger: Pos2| (finger, own.is_none_or(|own: Rect| own.contains(finger)));
    let down = ui.input(|input| input.pointer.primary_down());
    if down {
        let played = view.hold.keep(now, finger.map(within), ui.input(|input| input.modifiers.shift));
        wishes.extend(played.map(Action::from));
        if let Some(left) = view.hold.left(now) {
            ui.ctx().request_repaint_after(left);
        }
    }
    if let Some((scene, finger)) = view.hold.dragged().zip(finger).filter(|_| !means.playing_only) {
        wishes.extend(drag::drag_ui(ui, means, places, (scene, finger), !down));
    }
    if !down {
        wishes.extend(view.hold.release(over).map(Action::from));
    }
}
