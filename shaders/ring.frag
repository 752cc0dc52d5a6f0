// title: Ring
// about: Soft rings of the primary colour around a point, moving outwards once per progress.
// param: centre point = (0.5, 0.5) | Where they start
// param: scale float 0.5..100 = 20 | How close they are

vec4 effect(Lamp lamp) {
    return vec4(primary * (sin(distance(lamp.uv, centre) * scale - progress * TAU) * 0.5 + 0.5), 1.0);
}
