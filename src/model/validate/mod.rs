//! Checks a whole project: [`repaired`] puts right what could not be played, [`checked`] tells what looks wrong.
//!
//! Pure functions for any thread. A repaired project refers to nothing that is missing and holds no number that
//! is not finite or out of its range; every change is told in a [`Problem`].

mod checked;
mod look;
mod nodes;
mod output;
mod patch;
pub(in crate::model) mod patched;
pub(in crate::model) mod place;
mod power;
mod repairs;

use super::problem::Problem;
use super::project::Project;
use repairs::Repairs;

pub use checked::{checked, runs};

/// The project fit to be played, and what had to be done for that.
pub fn repaired(mut project: Project) -> (Project, Vec<Problem>) {
    let mut repairs = Repairs::default();
    look::curves(&mut project, &mut repairs);
    look::triggers(&mut project, &mut repairs);
    patch::definitions(&mut project, &mut repairs);
    patch::fixtures(&mut project, &mut repairs);
    patch::chains(&mut project, &mut repairs);
    power::supplies(&mut project, &mut repairs);
    patch::layouts(&mut project, &mut repairs);
    place::topology(&mut project, &mut repairs);
    output::devices(&mut project, &mut repairs);
    output::routes(&mut project, &mut repairs);
    look::settings(&mut project, &mut repairs);
    look::grid(&mut project, &mut repairs);
    look::scenes(&mut project, &mut repairs);
    (project, repairs.problems)
}
