//! The bytes of an input in a readable form: a number, a text, or hexadecimal digits.

use secateur_suite::test_case::{Role, TestCase};
use serde::Serialize;

/// How many bytes of one input are shown.
const MAX_BYTES: usize = 256;
/// How many characters a whole input may take on one line.
const MAX_CHARACTERS: usize = 96;

/// One input of a test.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct Shown {
    /// Where it comes from.
    from: &'static str,
    /// What it is called; for a value also its type.
    name: String,
    /// The most readable form.
    value: String,
    /// Its bytes.
    bytes: String,
}

/// Every input of a test.
pub(crate) fn show(test: &TestCase) -> Vec<Shown> {
    let mut arguments = 0;
    test.inputs()
        .into_iter()
        .map(|(role, bytes)| {
            let (from, name) = match &role {
                Role::Arg => {
                    arguments += 1;
                    ("argument", arguments.to_string())
                }
                Role::File { name } => ("file", name.clone()),
                Role::Stdin => ("standard input", String::new()),
                Role::Env { name } => ("environment", name.clone()),
                Role::Make { name } => ("symbolic object", name.clone()),
                Role::Unwritten { name, .. } => ("unwritten memory", name.clone()),
                Role::Nondet { name, c_type } => ("value", format!("{name} ({c_type})")),
            };
            Shown { from, name, value: value(&role, bytes), bytes: hexadecimal(bytes) }
        })
        .collect()
}

/// All inputs of a test on one line, truncated if it gets long.
pub(crate) fn on_one_line(test: &TestCase) -> String {
    let mut line = String::new();
    for (role, bytes) in test.inputs() {
        if !line.is_empty() {
            line.push_str(", ");
        }
        match &role {
            Role::File { name } | Role::Env { name } | Role::Make { name } | Role::Unwritten { name, .. } => {
                line.push_str(&format!("{name} = "));
            }
            Role::Stdin => line.push_str("standard input = "),
            Role::Arg | Role::Nondet { .. } => {}
        }
        line.push_str(&value(&role, bytes));
        if line.chars().count() > MAX_CHARACTERS {
            line = line.chars().take(MAX_CHARACTERS).chain(['…']).collect();
            break;
        }
    }
    line
}

fn value(role: &Role, bytes: &[u8]) -> String {
    match role {
        Role::Nondet { c_type, .. } => number(bytes, c_type).unwrap_or_else(|| hexadecimal(bytes)),
        Role::Make { .. } => {
            let number = number(bytes, "");
            // A single character that could be a number is more likely a small number.
            let least = if number.is_some() { 2 } else { 1 };
            match number {
                _ if text_length(bytes).is_some_and(|len| len >= least) => text(bytes),
                Some(number) => number,
                None => hexadecimal(bytes),
            }
        }
        _ => text(bytes),
    }
}

/// How many characters there are before the zero bytes at the end, if all of them can be printed.
fn text_length(bytes: &[u8]) -> Option<usize> {
    let len = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    bytes[..len].iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')).then_some(len)
}

/// A number of this C type; without a type, a signed integer.
fn number(bytes: &[u8], c_type: &str) -> Option<String> {
    let mut padded = [0; 8];
    padded.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let unsigned = u64::from_le_bytes(padded);
    let is_unsigned = c_type.starts_with('u') || matches!(c_type, "bool" | "_Bool" | "size_t" | "pointer");
    Some(match (bytes.len(), c_type) {
        (4, "float") => f32::from_bits(unsigned as u32).to_string(),
        (8, "double") => f64::from_bits(unsigned).to_string(),
        (1 | 2 | 4 | 8, _) if is_unsigned => unsigned.to_string(),
        (len @ (1 | 2 | 4 | 8), _) => {
            let unused = 64 - 8 * len as u32;
            (((unsigned << unused) as i64) >> unused).to_string()
        }
        _ => return None,
    })
}

/// As a literal of C; zero bytes at the end are only counted.
fn text(bytes: &[u8]) -> String {
    let len = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let shown = &bytes[..len.min(MAX_BYTES)];
    let mut text = format!("\"{}\"", shown.escape_ascii());
    match (len > shown.len(), bytes.len() - len) {
        (true, _) => text.push_str(&format!(" … ({} bytes)", bytes.len())),
        (false, 0) => {}
        (false, 1) => text.push_str(" and a zero byte"),
        (false, zeros) => text.push_str(&format!(" and {zeros} zero bytes")),
    }
    text
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text: Vec<String> = Vec::new();
    for run in bytes.chunk_by(|one, other| one == other) {
        if text.len() >= MAX_BYTES {
            text.push(format!("… ({} bytes)", bytes.len()));
            break;
        }
        let digits = format!("{:02x}", run[0]);
        // A few equal bytes are faster to read than their count.
        if run.len() < 8 {
            text.extend(run.iter().map(|_| digits.clone()));
        } else {
            text.push(format!("{digits} × {}", run.len()));
        }
    }
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(role: Role, bytes: &[u8], expected: &str) {
        assert_eq!(value(&role, bytes), expected);
    }

    fn make() -> Role {
        Role::Make { name: "x".into() }
    }

    fn nondet(c_type: &str) -> Role {
        Role::Nondet { name: "n".into(), c_type: c_type.into() }
    }

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        check(nondet("int"), &[0xff; 4], "-1");
        check(nondet("uint"), &[0xff; 4], "4294967295");
        check(nondet("unsigned char"), &[0xff], "255");
        check(nondet("float"), &1.5f32.to_le_bytes(), "1.5");
        check(nondet("double"), &(-0.25f64).to_le_bytes(), "-0.25");
        check(nondet("struct"), &[1, 2, 3], "01 02 03");
    }

    #[test]
    fn objects_are_numbers_or_text_whichever_fits() {
        check(make(), &42u32.to_le_bytes(), "42");
        check(make(), b"ab\0\0", "\"ab\" and 2 zero bytes");
        check(make(), b"s\0\0\0\0\0", "\"s\" and 5 zero bytes");
        check(make(), &[0; 56], "00 × 56");
        check(make(), &[1, 0, 2], "01 00 02");
        check(make(), &[&[0; 40][..], &[1, 0, 0]].concat(), "00 × 40 01 00 00");
        check(make(), b"", "");
    }

    #[test]
    fn texts_are_literals() {
        check(Role::Stdin, b"A\"6\n\xff\0", "\"A\\\"6\\n\\xff\" and a zero byte");
        check(Role::Arg, b"", "\"\"");
        check(Role::Stdin, &[b'x'; 300], &format!("\"{}\" … (300 bytes)", "x".repeat(256)));
    }

    #[test]
    fn long_inputs_are_truncated() {
        let mut test = TestCase::default();
        (0..40).for_each(|number| test.push(nondet("int"), i32::to_le_bytes(number).to_vec()));
        let line = on_one_line(&test);
        assert!(line.starts_with("0, 1, 2, ") && line.ends_with('…') && line.chars().count() == MAX_CHARACTERS + 1);
        assert_eq!(show(&test).len(), 40);
    }
}
