// title: Sphere
// about: Shells of light that grow from a point through the room in three dimensions, coloured along the gradient.
// param: centre point = (0.5, 0.5) | Where they start, seen from the front
// param: depth percent = 50 | Where they start between back and front
// param: shells float 0.5..6 = 1.5 | How many are under way at once
// param: thickness percent = 50 | How thick a shell is

vec4 effect(Lamp lamp) {
    vec3 start = vec3(centre, depth);
    // The farthest corner of the room is 1 away.
    float reach = max(length(max(abs(start), abs(1.0 - start)) * lamp.size), 1.0e-3);
    float far = length((lamp.position - start) * lamp.size) / reach;
    float place = fract(far * shells - progress);
    // Thin in front, long behind: a shell pushes outwards.
    float front = clamp((1.0 - place) / max(thickness, 0.02), 0.0, 1.0);
    float light = (1.0 - front) * smoothstep(0.0, 0.08, 1.0 - place);
    return vec4(gradient(clamp(far, 0.0, 1.0)), light * light);
}
