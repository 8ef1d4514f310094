//! The locations that a line or a function denotes.

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateur_graph::{Target, TargetError, function_targets, line_targets, targets};
use secateur_program::{BlockId, FuncId, Program};
use support::{line, load_files, load_text};

const MAIN: &str = "int twice(int);
static int helper(int a) { return a + 1; }
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += helper(i);

    return twice(n);
}
";
const OTHER: &str = "static int helper(int a) { return a * 2; }
int twice(int a) {
    return helper(a);
}
";

fn two_files() -> Program {
    load_files(&[("src/main.c", MAIN), ("src/deep/other.c", OTHER)])
}

fn names(program: &Program, found: &[Target]) -> Vec<String> {
    found.iter().map(|target| program.functions[target.function.index()].name.to_string()).collect()
}

#[test]
fn a_function_is_its_entry() {
    let program = two_files();
    let found = targets(&program, "twice").expect("a function");
    assert_eq!(found, [Target { function: program.function("twice").unwrap(), block: BlockId(0), pc: 0 }]);
}

#[test]
fn static_functions_of_one_name_are_all_found() {
    let program = two_files();
    assert_eq!(function_targets(&program, "helper").expect("functions").len(), 2);
}

#[test]
fn a_line_is_the_first_instruction_of_each_block_with_code_for_it() {
    let program = two_files();
    let found = targets(&program, "main.c:5").expect("a line");
    assert!(found.len() >= 3, "beginning, condition and step of the loop: {found:?}");
    for target in &found {
        let body = program.functions[target.function.index()].body.as_ref().unwrap();
        let block = &body.blocks[target.block.index()];
        assert_eq!(line(&program, body, target.pc), 5);
        assert!((block.start..target.pc).all(|pc| line(&program, body, pc) != 5));
    }
    assert_eq!(names(&program, &targets(&program, "other.c:3").expect("a line")), ["twice"]);
}

#[test]
fn the_last_components_of_a_path_suffice() {
    let program = two_files();
    let expected = line_targets(&program, "other.c", 3).expect("a line");
    for name in ["deep/other.c", "src/deep/other.c", "./other.c", "./src/./deep/other.c"] {
        assert_eq!(line_targets(&program, name, 3).as_ref(), Ok(&expected), "{name}");
    }
    assert!(
        matches!(line_targets(&program, "ther.c", 3), Err(TargetError::NoFile { .. })),
        "components are matched whole"
    );
}

#[test]
fn ambiguous_file_names_are_refused() {
    let files = [("a/x.c", "int f(void) { return 1; }"), ("b/x.c", "int f(void); int main(void) { return f(); }")];
    let program = load_files(&files);
    let Err(TargetError::Ambiguous { files, .. }) = targets(&program, "x.c:1") else { panic!("two files have it") };
    assert_eq!(files.len(), 2);
    assert_eq!(names(&program, &targets(&program, "a/x.c:1").expect("one file")), ["f"]);
    assert_eq!(names(&program, &targets(&program, "b/x.c:1").expect("one file")), ["main"]);
}

#[test]
fn errors_suggest_similar_names() {
    let program = two_files();
    let message = |text: &str| targets(&program, text).expect_err("nothing has this name").to_string();
    assert_eq!(message("twise"), "no function is called `twise`; did you mean `twice`?");
    assert_eq!(message("mian.c:5"), "no source file is called `mian.c`; did you mean `main.c`?");
    assert_eq!(message("deep/othr.c:5"), "no source file is called `deep/othr.c`; did you mean `deep/other.c`?");
    assert_eq!(message("something_else"), "no function is called `something_else`");
    let of_line = message("main.c:7");
    assert!(of_line.ends_with("main.c:7 has no code; the nearest lines with code are 6 and 8"), "{of_line}");
    let after_end = message("main.c:400");
    assert!(
        after_end.ends_with("has no code; the nearest line with code is 9")
            || after_end.ends_with("has no code; the nearest line with code is 8"),
        "{after_end}"
    );
}

#[test]
fn a_program_without_code_has_no_targets() {
    let empty = Program::default();
    assert!(matches!(targets(&empty, "main"), Err(TargetError::NoFunction { .. })));
    assert!(matches!(targets(&empty, "main.c:1"), Err(TargetError::NoFile { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every instruction of the user's code is in a block that its line denotes.
    #[test]
    fn lines_are_as_defined(lines in prop::collection::vec(1u32..9, 1..20)) {
        let mut program = load_once();
        // Every location gets another line, so that lines are scattered over blocks and functions.
        for (index, at) in program.locations.iter_mut().enumerate().skip(1) {
            at.line = lines[index % lines.len()];
        }
        for wanted in 1..9 {
            let mut expected = Vec::new();
            let mut used = BTreeSet::new();
            for (index, function) in program.functions.iter().enumerate() {
                let Some(body) = function.body.as_ref().filter(|_| function.user) else { continue };
                used.extend((0..body.code.len() as u32).map(|pc| line(&program, body, pc)).filter(|line| *line > 0));
                for (block, code) in body.blocks.iter().enumerate() {
                    if let Some(pc) = (code.start..code.end).find(|pc| line(&program, body, *pc) == wanted) {
                        expected.push(Target { function: FuncId(index as u32), block: BlockId(block as u32), pc });
                    }
                }
            }
            match line_targets(&program, "test.c", wanted) {
                Ok(found) => prop_assert_eq!(found, expected),
                Err(TargetError::NoCode { nearest: found, .. }) => {
                    prop_assert!(expected.is_empty());
                    let before = used.iter().filter(|line| **line < wanted).max();
                    let after = used.iter().filter(|line| **line > wanted).min();
                    prop_assert_eq!(found, before.into_iter().chain(after).copied().collect::<Vec<_>>());
                }
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
    }
}

fn load_once() -> Program {
    static LOADED: std::sync::LazyLock<Program> = std::sync::LazyLock::new(|| {
        load_text(&[OTHER, "int main(void) {\n    return twice(2) + (twice(3) ? 1 : 2);\n}\n"].concat())
    });
    LOADED.clone()
}
