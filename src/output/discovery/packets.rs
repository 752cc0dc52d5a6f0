//! ArtPoll and ArtPollReply on the wire: the bytes, written and read.
//!
//! Plain functions over byte slices, for any thread. Offsets and opcodes of these packets appear nowhere else; those
//! of ArtDmx and ArtSync are in [`crate::output::artnet`]. Deliberately absent: sockets, and belief in what a node says.

use crate::output::artnet::{ID, PROTOCOL};
use crate::units::PortAddress;
use std::net::Ipv4Addr;

/// Bytes of an ArtPoll as it is sent.
pub const POLL_PACKET: usize = 14;
/// Bytes of the shortest ArtPoll that is read.
const LEAST_POLL: usize = 12;
/// Bytes of an ArtPollReply as it is sent.
pub const REPLY_PACKET: usize = 239;
/// Bytes of the shortest ArtPollReply that is read: everything up to the universes.
pub const LEAST_REPLY: usize = 198;
/// The most ports that one reply describes.
pub const PORTS: usize = 4;

const OP_POLL: u16 = 0x2000;
const OP_POLL_REPLY: u16 = 0x2100;

/// Nodes tell also when something about them changed, not only when they are asked.
const REPLY_ON_CHANGE: u8 = 1 << 1;
/// Only nodes with a universe in a range are asked.
const TARGETED: u8 = 1 << 5;
/// The lowest priority of diagnostics; none are asked for.
const LOW_PRIORITY: u8 = 0x10;
/// A port that turns Art-Net into light.
const PORT_OUTPUT: u8 = 1 << 7;
/// An output that merges two senders (of its `good_output`).
const OUTPUT_MERGES: u8 = 1 << 3;
/// The node understands port-addresses of 15 bits.
const STATUS2_15_BITS: u8 = 1 << 3;
/// The style code of a console.
const STYLE_CONTROLLER: u8 = 1;
/// Unknown, by the specification's table.
const OEM_UNKNOWN: u16 = 0x00ff;
/// The first of the manufacturer codes that are set apart for prototypes.
const ESTA_PROTOTYPE: u16 = 0x7ff0;

/// The ArtPoll that is sent.
pub const POLL: [u8; POLL_PACKET] = {
    let opcode = OP_POLL.to_le_bytes();
    let mut packet = [0; POLL_PACKET];
    let mut at = 0;
    while at < ID.len() {
        packet[at] = ID[at];
        at += 1;
    }
    (packet[8], packet[9]) = (opcode[0], opcode[1]);
    (packet[10], packet[11]) = (PROTOCOL[0], PROTOCOL[1]);
    (packet[12], packet[13]) = (REPLY_ON_CHANGE, LOW_PRIORITY);
    packet
};

/// A packet of discovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Somebody asks who is there.
    Poll {
        /// Only those with a universe in a range are meant.
        targeted: bool,
    },
    /// Somebody says what it is.
    Reply(Box<PollReply>),
}

/// What a node says of itself, as it says it. Nothing of it is to be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollReply {
    /// The node's own idea of its address.
    pub ip: Ipv4Addr,
    /// Where it listens; 6454.
    pub port: u16,
    /// Version of its firmware.
    pub firmware: u16,
    /// Bits 14 to 8 of its port-addresses.
    pub net: u8,
    /// Bits 7 to 4 of its port-addresses.
    pub sub_net: u8,
    /// The product's code.
    pub oem: u16,
    /// Indicators, how it is programmed, boot state.
    pub status: u8,
    /// The manufacturer's code.
    pub esta: u16,
    /// Name, ended by a zero.
    pub short_name: [u8; 18],
    /// Longer name, ended by a zero.
    pub long_name: [u8; 64],
    /// Its last message, ended by a zero.
    pub report: [u8; 64],
    /// How many of the four ports exist; nodes have said more.
    pub num_ports: u16,
    /// What each port is: bit 7 output, bit 6 input.
    pub port_types: [u8; PORTS],
    /// State of each input.
    pub good_input: [u8; PORTS],
    /// State of each output.
    pub good_output: [u8; PORTS],
    /// Bits 3 to 0 of each input's port-address.
    pub sw_in: [u8; PORTS],
    /// Bits 3 to 0 of each output's port-address.
    pub sw_out: [u8; PORTS],
    /// Node, controller, media server and so on.
    pub style: u8,
    /// Hardware address; zeros where it is not told.
    pub mac: [u8; 6],
    /// The address of the first of several bound replies.
    pub bind_ip: Ipv4Addr,
    /// Which of several replies of one node this is, from 1; 0 from nodes that do not know of it.
    pub bind_index: u8,
    /// Abilities.
    pub status2: u8,
    /// Further abilities.
    pub status3: u8,
    /// Frames a second that it takes; 0 where it is not told.
    pub refresh_rate: u16,
}

