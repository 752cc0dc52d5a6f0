//! Checks a whole project.
