//! Curves and triggers, and numbers that move by them, as a file holds them.

use super::item::FileItem;
use super::numbers::{is_default, is_yes, level, yes};
use crate::model::curve::{Curve, CurvePoint};
use crate::model::effect::Modulated;
use crate::model::id::{CurveId, TriggerId};
use crate::model::trigger::Trigger;
use serde::{Deserialize, Serialize};

/// A value over time.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Curve")]
pub(super) struct FileCurve {
    id: CurveId,
    #[serde(default)]
    name: String,
    #[serde(default = "four_beats")]
    length: f64,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    looped: bool,
    points: Vec<FilePoint>,
}

fn four_beats() -> f64 {
    4.0
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Point")]
struct FilePoint {
    beat: f64,
    y: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    control: Option<(f64, f64)>,
}

impl FileItem for FileCurve {
    type Model = Curve;
    const SECTION: &'static str = "curves";
    const KIND: &'static str = "curve";

    fn from_model(curve: &Curve) -> Self {
        let point = |point: &CurvePoint| FilePoint { beat: point.beat, y: point.y, control: point.control };
        Self {
            id: curve.id,
            name: curve.name.clone(),
            length: curve.length,
            looped: curve.looped,
            points: curve.points.iter().map(point).collect(),
        }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Curve, String> {
        let point = |file: FilePoint| CurvePoint { beat: file.beat, y: file.y, control: file.control };
        Ok(Curve {
            id: self.id,
            name: self.name,
            length: self.length,
            looped: self.looped,
            points: self.points.into_iter().map(point).collect(),
        })
    }
}

/// A gate on a band of the sound.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Trigger")]
pub(super) struct FileTrigger {
    id: TriggerId,
    #[serde(default)]
    name: String,
    low_hz: f32,
    high_hz: f32,
    threshold: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    attack_secs: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    hold_secs: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    release_secs: f64,
}

impl FileItem for FileTrigger {
    type Model = Trigger;
    const SECTION: &'static str = "triggers";
    const KIND: &'static str = "trigger";

    fn from_model(trigger: &Trigger) -> Self {
        Self {
            id: trigger.id,
            name: trigger.name.clone(),
            low_hz: trigger.low_hz,
            high_hz: trigger.high_hz,
            threshold: trigger.threshold.get(),
            attack_secs: trigger.attack_secs,
            hold_secs: trigger.hold_secs,
            release_secs: trigger.release_secs,
        }
    }

    fn into_model(self, notes: &mut Vec<String>) -> Result<Trigger, String> {
        Ok(Trigger {
            id: self.id,
            name: self.name,
            low_hz: self.low_hz,
            high_hz: self.high_hz,
            threshold: level("threshold", self.threshold, notes),
            attack_secs: self.attack_secs,
            hold_secs: self.hold_secs,
            release_secs: self.release_secs,
        })
    }
}

/// A number with what it is multiplied by.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Moving")]
pub(super) struct FileMoving {
    base: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    curve: Option<CurveId>,
    #[serde(default, skip_serializing_if = "is_default")]
    trigger: Option<TriggerId>,
}

impl From<Modulated> for FileMoving {
    fn from(Modulated { base, curve, trigger }: Modulated) -> Self {
        Self { base, curve, trigger }
    }
}

impl From<FileMoving> for Modulated {
    fn from(FileMoving { base, curve, trigger }: FileMoving) -> Self {
        Self { base, curve, trigger }
    }
}
