//! Any text as a test of Test-Comp's, for a program that asks for values of several types.

#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_suite::{Object, Source, TestCase, testcomp};

fuzz_target!(|text: &str| {
    let test = expected();
    if let Ok(read) = testcomp::read(text, &test.shape()) {
        let written = testcomp::write(&read, false);
        assert_eq!(testcomp::read(&written, &test.shape()).ok(), Some(read));
    }
});

/// A test whose shape the text must have.
fn expected() -> TestCase {
    let types = [("int", 4), ("ulong", 8), ("float", 4), ("double", 8), ("bool", 1), ("unsigned __int128", 16)];
    let mut objects: Vec<Object> = types
        .map(|(c_type, size)| Object {
            name: format!("__VERIFIER_nondet_{c_type}"),
            bytes: vec![0; size],
            source: Source::Nondet { c_type: c_type.into() },
        })
        .into();
    objects.push(Object { name: "bytes".into(), bytes: vec![0; 5], source: Source::Make });
    TestCase { objects, ..TestCase::default() }
}
