// title: Zigzag
// about: Bent lines of both colours that march across the layout.
// param: angle degrees = 90 | The way they march
// param: count float 0.5..12 = 3 | How many pairs there are
// param: teeth float 0.5..12 = 3 | How many teeth a line has
// param: depth percent = 40 | How deep the teeth are
// param: width percent = 60 | How thick the lines are

vec4 effect(Lamp lamp) {
    float tooth = abs(fract(along(lamp, angle - PI * 0.5) * teeth) * 2.0 - 1.0);
    float place = along(lamp, angle) * count - tooth * depth - progress;
    float light = clamp(1.0 - abs(fract(place * 2.0) - 0.5) * 2.0 / max(width, 0.02), 0.0, 1.0);
    light = min(light * 1.5, 1.0);
    vec3 colour = fract(place) < 0.5 ? primary : secondary;
    return vec4(colour, light * light);
}
