//! Draws every lamp of the stage at its place: first its glow at a quarter of the resolution, then the lamp itself.
//!
//! Runs on the ui thread inside egui's painter, with the window's context current. The cost of the glow does not grow
//! with its size, and beyond [`DENSE`] lamps each is a flat square. Deliberately absent: the model, egui, the render
//! thread's context.
#![expect(unsafe_code, reason = "GL calls are unsafe in glow; all of the stage's are in this file")]

use super::StageError;
use super::counted::Counted;
use super::stage_shaders::{BLUR, DOT, EXPOSE, FLAT, POINT_DOT, PROGRAMS, SHOW, SPLAT};
use glow::{Context, HasContext as _};
use std::sync::Arc;

/// From this many lamps on each is a flat square.
pub const DENSE: usize = 30_000;
/// From this many lamps on, one in [`SOME`] gives off the glow of all: in a picture of a quarter of the size nobody sees
/// which, and a software driver works on each of them on the thread of the window.
const MANY: usize = 8_000;
/// See [`MANY`].
const SOME: i32 = 4;
/// Lamps up to this many pixels are points, which cost a software rasteriser far less than an instance each.
const POINT_RADIUS: f32 = 12.0;
/// Pixels of the screen along a texel of the near glow, and texels of it along one of the wide glow.
const COARSE: [i32; 2] = [4, 4];

/// What to draw, all in pixels of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageView {
    /// Lower left corner of the pane.
    pub corner: [i32; 2],
    /// Size of the pane.
    pub size: [i32; 2],
    /// What lies in the middle of the pane, metres.
    pub centre: [f32; 2],
    /// Pixels a metre.
    pub scale: f32,
    /// Radius of a lamp.
    pub radius: f32,
    /// Behind the lamps, sRGB.
    pub ground: [f32; 3],
}

/// A texture that is drawn into.
struct Target {
    texture: glow::Texture,
    framebuffer: glow::Framebuffer,
    size: [i32; 2],
    _counted: [Counted; 2],
}

/// The stage's objects in the window's context. Dropping it frees them, so it must be dropped while that is current.
pub struct StagePainter {
    gl: Arc<Context>,
    header: &'static str,
    programs: Vec<glow::Program>,
    buffers: Vec<glow::Buffer>,
    arrays: Vec<glow::VertexArray>,
    targets: Vec<Target>,
    half_floats: bool,
    lamps: usize,
    counted: Vec<Counted>,
}

/// Places in [`StagePainter::buffers`].
const POSITIONS: usize = 0;
const COLOURS: usize = 1;
/// Places in [`StagePainter::arrays`]: a vertex a lamp, a vertex for every few, an instance a lamp, and none at all.
const POINTS: usize = 0;
const SOME_POINTS: usize = 1;
const INSTANCES: usize = 2;
const NOTHING: usize = 3;

impl StagePainter {
    /// Compiles the shaders in the context, which must be current.
    ///
    /// # Errors
    /// When the driver refuses something; what was made before is freed.
    pub fn new(gl: Arc<Context>) -> Result<Self, StageError> {
        let header =
            if gl.version().is_embedded { "#version 300 es\nprecision highp float;\n" } else { "#version 330 core\n" };
        let mut stage = Self {
            gl,
            header,
            programs: Vec::new(),
            buffers: Vec::new(),
            arrays: Vec::new(),
            targets: Vec::new(),
            half_floats: true,
            lamps: 0,
            counted: Vec::new(),
        };
        for (name, vertex, fragment) in PROGRAMS {
            stage.add_program(name, vertex, fragment)?;
        }
        stage.add_geometry()?;
        Ok(stage)
    }

