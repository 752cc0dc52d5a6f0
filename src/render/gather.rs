//! The gather map: for each byte of a frame which lamp and component feeds it, or what constant it is.
//!
//! The pack pass reads it as a texture; [`Gather::pack`] does the same on the CPU, as the reference.

use super::lamp_map::{LampMap, MappedFixture};
use crate::model::fixture::Channel;
use crate::units::UNIVERSE_CHANNELS;

/// Lamps in a row of the lamp texture: eight universes of RGB.
pub const ROW: usize = 1360;
/// Universes in a row of the packed texture.
pub const ROW_UNIVERSES: usize = 8;
/// Texels of four bytes in a row of the packed texture.
pub const PACKED_ROW: usize = ROW_UNIVERSES * UNIVERSE_CHANNELS / 4;

/// Bits of an entry: x and y of the lamp's texel, component, kind, and whether white is taken out of the colour.
const Y_SHIFT: u32 = 11;
const COMPONENT_SHIFT: u32 = 22;
const KIND_SHIFT: u32 = 24;
const EXTRACT_BIT: u32 = 27;

const KIND_BYTE: u32 = 1;
const KIND_HIGH: u32 = 2;
const KIND_LOW: u32 = 3;
const KIND_CONSTANT: u32 = 4;

/// What kinds of channels a gather map holds besides plain bytes of red, green and blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// White that is taken out of the colour.
    pub white: bool,
    /// Channels of 16 bits.
    pub fine: bool,
    /// Constants.
    pub constant: bool,
}

/// An entry for each byte of a frame, rounded up to whole rows of the packed texture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gather {
    /// Byte-major; 0 where nothing feeds the byte.
    pub entries: Vec<u32>,
    /// What the entries hold.
    pub features: Features,
}

impl Gather {
    /// The map of all fixtures on chains. Where addresses overlap, the fixture later in the patch wins.
    pub fn build(map: &LampMap) -> Self {
        let rows = map.universes.div_ceil(ROW_UNIVERSES).max(1);
        let mut gather = Self { entries: vec![0; rows * PACKED_ROW * 4], features: Features::default() };
        for fixture in &map.fixtures {
            gather.add(fixture);
        }
        gather
    }

    fn add(&mut self, fixture: &MappedFixture) {
        let Some(link) = fixture.link else { return };
        let channels = &fixture.definition.channels;
        let templates: Vec<u32> = channels.iter().map(|channel| template(*channel, channels)).collect();
        for template in &templates {
            let kind = template >> KIND_SHIFT & 7;
            self.features.white |= template >> EXTRACT_BIT & 1 == 1 || template >> COMPONENT_SHIFT & 3 == 3;
            self.features.fine |= kind == KIND_HIGH || kind == KIND_LOW;
            self.features.constant |= kind == KIND_CONSTANT;
        }
        let bytes = link.straddle.pixel_bytes(link.byte, channels.len(), fixture.pixels.len() as u32);
        for (pixel, byte) in bytes.enumerate() {
            let lamp = fixture.first + pixel;
            let texel = (lamp % ROW) as u32 | ((lamp / ROW) as u32) << Y_SHIFT;
            let Some(entries) = self.entries.get_mut(byte..byte + templates.len()) else { continue };
            for (entry, template) in entries.iter_mut().zip(&templates) {
                let constant = template >> KIND_SHIFT & 7 == KIND_CONSTANT;
                *entry = if constant { *template } else { template | texel };
            }
        }
    }

    /// Rows of the packed texture.
    pub fn rows(&self) -> usize {
        self.entries.len() / (PACKED_ROW * 4)
    }

    /// What the pack pass does, on the CPU: linear light by lamp to the frame's bytes.
    pub fn pack(&self, lamps: &[[f32; 3]]) -> Vec<u8> {
        self.entries.iter().map(|entry| pack_byte(*entry, lamps)).collect()
    }
}

