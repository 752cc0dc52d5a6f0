//! What the edits of a patch promise, on a small rig.

use super::*;
use crate::model::edit::Edit;
use crate::model::fixture::{FixtureDefinition, Pixels};
use crate::model::id::{ChainId, DefinitionId, LayoutId, SupplyId};
use crate::model::layout::{Frame, Layout, Placement};
use crate::model::patch::{Chain, Link, PatchAddress, Straddle};
use crate::model::project::Project;
use crate::model::supply::Supply;
use crate::model::validate::{patched, place, repaired};
use proptest::prelude::*;

/// Kinds of 60, 170 and 9 lamps; the last has four channels.
fn kinds() -> Project {
    let mut project = Project::empty("rig");
    for count in [60, 170, 9] {
        let (id, edit) = first_kind(&project);
        edit.apply(&mut project).unwrap();
        let mut kind = FixtureDefinition::clone(project.definitions.get(id).unwrap());
        kind.name = format!("Strip of {count}");
        kind.pixels = Pixels::Strip { count, length: 1.0 };
        if count == 9 {
            kind.channels.push(crate::model::fixture::Channel::White);
        }
        project.definitions.put(kind);
    }
    project
}

const SHORT: DefinitionId = DefinitionId(1);
const LONG: DefinitionId = DefinitionId(2);
const ONE: ChainId = ChainId(1);
const TWO: ChainId = ChainId(2);

fn does(project: &mut Project, edit: Edit) {
    let before = project.clone();
    let inverse = edit.apply(project).unwrap();
    let mut back = project.clone();
    inverse.apply(&mut back).unwrap();
    assert_eq!(back, before, "one step of undo takes it all back");
}

/// Two chains of three short strips each, from universes 0 and 1 on.
fn rig() -> Project {
    let mut project = kinds();
    for chain in [ONE, TWO] {
        let (id, edit) = add_chain(&project);
        assert_eq!(id, chain);
        does(&mut project, edit);
        let (_, edit) = add_fixtures(&project, Some(chain), SHORT, 3, None).unwrap();
        does(&mut project, edit);
    }
    project
}

/// `fixture@universe.channel` of a chain.
fn told(project: &Project, chain: ChainId) -> Vec<String> {
    let told = |link: &Link| format!("{}@{}.{}", link.fixture.0, link.start.universe, link.start.channel.get());
    project.chains.get(chain).unwrap().links.iter().map(told).collect()
}

fn ids(numbers: &[u32]) -> Vec<FixtureId> {
    numbers.iter().copied().map(FixtureId).collect()
}

fn at(universe: u16, channel: u16) -> PatchAddress {
    PatchAddress { universe, channel: crate::units::DmxAddress::new(channel).unwrap() }
}

#[test]
fn new_fixtures_count_on_follow_each_other_and_lie_on_nothing() {
    let mut project = rig();
    assert_eq!(told(&project, ONE), ["1@0.1", "2@0.181", "3@0.361"]);
    assert_eq!(told(&project, TWO), ["4@2.1", "5@2.181", "6@2.361"], "from the first universe that nothing touches");
    let names: Vec<&str> = project.fixtures.iter().map(|fixture| fixture.name.as_str()).collect();
    assert_eq!(names, ["Strip 1", "Strip 2", "Strip 3", "Strip 4", "Strip 5", "Strip 6"]);
    let (_, edit) = add_fixtures(&project, Some(ONE), LONG, 1, None).unwrap();
    assert_eq!(edit.title(), "add fixture");
    does(&mut project, edit);
    assert_eq!(told(&project, ONE)[3], "7@1.31");
    let topology = project.layouts.get(project.settings.topology).unwrap();
    let boxes = place::footprints(&project, topology);
    for (index, (one, a)) in boxes.iter().enumerate() {
        for (two, b) in &boxes[index + 1..] {
            let apart = a.max[0] < b.min[0] || b.max[0] < a.min[0] || a.max[1] < b.min[1] || b.max[1] < a.min[1];
            assert!(apart, "{one} on {two}");
        }
    }
    assert_eq!(boxes.len(), 7);
    assert_eq!(repaired(project.clone()), (project, vec![]));
}

