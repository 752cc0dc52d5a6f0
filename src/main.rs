//! The thin binary: arguments, then the window or headless.

fn main() {}
