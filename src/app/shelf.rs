//! Shelves: the project's things of one kind as a list with pictures, and the head of the one that is worked at.
//!
//! Functions of the ui thread that draw and say what was asked for. Deliberately absent: what the things are, and how
//! the project changes.

use super::widgets::{PadLook, elided, focus_ring, line_ground, pad};
use super::{fields, icons, theme};
use egui::accesskit::Role;
use egui::{Layout, Painter, Rect, Response, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

/// Height of a thing in the list, points.
const ITEM: f32 = 48.0;
/// Width of the list beside what is worked at, points.
const LIST: f32 = 168.0;
/// Panels narrower than this have the list above, points.
const SIDE_BY_SIDE: f32 = 600.0;
/// Height of the list above, points.
const ABOVE: f32 = 56.0;
/// Width of a thing in the list above, points.
const CELL: f32 = 128.0;

/// What may be done with a thing as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It gets this name.
    Rename(String),
    /// It is there twice.
    Duplicate,
    /// It goes.
    Delete,
}

/// The room of the list and that of what is worked at.
pub fn rooms(ui: &Ui) -> [Rect; 2] {
    let room = ui.max_rect().shrink2(vec2(theme::STEP + theme::HALF, theme::STEP));
    if room.width() >= SIDE_BY_SIDE {
        let list = Rect::from_min_max(room.min, pos2(room.left() + LIST, room.bottom()));
        return [list, Rect::from_min_max(pos2(list.right() + 2.0 * theme::STEP, room.top()), room.max)];
    }
    let list = Rect::from_min_max(room.min, pos2(room.right(), room.top() + ABOVE));
    [list, Rect::from_min_max(pos2(room.left(), list.bottom() + theme::STEP), room.max)]
}

/// A part of the panel in a room of its own.
pub fn room_ui<R>(ui: &mut Ui, name: &str, room: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    // A panel may be dragged so small that nothing is left of a room.
    let room = Rect::from_min_max(room.min, room.max.max(room.min));
    let mut ui = ui.new_child(UiBuilder::new().id_salt(name).max_rect(room));
    ui.set_clip_rect(room.expand(2.0).intersect(ui.clip_rect()));
    add(&mut ui)
}

/// Shows a list with its title and its button for a new thing: a column, or a row where the room is low. Whether the
/// button was clicked, and what the things say.
pub fn list_ui<R>(ui: &mut Ui, title: &str, add: &str, things: impl FnOnce(&mut Ui) -> R) -> (bool, R) {
    let plus =
        |ui: &mut Ui| pad(ui, vec2(4.0 * theme::STEP, 4.0 * theme::STEP), &PadLook::quiet(add, icons::ADD)).clicked();
    if ui.max_rect().height() <= ABOVE {
        return ui
            .horizontal(|ui| {
                let clicked = plus(ui);
                let row = ScrollArea::horizontal().id_salt(title).auto_shrink(false);
                let shown = row.show(ui, |ui| {
                    ui.spacing_mut().item_spacing.x = 2.0;
                    ui.horizontal(things).inner
                });
                (clicked, shown.inner)
            })
            .inner;
    }
    let clicked = ui.horizontal(|ui| {
        ui.label(RichText::new(title).font(theme::strong(theme::BODY)).color(theme::TEXT));
        ui.with_layout(Layout::right_to_left(egui::Align::Center), plus).inner
    });
    ui.add_space(theme::HALF);
    let shown = ScrollArea::vertical().id_salt(title).auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        things(ui)
    });
    (clicked.inner, shown.inner)
}

/// A thing in the list: its name, and below it a picture that is drawn into the rectangle.
pub fn item_ui(ui: &mut Ui, label: &str, name: &str, chosen: bool, picture: impl FnOnce(&Painter, Rect)) -> Response {
    let width = if ui.layout().is_horizontal() { CELL } else { ui.available_width() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, ITEM), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, label));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let painter = ui.painter();
    line_ground(painter, &response, chosen);
    let inner = rect.shrink2(vec2(theme::STEP + theme::HALF, 0.0));
    let ink = if chosen { theme::TEXT } else { theme::TEXT_QUIET };
    let at = pos2(inner.left(), rect.top() + 15.0);
    elided(painter, at, inner.right(), (name, theme::strong(theme::SMALL), ink));
    picture(
        painter,
        Rect::from_min_max(pos2(inner.left(), rect.top() + 27.0), pos2(inner.right(), rect.bottom() - 7.0)),
    );
    focus_ring(ui, &response);
    response
}

/// Name, Duplicate and Delete of the thing of this kind that is worked at. What is in use is not deleted; `refused` then holds what
/// uses it until something else is done, and is shown.
pub fn title_ui(ui: &mut Ui, kind: &str, name: &str, users: &[String], refused: &mut bool) -> Option<Deed> {
    let mut deed = None;
    ui.horizontal(|ui| {
        let buttons = 2.0 * (80.0 + theme::STEP);
        let size = vec2((ui.available_width() - buttons).max(96.0), 4.0 * theme::STEP);
        let shown = ui.allocate_ui(size, |ui| {
            let parse = |text: &str| match text.trim() {
                "" => Err("it needs a name".to_owned()),
                name => Ok(name.to_owned()),
            };
            fields::bare_text(ui, &format!("Name of the {kind}"), name, parse).0
        });
        deed = shown.inner.map(Deed::Rename);
        let size = vec2(80.0, 4.0 * theme::STEP);
        for (verb, answer, colour) in
            [("Duplicate", Deed::Duplicate, theme::TEXT_QUIET), ("Delete", Deed::Delete, theme::RED)]
        {
            let label = format!("{verb} {name}");
            let look = PadLook { font: theme::small(), colour, ..PadLook::quiet(&label, verb) };
            if pad(ui, size, &look).clicked() {
                deed = Some(answer);
            }
        }
    });
    if deed == Some(Deed::Delete) && !users.is_empty() {
        *refused = true;
        return None;
    }
    *refused = *refused && deed.is_none() && !users.is_empty();
    if *refused {
        let words = format!("Not deleted: {} uses it. Change that first.", few(users));
        ui.label(RichText::new(words).font(theme::small()).color(theme::RED));
    }
    deed
}

/// The first few names, and how many more there are.
fn few(users: &[String]) -> String {
    const MOST: usize = 3;
    let named = users[..users.len().min(MOST)].join(", ");
    match users.len().saturating_sub(MOST) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// A name that nobody has yet: the wanted one, or the same with a number behind.
pub fn free_name(wanted: &str, taken: &[&str]) -> String {
    let is_free = |name: &str| !taken.contains(&name);
    if is_free(wanted) {
        return wanted.to_owned();
    }
    let base = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let base = if base.is_empty() { wanted } else { base };
    (2..).map(|number| format!("{base} {number}")).find(|name| is_free(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_gets_the_next_number_that_is_free() {
        let taken = ["Sunset", "Sunset 2", "7"];
        for (wanted, expected) in [("Dawn", "Dawn"), ("Sunset", "Sunset 3"), ("Sunset 2", "Sunset 3"), ("7", "7 2")] {
            assert_eq!(free_name(wanted, &taken), expected);
        }
    }

    #[test]
    fn many_users_are_counted() {
        let users = |count: usize| (0..count).map(|n| format!("scene `{n}`")).collect::<Vec<_>>();
        assert_eq!(few(&users(1)), "scene `0`");
        assert_eq!(few(&users(5)), "scene `0`, scene `1`, scene `2` and 2 more");
    }
}
