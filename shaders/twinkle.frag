// title: Twinkle
// about: Every lamp glows up and down at a time of its own, like stars; calm where sparkle is lively.
// param: density percent = 40 | How many lamps take part
// param: sharpness percent = 60 | More makes them glow up for shorter
// param: colours percent = 100 | How much of the gradient they use, rather than the primary colour

vec4 effect(Lamp lamp) {
    float own = chance(lamp.index, lamp.fixture, 5);
    // Once or twice per progress, so that all come back to where they were.
    float pace = own < 0.5 ? 1.0 : 2.0;
    float phase = fract(own * 64.0);
    float wave = 0.5 + 0.5 * cos((progress * pace + phase) * TAU);
    float dark = sharpness * 0.8;
    float light = fract(own * 4096.0) < density ? max(wave - dark, 0.0) / (1.0 - dark) : 0.0;
    return vec4(mix(primary, gradient(fract(phase * 16.0)), colours), light * light);
}
