//! Which functions can run.

mod support;

use secateur_graph::reachable_functions;
use support::load_text;

#[test]
fn calls_and_addresses_are_followed() {
    let program = load_text(
        "typedef void action(void);
         static int count;
         void direct(void) { count++; }
         void by_address(void) { direct(); }
         void in_table(void) { count += 2; }
         void in_other_table(void) { count += 3; }
         void unused(void) { in_other_table(); }
         struct entry { char tag; action *run; } __attribute__((packed));
         struct entry table[] = { { 1, 0 }, { 2, in_table } };
         struct entry other_table[] = { { 1, in_other_table } };
         struct entry *tables[] = { table };
         __attribute__((constructor)) void before(void) { count = 1; }
         int main(int argc, char **argv) {
           action *chosen = argc > 1 ? by_address : tables[0][1].run;
           chosen();
           return count;
         }
         ",
    );
    let runs = reachable_functions(&program);
    let of = |name: &str| runs[program.function(name).expect("it exists").index()];
    assert!(["main", "before", "by_address", "direct", "in_table"].into_iter().all(of));
    assert!(!["unused", "in_other_table"].into_iter().any(of));
}
