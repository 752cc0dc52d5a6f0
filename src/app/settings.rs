//! Settings of this machine: panels, scale, recent projects, how universes are numbered. No project holds them.
//!
//! [`Settings`] is plain data; [`Keeper`] notices on the ui thread that they changed and has them written by the
//! storage thread when the hand has come to rest. Deliberately absent: writing a file on the ui thread.

use super::colours::{self, Colours};
use super::grid::TileSize;
use super::shortcuts::keymap::Keymap;
use super::theme;
use super::workspace::Workspace;
use crate::notice::Notice;
use crate::output::UsualInterface;
use crate::storage::FileRequest;
use crate::storage::shader_files::read;
use crate::timing::pacing::DEFAULT_FPS;
use egui::Context;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Projects that are remembered.
const RECENT: usize = 10;
/// How long settings must stay as they are before they are written, seconds.
const REST_SECS: f64 = 1.0;
/// The most frames a second that settings may ask for; who wants more asks for no limit.
const MOST_FPS: u16 = 1000;
/// Bounds of the scale.
pub const SCALES: std::ops::RangeInclusive<f32> = 0.5..=3.0;

/// What one machine remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Which panels are where.
    pub workspace: Workspace,
    /// What was chosen.
    pub preferences: Preferences,
    /// How the show runs here.
    pub running: Running,
    /// Projects that were opened or saved, the last one first.
    pub recent: Vec<PathBuf>,
    /// Which keys do what.
    #[serde(skip_serializing_if = "Keymap::is_usual")]
    pub keys: Keymap,
}

/// What the operator chose for this machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Size of the controls; 1 is what the desktop asks for.
    pub scale: f32,
    /// Whether universes are counted from 1 on the screen; files and packets count from 0.
    pub universes_from_one: bool,
    /// How large the tiles of the grid are.
    pub tiles: TileSize,
    /// What the screen is drawn in.
    pub colours: Colours,
    /// Whether nothing on the screen moves but the light.
    pub reduced_motion: bool,
    /// Whether the hints of the first minutes were waved away.
    pub hints_done: bool,
}

/// How the show runs on this machine, whichever project it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Running {
    /// Frames a second; 0 for as many as there can be.
    pub frame_rate: u16,
    /// The interface that light leaves by for devices that name none, see [`UsualInterface`].
    pub interface: UsualInterface,
}

impl Default for Running {
    fn default() -> Self {
        Self { frame_rate: DEFAULT_FPS as u16, interface: None }
    }
}

impl Running {
    /// Frames a second; without a limit as many as there can be.
    pub fn fps(&self) -> Option<f64> {
        fps_of(self.frame_rate)
    }
}

/// A rate in which 0 is none.
pub fn fps_of(rate: u16) -> Option<f64> {
    (rate > 0).then_some(rate.into())
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            scale: 1.0,
            universes_from_one: false,
            tiles: TileSize::default(),
            colours: Colours::default(),
            reduced_motion: false,
            hints_done: false,
        }
    }
}

impl Preferences {
    /// Makes the window look so.
    pub fn put_on(self, ctx: &Context) {
        ctx.set_zoom_factor(self.scale);
        theme::set_motion(ctx, !self.reduced_motion);
        colours::put_on(ctx, self.colours);
    }

    /// The number that the first universe has on the screen.
    pub fn first_universe(self) -> u16 {
        u16::from(self.universes_from_one)
    }
}

impl Settings {
    /// Reads them; what cannot be read is put back to what it is on a new machine, and told.
    pub fn read(path: &Path) -> (Self, Option<Notice>) {
        let told = |reason: String| {
            // What somebody may want to mend is not written over.
            let kept = path.with_extension("ron.unread");
            let kept = match fs::rename(path, &kept) {
                Ok(()) => format!(", what was there is {} now", kept.display()),
                Err(_) => String::new(),
            };
            let text = format!("The settings in {} cannot be read: {reason}. They start anew{kept}.", path.display());
            Some(Notice::warning("settings", text))
        };
        match read(path) {
            Ok(text) => match ron::from_str::<Self>(&text) {
                Ok(mut settings) => {
                    let faults = settings.keys.take_faults();
                    let told = (!faults.is_empty()).then(|| of_keys(path, &faults));
                    (settings.sane(), told)
                }
                Err(error) => (Self::default(), told(error.to_string())),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Self::default(), None),
            Err(error) => (Self::default(), told(error.to_string())),
        }
    }

    /// With everything within its bounds, whoever wrote the file.
    fn sane(mut self) -> Self {
        let scale = &mut self.preferences.scale;
        *scale = if scale.is_finite() { *scale } else { 1.0 }.clamp(*SCALES.start(), *SCALES.end());
        self.running.frame_rate = self.running.frame_rate.min(MOST_FPS);
        // A name of nothing would be an interface that never comes.
        self.running.interface = self.running.interface.filter(|name| !name.trim().is_empty());
        self.recent.truncate(RECENT);
        if !self.workspace.is_sound() {
            self.workspace = Workspace::default();
        }
        self
    }

