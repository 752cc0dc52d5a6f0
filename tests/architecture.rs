//! The architecture's promises, held by reading the sources: who may know whom, and the house style's numbers.
//!
//! Works on lines of formatted code; test modules are told apart by `#[cfg(test)]` in front of a `mod`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use std::fs;
use std::path::{Path, PathBuf};

const MAX_FILE_LINES: usize = 400;
const MAX_FUNCTION_LINES: usize = 60;

/// Files that may hold unsafe code.
const UNSAFE_FILES: &[&str] =
    &["src/gl/context.rs", "src/gl/gpu.rs", "src/gl/query.rs", "src/gl/texture.rs", "src/gl/stage_painter.rs"];

/// Thread files: these may ask what time it is. Everywhere else time is an argument.
const CLOCK_FILES: &[&str] = &[
    "src/app/files.rs",
    "src/app/mod.rs",
    "src/app/waker.rs",
    "src/bench/output.rs",
    "src/bench/profile.rs",
    "src/bench/rig.rs",
    "src/bench/stall.rs",
    "src/bench/startup.rs",
    "src/bench/storm.rs",
    "src/bench/ui.rs",
    "src/bench/window.rs",
    "src/input/bridge/mod.rs",
    // A show begins at an instant; every frame's time is counted from it and given.
    "src/offline/mod.rs",
    "src/output/discovery/mod.rs",
    "src/output/mod.rs",
    "src/output/planner.rs",
    "src/output/receiver/mod.rs",
    "src/output/sender.rs",
    "src/output/serial/thread.rs",
    // How long a program has been in the driver's hands.
    "src/render/compiler.rs",
    "src/render/frame_loop.rs",
    "src/render/kept.rs",
    // What a draw takes where no timer of the driver tells.
    "src/render/meter.rs",
    "src/render/stage_view.rs",
    "src/render/thread.rs",
];

/// Modules of this crate that a module may use besides itself. A module that is not listed may use all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("model", &["units"]),
    ("timing", &["units"]),
    ("show", &["model", "timing", "units", "notice"]),
    ("shading", &["model", "units"]),
    ("gl", &["shading", "units", "frame"]),
];

/// Modules of this crate that a module must not use.
const MUST_NOT_USE: &[(&str, &[&str])] = &[
    ("render", &["output", "input", "app"]),
    ("input", &["render", "gl", "app", "storage"]),
    ("output", &["render", "input", "gl", "app", "storage"]),
    ("storage", &["render", "output", "input", "gl", "app"]),
];

/// What the document, and what is played from it, must never touch.
const PURE: &[&str] = &["model", "timing", "show", "shading"];
const IMPURE_WORDS: &[&str] =
    &["glow::", "glutin::", "egui::", "eframe::", "UdpSocket", "TcpStream", "std::fs", "std::thread", "std::io"];

/// A source file.
struct Source {
    /// From the repository's root, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// The top module it belongs to: `model` for `src/model/edit.rs` and `src/model.rs`.
    fn module(&self) -> &str {
        let inside = self.path.strip_prefix("src/").unwrap_or_default();
        inside.split(['/', '.']).next().unwrap_or_default()
    }

    /// Lines with their numbers, comments left out; of test code only or of other code only.
    fn code(&self, of_tests: bool) -> Vec<(usize, &str)> {
        let mut in_tests = self.path.starts_with("tests/") || self.path.ends_with("/tests.rs");
        let whole = in_tests;
        let lines: Vec<&str> = self.text.lines().collect();
        let mut code = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let opens = *line == "#[cfg(test)]" && lines.get(index + 1).is_some_and(|next| next.starts_with("mod "));
            in_tests |= opens;
            if in_tests == of_tests && !line.trim_start().starts_with("//") {
                code.push((index + 1, line.split(" // ").next().unwrap_or(line)));
            }
            let one_line = in_tests && line.starts_with("mod ") && line.ends_with(';');
            if !whole && (*line == "}" || one_line) {
                in_tests = false;
            }
        }
        code
    }
}

fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                files.push(entry);
            }
        }
    }
    files.sort();
    let source = |file: PathBuf| Source {
        path: file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"),
        text: fs::read_to_string(&file).unwrap(),
    };
    let sources: Vec<Source> = files.into_iter().map(source).collect();
    assert!(!sources.is_empty(), "{folder}");
    sources
}

fn all_sources() -> Vec<Source> {
    sources("src").into_iter().chain(sources("tests")).collect()
}

/// Lines of code in which one of the words stands.
fn lines_with<'a>(source: &'a Source, of_tests: bool, words: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    let found = source.code(of_tests).into_iter();
    let found = found.filter(|(_, line)| words.iter().any(|word| line.contains(word)));
    found.map(|(number, line)| format!("{}:{number}: {}", source.path, line.trim()))
}

/// Modules of this crate that a line names after `crate::`, also in braces.
fn used_modules(line: &str) -> Vec<&str> {
    let mut used = Vec::new();
    for after in line.split("crate::").skip(1) {
        let names = after.strip_prefix('{').map_or(vec![after], |list| list.split(", ").collect());
        used.extend(names.iter().filter_map(|name| name.split(|c: char| !c.is_alphanumeric() && c != '_').next()));
    }
    used
}

fn none(faults: Vec<String>, rule: &str) {
    assert!(faults.is_empty(), "{rule}:\n{}", faults.join("\n"));
}

