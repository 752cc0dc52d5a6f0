//! The gallery: every effect that there is, searched by word, each with a live picture; a click or Enter takes one.
//!
//! Runs on the ui thread. Only pictures that are on the screen are drawn by the show. Deliberately absent: what becomes
//! of what was taken.

use super::pictures::Pictures;
use super::{theme, widgets};
use crate::model::effect::ShaderRef;
use crate::model::id::ShaderId;
use crate::model::library::{LibraryShader, UserLibrary};
use crate::model::project::{Project, Shader};
use crate::shading::header::Header;
use crate::shading::library::BUILT_INS;
use crate::show::thumbnail::ThumbnailKey;
use egui::accesskit::Role;
use egui::{
    Key, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Width of the gallery, and its height at most, points.
pub const WIDTH: f32 = 376.0;
const HEIGHT: f32 = 320.0;
/// A picture with its title below, points.
const CELL: Vec2 = vec2(117.0, 90.0);
/// Height of the title, points.
const TITLE: f32 = 24.0;
const COLUMNS: usize = 3;

/// What shaders declare, read once each.
#[derive(Default)]
pub struct Headers {
    built_ins: HashMap<String, Arc<Header>>,
    own: HashMap<ShaderId, (Arc<Shader>, Arc<Header>)>,
    library: Arc<UserLibrary>,
    /// Of the library, in its order.
    borrowed: Vec<Arc<Header>>,
}

impl Headers {
    /// Takes over what the user's library holds now.
    pub fn stock(&mut self, library: &Arc<UserLibrary>) {
        if !Arc::ptr_eq(&self.library, library) && self.library != *library {
            let header = |shader: &Arc<LibraryShader>| Arc::new(Header::parse(&shader.source).unwrap_or_default());
            self.borrowed = library.shaders.iter().map(header).collect();
            self.library = Arc::clone(library);
        }
    }

    /// What a shader declares; of one whose header is faulty now, what it declared last.
    pub fn of(&mut self, project: &Project, shader: &ShaderRef) -> Option<Arc<Header>> {
        match shader {
            ShaderRef::BuiltIn(name) => {
                if self.built_ins.is_empty() {
                    let read = |(name, source): &(&str, &str)| {
                        Some(((*name).to_owned(), Arc::new(Header::parse(source).ok()?)))
                    };
                    self.built_ins = BUILT_INS.iter().filter_map(read).collect();
                }
                self.built_ins.get(name).cloned()
            }
            ShaderRef::Library(shader) => {
                let place = self.library.shaders.iter().position(|known| known == shader)?;
                self.borrowed.get(place).cloned()
            }
            ShaderRef::Project(id) => {
                let shader = project.shaders.get(*id)?;
                let known = self.own.get(id).is_some_and(|(known, _)| Arc::ptr_eq(known, shader));
                if !known {
                    let last = self.own.remove(id).map(|(_, header)| header);
                    let header = Header::parse(&shader.source).ok().map(Arc::new).or(last)?;
                    self.own.insert(*id, (Arc::clone(shader), header));
                }
                self.own.get(id).map(|(_, header)| Arc::clone(header))
            }
        }
    }

    /// What a shader is called on the screen.
    pub fn title(&mut self, project: &Project, shader: &ShaderRef) -> String {
        if let ShaderRef::Project(id) = shader {
            return project.shaders.get(*id).map_or_else(|| format!("shader {}", id.0), |shader| shader.name.clone());
        }
        if let ShaderRef::Library(shader) = shader {
            return shader.name.to_string();
        }
        self.of(project, shader).map_or_else(|| shader.to_string(), |header| header.title.clone())
    }
}

/// What is looked for.
#[derive(Default)]
pub struct Search {
    words: String,
    chosen: usize,
    /// Whether the field has had the keyboard since the gallery opened.
    begun: bool,
}

/// Something that can be taken.
struct Offer {
    shader: ShaderRef,
    title: String,
    about: String,
}

impl Offer {
    /// Where it is from, where that is not Glowdeck.
    fn mark(&self) -> &'static str {
        match self.shader {
            ShaderRef::Project(_) => "own",
            ShaderRef::Library(_) => "library",
            ShaderRef::BuiltIn(_) => "",
        }
    }
}

