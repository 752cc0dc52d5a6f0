//! The committed inputs: one file a decoder, a line an input, `OUTCOME@LENGTH: bytes`.
//!
//! Bytes are in hexadecimal, in words of any length; `00*512` stands for 512 of them.

use super::Target;
use std::fmt::Write as _;
use std::path::PathBuf;

/// An input and what comes of it.
pub struct Entry {
    pub label: String,
    pub bytes: Vec<u8>,
}

pub fn path(target: &Target) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz")).join(format!("{}.txt", target.name))
}

pub fn read(target: &Target) -> Vec<Entry> {
    let text = std::fs::read_to_string(path(target)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(parse).collect()
}

pub fn parse(line: &str) -> Entry {
    let (label, bytes) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
    Entry { label: label.to_owned(), bytes: bytes.split(' ').flat_map(word).collect() }
}

fn word(word: &str) -> Vec<u8> {
    let (digits, times) = word.split_once('*').map_or((word, 1), |(digits, times)| (digits, times.parse().unwrap()));
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.as_bytes().chunks(2).map(byte).collect::<Vec<u8>>().repeat(times)
}

/// What an input is filed under: what comes of it, and its length where that is at an edge.
pub fn label(target: &Target, outcome: &str, length: usize) -> String {
    let edge = target.edges.iter().any(|edge| length.abs_diff(*edge) <= 1);
    if edge { format!("{outcome}@{length}") } else { outcome.to_owned() }
}

/// The line of an input.
pub fn line(label: &str, bytes: &[u8]) -> String {
    let mut line = format!("{label}:");
    let mut open = false;
    for run in bytes.chunk_by(|a, b| a == b) {
        if run.len() > 4 {
            write!(line, " {:02x}*{}", run[0], run.len()).unwrap();
            open = false;
        } else {
            let digits: String = run.iter().map(|byte| format!("{byte:02x}")).collect();
            let gap = if std::mem::replace(&mut open, true) { "" } else { " " };
            write!(line, "{gap}{digits}").unwrap();
        }
    }
    line
}
