// title: Opposing lines
// about: Two sets of lines that move against each other and flare where they meet.
// param: angle degrees = 0 | The way they move
// param: count float 0.5..16 = 3 | How many of each there are
// param: width percent = 50 | How thick they are
// param: crossing degrees = 0 | How far the second set is turned against the first

float line(float place) {
    float light = clamp(1.0 - abs(fract(place) - 0.5) * 2.0 / max(width, 0.02), 0.0, 1.0);
    return light * light;
}

vec4 effect(Lamp lamp) {
    float a = line(along(lamp, angle) * count - progress);
    float b = line(along(lamp, angle + crossing) * count + progress);
    vec3 colour = (primary * a + secondary * b) / max(a + b, 1.0e-4);
    return vec4(mix(colour, vec3(1.0), a * b * 0.5), a + b - a * b);
}
