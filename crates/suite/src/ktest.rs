//! KLEE's binary test files (`.ktest`, layout version 3), so that `ktest-tool` and others can read our tests, and we
//! can read theirs.
//!
//! The layout, with all numbers big-endian and of 32 bits: `KTEST`, version, arguments (count, then length and bytes of
//! each), two numbers of historical use, objects (count, then name length, name, size and bytes of each). Inputs that
//! are not objects of the program have the names that KLEE's model of the environment uses: `n_args`, `arg00`, `stdin`,
//! `A-data` for file `A`. Environment variables, which KLEE does not model, are called `env:NAME`.

use crate::test_case::{Role, Shape, TestCase};

/// The content of a `.ktest` file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KTest {
    /// The command line; the first entry is the program.
    pub args: Vec<Vec<u8>>,
    /// Not used by us; kept when a file is read and written.
    pub sym_argvs: u32,
    /// Not used by us; kept when a file is read and written.
    pub sym_argv_len: u32,
    /// Name and value of each object, in order.
    pub objects: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What is wrong with the bytes of a `.ktest` file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KTestError {
    /// It starts with something else.
    #[error("not a .ktest file (it does not start with `KTEST`)")]
    Magic,
    /// A version that is not known.
    #[error(".ktest version {0} is not supported (1 to 3 are)")]
    Version(u32),
    /// The file is shorter than its counts say.
    #[error("the .ktest file ends early, at byte {0}")]
    Short(usize),
    /// The file is longer than its counts say.
    #[error("the .ktest file has {0} more bytes than it says")]
    Long(usize),
    /// The objects are not those of the test.
    #[error("the .ktest file does not fit its prediction: {0}")]
    Shape(String),
}

/// The bytes of the file for a test of `program`.
pub fn write(test: &TestCase, program: &str) -> Vec<u8> {
    let mut args = vec![program.as_bytes().to_vec()];
    args.extend(test.args.iter().cloned());
    let mut objects = Vec::new();
    if !test.args.is_empty() {
        objects.push((b"n_args".to_vec(), (test.args.len() as u32).to_le_bytes().to_vec()));
    }
    let mut arg_number = 0;
    for (role, bytes) in test.inputs() {
        let mut bytes = bytes.to_vec();
        if role == Role::Arg {
            bytes.push(0);
        }
        objects.push((object_name(&role, &mut arg_number).into_bytes(), bytes));
    }
    KTest { args, objects, ..KTest::default() }.to_bytes()
}

/// Reads a test back from the bytes of its file, given where its inputs come from.
pub fn read(bytes: &[u8], shape: &Shape) -> Result<TestCase, KTestError> {
    let file = KTest::from_bytes(bytes)?;
    let mut objects = file.objects.into_iter();
    if shape.inputs.iter().any(|input| input.role == Role::Arg) {
        objects.next().ok_or_else(|| KTestError::Shape("object `n_args` is missing".into()))?;
    }
    let mut test = TestCase::default();
    let mut arg_number = 0;
    for input in &shape.inputs {
        let expected = object_name(&input.role, &mut arg_number);
        let (name, mut bytes) =
            objects.next().ok_or_else(|| KTestError::Shape(format!("object `{expected}` is missing")))?;
        if name != expected.as_bytes() {
            let name = String::from_utf8_lossy(&name);
            return Err(KTestError::Shape(format!("object `{name}` stands where `{expected}` should")));
        }
        if input.role == Role::Arg {
            bytes = until_zero(bytes);
        }
        test.push(input.role.clone(), bytes);
    }
    match objects.next() {
        Some((name, _)) => Err(KTestError::Shape(format!("object `{}` is too many", String::from_utf8_lossy(&name)))),
        None => Ok(test),
    }
}