fn template(channel: Channel, channels: &[Channel]) -> u32 {
    let has = |wanted: Channel| channels.contains(&wanted);
    let (component, fine, is_fine) = match channel {
        Channel::Red => (0, has(Channel::RedFine), false),
        Channel::Green => (1, has(Channel::GreenFine), false),
        Channel::Blue => (2, has(Channel::BlueFine), false),
        Channel::White => (3, has(Channel::WhiteFine), false),
        Channel::RedFine => (0, true, true),
        Channel::GreenFine => (1, true, true),
        Channel::BlueFine => (2, true, true),
        Channel::WhiteFine => (3, true, true),
        Channel::Constant(value) => return KIND_CONSTANT << KIND_SHIFT | u32::from(value),
    };
    let kind = match (fine, is_fine) {
        (false, _) => KIND_BYTE,
        (true, false) => KIND_HIGH,
        (true, true) => KIND_LOW,
    };
    component << COMPONENT_SHIFT | kind << KIND_SHIFT | u32::from(has(Channel::White)) << EXTRACT_BIT
}

fn pack_byte(entry: u32, lamps: &[[f32; 3]]) -> u8 {
    let kind = entry >> KIND_SHIFT & 7;
    if kind == 0 || kind == KIND_CONSTANT {
        return (entry & 255) as u8;
    }
    let lamp = (entry & 2047) as usize + (entry >> Y_SHIFT & 2047) as usize * ROW;
    let colour = lamps.get(lamp).copied().unwrap_or_default().map(|c| c.clamp(0.0, 1.0));
    let extract = entry >> EXTRACT_BIT & 1 == 1;
    let white = if extract { colour.into_iter().fold(1.0, f32::min) } else { 0.0 };
    let [r, g, b] = colour.map(|c| c - white);
    let value = [r, g, b, white][(entry >> COMPONENT_SHIFT & 3) as usize];
    match kind {
        KIND_BYTE => (value * 255.0 + 0.5).floor() as u8,
        KIND_HIGH => ((value * 65535.0 + 0.5).floor() as u32 >> 8) as u8,
        _ => ((value * 65535.0 + 0.5).floor() as u32 & 255) as u8,
    }
}

/// The pack pass, after the dialect's preamble: each texel is four bytes of the frame.
pub fn pack_fragment(features: Features) -> String {
    let Features { white, fine, constant } = features;
    let line = |wanted: bool, code: &'static str| if wanted { code } else { "" };
    [
        "uniform usampler2D glow_gather;\nuniform sampler2D glow_lamps;\nlayout(location = 0) out vec4 glow_bytes;\n\
         float byte_of(uint entry) {\n    \
         vec3 light = clamp(texelFetch(glow_lamps, ivec2(int(entry & 2047u), int(entry >> 11u & 2047u)), 0).rgb, 0.0, 1.0);\n    \
         uint component = entry >> 22u & 3u;\n    uint kind = entry >> 24u & 7u;\n",
        line(
            white,
            "    float white = (entry >> 27u & 1u) == 1u ? min(light.r, min(light.g, light.b)) : 0.0;\n    light -= white;\n",
        ),
        "    float value = component == 0u ? light.r : component == 1u ? light.g : light.b;\n",
        line(white, "    value = component == 3u ? white : value;\n"),
        "    float byte = floor(value * 255.0 + 0.5);\n",
        line(
            fine,
            "    uint wide = uint(floor(value * 65535.0 + 0.5));\n    \
             byte = kind == 2u ? float(wide >> 8u) : kind == 3u ? float(wide & 255u) : byte;\n",
        ),
        line(constant, "    byte = kind == 4u ? float(entry & 255u) : byte;\n"),
        "    return kind == 0u ? 0.0 : byte / 255.0;\n}\n\
         void main() {\n    uvec4 entries = texelFetch(glow_gather, ivec2(gl_FragCoord.xy), 0);\n    \
         glow_bytes = vec4(byte_of(entries.x), byte_of(entries.y), byte_of(entries.z), byte_of(entries.w));\n}\n",
    ]
    .concat()
}
