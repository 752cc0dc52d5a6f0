//! One frame: what the render thread does thirty to thousands of times a second, and `glowdeck render` at times of
//! its own choice.
//!
//! On the thread that made it. Time is an argument; nothing is sent or written here.

use super::compose::{FramePlan, compose};
use super::gather::Gather;
use super::lamp_map::LampMap;
use super::picture::Picture;
use super::programs::Programs;
use super::score::Score;
use super::shaders::Shaders;
use crate::gl::GlError;
use crate::gl::gpu::Gpu;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::shading::fuse::Dialect;
use crate::show::Show;
use crate::show::live::Moment;
use crate::show::snapshot::StageMap;
use crate::units::UNIVERSE_CHANNELS;
use std::sync::Arc;

/// A lamp map with everything large that is made from it, as the patcher makes them.
pub struct Patched {
    /// Where the lamps are.
    pub map: LampMap,
    /// Which byte each feeds.
    pub gather: Gather,
    /// See [`LampMap::layout_texels`].
    pub layout: Vec<[f32; 2]>,
    /// For drawing the stage.
    pub stage: Arc<StageMap>,
}

impl Patched {
    /// Compiles the patch of a project; up to a second for 1.4 million lamps.
    pub fn compile(project: &Project) -> Self {
        let map = LampMap::compile(project);
        let gather = Gather::build(&map);
        let layout = map.layout_texels();
        let stage = Arc::new(map.stage_map());
        Self { map, gather, layout, stage }
    }
}

/// Makes frames of a show.
pub struct Renderer {
    picture: Picture,
    programs: Programs,
    shaders: Shaders,
    map: Option<LampMap>,
    score: Score,
    plan: FramePlan,
    packed: Vec<u8>,
}

impl Renderer {
    /// A renderer with a context of its own on this thread.
    ///
    /// # Errors
    /// When there is no GL that serves.
    pub fn new(dialect: Option<Dialect>) -> Result<Self, GlError> {
        Ok(Self {
            picture: Picture::new(Gpu::new(dialect)?)?,
            programs: Programs::default(),
            shaders: Shaders::default(),
            map: None,
            score: Score::default(),
            plan: FramePlan::default(),
            packed: Vec::new(),
        })
    }

    /// The driver's own name for what draws.
    pub fn renderer_name(&self) -> &str {
        self.picture.gpu().renderer()
    }

    /// The lamp map that frames are made with.
    pub fn map(&self) -> Option<&LampMap> {
        self.map.as_ref()
    }

    /// Universes of a frame.
    pub fn universes(&self) -> usize {
        self.picture.universes()
    }

    /// Takes another patch. The old one stays when the driver refuses.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn set_patch(&mut self, patched: Patched) -> Result<(), GlError> {
        self.picture.set_map(&patched)?;
        self.map = Some(patched.map);
        Ok(())
    }

    /// Follows a project that changed, with the lamp map it has. Says what failed; everything else goes on.
    pub fn follow(&mut self, project: &Project) -> Vec<Notice> {
        let mut notices = self.shaders.follow(project, self.picture.gpu());
        let Some(map) = &self.map else { return notices };
        self.score = Score::new(project, &self.shaders, map);
        notices.extend(self.programs.follow(&self.score, self.picture.gpu()));
        if let Err(error) = self.picture.prepare_inputs(map, &self.score, &self.programs) {
            notices.push(Notice::error("render", format!("{error}; scenes that need it stay dark.")));
        }
        notices
    }

    /// Draws the show at a moment.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn draw(&mut self, show: &Show, now: Moment) -> Result<(), GlError> {
        let alignment = self.picture.alignment();
        compose(&self.score, &show.live, now, show.clock.bpm(), alignment, &mut self.plan);
        self.picture.draw(&self.plan, &self.score, &self.programs)
    }

    /// Packs what was drawn and copies the bytes of all universes; `out` is `universes() * 512` long.
    pub fn read(&mut self, out: &mut [u8]) {
        debug_assert_eq!(out.len(), self.universes() * UNIVERSE_CHANNELS);
        if out.len() == self.picture.packed_bytes() {
            return self.picture.pack(out);
        }
        self.packed.resize(self.picture.packed_bytes(), 0);
        self.picture.pack(&mut self.packed);
        let length = out.len().min(self.packed.len());
        out[..length].copy_from_slice(&self.packed[..length]);
    }

    /// Reads what was drawn as sRGB, four bytes a lamp.
    ///
    /// # Errors
    /// When the driver refuses a target.
    pub fn preview(&mut self, out: &mut Vec<u8>) -> Result<(), GlError> {
        self.picture.preview(out)
    }

    /// Waits until everything is drawn; only for measuring.
    pub fn finish(&self) {
        self.picture.gpu().finish();
    }
}
