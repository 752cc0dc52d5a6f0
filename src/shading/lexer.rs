//! GLSL tokens: as much of the language as renaming needs.
//!
//! Deliberately absent: a grammar. The driver's compiler says what is no GLSL.

use super::ShaderError;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Ident,
    /// A number; its letters are no names.
    Number,
    /// One character of punctuation.
    Punct(char),
    /// Blanks or a comment.
    Blank,
    /// The `#` that starts a preprocessor line.
    Hash,
    /// The end of a line, which ends a preprocessor line.
    Newline,
}

/// A piece of the source. All tokens together are the whole source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// The line it starts on, from 1.
    pub line: u32,
}

impl Token<'_> {
    /// Whether it means anything to the language.
    pub fn is_solid(&self) -> bool {
        !matches!(self.kind, Kind::Blank | Kind::Newline)
    }
}

/// Splits the source.
pub fn tokens(source: &str) -> Result<Vec<Token<'_>>, ShaderError> {
    let mut rest = source;
    let mut line = 1;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first)
            .ok_or_else(|| ShaderError { line, message: "this comment never ends; close it with */".into() })?;
        let (text, after) = rest.split_at(length);
        tokens.push(Token { kind, text, line });
        line += text.matches('\n').count() as u32;
        rest = after;
    }
    Ok(tokens)
}

fn next(rest: &str, first: char) -> Option<(Kind, usize)> {
    let run = |wanted: fn(char) -> bool| rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
    Some(match first {
        '\n' => (Kind::Newline, 1),
        '#' => (Kind::Hash, 1),
        c if c.is_ascii_alphabetic() || c == '_' => (Kind::Ident, run(|c| c.is_ascii_alphanumeric() || c == '_')),
        c if c.is_ascii_digit() => (Kind::Number, run(|c| c.is_ascii_alphanumeric() || c == '.')),
        '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            (Kind::Number, 1 + rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - 1))
        }
        c if c.is_whitespace() => (Kind::Blank, run(|c| c.is_whitespace() && c != '\n')),
        '/' if rest.starts_with("//") => (Kind::Blank, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (Kind::Blank, rest[2..].find("*/")? + 4),
        c => (Kind::Punct(c), c.len_utf8()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Kind, &str)> {
        tokens(source).unwrap().into_iter().map(|t| (t.kind, t.text)).collect()
    }

    #[test]
    fn names_numbers_and_comments_are_told_apart() {
        let expected = [
            (Kind::Ident, "a1"),
            (Kind::Punct('*'), "*"),
            (Kind::Number, "2.0e3f"),
            (Kind::Punct(';'), ";"),
            (Kind::Blank, "// x"),
            (Kind::Newline, "\n"),
            (Kind::Blank, "/* y\n */"),
            (Kind::Number, ".5"),
            (Kind::Punct('.'), "."),
            (Kind::Ident, "xy"),
        ];
        assert_eq!(kinds("a1*2.0e3f;// x\n/* y\n */.5.xy"), expected);
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let lines: Vec<_> = tokens("a\n/*\n\n*/b").unwrap().iter().map(|t| t.line).collect();
        assert_eq!(lines, [1, 1, 2, 4]);
    }

    #[test]
    fn any_text_is_split_without_loss() {
        for text in ["ä€😀\u{2003}x", "/", ".", "#", "1.", "\r\n"] {
            assert_eq!(tokens(text).unwrap().iter().map(|t| t.text).collect::<String>(), text);
        }
        assert_eq!(tokens("a\n/* b").unwrap_err().line, 2);
    }
}
