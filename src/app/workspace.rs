//! The workspace: which panels are open, where they are docked, and the two arrangements that one key switches.
//!
//! Plain state on the ui thread. Deliberately absent: drawing a panel, which [`super::desk`] does.

use super::icons;
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A part of the window that is docked as a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Panel {
    /// The tiles and the quick line.
    Grid,
    /// The scene that was touched last, and its effects.
    Inspector,
    /// The lamps as they are now.
    Stage,
    /// The colours that effects share.
    Palettes,
    /// Values over time.
    Curves,
    /// The code of effects.
    Shader,
    /// Chains, ports, fixtures and layouts.
    Patch,
    /// Kinds of fixtures.
    Fixtures,
    /// Devices, their routes and test patterns.
    Devices,
    /// Who is on the network.
    Nodes,
    /// Keys, and light from other consoles.
    Inputs,
    /// What was told.
    Notices,
    /// What is chosen for the project and for this machine.
    Settings,
    /// What the keys do.
    Keys,
    /// What this program is.
    About,
}

impl Panel {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 15] = [
        Self::Grid,
        Self::Inspector,
        Self::Stage,
        Self::Palettes,
        Self::Curves,
        Self::Shader,
        Self::Patch,
        Self::Fixtures,
        Self::Devices,
        Self::Nodes,
        Self::Inputs,
        Self::Notices,
        Self::Settings,
        Self::Keys,
        Self::About,
    ];

    /// The icon of its tab.
    pub fn icon(self) -> &'static str {
        match self {
            Self::Grid => icons::GRID,
            Self::Inspector => icons::INSPECTOR,
            Self::Stage => icons::STAGE,
            Self::Palettes => icons::PALETTES,
            Self::Curves => icons::CURVES,
            Self::Shader => icons::SHADER,
            Self::Patch => icons::PATCH,
            Self::Fixtures => icons::FIXTURES,
            Self::Devices => icons::DEVICES,
            Self::Nodes => icons::NODES,
            Self::Inputs => icons::INPUTS,
            Self::Notices => icons::NOTICES,
            Self::Settings => icons::SETTINGS,
            Self::Keys => icons::HELP,
            Self::About => icons::INFO,
        }
    }

    /// What its tab says.
    pub fn title(self) -> &'static str {
        match self {
            Self::Grid => "Grid",
            Self::Inspector => "Inspector",
            Self::Stage => "Stage",
            Self::Palettes => "Palettes",
            Self::Curves => "Curves",
            Self::Shader => "Shader",
            Self::Patch => "Patch",
            Self::Fixtures => "Fixtures",
            Self::Devices => "Devices",
            Self::Nodes => "Nodes",
            Self::Inputs => "Inputs",
            Self::Notices => "Notices",
            Self::Settings => "Settings",
            Self::Keys => "Keys",
            Self::About => "About",
        }
    }
}

/// Two ways to have the panels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arrangement {
    /// For the show: large tiles, the stage, nothing else.
    #[default]
    Perform,
    /// For building it.
    Design,
}

impl Arrangement {
    /// The one that the key switches to.
    pub fn other(self) -> Self {
        match self {
            Self::Perform => Self::Design,
            Self::Design => Self::Perform,
        }
    }

    /// What the menu calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Perform => "Perform",
            Self::Design => "Design",
        }
    }
}

/// Which panels are open where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workspace {
    /// Which of the two is shown.
    pub arrangement: Arrangement,
    perform: Tree<Panel>,
    design: Tree<Panel>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self { arrangement: Arrangement::default(), perform: perform(), design: design() }
    }
}

fn perform() -> Tree<Panel> {
    let mut tiles = Tiles::default();
    let grid = tabs(&mut tiles, &[Panel::Grid]);
    let stage = tabs(&mut tiles, &[Panel::Stage]);
    let root = beside(&mut tiles, LinearDir::Horizontal, [grid, stage], 0.55);
    Tree::new(egui::Id::unique("perform"), root, tiles)
}

