//! Small helpers of the file structs: defaults that are left out, and levels that are clamped with a note.

use crate::units::Level;

/// Leaves a field out that holds its default.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(super) fn one() -> f32 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_one(value: &f32) -> bool {
    *value == 1.0
}

pub(super) fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_yes(value: &bool) -> bool {
    *value
}

/// A level from a file; a note when it was outside 0..=1.
pub(super) fn level(what: &str, value: f32, notes: &mut Vec<String>) -> Level {
    let level = Level::new(value);
    if level.get() != value {
        notes.push(format!("{what} is {value}, which is not 0 to 1"));
    }
    level
}