    fn add_program(&mut self, name: &'static str, vertex: &str, fragment: &str) -> Result<(), StageError> {
        let gl = &self.gl;
        // SAFETY: the context is current; the program is kept at once, so that it is freed whatever comes.
        unsafe {
            let program = gl.create_program().map_err(|cause| StageError::Object { what: "program", cause })?;
            self.programs.push(program);
            self.counted.push(Counted::object());
            for (kind, source) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
                let shader = gl.create_shader(kind).map_err(|cause| StageError::Object { what: "shader", cause })?;
                gl.shader_source(shader, &format!("{}{source}", self.header));
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
                let refused = (!gl.get_shader_compile_status(shader)).then(|| gl.get_shader_info_log(shader));
                gl.delete_shader(shader);
                if let Some(log) = refused {
                    return Err(StageError::Shader { name, log });
                }
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(StageError::Shader { name, log: gl.get_program_info_log(program) });
            }
        }
        Ok(())
    }

    fn add_geometry(&mut self) -> Result<(), StageError> {
        let gl = &self.gl;
        // SAFETY: the context is current; the attributes' types and strides are those of the slices uploaded below.
        unsafe {
            for _ in [POSITIONS, COLOURS] {
                let buffer = gl.create_buffer().map_err(|cause| StageError::Object { what: "buffer", cause })?;
                self.buffers.push(buffer);
                self.counted.push(Counted::object());
            }
            for array in [POINTS, SOME_POINTS, INSTANCES, NOTHING] {
                let made = gl.create_vertex_array();
                self.arrays.push(made.map_err(|cause| StageError::Object { what: "vertex array", cause })?);
                self.counted.push(Counted::object());
                let stride = if array == SOME_POINTS { SOME } else { 1 };
                gl.bind_vertex_array(Some(self.arrays[array]));
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffers[POSITIONS]));
                gl.vertex_attrib_pointer_f32(0, 2, glow::FLOAT, false, 8 * stride, 0);
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffers[COLOURS]));
                gl.vertex_attrib_pointer_f32(1, 4, glow::UNSIGNED_BYTE, true, 4 * stride, 0);
                for attribute in (0..2).filter(|_| array != NOTHING) {
                    gl.enable_vertex_attrib_array(attribute);
                    gl.vertex_attrib_divisor(attribute, u32::from(array == INSTANCES));
                }
            }
            gl.bind_vertex_array(None);
            // ES always takes a point's size from the shader; egui draws no points, so it can stay on.
            if !gl.version().is_embedded {
                gl.enable(glow::PROGRAM_POINT_SIZE);
            }
        }
        Ok(())
    }

    /// Takes new places, metres; a lamp at what is not a number is not seen. All lamps are dark until colours come.
    pub fn set_positions(&mut self, positions: &[[f32; 2]]) {
        self.lamps = positions.len();
        match positions.iter().any(|[x, _]| x.is_nan()) {
            false => self.upload(POSITIONS, bytemuck::cast_slice(positions), glow::STATIC_DRAW),
            true => {
                // What a driver does with such a place is its own; far outside is outside everywhere.
                let placed = positions.iter().map(|[x, y]| if x.is_nan() { [-1.0e9; 2] } else { [*x, *y] });
                let placed: Vec<[f32; 2]> = placed.collect();
                self.upload(POSITIONS, bytemuck::cast_slice(&placed), glow::STATIC_DRAW);
            }
        }
        self.upload(COLOURS, &vec![0; positions.len() * 4], glow::STREAM_DRAW);
    }

    /// Takes new colours, sRGB bytes, four a lamp; fewer than there are lamps change nothing.
    pub fn set_colours(&mut self, colours: &[u8]) {
        if let Some(colours) = colours.get(..self.lamps * 4) {
            self.upload(COLOURS, colours, glow::STREAM_DRAW);
        }
    }

    fn upload(&self, buffer: usize, bytes: &[u8], usage: u32) {
        // SAFETY: the context is current; a whole new store each time, so that the driver need not wait for the old.
        unsafe {
            self.gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffers[buffer]));
            self.gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, usage);
        }
    }

    /// Draws the lamps into `screen`, clipped by the scissor that is set.
    ///
    /// # Errors
    /// When the driver cannot draw into textures; then the lamps have no glow.
    pub fn paint(&mut self, view: &StageView, screen: Option<glow::Framebuffer>) -> Result<(), StageError> {
        if self.lamps == 0 || view.size.iter().any(|side| *side < 1) {
            return Ok(());
        }
        let fitted = self.fit_targets(view.size);
        // SAFETY: the context is current and every object is this painter's own. Blend, viewport, program, vertex
        // array and textures are set again by egui after a callback; framebuffer and scissor test are put back here.
        unsafe {
            let gl = &self.gl;
            if fitted.is_ok() {
                gl.disable(glow::SCISSOR_TEST);
                self.draw_glow(view);
                gl.enable(glow::SCISSOR_TEST);
            }
            gl.bind_framebuffer(glow::FRAMEBUFFER, screen);
            gl.viewport(view.corner[0], view.corner[1], view.size[0], view.size[1]);
            gl.clear_color(view.ground[0], view.ground[1], view.ground[2], 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.enable(glow::BLEND);
            if fitted.is_ok() {
                gl.blend_func(glow::ONE, glow::ONE);
                self.cover(SHOW, [1, 1], [0.0; 2]);
            }
            self.draw_lamps(view);
            gl.bind_vertex_array(None);
        }
        fitted
    }

    /// The targets in pairs to blur between: two of the near glow, two of the wide one.
    fn fit_targets(&mut self, size: [i32; 2]) -> Result<(), StageError> {
        let near = size.map(|side| side / COARSE[0] + 1);
        let wide = near.map(|side| side / COARSE[1] + 1);
        if self.targets.first().is_some_and(|target| target.size == near) {
            return Ok(());
        }
        for _format in 0..2 {
            self.free_targets();
            if [near, near, wide, wide].into_iter().all(|size| self.add_target(size).is_some()) {
                return Ok(());
            }
            self.half_floats = false;
        }
        self.free_targets();
        Err(StageError::Target)
    }

    fn add_target(&mut self, size: [i32; 2]) -> Option<()> {
        let floats = (glow::RGBA16F, glow::HALF_FLOAT);
        let (internal, kind) = if self.half_floats { floats } else { (glow::RGBA8, glow::UNSIGNED_BYTE) };
        // SAFETY: the context is current; what was made is either kept in `targets` or deleted here.
        unsafe {
            let gl = &self.gl;
            let texture = gl.create_texture().ok()?;
            let framebuffer = gl.create_framebuffer().map_err(|_| gl.delete_texture(texture)).ok()?;
            let counted = [Counted::texture(), Counted::object()];
            self.targets.push(Target { texture, framebuffer, size, _counted: counted });
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            let none = glow::PixelUnpackData::Slice(None);
            gl.tex_image_2d(glow::TEXTURE_2D, 0, internal as i32, size[0], size[1], 0, glow::RGBA, kind, none);
            for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, filter, glow::LINEAR as i32);
            }
            for edge in [glow::TEXTURE_WRAP_S, glow::TEXTURE_WRAP_T] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, edge, glow::CLAMP_TO_EDGE as i32);
            }
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let place = glow::COLOR_ATTACHMENT0;
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, place, glow::TEXTURE_2D, Some(texture), 0);
            (gl.check_framebuffer_status(glow::FRAMEBUFFER) == glow::FRAMEBUFFER_COMPLETE).then_some(())
        }
    }

    fn draw_glow(&self, view: &StageView) {
        let gl = &self.gl;
        let (array, share) = if self.lamps < MANY { (POINTS, 1) } else { (SOME_POINTS, SOME) };
        let wanted = 2.0 * view.radius / COARSE[0] as f32;
        let size = (wanted * (share as f32).sqrt()).clamp(1.5, 24.0);
        // A point that had to be larger than its lamp gives off as much light as the lamp would.
        let energy = (wanted / size).powi(2) * 0.785 * share as f32;
        // SAFETY: as in `paint`.
        unsafe {
            self.begin_target(0);
            gl.enable(glow::BLEND);
            gl.blend_func(glow::ONE, glow::ONE);
            self.use_program(SPLAT, view);
            self.set(SPLAT, "u_size", &[size]);
            self.set(SPLAT, "u_energy", &[energy]);
            gl.bind_vertex_array(Some(self.arrays[array]));
            gl.draw_arrays(glow::POINTS, 0, self.lamps as i32 / share);
            gl.disable(glow::BLEND);
        }
        for (from, to, way) in
            [(0, 1, [1.0, 0.0]), (1, 0, [0.0, 1.0]), (0, 2, [2.0, 0.0]), (2, 3, [0.0, 1.0]), (3, 2, [1.0, 1.0])]
        {
            self.begin_target(to);
            let size = self.targets[from].size;
            self.cover(BLUR, [from, from], [way[0] / size[0] as f32, way[1] / size[1] as f32]);
        }
        self.begin_target(1);
        self.cover(EXPOSE, [0, 2], [0.0; 2]);
    }

    /// Draws over the whole target, from one or two others.
    fn cover(&self, program: usize, from: [usize; 2], way: [f32; 2]) {
        let gl = &self.gl;
        // SAFETY: as in `paint`.
        unsafe {
            gl.use_program(Some(self.programs[program]));
            for (unit, name) in ["u_wide", "u_light"].into_iter().enumerate() {
                gl.active_texture(glow::TEXTURE1 - unit as u32);
                gl.bind_texture(glow::TEXTURE_2D, Some(self.targets[from[1 - unit]].texture));
                let place = gl.get_uniform_location(self.programs[program], name);
                gl.uniform_1_i32(place.as_ref(), 1 - unit as i32);
            }
            self.set(program, "u_way", &way);
            gl.bind_vertex_array(Some(self.arrays[NOTHING]));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
        }
    }

    fn begin_target(&self, target: usize) {
        let Target { framebuffer, size, .. } = &self.targets[target];
        // SAFETY: as in `paint`.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(*framebuffer));
            self.gl.viewport(0, 0, size[0], size[1]);
            self.gl.clear_color(0.0, 0.0, 0.0, 0.0);
            self.gl.clear(glow::COLOR_BUFFER_BIT);
        }
    }

    fn draw_lamps(&self, view: &StageView) {
        let (gl, lamps) = (&self.gl, self.lamps as i32);
        // SAFETY: as in `paint`.
        unsafe {
            gl.blend_func(glow::ONE, glow::ONE_MINUS_SRC_ALPHA);
            if self.lamps >= DENSE {
                gl.disable(glow::BLEND);
                self.use_program(FLAT, view);
                self.set(FLAT, "u_size", &[(2.0 * view.radius).clamp(1.0, 64.0)]);
                gl.bind_vertex_array(Some(self.arrays[POINTS]));
                gl.draw_arrays(glow::POINTS, 0, lamps);
            } else {
                let is_point = view.radius <= POINT_RADIUS;
                let (program, array) = if is_point { (POINT_DOT, POINTS) } else { (DOT, INSTANCES) };
                self.use_program(program, view);
                let radius = view.radius + 0.5;
                self.set(program, "u_size", &[2.0 * radius]);
                self.set(program, "u_reach", &view.size.map(|side| 2.0 * radius / side as f32));
                self.set(program, "u_soft", &[(1.5 / radius).clamp(0.04, 1.0)]);
                gl.bind_vertex_array(Some(self.arrays[array]));
                match is_point {
                    true => gl.draw_arrays(glow::POINTS, 0, lamps),
                    false => gl.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, lamps),
                }
            }
        }
    }

    fn use_program(&self, program: usize, view: &StageView) {
        let scale = view.size.map(|side| 2.0 * view.scale / side as f32);
        // SAFETY: as in `paint`.
        unsafe {
            self.gl.use_program(Some(self.programs[program]));
            self.set(program, "u_view", &[view.centre[0], view.centre[1], scale[0], scale[1]]);
        }
    }

    fn set(&self, program: usize, name: &str, value: &[f32]) {
        // SAFETY: as in `paint`.
        unsafe {
            let place = self.gl.get_uniform_location(self.programs[program], name);
            match *value {
                [x] => self.gl.uniform_1_f32(place.as_ref(), x),
                [x, y] => self.gl.uniform_2_f32(place.as_ref(), x, y),
                [x, y, z, w] => self.gl.uniform_4_f32(place.as_ref(), x, y, z, w),
                _ => {}
            }
        }
    }

    fn free_targets(&mut self) {
        for target in self.targets.drain(..) {
            // SAFETY: the context is current and nothing draws with them any more.
            unsafe {
                self.gl.delete_framebuffer(target.framebuffer);
                self.gl.delete_texture(target.texture);
            }
        }
    }
}

impl Drop for StagePainter {
    fn drop(&mut self) {
        self.free_targets();
        // SAFETY: the context is current, as the type says, and nothing draws with them any more.
        unsafe {
            self.programs.drain(..).for_each(|program| self.gl.delete_program(program));
            self.buffers.drain(..).for_each(|buffer| self.gl.delete_buffer(buffer));
            self.arrays.drain(..).for_each(|array| self.gl.delete_vertex_array(array));
        }
    }
}
