// title: Wipe
// about: Light that fills the layout behind a bright front, and leaves it the same way.
// param: shape choice (line, circle, doors) = line | What it opens as
// param: motion choice (through, once, there and back) = through | Whether it leaves at the far side, stays, or returns
// param: angle degrees = 0 | The way it goes
// param: softness percent = 20 | How soft its front is

vec4 effect(Lamp lamp) {
    float line = along(lamp, angle);
    vec2 p = lamp.uv * 2.0 - 1.0;
    float place = shape == 0 ? line : shape == 1 ? length(p) * 0.7071 : abs(line * 2.0 - 1.0);
    float soft = max(softness, 0.01);
    float run = motion == 1 ? progress : progress * 2.0;
    run = motion == 2 && run > 1.0 ? 2.0 - run : run;
    // The front starts and ends outside, so that all is dark and all is lit for a moment.
    float front = run * (1.0 + soft * 2.0) - place;
    float back = (run - 1.0) * (1.0 + soft * 2.0) - place;
    float light = clamp(front / soft, 0.0, 1.0) - clamp(back / soft, 0.0, 1.0);
    // The front burns into the fill's colour.
    float fresh = clamp(2.0 - front / soft, 0.0, 1.0);
    return vec4(mix(primary, secondary, fresh), light * light);
}
