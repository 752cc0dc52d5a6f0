//! Every decoder of what comes from a network or a serial port is given what no sender sends.
//!
//! None may panic, and each keeps its promises: what it reads it would write again, and where the crate
//! `artnet_protocol` is right both read the same. Packets of the committed corpus (`tests/fuzz`) are changed with their
//! structure in mind; a seed makes every run the same. The normal run takes seconds. The long one is
//! `GLOWDECK_FUZZ=10000000 CARGO_PROFILE_DEV_OPT_LEVEL=2 cargo test --test fuzz -- --nocapture`: so many inputs for
//! each decoder, with the checks of debug builds. `GLOWDECK_FUZZ_ADD=1` writes into the corpus what comes out as nothing
//! in there did.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/fuzz/mod.rs"]
mod fuzz;

use fuzz::corpus::{self, Entry};
use fuzz::mutate::{Dice, mutate};
use fuzz::{TARGETS, Target};
use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs for each decoder in a normal run.
const FEW: u64 = 30_000;
/// Threads that a decoder's inputs are shared by; part of what makes every run the same.
const SHARES: u64 = 2;

fn inputs() -> u64 {
    std::env::var("GLOWDECK_FUZZ").map_or(FEW, |count| count.parse().expect("GLOWDECK_FUZZ is a number"))
}

/// What comes of an input; one that breaks a promise ends the test with the line that goes into the corpus.
fn outcome(target: &Target, bytes: &[u8]) -> &'static str {
    let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(bytes)));
    checked.unwrap_or_else(|_| panic!("{}: keep it as\n{}", target.name, corpus::line("WHAT IS RIGHT", bytes)))
}

/// One share of a run. The outcomes, and what was filed under none of the labels.
fn run(target: &Target, share: u64, count: u64, labels: &BTreeSet<String>) -> (BTreeSet<&'static str>, Vec<Entry>) {
    let mut packets = (target.seeds)();
    packets.extend(corpus::read(target).into_iter().map(|entry| entry.bytes));
    let mut dice = Dice::new(share ^ u64::from_le_bytes(*b"glowdeck"));
    let (mut outcomes, mut bytes) = (BTreeSet::new(), Vec::new());
    let (mut known, mut new) = (labels.clone(), Vec::new());
    for _ in 0..count {
        mutate(&mut dice, target, &packets, &mut bytes);
        let outcome = outcome(target, &bytes);
        // Looked up only where something may be new: the long run has no time to waste.
        if outcomes.insert(outcome) || target.edges.iter().any(|edge| bytes.len().abs_diff(*edge) <= 1) {
            let label = corpus::label(target, outcome, bytes.len());
            if !known.contains(&label) {
                new.push(Entry { label: label.clone(), bytes: bytes.clone() });
                known.insert(label);
            }
        }
    }
    (outcomes, new)
}

fn fuzz(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a decoder of this name");
    let labels: BTreeSet<String> = corpus::read(target).into_iter().map(|entry| entry.label).collect();
    let count = inputs();
    let shares: Vec<_> = std::thread::scope(|scope| {
        let labels = &labels;
        let share = |share| scope.spawn(move || run(target, share, count.div_ceil(SHARES), labels));
        let threads: Vec<_> = (0..SHARES).map(share).collect();
        threads.into_iter().map(|thread| thread.join().expect("no promise is broken")).collect()
    });
    let outcomes: BTreeSet<&str> = shares.iter().flat_map(|(outcomes, _)| outcomes).copied().collect();
    println!("{name}: {} inputs, {} outcomes: {outcomes:?}", count.div_ceil(SHARES) * SHARES, outcomes.len());
    if std::env::var_os("GLOWDECK_FUZZ_ADD").is_some() {
        add(target, &labels, shares.into_iter().flat_map(|(_, new)| new));
        return;
    }
    let filed: BTreeSet<&str> = labels.iter().map(|label| label.split('@').next().unwrap()).collect();
    let unfiled: Vec<_> = outcomes.difference(&filed).collect();
    assert!(unfiled.is_empty(), "the corpus has none of {unfiled:?}; GLOWDECK_FUZZ_ADD=1 adds one");
    assert!(outcomes.len() > 1, "there is more than one outcome");
}

fn add(target: &Target, labels: &BTreeSet<String>, new: impl Iterator<Item = Entry>) {
    let mut known = labels.clone();
    let mut lines: Vec<String> = Vec::new();
    let seeds = (target.seeds)().into_iter().map(|bytes| {
        let label = corpus::label(target, outcome(target, &bytes), bytes.len());
        Entry { label, bytes }
    });
    for entry in seeds.chain(new) {
        if known.insert(entry.label.clone()) {
            lines.push(corpus::line(&entry.label, &entry.bytes));
        }
    }
    lines.sort();
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(corpus::path(target)).unwrap();
    lines.iter().for_each(|line| writeln!(file, "{line}").unwrap());
}

#[test]
fn what_is_in_the_corpus_comes_out_as_it_says() {
    for target in TARGETS {
        let entries = corpus::read(target);
        assert!(!entries.is_empty(), "{} has a corpus", target.name);
        for Entry { label, bytes } in entries {
            assert_eq!(corpus::label(target, outcome(target, &bytes), bytes.len()), label, "{}", target.name);
        }
    }
}

#[test]
fn a_line_of_the_corpus_is_read_as_it_was_written() {
    for bytes in [&b""[..], &[1, 2, 3], &[0; 5], &[7, 0, 0, 0, 0, 0, 7, 7, 8], &[9; 512]] {
        let line = corpus::line("x", bytes);
        assert_eq!(corpus::parse(&line).bytes, bytes, "{line}");
    }
}

macro_rules! decoders {
    ($($name:ident),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                fuzz(stringify!($name));
            }
        )+

        #[test]
        fn every_decoder_is_fuzzed() {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),+]);
        }
    };
}

decoders!(
    art_dmx,
    art_sync,
    art_time_code,
    art_poll,
    art_poll_reply,
    sacn_data,
    sacn_sync,
    sacn_discovery,
    ddp,
    enttec
);
