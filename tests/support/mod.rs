//! A console without threads, GL or network for tests of the window: a real `Show`, a drawn sculpture, painted lamps.
//!
//! Whoever holds it decides when it steps and what time it is.
#![allow(dead_code, reason = "every test uses a part of it")]

use crossbeam_channel::{Receiver, Sender, bounded};
use glowdeck::app::Handles;
use glowdeck::input::bridge::heard::Heard;
use glowdeck::model::id::{LayoutId, PaletteId, SceneId};
use glowdeck::model::library::UserLibrary;
use glowdeck::model::palette::{Colour, Palette};
use glowdeck::model::project::Project;
use glowdeck::model::scene::{Cell, Launch, Scene, ScenePalette};
use glowdeck::notice::Notice;
use glowdeck::output::discovery::nodes::Found;
use glowdeck::output::stats::OutputStats;
use glowdeck::render::lamp_map::LampMap;
use glowdeck::show::command::{Command, command_queue};
use glowdeck::show::snapshot::{ClockView, RenderStats, SceneCost, ShaderView, Snapshot, StageFrame, StageMap};
use glowdeck::show::thumbnail::{Thumbnail, ThumbnailKey};
use glowdeck::show::{Outcome, Show};
use glowdeck::storage::FileRequest;
use glowdeck::sync::LatestSlot;
use std::f32::consts::TAU;
use std::sync::Arc;
use std::time::Instant;

/// The other ends of the window's handles, and the show.
pub struct Console {
    pub show: Show,
    pub handles: Handles,
    pub notices: Sender<Notice>,
    pub files: Receiver<FileRequest>,
    pub output: Arc<LatestSlot<OutputStats>>,
    pub found: Arc<LatestSlot<Found>>,
    pub heard: Arc<LatestSlot<Heard>>,
    pub library: Arc<LatestSlot<UserLibrary>>,
    commands: Receiver<Command>,
    map: Arc<StageMap>,
    /// Whether the map is made anew of the project, in the layout that is looked at.
    follows: bool,
    /// The layout that the window looks at.
    pub layout: Option<LayoutId>,
    watched: bool,
    /// What the window shows thumbnails of.
    pub thumbnails: Vec<ThumbnailKey>,
    /// The thumbnails that it gets.
    pub pictures: Arc<Vec<Thumbnail>>,
    /// What the compiler is made to say.
    pub shaders: Arc<Vec<ShaderView>>,
    painted: Arc<StageFrame>,
    number: u64,
}

impl Console {
    /// A console with this project and these lamps.
    pub fn new(project: Project, positions: Vec<[f32; 2]>, began: Instant) -> Self {
        let (sender, commands) = command_queue();
        let (notices, told) = bounded(64);
        let (asked, files) = bounded(64);
        let output = Arc::new(LatestSlot::default());
        let (snapshots, found, heard) = (Arc::new(LatestSlot::default()), Arc::default(), Arc::default());
        let library = Arc::default();
        let handles = Handles {
            commands: sender,
            snapshots,
            output: Arc::clone(&output),
            found: Arc::clone(&found),
            heard: Arc::clone(&heard),
            library: Arc::clone(&library),
            notices: told,
            files: asked,
            usual_interface: Arc::default(),
            close: crossbeam_channel::never(),
        };
        let corner = |pick: fn(f32, f32) -> f32, start: f32| {
            positions.iter().fold([start; 2], |c, p| [pick(c[0], p[0]), pick(c[1], p[1])])
        };
        let (min, max) = (corner(f32::min, f32::INFINITY), corner(f32::max, f32::NEG_INFINITY));
        let map = Arc::new(StageMap { positions, min, max, ..StageMap::default() });
        let show = Show::new(project, None, began);
        let mut console = Self {
            show,
            handles,
            notices,
            files,
            output,
            found,
            heard,
            library,
            commands,
            map,
            follows: false,
            layout: None,
            watched: false,
            thumbnails: Vec::new(),
            pictures: Arc::default(),
            shaders: Arc::default(),
            painted: Arc::default(),
            number: 0,
        };
        console.publish(began);
        console
    }

