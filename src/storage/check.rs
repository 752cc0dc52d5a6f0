//! What `glowdeck check PROJECT` reports: problems of loading and findings of the linter. Plain data, printed by lines.

use super::load::{LoadError, Loaded, load};
use crate::model::problem::Problem;
use crate::model::project::Project;
use crate::model::validate::checked;
use std::fmt;
use std::path::Path;

/// A project under the linter.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The project's name.
    pub name: String,
    /// Lamps that are patched or not.
    pub lamps: usize,
    /// Universes of the patch.
    pub universes: usize,
    /// What loading left out or put right.
    pub problems: Vec<Problem>,
    /// What looks wrong but is played.
    pub findings: Vec<Problem>,
    /// The project as it is played.
    pub project: Project,
}

impl Report {
    /// Whether there is nothing to say.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.findings.is_empty()
    }
}

impl fmt::Display for Report {
    /// A line for each problem and finding, and a last one that sums up.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in self.problems.iter().chain(&self.findings) {
            writeln!(f, "{problem}")?;
        }
        let count = self.problems.len() + self.findings.len();
        let (lamps, universes) = (self.lamps, self.universes);
        let found = match count {
            0 => "nothing to correct".to_owned(),
            1 => "1 thing to look at".to_owned(),
            count => format!("{count} things to look at"),
        };
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let (l, u) = (plural(lamps), plural(universes));
        write!(f, "{}: {lamps} lamp{l} on {universes} universe{u}, {found}", self.name)
    }
}

/// Loads a project and looks for what is wrong with it.
///
/// # Errors
/// When the file as a whole cannot be read.
pub fn check_report(path: &Path) -> Result<Report, LoadError> {
    let Loaded { project, problems, .. } = load(path)?;
    let findings = checked(&project);
    Ok(Report {
        name: project.settings.name.clone(),
        lamps: lamps(&project),
        universes: project.universes(),
        problems,
        findings,
        project,
    })
}

fn lamps(project: &Project) -> usize {
    let kinds = project.fixtures.iter().filter_map(|fixture| project.definitions.get(fixture.definition));
    kinds.map(|definition| definition.pixels.count() as usize).sum()
}
