//! One frame: what the render thread does thirty to thousands of times a second, and `glowdeck render` at times of
//! its own choice.
//!
//! On the thread that made it. Time is an argument; nothing is sent or written here.

use super::compiler::{Compiler, Finished};
use super::compose::{FramePlan, compose};
use super::economy::{Drawing, Pace};
use super::endless::EndlessLoops;
use super::gather::Gather;
use super::lamp_map::LampMap;
use super::lamp_samples::Samples;
use super::merge::Merging;
use super::overlay::Overlay;
use super::picture::Picture;
use super::power::PowerModel;
use super::programs::{Means, Programs};
use super::runs::Runs;
use super::score::{Score, ScoredScene};
use super::shaders::Shaders;
use super::thumbnails::{Subjects, Thumbnails, preview_scene, shaders_of};
use crate::gl::GlError;
use crate::gl::gpu::{Gpu, Mix};
use crate::model::effect::ShaderRef;
use crate::model::id::SceneId;
use crate::model::project::Project;
use crate::notice::Notice;
use crate::shading::fuse::Dialect;
use crate::show::Show;
use crate::show::live::Moment;
use crate::show::snapshot::{PowerView, SceneCost, StageMap};
use crate::show::thumbnail::{Thumbnail, ThumbnailKey};
use crate::units::UNIVERSE_CHANNELS;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

/// A lamp map with everything large that is made from it, as the patcher makes them.
pub struct Patched {
    /// Where the lamps are.
    pub map: LampMap,
    /// Which byte each feeds.
    pub gather: Gather,
    /// What of it the processor may pack.
    pub runs: Runs,
    /// See [`LampMap::layout_texels`].
    pub layout: Vec<[f32; 2]>,
    /// What it draws.
    pub power: PowerModel,
    /// For drawing the stage.
    pub stage: Arc<StageMap>,
    /// See [`Samples`].
    pub samples: Vec<Arc<Samples>>,
}

impl Patched {
    /// Compiles the patch of a project; up to a second for 1.4 million lamps.
    pub fn compile(project: &Project) -> Self {
        let map = LampMap::compile(project);
        let gather = Gather::build(&map);
        let layout = map.layout_texels();
        let stage = Arc::new(map.stage_map());
        let (samples, power) = (Samples::all(&map), PowerModel::new(project));
        Self { map, runs: Runs::find(&gather), gather, layout, power, samples, stage }
    }
}

/// Makes frames of a show.
pub struct Renderer {
    /// Freed before the context, which the picture owns.
    thumbnails: Thumbnails,
    pub(super) picture: Picture,
    pub(super) programs: Programs,
    pub(super) shaders: Shaders,
    map: Option<LampMap>,
    /// Light of other consoles; there is none but in a running show.
    pub(super) merging: Merging,
    overlay: Overlay,
    pub(super) power: PowerModel,
    /// What the project asks for.
    wanted: Score,
    /// What is drawn: as wanted, but a scene whose new program is not ready goes on as it was, or effect by effect.
    pub(super) score: Score,
    /// Shaders whose thumbnails are watched, and each as a scene once it compiles.
    previewed: BTreeSet<ShaderRef>,
    previews: Vec<(ShaderRef, ScoredScene)>,
    pub(super) plan: FramePlan,
    /// What was drawn last, `None` when it would not look the same now.
    drawn: Option<FramePlan>,
    packed: Vec<u8>,
    /// How often the picture has changed, for the dither: a still picture is packed the same way every time.
    pub(super) pictures: u32,
    endless: EndlessLoops,
    /// Without one, frames wait for programs.
    compiler: Option<Compiler>,
}

impl Renderer {
    /// A renderer with a context of its own on this thread.
    ///
    /// # Errors
    /// When there is no GL that serves.
    pub fn new(dialect: Option<Dialect>) -> Result<Self, GlError> {
        Self::on(Gpu::new(dialect)?)
    }

    /// A renderer on this context.
    ///
    /// # Errors
    /// When the driver refuses what every picture needs.
    pub fn on(gpu: Gpu) -> Result<Self, GlError> {
        Ok(Self {
            thumbnails: Thumbnails::default(),
            picture: Picture::new(gpu)?,
            programs: Programs::default(),
            shaders: Shaders::default(),
            map: None,
            merging: Merging::default(),
            overlay: Overlay::default(),
            power: PowerModel::default(),
            wanted: Score::default(),
            score: Score::default(),
            previewed: BTreeSet::new(),
            previews: Vec::new(),
            plan: FramePlan::default(),
            drawn: None,
            packed: Vec::new(),
            pictures: 0,
            endless: EndlessLoops::default(),
            compiler: None,
        })
    }

    /// From now on shaders and programs are compiled on a thread of their own and taken over when they are ready.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub fn compile_elsewhere(&mut self) -> io::Result<()> {
        self.compiler = Some(Compiler::start(self.picture.gpu().dialect())?);
        Ok(())
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
    pub fn set_patch(&mut self, mut patched: Patched) -> Result<(), GlError> {
        self.picture.set_map(&patched)?;
        patched.power.inherit(&self.power);
        self.power = patched.power;
        self.thumbnails.follow_map(patched.samples);
        self.map = Some(patched.map);
        self.overlay.clear();
        // Scenes of the old map would light other lamps on this one.
        self.score = Score::default();
        self.drawn = None;
        Ok(())
    }

