//! Fusing: the effects of a scene become one program, which reads its numbers from one block of vec4 slots.
//!
//! A program depends on the shaders and blend modes, never on values, so turning a knob compiles nothing.
//! Slot 0 is the scene's: weight, input layer, number of the part whose endless loops are asked for. Each effect then has [`EFFECT_SLOTS`] slots and its parameters.

use super::ShaderText;
use super::guard::{GUARD_CODE, TURNS};
use super::header::{Header, ParamKind};
use super::isolate::INPUTS;
use super::library::COMMON;
use super::prelude::{LAMP_CODE, Prelude};
use crate::model::effect::Blend;
use std::fmt::Write as _;

/// Which flavour of GLSL a context takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Desktop OpenGL 3.3 core.
    Core330,
    /// OpenGL ES 3.0 and up.
    Es300,
}

impl Dialect {
    /// The lines a program of ours starts with.
    pub fn preamble(self) -> &'static str {
        match self {
            Self::Core330 => "#version 330 core\n",
            Self::Es300 => {
                "#version 300 es\nprecision highp float;\nprecision highp int;\n\
                 precision highp sampler2D;\nprecision highp sampler2DArray;\nprecision highp usampler2D;\n"
            }
        }
    }
}

/// What programs are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The context's GLSL.
    pub dialect: Dialect,
    /// Whether the CPU draws. A software rasteriser reads a block anew for every eight texels, which costs more than
    /// the effects; flat varyings it reads once. It also gains from a plainer sine.
    pub software: bool,
}

/// Covers the target with one triangle; draws with three vertices and no buffers.
pub const FULL_TARGET_VERTEX: &str = "void main() {\n    vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));\n    \
     gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);\n";

/// A program's two shaders.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Covers the target.
    pub vertex: String,
    /// Lights the lamps. Lines from n x [`PART_LINES`] on are part n's, from 1; lines before are our own.
    pub fragment: String,
    /// Whether any loop is guarded.
    pub guarded: bool,
}

/// Slots of a scene before its effects.
pub const SCENE_SLOTS: usize = 1;
/// Slots of an effect before its parameters: times; tempo and chance; opacity, palette row and input layer; primary;
/// secondary.
pub const EFFECT_SLOTS: usize = 5;

/// Lines a part may have. Its lines are numbered from its own multiple of this, which every driver's log repeats;
/// Mesa's log does not keep the source number that `#line` could give.
pub const PART_LINES: usize = 100_000;

/// One effect of a program.
pub struct Part<'a> {
    /// Its shader.
    pub text: &'a ShaderText,
    /// How it meets the parts before it.
    pub blend: Blend,
    /// Whether it lights other lamps than its scene.
    pub own_selection: bool,
}

/// Where a parameter's numbers are: slot from the effect's first, and component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamPlace {
    /// Slot, counted from the effect's first.
    pub slot: usize,
    /// First component within it.
    pub component: usize,
}

/// Places of all parameters of a header, and how many slots an effect of this shader takes.
pub fn param_places(header: &Header) -> (Vec<ParamPlace>, usize) {
    let mut next = EFFECT_SLOTS * 4;
    let places = header.params.iter().map(|param| {
        let width = param.kind.width();
        if next % 4 + width > 4 {
            next = next.next_multiple_of(4);
        }
        let place = ParamPlace { slot: next / 4, component: next % 4 };
        next += width;
        place
    });
    (places.collect(), next.div_ceil(4))
}

/// Slots of a whole program's block.
pub fn block_slots<'a>(headers: impl Iterator<Item = &'a Header>) -> usize {
    SCENE_SLOTS + headers.map(|header| param_places(header).1).sum::<usize>()
}

