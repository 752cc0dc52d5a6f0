//! The gather map: for each byte of a frame which lamp and emitter feeds it, or what constant it is.
//!
//! The pack pass reads it as a texture; [`Gather::pack`] does the same on the CPU, as the reference.

use super::lamp_map::{LampMap, MappedFixture};
use crate::model::drive::{AMBER_GREEN, Drive, MAX_DRIVES};
use crate::model::fixture::{Channel, Emitter};
use crate::units::UNIVERSE_CHANNELS;

/// Lamps in a row of the lamp texture: eight universes of RGB.
pub const ROW: usize = 1360;
/// Universes in a row of the packed texture.
pub const ROW_UNIVERSES: usize = 8;
/// Texels of four bytes in a row of the packed texture.
pub const PACKED_ROW: usize = ROW_UNIVERSES * UNIVERSE_CHANNELS / 4;

/// Bits of an entry from the lowest: x and y of the lamp's texel, 11 each; the emitter, 3; what of its level, 2; the
/// drive, 5. Of a constant the lowest 8 are its value, so that 0 is a byte that nothing feeds.
const Y_SHIFT: u32 = 11;
const EMITTER_SHIFT: u32 = 22;
const KIND_SHIFT: u32 = 25;
const DRIVE_SHIFT: u32 = 27;

const KIND_CONSTANT: u32 = 0;
const KIND_BYTE: u32 = 1;
const KIND_HIGH: u32 = 2;
const KIND_LOW: u32 = 3;

/// A byte that is a lamp's red, green or blue and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainByte {
    /// The lamp, by texel row-major.
    pub lamp: usize,
    /// 0 red, 1 green, 2 blue.
    pub emitter: usize,
}

impl PlainByte {
    /// An entry as a plain byte, when it is one.
    pub fn of(entry: u32) -> Option<Self> {
        let emitter = (entry >> EMITTER_SHIFT & 7) as usize;
        let plain = entry >> KIND_SHIFT & 3 == KIND_BYTE && entry >> DRIVE_SHIFT == 0 && emitter < 3;
        plain.then_some(Self { lamp: lamp_of(entry), emitter })
    }
}

/// The lamp of an entry that is no constant, by texel row-major.
fn lamp_of(entry: u32) -> usize {
    (entry & 2047) as usize + (entry >> Y_SHIFT & 2047) as usize * ROW
}

/// What a gather map holds besides plain bytes of red, green and blue. The pack pass has code only for what there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// White or amber that is taken out of the colour.
    pub extracts: bool,
    /// White points and gains.
    pub balanced: bool,
    /// Caps.
    pub capped: bool,
    /// Numbers that differ from levels.
    pub curved: bool,
    /// Bytes that alternate between frames.
    pub dither: bool,
    /// Channels of 16 bits.
    pub fine: bool,
    /// Constants.
    pub constant: bool,
}

/// An entry for each byte of a frame, rounded up to whole rows of the packed texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Gather {
    /// Byte-major; 0 where nothing feeds the byte.
    pub entries: Vec<u32>,
    /// How lamps are driven, the plain way first.
    pub drives: Vec<Drive>,
    /// What the entries hold.
    pub features: Features,
}

impl Gather {
    /// The map of all fixtures on chains. Where addresses overlap, the fixture later in the patch wins. Of more than
    /// [`MAX_DRIVES`] ways of driving, those later in the patch are driven plainly.
    pub fn build(map: &LampMap) -> Self {
        let rows = map.universes.div_ceil(ROW_UNIVERSES).max(1);
        let entries = vec![0; rows * PACKED_ROW * 4];
        let mut gather = Self { entries, drives: vec![Drive::PLAIN], features: Features::default() };
        for fixture in &map.fixtures {
            gather.add(fixture);
        }
        gather
    }

    fn add(&mut self, fixture: &MappedFixture) {
        let Some(link) = fixture.link else { return };
        let channels = &fixture.definition.channels;
        let drive = self.drive(Drive::new(channels, &fixture.definition.light));
        let templates: Vec<u32> = channels.iter().map(|channel| template(*channel, channels, drive)).collect();
        for template in &templates {
            let kind = template >> KIND_SHIFT & 3;
            self.features.fine |= kind == KIND_HIGH || kind == KIND_LOW;
            self.features.constant |= kind == KIND_CONSTANT && *template != 0;
        }
        let bytes = link.straddle.pixel_bytes(link.byte, channels.len(), fixture.pixels.len() as u32);
        for (pixel, byte) in bytes.enumerate() {
            let lamp = fixture.first + pixel;
            let texel = (lamp % ROW) as u32 | ((lamp / ROW) as u32) << Y_SHIFT;
            let Some(entries) = self.entries.get_mut(byte..byte + templates.len()) else { continue };
            for (entry, template) in entries.iter_mut().zip(&templates) {
                let constant = template >> KIND_SHIFT & 3 == KIND_CONSTANT;
                *entry = if constant { *template } else { template | texel };
            }
        }
    }

