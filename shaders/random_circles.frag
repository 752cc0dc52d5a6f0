// title: Random circles
// about: Circles that open at places of chance, one after another on the beat, each in its own colour of the gradient.
// param: size percent = 50 | How large they grow
// param: width percent = 50 | How thick their line is; at 100 they are filled
// param: rate float 0.25..4 = 1 | How many open on a beat; four are open at once

vec4 effect(Lamp lamp) {
    float clock = beat * speed * rate;
    // Four circles at a time, one in each component.
    vec4 number = floor(clock) - vec4(0.0, 1.0, 2.0, 3.0);
    vec4 age = (clock - number) * 0.25;
    // Multiples of these two numbers scatter evenly, so that circles in a row never lie on each other.
    vec2 stretch = around(lamp, lamp.uv - 1.0);
    vec4 x = (lamp.uv.x - fract(number * 0.7548777 + random_effect)) * stretch.x;
    vec4 y = (lamp.uv.y - fract(number * 0.5698403 + random_effect)) * stretch.y;
    vec4 inside = size * sqrt(age) - sqrt(x * x + y * y);
    vec4 ring = clamp(1.0 - inside / max(width * size, 0.02), 0.0, 1.0) * clamp(inside * 25.0 + 1.0, 0.0, 1.0);
    ring *= 1.0 - age * age;
    float light = max(max(ring.x, ring.y), max(ring.z, ring.w));
    float colour = dot(ring, fract(number * 0.618034)) / max(dot(ring, vec4(1.0)), 1.0e-4);
    return vec4(gradient(colour), light * light);
}
