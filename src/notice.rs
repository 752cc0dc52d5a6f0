//! Notices: what the operator is told, in words that say what happened and what the show does now.
//!
//! Any thread sends them through a bounded queue; a full queue drops the notice, never the frame.

use std::fmt;

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something went as asked.
    Info,
    /// Something is not as it should be; the show goes on.
    Warning,
    /// Something failed; the notice says what runs instead.
    Error,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How much it matters.
    pub severity: Severity,
    /// Which part speaks: `shader`, `output`, `project`.
    pub source: &'static str,
    /// What happened and what the show does now, in one line.
    pub text: String,
    /// Notices with the same key replace each other instead of piling up.
    pub repeat_key: String,
}

impl Notice {
    /// A notice whose text is its own repeat key. Line ends and other control characters, which names in a file may
    /// hold, become spaces.
    pub fn new(severity: Severity, source: &'static str, text: impl Into<String>) -> Self {
        let text = text.into().replace(char::is_control, " ");
        Self { severity, source, repeat_key: text.clone(), text }
    }

    /// Something went as asked.
    pub fn info(source: &'static str, text: impl Into<String>) -> Self {
        Self::new(Severity::Info, source, text)
    }

    /// Something is not as it should be.
    pub fn warning(source: &'static str, text: impl Into<String>) -> Self {
        Self::new(Severity::Warning, source, text)
    }

    /// Something failed.
    pub fn error(source: &'static str, text: impl Into<String>) -> Self {
        Self::new(Severity::Error, source, text)
    }

    /// Replaces earlier notices of the same key.
    #[must_use]
    pub fn keyed(mut self, key: impl Into<String>) -> Self {
        self.repeat_key = key.into();
        self
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.source, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_one_line_whatever_names_it_holds() {
        assert_eq!(Notice::info("project", "opened `two\r\nlines`").text, "opened `two  lines`");
    }
}
