// title: Scanner
// about: A beam that sweeps to and fro and leaves an afterglow where it passed.
// param: angle degrees = 0 | The way it sweeps
// param: width percent = 15 | How wide the beam is
// param: tail percent = 55 | How long the afterglow lasts

vec4 effect(Lamp lamp) {
    float place = along(lamp, angle);
    float beam = 1.0 - abs(progress * 2.0 - 1.0);
    float head = clamp(1.0 - abs(place - beam) / max(width * 0.5, 0.01), 0.0, 1.0);
    head *= head * (3.0 - 2.0 * head);
    // How long ago the beam was here last, going or coming.
    float since = min(fract(progress - place * 0.5), fract(progress + place * 0.5));
    float glow = clamp(1.0 - since * 2.0 / max(tail, 0.01), 0.0, 1.0);
    glow *= glow * 0.8;
    float light = max(head, glow);
    return vec4(mix(secondary, primary, light), light);
}
