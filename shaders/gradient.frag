// title: Gradient
// about: The palette's gradient across the layout, drifting once per progress.
// param: angle degrees = 0 | The way it runs
// param: repeats float 0.25..8 = 1 | How often it fits across the layout

vec4 effect(Lamp lamp) {
    float place = fract(along(lamp, angle) * repeats - progress);
    // There and back, so that the ends meet.
    return vec4(gradient(1.0 - abs(place * 2.0 - 1.0)), 1.0);
}
