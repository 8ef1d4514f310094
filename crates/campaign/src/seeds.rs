//! Seeds as inputs of the machine, whose bytes are in the order in which a path asks for them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use secateur_explore::{Input, InputSource};
use secateur_machine::Environment;
use secateur_suite::seeds::{Refused, Seeds};
use secateur_suite::{OutError, Seed, Source, TestCase, read_seeds};

use crate::text::count;

/// Where an input comes from that is a seed.
pub(crate) const SEED: &str = "seed";

/// Where seeds come from.
#[derive(Clone, Debug)]
pub struct SeedOptions {
    /// The folder.
    pub folder: PathBuf,
    /// What a file is that is no test.
    pub raw: RawInput,
}

/// Which input of a program the plain files of a fuzzer are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RawInput {
    /// The data of a libFuzzer harness.
    Fuzzer {
        /// The most bytes that it is given.
        max_len: u32,
    },
    /// Its standard input.
    Stdin,
    /// Its only file.
    File,
    /// None: it has no such input, or more than one.
    None,
}

/// The seeds of a campaign.
#[derive(Debug, Default)]
pub(crate) struct SeedInputs {
    pub inputs: VecDeque<Vec<u8>>,
    /// Sentences about seeds that are not used.
    pub warnings: Vec<String>,
}

impl SeedInputs {
    /// Reads the seeds of a folder.
    pub(crate) fn read(options: &SeedOptions, environment: &Environment) -> Result<SeedInputs, OutError> {
        let Seeds { seeds, mut refused } = read_seeds(&options.folder, options.raw.len(environment))?;
        let mut inputs = VecDeque::new();
        for (path, seed) in seeds {
            match input_of(&seed, options.raw, environment) {
                Ok(input) => inputs.push_back(input),
                Err(reason) => refused.add(&path, reason),
            }
        }
        Ok(SeedInputs { warnings: warnings(options, inputs.len(), &refused), inputs })
    }

    /// These seeds.
    pub(crate) fn of(inputs: &[Vec<u8>]) -> SeedInputs {
        SeedInputs { inputs: inputs.iter().cloned().collect(), warnings: Vec::new() }
    }
}

/// The seeds of a folder that can be used, as inputs of the machine, for whoever explores.
pub fn seed_inputs(options: &SeedOptions, environment: &Environment) -> Result<Vec<Vec<u8>>, OutError> {
    Ok(SeedInputs::read(options, environment)?.inputs.into())
}

fn warnings(options: &SeedOptions, used: usize, refused: &Refused) -> Vec<String> {
    if used == 0 && refused.count() == 0 {
        return vec![format!("{} has no seeds", options.folder.display())];
    }
    let mut sentences = refused.sentences();
    if used == 0 {
        sentences.push(format!("none of the {} can be used", count(refused.count(), "seed")));
    }
    sentences
}

/// Follows the seeds in order.
impl InputSource for SeedInputs {
    fn next(&mut self, _found: &[Arc<[u8]>]) -> Option<Input> {
        Some(Input { bytes: self.inputs.pop_front()?.into(), from: SEED })
    }
}

impl RawInput {
    /// The most bytes that matter of a plain file.
    fn len(self, environment: &Environment) -> usize {
        let len = match self {
            RawInput::Fuzzer { max_len } => max_len,
            RawInput::Stdin => environment.stdin.unwrap_or(0),
            RawInput::File => environment.files.first().map_or(0, |(_, len)| *len),
            RawInput::None => 0,
        };
        len as usize
    }
}

const OF_ANOTHER: &str = "it is a test of another program";

/// The input of the machine that a seed stands for, or why there is none.
fn input_of(seed: &Seed, raw: RawInput, environment: &Environment) -> Result<Vec<u8>, &'static str> {
    let test = match (seed, raw) {
        (Seed::Raw(data), RawInput::Fuzzer { .. }) => return Ok(fuzzer_input(data)),
        (Seed::Raw(_), RawInput::None) => {
            return Err("it is neither a .ktest nor a Test-Comp test, and the program has no single symbolic \
                        input for a plain file");
        }
        (Seed::Raw(bytes), RawInput::Stdin) => &TestCase { stdin: Some(bytes.clone()), ..TestCase::default() },
        (Seed::Raw(bytes), RawInput::File) => {
            let name = environment.files.first().map(|(name, _)| name.clone()).unwrap_or_default();
            &TestCase { files: vec![(name, bytes.clone())], ..TestCase::default() }
        }
        (Seed::Test(test), RawInput::Fuzzer { max_len }) => {
            let mut made = test.objects.iter().filter(|object| object.source == Source::Make);
            let data = made.find(|object| object.name == "data").ok_or(OF_ANOTHER)?;
            return Ok(fuzzer_input(&data.bytes[..data.bytes.len().min(max_len as usize)]));
        }
        (Seed::Test(test), _) => test,
    };
    environment_input(test, environment).ok_or(OF_ANOTHER)
}

