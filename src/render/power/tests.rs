//! Power: estimates against sums by hand, caps that hold in every frame, scales over simulated time.

use super::*;
use crate::model::fixture::{Channel, Fixture, Pixels};
use crate::model::id::FixtureId;
use crate::model::light::{LightResponse, Response};
use crate::model::patch::{Link, PatchAddress, Straddle};
use crate::model::supply::Current;

/// A chain of one strip of 200 pixels for each list of channels, 40 universes apart.
fn project(kinds: &[&[Channel]], response: Response, cap_ma: Option<f32>) -> Project {
    let mut project = Project::empty("power");
    for (number, channels) in (1..).zip(kinds) {
        project.definitions.put(FixtureDefinition {
            id: DefinitionId(number),
            name: String::new(),
            pixels: Pixels::Strip { count: 200, length: 1.0 },
            channels: channels.to_vec(),
            light: LightResponse { response, ..LightResponse::default() },
            current: Current { milliamps: vec![10.0, 20.0], idle: 0.5 },
            modes: vec![],
        });
        let fixture = FixtureId(number);
        project.fixtures.put(Fixture { id: fixture, name: String::new(), definition: DefinitionId(number) });
        let start = PatchAddress::from_byte((number as usize - 1) * 512 * 40).unwrap();
        let (name, straddle) = (String::new(), Straddle::WholePixels);
        let links = vec![Link { fixture, start }];
        project.chains.put(Chain { id: ChainId(number), name, straddle, cap_ma, links });
    }
    project
}

const RGB: &[Channel] = &[Channel::Red, Channel::Green, Channel::Blue];
const RGB16: &[Channel] = &[Channel::RedFine, Channel::Red, Channel::Green, Channel::Constant(255), Channel::GreenFine];

fn milliamps(model: &PowerModel) -> Vec<f32> {
    model.view().ports.iter().map(|(_, load)| load.milliamps).collect()
}

#[track_caller]
fn near(found: f32, expected: f32) {
    assert!((found - expected).abs() <= expected.abs() * 1e-3 + 1e-3, "{found} is not {expected}");
}

#[test]
fn a_port_draws_the_sum_of_its_channels_and_of_its_dark_pixels() {
    let mut model = PowerModel::new(&project(&[RGB, RGB16], Response::Linear, None));
    let mut dark = vec![0; 512 * 80];
    model.hold_down(&mut dark, 0.0);
    assert_eq!(milliamps(&model), [100.0, 100.0]);
    let mut full = vec![255; 512 * 80];
    model.hold_down(&mut full, 0.1);
    // The last current given holds for the rest: 10, 20, 20; and low byte, 20, 20 for 16 bits.
    near(milliamps(&model)[0], 100.0 + 200.0 * 50.0);
    near(milliamps(&model)[1], 100.0 + 200.0 * 40.0);
    assert!(full.iter().all(|byte| *byte == 255), "without a cap nothing is touched");
    let mut half = vec![128; 512 * 80];
    model.hold_down(&mut half, 0.2);
    near(milliamps(&model)[0], 100.0 + 200.0 * 50.0 * 128.0 / 255.0);
    near(milliamps(&model)[1], 100.0 + 200.0 * 40.0 * (128.0 * 257.0) / 65535.0);
}

#[test]
fn light_not_numbers_is_what_counts_for_nodes_with_a_gamma() {
    let mut model = PowerModel::new(&project(&[RGB, RGB16], Response::Gamma(2.0), None));
    model.hold_down(&mut vec![51; 512 * 80], 0.0);
    near(milliamps(&model)[0], 100.0 + 200.0 * 50.0 * 0.04);
    near(milliamps(&model)[1], 100.0 + 200.0 * 40.0 * 0.04);
}

/// What the bytes of a held down frame draw, by a model without caps.
fn drawn(kinds: &[&[Channel]], response: Response, bytes: &[u8]) -> Vec<f32> {
    let mut model = PowerModel::new(&project(kinds, response, None));
    model.hold_down(&mut bytes.to_vec(), 0.0);
    milliamps(&model)
}