#[test]
fn an_empty_chain_starts_where_it_is_told() {
    let mut project = kinds();
    let (chain, edit) = add_chain(&project);
    does(&mut project, edit);
    let (_, edit) = add_fixtures(&project, Some(chain), SHORT, 2, Some(at(3, 10))).unwrap();
    does(&mut project, edit);
    assert_eq!(told(&project, chain), ["1@3.10", "2@3.190"]);
}

#[test]
fn addresses_before_the_place_of_a_change_are_stored_facts() {
    let mut project = rig();
    let mut chain = Chain::clone(project.chains.get(ONE).unwrap());
    chain.links[1].start = at(5, 100);
    chain.links[2].start = at(9, 1);
    project.chains.put(chain);
    let mut moved = project.clone();
    let (_, edit) = duplicate_fixtures(&project, &ids(&[2])).unwrap();
    does(&mut moved, edit);
    assert_eq!(told(&moved, ONE), ["1@0.1", "2@5.100", "7@5.280", "3@5.460"], "what is behind follows anew");
    let mut moved = project.clone();
    does(&mut moved, remove_fixtures(&project, &ids(&[3])).unwrap());
    assert_eq!(told(&moved, ONE), ["1@0.1", "2@5.100"]);
    let mut moved = project.clone();
    does(&mut moved, move_fixtures(&project, &ids(&[3]), Place::Chain(TWO, 1), None).unwrap().unwrap());
    assert_eq!(told(&moved, ONE), ["1@0.1", "2@5.100"]);
    assert_eq!(told(&moved, TWO), ["4@2.1", "3@2.181", "5@2.361", "6@3.31"]);
    let mut moved = project.clone();
    does(&mut moved, set_kind(&project, FixtureId(2), LONG).unwrap());
    assert_eq!(told(&moved, ONE), ["1@0.1", "2@5.100", "3@6.100"]);
    let edit = assign_anew(&project, ONE).unwrap();
    does(&mut project, edit);
    assert_eq!(told(&project, ONE), ["1@0.1", "2@0.181", "3@0.361"]);
}

#[test]
fn fixtures_move_along_a_chain_to_another_and_off() {
    let mut project = rig();
    let edit = step_fixtures(&project, &ids(&[3]), true).unwrap().unwrap();
    assert_eq!(edit.title(), "move fixture");
    does(&mut project, edit);
    assert_eq!(told(&project, ONE), ["1@0.1", "3@0.181", "2@0.361"]);
    let edit = step_fixtures(&project, &ids(&[1, 3]), false).unwrap().unwrap();
    does(&mut project, edit);
    assert_eq!(told(&project, ONE), ["2@0.1", "1@0.181", "3@0.361"], "the port is where it was");
    assert_eq!(step_fixtures(&project, &ids(&[1, 3]), false), Ok(None), "they are at the end");
    assert_eq!(step_fixtures(&project, &ids(&[2]), true), Ok(None));
    assert_eq!(move_fixtures(&project, &ids(&[2]), Place::Chain(ONE, 1), None), Ok(None), "that is where it is");
    let edit = move_fixtures(&project, &ids(&[1, 2]), Place::Off, None).unwrap().unwrap();
    assert_eq!(edit.title(), "move 2 fixtures");
    does(&mut project, edit);
    assert_eq!(told(&project, ONE), ["3@0.1"]);
    let edit = move_fixtures(&project, &ids(&[1, 5]), Place::Chain(ONE, 0), None).unwrap().unwrap();
    does(&mut project, edit);
    assert_eq!(told(&project, ONE), ["5@0.1", "1@0.181", "3@0.361"], "in the order of the chains, then the loose ones");
    assert_eq!(told(&project, TWO), ["4@2.1", "6@2.181"]);
}

