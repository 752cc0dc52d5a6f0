// title: Aurora
// about: Folded curtains of northern light that sway and shimmer, coloured along the gradient from their hem upwards.
// param: curtains float 0.5..6 = 2 | How many hang across the layout
// param: sway percent = 50 | How far they fold
// param: height percent = 80 | How far up they reach
// param: shimmer percent = 40 | How clearly their rays stand out

vec4 effect(Lamp lamp) {
    float x = lamp.uv.x;
    float turn = progress * TAU;
    float fold = sin(x * 5.0 * curtains * 0.5 + turn) + 0.5 * sin(x * 11.0 * curtains * 0.5 - turn);
    float hem = 0.3 + 0.16 * sway * fold;
    float above = (lamp.uv.y - hem) / max(height, 0.02);
    // Sharp at the hem, fading upwards.
    float veil = smoothstep(-0.08, 0.04, above) * clamp(1.0 - above, 0.0, 1.0);
    float rays = 0.5 + 0.5 * sin((x + fold * sway * 0.08) * 40.0 * curtains * 0.5 + sin(turn) * 2.0);
    float depth = 0.6 + 0.4 * sin(x * 7.0 * curtains * 0.5 - turn + 2.0);
    float light = veil * depth * mix(1.0, rays, shimmer * 0.7);
    return vec4(gradient(clamp(above, 0.0, 1.0) * 0.6 + 0.25), light * light);
}