#[test]
fn no_frame_exceeds_a_cap_whatever_comes_when() {
    for response in [Response::Linear, Response::Gamma(2.2), Response::Gamma(0.5)] {
        for cap in [0.0, 50.0, 1000.0, 4000.0] {
            let kinds = [RGB, RGB16];
            let mut model = PowerModel::new(&project(&kinds, response, Some(cap)));
            for frame in 0..200_u32 {
                let level = (frame * 97 % 256) as u8;
                let mut bytes = vec![level; 512 * 80];
                model.hold_down(&mut bytes, f64::from(frame) / 50.0);
                let most = cap.max(100.0);
                let real = drawn(&kinds, response, &bytes);
                assert!(real.iter().all(|real| *real <= most * 1.001 + 0.1), "{response:?} {cap}: {real:?}");
                let told = milliamps(&model);
                assert!(told.iter().all(|told| *told <= most * 1.001), "{response:?} {cap}: {told:?}");
                // The constant between the channels of 16 bits stays.
                assert!((0..100).all(|pixel| bytes[512 * 40 + pixel * 5 + 3] == level));
            }
        }
    }
}

#[test]
fn a_supply_holds_all_its_ports_down_alike_and_others_are_not_touched() {
    let mut project = project(&[RGB, RGB, RGB], Response::Linear, None);
    let (id, name, chains) = (SupplyId(1), String::new(), vec![ChainId(1), ChainId(3)]);
    project.supplies.put(Supply { id, name, cap_ma: 10_200.0, chains });
    let mut model = PowerModel::new(&project);
    let mut bytes = vec![255; 512 * 120];
    model.hold_down(&mut bytes, 0.0);
    // 20 200 mA wanted, 200 of them in the dark.
    assert_eq!([bytes[0], bytes[512 * 40], bytes[512 * 80]], [127, 255, 127]);
    let view = model.view();
    near(view.supplies[0].1.milliamps, 10_200.0);
    near(view.supplies[0].1.scale, 0.5);
    near(view.ports[0].1.milliamps, 5_100.0);
    assert_eq!(view.ports[1].1.scale, 1.0);
}

#[test]
fn the_scale_falls_at_once_and_comes_back_slowly_without_jumps() {
    let mut limiter = Limiter::default();
    assert_eq!(limiter.step(1.0, 2.0, 0.0), 1.0);
    assert_eq!(limiter.step(8.0, 2.0, 0.02), 0.25);
    assert!(limiter.is_settled());
    let mut last = 0.25;
    let mut frames = 0;
    while last < 1.0 {
        let scale = limiter.step(1.0, 2.0, 0.02);
        assert!(scale > last && scale - last < 0.05, "{last} to {scale}");
        last = scale;
        frames += 1;
    }
    assert!((50..400).contains(&frames), "{frames} frames");
    assert!(limiter.is_settled());
    assert_eq!(limiter.step(8.0, -1.0, 0.02), 0.0);
    assert_eq!(limiter.step(0.0, -1.0, 1e9), 1.0);
    assert!((0.0..=1.0).contains(&limiter.step(5.0, 1.0, -3.0)), "time that runs back changes little");
}

#[test]
fn another_patch_goes_on_where_the_old_one_was() {
    let capped = project(&[RGB], Response::Linear, Some(1100.0));
    let mut old = PowerModel::new(&capped);
    old.hold_down(&mut vec![255; 512 * 40], 0.0);
    let mut new = PowerModel::new(&capped);
    new.inherit(&old);
    let mut bytes = vec![10; 512 * 40];
    new.hold_down(&mut bytes, 0.01);
    assert!(bytes[0] < 5, "still held down: {}", bytes[0]);
    assert!(!new.is_settled());
}

#[test]
fn patches_that_say_nothing_of_current_have_no_ports() {
    let mut project = project(&[RGB], Response::Linear, Some(10.0));
    let definition = project.definitions.get(DefinitionId(1)).unwrap();
    project.definitions.put(FixtureDefinition { current: Current::default(), ..FixtureDefinition::clone(definition) });
    let mut model = PowerModel::new(&project);
    let mut bytes = vec![255; 512];
    model.hold_down(&mut bytes, 0.0);
    assert!(bytes.iter().all(|byte| *byte == 255));
    assert_eq!(model.view(), PowerView::default());
}
