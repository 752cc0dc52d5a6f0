//! The thin binary: arguments, then the window, headless, or a tool.

use clap::Parser as _;
use glowdeck::cli::{Cli, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    run(Cli::parse())
}