    /// Follows a project that changed, with the lamp map it has. Says what failed; everything else goes on. The first
    /// time, scenes that are `playing` get their programs at once.
    pub fn follow(&mut self, project: &Project, playing: impl Fn(SceneId) -> bool) -> Vec<Notice> {
        let first = self.wanted.scenes.is_empty();
        let (gpu, compiler) = (self.picture.gpu(), self.compiler.as_ref());
        let mut notices = self.shaders.follow(project, &self.previewed, gpu, compiler, first);
        let Some(map) = &self.map else { return notices };
        self.wanted = Score::new(project, &self.shaders, map);
        // What a show starts with is not left dark until the compiler gets to it.
        let at_once = |scored: &ScoredScene| first && playing(scored.scene.id);
        let preview = |shader: &ShaderRef| ScoredScene::new(&preview_scene(shader), project, &self.shaders, map);
        let previews = self.previewed.iter().filter_map(|shader| Some((shader.clone(), preview(shader)?)));
        self.previews = previews.collect();
        // A program with a shader that may be replaced in a moment is not worth compiling.
        let settling = |scored: &ScoredScene| {
            scored.scene.effects.iter().any(|effect| !effect.muted && self.shaders.on_trial(&effect.shader))
        };
        let (means, score) = (Means { gpu, compiler }, &self.score);
        notices.extend(self.programs.follow(&self.wanted, score, &self.previews, means, at_once, settling));
        self.settle(&mut notices);
        notices
    }

    /// Draws these thumbnails from now on, and no others. Whether [`Self::follow`] must be called, because shaders
    /// are among them that were not.
    #[must_use]
    pub fn watch_thumbnails(&mut self, keys: &[ThumbnailKey]) -> bool {
        self.thumbnails.watch(keys);
        std::mem::replace(&mut self.previewed, shaders_of(keys)) != self.previewed
    }

    /// Draws thumbnails for as long as there is time; see [`Thumbnails::draw`].
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn draw_thumbnails(
        &mut self,
        show: &Show,
        now: Moment,
        left: Option<f64>,
        clock: impl Fn() -> f64,
    ) -> Result<(), GlError> {
        let Some(frame) = self.map.as_ref().map(|map| map.layers[0].frame) else { return Ok(()) };
        let Self { thumbnails, picture, programs, score, previews, .. } = self;
        let subjects = Subjects { gpu: picture.gpu(), frame, programs, score, previews, show, now };
        thumbnails.draw(&subjects, left, clock)
    }

    /// What is watched as it was drawn last.
    pub fn thumbnails(&self) -> &Arc<Vec<Thumbnail>> {
        self.thumbnails.published()
    }

    /// Draws from now on what is wanted, as far as its programs are ready.
    fn settle(&mut self, notices: &mut Vec<Notice>) {
        let Some(map) = &self.map else { return };
        self.drawn = None;
        self.endless.forget();
        self.score = self.wanted.clone().settled(&self.score, |key| self.programs.get(key).is_some());
        let (gpu, compiler) = (self.picture.gpu(), self.compiler.as_ref());
        notices.extend(self.programs.follow_previews(&self.previews, Means { gpu, compiler }));
        if let Err(error) = self.picture.prepare_inputs(map, &self.score, &self.programs) {
            notices.push(Notice::error("render", format!("{error}; scenes that need it stay dark.")));
        }
    }

    /// Takes over what the compiler has finished. Says what failed.
    pub fn take_compiled(&mut self, project: &Project) -> Vec<Notice> {
        let finished: Vec<Finished> = self.compiler.iter_mut().flat_map(Compiler::finished).collect();
        let mut notices = Vec::new();
        let mut tried = false;
        for finished in finished {
            match finished {
                Finished::Tried(shader, text, result) => {
                    tried = true;
                    notices.extend(self.shaders.tried(project, &shader, text, result));
                }
                Finished::Warmed(key) => self.programs.warmed(&key),
                Finished::WarmedSecond(key) => {
                    if let Some(program) = self.programs.second_warmed(&key) {
                        self.picture.try_out(program, Mix::Replace);
                        self.drawn = None;
                    }
                }
            }
        }
        if tried {
            notices.extend(self.follow(project, |_| false));
        }
        self.link_next(&mut notices);
        notices
    }

    fn link_next(&mut self, notices: &mut Vec<Notice>) {
        let means = Means { gpu: self.picture.gpu(), compiler: self.compiler.as_ref() };
        let next = self.programs.link_next(&self.wanted, &self.score, &self.previews, means);
        let Some((key, notice)) = next else { return };
        notices.extend(notice);
        self.settle(notices);
        if let Some(program) = self.programs.get(&key) {
            self.picture.try_out(program, Mix::from(key.blend));
        }
    }

