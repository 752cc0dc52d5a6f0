// title: Stripes
// about: Stripes of primary over secondary that move across the layout.
// param: angle degrees = 45 | The way they move
// param: count float 1..32 = 6 | How many there are
// param: duty percent = 50 | How much of it is primary
// param: softness percent = 20 | How soft their edges are

vec4 effect(Lamp lamp) {
    float place = fract(along(lamp, angle) * count - progress);
    float edge = max(softness * 0.5, 0.002);
    float light = smoothstep(-edge, edge, duty * 0.5 - abs(place - 0.5));
    return vec4(mix(secondary, primary, light), 1.0);
}
