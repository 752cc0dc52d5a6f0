//! What the parts of the window cost in a frame: CPU time and allocations, for the reports of `glowdeck bench ui`.
//!
//! Runs on the ui thread. Only a build with the feature `measure` measures; without it [`part`] is the work itself.
//! Deliberately absent: parts within parts, which would be counted twice; and what egui and the driver do after the
//! panels, which is the rest of a frame.

/// What a part of the window cost in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartCost {
    /// Which one, as its panel is called.
    pub name: &'static str,
    /// CPU time of the ui thread, milliseconds.
    pub cpu_ms: f64,
    /// How often memory was asked for.
    pub allocations: u64,
}

/// Does the work of a part, and measures it where that was built in.
#[cfg(not(feature = "measure"))]
pub fn part<R>(_: &'static str, work: impl FnOnce() -> R) -> R {
    work()
}

/// What the parts cost since this was asked last: nothing is known without the feature.
#[cfg(not(feature = "measure"))]
pub fn take() -> Vec<PartCost> {
    Vec::new()
}

#[cfg(feature = "measure")]
pub use measured::{part, take};

#[cfg(feature = "measure")]
mod measured {
    use super::PartCost;
    use crate::bench::process::this_thread_cpu_secs;
    use std::cell::RefCell;

    thread_local! {
        static COSTS: RefCell<Vec<PartCost>> = const { RefCell::new(Vec::new()) };
    }

    /// Does the work of a part, and measures it.
    pub fn part<R>(name: &'static str, work: impl FnOnce() -> R) -> R {
        let begin = this_thread_cpu_secs();
        let mut done = None;
        let allocations = allocation_counter::measure(|| done = Some(work())).count_total;
        let cpu_ms = (this_thread_cpu_secs() - begin) * 1e3;
        COSTS.with_borrow_mut(|costs| match costs.iter_mut().find(|cost| cost.name == name) {
            Some(cost) => (cost.cpu_ms, cost.allocations) = (cost.cpu_ms + cpu_ms, cost.allocations + allocations),
            None => costs.push(PartCost { name, cpu_ms, allocations }),
        });
        let Some(done) = done else { unreachable!("what was measured was done") };
        done
    }

    /// What the parts cost since this was asked last.
    pub fn take() -> Vec<PartCost> {
        COSTS.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_gives_what_its_work_gives_and_is_counted_where_that_was_built_in() {
        take();
        let made = part("Grid", || vec![1_u8; 64]);
        let made = part("Grid", || [made, vec![2; 64]].concat());
        assert_eq!(made.len(), 128);
        let costs = take();
        match cfg!(feature = "measure") {
            true => assert!(costs.len() == 1 && costs[0].name == "Grid" && costs[0].allocations >= 3, "{costs:?}"),
            false => assert_eq!(costs, []),
        }
        assert_eq!(take(), [], "it was taken");
    }
}
