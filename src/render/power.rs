//! The power model: estimates from a frame's bytes what every port and supply draws, and holds down those over their
//! cap, in the same frame.
//!
//! On the render thread; no time but what it is given. The estimate is made before anything is sent, so no frame ever
//! exceeds a cap: the scale falls at once, and comes back slowly, so that a flash does not make the light pump. A port
//! is held down as a whole, its numbers in proportion, so hues stay; what is held down loses the finest steps, as its
//! bytes are rounded down. Constants are not touched. Patches that say nothing of current cost nothing here.

use crate::model::drive::Drive;
use crate::model::fixture::FixtureDefinition;
use crate::model::id::{ChainId, DefinitionId, SupplyId};
use crate::model::patch::Chain;
use crate::model::project::Project;
use crate::model::supply::Supply;
use crate::show::snapshot::{Load, PowerView};
use std::collections::HashMap;
use std::sync::Arc;

/// Seconds in which a scale comes back by two thirds.
const RELEASE_SECS: f64 = 0.5;
/// A scale so near to where it goes is there.
const CLOSE: f32 = 1.0 / 1024.0;

/// How far something is held down, over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limiter {
    scale: f32,
    target: f32,
}

/// How one kind of pixel draws current.
struct Strip {
    width: usize,
    lanes: Vec<Lane>,
    drive: Drive,
    /// mA at full of every byte, where all are alike and plain.
    even: Option<f32>,
    /// Light by number, 0 to 255 and one more, where numbers differ from levels.
    light: Option<Box<[f32; 257]>>,
}

/// One emitter's place in a pixel.
struct Lane {
    high: usize,
    low: Option<usize>,
    milliamps: f32,
}

/// A run of pixels without a gap.
struct Span {
    strip: Arc<Strip>,
    bytes: std::ops::Range<usize>,
}

struct Port {
    chain: ChainId,
    cap: Option<f32>,
    idle: f32,
    spans: Vec<Span>,
    limiter: Limiter,
    /// Of the last frame, held down by the port alone, without what it draws in the dark.
    light: f32,
    scale: f32,
}

struct Group {
    supply: SupplyId,
    cap: f32,
    ports: Vec<usize>,
    limiter: Limiter,
}

/// Everything that draws or gives current in a patch.
#[derive(Default)]
pub struct PowerModel {
    ports: Vec<Port>,
    groups: Vec<Group>,
    before: Option<f64>,
}

impl Default for Limiter {
    fn default() -> Self {
        Self { scale: 1.0, target: 1.0 }
    }
}

impl Limiter {
    /// The scale that keeps `demand` within `room`, `secs` after the last call: never more than fits.
    pub fn step(&mut self, demand: f32, room: f32, secs: f64) -> f32 {
        let room = room.max(0.0);
        self.target = if demand > room { room / demand } else { 1.0 };
        let back = (1.0 - (-secs.max(0.0) / RELEASE_SECS).exp()) as f32;
        let scale = self.scale + (self.target - self.scale) * back;
        self.scale = if scale > self.target - CLOSE { self.target } else { scale };
        self.scale
    }

    /// Whether it stays where it is while the demand does.
    pub fn is_settled(&self) -> bool {
        self.scale == self.target
    }
}

impl Strip {
    fn new(definition: &FixtureDefinition) -> Self {
        let emitter = |place: usize| definition.channels[place].emitter();
        let places = 0..definition.channels.len();
        let low_of = |of| places.clone().find(|place| emitter(*place) == Some((of, true)));
        let lanes = places.clone().filter_map(|high| {
            let (of, false) = emitter(high)? else { return None };
            Some(Lane { high, low: low_of(of), milliamps: definition.channel_milliamps(high) })
        });
        let drive = Drive::new(&definition.channels, &definition.light);
        let light = || Box::new(std::array::from_fn(|number| drive.light(number as f32 / 255.0)));
        let light = drive.is_curved().then(light);
        let (width, lanes) = (definition.channels.len(), lanes.collect::<Vec<Lane>>());
        let first = lanes.first().map_or(0.0, |lane| lane.milliamps);
        let plain = |lane: &Lane| lane.low.is_none() && lane.milliamps == first;
        let even = (light.is_none() && lanes.len() == width && lanes.iter().all(plain)).then_some(first);
        Self { width, lanes, drive, even, light }
    }

