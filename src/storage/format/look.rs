//! Palettes, shaders and scenes with their effects as a file holds them.

use super::item::FileItem;
use super::movement::FileMoving;
use super::numbers::{is_default, is_one, level, one};
use crate::model::effect::{Blend, Effect, Modulated, ParamValue, Selection, ShaderRef};
use crate::model::id::{CurveId, DefinitionId, EffectId, LayoutId, ModeId, PaletteId, SceneId, ShaderId, TriggerId};
use crate::model::palette::{Colour, GRADIENT_STOPS, Palette};
use crate::model::project::Shader;
use crate::model::scene::{Cell, Launch, Scene, SceneBlend, ScenePalette};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Two colours and a gradient.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Palette")]
pub(super) struct FilePalette {
    id: PaletteId,
    #[serde(default)]
    name: String,
    primary: Colour,
    secondary: Colour,
    gradient: Vec<Colour>,
}

impl FileItem for FilePalette {
    type Model = Palette;
    const SECTION: &'static str = "palettes";
    const KIND: &'static str = "palette";

    fn from_model(palette: &Palette) -> Self {
        Self {
            id: palette.id,
            name: palette.name.clone(),
            primary: palette.primary,
            secondary: palette.secondary,
            gradient: palette.gradient.to_vec(),
        }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Palette, String> {
        let gradient = <[Colour; GRADIENT_STOPS]>::try_from(self.gradient)
            .map_err(|stops| format!("its gradient has {} stops; it needs {GRADIENT_STOPS}", stops.len()))?;
        Ok(Palette { id: self.id, name: self.name, primary: self.primary, secondary: self.secondary, gradient })
    }
}

/// GLSL source that travels with the project.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Shader")]
pub(super) struct FileShader {
    id: ShaderId,
    #[serde(default)]
    name: String,
    /// Below the project file's folder.
    #[serde(default, skip_serializing_if = "is_default")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    library: Option<String>,
    source: String,
}

impl FileItem for FileShader {
    type Model = Shader;
    const SECTION: &'static str = "shaders";
    const KIND: &'static str = "shader";

    fn from_model(shader: &Shader) -> Self {
        let Shader { id, name, source, file, library } = shader.clone();
        Self { id, name, file, library, source }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Shader, String> {
        Ok(Shader { id: self.id, name: self.name, source: self.source, file: self.file, library: self.library })
    }
}

/// A tile of the grid.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Scene")]
pub(super) struct FileScene {
    id: SceneId,
    #[serde(default)]
    name: String,
    /// From 0.
    column: u8,
    /// From 0.
    row: u8,
    #[serde(default, skip_serializing_if = "is_default")]
    tag: u8,
    #[serde(default, skip_serializing_if = "is_default")]
    active: bool,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    opacity: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    opacity_curve: Option<CurveId>,
    #[serde(default, skip_serializing_if = "is_default")]
    opacity_trigger: Option<TriggerId>,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    dimmer: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    ignores_master: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    beat_offset: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    fade_in: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    fade_out: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    launch: Launch,
    #[serde(default, skip_serializing_if = "is_default")]
    blend: SceneBlend,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selection: Option<FileSelection>,
    #[serde(default, skip_serializing_if = "is_default")]
    palette: ScenePalette,
    #[serde(default, skip_serializing_if = "is_default")]
    key: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    effects: Vec<FileEffect>,
}

/// The lamps that something lights.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Selection")]
struct FileSelection {
    layout: LayoutId,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    modes: Vec<(DefinitionId, ModeId)>,
}

impl From<&Selection> for FileSelection {
    fn from(selection: &Selection) -> Self {
        Self { layout: selection.layout, modes: selection.modes.clone() }
    }
}

impl From<FileSelection> for Selection {
    fn from(file: FileSelection) -> Self {
        Self { layout: file.layout, modes: file.modes }
    }
}

impl FileItem for FileScene {
    type Model = Scene;
    const SECTION: &'static str = "scenes";
    const KIND: &'static str = "scene";

    fn from_model(scene: &Scene) -> Self {
        Self {
            id: scene.id,
            name: scene.name.clone(),
            column: scene.cell.column,
            row: scene.cell.row,
            tag: scene.tag,
            active: scene.active,
            opacity: scene.opacity.get(),
            opacity_curve: scene.opacity_curve,
            opacity_trigger: scene.opacity_trigger,
            dimmer: scene.dimmer.get(),
            ignores_master: scene.ignores_master,
            beat_offset: scene.beat_offset,
            fade_in: scene.fade_in,
            fade_out: scene.fade_out,
            launch: scene.launch,
            blend: scene.blend,
            selection: scene.selection.as_ref().map(FileSelection::from),
            palette: scene.palette,
            key: scene.key.clone(),
            effects: scene.effects.iter().map(FileEffect::from).collect(),
        }
    }

