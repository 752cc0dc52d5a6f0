//! What threads share: a slot that the newest value wins, and named threads.
//!
//! Deliberately absent: locks around state. A slot holds an immutable value; its owner publishes the next one.

use arc_swap::ArcSwapOption;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Holds the newest published value. Reading never waits; a reader that fell behind skips what it missed.
pub struct LatestSlot<T> {
    value: ArcSwapOption<T>,
    published: Mutex<u64>,
    changed: Condvar,
}

impl<T> Default for LatestSlot<T> {
    fn default() -> Self {
        Self { value: ArcSwapOption::empty(), published: Mutex::new(0), changed: Condvar::new() }
    }
}

impl<T> LatestSlot<T> {
    /// Replaces the value and wakes whoever waits for a newer one.
    pub fn publish(&self, value: Arc<T>) {
        self.value.store(Some(value));
        *self.published.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_all();
    }

    /// The newest value, `None` before the first.
    pub fn latest(&self) -> Option<Arc<T>> {
        self.value.load_full()
    }

    /// Waits until more than `seen` values were published or the time is up. Returns how many were.
    pub fn wait_past(&self, seen: u64, timeout: Duration) -> u64 {
        let published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        let (published, _) = self
            .changed
            .wait_timeout_while(published, timeout, |published| *published <= seen)
            .unwrap_or_else(PoisonError::into_inner);
        *published
    }

    /// Wakes the waiters without a new value, so that they look whether they should stop.
    pub fn wake(&self) {
        *self.published.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_all();
    }
}

/// Starts a thread under a name that debuggers and `top -H` show.
///
/// # Errors
/// When the system has no room for another thread.
pub fn spawn_named<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).spawn(body)
}

/// Where the processor draws, every moment of it belongs to frames first: this thread, and those that it starts from
/// here on, give way to them.
pub fn yield_to_frames() {
    // A thread's own niceness is Linux's; elsewhere it is the whole process's.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

/// A tenth of a processor's time stays where frames would take all of it.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reader_gets_the_newest_value_only() {
        let slot = LatestSlot::default();
        slot.publish(Arc::new(1));
        slot.publish(Arc::new(2));
        assert_eq!(slot.wait_past(0, Duration::ZERO), 2);
        assert_eq!(slot.latest().as_deref(), Some(&2));
    }

    #[test]
    fn waiting_ends_without_a_value_when_the_time_is_up() {
        let slot = LatestSlot::<u8>::default();
        assert_eq!(slot.wait_past(0, Duration::from_millis(1)), 0);
    }
}
