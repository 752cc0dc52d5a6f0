//! Port threads over ports made up of channels: found, lost, found again, stuck.

use super::ports::{PortInfo, SerialLine};
use super::*;
use crate::frame::FramePool;
use crate::model::device::{ExitPolicy, Protocol};
use crate::output::enttec::{Decoder, Message, SEND_DMX, get_parameters};
use crate::units::UNIVERSE_CHANNELS;
use std::io;

const SOON: Duration = Duration::from_secs(10);

/// What a made-up port does with what is written to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Takes,
    /// Takes all, and never says what it is.
    Mute,
    /// Has no room, ever.
    Full,
    /// Does not come back from the call before the test is over.
    Hangs,
}

/// Ports of a machine; a line hands on what it is given.
struct FakePorts {
    plugged: Mutex<Vec<PortInfo>>,
    mood: Mood,
    heard: Sender<(String, Vec<u8>)>,
    over: Receiver<()>,
}

struct FakeLine {
    path: String,
    ports: Arc<FakePorts>,
    answers: usize,
}

/// A machine whose lines know it.
struct Machine(Arc<FakePorts>);

impl Machine {
    fn has(ports: &FakePorts, path: &str) -> bool {
        ports.plugged.lock().unwrap().iter().any(|port| port.path == path)
    }
}

impl ports::SerialPorts for Machine {
    fn list(&self) -> io::Result<Vec<PortInfo>> {
        Ok(self.0.plugged.lock().unwrap().clone())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn SerialLine>> {
        if !Self::has(&self.0, path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let answers = usize::from(self.0.mood != Mood::Mute);
        Ok(Box::new(FakeLine { path: path.to_owned(), ports: Arc::clone(&self.0), answers }))
    }
}

impl SerialLine for FakeLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !Machine::has(&self.ports, &self.path) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        match self.ports.mood {
            Mood::Full => return Err(io::ErrorKind::WouldBlock.into()),
            Mood::Hangs => drop(self.ports.over.recv()),
            Mood::Takes | Mood::Mute => drop(self.ports.heard.send((self.path.clone(), bytes.to_vec()))),
        }
        Ok(bytes.len())
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.answers == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.answers -= 1;
        let answer = get_parameters();
        buffer[..answer.len()].copy_from_slice(&answer);
        Ok(answer.len())
    }

    fn discard(&mut self) {}
}

struct Rig {
    output: SerialOutput,
    machine: Arc<FakePorts>,
    frames: Arc<LatestSlot<LampFrame>>,
    stop: Arc<StopFlag>,
    told: Receiver<Notice>,
    heard: Receiver<(String, Vec<u8>)>,
    pool: FramePool,
    number: u64,
    /// Dropped to let lines go that hang.
    _over: Sender<()>,
}

impl Rig {
    fn new(mood: Mood, plugged: &[&str]) -> Self {
        let (heard, hears) = crossbeam_channel::unbounded();
        let (over, is_over) = bounded(0);
        let plugged = Mutex::new(plugged.iter().map(|path| interface(path)).collect());
        let machine = Arc::new(FakePorts { plugged, mood, heard, over: is_over });
        let (notices, told) = bounded(32);
        let (frames, stop) = (Arc::<LatestSlot<LampFrame>>::default(), Arc::<StopFlag>::default());
        let ports = Arc::new(Machine(Arc::clone(&machine)));
        let links = SerialLinks { frames: Arc::clone(&frames), stop: Arc::clone(&stop), notices, ports };
        let (output, pool) = (SerialOutput::new(links), FramePool::default());
        Self { output, machine, frames, stop, told, heard: hears, pool, number: 0, _over: over }
    }

    fn follow(&mut self, ports: &[(u32, &str)]) {
        let destination = |(id, port): &(u32, &str)| SerialDestination {
            device: DeviceId(*id),
            name: format!("booth {id}"),
            port: (*port).to_owned(),
            mk2: None,
            interval: Duration::from_millis(25),
            steady: false,
            lines: [Some(0), None],
        };
        self.output.follow(ports.iter().map(destination).collect());
        self.frames.wake();
    }

