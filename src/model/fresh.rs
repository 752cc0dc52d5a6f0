//! A new project: what somebody begins with who has nothing yet.
//!
//! Pure values. Nothing needs hardware: one strip is there to see light on, and can be replaced. Deliberately absent:
//! scenes, as an empty grid is what is filled, and devices, as no network is known.

use super::fixture::{Fixture, FixtureDefinition, Pixels};
use super::id::{ChainId, DefinitionId, FixtureId, PaletteId};
use super::layout::Placement;
use super::light::LightResponse;
use super::palette::{Colour, GRADIENT_STOPS, Palette};
use super::patch::{Chain, Link, PatchAddress, Straddle};
use super::project::{Project, Settings};
use super::supply::Current;
use crate::units::DmxAddress;
use std::sync::Arc;

/// Lamps of the strip that a new project has.
const LAMPS: u32 = 60;
/// How long it is, metres.
const LENGTH: f32 = 1.0;

/// An empty grid, a palette, and a strip on the first universe.
pub fn fresh() -> Project {
    let mut project = Project::empty("Untitled");
    let (strip, fixture, palette) = (DefinitionId(1), FixtureId(1), PaletteId(1));
    let definition = FixtureDefinition {
        id: strip,
        name: format!("Strip of {LAMPS}"),
        pixels: Pixels::Strip { count: LAMPS, length: LENGTH },
        channels: FixtureDefinition::rgb(),
        light: LightResponse::default(),
        current: Current::default(),
        modes: Vec::new(),
    };
    project.definitions = [definition].into_iter().collect();
    project.fixtures = [Fixture { id: fixture, name: "Strip".into(), definition: strip }].into_iter().collect();
    let start = PatchAddress { universe: 0, channel: DmxAddress::FIRST };
    let links = vec![Link { fixture, start }];
    let straddle = Straddle::WholePixels;
    project.chains =
        [Chain { id: ChainId(1), name: "Strip".into(), straddle, cap_ma: None, links }].into_iter().collect();
    let layout = project.layouts.get(project.settings.topology).map(|layout| (**layout).clone());
    if let Some(mut topology) = layout {
        topology.placements = vec![Placement::at(fixture, [0.0; 3])];
        project.layouts.put(topology);
    }
    project.palettes = [first_palette(palette)].into_iter().collect();
    project.settings = Arc::new(Settings { palette: Some(palette), ..(*project.settings).clone() });
    project
}

/// Warm to cool.
fn first_palette(id: PaletteId) -> Palette {
    let (primary, secondary) = (Colour([255, 150, 60]), Colour([40, 90, 255]));
    let share = |stop: usize| stop as f32 / (GRADIENT_STOPS - 1) as f32;
    let gradient = std::array::from_fn(|stop| primary.mixed(secondary, share(stop)));
    Palette { id, name: "Warm to cool".into(), primary, secondary, gradient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::format::to_text;
    use crate::storage::load::load_text;
    use std::path::Path;

    #[test]
    fn a_new_project_is_sound_and_is_read_as_it_is_written() {
        let project = fresh();
        assert_eq!(project.universes(), 1);
        let text = to_text(&project, &[]).unwrap();
        let loaded = load_text(&text, Path::new("new.ron")).unwrap();
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        assert_eq!(loaded.project, project);
        assert_eq!(project.scenes.iter().count(), 0);
    }
}
