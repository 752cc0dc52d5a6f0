//! Previews on the real layout: the lamps of a preview are the rig's own, lit as the rig would be.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/demo.rs"]
mod demo;
#[path = "support/demo_colours.rs"]
mod demo_colours;
#[path = "support/demo_look.rs"]
mod demo_look;
#[path = "support/small_rig.rs"]
mod small_rig;

use glowdeck::model::effect::{Effect, Selection, ShaderRef};
use glowdeck::model::id::{LayoutId, SceneId, ShaderId};
use glowdeck::model::layout::Layout;
use glowdeck::model::library::LibraryShader;
use glowdeck::model::project::{Project, Shader};
use glowdeck::notice::Notice;
use glowdeck::render::lamp_map::LampMap;
use glowdeck::render::lamp_samples::{MOST_SAMPLES, Samples};
use glowdeck::render::renderer::{Patched, Renderer};
use glowdeck::show::Show;
use glowdeck::show::live::Moment;
use glowdeck::show::thumbnail::{Thumbnail, ThumbnailKey};
use small_rig::{add_scene, built_in, small_rig};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

const OWN: ShaderRef = ShaderRef::Project(ShaderId(1));
/// Everything that a lamp knows, mixed so that a change of any of it shows.
const EVERYTHING: &str = "// param: blue percent = 30
vec4 effect(Lamp lamp) {
    float r = fract(lamp.uv.x * 3.0 + float(lamp.group) * 0.13 + float(lamp.chain_index) * 0.03);
    float g = fract(lamp.uv.y * 2.0 + lamp.local.x + float(lamp.fixture) * 0.21 + progress);
    return vec4(r, g, fract(blue + float(lamp.index) / float(lamp.count) + lamp.metres.x + lamp.size.y), 1.0);
}
";

/// The rig with a scene that lights this selection by the shader.
fn project(selection: Option<Selection>, source: &str) -> Project {
    let mut project = small_rig();
    let topology = project.layouts.get(project.settings.topology).unwrap().clone();
    let turned = topology.placements.iter().skip(1).map(|placement| {
        let mut placement = *placement;
        (placement.angle, placement.scale) = (30.0, 2.0);
        placement
    });
    let placements = turned.collect();
    project.layouts.put(Layout { id: LayoutId(2), name: "Turned".into(), placements, frame: None });
    project.shaders.put(Shader {
        id: ShaderId(1),
        name: "Own".into(),
        source: source.into(),
        file: None,
        library: None,
    });
    add_scene(&mut project, 1, vec![Effect { shader: OWN, ..built_in(1, "solid") }]);
    let mut scene = (**project.scene(SceneId(1)).unwrap()).clone();
    scene.selection = selection;
    project.scenes.put(scene);
    project
}

fn turned() -> Option<Selection> {
    Some(Selection { layout: LayoutId(2), modes: vec![] })
}

struct Stand {
    show: Show,
    renderer: Renderer,
    asked: Cell<usize>,
}

impl Stand {
    fn new(project: Project, key: &ThumbnailKey) -> Self {
        let mut renderer = Renderer::new(None).unwrap();
        renderer.set_patch(Patched::compile(&project)).unwrap();
        let show = Show::new(project, None, Instant::now());
        let mut stand = Self { show, renderer, asked: Cell::new(0) };
        stand.follow();
        if stand.renderer.watch_thumbnails(std::slice::from_ref(key)) {
            stand.follow();
        }
        stand
    }

    fn follow(&mut self) -> usize {
        self.renderer.follow(&self.show.project, |_| true).len()
    }

    /// The rig's lamps as the show lights them at a moment, and the preview of it.
    fn at(&mut self, key: &ThumbnailKey, secs: f64) -> (Vec<u8>, Thumbnail) {
        let now = Moment { secs, beat: self.show.clock.beat_at(secs) };
        let clock = || {
            self.asked.set(self.asked.get() + 1);
            // Every step takes next to nothing.
            self.asked.get() as f64 * 1e-6
        };
        self.renderer.draw(&self.show, now).unwrap();
        self.renderer.draw_thumbnails(&self.show, now, None, clock).unwrap();
        let mut lamps = Vec::new();
        self.renderer.preview(&mut lamps).unwrap();
        let found = self.renderer.thumbnails().iter().find(|picture| picture.key == *key);
        (lamps, found.cloned().unwrap_or(Thumbnail { key: key.clone(), pixels: Arc::default(), lamps: None }))
    }
}

