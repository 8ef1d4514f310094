//! Any bytes as a `.ktest` file. What is read is written again in the same way.

#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_suite::Shape;
use secateur_suite::ktest::{self, KTest};

fuzz_target!(|bytes: &[u8]| {
    let _ = ktest::read(bytes, &Shape::default());
    let _ = ktest::read_foreign(bytes);
    if let Ok(file) = KTest::from_bytes(bytes) {
        let written = file.to_bytes();
        assert_eq!(KTest::from_bytes(&written).map(|file| file.to_bytes()).ok(), Some(written));
    }
});