/// Reads a datagram. Never panics, whatever the bytes. A reply may end early; what is missing is 0. `None` for what is
/// no packet of discovery.
pub fn read(bytes: &[u8]) -> Option<Message> {
    if bytes.len() < LEAST_POLL || !bytes.starts_with(ID) {
        return None;
    }
    match u16::from_le_bytes([bytes[8], bytes[9]]) {
        OP_POLL => Some(Message::Poll { targeted: bytes.get(12).is_some_and(|flags| flags & TARGETED != 0) }),
        OP_POLL_REPLY if bytes.len() >= LEAST_REPLY => Some(Message::Reply(Box::new(read_reply(bytes)))),
        _ => None,
    }
}

fn read_reply(bytes: &[u8]) -> PollReply {
    let mut whole = [0; REPLY_PACKET];
    let length = bytes.len().min(REPLY_PACKET);
    whole[..length].copy_from_slice(&bytes[..length]);
    let high_first = |at| u16::from_be_bytes(part(&whole, at));
    let low_first = |at| u16::from_le_bytes(part(&whole, at));
    PollReply {
        ip: Ipv4Addr::from(part(&whole, 10)),
        port: low_first(14),
        firmware: high_first(16),
        net: whole[18],
        sub_net: whole[19],
        oem: high_first(20),
        status: whole[23],
        esta: low_first(24),
        short_name: part(&whole, 26),
        long_name: part(&whole, 44),
        report: part(&whole, 108),
        num_ports: high_first(172),
        port_types: part(&whole, 174),
        good_input: part(&whole, 178),
        good_output: part(&whole, 182),
        sw_in: part(&whole, 186),
        sw_out: part(&whole, 190),
        style: whole[200],
        mac: part(&whole, 201),
        bind_ip: Ipv4Addr::from(part(&whole, 207)),
        bind_index: whole[211],
        status2: whole[212],
        status3: whole[217],
        refresh_rate: high_first(226),
    }
}

fn part<const N: usize>(whole: &[u8; REPLY_PACKET], at: usize) -> [u8; N] {
    std::array::from_fn(|index| whole[at + index])
}

impl PollReply {
    /// What this console says of itself to who asks: a controller without ports, reached at `ip`.
    pub fn of_console(ip: Ipv4Addr) -> Self {
        Self {
            ip,
            port: crate::model::device::ARTNET_PORT,
            firmware: 1,
            net: 0,
            sub_net: 0,
            oem: OEM_UNKNOWN,
            status: 0,
            esta: ESTA_PROTOTYPE,
            short_name: padded("Glowdeck"),
            long_name: padded(concat!("Glowdeck ", env!("CARGO_PKG_VERSION"), " lighting console")),
            report: padded("#0001 [0000] The show is on"),
            num_ports: 0,
            port_types: [0; PORTS],
            good_input: [0; PORTS],
            good_output: [0; PORTS],
            sw_in: [0; PORTS],
            sw_out: [0; PORTS],
            style: STYLE_CONTROLLER,
            mac: [0; 6],
            bind_ip: ip,
            bind_index: 1,
            status2: STATUS2_15_BITS,
            status3: 0,
            refresh_rate: 0,
        }
    }

