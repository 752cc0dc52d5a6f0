//! The commands that keys can have: what each is called, what it does, and which keys it comes with.
//!
//! Plain values. The one table that menus, tooltips, the key sheet and the keys themselves read.

use super::super::action::Action;
use super::super::top_bar::NUDGE;
use super::super::workspace::Panel;
use super::shortcut::Shortcut;
use crate::show::command::{Command, LiveCommand};
use crate::show::snapshot::Snapshot;
use crate::units::Beats;
use egui::Key;

/// Tiles of the quick line that have a key of their own.
pub const QUICK: u8 = 9;

/// A command that keys can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// A tap of the tempo.
    Tap,
    /// Half the tempo.
    Half,
    /// Double the tempo.
    Double,
    /// The beat comes a little later.
    Later,
    /// The beat comes a little earlier.
    Earlier,
    /// Fades everything to zero, or back.
    Blackout,
    /// A tile of the quick line, from 1.
    Quick(u8),
    /// Flashes the tile that the keyboard is at, for as long as it is held.
    Flash,
    /// Begins a new project.
    New,
    /// Opens a project.
    Open,
    /// Writes the project.
    Save,
    /// Writes the project somewhere else.
    SaveAs,
    /// Takes the last edit back.
    Undo,
    /// Does it again.
    Redo,
    /// Ends the program.
    Quit,
    /// Searches the commands.
    Search,
    /// Perform or Design.
    Arrange,
    /// Brings a panel to the front, or closes it.
    Panel(Panel),
    /// Shows all lamps again.
    FitStage,
    /// To and from the whole screen.
    Fullscreen,
    /// Larger controls.
    Larger,
    /// Smaller controls.
    Smaller,
    /// Controls of normal size.
    NormalSize,
}

/// The commands of a part of the program.
pub struct Part {
    /// What it is called.
    pub title: &'static str,
    /// Its commands, in the order they are read.
    pub deeds: Vec<Deed>,
}

impl Deed {
    /// All of them, in the order they are read.
    pub fn parts() -> Vec<Part> {
        use Deed::*;
        let quick = (1..=QUICK).map(Quick);
        let play = [Tap, Half, Double, Later, Earlier, Blackout, Flash].into_iter().chain(quick).collect();
        let look = [Search, Arrange, Fullscreen, Larger, Smaller, NormalSize, FitStage].to_vec();
        vec![
            Part { title: "Playing", deeds: play },
            Part { title: "The project", deeds: vec![New, Open, Save, SaveAs, Undo, Redo, Quit] },
            Part { title: "The window", deeds: look },
            Part { title: "Panels", deeds: super::super::workspace::Panel::ALL.map(Panel).to_vec() },
        ]
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::parts().into_iter().flat_map(|part| part.deeds)
    }

    /// What people read.
    pub fn name(self) -> String {
        match self {
            Self::Tap => "Tap the tempo",
            Self::Half => "Half tempo",
            Self::Double => "Double tempo",
            Self::Later => "Nudge later",
            Self::Earlier => "Nudge earlier",
            Self::Blackout => "Blackout",
            Self::Quick(place) => return format!("Tile {place} of the quick line"),
            Self::Flash => "Flash the tile",
            Self::New => "New project",
            Self::Open => "Open a project",
            Self::Save => "Save",
            Self::SaveAs => "Save as",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::Quit => "Quit",
            Self::Search => "Search commands",
            Self::Arrange => "Perform or Design",
            Self::Panel(panel) => return format!("{} panel", panel.title()),
            Self::FitStage => "Fit the stage",
            Self::Fullscreen => "Full screen",
            Self::Larger => "Larger controls",
            Self::Smaller => "Smaller controls",
            Self::NormalSize => "Controls of normal size",
        }
        .to_owned()
    }

    /// What a settings file calls it, for ever.
    pub fn id(self) -> String {
        match self {
            Self::Tap => "tap",
            Self::Half => "half tempo",
            Self::Double => "double tempo",
            Self::Later => "nudge later",
            Self::Earlier => "nudge earlier",
            Self::Blackout => "blackout",
            Self::Quick(place) => return format!("quick {place}"),
            Self::Flash => "flash",
            Self::New => "new",
            Self::Open => "open",
            Self::Save => "save",
            Self::SaveAs => "save as",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Quit => "quit",
            Self::Search => "search",
            Self::Arrange => "arrange",
            Self::Panel(panel) => return format!("panel {panel:?}").to_lowercase(),
            Self::FitStage => "fit the stage",
            Self::Fullscreen => "full screen",
            Self::Larger => "larger",
            Self::Smaller => "smaller",
            Self::NormalSize => "normal size",
        }
        .to_owned()
    }

