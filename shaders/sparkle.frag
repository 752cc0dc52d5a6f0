// title: Sparkle
// about: Single lamps that flash up and die away, others on every beat.
// param: density percent = 20 | How many lamps sparkle at once

vec4 effect(Lamp lamp) {
    // Two drawings a beat, each lamp starting at a time of its own.
    float clock = beat * speed * 2.0 + chance(lamp.index, lamp.fixture) * 4.0;
    int drawing = int(floor(clock));
    float lucky = chance(lamp.index, lamp.fixture, drawing + 99);
    float light = lucky < density ? 1.0 - fract(clock) : 0.0;
    light *= light;
    return vec4(mix(primary, vec3(1.0), light * 0.5) * light, light);
}
