//! Edits that make the compiler work while a rig is measured: scenes with combinations of effects that were never
//! seen, and a shader whose source changes.
//!
//! Pure: the n-th step is always the same.

use crate::model::edit::{Edit, Entry, SceneField};
use crate::model::effect::{Effect, ShaderRef};
use crate::model::id::{EffectId, SceneId, ShaderId};
use crate::model::project::Shader;
use crate::shading::library::BUILT_INS;
use std::sync::Arc;

/// The scene that is given other effects at every step.
const SCENE: SceneId = SceneId(1);
const SHADER: ShaderId = ShaderId(1);
const EFFECTS: usize = 5;

/// The edits of a step.
pub fn step(number: u32) -> [Edit; 2] {
    let source = format!(
        "// title: Edited\n// about: A shader under the author's hands.\n\
         vec4 effect(Lamp lamp) {{ return vec4(primary * fract(lamp.uv.x + progress + {number}.0 / 97.0), 1.0); }}\n"
    );
    let shader = Shader { id: SHADER, name: "edited".into(), source, file: None };
    // Digits of the number in base 7 name four built-in effects of seven; the fifth is the edited shader.
    let built_in = |place: u32| BUILT_INS[(number / 7_u32.pow(place) % 7) as usize].0;
    let mut shaders: Vec<ShaderRef> =
        (0..EFFECTS as u32 - 1).map(|place| ShaderRef::BuiltIn(built_in(place).into())).collect();
    shaders.push(ShaderRef::Project(SHADER));
    let effects =
        (1..).zip(shaders).map(|(id, shader)| Effect { opacity: 0.1.into(), ..Effect::new(EffectId(id), shader) });
    let effects = SceneField::Effects(effects.collect());
    [Edit::Put(Entry::Shader(Arc::new(shader))), Edit::Scene(SCENE, effects)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_combination_comes_twice_in_a_run() {
        let shaders = |number| match &step(number)[1] {
            Edit::Scene(_, SceneField::Effects(effects)) => {
                effects.iter().map(|effect| effect.shader.to_string()).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        let seen: HashSet<_> = (0..2401).map(shaders).collect();
        assert_eq!(seen.len(), 2401);
    }
}