#[test]
fn twins_count_on_and_lie_beside_the_originals_in_every_layout() {
    let mut project = rig();
    let (layout, edit) = add_layout(&project, None);
    does(&mut project, edit);
    let edit = set_placed(&project, layout, &ids(&[2]), true).unwrap();
    does(&mut project, edit);
    let (new, edit) = duplicate_fixtures(&project, &ids(&[2, 1])).unwrap();
    assert_eq!((new, edit.title()), (ids(&[7, 8]), "duplicate 2 fixtures".into()));
    does(&mut project, edit);
    assert_eq!(told(&project, ONE), ["1@0.1", "2@0.181", "7@0.361", "8@1.31", "3@1.211"]);
    assert_eq!(project.fixtures.get(FixtureId(8)).unwrap().name, "Strip 8");
    let placed = |project: &Project, layout| {
        let layout: &Layout = project.layouts.get(layout).unwrap();
        layout.placements.iter().map(|placement| (placement.fixture.0, placement.position)).collect::<Vec<_>>()
    };
    assert_eq!(placed(&project, layout).iter().map(|(id, _)| *id).collect::<Vec<_>>(), [2, 8]);
    let topology = placed(&project, project.settings.topology);
    let place_of = |id: u32| topology.iter().find(|(of, _)| *of == id).unwrap().1;
    let apart = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1]].map(|metres| (metres * 1000.0).round());
    assert_eq!(apart(place_of(7), place_of(8)), apart(place_of(1), place_of(2)), "arranged as the originals");
    let places: std::collections::HashSet<String> = topology.iter().map(|(_, at)| format!("{at:?}")).collect();
    assert_eq!(places.len(), 8);
}

#[test]
fn what_is_removed_leaves_nothing_behind() {
    let mut project = rig();
    project.supplies.put(Supply { id: SupplyId(1), name: "PSU".into(), cap_ma: 1.0, chains: vec![ONE, TWO] });
    let edit = remove_fixtures(&project, &ids(&[1, 5, 6])).unwrap();
    assert_eq!(edit.title(), "delete 3 fixtures");
    does(&mut project, edit);
    assert_eq!(
        (told(&project, ONE), told(&project, TWO)),
        (vec!["2@0.1".into(), "3@0.181".into()], vec!["4@2.1".into()])
    );
    assert_eq!(project.layouts.get(project.settings.topology).unwrap().placements.len(), 3);
    let edit = remove_chain(&project, TWO);
    does(&mut project, edit);
    assert_eq!(project.supplies.get(SupplyId(1)).unwrap().chains, [ONE]);
    assert!(project.fixtures.contains(FixtureId(4)), "its fixtures stay");
}

#[test]
fn a_port_past_the_end_is_refused_in_words() {
    let project = rig();
    let refused = set_port(&project, ONE, at(8191, 1)).unwrap_err();
    assert_eq!(refused.told(0), "`Chain 1` runs past universe 8191, the last one");
    assert_eq!(refused.told(1), "`Chain 1` runs past universe 8192, the last one");
    let mut moved = project.clone();
    does(&mut moved, set_port(&project, ONE, at(8190, 1)).unwrap());
    assert_eq!(told(&moved, ONE)[2], "3@8190.361");
    let refused = add_fixtures(&moved, Some(ONE), LONG, 9, None).unwrap_err();
    assert_eq!(refused, PatchError::PastEnd { chain: "Chain 1".into() });
}

#[test]
fn a_layout_is_made_filled_framed_and_made_the_topology_once_it_holds_all() {
    let mut project = rig();
    let topology = project.settings.topology;
    let (layout, edit) = add_layout(&project, Some(topology));
    does(&mut project, edit);
    assert_eq!(project.layouts.get(layout).unwrap().name, "Layout 1");
    let edit = set_placed(&project, layout, &ids(&[3, 4]), false).unwrap();
    assert_eq!(edit.title(), "take 2 fixtures out of a layout");
    does(&mut project, edit);
    assert_eq!(make_topology(&project, layout), Err(PatchError::Lacking { lacking: 2 }));
    assert_eq!(set_placed(&project, topology, &ids(&[3]), false), Err(PatchError::Topology));
    assert_eq!(remove_layout(&project, topology), Err(PatchError::Topology));
    let edit = set_placed(&project, layout, &ids(&[3, 4, 1]), true).unwrap();
    does(&mut project, edit);
    let [one, two] = [topology, layout].map(|id| project.layouts.get(id).unwrap().clone());
    let place_of = |layout: &Layout| layout.placements.iter().find(|p| p.fixture == FixtureId(4)).copied();
    assert_eq!(place_of(&one), place_of(&two), "where the topology has it");
    let wild = Placement { fixture: FixtureId(4), position: [f32::NAN, 1e30, 2.0], angle: 90.0, scale: 0.0 };
    does(&mut project, set_placement(&two, wild));
    let now = place_of(project.layouts.get(layout).unwrap()).unwrap();
    assert_eq!((now.position, now.angle, now.scale), ([0.0, 100_000.0, 2.0], 90.0, 1.0 / 1024.0));
    let frame = Frame { min: [3.0, 0.0, 0.0], max: [1.0, 2.0, 0.0] };
    does(&mut project, set_frame(&two, Some(frame)));
    let framed = project.layouts.get(layout).unwrap().frame;
    assert_eq!(framed, Some(Frame { min: [1.0, 0.0, 0.0], max: [3.0, 2.0, 0.0] }), "corners in order");
    let edit = make_topology(&project, layout).unwrap();
    does(&mut project, edit);
    let edit = remove_layout(&project, topology).unwrap();
    does(&mut project, edit);
    let refused = remove_layout(&project, layout).unwrap_err();
    assert_eq!(refused.told(0), "The topology holds all fixtures");
}

