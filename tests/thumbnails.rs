//! Thumbnails: they show a scene alone although it is off, cost nothing while nobody looks, and change no frame.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::model::effect::{Blend, Effect, ShaderRef};
use glowdeck::model::id::{EffectId, SceneId, ShaderId};
use glowdeck::model::project::{Project, Shader};
use glowdeck::model::scene::{Scene, SceneBlend};
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::show::Show;
use glowdeck::show::live::Moment;
use glowdeck::show::thumbnail::{HEIGHT, Thumbnail, ThumbnailKey, WIDTH};
use glowdeck::units::Level;
use small_rig::{add_scene, built_in, small_rig};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

const FRAME: f64 = 1.0 / 60.0;

/// A show and what draws it, in time that the test sets.
struct Stand {
    show: Show,
    renderer: Renderer,
    secs: f64,
    /// How often the clock was asked: twice for a thumbnail that is looked at and left as it is.
    asked: Cell<usize>,
}

impl Stand {
    fn new(project: Project) -> Self {
        let mut renderer = Renderer::new(None).unwrap();
        renderer.set_patch(Patched::compile(&project)).unwrap();
        let show = Show::new(project, None, Instant::now());
        let mut stand = Self { show, renderer, secs: 0.0, asked: Cell::new(0) };
        stand.follow();
        stand
    }

    fn follow(&mut self) -> Vec<String> {
        self.renderer.follow(&self.show.project, |_| false).into_iter().map(|notice| notice.text).collect()
    }

    fn watch(&mut self, keys: &[ThumbnailKey]) {
        if self.renderer.watch_thumbnails(keys) {
            self.follow();
        }
    }

    fn now(&self) -> Moment {
        Moment { secs: self.secs, beat: self.show.clock.beat_at(self.secs) }
    }

    /// Some frames with thumbnails after them; the bytes of each.
    fn frames(&mut self, count: usize) -> Vec<Vec<u8>> {
        let frames = (0..count).map(|_| {
            self.secs += FRAME;
            let now = self.now();
            self.renderer.draw(&self.show, now).unwrap();
            let mut bytes = vec![0; self.renderer.universes() * 512];
            self.renderer.read(now, &mut bytes);
            let clock = || {
                self.asked.set(self.asked.get() + 1);
                // Every step takes next to nothing.
                self.asked.get() as f64 * 1e-6
            };
            self.renderer.draw_thumbnails(&self.show, now, None, clock).unwrap();
            bytes
        });
        frames.collect()
    }

    fn thumbnail(&self, key: &ThumbnailKey) -> Option<Thumbnail> {
        self.renderer.thumbnails().iter().find(|thumbnail| thumbnail.key == *key).cloned()
    }
}

fn scene(id: u32) -> ThumbnailKey {
    ThumbnailKey::Scene(SceneId(id))
}

fn own(project: &mut Project, id: u32, body: &str) -> Effect {
    let source = format!("vec4 effect(Lamp lamp) {{ return {body}; }}\n");
    project.shaders.put(Shader { id: ShaderId(id), name: format!("own {id}"), source, file: None, library: None });
    Effect::new(EffectId(id), ShaderRef::Project(ShaderId(id)))
}

fn change(project: &mut Project, id: u32, change: impl FnOnce(&mut Scene)) {
    let mut scene = Scene::clone(project.scene(SceneId(id)).unwrap());
    change(&mut scene);
    project.scenes.put(scene);
}

fn pixel(thumbnail: &Thumbnail, column: usize, row: usize) -> [u8; 4] {
    let start = (row * WIDTH + column) * 4;
    thumbnail.pixels[start..start + 4].try_into().unwrap()
}

#[test]
fn a_red_scene_is_red_although_it_is_off_and_everything_is_down() {
    let mut project = small_rig();
    let red = own(&mut project, 1, "vec4(1.0, 0.0, 0.0, 1.0)");
    add_scene(&mut project, 1, vec![red]);
    change(&mut project, 1, |scene| (scene.active, scene.opacity, scene.dimmer) = (false, Level::ZERO, Level::ZERO));
    let mut stand = Stand::new(project);
    stand.show.live.master = Level::ZERO;
    stand.show.live.set_blackout(true, 0.0);
    stand.watch(&[scene(1)]);
    let frames = stand.frames(5);
    assert!(frames.concat().iter().all(|byte| *byte == 0));
    let thumbnail = stand.thumbnail(&scene(1)).unwrap();
    assert_eq!(thumbnail.pixels.len(), 96 * 54 * 4);
    assert!(thumbnail.pixels.chunks(4).all(|pixel| pixel == [255, 0, 0, 255]));
}

#[test]
fn the_top_row_comes_first_and_chains_run_along_rows() {
    let mut project = small_rig();
    let place = own(&mut project, 1, "vec4(lamp.uv, 0.0, 1.0)");
    let chain = own(&mut project, 2, "vec4(float(lamp.chain_index) / float(lamp.chain_count - 1))");
    let bright = own(&mut project, 3, "vec4(4.0, 0.5, 0.0, 1.0)");
    for (id, effect) in (1..).zip([place, chain, bright]) {
        add_scene(&mut project, id, vec![effect]);
    }
    let mut stand = Stand::new(project);
    stand.watch(&[scene(1), scene(2), scene(3)]);
    stand.frames(5);
    let place = stand.thumbnail(&scene(1)).unwrap();
    assert_eq!(pixel(&place, 0, 0), [0, 255, 0, 255], "top left");
    assert_eq!(pixel(&place, WIDTH - 1, HEIGHT - 1), [255, 0, 0, 255], "bottom right");
    let chain = stand.thumbnail(&scene(2)).unwrap();
    for row in [0, 20, HEIGHT - 1] {
        assert_eq!((pixel(&chain, 0, row)[0], pixel(&chain, WIDTH - 1, row)[0]), (0, 255));
    }
    assert_eq!(pixel(&stand.thumbnail(&scene(3)).unwrap(), 5, 5), [255, 188, 0, 255], "clamped, sRGB");
}

