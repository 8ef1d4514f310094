//! A test case: every byte of input that a program receives, by origin.

use serde::{Deserialize, Serialize};

/// The whole input of one run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TestCase {
    /// What the program itself asked for, in the order in which it asked.
    pub objects: Vec<Object>,
    /// `argv[1..]`, without the terminating zero bytes.
    pub args: Vec<Vec<u8>>,
    /// Standard input; `None` if the program is not given any.
    pub stdin: Option<Vec<u8>>,
    /// Files in the working directory: name and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// Environment variables: name and value.
    pub env: Vec<(String, Vec<u8>)>,
    /// Values of memory that the program reads before it writes to it.
    pub unwritten: Vec<Unwritten>,
}

/// The value of memory that was never written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unwritten {
    /// The variable, and where in it.
    pub name: String,
    /// The number of the allocation among those of the user's code, counted from 1; 0 if it is not the user's and
    /// cannot be set natively.
    pub fresh: u32,
    /// Where in it, in bytes.
    pub offset: u64,
    /// The value.
    pub bytes: Vec<u8>,
}

/// Bytes that the program asked for by a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    /// The name that the program gave it, or that of the function called.
    pub name: String,
    /// Its value, in memory order.
    pub bytes: Vec<u8>,
    /// Which kind of call asked for it.
    pub source: Source,
}

/// How a program asks for input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Source {
    /// `klee_make_symbolic` and the like: bytes with a name.
    Make,
    /// `__VERIFIER_nondet_T`: a value of type `T`.
    Nondet {
        /// The type, as the name of the function has it (`uint`) or as C has it (`unsigned int`).
        c_type: String,
    },
}

/// Where each input of a test case comes from and how long it is, but not its value.
///
/// No file format can express all of this, so it is kept beside the test. With it, a test can be read back from any
/// format.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shape {
    /// In the order of [`TestCase::inputs`].
    pub inputs: Vec<InputShape>,
}

/// The shape of one input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputShape {
    /// Where it comes from.
    #[serde(flatten)]
    pub role: Role,
    /// How many bytes it has.
    pub size: usize,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Role {
    /// The next element of `argv`.
    Arg,
    File {
        name: String,
    },
    Stdin,
    Env {
        name: String,
    },
    Make {
        name: String,
    },
    /// Memory that was never written.
    Unwritten {
        name: String,
        fresh: u32,
        offset: u64,
    },
    Nondet {
        name: String,
        #[serde(rename = "type")]
        c_type: String,
    },
}

impl TestCase {
    /// All inputs in the order in which every format lists them: arguments, files, standard input, environment,
    /// objects, unwritten memory.
    pub fn inputs(&self) -> Vec<(Role, &[u8])> {
        let args = self.args.iter().map(|bytes| (Role::Arg, &bytes[..]));
        let files = self.files.iter().map(|(name, bytes)| (Role::File { name: name.clone() }, &bytes[..]));
        let stdin = self.stdin.iter().map(|bytes| (Role::Stdin, &bytes[..]));
        let env = self.env.iter().map(|(name, bytes)| (Role::Env { name: name.clone() }, &bytes[..]));
        let objects = self.objects.iter().map(|object| {
            let name = object.name.clone();
            let role = match &object.source {
                Source::Make => Role::Make { name },
                Source::Nondet { c_type } => Role::Nondet { name, c_type: c_type.clone() },
            };
            (role, &object.bytes[..])
        });
        let unwritten = self.unwritten.iter().map(|unwritten| {
            let Unwritten { name, fresh, offset, bytes } = unwritten;
            (Role::Unwritten { name: name.clone(), fresh: *fresh, offset: *offset }, &bytes[..])
        });
        args.chain(files).chain(stdin).chain(env).chain(objects).chain(unwritten).collect()
    }

    /// Adds one input.
    pub fn push(&mut self, role: Role, bytes: Vec<u8>) {
        match role {
            Role::Arg => self.args.push(bytes),
            Role::File { name } => self.files.push((name, bytes)),
            Role::Stdin => self.stdin = Some(bytes),
            Role::Env { name } => self.env.push((name, bytes)),
            Role::Unwritten { name, fresh, offset } => {
                self.unwritten.push(Unwritten { name, fresh, offset, bytes });
            }
            Role::Make { name } => self.objects.push(Object { name, bytes, source: Source::Make }),
            Role::Nondet { name, c_type } => {
                self.objects.push(Object { name, bytes, source: Source::Nondet { c_type } });
            }
        }
    }

    /// The shape of this test.
    pub fn shape(&self) -> Shape {
        let inputs = self.inputs().into_iter().map(|(role, bytes)| InputShape { role, size: bytes.len() }).collect();
        Shape { inputs }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any test case, with types that fit the sizes.
    pub(crate) fn any_test_case() -> impl Strategy<Value = TestCase> {
        let bytes = || proptest::collection::vec(any::<u8>(), 0..20);
        let argument = proptest::collection::vec(1u8..=255, 0..12);
        let name = || "[a-zA-Z_][a-zA-Z0-9_<>&\" -]{0,12}";
        let object = prop_oneof![
            (name(), bytes()).prop_map(|(name, bytes)| Object { name, bytes, source: Source::Make }),
            any::<i32>().prop_map(|value| Object {
                name: "__VERIFIER_nondet_int".into(),
                bytes: value.to_le_bytes().to_vec(),
                source: Source::Nondet { c_type: "int".into() },
            }),
            any::<u64>().prop_map(|value| Object {
                name: "__VERIFIER_nondet_ulong".into(),
                bytes: value.to_le_bytes().to_vec(),
                source: Source::Nondet { c_type: "unsigned long".into() },
            }),
            proptest::num::f64::NORMAL.prop_map(|value| Object {
                name: "__VERIFIER_nondet_double".into(),
                bytes: value.to_le_bytes().to_vec(),
                source: Source::Nondet { c_type: "double".into() },
            }),
        ];
        (
            proptest::collection::vec(object, 0..6),
            proptest::collection::vec(argument, 0..4),
            proptest::option::of(bytes()),
            proptest::collection::vec((name(), bytes()), 0..3),
            proptest::collection::vec((name(), proptest::collection::vec(1u8..=255, 0..8)), 0..3),
        )
            .prop_map(|(objects, args, stdin, files, env)| TestCase {
                objects,
                args,
                stdin,
                files,
                env,
                unwritten: Vec::new(),
            })
    }

    proptest! {
        #[test]
        fn inputs_and_push_are_inverse(test in any_test_case()) {
            let mut copy = TestCase::default();
            for (role, bytes) in test.inputs() {
                copy.push(role, bytes.to_vec());
            }
            prop_assert_eq!(copy, test);
        }

        #[test]
        fn shape_survives_json(test in any_test_case()) {
            let shape = test.shape();
            let json = serde_json::to_string(&shape).unwrap();
            prop_assert_eq!(serde_json::from_str::<Shape>(&json).unwrap(), shape);
        }
    }
}
