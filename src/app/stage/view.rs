//! Where the stage is looked at: metres to points of the screen and back.
//!
//! Plain arithmetic on the ui thread. Deliberately absent: egui's input and GL.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// Room around the lamps when all of them are shown, as a share of the pane.
const MARGIN: f32 = 0.06;
/// How far out and how far in the stage may be zoomed, as shares of the fit.
const ZOOM: std::ops::RangeInclusive<f32> = 0.25..=400.0;

/// A box in metres, x right, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lowest corner.
    pub min: [f32; 2],
    /// Highest corner.
    pub max: [f32; 2],
}

impl Extent {
    fn size(&self) -> Vec2 {
        vec2((self.max[0] - self.min[0]).max(1e-3), (self.max[1] - self.min[1]).max(1e-3))
    }

    fn centre(&self) -> Pos2 {
        pos2((self.min[0] + self.max[0]) / 2.0, (self.min[1] + self.max[1]) / 2.0)
    }
}

/// What the operator looks at: relative to the fit, so that a pane that changes its size shows the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Times the fit.
    zoom: f32,
    /// From the middle of the lamps to the middle of the pane, metres.
    pan: Vec2,
}

impl Default for View {
    fn default() -> Self {
        Self { zoom: 1.0, pan: Vec2::ZERO }
    }
}

/// The way from metres to points for one pane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenFromMetres {
    /// Points a metre.
    pub scale: f32,
    /// What lies in the middle of the pane, metres.
    pub centre: Pos2,
    /// The pane.
    pub pane: Rect,
}

impl ScreenFromMetres {
    /// Where a place of the stage is on the screen.
    pub fn screen(&self, metres: [f32; 2]) -> Pos2 {
        let x = (metres[0] - self.centre.x) * self.scale;
        let y = (metres[1] - self.centre.y) * self.scale;
        self.pane.center() + vec2(x, -y)
    }

    /// Which place of the stage is there, metres.
    pub fn metres(&self, screen: Pos2) -> [f32; 2] {
        let way = (screen - self.pane.center()) / self.scale;
        [self.centre.x + way.x, self.centre.y - way.y]
    }
}

impl View {
    /// The way from metres to the points of this pane.
    pub fn screen_from_metres(&self, extent: Extent, pane: Rect) -> ScreenFromMetres {
        let size = extent.size();
        let room = pane.size() * (1.0 - 2.0 * MARGIN);
        let fit = (room.x / size.x).min(room.y / size.y).max(1e-6);
        ScreenFromMetres { scale: fit * self.zoom, centre: extent.centre() + self.pan, pane }
    }

    /// Moves what is seen along with the pointer. `way` in points.
    pub fn drag(&mut self, way: Vec2, extent: Extent, pane: Rect) {
        let scale = self.screen_from_metres(extent, pane).scale;
        self.pan += vec2(-way.x, way.y) / scale;
        let reach = extent.size();
        self.pan = self.pan.clamp(-reach, reach);
    }

    /// Comes closer by a factor; what is under the pointer stays there.
    pub fn zoom_at(&mut self, factor: f32, pointer: Pos2, extent: Extent, pane: Rect) {
        let before = self.screen_from_metres(extent, pane).metres(pointer);
        self.zoom = (self.zoom * factor).clamp(*ZOOM.start(), *ZOOM.end());
        let after = self.screen_from_metres(extent, pane).metres(pointer);
        self.pan += vec2(before[0] - after[0], before[1] - after[1]);
    }

    /// Times the fit.
    pub fn zoom(&self) -> f32 {
        self.zoom
    }

    /// Whether all lamps are shown, in the middle of the pane.
    pub fn is_fit(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { min: [-2.0, 1.0], max: [6.0, 5.0] };

    fn pane() -> Rect {
        Rect::from_min_size(pos2(100.0, 50.0), vec2(640.0, 480.0))
    }

    #[test]
    fn a_fit_shows_every_corner_the_right_way_up() {
        let way = View::default().screen_from_metres(EXTENT, pane());
        let [low, high] = [EXTENT.min, EXTENT.max].map(|corner| way.screen(corner));
        assert!(pane().contains(low) && pane().contains(high));
        assert!(low.x < high.x && low.y > high.y, "y is up in the room and down on the screen");
        assert!((high.x - low.x) > 0.85 * pane().width(), "and they fill the pane");
    }

    #[test]
    fn what_is_under_the_pointer_stays_there_when_zooming() {
        let mut view = View::default();
        let pointer = pos2(222.0, 333.0);
        for factor in [1.3, 1.7, 0.6, 5.0] {
            let before = view.screen_from_metres(EXTENT, pane()).metres(pointer);
            view.zoom_at(factor, pointer, EXTENT, pane());
            let after = view.screen_from_metres(EXTENT, pane()).screen(before);
            assert!((after - pointer).length() < 0.01, "{after:?}");
        }
        assert!(!view.is_fit());
    }

    #[test]
    fn a_drag_moves_the_lamps_with_the_finger() {
        let mut view = View::default();
        let before = view.screen_from_metres(EXTENT, pane()).screen([1.0, 2.0]);
        view.drag(vec2(30.0, -12.0), EXTENT, pane());
        let after = view.screen_from_metres(EXTENT, pane()).screen([1.0, 2.0]);
        assert!(((after - before) - vec2(30.0, -12.0)).length() < 0.01);
    }

    #[test]
    fn zoom_has_an_end_in_both_directions() {
        let mut view = View::default();
        view.zoom_at(1e9, pane().center(), EXTENT, pane());
        assert_eq!(view.zoom(), *ZOOM.end());
        view.zoom_at(1e-9, pane().center(), EXTENT, pane());
        assert_eq!(view.zoom(), *ZOOM.start());
    }

    #[test]
    fn lamps_in_one_place_have_a_view_too() {
        let dot = Extent { min: [1.0, 1.0], max: [1.0, 1.0] };
        let way = View::default().screen_from_metres(dot, pane());
        assert!(way.scale.is_finite());
        assert_eq!(way.screen([1.0, 1.0]), pane().center());
    }
}
