//! Current: what fixtures draw, and what ports and supplies can give.
//!
//! Pure values. The estimate counts light channels only: `milliamps` at full drive for each, in proportion to light,
//! and what a pixel draws when it is dark. What holds it down lives in `render::power`.

use super::drive::{Drive, LEVELS};
use super::fixture::FixtureDefinition;
use super::id::{ChainId, Item, SupplyId};
use serde::{Deserialize, Serialize};

/// What a pixel draws. Nothing by default, which means: not known, and never held down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Current {
    /// mA of each channel at full, in the order of the channels; the last one holds for all that follow. Low bytes
    /// and constants draw nothing of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub milliamps: Vec<f32>,
    /// mA of a dark pixel.
    #[serde(skip_serializing_if = "is_none")]
    pub idle: f32,
}

/// The most that one channel, port or supply may be said to draw or give, mA.
pub const MAX_MILLIAMPS: f64 = 10_000_000.0;

/// A power supply and the ports that it feeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Supply {
    /// Stable id.
    pub id: SupplyId,
    /// What the operator calls it.
    pub name: String,
    /// What it can give, mA.
    pub cap_ma: f32,
    /// The chains that it feeds; a chain is fed by one supply.
    pub chains: Vec<ChainId>,
}

impl Item for Supply {
    type Id = SupplyId;

    fn id(&self) -> SupplyId {
        self.id
    }
}

impl FixtureDefinition {
    /// mA at full of its channel at `place`; 0 for constants and low bytes.
    pub fn channel_milliamps(&self, place: usize) -> f32 {
        let light = self.channels.get(place).and_then(|channel| channel.emitter()).is_some_and(|(_, low)| !low);
        let given = self.current.milliamps.get(place).or(self.current.milliamps.last());
        given.copied().filter(|_| light).unwrap_or_default()
    }

    /// Whether anything is known of what it draws.
    pub fn draws(&self) -> bool {
        self.current.idle > 0.0 || (0..self.channels.len()).any(|place| self.channel_milliamps(place) > 0.0)
    }

    /// mA of one pixel that shows this linear light.
    pub fn pixel_milliamps(&self, light: [f32; 3]) -> f32 {
        let levels = Drive::new(&self.channels, &self.light).levels(light);
        let level = |place: usize| -> f32 {
            let emitter = self.channels[place].emitter().and_then(|(emitter, _)| emitter.place());
            emitter.filter(|emitter| *emitter < LEVELS).map_or(0.0, |emitter| levels[emitter])
        };
        let light = (0..self.channels.len()).map(|place| level(place) * self.channel_milliamps(place));
        self.current.idle + light.sum::<f32>()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(milliamps: &f32) -> bool {
    *milliamps == 0.0
}