    /// Applies what was sent, publishes a snapshot and returns what was applied.
    pub fn step(&mut self, now: Instant) -> Vec<Command> {
        let moment = self.show.moment(now);
        let sent: Vec<Command> = self.commands.try_iter().collect();
        for command in sent.clone() {
            match self.show.apply(command, moment) {
                Outcome::WatchStage(watched) => self.watched = watched,
                Outcome::WatchLayout(layout) => self.layout = layout,
                Outcome::WatchThumbnails(keys) => self.thumbnails = keys,
                Outcome::Save(request) => {
                    let saved = Command::Saved { path: request.path, revision: request.revision };
                    self.show.apply(saved, moment);
                }
                Outcome::Tell(notice) => drop(self.notices.try_send(notice)),
                Outcome::Done | Outcome::Pace(_) | Outcome::ResetStats | Outcome::Inject(_) | Outcome::Quit => {}
            }
        }
        self.show.advance(moment);
        self.publish(now);
        sent
    }

    /// Shows these lamps from now on.
    pub fn show_map(&mut self, map: StageMap) {
        self.map = Arc::new(map);
    }

    /// Shows the project's lamps in the layout that is looked at from now on, as the patcher would.
    pub fn follow_patch(&mut self) {
        self.follows = true;
    }

    /// Whether the window looks at the stage.
    pub fn watched(&self) -> bool {
        self.watched
    }

    fn publish(&mut self, now: Instant) {
        let moment = self.show.moment(now);
        self.number += 1;
        if self.follows {
            let map = LampMap::stage_of(&self.show.project, self.layout);
            if format!("{map:?}") != format!("{:?}", self.map) {
                self.map = Arc::new(map);
            }
        }
        let colours = if self.watched { self.paint(moment.beat as f32, now) } else { Vec::new() };
        if self.watched && colours != self.painted.colours {
            self.painted = Arc::new(StageFrame { colours });
        }
        let stage = self.watched.then(|| Arc::clone(&self.painted));
        let snapshot = Snapshot {
            number: self.number,
            project: self.show.project.clone(),
            path: self.show.path().cloned(),
            dirty: self.show.dirty(),
            undo: self.show.history().undo_title(),
            redo: self.show.history().redo_title(),
            scenes: Arc::new(self.show.live.views(moment.beat)),
            triggers: Arc::new(self.show.live.triggers.views(moment.secs).collect()),
            master: self.show.live.master,
            blackout: self.show.live.blackout(),
            test: self.show.live.test,
            shaders: Arc::clone(&self.shaders),
            clock: ClockView::of(&self.show.clock, moment.beat),
            render: RenderStats {
                fps: 60.0,
                asked_fps: None,
                longest_gap_ms: 17.2,
                longest_gap_ever_ms: 0.0,
                interval_error_p99_ms: 0.0,
                lamps: self.map.positions.len(),
                universes: self.map.positions.len().div_ceil(170),
                renderer: "fake".into(),
            },
            costs: Arc::new(vec![SceneCost { id: SceneId(5), ms: 41.5, steps: 3 }]),
            power: Arc::default(),
            stage_map: Arc::clone(&self.map),
            stage,
            thumbnails: Arc::clone(&self.pictures),
        };
        self.handles.snapshots.publish(Arc::new(snapshot));
    }

    /// Waves in the colours of the scenes that sound, a different one for each.
    fn paint(&self, beat: f32, now: Instant) -> Vec<u8> {
        let moment = self.show.moment(now);
        let sounding: Vec<(f32, &Palette, f32)> = (self.show.project.scenes.iter())
            .filter_map(|scene| {
                let ScenePalette::Own(id) = scene.palette else { return None };
                let weight = self.show.live.weight(scene, moment);
                Some((scene.id.0 as f32, &**self.show.project.palettes.get(id)?, weight))
            })
            .filter(|(_, _, weight)| *weight > 0.0)
            .collect();
        let half = ((self.map.max[0] - self.map.min[0]) / 2.0).max(1e-3);
        let mut colours = Vec::with_capacity(self.map.positions.len() * 4);
        for [x, y] in &self.map.positions {
            let (x, y) = (x / half, y / half);
            let mut rgb = [0.0_f32; 3];
            for (seed, palette, weight) in &sounding {
                let (radius, angle) = (x.hypot(y), y.atan2(x));
                let turn = angle * (1.0 + seed % 3.0) + radius * (3.0 + seed % 5.0) - beat * TAU / 4.0;
                let level = (0.5 + 0.5 * turn.sin()).powi(3) * weight;
                let place = (radius * 0.8 + 0.2 * (beat / 4.0).sin()).clamp(0.0, 1.0);
                let stop = palette.gradient[(place * 15.0) as usize];
                for (sum, channel) in rgb.iter_mut().zip(stop.0) {
                    *sum += level * f32::from(channel) / 255.0;
                }
            }
            colours.extend(rgb.map(|c| (c.min(1.0) * 255.0) as u8));
            colours.push(255);
        }
        colours
    }
}

