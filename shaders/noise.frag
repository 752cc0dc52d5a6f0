// title: Noise
// about: Clouds of the palette's gradient that never repeat the same way twice.
// param: scale float 0.5..20 = 4 | How many clouds cross the layout
// param: contrast percent = 50 | How clearly they stand out

vec4 effect(Lamp lamp) {
    vec2 p = around(lamp, vec2(0.5)) * scale;
    float drift = beat * speed * 0.25;
    float cloud = noise(vec3(p + vec2(drift * 0.4, 0.0), drift)) * 0.65;
    cloud += noise(vec3(p * 2.3 - vec2(0.0, drift * 0.7), drift * 1.7 + 40.0)) * 0.35;
    float steep = 1.0 + contrast * 5.0;
    float level = clamp((cloud - 0.5) * steep + 0.5, 0.0, 1.0);
    return vec4(gradient(level), level);
}
