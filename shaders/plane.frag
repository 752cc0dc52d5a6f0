// title: Plane
// about: A soft plane of light that sweeps through the room in three dimensions.
// param: axis choice (x, y, z, diagonal) = y | The way it goes: right, up, towards you, or all at once
// param: thickness percent = 35 | How thick it is
// param: tail percent = 50 | How much of it trails behind
// param: motion choice (through, there and back) = through | Whether it starts anew or returns

vec4 effect(Lamp lamp) {
    vec3 p = lamp.position;
    float place = axis == 0 ? p.x : axis == 1 ? p.y : axis == 2 ? p.z : (p.x + p.y + p.z) / 3.0;
    float ahead = max(thickness, 0.02) * 0.5;
    float behind = ahead * (1.0 + tail * 3.0);
    float swing = 0.5 - 0.5 * cos(progress * TAU);
    // Right through, it starts and ends outside the room.
    float centre = motion == 0 ? progress * (1.0 + ahead + behind) - ahead : swing;
    float off = centre - place;
    // On its way back the tail is on the other side.
    off = motion == 1 && progress > 0.5 ? -off : off;
    behind = motion == 1 ? mix(ahead, behind, abs(sin(progress * TAU))) : behind;
    float light = clamp(1.0 - abs(off) / (off > 0.0 ? behind : ahead), 0.0, 1.0);
    return vec4(mix(secondary, primary, light), light * light);
}
