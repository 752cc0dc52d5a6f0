//! How the window looks: pictures of the main views in three sizes and two scales, kept in `target/looks` for whoever
//! judges them, and compared with those of before where nothing moves. `GLOWDECK_BLESS=1 cargo test --test looks` takes
//! what is seen now as right; look at it then.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/screen.rs"]
mod screen;

use glowdeck::app::settings::{Preferences, Settings};
use glowdeck::app::workspace::{Arrangement, Panel};
use glowdeck::model::effect::{Effect, ShaderRef};
use glowdeck::model::project::Project;
use glowdeck::storage::format::to_text;
use glowdeck::storage::load::load_text;
use screen::{Picture, Running, Screen, start};
use std::fs;
use std::path::{Path, PathBuf};

/// Sizes of the screen, pixels.
const SIZES: [[usize; 2]; 3] = [[1280, 720], [1920, 1080], [3840, 2160]];
/// Height of the bars above and below, points: lights and figures move there.
const BARS: [usize; 2] = [72, 40];
/// Pictures are compared in fields of so many points a side.
const FIELD: usize = 16;
/// A field may be so far off in each of its colours, of 255.
const OFF: f32 = 10.0;

/// Pictures of a window that moves before the one that is kept.
const SHOTS: usize = 3;

/// A window on a screen of its own, as a machine with these settings shows it.
struct Look {
    screen: Screen,
    scale: usize,
    _folder: tempfile::TempDir,
    _window: Running,
}

impl Look {
    fn new(size: [usize; 2], scale: usize, project: &Project, settings: &Settings, arguments: &[&str]) -> Self {
        let screen = Screen::new(size);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("looks.ron");
        fs::write(&path, to_text(project, &[]).unwrap()).unwrap();
        fs::write(folder.path().join("settings.ron"), ron::to_string(settings).unwrap()).unwrap();
        let mut glowdeck = screen.glowdeck();
        glowdeck.arg(&path).arg("--no-discovery").arg("--data-dir").arg(folder.path()).args(arguments);
        let window = start(glowdeck.env("WINIT_X11_SCALE_FACTOR", scale.to_string()));
        let [width, height] = size.map(|side| side.to_string());
        let found = ["search", "--sync", "--onlyvisible", "--class", "glowdeck"];
        screen.run("xdotool", &[&found[..], &["windowmove", "0", "0", "windowsize", &width, &height]].concat());
        // Nothing is under the pointer that shows it.
        screen.run("xdotool", &["mousemove", "2", "2"]);
        Self { screen, scale, _folder: folder, _window: window }
    }

    /// The window once it fills the screen, its lamps are lit and its pictures have come.
    fn lit(&self) -> Picture {
        let mut lit = 0;
        self.screen.shot_when("itself over the whole screen, with light", |picture| {
            lit += usize::from(is_whole(picture) && is_lit(picture));
            // What a frame asks for comes with one of the next.
            lit > SHOTS
        })
    }

    /// The window once nothing moves any more but what the bars show.
    fn still(&self) -> Picture {
        let (mut before, mut same) = (None, 0);
        self.screen.shot_when("itself at rest", |picture| {
            // Before the first light nothing moves either.
            let fields = (is_whole(picture) && is_stage_lit(picture)).then(|| fields(picture, self.scale));
            same = if fields.is_some() && fields == before { same + 1 } else { 0 };
            before = fields;
            same >= SHOTS
        })
    }
}

/// Whether the window's ground reaches into every corner: an empty screen is black.
fn is_whole(picture: &Picture) -> bool {
    let [width, height] = picture.size;
    let corners = [(0, 0), (0, height - 1), (width - 1, 0), (width - 1, height - 1)];
    corners.into_iter().all(|(x, y)| picture.row(y, x..x + 1).all(|pixel| pixel != [0; 3]))
}

/// Whether there is something bright and coloured: lamps are, nothing else of the window is much of that.
fn is_lit(picture: &Picture) -> bool {
    let coloured = |pixel: &&[u8]| pixel.iter().max().unwrap() - pixel.iter().min().unwrap() > 90;
    picture.all().filter(coloured).count() > picture.size[0] * picture.size[1] / 500
}

/// Whether there is light where the arrangement for building has the stage.
fn is_stage_lit(picture: &Picture) -> bool {
    let [width, height] = picture.size;
    let pixels = (height / 8..height / 3).flat_map(|y| picture.row(y, width * 5 / 8..width));
    pixels.filter(|pixel| pixel.iter().max().unwrap() - pixel.iter().min().unwrap() > 90).count()
        > width * height / 1000
}

