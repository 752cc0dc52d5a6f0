//! A frame a stage at a time, each waited for: only for measuring.

use super::economy::Drawing;
use super::renderer::Renderer;
use crate::gl::GlError;
use crate::show::Show;
use crate::show::live::Moment;

/// A part of the work for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The score becomes numbers.
    Compose,
    /// A scene is drawn; which of those that sound, in their order.
    Scene(usize),
    /// Lamps become bytes.
    Pack,
    /// The bytes leave the GPU.
    ReadBack,
    /// Ports and supplies are held down.
    Power,
}

impl Renderer {
    /// Makes the whole frame of a moment a stage at a time, waits for each and then calls `over`; only for measuring.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn draw_by_stage(
        &mut self,
        show: &Show,
        now: Moment,
        out: &mut [u8],
        mut over: impl FnMut(Stage),
    ) -> Result<(), GlError> {
        self.plan(show, now);
        over(Stage::Compose);
        let Self { picture, plan, score, programs, .. } = &mut *self;
        picture.draw(Drawing { plan, score, programs }, |gpu, pass| {
            gpu.finish();
            over(Stage::Scene(pass));
        })?;
        self.pictures = self.pictures.wrapping_add(1);
        self.read_packed(out, |gpu| {
            gpu.finish();
            over(Stage::Pack);
        });
        over(Stage::ReadBack);
        self.power.hold_down(out, now.secs);
        over(Stage::Power);
        Ok(())
    }
}
