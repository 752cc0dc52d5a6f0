//! The loop guard: every loop of an author's source asks for each turn, and after [`TURNS`] of them it gets none.
//!
//! The question is put into the loop's condition, so that bodies, `continue`, missing braces and macros need no
//! care: where there is a loop there is a condition. Works on tokens, because a loop in a macro, or in a source that
//! the parser does not understand, must not go unguarded; `short_loops` says which loops need no guard.

use super::ShaderError;
use super::lexer::{Kind, Token};
use std::collections::BTreeSet;

/// Turns that all loops of one effect have together for one lamp. The heaviest effects that are usual, a march of
/// 128 steps through a noise of 8 octaves, take a quarter of it; a CPU that draws takes some microseconds for it.
pub const TURNS: u32 = 4096;

/// What a guarded source needs before it.
pub const GUARD_CODE: &str = "\nint glow_turns;\nbool glow_turn() { return glow_turns-- > 0; }\n";

/// Text that goes before tokens, in their order.
pub type Insertions = Vec<(usize, &'static str)>;

/// What to put where so that every loop is guarded, but for `for` loops that start at a byte of `short`.
///
/// # Errors
/// A loop that is written so that no guard can be put into it.
pub fn guards(tokens: &[Token<'_>], short: &BTreeSet<usize>) -> Result<Insertions, ShaderError> {
    let mut insertions = Vec::new();
    let mut byte = 0;
    for (place, token) in tokens.iter().enumerate() {
        let start = byte;
        byte += token.text.len();
        if token.kind != Kind::Ident || !matches!(token.text, "for" | "while") || short.contains(&start) {
            continue;
        }
        let refused = || ShaderError {
            line: token.line,
            message: format!("write `{}` with its whole condition in brackets behind it; it gets a guard", token.text),
        };
        let condition = condition(tokens, place).ok_or_else(refused)?;
        guard(tokens, condition, &mut insertions);
    }
    insertions.sort_by_key(|(place, _)| *place);
    Ok(insertions)
}

/// The places before and after a condition.
fn condition(tokens: &[Token<'_>], keyword: usize) -> Option<(usize, usize)> {
    let open = keyword + 1 + tokens[keyword + 1..].iter().position(Token::is_solid)?;
    if tokens[open].kind != Kind::Punct('(') {
        return None;
    }
    let mut depth = 0_usize;
    let mut ends = vec![open];
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Punct('(' | '[' | '{') => depth += 1,
            Kind::Punct(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            Kind::Punct(';') if depth == 1 => ends.push(place),
            _ => {}
        }
        if depth == 0 {
            ends.push(place);
            break;
        }
    }
    match (tokens[keyword].text, &ends[..]) {
        ("while", [open, close]) => Some((*open, *close)),
        ("for", [_, first, second, _]) => Some((*first, *second)),
        _ => None,
    }
}

fn guard(tokens: &[Token<'_>], (before, after): (usize, usize), insertions: &mut Insertions) {
    let solid: Vec<usize> = (before + 1..after).filter(|place| tokens[*place].is_solid()).collect();
    if solid.is_empty() {
        insertions.push((after, "glow_turn()"));
        return;
    }
    // `bool more = step()`: the guard goes into the value.
    let is_name = |place: &usize| tokens[*place].kind == Kind::Ident;
    let names = solid.iter().take_while(|place| is_name(place)).count();
    let declares = names >= 2 && solid.get(names).is_some_and(|place| tokens[*place].kind == Kind::Punct('='));
    let value = if declares { solid[names] + 1 } else { before + 1 };
    insertions.extend([(value, "glow_turn() && ("), (after, ")")]);
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::*;

    fn guarded(source: &str) -> Result<String, u32> {
        let tokens = tokens(source).unwrap();
        let insertions = guards(&tokens, &BTreeSet::new()).map_err(|error| error.line)?;
        let mut out = String::new();
        for (place, token) in tokens.iter().enumerate() {
            out.extend(insertions.iter().filter(|(at, _)| *at == place).map(|(_, text)| *text));
            out.push_str(token.text);
        }
        Ok(out)
    }

    #[test]
    fn every_kind_of_loop_asks_for_its_turns() {
        for (source, expected) in [
            ("while(true){}", "while(glow_turn() && (true)){}"),
            ("while (a, b) x++;", "while (glow_turn() && (a, b)) x++;"),
            ("do x++; while (x < f(3)\n);", "do x++; while (glow_turn() && (x < f(3)\n));"),
            ("for(;;);", "for(;glow_turn(););"),
            ("for(int i = 0; i < n; i++)\n y++;", "for(int i = 0;glow_turn() && ( i < n); i++)\n y++;"),
            ("for(;bool go = f();){}", "for(;bool go =glow_turn() && ( f());){}"),
            ("while(const bool b=c){}", "while(const bool b=glow_turn() && (c)){}"),
            ("while(a == b){}", "while(glow_turn() && (a == b)){}"),
            ("while( // ever\n ){}", "while( // ever\n glow_turn()){}"),
            ("for(;;) while(a) {}", "for(;glow_turn();) while(glow_turn() && (a)) {}"),
            ("#define EVER for(;;)\n", "#define EVER for(;glow_turn();)\n"),
            ("#define TO(n) for(int i=0; \\\n i<n; i++)", "#define TO(n) for(int i=0;glow_turn() && ( \\\n i<n); i++)"),
            ("meanwhile(x); // for(;;)", "meanwhile(x); // for(;;)"),
        ] {
            assert_eq!(guarded(source).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn a_loop_that_hides_its_condition_is_refused_with_its_line() {
        for source in [
            "\n#define LOOP while\nLOOP(true){}",
            "\n#define LOOP(x) for(x)\nLOOP(;;){}",
            "\nfor(;;\n#if 1\n;\n#endif\n){}",
            "\nwhile",
        ] {
            assert_eq!(guarded(source), Err(2), "{source}");
        }
    }
}