/// The input of a libFuzzer harness: the size of the data, then the data.
pub(crate) fn fuzzer_input(data: &[u8]) -> Vec<u8> {
    [&(data.len() as u64).to_le_bytes()[..], data].concat()
}

/// What the environment takes, in the order of `Machine::set_up`, then what the program asks for by itself.
fn environment_input(test: &TestCase, environment: &Environment) -> Option<Vec<u8>> {
    let mut input = Vec::new();
    let mut args = test.args.iter().skip(environment.fixed_arguments.len()).peekable();
    let mut texts = Vec::new();
    let mut needed: usize = environment.arguments.iter().map(|group| group.fewest as usize).sum();
    for group in &environment.arguments {
        needed -= group.fewest as usize;
        let extra = (args.len().saturating_sub(needed + group.fewest as usize)).min(group.optional() as usize);
        if group.optional() > 0 {
            input.push(extra as u8);
        }
        for _ in 0..group.fewest as usize + extra {
            push_padded(&mut texts, args.next().map_or(&[], Vec::as_slice), group.len);
        }
    }
    input.append(&mut texts);
    let named = |list: &[(String, Vec<u8>)], name: &str| {
        list.iter().find(|(other, _)| other == name).map(|(_, bytes)| bytes.clone()).unwrap_or_default()
    };
    for (name, len) in &environment.variables {
        push_padded(&mut input, &named(&test.env, name), *len);
    }
    if let Some(len) = environment.stdin {
        push_padded(&mut input, test.stdin.as_deref().unwrap_or_default(), len);
    }
    for (name, len) in &environment.files {
        push_padded(&mut input, &named(&test.files, name), *len);
    }
    test.objects.iter().for_each(|object| input.extend(&object.bytes));
    let has_place = args.peek().is_none()
        && (test.stdin.is_none() || environment.stdin.is_some())
        && test.env.iter().all(|(name, _)| environment.variables.iter().any(|(other, _)| other == name))
        && test.files.iter().all(|(name, _)| environment.files.iter().any(|(other, _)| other == name));
    has_place.then_some(input)
}

/// Adds a text, cut or filled with zeros.
fn push_padded(input: &mut Vec<u8>, bytes: &[u8], len: u32) {
    let end = input.len() + len as usize;
    input.extend(&bytes[..bytes.len().min(len as usize)]);
    input.resize(end, 0);
}

#[cfg(test)]
mod tests {
    use secateur_machine::ArgGroup;
    use secateur_suite::Object;

    use super::*;

    #[test]
    fn data_of_a_fuzzer_follows_its_size() {
        let raw = RawInput::Fuzzer { max_len: 2 };
        let environment = Environment::default();
        assert_eq!(input_of(&Seed::Raw(b"ab".to_vec()), raw, &environment).unwrap(), b"\x02\0\0\0\0\0\0\0ab");
        let object = |name: &str, bytes: &[u8]| Object { name: name.into(), bytes: bytes.into(), source: Source::Make };
        let test = TestCase { objects: vec![object("size", &[3; 8]), object("data", b"abc")], ..TestCase::default() };
        assert_eq!(input_of(&Seed::Test(test), raw, &environment).unwrap(), b"\x02\0\0\0\0\0\0\0ab");
        let other = TestCase { objects: vec![object("x", b"abc")], ..TestCase::default() };
        assert_eq!(input_of(&Seed::Test(other), raw, &environment), Err(OF_ANOTHER));
    }

    #[test]
    fn the_environment_takes_its_part_in_order() {
        let environment = Environment {
            arguments: vec![ArgGroup { fewest: 0, most: 2, len: 2 }, ArgGroup { fewest: 1, most: 1, len: 3 }],
            fixed_arguments: vec!["-v".to_string()],
            stdin: Some(2),
            files: vec![("f".to_string(), 1)],
            variables: vec![("HOME".to_string(), 2)],
            ..Environment::default()
        };
        let test = TestCase {
            args: vec![b"-v".to_vec(), b"a".to_vec(), b"bcde".to_vec()],
            stdin: Some(b"xyz".to_vec()),
            files: vec![("f".to_string(), b"F".to_vec())],
            env: vec![("HOME".to_string(), b"/".to_vec())],
            ..TestCase::default()
        };
        // One optional argument, the second group, the variable, standard input and the file.
        let expected = [&[1][..], b"a\0", b"bcd", b"/\0", b"xy", b"F"].concat();
        assert_eq!(environment_input(&test, &environment), Some(expected));
        let too_many = TestCase { args: vec![b"a".to_vec(); 9], ..test.clone() };
        assert_eq!(environment_input(&too_many, &environment), None);
        assert_eq!(environment_input(&test, &Environment::default()), None);
        assert!(input_of(&Seed::Raw(b"x".to_vec()), RawInput::None, &environment).is_err());
        let file = input_of(&Seed::Raw(b"xyz".to_vec()), RawInput::Stdin, &environment).unwrap();
        assert!(file.ends_with(b"xy\0"));
    }
}
