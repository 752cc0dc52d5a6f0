// title: Checker
// about: A board of primary and secondary squares that weave into each other, slide, turn or swap.
// param: count float 1..16 = 4 | How many squares fit along the shorter side
// param: motion choice (weave, slide, turn, swap) = weave | What they do
// param: softness percent = 25 | How soft their edges are
// param: ground percent = 40 | How bright the secondary squares are

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, vec2(0.5));
    p = motion == 2 ? rotate(p, progress * PI * 0.5) : p;
    p = p * count + (motion == 1 ? vec2(progress * 2.0, 0.0) : vec2(0.0));
    // A board that is one lamp high lies between two rows, or it could not weave.
    p += vec2(lamp.size.x < 1.0e-3 ? 0.25 : 0.0, lamp.size.y < 1.0e-3 ? 0.25 : 0.0);
    float board = cos(p.x * PI) * cos(p.y * PI);
    float turn = progress * TAU;
    // A quarter of a turn on, the same board lies half a square aside; in between are diagonal stripes.
    board = motion == 0 ? board * cos(turn) + sin(p.x * PI) * sin(p.y * PI) * sin(turn) : board;
    board *= motion == 3 ? clamp(cos(turn) * 5.0, -1.0, 1.0) : 1.0;
    float edge = softness * 0.6 + 0.02;
    float light = smoothstep(-edge, edge, board);
    return vec4(mix(secondary, primary, light), mix(ground * ground, 1.0, light));
}