/// The mean colour of each field between the bars.
fn fields(picture: &Picture, scale: usize) -> Vec<[f32; 3]> {
    let side = FIELD * scale;
    let [width, height] = picture.size;
    let rows = (BARS[0] * scale..height - BARS[1] * scale).step_by(side);
    let corners = rows.flat_map(|top| (0..width).step_by(side).map(move |left| (left, top)));
    let mean = |(left, top): (usize, usize)| {
        let right = (left + side).min(width);
        let bottom = (top + side).min(height - BARS[1] * scale);
        let pixels = (top..bottom).flat_map(|y| picture.row(y, left..right));
        let sum = pixels.fold([0.0; 3], |sum: [f32; 3], pixel| std::array::from_fn(|i| sum[i] + f32::from(pixel[i])));
        sum.map(|sum| sum / ((right - left) * (bottom - top)) as f32)
    };
    corners.map(mean).collect()
}

/// Keeps a picture for people.
fn keep(name: &str, picture: &Picture) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("looks");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.png")), picture.png()).unwrap();
}

/// The fields as a small picture, a pixel each, which is what is kept of a look that was found right.
fn small(fields: &[[f32; 3]], columns: usize) -> Picture {
    let pixels = fields.iter().flatten().map(|level| level.round() as u8).collect();
    Picture { size: [columns, fields.len() / columns], pixels }
}

fn compare(name: &str, picture: &Picture, scale: usize) {
    let fields = fields(picture, scale);
    let columns = picture.size[0].div_ceil(FIELD * scale);
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/looks").join(format!("{name}.png"));
    if std::env::var_os("GLOWDECK_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, small(&fields, columns).png()).unwrap();
    }
    let right = Picture::read(&fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    assert_eq!(right.size, [columns, fields.len() / columns], "{name}");
    let far = |(field, right): (&[f32; 3], &[u8])| (0..3).any(|i| (field[i] - f32::from(right[i])).abs() > OFF);
    let off: Vec<usize> =
        fields.iter().zip(right.all()).enumerate().filter(|(_, pair)| far(*pair)).map(|(place, _)| place).collect();
    let places: Vec<_> = off.iter().map(|place| (place % columns * FIELD, BARS[0] + place / columns * FIELD)).collect();
    assert!(off.is_empty(), "{name} looks different at these points of the window: {places:?}; see target/looks");
}

fn demo() -> Project {
    load_text(include_str!("../projects/demo.ron"), Path::new("demo.ron")).unwrap().project
}

/// The demo in which nothing moves: every scene is one colour of its palette, and one sounds.
fn still_demo() -> Project {
    let mut project = demo();
    for scene in project.scenes.iter().cloned().collect::<Vec<_>>() {
        let mut scene = scene.as_ref().clone();
        let id = scene.effects[0].id;
        scene.effects = vec![Effect::new(id, ShaderRef::BuiltIn("solid".into()))];
        scene.active = scene.id.0 == 1;
        project.scenes.put(scene);
    }
    project
}

fn settings(arrangement: Arrangement) -> Settings {
    let mut settings = Settings::default();
    settings.preferences = Preferences { hints_done: true, ..settings.preferences };
    settings.workspace.arrange(Some(arrangement));
    settings
}

/// Both arrangements and the kiosk, playing, in all sizes at one scale; and what must not have changed.
fn every_size_at(scale: usize) {
    for size in SIZES {
        let name = |view: &str| format!("{view}-{}x{}-{scale}00", size[0], size[1]);
        let views = [
            ("perform", Arrangement::Perform, &[][..]),
            ("design", Arrangement::Design, &[]),
            ("kiosk", Arrangement::Perform, &["--kiosk"]),
        ];
        for (view, arrangement, arguments) in views {
            keep(&name(view), &Look::new(size, scale, &demo(), &settings(arrangement), arguments).lit());
        }
        let still = Look::new(size, scale, &still_demo(), &settings(Arrangement::Design), &[]).still();
        keep(&name("still"), &still);
        compare(&name("still"), &still, scale);
    }
}

#[test]
fn in_three_sizes_at_100_percent() {
    every_size_at(1);
}

#[test]
fn in_three_sizes_at_200_percent() {
    every_size_at(2);
}

#[test]
fn every_panel_in_front() {
    for panel in Panel::ALL {
        let mut settings = settings(Arrangement::Design);
        settings.workspace.open(panel);
        let look = Look::new([1440, 900], 1, &demo(), &settings, &[]);
        keep(&format!("panel-{}", panel.title().to_lowercase()), &look.lit());
    }
}

#[test]
fn a_field_that_changed_is_seen_and_noise_is_not() {
    let picture = |level: u8| Picture { size: [64, 160], pixels: vec![level; 64 * 160 * screen::DEPTH] };
    let [before, noisy, after] = [100, 105, 130].map(|level| fields(&picture(level), 1));
    assert_eq!(before.len(), 4 * 3);
    let far = |a: &[[f32; 3]], b: &[[f32; 3]]| a.iter().zip(b).any(|(a, b)| (a[0] - b[0]).abs() > OFF);
    assert!(!far(&before, &noisy) && far(&before, &after));
    assert!(!is_lit(&picture(200)), "grey is no light");
}
