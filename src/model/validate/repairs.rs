//! What every repair needs: the list of problems, numbers brought into range, tables gone through item by item.

use crate::model::id::{Item, Table};
use crate::model::problem::Problem;
use std::ops::RangeInclusive;

/// Farther from the origin than any installation, metres.
pub(in crate::model) const FAR: f64 = 100_000.0;

/// What was put right so far.
#[derive(Default)]
pub(super) struct Repairs {
    pub problems: Vec<Problem>,
}

impl Repairs {
    /// Notes one repair.
    pub fn note(&mut self, item: &str, fault: impl Into<String>, action: impl Into<String>) {
        self.problems.push(Problem::repaired(item, fault, action));
    }

    /// Brings a number into its range; `fallback`, which lies within, replaces what is not a number.
    pub fn bound(&mut self, item: &str, what: &str, value: &mut f64, range: RangeInclusive<f64>, fallback: f64) {
        if range.contains(value) {
            return;
        }
        let allowed = if value.is_nan() { fallback } else { value.clamp(*range.start(), *range.end()) };
        let fault = format!("{what} is {value}, which is not {} to {}", range.start(), range.end());
        self.note(item, fault, format!("set to {allowed}"));
        *value = allowed;
    }

    /// The same for single precision.
    pub fn bound_f32(&mut self, item: &str, what: &str, value: &mut f32, range: RangeInclusive<f64>, fallback: f64) {
        let mut wide = f64::from(*value);
        if !range.contains(&wide) {
            self.bound(item, what, &mut wide, range, fallback);
            *value = wide as f32;
        }
    }

    /// The same for whole numbers.
    pub fn bound_u32(&mut self, item: &str, what: &str, value: &mut u32, range: RangeInclusive<u32>) {
        if !range.contains(value) {
            let allowed = (*value).clamp(*range.start(), *range.end());
            let fault = format!("{what} is {value}, which is not {} to {}", range.start(), range.end());
            self.note(item, fault, format!("set to {allowed}"));
            *value = allowed;
        }
    }
}

/// Goes through a table; `keep` may change an item, and drops it by returning `false`. Untouched items stay shared.
pub(super) fn revise<T: Item + PartialEq>(table: &mut Table<T>, mut keep: impl FnMut(&mut T) -> bool) {
    let items: Vec<_> = table.iter().cloned().collect();
    for item in items {
        let mut revised = T::clone(&item);
        if !keep(&mut revised) {
            table.remove(item.id());
        } else if revised != *item {
            table.put(revised);
        }
    }
}
