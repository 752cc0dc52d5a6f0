//! The header of a shader: title, about and parameters, in comment lines that the program reads.
//!
//! `// param: NAME KIND [RANGE] = DEFAULT | ABOUT`, where kind is float or int (with a range `min..max`), bool,
//! choice (with its names in brackets), percent, degrees, point or colour.

use super::ShaderError;
use crate::model::palette::Colour;

/// What a shader declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// What it is called.
    pub title: String,
    /// What it does, in a sentence.
    pub about: String,
    /// In the order they are declared.
    pub params: Vec<Param>,
}

/// A declared parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// What it takes, and what it is until somebody sets it.
    pub kind: ParamKind,
    /// What it does.
    pub about: String,
}

/// What a parameter takes, with its default.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A number within a range.
    Float {
        /// Lowest.
        min: f32,
        /// Highest.
        max: f32,
        /// Default.
        default: f32,
    },
    /// A whole number within a range.
    Int {
        /// Lowest.
        min: i32,
        /// Highest.
        max: i32,
        /// Default.
        default: i32,
    },
    /// On or off.
    Bool {
        /// Default.
        default: bool,
    },
    /// One of several names; the shader sees its place, from 0.
    Choice {
        /// In their order; never empty.
        names: Vec<String>,
        /// Place of the default.
        default: usize,
    },
    /// 0..=100 on screen; the shader sees 0..=1.
    Percent {
        /// Default, 0..=100.
        default: f32,
    },
    /// Degrees on screen; the shader sees radians.
    Degrees {
        /// Default, degrees.
        default: f32,
    },
    /// A point over the layout's frame, 0..=1.
    Point {
        /// Default.
        default: [f32; 2],
    },
    /// A colour; the shader sees linear light.
    Colour {
        /// Default.
        default: Colour,
    },
}

impl ParamKind {
    /// Its GLSL type.
    pub fn glsl_type(&self) -> &'static str {
        match self {
            Self::Float { .. } | Self::Percent { .. } | Self::Degrees { .. } => "float",
            Self::Int { .. } | Self::Choice { .. } => "int",
            Self::Bool { .. } => "bool",
            Self::Point { .. } => "vec2",
            Self::Colour { .. } => "vec3",
        }
    }

    /// How many numbers it takes in the parameter block.
    pub fn width(&self) -> usize {
        match self {
            Self::Point { .. } => 2,
            Self::Colour { .. } => 3,
            _ => 1,
        }
    }
}

impl Header {
    /// Reads the header lines of a source; other comments and all code are passed over.
    ///
    /// # Errors
    /// The first header line that cannot be read.
    pub fn parse(source: &str) -> Result<Self, ShaderError> {
        let mut header = Self::default();
        for (line, text) in (1..).zip(source.lines()) {
            let Some((field, value)) = text.trim().strip_prefix("//").and_then(|text| text.split_once(':')) else {
                continue;
            };
            let failed = |message| ShaderError { line, message };
            match field.trim() {
                "title" => header.title = value.trim().to_owned(),
                "about" => header.about = value.trim().to_owned(),
                "param" => {
                    let param = Param::parse(value).map_err(failed)?;
                    if header.params.iter().any(|other| other.name == param.name) {
                        return Err(failed(format!("parameter `{}` is declared twice", param.name)));
                    }
                    header.params.push(param);
                }
                _ => {}
            }
        }
        Ok(header)
    }
}

/// The source with another default in the header line of a parameter; the same where it declares none of this name.
pub fn with_default(source: &str, name: &str, default: &str) -> String {
    let declares = |line: &str| {
        let declared = line.trim().strip_prefix("//").and_then(|text| text.split_once(':'));
        declared.is_some_and(|(field, value)| field.trim() == "param" && value.split_whitespace().next() == Some(name))
    };
    let mut done = false;
    let lines = source.split_inclusive('\n').map(|line| {
        if done || !declares(line) {
            return line.to_owned();
        }
        done = true;
        let (declared, about) = line.split_at(line.find('|').unwrap_or(line.trim_end().len()));
        let left = declared.split_once('=').map_or(declared, |(left, _)| left).trim_end();
        let gap = if about.starts_with('|') { " " } else { "" };
        format!("{left} = {default}{gap}{about}")
    });
    lines.collect()
}

