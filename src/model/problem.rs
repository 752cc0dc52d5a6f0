//! Problems: what is not as it should be in a project, and what was done about it.
//!
//! Plain values for every thread; loading, repair and the linter all speak in these.

use std::fmt;

/// One thing that is wrong with a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which item: ``scene `Sunrise` (#3)``.
    pub item: String,
    /// What is wrong with it.
    pub fault: String,
    /// What was done about it; `None` where nothing was changed and the show plays it as it is.
    pub action: Option<String>,
    /// Line of the project file, from 1, where it is known.
    pub line: Option<usize>,
}

impl Problem {
    /// Something that was put right, and how.
    pub fn repaired(item: impl Into<String>, fault: impl Into<String>, action: impl Into<String>) -> Self {
        Self { item: item.into(), fault: fault.into(), action: Some(action.into()), line: None }
    }

    /// Something that stays as it is.
    pub fn found(item: impl Into<String>, fault: impl Into<String>) -> Self {
        Self { item: item.into(), fault: fault.into(), action: None, line: None }
    }

    /// The same problem at a line of the file, from 1.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    /// Always one line: control characters, which names in a file may hold, become spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let action = self.action.as_ref().map(|action| format!("; {action}")).unwrap_or_default();
        let text = format!("{line}{}: {}{action}", self.item, self.fault);
        f.write_str(&text.replace(char::is_control, " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_as_one_line() {
        let problem = Problem::repaired("scene `a\nb` (#1)", "it is odd", "left out").at_line(7);
        assert_eq!(problem.to_string(), "line 7: scene `a b` (#1): it is odd; left out");
        assert_eq!(Problem::found("routes", "two fight").to_string(), "routes: two fight");
    }
}