    /// mA of the light of these pixels.
    fn milliamps(&self, pixels: &[u8]) -> f32 {
        if let Some(milliamps) = self.even {
            // A block at a time, so that the compiler adds many bytes at once.
            let sum = |block: &[u8]| u64::from(block.iter().map(|byte| u32::from(*byte)).sum::<u32>());
            return milliamps * pixels.chunks(4096).map(sum).sum::<u64>() as f32 / 255.0;
        }
        let lanes = self.lanes.iter().filter(|lane| lane.milliamps > 0.0);
        lanes.map(|lane| lane.milliamps * self.light_of(lane, pixels)).sum()
    }

    /// The sum of one emitter's light over pixels, 1 for one pixel at full.
    fn light_of(&self, lane: &Lane, pixels: &[u8]) -> f32 {
        let pixels = pixels.chunks_exact(self.width);
        match (&self.light, lane.low) {
            (None, None) => pixels.map(|pixel| u64::from(pixel[lane.high])).sum::<u64>() as f32 / 255.0,
            (None, Some(low)) => {
                pixels.map(|pixel| u64::from(wide(pixel, lane.high, low))).sum::<u64>() as f32 / 65535.0
            }
            (Some(light), None) => pixels.map(|pixel| light[usize::from(pixel[lane.high])]).sum(),
            (Some(light), Some(low)) => pixels
                .map(|pixel| {
                    let place = wide(pixel, lane.high, low) as f32 / 257.0;
                    let (below, share) = (place as usize, place.fract());
                    light[below] + (light[below + 1] - light[below]) * share
                })
                .sum(),
        }
    }

    /// Holds the light of pixels down; rounds down, so that it is never more than `scale` times what it was.
    fn hold_down(&self, pixels: &mut [u8], scale: f32) {
        let factor = (self.drive.number_scale(scale) * 65536.0) as u32;
        for pixel in pixels.chunks_exact_mut(self.width) {
            for lane in &self.lanes {
                match lane.low {
                    None => pixel[lane.high] = ((u32::from(pixel[lane.high]) * factor) >> 16) as u8,
                    Some(low) => {
                        let held = (u64::from(wide(pixel, lane.high, low)) * u64::from(factor)) >> 16;
                        pixel[lane.high] = (held >> 8) as u8;
                        pixel[low] = held as u8;
                    }
                }
            }
        }
    }
}

fn wide(pixel: &[u8], high: usize, low: usize) -> u32 {
    u32::from(pixel[high]) << 8 | u32::from(pixel[low])
}

impl Port {
    fn new(chain: &Chain, project: &Project, strips: &mut HashMap<DefinitionId, Arc<Strip>>) -> Option<Self> {
        let mut spans: Vec<Span> = Vec::new();
        let mut idle = 0.0;
        for link in &chain.links {
            let definition = project.fixtures.get(link.fixture).and_then(|f| project.definitions.get(f.definition));
            let Some(definition) = definition.filter(|definition| definition.draws()) else { continue };
            let strip = strips.entry(definition.id).or_insert_with(|| Arc::new(Strip::new(definition)));
            let (width, count) = (strip.width, definition.pixels.count());
            idle += definition.current.idle * count as f32;
            for byte in chain.straddle.pixel_bytes(link.start.byte(), width, count) {
                match spans.last_mut() {
                    Some(span) if span.bytes.end == byte && Arc::ptr_eq(&span.strip, strip) => span.bytes.end += width,
                    _ => spans.push(Span { strip: Arc::clone(strip), bytes: byte..byte + width }),
                }
            }
        }
        let (chain, cap) = (chain.id, chain.cap_ma);
        let limiter = Limiter::default();
        (!spans.is_empty()).then_some(Self { chain, cap, idle, spans, limiter, light: 0.0, scale: 1.0 })
    }