/// Reads a test of another tool: the name of an input determines its origin.
pub fn read_foreign(bytes: &[u8]) -> Result<TestCase, KTestError> {
    let file = KTest::from_bytes(bytes)?;
    let mut test = TestCase::default();
    let mut modelled = false;
    for (name, bytes) in file.objects {
        let name = String::from_utf8_lossy(&name).into_owned();
        match name.as_str() {
            "n_args" => modelled = true,
            "stdin" => test.push(Role::Stdin, bytes),
            // These are artefacts of KLEE's model of the environment; a native run has the real ones.
            "model_version" | "stdout" | "stdin-stat" | "stdout-stat" => {}
            _ if name.ends_with("-data-stat") => {}
            _ if is_arg_name(&name) => {
                modelled = true;
                test.push(Role::Arg, until_zero(bytes));
            }
            _ => match (name.strip_suffix("-data"), name.strip_prefix("env:")) {
                (Some(file), _) => test.push(Role::File { name: file.into() }, bytes),
                (_, Some(variable)) => test.push(Role::Env { name: variable.into() }, bytes),
                _ => test.push(Role::Make { name }, bytes),
            },
        }
    }
    if !modelled {
        test.args = file.args.into_iter().skip(1).collect();
    }
    Ok(test)
}

impl KTest {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let number = |out: &mut Vec<u8>, value: u32| out.extend(value.to_be_bytes());
        let block = |out: &mut Vec<u8>, bytes: &[u8]| {
            number(out, bytes.len() as u32);
            out.extend(bytes);
        };
        number(&mut out, VERSION);
        number(&mut out, self.args.len() as u32);
        for arg in &self.args {
            block(&mut out, arg);
        }
        number(&mut out, self.sym_argvs);
        number(&mut out, self.sym_argv_len);
        number(&mut out, self.objects.len() as u32);
        for (name, bytes) in &self.objects {
            block(&mut out, name);
            block(&mut out, bytes);
        }
        out
    }

    /// Parses the bytes of a file. Counts are not trusted: nothing is allocated for data that is not there.
    pub fn from_bytes(bytes: &[u8]) -> Result<KTest, KTestError> {
        let mut reader = Reader { bytes, at: 0 };
        let magic = reader.take(MAGIC.len()).map_err(|_| KTestError::Magic)?;
        if magic != MAGIC && magic != OLD_MAGIC {
            return Err(KTestError::Magic);
        }
        let version = reader.number()?;
        if !(1..=VERSION).contains(&version) {
            return Err(KTestError::Version(version));
        }
        let mut file = KTest::default();
        for _ in 0..reader.number()? {
            file.args.push(reader.block()?);
        }
        if version >= 2 {
            file.sym_argvs = reader.number()?;
            file.sym_argv_len = reader.number()?;
        }
        for _ in 0..reader.number()? {
            file.objects.push((reader.block()?, reader.block()?));
        }
        match bytes.len() - reader.at {
            0 => Ok(file),
            rest => Err(KTestError::Long(rest)),
        }
    }
}

const MAGIC: &[u8] = b"KTEST";
const OLD_MAGIC: &[u8] = b"BOUT\n";
const VERSION: u32 = 3;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], KTestError> {
        let end = self.at.checked_add(len).ok_or(KTestError::Short(self.bytes.len()))?;
        let slice = self.bytes.get(self.at..end).ok_or(KTestError::Short(self.bytes.len()))?;
        self.at = end;
        Ok(slice)
    }

    fn number(&mut self) -> Result<u32, KTestError> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    }

    fn block(&mut self) -> Result<Vec<u8>, KTestError> {
        let len = self.number()?;
        Ok(self.take(len as usize)?.to_vec())
    }
}

fn object_name(role: &Role, arg_number: &mut usize) -> String {
    match role {
        Role::Arg => {
            *arg_number += 1;
            format!("arg{:02}", *arg_number - 1)
        }
        Role::File { name } => format!("{name}-data"),
        Role::Stdin => "stdin".into(),
        Role::Env { name } => format!("env:{name}"),
        // The replay library reads the numbers.
        Role::Unwritten { name, fresh, offset } => format!("fresh:{fresh}+{offset}:{name}"),
        Role::Make { name } | Role::Nondet { name, .. } => name.clone(),
    }
}