    /// The number of a drive.
    fn drive(&mut self, drive: Drive) -> u32 {
        let known = self.drives.iter().position(|known| *known == drive);
        let place = known.unwrap_or_else(|| {
            if self.drives.len() == MAX_DRIVES {
                return 0;
            }
            self.drives.push(drive);
            self.features.extracts |= drive.extracts();
            self.features.balanced |= drive.is_balanced();
            self.features.capped |= drive.is_capped();
            self.features.curved |= drive.is_curved();
            self.features.dither |= drive.dithers();
            self.drives.len() - 1
        });
        place as u32
    }

    /// Rows of the packed texture.
    pub fn rows(&self) -> usize {
        self.entries.len() / (PACKED_ROW * 4)
    }

    /// Three texels of each of [`MAX_DRIVES`] drives, drive-major.
    pub fn drive_texels(&self) -> Vec<[f32; 4]> {
        let mut texels: Vec<[f32; 4]> = self.drives.iter().flat_map(Drive::texels).collect();
        texels.resize(MAX_DRIVES * 3, [0.0; 4]);
        texels
    }

    /// What the pack pass does, on the CPU: linear light by lamp to the bytes of the frame of this number.
    pub fn pack(&self, lamps: &[[f32; 3]], frame: u32) -> Vec<u8> {
        let byte = |(place, entry): (usize, &u32)| self.pack_byte(*entry, lamps, place as u32, frame);
        self.entries.iter().enumerate().map(byte).collect()
    }

    fn pack_byte(&self, entry: u32, lamps: &[[f32; 3]], place: u32, frame: u32) -> u8 {
        let kind = entry >> KIND_SHIFT & 3;
        if kind == KIND_CONSTANT {
            return (entry & 255) as u8;
        }
        let lamp = lamp_of(entry);
        let drive = &self.drives[(entry >> DRIVE_SHIFT) as usize];
        let level = drive.levels(lamps.get(lamp).copied().unwrap_or_default())[(entry >> EMITTER_SHIFT & 7) as usize];
        let number = drive.number(level);
        let wide = (number * 65535.0 + 0.5).floor() as u32;
        match kind {
            KIND_BYTE if drive.dithers() => (number * 255.0 + threshold(place, frame)).floor() as u8,
            KIND_BYTE => (number * 255.0 + 0.5).floor() as u8,
            KIND_HIGH => (wide >> 8) as u8,
            _ => (wide & 255) as u8,
        }
    }
}

fn template(channel: Channel, channels: &[Channel], drive: u32) -> u32 {
    let Some((emitter, is_low)) = channel.emitter() else {
        let Channel::Constant(value) = channel else { return 0 };
        return KIND_CONSTANT << KIND_SHIFT | u32::from(value);
    };
    let Some(place) = emitter.place() else { return 0 };
    let extracted = place >= Emitter::White.place().unwrap_or_default();
    if extracted && (drive == 0 || !channels.iter().any(|other| other.emitter() == Some((emitter, false)))) {
        // A low byte alone takes nothing out of the colour, nor does the plain way of driving.
        return 0;
    }
    let is_fine = channels.iter().any(|other| other.emitter() == Some((emitter, true)));
    let kind = match (is_fine, is_low) {
        (_, true) => KIND_LOW,
        (true, false) => KIND_HIGH,
        (false, false) => KIND_BYTE,
    };
    (place as u32) << EMITTER_SHIFT | kind << KIND_SHIFT | drive << DRIVE_SHIFT
}

/// What a byte adds before it is rounded down, in steps of 2^-16 below 1: over frames it takes all values evenly, as
/// multiples of the golden ratio do, and starts elsewhere for each byte. The mean of the bytes is then the level.
fn threshold(place: u32, frame: u32) -> f32 {
    let mut x = place.wrapping_mul(0x9e37_79b9);
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    (x.wrapping_add(frame.wrapping_mul(0x9e37_79b9)) >> 16) as f32 / 65536.0
}

