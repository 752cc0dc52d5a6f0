//! Names of the machine's network interfaces, for a choice among them.
//!
//! Asked on the ui thread while somebody looks, now and then. Deliberately absent: what leaves by them.

/// How long names are believed, seconds.
const BELIEVED: f64 = 2.0;

/// The names, and when they are looked up again, in seconds of the window.
#[derive(Debug, Default)]
pub struct Names(Vec<String>, f64);

impl Names {
    /// As they are at this second of the window.
    pub fn at(&mut self, now: f64) -> &[String] {
        if now >= self.1 {
            // A system that does not list them leaves the field empty; a name that is written holds all the same.
            let found = crate::output::interfaces::list().unwrap_or_default();
            let mut names: Vec<String> = found.into_iter().map(|interface| interface.name).collect();
            names.dedup();
            *self = Self(names, now + BELIEVED);
        }
        &self.0
    }
}