#[test]
fn nothing_is_done_while_nothing_is_watched() {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "plasma")]);
    let mut stand = Stand::new(project);
    stand.frames(20);
    assert_eq!((stand.asked.get(), stand.renderer.thumbnails().len()), (0, 0));
    stand.watch(&[scene(1)]);
    stand.frames(20);
    assert_eq!(stand.renderer.thumbnails().len(), 1);
    stand.watch(&[]);
    let asked = stand.asked.get();
    stand.frames(20);
    assert_eq!((stand.asked.get(), stand.renderer.thumbnails().len()), (asked, 0));
}

#[test]
fn a_still_scene_is_drawn_once_and_a_moving_one_goes_on() {
    let mut project = small_rig();
    add_scene(&mut project, 1, vec![built_in(1, "solid")]);
    add_scene(&mut project, 2, vec![built_in(2, "plasma")]);
    let mut stand = Stand::new(project);
    stand.watch(&[scene(1)]);
    stand.frames(10);
    let (before, asked) = (Arc::clone(stand.renderer.thumbnails()), stand.asked.get());
    stand.frames(60);
    assert!(Arc::ptr_eq(&before, stand.renderer.thumbnails()));
    let looks = stand.asked.get() - asked - 60;
    assert!(looks <= 16, "looked {looks} times in a second, drew none");
    stand.watch(&[scene(1), scene(2)]);
    stand.frames(10);
    let (still, moving) = (stand.thumbnail(&scene(1)).unwrap(), stand.thumbnail(&scene(2)).unwrap());
    stand.frames(10);
    assert!(Arc::ptr_eq(&still.pixels, &stand.thumbnail(&scene(1)).unwrap().pixels));
    assert_ne!(moving.pixels, stand.thumbnail(&scene(2)).unwrap().pixels);
}

#[test]
fn frames_are_the_same_with_and_without_thumbnails() {
    let mut project = small_rig();
    for (id, (name, blend)) in
        (1..).zip([("plasma", SceneBlend::Add), ("rainbow", SceneBlend::Over), ("chase", SceneBlend::Max)])
    {
        let below = Effect { blend: Blend::Max, ..built_in(10 + id, "gradient") };
        add_scene(&mut project, id, vec![built_in(id, name), below]);
        change(&mut project, id, |scene| (scene.blend, scene.opacity) = (blend, Level::new(0.6)));
    }
    add_scene(&mut project, 4, vec![built_in(9, "sparkle")]);
    change(&mut project, 4, |scene| scene.active = false);
    let mut plain = Stand::new(project.clone());
    let mut watched = Stand::new(project);
    watched.watch(&[scene(1), scene(2), scene(3), scene(4), ThumbnailKey::Effect(ShaderRef::BuiltIn("fire".into()))]);
    let (without, with) = (plain.frames(40), watched.frames(40));
    assert!(with == without);
    assert!(with.concat().iter().any(|byte| *byte != 0));
    assert_eq!(watched.renderer.thumbnails().len(), 5);
}

#[test]
fn a_scene_that_breaks_keeps_its_last_picture_and_one_without_effects_has_none() {
    let mut project = small_rig();
    let green = own(&mut project, 1, "vec4(0.0, 1.0, 0.0, 1.0)");
    add_scene(&mut project, 1, vec![green]);
    let mut stand = Stand::new(project);
    stand.watch(&[scene(1)]);
    stand.frames(5);
    let before = stand.thumbnail(&scene(1)).unwrap();
    own(&mut stand.show.project, 1, "vec4(0.0, nonsense, 0.0, 1.0)");
    assert_eq!(stand.follow().len(), 1);
    stand.frames(30);
    assert!(Arc::ptr_eq(&before.pixels, &stand.thumbnail(&scene(1)).unwrap().pixels));
    own(&mut stand.show.project, 1, "vec4(0.0, 0.0, 1.0, 1.0)");
    stand.follow();
    stand.frames(30);
    assert_eq!(pixel(&stand.thumbnail(&scene(1)).unwrap(), 3, 3), [0, 0, 255, 255], "mended");
    change(&mut stand.show.project, 1, |scene| scene.effects[0].muted = true);
    stand.follow();
    stand.frames(30);
    assert!(stand.thumbnail(&scene(1)).is_none());
}

#[test]
fn an_effect_that_no_scene_uses_is_compiled_elsewhere_and_then_shown() {
    let mut stand = Stand::new(small_rig());
    stand.renderer.compile_elsewhere().unwrap();
    let keys = ["plasma", "solid"].map(|name| ThumbnailKey::Effect(ShaderRef::BuiltIn(name.into())));
    stand.watch(&keys);
    stand.frames(5);
    let early = stand.renderer.thumbnails().len();
    assert_eq!(early, 0, "the render thread compiles nothing");
    let deadline = Instant::now() + Duration::from_secs(60);
    while stand.renderer.thumbnails().len() < 2 {
        assert!(Instant::now() < deadline);
        assert!(stand.renderer.take_compiled(&stand.show.project).is_empty());
        stand.frames(1);
        std::thread::yield_now();
    }
    let solid = stand.thumbnail(&keys[1]).unwrap();
    assert_eq!(pixel(&solid, 40, 20), [255, 160, 40, 255], "the project's primary colour");
}
