//! What the operator is told of devices that leave and come back, and of those that merge two consoles.
//!
//! Pure, with time as an argument; owned by the discovery thread. Bounded: a device is spoken of at most once a minute,
//! and many that leave together (a switch, a cable) are one sentence. Deliberately absent: nodes that no device of the
//! project stands for; the list of nodes has them.

use super::nodes::{Found, FoundNode};
use super::roll::ports_text;
use crate::notice::Notice;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// Between two sentences about one device.
const QUIET: Duration = Duration::from_secs(60);
/// More devices than this are counted, not named.
const MOST_NAMES: usize = 3;

/// What was last said of a device.
struct Said {
    gone: bool,
    at: Instant,
}

/// Remembers what was said.
#[derive(Default)]
pub struct News {
    said: BTreeMap<Ipv4Addr, Said>,
    /// Whether a device merges, and when it was told.
    merging: BTreeMap<Ipv4Addr, (bool, Instant)>,
}

impl News {
    /// Looks at the table; `names` are the project's devices by address. Returns at most two notices, and one for each
    /// device that has begun to merge.
    pub fn of(&mut self, found: &Found, names: &BTreeMap<Ipv4Addr, String>, now: Instant) -> Vec<Notice> {
        self.said.retain(|address, _| names.contains_key(address));
        self.merging.retain(|address, _| names.contains_key(address));
        let mut merging = Vec::new();
        let (mut left, mut back) = (Vec::new(), Vec::new());
        for node in &found.nodes {
            let Some(name) = names.get(&node.address) else { continue };
            merging.extend(self.merges(node, name, now));
            let said = self.said.get(&node.address);
            let was_gone = said.is_some_and(|said| said.gone);
            let spoken = said.is_some_and(|said| now.saturating_duration_since(said.at) < QUIET);
            // Whoever was called gone is called back at once; the next leaving waits for its minute.
            if node.here != was_gone || (spoken && !node.here) {
                continue;
            }
            // The minute counts from the leaving: coming back is the end of that sentence.
            let at = said.filter(|_| node.here).map_or(now, |said| said.at);
            self.said.insert(node.address, Said { gone: !node.here, at });
            if node.here { back.push(name.as_str()) } else { left.push(name.as_str()) }
        }
        let left = (!left.is_empty()).then(|| {
            let (verb, light) = if left.len() == 1 { ("answers", "its") } else { ("answer", "their") };
            let text = format!("{} {verb} no more; {light} light goes on being sent.", list(&left));
            Notice::warning("discovery", text).keyed("nodes gone")
        });
        let back = (!back.is_empty()).then(|| {
            let verb = if back.len() == 1 { "answers" } else { "answer" };
            Notice::info("discovery", format!("{} {verb} again.", list(&back))).keyed("nodes back")
        });
        left.into_iter().chain(back).chain(merging).collect()
    }

    /// What is said of a device that has begun to merge.
    fn merges(&mut self, node: &FoundNode, name: &str, now: Instant) -> Option<Notice> {
        let merges = node.here && !node.merges.is_empty();
        let before = self.merging.get(&node.address).copied();
        let spoken = before.is_some_and(|(_, at)| now.saturating_duration_since(at) < QUIET);
        if !merges || spoken || before.is_some_and(|(merged, _)| merged) {
            // What begins again within the minute is told when the minute is over.
            if let Some((merged, _)) = self.merging.get_mut(&node.address) {
                *merged &= merges;
            }
            return None;
        }
        self.merging.insert(node.address, (true, now));
        let text = format!(
            "{name} ({}) merges two senders in universe {}: another console sends there too. This show goes on sending; \
             the lamps show a mix of both.",
            node.address,
            ports_text(&node.merges, 0)
        );
        Some(Notice::warning("discovery", text).keyed(format!("merges {}", node.address)))
    }
}