/// The program of a scene. `covers` keeps the coverage in alpha, for scenes that lie over others.
pub fn fuse(parts: &[Part<'_>], covers: bool, recipe: Recipe) -> Sources {
    let slots = block_slots(parts.iter().map(|part| &part.text.header));
    let block = format!("layout(std140) uniform GlowBlock {{ vec4 glow_block[{slots}]; }};\n");
    let mut numbers = Numbers::new(recipe.software);
    let mut code = String::with_capacity(16 * 1024);
    let prelude = Prelude::of(recipe);
    let mut main = format!(
        "\nvoid main() {{\n    Lamp lamp = {}(int({}));\n    vec3 light = vec3(0.0);\n    float cover = 0.0;\n",
        prelude.scene_lamp,
        numbers.read(0, 1)
    );
    let guarded = parts.iter().any(|part| part.text.isolated.guarded());
    if guarded {
        code.push_str(GUARD_CODE);
        let _ = writeln!(main, "    int asked = int({});\n    bool endless = false;", numbers.read(0, 2));
    }
    let mut slot = SCENE_SLOTS;
    for (number, part) in (1..).zip(parts) {
        slot += declare(part, number, slot, &mut numbers, &mut code, &mut main);
    }
    if guarded {
        // Draws that ask for endless loops are counted by what is left of them, see `render::endless`.
        main.push_str("    if (asked > 0 && !endless) discard;\n");
    }
    let _ = writeln!(
        main,
        "    float whole = {} * glow_member(lamp);\n    \
         glow_light = vec4(min(max(light, vec3(0.0)), vec3(60000.0)) * whole, {});\n}}",
        numbers.read(0, 0),
        if covers { "clamp(cover, 0.0, 1.0) * whole" } else { "0.0" }
    );
    let preamble = recipe.dialect.preamble();
    let (outputs, inputs, assignments) = numbers.varyings();
    let Prelude { outputs: frame_outputs, assignments: frame_assignments, lamps, sine, .. } = prelude;
    let vertex =
        [preamble, &block, &outputs, frame_outputs, FULL_TARGET_VERTEX, &assignments, frame_assignments, "}\n"];
    Sources {
        vertex: vertex.concat(),
        fragment: [preamble, &block, &inputs, lamps, LAMP_CODE, sine, COMMON, &code, "\n#line 1\n", &main].concat(),
        guarded,
    }
}

/// Numbers of the block on their way into the fragment shader.
struct Numbers {
    flat: bool,
    /// Slot and component of each flat number, four to a varying.
    flats: Vec<(usize, usize)>,
}

/// Varyings that every context has (GLES 3.0 section 6.2, GL_MAX_VARYING_VECTORS), without the prelude's two.
const MAX_FLATS: usize = 13 * 4;
const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

impl Numbers {
    fn new(flat: bool) -> Self {
        Self { flat, flats: Vec::new() }
    }

    /// An expression for one number of the block.
    fn read(&mut self, slot: usize, component: usize) -> String {
        let known = self.flats.iter().position(|place| *place == (slot, component));
        let room = self.flat && self.flats.len() < MAX_FLATS;
        match known.or_else(|| room.then_some(self.flats.len())) {
            Some(flat) => {
                if known.is_none() {
                    self.flats.push((slot, component));
                }
                format!("glow_flat_{}.{}", flat / 4, COMPONENTS[flat % 4])
            }
            None => format!("glow_block[{slot}].{}", COMPONENTS[component]),
        }
    }

    /// An expression for numbers that follow each other, as a vector.
    fn read_vector(&mut self, slot: usize, component: usize, width: usize) -> String {
        let numbers: Vec<_> = (component..component + width).map(|component| self.read(slot, component)).collect();
        format!("vec{width}({})", numbers.join(", "))
    }

    /// The vertex shader's outputs, the fragment shader's inputs, and the vertex shader's assignments.
    fn varyings(&self) -> (String, String, String) {
        let mut texts = (String::new(), String::new(), String::new());
        for (varying, numbers) in self.flats.chunks(4).enumerate() {
            let _ = writeln!(texts.0, "flat out vec4 glow_flat_{varying};");
            let _ = writeln!(texts.1, "flat in vec4 glow_flat_{varying};");
            let read = |(slot, component): &(usize, usize)| format!("glow_block[{slot}].{}", COMPONENTS[*component]);
            let mut values: Vec<_> = numbers.iter().map(read).collect();
            values.resize(4, "0.0".to_owned());
            let _ = writeln!(texts.2, "    glow_flat_{varying} = vec4({});", values.join(", "));
        }
        texts
    }
}

/// Writes a part's names and source, and its share of `main`. Returns its slots.
fn declare(
    part: &Part<'_>,
    number: usize,
    first: usize,
    numbers: &mut Numbers,
    code: &mut String,
    main: &mut String,
) -> usize {
    let Header { params, .. } = &part.text.header;
    let (places, slots) = param_places(&part.text.header);
    let uses = |name: &str| part.text.isolated.uses(name);
    code.push('\n');
    let mut input = |name: &str, glsl_type: &str, value: String| {
        let _ = writeln!(code, "{glsl_type} {name}_{number};");
        let _ = writeln!(main, "    {name}_{number} = {value};");
    };
    for ((name, glsl_type), place) in INPUTS.iter().zip(input_places()).filter(|((name, _), _)| uses(name)) {
        let slot = first + place.slot;
        let value = match *glsl_type {
            "vec3" => numbers.read_vector(slot, 0, 3),
            _ => numbers.read(slot, place.component),
        };
        input(name, glsl_type, value);
    }
    for (param, place) in params.iter().zip(places).filter(|(param, _)| uses(&param.name)) {
        input(&param.name, param.kind.glsl_type(), param_value(&param.kind, first, place, numbers));
    }
    if uses("gradient") {
        input("glow_row", "int", format!("int({})", numbers.read(first + 2, 1)));
        let _ = writeln!(code, "vec3 gradient_{number}(float t) {{ return glow_gradient(t, glow_row_{number}); }}");
    }
    let _ = writeln!(code, "#line {}", number * PART_LINES + 1);
    part.text.isolated.with_suffix(number, code);
    mix_in(part, number, first, numbers, main);
    slots
}

fn input_places() -> impl Iterator<Item = ParamPlace> {
    let scalars = (0..8).map(|i| ParamPlace { slot: i / 4, component: i % 4 });
    scalars.chain([3, 4].map(|slot| ParamPlace { slot, component: 0 }))
}

fn param_value(kind: &ParamKind, first: usize, place: ParamPlace, numbers: &mut Numbers) -> String {
    let (slot, component) = (first + place.slot, place.component);
    match kind {
        ParamKind::Int { .. } | ParamKind::Choice { .. } => format!("int({})", numbers.read(slot, component)),
        ParamKind::Bool { .. } => format!("{} > 0.5", numbers.read(slot, component)),
        ParamKind::Point { .. } | ParamKind::Colour { .. } => numbers.read_vector(slot, component, kind.width()),
        ParamKind::Float { .. } | ParamKind::Percent { .. } | ParamKind::Degrees { .. } => {
            numbers.read(slot, component)
        }
    }
}

fn mix_in(part: &Part<'_>, number: usize, first: usize, numbers: &mut Numbers, main: &mut String) {
    let slot = first + 2;
    let _ = writeln!(main, "    {{");
    if part.own_selection {
        let _ = writeln!(main, "        Lamp lamp = glow_lamp(int({}));", numbers.read(slot, 2));
    }
    let member = if part.own_selection { " * glow_member(lamp)" } else { "" };
    let guarded = part.text.isolated.guarded();
    if guarded {
        let _ = writeln!(main, "        glow_turns = {TURNS};");
    }
    let _ = writeln!(main, "        vec4 c = effect_{number}(lamp);");
    let _ = writeln!(main, "        float opacity = {}{member};", numbers.read(slot, 0));
    if guarded {
        let _ = writeln!(
            main,
            "        if (glow_turns < 0) {{\n            c = vec4(0.0);\n            opacity = 0.0;\n            \
             endless = endless || asked == {number};\n        }}"
        );
    }
    let _ = writeln!(main, "        float k = c.a * opacity;");
    main.push_str(match part.blend {
        Blend::Add => "        light += c.rgb * k;\n        cover += k - cover * k;\n",
        Blend::Max => "        light = max(light, c.rgb * k);\n        cover = max(cover, k);\n",
        Blend::Multiply => "        light *= mix(vec3(1.0), c.rgb, k);\n",
        Blend::Over => "        light = mix(light, c.rgb, k);\n        cover += k - cover * k;\n",
        Blend::Mask => {
            "        float bright = clamp(max(c.r, max(c.g, c.b)) * c.a, 0.0, 1.0);\n        \
             light *= mix(1.0, bright, opacity);\n        cover *= mix(1.0, bright, opacity);\n"
        }
    });
    main.push_str("    }\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_never_cross_a_slot() {
        let source = "// param: a percent = 1\n// param: b colour = #ffffff\n// param: c point = (0, 0)\n\
                      // param: d percent = 1\n// param: e point = (0, 0)\n// param: f percent = 0";
        let (places, slots) = param_places(&Header::parse(source).unwrap());
        let places: Vec<_> = places.iter().map(|place| (place.slot - EFFECT_SLOTS, place.component)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 2)]);
        assert_eq!(slots, EFFECT_SLOTS + 3);
    }

    #[test]
    fn one_shader_twice_keeps_two_sets_of_names() {
        let text = ShaderText::read("// param: a percent = 1\nvec4 effect(Lamp l) { return vec4(a); }").unwrap();
        let part = |blend| Part { text: &text, blend, own_selection: false };
        let recipe = Recipe { dialect: Dialect::Es300, software: false };
        let source = fuse(&[part(Blend::Add), part(Blend::Over)], false, recipe).fragment;
        for expected in
            ["float a_1;", "float a_2;", "a_1 = glow_block[6].x;", "a_2 = glow_block[12].x;", "#line 200001"]
        {
            assert!(source.contains(expected), "{expected} in {source}");
        }
    }

    #[test]
    fn numbers_that_no_varying_has_room_for_are_read_from_the_block() {
        let mut numbers = Numbers::new(true);
        for slot in 0..20 {
            numbers.read_vector(slot, 0, 4);
        }
        assert_eq!(numbers.read(12, 3), "glow_flat_12.w");
        assert_eq!(numbers.read(13, 0), "glow_block[13].x");
        assert_eq!(numbers.varyings().0.lines().count(), 13);
    }
}
