// title: Rotating square
// about: Squares within squares around a point, each of the other colour and turning the other way.
// param: centre point = (0.5, 0.5) | What they turn around
// param: size percent = 80 | How large the outermost is
// param: width percent = 25 | How thick the lines are
// param: squares int 1..4 = 3 | How many lie within each other
// param: turns int 1..8 = 1 | Quarters of a turn per progress

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, centre);
    // A quarter of a turn brings a square back to itself.
    float angle = progress * float(turns) * PI * 0.5;
    float s = sin(angle);
    float c = cos(angle);
    vec2 a = abs(vec2(c * p.x - s * p.y, s * p.x + c * p.y));
    vec2 b = abs(vec2(c * p.x + s * p.y, c * p.y - s * p.x));
    // How far within the outermost square the lamp is, in squares: those of even number turn one way, odd ones the other.
    float gap = max(size, 0.05) * 0.5 / float(squares);
    vec2 within = float(squares) - vec2(max(a.x, a.y), max(b.x, b.y)) / gap;
    float even = min(max(floor(within.x * 0.5 + 0.5), 0.0), float((squares - 1) / 2)) * 2.0;
    float odd = min(max(floor(within.y * 0.5), 0.0), float(squares / 2 - 1)) * 2.0 + 1.0;
    vec2 line = clamp(1.0 - abs(within - vec2(even, odd)) / max(width * float(squares) * 0.5, 0.1), 0.0, 1.0);
    line.y = squares > 1 ? line.y : 0.0;
    float light = max(line.x, line.y);
    return vec4(line.y > line.x ? secondary : primary, light * light);
}
