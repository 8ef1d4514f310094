//! Places in the source: where something happened, as the user sees it.

pub(crate) use secateur_explore::innermost_user;
use secateur_program::{LocId, Program};

/// `file:line` for people.
pub fn file_and_line(file: &str, line: u32) -> String {
    if line == 0 { "unknown place".to_string() } else { format!("{file}:{line}") }
}

/// The file and the line of a place; an empty name and 0 if they are unknown.
pub(crate) fn file_line(program: &Program, loc: LocId) -> (String, u32) {
    match program.locations.get(loc.index()) {
        Some(at) if at.line > 0 => (program.files[at.file as usize].clone(), at.line),
        _ => (String::new(), 0),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use secateur_program::{FuncId, Function, Location};

    use super::*;

    /// Function 0 is `memcpy` of the library; function 1 is `main`, with two places on line 5 and one on line 9.
    pub(crate) fn program() -> Program {
        let function = |name: &str, user| Function {
            name: name.into(),
            params: Box::default(),
            result: Box::default(),
            variadic: false,
            user,
            exported: user,
            body: None,
            loc: LocId(0),
        };
        let at = |file, line, column| Location { file, line, column };
        Program {
            functions: vec![function("memcpy", false), function("main", true)],
            locations: vec![Location::default(), at(1, 5, 1), at(1, 5, 8), at(1, 9, 1), at(2, 70, 1)],
            files: vec!["?".to_string(), "a.c".to_string(), "memcpy.c".to_string()],
            ..Program::default()
        }
    }

    #[test]
    fn the_library_is_skipped() {
        let program = program();
        let (library, user) = ((FuncId(0), LocId(4)), (FuncId(1), LocId(3)));
        assert_eq!(innermost_user(&program, &[library, user]), LocId(3));
        assert_eq!(innermost_user(&program, &[library]), LocId(4));
        assert_eq!(innermost_user(&program, &[]), LocId(0));
    }

    #[test]
    fn unknown_places_have_no_line() {
        let program = program();
        assert_eq!(file_line(&program, LocId(3)), ("a.c".to_string(), 9));
        assert_eq!(file_line(&program, LocId(0)), (String::new(), 0));
        assert_eq!(file_line(&program, LocId(99)), (String::new(), 0));
        assert_eq!(file_and_line("a.c", 9), "a.c:9");
        assert_eq!(file_and_line("", 0), "unknown place");
    }
}
