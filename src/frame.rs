//! The finished frame: DMX bytes of every patch universe, and the pool that frames come from.
//!
//! `render` fills frames, `output` sends them; this is the only place where the two meet. Publishing a frame
//! allocates nothing once the pool is warm.

use crate::units::UNIVERSE_CHANNELS;
use std::sync::Arc;
use std::time::Instant;

/// One moment of light, ready to send.
#[derive(Clone, Debug)]
pub struct LampFrame {
    /// Universe-major: patch universe `u` is `bytes[u * 512..][..512]`.
    pub bytes: Vec<u8>,
    /// Counts up from 1 for the life of the render thread.
    pub number: u64,
    /// When the frame was finished.
    pub stamp: Instant,
}

impl LampFrame {
    /// How many patch universes the frame holds.
    pub fn universes(&self) -> usize {
        self.bytes.len() / UNIVERSE_CHANNELS
    }

    /// The 512 bytes of a patch universe, `None` past the end.
    pub fn universe(&self, index: usize) -> Option<&[u8]> {
        let start = index.checked_mul(UNIVERSE_CHANNELS)?;
        self.bytes.get(start..start + UNIVERSE_CHANNELS)
    }
}

/// Frames that nobody reads any more are filled again.
#[derive(Default)]
pub struct FramePool {
    frames: Vec<Arc<LampFrame>>,
}

impl FramePool {
    /// Fills a free frame of `universes` universes and hands it out, keeping a share to use it again later.
    /// Grows only while every frame is still being read.
    pub fn fill(
        &mut self,
        universes: usize,
        number: u64,
        stamp: Instant,
        write: impl FnOnce(&mut [u8]),
    ) -> Arc<LampFrame> {
        let free = self.frames.iter_mut().position(|frame| Arc::get_mut(frame).is_some());
        let index = free.unwrap_or_else(|| {
            self.frames.push(Arc::new(LampFrame { bytes: Vec::new(), number, stamp }));
            self.frames.len() - 1
        });
        let shared = &mut self.frames[index];
        let frame = Arc::make_mut(shared);
        frame.bytes.resize(universes * UNIVERSE_CHANNELS, 0);
        frame.number = number;
        frame.stamp = stamp;
        write(&mut frame.bytes);
        Arc::clone(shared)
    }

    /// How many frames exist.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether no frame was ever filled.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_nobody_reads_is_filled_again() {
        let mut pool = FramePool::default();
        for number in 0..10 {
            drop(pool.fill(2, number, Instant::now(), |bytes| bytes[0] = 1));
        }
        assert_eq!(pool.len(), 1);
    }

    #[test]
    fn a_frame_in_use_is_never_touched() {
        let mut pool = FramePool::default();
        let held = pool.fill(1, 1, Instant::now(), |bytes| bytes.fill(7));
        let next = pool.fill(1, 2, Instant::now(), |bytes| bytes.fill(9));
        assert_eq!(held.universe(0).map(|u| u[511]), Some(7));
        assert_eq!(next.universe(0).map(|u| u[511]), Some(9));
        assert_eq!(held.universe(1), None);
    }
}
