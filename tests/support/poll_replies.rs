//! Replies of made-up nodes, for the tests of discovery.

use glowdeck::output::discovery::packets::{Message, PollReply, read};
use std::net::Ipv4Addr;

/// A node's reply: four outputs from a universe on.
pub fn reply(name: &str, universe: u16, bind_index: u8) -> PollReply {
    let [net, low] = universe.to_be_bytes();
    let mut reply = PollReply::of_console(Ipv4Addr::new(9, 9, 9, 9));
    reply.short_name = [0; 18];
    reply.short_name[..name.len()].copy_from_slice(name.as_bytes());
    (reply.net, reply.sub_net, reply.style, reply.num_ports) = (net, low >> 4, 0, 4);
    reply.port_types = [0x80; 4];
    reply.sw_out = std::array::from_fn(|port| (low & 15) + port as u8);
    reply.bind_index = bind_index;
    reply
}

/// What is read of a reply.
pub fn parsed(bytes: &[u8]) -> PollReply {
    match read(bytes) {
        Some(Message::Reply(reply)) => *reply,
        other => panic!("{other:?}"),
    }
}
