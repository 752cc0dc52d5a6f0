// title: Chase
// about: Runs of the primary colour along each chain, in the order of its data.
// param: length percent = 15 | How much of the gap between two runs is lit
// param: count int 1..16 = 2 | How many runs are on a chain
// param: reverse bool = false | From the chain's end to its start

vec4 effect(Lamp lamp) {
    float place = (float(lamp.chain_index) + 0.5) / float(max(lamp.chain_count, 1));
    place = reverse ? 1.0 - place : place;
    float behind = fract(progress - place * float(count));
    float light = 1.0 - smoothstep(length * 0.7, max(length, 0.01), behind);
    // The head comes up over one lamp, so that slow runs glide.
    light *= clamp(behind * max(float(lamp.chain_count) / float(count), 8.0), 0.0, 1.0);
    return vec4(primary * light, light);
}
