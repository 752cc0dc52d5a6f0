// title: Solid
// about: The primary colour on every lamp, as bright as you say.
// param: level percent = 100 | How bright it is

vec4 effect(Lamp lamp) {
    return vec4(primary * level, 1.0);
}