    fn publish(&mut self, level: u8) {
        self.number += 1;
        let frame = self.pool.fill(1, self.number, Instant::now(), |bytes| bytes.fill(level));
        self.frames.publish(frame);
    }

    /// Waits until a port hears a frame of this level.
    fn hear(&self, path: &str, level: u8) {
        let deadline = Instant::now() + SOON;
        let mut decoder = Decoder::default();
        let expected = Message { label: SEND_DMX, data: [vec![0], vec![level; UNIVERSE_CHANNELS]].concat() };
        loop {
            let (at, bytes) = self.heard.recv_deadline(deadline).unwrap_or_else(|_| panic!("{path} never got {level}"));
            let mut found = false;
            decoder.take(&bytes, |message| found |= message == expected);
            if found && at == path {
                return;
            }
        }
    }

    fn told(&self) -> String {
        self.told.recv_timeout(SOON).expect("a notice").text
    }

    fn end(&mut self, exit: ExitPolicy) -> Duration {
        self.stop.raise(exit);
        self.frames.wake();
        let start = Instant::now();
        self.output.end(start);
        start.elapsed()
    }
}

fn interface(path: &str) -> PortInfo {
    let serial = path.rsplit('/').next().map(|name| format!("EN-{name}"));
    PortInfo { path: path.to_owned(), serial, product: Some("DMX USB PRO".into()), maker: None }
}

#[test]
fn a_device_is_sent_what_it_has_lines_for_at_no_more_than_its_rate() {
    let check = |mk2, rate, ports: &[u16], lines, ms: u64, told: &[&str]| {
        let enttec = Enttec { port: "EN1".into(), mk2 };
        let mut device = Device::new(DeviceId(1), "booth", Protocol::Enttec(enttec.clone()));
        device.rate = rate;
        let universes: Vec<_> = (10..).zip(ports.iter().filter_map(|port| PortAddress::new(*port))).collect();
        let mut problems = Vec::new();
        let found = SerialDestination::compile(&device, &enttec, &universes, &mut problems);
        assert_eq!(found.as_ref().map(|found| found.lines), lines);
        assert!(found.is_none_or(|found| found.interval.as_millis() == u128::from(ms) && !found.steady));
        assert_eq!(problems, told);
    };
    let (mk2, full) = (Some(Mk2Api { key: 1, assign: 100, send: 101 }), RateLimit::RenderRate);
    check(None, full, &[0], Some([Some(10), None]), 25, &[]);
    check(None, RateLimit::default(), &[0], Some([Some(10), None]), 25, &[]);
    check(None, RateLimit::Fps(10.0), &[0], Some([Some(10), None]), 100, &[]);
    check(None, RateLimit::Fps(f32::NAN), &[0], Some([Some(10), None]), 25, &[]);
    check(mk2, full, &[0, 1], Some([Some(10), Some(11)]), 25, &[]);
    check(mk2, full, &[1], Some([None, Some(10)]), 25, &[]);
    let third = "Routes lead to ports of booth that it has not: it has two DMX lines, ports 0 and 1. 1 of 2 are sent.";
    check(mk2, full, &[1, 2], Some([None, Some(10)]), 25, &[third]);
    let second = "Routes lead to ports of booth that it has not: it has one DMX line, port 0; the second line of a Pro \
                  Mk2 needs `mk2`. 0 of 1 are sent.";
    check(None, full, &[1], None, 25, &[second]);
}

#[test]
fn one_that_is_unplugged_is_told_once_and_sent_everything_when_it_is_back() {
    let mut rig = Rig::new(Mood::Takes, &["/dev/a"]);
    rig.follow(&[(1, "EN-a")]);
    rig.publish(7);
    rig.hear("/dev/a", 7);
    rig.machine.plugged.lock().unwrap().clear();
    rig.publish(8);
    let text = rig.told();
    assert!(text.starts_with("booth 1 (/dev/a) is gone (") && text.contains("keeps its last light"), "{text}");
    // At another place now; the serial number is what it is known by.
    rig.machine.plugged.lock().unwrap().push(PortInfo { path: "/dev/b".into(), ..interface("/dev/a") });
    rig.hear("/dev/b", 8);
    assert_eq!(rig.told(), "booth 1 is there and is sent everything again.");
    rig.machine.plugged.lock().unwrap().clear();
    rig.publish(9);
    rig.machine.plugged.lock().unwrap().push(interface("/dev/a"));
    rig.hear("/dev/a", 9);
    rig.end(ExitPolicy::Black);
    assert!(rig.told.try_recv().is_err(), "once a minute");
    let stats = rig.output.stats().next().unwrap();
    assert!(stats.packets >= 3 && stats.errors == 2 && stats.bytes > 3 * 500, "{stats:?}");
}

