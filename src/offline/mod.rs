//! `glowdeck render`: frames of a project at exact times, as lamp bytes in text and pictures of the stage.
//!
//! Runs on the caller's thread. Deterministic: the same project and times give the same files. Sends nothing.

mod picture;
mod text;

use crate::gl::GlError;
use crate::gl::gpu::Gpu;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::render::renderer::{Patched, Renderer};
use crate::shading::fuse::Dialect;
use crate::show::Show;
use crate::show::live::Moment;
use crate::show::snapshot::StageMap;
use crate::units::UNIVERSE_CHANNELS;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use thiserror::Error;

pub use text::frame_text;

/// Why frames were not rendered.
#[derive(Debug, Error)]
pub enum OfflineError {
    /// There is no GL that serves.
    #[error(transparent)]
    Gl(#[from] GlError),
    /// A file could not be written.
    #[error("cannot write {}: {source}; choose a folder you may write to, with room", path.display())]
    Write {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Which frames to render.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// How many.
    pub count: usize,
    /// Frames a second of the show's time.
    pub fps: f64,
}

/// A show whose time is set from outside.
pub struct Offline {
    show: Show,
    renderer: Renderer,
    stage: Arc<StageMap>,
    bytes: Vec<u8>,
    colours: Vec<u8>,
    /// What the operator would have been told.
    pub notices: Vec<Notice>,
}

impl Offline {
    /// The project at its starting look.
    ///
    /// # Errors
    /// When there is no GL that serves.
    pub fn new(project: Project, dialect: Option<Dialect>) -> Result<Self, GlError> {
        Self::on(Gpu::new(dialect)?, project)
    }

    /// The same on this context.
    ///
    /// # Errors
    /// When the driver refuses what every picture needs.
    pub fn on(gpu: Gpu, project: Project) -> Result<Self, GlError> {
        let mut renderer = Renderer::on(gpu)?;
        let patched = Patched::compile(&project);
        let stage = Arc::clone(&patched.stage);
        renderer.set_patch(patched)?;
        let notices = renderer.follow(&project, |_| true);
        let show = Show::new(project, None, Instant::now());
        Ok(Self { show, renderer, stage, bytes: Vec::new(), colours: Vec::new(), notices })
    }

    /// The show, to play it.
    pub fn show(&mut self) -> &mut Show {
        &mut self.show
    }

    /// Follows the show's project after an edit.
    ///
    /// # Errors
    /// When the driver refuses the new patch.
    pub fn follow(&mut self) -> Result<(), GlError> {
        if !self.renderer.map().is_some_and(|map| map.same_patch(&self.show.project)) {
            let patched = Patched::compile(&self.show.project);
            self.stage = Arc::clone(&patched.stage);
            self.renderer.set_patch(patched)?;
        }
        self.notices.extend(self.renderer.follow(&self.show.project, |_| true));
        Ok(())
    }

    /// The bytes of all universes at a time in seconds.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn frame(&mut self, secs: f64) -> Result<&[u8], GlError> {
        let now = Moment { secs, beat: self.show.clock.beat_at(secs) };
        self.show.advance(now);
        self.renderer.draw(&self.show, now)?;
        self.bytes.resize(self.renderer.universes() * UNIVERSE_CHANNELS, 0);
        self.renderer.read(now, &mut self.bytes);
        self.notices.extend(self.renderer.find_endless(&self.show.project, secs));
        Ok(&self.bytes)
    }

    /// A picture of the stage as it was drawn last, as a PNG file's bytes.
    ///
    /// # Errors
    /// When the driver refuses a target.
    pub fn stage_png(&mut self) -> Result<Vec<u8>, GlError> {
        self.renderer.preview(&mut self.colours)?;
        Ok(picture::stage_png(&self.stage, &self.colours))
    }
}

/// Renders frames into a folder, as `frame-0000.txt` and `frame-0000.png` and so on. Returns the notices.
///
/// # Errors
/// When there is no GL or a file cannot be written; files of earlier frames stay.
pub fn render(
    project: Project,
    frames: Frames,
    out: &Path,
    dialect: Option<Dialect>,
) -> Result<Vec<Notice>, OfflineError> {
    let write_error = |path: &Path| {
        let path = path.to_owned();
        move |source| OfflineError::Write { path, source }
    };
    fs::create_dir_all(out).map_err(write_error(out))?;
    let mut offline = Offline::new(project, dialect)?;
    for number in 0..frames.count {
        let secs = number as f64 / frames.fps;
        let text = frame_text(offline.frame(secs)?);
        let path = out.join(format!("frame-{number:04}.txt"));
        fs::write(&path, text).map_err(write_error(&path))?;
        let path = out.join(format!("frame-{number:04}.png"));
        fs::write(&path, offline.stage_png()?).map_err(write_error(&path))?;
    }
    Ok(offline.notices)
}
