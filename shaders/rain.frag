// title: Rain
// about: Drops that fall in columns and draw a tail; where there is no height, they flash up and fade.
// param: columns int 2..96 = 24 | How many columns there are
// param: density percent = 65 | How many of them hold a drop
// param: tail percent = 45 | How long the tails are
// param: direction degrees = -90 | The way they fall

vec4 effect(Lamp lamp) {
    float across = along(lamp, direction + PI * 0.5) * float(columns);
    int column = int(floor(across));
    // Every column has a time and a pace of its own, one or two heights in four beats.
    float pace = 0.25 + 0.25 * chance(column, 1);
    float place = beat * speed * pace + chance(column, 2) * 8.0 - along(lamp, direction);
    float behind = fract(place);
    float drop = chance(column, int(floor(place)), 3) < density ? 1.0 : 0.0;
    float light = clamp(1.0 - behind / max(tail, 0.02), 0.0, 1.0) * drop;
    float cross = 1.0 - abs(fract(across) - 0.5) * 2.0;
    light *= light * smoothstep(0.0, 0.5, cross);
    vec3 colour = mix(secondary, primary, light);
    return vec4(mix(colour, vec3(1.0), smoothstep(0.8, 1.0, light) * 0.6), light);
}
