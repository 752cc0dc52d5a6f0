//! The top level of a project file: its sections by name, each as text that is read later, on its own.

use ron::extensions::Extensions;
use ron::options::Options;
use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;

/// Why a text is not RON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line of the text, from 1.
    pub line: usize,
    /// Column of the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl From<ron::error::SpannedError> for SyntaxError {
    fn from(error: ron::error::SpannedError) -> Self {
        let reason = match error.code {
            // Ron's own words are for programmers.
            ron::Error::ExceededRecursionLimit => "brackets are nested too deep".to_owned(),
            code => code.to_string(),
        };
        Self { line: error.span.start.line, column: error.span.start.col, reason }
    }
}

/// How every part of a project file is read: `Some(..)` may be left out around an optional value.
pub(super) fn options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// The sections of a text in their order.
pub(super) struct Sections<'a> {
    /// Name and text of each.
    pub all: Vec<(String, &'a RawValue)>,
}

impl<'a> Sections<'a> {
    /// Splits a text.
    pub fn of(text: &'a str) -> Result<Self, SyntaxError> {
        options().from_str(text).map_err(SyntaxError::from)
    }

    /// What the text says is its version.
    pub fn version(&self) -> Option<u32> {
        let (_, raw) = self.all.iter().find(|(name, _)| name == "version")?;
        options().from_str(raw.get_ron()).ok()
    }
}

impl<'de> Deserialize<'de> for Sections<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Glowdeck", &[], TopLevel)
    }
}

struct TopLevel;

impl<'de> Visitor<'de> for TopLevel {
    type Value = Sections<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sections of a project")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            all.push((name, map.next_value()?));
        }
        Ok(Sections { all })
    }
}

/// A field's name, whatever it is.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyName;
        impl Visitor<'_> for AnyName {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(name.to_owned()))
            }
        }
        deserializer.deserialize_identifier(AnyName)
    }
}
