//! The hand at the window: it plays a script of touches, one step a pass, and notes what each pass costs the ui thread.
//!
//! [`Hand`] lives on the ui thread; [`Orders`] is held by whoever measures, on another one. Deliberately absent: the
//! scripts, and what is made of the costs.

use super::process::this_thread_cpu_secs;
use crate::app::parts::PartCost;
use crate::app::probe::{Probe, Seen, Touch, Wake, Wish};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Between two steps of a script, if the show makes no pass come earlier: sixty a second.
const STEP: Duration = Duration::from_micros(16_667);

/// What is done in each step.
pub type Script = Vec<Vec<Touch>>;

/// What a pass cost.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// CPU time of the ui thread until the next pass begins, milliseconds: panels, tessellation, GL, the wait's own cost.
    pub cpu_ms: f64,
    /// Allocations of the panels; only where they are counted.
    pub allocations: Option<u64>,
    /// What the parts of the window have of it; only where that is measured.
    pub parts: Vec<PartCost>,
}

/// What both sides see.
#[derive(Default)]
struct Watched {
    wake: OnceLock<Wake>,
    passes: AtomicU64,
    textures: AtomicUsize,
}

/// Puts touches into the window's input.
pub struct Hand {
    watched: Arc<Watched>,
    scripts: Receiver<Script>,
    played: Sender<Vec<Cost>>,
    script: VecDeque<Vec<Touch>>,
    costs: Option<Vec<Cost>>,
    cpu_secs: f64,
}

/// Tells the hand what to do.
pub struct Orders {
    watched: Arc<Watched>,
    scripts: Sender<Script>,
    played: Receiver<Vec<Cost>>,
}

/// A hand, and the orders it takes.
pub fn hand() -> (Hand, Orders) {
    let watched = Arc::<Watched>::default();
    let ((scripts, taken), (told, played)) = (bounded(1), bounded(1));
    let orders = Orders { watched: Arc::clone(&watched), scripts, played };
    let hand = Hand { watched, scripts: taken, played: told, script: VecDeque::new(), costs: None, cpu_secs: 0.0 };
    (hand, orders)
}

impl Probe for Hand {
    fn made(&mut self, wake: Wake) {
        // There is one window, and it is made once.
        let _ = self.watched.wake.set(wake);
    }

    fn pass(&mut self, seen: Seen) -> Wish {
        self.watched.passes.store(seen.passes + 1, Ordering::Relaxed);
        self.watched.textures.store(seen.textures, Ordering::Relaxed);
        let now = this_thread_cpu_secs();
        if let Some(costs) = &mut self.costs {
            costs.push(Cost { cpu_ms: (now - self.cpu_secs) * 1e3, allocations: seen.allocations, parts: seen.parts });
        } else if let Ok(script) = self.scripts.try_recv() {
            self.costs = Some(Vec::with_capacity(script.len()));
            self.script = script.into();
        }
        self.cpu_secs = now;
        match self.script.pop_front() {
            Some(touches) => Wish { touches, again: Some(STEP) },
            None => {
                // Whoever gave the script may have given up waiting for its end.
                let _ = self.costs.take().map(|costs| self.played.try_send(costs));
                Wish::default()
            }
        }
    }
}

impl Orders {
    /// Has a script played; whether there is a window that does.
    pub fn play(&self, script: Script) -> bool {
        let given = self.scripts.try_send(script).is_ok();
        self.watched.wake.get().inspect(|wake| wake()).is_some() && given
    }

    /// What each pass of the script cost, once it is played. `None` when the time is up first.
    pub fn played(&self, timeout: Duration) -> Option<Vec<Cost>> {
        self.played.recv_timeout(timeout).ok()
    }

    /// Passes so far.
    pub fn passes(&self) -> u64 {
        self.watched.passes.load(Ordering::Relaxed)
    }

    /// Textures that egui held when the last pass began.
    pub fn textures(&self) -> usize {
        self.watched.textures.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_played_a_step_a_pass_and_every_step_has_a_cost() {
        let (mut hand, orders) = hand();
        assert!(!orders.play(vec![vec![Touch::Leave], vec![]]), "there is no window yet");
        hand.made(Box::new(|| {}));
        let touched = |wish: Wish| (wish.touches.len(), wish.again.is_some());
        let seen = |passes| Seen { passes, allocations: Some(passes), ..Seen::default() };
        assert_eq!(touched(hand.pass(seen(0))), (1, true));
        assert_eq!(touched(hand.pass(seen(1))), (0, true));
        assert!(orders.played(Duration::ZERO).is_none());
        assert_eq!(touched(hand.pass(seen(2))), (0, false));
        let costs = orders.played(Duration::ZERO).unwrap();
        assert_eq!(costs.iter().map(|cost| cost.allocations).collect::<Vec<_>>(), [Some(1), Some(2)]);
        assert_eq!(touched(hand.pass(seen(3))), (0, false), "it rests");
        assert!(orders.played(Duration::ZERO).is_none());
        assert_eq!(orders.passes(), 4);
        assert!(orders.play(vec![vec![]]));
    }
}
