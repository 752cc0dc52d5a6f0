//! Colours for GLSL: keywords, types, numbers, comments, and the names that Glowdeck gives an effect.
//!
//! Pure; the same text gives the same job, so that egui lays it out once. Deliberately absent: a grammar.

use crate::app::theme;
use crate::shading::isolate::INPUTS;
use crate::shading::lexer::{Kind, Token, tokens};
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId};

const KEYWORDS: &str = "break case const continue default discard do else false flat for highp if in inout invariant \
    layout lowp mediump out precision return smooth struct switch true uniform void while";
const TYPES: &str = "bool float int uint vec2 vec3 vec4 bvec2 bvec3 bvec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 mat2 \
    mat3 mat4 Lamp";

/// The type that code is written in.
pub fn font() -> FontId {
    FontId::monospace(theme::SMALL)
}

/// Lays the whole source out in its colours; lines are not wrapped.
pub fn job(source: &str, params: &[String]) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    // A comment that is still open while it is typed is one to the end.
    let closed = format!("{source}*/");
    let pieces = tokens(source).or_else(|_| tokens(&closed)).unwrap_or_default();
    let mut left = source;
    for piece in &pieces {
        let (text, rest) = left.split_at(piece.text.len().min(left.len()));
        append(&mut job, text, ink(piece, params));
        left = rest;
    }
    append(&mut job, left, theme::TEXT);
    job
}

fn append(job: &mut LayoutJob, text: &str, color: Color32) {
    if !text.is_empty() {
        job.append(text, 0.0, TextFormat { font_id: font(), color, ..TextFormat::default() });
    }
}

fn ink(piece: &Token<'_>, params: &[String]) -> Color32 {
    let among = |words: &str| words.split_whitespace().any(|word| word == piece.text);
    match piece.kind {
        Kind::Blank => theme::CODE_COMMENT,
        Kind::Number => theme::CODE_NUMBER,
        Kind::Hash => theme::CODE_KEYWORD,
        Kind::Punct(_) | Kind::Newline => theme::TEXT_QUIET,
        Kind::Ident if among(KEYWORDS) => theme::CODE_KEYWORD,
        Kind::Ident if among(TYPES) => theme::CODE_TYPE,
        Kind::Ident if params.iter().any(|param| param == piece.text) => theme::CODE_PARAM,
        Kind::Ident if is_given(piece.text) => theme::CODE_INPUT,
        Kind::Ident => theme::TEXT,
    }
}

fn is_given(name: &str) -> bool {
    name == "lamp" || name == "gradient" || INPUTS.iter().any(|(input, _)| *input == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inks(source: &str) -> Vec<(String, Color32)> {
        let job = job(source, &["scale".into()]);
        assert_eq!(job.text, source);
        let sections = job.sections.iter().map(|section| {
            (job.text[section.byte_range.start.0..section.byte_range.end.0].to_owned(), section.format.color)
        });
        let sections = sections.map(|(text, ink)| (text.trim().to_owned(), ink));
        sections.filter(|(text, _)| !text.is_empty()).collect()
    }

    #[test]
    fn each_kind_of_word_has_its_ink() {
        let found = inks("return vec4(progress * scale, 0.5); // x");
        let expected = [
            ("return", theme::CODE_KEYWORD),
            ("vec4", theme::CODE_TYPE),
            ("progress", theme::CODE_INPUT),
            ("scale", theme::CODE_PARAM),
            ("0.5", theme::CODE_NUMBER),
            ("// x", theme::CODE_COMMENT),
        ];
        for (text, ink) in expected {
            assert!(found.contains(&(text.to_owned(), ink)), "{text}: {found:?}");
        }
    }

    #[test]
    fn no_text_is_lost_while_a_comment_is_open() {
        assert_eq!(inks("a /* b\nc")[1], ("/* b\nc".to_owned(), theme::CODE_COMMENT));
        assert_eq!(inks("ä€ 😀 /*").last(), Some(&("/*".to_owned(), theme::CODE_COMMENT)));
        assert!(inks("").is_empty());
    }
}
