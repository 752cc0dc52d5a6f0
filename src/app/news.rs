//! What comes now and then and is painted when it does: nodes, consoles that are heard, the user's library.
//!
//! Slots of other threads, read by the waker. Deliberately absent: what comes with every frame, and notices.

use crate::input::bridge::heard::Heard;
use crate::model::library::UserLibrary;
use crate::output::discovery::nodes::Found;
use crate::sync::LatestSlot;
use std::sync::Arc;

/// Where it comes from.
#[derive(Clone, Default)]
pub struct News {
    /// From discovery.
    pub found: Arc<LatestSlot<Found>>,
    /// From the bridge.
    pub heard: Arc<LatestSlot<Heard>>,
    /// From the folder of the user's shaders.
    pub library: Arc<LatestSlot<UserLibrary>>,
}

/// What came last; two are equal when they are the same, not when they say the same.
#[derive(Default)]
pub struct Told(Option<Arc<Found>>, Option<Arc<Heard>>, Option<Arc<UserLibrary>>);

impl News {
    /// What came last.
    pub fn told(&self) -> Told {
        Told(self.found.latest(), self.heard.latest(), self.library.latest())
    }
}

impl PartialEq for Told {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0) && same(&self.1, &other.1) && same(&self.2, &other.2)
    }
}

fn same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    a.as_ref().map(Arc::as_ptr) == b.as_ref().map(Arc::as_ptr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_are_new_when_something_was_published_in_any_of_the_slots() {
        let news = News::default();
        let mut before = news.told();
        let publish: [&dyn Fn(); 3] =
            [&|| news.found.publish(Arc::default()), &|| news.heard.publish(Arc::default()), &|| {
                news.library.publish(Arc::default())
            }];
        for publish in publish {
            assert!(news.told() == before);
            publish();
            assert!(news.told() != before);
            before = news.told();
        }
    }
}
