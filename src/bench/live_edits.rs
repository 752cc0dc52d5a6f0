//! Edits that make the compiler work while a rig is measured: a shader whose source changes, a scene whose effects
//! change, and a scene that is made and launched, all with combinations that were never seen.
//!
//! Pure: the n-th step of a run is always the same. Runs differ in their sources, so that no driver's cache knows them.

use crate::model::edit::{Edit, Entry, SceneField};
use crate::model::effect::{Effect, ShaderRef};
use crate::model::id::{EffectId, SceneId, ShaderId};
use crate::model::project::Shader;
use crate::model::references::Key;
use crate::model::scene::{Cell, Scene};
use crate::shading::library::BUILT_INS;
use crate::show::command::{Command, LiveCommand};
use std::sync::Arc;

/// The scene that is given other effects at every step.
const SCENE: SceneId = SceneId(1);
/// Scenes that are launched have ids from here on.
const LAUNCHED: u32 = 100_000;
/// Where they are; free in rigs of up to 235 effects.
const CELL: Cell = Cell { column: 7, row: 5 };
const SHADER: ShaderId = ShaderId(1);
const EFFECTS: usize = 5;

/// The commands of a step in a run.
pub fn step(run: u64, number: u32) -> Vec<Command> {
    let source = format!(
        "// title: Edited\n// about: A shader under the author's hands.\n\
         const float K = {run}.0e-20 + {number}.0 / 97.0;\n\
         vec4 effect(Lamp lamp) {{ return vec4(primary * fract(lamp.uv.x + progress + K), 1.0); }}\n"
    );
    let shader = Shader { id: SHADER, name: "edited".into(), source, file: None, library: None };
    let launched = |number: u32| SceneId(LAUNCHED + number);
    let scene = Scene { effects: effects(number, 7), ..Scene::new(launched(number), CELL, "launched") };
    let before = number.checked_sub(1).map(|before| Edit::Remove(Key::Scene(launched(before))));
    let edits =
        [Edit::Put(Entry::Shader(Arc::new(shader))), Edit::Scene(SCENE, SceneField::Effects(effects(number, 0)))];
    let edits = edits.into_iter().chain(before).chain([Edit::Put(Entry::Scene(Arc::new(scene)))]);
    let launch = LiveCommand::Activate(launched(number), true).into();
    edits.map(|edit| Command::Edit { edit, gesture: None }).chain([launch]).collect()
}

/// Digits of the number in base 7 name four built-in effects of seven from `first` on; the fifth is the edited shader.
fn effects(number: u32, first: usize) -> Vec<Effect> {
    let built_in = |place: u32| BUILT_INS[first + (number / 7_u32.pow(place) % 7) as usize].0;
    let mut shaders: Vec<ShaderRef> =
        (0..EFFECTS as u32 - 1).map(|place| ShaderRef::BuiltIn(built_in(place).into())).collect();
    shaders.push(ShaderRef::Project(SHADER));
    let effects = (1..).zip(shaders);
    effects.map(|(id, shader)| Effect { opacity: 0.1.into(), ..Effect::new(EffectId(id), shader) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::rig_project::{Workload, rig_project};
    use crate::show::Show;
    use crate::show::live::Moment;
    use std::collections::HashSet;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Instant;

    #[test]
    fn no_combination_comes_twice_in_a_run() {
        let shaders = |number| effects(number, 0).iter().map(|effect| effect.shader.to_string()).collect::<Vec<_>>();
        let seen: HashSet<_> = (0..2401).map(shaders).collect();
        assert_eq!(seen.len(), 2401);
    }

    #[test]
    fn every_step_is_played_and_the_last_scene_is_the_only_one_launched() {
        let project = rig_project(1, 50, Workload::Ring, IpAddr::V4(Ipv4Addr::LOCALHOST));
        let scenes = project.scenes.iter().count();
        let mut show = Show::new(project, None, Instant::now());
        for number in 0..10 {
            for command in step(7, number) {
                let outcome = show.apply(command, Moment::default());
                assert!(matches!(outcome, crate::show::Outcome::Done), "{outcome:?}");
            }
            assert_eq!(show.project.scenes.iter().count(), scenes + 1);
            assert!(show.live.is_playing(SceneId(LAUNCHED + number)));
        }
    }
}