impl Param {
    fn parse(text: &str) -> Result<Self, String> {
        const FORM: &str = "write: // param: NAME KIND RANGE = DEFAULT | WHAT IT DOES";
        let (declared, about) = text.split_once('|').unwrap_or((text, ""));
        let (left, default) = declared.split_once('=').ok_or(FORM)?;
        let mut words = left.split_whitespace();
        let (name, kind) = words.next().zip(words.next()).ok_or(FORM)?;
        let range = words.collect::<Vec<_>>().join(" ");
        if !is_name(name) {
            return Err(format!("`{name}` is no name a parameter can have"));
        }
        let kind =
            parse_kind(kind, &range, default.trim()).map_err(|problem| format!("parameter `{name}`: {problem}"))?;
        Ok(Self { name: name.to_owned(), kind, about: about.trim().to_owned() })
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.starts_with("gl_")
        && !name.starts_with("glow_")
        && !name.contains("__")
}

fn parse_kind(kind: &str, range: &str, default: &str) -> Result<ParamKind, String> {
    Ok(match kind {
        "float" => {
            let (min, max) = parse_range::<f32>(range)?;
            ParamKind::Float { min, max, default: within(default, min, max)? }
        }
        "int" => {
            let (min, max) = parse_range::<i32>(range)?;
            ParamKind::Int { min, max, default: within(default, min, max)? }
        }
        "bool" => ParamKind::Bool { default: default.parse().map_err(|_| "the default is true or false")? },
        "choice" => {
            let list = range.strip_prefix('(').and_then(|list| list.strip_suffix(')'));
            let list = list.ok_or("a choice has its names in brackets: (round, square)")?;
            let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
            let place = names.iter().position(|name| name == default);
            ParamKind::Choice { default: place.ok_or("the default is none of the names")?, names }
        }
        "percent" => ParamKind::Percent { default: within(default, 0.0, 100.0)? },
        "degrees" => ParamKind::Degrees { default: within(default, -360.0, 360.0)? },
        "point" => {
            let inner = default.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
            let (x, y) = inner.and_then(|inner| inner.split_once(',')).ok_or("a point's default is (0.5, 0.5)")?;
            ParamKind::Point { default: [within(x.trim(), -10.0, 10.0)?, within(y.trim(), -10.0, 10.0)?] }
        }
        "colour" => ParamKind::Colour { default: default.parse()? },
        _ => {
            return Err(format!(
                "`{kind}` is no kind; use float, int, bool, choice, percent, degrees, point or colour"
            ));
        }
    })
}

fn parse_range<T: std::str::FromStr + PartialOrd>(text: &str) -> Result<(T, T), String> {
    let parsed = text.split_once("..").and_then(|(min, max)| Some((min.parse().ok()?, max.parse().ok()?)));
    parsed.filter(|(min, max)| min < max).ok_or_else(|| "it needs a range such as 0..10".to_owned())
}

fn within<T: std::str::FromStr + PartialOrd + std::fmt::Display>(text: &str, min: T, max: T) -> Result<T, String> {
    let value: Option<T> = text.parse().ok().filter(|value| *value >= min && *value <= max);
    value.ok_or_else(|| format!("the default `{text}` is no number from {min} to {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read() {
        let source = "// title: Plasma\n// about: Waves: slow\n\
            // param: scale float 0.1..8 = 2 | How many\n// param: arms int 1..6 = 3\n//param: soft bool = true\n\
            // param: shape choice (round, square) = square\n// param: hue percent = 40\n// param: angle degrees = -90\n\
            // param: at point = (0.5, 0.25)\n// param: tint colour = #ff0080\nvec4 effect(Lamp l) { return vec4(1); }";
        let header = Header::parse(source).unwrap();
        assert_eq!((header.title.as_str(), header.about.as_str()), ("Plasma", "Waves: slow"));
        let kinds: Vec<_> = header.params.into_iter().map(|param| param.kind).collect();
        let names = vec!["round".into(), "square".into()];
        let expected = [
            ParamKind::Float { min: 0.1, max: 8.0, default: 2.0 },
            ParamKind::Int { min: 1, max: 6, default: 3 },
            ParamKind::Bool { default: true },
            ParamKind::Choice { names, default: 1 },
            ParamKind::Percent { default: 40.0 },
            ParamKind::Degrees { default: -90.0 },
            ParamKind::Point { default: [0.5, 0.25] },
            ParamKind::Colour { default: Colour([255, 0, 128]) },
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn another_default_changes_only_its_own_line() {
        let source =
            "// title: T\n// param: a float 0..1 = 0.5 | x = y\n// param: ab percent = 3\nvec4 effect(Lamp l) {}";
        let changed = with_default(source, "a", "0.25");
        assert_eq!(changed, source.replace("= 0.5 |", "= 0.25 |"));
        assert_eq!(with_default(source, "ab", "7"), source.replace("= 3", "= 7"));
        assert_eq!(with_default(source, "b", "7"), source);
        assert!(Header::parse(&changed).is_ok());
    }

    #[test]
    fn a_bad_line_is_named() {
        for bad in [
            "scale",
            "scale float = 1",
            "scale float 2..1 = 1",
            "scale float 0..1 = 2",
            "scale float 0..1 = NaN",
            "Scale percent = 1",
            "gl_x percent = 1",
            "glow_x percent = 1",
            "shape choice (a, b) = c",
            "shape choice a, b = a",
            "x vec3 = 1",
            "x point = 0.5",
            "x colour = red",
            "x percent = 1\n// param: x percent = 1",
        ] {
            let error = Header::parse(&format!("\n// param: {bad}")).unwrap_err();
            assert!(error.line >= 2, "{bad}: {error}");
        }
    }
}
