//! Snapshots: the show as the interface sees it, immutable, published by the render thread, newest wins.

use super::triggers::TriggerView;
use crate::model::effect::ShaderRef;
use crate::model::id::{ChainId, FixtureId, LayoutId, SceneId, SupplyId, TriggerId};
use crate::model::patch::{PatchAddress, Straddle};
use crate::model::project::Project;
use crate::show::test_pattern::TestPattern;
use crate::show::thumbnail::Thumbnail;
use crate::timing::clock::{BeatClock, ClockSource};
use crate::units::{Beats, Bpm, Level};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// What a scene does now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayState {
    /// Silent.
    #[default]
    Off,
    /// Launched or stopped, waiting for its beat.
    Waiting,
    /// On its way up.
    FadingIn,
    /// Fully on.
    On,
    /// On its way down.
    FadingOut,
    /// Held on by the operator.
    Flashed,
}

/// A scene as it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneView {
    /// Which one.
    pub id: SceneId,
    /// What it does.
    pub state: PlayState,
    /// Where its fade is, 0..=1.
    pub fade: Level,
    /// Its fader.
    pub opacity: Level,
    /// Its dimmer input.
    pub dimmer: Level,
}

/// The clock at the moment of the snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClockView {
    /// Beats since the start, on the downbeat where divisible by 4.
    pub beat: Beats,
    /// Tempo.
    pub bpm: Bpm,
    /// Where the tempo comes from.
    pub source: ClockSource,
}

impl ClockView {
    /// A clock at a beat of it.
    pub fn of(clock: &BeatClock, beat: f64) -> Self {
        Self { beat: Beats(beat), bpm: clock.bpm(), source: clock.source() }
    }
}

/// What it costs to draw a scene that sounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneCost {
    /// Which one.
    pub id: SceneId,
    /// The GPU's time for all its lamps, milliseconds; the processor's where that draws.
    pub ms: f32,
    /// In how many frames it is drawn: more than one where it would hold up the show.
    pub steps: u32,
}

/// How the render thread is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderStats {
    /// Frames in the last second.
    pub fps: f32,
    /// Frames that there should be in a second; `None` for as many as there can be.
    pub asked_fps: Option<f32>,
    /// Longest time between two frames in the last seconds, milliseconds.
    pub longest_gap_ms: f32,
    /// The same since the start or the last reset, milliseconds.
    pub longest_gap_ever_ms: f32,
    /// Of a hundred intervals between frames since then, ninety-nine are at most so far from what they should be.
    pub interval_error_p99_ms: f32,
    /// Lamps in the patch and topology.
    pub lamps: usize,
    /// Universes in the frame.
    pub universes: usize,
    /// The GL renderer's own name.
    pub renderer: Arc<str>,
}

/// What a port or a supply gives in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// mA by the estimate, as held down.
    pub milliamps: f32,
    /// The most it may be, mA.
    pub cap_ma: Option<f32>,
    /// How far its light is held down, 0..=1; for a port together with its supply.
    pub scale: f32,
}

/// What ports and supplies give, of all of which something is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PowerView {
    /// By chain, in the order of their ids.
    pub ports: Vec<(ChainId, Load)>,
    /// In the order of their ids.
    pub supplies: Vec<(SupplyId, Load)>,
}

/// Where the lamps are in the layout that is looked at, for drawing. The same `Arc` for as long as patch and layout are
/// the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageMap {
    /// The layout; none for lamps of no project.
    pub layout: Option<LayoutId>,
    /// Lamp-major, metres, x right, y up; not a number for lamps that the layout does not hold.
    pub positions: Vec<[f32; 2]>,
    /// Lowest corner of the frame, metres.
    pub min: [f32; 2],
    /// Highest corner of the frame, metres.
    pub max: [f32; 2],
    /// The fixtures that the lamps belong to, in the order of their lamps.
    pub fixtures: Vec<StageFixture>,
}

/// A fixture on the stage.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFixture {
    /// Which one.
    pub id: FixtureId,
    /// Its lamps.
    pub lamps: Range<usize>,
    /// The corners of the box around its pixels, metres, in turn.
    pub corners: [[f32; 2]; 4],
    /// Where its data is; `None` for one on no chain.
    pub data: Option<StageData>,
}

/// Where a fixture's data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageData {
    /// First byte of the frame.
    pub byte: usize,
    /// Channels of a pixel.
    pub width: usize,
    /// What happens at a universe's end.
    pub straddle: Straddle,
}

