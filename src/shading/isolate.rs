//! Isolation: an author's source whose own names can carry a suffix, so that many sources, and one source many
//! times, fit in one program without meeting.

use super::ShaderError;
use super::fuse::PART_LINES;
use super::guard::guards;
use super::header::Header;
use super::lexer::{Kind, Token, tokens};
use super::short_loops::short_loops;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What every effect can read besides its parameters, with GLSL types: each effect has its own.
pub const INPUTS: [(&str, &str); 10] = [
    ("progress", "float"),
    ("beat", "float"),
    ("bar", "float"),
    ("seconds", "float"),
    ("bpm", "float"),
    ("speed", "float"),
    ("random_effect", "float"),
    ("random_beat", "float"),
    ("primary", "vec3"),
    ("secondary", "vec3"),
];

/// A source in pieces: text that stays, and names that get a suffix.
#[derive(Debug)]
pub struct Isolated {
    pieces: Vec<Piece>,
    used: BTreeSet<String>,
    guarded: bool,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Name(String),
}

impl Isolated {
    /// Finds the names that belong to the source: what it defines, its parameters and its inputs.
    ///
    /// # Errors
    /// What would break out of the program that the source becomes part of.
    pub fn read(source: &str, header: &Header) -> Result<Self, ShaderError> {
        // A driver ends lines, and with them comments, at either of these.
        let source = &source.replace("\r\n", "\n").replace('\r', "\n");
        let tokens = tokens(source)?;
        refuse_what_escapes(&tokens)?;
        refuse_split_words(&tokens)?;
        let mut own = defined_names(&tokens);
        if !own.contains("effect") {
            return Err(ShaderError { line: 1, message: "there is no function `vec4 effect(Lamp lamp)`".into() });
        }
        own.extend(INPUTS.iter().map(|(name, _)| *name));
        own.extend(["gradient"]);
        own.extend(header.params.iter().map(|param| param.name.as_str()));
        let insertions = guards(&tokens, &short_loops(source, &tokens))?;
        let mut guard = insertions.iter().peekable();
        let mut pieces = Vec::new();
        let mut used = BTreeSet::new();
        let mut fields = FieldFinder::default();
        for (place, token) in tokens.iter().enumerate() {
            let field = fields.is_field(&tokens, place);
            while let Some((_, text)) = guard.next_if(|(before, _)| *before == place) {
                pieces.push(Piece::Text((*text).to_owned()));
            }
            if token.kind == Kind::Ident && !field && own.contains(token.text) {
                used.insert(token.text.to_owned());
                pieces.push(Piece::Name(token.text.to_owned()));
            } else if let Some(Piece::Text(text)) = pieces.last_mut() {
                text.push_str(token.text);
            } else {
                pieces.push(Piece::Text(token.text.to_owned()));
            }
        }
        Ok(Self { pieces, used, guarded: !insertions.is_empty() })
    }

    /// Whether any of its loops asks the guard for its turns.
    pub fn guarded(&self) -> bool {
        self.guarded
    }

    /// Whether the source mentions this name of its own, parameter or input.
    pub fn uses(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// The source with `_{suffix}` behind every name of its own. Lines stay where they are.
    pub fn with_suffix(&self, suffix: usize, out: &mut String) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Name(name) => {
                    let _ = write!(out, "{name}_{suffix}");
                }
            }
        }
    }
}

fn solid_before<'a, 't>(tokens: &'t [Token<'a>], place: usize) -> Option<&'t Token<'a>> {
    tokens[..place].iter().rev().find(|token| token.is_solid())
}

fn solid_after<'a, 't>(tokens: &'t [Token<'a>], place: usize) -> Option<&'t Token<'a>> {
    tokens[place + 1..].iter().find(|token| token.is_solid())
}

/// Tells struct fields from names: what follows a dot, and what a struct's body declares.
#[derive(Default)]
struct FieldFinder {
    struct_depth: Option<usize>,
    depth: usize,
}

impl FieldFinder {
    fn is_field(&mut self, tokens: &[Token<'_>], place: usize) -> bool {
        match tokens[place].kind {
            Kind::Punct('{') => {
                self.depth += 1;
                let before: Vec<_> = tokens[..place].iter().rev().filter(|t| t.is_solid()).take(2).collect();
                if matches!(before[..], [_, word] if word.text == "struct") {
                    self.struct_depth = Some(self.depth);
                }
                false
            }
            Kind::Punct('}') => {
                if self.struct_depth == Some(self.depth) {
                    self.struct_depth = None;
                }
                self.depth = self.depth.saturating_sub(1);
                false
            }
            Kind::Ident => {
                let after_dot = solid_before(tokens, place).is_some_and(|t| t.kind == Kind::Punct('.'));
                let declares =
                    solid_after(tokens, place).is_some_and(|t| matches!(t.kind, Kind::Punct(';' | ',' | '[')));
                after_dot || (self.struct_depth.is_some() && declares)
            }
            _ => false,
        }
    }
}

/// What the source defines outside of its functions, and its macros.
fn defined_names<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punct('{' | '(' | '[') => depth += 1,
            Kind::Punct('}' | ')' | ']') => depth = depth.saturating_sub(1),
            Kind::Ident => {
                let before = solid_before(tokens, place);
                let after = solid_after(tokens, place).map(|t| t.kind);
                let is_macro = before.is_some_and(|t| t.text == "define" || t.text == "undef")
                    && token.line == before.map_or(0, |t| t.line);
                let follows_type = before.is_some_and(|t| {
                    t.kind == Kind::Ident && t.text != "return" || matches!(t.kind, Kind::Punct(']' | ','))
                });
                let declared = matches!(after, Some(Kind::Punct('(' | '=' | ';' | '[' | ',' | '{')));
                if is_macro || (depth == 0 && follows_type && declared) {
                    names.insert(token.text);
                }
            }
            _ => {}
        }
    }
    names
}

