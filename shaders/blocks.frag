// title: Blocks
// about: Groups or pieces of fixtures, drawn anew by chance on the beat, light up and fade in colours of the gradient.
// param: share percent = 30 | How many light up at once
// param: rate float 0.25..4 = 1 | Draws a beat
// param: fade percent = 80 | How long they fade; at 0 they stay until the next draw
// param: pieces int 1..16 = 4 | Into how many blocks a fixture without groups is cut
// param: colours percent = 100 | How much of the gradient they use, rather than the primary colour

vec4 effect(Lamp lamp) {
    float clock = beat * speed * rate;
    int draw = int(floor(clock));
    // Where the selection makes no groups, each lamp is its own.
    int block = lamp.groups < lamp.count ? lamp.group : int((float(lamp.index) + 0.5) / float(max(lamp.count, 1)) * float(pieces));
    float lot = chance(block, lamp.fixture, draw);
    float lit = lot < share ? 1.0 : 0.0;
    float left = 1.0 - fract(clock);
    float light = lit * mix(1.0, left * left, fade);
    return vec4(mix(primary, gradient(fract(lot * 256.0)), colours), light);
}
