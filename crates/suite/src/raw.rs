//! Tests as plain files, for other tools to feed to a program: one file if a test has one input, else a folder with a
//! file for each.
//!
//! The two inputs of a libFuzzer harness, the data and its length, are one file, as fuzzers keep them.

use crate::test_case::{Role, Shape, TestCase};

/// A test as plain files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Raw {
    /// One file.
    File(Vec<u8>),
    /// A folder: names and contents.
    Folder(Vec<(String, Vec<u8>)>),
}

/// The files of a test.
pub fn write(test: &TestCase) -> Raw {
    let inputs = test.inputs();
    let sizes: Vec<_> = inputs.iter().map(|(role, bytes)| (role, bytes.len())).collect();
    if let Some((data, size)) = fuzzer_input(&sizes) {
        let length = inputs[size].1.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        if length == inputs[data].1.len() as u64 {
            return Raw::File(inputs[data].1.to_vec());
        }
    }
    if let [(_, bytes)] = inputs[..] {
        return Raw::File(bytes.to_vec());
    }
    let files = inputs.iter().enumerate().map(|(index, (role, bytes))| (file_name(index, role), bytes.to_vec()));
    Raw::Folder(files.collect())
}

/// Reads a test back from its one file; `None` if a single file cannot be a test of this shape.
pub fn read_file(bytes: &[u8], shape: &Shape) -> Option<TestCase> {
    let sizes: Vec<_> = shape.inputs.iter().map(|input| (&input.role, input.size)).collect();
    let mut test = TestCase::default();
    match (fuzzer_input(&sizes), &shape.inputs[..]) {
        (Some((data, _)), inputs) => {
            for (index, input) in inputs.iter().enumerate() {
                let length = (bytes.len() as u64).to_le_bytes().to_vec();
                test.push(input.role.clone(), if index == data { bytes.to_vec() } else { length });
            }
        }
        (None, [input]) => test.push(input.role.clone(), bytes.to_vec()),
        _ => return None,
    }
    Some(test)
}

/// Reads a test back from its folder, given a way to read a file of it.
pub fn read_folder<E>(shape: &Shape, mut read: impl FnMut(&str) -> Result<Vec<u8>, E>) -> Result<TestCase, E> {
    let mut test = TestCase::default();
    for (index, input) in shape.inputs.iter().enumerate() {
        test.push(input.role.clone(), read(&file_name(index, &input.role))?);
    }
    Ok(test)
}

/// The positions of data and length, if these are the inputs of a libFuzzer harness.
fn fuzzer_input(inputs: &[(&Role, usize)]) -> Option<(usize, usize)> {
    let [first, second] = inputs else { return None };
    let is = |input: &(&Role, usize), wanted: &str| matches!(input.0, Role::Make { name } if name == wanted);
    if is(first, "size") && first.1 == 8 && is(second, "data") {
        Some((1, 0))
    } else if is(first, "data") && is(second, "size") && second.1 == 8 {
        Some((0, 1))
    } else {
        None
    }
}

/// The number keeps the names distinct and in order; the rest is for readers.
fn file_name(index: usize, role: &Role) -> String {
    let label = match role {
        Role::Arg => "arg",
        Role::Stdin => "stdin",
        Role::File { name } | Role::Env { name } | Role::Make { name } => name,
        Role::Nondet { name, .. } | Role::Unwritten { name, .. } => name,
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    let label: String = label.chars().take(64).map(plain).collect();
    format!("{index:03}-{label}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_case::tests::any_test_case;
    use crate::{Object, Source};
    use proptest::prelude::*;

    fn object(name: &str, bytes: &[u8]) -> Object {
        Object { name: name.into(), bytes: bytes.to_vec(), source: Source::Make }
    }

    fn read(raw: &Raw, shape: &Shape) -> Option<TestCase> {
        match raw {
            Raw::File(bytes) => read_file(bytes, shape),
            Raw::Folder(files) => {
                let find = |name: &str| files.iter().find(|file| file.0 == name).map(|file| file.1.clone()).ok_or(());
                read_folder(shape, find).ok()
            }
        }
    }

    #[test]
    fn fuzzer_input_is_one_file() {
        let test = TestCase {
            objects: vec![object("size", &[2, 0, 0, 0, 0, 0, 0, 0]), object("data", b"ab")],
            ..TestCase::default()
        };
        let raw = write(&test);
        assert_eq!(raw, Raw::File(b"ab".to_vec()));
        assert_eq!(read(&raw, &test.shape()), Some(test));
    }

    #[test]
    fn objects_that_only_look_like_fuzzer_input_are_kept() {
        let test = TestCase {
            objects: vec![object("size", &[9, 0, 0, 0, 0, 0, 0, 0]), object("data", b"ab")],
            ..TestCase::default()
        };
        let raw = write(&test);
        let names: Vec<_> = match &raw {
            Raw::Folder(files) => files.iter().map(|file| file.0.as_str()).collect(),
            Raw::File(_) => vec![],
        };
        assert_eq!(names, ["000-size", "001-data"]);
        assert_eq!(read(&raw, &test.shape()), Some(test));
    }

    #[test]
    fn standard_input_is_one_file() {
        let test = TestCase { stdin: Some(b"hello".to_vec()), ..TestCase::default() };
        assert_eq!(write(&test), Raw::File(b"hello".to_vec()));
    }

    #[test]
    fn names_stay_in_the_folder() {
        assert_eq!(file_name(3, &Role::Make { name: "../x/y".into() }), "003-.._x_y");
    }

    proptest! {
        #[test]
        fn round_trip(test in any_test_case()) {
            prop_assert_eq!(read(&write(&test), &test.shape()), Some(test));
        }
    }
}
