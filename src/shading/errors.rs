//! From a driver's compile log to the author's own lines.
//!
//! Generated programs number the lines of the n-th effect from n x [`PART_LINES`] on. Drivers write
//! `0:12(5): error: ...` (Mesa), `0(12) : error C1008: ...` (NVIDIA) or `ERROR: 0:12: ...` (others).

use super::ShaderError;
use super::fuse::PART_LINES;

/// A line of a compile log: which source it is about, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// 0 for our own code, n for the n-th effect's source, from 1.
    pub source: usize,
    /// The author's line and the driver's words.
    pub error: ShaderError,
}

/// The first error of a log that names a place; the whole log at source 0, line 0 where none does.
pub fn first_error(log: &str, suffix_free: impl Fn(&str) -> String) -> Located {
    let located = log.lines().find_map(locate);
    let mut located = located.unwrap_or_else(|| Located {
        source: 0,
        error: ShaderError { line: 0, message: log.lines().next().unwrap_or("the driver gave no reason").to_owned() },
    });
    located.error.message = suffix_free(&located.error.message);
    located
}

fn locate(line: &str) -> Option<Located> {
    let line = line.trim();
    let line = line.strip_prefix("ERROR:").unwrap_or(line).trim_start();
    if line.to_ascii_lowercase().contains("warning") {
        return None;
    }
    let (_, rest) = number(line)?;
    let (line_number, rest) = number(rest.strip_prefix([':', '('])?)?;
    let message = rest.trim_start_matches([')', ':', ' ']);
    // Mesa adds the column in brackets.
    let message = match message.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((column, after)) if column.bytes().all(|b| b.is_ascii_digit()) => after.trim_start_matches([':', ' ']),
        _ => message,
    };
    let message = message.strip_prefix("error").map_or(message, |rest| rest.trim_start_matches([':', ' ']));
    let (source, line) = (line_number / PART_LINES, (line_number % PART_LINES) as u32);
    Some(Located { source, error: ShaderError { line, message: message.to_owned() } })
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Takes the suffix `_n` off the names of a message, as the author knows them without.
pub fn without_suffix(message: &str, suffix: usize) -> String {
    let suffix = format!("_{suffix}");
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(place) = rest.find(&suffix) {
        let after = &rest[place + suffix.len()..];
        out.push_str(&rest[..place]);
        if after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            out.push_str(&suffix);
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logs_of_all_drivers_name_source_and_line() {
        for (log, message) in [
            ("0:200012(5): error: `x_1' undeclared", "`x_1' undeclared"),
            ("0(200012) : error C1008: undefined variable \"x\"", "C1008: undefined variable \"x\""),
            ("ERROR: 0:200012: 'x' : undeclared identifier", "'x' : undeclared identifier"),
            ("0:3(1): warning: unused\n0:200012(5): error: bad", "bad"),
        ] {
            let found = first_error(log, str::to_owned);
            assert_eq!((found.source, found.error.line, found.error.message.as_str()), (2, 12, message));
        }
    }

    #[test]
    fn a_log_without_a_place_is_kept() {
        assert_eq!(first_error("link failed", str::to_owned).error.message, "link failed");
        assert_eq!(first_error("", str::to_owned).source, 0);
    }

    #[test]
    fn names_lose_their_suffix_only_at_their_end() {
        assert_eq!(without_suffix("`wave_1' and wave_12, x_1", 1), "`wave' and wave_12, x");
    }
}
