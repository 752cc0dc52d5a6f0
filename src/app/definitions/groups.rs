//! Groups of pixels as text: one group a line, pixels and runs of pixels from 0, as in `0-9, 20`.
//!
//! Pure. Deliberately absent: the field that it is typed into, which is in [`super::modes`].

use std::collections::HashMap;
use std::fmt::Write as _;

/// The text of these groups. Groups without pixels have no line.
pub fn write(groups: &[Vec<u32>]) -> String {
    let mut text = String::new();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        let mut first = true;
        let mut rest = &group[..];
        while let [start, ..] = *rest {
            let run = rest.iter().zip(start..).take_while(|(pixel, next)| *pixel == next).count();
            let last = start + run as u32 - 1;
            let comma = if std::mem::take(&mut first) { "" } else { ", " };
            // Writing into a string does not fail.
            let _ = match run {
                1 => write!(text, "{comma}{start}"),
                2 => write!(text, "{comma}{start}, {last}"),
                _ => write!(text, "{comma}{start}-{last}"),
            };
            rest = &rest[run..];
        }
    }
    text
}

/// Reads the groups of a fixture of `count` pixels; empty lines say nothing.
///
/// # Errors
/// What is wrong, with its line, in words for the screen.
pub fn read(text: &str, count: u32) -> Result<Vec<Vec<u32>>, String> {
    let mut taken: HashMap<u32, usize> = HashMap::new();
    let mut groups = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut group = Vec::new();
        for word in line.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (first, last) = run(word, count).map_err(|fault| format!("Line {number}: {fault}"))?;
            for pixel in first..=last {
                match taken.insert(pixel, number) {
                    None => group.push(pixel),
                    Some(line) if line == number => {
                        return Err(format!("Line {number}: pixel {pixel} is in it twice"));
                    }
                    Some(line) => return Err(format!("Line {number}: pixel {pixel} is in line {line} already")),
                }
            }
        }
        groups.extend(Some(group).filter(|group| !group.is_empty()));
    }
    Ok(groups)
}

/// The first and the last pixel of a word.
fn run(word: &str, count: u32) -> Result<(u32, u32), String> {
    let pixel = |text: &str| {
        let text = text.trim();
        let known = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !known {
            return Err(format!("`{word}` is no pixel and no run such as 0-9"));
        }
        match text.parse::<u32>().ok().filter(|pixel| *pixel < count) {
            Some(pixel) => Ok(pixel),
            None if count == 0 => Err(format!("there is no pixel {text}, the fixture has none")),
            None => Err(format!("there is no pixel {text}, the last one is {}", count - 1)),
        }
    };
    let Some((first, last)) = word.split_once('-') else {
        return pixel(word).map(|pixel| (pixel, pixel));
    };
    let (first, last) = (pixel(first)?, pixel(last)?);
    match first <= last {
        true => Ok((first, last)),
        false => Err(format!("{first}-{last} runs backwards, write {last}-{first}")),
    }
}

/// The first pixel that a mode names and the fixture does not have, as a sentence.
pub fn missing(groups: &[Vec<u32>], count: u32) -> Option<String> {
    let lost: Vec<u32> = groups.iter().flatten().copied().filter(|pixel| *pixel >= count).collect();
    let first = *lost.iter().min()?;
    Some(match lost.len() {
        1 => format!("It names pixel {first}, which the fixture does not have."),
        more => format!("It names {more} pixels that the fixture does not have, from {first} on."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: Result<Vec<Vec<u32>>, &str>) {
        assert_eq!(read(text, 30), expected.map_err(str::to_owned), "{text:?}");
    }

    #[test]
    fn a_line_is_a_group_of_pixels_and_runs() {
        check("0-3, 9\n\n  4 - 6 ,7,\n29", Ok(vec![vec![0, 1, 2, 3, 9], vec![4, 5, 6, 7], vec![29]]));
        check("", Ok(vec![]));
        check("\n , \n", Ok(vec![]));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        check("0-3\nx", Err("Line 2: `x` is no pixel and no run such as 0-9"));
        check("1.5", Err("Line 1: `1.5` is no pixel and no run such as 0-9"));
        check("3-", Err("Line 1: `3-` is no pixel and no run such as 0-9"));
        check("1-2-3", Err("Line 1: `1-2-3` is no pixel and no run such as 0-9"));
        check("0\n\n28-30", Err("Line 3: there is no pixel 30, the last one is 29"));
        check("99999999999", Err("Line 1: there is no pixel 99999999999, the last one is 29"));
        check("9-0", Err("Line 1: 9-0 runs backwards, write 0-9"));
        check("0-9\n5", Err("Line 2: pixel 5 is in line 1 already"));
        check("0-9, 5", Err("Line 1: pixel 5 is in it twice"));
        assert_eq!(read("0", 0), Err("Line 1: there is no pixel 0, the fixture has none".to_owned()));
    }

    #[test]
    fn pixels_that_are_gone_are_counted() {
        let groups = [vec![1, 30], vec![31]];
        assert_eq!(missing(&groups, 32), None);
        assert_eq!(missing(&groups, 31).unwrap(), "It names pixel 31, which the fixture does not have.");
        assert_eq!(missing(&groups, 9).unwrap(), "It names 2 pixels that the fixture does not have, from 30 on.");
    }

    proptest! {
        #[test]
        fn groups_are_read_as_they_are_written(
            order in Just((0..60_u32).collect::<Vec<_>>()).prop_shuffle(),
            sizes in prop::collection::vec(1..9_usize, 0..9),
            sorted: bool,
        ) {
            let mut rest = &order[..];
            let mut groups = Vec::new();
            for size in sizes {
                let (group, others) = rest.split_at(size.min(rest.len()));
                let mut group = group.to_vec();
                if sorted {
                    group.sort_unstable();
                }
                groups.extend(Some(group).filter(|group| !group.is_empty()));
                rest = others;
            }
            prop_assert_eq!(read(&write(&groups), 60), Ok(groups));
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[0-9,\\- \nx]{0,40}") {
            if let Ok(groups) = read(&text, 30) {
                prop_assert_eq!(read(&write(&groups), 30), Ok(groups));
            }
        }
    }
}
