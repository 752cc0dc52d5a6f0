//! A DMX interface as a pseudo-terminal: what the running output writes there are the lamps' bytes, also after it was
//! unplugged and plugged in again.
//!
//! A link stands for the port's name, so that the next pseudo-terminal can take its place. Every wait has an end.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

#[path = "support/output_rig.rs"]
mod output_rig;

use glowdeck::model::device::{Enttec, Mk2Api, Protocol};
use glowdeck::output::enttec::{Decoder, GET_PARAMETERS, Message, SEND_DMX, get_parameters};
use nix::fcntl::OFlag;
use nix::pty::{PtyMaster, grantpt, posix_openpt, ptsname_r, unlockpt};
use output_rig::{Rig, SOON, expected, pattern};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The interface's end: hears messages.
struct Interface {
    master: PtyMaster,
    decoder: Decoder,
    heard: Vec<Message>,
}

impl Interface {
    /// One that is reached by this link, as if plugged in there.
    fn plug_in(link: &Path) -> Self {
        let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let _ = std::fs::remove_file(link);
        std::os::unix::fs::symlink(ptsname_r(&master).unwrap(), link).unwrap();
        Self { master, decoder: Decoder::default(), heard: Vec::new() }
    }

    /// Leaves no room on the way to it, as long as the file is open.
    fn fill(link: &Path) -> File {
        let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        let mut way = File::options().write(true).custom_flags(flags.bits()).open(link).unwrap();
        while way.write(&[0; 512]).is_ok() {}
        way
    }

    /// Hears what comes until a message is as wanted.
    fn hear(&mut self, what: &str, wanted: impl Fn(&Message) -> bool) -> Message {
        let deadline = Instant::now() + SOON;
        loop {
            if let Some(place) = self.heard.iter().position(&wanted) {
                return self.heard.drain(..=place).next_back().unwrap();
            }
            assert!(Instant::now() < deadline, "it never heard {what}");
            let wait = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
            let _ = poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&wait));
            let mut bytes = [0; 4096];
            // Before the port is opened, and after it is closed, there is nothing to read, which is said as an error.
            let read = self.master.read(&mut bytes).unwrap_or(0);
            let heard = &mut self.heard;
            self.decoder.take(&bytes[..read], |message| heard.push(message));
        }
    }

    fn hear_lamps(&mut self, label: u8, universe: usize, seed: u8) {
        let lamps = [&[0][..], &expected(universe, seed)].concat();
        self.hear(&format!("universe {universe}"), |message| message.label == label && message.data == lamps);
    }
}

fn enttec(link: &Path, mk2: Option<Mk2Api>) -> Protocol {
    Protocol::Enttec(Enttec { port: link.to_str().unwrap().to_owned(), mk2 })
}

#[test]
fn the_interface_hears_the_lamps_bytes_before_and_after_it_was_unplugged() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("dmx");
    let mut rig = Rig::start();
    rig.add_speaking(1, enttec(&link, None), 1, |_| ());
    rig.publish_project();
    rig.publish_frame(2, pattern(1));
    let text = rig.notices.recv_timeout(SOON).unwrap().text;
    assert!(text.starts_with("node 1 gets no light: ") && text.contains("cannot be opened"), "{text}");

    let mut interface = Interface::plug_in(&link);
    interface.hear("the question what it is", |message| message.label == GET_PARAMETERS);
    interface.master.write_all(&get_parameters()).unwrap();
    interface.hear_lamps(SEND_DMX, 0, 1);
    assert_eq!(rig.notices.recv_timeout(SOON).unwrap().text, "node 1 is there and is sent everything again.");
    for seed in 2..20 {
        rig.publish_frame(2, pattern(seed));
        interface.hear_lamps(SEND_DMX, 0, seed);
    }
    // Nothing new comes; it hears the last frame again.
    interface.hear_lamps(SEND_DMX, 0, 19);

    drop(interface);
    rig.publish_frame(2, pattern(20));
    rig.wait_for_stats(|stats| stats.devices.iter().any(|device| device.errors == 1));
    let mut interface = Interface::plug_in(&link);
    interface.hear_lamps(SEND_DMX, 0, 20);
    interface.master.write_all(&get_parameters()).unwrap();
    let stats = rig.wait_for_stats(|stats| stats.devices.iter().any(|device| device.packets >= 21));
    assert!(stats.devices[0].name == "node 1" && stats.devices[0].bytes >= 20 * 518, "{stats:?}");

    rig.output.stop();
    for _ in 0..3 {
        interface.hear("black", |message| message.label == SEND_DMX && message.data == [0; 513]);
    }
}

