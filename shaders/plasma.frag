// title: Plasma
// about: Slow interfering waves through the palette's gradient; safe at any size.
// param: scale float 0.5..12 = 3 | How many waves cross the layout
// param: hue percent = 0 | Where in the palette it starts

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, vec2(0.5)) * scale;
    float turn = progress * TAU;
    float wave = sin(p.x * 2.1 + turn) + sin(p.y * 1.7 - turn);
    wave += sin((p.x + p.y) * 1.3 + sin(turn) * 1.5);
    wave += sin(length(p + vec2(sin(turn), cos(turn)) * 0.6) * 3.1 - turn);
    float place = fract(wave * 0.125 + 0.5 + hue);
    return vec4(gradient(1.0 - abs(place * 2.0 - 1.0)), 1.0);
}
