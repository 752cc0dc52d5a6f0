//! Stable ids, and tables of shared items in the order of their ids.
//!
//! Everything that refers to something else does so by one of these ids, never by a place in a list or a name.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

macro_rules! stable_ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "#{}", self.0)
            }
        }
    )+};
}

stable_ids! {
    /// A palette.
    PaletteId,
    /// A curve.
    CurveId,
    /// A trigger.
    TriggerId,
    /// A shader inside the project.
    ShaderId,
    /// An effect of a scene.
    EffectId,
    /// A scene.
    SceneId,
    /// A fixture definition.
    DefinitionId,
    /// A mode of a fixture definition.
    ModeId,
    /// A fixture.
    FixtureId,
    /// A chain.
    ChainId,
    /// A power supply.
    SupplyId,
    /// A layout.
    LayoutId,
    /// A device.
    DeviceId,
    /// A route.
    RouteId,
}

/// Something that lives in a [`Table`].
pub trait Item: Clone {
    /// What others call it by.
    type Id: Copy + Ord;

    /// Its own id.
    fn id(&self) -> Self::Id;
}

/// Items by id, shared: a clone is one pointer, a change copies the list of pointers and one item.
#[derive(Debug, PartialEq)]
pub struct Table<T: Item>(Arc<Vec<Arc<T>>>);

impl<T: Item> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Item> Default for Table<T> {
    fn default() -> Self {
        Self(Arc::new(Vec::new()))
    }
}

impl<T: Item> Table<T> {
    fn place(&self, id: T::Id) -> Result<usize, usize> {
        self.0.binary_search_by(|item| item.id().cmp(&id))
    }

    /// The item of this id.
    pub fn get(&self, id: T::Id) -> Option<&Arc<T>> {
        self.place(id).ok().map(|place| &self.0[place])
    }

    /// Where the item of this id is in the order of ids, from 0.
    pub fn place_of(&self, id: T::Id) -> Option<usize> {
        self.place(id).ok()
    }

    /// Whether an item has this id.
    pub fn contains(&self, id: T::Id) -> bool {
        self.place(id).is_ok()
    }

    /// Adds the item or replaces the one of its id; returns what it replaced.
    pub fn put(&mut self, item: impl Into<Arc<T>>) -> Option<Arc<T>> {
        let item = item.into();
        let place = self.place(item.id());
        let items = Arc::make_mut(&mut self.0);
        match place {
            Ok(place) => Some(std::mem::replace(&mut items[place], item)),
            Err(place) => {
                items.insert(place, item);
                None
            }
        }
    }

    /// Takes the item of this id out.
    pub fn remove(&mut self, id: T::Id) -> Option<Arc<T>> {
        let place = self.place(id).ok()?;
        Some(Arc::make_mut(&mut self.0).remove(place))
    }

    /// All items in the order of their ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<T>> + ExactSizeIterator {
        self.0.iter()
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether both are the very same list, without looking into it.
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Item> FromIterator<T> for Table<T> {
    /// Of two items with one id the later one stays.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items: Vec<Arc<T>> = items.into_iter().map(Arc::new).collect();
        items.sort_by_key(|item| item.id());
        items.dedup_by(|later, earlier| {
            let same = later.id() == earlier.id();
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        Self(Arc::new(items))
    }
}
