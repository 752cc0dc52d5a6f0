//! Bridges: a scene whose program is not ready yet and that never sounded is lit by programs of one effect each.
//!
//! Pure. Such a scene is several scenes of the score, one an effect, that the blending of the target mixes: exactly
//! where scene and effects all add, all take the maximum or all lie over each other at full weight. Elsewhere it is
//! near and never brighter than meant: an effect that would have to cover or to outshine only those of its own scene
//! takes the maximum with all that is lit. Multiply and Mask have no blending that leaves other scenes alone, so
//! everything they would dim waits for the scene's own program.

use super::score::{ProgramKey, Score, ScoredEffect, ScoredScene};
use crate::model::effect::Blend;
use crate::model::scene::SceneBlend;
use crate::shading::fuse::{SCENE_SLOTS, param_places};

impl ScoredScene {
    /// Place and key of each effect that can sound alone; none where the scene's program has but one anyway.
    pub fn bridge_keys(&self) -> impl Iterator<Item = (usize, ProgramKey)> {
        let dims = |effect: &ScoredEffect| matches!(effect.blend, Blend::Multiply | Blend::Mask);
        let lit = match self.effects.len() {
            0 | 1 => self.effects.len(),
            _ => self.effects.iter().rposition(dims).map_or(0, |last| last + 1),
        };
        self.effects.iter().enumerate().skip(lit).map(|(place, effect)| {
            let blend = match (self.scene.blend, effect.blend) {
                (blend, Blend::Add) => blend,
                (SceneBlend::Over, Blend::Over) => SceneBlend::Over,
                // What lies lowest meets nothing of its own scene.
                (blend, _) if place == 0 => blend,
                _ => SceneBlend::Max,
            };
            let (version, _, own_selection) = self.key.parts[place];
            (place, ProgramKey { parts: vec![(version, Blend::Add, own_selection)], blend })
        })
    }

    /// The scene with one effect only, for a key of [`Self::bridge_keys`].
    pub fn alone(&self, place: usize, key: ProgramKey) -> Self {
        let effect = ScoredEffect { blend: Blend::Add, slot: SCENE_SLOTS, ..self.effects[place].clone() };
        let slots = SCENE_SLOTS + param_places(&effect.text.header).1;
        Self {
            scene: self.scene.clone(),
            key,
            bridge: true,
            layer: self.layer,
            rows: self.rows.clone(),
            slots,
            palette: self.palette.clone(),
            opacity: self.opacity.clone(),
            effects: vec![effect],
        }
    }
}

impl Score {
    /// The same with programs that are ready: another scene goes on as it was in `before`, where that one is ready,
    /// else its effects sound one by one, as far as they are.
    #[must_use]
    pub fn settled(self, before: &Self, ready: impl Fn(&ProgramKey) -> bool) -> Self {
        let mut scenes = Vec::with_capacity(self.scenes.len());
        for scored in self.scenes {
            if ready(&scored.key) {
                scenes.push(scored);
            } else if let Some(old) = before.serving(&scored).filter(|old| ready(&old.key)) {
                scenes.push(old.clone());
            } else {
                let alone = scored.bridge_keys().filter(|(_, key)| ready(key));
                scenes.extend(alone.map(|(place, key)| scored.alone(place, key)));
            }
        }
        Self { scenes }
    }

    /// What sounds of a scene with a program of its own, perhaps as it was before an edit.
    pub fn serving(&self, scored: &ScoredScene) -> Option<&ScoredScene> {
        self.scenes.iter().find(|old| !old.bridge && old.scene.id == scored.scene.id)
    }
}

#[cfg(test)]
mod tests;
