//! The window tells the show which thumbnails are on the screen, and shows those that come.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

mod support;

use egui::{Modifiers, MouseWheelSource, Rect, Shape, TextureId, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glowdeck::app::Window;
use glowdeck::app::files::Dialogs;
use glowdeck::model::id::SceneId;
use glowdeck::model::project::Project;
use glowdeck::model::scene::{Cell, Scene};
use glowdeck::show::command::Command;
use glowdeck::show::thumbnail::{HEIGHT, Thumbnail, ThumbnailKey, WIDTH};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::Console;

/// The window with a console behind it, in simulated time.
struct Stand {
    window: Harness<'static, Window>,
    console: Console,
    now: Instant,
}

impl Stand {
    fn new(project: Project) -> Self {
        let now = Instant::now();
        let console = Console::new(project, support::sculpture(), now);
        let handles = console.handles.clone();
        let window = Harness::builder()
            .with_size(vec2(1280.0, 720.0))
            .with_step_dt(0.05)
            .build_eframe(|cc| Window::new(cc, handles, Dialogs::default()));
        let mut stand = Self { window, console, now };
        stand.window.run_steps(2);
        stand.step();
        stand
    }

    /// What the show was told since the last time.
    fn step(&mut self) -> Vec<Command> {
        self.now += Duration::from_millis(50);
        let sent = self.console.step(self.now);
        self.window.step();
        sent
    }
}

#[test]
fn only_tiles_on_the_screen_have_their_thumbnails_drawn() {
    let mut project = support::demo();
    project.grid.rows = 30;
    let far = Scene::new(SceneId(90), Cell { column: 0, row: 25 }, "Far below");
    project.scenes.put(far);
    let mut stand = Stand::new(project);
    let watched = |stand: &Stand, id| stand.console.thumbnails.contains(&ThumbnailKey::Scene(SceneId(id)));
    assert!(watched(&stand, 1) && !watched(&stand, 90), "{:?}", stand.console.thumbnails);
    let tile = stand.window.get_by_label("Scene Plasma").rect();
    stand.window.hover_at(tile.center());
    for _ in 0..40 {
        let (unit, phase) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move);
        let delta = vec2(0.0, -100.0);
        stand.window.event(egui::Event::MouseWheel {
            unit,
            delta,
            phase,
            source: MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        });
        stand.step();
    }
    stand.step();
    assert!(!watched(&stand, 1) && watched(&stand, 90), "{:?}", stand.console.thumbnails);
    let root = egui::ViewportId::ROOT;
    stand.window.input_mut().viewports.entry(root).or_default().minimized = Some(true);
    stand.step();
    stand.step();
    assert!(stand.console.thumbnails.is_empty(), "nobody sees a window that is minimised");
    stand.window.input_mut().viewports.entry(root).or_default().minimized = Some(false);
    stand.step();
    stand.step();
    assert!(watched(&stand, 90));
}

#[test]
fn the_same_tiles_are_named_once_and_a_thumbnail_that_arrives_is_shown() {
    let mut stand = Stand::new(support::demo());
    let watches = |sent: &[Command]| sent.iter().filter(|sent| matches!(sent, Command::WatchThumbnails(_))).count();
    for _ in 0..10 {
        assert_eq!(watches(&stand.step()), 0);
    }
    let pictures = |stand: &Stand| {
        let has_picture = |shape: &Shape| matches!(shape, Shape::Mesh(mesh) if mesh.texture_id != TextureId::default());
        let shapes = stand.window.output().shapes.iter().flat_map(|clipped| match &clipped.shape {
            Shape::Vec(shapes) => shapes.as_slice(),
            shape => std::slice::from_ref(shape),
        });
        shapes.filter(|shape| has_picture(shape)).map(Shape::visual_bounding_rect).collect()
    };
    let before: Vec<Rect> = pictures(&stand);
    assert_eq!(before, []);
    let key = ThumbnailKey::Scene(SceneId(1));
    let pixels = [0, 255, 0, 255].repeat(WIDTH * HEIGHT).into();
    stand.console.pictures = Arc::new(vec![Thumbnail { key, pixels, lamps: None }]);
    stand.step();
    stand.step();
    let tile = stand.window.get_by_label("Scene Plasma").rect();
    let shown = pictures(&stand);
    assert!(shown.len() == 1 && shown[0].contains_rect(tile), "{shown:?} {tile:?}");
}
