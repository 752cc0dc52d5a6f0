//! The stage's shaders, in the part of GLSL that 3.30 and ES 3.00 share; the version line is added when they are
//! compiled.
//!
//! Text only. Lamps come as sRGB bytes; glow is summed in linear light and encoded when it meets the screen.

/// Places in [`PROGRAMS`], and in the painter's list of them.
pub const SPLAT: usize = 0;
pub const DOT: usize = 1;
pub const FLAT: usize = 2;
pub const BLUR: usize = 3;
pub const EXPOSE: usize = 4;
pub const SHOW: usize = 5;
pub const POINT_DOT: usize = 6;

/// Name, vertex and fragment shader of each program.
pub const PROGRAMS: [(&str, &str, &str); 7] = [
    ("splat", POINT_VERTEX, SPLAT_FRAGMENT),
    ("dot", DOT_VERTEX, DOT_FRAGMENT),
    ("flat", POINT_VERTEX, FLAT_FRAGMENT),
    ("blur", COVER_VERTEX, BLUR_FRAGMENT),
    ("expose", COVER_VERTEX, EXPOSE_FRAGMENT),
    ("show", COVER_VERTEX, SHOW_FRAGMENT),
    ("point dot", POINT_VERTEX, POINT_DOT_FRAGMENT),
];

/// A lamp as a point: `u_view` is centre and scale from metres to clip space.
const POINT_VERTEX: &str = "
layout(location = 0) in vec2 a_metres;
layout(location = 1) in vec4 a_colour;
uniform vec4 u_view;
uniform float u_size;
out vec3 v_colour;
void main() {
    v_colour = a_colour.rgb;
    gl_Position = vec4((a_metres - u_view.xy) * u_view.zw, 0.0, 1.0);
    gl_PointSize = u_size;
}
";

/// A lamp as a square of four corners around its place, one instance a lamp; `u_reach` is half its side in clip space.
const DOT_VERTEX: &str = "
layout(location = 0) in vec2 a_metres;
layout(location = 1) in vec4 a_colour;
uniform vec4 u_view;
uniform vec2 u_reach;
out vec3 v_colour;
out vec2 v_corner;
void main() {
    v_colour = a_colour.rgb;
    v_corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    gl_Position = vec4((a_metres - u_view.xy) * u_view.zw + v_corner * u_reach, 0.0, 1.0);
}
";

/// The light that a lamp gives off into the glow, linear.
const SPLAT_FRAGMENT: &str = "
in vec3 v_colour;
uniform float u_energy;
out vec4 o_colour;
void main() {
    o_colour = vec4(v_colour * v_colour * (0.2 + 0.8 * v_colour) * u_energy, 1.0);
}
";

/// A round lamp with a bright heart; dark lamps stay visible as dark glass.
macro_rules! dot_fragment {
    ($corner:literal) => {
        concat!(
            $corner,
            "
in vec3 v_colour;
uniform float u_soft;
out vec4 o_colour;
void main() {
    float r = length(v_corner);
    float body = 1.0 - smoothstep(1.0 - u_soft, 1.0, r);
    float light = max(v_colour.r, max(v_colour.g, v_colour.b));
    float heart = exp(-5.0 * r * r) * light;
    vec3 glass = vec3(0.075, 0.085, 0.105) * (1.15 - 0.35 * r);
    vec3 lit = v_colour * (1.06 - 0.28 * r * r);
    lit += (vec3(1.0) - lit) * heart * 0.72;
    o_colour = vec4(max(lit, glass), 1.0) * body;
}
"
        )
    };
}

/// As a square.
const DOT_FRAGMENT: &str = dot_fragment!("in vec2 v_corner;");

/// As a point.
const POINT_DOT_FRAGMENT: &str = dot_fragment!("#define v_corner (gl_PointCoord * 2.0 - 1.0)");

/// A lamp among very many: a flat square.
const FLAT_FRAGMENT: &str = "
in vec3 v_colour;
out vec4 o_colour;
void main() {
    o_colour = vec4(max(v_colour, vec3(0.055, 0.062, 0.078)), 1.0);
}
";

/// One triangle that covers everything.
const COVER_VERTEX: &str = "
out vec2 v_place;
void main() {
    v_place = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(v_place * 2.0 - 1.0, 0.0, 1.0);
}
";

/// A gaussian blur along `u_way`, nine taps in five look-ups between texels.
const BLUR_FRAGMENT: &str = "
in vec2 v_place;
uniform sampler2D u_light;
uniform vec2 u_way;
out vec4 o_colour;
void main() {
    vec3 sum = texture(u_light, v_place).rgb * 0.2270270;
    vec2 near = u_way * 1.3846154;
    vec2 far = u_way * 3.2307692;
    sum += (texture(u_light, v_place + near).rgb + texture(u_light, v_place - near).rgb) * 0.3162162;
    sum += (texture(u_light, v_place + far).rgb + texture(u_light, v_place - far).rgb) * 0.0702703;
    o_colour = vec4(sum, 1.0);
}
";

/// The near and the wide glow together, exposed like film and encoded, still coarse.
const EXPOSE_FRAGMENT: &str = "
in vec2 v_place;
uniform sampler2D u_light;
uniform sampler2D u_wide;
out vec4 o_colour;
void main() {
    vec3 light = texture(u_light, v_place).rgb * 1.3 + texture(u_wide, v_place).rgb * 0.75;
    o_colour = vec4(pow(vec3(1.0) - exp(-light), vec3(1.0 / 2.2)), 1.0);
}
";

/// The glow on the screen, with noise of less than a step against bands.
const SHOW_FRAGMENT: &str = "
in vec2 v_place;
uniform sampler2D u_light;
out vec4 o_colour;
void main() {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    o_colour = vec4(texture(u_light, v_place).rgb + (noise - 0.5) / 255.0, 0.0);
}
";
