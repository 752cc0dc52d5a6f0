//! What goes on the wire, byte for byte and packet for packet, under simulated time.
//!
//! What all protocols have in common, and Art-Net's bytes; those of the others are in `sacn.rs` and `streams.rs`.
//! No socket and no clock: bytes are compared with vectors written by hand from the specification and with the
//! crate `artnet_protocol`; series of frames and times are drawn by proptest.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail at any line")]

use artnet_protocol::{ArtCommand, Output as OracleOutput, PortAddress as OraclePort};
use glowdeck::frame::LampFrame;
use glowdeck::model::device::{DdpPixels, RateLimit, Refresh};
use glowdeck::model::id::DeviceId;
use glowdeck::output::artnet::{self, DMX_PACKET, Packet, ParseError};
use glowdeck::output::cid::Cid;
use glowdeck::output::ddp;
use glowdeck::output::interfaces::Leaving;
use glowdeck::output::plan::{Destination, Format, Stream};
use glowdeck::output::schedule::Schedule;
use glowdeck::units::{PortAddress, UNIVERSE_CHANNELS};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn port(raw: u16) -> PortAddress {
    PortAddress::new(raw).expect("15 bits")
}

#[test]
fn an_art_dmx_is_these_530_bytes() {
    let mut packet = artnet::dmx_packet(port(0x1234));
    artnet::advance_sequence(&mut packet);
    artnet::dmx_data_mut(&mut packet)[..3].copy_from_slice(&[0xff, 0x80, 0x01]);
    let mut expected = vec![0; 530];
    expected[..21].copy_from_slice(&[
        0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00, // Art-Net\0
        0x00, 0x50, 0x00, 0x0e, // opcode low byte first, protocol 14 high byte first
        0x01, 0x00, // sequence, physical
        0x34, 0x12, // sub-net 3 and universe 4, net 0x12
        0x02, 0x00, // 512 slots, high byte first
        0xff, 0x80, 0x01,
    ]);
    assert_eq!(packet[..], expected);
}

#[test]
fn an_art_sync_is_these_14_bytes() {
    let expected = [0x41, 0x72, 0x74, 0x2d, 0x4e, 0x65, 0x74, 0x00, 0x00, 0x52, 0x00, 0x0e, 0x00, 0x00];
    assert_eq!(artnet::SYNC, expected);
}

proptest! {
    #[test]
    fn our_art_dmx_is_the_oracles(raw in 0..=PortAddress::MAX, count in 0..600_usize, data in any::<[u8; 32]>()) {
        let mut packet = artnet::dmx_packet(port(raw));
        for _ in 0..count {
            artnet::advance_sequence(&mut packet);
        }
        let data: Vec<u8> = data.into_iter().cycle().take(UNIVERSE_CHANNELS).collect();
        artnet::dmx_data_mut(&mut packet).copy_from_slice(&data);
        let oracle = ArtCommand::Output(OracleOutput {
            sequence: packet[12],
            port_address: OraclePort::try_from(raw).expect("15 bits"),
            data: data.into(),
            ..OracleOutput::default()
        });
        prop_assert_eq!(&packet[..], oracle.write_to_buffer().expect("the oracle writes"));
        prop_assert_eq!(usize::from(packet[12]), if count == 0 { 0 } else { (count - 1) % 255 + 1 });
    }

    #[test]
    fn what_the_oracle_writes_is_read(raw in 0..=PortAddress::MAX, sequence: u8, half in 1..=256_usize, level: u8) {
        let bytes = ArtCommand::Output(OracleOutput {
            sequence,
            port_address: OraclePort::try_from(raw).expect("15 bits"),
            data: vec![level; half * 2].into(),
            ..OracleOutput::default()
        })
        .write_to_buffer()
        .expect("the oracle writes");
        let Ok(Packet::Dmx(dmx)) = artnet::parse(&bytes) else { panic!("no ArtDmx: {bytes:?}") };
        prop_assert_eq!((dmx.sequence, dmx.port.raw(), dmx.data), (sequence, raw, &vec![level; half * 2][..]));
    }

    #[test]
    fn reading_never_panics_and_never_reads_past_the_length(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        ours: bool,
    ) {
        let mut bytes = bytes;
        if ours && bytes.len() >= 12 {
            bytes[..12].copy_from_slice(&artnet::dmx_packet(port(0))[..12]);
        }
        match artnet::parse(&bytes) {
            Ok(Packet::Dmx(dmx)) => {
                let length = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
                prop_assert!(dmx.data.len() == length && length % 2 == 0 && (2..=512).contains(&length));
            }
            Ok(_) => prop_assert!(bytes.len() >= 10),
            Err(ParseError::NotArtNet) => prop_assert!(!ours || bytes.len() < 12),
            Err(_) => {}
        }
    }
}

