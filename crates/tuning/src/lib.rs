//! Numbers that were found by measuring, and how to change them for a measurement.
//!
//! A crate declares its numbers as one struct with [`tuning!`]; one line gives the default, the range and the meaning
//! of a number. The struct is part of the crate's options. No number decides whether an answer is right: it may turn an
//! answer into "unknown", and it changes order, time and memory.
//!
//! ```
//! use secateur_tuning::{Tuning, tuning};
//!
//! tuning! {
//!     /// What a search may spend.
//!     pub struct Effort in "search" {
//!         /// How many neighbours a step looks at.
//!         neighbours: usize = 12, in 1..=64;
//!     }
//! }
//!
//! let mut effort = Effort::default();
//! effort.set("search.neighbours", "20").unwrap();
//! assert_eq!(effort.neighbours, 20);
//! assert!(effort.set("search.neighbours", "0").is_err());
//! assert_eq!(effort.entries()[0].description, "How many neighbours a step looks at.");
//! ```

mod number;

pub use number::Number;

/// A struct of tuned numbers.
pub trait Tuning {
    /// Sets the number of that full name, such as `solver.cases-work`.
    fn set(&mut self, name: &str, value: &str) -> Result<(), TuningError>;

    /// All numbers, in the order of their declaration.
    fn entries(&self) -> Vec<Entry>;
}

/// One tuned number, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its full name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its default.
    pub default: String,
    /// What it does, in a sentence or two.
    pub description: String,
}

/// Why a number was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuningError {
    /// The struct has no number of that name.
    #[error("there is no tuned number `{0}`")]
    NoSuchName(String),
    /// The value is not valid for this number.
    #[error("`{value}` is not a value of {name}, which is {expected}")]
    BadValue {
        /// The full name of the number.
        name: String,
        /// The value that was given.
        value: String,
        /// Which values are valid.
        expected: String,
    },
}

/// The defaults with one number changed to about the least and about the largest value that it can have, for each
/// number: for tests that no number decides whether an answer is right.
#[doc(hidden)]
pub fn extremes<T: Tuning + Default>() -> Vec<(String, T)> {
    let powers = (0..64).map(|power| (1u64 << power).to_string());
    let numbers: Vec<String> =
        ["0", "0.01", "0.5"].map(String::from).into_iter().chain(powers).chain([u64::MAX.to_string()]).collect();
    let mut all = Vec::new();
    for name in T::default().entries().into_iter().map(|entry| entry.name) {
        let changed = |number: &String| {
            [number.clone(), format!("{number}ms")].into_iter().find_map(|value| {
                let mut tuning = T::default();
                tuning.set(&name, &value).ok()?;
                Some((format!("{name}={value}"), tuning))
            })
        };
        all.extend(numbers.iter().find_map(changed));
        all.extend(numbers.iter().rev().find_map(changed));
    }
    all
}

/// Declares a struct of tuned numbers: `name: type = default, in range;`, each with a doc comment, which `--tune help`
/// prints. `PREFIX.name`, with hyphens for underscores, is the name on the command line.
#[macro_export]
macro_rules! tuning {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $Struct:ident in $prefix:literal {
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:expr, in $range:expr;)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $Struct {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl Default for $Struct {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $crate::Tuning for $Struct {
            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::TuningError> {
                $(if name == $crate::full_name($prefix, stringify!($field)) {
                    self.$field = $crate::Number::read_within(name, value, $range)?;
                    return Ok(());
                })+
                Err($crate::TuningError::NoSuchName(name.to_string()))
            }

            fn entries(&self) -> Vec<$crate::Entry> {
                let default = Self::default();
                vec![$($crate::Entry {
                    name: $crate::full_name($prefix, stringify!($field)),
                    value: $crate::Number::show(&self.$field),
                    default: $crate::Number::show(&default.$field),
                    description: [$($doc.trim()),+].join(" "),
                },)+]
            }
        }
    };
}

/// The name by which a field is set.
#[doc(hidden)]
pub fn full_name(prefix: &str, field: &str) -> String {
    format!("{prefix}.{}", field.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    tuning! {
        /// One number of each type.
        struct Sample in "sample" {
            /// A count
            /// in two lines.
            most_steps: usize = 4_000, in 1..;
            /// A share.
            share: f64 = 0.75, in 0.0..=1.0;
            /// A time.
            grace: Duration = Duration::from_millis(200), in Duration::ZERO..;
        }
    }

    #[test]
    fn each_type_is_parsed_as_it_is_printed() {
        let mut sample = Sample::default();
        for (name, value) in [("sample.most-steps", "7"), ("sample.share", "0.5"), ("sample.grace", "1500ms")] {
            sample.set(name, value).unwrap();
            let entry = sample.entries().into_iter().find(|entry| entry.name == name).unwrap();
            assert_eq!(entry.value, value);
        }
        assert_eq!(sample.entries()[0].description, "A count in two lines.");
        assert_eq!(sample.entries()[2].default, "200ms");
    }

    #[test]
    fn extremes_are_of_all_numbers() {
        let extremes: Vec<String> = extremes::<Sample>().into_iter().map(|(setting, _)| setting).collect();
        let steps = ["sample.most-steps=1".to_string(), format!("sample.most-steps={}", u64::MAX)];
        assert_eq!(extremes[..2], steps);
        assert_eq!(extremes[2..4], ["sample.share=0", "sample.share=1"]);
        assert_eq!((&*extremes[4], extremes.len()), ("sample.grace=0ms", 6));
    }

    #[test]
    fn invalid_values_are_refused_with_the_valid_ones() {
        let mut sample = Sample::default();
        let message = |error: Result<(), TuningError>| error.unwrap_err().to_string();
        assert_eq!(message(sample.set("sample.steps", "7")), "there is no tuned number `sample.steps`");
        assert_eq!(
            message(sample.set("sample.most-steps", "0")),
            "`0` is not a value of sample.most-steps, which is a whole number of at least 1"
        );
        assert_eq!(
            message(sample.set("sample.share", "2")),
            "`2` is not a value of sample.share, which is a number from 0 to 1"
        );
        assert_eq!(
            message(sample.set("sample.grace", "2")),
            "`2` is not a value of sample.grace, which is a time of at least 0ms (such as 200ms)"
        );
        assert_eq!(sample, Sample::default());
    }
}
