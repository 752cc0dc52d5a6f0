//! A source while it is worked at: when it goes to the show, and what happens when the show's changes meanwhile.
//!
//! Pure; time is an argument, in seconds. The show's source is the one that counts; a draft runs ahead of it for a
//! moment. Deliberately absent: drawing, compiling, files.

use crate::model::effect::ShaderRef;
use std::time::Duration;

/// Between the last key and the source that is tried, seconds.
pub const DEBOUNCE: f64 = 0.2;
/// A pause after which what is typed is another step of undo, seconds.
const PAUSE: f64 = 2.0;

/// What became of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// It is as it was.
    Same,
    /// Somebody else wrote the source, which is what the draft says now.
    Replaced,
}

/// The source of one shader, as it is typed.
#[derive(Debug)]
pub struct Draft {
    /// Whose.
    pub shader: ShaderRef,
    /// What is typed.
    pub text: String,
    /// What the show said last.
    base: String,
    /// What was sent and not seen in the show yet.
    sent: Vec<String>,
    /// Since when something is typed that was not sent.
    since: Option<f64>,
    last_sent: f64,
    /// The step of undo that typing belongs to.
    gesture: Option<u64>,
}

impl Draft {
    /// As the show has it.
    pub fn open(shader: ShaderRef, source: &str) -> Self {
        let (text, base) = (source.to_owned(), source.to_owned());
        Self { shader, text, base, sent: Vec::new(), since: None, last_sent: f64::NEG_INFINITY, gesture: None }
    }

    /// Takes over what the show says now, unless that is what was sent from here.
    pub fn follow(&mut self, source: &str) -> Followed {
        if source == self.base {
            return Followed::Same;
        }
        source.clone_into(&mut self.base);
        if let Some(place) = self.sent.iter().position(|sent| sent == source) {
            self.sent.drain(..=place);
            return Followed::Same;
        }
        self.sent.clear();
        self.since = None;
        self.gesture = None;
        let same = self.text == source;
        source.clone_into(&mut self.text);
        if same { Followed::Same } else { Followed::Replaced }
    }

    /// A key changed the text: it is sent when no other follows soon.
    pub fn typed(&mut self, now: f64) {
        self.since = Some(now);
    }

    /// A control changed the text: it is sent soon, however long the control moves.
    pub fn turned(&mut self, now: f64) {
        self.since.get_or_insert(now);
    }

    /// What should be sent now, and the step of undo it belongs to; `next` makes the number of a new one.
    pub fn due(&mut self, now: f64, next: impl FnOnce() -> u64) -> Option<(String, Option<u64>)> {
        self.since.take_if(|since| now - *since >= DEBOUNCE)?;
        let known = self.sent.last().unwrap_or(&self.base);
        if self.text == *known {
            return None;
        }
        if now - self.last_sent > PAUSE || self.gesture.is_none() {
            self.gesture = Some(next());
        }
        self.last_sent = now;
        self.sent.push(self.text.clone());
        Some((self.text.clone(), self.gesture))
    }

    /// How long until something should be sent.
    pub fn wait(&self, now: f64) -> Option<Duration> {
        self.since.map(|since| Duration::from_secs_f64((since + DEBOUNCE - now).max(0.001)))
    }

    /// Whether it may be typed into: what is not the project's is not.
    pub fn is_editable(&self) -> bool {
        matches!(self.shader, ShaderRef::Project(_))
    }

    /// Whether the show has all of it.
    pub fn is_settled(&self) -> bool {
        self.text == self.base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> Draft {
        Draft::open(ShaderRef::BuiltIn("solid".into()), "a")
    }

    fn type_in(draft: &mut Draft, text: &str, now: f64) {
        draft.text = text.into();
        draft.typed(now);
    }

    #[test]
    fn typing_is_sent_when_it_pauses_and_a_burst_is_one_step_of_undo() {
        let mut draft = draft();
        type_in(&mut draft, "ab", 10.0);
        type_in(&mut draft, "abc", 10.15);
        assert_eq!(draft.due(10.3, || 1), None);
        assert_eq!(draft.due(10.36, || 1), Some(("abc".into(), Some(1))));
        assert_eq!(draft.due(10.6, || 2), None, "once");
        type_in(&mut draft, "abcd", 11.0);
        assert_eq!(draft.due(11.25, || 2), Some(("abcd".into(), Some(1))));
        type_in(&mut draft, "abcde", 20.0);
        assert_eq!(draft.due(20.25, || 2), Some(("abcde".into(), Some(2))));
    }

    #[test]
    fn a_control_that_keeps_moving_is_sent_all_the_same() {
        let mut draft = draft();
        for step in 0..3 {
            draft.text = format!("a{step}");
            draft.turned(f64::from(step) / 10.0);
        }
        assert!(draft.due(0.2, || 1).is_some());
    }

    #[test]
    fn its_own_words_that_come_back_late_change_nothing() {
        let mut draft = draft();
        type_in(&mut draft, "ab", 0.0);
        assert!(draft.due(0.3, || 1).is_some());
        type_in(&mut draft, "abc", 0.31);
        assert_eq!((draft.follow("a"), draft.follow("ab")), (Followed::Same, Followed::Same));
        assert_eq!(draft.text, "abc");
        assert!(!draft.is_settled());
    }

    #[test]
    fn the_last_writer_wins_and_it_is_told() {
        let mut draft = draft();
        type_in(&mut draft, "ab", 0.0);
        assert_eq!(draft.follow("from a file"), Followed::Replaced);
        assert_eq!(draft.text, "from a file");
        assert_eq!(draft.due(9.0, || 1), None, "what was typed before is gone");
    }
}