    fn into_model(self, notes: &mut Vec<String>) -> Result<Scene, String> {
        Ok(Scene {
            id: self.id,
            cell: Cell { column: self.column, row: self.row },
            name: self.name,
            tag: self.tag,
            effects: self.effects.into_iter().map(Effect::from).collect(),
            active: self.active,
            opacity: level("opacity", self.opacity, notes),
            opacity_curve: self.opacity_curve,
            opacity_trigger: self.opacity_trigger,
            dimmer: level("dimmer", self.dimmer, notes),
            ignores_master: self.ignores_master,
            beat_offset: self.beat_offset,
            fade_in: self.fade_in,
            fade_out: self.fade_out,
            launch: self.launch,
            blend: self.blend,
            selection: self.selection.map(Selection::from),
            palette: self.palette,
            key: self.key,
        })
    }
}

/// A shader at work in a scene.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Effect")]
struct FileEffect {
    id: EffectId,
    shader: ShaderRef,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, FileParam>,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    opacity: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    opacity_curve: Option<CurveId>,
    #[serde(default, skip_serializing_if = "is_default")]
    opacity_trigger: Option<TriggerId>,
    #[serde(default, skip_serializing_if = "is_default")]
    colour_shift: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    colour_shift_curve: Option<CurveId>,
    #[serde(default, skip_serializing_if = "is_default")]
    colour_shift_trigger: Option<TriggerId>,
    #[serde(default, skip_serializing_if = "is_default")]
    beat_offset: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    speed_exponent: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    progress: Option<CurveId>,
    #[serde(default, skip_serializing_if = "is_default")]
    blend: Blend,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selection: Option<FileSelection>,
    #[serde(default, skip_serializing_if = "is_default")]
    muted: bool,
}

/// A parameter's value.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Param")]
enum FileParam {
    /// For float, int, percent and degrees.
    Number(f32),
    /// The same, times a curve.
    Modulated(f32, CurveId),
    /// The same, times a trigger and perhaps a curve.
    Moving {
        base: f32,
        #[serde(default, skip_serializing_if = "is_default")]
        curve: Option<CurveId>,
        #[serde(default, skip_serializing_if = "is_default")]
        trigger: Option<TriggerId>,
    },
    Switch(bool),
    Choice(String),
    Point(f32, f32),
    /// A point that moves.
    MovingPoint(FileMoving, FileMoving),
    Colour(Colour),
}

impl From<&ParamValue> for FileParam {
    fn from(value: &ParamValue) -> Self {
        match value {
            ParamValue::Number(Modulated { base, curve: None, trigger: None }) => Self::Number(*base),
            ParamValue::Number(Modulated { base, curve: Some(curve), trigger: None }) => Self::Modulated(*base, *curve),
            ParamValue::Number(Modulated { base, curve, trigger }) => {
                Self::Moving { base: *base, curve: *curve, trigger: *trigger }
            }
            ParamValue::Switch(on) => Self::Switch(*on),
            ParamValue::Choice(name) => Self::Choice(name.clone()),
            ParamValue::Point(x, y) if x.is_still() && y.is_still() => Self::Point(x.base, y.base),
            ParamValue::Point(x, y) => Self::MovingPoint((*x).into(), (*y).into()),
            ParamValue::Colour(colour) => Self::Colour(*colour),
        }
    }
}

impl From<FileParam> for ParamValue {
    fn from(file: FileParam) -> Self {
        match file {
            FileParam::Number(base) => Self::Number(base.into()),
            FileParam::Modulated(base, curve) => {
                Self::Number(Modulated { curve: Some(curve), ..Modulated::from(base) })
            }
            FileParam::Moving { base, curve, trigger } => Self::Number(Modulated { base, curve, trigger }),
            FileParam::Switch(on) => Self::Switch(on),
            FileParam::Choice(name) => Self::Choice(name),
            FileParam::Point(x, y) => Self::Point(x.into(), y.into()),
            FileParam::MovingPoint(x, y) => Self::Point(x.into(), y.into()),
            FileParam::Colour(colour) => Self::Colour(colour),
        }
    }
}

impl From<&Effect> for FileEffect {
    fn from(effect: &Effect) -> Self {
        Self {
            id: effect.id,
            shader: effect.shader.clone(),
            params: effect.params.iter().map(|(name, value)| (name.clone(), value.into())).collect(),
            opacity: effect.opacity.base,
            opacity_curve: effect.opacity.curve,
            opacity_trigger: effect.opacity.trigger,
            colour_shift: effect.colour_shift.base,
            colour_shift_curve: effect.colour_shift.curve,
            colour_shift_trigger: effect.colour_shift.trigger,
            beat_offset: effect.beat_offset,
            speed_exponent: effect.speed_exponent,
            progress: effect.progress,
            blend: effect.blend,
            selection: effect.selection.as_ref().map(FileSelection::from),
            muted: effect.muted,
        }
    }
}

impl From<FileEffect> for Effect {
    fn from(file: FileEffect) -> Self {
        Self {
            id: file.id,
            shader: file.shader,
            params: file.params.into_iter().map(|(name, value)| (name, value.into())).collect(),
            opacity: Modulated { base: file.opacity, curve: file.opacity_curve, trigger: file.opacity_trigger },
            colour_shift: Modulated {
                base: file.colour_shift,
                curve: file.colour_shift_curve,
                trigger: file.colour_shift_trigger,
            },
            beat_offset: file.beat_offset,
            speed_exponent: file.speed_exponent,
            progress: file.progress,
            blend: file.blend,
            selection: file.selection.map(Selection::from),
            muted: file.muted,
        }
    }
}
