//! The compiler's queue: what is waited for goes first, and what nobody wants any more is forgotten.
//!
//! Pure. Deliberately absent: preemption; a job that runs is finished.

use super::score::ProgramKey;
use crate::model::effect::ShaderRef;
use crate::shading::ShaderText;
use crate::shading::fuse::Sources;
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// How much a program is waited for, most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// One effect of a scene of which nothing is lit yet.
    Bridge,
    /// A scene's own.
    Scene,
    /// One effect of a scene that is lit; it may be another's bridge one day.
    Spare,
}

/// Something to compile.
pub enum Job {
    /// Whether a shader compiles alone.
    Try(ShaderRef, Arc<ShaderText>),
    /// A program, so that it is in the driver's cache.
    Warm {
        /// Which.
        key: ProgramKey,
        /// Gone when nobody wants it any more.
        sources: Weak<Sources>,
        /// When.
        urgency: Urgency,
        /// As it replaces what is in the target instead of being mixed into it; when there is nothing else to do.
        second: bool,
    },
}

impl Job {
    fn lane(&self) -> usize {
        match self {
            Self::Try(..) => 0,
            Self::Warm { second: true, .. } => 4,
            Self::Warm { urgency, .. } => 1 + *urgency as usize,
        }
    }

    fn wanted(&self) -> bool {
        match self {
            Self::Try(..) => true,
            Self::Warm { sources, .. } => sources.strong_count() > 0,
        }
    }
}

/// Jobs that wait, by how much they are waited for.
#[derive(Default)]
pub struct Lanes([VecDeque<Job>; 5]);

impl Lanes {
    /// Adds a job behind those of its kind.
    pub fn push(&mut self, job: Job) {
        if let Job::Try(shader, _) = &job {
            // An author's older version tells nothing any more.
            self.0[0].retain(|other| !matches!(other, Job::Try(same, _) if same == shader));
        }
        self.0[job.lane()].push_back(job);
    }

    /// The next job that somebody still wants.
    pub fn pop(&mut self) -> Option<Job> {
        self.0.iter_mut().find_map(|lane| {
            while let Some(job) = lane.pop_front() {
                if job.wanted() {
                    return Some(job);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::shaders::ShaderVersion;
    use super::*;
    use crate::model::effect::Blend;
    use crate::model::scene::SceneBlend;

    fn sources() -> Arc<Sources> {
        Arc::new(Sources { vertex: String::new(), fragment: String::new(), guarded: false })
    }

    fn key(version: u32) -> ProgramKey {
        ProgramKey { parts: vec![(ShaderVersion(version), Blend::Add, false)], blend: SceneBlend::Add }
    }

    fn warm(version: u32, sources: &Arc<Sources>, urgency: Urgency, second: bool) -> Job {
        Job::Warm { key: key(version), sources: Arc::downgrade(sources), urgency, second }
    }

    fn tried(name: &str, source: &str) -> Job {
        let source = format!("vec4 effect(Lamp lamp) {{ return vec4({source}); }}");
        Job::Try(ShaderRef::BuiltIn(name.into()), Arc::new(ShaderText::read(&source).unwrap()))
    }

    fn all(lanes: &mut Lanes) -> Vec<String> {
        let name = |job: Job| match job {
            Job::Try(shader, text) => format!("{shader} {}", text.source.contains("0.2")),
            Job::Warm { key, .. } => key.parts[0].0.0.to_string(),
        };
        std::iter::from_fn(|| lanes.pop()).map(name).collect()
    }

    #[test]
    fn what_is_waited_for_goes_first() {
        let mut lanes = Lanes::default();
        let kept = sources();
        lanes.push(warm(5, &kept, Urgency::Scene, true));
        lanes.push(warm(4, &kept, Urgency::Spare, false));
        lanes.push(warm(2, &kept, Urgency::Scene, false));
        lanes.push(warm(3, &kept, Urgency::Scene, false));
        lanes.push(warm(1, &kept, Urgency::Bridge, false));
        lanes.push(tried("a", "0.1"));
        let first = tried("a", "0.1");
        let Job::Try(shader, _) = &first else { panic!("a trial") };
        assert_eq!(all(&mut lanes), [&format!("{shader} false"), "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn what_nobody_wants_any_more_is_forgotten() {
        let mut lanes = Lanes::default();
        let (dropped, kept) = (sources(), sources());
        lanes.push(warm(1, &dropped, Urgency::Scene, false));
        lanes.push(warm(2, &kept, Urgency::Scene, false));
        lanes.push(tried("a", "0.1"));
        lanes.push(tried("b", "0.1"));
        lanes.push(tried("a", "0.2"));
        drop(dropped);
        let found = all(&mut lanes);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].ends_with("false") && found[1].ends_with("true") && found[2] == "2", "{found:?}");
    }
}
