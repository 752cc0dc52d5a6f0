// title: Flower
// about: A flower of light whose petals open, turn and fold on the beat, coloured along the gradient from its heart.
// param: centre point = (0.5, 0.5) | Where its heart is
// param: petals int 2..12 = 6 | How many petals it has
// param: size percent = 90 | How large it is when it is open
// param: fold percent = 60 | How far it folds in each turn
// param: turns int -4..4 = 1 | How many petals it turns on per progress

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, centre);
    float far = length(p);
    float open = 1.0 - fold * (0.5 + 0.5 * cos(progress * TAU));
    float petal = 0.5 + 0.5 * cos((turn_of(p) * float(petals) - progress * float(turns)) * TAU);
    // The blossom's edge lies further out in the middle of a petal.
    float edge = max(size * 0.65 * (0.35 + 0.65 * petal * open), 0.02);
    float within = clamp(far / edge, 0.0, 1.0);
    float light = smoothstep(0.0, 0.25, 1.0 - within) * mix(0.35, 1.0, within);
    // A darker vein parts the petals.
    light *= 0.4 + 0.6 * mix(1.0, petal, min(far * 4.0, 1.0));
    return vec4(gradient(0.15 + 0.7 * within), light * light);
}