impl StageMap {
    /// The fixture of a lamp.
    pub fn fixture_of(&self, lamp: usize) -> Option<&StageFixture> {
        let place = self.fixtures.partition_point(|fixture| fixture.lamps.end <= lamp);
        self.fixtures.get(place).filter(|fixture| fixture.lamps.contains(&lamp))
    }
}

impl StageFixture {
    /// Where the data of one of its pixels begins.
    pub fn address_of(&self, pixel: usize) -> Option<PatchAddress> {
        let StageData { byte, width, straddle } = self.data?;
        PatchAddress::from_byte(straddle.pixel_bytes(byte, width, pixel as u32 + 1).last()?)
    }
}

/// The lamps' colours at one moment. The same `Arc` for as long as no lamp changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageFrame {
    /// Lamp-major RGBA, sRGB, four bytes a lamp; at least as many as the map has positions.
    pub colours: Vec<u8>,
}

/// What the compiler thinks of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has not said yet.
    Trying,
    /// It compiles.
    Good,
    /// It does not: all that the driver says is wrong, in the order of the author's lines. Never empty.
    Failed(Arc<[ShaderFault]>),
}

/// Something that is wrong with a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderFault {
    /// The author's line, from 1; 0 where it is in none.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

/// A shader that is used or looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderView {
    /// Which one.
    pub shader: ShaderRef,
    /// The source that was tried last.
    pub source: Arc<str>,
    /// What became of it.
    pub verdict: Verdict,
    /// Whether a good version runs, this source or the last one that compiled.
    pub runs: bool,
}

/// The show at one frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Counts up with every frame.
    pub number: u64,
    /// The document.
    pub project: Project,
    /// Where it was read from or written to.
    pub path: Option<PathBuf>,
    /// Whether it has edits that no file holds.
    pub dirty: bool,
    /// What undo would take back.
    pub undo: Option<Arc<str>>,
    /// What redo would do again.
    pub redo: Option<Arc<str>>,
    /// All scenes in the order of their ids.
    pub scenes: Arc<Vec<SceneView>>,
    /// All triggers in the order of their ids. The same `Arc` for as long as none moves.
    pub triggers: Arc<Vec<TriggerView>>,
    /// The master fader.
    pub master: Level,
    /// Whether everything is held at zero.
    pub blackout: bool,
    /// The pattern that lamps show instead of the show's light.
    pub test: Option<TestPattern>,
    /// Shaders that are used or looked at, in order. The same `Arc` for as long as nothing is tried.
    pub shaders: Arc<Vec<ShaderView>>,
    /// The beat.
    pub clock: ClockView,
    /// How rendering goes.
    pub render: RenderStats,
    /// What scenes cost, those that were measured, in the order of their ids.
    pub costs: Arc<Vec<SceneCost>>,
    /// What ports and supplies give.
    pub power: Arc<PowerView>,
    /// Where the lamps are.
    pub stage_map: Arc<StageMap>,
    /// The lamps' colours; `None` while nobody watches.
    pub stage: Option<Arc<StageFrame>>,
    /// What is watched as it looks alone, in the order of its keys. The same `Arc` for as long as none changes.
    pub thumbnails: Arc<Vec<Thumbnail>>,
}

impl Snapshot {
    /// How a scene is played.
    pub fn scene(&self, id: SceneId) -> Option<&SceneView> {
        self.scenes.binary_search_by_key(&id, |view| view.id).ok().map(|place| &self.scenes[place])
    }

    /// How a trigger is played.
    pub fn trigger(&self, id: TriggerId) -> Option<&TriggerView> {
        self.triggers.binary_search_by_key(&id, |view| view.id).ok().map(|place| &self.triggers[place])
    }

    /// What a scene costs, when it was measured.
    pub fn cost(&self, id: SceneId) -> Option<&SceneCost> {
        self.costs.binary_search_by_key(&id, |cost| cost.id).ok().map(|place| &self.costs[place])
    }

    /// What the compiler thinks of a shader that is used or looked at.
    pub fn shader(&self, shader: &ShaderRef) -> Option<&ShaderView> {
        self.shaders.iter().find(|view| view.shader == *shader)
    }

    /// Which of the bar's four beats it is, 0..=3.
    pub fn beat_of_bar(&self) -> usize {
        self.clock.beat.0.rem_euclid(4.0) as usize
    }

    /// Whether any scene is on, or on its way.
    pub fn sounds(&self) -> bool {
        self.scenes.iter().any(|view| view.state != PlayState::Off)
    }
}