    /// Works out the numbers of a moment, without drawing anything.
    pub fn plan(&mut self, show: &Show, now: Moment) -> &FramePlan {
        let alignment = self.picture.alignment();
        compose(&self.score, &show.live, now, show.clock.bpm(), alignment, &mut self.plan);
        &self.plan
    }

    /// Whether a test pattern changes the bytes.
    fn follow_test(&mut self, show: &Show) -> bool {
        let test = show.live.test.filter(|_| !show.live.blackout());
        self.overlay.follow(test, self.map.as_ref())
    }

    /// Draws the show at a moment. `false` when nothing has changed since the last time, so that its bytes are the same.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn draw(&mut self, show: &Show, now: Moment) -> Result<bool, GlError> {
        let tested = self.follow_test(show);
        self.plan(show, now);
        if self.drawn.as_ref() == Some(&self.plan) {
            return Ok(tested || !self.power.is_settled());
        }
        let Self { picture, plan, score, programs, .. } = self;
        picture.draw(Drawing { plan, score, programs }, |_, _| {})?;
        self.pictures = self.pictures.wrapping_add(1);
        std::mem::swap(self.drawn.get_or_insert_default(), &mut self.plan);
        Ok(true)
    }

    /// The same, but so that the show keeps its pace: a scene that stays as it is is kept, one that costs too much is
    /// drawn in steps.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn draw_live(&mut self, show: &Show, now: Moment, pace: Pace) -> Result<bool, GlError> {
        let tested = self.follow_test(show);
        self.plan(show, now);
        let same = self.drawn.as_ref() == Some(&self.plan);
        if same && !self.picture.is_busy() {
            self.picture.rest();
            return Ok(tested || !self.power.is_settled());
        }
        let Self { picture, plan, score, programs, .. } = self;
        picture.draw_live(Drawing { plan, score, programs }, pace)?;
        self.pictures = self.pictures.wrapping_add(1);
        std::mem::swap(self.drawn.get_or_insert_default(), &mut self.plan);
        Ok(true)
    }

    /// Passes that [`Self::draw_live`] drew for its last frame, in whole or in part; others were mixed from what was
    /// held.
    pub fn drawn_passes(&self) -> usize {
        self.picture.drawn_passes()
    }

    /// What it costs to draw the scenes of the last frame that [`Self::draw_live`] drew, as far as it is known.
    pub fn scene_costs(&self) -> Vec<SceneCost> {
        let Self { picture, drawn, score, programs, .. } = self;
        let costs = |plan| picture.scene_costs(Drawing { plan, score, programs });
        drawn.as_ref().map(costs).unwrap_or_default()
    }

    /// Looks for effects that loop without end, a little at a time; call it when the frame is out. Says what it finds.
    pub fn find_endless(&mut self, project: &Project, secs: f64) -> Option<Notice> {
        let Self { endless, picture, drawn, score, programs, .. } = self;
        let notice = match endless.waits() {
            true => endless.answered(picture.endless_answer()?, project),
            false => None,
        };
        let question = drawn.as_ref().and_then(|plan| Some((plan, endless.question(plan, score, secs)?)));
        if let Some((plan, question)) = question {
            picture.ask_endless(&question, Drawing { plan, score, programs });
        }
        notice
    }

    /// Packs what was drawn and copies the bytes of all universes, held down to what ports and supplies can give;
    /// `out` is `universes() * 512` long.
    pub fn read(&mut self, now: Moment, out: &mut [u8]) {
        self.read_packed(out, |_| {});
        self.merging.apply(out);
        self.overlay.paint(out, now.secs);
        self.power.hold_down(out, now.secs);
    }

    /// What ports and supplies give in the frame that was read last.
    pub fn power(&self) -> PowerView {
        self.power.view()
    }

    pub(super) fn read_packed(&mut self, out: &mut [u8], packed: impl FnOnce(&Gpu)) {
        debug_assert_eq!(out.len(), self.universes() * UNIVERSE_CHANNELS);
        if out.len() == self.picture.packed_bytes() {
            return self.picture.pack(self.pictures, out, packed);
        }
        self.packed.resize(self.picture.packed_bytes(), 0);
        self.picture.pack(self.pictures, &mut self.packed, packed);
        let length = out.len().min(self.packed.len());
        out[..length].copy_from_slice(&self.packed[..length]);
    }

    /// Reads what was drawn, or the test pattern over it, as sRGB, four bytes a lamp.
    ///
    /// # Errors
    /// When the driver refuses a target.
    pub fn preview(&mut self, out: &mut Vec<u8>) -> Result<(), GlError> {
        self.picture.preview(out)?;
        self.overlay.paint_stage(out);
        Ok(())
    }

    /// Whether the driver has lost the context; nothing that is drawn shows any more then.
    pub fn context_lost(&self) -> bool {
        self.picture.gpu().lost()
    }

    /// Waits until everything is drawn; only for measuring.
    pub fn finish(&self) {
        self.picture.gpu().finish();
    }
}
