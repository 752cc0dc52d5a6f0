// title: Ripples
// about: Rings from three drifting points that meet, cancel and add up, coloured along the gradient.
// param: scale float 1..16 = 3 | How close the rings are
// param: wander percent = 60 | How far the points drift
// param: sharpness percent = 40 | More makes the crests narrow

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, vec2(0.5));
    float turn = progress * TAU;
    float drift = wander * 0.45;
    vec2 lead = vec2(cos(turn), sin(turn)) * drift;
    float wave = cos(length(p - lead) * scale * TAU - turn * 2.0);
    wave += cos(length(p + vec2(lead.x, -lead.y) * 0.8 + 0.15) * scale * TAU - turn);
    wave += cos(length(p + vec2(lead.y, lead.x) * 0.6 - vec2(0.3, 0.0)) * scale * TAU - turn * 2.0);
    float level = clamp(wave / 6.0 + 0.5, 0.0, 1.0);
    float light = smoothstep(sharpness * 0.6, 1.0, level);
    return vec4(gradient(level), light);
}
