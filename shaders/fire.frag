// title: Fire
// about: Flames that lick up from one edge and flare on the beat; the palette's primary burns, its secondary glows.
// param: height percent = 75 | How far up the flames reach
// param: scale float 1..16 = 5 | How many tongues stand side by side
// param: flare percent = 25 | How much it flares up on the beat
// param: direction degrees = 90 | The way the flames rise

vec4 effect(Lamp lamp) {
    float clock = beat * speed;
    float hit = 1.0 - fract(clock);
    // A strip across the flames lies in their embers.
    vec2 flow = rotate(around(lamp, vec2(0.5)), -direction);
    float rise = along(lamp, direction);
    float lick = noise(vec3(flow.y * scale, flow.x * scale * 0.5 - clock * 0.75, clock * 0.375));
    lick = lick * 0.7 + 0.3 * noise(vec3(flow.y * scale * 2.3 + 40.0, flow.x * scale - clock * 1.5, 7.0));
    float reach = height * (1.0 + flare * hit * hit) * (0.25 + 1.5 * lick);
    float heat = clamp(1.0 - rise / max(reach, 0.01), 0.0, 1.0);
    heat *= 0.4 + lick * 1.1;
    // A root lifts the weaker of a colour's components most: red burns to orange and yellow, blue to the blue of gas.
    vec3 hot = sqrt(primary);
    vec3 colour = mix(secondary, primary, smoothstep(0.1, 0.5, heat));
    colour = mix(colour, mix(hot, sqrt(hot), 0.5), smoothstep(0.4, 1.1, heat));
    float light = smoothstep(0.0, 0.55, heat);
    return vec4(colour, light * light);
}
