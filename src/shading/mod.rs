//! Shading: an author's GLSL becomes programs that run everywhere. Pure text, on any thread.
//!
//! `header` reads what a shader declares, `isolate` renames its names so that many shaders fit in one program
//! and has its loops guarded (`guard`, but for `short_loops`), `fuse` writes that program, `errors` turns the driver's log back into the author's lines. No GL here.

pub mod errors;
pub mod fuse;
pub mod guard;
pub mod header;
pub mod help;
pub mod isolate;
pub mod lexer;
pub mod library;
pub mod prelude;
mod short_loops;

use header::Header;
use isolate::Isolated;
use std::sync::Arc;
use thiserror::Error;

/// A shader that could be read: what it declares, and its source ready to be fused.
#[derive(Debug)]
pub struct ShaderText {
    /// The author's source as it is.
    pub source: Arc<str>,
    /// What it declares.
    pub header: Header,
    /// Its source in tokens that can be renamed.
    pub isolated: Isolated,
}

/// Why a shader cannot be used, with the author's own line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct ShaderError {
    /// Where.
    pub line: u32,
    /// What is wrong and what to do.
    pub message: String,
}

impl ShaderText {
    /// Reads header and source.
    ///
    /// # Errors
    /// The first thing that is wrong before any compiler sees it.
    pub fn read(source: &str) -> Result<Self, ShaderError> {
        let header = Header::parse(source)?;
        let isolated = Isolated::read(source, &header)?;
        Ok(Self { source: source.into(), header, isolated })
    }
}