/// Lines that are continued within a word or a comment read differently here and in a driver, which could hide a loop.
fn refuse_split_words(tokens: &[Token<'_>]) -> Result<(), ShaderError> {
    for (place, token) in tokens.iter().enumerate() {
        let ends_line = tokens.get(place + 1).is_some_and(|next| next.kind == Kind::Newline);
        let before = tokens[..place].last();
        let splits = before.is_some_and(|t| !matches!(t.kind, Kind::Blank | Kind::Punct(';' | '{' | '}' | ')' | ',')));
        let in_comment = token.kind == Kind::Blank && (token.text.contains("\\\n") || token.text.ends_with('\\'));
        if in_comment || (token.kind == Kind::Punct('\\') && ends_line && splits) {
            let message = "put a blank before a `\\` that continues a line, and none at the end of a comment's line";
            return Err(ShaderError { line: token.line, message: message.into() });
        }
    }
    Ok(())
}

fn refuse_what_escapes(tokens: &[Token<'_>]) -> Result<(), ShaderError> {
    let refused = |token: &Token<'_>, message: &str| Err(ShaderError { line: token.line, message: message.into() });
    if let Some(token) = tokens.iter().find(|token| token.line as usize >= PART_LINES) {
        return refused(token, "a shader has fewer than 100000 lines; shorten it");
    }
    let mut open = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punct(bracket @ ('{' | '(' | '[')) => open.push(match bracket {
                '{' => '}',
                '(' => ')',
                _ => ']',
            }),
            Kind::Punct(bracket @ ('}' | ')' | ']')) if open.pop() != Some(bracket) => {
                return refused(token, &format!("this `{bracket}` closes nothing"));
            }
            Kind::Hash
                if solid_after(tokens, place)
                    .is_some_and(|t| matches!(t.text, "version" | "extension" | "line" | "pragma")) =>
            {
                return refused(token, "take this line out; Glowdeck writes it for every system");
            }
            Kind::Ident if token.text.starts_with("glow_") => {
                return refused(token, "names that start with glow_ are Glowdeck's own; choose another");
            }
            Kind::Ident
                if open.is_empty() && matches!(token.text, "uniform" | "in" | "out" | "layout" | "precision") =>
            {
                return refused(
                    token,
                    "take this line out; inputs are declared in the header: // param: name kind = default",
                );
            }
            Kind::Ident if token.text == "main" && open.is_empty() => {
                return refused(token, "take out `main`; write `vec4 effect(Lamp lamp)`");
            }
            _ => {}
        }
    }
    match (open.pop(), tokens.last()) {
        (Some(bracket), Some(last)) => refused(last, &format!("a `{bracket}` is missing at the end")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let header = Header::parse(source).unwrap();
        let mut out = String::new();
        Isolated::read(source, &header).unwrap().with_suffix(7, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn own_functions_constants_macros_and_inputs_get_the_suffix() {
        check(
            "#define TAU 6.28\nconst float K = TAU, L = 2.0;\nfloat f(float x) { return x*K; }\n\
             vec4 effect(Lamp lamp) { return vec4(f(progress) * primary + gradient(0.1), L); }",
            "#define TAU_7 6.28\nconst float K_7 = TAU_7, L_7 = 2.0;\nfloat f_7(float x) { return x*K_7; }\n\
             vec4 effect_7(Lamp lamp) { return vec4(f_7(progress_7) * primary_7 + gradient_7(0.1), L_7); }",
        );
    }

    #[test]
    fn fields_keep_their_names_even_where_a_parameter_has_the_same() {
        check(
            "// param: index percent = 1\nstruct S { float index; vec2 b[2]; };\nvec4 effect(Lamp lamp) { S s; return vec4(index, lamp.index, s . index, 1); }",
            "// param: index percent = 1\nstruct S_7 { float index; vec2 b[2]; };\nvec4 effect_7(Lamp lamp) { S_7 s; return vec4(index_7, lamp.index, s . index, 1); }",
        );
    }

    #[test]
    fn a_loop_behind_any_end_of_line_is_seen_and_guarded() {
        check(
            "// a\rvec4 effect(Lamp lamp) { // b\r\nwhile (true) {} return vec4(1.0); }",
            "// a\nvec4 effect_7(Lamp lamp) { // b\nwhile (glow_turn() && (true)) {} return vec4(1.0); }",
        );
    }

    #[test]
    fn a_local_name_may_shadow_an_input() {
        check(
            "vec4 effect(Lamp lamp) { float beat = 1.0; return vec4(beat); }",
            "vec4 effect_7(Lamp lamp) { float beat_7 = 1.0; return vec4(beat_7); }",
        );
    }

    #[test]
    fn what_would_break_out_is_refused_with_its_line() {
        for (source, line) in [
            ("\n}", 2),
            ("vec4 effect(Lamp l) {\n", 1),
            ("#version 300 es\n", 1),
            ("\nuniform float x;", 2),
            ("void main() {}", 1),
            ("float glow_x = 1.0;", 1),
            ("float x() { return 1.0; }", 1),
            ("vec4 effect(Lamp l) { return (1]; }", 1),
            ("vec4 effect(Lamp l) {\nwh\\\nile (true) {} return vec4(1); }", 2),
            ("vec4 effect(Lamp l) { // \\\n/*\nwhile (true) {} // */\nreturn vec4(1); }", 1),
            ("vec4 effect(Lamp l) {\n/* *\\\n/ while (true) {} /* */ return vec4(1); }", 2),
        ] {
            let error = Isolated::read(source, &Header::default()).unwrap_err();
            assert_eq!(error.line, line, "{source}: {error}");
        }
    }
}
