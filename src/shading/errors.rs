//! From a driver's compile log to the author's own lines.
//!
//! Generated programs number the lines of the n-th effect from n x [`PART_LINES`] on. Drivers write
//! `0:12(5): error: ...` (Mesa), `0(12) : error C1008: ...` (NVIDIA), `ERROR: 0:12: error(#143) ...` (AMD) or
//! `ERROR: 0:12: ...` (Intel on Windows, Apple, ANGLE).

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

/// Errors of one log that are kept; more help nobody.
const MOST: usize = 32;
/// Lines that belong to an error, such as functions that would have fitted, of which so many are kept.
const CONTINUED: usize = 3;

/// The errors of a log that name a place, each once, in their order; the whole log at source 0, line 0 where none does.
pub fn all_errors(log: &str, suffix_free: impl Fn(&str) -> String) -> Vec<Located> {
    let mut errors: Vec<Located> = Vec::new();
    let mut continued = 0;
    for (located, goes_on) in log.lines().filter_map(locate) {
        let Located { source, error: ShaderError { line, message } } = located;
        let message = suffix_free(&message);
        match errors.last_mut() {
            Some(last) if goes_on && (last.source, last.error.line) == (source, line) => {
                continued += 1;
                let separator = if continued == 1 { " " } else { ", " };
                match continued {
                    ..=CONTINUED => last.error.message.extend([separator, &message]),
                    _ if continued == CONTINUED + 1 => last.error.message.push_str(", …"),
                    _ => {}
                }
            }
            _ => {
                let found = Located { source, error: ShaderError { line, message } };
                if errors.len() < MOST && !errors.contains(&found) {
                    continued = 0;
                    errors.push(found);
                }
            }
        }
    }
    if errors.is_empty() {
        let message = log.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("the driver gave no reason");
        errors.push(Located { source: 0, error: ShaderError { line: 0, message: suffix_free(message) } });
    }
    errors
}

/// What a line of the log says, and whether it only goes on about the error before it.
fn locate(line: &str) -> Option<(Located, bool)> {
    let line = line.trim();
    let line = ["ERROR:", "error:"].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line).trim_start();
    let (_, rest) = number(line)?;
    let (line_number, rest) = number(rest.strip_prefix([':', '('])?)?;
    let message = rest.trim_start_matches([')', ':', ' ']);
    // Mesa adds the column in brackets.
    let message = match message.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((column, after)) if column.bytes().all(|b| b.is_ascii_digit()) => after.trim_start_matches([':', ' ']),
        _ => message,
    };
    let is_of = |kind: &str| message.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    if ["warning", "note", "info", "preprocessor warning"].into_iter().any(is_of) {
        return None;
    }
    let (words, goes_on) = match message.strip_prefix("error") {
        // Mesa lists what would have fitted in lines of their own, further in.
        Some(rest) => (said(rest), rest.starts_with(":   ")),
        None => (message, false),
    };
    let (source, line) = (line_number / PART_LINES, (line_number % PART_LINES) as u32);
    Some((Located { source, error: ShaderError { line, message: words.to_owned() } }, goes_on))
}

/// Without the number that AMD gives each kind of error.
fn said(rest: &str) -> &str {
    let numbered = rest.strip_prefix("(#").and_then(|rest| rest.split_once(')'));
    let rest = numbered.filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit())).map_or(rest, |(_, rest)| rest);
    rest.trim_start_matches([':', ' '])
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

    /// Source, line and words of each error.
    fn check(log: &str, expected: &[(usize, u32, &str)]) {
        let found = all_errors(log, str::to_owned);
        let found: Vec<_> = found.iter().map(|l| (l.source, l.error.line, l.error.message.as_str())).collect();
        assert_eq!(found, expected, "{log}");
    }

    #[test]
    fn mesa_names_every_error_its_column_and_what_would_have_fitted() {
        check(
            "0:3(1): warning: unused\n0:200012(5): error: `x_1' undeclared\n0:200014(9): error: `warning' undeclared\n",
            &[(2, 12, "`x_1' undeclared"), (2, 14, "`warning' undeclared")],
        );
        check(
            "0:100007(14): error: no matching function for call to `wave(vec2)'; candidates are:\n\
             0:100007(14): error:    float wave(float)\n0:100007(14): error:    float wave(int)\n\
             0:100007(14): error:    float wave(vec3)\n0:100007(14): error:    float wave(vec4)\n\
             0:100007(14): error:    float wave(uint)\n0:100009(2): error: syntax error, unexpected '}'",
            &[
                (
                    1,
                    7,
                    "no matching function for call to `wave(vec2)'; candidates are: \
                     float wave(float), float wave(int), float wave(vec3), …",
                ),
                (1, 9, "syntax error, unexpected '}'"),
            ],
        );
        check(
            "0:100002(1): preprocessor error: #if with no expression",
            &[(1, 2, "preprocessor error: #if with no expression")],
        );
    }

    #[test]
    fn nvidia_puts_lines_in_brackets_and_numbers_its_errors() {
        check(
            "0(200012) : error C1503: undefined variable \"x\"\n0(200013) : warning C7050: \"y\" might be used\n\
             0(200015) : error C0000: syntax error, unexpected '}', expecting ',' or ';' at token \"}\"\n",
            &[
                (2, 12, "C1503: undefined variable \"x\""),
                (2, 15, "C0000: syntax error, unexpected '}', expecting ',' or ';' at token \"}\""),
            ],
        );
    }

    #[test]
    fn intel_amd_and_others_begin_with_the_word_error() {
        check(
            "ERROR: 0:200012: 'x' : undeclared identifier \nERROR: 0:200013: '=' : cannot convert\n\
             ERROR: 2 compilation errors. No code generated.\n\n",
            &[(2, 12, "'x' : undeclared identifier"), (2, 13, "'=' : cannot convert")],
        );
        check(
            "Fragment shader failed to compile with the following errors:\n\
             ERROR: 0:100012: error(#143) Undeclared identifier: x\nWARNING: 0:100013: warning(#402) Implicit\n\
             ERROR: error(#273) 1 compilation errors.  No code generated\n",
            &[(1, 12, "Undeclared identifier: x")],
        );
        check("ERROR: 0:100004: Use of undeclared identifier 'x'", &[(1, 4, "Use of undeclared identifier 'x'")]);
    }

    #[test]
    fn an_error_that_is_told_twice_is_one_and_a_flood_has_an_end() {
        check("0:100002(1): error: bad\n0:100002(7): error: bad\n", &[(1, 2, "bad")]);
        let flood: String = (0..500).map(|n| format!("0:{}(1): error: bad\n", 100_001 + n)).collect();
        assert_eq!(all_errors(&flood, str::to_owned).len(), MOST);
    }

    #[test]
    fn a_log_without_a_place_is_kept() {
        check("link failed", &[(0, 0, "link failed")]);
        check("\n\n  out of registers\n", &[(0, 0, "out of registers")]);
        check("", &[(0, 0, "the driver gave no reason")]);
    }

    #[test]
    fn names_lose_their_suffix_only_at_their_end() {
        assert_eq!(without_suffix("`wave_1' and wave_12, x_1", 1), "`wave' and wave_12, x");
    }
}
