// title: Strobe
// about: Flashes of the primary colour on the beat. Mind people who are sensitive to it.
// param: rate choice (1/1, 1/2, 1/4, 1/8) = 1/4 | Part of a bar between two flashes
// param: duty percent = 20 | How long a flash lasts

vec4 effect(Lamp lamp) {
    float flashes = exp2(float(rate)) * 0.25;
    float light = step(fract(beat * speed * flashes), max(duty, 0.01));
    return vec4(primary * light, light);
}