fn list(names: &[&str]) -> String {
    match names {
        [name] => (*name).to_owned(),
        [most @ .., last] if names.len() <= MOST_NAMES => format!("{} and {last}", most.join(", ")),
        _ => format!("{} devices", names.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::device::RateLimit;
    use crate::units::PortAddress;

    fn found(here: &[bool]) -> Found {
        let node = |(host, here): (u8, &bool)| FoundNode {
            address: Ipv4Addr::new(2, 0, 0, host),
            name: "what it calls itself".into(),
            about: String::new(),
            firmware: 1,
            here: *here,
            controller: false,
            takes: Vec::new(),
            merges: Vec::new(),
            rate: RateLimit::default(),
            pages: 1,
        };
        Found { nodes: (1..).zip(here).map(node).collect() }
    }

    fn check(news: &mut News, here: &[bool], now: Instant, expected: &[&str]) {
        // The last node is nobody's.
        let devices = here.len() as u8 - 1;
        let names = (1..=devices).map(|host| (Ipv4Addr::new(2, 0, 0, host), format!("wall {host}"))).collect();
        let texts: Vec<_> = news.of(&found(here), &names, now).into_iter().map(|notice| notice.text).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn devices_that_leave_and_return_are_told_and_strangers_are_not() {
        let (mut news, now) = (News::default(), Instant::now());
        check(&mut news, &[true, true, true], now, &[]);
        let gone = "wall 1 answers no more; its light goes on being sent.";
        check(&mut news, &[false, true, false], now, &[gone]);
        check(&mut news, &[false, true, false], now, &[]);
        check(&mut news, &[true, true, true], now, &["wall 1 answers again."]);
        check(&mut news, &[false, false, true], now, &["wall 2 answers no more; its light goes on being sent."]);
        check(&mut news, &[false, false, true], now + QUIET, &[gone]);
    }

    #[test]
    fn a_device_that_comes_and_goes_is_told_once_a_minute() {
        let (mut news, start) = (News::default(), Instant::now());
        let names = BTreeMap::from([(Ipv4Addr::new(2, 0, 0, 1), "wall".to_owned())]);
        let told = (0..600).map(|round| {
            let now = start + Duration::from_secs(round);
            news.of(&found(&[round % 2 == 0]), &names, now).len()
        });
        assert_eq!(told.sum::<usize>(), 20, "ten times gone and ten times back in ten minutes");
    }

    #[test]
    fn a_device_that_merges_another_console_is_told_once_a_minute() {
        let (mut news, start) = (News::default(), Instant::now());
        let names = BTreeMap::from([(Ipv4Addr::new(2, 0, 0, 1), "wall".to_owned())]);
        let mut say = |secs: u64, merges: &[u16]| {
            let mut found = found(&[true, true]);
            let ports: Vec<_> = merges.iter().filter_map(|raw| PortAddress::new(*raw)).collect();
            found.nodes.iter_mut().for_each(|node| node.merges.clone_from(&ports));
            let notices = news.of(&found, &names, start + Duration::from_secs(secs));
            notices.into_iter().map(|notice| notice.text).collect::<Vec<_>>()
        };
        let expected = "wall (2.0.0.1) merges two senders in universe 0:0:1 to 0:0:2 (1 to 2): another console sends \
                        there too. This show goes on sending; the lamps show a mix of both.";
        assert!(say(0, &[]).is_empty());
        assert_eq!(say(1, &[1, 2]), [expected]);
        assert!(say(2, &[1, 2]).is_empty() && say(90, &[1, 2]).is_empty(), "it is told already");
        assert!(say(91, &[]).is_empty());
        assert_eq!(say(92, &[1, 2]), [expected], "it began again");
        assert!(say(93, &[]).is_empty() && say(94, &[1, 2]).is_empty(), "not twice in a minute");
        assert_eq!(say(152, &[1, 2]), [expected], "but when the minute is over");
    }

    #[test]
    fn many_that_leave_together_are_one_sentence() {
        let gone = |count: usize| [vec![false; count], vec![true]].concat();
        let said = |count, expected| check(&mut News::default(), &gone(count), Instant::now(), &[expected]);
        said(2, "wall 1 and wall 2 answer no more; their light goes on being sent.");
        said(3, "wall 1, wall 2 and wall 3 answer no more; their light goes on being sent.");
        said(100, "100 devices answer no more; their light goes on being sent.");
    }
}
