// title: Breathing
// about: All lamps swell and sink together, as calm as sleep.
// param: depth percent = 100 | How dark it becomes

vec4 effect(Lamp lamp) {
    float breath = 0.5 - 0.5 * cos(progress * TAU);
    // The eye sees level as roughly its square root; light times coverage is the square.
    float light = mix(1.0, breath, depth);
    return vec4(mix(secondary, primary, light) * light, light);
}
