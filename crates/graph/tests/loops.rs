//! Natural loops of C programs.

mod support;

use secateur_graph::Loops;
use support::{block_at_line, body, load_text};

const NESTED: &str = "int g;
int main(void) {
    for (int i = 0; i < 3; i++) {
        g += i;
        while (g > 5)
            g--;
        if (g == 2)
            break;
    }
    do
        g++;
    while (g < 9);
    return g;
}
";

#[test]
fn each_block_is_in_its_innermost_loop() {
    let program = load_text(NESTED);
    let (_, body) = body(&program, "main");
    let loops = Loops::new(body);
    let head_of = |line| loops.innermost(block_at_line(&program, body, line)).map(|found| found.head);
    let outer = head_of(4);
    assert!(outer.is_some() && outer == head_of(7), "{outer:?}");
    let inner = head_of(6);
    assert!(inner.is_some() && inner != outer, "{inner:?}");
    assert!(head_of(11).is_some() && head_of(11) != outer && head_of(11) != inner);
    assert_eq!(head_of(13), None);
}

#[test]
fn a_loop_knows_where_it_starts_over() {
    let program = load_text("int g; int main(void) {\n    for (;;)\n        if (g)\n            g++;\n}\n");
    let (_, body) = body(&program, "main");
    let loops = Loops::new(body);
    let found = loops.innermost(block_at_line(&program, body, 4)).unwrap();
    assert!(found.blocks.contains(&found.head) && !found.latches.is_empty());
    for latch in &found.latches {
        assert!(body.blocks[latch.index()].successors.contains(&found.head) && found.blocks.contains(latch));
    }
}

#[test]
fn a_cycle_with_two_entries_is_no_loop() {
    let text = "int g, h; int main(void) {\n    if (h)\n        goto b;\na:  g++;\nb:  g--;\n    goto a;\n}\n";
    let program = load_text(text);
    let (_, body) = body(&program, "main");
    assert_eq!(Loops::new(body).innermost(block_at_line(&program, body, 4)), None);
}
