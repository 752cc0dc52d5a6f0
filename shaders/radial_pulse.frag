// title: Radial pulse
// about: Rings of the primary colour that run outwards from a point, fading as they go.
// param: centre point = (0.5, 0.5) | Where they start
// param: width percent = 25 | How thick a ring is
// param: rings float 1..8 = 2 | How many are under way at once

vec4 effect(Lamp lamp) {
    float far = length(around(lamp, centre)) * 1.4;
    float place = fract(far * rings - progress);
    float edge = 1.0 - smoothstep(0.0, max(width, 0.01), 1.0 - place);
    edge *= smoothstep(0.0, 0.06, 1.0 - place);
    float reach = clamp(1.3 - far * 0.8, 0.0, 1.0);
    return vec4(mix(secondary, primary, edge) * reach, edge * reach);
}
