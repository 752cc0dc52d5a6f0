// title: Lightning
// about: Jagged bolts that strike on the beat and light the room up for a moment. Mind people who are sensitive to it.
// param: rate float 0.125..4 = 1 | Strikes a beat
// param: direction degrees = 90 | The way the bolt runs
// param: width percent = 20 | How wide it glows
// param: flash percent = 25 | How brightly it lights up everything else

// A path that wanders by chance, -0.5..0.5.
float wander(float x, int seed) {
    float t = fract(x);
    int cell = int(floor(x));
    return mix(chance(cell, seed), chance(cell + 1, seed), t) - 0.5;
}

vec4 effect(Lamp lamp) {
    float clock = beat * speed * rate;
    int strike = int(floor(clock));
    float age = fract(clock);
    // It stutters once or twice while it dies away.
    float stutter = 0.55 + 0.45 * cos(age * (20.0 + 20.0 * chance(strike, 3)));
    float fade = 1.0 - age;
    float life = fade * fade * fade * stutter;
    vec2 p = rotate(around(lamp, vec2(0.5)), -direction);
    float path = wander(p.x * 2.5, strike) * 0.45 + wander(p.x * 7.0, strike + 101) * 0.2 + wander(p.x * 19.0, strike + 202) * 0.08;
    float far = abs(p.y - path - (chance(strike, 9) - 0.5) * 0.7);
    float glow = clamp(1.0 - far / max(width, 0.01), 0.0, 1.0);
    float core = clamp(1.0 - far / max(width * 0.2, 0.01), 0.0, 1.0);
    float light = max(glow * glow * glow, core) * life;
    float sky = flash * flash * life;
    vec3 colour = mix(secondary, primary, clamp(glow * 2.0, 0.0, 1.0));
    return vec4(mix(colour, vec3(1.0), core * 0.7), max(light, sky));
}
