//! Devices and routes at random, for [`super::any_project`].

use super::{id, name};
use glowdeck::model::device::{
    Ddp, DdpPixels, Device, Enttec, Incoming, Merge, MergeRule, Mk2Api, Protocol, RateLimit, Refresh, Route, Sacn,
};
use glowdeck::model::id::{DeviceId, RouteId};
use glowdeck::units::PortAddress;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::net::SocketAddr;

pub fn device(number: &BoxedStrategy<f32>) -> impl Strategy<Value = Device> + use<> {
    let rate = prop_oneof![Just(RateLimit::RenderRate), number.clone().prop_map(RateLimit::Fps)];
    let refresh = select(vec![Refresh::Changed, Refresh::EveryFrame]);
    (id(), name(), (protocol(), option::of(name())), any::<(bool, bool, u8)>(), rate, refresh).prop_map(
        |(id, name, (protocol, interface), (sync, offload, burst), rate, refresh)| Device {
            id: DeviceId(id),
            name,
            protocol,
            interface,
            rate,
            refresh,
            sync,
            offload,
            burst,
        },
    )
}

fn protocol() -> impl Strategy<Value = Protocol> {
    let address = any::<([u8; 4], u16)>().prop_map(SocketAddr::from);
    let sacn = (option::of(address.clone()), any::<(u16, u8, Option<u16>, u8)>()).prop_map(
        |(address, (first_universe, priority, sync_universe, ttl))| {
            Protocol::Sacn(Sacn { address, first_universe, priority, sync_universe, ttl })
        },
    );
    let pixels = select(vec![DdpPixels::Rgb, DdpPixels::Rgbw]);
    let ddp = (address.clone(), pixels, any::<Option<u16>>())
        .prop_map(|(address, pixels, channels)| Protocol::Ddp(Ddp { address, pixels, channels }));
    let mk2 = any::<(u32, u8, u8)>().prop_map(|(key, assign, send)| Mk2Api { key, assign, send });
    let enttec = (name(), option::of(mk2)).prop_map(|(port, mk2)| Protocol::Enttec(Enttec { port, mk2 }));
    prop_oneof![2 => address.prop_map(|address| Protocol::ArtNet { address }), 1 => sacn, 1 => ddp, 1 => enttec]
}

pub fn route() -> impl Strategy<Value = Route> {
    let near = |end: u16| prop_oneof![4 => 0..9_u16, 1 => (end - 9)..=end];
    let port = move || near(PortAddress::MAX).prop_map(|raw| PortAddress::new(raw).unwrap());
    let from = prop_oneof![port().prop_map(Incoming::ArtNet), near(u16::MAX).prop_map(Incoming::Sacn)];
    let rule = select(vec![MergeRule::Htp, MergeRule::Ltp]);
    let merge = option::of((from, rule).prop_map(|(from, rule)| Merge { from, rule }));
    (id(), near(u16::MAX), near(u16::MAX), id(), port(), merge).prop_map(
        |(id, universe, count, device, port, merge)| Route {
            id: RouteId(id),
            universe,
            count,
            device: DeviceId(device),
            port,
            merge,
        },
    )
}