#[test]
fn every_file_says_what_it_is() {
    let silent = all_sources().into_iter().filter(|source| !source.text.starts_with("//! "));
    none(silent.map(|source| source.path).collect(), "start with `//!`: what, on which thread, what is absent");
}

#[test]
fn files_and_functions_stay_short() {
    let mut long = Vec::new();
    for source in all_sources() {
        let count = source.text.lines().count();
        if count > MAX_FILE_LINES {
            long.push(format!("{} has {count} lines", source.path));
        }
        long.extend(long_functions(&source));
    }
    none(long, "split by concept");
}

/// In formatted code a function ends at the first closing brace that stands as far left as its `fn` line.
fn long_functions(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut long = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let words: Vec<&str> = text.split_whitespace().take_while(|word| *word != "fn").collect();
        let is_function = words.len() < text.split_whitespace().count()
            && words.iter().all(|word| word.starts_with("pub") || ["const", "async", "unsafe", "in"].contains(word));
        if !is_function {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - text.len()]);
        let header = lines[start..].iter().position(|line| line.ends_with(['{', ';', '}'])).unwrap_or(0);
        let length = match lines[start + header].ends_with('{') {
            true => lines[start..].iter().position(|line| *line == end).unwrap_or(0) + 1,
            false => header + 1,
        };
        if length > MAX_FUNCTION_LINES {
            long.push(format!("{}:{}: {length} lines", source.path, start + 1));
        }
    }
    long
}

#[test]
fn modules_know_only_whom_they_may() {
    let mut faults = Vec::new();
    for source in sources("src") {
        let module = source.module();
        let may = MAY_USE.iter().find(|(of, _)| *of == module).map(|(_, may)| *may);
        let must_not = MUST_NOT_USE.iter().find(|(of, _)| *of == module).map_or(&[][..], |(_, not)| *not);
        for (number, line) in source.code(false) {
            let wrong = used_modules(line).into_iter().find(|used| {
                *used != module && (may.is_some_and(|may| !may.contains(used)) || must_not.contains(used))
            });
            faults.extend(wrong.map(|used| format!("{}:{number}: {module} uses {used}", source.path)));
        }
    }
    none(faults, "see the module map");
}

#[test]
fn modules_are_found_in_every_way_of_naming_them() {
    assert_eq!(used_modules("use crate::model::id::{A, B};"), ["model"]);
    assert_eq!(used_modules("use crate::{model::id, gl};"), ["model", "gl"]);
    assert_eq!(used_modules("let x: crate::units::Beats = crate::gl::now();"), ["units", "gl"]);
    assert!(used_modules("use std::fmt;").is_empty());
}

#[test]
fn what_is_pure_touches_no_system() {
    let pure = sources("src").into_iter().filter(|source| PURE.contains(&source.module()));
    let faults = pure.flat_map(|source| lines_with(&source, false, IMPURE_WORDS).collect::<Vec<_>>());
    none(faults.collect(), "no GL, window, socket, file or thread here");
    let model = sources("src").into_iter().filter(|source| source.module() == "model");
    let faults = model.flat_map(|source| lines_with(&source, false, &["crossbeam", "arc_swap"]).collect::<Vec<_>>());
    none(faults.collect(), "the model knows no channel");
}

#[test]
fn the_window_stays_in_app() {
    let others = sources("src").into_iter().filter(|source| !["app", "main"].contains(&source.module()));
    let faults = others.flat_map(|source| lines_with(&source, false, &["egui::", "eframe::"]).collect::<Vec<_>>());
    none(faults.collect(), "egui and eframe appear only in app and main.rs");
}

#[test]
fn unsafe_code_stays_in_the_listed_files() {
    let words = ["unsafe {", "unsafe fn", "unsafe impl", "(unsafe_code)"];
    let others = all_sources().into_iter().filter(|source| !UNSAFE_FILES.contains(&source.path.as_str()));
    let others = others.filter(|source| source.path != "tests/architecture.rs");
    let faults = others
        .flat_map(|source| [true, false].map(|of_tests| lines_with(&source, of_tests, &words).collect::<Vec<_>>()));
    none(faults.flatten().collect(), "list the file here and say why in it");
}

#[test]
fn nothing_unwraps_outside_tests() {
    let faults = sources("src").into_iter().flat_map(|source| {
        lines_with(&source, false, &[".unwrap()", ".expect(", ".unwrap_err()", ".expect_err("]).collect::<Vec<_>>()
    });
    none(faults.collect(), "handle it, or degrade and tell");
}

#[test]
fn time_is_an_argument() {
    let others = sources("src").into_iter().filter(|source| !CLOCK_FILES.contains(&source.path.as_str()));
    let faults = others
        .flat_map(|source| lines_with(&source, false, &["Instant::now()", "SystemTime::now()"]).collect::<Vec<_>>());
    none(faults.collect(), "only thread files look at the clock");
}

#[test]
fn tests_neither_sleep_nor_are_left_out() {
    let others = all_sources().into_iter().filter(|source| source.path != "tests/architecture.rs");
    let faults =
        others.flat_map(|source| lines_with(&source, true, &["thread::sleep", "#[ignore"]).collect::<Vec<_>>());
    none(faults.collect(), "wait for a condition with a timeout");
}
