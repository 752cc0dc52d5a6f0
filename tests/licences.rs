//! Everything Glowdeck is built from may be used under a licence of the allow list in `deny.toml`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use cargo_metadata::{CargoOpt, MetadataCommand};
use spdx::expression::ExpressionReq;
use spdx::{Expression, Licensee, ParseMode};

/// The allow list: the quoted lines of `allow = [..]`.
fn allowed() -> Vec<Licensee> {
    let deny = include_str!("../deny.toml");
    let (_, list) = deny.split_once("\nallow = [\n").unwrap();
    let (list, _) = list.split_once("\n]").unwrap();
    let lines = list.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let names = lines.map(|line| line.trim_matches(['"', ',']));
    names.map(|name| Licensee::parse(name).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// Why an expression cannot be satisfied by the allow list, if so.
fn refusal(licence: &str, allowed: &[Licensee]) -> Option<String> {
    // Older crates write `MIT/Apache-2.0`.
    let expression = match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => expression,
        Err(error) => return Some(error.to_string()),
    };
    let satisfied = expression.evaluate(|wanted| allowed.iter().any(|licensee| licensee.satisfies(wanted)));
    let wanted = || expression.requirements().map(|ExpressionReq { req, .. }| req.to_string()).collect::<Vec<_>>();
    (!satisfied).then(|| format!("{} is not allowed", wanted().join(" or ")))
}

#[test]
fn every_dependency_may_be_used() {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .other_options(["--locked".to_owned()])
        .exec()
        .unwrap();
    let allowed = allowed();
    assert!(metadata.packages.len() > 100, "the whole graph is looked at");
    let refused: Vec<String> = metadata
        .packages
        .iter()
        .filter_map(|package| {
            let licence = package.license.as_deref().unwrap_or("no licence");
            let refusal = refusal(licence, &allowed)?;
            Some(format!("{} {}: {licence}: {refusal}", package.name, package.version))
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn expressions_are_weighed_not_searched() {
    let allowed = allowed();
    for licence in ["MIT", "MIT/Apache-2.0", "GPL-2.0-only OR Apache-2.0", "(MIT OR GPL-3.0-only) AND Unicode-3.0"] {
        assert_eq!(refusal(licence, &allowed), None, "{licence}");
    }
    for licence in [
        "GPL-3.0",
        "GPL-3.0-only",
        "LGPL-2.1-or-later",
        "MIT AND GPL-3.0-only",
        "AGPL-3.0-only OR GPL-2.0-only",
        "no licence",
        "",
    ] {
        assert!(refusal(licence, &allowed).is_some(), "{licence}");
    }
}