/// One step of a simulated show: so much later, either a frame with these levels or none.
type Step = (u64, Option<Vec<u8>>);

#[derive(Clone, Copy, Debug)]
struct Rig {
    universes: u16,
    rate: RateLimit,
    refresh: Refresh,
    /// Whether the thread wakes when the schedule asks it to, besides when frames come.
    lateness_us: u64,
    speech: Speech,
}

/// What the device speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speech {
    ArtNet,
    Sacn,
    Ddp,
}

impl Speech {
    fn format(self) -> Format {
        match self {
            Self::ArtNet => Format::ArtNet,
            Self::Sacn => Format::Sacn(Stream {
                cid: Cid([7; 16]),
                first_universe: 1,
                priority: 100,
                sync_universe: Some(9),
                multicast: None,
                announced: Arc::default(),
            }),
            Self::Ddp => Format::Ddp { pixels: DdpPixels::Rgb, channels: 510 },
        }
    }

    /// The universes whose last channel is in a packet, with the packet's sequence number and that channel's level.
    fn read(self, packet: &[u8]) -> Vec<(usize, u8, u8)> {
        match self {
            Self::ArtNet => vec![(usize::from(packet[14]), packet[12], packet[18 + 511])],
            Self::Sacn => vec![(usize::from(packet[114]) - 1, packet[111], packet[126 + 511])],
            Self::Ddp => {
                let data = ddp::parse(packet).expect("DDP");
                let (start, end) = (data.offset as usize, data.offset as usize + data.data.len());
                let last = (0..8).map(|universe| (universe, universe * 510 + 509));
                let inside = last.filter(|(_, at)| (start..end).contains(at));
                inside.map(|(universe, at)| (universe, data.sequence, data.data[at - start])).collect()
            }
        }
    }
}

/// A packet as it went out.
#[derive(Clone, Copy, Debug)]
struct Sighting {
    at: Duration,
    universe: usize,
    sequence: u8,
    level: u8,
}