/// Colours of these lamps of the rig.
fn picked(lamps: &[u8], which: &[usize]) -> Vec<u8> {
    which.iter().flat_map(|lamp| lamps[lamp * 4..lamp * 4 + 4].to_vec()).collect()
}

fn samples(project: &Project, selection: &Option<Selection>) -> Samples {
    let map = LampMap::compile(project);
    let layer = map.layer_of(selection.as_ref()).unwrap();
    Samples::of(&map, &map.layers[layer], MOST_SAMPLES)
}

#[test]
fn each_lamp_of_a_preview_has_the_colour_that_the_rig_gives_it() {
    for selection in [None, turned()] {
        let project = project(selection.clone(), EVERYTHING);
        let which = samples(&project, &selection).lamps;
        assert_eq!(which.len(), if selection.is_none() { 104 } else { 40 });
        let key = ThumbnailKey::Lamps(OWN, selection);
        let mut stand = Stand::new(project, &key);
        let mut seen = Vec::new();
        for frame in 1..12 {
            let (lamps, picture) = stand.at(&key, f64::from(frame) * 0.1);
            // The first frames have earned no time for pictures.
            if frame > 4 {
                assert_eq!(picture.pixels[..], picked(&lamps, &which), "in frame {frame}");
                assert_eq!(picture.lamps.unwrap().of, which.len());
                seen.push(picture.pixels);
            }
        }
        seen.dedup();
        assert!(seen.len() > 4, "it moves with the beat");
        assert!(seen[0].chunks(4).any(|lamp| lamp != &seen[0][..4]), "lamps differ");
    }
}

#[test]
fn what_is_read_of_a_sample_is_what_is_read_of_the_lamp() {
    let demo = demo::demo();
    let map = LampMap::compile(&demo);
    assert!(map.layers.iter().any(|layer| layer.selection.as_ref().is_some_and(|of| !of.modes.is_empty())));
    let (layout, groups, frames) = (map.layout_texels(), map.group_texels(), map.frame_texels());
    let (fixtures, chains) = (map.fixture_texels(), map.chain_texels());
    let texels = layout.len() / map.layers.len();
    for (number, layer) in map.layers.iter().enumerate() {
        let all = Samples::of(&map, layer, usize::MAX);
        let lit = layout[number * texels..][..texels].iter().filter(|texel| texel[0] > -1e5).count();
        assert_eq!((all.lamps.len(), all.places.of), (lit, lit));
        for most in [usize::MAX, 777, 1] {
            let some = Samples::of(&map, layer, most);
            assert_eq!(some.lamps.len(), lit.min(most));
            assert_eq!(some.frame[..], frames[2 * number..2 * number + 2]);
            for (place, lamp) in some.lamps.iter().enumerate() {
                assert_eq!(some.layout[place], layout[number * texels + lamp]);
                assert_eq!(some.groups[place], groups[number * texels + lamp]);
                assert_eq!((some.fixtures[place], some.chains[place]), (fixtures[*lamp], chains[*lamp]));
            }
        }
    }
}

#[test]
fn few_of_many_are_chosen_evenly_and_all_of_few() {
    let demo = demo::demo();
    let map = LampMap::compile(&demo);
    let some = Samples::of(&map, &map.layers[0], 500);
    let places: Vec<usize> = some.lamps.clone();
    let apart: Vec<usize> = places.windows(2).map(|pair| pair[1].abs_diff(pair[0])).collect();
    let step = map.lamps / 500;
    // The topology holds every lamp in the order of the fixtures; a step is a whole number of lamps.
    let even = apart.iter().filter(|apart| (step..=step + 1).contains(*apart)).count();
    assert!(even * 10 > apart.len() * 9, "{even} of {}", apart.len());
    assert!(some.places.positions.iter().all(|place| place.iter().all(|side| (-1e-4..=1.0001).contains(side))));
    assert_eq!(Samples::of(&map, &map.layers[0], usize::MAX).lamps.len(), map.lamps);
}