    /// The keys it comes with.
    pub fn usual(self) -> Vec<Shortcut> {
        const DIGITS: [Key; QUICK as usize] =
            [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
        let (plain, ctrl) = (Shortcut::plain, Shortcut::ctrl);
        match self {
            Self::Tap => vec![plain(Key::T)],
            Self::Blackout => vec![plain(Key::B)],
            Self::Quick(place) => {
                DIGITS.get(usize::from(place).wrapping_sub(1)).map(|key| plain(*key)).into_iter().collect()
            }
            Self::Flash => vec![plain(Key::F)],
            Self::New => vec![ctrl(Key::N)],
            Self::Open => vec![ctrl(Key::O)],
            Self::Save => vec![ctrl(Key::S)],
            Self::SaveAs => vec![Shortcut::ctrl_shift(Key::S)],
            Self::Undo => vec![ctrl(Key::Z)],
            Self::Redo => vec![Shortcut::ctrl_shift(Key::Z), ctrl(Key::Y)],
            Self::Search => vec![ctrl(Key::K)],
            Self::Arrange => vec![plain(Key::F2)],
            Self::Panel(Panel::Nodes) => vec![plain(Key::N)],
            Self::Panel(Panel::Keys) => vec![plain(Key::Questionmark)],
            Self::Panel(Panel::Settings) => vec![ctrl(Key::Comma)],
            Self::Fullscreen => vec![plain(Key::F11)],
            Self::Larger => vec![ctrl(Key::Plus), ctrl(Key::Equals)],
            Self::Smaller => vec![ctrl(Key::Minus)],
            Self::NormalSize => vec![ctrl(Key::Num0)],
            Self::Half | Self::Double | Self::Later | Self::Earlier | Self::Quit | Self::FitStage | Self::Panel(_) => {
                Vec::new()
            }
        }
    }

    /// Whether it is done also while somebody types, by keys that no text is typed with.
    pub fn while_typing(self) -> bool {
        matches!(
            self,
            Self::New | Self::Open | Self::Save | Self::SaveAs | Self::Search | Self::Arrange | Self::Fullscreen
        )
    }

    /// What it does now; nothing where it has no tile, or where the grid does it.
    pub fn action(self, snapshot: &Snapshot) -> Option<Action> {
        Some(match self {
            Self::Tap => Action::Tap,
            Self::Half => LiveCommand::Half.into(),
            Self::Double => LiveCommand::Double.into(),
            Self::Later => LiveCommand::Nudge(Beats(-NUDGE)).into(),
            Self::Earlier => LiveCommand::Nudge(Beats(NUDGE)).into(),
            Self::Blackout => LiveCommand::Blackout(!snapshot.blackout).into(),
            Self::Quick(place) => {
                let cell = snapshot.project.grid.quick_cells().nth(usize::from(place).checked_sub(1)?)?;
                LiveCommand::Toggle(snapshot.project.scene_at(cell)?.id).into()
            }
            Self::Flash => return None,
            Self::New => Action::New,
            Self::Open => Action::Open,
            Self::Save => Action::Save,
            Self::SaveAs => Action::SaveAs,
            Self::Undo => Command::Undo.into(),
            Self::Redo => Command::Redo.into(),
            Self::Quit => Action::Close,
            Self::Search => Action::Search,
            Self::Arrange => Action::Arrange(None),
            Self::Panel(panel) => Action::Panel(panel),
            Self::FitStage => Action::FitStage,
            Self::Fullscreen => Action::Fullscreen,
            Self::Larger => Action::Zoom(1),
            Self::Smaller => Action::Zoom(-1),
            Self::NormalSize => Action::Zoom(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_deed_has_a_name_an_id_and_keys_of_its_own() {
        let all: Vec<Deed> = Deed::all().collect();
        let names: HashSet<String> = all.iter().map(|deed| deed.name()).collect();
        let ids: HashSet<String> = all.iter().map(|deed| deed.id()).collect();
        assert_eq!((names.len(), ids.len()), (all.len(), all.len()));
        let keys: Vec<Shortcut> = all.iter().flat_map(|deed| deed.usual()).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert!(keys.iter().all(|key| key.refusal().is_none()), "what it comes with could be given");
        assert!(all.contains(&Deed::Panel(Panel::Keys)) && all.contains(&Deed::Quick(QUICK)));
    }
}
