//! Input: what comes in from others. `bridge` takes the light of other consoles.
//!
//! Threads of their own, whose failures cost the show nothing. Deliberately absent: the project's changes; what comes
//! in here never edits a show.

pub mod bridge;
