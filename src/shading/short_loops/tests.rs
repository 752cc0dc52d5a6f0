//! Which loops need no guard, line by line.

use super::super::lexer::tokens;
use super::short_loops;

/// Lines of the loops that need no guard.
fn short_lines(source: &str) -> Vec<usize> {
    let found = short_loops(source, &tokens(source).unwrap());
    found.iter().map(|byte| source[..*byte].matches('\n').count() + 1).collect()
}

fn in_effect(head: &str, body: &str) -> String {
    format!("// title: X\n{head}\nvec4 effect(Lamp lamp) {{\nfloat x = lamp.uv.x;\n{body}\nreturn vec4(x);\n}}\n")
}

#[test]
fn loops_that_count_a_few_constant_steps_need_no_guard() {
    for (head, body) in [
        ("", "for (int i = 0; i < 8; i++) x += float(i);"),
        ("", "for (int i = 63; i >= 0; --i) { if (x > 2.0) break; x += sin(x) * float(i); }"),
        ("", "for (int i = -4; i <= 4; i += 2) x += noise(vec3(float(i)));"),
        ("#define OCTAVES 5", "for (int i = 0; i < OCTAVES; i++) x *= 0.5;"),
        ("const int OCTAVES = 5;", "for (int i = 0; i < OCTAVES; i++) x *= 0.5;"),
        ("float f(float y) { return y; }", "for (int i = 0; i < 3; i++) x = f(x);"),
        ("#define TAU 6.28", "for (int i = 0; i < 3; i++) x += TAU;"),
        ("#ifdef GL_ES\nfloat f() { return 1.0; }\n#endif", "/* \n */for (int i = 0; i < 3; i++) x += 1.0;"),
    ] {
        let source = in_effect(head, body);
        assert_eq!(short_lines(&source).len(), 1, "{source}");
        assert!(source.lines().nth(short_lines(&source)[0] - 1).unwrap().contains("for"), "{source}");
    }
}

#[test]
fn all_other_loops_keep_their_guard() {
    for (head, body) in [
        ("", "for (int i = 0; i < 65; i++) x += 1.0;"),
        ("", "for (int i = 0; i < 8; i--) x += 1.0;"),
        ("", "for (int i = 0; i != 8; i += 3) x += 1.0;"),
        ("", "for (int i = 0; i < 8; i += 0) x += 1.0;"),
        ("", "for (int i = 0; i < 8; i++) { i = 0; }"),
        ("", "for (int i = 0; i < 8; i++) { x += float(i--); }"),
        ("", "for (int i = 0; i < int(x); i++) x += 1.0;"),
        ("", "for (int i = 0, j = 0; i < 8; j++) x += 1.0;"),
        ("", "for (int i = 0; i < 8;) x += 1.0;"),
        ("", "int j = 0; for (int i = 0; j < 8; i++) x += 1.0;"),
        ("", "for (float i = 0.0; i < 8.0; i += 0.00001) x += 1.0;"),
        ("", "while (true) {}"),
        ("#define AGAIN i = 0", "for (int i = 0; i < 8; i++) { AGAIN; }"),
        ("#define N 3\n#define N 3000", "for (int i = 0; i < N; i++) x += 1.0;"),
        ("void f(out int y) { y = 0; }", "for (int i = 0; i < 8; i++) f(i);"),
        ("void f(out int y) { y = 0; }\nvoid g(out int y) { f(y); }", "for (int i = 0; i < 8; i++) g(i);"),
        ("// param: N int 1..9000 = 9000\nvoid f() { const int N = 5; }", "for (int i = 0; i < N; i++) x += 1.0;"),
        ("const int N = 5;", "int N = int(x); for (int i = 0; i < N; i++) x += 1.0;"),
        ("const int N = 5;", "\n#if 1\nfor (int i = 0; i < N; i++) x += 1.0;\n#endif\n"),
    ] {
        let source = in_effect(head, body);
        assert_eq!(short_lines(&source), [0; 0], "{source}");
    }
}

#[test]
fn no_short_loop_lies_in_another_not_even_through_a_function() {
    let nested = "for (int i = 0; i < 8; i++)\nfor (int j = 0; j < 8; j++)\nx += 1.0;";
    assert_eq!(short_lines(&in_effect("", nested)), [6]);
    let head =
        "float f() { float y = 0.0;\nfor (int i = 0; i < 8; i++) y += 1.0; return y; }\nfloat g() { return f(); }";
    assert_eq!(short_lines(&in_effect(head, "for (int i = 0; i < 8; i++) x += g();")), [3]);
}

#[test]
fn a_source_that_would_need_a_deep_stack_is_not_parsed() {
    let deep = format!("x = {}1.0{};", "(".repeat(5000), ")".repeat(5000));
    let long = format!("x = {}1.0;", "1.0 + ".repeat(5000));
    let branches = "if (x > 1.0) x = 1.0; else ".repeat(5000) + "x = 2.0;";
    for body in [deep, long, branches] {
        assert_eq!(short_lines(&in_effect("", &(body + "for (int i = 0; i < 8; i++) x += 1.0;"))), [0; 0]);
    }
}