fn rigs() -> impl Strategy<Value = Rig> {
    let rate = prop_oneof![
        Just(RateLimit::RenderRate),
        (0.5_f32..200.0).prop_map(RateLimit::Fps),
        Just(RateLimit::Fps(44.0)),
    ];
    let refresh = prop_oneof![Just(Refresh::Changed), Just(Refresh::EveryFrame)];
    let speech = prop_oneof![Just(Speech::ArtNet), Just(Speech::Sacn), Just(Speech::Ddp)];
    (1..5_u16, rate, refresh, 0..40_000_u64, speech).prop_map(|(universes, rate, refresh, lateness_us, speech)| Rig {
        universes,
        rate,
        refresh,
        lateness_us,
        speech,
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let frame = prop::option::weighted(0.9, prop::collection::vec(0..4_u8, 1..5));
    let pause = prop_oneof![8 => 0..40_000_u64, 1 => 0..3_000_000_u64];
    prop::collection::vec((pause, frame), 1..120)
}

struct Simulation {
    rig: Rig,
    schedule: Schedule,
    start: Instant,
    now: Instant,
    newest: Option<LampFrame>,
    sightings: Vec<Sighting>,
    /// When something was sent, and when each frame was published.
    sends: Vec<Duration>,
}

impl Simulation {
    fn new(rig: Rig) -> Self {
        let start = Instant::now();
        let schedule = Schedule::new(&Destination {
            device: DeviceId(1),
            name: "node".into(),
            address: "127.0.0.1:6454".parse().expect("an address"),
            leaving: Leaving::AsRouted,
            broadcast: false,
            rate: rig.rate,
            refresh: rig.refresh,
            sync: true,
            offload: true,
            burst: 16,
            format: rig.speech.format(),
            universes: (0..rig.universes).map(|universe| (universe, port(universe))).collect(),
        });
        Self { rig, schedule, start, now: start, newest: None, sightings: Vec::new(), sends: Vec::new() }
    }

    /// Wakes when the schedule asks to, a bit late, until `end`.
    fn run_until(&mut self, end: Instant) {
        while let Some(due) = self.schedule.next_due() {
            assert!(due > self.now || self.rig.lateness_us > 0 || due == self.now, "time stands still");
            let wake = due.max(self.now) + Duration::from_micros(self.rig.lateness_us.max(1));
            if wake >= end {
                break;
            }
            self.now = wake;
            self.poll();
        }
        self.now = self.now.max(end);
    }

    fn poll(&mut self) {
        self.schedule.prepare(self.now, self.newest.as_ref());
        let at = self.now - self.start;
        let syncs = self.rig.speech != Speech::Ddp;
        assert_eq!(self.schedule.sync_due(), syncs && !self.schedule.due().is_empty());
        for index in self.schedule.due() {
            let packet = self.schedule.packets().packet(*index as usize);
            for (universe, sequence, level) in self.rig.speech.read(packet) {
                self.sightings.push(Sighting { at, universe, sequence, level });
            }
        }
        if !self.schedule.due().is_empty() {
            self.sends.push(at);
        }
    }

    fn play(&mut self, steps: &[Step]) {
        for (number, (pause_us, levels)) in (1..).zip(steps) {
            self.run_until(self.now + Duration::from_micros(*pause_us));
            if let Some(levels) = levels {
                let bytes = levels.iter().flat_map(|level| [*level; UNIVERSE_CHANNELS]).collect();
                self.newest = Some(LampFrame { bytes, number, stamp: self.now });
            }
            self.poll();
        }
        // Long enough for the slowest rate to send what it still holds back.
        self.run_until(self.now + Duration::from_secs(5));
    }

    fn of(&self, universe: u16) -> impl Iterator<Item = &Sighting> {
        self.sightings.iter().filter(move |sighting| sighting.universe == usize::from(universe))
    }
}

/// At any two times there are no more between them than the limit allows. The grid lets one that is late and one
/// that is on time be close, never a third.
fn check_rate(rate: RateLimit, times: &[Duration]) -> Result<(), TestCaseError> {
    let RateLimit::Fps(fps) = rate else { return Ok(()) };
    for (index, first) in times.iter().enumerate() {
        for (count, last) in (1..).zip(&times[index..]) {
            let most = (*last - *first).as_secs_f64() * f64::from(fps) + 2.0 + 1e-3;
            prop_assert!(f64::from(count) <= most, "{count} from {first:?} to {last:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_universe_is_silent_for_more_than_a_second(rig in rigs(), steps in steps()) {
        let mut simulation = Simulation::new(rig);
        simulation.play(&steps);
        let end = simulation.now - simulation.start;
        for universe in 0..rig.universes {
            let mut times: Vec<_> = simulation.of(universe).map(|sighting| sighting.at).collect();
            times.push(end);
            // A wake-up may be up to 40 ms late here, and still no gap is longer than a second.
            for pair in times.windows(2) {
                prop_assert!(pair[1] - pair[0] <= Duration::from_secs(1), "{pair:?}");
            }
        }
        prop_assert_eq!(simulation.sightings.is_empty(), simulation.newest.is_none());
    }

    #[test]
    fn sequences_count_from_1_to_255_without_zero(rig in rigs(), steps in steps()) {
        let rig = Rig { speech: Speech::ArtNet, ..rig };
        let mut simulation = Simulation::new(rig);
        for _ in 0..4 {
            simulation.play(&steps);
        }
        for universe in 0..rig.universes {
            for (sighting, expected) in simulation.of(universe).zip((1..=255_u8).cycle()) {
                prop_assert_eq!(sighting.sequence, expected);
            }
        }
    }

    #[test]
    fn what_changed_always_goes_out(rig in rigs(), steps in steps()) {
        let mut simulation = Simulation::new(rig);
        simulation.play(&steps);
        let Some(newest) = &simulation.newest else { return Ok(()) };
        for universe in 0..rig.universes {
            let wanted = newest.universe(usize::from(universe)).map_or(0, |data| data[511]);
            prop_assert_eq!(simulation.of(universe).last().map(|sighting| sighting.level), Some(wanted));
        }
    }

    #[test]
    fn changes_never_come_faster_than_the_limit(rig in rigs(), steps in steps()) {
        let mut simulation = Simulation::new(rig);
        simulation.play(&steps);
        let mut last = vec![None; usize::from(rig.universes)];
        let mut changes: Vec<Duration> = Vec::new();
        for sighting in &simulation.sightings {
            let before = last[sighting.universe].replace(sighting.level);
            if before != Some(sighting.level) && changes.last() != Some(&sighting.at) {
                changes.push(sighting.at);
            }
        }
        check_rate(rig.rate, &changes)?;
    }

    /// Below 1 / 0.15 s the grid may have no place between 0.8 and 0.95 s after a packet; then its repeat comes
    /// between two frames, because a node that hears nothing for a second is worse off than one that hears twice.
    #[test]
    fn repeats_keep_to_the_limit_too_unless_it_is_below_7_fps(rig in rigs(), steps in steps()) {
        if matches!(rig.rate, RateLimit::Fps(fps) if fps < 7.0) {
            return Ok(());
        }
        let mut simulation = Simulation::new(rig);
        simulation.play(&steps);
        check_rate(rig.rate, &simulation.sends)?;
    }

    #[test]
    fn every_frame_means_every_universe_of_every_frame(rig in rigs(), steps in steps()) {
        let (rate, refresh) = (RateLimit::RenderRate, Refresh::EveryFrame);
        let rig = Rig { universes: 3, rate, refresh, lateness_us: 0, ..rig };
        let mut simulation = Simulation::new(rig);
        simulation.play(&steps);
        let frames = steps.iter().filter(|(_, frame)| frame.is_some()).count();
        for universe in 0..3 {
            prop_assert!(simulation.of(universe).count() >= frames);
        }
    }

    #[test]
    fn unchanged_universes_are_not_repeated_within_800_ms(steps in steps(), rig in rigs()) {
        let rig = Rig { refresh: Refresh::Changed, speech: Speech::ArtNet, ..rig };
        let mut simulation = Simulation::new(rig);
        simulation.play(&steps);
        for universe in 0..rig.universes {
            let all: Vec<_> = simulation.of(universe).collect();
            for pair in all.windows(2) {
                let changed = pair[0].level != pair[1].level;
                prop_assert!(changed || pair[1].at - pair[0].at >= Duration::from_millis(800), "{pair:?}");
            }
        }
    }
}

#[test]
fn the_end_is_black_in_every_universe_whatever_was_sent_before() {
    let (rate, speech) = (RateLimit::Fps(44.0), Speech::ArtNet);
    let rig = Rig { universes: 3, rate, refresh: Refresh::Changed, lateness_us: 0, speech };
    let mut simulation = Simulation::new(rig);
    simulation.play(&[(0, Some(vec![3, 2]))]);
    for round in 0..3 {
        simulation.schedule.prepare_black(simulation.now + Duration::from_millis(round));
        assert_eq!(simulation.schedule.due().len(), 3);
        assert!(simulation.schedule.sync_due());
        for packet in simulation.schedule.packets().bytes().chunks(DMX_PACKET) {
            assert_eq!(packet[18..], [0; UNIVERSE_CHANNELS]);
        }
    }
}
