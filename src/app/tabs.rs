//! Tabs: an icon and a name for each docked panel, the icon alone where there is no room for all names.
//!
//! Runs on the ui thread. Deliberately absent: which panels there are, which [`super::workspace`] knows.

use super::workspace::Panel;
use super::{icons, theme, widgets};
use egui::accesskit::Role;
use egui::{Align2, Color32, CursorIcon, Id, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};
use egui_tiles::{Container, TabState, Tile, TileId, Tiles, Tree};

/// Height of a row of tabs, points.
pub const HEIGHT: f32 = 32.0;
/// Around the words of a tab, points: before them, and behind them, where the cross is.
const MARGINS: [f32; 2] = [theme::STEP + theme::HALF, 3.0 * theme::STEP];
/// Width of a tab without its name, points.
const ICON: f32 = 40.0;

/// One tab; a click on its cross takes the panel away.
pub fn tab_ui(
    tiles: &mut Tiles<Panel>,
    ui: &mut Ui,
    (id, tile): (Id, TileId),
    state: &TabState,
    cramped: &[Panel],
) -> Response {
    let panel = tiles.get_pane(&tile).copied();
    let title = panel.map_or("", Panel::title);
    let named = state.active || !panel.is_some_and(|panel| cramped.contains(&panel));
    let ink = if state.active { theme::TEXT } else { theme::TEXT_QUIET };
    let words = if named { words(panel) } else { panel.map_or("", Panel::icon).to_owned() };
    let galley = ui.painter().layout_no_wrap(words, theme::strong(theme::SMALL), ink);
    let width = if named { galley.size().x + MARGINS[0] + MARGINS[1] } else { ICON };
    let (_, rect) = ui.allocate_space(vec2(width, ui.available_height()));
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, state.active, format!("{title} panel")));
    let fill = match (state.active, response.hovered()) {
        (true, _) => theme::GROUND,
        (false, true) => theme::RAISED,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    let left = if named { rect.left() + MARGINS[0] } else { rect.center().x - galley.size().x / 2.0 };
    ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, ink);
    if named && close_ui(ui, rect, &response, state.active, title) {
        tiles.remove(tile);
    }
    widgets::focus_ring(ui, &response);
    if named { response } else { response.on_hover_text(title) }
}

fn words(panel: Option<Panel>) -> String {
    panel.map_or_else(String::new, |panel| format!("{}\u{2002}{}", panel.icon(), panel.title()))
}

/// The panels in rows that have no room for the names of all their tabs.
pub fn cramped(tree: &Tree<Panel>, ui: &Ui) -> Vec<Panel> {
    let width = |panel: &Panel| {
        let galley = ui.painter().layout_no_wrap(words(Some(*panel)), theme::strong(theme::SMALL), theme::TEXT_QUIET);
        galley.size().x + MARGINS[0] + MARGINS[1]
    };
    let mut cramped = Vec::new();
    for (row, tile) in tree.tiles.iter() {
        let (Tile::Container(Container::Tabs(tabs)), Some(rect)) = (tile, tree.tiles.rect(*row)) else { continue };
        let panels = || tabs.children.iter().filter_map(|tile| tree.tiles.get_pane(tile));
        if panels().map(width).sum::<f32>() > rect.width() {
            cramped.extend(panels());
        }
    }
    cramped
}

/// The cross of a tab, there while the tab is in front or under the pointer; whether it was clicked.
fn close_ui(ui: &Ui, tab: Rect, response: &Response, active: bool, title: &str) -> bool {
    // Not whether it is hovered: over the cross, the cross is.
    if !active && !response.contains_pointer() {
        return false;
    }
    let centre = pos2(tab.right() - 2.0 * theme::STEP + 2.0, tab.center().y);
    let area = Rect::from_center_size(centre, vec2(24.0, HEIGHT));
    let cross = ui.interact(area, response.id.with("close"), Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    cross.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {title}")));
    let ink = if cross.hovered() { theme::TEXT } else { theme::TEXT_FAINT };
    ui.painter().text(centre, Align2::CENTER_CENTER, icons::CLOSE, theme::small(), ink);
    cross.clicked()
}