/// All effects with these words in their title or description: the project's own, the library's, then Glowdeck's.
fn offers(project: &Project, headers: &mut Headers, words: &str) -> Vec<Offer> {
    let own = project.shaders.iter().map(|shader| ShaderRef::Project(shader.id));
    let built_ins = BUILT_INS.iter().map(|(name, _)| ShaderRef::BuiltIn((*name).to_owned()));
    let library: Vec<ShaderRef> = headers.library.shaders.iter().cloned().map(ShaderRef::Library).collect();
    let words = words.to_lowercase();
    let offer = |shader: ShaderRef| {
        let title = headers.title(project, &shader);
        let header = headers.of(project, &shader);
        let (called, about) = header.map(|header| (header.title.clone(), header.about.clone())).unwrap_or_default();
        let text = format!("{title} {called} {about} {shader}").to_lowercase();
        words.split_whitespace().all(|word| text.contains(word)).then_some(Offer { shader, title, about })
    };
    own.chain(library).chain(built_ins).filter_map(offer).collect()
}

/// Shows the gallery, returns what was taken. Meant for a popup, which is to be closed then.
pub fn gallery_ui(
    ui: &mut Ui,
    project: &Project,
    headers: &mut Headers,
    pictures: &mut Pictures,
    search: &mut Search,
) -> Option<ShaderRef> {
    ui.set_width(WIDTH);
    let field = TextEdit::singleline(&mut search.words).hint_text("Search effects").margin(vec2(8.0, 7.0));
    let field = ui.add(field.desired_width(WIDTH).text_color(theme::TEXT));
    field.widget_info(|| WidgetInfo::labeled(Role::SearchInput, true, "Search effects"));
    if !std::mem::replace(&mut search.begun, true) {
        field.request_focus();
    }
    if field.changed() {
        search.chosen = 0;
    }
    let offers = offers(project, headers, &search.words);
    let stepped = step(ui, &mut search.chosen, offers.len());
    let (mut taken, told) = offers_ui(ui, &offers, search.chosen, stepped, pictures);
    if offers.is_empty() {
        ui.label(RichText::new("No effect has these words.").font(theme::small()).color(theme::TEXT_QUIET));
    }
    let about = offers.get(told).map_or("", |offer| offer.about.as_str());
    let (line, _) = ui.allocate_exact_size(vec2(WIDTH, 34.0), Sense::hover());
    let galley = ui.painter().layout(about.to_owned(), theme::small(), theme::TEXT_QUIET, WIDTH);
    ui.painter().with_clip_rect(line).galley(line.min, galley, theme::TEXT_QUIET);
    let elsewhere = ui.memory(|memory| memory.focused().is_some_and(|id| id != field.id));
    if ui.input(|input| input.key_pressed(Key::Enter)) && taken.is_none() && !elsewhere {
        taken = offers.get(search.chosen).map(|offer| offer.shader.clone());
    }
    if taken.is_some() {
        *search = Search::default();
    }
    taken
}

/// The offers side by side; which one was taken, and the place of the one that is told about.
fn offers_ui(
    ui: &mut Ui,
    offers: &[Offer],
    chosen: usize,
    stepped: bool,
    pictures: &mut Pictures,
) -> (Option<ShaderRef>, usize) {
    let (mut taken, mut told) = (None, chosen);
    ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT).show(ui, |ui| {
        ui.set_width(WIDTH);
        let pitch = CELL + Vec2::splat(theme::STEP);
        let size = vec2(WIDTH, offers.len().div_ceil(COLUMNS) as f32 * pitch.y);
        let (room, _) = ui.allocate_exact_size(size, Sense::hover());
        for (place, offer) in offers.iter().enumerate() {
            let cell = vec2((place % COLUMNS) as f32, (place / COLUMNS) as f32);
            let rect = Rect::from_min_size(room.min + cell * pitch, CELL);
            if stepped && place == chosen {
                ui.scroll_to_rect(rect, None);
            }
            if !ui.is_rect_visible(rect) {
                continue;
            }
            let response = offer_ui(ui, rect, offer, pictures, place == chosen);
            if response.hovered() || response.has_focus() {
                told = place;
            }
            if response.clicked() {
                taken = Some(offer.shader.clone());
            }
        }
    });
    (taken, told)
}

