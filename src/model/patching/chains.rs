//! Edits of chains: their names and ports, and how their fixtures get addresses.

use super::{PatchError, free_ids, names};
use crate::model::edit::{Edit, Entry};
use crate::model::id::{ChainId, FixtureId};
use crate::model::patch::{Chain, Link, PatchAddress, Straddle};
use crate::model::project::Project;
use crate::model::references::Key;
use crate::model::refusals::kind_of;
use crate::model::supply::Supply;
use crate::units::{DmxAddress, MAX_UNIVERSES, UNIVERSE_CHANNELS};
use std::sync::Arc;

/// An empty chain; its fixtures start at the first free universe unless they are told another.
pub fn add_chain(project: &Project) -> (ChainId, Edit) {
    let id = free_ids(&project.chains, |id: ChainId| id.0, ChainId).next().unwrap_or(ChainId(0));
    let name = names("Chain", project.chains.iter().map(|chain| chain.name.as_str())).next().unwrap_or_default();
    let chain = Chain { id, name, straddle: Straddle::default(), cap_ma: None, links: Vec::new() };
    (id, put("add chain", chain))
}

/// Takes a chain away; its fixtures stay, on no chain.
pub fn remove_chain(project: &Project, id: ChainId) -> Edit {
    let fed = project.supplies.iter().filter(|supply| supply.chains.contains(&id));
    let without = |supply: &Arc<Supply>| {
        let chains = supply.chains.iter().copied().filter(|chain| *chain != id).collect();
        Edit::Put(Entry::Supply(Supply { chains, ..Supply::clone(supply) }.into()))
    };
    let edits = fed.map(without).chain([Edit::Remove(Key::Chain(id))]);
    Edit::Titled("delete chain".into(), edits.collect())
}

/// Gives a chain another name.
pub fn rename_chain(chain: &Chain, name: String) -> Edit {
    put("rename chain", Chain { name, ..chain.clone() })
}

/// Says what its port can give, mA.
pub fn set_cap(chain: &Chain, cap_ma: Option<f32>) -> Edit {
    put("set power cap", Chain { cap_ma, ..chain.clone() })
}

/// Starts a chain elsewhere: all its fixtures get addresses from there on.
///
/// # Errors
/// When it would run past the last universe.
pub fn set_port(project: &Project, id: ChainId, port: PatchAddress) -> Result<Edit, PatchError> {
    let chain = Chain::clone(project.chains.get(id).ok_or(PatchError::Gone)?);
    Ok(put("set port", addressed(project, chain, 0, port.byte())?))
}

/// Closes gaps and ends overlaps within a chain: its fixtures get addresses one after the other from its port on.
///
/// # Errors
/// When it would run past the last universe.
pub fn assign_anew(project: &Project, id: ChainId) -> Result<Edit, PatchError> {
    let chain = Chain::clone(project.chains.get(id).ok_or(PatchError::Gone)?);
    let port = chain.port().ok_or(PatchError::Gone)?;
    Ok(put("assign addresses anew", addressed(project, chain, 0, port.byte())?))
}

/// Says whether pixels cross universes, and gives all its fixtures addresses that follow from that.
///
/// # Errors
/// When it would run past the last universe.
pub fn set_straddle(project: &Project, id: ChainId, straddle: Straddle) -> Result<Edit, PatchError> {
    let chain = Chain::clone(project.chains.get(id).ok_or(PatchError::Gone)?);
    let port = chain.port().map_or(0, PatchAddress::byte);
    Ok(put("change what universes end with", addressed(project, Chain { straddle, ..chain }, 0, port)?))
}

/// The first channel of the universe behind the last one in use, or of the first that nothing uses.
pub fn first_free(project: &Project) -> Option<PatchAddress> {
    let behind = project.universes();
    let universe = match behind < MAX_UNIVERSES {
        true => behind,
        false => {
            let used = crate::model::validate::patched::universes(&crate::model::validate::patched::spans(project));
            (0..MAX_UNIVERSES).find(|universe| !used.contains(&(*universe as u16)))?
        }
    };
    Some(PatchAddress { universe: universe as u16, channel: DmxAddress::FIRST })
}

/// The chain of a fixture and its place on it, from 0.
pub fn home_of(project: &Project, fixture: FixtureId) -> Option<(ChainId, usize)> {
    project.chains.iter().find_map(|chain| {
        let place = chain.links.iter().position(|link| link.fixture == fixture)?;
        Some((chain.id, place))
    })
}

/// Addresses for the links behind the first `kept`, from `byte` on.
pub(super) fn addressed(project: &Project, chain: Chain, kept: usize, byte: usize) -> Result<Chain, PatchError> {
    let past = PatchError::PastEnd { chain: chain.name.clone() };
    chain.assigned_behind(kept, byte, |id| kind_of(project, id)).ok_or(past)
}

/// The chain with these fixtures on it. Those in front that stay where they are keep their addresses, the others
/// follow. An empty chain starts at `port`. `None` when nothing moves.
pub(super) fn rebuilt(
    project: &Project,
    chain: &Chain,
    fixtures: &[FixtureId],
    port: Option<PatchAddress>,
) -> Result<Option<Chain>, PatchError> {
    let kept = chain.links.iter().zip(fixtures).take_while(|(link, fixture)| link.fixture == **fixture).count();
    if kept == chain.links.len() && kept == fixtures.len() {
        return Ok(None);
    }
    let byte = match kept.checked_sub(1).map(|last| &chain.links[last]) {
        Some(link) => end_of(project, chain, link),
        None => chain.port().or(port).or_else(|| first_free(project)).ok_or(PatchError::Full)?.byte(),
    };
    // Told here, so that a link always has an address that can be written down.
    let within = byte.min(MAX_UNIVERSES * UNIVERSE_CHANNELS - 1);
    let start = PatchAddress::from_byte(within).ok_or(PatchError::Full)?;
    let mut links = chain.links[..kept].to_vec();
    links.extend(fixtures[kept..].iter().map(|fixture| Link { fixture: *fixture, start }));
    addressed(project, Chain { links, ..chain.clone() }, kept, byte).map(Some)
}

/// One behind the last byte of a fixture on a chain.
fn end_of(project: &Project, chain: &Chain, link: &Link) -> usize {
    let start = link.start.byte();
    kind_of(project, link.fixture)
        .map_or(start, |kind| chain.straddle.end(start, kind.channels.len(), kind.pixels.count()))
}

fn put(title: &str, chain: Chain) -> Edit {
    Edit::Titled(title.into(), vec![Edit::Put(Entry::Chain(chain.into()))])
}
