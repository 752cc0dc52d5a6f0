// What every effect can use: constants, chance, noise, shapes, colour. Names are free to be defined anew.

const float PI = 3.14159265;
const float TAU = 6.28318531;

// Chance, 0..1, the same for the same argument on every machine: integers do not round.
uint scramble(uint x) {
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}

float chance(int x) {
    return float(scramble(uint(x)) >> 8u) / 16777216.0;
}

float chance(int x, int y) {
    return float(scramble(uint(x) + scramble(uint(y))) >> 8u) / 16777216.0;
}

float chance(int x, int y, int z) {
    return float(scramble(uint(x) + scramble(uint(y) + scramble(uint(z)))) >> 8u) / 16777216.0;
}

// Smooth value noise, 0..1.
float noise(vec3 p) {
    ivec3 cell = ivec3(floor(p));
    vec3 t = p - floor(p);
    t = t * t * (3.0 - 2.0 * t);
    float x00 = mix(chance(cell.x, cell.y, cell.z), chance(cell.x + 1, cell.y, cell.z), t.x);
    float x10 = mix(chance(cell.x, cell.y + 1, cell.z), chance(cell.x + 1, cell.y + 1, cell.z), t.x);
    float x01 = mix(chance(cell.x, cell.y, cell.z + 1), chance(cell.x + 1, cell.y, cell.z + 1), t.x);
    float x11 = mix(chance(cell.x, cell.y + 1, cell.z + 1), chance(cell.x + 1, cell.y + 1, cell.z + 1), t.x);
    return mix(mix(x00, x10, t.y), mix(x01, x11, t.y), t.z);
}

vec2 rotate(vec2 p, float angle) {
    float s = sin(angle);
    float c = cos(angle);
    return vec2(c * p.x - s * p.y, s * p.x + c * p.y);
}

// A direction's angle in turns, -0.5..0.5, and 0 for none; at most 0.00002 off, for less than atan costs.
float turn_of(vec2 p) {
    vec2 side = abs(p);
    float slope = min(side.x, side.y) / max(max(side.x, side.y), 1.0e-6);
    float s = slope * slope;
    float turn = slope * (0.1590298 + s * (-0.0511164 + s * (0.0232781 + s * -0.0062045)));
    turn = side.y > side.x ? 0.25 - turn : turn;
    turn = p.x < 0.0 ? 0.5 - turn : turn;
    return p.y < 0.0 ? -turn : turn;
}

// The lamp around a point of the frame, undistorted: the frame's shorter side is 1 long.
vec2 around(Lamp lamp, vec2 point) {
    float shorter = max(min(lamp.size.x, lamp.size.y), 1.0e-3);
    return (lamp.uv - point) * lamp.size.xy / (lamp.size.x < 1.0e-3 || lamp.size.y < 1.0e-3 ? max(lamp.size.x, lamp.size.y) : shorter);
}

// How far along a direction the lamp is, 0..1 over the frame.
float along(Lamp lamp, float angle) {
    vec2 direction = vec2(cos(angle), sin(angle));
    return dot(lamp.uv - 0.5, direction) / (abs(direction.x) + abs(direction.y)) + 0.5;
}

// A fully saturated colour by its hue, in turns; linear light.
vec3 hue_colour(float hue) {
    vec3 wave = clamp(abs(fract(hue + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return wave * wave;
}