/// The pack pass, after the dialect's preamble: each texel is four bytes of the frame.
pub fn pack_fragment(features: Features) -> String {
    let Features { extracts, balanced, capped, curved, dither, fine, constant } = features;
    let line = |wanted: bool, code: &str| if wanted { code.to_owned() } else { String::new() };
    let shaped = capped || curved || dither;
    [
        "uniform usampler2D glow_gather;\nuniform sampler2D glow_lamps;\nlayout(location = 0) out vec4 glow_bytes;\n",
        &line(extracts || balanced || shaped, "uniform sampler2D glow_drives;\n"),
        &line(dither, THRESHOLD),
        "float byte_of(uint entry, uint place) {\n    \
         vec3 light = clamp(texelFetch(glow_lamps, ivec2(int(entry & 2047u), int(entry >> 11u & 2047u)), 0).rgb, 0.0, 1.0);\n    \
         uint emitter = entry >> 22u & 7u;\n    uint kind = entry >> 25u & 3u;\n",
        &line(extracts, &EXTRACT.replace("AMBER", &format!("{AMBER_GREEN:?}"))),
        &line(balanced, "    vec4 gains = texelFetch(glow_drives, ivec2(0, int(entry >> 27u)), 0);\n    light *= gains.rgb;\n"),
        &line(balanced && extracts, "    white *= gains.a;\n    amber *= gains.a;\n"),
        &line(shaped, "    vec4 shape = texelFetch(glow_drives, ivec2(2, int(entry >> 27u)), 0);\n"),
        "    float value = emitter == 0u ? light.r : emitter == 1u ? light.g : light.b;\n",
        &line(
            extracts,
            "    value = emitter < 3u ? value : emitter == 6u ? amber :\n        \
             white * (emitter == 3u ? shares.x : emitter == 4u ? shares.y : shares.z);\n",
        ),
        &line(capped, "    float most = max(light.r, max(light.g, light.b));\n"),
        &line(capped && extracts, "    most = max(most, max(white, amber));\n"),
        &line(capped, "    value *= most > shape.y ? shape.y / most : 1.0;\n"),
        &line(curved, "    value = value <= 0.0 || value >= 1.0 ? value : pow(value, shape.x);\n"),
        &line(!dither, "    float byte = floor(value * 255.0 + 0.5);\n"),
        &line(dither, "    float byte = floor(value * 255.0 + (shape.z > 0.5 ? threshold(place) : 0.5));\n"),
        &line(
            fine,
            "    uint wide = uint(floor(value * 65535.0 + 0.5));\n    \
             byte = kind == 2u ? float(wide >> 8u) : kind == 3u ? float(wide & 255u) : byte;\n",
        ),
        &line(constant, "    byte = kind == 0u ? float(entry & 255u) : byte;\n"),
        &line(constant, "    return byte / 255.0;\n}\n"),
        &line(!constant, "    return kind == 0u ? 0.0 : byte / 255.0;\n}\n"),
        "void main() {\n    ivec2 texel = ivec2(gl_FragCoord.xy);\n    \
         uvec4 entries = texelFetch(glow_gather, texel, 0);\n",
        &format!("    uint place = uint(texel.y * {PACKED_ROW} + texel.x) * 4u;\n"),
        "    glow_bytes = vec4(byte_of(entries.x, place), byte_of(entries.y, place + 1u), \
         byte_of(entries.z, place + 2u), byte_of(entries.w, place + 3u));\n}\n",
    ]
    .concat()
}

/// [`threshold`] in GLSL.
const THRESHOLD: &str = "uniform int glow_frame;\n\
    float threshold(uint place) {\n    \
    uint x = place * 0x9e3779b9u;\n    x = (x ^ x >> 16u) * 0x7feb352du;\n    x ^= x >> 15u;\n    \
    return float((x + uint(glow_frame) * 0x9e3779b9u) >> 16u) / 65536.0;\n}\n";

/// White and amber of [`Drive::levels`] in GLSL.
const EXTRACT: &str = "    vec4 shares = texelFetch(glow_drives, ivec2(1, int(entry >> 27u)), 0);\n    \
    float white = shares.x + shares.y + shares.z > 0.0 ? min(light.r, min(light.g, light.b)) : 0.0;\n    \
    light -= white;\n    \
    float amber = shares.w * min(light.r, light.g / AMBER);\n    \
    light = max(light - amber * vec3(1.0, AMBER, 0.0), 0.0);\n";