fn design() -> Tree<Panel> {
    let mut tiles = Tiles::default();
    // What wants room takes that of the grid, which one does without meanwhile; the stage stays.
    let grid = tabs(&mut tiles, &[Panel::Grid, Panel::Shader, Panel::Patch, Panel::Fixtures]);
    let stage = tabs(&mut tiles, &[Panel::Stage]);
    let below = tabs(&mut tiles, &[Panel::Palettes, Panel::Curves, Panel::Devices, Panel::Nodes, Panel::Notices]);
    let right = beside(&mut tiles, LinearDir::Vertical, [stage, below], 0.45);
    let rest = beside(&mut tiles, LinearDir::Horizontal, [grid, right], 0.52);
    let inspector = tabs(&mut tiles, &[Panel::Inspector]);
    let root = beside(&mut tiles, LinearDir::Horizontal, [inspector, rest], 0.22);
    Tree::new(egui::Id::unique("design"), root, tiles)
}

fn tabs(tiles: &mut Tiles<Panel>, panels: &[Panel]) -> TileId {
    let panes = panels.iter().map(|panel| tiles.insert_pane(*panel)).collect();
    tiles.insert_tab_tile(panes)
}

fn beside(tiles: &mut Tiles<Panel>, dir: LinearDir, children: [TileId; 2], share: f32) -> TileId {
    tiles.insert_container(Linear::new_binary(dir, children, share))
}

impl Workspace {
    /// Shows this arrangement, or the other one.
    pub fn arrange(&mut self, wanted: Option<Arrangement>) {
        self.arrangement = wanted.unwrap_or(self.arrangement.other());
    }

    /// The arrangement that is shown.
    pub fn tree(&mut self) -> &mut Tree<Panel> {
        match self.arrangement {
            Arrangement::Perform => &mut self.perform,
            Arrangement::Design => &mut self.design,
        }
    }

    /// Puts both arrangements back as they came.
    pub fn reset(&mut self) {
        *self = Self { arrangement: self.arrangement, ..Self::default() };
    }

    /// Whether both arrangements can be shown, whoever wrote them down.
    pub fn is_sound(&self) -> bool {
        is_sound(&self.perform) && is_sound(&self.design)
    }

    /// Whether a panel is open and its tab is the front one.
    pub fn shows(&self, panel: Panel) -> bool {
        let tree = match self.arrangement {
            Arrangement::Perform => &self.perform,
            Arrangement::Design => &self.design,
        };
        let found = tree.tiles.find_pane(&panel);
        found.is_some_and(|tile| tree.active_tiles().contains(&tile))
    }

    /// Where a panel was drawn; nowhere while it is not in front.
    pub fn place(&self, panel: Panel) -> Option<egui::Rect> {
        let tree = match self.arrangement {
            Arrangement::Perform => &self.perform,
            Arrangement::Design => &self.design,
        };
        tree.tiles.find_pane(&panel).and_then(|tile| tree.tiles.rect(tile))
    }

    /// Brings a panel to the front, opening it beside the stage if need be.
    pub fn open(&mut self, panel: Panel) {
        let tree = self.tree();
        let tile = tree.tiles.find_pane(&panel).unwrap_or_else(|| {
            let tile = tree.tiles.insert_pane(panel);
            let home = home(tree);
            match home.and_then(|home| tree.tiles.get_mut(home)) {
                Some(Tile::Container(Container::Tabs(tabs))) => tabs.add_child(tile),
                _ => {
                    let alone = tree.tiles.insert_tab_tile(vec![tile]);
                    let root = tree
                        .root()
                        .map_or(alone, |root| beside(&mut tree.tiles, LinearDir::Horizontal, [root, alone], 0.55));
                    *tree = Tree::new(tree.id(), root, std::mem::take(&mut tree.tiles));
                }
            }
            tile
        });
        tree.make_active(|id, _| id == tile);
    }

    /// Takes a panel away; its place goes to its neighbours.
    pub fn close(&mut self, panel: Panel) {
        let tree = self.tree();
        if let Some(tile) = tree.tiles.find_pane(&panel) {
            tree.remove_recursively(tile);
        }
    }

    /// Brings a panel to the front, or takes it away if it is there.
    pub fn toggle(&mut self, panel: Panel) {
        if self.shows(panel) { self.close(panel) } else { self.open(panel) }
    }
}