#[test]
fn both_lines_of_a_mk2_hear_their_universes_once_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("dmx");
    let mut interface = Interface::plug_in(&link);
    let mk2 = Mk2Api { key: 0x0A0B_0C0D, assign: 200, send: 201 };
    let mut rig = Rig::start();
    rig.add_speaking(1, enttec(&link, Some(mk2)), 3, |_| ());
    rig.publish_project();
    rig.publish_frame(3, pattern(5));
    let text = rig.notices.recv_timeout(SOON).unwrap().text;
    assert!(text.contains("ports 0 and 1. 2 of 3 are sent"), "{text}");
    let key = interface.hear("the key", |message| message.label == 13);
    assert_eq!(key.data, [0x0D, 0x0C, 0x0B, 0x0A]);
    assert_eq!(interface.hear("the ports", |message| message.label == 200).data, [1, 1]);
    interface.hear_lamps(SEND_DMX, 0, 5);
    interface.hear_lamps(201, 1, 5);
    rig.output.stop();
}

#[test]
fn one_that_does_not_read_neither_stalls_the_show_nor_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("dmx");
    let silent = Interface::plug_in(&link);
    let full = Interface::fill(&link);
    let receiver = glowdeck::output::receiver::Receiver::start(([127, 0, 0, 1], 0).into(), 1).unwrap();
    let mut rig = Rig::start();
    rig.add_speaking(1, enttec(&link, None), 1, |_| ());
    rig.add(2, receiver.address(), 1, |_| ());
    rig.publish_project();
    let deadline = Instant::now() + SOON;
    let mut seed = 0_u8;
    // Frames until it is told; the other device gets every one of them.
    let text = loop {
        seed = seed.wrapping_add(1);
        rig.publish_frame(1, pattern(seed));
        let wanted = receiver.counts().packets + 1;
        assert!(receiver.wait_for(SOON, |counts| counts.packets >= wanted).1);
        let notice = rig.notices.recv_timeout(Duration::from_millis(10));
        if let Some(notice) = notice.ok().filter(|notice| notice.text.contains("takes no data")) {
            break notice.text;
        }
        assert!(Instant::now() < deadline, "it was never told");
    };
    assert!(text.starts_with("node 1 ("), "{text}");
    let start = Instant::now();
    rig.output.stop();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    drop((silent, full));
}

#[test]
fn the_program_accepts_an_interface_names_what_it_has_not_and_lists_ports() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("show.ron");
    let check = |protocol: &str, port: u16| {
        let hello = include_str!("../projects/hello.ron");
        let show = hello.replacen("ArtNet(address: \"127.0.0.1:6454\")", protocol, 1);
        let show = show.replacen("count: 1, device: 1, port: 0", &format!("count: 1, device: 1, port: {port}"), 1);
        assert!(show.contains(protocol) && show.contains(&format!("device: 1, port: {port}")), "the project changed");
        std::fs::write(&path, show).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_glowdeck")).arg("check").arg(&path).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, said) = check("Enttec(port: \"EN123456\")", 0);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = check("Enttec()", 1);
    assert!(code == Some(10) && said.contains("the second line of a Pro Mk2 needs `mk2`"), "{said}");
    let (code, said) = check("Enttec(mk2: (key: 1, assign: 2, send: 101))", 0);
    assert!(code == Some(10) && said.contains("the second line is left alone"), "{said}");
    let output = Command::new(env!("CARGO_BIN_EXE_glowdeck")).args(["list", "serial"]).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty());
}
