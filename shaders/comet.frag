// title: Comet
// about: Heads of the primary colour with glowing tails, along each fixture.
// param: tail percent = 40 | How long the tail is
// param: count int 1..8 = 1 | How many are on a fixture

vec4 effect(Lamp lamp) {
    float place = (float(lamp.index) + 0.5) / float(max(lamp.count, 1));
    float start = chance(lamp.fixture, 17);
    float behind = fract(progress + start - place * float(count));
    float light = clamp(1.0 - behind / max(tail, 0.02), 0.0, 1.0);
    // The head comes up over one lamp, so that slow comets glide.
    light *= clamp(behind * max(float(lamp.count) / float(count), 8.0), 0.0, 1.0);
    vec3 colour = mix(secondary, primary, light);
    return vec4(colour * light * light, light);
}