#[test]
fn the_frame_without_a_box_is_what_all_lamps_span() {
    let mut project = kinds();
    let (new, edit) = add_fixtures(&project, None, SHORT, 1, None).unwrap();
    does(&mut project, edit);
    let topology = project.layouts.get(project.settings.topology).unwrap().clone();
    does(&mut project, set_placement(&topology, Placement { angle: 90.0, ..Placement::at(new[0], [1.0, 2.0, 3.0]) }));
    let span = span_of(&project, project.layouts.get(topology.id).unwrap());
    let expected = Frame { min: [1.0, 1.5, 3.0], max: [1.0, 2.5, 3.0] };
    for axis in 0..3 {
        assert!((span.min[axis] - expected.min[axis]).abs() < 1e-5, "{span:?}");
        assert!((span.max[axis] - expected.max[axis]).abs() < 1e-5, "{span:?}");
    }
    assert_eq!(span_of(&project, &Layout { placements: vec![], ..Layout::clone(&topology) }), Frame::around([]));
}

#[test]
fn troubles_are_told_and_what_has_one_cure_is_cured() {
    let mut project = rig();
    let mut chain = Chain::clone(project.chains.get(ONE).unwrap());
    chain.links[2].start = at(0, 200);
    project.chains.put(chain);
    let edit = set_port(&project, TWO, at(0, 1)).unwrap();
    does(&mut project, edit);
    let (_, edit) = add_fixtures(&project, None, SHORT, 1, None).unwrap();
    does(&mut project, edit);
    let loose = ids(&[7]);
    let mut topology = Layout::clone(project.layouts.get(project.settings.topology).unwrap());
    topology.placements.retain(|placement| placement.fixture != loose[0]);
    project.layouts.put(topology);
    let found = problems(&project);
    let told = |fixture: u32, other: u32, channel: u16| Trouble::Overlap {
        fixture: FixtureId(fixture),
        other: FixtureId(other),
        at: at(0, channel),
    };
    assert_eq!(found[..4], [told(4, 1, 1), told(5, 2, 181), told(3, 2, 200), told(6, 3, 361)]);
    let rest = [Trouble::Unchained(loose.clone()), Trouble::Unplaced(loose.clone()), Trouble::Unrouted(vec![0, 1])];
    assert_eq!(found[found.len() - 3..], rest);
    let home = |id| home_of(&project, id).map(|(chain, _)| chain);
    let own = told(3, 2, 200);
    assert_eq!(cure(&own, home), Some(Cure::Assign(ONE)));
    let across = told(4, 1, 1);
    assert_eq!(cure(&across, home), Some(Cure::Free(TWO)));
    for trouble in [own, across, Trouble::Unplaced(loose.clone())] {
        let cure = cure(&trouble, |id| home_of(&project, id).map(|(chain, _)| chain)).unwrap();
        let edit = cured(&project, &cure).unwrap();
        does(&mut project, edit);
    }
    assert_eq!(problems(&project), [Trouble::Unchained(loose), Trouble::Unrouted(vec![0, 1, 2, 3])]);
}