/// Moves the choice by the arrows; whether it moved.
fn step(ui: &Ui, chosen: &mut usize, count: usize) -> bool {
    let presses = |key| ui.input(|input| input.num_presses(key));
    let forth = presses(Key::ArrowRight) + COLUMNS * presses(Key::ArrowDown);
    let back = presses(Key::ArrowLeft) + COLUMNS * presses(Key::ArrowUp);
    *chosen = (*chosen + forth).saturating_sub(back).min(count.saturating_sub(1));
    forth + back > 0
}

fn offer_ui(ui: &Ui, rect: Rect, offer: &Offer, pictures: &mut Pictures, chosen: bool) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(&offer.shader), Sense::click());
    let label = match offer.shader {
        ShaderRef::Library(_) => format!("Library effect {}", offer.title),
        ShaderRef::BuiltIn(_) | ShaderRef::Project(_) => format!("Effect {}", offer.title),
    };
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, &label));
    let (above, below) = rect.split_top_bottom_at_y(rect.bottom() - TITLE);
    draw_picture(ui, above, &offer.shader, pictures, 1.0);
    if chosen || response.hovered() {
        let ink = if chosen { theme::TEXT } else { theme::RAIL };
        ui.painter().rect_stroke(above, theme::RADIUS, Stroke::new(1.5, ink), StrokeKind::Inside);
    }
    let ink = if chosen || response.hovered() { theme::TEXT } else { theme::TEXT_QUIET };
    let mark = ui.painter().layout_no_wrap(offer.mark().to_owned(), theme::small(), theme::TEXT_FAINT);
    let left = below.right() - mark.size().x;
    ui.painter().galley(pos2(left, below.center().y - mark.size().y / 2.0), mark, theme::TEXT_FAINT);
    // The mark is told from the end of a long title.
    let at = pos2(below.left() + 2.0, below.center().y);
    widgets::elided(ui.painter(), at, left - theme::HALF, (&offer.title, theme::small(), ink));
    widgets::focus_ring(ui, &response);
    response
}

/// An effect as it looks with the values of its header, on a dark ground while it has not been drawn.
pub fn draw_picture(ui: &Ui, rect: Rect, shader: &ShaderRef, pictures: &mut Pictures, share: f32) {
    ui.painter().rect_filled(rect, theme::RADIUS, theme::STAGE);
    if let Some(picture) = pictures.show(ThumbnailKey::Effect(shader.clone())) {
        picture.paint(ui.painter(), rect, 1.5, &[(rect.top(), share), (rect.bottom(), share)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shader(id: u32, name: &str, source: &str) -> Shader {
        Shader { id: ShaderId(id), name: name.into(), source: source.into(), file: None, library: None }
    }

    #[test]
    fn words_are_found_in_titles_and_descriptions_and_the_projects_own_come_first() {
        let mut project = Project::empty("p");
        project.shaders.put(shader(4, "My plasma", "// about: mine"));
        let titles = |words: &str| -> Vec<String> {
            let found = offers(&project, &mut Headers::default(), words);
            found.into_iter().map(|offer| offer.title).collect()
        };
        assert_eq!(titles("").len(), BUILT_INS.len() + 1);
        assert_eq!(titles("PLASMA"), ["My plasma", "Plasma"]);
        assert_eq!(titles("waves slow plasma"), ["Plasma"]);
        assert!(titles("no such thing").is_empty());
    }

    #[test]
    fn a_header_that_is_faulty_now_stays_as_it_was() {
        let mut project = Project::empty("p");
        let mut headers = Headers::default();
        let own = ShaderRef::Project(ShaderId(4));
        project.shaders.put(shader(4, "Own", "// param: width percent = 10"));
        assert_eq!(headers.of(&project, &own).unwrap().params.len(), 1);
        project.shaders.put(shader(4, "Own", "// param: width percent = 1000"));
        assert_eq!(headers.of(&project, &own).unwrap().params.len(), 1);
        project.shaders.put(shader(4, "Own", "void"));
        assert_eq!(headers.of(&project, &own).unwrap().params.len(), 0);
        assert!(headers.of(&project, &ShaderRef::Project(ShaderId(9))).is_none());
    }
}
