//! The prelude of a scene's program: what a lamp is to an effect and how it is read, for a GPU and for a processor.
//!
//! A software rasteriser fetches a texel dearly and the same one anew for every eight lamps. There the layout's frame
//! is read once in the vertex shader, and lamps' texels are sampled at their centres, for which the drivers have
//! quicker code than for `texelFetch`; nearest samples of exact centres are the same texels.

use super::fuse::Recipe;

/// The parts of a prelude.
#[derive(Clone, Copy, Debug)]
pub struct Prelude {
    /// The vertex shader's declarations.
    pub outputs: &'static str,
    /// The vertex shader's assignments.
    pub assignments: &'static str,
    /// The fragment shader's way of reading lamps, before [`LAMP_CODE`].
    pub lamps: &'static str,
    /// The function that reads a lamp in the scene's layout.
    pub scene_lamp: &'static str,
    /// The fragment shader's sine.
    pub sine: &'static str,
}

impl Prelude {
    /// The prelude for a context.
    pub fn of(recipe: Recipe) -> Self {
        if recipe.software { SOFTWARE } else { HARDWARE }
    }
}

const HARDWARE: Prelude = Prelude {
    outputs: "",
    assignments: "",
    lamps: "#define glow_here(glow_s) texelFetch(glow_s, ivec2(gl_FragCoord.xy), 0)\n\
            #define glow_here_in(glow_s, layer) texelFetch(glow_s, ivec3(ivec2(gl_FragCoord.xy), layer), 0)\n",
    scene_lamp: "glow_lamp",
    sine: "",
};

const SOFTWARE: Prelude = Prelude {
    outputs: "uniform sampler2D glow_frames;\nflat out vec3 glow_low;\nflat out vec4 glow_size;\n",
    assignments: "    int glow_layer = int(glow_block[0].y);\n    \
                  glow_low = texelFetch(glow_frames, ivec2(0, glow_layer), 0).xyz;\n    \
                  glow_size = texelFetch(glow_frames, ivec2(1, glow_layer), 0);\n",
    lamps: "flat in vec3 glow_low;\nflat in vec4 glow_size;\n\
            #define glow_centre (gl_FragCoord.xy / vec2(textureSize(glow_layout, 0).xy))\n\
            #define glow_here(glow_s) texture(glow_s, glow_centre)\n\
            #define glow_here_in(glow_s, layer) texture(glow_s, vec3(glow_centre, float(layer)))\n\
            #define glow_scene_lamp(layer) glow_lamp_in(layer, glow_low, glow_size)\n",
    scene_lamp: "glow_scene_lamp",
    sine: PLAIN_SINE,
};

/// A parabola bent to a sine, at most 0.0011 off: a quarter of a DMX step. For the CPU, where the exact one costs
/// most of a simple effect.
const PLAIN_SINE: &str = r"
float glow_sine(float turns) {
    float t = turns - floor(turns + 0.5);
    float p = t * (8.0 - 16.0 * abs(t));
    return p * (0.775 + 0.225 * abs(p));
}
vec2 glow_sine(vec2 t) { return vec2(glow_sine(t.x), glow_sine(t.y)); }
vec3 glow_sine(vec3 t) { return vec3(glow_sine(t.x), glow_sine(t.y), glow_sine(t.z)); }
vec4 glow_sine(vec4 t) { return vec4(glow_sine(t.xy), glow_sine(t.zw)); }
#define sin(x) glow_sine((x) * 0.15915494)
#define cos(x) glow_sine((x) * 0.15915494 + 0.25)
";

/// What a lamp is to an effect, and how it is read. A lamp outside the layer has a position far outside its frame.
pub const LAMP_CODE: &str = r"
uniform sampler2DArray glow_layout;
uniform sampler2DArray glow_groups;
uniform sampler2D glow_frames;
uniform sampler2D glow_fixtures;
uniform sampler2D glow_chains;
uniform sampler2D glow_palette;
layout(location = 0) out vec4 glow_light;

struct Lamp {
    vec2 uv;
    vec3 position;
    vec3 metres;
    vec3 size;
    vec2 local;
    int index;
    int count;
    int fixture;
    int fixtures;
    int group;
    int groups;
    int chain_index;
    int chain_count;
};

Lamp glow_lamp_in(int layer, vec3 low, vec4 size) {
    vec2 uv = glow_here_in(glow_layout, layer).rg;
    vec4 group = glow_here_in(glow_groups, layer);
    vec4 fixture = glow_here(glow_fixtures);
    vec4 chain = glow_here(glow_chains);
    vec3 position = vec3(uv, group.x);
    return Lamp(uv, position, low + position * size.xyz, size.xyz, fixture.xy, int(fixture.z), int(fixture.w),
        int(chain.x), int(size.w), int(group.y), int(group.z), int(chain.y), int(chain.z));
}

Lamp glow_lamp(int layer) {
    return glow_lamp_in(layer, texelFetch(glow_frames, ivec2(0, layer), 0).xyz,
        texelFetch(glow_frames, ivec2(1, layer), 0));
}

float glow_member(Lamp lamp) {
    return step(-1.0e5, lamp.uv.x);
}

vec3 glow_gradient(float t, int row) {
    float place = clamp(t, 0.0, 1.0) * 15.0;
    int stop = min(int(place), 14);
    vec3 low = texelFetch(glow_palette, ivec2(stop, row), 0).rgb;
    vec3 high = texelFetch(glow_palette, ivec2(stop + 1, row), 0).rgb;
    return mix(low, high, place - float(stop));
}
";
