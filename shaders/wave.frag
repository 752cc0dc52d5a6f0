// title: Wave
// about: A sine of light that travels across the layout, from the secondary to the primary colour.
// param: angle degrees = 0 | The way it travels
// param: count float 0.25..16 = 2 | How many waves fit across the layout
// param: sharpness percent = 30 | More makes the crests narrow

vec4 effect(Lamp lamp) {
    float wave = cos((along(lamp, angle) * count - progress) * TAU) * 0.5 + 0.5;
    float light = pow(max(wave, 0.0), 1.0 + sharpness * 9.0);
    return vec4(mix(secondary, primary, light), light);
}