#[test]
fn a_shader_that_breaks_keeps_its_last_good_light_and_a_new_patch_its_new_lamps() {
    let key = ThumbnailKey::Lamps(OWN, turned());
    let green = "vec4 effect(Lamp lamp) { return vec4(0.0, 1.0, 0.0, 1.0); }";
    let mut stand = Stand::new(project(turned(), green), &key);
    let settled = |stand: &mut Stand, from: f64| {
        (0..8).map(|frame| stand.at(&key, from + f64::from(frame) * 0.1)).last().unwrap().1
    };
    let lit = |picture: &Thumbnail, colour: [u8; 4]| picture.pixels.chunks(4).all(|lamp| lamp == colour);
    let before = settled(&mut stand, 0.1);
    assert!(before.pixels.len() == 160 && lit(&before, [0, 255, 0, 255]));
    let write = |stand: &mut Stand, source: &str| {
        let shader = Shader { id: ShaderId(1), name: "Own".into(), source: source.into(), file: None, library: None };
        stand.show.project.shaders.put(shader);
        stand.follow()
    };
    assert_eq!(write(&mut stand, "vec4 effect(Lamp lamp) { return nonsense; }"), 1);
    assert!(Arc::ptr_eq(&settled(&mut stand, 1.0).pixels, &before.pixels));
    write(&mut stand, "vec4 effect(Lamp lamp) { return vec4(0.0, 0.0, 1.0, 1.0); }");
    assert!(lit(&settled(&mut stand, 2.0), [0, 0, 255, 255]));
    let mut layout = (**stand.show.project.layouts.get(LayoutId(2)).unwrap()).clone();
    layout.placements.truncate(1);
    stand.show.project.layouts.put(layout);
    stand.renderer.set_patch(Patched::compile(&stand.show.project)).unwrap();
    stand.follow();
    let fewer = settled(&mut stand, 3.0);
    assert_eq!((fewer.pixels.len(), fewer.lamps.unwrap().positions.len()), (96, 24));
}

#[test]
fn a_layout_that_nothing_lights_has_no_picture_and_harms_none() {
    let key = ThumbnailKey::Lamps(OWN, turned());
    let mut stand = Stand::new(project(None, EVERYTHING), &key);
    for frame in 1..8 {
        let (_, picture) = stand.at(&key, f64::from(frame) * 0.1);
        assert!(picture.lamps.is_none());
    }
}

#[test]
fn a_shader_of_the_library_has_a_picture_and_a_broken_one_is_told_once_and_harms_none() {
    let shader = |name: &str, source: &str| {
        ShaderRef::Library(LibraryShader { name: name.into(), source: source.into() }.into())
    };
    let blue = "vec4 effect(Lamp lamp) { return vec4(0.0, 0.0, 1.0, 1.0); }";
    let [good, broken] = [shader("Blue", blue), shader("Bad", "vec4 effect(Lamp lamp) { return nonsense; }")];
    let key = ThumbnailKey::Lamps(good.clone(), None);
    let mut stand = Stand::new(project(None, EVERYTHING), &key);
    let keys = [key.clone(), ThumbnailKey::Effect(broken.clone()), ThumbnailKey::Effect(good)];
    assert!(stand.renderer.watch_thumbnails(&keys));
    let told: Vec<Notice> = (0..3).flat_map(|_| stand.renderer.follow(&stand.show.project, |_| true)).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].text.contains("Bad of the library failed at line 1") && told[0].text.contains("cannot be used"));
    let picture = (1..12).map(|frame| stand.at(&key, f64::from(frame) * 0.1).1).last().unwrap();
    assert!(picture.pixels.chunks(4).all(|lamp| lamp == [0, 0, 255, 255]) && picture.pixels.len() == 104 * 4);
    let watched: Vec<_> = stand.renderer.thumbnails().iter().map(|picture| picture.key.clone()).collect();
    assert_eq!(watched.len(), 2, "all but the broken one: {watched:?}");
}