    fn measure(&mut self, bytes: &[u8], secs: f64) {
        let spans = self.spans.iter().filter_map(|span| Some((span, bytes.get(span.bytes.clone())?)));
        let demand: f32 = spans.map(|(span, pixels)| span.strip.milliamps(pixels)).sum();
        self.scale = self.cap.map_or(1.0, |cap| self.limiter.step(demand, cap - self.idle, secs));
        self.light = demand * self.scale;
    }
}

impl PowerModel {
    /// The model of a project's patch. Chains of which nothing is known are left out.
    pub fn new(project: &Project) -> Self {
        let mut strips = HashMap::new();
        let ports: Vec<Port> =
            project.chains.iter().filter_map(|chain| Port::new(chain, project, &mut strips)).collect();
        let place = |chain: &ChainId| ports.binary_search_by_key(chain, |port| port.chain).ok();
        let group = |supply: &Arc<Supply>| Group {
            supply: supply.id,
            cap: supply.cap_ma,
            ports: supply.chains.iter().filter_map(place).collect(),
            limiter: Limiter::default(),
        };
        let groups = project.supplies.iter().map(group).filter(|group| !group.ports.is_empty()).collect();
        Self { ports, groups, before: None }
    }

    /// Goes on from where another model was, for what both have.
    pub fn inherit(&mut self, old: &Self) {
        self.before = old.before;
        for port in &mut self.ports {
            if let Ok(place) = old.ports.binary_search_by_key(&port.chain, |old| old.chain) {
                port.limiter = old.ports[place].limiter;
            }
        }
        for group in &mut self.groups {
            if let Some(old) = old.groups.iter().find(|old| old.supply == group.supply) {
                group.limiter = old.limiter;
            }
        }
    }

    /// Holds a frame's bytes down to what ports and supplies can give, at a time in seconds.
    pub fn hold_down(&mut self, bytes: &mut [u8], now_secs: f64) {
        if self.ports.is_empty() {
            return;
        }
        let secs = now_secs - self.before.replace(now_secs).unwrap_or(now_secs);
        self.ports.iter_mut().for_each(|port| port.measure(bytes, secs));
        for group in &mut self.groups {
            let sum = |of: fn(&Port) -> f32| group.ports.iter().map(|port| of(&self.ports[*port])).sum::<f32>();
            let (light, idle) = (sum(|port| port.light), sum(|port| port.idle));
            let scale = group.limiter.step(light, group.cap - idle, secs);
            for port in group.ports.iter() {
                let port = &mut self.ports[*port];
                port.scale *= scale;
                port.light *= scale;
            }
        }
        for port in self.ports.iter().filter(|port| port.scale < 1.0) {
            for span in &port.spans {
                if let Some(pixels) = bytes.get_mut(span.bytes.clone()) {
                    span.strip.hold_down(pixels, port.scale);
                }
            }
        }
    }

    /// Whether the same picture again would be held down in the same way.
    pub fn is_settled(&self) -> bool {
        self.ports.iter().all(|port| port.limiter.is_settled()) && self.groups.iter().all(|g| g.limiter.is_settled())
    }

    /// What everything draws in the last frame.
    pub fn view(&self) -> PowerView {
        let port = |port: &Port| {
            let milliamps = port.light + port.idle;
            (port.chain, Load { milliamps, cap_ma: port.cap, scale: port.scale })
        };
        let supply = |group: &Group| {
            let milliamps = group.ports.iter().map(|port| self.ports[*port].light + self.ports[*port].idle).sum();
            (group.supply, Load { milliamps, cap_ma: Some(group.cap), scale: group.limiter.scale })
        };
        PowerView { ports: self.ports.iter().map(port).collect(), supplies: self.groups.iter().map(supply).collect() }
    }
}

#[cfg(test)]
mod tests;
