//! Effects: a shader with values, and how it mixes into its scene.

use super::id::{CurveId, DefinitionId, EffectId, LayoutId, ModeId, ShaderId, TriggerId};
use super::library::LibraryShader;
use super::palette::Colour;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Which GLSL source an effect runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ShaderRef {
    /// One of Glowdeck's own, by its file name without `.frag`; these names never change.
    BuiltIn(String),
    /// One inside the project.
    Project(ShaderId),
    /// One of the user's library, to be looked at: no project may hold it, who takes it gets a copy.
    #[serde(skip)]
    Library(Arc<LibraryShader>),
}

impl fmt::Display for ShaderRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => f.write_str(name),
            Self::Project(id) => write!(f, "project shader {id}"),
            Self::Library(shader) => write!(f, "library shader {}", shader.name),
        }
    }
}

/// A number that may move in time: base x curve(beat) x level of the trigger.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Modulated {
    /// The value without modulation, and its peak with it.
    pub base: f32,
    /// The curve it is multiplied by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<CurveId>,
    /// The trigger it is multiplied by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<TriggerId>,
}

impl Modulated {
    /// Whether it stays at its base.
    pub fn is_still(&self) -> bool {
        self.curve.is_none() && self.trigger.is_none()
    }
}

impl From<f32> for Modulated {
    fn from(base: f32) -> Self {
        Self { base, curve: None, trigger: None }
    }
}

/// The value of a declared parameter. What a shader does not declare, or declares as another kind, is ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamValue {
    /// For float, int, percent and degrees.
    Number(Modulated),
    /// For bool.
    Switch(bool),
    /// For choice, by the choice's name.
    Choice(String),
    /// For point, 0..=1 over the layout's frame; each component moves on its own.
    Point(Modulated, Modulated),
    /// For colour.
    Colour(Colour),
}

/// How an effect meets the effects before it in its scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Blend {
    /// Light adds up.
    #[default]
    Add,
    /// The brighter of each component.
    Max,
    /// What is below is coloured by it.
    Multiply,
    /// It covers what is below, as far as its coverage says.
    Over,
    /// What is below shows where it is bright.
    Mask,
}

/// The lamps that something lights: a layout, and for fixture definitions the mode that groups their pixels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Selection {
    /// Only fixtures in this layout light up, at its positions.
    pub layout: LayoutId,
    /// The mode of each definition; what is not named is lit pixel by pixel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<(DefinitionId, ModeId)>,
}

/// A shader at work in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Stable id, unique over the project.
    pub id: EffectId,
    /// What it runs.
    pub shader: ShaderRef,
    /// Values by parameter name; the header's default where there is none.
    pub params: BTreeMap<String, ParamValue>,
    /// Its share, 0..=1.
    pub opacity: Modulated,
    /// Turn of the palette's hues, in turns.
    pub colour_shift: Modulated,
    /// Beats ahead of the scene.
    pub beat_offset: f64,
    /// Runs 2^n times as fast, -8..=8.
    pub speed_exponent: f32,
    /// What drives `progress`; linear 0..1 over four beats without one.
    pub progress: Option<CurveId>,
    /// How it meets the effects before it.
    pub blend: Blend,
    /// The lamps it lights; the scene's without one.
    pub selection: Option<Selection>,
    /// Kept, but silent.
    pub muted: bool,
}

impl Effect {
    /// An effect at the defaults of the specification.
    pub fn new(id: EffectId, shader: ShaderRef) -> Self {
        Self {
            id,
            shader,
            params: BTreeMap::new(),
            opacity: Modulated::from(1.0),
            colour_shift: Modulated::from(0.0),
            beat_offset: 0.0,
            speed_exponent: 0.0,
            progress: None,
            blend: Blend::default(),
            selection: None,
            muted: false,
        }
    }
}
