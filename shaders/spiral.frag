// title: Spiral
// about: Arms that turn around a point, coloured along the palette's gradient.
// param: centre point = (0.5, 0.5) | What they turn around
// param: arms int 1..12 = 3 | How many
// param: twist float -8..8 = 2 | How tightly they wind

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, centre);
    float far = length(p);
    float place = fract(turn_of(p) * float(arms) + far * twist - progress);
    float light = 1.0 - abs(place * 2.0 - 1.0);
    light *= light;
    return vec4(gradient(clamp(far * 1.4, 0.0, 1.0)) * light, light);
}