/// Eleven rings with spokes and a halo: about 5000 lamps.
pub fn sculpture() -> Vec<[f32; 2]> {
    let mut lamps = Vec::new();
    for ring in 0..11 {
        let radius = 0.4 + 0.28 * ring as f32;
        let count = (radius * TAU / 0.0325) as usize;
        lamps.extend((0..count).map(|lamp| {
            let angle = lamp as f32 / count as f32 * TAU;
            [radius * angle.cos(), radius * angle.sin()]
        }));
    }
    for spoke in 0..12 {
        let angle = spoke as f32 / 12.0 * TAU;
        lamps.extend((0..40).map(|lamp| {
            let radius = 3.4 + 0.033 * lamp as f32;
            [radius * angle.cos(), radius * angle.sin()]
        }));
    }
    lamps
}

/// A flat wall of this many lamps along each side.
pub fn wall(side: usize) -> Vec<[f32; 2]> {
    (0..side * side).map(|lamp| [(lamp % side) as f32 * 0.02, (lamp / side) as f32 * 0.02]).collect()
}

fn palette(id: u32, name: &str, stops: [u32; 4]) -> Palette {
    let rgb = |hex: u32| [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8];
    let gradient = std::array::from_fn(|stop| {
        let place = stop as f32 / 15.0 * 3.0;
        let (low, share) = ((place as usize).min(2), place - (place as usize).min(2) as f32);
        let (a, b) = (rgb(stops[low]), rgb(stops[low + 1]));
        Colour(std::array::from_fn(|c| (f32::from(a[c]) * (1.0 - share) + f32::from(b[c]) * share) as u8))
    });
    Palette { id: PaletteId(id), name: name.into(), primary: gradient[6], secondary: gradient[12], gradient }
}

/// A show with half of its grid filled, some of it sounding.
pub fn demo() -> Project {
    let mut project = Project::empty("Rings at the pier");
    for palette in [
        palette(1, "ember", [0xffe0a0, 0xff8a1e, 0xe02a10, 0x400818]),
        palette(2, "lagoon", [0xb0fff0, 0x20d0e0, 0x1060ff, 0x180850]),
        palette(3, "orchid", [0xffd0f0, 0xff3fa0, 0x8020e0, 0x101060]),
        palette(4, "meadow", [0xf0ffa0, 0x70e040, 0x10a070, 0x002840]),
    ] {
        project.palettes.put(palette);
    }
    let names = [
        "Plasma",
        "Slow fire",
        "Comet",
        "Rain",
        "Sparkle",
        "Breathing",
        "Opposing lines",
        "Scanner",
        "Checker",
        "Spiral",
        "Radial pulse",
        "Lightning",
        "Chase",
        "Spectrum",
        "Wave",
        "Rainbow",
        "Noise",
        "Random circles",
        "Wash warm",
        "Wash cold",
        "Strobe",
        "Beacon",
        "Sunrise",
        "Blinder",
        "Wipe",
        "Level meter",
    ];
    for (index, name) in names.into_iter().enumerate() {
        let row = if index >= 18 { 5 } else { [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3][index] };
        let column =
            if index >= 18 { index - 18 } else { [0, 1, 2, 3, 4, 6, 0, 1, 2, 4, 5, 0, 1, 2, 3, 0, 1, 5][index] };
        let id = SceneId(index as u32 + 1);
        let mut scene = Scene::new(id, Cell { column: column as u8, row: row as u8 }, name);
        scene.tag = (index * 5 % 9) as u8;
        scene.palette = ScenePalette::Own(PaletteId(index as u32 % 4 + 1));
        scene.active = [0, 9].contains(&index);
        scene.fade_in = if index == 1 { 8.0 } else { 0.0 };
        scene.launch = if index == 2 { Launch::Bar } else { Launch::Off };
        project.scenes.put(scene);
    }
    project
}