    /// A project was opened or saved.
    pub fn remember(&mut self, project: &Path) {
        if self.recent.first().is_some_and(|first| first == project) {
            return;
        }
        self.recent.retain(|known| known != project);
        self.recent.insert(0, project.to_owned());
        self.recent.truncate(RECENT);
    }
}

/// What was wrong with the keys of a settings file.
fn of_keys(path: &Path, faults: &[String]) -> Notice {
    let text = format!(
        "Keys in {} cannot be taken: {}. These commands have the keys they came with; all else holds.",
        path.display(),
        faults.join("; ")
    );
    Notice::warning("settings", text)
}

/// Where they are kept: under this folder, or under that of the desktop.
pub fn settings_path(data_dir: Option<&Path>) -> Option<PathBuf> {
    let own = || directories::ProjectDirs::from("", "", "glowdeck").map(|folders| folders.config_dir().to_owned());
    Some(data_dir.map(Path::to_owned).or_else(own)?.join("settings.ron"))
}

/// Has changed settings written.
#[derive(Debug, Default)]
pub struct Keeper {
    path: Option<PathBuf>,
    written: Settings,
    /// What they are now, and since when.
    seen: Option<(Settings, f64)>,
}

impl Keeper {
    /// Settings that were read from a file, or that no file holds.
    pub fn new(path: Option<PathBuf>, read: Settings) -> Self {
        Self { path, written: read, seen: None }
    }

    /// What to write at this second of the window, and else how long until it is asked again. At the end nothing is
    /// waited for.
    pub fn follow(&mut self, settings: &Settings, now: f64, ending: bool) -> Result<Option<FileRequest>, f64> {
        let Some(path) = &self.path else { return Ok(None) };
        if *settings == self.written {
            self.seen = None;
            return Ok(None);
        }
        let since = match &self.seen {
            Some((seen, since)) if seen == settings => *since,
            _ => {
                self.seen = Some((settings.clone(), now));
                now
            }
        };
        if !ending && now < since + REST_SECS {
            return Err(since + REST_SECS - now);
        }
        self.written = settings.clone();
        self.seen = None;
        let text = ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default()).ok();
        Ok(text.map(|text| FileRequest::Keep { path: path.clone(), text }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_once_when_they_came_to_rest() {
        let mut keeper = Keeper::new(Some("/x/settings.ron".into()), Settings::default());
        let mut settings = Settings::default();
        assert!(matches!(keeper.follow(&settings, 0.0, false), Ok(None)));
        settings.preferences.scale = 1.25;
        assert_eq!(keeper.follow(&settings, 1.0, false).err(), Some(1.0));
        settings.preferences.scale = 1.5;
        assert_eq!(keeper.follow(&settings, 2.0, false).err(), Some(1.0), "it moved on");
        let Ok(Some(FileRequest::Keep { text, .. })) = keeper.follow(&settings, 3.0, false) else { panic!() };
        assert_eq!(ron::from_str::<Settings>(&text).unwrap(), settings);
        assert!(matches!(keeper.follow(&settings, 9.0, true), Ok(None)), "once");
        settings.preferences.scale = 2.0;
        assert!(matches!(keeper.follow(&settings, 9.0, true), Ok(Some(_))), "at the end nothing waits");
    }

    #[test]
    fn settings_that_make_no_sense_are_put_right_or_start_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.ron");
        assert_eq!(Settings::read(&path), (Settings::default(), None), "a new machine");
        fs::write(&path, "(preferences: (scale: 900.0))").unwrap();
        assert_eq!(Settings::read(&path).0.preferences.scale, *SCALES.end());
        fs::write(&path, "(preferences: (scale: NaN))").unwrap();
        assert_eq!(Settings::read(&path).0.preferences.scale, 1.0);
        fs::write(&path, "(running: (frame_rate: 65000, interface: Some(\" \")))").unwrap();
        assert_eq!(Settings::read(&path).0.running, Running { frame_rate: MOST_FPS, interface: None });
        fs::write(&path, "garbage").unwrap();
        let (settings, told) = Settings::read(&path);
        assert_eq!(settings, Settings::default());
        assert!(told.unwrap().text.contains("start anew"));
        assert_eq!(fs::read_to_string(folder.path().join("settings.ron.unread")).unwrap(), "garbage", "it is kept");
        fs::write(&path, "x".repeat(3 << 20)).unwrap();
        assert!(Settings::read(&path).1.unwrap().text.contains("1 MiB"));
    }

    #[test]
    fn the_last_project_is_first_and_known_once() {
        let mut settings = Settings::default();
        for name in ["a", "b", "a", "c"] {
            settings.remember(Path::new(name));
        }
        assert_eq!(settings.recent, ["c", "a", "b"].map(PathBuf::from));
    }
}