/// Whether each tile hangs in one place of the tree, each panel stands there once, and shares are sizes: what leads back
/// to itself would be drawn for ever.
fn is_sound(tree: &Tree<Panel>) -> bool {
    let count = |panel| tree.tiles.tiles().filter(|tile| **tile == Tile::Pane(panel)).count();
    let mut seen = HashSet::new();
    let mut next = Vec::from_iter(tree.root());
    while let Some(id) = next.pop() {
        let (true, Some(tile)) = (seen.insert(id), tree.tiles.get(id)) else { return false };
        if let Tile::Container(container) = tile {
            next.extend(container.children());
        }
        if let Tile::Container(Container::Linear(linear)) = tile
            && !linear.shares.iter().all(|(_, share)| share.is_finite() && *share > 0.0)
        {
            return false;
        }
    }
    Panel::ALL.into_iter().all(|panel| count(panel) <= 1)
}

/// The tabs that a panel is opened in: those of the stage, or any but the grid's.
fn home(tree: &Tree<Panel>) -> Option<TileId> {
    let stage = tree.tiles.find_pane(&Panel::Stage).and_then(|tile| tree.tiles.parent_of(tile));
    let is_tabs = |id: &TileId| matches!(tree.tiles.get(*id), Some(Tile::Container(Container::Tabs(_))));
    let grid = tree.tiles.find_pane(&Panel::Grid).and_then(|tile| tree.tiles.parent_of(tile));
    let others = || tree.tiles.tile_ids().filter(|id| is_tabs(id) && Some(*id) != grid).min_by_key(|id| id.0);
    stage.filter(is_tabs).or_else(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_is_opened_once_and_brought_to_the_front() {
        let mut workspace = Workspace::default();
        assert!(workspace.shows(Panel::Grid) && workspace.shows(Panel::Stage));
        workspace.open(Panel::Devices);
        workspace.open(Panel::Nodes);
        workspace.open(Panel::Devices);
        let devices = workspace.tree().tiles.tiles().filter(|tile| **tile == Tile::Pane(Panel::Devices)).count();
        assert_eq!(devices, 1);
        assert!(workspace.shows(Panel::Devices) && !workspace.shows(Panel::Nodes));
        workspace.toggle(Panel::Devices);
        assert!(!workspace.shows(Panel::Devices));
    }

    #[test]
    fn every_panel_can_be_closed_and_opened_again() {
        let mut workspace = Workspace::default();
        for panel in Panel::ALL {
            workspace.close(panel);
            assert!(!workspace.shows(panel));
        }
        for panel in Panel::ALL {
            workspace.open(panel);
            assert!(workspace.shows(panel), "{panel:?}");
        }
    }

    #[test]
    fn the_arrangements_are_apart_and_a_reset_brings_both_back() {
        let mut workspace = Workspace::default();
        workspace.close(Panel::Stage);
        workspace.arrangement = workspace.arrangement.other();
        assert!(workspace.shows(Panel::Stage) && workspace.shows(Panel::Palettes));
        workspace.reset();
        workspace.arrangement = Arrangement::Perform;
        assert!(workspace.shows(Panel::Stage));
    }

    #[test]
    fn a_tree_that_leads_back_to_itself_or_has_sizes_that_are_none_is_not_sound() {
        let sound = Workspace::default();
        assert!(sound.is_sound());
        let text = ron::to_string(&sound).unwrap();
        let written = |from: &str, to: &str| {
            assert!(text.contains(from), "{from} in {text}");
            ron::from_str::<Workspace>(&text.replacen(from, to, 1)).unwrap().is_sound()
        };
        let root = sound.perform.root().unwrap().0;
        let grid = sound.perform.tiles.find_pane(&Panel::Grid).unwrap().0;
        assert!(!written(&format!("children:[({grid})]"), &format!("children:[({root})]")), "round and round");
        assert!(!written(&format!("children:[({grid})]"), "children:[(4000)]"), "nowhere");
        assert!(!written("Pane(Stage)", "Pane(Grid)"), "twice");
        assert!(!written(":1.1", ":NaN") && !written(":1.1", ":-3.0"), "no sizes");
    }

    #[test]
    fn a_workspace_is_read_as_it_was_written() {
        let mut workspace = Workspace::default();
        workspace.open(Panel::Notices);
        let text = ron::to_string(&workspace).unwrap();
        let read: Workspace = ron::from_str(&text).unwrap();
        assert_eq!(read, workspace);
    }
}
