//! Any bytes as a program. LLVM may not survive them, we do; and what is loaded passes our verifier.

#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_program::{LoadOptions, load, verify};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("program.bc");
    std::fs::write(&path, bytes).expect("there is room for a small file");
    if let Ok(loaded) = load(&LoadOptions { inputs: vec![path], ..LoadOptions::default() }) {
        verify(&loaded.program).unwrap_or_else(|faults| panic!("{}", faults.join("\n")));
    }
});