    /// The packet.
    pub fn write(&self) -> [u8; REPLY_PACKET] {
        let mut packet = [0; REPLY_PACKET];
        let mut put = |at: usize, bytes: &[u8]| packet[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, ID);
        put(8, &OP_POLL_REPLY.to_le_bytes());
        put(10, &self.ip.octets());
        put(14, &self.port.to_le_bytes());
        put(16, &self.firmware.to_be_bytes());
        put(18, &[self.net, self.sub_net]);
        put(20, &self.oem.to_be_bytes());
        put(23, &[self.status]);
        put(24, &self.esta.to_le_bytes());
        put(26, &self.short_name);
        put(44, &self.long_name);
        put(108, &self.report);
        put(172, &self.num_ports.to_be_bytes());
        put(174, &self.port_types);
        put(178, &self.good_input);
        put(182, &self.good_output);
        put(186, &self.sw_in);
        put(190, &self.sw_out);
        put(200, &[self.style]);
        put(201, &self.mac);
        put(207, &self.bind_ip.octets());
        put(211, &[self.bind_index, self.status2]);
        put(217, &[self.status3]);
        put(226, &self.refresh_rate.to_be_bytes());
        packet
    }

    /// Port-addresses that the node turns into light, in the order of its ports. A node may leave the number of its
    /// ports at 0, because the types of the ports say it too.
    pub fn outputs(&self) -> impl Iterator<Item = PortAddress> + '_ {
        self.output_ports().map(|(_, port)| port)
    }

    /// Those of [`Self::outputs`] that merge what two senders send.
    pub fn merging(&self) -> impl Iterator<Item = PortAddress> + '_ {
        self.output_ports().filter(|(port, _)| self.good_output[*port] & OUTPUT_MERGES != 0).map(|(_, port)| port)
    }

    fn output_ports(&self) -> impl Iterator<Item = (usize, PortAddress)> + '_ {
        let ports = if self.num_ports == 0 { PORTS } else { usize::from(self.num_ports).min(PORTS) };
        let outputs = (0..ports).filter(|port| self.port_types[*port] & PORT_OUTPUT != 0);
        outputs.filter_map(|port| {
            let low = (self.sub_net & 15) << 4 | self.sw_out[port] & 15;
            Some((port, PortAddress::new(u16::from_be_bytes([self.net & 0x7f, low]))?))
        })
    }

    /// Whether it is a console, which takes no light.
    pub fn is_controller(&self) -> bool {
        self.style == STYLE_CONTROLLER
    }
}

fn padded<const N: usize>(text: &str) -> [u8; N] {
    // The last byte stays zero: it ends the text.
    let length = text.len().min(N - 1);
    std::array::from_fn(|at| if at < length { text.as_bytes()[at] } else { 0 })
}

/// A name as it can be shown: up to its zero, in one line, without control characters, marks that turn the direction
/// of writing and what is no UTF-8. Empty where nothing is left.
pub fn clean_name(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let unseen = |c: char| {
        let marks = ['\u{200b}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}'];
        matches!(c, '\u{fffd}' | '\u{feff}') || marks.iter().any(|range| range.contains(&c))
    };
    let seen: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !unseen(*c)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_of_what_cannot_be_shown() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(clean_name(bytes), expected);
        check(b"Node 4\0\0garbage", "Node 4");
        check(b"no end", "no end");
        check(b"\x01\x02 two\r\nlines\t", "two lines");
        check(b"\xff\xfe\xfd", "");
        check("B\u{fc}hne \u{202e}txt".as_bytes(), "B\u{fc}hne txt");
        check(b"", "");
    }

    #[test]
    fn only_ports_that_exist_and_give_light_are_universes() {
        let mut reply = PollReply::of_console(Ipv4Addr::LOCALHOST);
        (reply.net, reply.sub_net) = (0x92, 0xf3);
        reply.port_types = [0x80, 0x40, 0xc5, 0x80];
        reply.sw_out = [4, 5, 0xf6, 7];
        let check = |num_ports, expected: &[&str]| {
            let reply = PollReply { num_ports, ..reply.clone() };
            let outputs: Vec<_> = reply.outputs().map(|port| port.to_string()).collect();
            assert_eq!(outputs, expected);
        };
        check(0, &["18:3:4", "18:3:6", "18:3:7"]);
        check(3, &["18:3:4", "18:3:6"]);
        check(65535, &["18:3:4", "18:3:6", "18:3:7"]);
        reply.good_output = [0xf7, 0x08, 0x08, 0x88];
        let merging: Vec<_> = reply.merging().map(|port| port.to_string()).collect();
        assert_eq!(merging, ["18:3:6", "18:3:7"], "bit 3 of outputs alone");
    }
}
