// title: Rainbow
// about: All hues across the layout, moving once around per progress.
// param: angle degrees = 0 | The way the hues run
// param: scale float 0.1..8 = 1 | How many rainbows fit across the layout
// param: saturation percent = 100 | Less brings it towards white

vec4 effect(Lamp lamp) {
    vec3 colour = hue_colour(along(lamp, angle) * scale - progress);
    return vec4(mix(vec3(1.0), colour, saturation), 1.0);
}
