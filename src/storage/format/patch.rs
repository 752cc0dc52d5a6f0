//! Fixture definitions, fixtures, chains and layouts as a file holds them.

use super::item::FileItem;
use super::numbers::{is_default, is_one, one};
use crate::model::fixture::{Channel, Fixture, FixtureDefinition, Grouping, Mode, Pixels};
use crate::model::id::{ChainId, DefinitionId, FixtureId, LayoutId, ModeId, SupplyId};
use crate::model::layout::{Frame, Layout, Placement};
use crate::model::light::LightResponse;
use crate::model::patch::{Chain, Link, PatchAddress, Straddle};
use crate::model::supply::{Current, Supply};
use crate::units::DmxAddress;
use serde::{Deserialize, Serialize};

/// One kind of fixture; red, green, blue where no channels are given.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Definition")]
pub(super) struct FileDefinition {
    id: DefinitionId,
    #[serde(default)]
    name: String,
    pixels: Pixels,
    #[serde(default = "FixtureDefinition::rgb", skip_serializing_if = "is_rgb")]
    channels: Vec<Channel>,
    #[serde(default, skip_serializing_if = "is_default")]
    light: LightResponse,
    #[serde(default, skip_serializing_if = "is_default")]
    current: Current,
    #[serde(default, skip_serializing_if = "is_default")]
    modes: Vec<FileMode>,
}

fn is_rgb(channels: &Vec<Channel>) -> bool {
    *channels == FixtureDefinition::rgb()
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Mode")]
struct FileMode {
    id: ModeId,
    #[serde(default)]
    name: String,
    grouping: Grouping,
}

impl FileItem for FileDefinition {
    type Model = FixtureDefinition;
    const SECTION: &'static str = "definitions";
    const KIND: &'static str = "fixture definition";

    fn from_model(definition: &FixtureDefinition) -> Self {
        let mode = |mode: &Mode| FileMode { id: mode.id, name: mode.name.clone(), grouping: mode.grouping.clone() };
        Self {
            id: definition.id,
            name: definition.name.clone(),
            pixels: definition.pixels.clone(),
            channels: definition.channels.clone(),
            light: definition.light,
            current: definition.current.clone(),
            modes: definition.modes.iter().map(mode).collect(),
        }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<FixtureDefinition, String> {
        let mode = |file: FileMode| Mode { id: file.id, name: file.name, grouping: file.grouping };
        Ok(FixtureDefinition {
            id: self.id,
            name: self.name,
            pixels: self.pixels,
            channels: self.channels,
            light: self.light,
            current: self.current,
            modes: self.modes.into_iter().map(mode).collect(),
        })
    }
}

/// A fixture that exists.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Fixture")]
pub(super) struct FileFixture {
    id: FixtureId,
    #[serde(default)]
    name: String,
    definition: DefinitionId,
}

impl FileItem for FileFixture {
    type Model = Fixture;
    const SECTION: &'static str = "fixtures";
    const KIND: &'static str = "fixture";

    fn from_model(fixture: &Fixture) -> Self {
        Self { id: fixture.id, name: fixture.name.clone(), definition: fixture.definition }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Fixture, String> {
        Ok(Fixture { id: self.id, name: self.name, definition: self.definition })
    }
}

/// Fixtures on one data line, each with its address.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Chain")]
pub(super) struct FileChain {
    id: ChainId,
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    straddle: Straddle,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cap_ma: Option<f32>,
    #[serde(default)]
    links: Vec<FileLink>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Link")]
struct FileLink {
    fixture: FixtureId,
    /// From 0.
    universe: u16,
    /// From 1.
    channel: u16,
}

impl FileItem for FileChain {
    type Model = Chain;
    const SECTION: &'static str = "chains";
    const KIND: &'static str = "chain";

    fn from_model(chain: &Chain) -> Self {
        let link = |link: &Link| FileLink {
            fixture: link.fixture,
            universe: link.start.universe,
            channel: link.start.channel.get(),
        };
        Self {
            id: chain.id,
            name: chain.name.clone(),
            straddle: chain.straddle,
            cap_ma: chain.cap_ma,
            links: chain.links.iter().map(link).collect(),
        }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Chain, String> {
        let link = |file: FileLink| {
            let channel = DmxAddress::new(file.channel)
                .ok_or_else(|| format!("channel {} of fixture {} is not 1 to 512", file.channel, file.fixture))?;
            Ok(Link { fixture: file.fixture, start: PatchAddress { universe: file.universe, channel } })
        };
        let links = self.links.into_iter().map(link).collect::<Result<_, String>>()?;
        Ok(Chain { id: self.id, name: self.name, straddle: self.straddle, cap_ma: self.cap_ma, links })
    }
}

/// A power supply and what it feeds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Supply")]
pub(super) struct FileSupply {
    id: SupplyId,
    #[serde(default)]
    name: String,
    cap_ma: f32,
    #[serde(default)]
    chains: Vec<ChainId>,
}

impl FileItem for FileSupply {
    type Model = Supply;
    const SECTION: &'static str = "supplies";
    const KIND: &'static str = "supply";

    fn from_model(supply: &Supply) -> Self {
        let Supply { id, name, cap_ma, chains } = supply.clone();
        Self { id, name, cap_ma, chains }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Supply, String> {
        let Self { id, name, cap_ma, chains } = self;
        Ok(Supply { id, name, cap_ma, chains })
    }
}

/// Fixtures with positions.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Layout")]
pub(super) struct FileLayout {
    id: LayoutId,
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frame: Option<FileFrame>,
    #[serde(default)]
    placements: Vec<FilePlacement>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Frame")]
struct FileFrame {
    min: [f32; 3],
    max: [f32; 3],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Placement")]
struct FilePlacement {
    fixture: FixtureId,
    #[serde(default)]
    position: [f32; 3],
    #[serde(default, skip_serializing_if = "is_default")]
    angle: f32,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    scale: f32,
}

impl FileItem for FileLayout {
    type Model = Layout;
    const SECTION: &'static str = "layouts";
    const KIND: &'static str = "layout";

    fn from_model(layout: &Layout) -> Self {
        let placement = |at: &Placement| FilePlacement {
            fixture: at.fixture,
            position: at.position,
            angle: at.angle,
            scale: at.scale,
        };
        Self {
            id: layout.id,
            name: layout.name.clone(),
            frame: layout.frame.map(|Frame { min, max }| FileFrame { min, max }),
            placements: layout.placements.iter().map(placement).collect(),
        }
    }

    fn into_model(self, _: &mut Vec<String>) -> Result<Layout, String> {
        let placement = |file: FilePlacement| Placement {
            fixture: file.fixture,
            position: file.position,
            angle: file.angle,
            scale: file.scale,
        };
        Ok(Layout {
            id: self.id,
            name: self.name,
            placements: self.placements.into_iter().map(placement).collect(),
            frame: self.frame.map(|FileFrame { min, max }| Frame { min, max }),
        })
    }
}
