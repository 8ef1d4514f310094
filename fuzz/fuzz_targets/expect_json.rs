//! Any text as the line of a prediction.

#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_suite::Prediction;

fuzz_target!(|text: &str| {
    if let Ok((_, prediction, shape)) = Prediction::from_line(text) {
        let _ = (prediction.bit(0), prediction.bit(prediction.branches), prediction.bit(u64::MAX));
        let _ = prediction.end.to_string();
        let _ = secateur_suite::ktest::read(text.as_bytes(), &shape);
        let _ = secateur_suite::testcomp::read(text, &shape);
    }
});
