//! Who uses a fixture definition, how many lamps there may be of it, and where its addresses have come to clash.
//!
//! Pure; what is derived of thousands of fixtures is kept until a table changes. Deliberately absent: the form.

use crate::model::edit::{Edit, Entry};
use crate::model::fixture::{Fixture, FixtureDefinition, MAX_FIXTURE_PIXELS, MAX_LAMPS};
use crate::model::id::{ChainId, DefinitionId, FixtureId, Table};
use crate::model::patch::Chain;
use crate::model::patching::{Trouble, problems};
use crate::model::project::Project;
use crate::model::references::{Key, effect_references, selection_references};
use crate::model::scene::Scene;
use crate::units::MAX_UNIVERSES;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Names that are kept of what uses a definition; the rest is counted.
const NAMES: usize = 3;

/// What is derived of the project's tables, made anew when they are others.
#[derive(Debug, Default)]
pub struct Usage {
    of_fixtures: Option<Table<Fixture>>,
    counts: BTreeMap<DefinitionId, u32>,
    users: Option<(DefinitionId, Table<Fixture>, Table<Scene>)>,
    user_names: Vec<String>,
    of_addresses: Option<(DefinitionId, Addressed)>,
    clashes: Clashes,
    mended: Mended,
}

/// What giving addresses anew would do about clashes.
#[derive(Clone, Debug, Default)]
pub struct Mended {
    /// The edit, where it changes anything.
    pub edit: Option<Edit>,
    /// A chain that does not fit from its port on even so.
    pub too_long: Option<String>,
}

/// The tables that addresses follow from.
type Addressed = (Table<FixtureDefinition>, Table<Fixture>, Table<Chain>);

/// Chains whose addresses no longer fit what is on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clashes {
    /// Chains that run into themselves.
    pub own: BTreeSet<ChainId>,
    /// Chains that run into each other.
    pub pairs: BTreeSet<(ChainId, ChainId)>,
    /// Chains that run past the last universe.
    pub past: BTreeSet<ChainId>,
}

impl Clashes {
    /// Whether all fits.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.pairs.is_empty() && self.past.is_empty()
    }

    /// Every chain that clashes.
    pub fn chains(&self) -> BTreeSet<ChainId> {
        let pairs = self.pairs.iter().flat_map(|(one, other)| [*one, *other]);
        self.own.iter().copied().chain(pairs).chain(self.past.iter().copied()).collect()
    }

    /// What is wrong, a sentence each.
    pub fn words(&self, project: &Project) -> Vec<String> {
        let name = |id: &ChainId| project.chains.get(*id).map_or_else(|| id.to_string(), |chain| chain.name.clone());
        let past = self
            .past
            .iter()
            .map(|chain| format!("Chain {} runs past universe {}, the last one", name(chain), MAX_UNIVERSES - 1));
        let own = self.own.iter().map(|chain| format!("Fixtures of chain {} overlap", name(chain)));
        let pairs = self.pairs.iter().map(|(one, other)| format!("Chain {} overlaps chain {}", name(one), name(other)));
        past.chain(own).chain(pairs).collect()
    }
}

impl Usage {
    /// How many fixtures are of this kind.
    pub fn count(&mut self, project: &Project, id: DefinitionId) -> u32 {
        if !self.of_fixtures.as_ref().is_some_and(|known| known.same_as(&project.fixtures)) {
            self.counts.clear();
            for fixture in project.fixtures.iter() {
                *self.counts.entry(fixture.definition).or_default() += 1;
            }
            self.of_fixtures = Some(project.fixtures.clone());
        }
        self.counts.get(&id).copied().unwrap_or_default()
    }

    /// The most pixels that this kind may have, so that the project has no more lamps than there may be.
    pub fn most_pixels(&mut self, project: &Project, id: DefinitionId) -> u32 {
        let used = self.count(project, id);
        if used == 0 {
            return MAX_FIXTURE_PIXELS;
        }
        let others = project.definitions.iter().filter(|definition| definition.id != id);
        let lamps = |definition: &Arc<FixtureDefinition>| {
            let fixtures = self.counts.get(&definition.id).copied().unwrap_or_default();
            u64::from(definition.pixels.count()) * u64::from(fixtures)
        };
        let left = u64::from(MAX_LAMPS).saturating_sub(others.map(lamps).sum());
        ((left / u64::from(used)) as u32).min(MAX_FIXTURE_PIXELS)
    }

