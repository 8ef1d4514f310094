//! The types that a tuned number may have.

use std::ops::{Bound, RangeBounds};
use std::time::Duration;

use crate::TuningError;

/// A type of tuned numbers.
pub trait Number: PartialOrd + Sized {
    /// The name of the type in messages: "a whole number".
    const KIND: &'static str;
    /// An example, for types that are not written as plain digits.
    const EXAMPLE: Option<&'static str> = None;

    /// Parses a value.
    fn read(text: &str) -> Option<Self>;

    /// Formats a value.
    fn show(&self) -> String;

    /// Parses a value of the number `name`, which must lie within the range.
    fn read_within(name: &str, text: &str, range: impl RangeBounds<Self>) -> Result<Self, TuningError> {
        match Self::read(text) {
            Some(value) if range.contains(&value) => Ok(value),
            _ => Err(TuningError::BadValue {
                name: name.to_string(),
                value: text.to_string(),
                expected: expected(range),
            }),
        }
    }
}

fn expected<N: Number>(range: impl RangeBounds<N>) -> String {
    let example = N::EXAMPLE.map_or(String::new(), |example| format!(" (such as {example})"));
    let bounds = match (range.start_bound(), range.end_bound()) {
        (Bound::Included(low), Bound::Included(high)) => format!(" from {} to {}", low.show(), high.show()),
        (Bound::Included(low), _) => format!(" of at least {}", low.show()),
        (_, Bound::Included(high)) => format!(" of at most {}", high.show()),
        _ => String::new(),
    };
    format!("{}{bounds}{example}", N::KIND)
}

macro_rules! whole_numbers {
    ($($type:ty)+) => {$(
        impl Number for $type {
            const KIND: &'static str = "a whole number";

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

whole_numbers!(u8 u16 u32 u64 usize);

impl Number for f64 {
    const KIND: &'static str = "a number";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// In milliseconds, which is precise enough for time limits.
impl Number for Duration {
    const KIND: &'static str = "a time";
    const EXAMPLE: Option<&'static str> = Some("200ms");

    fn read(text: &str) -> Option<Self> {
        text.strip_suffix("ms")?.parse().ok().map(Duration::from_millis)
    }

    fn show(&self) -> String {
        format!("{}ms", self.as_millis())
    }
}
