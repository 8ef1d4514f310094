//! The documentation describes the ladder as it is.

use secateur_solver::Rung;

#[test]
fn the_documentation_lists_the_rungs_in_the_order_of_the_ladder() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/solver.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| rung |")).skip(2);
    let listed: Vec<&str> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|row| row.split('`').nth(1).expect("each row begins with the name of a rung"))
        .collect();
    assert_eq!(listed, Rung::ALL.map(Rung::name));
}