    /// Names of what uses this kind: its fixtures, and scenes that light them in one of its modes.
    pub fn users(&mut self, project: &Project, id: DefinitionId) -> &[String] {
        let same = self.users.as_ref().is_some_and(|(of, fixtures, scenes)| {
            *of == id && fixtures.same_as(&project.fixtures) && scenes.same_as(&project.scenes)
        });
        if !same {
            let fixtures = project.fixtures.iter().filter(|fixture| fixture.definition == id);
            self.user_names = fixtures.map(|fixture| format!("fixture `{}`", fixture.name)).collect();
            let scenes = project.scenes.iter().filter(|scene| lights_in_mode_of(scene, id));
            self.user_names.extend(scenes.map(|scene| format!("scene `{}`", scene.name)));
            self.users = Some((id, project.fixtures.clone(), project.scenes.clone()));
        }
        &self.user_names
    }

    /// Where addresses of fixtures of this kind clash, and what could be done about it.
    pub fn clashes(&mut self, project: &Project, id: DefinitionId) -> (&Clashes, &Mended) {
        let same = self.of_addresses.as_ref().is_some_and(|(of, (definitions, fixtures, chains))| {
            *of == id
                && definitions.same_as(&project.definitions)
                && fixtures.same_as(&project.fixtures)
                && chains.same_as(&project.chains)
        });
        if !same {
            self.clashes = clashes(project, id);
            self.mended = assigned_anew(project, &self.clashes.chains());
            let Project { definitions, fixtures, chains, .. } = project;
            self.of_addresses = Some((id, (definitions.clone(), fixtures.clone(), chains.clone())));
        }
        (&self.clashes, &self.mended)
    }
}

/// Up to three names of what uses a mode, and how many more there are.
pub fn mode_users(project: &Project, key: Key) -> Option<String> {
    let users = project.users_of(key);
    let named = users[..users.len().min(NAMES)].join(", ");
    match users.len().saturating_sub(NAMES) {
        _ if users.is_empty() => None,
        0 => Some(named),
        more => Some(format!("{named} and {more} more")),
    }
}

fn lights_in_mode_of(scene: &Scene, id: DefinitionId) -> bool {
    let of_effects = scene.effects.iter().flat_map(effect_references);
    let mut keys = selection_references(scene.selection.as_ref()).into_iter().chain(of_effects);
    keys.any(|key| matches!(key, Key::Mode(of, _) if of == id))
}

fn kind(project: &Project, fixture: FixtureId) -> Option<&FixtureDefinition> {
    project.definitions.get(project.fixtures.get(fixture)?.definition).map(|definition| &**definition)
}

fn clashes(project: &Project, id: DefinitionId) -> Clashes {
    let homes: HashMap<FixtureId, &Arc<Chain>> =
        project.chains.iter().flat_map(|chain| chain.links.iter().map(move |link| (link.fixture, chain))).collect();
    let ours = |fixture: FixtureId| kind(project, fixture).is_some_and(|definition| definition.id == id);
    let mut clashes = Clashes::default();
    for trouble in problems(project) {
        match trouble {
            Trouble::Overlap { fixture, other, .. } if ours(fixture) || ours(other) => {
                let [Some(one), Some(two)] = [homes.get(&fixture), homes.get(&other)] else { continue };
                if one.id == two.id {
                    clashes.own.insert(one.id);
                } else {
                    clashes.pairs.insert((one.id.min(two.id), one.id.max(two.id)));
                }
            }
            Trouble::PastEnd(id) => {
                let chain = project.chains.get(id);
                let is_ours = chain.is_some_and(|chain| chain.links.iter().any(|link| ours(link.fixture)));
                clashes.past.extend(is_ours.then_some(id));
            }
            _ => {}
        }
    }
    clashes
}

/// Gives the fixtures of these chains their addresses anew, each chain from its port.
fn assigned_anew(project: &Project, chains: &BTreeSet<ChainId>) -> Mended {
    let mut edits = Vec::new();
    let mut too_long = None;
    for chain in chains.iter().filter_map(|id| project.chains.get(*id)) {
        let Some(port) = chain.port() else { continue };
        match Chain::clone(chain).assigned(port, |fixture| kind(project, fixture)) {
            Some(assigned) if assigned != **chain => edits.push(Edit::Put(Entry::Chain(assigned.into()))),
            Some(_) => {}
            None => too_long = too_long.or_else(|| Some(chain.name.clone())),
        }
    }
    Mended { edit: (!edits.is_empty()).then_some(Edit::Batch(edits)), too_long }
}
