// title: Kaleidoscope
// about: Mirrored sectors of a moving gradient around a point.
// param: centre point = (0.5, 0.5) | Where the mirrors meet
// param: sectors int 2..12 = 6 | How many mirrored pairs there are
// param: zoom float 0.5..6 = 2 | How much of the pattern is seen
// param: facets percent = 70 | How dark it is between the facets

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, centre);
    float far = length(p);
    float turn = progress * TAU;
    // The pattern slides past the mirrors, which stand still.
    float folded = abs(fract(turn_of(p) * float(sectors)) - 0.5) * TAU / float(sectors);
    vec2 q = vec2(cos(folded), sin(folded)) * far * zoom;
    float a = sin(q.x * 4.0 - turn + sin(q.y * 5.0) * 0.8);
    float b = sin(q.y * 7.0 + turn + q.x * 2.0);
    float place = fract(a * 0.2 + b * 0.12 + far * zoom * 0.4 + 1.0);
    float light = mix(1.0, 0.5 + 0.5 * a * b, facets);
    return vec4(gradient(1.0 - abs(place * 2.0 - 1.0)), light * light);
}