#[test]
fn two_that_take_what_there_is_take_one_each_and_a_third_is_told() {
    let mut rig = Rig::new(Mood::Takes, &["/dev/a", "/dev/b"]);
    rig.follow(&[(1, "")]);
    rig.publish(7);
    rig.hear("/dev/a", 7);
    rig.follow(&[(1, ""), (2, "")]);
    rig.hear("/dev/b", 7);
    rig.follow(&[(1, ""), (2, ""), (3, "/dev/b")]);
    assert!(rig.told().starts_with("booth 3 gets no light: /dev/b is another device's."));
    // One that the plan no longer has lets its port go.
    rig.follow(&[(1, ""), (3, "/dev/b")]);
    rig.hear("/dev/b", 7);
    rig.end(ExitPolicy::Hold);
}

#[test]
fn the_end_is_three_times_what_the_exit_policy_says() {
    for (exit, level) in [(ExitPolicy::Black, 0), (ExitPolicy::Hold, 7)] {
        let mut rig = Rig::new(Mood::Takes, &["/dev/a"]);
        rig.follow(&[(1, "")]);
        rig.publish(7);
        rig.hear("/dev/a", 7);
        rig.end(exit);
        let last: Vec<_> = rig.heard.try_iter().map(|(_, bytes)| bytes[5..517].to_vec()).collect();
        // A repeat may have been due in between.
        assert!(last.len() >= 3, "{}", last.len());
        assert!(last[last.len() - 3..].iter().all(|channels| *channels == vec![level; UNIVERSE_CHANNELS]));
    }
}

#[test]
fn one_that_does_not_say_what_it_is_is_told_once_and_sent_to_all_the_same() {
    let mut rig = Rig::new(Mood::Mute, &["/dev/a"]);
    rig.follow(&[(1, "/dev/a")]);
    rig.publish(7);
    let text = rig.told();
    assert!(text.starts_with("Nothing at /dev/a answers as a DMX USB Pro does. booth 1 is sent its light"), "{text}");
    rig.publish(8);
    rig.hear("/dev/a", 8);
    rig.end(ExitPolicy::Hold);
    assert!(rig.told.try_recv().is_err());
}

#[test]
fn a_port_stays_claimed_until_the_last_of_its_device_lets_it_go() {
    let claims = Claims::default();
    assert!(claims.claim("/dev/a", DeviceId(1)) && claims.claim("/dev/a", DeviceId(1)));
    assert!(!claims.claim("/dev/a", DeviceId(2)));
    claims.release("/dev/a");
    assert!(claims.is_others("/dev/a", DeviceId(2)) && !claims.is_others("/dev/a", DeviceId(1)));
    claims.release("/dev/a");
    assert!(claims.claim("/dev/a", DeviceId(2)));
}

#[test]
fn one_that_hangs_does_not_hold_up_the_end() {
    let mut rig = Rig::new(Mood::Hangs, &["/dev/a"]);
    rig.follow(&[(1, "")]);
    rig.publish(7);
    let took = rig.end(ExitPolicy::Black);
    assert!(took < END_PATIENCE + Duration::from_secs(1), "{took:?}");
}

#[test]
fn one_that_takes_nothing_is_told_and_does_not_hold_up_the_end() {
    let mut rig = Rig::new(Mood::Full, &["/dev/a"]);
    rig.follow(&[(1, "")]);
    rig.publish(7);
    let text = rig.told();
    assert!(text.starts_with("booth 1 (/dev/a) takes no data and keeps its last light."), "{text}");
    let took = rig.end(ExitPolicy::Black);
    assert!(took < END_PATIENCE, "{took:?}");
}