/// What a hand might do next, by dice.
fn any_edit(project: &Project, dice: [u32; 4]) -> Option<Edit> {
    let [what, a, b, c] = dice;
    let some = |step: u32| project.fixtures.iter().map(|fixture| fixture.id).filter(move |id| id.0 % 7 == step % 7);
    let chains: Vec<ChainId> = project.chains.iter().map(|chain| chain.id).collect();
    let chain = chains[a as usize % chains.len()];
    let layouts: Vec<LayoutId> = project.layouts.iter().map(|layout| layout.id).collect();
    let layout = layouts[b as usize % layouts.len()];
    let picked: Vec<FixtureId> = some(c).take(3).collect();
    match what % 14 {
        0 => Some(add_chain(project).1),
        1 => {
            add_fixtures(project, Some(chain), DefinitionId(b % 3 + 1), c as usize % 5, None).ok().map(|(_, edit)| edit)
        }
        2 => add_fixtures(project, None, DefinitionId(b % 3 + 1), 1, None).ok().map(|(_, edit)| edit),
        3 => duplicate_fixtures(project, &picked).ok().map(|(_, edit)| edit),
        4 => remove_fixtures(project, &picked).ok(),
        5 => move_fixtures(project, &picked, Place::Chain(chain, b as usize % 9), None).ok()?,
        6 => move_fixtures(project, &picked, Place::Off, None).ok()?,
        7 => step_fixtures(project, &picked, b % 2 == 0).ok()?,
        8 => set_kind(project, *picked.first()?, DefinitionId(b % 3 + 1)).ok(),
        9 => set_port(project, chain, at((b % 8192) as u16, (c % 512) as u16 + 1)).ok(),
        10 => set_straddle(project, chain, if b % 2 == 0 { Straddle::Packed } else { Straddle::WholePixels }).ok(),
        11 => Some(add_layout(project, Some(layout)).1),
        12 => set_placed(project, layout, &picked, c % 2 == 0).ok(),
        _ => (chains.len() > 1).then(|| remove_chain(project, chain)),
    }
}

/// Whether a chain's fixtures follow each other without taking a channel twice.
fn is_in_order(project: &Project, chain: &Chain) -> bool {
    let alone = Project { chains: [chain.clone()].into_iter().collect(), ..project.clone() };
    let spans = patched::spans(&alone);
    patched::overlaps(&spans).is_empty() && chain.links.windows(2).all(|pair| pair[0].start <= pair[1].start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_done_is_undone_and_no_chain_overlaps_itself(
        dice in proptest::collection::vec(any::<[u32; 4]>(), 1..40),
    ) {
        let start = rig();
        let mut project = start.clone();
        let mut inverses = Vec::new();
        for dice in dice {
            let Some(edit) = any_edit(&project, dice) else { continue };
            let before = project.clone();
            let inverse = edit.apply(&mut project).unwrap();
            let mut back = project.clone();
            inverse.clone().apply(&mut back).unwrap();
            prop_assert_eq!(&back, &before);
            inverses.push(inverse);
            prop_assert!(project.chains.iter().all(|chain| is_in_order(&project, chain)));
            prop_assert_eq!(repaired(project.clone()), (project.clone(), vec![]));
        }
        for inverse in inverses.into_iter().rev() {
            inverse.apply(&mut project).unwrap();
        }
        prop_assert_eq!(project, start);
    }

    #[test]
    fn assigned_anew_nothing_overlaps_whatever_the_addresses_were(
        starts in proptest::collection::vec((0_u16..8000, 1_u16..=512), 3),
        packed in any::<bool>(),
    ) {
        let mut project = rig();
        let mut chain = Chain::clone(project.chains.get(ONE).unwrap());
        chain.straddle = if packed { Straddle::Packed } else { Straddle::WholePixels };
        for (link, (universe, channel)) in chain.links.iter_mut().zip(starts) {
            link.start = at(universe, channel);
        }
        project.chains.put(chain);
        assign_anew(&project, ONE).unwrap().apply(&mut project).unwrap();
        let chain = project.chains.get(ONE).unwrap();
        prop_assert!(is_in_order(&project, chain));
        let last = chain.links[2].start.byte() - chain.links[0].start.byte();
        prop_assert!((360..=364).contains(&last), "but for what universes end with: {}", last);
    }
}
