//! A bench's eye and hand at the window: it sees every pass begin, and what it does goes through egui's raw input, so
//! that it is the same every time.
//!
//! Runs on the ui thread. A window of the operator has none. Deliberately absent: what is done and what is counted,
//! which the benches know.

use super::parts::{self, PartCost};
use super::settings::Settings;
use super::workspace::{Arrangement, Panel};
use egui::{
    Context, Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, RawInput, TouchPhase, ViewportId,
    vec2,
};
use std::time::Duration;

/// Something that a hand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// The pointer goes to this share of a panel's width and height; nowhere while the panel is not in front.
    Move(Panel, [f32; 2]),
    /// The button goes down, or up again.
    Press(bool),
    /// The wheel turns, points.
    Wheel(f32),
    /// The pointer leaves the window.
    Leave,
    /// A tab is brought to the front, opened if need be.
    Open(Panel),
    /// A tab is closed.
    Close(Panel),
    /// The panels are arranged so.
    Arrange(Arrangement),
}

/// What can be seen of the window when a pass begins.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Passes before this one.
    pub passes: u64,
    /// Whether the pass before this one showed a show, not just that one is coming.
    pub show: bool,
    /// Textures that egui holds.
    pub textures: usize,
    /// Allocations of the panels in the pass before this one; only where they are counted.
    pub allocations: Option<u64>,
    /// What the parts of the window cost in the pass before this one; only where that is measured.
    pub parts: Vec<PartCost>,
}

/// What a probe wants of the window.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Done in this pass.
    pub touches: Vec<Touch>,
    /// When the next pass comes, if nothing else makes it come earlier.
    pub again: Option<Duration>,
}

/// Wakes the window from another thread.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// Whoever looks on. All of it is called on the ui thread.
pub trait Probe {
    /// The system gave a window with a context; its contents are made next.
    fn opened(&mut self) {}

    /// The window is made and about to be painted first.
    fn made(&mut self, _wake: Wake) {}

    /// A pass begins; the one before it is on the screen.
    fn pass(&mut self, seen: Seen) -> Wish;
}

/// A probe at work.
pub(super) struct Probing {
    probe: Box<dyn Probe>,
    pointer: Pos2,
    seen: Seen,
}

impl Probing {
    pub(super) fn new(mut probe: Box<dyn Probe>, ctx: &Context) -> Self {
        let waking = ctx.clone();
        probe.made(Box::new(move || waking.request_repaint_of(ViewportId::ROOT)));
        Self { probe, pointer: Pos2::ZERO, seen: Seen::default() }
    }

    /// A pass begins: what the hand does is added to its input.
    pub(super) fn pass(&mut self, ctx: &Context, input: &mut RawInput, settings: &mut Settings) {
        self.seen.textures = ctx.tex_manager().read().num_allocated();
        let Wish { touches, again } = self.probe.pass(self.seen.clone());
        if let Some(again) = again {
            ctx.request_repaint_after(again);
        }
        for touch in touches {
            let event = match touch {
                Touch::Open(panel) => {
                    settings.workspace.open(panel);
                    continue;
                }
                Touch::Close(panel) => {
                    settings.workspace.close(panel);
                    continue;
                }
                Touch::Arrange(arrangement) => {
                    settings.workspace.arrange(Some(arrangement));
                    continue;
                }
                Touch::Move(panel, share) => match settings.workspace.place(panel) {
                    Some(place) => {
                        self.pointer = place.min + place.size() * vec2(share[0], share[1]);
                        Event::PointerMoved(self.pointer)
                    }
                    None => continue,
                },
                Touch::Press(pressed) => {
                    let (pos, button, modifiers) = (self.pointer, PointerButton::Primary, Modifiers::NONE);
                    Event::PointerButton { pos, button, pressed, modifiers }
                }
                Touch::Wheel(points) => Event::MouseWheel {
                    unit: MouseWheelUnit::Point,
                    delta: vec2(0.0, points),
                    phase: TouchPhase::Move,
                    modifiers: Modifiers::NONE,
                    source: MouseWheelSource::Wheel,
                },
                Touch::Leave => Event::PointerGone,
            };
            input.events.push(event);
        }
    }

    /// A pass ends.
    pub(super) fn painted(&mut self, show: bool, allocations: Option<u64>) {
        self.seen.passes += 1;
        (self.seen.show, self.seen.allocations, self.seen.parts) = (show, allocations, parts::take());
    }
}

/// Does something and counts its allocations, where they are counted.
pub(super) fn counted(work: impl FnOnce()) -> Option<u64> {
    #[cfg(feature = "measure")]
    return Some(allocation_counter::measure(work).count_total);
    #[cfg(not(feature = "measure"))]
    {
        work();
        None
    }
}
