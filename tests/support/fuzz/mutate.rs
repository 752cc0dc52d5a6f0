//! Changes to packets: fields set to what is near a limit, ends cut off, two packets joined. A seed makes every run
//! the same.

use super::Target;

/// Numbers without end from a seed (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Longer than any packet of ours; decoders are given no more.
const MOST_BYTES: usize = 1500;
/// Where most headers end.
const HEADER: usize = 130;
const BYTES: [u8; 13] = [0, 1, 2, 3, 13, 14, 0x0f, 0x40, 0x70, 0x7f, 0x80, 0xc8, 0xff];
const WORDS: [u16; 20] = [
    0, 1, 2, 3, 511, 512, 513, 514, 0x00ff, 0x0100, 0x7000, 0x7001, 0x72, 0x7fff, 0x8000, 63_999, 64_000, 64_214,
    0xfffe, 0xffff,
];

/// Makes `out` a changed form of one of the packets.
pub fn mutate(dice: &mut Dice, target: &Target, packets: &[Vec<u8>], out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&packets[dice.below(packets.len())]);
    for _ in 0..=dice.below(4) {
        change(dice, target, packets, out);
    }
    out.truncate(MOST_BYTES);
    if dice.below(2) == 0 {
        (target.repair)(out);
    }
}

fn change(dice: &mut Dice, target: &Target, packets: &[Vec<u8>], out: &mut Vec<u8>) {
    // Most of what can go wrong is in headers.
    let span = if dice.below(4) == 0 { out.len() } else { out.len().min(HEADER) };
    let at = dice.below(span);
    match dice.below(12) {
        0..=2 if at < out.len() => out[at] = dice.next() as u8,
        3 | 4 if at < out.len() => out[at] = dice.pick(&BYTES),
        5 if at < out.len() => out[at] ^= 1 << dice.below(8),
        6 if at + 2 <= out.len() => {
            let word = dice.pick(&WORDS);
            let bytes = if dice.below(2) == 0 { word.to_be_bytes() } else { word.to_le_bytes() };
            out[at..at + 2].copy_from_slice(&bytes);
        }
        7 | 8 if at < out.len() => out[at] = out[at].wrapping_add(dice.pick(&[1, 255])),
        9 => {
            let edge = dice.pick(target.edges);
            let length = (edge + dice.below(3)).saturating_sub(1);
            resize(dice, out, length);
        }
        10 => {
            let length = if dice.below(2) == 0 { dice.below(out.len() + 1) } else { out.len() + dice.below(40) };
            resize(dice, out, length);
        }
        _ => {
            let other = &packets[dice.below(packets.len())];
            out.truncate(at);
            out.extend_from_slice(other.get(at..).unwrap_or_default());
        }
    }
}

fn resize(dice: &mut Dice, out: &mut Vec<u8>, length: usize) {
    let fill = dice.next() as u8;
    out.resize(length.min(MOST_BYTES), fill);
}