fn is_arg_name(name: &str) -> bool {
    name.strip_prefix("arg").is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()))
}

fn until_zero(mut bytes: Vec<u8>) -> Vec<u8> {
    let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    bytes.truncate(len);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_case::tests::any_test_case;
    use crate::{Object, Source};
    use proptest::prelude::*;

    #[test]
    fn layout_is_that_of_klee() {
        let test = TestCase {
            objects: vec![Object { name: "a".into(), bytes: vec![1, 2, 3, 4], source: Source::Make }],
            ..TestCase::default()
        };
        let expected = [
            &b"KTEST"[..],
            &[0, 0, 0, 3],
            &[0, 0, 0, 1, 0, 0, 0, 3],
            b"p.c",
            &[0, 0, 0, 0, 0, 0, 0, 0],
            &[0, 0, 0, 1, 0, 0, 0, 1],
            b"a",
            &[0, 0, 0, 4, 1, 2, 3, 4],
        ]
        .concat();
        assert_eq!(write(&test, "p.c"), expected);
    }

    #[test]
    fn environment_has_the_names_of_klee() {
        let test = TestCase {
            args: vec![b"-x".to_vec(), b"".to_vec()],
            stdin: Some(b"in".to_vec()),
            files: vec![("A".into(), b"file".to_vec())],
            env: vec![("HOME".into(), b"/".to_vec())],
            ..TestCase::default()
        };
        let bytes = write(&test, "p");
        let file = KTest::from_bytes(&bytes).unwrap();
        assert_eq!(file.args, [&b"p"[..], b"-x", b""]);
        let names: Vec<_> = file.objects.iter().map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect();
        assert_eq!(names, ["n_args", "arg00", "arg01", "A-data", "stdin", "env:HOME"]);
        assert_eq!(file.objects[1].1, b"-x\0");
        assert_eq!(read_foreign(&bytes).unwrap(), test);
    }

    #[test]
    fn foreign_arguments_come_from_the_command_line_if_none_is_modelled() {
        let file = KTest { args: vec![b"p".to_vec(), b"-v".to_vec()], ..KTest::default() };
        assert_eq!(read_foreign(&file.to_bytes()).unwrap().args, [b"-v"]);
    }

    #[test]
    fn wrong_shape_is_named() {
        let object = |name: &str| Object { name: name.into(), bytes: vec![0], source: Source::Make };
        let one = TestCase { objects: vec![object("a")], ..TestCase::default() };
        let two = TestCase { objects: vec![object("a"), object("b")], ..TestCase::default() };
        let other = TestCase { objects: vec![object("c")], ..TestCase::default() };
        let check =
            |file: &TestCase, shape: &TestCase| read(&write(file, "p"), &shape.shape()).unwrap_err().to_string();
        assert!(check(&one, &two).ends_with("object `b` is missing"));
        assert!(check(&two, &one).ends_with("object `b` is too many"));
        assert!(check(&one, &other).ends_with("object `a` stands where `c` should"));
    }

    proptest! {
        #[test]
        fn round_trip(test in any_test_case()) {
            prop_assert_eq!(read(&write(&test, "prog.c"), &test.shape()).unwrap(), test);
        }

        #[test]
        fn garbage_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = KTest::from_bytes(&bytes);
            let _ = KTest::from_bytes(&[MAGIC, &[0, 0, 0, 3], &bytes].concat());
        }

        #[test]
        fn mutations_never_panic(test in any_test_case(), at in any::<prop::sample::Index>(), value in any::<u8>(), cut in any::<prop::sample::Index>()) {
            let mut bytes = write(&test, "p");
            prop_assert!(KTest::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
            let at = at.index(bytes.len());
            bytes[at] = value;
            let _ = read(&bytes, &test.shape());
            let _ = read_foreign(&bytes);
        }
    }
}
